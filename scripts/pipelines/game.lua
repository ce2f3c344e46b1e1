--- The game renderer: opaque surfaces through the visibility buffer, then sky, blended surfaces and water over them.
--- Copy this file, drop a stage, put one elsewhere, and start with --pipeline YOURS.lua.

-- How finely leaves and grass are drawn. detail_px: pixels that one covers before it is thinned.
local PLANTS = {
  fewest = { detail_px = 6, item_share_max = 0.25 },
  fewer = { detail_px = 3.5, item_share_max = 0.45 },
  many = { detail_px = 2, item_share_max = 0.75 },
  all = { detail_px = 1, item_share_max = 1 },
}

local shadows, gather, resolve = {}, {}, {} -- filled again each frame: a frame leaves no garbage

---@param frame thatch.Frame
---@param state table the scene's: scene, water, shadow, resolve
---@param camera thatch.Camera
---@param quality thatch.Quality
return function(frame, state, camera, quality)
  local place = state.shadow or {}
  shadows.shadows, shadows.size, shadows.filter = quality.shadows, quality.shadow_size, quality.shadow_filter
  shadows.center, shadows.radius, shadows.matrix = place.center, place.radius, place.matrix
  shadows.bias, shadows.bias_m = place.bias, place.bias_m
  shadows.focus, shadows.focus_radius = place.focus, place.focus_radius

  local plants = PLANTS[quality.plants]
  gather.detail_px, gather.item_share_max = plants.detail_px, plants.item_share_max
  gather.trilinear, gather.point_lights = quality.trilinear, quality.point_lights

  local given = state.resolve or {}
  resolve.tone, resolve.srgb, resolve.exposure = given.tone, given.srgb, given.exposure
  resolve.light = given.light or quality.light

  frame:shadow_maps(state.scene, camera, shadows)
  frame:gather(state.scene, camera, gather)
  frame:vertices()
  frame:setup()
  frame:bins()
  frame:raster()
  frame:resolve(resolve)
  frame:sky(quality.sky_step, resolve)
  frame:blend()
  if state.water then frame:water(state.water, quality.water_step, quality.water_refresh_every) end
  if quality.smooth_edges then frame:smooth() end
  frame:upscale(quality.upscale)
end
