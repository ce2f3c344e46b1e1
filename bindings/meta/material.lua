---@meta
-- luacheck: ignore

---@alias thatch.Wrap 'repeat'|'mirrored'|'clamp'
---@alias thatch.Color number[] linear r g b

---@class thatch.TextureTransform
---@field offset? number[] u v
---@field repeat_? number[] u v
---@field rotation? number radians
---@field center? number[] u v

---@class thatch.TextureOptions: thatch.TextureTransform
---@field width integer
---@field height integer
---@field texels integer[]|thatch.Buffer|ffi.cdata* rgba, top row first
---@field format? 'rgba8'|'rgba32f'
---@field srgb? boolean true
---@field wrap? thatch.Wrap 'repeat'
---@field wrap_u? thatch.Wrap
---@field wrap_v? thatch.Wrap

---@class thatch.CubeOptions
---@field size integer
---@field texels integer[]|thatch.Buffer|ffi.cdata* six faces: +x -x +y -y +z -z, seen from inside
---@field format? 'rgba8'|'rgba32f'
---@field srgb? boolean

---@class thatch.LoadOptions: thatch.TextureTransform
---@field srgb? boolean
---@field wrap? thatch.Wrap
---@field wrap_u? thatch.Wrap
---@field wrap_v? thatch.Wrap

---@class thatch.Texture
---@field id integer
local Texture = {}
function Texture:update(texels) end
---@param u thatch.Wrap
---@param v? thatch.Wrap
function Texture:set_wrap(u, v) end
---@param options thatch.TextureTransform
function Texture:set_transform(options) end
function Texture:forget_maps() end
---@param u number
---@param v number
---@param level? integer
---@return number r
---@return number g
---@return number b
---@return number a
function Texture:sample(u, v, level) end
---@return integer width
---@return integer height
---@return integer levels
function Texture:size() end
---@return boolean
function Texture:is_valid() end
function Texture:destroy() end

---@class thatch.texture
local texture = {}
---@param options thatch.TextureOptions
---@return thatch.Texture
function texture.create(options) end
---@param options thatch.CubeOptions
---@return thatch.Texture
function texture.create_cube(options) end
---@param path string
---@param options? thatch.LoadOptions
---@return thatch.Texture
function texture.load(path, options) end
---@param path string
---@param options? thatch.LoadOptions
---@return thatch.Texture? texture
---@return string? message
function texture.try_load(path, options) end
function texture.forget_maps() end

---@class thatch.MaterialOptions
---@field kind? 'basic'|'lambert'|'phong'|'standard'|'physical' 'lambert'
---@field color? thatch.Color
---@field opacity? number 0..1
---@field emissive? thatch.Color
---@field emissive_intensity? number
---@field specular? thatch.Color phong
---@field shininess? number phong
---@field roughness? number
---@field metalness? number
---@field alpha? 'opaque'|'mask'|'blend'
---@field alpha_cutoff? number mask
---@field map? thatch.Texture|false
---@field emissive_map? thatch.Texture|false times emissive
---@field vertex_colors? boolean true
---@field two_sided? boolean false
---@field visible? boolean true
---@field shading? string|false a registered shading
---@field name? string for messages

---@class thatch.Material
---@field id integer
local Material = {}
---@param options thatch.MaterialOptions
function Material:set(options) end
---@return thatch.MaterialOptions
function Material:get() end
---@return boolean
function Material:is_valid() end
function Material:destroy() end

---@class thatch.material
local material = {}
---@param options? thatch.MaterialOptions
---@return thatch.Material
function material.create(options) end

---@class thatch.Sway
---@field amplitude_m? number
---@field frequency_hz? number
---@field weight? 'sway'
---@field every? integer frames

---@class thatch.ShadingOptions
---@field back_faces? 'as_front'
---@field baked_sun? 'sun'
---@field baked_sky? 'sky'
---@field sway? thatch.Sway

---@class thatch.shading
local shading = {}
---@param name string
---@param options thatch.ShadingOptions
function shading.register(name, options) end
---@param name string
function shading.remove(name) end
---@return string[]
function shading.list() end
---@param name string
---@return thatch.ShadingOptions
function shading.describe(name) end
