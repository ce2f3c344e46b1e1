--- Instances of a model: its nodes, meshes and lights in a scene, and how they move.
local ffi = require('ffi')
local check = require('thatch.check')
local geometry = require('thatch.geometry')
local lib = require('thatch.lib')
local node_module = require('thatch.node')
local pose = require('thatch.gltf.pose')
local scene_module = require('thatch.scene')

local C = lib.C
local ids_type = ffi.typeof('ThatchNode[?]')
local floats_type, doubles_type = ffi.typeof('float[?]'), ffi.typeof('double[?]')
local REACH = 40 -- a light without a range ends where it lights a fortieth of its intensity
local M = { models = setmetatable({}, { __mode = 'k' }) }

---@class thatch.ModelInstance
local Instance = {}
Instance.__index = Instance
M.Instance = Instance

local hidden = setmetatable({}, { __mode = 'k' })
local KEYS = check.set('node name position rotation scale layers tint casts_shadow receives_shadow draw_distance ' ..
  'lights')
local PLACE = { 'name', 'position', 'rotation', 'scale' }
local MESH = { 'layers', 'tint', 'casts_shadow', 'receives_shadow', 'draw_distance' }

--- A number from 1 of a list's thing, by its name or its number.
function M.find(owner, where, noun, which, list)
  if type(which) == 'number' then
    if list[which] == nil then
      lib.fail('%s: %s is %s, need 1 .. %d', where, noun, check.show(which), #list)
    end
    return which
  end
  check.string(where, noun, which)
  local names = {}
  for i, item in ipairs(list) do
    local name = type(item) == 'table' and item.name or item
    if name == which then return i end
    names[i] = tostring(name)
  end
  local near = check.nearest(which, names)
  lib.fail("%s: %s has no %s '%s'%s", where, tostring(owner.name), noun, which,
    near and (", did you mean '" .. near .. "'?") or '')
end

local function own_of(self, where)
  local own = hidden[self]
  if not own then lib.fail('%s: self is %s, need a model instance', where, check.show(self)) end
  if own.gone then lib.fail('%s: the instance was destroyed', where) end
  return own
end

-- --- what follows the pose -------------------------------------------------------------------------------------------

local function place_nodes(own)
  local lcl, mats = own.pose.lcl, own.matrices
  for k = 0, own.moved_count - 1 do
    local i = own.moved_numbers[k] * 16
    for e = 0, 15 do mats[k * 16 + e] = lcl[i + e] end
  end
  lib.check(C.thatch_nodes_set_matrices(own.moved_ids, mats, own.moved_count))
end

local function place_joints(own)
  for _, group in ipairs(own.skinned) do
    pose.joints(own.pose, group.skin, group.matrices)
    for _, id in ipairs(group.ids) do lib.check(C.thatch_mesh_set_joints(id, group.matrices, group.skin.count)) end
  end
end

local function place_shapes(own)
  for _, morphed in ipairs(own.morphed) do
    local weights, last, changed = own.pose.weights[morphed.node], morphed.last, false
    for k = 0, #morphed.shape.targets - 1 do
      if weights[k] ~= last[k] then last[k], changed = weights[k], true end
    end
    if changed then
      local turned = pose.morph(morphed.shape, weights, morphed.positions, morphed.normals)
      morphed.geometry:move(morphed.positions, turned and morphed.normals or nil)
    end
  end
end

local function place_lights(own)
  if #own.lights == 0 then return end
  local root = own.root:world()
  for k = 1, 16 do own.root_matrix[k - 1] = root[k] end
  local m = own.root_matrix
  local size = math.sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2])
  local world = own.light_matrix
  for _, entry in ipairs(own.lights) do
    pose.multiply(world, 0, m, 0, own.pose.world, entry.node * 16)
    local beams = world[8] * world[8] + world[9] * world[9] + world[10] * world[10] > 1e-12
    local direction = beams and entry.source.kind ~= 'point' and { world[8], world[9], world[10] } or nil
    if entry.source.kind == 'directional' then
      if direction then entry.light:set({ direction = direction }) end
    else
      local reach = entry.source.range or math.min(math.max(math.sqrt(entry.source.intensity * REACH), 1), 200)
      entry.light:set({
        position = { world[12], world[13], world[14] }, distance = math.max(reach * size, 1e-6),
        intensity = entry.source.intensity * size * size, direction = direction,
      })
    end
  end
end

local function place(own)
  if own.moved_count > 0 then place_nodes(own) end
  place_joints(own)
  place_shapes(own)
  place_lights(own)
end

-- --- making ----------------------------------------------------------------------------------------------------------

local function add_nodes(own, scene, doc)
  local nodes = own.nodes
  for _, i in ipairs(doc.order) do
    if doc.shown[i] then
      local node = doc.nodes[i]
      nodes[i] = scene:node({ parent = node.parent and nodes[node.parent] or own.root, name = node.name })
    end
  end
  local all, count = {}, 0
  for _, i in ipairs(doc.order) do
    if doc.shown[i] then
      all[count], count = i, count + 1
    end
  end
  own.matrices = floats_type(math.max(count, 1) * 16)
  local function take(numbers, n)
    own.moved_numbers, own.moved_count, own.moved_ids = numbers, n, ids_type(math.max(n, 1))
    for k = 0, n - 1 do own.moved_ids[k] = nodes[numbers[k]].id end
  end
  take(all, count)
  place_nodes(own)
  local moved, n = {}, 0
  for _, i in ipairs(own.pose.plan.moved) do
    if doc.shown[i] then
      moved[n], n = i, n + 1
    end
  end
  take(moved, n)
end

local function add_shape(self, own, scene, doc, i, shape, options, groups)
  local node = doc.nodes[i]
  local skin = node.skin and shape.joints and doc.skins[node.skin] or nil
  local joint_count = skin and skin.count or 0
  local made = shape.made[joint_count]
  if shape.options then
    made = geometry.create(shape.options[joint_count])
    own.made[#own.made + 1] = made
    local morphed = {
      node = i, shape = shape, geometry = made, positions = floats_type(shape.vertex_count * 3),
      normals = floats_type(shape.vertex_count * 3), last = doubles_type(#shape.targets),
    }
    own.morphed[#own.morphed + 1] = morphed
  end
  local fields = {
    geometry = made, material = shape.surface.material,
    node = skin and own.root or own.nodes[i], -- a skin's joints say where it is, not its node
  }
  for _, key in ipairs(MESH) do fields[key] = options[key] end
  local mesh = scene:mesh(fields)
  own.meshes[#own.meshes + 1] = mesh
  self.meshes[#self.meshes + 1] = mesh
  if skin then
    local group = groups[node.skin]
    if not group then
      group = { skin = skin, ids = {}, matrices = floats_type(skin.count * 16) }
      groups[node.skin] = group
      own.skinned[#own.skinned + 1] = group
    end
    group.ids[#group.ids + 1] = mesh.id
  end
end

local function has_sun(scene)
  for _, light in pairs(scene.lights) do
    if light.fields.kind == 'directional' and light:is_valid() then return true end
  end
  return false
end

local function add_lights(self, own, scene, doc)
  for _, i in ipairs(doc.order) do
    local source = doc.shown[i] and doc.nodes[i].light and doc.lights[doc.nodes[i].light]
    if source and source.kind == 'directional' and has_sun(scene) then
      self.warnings[#self.warnings + 1] = ("%s: the light '%s' is left out: the scene has a sun"):format(source.path,
        source.name)
    elseif source then
      local light = scene:light({
        kind = source.kind, color = source.color, intensity = source.intensity, name = source.name,
        angle = source.angle, penumbra = source.penumbra, casts_shadow = source.kind == 'directional',
      })
      own.lights[#own.lights + 1] = { light = light, node = i, source = source }
      self.lights[#self.lights + 1] = light
    end
  end
end

--- Called by model:add_to.
function M.create(model, scene, options)
  local where = 'model:add_to'
  local source = M.models[model]
  if not source then lib.fail('%s: self is %s, need a model', where, check.show(model)) end
  if not source.alive then lib.fail('%s: the model was destroyed', where) end
  check.object(where, 'scene', scene, scene_module.Scene, 'scene')
  options = options == nil and {} or options
  check.options(where, options, KEYS)
  if options.node ~= nil then check.object(where, 'node', options.node, node_module.Node, 'node') end
  local with_lights = check.boolean(where, 'lights', options.lights, true)
  local doc = source.doc
  local at = { parent = options.node }
  for _, key in ipairs(PLACE) do at[key] = options[key] end
  at.name = at.name or model.name

  local own = {
    source = source, pose = pose.new(source.plan), nodes = {}, meshes = {}, made = {}, skinned = {}, morphed = {},
    lights = {}, root_matrix = doubles_type(16), light_matrix = doubles_type(16), speed = 1, started = 0, loop = true,
  }
  local self = setmetatable({ model = model, scene = scene, meshes = {}, lights = {}, warnings = {} }, Instance)
  own.root = scene:node(at)
  self.node = own.root
  hidden[self] = own
  local ok, message = pcall(function()
    add_nodes(own, scene, doc)
    local groups = {}
    for _, i in ipairs(doc.order) do
      if doc.shown[i] and doc.nodes[i].mesh then
        for _, shape in ipairs(doc.meshes[doc.nodes[i].mesh].primitives) do
          add_shape(self, own, scene, doc, i, shape, options, groups)
        end
      end
    end
    if with_lights then add_lights(self, own, scene, doc) end
    place(own)
  end)
  if not ok then -- nothing is half made
    self:destroy()
    error(message, 0)
  end
  return self
end

-- --- moving ----------------------------------------------------------------------------------------------------------

--- Takes the pose of an animation at a time: the same time gives the same pose. nil: at rest.
---@param which string|integer|nil name, or number from 1
---@param time_s? number
function Instance:pose(which, time_s)
  local where = 'instance:pose'
  local own = own_of(self, where)
  local animation
  if which ~= nil then
    animation = own.source.doc.animations[M.find(self.model, where, 'animation', which, self.model.animations)]
  end
  pose.take(own.pose, animation, check.number(where, 'time_s', time_s, 0))
  place(own)
end

local PLAY_KEYS = check.set('start speed loop')

--- Names the animation that update follows. nil: none, at rest.
---@param which string|integer|nil
---@param options? { start?: number, speed?: number, loop?: boolean }
function Instance:play(which, options)
  local where = 'instance:play'
  local own = own_of(self, where)
  options = options == nil and {} or options
  check.options(where, options, PLAY_KEYS)
  local start, speed = check.number(where, 'start', options.start, 0), check.number(where, 'speed', options.speed, 1)
  local loop = check.boolean(where, 'loop', options.loop, true)
  local playing
  if which ~= nil then playing = M.find(self.model, where, 'animation', which, self.model.animations) end
  own.playing, own.started, own.speed, own.loop = playing, start, speed, loop
  self.playing = playing
  if not playing then
    pose.take(own.pose, nil, 0)
    place(own)
  end
end

--- Takes the pose that the played animation has at a scene's time; lights follow the instance's node.
---@param time_s number
function Instance:update(time_s)
  local where = 'instance:update'
  local own = own_of(self, where)
  local t = (check.number(where, 'time_s', time_s) - own.started) * own.speed
  local animation = own.playing and own.source.doc.animations[own.playing]
  if animation then
    local duration = animation.duration
    if own.loop and duration > 0 then t = t % duration end
    pose.take(own.pose, animation, t)
    place(own)
  else
    place_lights(own)
  end
end

--- The share of each morph target of a node, until an animation says otherwise; what is left out is 0.
---@param which string|integer|nil the node's name or its number from 1; nil: the first that has targets
---@param weights number[]
function Instance:set_weights(which, weights)
  local where = 'instance:set_weights'
  local own = own_of(self, where)
  check.table(where, 'weights', weights)
  local i
  if which ~= nil then
    i = M.find(self.model, where, 'node', which, self.model.nodes) - 1
  else
    for k = 0, own.source.plan.n - 1 do i = i or (own.pose.weights[k] and k) end
  end
  local into = i and own.pose.weights[i]
  if not into then lib.fail('%s: node %s has no morph targets', where, check.show(which)) end
  local n = #own.source.plan.weights[i]
  if #weights > n then lib.fail('%s: weights has %d values, need at most %d', where, #weights, n) end
  for k = 1, n do
    local w = check.number(where, ('weights[%d]'):format(k), weights[k], 0)
    if w - w ~= 0 then lib.fail('%s: weights[%d] is %s, need a finite number', where, k, check.show(w)) end
  end
  for k = 1, n do
    into[k - 1] = weights[k] or 0
    own.pose.given[i][k - 1] = weights[k] or 0
  end
  place_shapes(own)
end

--- A node of the instance, by its name or its number from 1; nil when it is not of the scene that is shown.
---@param which string|integer
---@return thatch.Node?
function Instance:find(which)
  local own = own_of(self, 'instance:find')
  return own.nodes[M.find(self.model, 'instance:find', 'node', which, self.model.nodes) - 1]
end

function Instance:is_valid()
  local own = hidden[self]
  return own ~= nil and not own.gone and own.root:is_valid()
end

--- Destroys nodes, meshes and lights of the instance; the model stays.
function Instance:destroy()
  local own = hidden[self]
  if not own or own.gone then return end
  own.gone = true
  for _, mesh in ipairs(own.meshes) do mesh:destroy() end
  for _, entry in ipairs(own.lights) do entry.light:destroy() end
  own.root:destroy()
  for _, made in ipairs(own.made) do made:destroy() end
end

function Instance:__tostring()
  return ('thatch.ModelInstance(%s)'):format(tostring(self.model and self.model.path))
end

return M
