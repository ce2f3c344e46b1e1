--- The hour and the weather: where the sun or the moon stands, what light comes from it and from the sky, what glows,
--- what is wet.
local maths = require('thatch.math')
local light = require('village.light')
local sky = require('village.sky')
local terrain = require('village.terrain')

local M = { DEFAULT = 14, WEATHERS = { 'clear', 'overcast', 'rain' } }
local sin, cos = maths.sin, maths.cos

local RISE, SET = 6, 19.5
local TURN = 0.4 -- hours after sunset: then the moon takes the sun's place

-- cloud: share of the sun that clouds take; wet: how dark the ground gets; wind, and the haze's density
local WEATHER = {
  clear = { cloud = 0, wet = 0, wind = 1.0, fog = 1 },
  overcast = { cloud = 0.9, wet = 0, wind = 1.5, fog = 1.35 },
  rain = { cloud = 0.96, wet = 1, wind = 2.3, fog = 2.1 },
}

-- What gets darker with rain, and by how much.
local WET = {
  ground = 0.60, rock = 0.66, cliff = 0.70, roof_tile = 0.70, slate = 0.66, thatch = 0.66, planks = 0.76,
  fieldstone = 0.80, pebbles = 0.85, hill = 0.85, brick = 0.84,
}
local WET_ORDER = { 'ground', 'rock', 'cliff', 'roof_tile', 'slate', 'thatch', 'planks', 'fieldstone', 'pebbles',
  'hill', 'brick' }

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
  if hour == M.DEFAULT then return light.sun_direction() end
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

--- Towards the moon: it rises as the sun sets and crosses the south by the morning.
function M.moon_direction(hour)
  local since = hour >= 12 and hour - SET or hour + 24 - SET
  local high = 0.42 + 0.40 * sin(3.14159265 * maths.clamp(since / 10.5, 0, 1))
  local turn = 0.57 + 0.11 * since
  return { cos(high) * cos(turn), sin(high), cos(high) * sin(turn) }
end

-- The cube for an hour and a weather, and how bright; made when first asked for, for steps of the sun's way.
local function background(state, hour, past, day, cloud)
  local skies = state.skies
  local function once(key, make)
    if not skies[key] then skies[key] = make() end
    return skies[key]
  end
  if cloud > 0 then return once('grey', sky.overcast), 0.045 + (0.89 - 0.22 * (cloud > 0.95 and 1 or 0)) * day end
  if past > 0.95 then return once('night', sky.night), 1 end
  if past < -1.3 then
    if hour > 13 and hour < 15 then return state.day_sky, 1 end
    local whole = maths.floor(hour + 0.5)
    return once('day ' .. whole, function() return sky.build(208, sun_direction(whole)) end), 1
  end
  local step = maths.floor(past * 5 + 0.5) / 5
  local morning = hour < 12
  return once((morning and 'dawn ' or 'dusk ') .. step, function()
    return sky.twilight(step, sun_direction(morning and RISE - step or SET + step))
  end), 1
end

local function set_wet(state, wet)
  if state.wet == wet then return end
  state.wet = wet
  for i = 1, #WET_ORDER do
    local name = WET_ORDER[i]
    local v = 1 + (WET[name] - 1) * wet
    state.materials[name]:set({ color = { v, v, v * (1 + 0.03 * wet) } })
  end
end

--- Sets the scene for an hour and a weather; nothing when it stands so already.
function M.set(state, hour, weather)
  hour = hour % 24
  local w = WEATHER[weather] or WEATHER.clear
  if state.hour == hour and state.weather == weather then return end
  state.hour, state.weather = hour, weather
  local day, low = M.of(hour)
  -- hours after sunset or before sunrise, the nearer of the two; negative by day
  local past = hour < 12 and RISE - hour or hour - SET
  local moon = past > TURN
  local cloud = w.cloud
  local dusk = low * (1 - maths.smoothstep(0.1, 0.95, past)) * (1 - cloud)
  state.lights.sun:set({
    direction = moon and M.moon_direction(hour) or sun_direction(hour),
    color = moon and { 0.60, 0.77, 1.0 } or mix(light.sun_color, { 1.0, 0.56, 0.28 }, low * 0.85),
    intensity = (moon and light.sun_intensity * 0.15 * maths.smoothstep(TURN, TURN + 0.6, past)
      or light.sun_intensity * maths.smoothstep(TURN, -0.9, past) * (1 - 0.25 * low)) * (1 - cloud),
  })
  state.lights.sky:set({
    color = mix(mix(mix({ 0.20, 0.32, 0.60 }, light.sky_color, day), { 0.74, 0.58, 0.72 }, dusk * 0.45 * day),
      { 0.68 * day + 0.16, 0.70 * day + 0.22, 0.72 * day + 0.36 }, cloud),
    ground_color = mix({ 0.09, 0.13, 0.19 }, light.ground_color, day),
    intensity = light.sky_intensity * (1 + 0.12 * cloud * day),
  })
  local fog, sun_fog = light.fog_color, { 0.66, 0.66, 0.68 }
  if past > -1.3 then
    local r, g, b = sky.dusk_color(0.03, 0.35, past)
    local t = maths.smoothstep(-1.3, -0.7, past)
    fog = mix(fog, { r, g, b }, t)
    r, g, b = sky.dusk_color(0.03, 1, past)
    sun_fog = mix(sun_fog, { r, g, b }, t)
  end
  if cloud > 0 then
    local level = 0.045 + (0.89 - 0.22 * (cloud > 0.95 and 1 or 0)) * day
    fog = { sky.GREY[1] * level, sky.GREY[2] * level, sky.GREY[3] * level }
  end
  state.scene:set_fog({ color = fog, density = light.fog_density * w.fog, sun_color = sun_fog,
    sun_share = (moon or cloud > 0) and 0 or 0.55 })
  local cube, level = background(state, hour, past, day, cloud)
  state.scene:set_background(cube, level)
  state.scene:set_wind(0.8, -0.45, w.wind)
  set_wet(state, w.wet)
  state.rain, state.day, state.cloud = w.wet, day, cloud
  state.dark = 1 - maths.smoothstep(0.15, 0.85, day) * (1 - 0.25 * cloud)
  if state.water then state.water:set({ foam = 0.012 * day * day }) end -- foam shines by day alone
  state.star_light = maths.smoothstep(0.35, 1.0, past) * (cloud > 0 and 0 or 1)
  state.moon_direction = moon and cloud == 0 and M.moon_direction(hour) or nil
  local glow = state.dark
  local warm = maths.srgb('#FFC777')
  state.materials.pane:set({ emissive = warm, emissive_intensity = 0.8 * glow })
  state.materials.lamp:set({ emissive = warm, emissive_intensity = 2.6 * glow })
end

--- Windows glow to the street, and are dark from within.
function M.glass(state, eye)
  local out = maths.smoothstep(-0.25, 0.2, terrain.house(eye[1], eye[3]))
  local glow = maths.floor(state.dark * (0.06 + 0.94 * out) * 32 + 0.5) / 32
  if glow == state.glass_glow then return end
  state.glass_glow = glow
  state.materials.glass:set({ emissive = maths.srgb('#FFC777'), emissive_intensity = 0.7 * glow,
    opacity = 0.42 + 0.3 * glow })
end

return M
