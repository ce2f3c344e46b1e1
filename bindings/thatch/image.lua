--- Images in and out of files.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C
local texels = ffi.new('uint8_t*[1]')
local sizes = ffi.new('int32_t[2]')
local M = {}

local function taken()
  return { width = sizes[0], height = sizes[1], texels = ffi.gc(texels[0], C.thatch_image_free) }
end

--- Reads PNG, JPEG, BMP or TGA as RGBA bytes; nil and a message when that fails.
---@param path string
---@return thatch.Image?
---@return string? message
function M.try_load(path)
  check.string('image.load', 'path', path)
  if C.thatch_image_load(path, texels, sizes, sizes + 1) ~= 0 then return nil, lib.last_error() end
  return taken()
end

---@param path string
---@return thatch.Image
function M.load(path)
  local image, message = M.try_load(path)
  if not image then lib.fail('image.load: %s', message) end
  return image
end

--- Reads a file's bytes, already in memory.
---@param bytes string
---@param name? string for messages
---@return thatch.Image?
---@return string? message
function M.try_decode(bytes, name)
  check.string('image.decode', 'bytes', bytes)
  name = check.string('image.decode', 'name', name, 'memory')
  if C.thatch_image_load_memory(bytes, #bytes, name, texels, sizes, sizes + 1) ~= 0 then
    return nil, lib.last_error()
  end
  return taken()
end

--- Writes RGBA bytes, top row first: aside, then renamed. nil and a message when that fails.
---@return true?
---@return string? message
function M.try_write(path, pixels, width, height)
  local where = 'image.write'
  check.string(where, 'path', path)
  width, height = check.bits(where, 'width', width), check.bits(where, 'height', height)
  local pointer, count = check.array(where, 'texels', pixels, 'bytes')
  if count and count < width * height * 4 then
    lib.fail('%s: texels has %d values, need %d (4 a texel)', where, count, width * height * 4)
  end
  if C.thatch_image_write(path, pointer, width, height) ~= 0 then return nil, lib.last_error() end
  return true
end

function M.write(path, pixels, width, height)
  local ok, message = M.try_write(path, pixels, width, height)
  if not ok then lib.fail('image.write: %s', message) end
end

return M
