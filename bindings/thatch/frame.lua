--- Frames: the picture being drawn, and the stages that draw it. Each stage is one call into the runtime.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')
local camera = require('thatch.camera')
local scene = require('thatch.scene')
local water = require('thatch.water')

local C = lib.C
local out = ffi.new('ThatchFrame[1]')
local sizes = ffi.new('int32_t[4]')
local shadow, sun_matrix = ffi.new('ThatchShadowOptions'), ffi.new('float[16]')
local gather = ffi.new('ThatchGatherOptions')
local resolve = ffi.new('ThatchResolveOptions')
local timings = ffi.new('ThatchTimings')
local stats = ffi.new('ThatchStats')
local digest = ffi.new('uint8_t[16]')
local depth = ffi.new('float[1]')
local M = {}

---@class thatch.Frame
---@field timings table<string, number> ms a stage, of the last frame; a fresh table at each read
---@field stats table<string, number> counts of the last frame; a fresh table at each read
local Frame = {}

local SHADOWS = {
  none = C.THATCH_SHADOWS_NONE, still = C.THATCH_SHADOWS_STILL, cached = C.THATCH_SHADOWS_CACHED,
  full = C.THATCH_SHADOWS_FULL,
}
local TONES = { none = C.THATCH_TONE_NONE, aces = C.THATCH_TONE_ACES }
local LIGHTS = { vertex = 0, pixel = 1 }
local UPSCALES = { bilinear = C.THATCH_UPSCALE_BILINEAR, sharp = C.THATCH_UPSCALE_SHARP }
local SHADOW_KEYS = check.set('shadows size filter center radius focus focus_radius bias bias_m matrix')
local GATHER_KEYS = check.set('detail_px item_share_max min_px pixel_maps trilinear point_lights')
local RESOLVE_KEYS = check.set('tone srgb exposure light')
local CREATE_KEYS = check.set('width height render_scale')

---@type string[] the stages' names, in the order of the timings
M.stages = {}
for i = 0, C.THATCH_STAGE_COUNT - 1 do M.stages[i + 1] = ffi.string(C.thatch_stage_name(i)) end
---@type string[] the counts of frame.stats
M.counts = {
  'parts', 'parts_culled', 'triangles_in', 'triangles_setup', 'triangles_clipped', 'triangles_binned',
  'triangles_dropped', 'tile_references', 'blades', 'shadow_triangles', 'pixels_tested', 'pixels_shaded',
}

--- width and height of the window; the frame is drawn at render_scale of it.
---@param options { width: integer, height: integer, render_scale?: number }
---@return thatch.Frame
function M.create(options)
  local where = 'frame.create'
  check.options(where, options, CREATE_KEYS)
  lib.check(C.thatch_frame_create(check.integer(where, 'width', options.width),
    check.integer(where, 'height', options.height), check.number(where, 'render_scale', options.render_scale, 1), out))
  local id = out[0]
  return setmetatable({ id = id, owner = lib.owner(id, C.thatch_frame_destroy) }, Frame)
end

function Frame:resize(width, height, render_scale)
  local where = 'frame:resize'
  lib.check(C.thatch_frame_resize(self.id, check.integer(where, 'width', width),
    check.integer(where, 'height', height), check.number(where, 'render_scale', render_scale, 1)))
end

---@return integer width of the frame
---@return integer height
---@return integer window_width
---@return integer window_height
function Frame:size()
  lib.check(C.thatch_frame_size(self.id, sizes, sizes + 1, sizes + 2, sizes + 3))
  return sizes[0], sizes[1], sizes[2], sizes[3]
end

--- Opens frame `number` at time_s. Everything in the picture is a function of the scene and these two.
function Frame:begin(number, time_s)
  lib.check(C.thatch_frame_begin(self.id, check.integer('frame:begin', 'number', number),
    check.number('frame:begin', 'time_s', time_s)))
end

local function scene_id(where, value)
  return check.object(where, 'scene', value, scene.Scene, 'scene').id
end

local function camera_id(where, value)
  return check.object(where, 'camera', value, camera.Camera, 'camera').id
end

--- Draws the sun's shadow maps. What is left out has the runtime's default.
---@param options? thatch.ShadowOptions
function Frame:shadow_maps(in_scene, by_camera, options)
  local where = 'frame:shadow_maps'
  C.thatch_shadow_options_defaults(shadow)
  if options ~= nil then
    check.options(where, options, SHADOW_KEYS)
    shadow.shadows = check.choice(where, 'shadows', options.shadows, SHADOWS, shadow.shadows)
    shadow.size = check.integer(where, 'size', options.size, shadow.size)
    shadow.filter = check.integer(where, 'filter', options.filter, shadow.filter)
    if options.center ~= nil then check.vector(where, 'center', options.center, 3, shadow.center) end
    if options.focus ~= nil then check.vector(where, 'focus', options.focus, 3, shadow.focus) end
    shadow.radius_m = check.number(where, 'radius', options.radius, shadow.radius_m)
    shadow.focus_radius_m = check.number(where, 'focus_radius', options.focus_radius, shadow.focus_radius_m)
    shadow.bias = check.number(where, 'bias', options.bias, shadow.bias)
    shadow.bias_m = check.number(where, 'bias_m', options.bias_m, shadow.bias_m)
    if options.matrix ~= nil then shadow.matrix = check.vector(where, 'matrix', options.matrix, 16, sun_matrix) end
  end
  lib.check(C.thatch_frame_shadow_maps(lib.enter(self.id), scene_id(where, in_scene), camera_id(where, by_camera),
    shadow))
end

--- Draws the still shadow map again at the next frame.
function Frame:refresh_shadows()
  lib.check(C.thatch_frame_refresh_shadows(self.id))
end

--- Finds the meshes that the camera sees, and how finely each is drawn.
---@param options? thatch.GatherOptions
function Frame:gather(in_scene, by_camera, options)
  local where = 'frame:gather'
  C.thatch_gather_options_defaults(gather)
  if options ~= nil then
    check.options(where, options, GATHER_KEYS)
    gather.detail_px = check.number(where, 'detail_px', options.detail_px, gather.detail_px)
    gather.item_share_max = check.number(where, 'item_share_max', options.item_share_max, gather.item_share_max)
    gather.min_px = check.number(where, 'min_px', options.min_px, gather.min_px)
    gather.point_lights = check.bits(where, 'point_lights', options.point_lights, gather.point_lights)
    gather.pixel_maps = check.boolean(where, 'pixel_maps', options.pixel_maps, gather.pixel_maps)
    gather.trilinear = check.boolean(where, 'trilinear', options.trilinear, gather.trilinear)
  end
  lib.check(C.thatch_frame_gather(lib.enter(self.id), scene_id(where, in_scene), camera_id(where, by_camera), gather))
end

function Frame:vertices() lib.check(C.thatch_frame_vertices(lib.enter(self.id))) end

function Frame:setup() lib.check(C.thatch_frame_setup(lib.enter(self.id))) end

function Frame:bins() lib.check(C.thatch_frame_bins(lib.enter(self.id))) end

function Frame:raster() lib.check(C.thatch_frame_raster(lib.enter(self.id))) end

local function resolve_options(where, options)
  C.thatch_resolve_options_defaults(resolve)
  if options ~= nil then
    check.options(where, options, RESOLVE_KEYS)
    resolve.tone = check.choice(where, 'tone', options.tone, TONES, resolve.tone)
    resolve.srgb = check.boolean(where, 'srgb', options.srgb, resolve.srgb)
    resolve.pixel_light = check.choice(where, 'light', options.light, LIGHTS, LIGHTS.vertex) == LIGHTS.pixel
    resolve.exposure = check.number(where, 'exposure', options.exposure, resolve.exposure)
  end
  return resolve
end

--- Lights, fogs, tones and encodes each pixel that the raster left.
---@param options? thatch.ResolveOptions
function Frame:resolve(options)
  lib.check(C.thatch_frame_resolve(lib.enter(self.id), resolve_options('frame:resolve', options)))
end

--- The sky behind everything, sampled each `step` pixels.
---@param step integer
---@param options? thatch.ResolveOptions the same as resolve's
function Frame:sky(step, options)
  lib.check(C.thatch_frame_sky(lib.enter(self.id), check.integer('frame:sky', 'step', step, 1),
    resolve_options('frame:sky', options)))
end

--- Blended surfaces, far to near.
function Frame:blend() lib.check(C.thatch_frame_blend(lib.enter(self.id))) end

--- Water, shaded each `step` pixels; its surface is found again each `refresh_every` frames.
---@param on thatch.Water
function Frame:water(on, step, refresh_every)
  local where = 'frame:water'
  lib.check(C.thatch_frame_water(lib.enter(self.id), check.object(where, 'water', on, water.Water, 'water').id,
    check.integer(where, 'step', step, 1), check.integer(where, 'refresh_every', refresh_every, 1)))
end

--- Smooths the stair steps along edges.
function Frame:smooth() lib.check(C.thatch_frame_smooth(lib.enter(self.id))) end

--- Stretches the frame to the window.
---@param mode? 'bilinear'|'sharp'
function Frame:upscale(mode)
  lib.check(C.thatch_frame_upscale(lib.enter(self.id),
    check.choice('frame:upscale', 'mode', mode, UPSCALES, C.THATCH_UPSCALE_BILINEAR)))
end

--- The picture: RGBA bytes, top row first. Valid until the next stage, resize or destroy.
---@return ffi.cdata* pixels
---@return integer width
---@return integer height
function Frame:pixels()
  local pixels = C.thatch_frame_pixels(self.id, sizes, sizes + 1)
  if pixels == nil then lib.check(C.THATCH_ERROR_ORDER) end
  return pixels, sizes[0], sizes[1]
end

--- The picture, to be drawn over after the last stage.
---@return ffi.cdata* pixels
---@return integer width
---@return integer height
function Frame:canvas()
  local pixels = C.thatch_frame_canvas(self.id, sizes, sizes + 1)
  if pixels == nil then lib.check(C.THATCH_ERROR_ORDER) end
  return pixels, sizes[0], sizes[1]
end

--- Metres along the view at a pixel of the frame; math.huge where nothing was drawn.
function Frame:depth(x, y)
  lib.check(C.thatch_frame_depth(self.id, check.integer('frame:depth', 'x', x),
    check.integer('frame:depth', 'y', y), depth))
  return depth[0]
end

--- XXH3-128 over the picture's RGBA.
---@return string 32 hex digits
function Frame:hash()
  lib.check(C.thatch_frame_hash(self.id, digest))
  return M.hex(digest)
end

--- Writes the picture as PNG, or as JPEG by the name's ending.
function Frame:save(path)
  check.string('frame:save', 'path', path)
  local pixels, width, height = self:pixels()
  lib.check(C.thatch_image_write(path, pixels, width, height))
end

--- Refills a table with the ms of each stage.
---@param t table<string, number>
function Frame:read_timings(t)
  check.table('frame:read_timings', 't', t)
  lib.check(C.thatch_frame_timings(self.id, timings))
  for i = 1, #M.stages do t[M.stages[i]] = timings.ms[i - 1] end
  return t
end

--- Refills a table with the counts.
---@param t table<string, number>
function Frame:read_stats(t)
  check.table('frame:read_stats', 't', t)
  lib.check(C.thatch_frame_stats(self.id, stats))
  for i = 1, #M.counts do t[M.counts[i]] = stats[M.counts[i]] end
  return t
end

function Frame:is_valid()
  return C.thatch_frame_is_valid(self.id)
end

function Frame:destroy()
  C.thatch_frame_destroy(self.id)
  lib.disown(self.owner)
  self.owner = nil
end

function Frame.__index(self, key)
  if key == 'timings' then return Frame.read_timings(self, {}) end
  if key == 'stats' then return Frame.read_stats(self, {}) end
  return Frame[key]
end

function Frame:__tostring()
  return ('thatch.Frame(%08x)'):format(self.id)
end

--- 16 bytes as 32 hex digits.
function M.hex(bytes)
  local digits = {}
  for i = 0, 15 do digits[i + 1] = ('%02x'):format(bytes[i]) end
  return table.concat(digits)
end

M.Frame = Frame
return M
