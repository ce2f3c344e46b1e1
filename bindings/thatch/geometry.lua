--- Geometry owned by the runtime: vertices and triangles, copied from tables, buffers or C arrays.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C
local def = ffi.new('ThatchGeometryDef') -- scratch, reused
local out = ffi.new('ThatchGeometry[1]')
local info = ffi.new('ThatchGeometryInfo')
local keep = lib.kept -- the arrays of a def, while C reads them
local M = {}

---@class thatch.Geometry
local Geometry = {}
Geometry.__index = Geometry

local KEYS = check.set('positions normals uvs colors baked_sun baked_sky sway spread joints weights indices ' ..
  'vertex_count index_count item_triangles item_vertices joint_count blades')

-- Optional arrays: field, values a vertex, what they are.
local ARRAYS = {
  { 'normals', 3, 'float' }, { 'uvs', 2, 'float' }, { 'colors', 4, 'float' }, { 'baked_sun', 1, 'float' },
  { 'baked_sky', 1, 'float' }, { 'sway', 1, 'float' }, { 'spread', 3, 'float' }, { 'joints', 4, 'bytes' },
  { 'weights', 4, 'float' },
}

local function counted(where, key, given, count, default)
  if given ~= nil then
    given = check.bits(where, key, given)
    if count and given > count then
      lib.fail('%s: %s is %d, need at most the %d that the array holds', where, key, given, count)
    end
    return given
  end
  if not count then lib.fail('%s: %s is missing: a bare pointer does not say how long it is', where, key) end
  return default
end

local function fill(where, options)
  check.options(where, options, KEYS)
  C.thatch_geometry_defaults(def)
  local positions, count = check.array(where, 'positions', options.positions, 'float')
  if count and count % 3 ~= 0 then
    lib.fail('%s: positions has %d values, need a multiple of 3', where, count)
  end
  local vertices = counted(where, 'vertex_count', options.vertex_count, count and count / 3, count and count / 3)
  keep[1] = positions
  def.positions, def.vertex_count = positions, vertices
  local indices, index_count = check.array(where, 'indices', options.indices, 'u32')
  keep[2] = indices
  def.indices = indices
  def.index_count = counted(where, 'index_count', options.index_count, index_count, index_count)
  for i, entry in ipairs(ARRAYS) do
    local key = entry[1]
    local value = options[key]
    if value ~= nil then
      local array, n = check.array(where, key, value, entry[3])
      if n and n < vertices * entry[2] then
        lib.fail('%s: %s has %d values, need %d (%d a vertex)', where, key, n, vertices * entry[2], entry[2])
      end
      keep[i + 2] = array
      def[key] = array
    end
  end
  def.item_triangles = check.bits(where, 'item_triangles', options.item_triangles, 0)
  def.item_vertices = check.bits(where, 'item_vertices', options.item_vertices, 0)
  def.joint_count = check.bits(where, 'joint_count', options.joint_count, 0)
  def.blades = check.boolean(where, 'blades', options.blades, false)
end

local function release()
  for i = 1, #ARRAYS + 2 do keep[i] = nil end
end

--- Makes a geometry. positions and indices must be given, all else is optional.
---@param options thatch.GeometryOptions
---@return thatch.Geometry
function M.create(options)
  fill('geometry.create', options)
  local status = C.thatch_geometry_create(def, out)
  release()
  lib.check(status)
  local id = out[0]
  return setmetatable({ id = id, owner = lib.owner(id, C.thatch_geometry_destroy) }, Geometry)
end

--- New arrays under the same handle; meshes that use it keep it. On a refusal the old ones stay.
---@param options thatch.GeometryOptions
function Geometry:replace(options)
  fill('geometry.replace', options)
  local status = C.thatch_geometry_replace(self.id, def)
  release()
  lib.check(status)
end

--- Moves the vertices that are there, and allocates nothing: for what changes its shape in each frame. Bounds follow.
---@param positions number[]|thatch.Buffer|ffi.cdata* xyz of each vertex, as many as at create
---@param normals? number[]|thatch.Buffer|ffi.cdata* as many; the old ones stay when left out
---@param vertex_count? integer needed with bare pointers only
function Geometry:move(positions, normals, vertex_count)
  local p, count = check.array('geometry.move', 'positions', positions, 'float')
  if count and count % 3 ~= 0 then
    lib.fail('geometry.move: positions has %d values, need a multiple of 3', count)
  end
  local vertices = counted('geometry.move', 'vertex_count', vertex_count, count and count / 3, count and count / 3)
  local n = nil
  if normals ~= nil then
    local n_count
    n, n_count = check.array('geometry.move', 'normals', normals, 'float')
    if n_count and n_count < vertices * 3 then
      lib.fail('geometry.move: normals has %d values, need %d (3 a vertex)', n_count, vertices * 3)
    end
  end
  lib.check(C.thatch_geometry_move(self.id, p, n, vertices))
end

--- Counts, bounds and version.
---@return thatch.GeometryInfo
function Geometry:info()
  lib.check(C.thatch_geometry_info(self.id, info))
  return {
    vertex_count = info.vertex_count, triangle_count = info.triangle_count, item_triangles = info.item_triangles,
    joint_count = info.joint_count, version = info.version,
    min = { info.min[0], info.min[1], info.min[2] }, max = { info.max[0], info.max[1], info.max[2] },
    center = { info.center[0], info.center[1], info.center[2] }, radius = info.radius,
    has_sway = info.has_sway, has_spread = info.has_spread, blades = info.blades,
  }
end

function Geometry:is_valid()
  return C.thatch_geometry_is_valid(self.id)
end

function Geometry:destroy()
  C.thatch_geometry_destroy(self.id)
  lib.disown(self.owner)
  self.owner = nil
end

function Geometry:__tostring()
  return ('thatch.Geometry(%08x)'):format(self.id)
end

M.Geometry = Geometry
return M
