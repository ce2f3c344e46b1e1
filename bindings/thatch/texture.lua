--- Textures: pictures that materials read, and cubes for the sky.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C
local def = ffi.new('ThatchTextureDef')
local out = ffi.new('ThatchTexture[1]')
local numbers = ffi.new('int32_t[3]')
local rgba = ffi.new('float[4]')
local vectors = ffi.new('float[3][2]')
local keep = lib.kept
local shapes = setmetatable({}, { __mode = 'k' }) -- values and format of each texture, out of the scripts' reach
local M = {}

---@class thatch.Texture
local Texture = {}
Texture.__index = Texture

local WRAPS = { ['repeat'] = C.THATCH_WRAP_REPEAT, mirrored = C.THATCH_WRAP_MIRRORED, clamp = C.THATCH_WRAP_CLAMP }
local FORMATS = { rgba8 = C.THATCH_TEXELS_RGBA8, rgba32f = C.THATCH_TEXELS_RGBA32F }
local KEYS = check.set('width height texels format srgb wrap wrap_u wrap_v offset repeat_ rotation center')
local CUBE_KEYS = check.set('size texels format srgb')
local LOAD_KEYS = check.set('srgb wrap wrap_u wrap_v offset repeat_ rotation center')
local TRANSFORM_KEYS = check.set('offset repeat_ rotation center')

--- Texels of a whole texture, checked for length where it is known.
local function texels_of(where, value, format, need)
  local kind = format == C.THATCH_TEXELS_RGBA32F and 'float' or 'bytes'
  local pointer, count = check.array(where, 'texels', value, kind)
  if count and count < need then
    lib.fail('%s: texels has %d values, need %d (4 a texel)', where, count, need)
  end
  keep[1] = pointer
  return pointer
end

local function set_wraps(where, options)
  local both = check.choice(where, 'wrap', options.wrap, WRAPS, C.THATCH_WRAP_REPEAT)
  def.wrap_u = check.choice(where, 'wrap_u', options.wrap_u, WRAPS, both)
  def.wrap_v = check.choice(where, 'wrap_v', options.wrap_v, WRAPS, both)
  if options.offset then check.vector(where, 'offset', options.offset, 2, def.offset) end
  if options.repeat_ then check.vector(where, 'repeat_', options.repeat_, 2, def['repeat']) end
  if options.center then check.vector(where, 'center', options.center, 2, def.center) end
  def.rotation_rad = check.number(where, 'rotation', options.rotation, 0)
end

local function wrap_up(status, shape)
  keep[1] = nil
  lib.check(status)
  local id = out[0]
  local made = setmetatable({ id = id, owner = lib.owner(id, C.thatch_texture_destroy) }, Texture)
  shapes[made] = shape
  return made
end

--- A flat texture from RGBA texels, top row first.
---@param options thatch.TextureOptions
---@return thatch.Texture
function M.create(options)
  local where = 'texture.create'
  check.options(where, options, KEYS)
  C.thatch_texture_defaults(def)
  def.width = check.bits(where, 'width', options.width)
  def.height = check.bits(where, 'height', options.height)
  local format = check.choice(where, 'format', options.format, FORMATS, C.THATCH_TEXELS_RGBA8)
  local values = def.width * def.height * 4
  def.format = format
  def.texels = texels_of(where, options.texels, format, values)
  def.srgb = check.boolean(where, 'srgb', options.srgb, true)
  set_wraps(where, options)
  return wrap_up(C.thatch_texture_create(def, out), { values = values, format = format })
end

--- A cube from six square faces: +x -x +y -y +z -z, seen from inside.
---@param options thatch.CubeOptions
---@return thatch.Texture
function M.create_cube(options)
  local where = 'texture.create_cube'
  check.options(where, options, CUBE_KEYS)
  C.thatch_texture_defaults(def)
  local size = check.bits(where, 'size', options.size)
  local format = check.choice(where, 'format', options.format, FORMATS, C.THATCH_TEXELS_RGBA8)
  local values = size * size * 24
  def.width, def.height, def.faces, def.format = size, size, 6, format
  def.texels = texels_of(where, options.texels, format, values)
  def.srgb = check.boolean(where, 'srgb', options.srgb, true)
  def.wrap_u, def.wrap_v = C.THATCH_WRAP_CLAMP, C.THATCH_WRAP_CLAMP
  return wrap_up(C.thatch_texture_create(def, out), { values = values, format = format })
end

--- Reads a picture's file as a texture; nil and a message when it can't be read.
---@return thatch.Texture?
---@return string? message
function M.try_load(path, options)
  local where = 'texture.load'
  check.string(where, 'path', path)
  options = options or {}
  check.options(where, options, LOAD_KEYS)
  local image, message = require('thatch.image').try_load(path)
  if not image then return nil, message end
  C.thatch_texture_defaults(def)
  def.width, def.height, def.texels = image.width, image.height, image.texels
  def.srgb = check.boolean(where, 'srgb', options.srgb, true)
  set_wraps(where, options)
  keep[1] = image.texels
  local status = C.thatch_texture_create(def, out)
  if status ~= 0 then
    keep[1] = nil
    return nil, path .. ': ' .. lib.last_error()
  end
  return wrap_up(status, { values = image.width * image.height * 4, format = C.THATCH_TEXELS_RGBA8 })
end

---@return thatch.Texture
function M.load(path, options)
  local texture, message = M.try_load(path, options)
  if not texture then lib.fail('texture.load: %s', message) end
  return texture
end

--- New texels of the same size and format. The levels are made again after forget_maps.
function Texture:update(texels)
  local shape = shapes[self]
  if not shape then lib.fail('texture.update: self is %s, need a texture', check.show(self)) end
  local pointer = texels_of('texture.update', texels, shape.format, shape.values)
  local status = C.thatch_texture_update(self.id, pointer)
  keep[1] = nil
  lib.check(status)
end

function Texture:set_wrap(u, v)
  u = check.choice('texture.set_wrap', 'u', u, WRAPS)
  lib.check(C.thatch_texture_set_wrap(self.id, u, check.choice('texture.set_wrap', 'v', v, WRAPS, u)))
end

--- Offset, repeat, rotation and centre of the coordinates, as in three.js.
function Texture:set_transform(options)
  local where = 'texture.set_transform'
  check.options(where, options, TRANSFORM_KEYS)
  check.vector(where, 'offset', options.offset or { 0, 0 }, 2, vectors[0])
  check.vector(where, 'repeat_', options.repeat_ or { 1, 1 }, 2, vectors[1])
  check.vector(where, 'center', options.center or { 0, 0 }, 2, vectors[2])
  lib.check(C.thatch_texture_set_transform(self.id, vectors[0], vectors[1],
    check.number(where, 'rotation', options.rotation, 0), vectors[2]))
end

--- Makes the levels again when it is next drawn.
function Texture:forget_maps()
  lib.check(C.thatch_texture_forget_maps(self.id))
end

--- Makes the levels of every texture again.
function M.forget_maps()
  lib.check(C.thatch_texture_forget_maps(0))
end

--- The linear colour at a place, as resolve reads it.
---@return number r
---@return number g
---@return number b
---@return number a
function Texture:sample(u, v, level)
  lib.check(C.thatch_texture_sample(self.id, check.number('texture.sample', 'u', u),
    check.number('texture.sample', 'v', v), check.integer('texture.sample', 'level', level, 0), rgba))
  return rgba[0], rgba[1], rgba[2], rgba[3]
end

---@return integer width
---@return integer height
---@return integer levels
function Texture:size()
  lib.check(C.thatch_texture_size(self.id, numbers, numbers + 1, numbers + 2))
  return numbers[0], numbers[1], numbers[2]
end

function Texture:is_valid()
  return C.thatch_texture_is_valid(self.id)
end

function Texture:destroy()
  C.thatch_texture_destroy(self.id)
  lib.disown(self.owner)
  self.owner = nil
end

function Texture:__tostring()
  return ('thatch.Texture(%08x)'):format(self.id)
end

M.Texture = Texture
return M
