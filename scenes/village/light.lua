--- The afternoon's light: a warm sun from the south-west, a cool sky, air that veils.
local maths = require('thatch.math')

local M = {}

M.sun_color = { 1.0, 0.925, 0.80 }
M.sun_intensity = 3.2
M.fog_color = { 0.49, 0.605, 0.75 }
M.fog_density = 0.0019
M.sky_color = { 0.66, 0.77, 1.0 }
M.ground_color = { 0.44, 0.40, 0.28 }
M.sky_intensity = 1.75

--- Towards the sun: 42 degrees high, from the south-west.
function M.sun_direction()
  local high, from = maths.cos(0.733), maths.sin(0.733)
  return { -0.72 * high, from, 0.694 * high }
end

---@param scene thatch.Scene
function M.build(scene)
  local lights = {}
  lights.sun = scene:light({
    kind = 'directional', name = 'sun', color = M.sun_color, intensity = M.sun_intensity,
      direction = M.sun_direction(),
    casts_shadow = true,
  })
  lights.sky = scene:light({
    kind = 'hemisphere', name = 'sky', color = M.sky_color, ground_color = M.ground_color, intensity = M.sky_intensity,
  })
  scene:set_fog({ color = M.fog_color, density = M.fog_density, sun_color = { 0.66, 0.66, 0.68 }, sun_share = 0.5 })
  scene:set_wind(0.8, -0.45, 1.0)
  return lights
end

return M
