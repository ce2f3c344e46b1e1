--- Nodes: the places of a scene. Made by scene:node, owned by the scene.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')
local maths = require('thatch.math')

local C = lib.C
local out = ffi.new('ThatchNode[1]')
local position, rotation, scale = ffi.new('float[3]'), ffi.new('float[4]'), ffi.new('float[3]')
local matrix = ffi.new('float[16]')
local M = {}

---@class thatch.Node
---@field scene thatch.Scene
local Node = {}
Node.__index = Node
M.Node = Node

local KEYS = check.set('parent name position rotation scale matrix')
local TRANSFORM_KEYS = check.set('position rotation scale')

--- A matrix given as a table of 16 numbers or as a C array.
local function matrix_of(where, value)
  if type(value) == 'table' and value.data == nil then return check.vector(where, 'matrix', value, 16, matrix) end
  local pointer, count = check.array(where, 'matrix', value, 'float')
  if count and count < 16 then lib.fail('%s: matrix has %d values, need 16', where, count) end
  return pointer
end

local function set_transform(where, id, options)
  local p, r, s
  if options.position ~= nil then p = check.vector(where, 'position', options.position, 3, position) end
  if options.rotation ~= nil then r = check.vector(where, 'rotation', options.rotation, 4, rotation) end
  if type(options.scale) == 'number' then
    scale[0], scale[1], scale[2] = options.scale, options.scale, options.scale
    s = scale
  elseif options.scale ~= nil then
    s = check.vector(where, 'scale', options.scale, 3, scale)
  end
  if p or r or s then lib.check(C.thatch_node_set_transform(id, p, r, s)) end
end

--- Called by scene:node.
function M.create(scene, options)
  local where = 'scene:node'
  options = options == nil and {} or options
  check.options(where, options, KEYS)
  local parent = 0
  if options.parent ~= nil then parent = check.object(where, 'parent', options.parent, Node, 'node').id end
  lib.check(C.thatch_node_create(scene.id, parent, check.string(where, 'name', options.name, ''), out))
  local node = setmetatable({ id = out[0], scene = scene, name = options.name }, Node)
  local ok, message = pcall(function()
    if options.matrix ~= nil then
      lib.check(C.thatch_node_set_matrix(node.id, matrix_of(where, options.matrix)))
    end
    set_transform(where, node.id, options)
  end)
  if not ok then -- nothing is half made
    C.thatch_node_destroy(node.id)
    error(message, 0)
  end
  return node
end

--- Position, rotation and scale; what is left out stays.
---@param options { position?: number[], rotation?: number[], scale?: number|number[] }
function Node:set_transform(options)
  check.options('node:set_transform', options, TRANSFORM_KEYS)
  set_transform('node:set_transform', self.id, options)
end

function Node:set_position(x, y, z)
  if type(x) ~= 'number' or type(y) ~= 'number' or type(z) ~= 'number' then
    lib.fail('node:set_position: x, y, z are %s, %s, %s, need three numbers',
      check.show(x), check.show(y), check.show(z))
  end
  position[0], position[1], position[2] = x, y, z
  lib.check(C.thatch_node_set_transform(self.id, position, nil, nil))
end

--- Place, turn about the y axis and size at once, without a table: for what moves in each frame.
---@param x number
---@param y number
---@param z number
---@param yaw number radians
---@param size? number 1 when left out
function Node:set_pose(x, y, z, yaw, size)
  size = size or 1
  if type(x) ~= 'number' or type(y) ~= 'number' or type(z) ~= 'number' or type(yaw) ~= 'number'
    or type(size) ~= 'number' then
    lib.fail('node:set_pose: x, y, z, yaw, size are %s, %s, %s, %s, %s, need five numbers',
      check.show(x), check.show(y), check.show(z), check.show(yaw), check.show(size))
  end
  position[0], position[1], position[2] = x, y, z
  rotation[0], rotation[1], rotation[2], rotation[3] = 0, maths.sin(yaw / 2), 0, maths.cos(yaw / 2)
  scale[0], scale[1], scale[2] = size, size, size
  lib.check(C.thatch_node_set_transform(self.id, position, rotation, scale))
end

--- Turns about the y axis.
function Node:set_rotation_y(radians)
  local half = check.number('node:set_rotation_y', 'radians', radians) / 2
  rotation[0], rotation[1], rotation[2], rotation[3] = 0, maths.sin(half), 0, maths.cos(half)
  lib.check(C.thatch_node_set_transform(self.id, nil, rotation, nil))
end

--- The local matrix: 16 numbers, column-major; replaces the transform.
function Node:set_matrix(value)
  lib.check(C.thatch_node_set_matrix(self.id, matrix_of('node:set_matrix', value)))
end

function Node:set_visible(visible)
  lib.check(C.thatch_node_set_visible(self.id, check.boolean('node:set_visible', 'visible', visible)))
end

--- Hangs the node under another, or under the root with nil.
---@param parent thatch.Node?
function Node:set_parent(parent)
  local id = 0
  if parent ~= nil then id = check.object('node:set_parent', 'parent', parent, Node, 'node').id end
  lib.check(C.thatch_node_set_parent(self.id, id))
end

--- The world matrix, 16 numbers, column-major.
---@return number[]
function Node:world()
  lib.check(C.thatch_node_world(self.id, matrix))
  local m = {}
  for i = 0, 15 do m[i + 1] = matrix[i] end
  return m
end

function Node:is_valid()
  return C.thatch_node_is_valid(self.id)
end

--- Destroys the node with its children and the meshes on them.
function Node:destroy()
  C.thatch_node_destroy(self.id)
  self.scene:forget_destroyed()
end

function Node:__tostring()
  return ('thatch.Node(%08x%s)'):format(self.id, self.name and (' ' .. self.name) or '')
end

return M
