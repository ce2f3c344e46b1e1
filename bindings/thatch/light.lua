--- Lights of a scene. Made by scene:light, owned by the scene.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C
local def = ffi.new('ThatchLightDef')
local out = ffi.new('ThatchLight[1]')
-- Each look at an array in a struct makes an object: once is enough.
local color, ground_color, direction, position = def.color, def.ground_color, def.direction, def.position
local M = {}

---@class thatch.Light
---@field scene thatch.Scene
local Light = {}
Light.__index = Light
M.Light = Light

local KINDS = {
  ambient = C.THATCH_LIGHT_AMBIENT, hemisphere = C.THATCH_LIGHT_HEMISPHERE,
  directional = C.THATCH_LIGHT_DIRECTIONAL, point = C.THATCH_LIGHT_POINT, spot = C.THATCH_LIGHT_SPOT,
}
local KEYS = check.set('kind color ground_color intensity direction position distance angle penumbra ' ..
  'casts_shadow sun_group name')

local function fill(where, fields)
  C.thatch_light_defaults(def)
  def.kind = check.choice(where, 'kind', fields.kind, KINDS)
  if fields.color ~= nil then check.vector(where, 'color', fields.color, 3, color) end
  if fields.ground_color ~= nil then check.vector(where, 'ground_color', fields.ground_color, 3, ground_color) end
  if fields.direction ~= nil then check.vector(where, 'direction', fields.direction, 3, direction) end
  if fields.position ~= nil then check.vector(where, 'position', fields.position, 3, position) end
  def.intensity = check.number(where, 'intensity', fields.intensity, def.intensity)
  def.distance_m = check.number(where, 'distance', fields.distance, def.distance_m)
  def.angle_rad = check.number(where, 'angle', fields.angle, def.angle_rad)
  def.penumbra = check.number(where, 'penumbra', fields.penumbra, def.penumbra)
  def.casts_shadow = check.boolean(where, 'casts_shadow', fields.casts_shadow, def.casts_shadow)
  def.sun_group = check.integer(where, 'sun_group', fields.sun_group, def.sun_group)
  if fields.name ~= nil then def.name = check.string(where, 'name', fields.name) end
end

--- Called by scene:light.
function M.create(scene, options)
  check.options('scene:light', options, KEYS)
  local fields = {}
  for key, value in pairs(options) do fields[key] = value end
  fill('scene:light', fields)
  lib.check(C.thatch_light_create(scene.id, def, out))
  return setmetatable({ id = out[0], scene = scene, fields = fields, spare = {} }, Light)
end

--- Changes some fields.
---@param options thatch.LightOptions
function Light:set(options)
  check.options('light:set', options, KEYS)
  local fields, before = self.spare, self.fields -- two tables in turns: a flickering lamp leaves no garbage
  for key in pairs(fields) do fields[key] = nil end -- of a call that was refused
  for key, value in pairs(before) do fields[key] = value end
  for key, value in pairs(options) do fields[key] = value end
  fill('light:set', fields)
  lib.check(C.thatch_light_set(self.id, def))
  self.fields, self.spare = fields, before
end

function Light:is_valid()
  return C.thatch_light_is_valid(self.id)
end

function Light:destroy()
  C.thatch_light_destroy(self.id)
  self.scene:forget_light(self)
end

function Light:__tostring()
  return ('thatch.Light(%08x %s)'):format(self.id, self.fields.kind)
end

return M
