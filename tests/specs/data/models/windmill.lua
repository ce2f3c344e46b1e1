--- A toy windmill as a .glb, made by code: brick walls from a map, sails that turn, a flag on a skin of three joints,
--- a door that morphs open, a lamp. The specs read it, and it shows what a model can hold.
local maths = require('thatch.math')
local writer = require('tests.specs.data.models.writer')

local M = {}

local SIDES = 24

--- A mesh being built: positions, normals, coordinates and indices.
local function new_mesh()
  return { p = {}, n = {}, uv = {}, index = {} }
end

local function push(list, ...)
  for i = 1, select('#', ...) do list[#list + 1] = (select(i, ...)) end
end

--- A quad of corners a b c d, counter-clockwise, flat.
local function quad(mesh, a, b, c, d)
  local first = #mesh.p / 3
  local n = maths.normalize(maths.cross(maths.sub(b, a), maths.sub(d, a)))
  for i, corner in ipairs({ a, b, c, d }) do
    push(mesh.p, unpack(corner))
    push(mesh.n, unpack(n))
    push(mesh.uv, (i == 2 or i == 3) and 1 or 0, i >= 3 and 0 or 1)
  end
  push(mesh.index, first, first + 1, first + 2, first, first + 2, first + 3)
end

--- A box between two corners.
local function box(mesh, low, high)
  local function at(x, y, z)
    return { x == 1 and high[1] or low[1], y == 1 and high[2] or low[2], z == 1 and high[3] or low[3] }
  end
  quad(mesh, at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1))
  quad(mesh, at(1, 0, 0), at(0, 0, 0), at(0, 1, 0), at(1, 1, 0))
  quad(mesh, at(1, 0, 1), at(1, 0, 0), at(1, 1, 0), at(1, 1, 1))
  quad(mesh, at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0))
  quad(mesh, at(0, 1, 1), at(1, 1, 1), at(1, 1, 0), at(0, 1, 0))
  quad(mesh, at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1))
end

--- A ring between two heights and radii, smooth round, its map going round `around` times.
local function ring(mesh, y0, r0, y1, r1, around, v0, v1)
  local first = #mesh.p / 3
  for i = 0, SIDES do
    local angle = i / SIDES * 2 * maths.pi
    local s, c = maths.sin(angle), maths.cos(angle)
    local n = maths.normalize({ s * (y1 - y0), r0 - r1, c * (y1 - y0) })
    for _, at in ipairs({ { y0, r0, v1 }, { y1, r1, v0 } }) do
      push(mesh.p, s * at[2], at[1], c * at[2])
      push(mesh.n, unpack(n))
      push(mesh.uv, i / SIDES * around, at[3])
    end
  end
  for i = 0, SIDES - 1 do
    local a = first + i * 2
    push(mesh.index, a, a + 2, a + 1, a + 1, a + 2, a + 3)
  end
end

local function bricks(x, y)
  local row = math.floor(y / 8)
  local along = (x + (row % 2) * 8) % 64
  local column = math.floor(along / 16)
  if y % 8 == 0 or along % 16 == 0 then return 196, 186, 170 end
  local shade = math.floor(maths.random(7, row, column) * 34 + maths.random(9, x, y) * 12)
  return 150 + shade, 84 + math.floor(shade * 0.7), 66 + math.floor(shade * 0.5)
end

local function attributes(w, mesh, with_uv)
  return {
    POSITION = w:accessor('VEC3', 'float', mesh.p), NORMAL = w:accessor('VEC3', 'float', mesh.n),
    TEXCOORD_0 = with_uv and w:accessor('VEC2', 'float', mesh.uv) or nil,
  }
end

local function add_shape(w, mesh, material, node)
  return w:shape(attributes(w, mesh, w.json.materials[material + 1].pbrMetallicRoughness.baseColorTexture ~= nil), {
    material = material, indices = w:accessor('SCALAR', 'ushort', mesh.index),
  }, node)
end

local function material(w, name, color, more)
  local made = {
    name = name,
    pbrMetallicRoughness = {
      baseColorFactor = { color[1], color[2], color[3], 1 }, metallicFactor = 0, roughnessFactor = 0.9,
    },
  }
  for key, value in pairs(more or {}) do made[key] = value end
  return w:add('materials', made)
end

local function add_tower(w)
  w:add('images', { bufferView = w:view(writer.png(64, bricks)), mimeType = 'image/png', name = 'bricks' })
  w:add('samplers', { wrapS = 10497, wrapT = 10497 })
  w:add('textures', { source = 0, sampler = 0 })
  local wall = material(w, 'wall', { 1, 1, 1 })
  w.json.materials[wall + 1].pbrMetallicRoughness.baseColorTexture = {
    index = 0, extensions = { KHR_texture_transform = { scale = { 4, 3 } } },
  }
  w.json.extensionsUsed = { 'KHR_texture_transform', 'KHR_lights_punctual', 'KHR_materials_emissive_strength' }
  local tower = new_mesh()
  ring(tower, 0, 0.62, 1.5, 0.42, 1, 0, 1)
  local roof, grass, stone = new_mesh(), new_mesh(), new_mesh()
  ring(roof, 1.46, 0.54, 2.05, 0.0, 1, 0, 1)
  ring(roof, 1.46, 0.40, 1.46, 0.54, 1, 0, 1)
  ring(grass, -0.06, 1.0, 0.0, 0.94, 1, 0, 1)
  ring(grass, 0.0, 0.94, 0.0, 0.0, 1, 0, 1)
  ring(stone, 0, 0.68, 0.1, 0.66, 1, 0, 1)
  ring(stone, 0.1, 0.66, 0.1, 0.55, 1, 0, 1)
  local red = material(w, 'roof', maths.srgb('#7E2F2A'))
  local green = material(w, 'grass', maths.srgb('#6F8F45'))
  local grey = material(w, 'stone', maths.srgb('#9B9488'))
  return {
    add_shape(w, tower, wall, { name = 'tower' }), add_shape(w, roof, red, { name = 'roof' }),
    add_shape(w, grass, green, { name = 'grass' }), (add_shape(w, stone, grey, { name = 'plinth' })),
  }
end

--- Four sails on a hub that turns, each a frame and a cloth that is seen from both sides.
local function add_sails(w)
  local wood = material(w, 'wood', maths.srgb('#6B4A2F'))
  local cloth = material(w, 'cloth', maths.srgb('#EFE6D2'), { doubleSided = true })
  local hub, frame, sheet = new_mesh(), new_mesh(), new_mesh()
  box(hub, { -0.08, -0.08, -0.2 }, { 0.08, 0.08, 0.08 })
  box(frame, { -0.02, 0.05, -0.02 }, { 0.02, 1.05, 0.02 })
  for i = 0, 4 do box(frame, { 0.0, 0.3 + i * 0.17, -0.01 }, { 0.24, 0.32 + i * 0.17, 0.01 }) end
  quad(sheet, { 0.03, 0.28, 0.0 }, { 0.23, 0.28, 0.04 }, { 0.23, 1.0, 0.04 }, { 0.03, 1.0, 0.0 })
  local children = {}
  local frame_shape = add_shape(w, frame, wood, { name = 'sail' })
  local sheet_shape = add_shape(w, sheet, cloth, { name = 'sheet' })
  local frame_mesh, sheet_mesh = w.json.nodes[frame_shape + 1].mesh, w.json.nodes[sheet_shape + 1].mesh
  for i = 0, 3 do
    local half = i * maths.pi / 4
    local arm = i == 0 and frame_shape or w:add('nodes', { name = 'sail' .. i, mesh = frame_mesh })
    local held = i == 0 and sheet_shape or w:add('nodes', { name = 'sheet' .. i, mesh = sheet_mesh })
    w.json.nodes[arm + 1].rotation = { 0, 0, maths.sin(half), maths.cos(half) }
    w.json.nodes[arm + 1].children = { held }
    children[#children + 1] = arm
  end
  return add_shape(w, hub, wood, { name = 'hub', translation = { 0, 1.5, 0.66 }, children = children })
end

--- A flag on three joints.
local function add_flag(w)
  local STRIPS = 12
  local p, n, joints, weights, index = {}, {}, {}, {}, {}
  for i = 0, STRIPS do
    local share = i / STRIPS
    local along = share * 2 -- from joint to joint
    local joint = math.min(math.floor(along), 1)
    for side = 0, 1 do
      push(p, share * 0.6, 0.3 * side, 0)
      push(n, 0, 0, 1)
      push(joints, joint, joint + 1, 0, 0)
      push(weights, 1 - (along - joint), along - joint, 0, 0)
    end
  end
  for i = 0, STRIPS - 1 do
    local a = i * 2
    push(index, a, a + 2, a + 1, a + 1, a + 2, a + 3)
  end
  local pole = new_mesh()
  box(pole, { -0.012, 0, -0.012 }, { 0.012, 0.42, 0.012 })
  local blue = material(w, 'flag', maths.srgb('#2C5C9A'), { doubleSided = true })
  local wood = 4
  local tip = w:add('nodes', { name = 'flag tip', translation = { 0.3, 0, 0 } })
  local middle = w:add('nodes', { name = 'flag middle', translation = { 0.3, 0, 0 }, children = { tip } })
  local root = w:add('nodes', { name = 'flag root', children = { middle } })
  local inverse = {}
  for i = 0, 2 do push(inverse, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.3 * i, 0, 0, 1) end
  w:add('skins', { joints = { root, middle, tip }, inverseBindMatrices = w:accessor('MAT4', 'float', inverse) })
  local cloth = w:shape({
    POSITION = w:accessor('VEC3', 'float', p), NORMAL = w:accessor('VEC3', 'float', n),
    JOINTS_0 = w:accessor('VEC4', 'ubyte', joints), WEIGHTS_0 = w:accessor('VEC4', 'float', weights),
  }, { material = blue, indices = w:accessor('SCALAR', 'ubyte', index) }, { name = 'flag', skin = 0 })
  w.json.nodes[root + 1].translation = { 0.01, 0.11, 0 }
  local mast = add_shape(w, pole, wood, { name = 'mast', translation = { 0, 2.0, 0 }, children = { root } })
  return mast, cloth, root, middle, tip
end

local function channel(w, animation, node, path, times, values, kind, step)
  animation.samplers[#animation.samplers + 1] = {
    input = w:accessor('SCALAR', 'float', times), output = w:accessor(kind, 'float', values), interpolation = step,
  }
  animation.channels[#animation.channels + 1] = {
    sampler = #animation.samplers - 1, target = { node = node, path = path },
  }
end

--- The writer, not packed yet.
---@param plain? boolean without the map of bricks
function M.write(plain)
  local w = writer.new()
  w.json.asset.generator = 'windmill.lua'
  local roots = add_tower(w)
  local hub = add_sails(w)
  local mast, cloth, root, middle, tip = add_flag(w)

  -- a door whose morph target is the open door
  local door = new_mesh()
  quad(door, { -0.13, 0.1, 0.645 }, { 0.13, 0.1, 0.645 }, { 0.13, 0.56, 0.585 }, { -0.13, 0.56, 0.585 })
  local opened = {}
  for i = 1, #door.p, 3 do push(opened, door.p[i] > 0 and -0.22 or 0, 0, door.p[i] > 0 and 0.2 or 0) end
  local shape, primitive = add_shape(w, door, material(w, 'door', maths.srgb('#3F5B4C'), { doubleSided = true }),
    { name = 'door' })
  primitive.targets = { { POSITION = w:accessor('VEC3', 'float', opened) } }

  -- a lamp over it
  local lamp = new_mesh()
  box(lamp, { -0.04, -0.05, -0.04 }, { 0.04, 0.05, 0.04 })
  local glow = material(w, 'lamp', { 1, 0.9, 0.6 }, {
    emissiveFactor = { 1, 0.72, 0.3 }, extensions = { KHR_materials_emissive_strength = { emissiveStrength = 2 } },
  })
  local light = add_shape(w, lamp, glow, { name = 'lamp', translation = { 0, 0.72, 0.64 } })
  local bulb = w:add('nodes', {
    name = 'bulb', translation = { 0, 0, 0.12 }, extensions = { KHR_lights_punctual = { light = 0 } },
  })
  w.json.nodes[light + 1].children = { bulb }
  w.json.extensions = { KHR_lights_punctual = { lights = {
    { name = 'lamp', type = 'point', color = { 1, 0.75, 0.4 }, intensity = 1.5, range = 1.5 },
  } } }

  local turning = { name = 'turning', samplers = {}, channels = {} }
  local times, turns = {}, {}
  for i = 0, 4 do
    local half = -i * maths.pi / 4
    push(times, i)
    push(turns, 0, 0, maths.sin(half), maths.cos(half))
  end
  channel(w, turning, hub, 'rotation', times, turns, 'VEC4')
  for k, joint in ipairs({ root, middle, tip }) do
    local waves = {}
    for i = 0, 4 do
      local half = maths.sin(i * maths.pi / 2 - k * 1.2) * 0.4
      push(waves, 0, maths.sin(half), 0, maths.cos(half))
    end
    channel(w, turning, joint, 'rotation', times, waves, 'VEC4')
  end
  local opening = { name = 'opening', samplers = {}, channels = {} }
  channel(w, opening, shape, 'weights', { 0, 1.5, 2.5, 4 }, { 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0 }, 'SCALAR',
    'CUBICSPLINE')
  w:add('animations', turning)
  w:add('animations', opening)

  for _, node in ipairs({ hub, mast, cloth, shape, light }) do push(roots, node) end
  w:add('scenes', { name = 'windmill', nodes = roots })
  w.json.scene = 0
  if plain then
    w.json.images, w.json.textures, w.json.samplers = nil, nil, nil
    w.json.materials[1].pbrMetallicRoughness.baseColorTexture = nil
  end
  return w
end

--- Writes the model; its path.
function M.save(path, plain)
  local file = assert(io.open(path, 'wb'))
  file:write(M.write(plain):glb())
  file:close()
  return path
end

return M
