--- Boxes of a model: at rest by its vertices, in its animations by the boxes of its parts.
local ffi = require('ffi')
local pose = require('thatch.gltf.pose')

local PLACED = 4000000 -- vertices that are placed one by one; of larger models, boxes are
local SAMPLES = 8 -- steps of an animation that are looked at
local MOVED = 2000000 -- boxes that are placed for all animations together
local FAINT = 0.05 -- weight below which a joint does not count for where a vertex goes
local huge = math.huge
local box_type, corners_type = ffi.typeof('double[6]'), ffi.typeof('double[24]')
local M = {}

local function empty()
  return box_type(huge, huge, huge, -huge, -huge, -huge)
end

local function grow(box, x, y, z)
  if x < box[0] then box[0] = x end
  if y < box[1] then box[1] = y end
  if z < box[2] then box[2] = z end
  if x > box[3] then box[3] = x end
  if y > box[4] then box[4] = y end
  if z > box[5] then box[5] = z end
end

--- Grows a box by points through a matrix.
local function grow_by(box, m, o, points, count)
  for i = 0, count * 3 - 1, 3 do
    local x, y, z = points[i], points[i + 1], points[i + 2]
    grow(box, m[o] * x + m[o + 4] * y + m[o + 8] * z + m[o + 12],
      m[o + 1] * x + m[o + 5] * y + m[o + 9] * z + m[o + 13],
      m[o + 2] * x + m[o + 6] * y + m[o + 10] * z + m[o + 14])
  end
end

local function grow_by_skin(box, joints, shape)
  local weights, p = shape.weights, shape.positions
  for i = 0, shape.vertex_count - 1 do
    local x, y, z = p[i * 3], p[i * 3 + 1], p[i * 3 + 2]
    local sx, sy, sz = 0, 0, 0
    for k = i * 4, i * 4 + 3 do
      local w, o = weights[k], shape.joints[k] * 16
      sx = sx + w * (joints[o] * x + joints[o + 4] * y + joints[o + 8] * z + joints[o + 12])
      sy = sy + w * (joints[o + 1] * x + joints[o + 5] * y + joints[o + 9] * z + joints[o + 13])
      sz = sz + w * (joints[o + 2] * x + joints[o + 6] * y + joints[o + 10] * z + joints[o + 14])
    end
    grow(box, sx, sy, sz)
  end
end

local function corners_of(box)
  local corners = corners_type()
  for c = 0, 7 do
    corners[c * 3] = box[c % 2 == 0 and 0 or 3]
    corners[c * 3 + 1] = box[c % 4 < 2 and 1 or 4]
    corners[c * 3 + 2] = box[c < 4 and 2 or 5]
  end
  return corners
end

--- The corners of a primitive's box, in its own space.
local function shape_corners(shape)
  if not shape.corners then
    local box, p = empty(), shape.positions
    for i = 0, shape.vertex_count * 3 - 1, 3 do grow(box, p[i], p[i + 1], p[i + 2]) end
    shape.corners = corners_of(box)
  end
  return shape.corners
end

--- The corners of the boxes round what each joint moves: pairs of a joint's number and corners.
local function joint_corners(shape)
  if not shape.joint_corners then
    local boxes, p = {}, shape.positions
    for i = 0, shape.vertex_count - 1 do
      for k = i * 4, i * 4 + 3 do
        if shape.weights[k] > FAINT then
          local joint = shape.joints[k]
          boxes[joint] = boxes[joint] or empty()
          grow(boxes[joint], p[i * 3], p[i * 3 + 1], p[i * 3 + 2])
        end
      end
    end
    shape.joint_corners = {}
    for joint = 0, shape.last_joint do
      if boxes[joint] then shape.joint_corners[#shape.joint_corners + 1] = { joint, corners_of(boxes[joint]) } end
    end
  end
  return shape.joint_corners
end

--- What is kept: tables; nil when nothing is shown.
local function finish(box)
  if box[0] > box[3] then return nil end
  local found, square = { min = {}, max = {}, center = {} }, 0
  for k = 1, 3 do
    found.min[k], found.max[k] = box[k - 1], box[k + 2]
    found.center[k] = (box[k - 1] + box[k + 2]) / 2
    local half = (box[k + 2] - box[k - 1]) / 2
    square = square + half * half
  end
  found.radius = math.sqrt(square)
  return found
end

--- Calls f(shape, node number, joints or nil, skin) for each primitive that is shown.
local function each_shown(doc, at, f)
  local scratch = {}
  for i = 0, doc.node_count - 1 do
    local node = doc.nodes[i]
    if doc.shown[i] and node.mesh then
      local skin, joints = node.skin and doc.skins[node.skin], nil
      for _, shape in ipairs(doc.meshes[node.mesh].primitives) do
        if skin and shape.joints and not joints then
          joints = scratch[node.skin] or pose.floats_type(skin.count * 16)
          if not scratch[node.skin] then pose.joints(at, skin, joints) end
          scratch[node.skin] = joints
        end
        f(shape, i, skin and shape.joints and joints or nil)
      end
    end
  end
end

--- The box of all that is shown, at rest; refused when it is too large to be drawn.
---@return thatch.ModelBounds
function M.rest(doc, at)
  local box, placed = empty(), 0
  each_shown(doc, at, function(shape, i, joints)
    placed = placed + shape.vertex_count
    if joints and placed <= PLACED then
      grow_by_skin(box, joints, shape)
    elseif joints then
      for _, entry in ipairs(joint_corners(shape)) do grow_by(box, joints, entry[1] * 16, entry[2], 8) end
    elseif placed <= PLACED then
      grow_by(box, at.world, i * 16, shape.positions, shape.vertex_count)
    else
      grow_by(box, at.world, i * 16, shape_corners(shape), 8)
    end
  end)
  for k = 0, 5 do
    if box[0] <= box[3] and not (box[k] > -1e30 and box[k] < 1e30) then
      doc:fail('/nodes', 'the model reaches to %g, need less than 1e30', box[k])
    end
  end
  return finish(box) or { min = { 0, 0, 0 }, max = { 0, 0, 0 }, center = { 0, 0, 0 }, radius = 0 }
end

--- The box of each animation, by its number; nil where it is not known. A little larger than what is seen.
---@return table<integer, thatch.ModelBounds>
function M.moving(doc, at)
  local found, placed = {}, 0
  for number, animation in ipairs(doc.animations) do
    local box = empty()
    for step = 0, SAMPLES do
      if placed > MOVED then break end
      pose.take(at, animation, animation.duration * step / SAMPLES)
      placed = placed + doc.node_count
      each_shown(doc, at, function(shape, i, joints)
        placed = placed + 1
        if joints then
          local list = joint_corners(shape)
          placed = placed + #list
          for _, entry in ipairs(list) do grow_by(box, joints, entry[1] * 16, entry[2], 8) end
        else
          grow_by(box, at.world, i * 16, shape_corners(shape), 8)
        end
      end)
    end
    if placed > MOVED then break end
    found[number] = finish(box)
    doc:alive()
  end
  return found
end

return M
