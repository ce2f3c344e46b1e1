--- Water: an FFT surface over a pond or a lake.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C
local def = ffi.new('ThatchWaterDef')
local out = ffi.new('ThatchWater[1]')
local M = {}

---@class thatch.Water
local Water = {}
Water.__index = Water

local KEYS = check.set('level min max wave_height patch wind deep_color absorption caustics foam glint seed')
-- Lua's name, the runtime's name, values.
local NUMBERS = {
  { 'level', 'level_m' }, { 'wave_height', 'wave_height_m' }, { 'patch', 'patch_m' }, { 'caustics', 'caustics' },
  { 'foam', 'foam_m' }, { 'glint', 'roughness_glint' },
}
local VECTORS = { { 'min', 2 }, { 'max', 2 }, { 'wind', 2 }, { 'deep_color', 3 }, { 'absorption', 3 } }

local function fill(where, fields)
  C.thatch_water_defaults(def)
  for _, entry in ipairs(NUMBERS) do
    local value = fields[entry[1]]
    if value ~= nil then def[entry[2]] = check.number(where, entry[1], value) end
  end
  for _, entry in ipairs(VECTORS) do
    local value = fields[entry[1]]
    if value ~= nil then check.vector(where, entry[1], value, entry[2], def[entry[1]]) end
  end
  if fields.seed ~= nil then def.seed = check.bits(where, 'seed', fields.seed) end
end

---@param options thatch.WaterOptions
---@return thatch.Water
function M.create(options)
  check.options('water.create', options, KEYS)
  local fields = {}
  for key, value in pairs(options) do fields[key] = value end
  fill('water.create', fields)
  lib.check(C.thatch_water_create(def, out))
  local id = out[0]
  return setmetatable({ id = id, fields = fields, owner = lib.owner(id, C.thatch_water_destroy) }, Water)
end

--- Changes some fields.
---@param options thatch.WaterOptions
function Water:set(options)
  check.options('water:set', options, KEYS)
  local fields = {}
  for key, value in pairs(self.fields) do fields[key] = value end
  for key, value in pairs(options) do fields[key] = value end
  fill('water:set', fields)
  lib.check(C.thatch_water_set(self.id, def))
  self.fields = fields
end

--- Rings that run out from points: x, z, birth in seconds, strength; 4 values a ring. Copied.
---@param rings number[]|thatch.Buffer|ffi.cdata*
function Water:set_rings(rings)
  local pointer, count = check.array('water:set_rings', 'rings', rings, 'float')
  if not count or count % 4 ~= 0 then
    lib.fail('water:set_rings: rings has %s values, need a multiple of 4', tostring(count))
  end
  lib.check(C.thatch_water_set_rings(self.id, pointer, count / 4))
end

function Water:is_valid()
  return C.thatch_water_is_valid(self.id)
end

function Water:destroy()
  C.thatch_water_destroy(self.id)
  lib.disown(self.owner)
  self.owner = nil
end

function Water:__tostring()
  return ('thatch.Water(%08x)'):format(self.id)
end

M.Water = Water
return M
