--- Materials: what a surface is made of.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')
local texture = require('thatch.texture')

local C = lib.C
local def = ffi.new('ThatchMaterialDef')
local out = ffi.new('ThatchMaterial[1]')
local M = {}

---@class thatch.Material
local Material = {}
Material.__index = Material

local KINDS = {
  basic = C.THATCH_MATERIAL_BASIC, lambert = C.THATCH_MATERIAL_LAMBERT, phong = C.THATCH_MATERIAL_PHONG,
  standard = C.THATCH_MATERIAL_STANDARD, physical = C.THATCH_MATERIAL_PHYSICAL,
}
local ALPHAS = { opaque = C.THATCH_ALPHA_OPAQUE, mask = C.THATCH_ALPHA_MASK, blend = C.THATCH_ALPHA_BLEND }
local KEYS = check.set('kind color opacity emissive emissive_intensity specular shininess roughness metalness alpha ' ..
  'alpha_cutoff map emissive_map vertex_colors two_sided visible shading name')
local VECTORS = { 'color', 'emissive', 'specular' }
local NUMBERS = { 'opacity', 'emissive_intensity', 'shininess', 'roughness', 'metalness', 'alpha_cutoff' }
local MAPS = { 'map', 'emissive_map' }
local BOOLEANS = { 'vertex_colors', 'two_sided', 'visible' }

--- Puts an object's fields over the defaults. The fields are whole: a set merges before it comes here.
local function fill(where, fields)
  C.thatch_material_defaults(def)
  if fields.kind ~= nil then def.kind = check.choice(where, 'kind', fields.kind, KINDS) end
  if fields.alpha ~= nil then def.alpha_mode = check.choice(where, 'alpha', fields.alpha, ALPHAS) end
  for _, key in ipairs(VECTORS) do
    if fields[key] ~= nil then check.vector(where, key, fields[key], 3, def[key]) end
  end
  for _, key in ipairs(NUMBERS) do
    if fields[key] ~= nil then def[key] = check.number(where, key, fields[key]) end
  end
  for _, key in ipairs(BOOLEANS) do
    if fields[key] ~= nil then def[key] = check.boolean(where, key, fields[key]) end
  end
  for _, key in ipairs(MAPS) do
    if fields[key] then def[key] = check.object(where, key, fields[key], texture.Texture, 'texture').id end
  end
  if fields.shading ~= nil then def.shading = check.string(where, 'shading', fields.shading) end
  if fields.name ~= nil then def.name = check.string(where, 'name', fields.name) end
end

local function copy(options)
  local fields = {}
  for key, value in pairs(options) do fields[key] = value end
  return fields
end

--- Makes a material. It keeps its maps alive.
---@param options? thatch.MaterialOptions
---@return thatch.Material
function M.create(options)
  options = options == nil and {} or options
  check.options('material.create', options, KEYS)
  local fields = copy(options)
  fill('material.create', fields)
  lib.check(C.thatch_material_create(def, out))
  local id = out[0]
  return setmetatable({ id = id, fields = fields, owner = lib.owner(id, C.thatch_material_destroy) }, Material)
end

--- Changes some fields; `map = false` takes the map away, `emissive_map = false` the other.
---@param options thatch.MaterialOptions
function Material:set(options)
  check.options('material.set', options, KEYS)
  local fields = copy(self.fields)
  for key, value in pairs(options) do fields[key] = value end
  for _, key in ipairs(MAPS) do
    if fields[key] == false then fields[key] = nil end
  end
  if fields.shading == false then fields.shading = nil end
  fill('material.set', fields)
  lib.check(C.thatch_material_set(self.id, def))
  self.fields = fields
end

local function word_of(choices, number)
  for word, value in pairs(choices) do
    if value == number then return word end
  end
end

--- All fields as the runtime holds them.
---@return thatch.MaterialOptions
function Material:get()
  lib.check(C.thatch_material_get(self.id, def))
  local fields = { kind = word_of(KINDS, def.kind), alpha = word_of(ALPHAS, def.alpha_mode) }
  for _, key in ipairs(MAPS) do fields[key] = self.fields[key] end
  for _, key in ipairs(VECTORS) do fields[key] = { def[key][0], def[key][1], def[key][2] } end
  for _, key in ipairs(NUMBERS) do fields[key] = def[key] end
  for _, key in ipairs(BOOLEANS) do fields[key] = def[key] end
  if def.shading ~= nil then fields.shading = ffi.string(def.shading) end
  fields.name = def.name ~= nil and ffi.string(def.name) or ''
  return fields
end

function Material:is_valid()
  return C.thatch_material_is_valid(self.id)
end

function Material:destroy()
  C.thatch_material_destroy(self.id)
  lib.disown(self.owner)
  self.owner = nil
end

function Material:__tostring()
  return ('thatch.Material(%08x)'):format(self.id)
end

M.Material = Material
return M
