---@meta
-- luacheck: ignore

---@class thatch.Quality
---@field name string
---@field source? string the file
---@field render_scale number 0.25..1
---@field plants 'fewest'|'fewer'|'many'|'all'
---@field grass_wind_every integer frames, 0..60
---@field sky_step integer pixels, 1..32
---@field water_step integer pixels, 1..64
---@field water_refresh_every integer frames, 1..60
---@field animal_coarseness number 1..8
---@field shadows 'none'|'still'|'cached'|'full'
---@field shadow_size integer texels, 256..8192, a power of two
---@field shadow_filter 2|4
---@field upscale 'bilinear'|'sharp'
---@field smooth_edges boolean
---@field trilinear boolean
---@field light 'vertex'|'pixel' what is lit: the corners of each triangle, or each pixel
---@field point_lights integer 0..32, the nearest lamps that light
---@field critters integer 0..200, fireflies or butterflies
---@field rain_streaks integer 0..8000
---@field rain_rings integer 0..60

---@class thatch.quality
---@field presets string[]
---@field keys string[]
local quality = {}
---@param name string
---@return thatch.Quality
function quality.load(name) end
---@param name string
---@return thatch.Quality? quality
---@return string? message
function quality.try_load(name) end
---@param t table
---@param source? string
---@return thatch.Quality
function quality.check(t, source) end

---@class thatch.ShadowOptions
---@field shadows? 'none'|'still'|'cached'|'full'
---@field size? integer
---@field filter? 2|4
---@field center? number[]
---@field radius? number
---@field focus? number[]
---@field focus_radius? number
---@field bias? number texels, by the surface's slope
---@field bias_m? number metres, everywhere
---@field matrix? number[] one's own clip matrix of the still map

---@class thatch.GatherOptions
---@field detail_px? number
---@field item_share_max? number
---@field min_px? number
---@field point_lights? integer 0..32, the nearest lamps that light; 32
---@field pixel_maps? boolean
---@field trilinear? boolean

---@class thatch.ResolveOptions
---@field tone? 'none'|'aces'
---@field srgb? boolean
---@field exposure? number
---@field light? 'vertex'|'pixel' found at the corners of triangles, or at each pixel with highlights

---@class thatch.Frame
---@field id integer
---@field timings table<string, number> ms
---@field stats table<string, number>
local Frame = {}
---@param width integer
---@param height integer
---@param render_scale? number
function Frame:resize(width, height, render_scale) end
---@return integer width
---@return integer height
---@return integer window_width
---@return integer window_height
function Frame:size() end
---@param number integer
---@param time_s number
function Frame:begin(number, time_s) end
---@param scene thatch.Scene
---@param camera thatch.Camera
---@param options? thatch.ShadowOptions
function Frame:shadow_maps(scene, camera, options) end
function Frame:refresh_shadows() end
---@param scene thatch.Scene
---@param camera thatch.Camera
---@param options? thatch.GatherOptions
function Frame:gather(scene, camera, options) end
function Frame:vertices() end
function Frame:setup() end
function Frame:bins() end
function Frame:raster() end
---@param options? thatch.ResolveOptions
function Frame:resolve(options) end
---@param step? integer
---@param options? thatch.ResolveOptions
function Frame:sky(step, options) end
function Frame:blend() end
---@param water thatch.Water
---@param step? integer
---@param refresh_every? integer
function Frame:water(water, step, refresh_every) end
function Frame:smooth() end
---@param mode? 'bilinear'|'sharp'
function Frame:upscale(mode) end
---@return ffi.cdata* pixels
---@return integer width
---@return integer height
function Frame:pixels() end
---@return ffi.cdata* pixels
---@return integer width
---@return integer height
function Frame:canvas() end
---@param x integer
---@param y integer
---@return number metres
function Frame:depth(x, y) end
---@return string
function Frame:hash() end
---@param path string
function Frame:save(path) end
---@param t table<string, number>
---@return table<string, number>
function Frame:read_timings(t) end
---@param t table<string, number>
---@return table<string, number>
function Frame:read_stats(t) end
---@return boolean
function Frame:is_valid() end
function Frame:destroy() end

---@class thatch.frame
---@field stages string[]
---@field counts string[]
local frame = {}
---@param options { width: integer, height: integer, render_scale?: number }
---@return thatch.Frame
function frame.create(options) end
