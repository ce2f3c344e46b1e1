--- Meshes of a model: primitives as arrays that geometry.create takes.
local ffi = require('ffi')
local accessors = require('thatch.gltf.accessors')
local lib = require('thatch.lib')
local materials = require('thatch.gltf.materials')

local MAX_MESHES, MAX_PRIMITIVES, MAX_TARGETS = 65535, 65535, 256
local MAX_VERTICES = 8388608 -- of all primitives together
local MAX_INDICES = 3 * tonumber(lib.C.THATCH_MAX_TRIANGLES)
local floats_type, words_type = ffi.typeof('float[?]'), ffi.typeof('uint32_t[?]')
local sqrt = math.sqrt
local M = {}

local function set(...)
  local made = {}
  for _, name in ipairs({ ... }) do made[name] = true end
  return made
end

local SCALAR, VEC2, VEC3, VEC4, COLOR = set('SCALAR'), set('VEC2'), set('VEC3'), set('VEC4'), set('VEC3', 'VEC4')
local INDEX = set('unsigned byte', 'unsigned short', 'unsigned int')
local FLOAT, JOINT = set('float'), set('unsigned byte', 'unsigned short')
local SHARE = set('float', 'normalized unsigned byte', 'normalized unsigned short')
local SMALL_UNIT = set('float', 'normalized byte', 'normalized short')
local SMALL = set('float', 'byte', 'unsigned byte', 'short', 'unsigned short', 'normalized byte',
  'normalized unsigned byte', 'normalized short', 'normalized unsigned short')

--- The components that an attribute may have, by whether KHR_mesh_quantization is in use.
local function fits(doc, name)
  if not doc.quantized then
    return name == 'TEXCOORD' and SHARE or FLOAT
  end
  return name == 'NORMAL' and SMALL_UNIT or SMALL
end

--- An attribute's values; there must be one for each vertex.
local function attribute(doc, list, key, path, kinds, components, count)
  local a = accessors.need(doc, list, key, path, kinds, components)
  if not a then return nil end
  if count and a.count ~= count then
    doc:fail(path .. '/' .. key, 'accessor has %d values, need %d as POSITION', a.count, count)
  end
  return a
end

-- --- triangles -------------------------------------------------------------------------------------------------------

local function read_indices(doc, item, path, vertex_count)
  local a = accessors.need(doc, item, 'indices', path, SCALAR, INDEX)
  if not a then
    local out = words_type(vertex_count)
    for i = 0, vertex_count - 1 do out[i] = i end
    return out, vertex_count
  end
  local out, count = accessors.words(doc, a)
  for i = 0, count - 1 do
    if out[i] >= vertex_count then
      doc:fail(path .. '/indices', 'value %d is %d, need 0 .. %d', i, out[i], vertex_count - 1)
    end
  end
  return out, count
end

--- Indices of strips (mode 5) and fans (mode 6) as those of triangles.
local function unroll(indices, count, mode)
  local triangles = count - 2
  local out = words_type(triangles * 3)
  for t = 0, triangles - 1 do
    local at = t * 3
    if mode == 6 then
      out[at], out[at + 1], out[at + 2] = indices[t + 1], indices[t + 2], indices[0]
    elseif t % 2 == 0 then
      out[at], out[at + 1], out[at + 2] = indices[t], indices[t + 1], indices[t + 2]
    else
      out[at], out[at + 1], out[at + 2] = indices[t], indices[t + 2], indices[t + 1]
    end
  end
  return out, triangles * 3
end

--- Normals of triangles whose corners are not shared, into out.
function M.flat_normals(positions, vertex_count, out)
  for v = 0, vertex_count - 3, 3 do
    local p = v * 3
    local ax, ay, az = positions[p], positions[p + 1], positions[p + 2]
    local ux, uy, uz = positions[p + 3] - ax, positions[p + 4] - ay, positions[p + 5] - az
    local vx, vy, vz = positions[p + 6] - ax, positions[p + 7] - ay, positions[p + 8] - az
    local x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    local length = sqrt(x * x + y * y + z * z)
    if length > 0 and length < 1e300 then
      x, y, z = x / length, y / length, z / length
    else
      x, y, z = 0, 1, 0
    end
    for k = 0, 2 do
      out[p + k * 3], out[p + k * 3 + 1], out[p + k * 3 + 2] = x, y, z
    end
  end
end

--- Values of the vertices that the indices name, one after another.
local function spread(values, indices, count, width)
  local out = floats_type(count * width)
  for i = 0, count - 1 do
    local from = indices[i] * width
    for k = 0, width - 1 do out[i * width + k] = values[from + k] end
  end
  return out
end

-- --- attributes ------------------------------------------------------------------------------------------------------

local function read_uvs(doc, list, path, count, surface)
  local key = 'TEXCOORD_' .. surface.set
  local a = attribute(doc, list, key, path, VEC2, fits(doc, 'TEXCOORD'), count)
  if not a then return nil end
  local uvs = accessors.floats(doc, a)
  local m = surface.transform
  if m then
    for i = 0, count * 2 - 2, 2 do
      local u, v = uvs[i], uvs[i + 1]
      uvs[i], uvs[i + 1] = m[1] * u + m[2] * v + m[3], m[4] * u + m[5] * v + m[6]
    end
  end
  return uvs
end

local function read_colors(doc, list, path, count)
  local a = attribute(doc, list, 'COLOR_0', path, COLOR, SHARE, count)
  if not a then return nil end
  local values = accessors.floats(doc, a)
  local out, width = floats_type(count * 4), a.width
  for i = 0, count - 1 do
    out[i * 4 + 3] = 1
    for k = 0, width - 1 do
      local x = values[i * width + k]
      out[i * 4 + k] = x < 0 and 0 or x > 1 and 1 or x
    end
  end
  return out
end

--- Joints and weights: four of each a vertex, the weights with the sum 1.
local function read_skinning(doc, list, path, count)
  local j = attribute(doc, list, 'JOINTS_0', path, VEC4, JOINT, count)
  local w = attribute(doc, list, 'WEIGHTS_0', path, VEC4, SHARE, count)
  if not j and not w then return nil end
  if not (j and w) then doc:fail(path, '%s is missing', j and 'WEIGHTS_0' or 'JOINTS_0') end
  if list.JOINTS_1 ~= nil then
    doc:warn(path .. '/JOINTS_1', 'is left out: a vertex follows four joints')
  end
  local joints, weights, last = accessors.words(doc, j), accessors.floats(doc, w), 0
  for i = 0, count - 1 do
    local sum = 0
    for k = i * 4, i * 4 + 3 do
      local x = weights[k]
      if x < 0 then doc:fail(path .. '/WEIGHTS_0', 'value %d is %g, need 0 .. 1', k, x) end
      if x == 0 then joints[k] = 0 end
      sum = sum + x
    end
    if sum > 0 and sum < 1e30 then
      for k = i * 4, i * 4 + 3 do weights[k] = weights[k] / sum end
    else
      joints[i * 4], weights[i * 4] = 0, 1
      for k = i * 4 + 1, i * 4 + 3 do joints[k], weights[k] = 0, 0 end
    end
    for k = i * 4, i * 4 + 3 do last = joints[k] > last and joints[k] or last end
  end
  return joints, weights, last
end

local function read_targets(doc, item, path, count)
  local list, n = doc:objects(item, 'targets', path, MAX_TARGETS)
  local targets = {}
  for i = 0, n - 1 do
    local target, at = list[i + 1], ('%s/targets/%d'):format(path, i)
    local p = attribute(doc, target, 'POSITION', at, VEC3, fits(doc, 'POSITION'), count)
    local q = attribute(doc, target, 'NORMAL', at, VEC3, fits(doc, 'NORMAL'), count)
    targets[i + 1] = { positions = p and accessors.floats(doc, p), normals = q and accessors.floats(doc, q) }
  end
  return targets
end

--- The primitive's arrays with no vertex shared, and flat normals: as the specification has it where none are given.
local function flatten(made)
  local indices, count = made.indices, made.index_count
  for _, part in ipairs({ { 'positions', 3 }, { 'uvs', 2 }, { 'colors', 4 }, { 'weights', 4 } }) do
    local values = made[part[1]]
    if values then made[part[1]] = spread(values, indices, count, part[2]) end
  end
  if made.joints then
    local joints = words_type(count * 4)
    for i = 0, count - 1 do
      for k = 0, 3 do joints[i * 4 + k] = made.joints[indices[i] * 4 + k] end
    end
    made.joints = joints
  end
  for _, target in ipairs(made.targets) do
    if target.positions then target.positions = spread(target.positions, indices, count, 3) end
    target.normals = nil
  end
  for i = 0, count - 1 do indices[i] = i end
  made.vertex_count, made.flat = count, true
  made.normals = floats_type(count * 3)
  M.flat_normals(made.positions, count, made.normals)
end

local MODES = { [0] = 'points', 'lines', 'line loops', 'line strips' }

local function read_primitive(doc, item, path)
  local mode = doc:whole(item, 'mode', path, 4, 0, 6)
  if MODES[mode] then
    doc:warn(path, MODES[mode] .. ' are not drawn')
    return nil
  end
  local list = doc:object(item, 'attributes', path)
  if not list then doc:fail(path, 'attributes is missing') end
  local in_list = path .. '/attributes'
  local p = attribute(doc, list, 'POSITION', in_list, VEC3, fits(doc, 'POSITION'))
  if not p then
    doc:warn(in_list, 'POSITION is missing, and the primitive is not drawn')
    return nil
  end
  local made = { path = path, vertex_count = p.count }
  local index = doc:index(item, 'material', path, doc.material_count, 'material')
  made.surface = index and doc.materials[index] or materials.plain(doc)
  made.material = index or -1
  doc.vertex_count = doc.vertex_count + p.count
  if doc.vertex_count > MAX_VERTICES then doc:fail(path, 'the model has more than %d vertices', MAX_VERTICES) end
  local n = attribute(doc, list, 'NORMAL', in_list, VEC3, fits(doc, 'NORMAL'), p.count)
  made.indices, made.index_count = read_indices(doc, item, path, p.count)
  if mode >= 5 then
    if made.index_count < 3 then doc:fail(path, 'has %d indices, need 3 or more', made.index_count) end
    made.indices, made.index_count = unroll(made.indices, made.index_count, mode)
  elseif made.index_count % 3 ~= 0 then
    doc:fail(path, 'has %d indices, need a multiple of 3', made.index_count)
  end
  if made.index_count > MAX_INDICES then doc:fail(path, 'has more than %d triangles', MAX_INDICES / 3) end
  made.positions = accessors.floats(doc, p)
  made.normals = n and accessors.floats(doc, n)
  made.uvs = read_uvs(doc, list, in_list, p.count, made.surface)
  if not made.uvs and (made.surface.material.fields.map or made.surface.material.fields.emissive_map) then
    doc:warn(in_list, 'TEXCOORD is missing, and the texture shows one texel')
  end
  made.colors = read_colors(doc, list, in_list, p.count)
  made.joints, made.weights, made.last_joint = read_skinning(doc, list, in_list, p.count)
  made.targets = read_targets(doc, item, path, p.count)
  if not n then
    doc.vertex_count = doc.vertex_count - p.count + made.index_count
    if doc.vertex_count > MAX_VERTICES then doc:fail(path, 'the model has more than %d vertices', MAX_VERTICES) end
    flatten(made)
  end
  doc:alive()
  return made
end

--- Reads all meshes: doc.meshes[i] is { name, primitives, target_count, weights }.
---@param doc thatch.gltf.Document
function M.read(doc)
  local list, n = doc:objects(doc.json, 'meshes', '', MAX_MESHES)
  doc.meshes, doc.mesh_count, doc.vertex_count, doc.primitive_count = {}, n, 0, 0
  for i = 0, n - 1 do
    local path, item = '/meshes/' .. i, list[i + 1]
    local mesh = { name = doc:name(item, path, 'mesh', i), primitives = {}, path = path }
    local primitives, count = doc:objects(item, 'primitives', path, MAX_PRIMITIVES)
    if count == 0 then doc:fail(path, 'primitives is missing, need one or more') end
    doc.primitive_count = doc.primitive_count + count
    if doc.primitive_count > MAX_PRIMITIVES then
      doc:fail(path, 'the model has more than %d primitives', MAX_PRIMITIVES)
    end
    for k = 0, count - 1 do
      local at = ('%s/primitives/%d'):format(path, k)
      local made = read_primitive(doc, primitives[k + 1], at)
      local _, targets = doc:list(primitives[k + 1], 'targets', at)
      if k > 0 and targets ~= mesh.target_count then
        doc:fail(at .. '/targets', 'has %d entries, need %d as primitive 0', targets, mesh.target_count)
      end
      mesh.target_count = targets
      mesh.primitives[#mesh.primitives + 1] = made
    end
    mesh.weights = doc:numbers(item, 'weights', path, mesh.target_count > 0 and mesh.target_count or nil, nil)
    doc.meshes[i] = mesh
  end
end

return M
