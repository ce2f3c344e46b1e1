--- Growable C arrays, for building geometry and pictures quickly.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local M = {}

local TYPES = { float = 'float[?]', u32 = 'uint32_t[?]', bytes = 'uint8_t[?]' }
local SIZES = { float = 4, u32 = 4, bytes = 1 }
local MAX_VALUES = 1073741824

---@class thatch.Buffer
---@field data ffi.cdata* the values, counted from 0; another array after a push that grows it
---@field n integer values in use
---@field kind 'float'|'u32'|'bytes'
local Buffer = {}
Buffer.__index = Buffer

local function grow(self, need)
  local capacity = self.capacity
  while capacity < need do capacity = capacity * 2 end
  if capacity > MAX_VALUES then lib.fail('buffer: %d values are wanted, at most %d can be had', need, MAX_VALUES) end
  local data = ffi.new(TYPES[self.kind], capacity)
  ffi.copy(data, self.data, self.n * SIZES[self.kind])
  self.data, self.capacity = data, capacity
end

local function number(value, place)
  if type(value) ~= 'number' then lib.fail('buffer.push: value %d is %s, need a number', place, check.show(value)) end
  return value
end

--- Adds one value, or a few.
function Buffer:push(a, b, c, d, ...)
  local n = self.n
  if n + 4 > self.capacity then grow(self, n + 4) end
  local data = self.data
  data[n] = number(a, 1)
  if b == nil then
    self.n = n + 1
    return
  end
  data[n + 1] = number(b, 2)
  if c == nil then
    self.n = n + 2
    return
  end
  data[n + 2] = number(c, 3)
  if d == nil then
    self.n = n + 3
    return
  end
  data[n + 3] = number(d, 4)
  self.n = n + 4
  local more = select('#', ...)
  for i = 1, more do self:push((select(i, ...))) end
end

--- Makes room, so that the next pushes move nothing.
function Buffer:reserve(n)
  n = check.integer('buffer.reserve', 'n', n)
  if n > self.capacity then grow(self, n) end
end

--- Sets the number of values; new ones are 0.
function Buffer:resize(n)
  n = check.bits('buffer.resize', 'n', n)
  if n > self.capacity then grow(self, n) end
  if n > self.n then ffi.fill(self.data + self.n, (n - self.n) * SIZES[self.kind]) end
  self.n = n
end

function Buffer:clear()
  self.n = 0
end

--- The values as a table: for specs and small things.
function Buffer:to_table()
  local list = {}
  for i = 1, self.n do list[i] = tonumber(self.data[i - 1]) end
  return list
end

function Buffer:__tostring()
  return ('thatch.Buffer(%s, %d)'):format(self.kind, self.n)
end

local function new(kind, n)
  n = check.bits('buffer', 'n', n, 0)
  if n > MAX_VALUES then lib.fail('buffer: n is %d, need at most %d', n, MAX_VALUES) end
  local capacity = n < 64 and 64 or n
  return setmetatable({ kind = kind, n = 0, capacity = capacity, data = ffi.new(TYPES[kind], capacity) }, Buffer)
end

--- An empty array of floats, with room for n.
---@return thatch.Buffer
function M.floats(n) return new('float', n) end

--- An empty array of uint32_t, with room for n.
---@return thatch.Buffer
function M.u32(n) return new('u32', n) end

--- An empty array of bytes, with room for n.
---@return thatch.Buffer
function M.bytes(n) return new('bytes', n) end

M.Buffer = Buffer
return M
