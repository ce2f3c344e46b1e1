--- XXH3-128 over bytes and pictures.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')
local frame = require('thatch.frame')

local C = lib.C
local digest = ffi.new('uint8_t[16]')
local M = {}

---@class thatch.Hash
local Hash = {}
Hash.__index = Hash

--- A running hash over many pieces.
---@return thatch.Hash
function M.begin()
  local state = C.thatch_hash_begin()
  if state == nil then lib.fail('hash.begin: memory is short') end
  local free = function(s) C.thatch_hash_end(s, digest) end
  return setmetatable({ state = ffi.gc(state, free) }, Hash)
end

--- Adds bytes: a string, or a C array with its length.
---@param bytes string|ffi.cdata*
---@param count? integer
function Hash:add(bytes, count)
  if not self.state then lib.fail('hash:add: the hash has ended') end
  if type(bytes) == 'string' then
    C.thatch_hash_add(self.state, bytes, #bytes)
  else
    if type(bytes) ~= 'cdata' then lib.fail('hash:add: bytes is %s, need a string or a C array', check.show(bytes)) end
    C.thatch_hash_add(self.state, bytes, check.bits('hash:add', 'count', count))
  end
end

--- The digest; the hash is used up.
---@return string 32 hex digits
function Hash:finish()
  if not self.state then lib.fail('hash:finish: the hash has ended') end
  C.thatch_hash_end(self.state, digest)
  ffi.gc(self.state, nil)
  self.state = nil
  return frame.hex(digest)
end

--- The digest of one piece.
---@param bytes string
---@return string 32 hex digits
function M.bytes(bytes)
  check.string('hash.bytes', 'bytes', bytes)
  C.thatch_hash_bytes(bytes, #bytes, digest)
  return frame.hex(digest)
end

return M
