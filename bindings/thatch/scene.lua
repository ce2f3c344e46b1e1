--- Scenes: nodes, meshes, lights, fog and background. A scene keeps all that its meshes draw alive.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')
local light = require('thatch.light')
local mesh = require('thatch.mesh')
local node = require('thatch.node')
local texture = require('thatch.texture')

local C = lib.C
local out = ffi.new('ThatchScene[1]')
local color, sun = ffi.new('float[3]'), ffi.new('float[3]')
local M = {}

---@class thatch.Scene
local Scene = {}
Scene.__index = Scene

local FOG_KEYS = check.set('color density sun_color sun_share')

---@return thatch.Scene
function M.create()
  lib.check(C.thatch_scene_create(out))
  local id = out[0]
  return setmetatable({
    id = id, owner = lib.owner(id, C.thatch_scene_destroy), meshes = {}, lights = {}, destroyed = 0,
  }, Scene)
end

--- A place of the scene, at its parent's origin when nothing else is said.
---@param options? thatch.NodeOptions
---@return thatch.Node
function Scene:node(options)
  return node.create(self, options)
end

---@param options thatch.MeshOptions
---@return thatch.Mesh
function Scene:mesh(options)
  local made = mesh.create(self, options)
  self.meshes[made.id] = made
  return made
end

---@param options thatch.LightOptions
---@return thatch.Light
function Scene:light(options)
  local made = light.create(self, options)
  self.lights[made.id] = made
  return made
end

--- Called by mesh:destroy: lets go of what the mesh kept alive.
function Scene:forget_mesh(made)
  self.meshes[made.id] = nil
end

function Scene:forget_light(made)
  self.lights[made.id] = nil
end

--- Called by node:destroy, which takes meshes along: lets go of those now and then.
function Scene:forget_destroyed()
  self.destroyed = self.destroyed + 1
  if self.destroyed < 64 then return end
  self.destroyed = 0
  for id in pairs(self.meshes) do
    if not C.thatch_mesh_is_valid(id) then self.meshes[id] = nil end
  end
end

--- Local matrices of many nodes at once: all are checked before one is changed.
---@param nodes ffi.cdata*|thatch.Node[] uint32_t[count] of node.id, or nodes
---@param matrices ffi.cdata*|thatch.Buffer|number[] 16 floats a node
---@param count? integer
function Scene:set_matrices(nodes, matrices, count)
  local where = 'scene:set_matrices'
  local ids, id_count = M.ids(where, 'nodes', nodes)
  count = check.bits(where, 'count', count, id_count)
  if count == nil then lib.fail('%s: count is missing', where) end
  if id_count and count > id_count then lib.fail('%s: nodes has %d values, need %d', where, id_count, count) end
  local pointer, values = check.array(where, 'matrices', matrices, 'float')
  if values and values < count * 16 then
    lib.fail('%s: matrices has %d values, need %d', where, values, count * 16)
  end
  lib.check(C.thatch_nodes_set_matrices(ids, pointer, count))
end

--- Node handles as a C array, from nodes or from one already made.
function M.ids(where, key, nodes)
  if type(nodes) == 'table' and nodes.data == nil then
    local ids = ffi.new('ThatchNode[?]', math.max(#nodes, 1))
    for i, item in ipairs(nodes) do
      ids[i - 1] = check.object(where, key .. '[' .. i .. ']', item, node.Node, 'node').id
    end
    return ids, #nodes
  end
  return check.array(where, key, nodes, 'u32')
end

--- Exponential squared fog; nil takes it away.
---@param options thatch.FogOptions?
function Scene:set_fog(options)
  local where = 'scene:set_fog'
  if options == nil then
    color[0], color[1], color[2] = 0, 0, 0
    lib.check(C.thatch_scene_set_fog(self.id, color, 0, color, 0))
    return
  end
  check.options(where, options, FOG_KEYS)
  check.vector(where, 'color', options.color, 3, color)
  check.vector(where, 'sun_color', options.sun_color or options.color, 3, sun)
  lib.check(C.thatch_scene_set_fog(self.id, color, check.number(where, 'density', options.density), sun,
    check.number(where, 'sun_share', options.sun_share, 0)))
end

--- A linear colour, or a cube texture with an intensity.
---@param background number[]|thatch.Texture
---@param intensity? number
function Scene:set_background(background, intensity)
  local where = 'scene:set_background'
  if getmetatable(background) == texture.Texture then
    lib.check(C.thatch_scene_set_background_cube(self.id, background.id,
      check.number(where, 'intensity', intensity, 1)))
    self.background = background -- keeps it alive
    return
  end
  lib.check(C.thatch_scene_set_background_color(self.id, check.vector(where, 'color', background, 3, color)))
  self.background = nil
end

--- Where the wind blows to, and how strongly: 0 to 4.
function Scene:set_wind(dir_x, dir_z, strength)
  local where = 'scene:set_wind'
  lib.check(C.thatch_scene_set_wind(self.id, check.number(where, 'dir_x', dir_x),
    check.number(where, 'dir_z', dir_z), check.number(where, 'strength', strength)))
end

--- Names the nodes that move: the still shadow map leaves them out. Replaces the last list.
---@param nodes thatch.Node[]
function Scene:set_moving(nodes)
  local ids, count = M.ids('scene:set_moving', 'nodes', nodes)
  if not count then lib.fail('scene:set_moving: nodes is a bare pointer, need a table or an array') end
  lib.check(C.thatch_scene_set_moving(self.id, ids, count))
end

function Scene:is_valid()
  return C.thatch_scene_is_valid(self.id)
end

--- Destroys the scene with its nodes, meshes and lights.
function Scene:destroy()
  C.thatch_scene_destroy(self.id)
  lib.disown(self.owner)
  self.owner = nil
  self.meshes, self.lights, self.background = {}, {}, nil
end

function Scene:__tostring()
  return ('thatch.Scene(%08x)'):format(self.id)
end

M.Scene = Scene
return M
