--- What the specs of models share: a square, a map, and the pictures of models and of geometry made by hand.
local assert = require('luassert')
local golden = require('tests.golden.kit')
local support = require('tests.specs.support')
local thatch = require('thatch')
local writer = require('tests.specs.data.models.writer')

local M = { folder = support.folder() }
local number = 0

--- Loads what a writer holds.
function M.load(w, options)
  number = number + 1
  return thatch.models.load(support.write(('%s/m%d.glb'):format(M.folder, number), w:glb()), options)
end

function M.hash(room, options)
  return golden.draw(room, options):hash()
end

function M.room()
  return golden.room({ 0.4, 0.8, 4 }, { 0, 0, 0 }).daylight()
end

--- The picture's hash of a model at rest, its model and its instance.
function M.drawn(w)
  local room = M.room()
  local model = M.load(w)
  local instance = model:add_to(room.scene)
  return M.hash(room), model, instance, room
end

--- The picture's hash of geometry and material by hand.
function M.by_hand(geometry, material, place)
  local room = M.room()
  room.add(thatch.geometry.create(geometry), material, place)
  return M.hash(room)
end

M.SQUARE = { -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0 }
M.FRONT = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 }
M.UVS = { 0, 1, 1, 1, 1, 0, 0, 0 }
M.INDICES = { 0, 1, 2, 0, 2, 3 }
M.PLAIN = { kind = 'standard', metalness = 0.5, roughness = 1 } -- of a primitive without a material

function M.copy(t, changes)
  local made = {}
  for key, value in pairs(t) do made[key] = value end
  for key, value in pairs(changes or {}) do made[key] = value end
  return made
end

function M.square(w, attributes, more, node)
  local made = { POSITION = w:accessor('VEC3', 'float', M.SQUARE), NORMAL = w:accessor('VEC3', 'float', M.FRONT) }
  for key, value in pairs(attributes or {}) do made[key] = value end
  return w:shape(made, M.copy({ indices = w:accessor('SCALAR', 'ushort', M.INDICES) }, more), node)
end

local function checker(x, y)
  if (math.floor(x / 4) + math.floor(y / 4)) % 2 == 0 then return 230, 200, 120, 255 end
  return 40, 60, 160, 100
end

--- A material with the checker as its map; more: fields of the material.
function M.checkered(w, info, more)
  w:add('images', { bufferView = w:view(writer.png(16, checker)), mimeType = 'image/png' })
  w:add('samplers', { wrapS = 33071, wrapT = 33648 })
  w:add('textures', { source = 0, sampler = 0 })
  return w:add('materials', M.copy({
    pbrMetallicRoughness = { baseColorTexture = M.copy({ index = 0 }, info), metallicFactor = 0 },
  }, more))
end

function M.checker_map()
  return golden.map(16, checker, { wrap_u = 'clamp', wrap_v = 'mirrored' })
end

function M.near(expected, actual, what)
  for i, x in ipairs(expected) do
    assert.is_true(math.abs(x - actual[i]) < 1e-5, ('%s[%d] is %s, need %s'):format(what or 'value', i, actual[i], x))
  end
end

return M
