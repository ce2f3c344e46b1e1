--- The hour: where the sun or the moon stands, what light comes from it and from the sky, what glows.
local maths = require('thatch.math')
local light = require('village.light')
local sky = require('village.sky')

local M = { DEFAULT = 14 }
local sin, cos = maths.sin, maths.cos

local RISE, SET = 6, 19.5

local function mix(a, b, t)
  return { a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t, a[3] + (b[3] - a[3]) * t }
end

--- The share of the day's light, 0..1, and how red the sun is.
function M.of(hour)
  local day = maths.smoothstep(RISE - 0.6, RISE + 1.1, hour) * (1 - maths.smoothstep(SET - 1.1, SET + 0.6, hour))
  local low = 1 - maths.smoothstep(0, 3.2, math.min(hour - RISE, SET - hour))
  return day, maths.clamp(low, 0, 1)
end

local function sun_direction(hour)
  local t = (hour - RISE) / (SET - RISE)
  local high = 0.765 * sin(3.14159265 * maths.clamp(t, 0.04, 0.96))
  local turn = (t - 0.59259) * 3.0
  local d = light.sun_direction()
  -- turned about y from where it stands at 14:00
  local c, s = cos(turn), sin(turn)
  local x, z = d[1] * c - d[3] * s, d[1] * s + d[3] * c
  local flat = cos(high) / maths.sqrt(x * x + z * z)
  return { x * flat, sin(high), z * flat }
end

local MOON = { 0.42, 0.62, 0.66 }

--- Sets the scene for an hour; nothing when it stands so already.
function M.set(state, hour)
  if state.hour == hour then return end
  state.hour = hour
  local day, low = M.of(hour)
  local moon = day < 0.12
  local direction = hour == M.DEFAULT and light.sun_direction() or moon and MOON or sun_direction(hour)
  local sun = mix(light.sun_color, { 1.0, 0.56, 0.28 }, low * 0.85)
  local level = light.sun_intensity * maths.smoothstep(0.1, 0.75, day) * (1 - 0.35 * low)
  if moon then sun, level = { 0.62, 0.74, 1.0 }, light.sun_intensity * 0.15 end
  state.lights.sun:set({ direction = direction, color = sun, intensity = level })
  local dusk = low * day
  state.lights.sky:set({
    color = mix(mix({ 0.10, 0.15, 0.30 }, light.sky_color, day), { 0.80, 0.62, 0.66 }, dusk * 0.5),
    ground_color = mix({ 0.05, 0.06, 0.09 }, light.ground_color, day), intensity = light.sky_intensity,
  })
  local fog = mix(mix({ 0.022, 0.036, 0.075 }, light.fog_color, day), { 0.78, 0.52, 0.42 }, dusk * 0.7)
  state.scene:set_fog({
    color = fog, density = light.fog_density, sun_color = mix(fog, { 0.95, 0.62, 0.40 }, 0.25 + 0.6 * dusk),
      sun_share = moon and 0 or 0.55,
  })
  if moon then
    state.night_sky = state.night_sky or sky.night()
    state.scene:set_background(state.night_sky, 1)
  else
    state.scene:set_background(state.day_sky, maths.clamp(0.06 + 0.94 * day, 0, 1))
  end
  local glow = 1 - maths.smoothstep(0.1, 0.6, day)
  local warm = maths.srgb('#FFC777')
  state.materials.glass:set({ emissive = warm, emissive_intensity = 0.85 * glow, opacity = 0.42 + 0.4 * glow })
  state.materials.pane:set({ emissive = warm, emissive_intensity = 0.8 * glow })
  state.materials.lamp:set({ emissive = warm, emissive_intensity = 2.6 * glow })
end

return M
