--- The golden pictures, by name: each draws a small scene of its own and gives the frame.
local thatch = require('thatch')
local kit = dofile(thatch.root .. '/tests/golden/kit.lua')

local M, names = {}, {}

local function picture(name, draw)
  M[name] = draw
  names[#names + 1] = name
end

local function yard(room)
  room.daylight()
  room.add(kit.floor(20), { color = { 0.45, 0.5, 0.3 } })
  room.add(kit.box(1, 1.4, 1), { color = { 0.7, 0.25, 0.15 } },
    { position = { -1, 0.7, 0 }, rotation = { 0, 0.2588, 0, 0.9659 } })
  room.add(kit.ball(0.6, 12), { color = { 0.8, 0.8, 0.75 } }, { position = { 1, 0.6, 0.6 } })
  return room
end

picture('vertex_colors', function()
  local room = kit.room({ 0, 0, 3 }, { 0, 0, 0 })
  room.add(thatch.geometry.create({
    positions = { -1.4, -1, 0, 1.4, -1, 0, 0, 1.2, 0 }, colors = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1 },
    indices = { 0, 1, 2 },
  }), { kind = 'basic' })
  return kit.draw(room, { resolve = { tone = 'none' } })
end)

picture('daylight', function() return kit.draw(yard(kit.room()), { shadows = { shadows = 'none' } }) end)
picture('shadow_still', function() return kit.draw(yard(kit.room()), { shadows = { shadows = 'still' } }) end)
picture('shadow_filter_4', function()
  return kit.draw(yard(kit.room()), { shadows = { shadows = 'full', filter = 4, size = 256 } })
end)

picture('shadow_moving', function()
  local room = yard(kit.room())
  local node = room.add(kit.box(0.4, 0.4, 0.4), { color = { 0.1, 0.3, 0.8 } }, { position = { 0.2, 1.9, 0.4 } })
  room.scene:set_moving({ node })
  return kit.draw(room, { shadows = { shadows = 'cached' } })
end)

picture('tone_none_linear', function()
  return kit.draw(yard(kit.room()), { resolve = { tone = 'none', srgb = false, exposure = 0.6 } })
end)

picture('phong', function()
  local room = kit.room({ 0, 0.5, 4 }, { 0, 0, 0 }).daylight()
  for i = -1, 1 do
    room.add(kit.ball(0.8, 24), { kind = 'phong', color = { 0.5, 0.1, 0.1 },
      specular = { 0.6, 0.6, 0.6 }, shininess = 10 * 4 ^ (i + 1) },
      { position = { i * 1.7, 0, 0 } })
  end
  return kit.draw(room)
end)

picture('emissive_and_tint', function()
  local room = kit.room({ 0, 0.5, 4 }, { 0, 0, 0 })
  room.scene:light({ kind = 'ambient', intensity = 0.8 })
  room.add(kit.ball(0.7, 12), { color = { 0.2, 0.2, 0.2 }, emissive = { 1, 0.4, 0.05 }, emissive_intensity = 0.7 },
    { position = { -1.6, 0, 0 } })
  room.add(kit.ball(0.7, 12), { color = { 0.6, 0.6, 0.6 } }, {}, { tint = { 0.3, 1.4, 0.6 } })
  room.add(kit.ball(0.7, 12), { kind = 'basic', color = { 0.2, 0.3, 0.7 } }, { position = { 1.6, 0, 0 } })
  return kit.draw(room)
end)

picture('fog', function()
  local room = kit.room({ 0, 1.6, 5 }, { 0, 1, -20 }).daylight(0.4)
  room.scene:set_fog({ color = { 0.6, 0.65, 0.7 }, density = 0.03, sun_color = { 1, 0.8, 0.5 }, sun_share = 0.6 })
  room.add(kit.floor(200), { color = { 0.3, 0.4, 0.2 } })
  for i = 1, 9 do room.add(kit.box(1, 3, 1), { color = { 0.5, 0.2, 0.15 } },
    { position = { (i % 3 - 1) * 3.5, 1.5, 4 - i * 6 } }) end
  return kit.draw(room)
end)

--- A cube of which each face has its own colour, brighter to the first row and column.
local function cube()
  local texels, tints = {}, { { 1, 0.2, 0.2 }, { 0.5, 0.1, 0.1 }, { 0.4, 0.6, 1 }, { 0.2, 0.2, 0.1 },
    { 0.3, 0.9, 0.3 }, { 0.9, 0.8, 0.2 } }
  for face = 1, 6 do
    for y = 0, 7 do
      for x = 0, 7 do
        local v = (x == 0 or y == 0) and 1 or 0.55
        for k = 1, 3 do texels[#texels + 1] = math.floor(255 * v * tints[face][k]) end
        texels[#texels + 1] = 255
      end
    end
  end
  return thatch.texture.create_cube({ size = 8, texels = texels })
end

picture('sky_cube', function()
  local room = kit.room({ 0, 1, 0 }, { 1, 1.5, -1 })
  room.scene:set_background(cube(), 0.8)
  room.camera:perspective({ fov = 1.9, near = 0.1, far = 100 })
  return kit.draw(room)
end)

picture('sky_step_8', function()
  local room = yard(kit.room())
  room.scene:set_background(cube(), 1)
  return kit.draw(room, { sky = 8 })
end)

picture('map_wraps', function()
  local room = kit.room({ 0, 0, 3.4 }, { 0, 0, 0 })
  for i, wrap in ipairs({ 'repeat', 'mirrored', 'clamp' }) do
    local map = kit.checker(8, 2, { wrap = wrap, offset = { -0.75, -0.75 } })
    room.add(kit.square({ -2.1 + (i - 1) * 1.45, -1, 0 }, { 1.3, 0, 0 }, { 0, 2, 0 }, 2.5),
      { kind = 'basic', map = map })
  end
  return kit.draw(room, { resolve = { tone = 'none' } })
end)

local function tiles(gather)
  local room = kit.room({ 0, 1.2, 5 }, { 0.5, 0.8, 0 }).daylight()
  room.add(kit.floor(60, 60), { map = kit.checker(64, 16) })
  return kit.draw(room, { gather = gather })
end

picture('map_levels', function() return tiles({}) end)
picture('map_trilinear', function() return tiles({ trilinear = true }) end)
picture('map_at_vertices', function()
  local room = kit.room({ 0, 0, 3 }, { 0, 0, 0 }).daylight()
  room.add(kit.ball(1, 24), { map = kit.checker(32, 4) })
  return kit.draw(room, { gather = { pixel_maps = false } })
end)
picture('map_turned', function()
  local room = kit.room({ 0, 0, 3 }, { 0, 0, 0 }).daylight()
  room.add(kit.ball(1, 24), { map = kit.checker(32, 8, { repeat_ = { 4, 2 }, rotation = 0.5, center = { 0.5, 0.5 } }) })
  return kit.draw(room)
end)

local function leaf_map()
  return kit.map(32, function(x, y)
    local dx, dy = (x - 15.5) / 14, (y - 15.5) / 14
    return 60 + 5 * x, 140, 40, dx * dx + dy * dy < 1 and (x + y) % 16 > 2 and 255 or 0
  end)
end

picture('masked', function()
  local room = yard(kit.room())
  local map = leaf_map()
  for i = 0, 4 do
    room.add(kit.square({ -0.5, -0.5, 0 }, { 1, 0, 0 }, { 0, 1, 0 }), { map = map, alpha = 'mask', two_sided = true },
      { position = { i - 2, 1.2 + i * 0.15, 1.5 },
        rotation = { 0, thatch.math.sin(i * 0.4), 0, thatch.math.cos(i * 0.4) } })
  end
  return kit.draw(room)
end)

picture('blended', function()
  local room = yard(kit.room())
  for i, tint in ipairs({ { 0.9, 0.2, 0.2 }, { 0.2, 0.8, 0.3 }, { 0.2, 0.3, 0.9 } }) do
    room.add(kit.square({ -0.8, 0, 0 }, { 1.6, 0, 0 }, { 0, 1.2, 0 }),
      { color = tint, alpha = 'blend', opacity = 0.45, two_sided = true },
      { position = { i * 0.7 - 1.6, 0.2 + i * 0.2, 2.4 - i * 0.5 } })
  end
  room.add(kit.square({ -0.7, -0.7, 0 }, { 1.4, 0, 0 }, { 0, 1.4, 0 }), { map = leaf_map(), alpha = 'blend' },
    { position = { 1.6, 1.7, 1 } })
  return kit.draw(room)
end)

picture('two_sided_and_mirrored', function()
  local room = kit.room({ 0, 0, 4 }, { 0, 0, 0 }).daylight()
  local half = thatch.geometry.create({
    positions = { 0, -0.8, 0, 0.8, -0.8, 0.3, 0.2, 0.9, 0 }, indices = { 0, 1, 2 },
  })
  local one, two = { color = { 0.8, 0.5, 0.1 } }, { color = { 0.2, 0.5, 0.8 }, two_sided = true }
  room.add(half, one, { position = { -1.8, 0, 0 } })
  room.add(half, one, { position = { -0.9, 0, 0 }, rotation = { 0, 1, 0, 0 } })
  room.add(half, two, { position = { 0.4, 0, 0 }, rotation = { 0, 1, 0, 0 } })
  room.add(half, one, { position = { 1.5, 0, 0 }, scale = { -1, 1, 1 } })
  room.add(half, two, { position = { 1.6, 0, 0 }, scale = { 1, 1, -1 } })
  return kit.draw(room)
end)

picture('orthographic', function()
  local room = yard(kit.room({ 6, 5, 6 }, { 0, 0.3, 0 }))
  room.camera:orthographic({ height = 4, near = 0.1, far = 40 })
  return kit.draw(room)
end)

picture('under_the_eye', function()
  local room = kit.room({ 0.3, 1.2, 0.2 }, { 0.6, 0, -0.5 }).daylight()
  room.camera:perspective({ fov = 2, near = 0.1, far = 500 })
  room.add(kit.floor(300, 300), { map = kit.checker(16, 8) })
  return kit.draw(room)
end)

picture('layers_and_hidden', function()
  local room = kit.room().daylight()
  for i = 0, 3 do
    room.add(kit.box(0.7, 0.7, 0.7), { color = { 0.3 + 0.2 * i, 0.4, 0.2 } }, { position = { i - 1.5, 0.7, 0 } },
      { layers = 2 ^ i })
  end
  room.camera:set_layers(5)
  return kit.draw(room)
end)

picture('point_light', function()
  local room = kit.room()
  room.scene:light({ kind = 'ambient', intensity = 0.15 })
  room.scene:light({
    kind = 'point', position = { 0, 1.2, 0.8 }, distance = 4, color = { 1, 0.7, 0.35 }, intensity = 6,
  })
  room.add(kit.floor(20), { color = { 0.5, 0.5, 0.5 } })
  for i = -2, 2 do room.add(kit.box(0.5, 1.2, 0.5), { color = { 0.6, 0.55, 0.5 } },
    { position = { i * 1.1, 0.6, -0.6 } }) end
  return kit.draw(room)
end)

picture('baked_shares', function()
  local room = kit.room({ 0, 2.5, 2.5 }, { 0, 0, 0 }).daylight()
  thatch.shading.register('golden.baked', { baked_sun = 'sun', baked_sky = 'sky' })
  local p, sun, sky, index = {}, {}, {}, {}
  for z = 0, 8 do
    for x = 0, 8 do
      p[#p + 1], p[#p + 2], p[#p + 3] = x / 2 - 2, 0, 2 - z / 2
      sun[#sun + 1], sky[#sky + 1] = (x + z) % 2, z / 8
      if x < 8 and z < 8 then
        local a = z * 9 + x
        for _, i in ipairs({ a, a + 1, a + 10, a, a + 10, a + 9 }) do index[#index + 1] = i end
      end
    end
  end
  room.add(thatch.geometry.create({ positions = p, baked_sun = sun, baked_sky = sky, indices = index }),
    { color = { 0.7, 0.7, 0.7 }, shading = 'golden.baked' })
  local frame = kit.draw(room)
  thatch.shading.remove('golden.baked')
  return frame
end)

--- Blades in random order, so that any prefix is a thinner meadow.
local function meadow(count)
  local p, sway, spread, index = {}, {}, {}, {}
  for i = 0, count - 1 do
    local x, z = thatch.math.random(7, i, 0) * 8 - 4, thatch.math.random(7, i, 1) * 6 - 4
    local lean, tall = thatch.math.random(7, i, 2) * 0.2 - 0.1, 0.3 + 0.4 * thatch.math.random(7, i, 3)
    for corner, at in ipairs({ { -0.03, 0 }, { 0.03, 0 }, { lean, tall } }) do
      p[#p + 1], p[#p + 2], p[#p + 3] = x + at[1], at[2], z
      spread[#spread + 1], spread[#spread + 2], spread[#spread + 3] = at[1], 0, 0
      sway[#sway + 1] = corner == 3 and 1 or 0
      index[#index + 1] = 3 * i + corner - 1
    end
  end
  return thatch.geometry.create({
    positions = p, sway = sway, spread = spread, indices = index, item_triangles = 1, item_vertices = 3, blades = true,
  })
end

local function windy(gather, number)
  local room = kit.room({ 0, 1, 4 }, { 0, 0.3, 0 }).daylight()
  thatch.shading.register('golden.grass',
    { back_faces = 'as_front', sway = { amplitude_m = 0.25, frequency_hz = 0.8 } })
  room.scene:set_wind(1, 0.3, 1)
  room.add(kit.floor(20), { color = { 0.3, 0.25, 0.15 } })
  room.add(meadow(1500), { color = { 0.3, 0.6, 0.15 }, two_sided = true, shading = 'golden.grass' }, {},
    { item_size = 0.1 })
  local frame = kit.draw(room, { gather = gather, number = number })
  thatch.shading.remove('golden.grass')
  return frame
end

picture('grass', function() return windy({}, 0) end)
picture('grass_later', function() return windy({}, 17) end)
picture('grass_thinned', function() return windy({ detail_px = 12, item_share_max = 0.5 }, 0) end)

picture('skinned', function()
  local room = kit.room({ 0, 1, 4 }, { 0, 1, 0 }).daylight()
  local p, joints, weights, index = {}, {}, {}, {}
  for y = 0, 12 do
    for side = 0, 3 do
      local x, z = (side == 0 or side == 3) and -0.25 or 0.25, side < 2 and 0.25 or -0.25
      p[#p + 1], p[#p + 2], p[#p + 3] = x, y / 6, z
      local bend = math.min(math.max((y - 4) / 4, 0), 1)
      for _, v in ipairs({ 0, 1, 0, 0 }) do joints[#joints + 1] = v end
      for _, v in ipairs({ 1 - bend, bend, 0, 0 }) do weights[#weights + 1] = v end
      if y < 12 then
        local a, b = y * 4 + side, y * 4 + (side + 1) % 4
        for _, i in ipairs({ a, b, b + 4, a, b + 4, a + 4 }) do index[#index + 1] = i end
      end
    end
  end
  local geometry = thatch.geometry.create({
    positions = p, joints = joints, weights = weights, joint_count = 2, indices = index,
  })
  local _, mesh = room.add(geometry, { color = { 0.6, 0.4, 0.2 }, two_sided = true })
  local c, s = thatch.math.cos(-0.9), thatch.math.sin(-0.9) -- the upper half leans over at y = 1
  mesh:set_joints({ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
    c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, s, 1 - c, 0, 1 }, 2)
  return kit.draw(room)
end)

local function pond(options)
  local room = kit.room({ 0, 1.6, 5 }, { 0, -0.2, 0 }).daylight()
  local bed = {}
  room.scene:set_background(cube(), 0.9)
  room.add(kit.floor(20), { color = { 0.6, 0.55, 0.4 } }, { position = { 0, -0.6, 0 } })
  room.add(kit.box(1, 1.6, 1), { color = { 0.5, 0.2, 0.15 } }, { position = { -0.8, 0, 0 } })
  room.add(kit.box(6, 1.2, 1), { color = { 0.4, 0.45, 0.3 } }, { position = { 0, -0.3, -3.2 } })
  bed.water = thatch.water.create({ level = 0, min = { -3, -3 }, max = { 3, 3 }, wave_height = 0.04 })
  if options.rings then bed.water:set_rings({ 0.8, 1, 0.2, 1 }) end
  bed.water_step, bed.number, bed.water_every = options.step, 24, options.every
  return kit.draw(room, bed)
end

picture('water', function() return pond({ step = 1 }) end)
picture('water_step_8', function() return pond({ step = 8, every = 4 }) end)
picture('water_rings', function() return pond({ step = 1, rings = true }) end)

picture('smooth', function() return kit.draw(yard(kit.room()), { smooth = true }) end)
picture('upscale_bilinear', function()
  return kit.draw(yard(kit.room()), { scale = 0.34, smooth = true, upscale = 'bilinear' })
end)
picture('upscale_sharp', function()
  return kit.draw(yard(kit.room()), { scale = 0.34, smooth = true, upscale = 'sharp' })
end)

--- Five balls of a kind, each with its own value of one property, lit at each pixel.
local function row_of(kind, key, values, more)
  local room = kit.room({ 0, 0.6, 4.6 }, { 0, 0, 0 }).daylight()
  for i, value in ipairs(values) do
    local paint = { kind = kind, color = { 0.75, 0.5, 0.2 }, [key] = value }
    for k, v in pairs(more or {}) do paint[k] = v end
    room.add(kit.ball(0.42, 12), paint, { position = { (i - 3) * 0.92, 0, 0 } })
  end
  return kit.draw(room, { resolve = { light = 'pixel' } })
end

picture('pixel_phong', function()
  return row_of('phong', 'shininess', { 4, 12, 36, 108, 324 }, { specular = { 0.7, 0.7, 0.7 } })
end)
picture('pixel_roughness', function() return row_of('standard', 'roughness', { 0.1, 0.3, 0.5, 0.75, 1 }) end)
picture('pixel_metal', function()
  return row_of('physical', 'metalness', { 0, 0.25, 0.5, 0.75, 1 }, { roughness = 0.35 })
end)

--- Lamps in three colours over a floor of few triangles: the light is found at each pixel in any case.
local function lamps(light)
  local room = kit.room({ 0, 2.2, 3.4 }, { 0, 0, -0.4 })
  room.scene:light({ kind = 'ambient', intensity = 0.06 })
  for i, color in ipairs({ { 1, 0.4, 0.2 }, { 0.3, 1, 0.4 }, { 0.3, 0.5, 1 } }) do
    room.scene:light({ kind = 'point', position = { (i - 2) * 1.5, 0.5, -0.3 + 0.4 * i }, distance = 2.6, color = color,
      intensity = 3 })
  end
  room.add(kit.floor(6), { color = { 0.7, 0.7, 0.7 } })
  room.add(kit.ball(0.35, 12), { kind = 'phong', color = { 0.6, 0.6, 0.6 }, specular = { 0.8, 0.8, 0.8 },
    shininess = 40 }, { position = { 0.1, 0.35, 0.9 } })
  return kit.draw(room, { resolve = { light = light } })
end
picture('lamps', function() return lamps('vertex') end)
picture('lamps_pixel', function() return lamps('pixel') end)

picture('spots', function()
  local room = kit.room({ 0, 2.4, 3.6 }, { 0, 0.2, -0.2 })
  room.scene:light({ kind = 'ambient', intensity = 0.1 })
  for i, color in ipairs({ { 1, 0.5, 0.3 }, { 0.5, 1, 0.6 }, { 0.5, 0.6, 1 } }) do
    room.scene:light({ kind = 'spot', position = { (i - 2) * 2, 2.2, 0.2 }, direction = { (i - 2) * 0.6, 1, 0.2 },
      angle = 0.45, penumbra = (i - 1) / 2, distance = 6, color = color, intensity = 14 })
  end
  room.add(kit.floor(6), { color = { 0.7, 0.7, 0.7 } })
  room.add(kit.ball(0.4, 12), { kind = 'standard', color = { 0.6, 0.6, 0.6 }, roughness = 0.35 },
    { position = { 0.1, 0.4, 0.3 } })
  return kit.draw(room, { resolve = { light = 'pixel' } })
end)

picture('light_over_maps', function()
  local room = kit.room({ 0, 0.4, 3.6 }, { 0, 0, 0 }).daylight()
  local map = kit.checker(16, 2, { repeat_ = { 4, 2 } })
  room.add(kit.ball(0.6, 24), { kind = 'phong', map = map, specular = { 0.7, 0.7, 0.7 }, shininess = 25 },
    { position = { -1.35, 0, 0 } })
  room.add(kit.ball(0.6, 24), { map = map, color = { 0.6, 0.6, 0.6 }, emissive = { 0.5, 0.1, 0 } })
  room.add(kit.ball(0.6, 24), { map = map, color = { 0.6, 0.6, 0.6 }, emissive = { 1, 0.5, 0.1 },
    emissive_map = kit.map(32, function(x) local v = x % 8 < 2 and 255 or 0 return v, v, v end) },
    { position = { 1.35, 0, 0 } })
  return kit.draw(room)
end)

picture('supersampled', function()
  return kit.draw(yard(kit.room()), { scale = 2, upscale = 'bilinear', resolve = { light = 'pixel' } })
end)

picture('reference', function()
  local room = yard(kit.room())
  room.scene:set_background(cube(), 0.8)
  room.scene:set_fog({ color = { 0.6, 0.65, 0.7 }, density = 0.04 })
  room.water = thatch.water.create({ level = 0.05, min = { 0.5, 1.4 }, max = { 3, 3 } })
  local frame = thatch.frame.create({ width = kit.width, height = kit.height })
  frame:begin(9, 9 / 24)
  dofile(thatch.root .. '/scripts/pipelines/reference.lua')(frame, room, room.camera, thatch.quality.load('low'))
  return frame
end)

picture('geometry_moved', function()
  local room = kit.room({ 0, 1.6, 3.6 }, { 0, 0, 0 }).daylight()
  local side, p, n, index = 13, {}, {}, {}
  for z = 0, side - 1 do
    for x = 0, side - 1 do
      p[#p + 1], p[#p + 2], p[#p + 3] = x / 4 - 1.5, 0, 1.5 - z / 4
      if x + 1 < side and z + 1 < side then
        local a = z * side + x
        for _, i in ipairs({ a, a + 1, a + side + 1, a, a + side + 1, a + side }) do index[#index + 1] = i end
      end
    end
  end
  local cloth = thatch.geometry.create({ positions = p, indices = index })
  for i = 1, #p, 3 do
    local slope = 0.9 * thatch.math.cos(p[i] * 3)
    local l = thatch.math.sqrt(1 + slope * slope)
    p[i + 1] = 0.3 * thatch.math.sin(p[i] * 3)
    n[i], n[i + 1], n[i + 2] = -slope / l, 1 / l, 0
  end
  cloth:move(p, n)
  room.add(cloth, { color = { 0.7, 0.2, 0.2 }, two_sided = true })
  return kit.draw(room)
end)

picture('twilight', function()
  local room = yard(kit.room())
  room.scene:set_background(cube(), 0.15)
  room.scene:set_fog({ color = { 0.12, 0.14, 0.25 }, density = 0.05, sun_color = { 0.9, 0.4, 0.2 }, sun_share = 0.8 })
  return kit.draw(room, { resolve = { exposure = 1.6 } })
end)

return { draw = M, names = names }
