--- Models: glTF 2.0 files (.glb, .gltf) as geometry, materials and nodes that a scene can show many times.
local ffi = require('ffi')
local accessors = require('thatch.gltf.accessors')
local animations = require('thatch.gltf.animations')
local check = require('thatch.check')
local document = require('thatch.gltf.document')
local files = require('thatch.gltf.files')
local geometry = require('thatch.geometry')
local instance = require('thatch.gltf.instance')
local lib = require('thatch.lib')
local materials = require('thatch.gltf.materials')
local meshes = require('thatch.gltf.meshes')
local nodes = require('thatch.gltf.nodes')
local pose = require('thatch.gltf.pose')

local BOUNDED = 4000000 -- vertices that are placed one by one for the bounds; of larger models, boxes are
local MAX_BUILT = 16777216 -- vertices, when meshes hang on skins of different sizes
local M = {}

---@class thatch.Model
local Model = {}
Model.__index = Model
M.Model = Model
M.Instance = instance.Instance

local hidden = instance.models -- what a model is made of, out of the scripts' reach

local KEYS = check.set('scene')
local EXTENSIONS = check.set('KHR_mesh_quantization KHR_texture_transform KHR_materials_unlit KHR_lights_punctual ' ..
  'KHR_materials_emissive_strength')
local QUIET = check.set('FB_ngon_encoding KHR_materials_pbrSpecularGlossiness') -- nothing is lost without them

local function read_head(doc)
  local asset = doc:object(doc.json, 'asset', '')
  if not asset then doc:fail('', 'asset is missing, need a glTF 2.0 file') end
  local version = doc:text(asset, 'version', '/asset', '')
  if not version:find('^2%.%d+$') then
    doc:fail('/asset/version', 'is %s, need 2.0', document.show(version))
  end
  local least = doc:text(asset, 'minVersion', '/asset', '2.0')
  if least ~= '2.0' then doc:fail('/asset/minVersion', 'is %s, need 2.0', document.show(least)) end
  local required, n = doc:list(doc.json, 'extensionsRequired', '')
  for i = 1, n do
    local name = doc:text(required, i, '/extensionsRequired')
    if not EXTENSIONS[name] then
      doc:fail('/extensionsRequired', '%s is not read; known: KHR_mesh_quantization, KHR_texture_transform, ' ..
        'KHR_materials_unlit, KHR_lights_punctual, KHR_materials_emissive_strength', document.show(name))
    end
    if name == 'KHR_mesh_quantization' then doc.quantized = true end
  end
  local used
  used, n = doc:list(doc.json, 'extensionsUsed', '')
  for i = 1, n do
    local name = doc:text(used, i, '/extensionsUsed')
    if name == 'KHR_mesh_quantization' then doc.quantized = true end
    if not EXTENSIONS[name] and not QUIET[name] then
      doc:warn('/extensionsUsed', (name:sub(1, 80):gsub('%c', '?')) .. ' is left out')
    end
  end
end

-- --- geometry --------------------------------------------------------------------------------------------------------

local function geometry_options(shape, joint_count)
  local options = {
    positions = shape.positions, normals = shape.normals, uvs = shape.uvs, colors = shape.colors,
    indices = shape.indices, vertex_count = shape.vertex_count, index_count = shape.index_count,
  }
  if joint_count > 0 then
    options.joints, options.weights, options.joint_count = shape.joint_bytes, shape.weights, joint_count
  end
  return options
end

--- The geometry of a primitive for a skin of so many joints (0: none). With morph targets each instance makes its own.
local function make_geometry(doc, shape, joint_count)
  if joint_count > 0 and not shape.joint_bytes then
    local count = shape.vertex_count * 4
    shape.joint_bytes = ffi.new('uint8_t[?]', count)
    for i = 0, count - 1 do shape.joint_bytes[i] = shape.joints[i] end
  end
  shape.made = shape.made or {}
  if shape.made[joint_count] then return end
  doc.built = doc.built + shape.vertex_count
  if doc.built > MAX_BUILT then doc:fail(shape.path, 'skins make more than %d vertices of the model', MAX_BUILT) end
  local options = geometry_options(shape, joint_count)
  local made = doc:guard(shape.path, geometry.create, options)
  shape.made[joint_count] = made
  doc.made[#doc.made + 1] = made
  if #shape.targets > 0 then shape.options = shape.options or {} end
  if shape.options then shape.options[joint_count] = options end
  doc:alive()
end

-- --- bounds ----------------------------------------------------------------------------------------------------------

local function grow(box, x, y, z)
  if x < box[0] then box[0] = x end
  if y < box[1] then box[1] = y end
  if z < box[2] then box[2] = z end
  if x > box[3] then box[3] = x end
  if y > box[4] then box[4] = y end
  if z > box[5] then box[5] = z end
end

--- Grows a box by points through a matrix.
local function grow_by(box, m, o, positions, count)
  for i = 0, count * 3 - 1, 3 do
    local x, y, z = positions[i], positions[i + 1], positions[i + 2]
    grow(box, m[o] * x + m[o + 4] * y + m[o + 8] * z + m[o + 12],
      m[o + 1] * x + m[o + 5] * y + m[o + 9] * z + m[o + 13],
      m[o + 2] * x + m[o + 6] * y + m[o + 10] * z + m[o + 14])
  end
end

local function grow_by_skin(box, joints, shape)
  local m, p = shape.weights, shape.positions
  for i = 0, shape.vertex_count - 1 do
    local x, y, z = p[i * 3], p[i * 3 + 1], p[i * 3 + 2]
    local sx, sy, sz = 0, 0, 0
    for k = i * 4, i * 4 + 3 do
      local w, o = m[k], shape.joints[k] * 16
      sx = sx + w * (joints[o] * x + joints[o + 4] * y + joints[o + 8] * z + joints[o + 12])
      sy = sy + w * (joints[o + 1] * x + joints[o + 5] * y + joints[o + 9] * z + joints[o + 13])
      sz = sz + w * (joints[o + 2] * x + joints[o + 6] * y + joints[o + 10] * z + joints[o + 14])
    end
    grow(box, sx, sy, sz)
  end
end

local function corners_of(doc, shape)
  if not shape.corners then
    local info = doc:guard(shape.path, shape.made[next(shape.made)].info, shape.made[next(shape.made)])
    shape.corners = ffi.new('double[24]')
    for c = 0, 7 do
      shape.corners[c * 3] = c % 2 == 0 and info.min[1] or info.max[1]
      shape.corners[c * 3 + 1] = c % 4 < 2 and info.min[2] or info.max[2]
      shape.corners[c * 3 + 2] = c < 4 and info.min[3] or info.max[3]
    end
  end
  return shape.corners
end

--- The box of all that is shown, at rest.
local function find_bounds(doc, rest)
  local box, placed = ffi.new('double[6]', math.huge, math.huge, math.huge, -math.huge, -math.huge, -math.huge), 0
  for i = 0, doc.node_count - 1 do
    local node = doc.nodes[i]
    local skin = node.skin and doc.skins[node.skin]
    local joints
    if doc.shown[i] and node.mesh then
      for _, shape in ipairs(doc.meshes[node.mesh].primitives) do
        placed = placed + shape.vertex_count
        if skin and shape.joints then
          if not joints then
            joints = pose.floats_type(skin.count * 16)
            pose.joints(rest, skin, joints)
          end
          if placed > BOUNDED then
            for k = 0, skin.count - 1 do grow_by(box, joints, k * 16, corners_of(doc, shape), 8) end
          else
            grow_by_skin(box, joints, shape)
          end
        elseif placed > BOUNDED then
          grow_by(box, rest.world, i * 16, corners_of(doc, shape), 8)
        else
          grow_by(box, rest.world, i * 16, shape.positions, shape.vertex_count)
        end
      end
    end
  end
  local bounds = { min = { 0, 0, 0 }, max = { 0, 0, 0 }, center = { 0, 0, 0 }, radius = 0 }
  if box[0] > box[3] then return bounds end
  local square = 0
  for k = 1, 3 do
    bounds.min[k], bounds.max[k] = box[k - 1], box[k + 2]
    if bounds.min[k] - bounds.min[k] ~= 0 or bounds.max[k] - bounds.max[k] ~= 0 or
      math.abs(bounds.min[k]) > 1e30 or math.abs(bounds.max[k]) > 1e30 then
      doc:fail('/nodes', 'the model reaches from %g to %g, need less than 1e30', bounds.min[k], bounds.max[k])
    end
    bounds.center[k] = (bounds.min[k] + bounds.max[k]) / 2
    local half = (bounds.max[k] - bounds.min[k]) / 2
    square = square + half * half
  end
  bounds.radius = math.sqrt(square)
  return bounds
end

-- --- the model -------------------------------------------------------------------------------------------------------

local function find_counts(doc)
  local counts = {
    nodes = doc.node_count, meshes = doc.mesh_count, primitives = 0, vertices = 0, triangles = 0,
    materials = doc.material_count, images = 0, skins = doc.skin_count, joints = 0, animations = #doc.animations,
    lights = doc.light_count, morph_targets = 0,
  }
  for _ in pairs(doc.drawn_images) do counts.images = counts.images + 1 end
  for i = 0, doc.skin_count - 1 do counts.joints = counts.joints + doc.skins[i].count end
  for i = 0, doc.mesh_count - 1 do
    counts.morph_targets = counts.morph_targets + doc.meshes[i].target_count
  end
  for i = 0, doc.node_count - 1 do
    local node = doc.nodes[i]
    if doc.shown[i] and node.mesh then
      for _, shape in ipairs(doc.meshes[node.mesh].primitives) do
        counts.primitives = counts.primitives + 1
        counts.vertices = counts.vertices + shape.vertex_count
        counts.triangles = counts.triangles + shape.index_count / 3
      end
    end
  end
  return counts
end

local function build(doc, options)
  read_head(doc)
  accessors.read(doc)
  materials.read(doc)
  meshes.read(doc)
  nodes.read(doc, options.scene)
  animations.read(doc)
  doc.built = 0
  for i = 0, doc.node_count - 1 do
    local node = doc.nodes[i]
    if doc.shown[i] and node.mesh then
      for _, shape in ipairs(doc.meshes[node.mesh].primitives) do
        make_geometry(doc, shape, node.skin and shape.joints and doc.skins[node.skin].count or 0)
      end
    end
  end
  for i = 0, doc.skin_count - 1 do doc.skins[i].scratch = pose.doubles_type(16) end
  local plan = pose.plan(doc)
  local bounds, counts = find_bounds(doc, pose.new(plan)), find_counts(doc)

  local model = {
    path = doc.file, name = doc.file:match('([^/]+)$'), animations = {}, nodes = {}, materials = {},
    counts = counts, bounds = bounds, warnings = doc:lines(),
  }
  for i, animation in ipairs(doc.animations) do
    model.animations[i] = { name = animation.name, duration = animation.duration }
  end
  for i = 0, doc.node_count - 1 do model.nodes[i + 1] = doc.nodes[i].name end
  for i = 0, doc.material_count - 1 do model.materials[i + 1] = doc.materials[i].material end
  -- The arrays have been copied; those with morph targets are needed again.
  for i = 0, doc.mesh_count - 1 do
    for _, shape in ipairs(doc.meshes[i].primitives) do
      if not shape.options then
        shape.positions, shape.normals, shape.uvs, shape.colors, shape.indices = nil, nil, nil, nil, nil
        shape.joint_bytes, shape.weights = nil, nil
      end
      shape.joints = shape.joints ~= nil
    end
  end
  doc.json, doc.bin, doc.buffers, doc.views, doc.accessors, doc.images, doc.textures = nil, nil, nil, nil, nil, nil, nil
  hidden[model] = { doc = doc, plan = plan, alive = true }
  return setmetatable(model, Model)
end

local function destroy_all(made)
  for i = #made, 1, -1 do made[i]:destroy() end
end

--- Reads a model's file; nil and a message when it can't be read. Nothing is left of one that is refused.
---@param path string .glb or .gltf
---@param options? { scene?: string|integer }
---@return thatch.Model?
---@return string? message
function M.try_load(path, options)
  local where = 'models.load'
  check.string(where, 'path', path)
  options = options == nil and {} or options
  check.options(where, options, KEYS)
  if options.scene ~= nil and type(options.scene) ~= 'string' then
    check.integer(where, 'scene', options.scene)
  end
  local made = {}
  local ok, result = pcall(function()
    local doc = files.open(path)
    doc.made = made
    return build(doc, options)
  end)
  if ok then return result end
  destroy_all(made)
  if getmetatable(result) == document.Refusal then return nil, result.text end
  if type(result) == 'string' and result:find('not enough memory', 1, true) then
    return nil, path .. ': is too large: not enough memory'
  end
  error(result, 0)
end

--- Reads a model's file. The model owns its geometry, materials and textures; instances show them.
---@param path string
---@param options? { scene?: string|integer }
---@return thatch.Model
function M.load(path, options)
  local model, message = M.try_load(path, options)
  if not model then lib.fail('models.load: %s', message) end
  return model
end

--- Puts the model into a scene, at rest.
---@param scene thatch.Scene
---@param options? thatch.InstanceOptions
---@return thatch.ModelInstance
function Model:add_to(scene, options)
  return instance.create(self, scene, options)
end

--- The number of an animation, by its name or its number from 1; raises when there is none.
---@param which string|integer
---@return integer
function Model:animation(which)
  return instance.find(self, 'model:animation', 'animation', which, self.animations)
end

function Model:is_valid()
  local own = hidden[self]
  return own ~= nil and own.alive
end

--- Destroys geometry, materials and textures; instances that still stand show nothing more. Without it all goes when
--- neither the model nor an instance is in use.
function Model:destroy()
  local own = hidden[self]
  if not own or not own.alive then return end
  own.alive = false
  destroy_all(own.doc.made)
end

function Model:__tostring()
  return ('thatch.Model(%s)'):format(tostring(self.path))
end

return M
