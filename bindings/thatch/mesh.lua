--- Meshes: a geometry in a material on a node. Made by scene:mesh, owned by the scene.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')
local geometry = require('thatch.geometry')
local material = require('thatch.material')
local node = require('thatch.node')

local C = lib.C
local def = ffi.new('ThatchMeshDef')
local out = ffi.new('ThatchMesh[1]')
local tint3 = ffi.new('float[3]')
local M = {}

---@class thatch.Mesh
---@field scene thatch.Scene
---@field geometry thatch.Geometry kept alive by the mesh
---@field material thatch.Material kept alive by the mesh
local Mesh = {}
Mesh.__index = Mesh
M.Mesh = Mesh

local KEYS = check.set('geometry material node layers tint casts_shadow receives_shadow draw_distance near_distance ' ..
  'item_size item_share_min item_grow_max')

--- Called by scene:mesh.
function M.create(scene, options)
  local where = 'scene:mesh'
  check.options(where, options, KEYS)
  C.thatch_mesh_defaults(def)
  def.geometry = check.object(where, 'geometry', options.geometry, geometry.Geometry, 'geometry').id
  def.material = check.object(where, 'material', options.material, material.Material, 'material').id
  def.node = check.object(where, 'node', options.node, node.Node, 'node').id
  def.layers = check.bits(where, 'layers', options.layers, def.layers)
  if options.tint ~= nil then check.vector(where, 'tint', options.tint, 3, def.tint) end
  def.casts_shadow = check.boolean(where, 'casts_shadow', options.casts_shadow, def.casts_shadow)
  def.receives_shadow = check.boolean(where, 'receives_shadow', options.receives_shadow, def.receives_shadow)
  def.draw_distance_m = check.number(where, 'draw_distance', options.draw_distance, def.draw_distance_m)
  def.near_distance_m = check.number(where, 'near_distance', options.near_distance, def.near_distance_m)
  def.item_size_m = check.number(where, 'item_size', options.item_size, def.item_size_m)
  def.item_share_min = check.number(where, 'item_share_min', options.item_share_min, def.item_share_min)
  def.item_grow_max = check.number(where, 'item_grow_max', options.item_grow_max, def.item_grow_max)
  lib.check(C.thatch_mesh_create(scene.id, def, out))
  return setmetatable({
    id = out[0], scene = scene, geometry = options.geometry, material = options.material,
  }, Mesh)
end

function Mesh:set_geometry(value)
  check.object('mesh:set_geometry', 'geometry', value, geometry.Geometry, 'geometry')
  lib.check(C.thatch_mesh_set_geometry(self.id, value.id))
  self.geometry = value
end

function Mesh:set_material(value)
  check.object('mesh:set_material', 'material', value, material.Material, 'material')
  lib.check(C.thatch_mesh_set_material(self.id, value.id))
  self.material = value
end

function Mesh:set_visible(visible)
  lib.check(C.thatch_mesh_set_visible(self.id, check.boolean('mesh:set_visible', 'visible', visible)))
end

function Mesh:set_layers(bits)
  lib.check(C.thatch_mesh_set_layers(self.id, check.bits('mesh:set_layers', 'layers', bits)))
end

function Mesh:set_tint(color)
  lib.check(C.thatch_mesh_set_tint(self.id, check.vector('mesh:set_tint', 'tint', color, 3, tint3)))
end

--- The joints of a skinned mesh: 16 floats each, pose times inverse bind, in object space. Copied.
---@param matrices ffi.cdata*|thatch.Buffer|number[]
---@param count? integer needed with a bare pointer
function Mesh:set_joints(matrices, count)
  if count ~= nil then check.bits('mesh:set_joints', 'count', count) end
  local pointer, values = matrices, nil
  if type(matrices) ~= 'cdata' or count == nil then
    pointer, values = check.array('mesh:set_joints', 'matrices', matrices, 'float')
  end
  if count == nil then
    if not values then lib.fail('mesh:set_joints: count is missing: a bare pointer does not say how long it is') end
    count = values / 16
  elseif values and count * 16 > values then
    lib.fail('mesh:set_joints: matrices has %d values, need %d', values, count * 16)
  end
  if count % 1 ~= 0 then lib.fail('mesh:set_joints: matrices has %d values, need a multiple of 16', values) end
  lib.check(C.thatch_mesh_set_joints(self.id, pointer, check.bits('mesh:set_joints', 'count', count)))
end

function Mesh:is_valid()
  return C.thatch_mesh_is_valid(self.id)
end

function Mesh:destroy()
  C.thatch_mesh_destroy(self.id)
  self.scene:forget_mesh(self)
end

function Mesh:__tostring()
  return ('thatch.Mesh(%08x)'):format(self.id)
end

return M
