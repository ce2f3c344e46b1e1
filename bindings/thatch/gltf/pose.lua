--- The pose of an instance: transforms, weights, and the matrices that follow from them. Doubles, in one order of
--- operations, so that the same time gives the same bits.
local ffi = require('ffi')
local animations = require('thatch.gltf.animations')
local meshes = require('thatch.gltf.meshes')

local doubles_type, floats_type = ffi.typeof('double[?]'), ffi.typeof('float[?]')
local TRS = 10 -- translation, rotation, scale
local OFFSETS = { translation = 0, rotation = 3, scale = 7 }
local M = {}

--- out = a * b, affine, each at its offset.
local function multiply(out, o, a, p, b, q)
  for c = 0, 3 do
    local x, y, z = b[q + 4 * c], b[q + 4 * c + 1], b[q + 4 * c + 2]
    for r = 0, 2 do
      local sum = a[p + r] * x + a[p + 4 + r] * y + a[p + 8 + r] * z
      out[o + 4 * c + r] = c == 3 and sum + a[p + 12 + r] or sum
    end
    out[o + 4 * c + 3] = c == 3 and 1 or 0
  end
end
M.multiply = multiply

local function compose(trs, p, out, o)
  local x, y, z, w = trs[p + 3], trs[p + 4], trs[p + 5], trs[p + 6]
  local sx, sy, sz = trs[p + 7], trs[p + 8], trs[p + 9]
  out[o], out[o + 1], out[o + 2] = (1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx
  out[o + 4], out[o + 5], out[o + 6] =
    2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy
  out[o + 8], out[o + 9], out[o + 10] =
    2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz
  out[o + 12], out[o + 13], out[o + 14] = trs[p], trs[p + 1], trs[p + 2]
  out[o + 3], out[o + 7], out[o + 11], out[o + 15] = 0, 0, 0, 1
end

--- What all instances of a model share: the rest pose, parents, and which nodes any animation moves.
---@param doc thatch.gltf.Document
function M.plan(doc)
  local n = doc.node_count
  local plan = {
    n = n, rest = doubles_type(math.max(n, 1) * TRS), fixed = doubles_type(math.max(n, 1) * 16), parents = {},
    order = doc.order, has_matrix = {}, weights = {}, moved = {}, reweighted = {},
  }
  for i = 0, n - 1 do
    local node = doc.nodes[i]
    for k = 1, 3 do
      plan.rest[i * TRS + k - 1], plan.rest[i * TRS + 6 + k] = node.position[k], node.scale[k]
    end
    for k = 1, 4 do plan.rest[i * TRS + 2 + k] = node.rotation[k] end
    plan.parents[i] = node.parent or -1
    if node.matrix then
      plan.has_matrix[i] = true
      for k = 1, 16 do plan.fixed[i * 16 + k - 1] = node.matrix[k] end
    end
    plan.weights[i] = node.weights
  end
  local moved, reweighted = {}, {}
  for _, animation in ipairs(doc.animations) do
    for _, channel in ipairs(animation.channels) do
      if channel.path == 'weights' then reweighted[channel.node] = true else moved[channel.node] = true end
    end
  end
  for i = 0, n - 1 do
    if moved[i] then plan.moved[#plan.moved + 1] = i end
    if reweighted[i] then plan.reweighted[#plan.reweighted + 1] = i end
  end
  return plan
end

--- A pose at rest.
function M.new(plan)
  local n = math.max(plan.n, 1)
  local pose = {
    plan = plan, trs = doubles_type(n * TRS), lcl = doubles_type(n * 16), world = doubles_type(n * 16), weights = {},
    given = {},
  }
  ffi.copy(pose.trs, plan.rest, n * TRS * 8)
  for i = 0, plan.n - 1 do
    local weights = plan.weights[i]
    if weights then
      pose.weights[i], pose.given[i] = doubles_type(#weights), doubles_type(#weights)
      for k = 1, #weights do pose.weights[i][k - 1], pose.given[i][k - 1] = weights[k], weights[k] end
    end
    if plan.has_matrix[i] then
      ffi.copy(pose.lcl + i * 16, plan.fixed + i * 16, 128)
    else
      compose(pose.trs, i * TRS, pose.lcl, i * 16)
    end
  end
  M.refresh(pose)
  return pose
end

--- Finds all nodes' matrices in the model's space.
function M.refresh(pose)
  local plan, lcl, world = pose.plan, pose.lcl, pose.world
  local order, parents = plan.order, plan.parents
  for k = 1, #order do
    local i = order[k]
    local parent = parents[i]
    if parent < 0 then
      ffi.copy(world + i * 16, lcl + i * 16, 128)
    else
      multiply(world, i * 16, world, parent * 16, lcl, i * 16)
    end
  end
end

--- Takes an animation's pose at a time; what it does not move stands at rest. nil: all at rest.
---@param animation? { channels: thatch.gltf.Channel[] }
---@param t number
function M.take(pose, animation, t)
  local plan, trs = pose.plan, pose.trs
  for _, i in ipairs(plan.moved) do ffi.copy(trs + i * TRS, plan.rest + i * TRS, TRS * 8) end
  for _, i in ipairs(plan.reweighted) do
    local weights, given = pose.weights[i], pose.given[i]
    for k = 0, #plan.weights[i] - 1 do weights[k] = given[k] end
  end
  if animation then
    for _, channel in ipairs(animation.channels) do
      if channel.path == 'weights' then
        animations.sample(channel, t, pose.weights[channel.node], 0)
      else
        animations.sample(channel, t, trs, channel.node * TRS + OFFSETS[channel.path])
      end
    end
  end
  for _, i in ipairs(plan.moved) do compose(trs, i * TRS, pose.lcl, i * 16) end
  M.refresh(pose)
end

--- The joints of a skin as the runtime takes them: pose times inverse bind, in the model's space.
---@param skin table
---@param out ffi.cdata* float[count * 16]
function M.joints(pose, skin, out)
  local world, joints, inverse, m = pose.world, skin.joints, skin.inverse, skin.scratch
  for k = 0, skin.count - 1 do
    multiply(m, 0, world, joints[k] * 16, inverse, k * 16)
    for e = 0, 15 do out[k * 16 + e] = m[e] end
  end
end

--- Positions and normals of a primitive with its morph targets at some weights.
---@param shape table the primitive: positions, normals, targets, vertex_count
---@param weights ffi.cdata* double[#targets]
---@param positions ffi.cdata* out
---@param normals ffi.cdata* out
---@return boolean changed whether the normals have changed too
function M.morph(shape, weights, positions, normals)
  local n = shape.vertex_count * 3
  ffi.copy(positions, shape.positions, n * 4)
  local turned = shape.flat
  for k, target in ipairs(shape.targets) do
    if target.normals then turned = true end
    local w, deltas = weights[k - 1], target.positions
    if w ~= 0 and deltas then
      for i = 0, n - 1 do positions[i] = positions[i] + w * deltas[i] end
    end
  end
  if shape.flat then
    meshes.flat_normals(positions, shape.vertex_count, normals)
  elseif turned then
    ffi.copy(normals, shape.normals, n * 4)
    for k, target in ipairs(shape.targets) do
      local w, deltas = weights[k - 1], target.normals
      if w ~= 0 and deltas then
        for i = 0, n - 1 do normals[i] = normals[i] + w * deltas[i] end
      end
    end
  end
  return turned
end

M.floats_type, M.doubles_type = floats_type, doubles_type
return M
