--- The shading registry: what a named shading does beyond its material's kind.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C
local def = ffi.new('ThatchShadingDef')
local M = {}

local KEYS = check.set('back_faces baked_sun baked_sky sway')
local SWAY_KEYS = check.set('amplitude_m frequency_hz weight every')

local function only(where, key, value, word)
  if value ~= nil and value ~= word then
    lib.fail("%s: %s is %s, need '%s'", where, key, check.show(value), word)
  end
  return value ~= nil
end

--- Registers a behaviour under a name; a name again replaces it, in a running program too.
---@param name string
---@param options thatch.ShadingOptions
function M.register(name, options)
  local where = 'shading.register'
  check.string(where, 'name', name)
  check.options(where, options, KEYS)
  C.thatch_shading_defaults(def)
  def.back_as_front = only(where, 'back_faces', options.back_faces, 'as_front')
  def.reads_baked_sun = only(where, 'baked_sun', options.baked_sun, 'sun')
  def.reads_baked_sky = only(where, 'baked_sky', options.baked_sky, 'sky')
  local sway = options.sway
  if sway ~= nil then
    where = 'shading.register: sway'
    check.options(where, sway, SWAY_KEYS)
    only(where, 'weight', sway.weight, 'sway')
    def.sways = true
    def.sway_amplitude_m = check.number(where, 'amplitude_m', sway.amplitude_m, def.sway_amplitude_m)
    def.sway_frequency_hz = check.number(where, 'frequency_hz', sway.frequency_hz, def.sway_frequency_hz)
    def.sway_every = check.integer(where, 'every', sway.every, def.sway_every)
  end
  lib.check(C.thatch_shading_register(name, def))
end

function M.remove(name)
  lib.check(C.thatch_shading_remove(check.string('shading.remove', 'name', name)))
end

--- The registered names, sorted.
---@return string[]
function M.list()
  local names = {}
  for i = 0, C.thatch_shading_count() - 1 do names[i + 1] = ffi.string(C.thatch_shading_name(i)) end
  return names
end

--- What a name does, as the table that register takes.
---@return thatch.ShadingOptions
function M.describe(name)
  lib.check(C.thatch_shading_describe(check.string('shading.describe', 'name', name), def))
  return {
    back_faces = def.back_as_front and 'as_front' or nil,
    baked_sun = def.reads_baked_sun and 'sun' or nil,
    baked_sky = def.reads_baked_sky and 'sky' or nil,
    sway = def.sways and {
      amplitude_m = def.sway_amplitude_m, frequency_hz = def.sway_frequency_hz, weight = 'sway',
      every = def.sway_every,
    } or nil,
  }
end

return M
