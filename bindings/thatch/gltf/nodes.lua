--- Nodes, scenes, skins and lights of a model. The nodes are a forest: no rings, one parent each.
local ffi = require('ffi')
local accessors = require('thatch.gltf.accessors')
local lib = require('thatch.lib')

local MAX_NODES, MAX_DEPTH = 65535, 64
local MAX_SHOWN, MAX_MORPHED = 65535, 4194304
local MAX_JOINTS = tonumber(lib.C.THATCH_MAX_JOINTS)
local doubles_type = ffi.typeof('double[?]')
local M = {}

local MAT4, FLOAT = { MAT4 = true }, { float = true }

--- Is the last row of a matrix 0 0 0 1?
local function check_affine(doc, path, m, first)
  for i = 3, 15, 4 do
    local need = i == 15 and 1 or 0
    if math.abs(m[first + i] - need) > 1e-5 then
      doc:fail(path, 'value %d is %g, need %d: affine', i, m[first + i], need)
    end
  end
end

local function read_node(doc, item, path, i)
  local node = { name = doc:name(item, path, 'node', i), path = path }
  local m = doc:numbers(item, 'matrix', path, 16, nil)
  local p = doc:numbers(item, 'translation', path, 3, nil)
  local r = doc:numbers(item, 'rotation', path, 4, nil)
  local s = doc:numbers(item, 'scale', path, 3, nil)
  if m then
    if p or r or s then doc:fail(path, 'has both matrix and translation, rotation or scale, need one') end
    check_affine(doc, path .. '/matrix', m, 1)
    node.matrix = m
  end
  node.position, node.scale = p or { 0, 0, 0 }, s or { 1, 1, 1 }
  node.rotation = r or { 0, 0, 0, 1 }
  local q = node.rotation
  local length = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4])
  if not (length > 0.9 and length < 1.1) then
    doc:fail(path .. '/rotation', 'has the length %g, need 1', length)
  end
  node.rotation = { q[1] / length, q[2] / length, q[3] / length, q[4] / length }
  node.mesh = doc:index(item, 'mesh', path, doc.mesh_count, 'mesh')
  node.skin = doc:index(item, 'skin', path, doc.skin_count, 'skin')
  local mesh = node.mesh and doc.meshes[node.mesh]
  local weights = doc:numbers(item, 'weights', path, mesh and mesh.target_count or nil, nil)
  if mesh and mesh.target_count > 0 then
    node.weights = {}
    for k = 1, mesh.target_count do
      node.weights[k] = weights and weights[k] or mesh.weights and mesh.weights[k] or 0
    end
  end
  local light = doc:extension(item, path, 'KHR_lights_punctual')
  if light then
    node.light = doc:index(light, 'light', path .. '/extensions/KHR_lights_punctual', doc.light_count, 'light')
  end
  return node
end

--- Children and parents; then the order in which parents come first.
local function link(doc, list, n)
  for i = 0, n - 1 do
    local path = '/nodes/' .. i
    local children, count = doc:list(list[i + 1], 'children', path, MAX_NODES)
    doc.nodes[i].children = children
    for k = 1, count do
      local at = path .. '/children'
      local child = doc:index(children, k, at, n, 'node')
      if doc.nodes[child].parent then
        doc:fail(at, 'node %d is a child of node %d already, need one parent', child, doc.nodes[child].parent)
      end
      doc.nodes[child].parent = i
    end
  end
  local order, depth = {}, {}
  for i = 0, n - 1 do
    if not doc.nodes[i].parent then
      order[#order + 1] = i
      depth[i] = 1
    end
  end
  local at = 1
  while order[at] do
    local i = order[at]
    at = at + 1
    if depth[i] > MAX_DEPTH then doc:fail('/nodes/' .. i, 'is nested more than %d deep', MAX_DEPTH) end
    for _, child in ipairs(doc.nodes[i].children) do
      order[#order + 1], depth[child] = child, depth[i] + 1
    end
  end
  if #order < n then
    for i = 0, n - 1 do
      if not depth[i] then doc:fail('/nodes/' .. i, 'is its own ancestor: need nodes without rings') end
    end
  end
  doc.order = order
end

local function read_skin(doc, item, path, i)
  local skin = { name = doc:name(item, path, 'skin', i), path = path }
  local joints, count = doc:list(item, 'joints', path)
  if count == 0 then doc:fail(path, 'joints is missing, need one or more') end
  if count > MAX_JOINTS then
    doc:fail(path, "skin '%s' has %d joints, need at most %d", skin.name, count, MAX_JOINTS)
  end
  skin.joints, skin.count, skin.inverse = {}, count, doubles_type(count * 16)
  for k = 0, count - 1 do
    skin.joints[k] = doc:index(joints, k + 1, path .. '/joints', doc.node_count, 'node')
    for e = 0, 15, 5 do skin.inverse[k * 16 + e] = 1 end
  end
  local a = accessors.need(doc, item, 'inverseBindMatrices', path, MAT4, FLOAT)
  if a then
    if a.count < count then
      doc:fail(path .. '/inverseBindMatrices', 'accessor has %d values, need %d, one a joint', a.count, count)
    end
    local values = accessors.floats(doc, a)
    for k = 0, count - 1 do check_affine(doc, path .. '/inverseBindMatrices', values, k * 16) end
    for k = 0, count * 16 - 1 do skin.inverse[k] = values[k] end
  end
  doc:index(item, 'skeleton', path, doc.node_count, 'node')
  return skin
end

local MAX_CONE = math.pi / 2 + 1e-6 -- as a 32-bit float has it
local LIGHTS = { directional = 'directional', point = 'point', spot = 'spot' }

local function read_cone(doc, item, path, light)
  if item.spot == nil then doc:fail(path, 'spot is missing') end
  local cone = doc:object(item, 'spot', path)
  path = path .. '/spot'
  local outer = doc:number(cone, 'outerConeAngle', path, math.pi / 4, 1e-6, MAX_CONE)
  local inner = doc:number(cone, 'innerConeAngle', path, 0, 0, MAX_CONE)
  if inner >= outer then
    doc:fail(path .. '/innerConeAngle', 'is %g, need less than outerConeAngle, %g', inner, outer)
  end
  light.angle, light.penumbra = math.min(math.max(outer, 0.001), math.pi / 2), 1 - inner / outer
end

local function read_lights(doc)
  local extension = doc:extension(doc.json, '', 'KHR_lights_punctual')
  local path = '/extensions/KHR_lights_punctual'
  local list, n = doc:objects(extension or {}, 'lights', path, MAX_NODES)
  doc.lights, doc.light_count = {}, n
  for i = 0, n - 1 do
    local at, item = ('%s/lights/%d'):format(path, i), list[i + 1]
    local light = { name = doc:name(item, at, 'light', i), path = at }
    if item.type == nil then doc:fail(at, 'type is missing') end
    light.kind = doc:word(item, 'type', at, LIGHTS)
    light.color = doc:numbers(item, 'color', at, 3, { 1, 1, 1 }, 0, 1e6)
    light.intensity = doc:number(item, 'intensity', at, 1, 0, 1e9)
    light.range = item.range ~= nil and doc:number(item, 'range', at, nil, 1e-6, 1e9) or nil
    if light.kind == 'spot' then read_cone(doc, item, at, light) end
    doc.lights[i] = light
  end
end

--- The roots of a scene: the one asked for, the file's own, or all roots where it has no scenes.
local function read_scene(doc, wanted)
  local list, n = doc:objects(doc.json, 'scenes', '', MAX_NODES)
  local index = doc:index(doc.json, 'scene', '', n, 'scene')
  local names = {}
  for i = 0, n - 1 do
    names[i + 1] = doc:name(list[i + 1], '/scenes/' .. i, 'scene', i)
    if wanted ~= nil and (wanted == i + 1 or wanted == names[i + 1]) then
      index, wanted = i, nil
    end
  end
  if wanted ~= nil then
    doc:fail('/scenes', "there is no scene '%s', need one of: %s", tostring(wanted), table.concat(names, ', '))
  end
  doc.roots, doc.shown = {}, {}
  if n == 0 then
    for _, i in ipairs(doc.order) do
      if not doc.nodes[i].parent then doc.roots[#doc.roots + 1] = i end
    end
  else
    index = index or 0
    local path = '/scenes/' .. index
    local roots, count = doc:list(list[index + 1], 'nodes', path, MAX_NODES)
    for k = 1, count do
      local root = doc:index(roots, k, path .. '/nodes', doc.node_count, 'node')
      if doc.nodes[root].parent then
        doc:fail(path .. '/nodes', 'node %d is a child of node %d, need a root', root, doc.nodes[root].parent)
      end
      if doc.shown[root] then doc:fail(path .. '/nodes', 'node %d stands there twice', root) end
      doc.roots[k], doc.shown[root] = root, true
    end
  end
  for _, i in ipairs(doc.roots) do doc.shown[i] = true end
  for _, i in ipairs(doc.order) do
    local parent = doc.nodes[i].parent
    if parent and doc.shown[parent] then doc.shown[i] = true end
  end
end

--- The joints that a mesh's vertices name, against those of its node's skin.
local function check_skinned(doc, node)
  if not node.skin then return end
  if not node.mesh then doc:fail(node.path, 'has a skin, but no mesh') end
  local skin = doc.skins[node.skin]
  for _, p in ipairs(doc.meshes[node.mesh].primitives) do
    if not p.joints then
      doc:warn(p.path, 'JOINTS_0 is missing under a skin, and the primitive stands still')
    elseif p.last_joint >= skin.count then
      for k = 0, p.vertex_count * 4 - 1 do
        if p.joints[k] >= skin.count then
          doc:fail(p.path .. '/attributes/JOINTS_0', 'value %d is %d, need 0 .. %d: skin %d has %d joints', k,
            p.joints[k], skin.count - 1, node.skin, skin.count)
        end
      end
    end
  end
end

--- What the scene shows must fit into the runtime, however often a mesh stands in it.
local function check_shown(doc)
  local shown, morphed = 0, 0
  for i = 0, doc.node_count - 1 do
    local node = doc.nodes[i]
    local mesh = doc.shown[i] and node.mesh and doc.meshes[node.mesh]
    if mesh then
      shown = shown + #mesh.primitives
      if shown > MAX_SHOWN then doc:fail('/nodes', 'the scene shows more than %d primitives', MAX_SHOWN) end
      if mesh.target_count > 0 then
        for _, p in ipairs(mesh.primitives) do morphed = morphed + p.vertex_count end
        if morphed > MAX_MORPHED then
          doc:fail('/nodes', 'the scene shows more than %d vertices with morph targets', MAX_MORPHED)
        end
      end
    end
  end
end

--- Reads nodes, skins, lights and the scene.
---@param doc thatch.gltf.Document
---@param scene? string|integer its name, or its number from 1
function M.read(doc, scene)
  local list, n = doc:objects(doc.json, 'nodes', '', MAX_NODES)
  local skins, skin_count = doc:objects(doc.json, 'skins', '', MAX_NODES)
  doc.nodes, doc.node_count, doc.skins, doc.skin_count = {}, n, {}, skin_count
  read_lights(doc)
  for i = 0, n - 1 do doc.nodes[i] = read_node(doc, list[i + 1], '/nodes/' .. i, i) end
  link(doc, list, n)
  for i = 0, skin_count - 1 do doc.skins[i] = read_skin(doc, skins[i + 1], '/skins/' .. i, i) end
  for i = 0, n - 1 do check_skinned(doc, doc.nodes[i]) end
  read_scene(doc, scene)
  check_shown(doc)
end

return M
