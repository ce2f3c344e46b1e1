--- Writes small models: what the specs and the fuzzer read back.
local cjson = require('cjson')
local ffi = require('ffi')
local thatch = require('thatch')

local M = {}

local TYPES = {
  byte = { 5120, 'int8_t[?]', 1 }, ubyte = { 5121, 'uint8_t[?]', 1 }, short = { 5122, 'int16_t[?]', 2 },
  ushort = { 5123, 'uint16_t[?]', 2 }, uint = { 5125, 'uint32_t[?]', 4 }, float = { 5126, 'float[?]', 4 },
}
local WIDTHS = { SCALAR = 1, VEC2 = 2, VEC3 = 3, VEC4 = 4, MAT4 = 16 }

---@class ModelWriter
---@field json table the document, to be changed freely
local Writer = {}
Writer.__index = Writer

function M.new()
  return setmetatable({ json = { asset = { version = '2.0' } }, parts = {}, size = 0 }, Writer)
end

--- Values of a component type as bytes.
function M.pack(component, values)
  local kind = TYPES[component]
  local array = ffi.new(kind[2], #values)
  for i, v in ipairs(values) do array[i - 1] = v end
  return ffi.string(array, #values * kind[3])
end

local function add(json, key, item)
  json[key] = json[key] or {}
  table.insert(json[key], item)
  return #json[key] - 1
end

--- Adds to a list of the document; its number from 0.
function Writer:add(key, item)
  return add(self.json, key, item)
end

--- Bytes as a view of the one buffer.
function Writer:view(bytes, stride)
  local pad = ('\0'):rep(-#bytes % 4)
  table.insert(self.parts, bytes .. pad)
  local index = self:add('bufferViews', { buffer = 0, byteOffset = self.size, byteLength = #bytes,
    byteStride = stride })
  self.size = self.size + #bytes + #pad
  return index
end

--- An accessor over values: kind 'VEC3', component 'float'; more: normalized, stride, pad (bytes behind each element),
--- sparse.
function Writer:accessor(kind, component, values, more)
  more = more or {}
  local width = WIDTHS[kind]
  local bytes = M.pack(component, values)
  local count = #values / width
  local stride
  if more.pad then
    local size = width * TYPES[component][3]
    stride = size + more.pad
    local spread = {}
    for i = 0, count - 1 do spread[#spread + 1] = bytes:sub(i * size + 1, (i + 1) * size) .. ('\171'):rep(more.pad) end
    bytes = table.concat(spread)
  end
  return self:add('accessors', {
    bufferView = self:view(bytes, stride), componentType = TYPES[component][1], count = count, type = kind,
    normalized = more.normalized, sparse = more.sparse,
  })
end

--- A node with a primitive of its own; attributes name accessors.
function Writer:shape(attributes, more, node)
  local primitive = { attributes = attributes }
  for key, value in pairs(more or {}) do primitive[key] = value end
  local mesh = self:add('meshes', { primitives = { primitive } })
  node = node or {}
  node.mesh = mesh
  return self:add('nodes', node), primitive
end

local function u32(n)
  return string.char(n % 256, math.floor(n / 256) % 256, math.floor(n / 65536) % 256, math.floor(n / 16777216))
end

--- A .glb of a JSON text and a binary chunk.
function M.pack_glb(text, bin)
  text = text .. (' '):rep(-#text % 4)
  local chunks = u32(#text) .. 'JSON' .. text
  if bin and #bin > 0 then
    bin = bin .. ('\0'):rep(-#bin % 4)
    chunks = chunks .. u32(#bin) .. 'BIN\0' .. bin
  end
  return 'glTF' .. u32(2) .. u32(12 + #chunks) .. chunks
end

function Writer:finish()
  if self.size > 0 and not self.json.buffers then self.json.buffers = { { byteLength = self.size } } end
  local text = cjson.encode(self.json):gsub('"@(%d+)"', '%1') -- '@9007199254740992': numbers that cjson would round
  return text, table.concat(self.parts)
end

---@return string bytes of a .glb
function Writer:glb()
  local text, bin = self:finish()
  return M.pack_glb(text, bin)
end

local DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function M.base64(bytes)
  local out = {}
  for i = 1, #bytes, 3 do
    local a, b, c = bytes:byte(i, i + 2)
    local n = a * 65536 + (b or 0) * 256 + (c or 0)
    local function digit(shift)
      local k = math.floor(n / shift) % 64 + 1
      return DIGITS:sub(k, k)
    end
    out[#out + 1] = digit(262144) .. digit(4096) .. (b and digit(64) or '=') .. (c and digit(1) or '=')
  end
  return table.concat(out)
end

--- A .gltf with its buffer inside, as base64.
---@return string
function Writer:gltf()
  local _, bin = self:finish()
  self.json.buffers[1].uri = 'data:application/octet-stream;base64,' .. M.base64(bin)
  return cjson.encode(self.json)
end

--- PNG bytes of an image from f(x, y) -> r, g, b, a in 0 .. 255.
function M.png(size, f)
  local texels = thatch.buffer.bytes(size * size * 4)
  for y = 0, size - 1 do
    for x = 0, size - 1 do
      local r, g, b, a = f(x, y)
      texels:push(r, g, b, a or 255)
    end
  end
  local path = os.tmpname()
  thatch.image.write(path .. '.png', texels, size, size)
  local file = assert(io.open(path .. '.png', 'rb'))
  local bytes = file:read('*a')
  file:close()
  os.remove(path)
  os.remove(path .. '.png')
  return bytes
end

--- A triangle, the smallest model.
function M.triangle()
  local w = M.new()
  w:shape({ POSITION = w:accessor('VEC3', 'float', { 0, 0, 0, 1, 0, 0, 0, 1, 0 }) })
  return w
end

return M
