--- Models: glTF 2.0 files (.glb, .gltf) as geometry, materials and nodes that a scene can show many times.
local ffi = require('ffi')
local accessors = require('thatch.gltf.accessors')
local animations = require('thatch.gltf.animations')
local bounds = require('thatch.gltf.bounds')
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
  local at_rest = pose.new(plan)
  local counts, moving = find_counts(doc), bounds.moving(doc, at_rest)

  local model = {
    path = doc.file, name = doc.file:match('([^/]+)$'), animations = {}, nodes = {}, materials = {},
    counts = counts, bounds = bounds.rest(doc, pose.new(plan)), warnings = doc:lines(),
  }
  for i, animation in ipairs(doc.animations) do
    model.animations[i] = { name = animation.name, duration = animation.duration, bounds = moving[i] }
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
