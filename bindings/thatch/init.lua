--- thatch: real-time worlds on the CPU, drawn from Lua. `require('thatch')` gives all modules as fields.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C

---@class thatch
local M = {}

local MODULES = check.set('buffer geometry texture material shading scene camera water quality frame image font ' ..
  'draw window math hash models')

local ISAS = {}
for i = 0, C.THATCH_ISA_COUNT - 1 do ISAS[ffi.string(C.thatch_isa_name(i))] = i end

local KEYS = check.set('threads isa')

--- Starts the workers, or changes them between frames.
---@param options? { threads?: integer, isa?: 'plain'|'sse2'|'avx2'|'avx512' } what is left out is chosen
function M.start(options)
  options = options or {}
  check.options('thatch.start', options, KEYS)
  local isa = check.choice('thatch.start', 'isa', options.isa, ISAS, -1)
  lib.check(C.thatch_start(check.integer('thatch.start', 'threads', options.threads, 0), isa), 'thatch.start')
end

---@return integer
function M.threads()
  return C.thatch_thread_count()
end

--- The instruction set in use.
---@return string
function M.isa()
  return ffi.string(C.thatch_isa_name(C.thatch_isa()))
end

--- The instruction sets that this machine has, slowest first.
---@return string[]
function M.isas()
  local names = {}
  for i = 0, C.THATCH_ISA_COUNT - 1 do
    if C.thatch_isa_supported(i) then names[#names + 1] = ffi.string(C.thatch_isa_name(i)) end
  end
  return names
end

---@return string
function M.cpu()
  return ffi.string(C.thatch_cpu_name())
end

--- Seconds, for timings only: nothing that reaches a pixel reads it.
---@return number
function M.clock()
  return C.thatch_clock()
end

--- Heap allocations of the runtime since its start.
---@return integer
function M.allocation_count()
  return C.thatch_allocation_count()
end

--- Bytes that the runtime holds.
---@return integer
function M.memory_bytes()
  return C.thatch_memory_bytes()
end

--- Bytes that Lua holds.
---@return number
function M.lua_bytes()
  return collectgarbage('count') * 1024
end

--- Lets the n-th allocation of the runtime from now on fail, 0: none. For tests.
function M.fail_allocation(nth)
  C.thatch_fail_allocation(check.integer('thatch.fail_allocation', 'nth', nth))
end

--- The folder that holds scripts/, scenes/ and bindings/.
M.root = lib.root

return setmetatable(M, {
  __index = function(_, key)
    if not MODULES[key] then return nil end
    local module = require('thatch.' .. key)
    rawset(M, key, module)
    return module
  end,
})
