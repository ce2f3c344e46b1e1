--- What the golden pictures are made of: shapes, lights, and a frame of 96 x 64 that runs the stages asked for.
local thatch = require('thatch')

local M = {}

M.width, M.height = 96, 64

--- A square with corner a and sides u, v, front towards u x v.
function M.square(a, u, v, repeats)
  local p = {}
  for i, s in ipairs({ { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } }) do
    for k = 1, 3 do p[3 * i - 3 + k] = a[k] + u[k] * s[1] + v[k] * s[2] end
  end
  local r = repeats or 1
  return thatch.geometry.create({ positions = p, uvs = { 0, 0, r, 0, r, r, 0, r }, indices = { 0, 1, 2, 0, 2, 3 } })
end

function M.floor(half, repeats)
  return M.square({ -half, 0, half }, { 2 * half, 0, 0 }, { 0, 0, -2 * half }, repeats)
end

--- A box round its middle, faces apart so that they shade flat.
function M.box(x, y, z)
  local p, index = {}, {}
  for axis = 0, 2 do
    for sign = -1, 1, 2 do
      local first = #p / 3
      for corner = 0, 3 do
        local s, t = corner % 2 * 2 - 1, math.floor(corner / 2) * 2 - 1
        local at = {}
        at[axis + 1], at[(axis + 1) % 3 + 1], at[(axis + 2) % 3 + 1] = sign, s * sign, t
        p[#p + 1], p[#p + 2], p[#p + 3] = at[1] * x / 2, at[2] * y / 2, at[3] * z / 2
      end
      for _, i in ipairs({ 0, 1, 3, 0, 3, 2 }) do index[#index + 1] = first + i end
    end
  end
  return thatch.geometry.create({ positions = p, indices = index })
end

--- A ball of rings and sides, smooth, with map coordinates.
function M.ball(radius, rings)
  local p, n, uv, index, sides = {}, {}, {}, {}, 2 * rings
  for i = 0, rings do
    local theta = math.pi * i / rings
    for j = 0, sides do
      local phi, s = 2 * math.pi * j / sides, thatch.math.sin(theta)
      local x, y, z = s * thatch.math.cos(phi), thatch.math.cos(theta), s * thatch.math.sin(phi)
      for _, v in ipairs({ x, y, z }) do p[#p + 1], n[#n + 1] = v * radius, v end
      uv[#uv + 1], uv[#uv + 2] = j / sides, i / rings
    end
  end
  for i = 0, rings - 1 do
    for j = 0, sides - 1 do
      local a = i * (sides + 1) + j
      for _, k in ipairs({ a, a + 1, a + sides + 2, a, a + sides + 2, a + sides + 1 }) do index[#index + 1] = k end
    end
  end
  return thatch.geometry.create({ positions = p, normals = n, uvs = uv, indices = index })
end

--- A map of size x size from f(x, y) -> r, g, b, a in 0..255.
function M.map(size, f, options)
  local texels = {}
  for y = 0, size - 1 do
    for x = 0, size - 1 do
      local r, g, b, a = f(x, y)
      for _, v in ipairs({ r, g, b, a or 255 }) do texels[#texels + 1] = math.floor(v) end
    end
  end
  local t = { width = size, height = size, texels = texels }
  for k, v in pairs(options or {}) do t[k] = v end
  return thatch.texture.create(t)
end

function M.checker(size, cell, options)
  return M.map(size, function(x, y)
    if (math.floor(x / cell) + math.floor(y / cell)) % 2 == 0 then return 230, 200, 120 end
    return 40 + 150 * x / size, 60, 40 + 150 * y / size
  end, options)
end

--- A scene with a camera: add(geometry, material, place), then draw.
function M.room(eye, target)
  local scene = thatch.scene.create()
  local camera = thatch.camera.create()
  camera:perspective({ fov = 0.9, near = 0.1, far = 500 })
  camera:look(eye or { 0, 1.6, 5 }, target or { 0, 0.7, 0 })
  local room = { scene = scene, camera = camera, shadow = { center = { 0, 0, 0 }, radius = 8, focus_radius = 8 } }
  function room.add(geometry, material, place, mesh)
    local node = scene:node(place or {})
    local t = { geometry = geometry, node = node }
    for k, v in pairs(mesh or {}) do t[k] = v end
    t.material = material.id and material or thatch.material.create(material)
    return node, scene:mesh(t)
  end
  function room.daylight(height)
    scene:light({ kind = 'hemisphere', color = { 0.5, 0.65, 0.9 }, ground_color = { 0.3, 0.25, 0.18 } })
    scene:light({ kind = 'directional', direction = { 0.6, height or 1, 0.5 },
      color = { 1, 0.93, 0.8 }, intensity = 2.6 })
    scene:set_background({ 0.35, 0.55, 0.9 })
    return room
  end
  return room
end

--- Draws a room through the stages.
--- options: shadows, gather, resolve, sky (step), water, smooth, upscale, scale, number.
function M.draw(room, options)
  options = options or {}
  local number = options.number or 0
  local frame = thatch.frame.create({ width = M.width, height = M.height, render_scale = options.scale or 1 })
  frame:begin(number, number / 24)
  local shadows = { size = 512 }
  for k, v in pairs(room.shadow) do shadows[k] = v end
  for k, v in pairs(options.shadows or {}) do shadows[k] = v end
  frame:shadow_maps(room.scene, room.camera, shadows)
  frame:gather(room.scene, room.camera, options.gather)
  frame:vertices()
  frame:setup()
  frame:bins()
  frame:raster()
  frame:resolve(options.resolve)
  frame:sky(options.sky or 1, options.resolve)
  frame:blend()
  if options.water then frame:water(options.water, options.water_step or 2, options.water_every or 1) end
  if options.smooth then frame:smooth() end
  frame:upscale(options.upscale)
  return frame
end

return M
