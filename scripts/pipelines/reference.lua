--- The per-pixel reference: the game renderer's stages with every coarse step taken out. Each pixel is lit with its
--- own normal and highlight, shadows are filtered over four taps a side and drawn anew in each frame, sky and water
--- are shaded at each pixel, and with SAMPLES = 2 four pixels are drawn for each that is shown. Slow, and right: what
--- the game pipeline is held against.

local SAMPLES = 2 -- pixels drawn a side of each pixel shown: 1 or 2

local shadows, gather, resolve = {}, {}, {}

---@param frame thatch.Frame
---@param state table the scene's: scene, water, shadow, resolve
---@param camera thatch.Camera
---@param quality thatch.Quality only shadow_size is read
return function(frame, state, camera, quality)
  local width, height, window_width, window_height = frame:size()
  if width ~= window_width * SAMPLES or height ~= window_height * SAMPLES then
    frame:resize(window_width, window_height, SAMPLES)
  end
  local place = state.shadow or {}
  shadows.shadows, shadows.size, shadows.filter = 'full', math.max(quality.shadow_size, 4096), 4
  shadows.center, shadows.radius, shadows.matrix = place.center, place.radius, place.matrix
  shadows.bias, shadows.bias_m = place.bias, place.bias_m
  shadows.focus, shadows.focus_radius = place.focus, place.focus_radius
  gather.detail_px, gather.item_share_max, gather.min_px, gather.trilinear = 0.5, 1, 0, true
  local given = state.resolve or {}
  resolve.tone, resolve.srgb, resolve.exposure, resolve.light = given.tone, given.srgb, given.exposure, 'pixel'

  frame:shadow_maps(state.scene, camera, shadows)
  frame:gather(state.scene, camera, gather)
  frame:vertices()
  frame:setup()
  frame:bins()
  frame:raster()
  frame:resolve(resolve)
  frame:sky(1, resolve)
  frame:blend()
  if state.water then frame:water(state.water, 1, 1) end
  frame:upscale('bilinear') -- the mean of the samples
end
