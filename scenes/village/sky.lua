--- The sky as a cube: a gradient, a thin veil, cumulus lit from the sun's side, and a glow round the sun.
local ffi = require('ffi')
local texture = require('thatch.texture')
local noise = require('village.noise')
local light = require('village.light')

local M = {}
local sqrt, max, min = math.sqrt, math.max, math.min
local plane = noise.plane

local SIZE = 448

local function smooth(a, b, x)
  local t = (x - a) / (b - a)
  t = t < 0 and 0 or t > 1 and 1 or t
  return t * t * (3 - 2 * t)
end

-- how thick the cumulus is over a point of the cloud's plane
local function cumulus(x, z)
  local cover = plane(x * 0.42, z * 0.42, 61) * 0.5 + plane(x * 0.19, z * 0.19, 67) * 0.34
  local d = cover
  d = d + plane(x * 0.95, z * 0.95, 62) * 0.30
  d = d + plane(x * 2.1, z * 2.1, 63) * 0.18
  d = d + plane(x * 4.4, z * 4.4, 64) * 0.11
  d = d + plane(x * 9.3, z * 9.3, 65) * 0.065
  d = d + plane(x * 19, z * 19, 66) * 0.035
  return d
end

-- linear r, g, b of a direction above the horizon
local function color(x, y, z, sx, sy, sz)
  local up = max(y, 0)
  local t = 1 - up
  local haze = t * t * t
  haze = haze * (0.6 + 0.4 * haze)
  -- zenith, middle, horizon
  local r = 0.062 + 0.08 * t * t + 0.42 * haze
  local g = 0.205 + 0.16 * t * t + 0.29 * haze
  local b = 0.560 + 0.18 * t * t + 0.06 * haze
  local d = x * sx + y * sy + z * sz
  local glow = max(d, 0)
  glow = glow * glow
  glow = glow * glow
  local near = glow * glow
  near = near * near
  r, g, b = r + 0.07 * glow + 0.35 * near * near, g + 0.06 * glow + 0.32 * near * near, b + 0.035 * glow + 0.24 * near
    * near
  if y > 0.015 then
    local px, pz = x / (y + 0.10) * 1.5, z / (y + 0.10) * 1.5
    local veil = plane(px * 0.7 + 0.4 * pz, pz * 0.16, 71) * 0.6 + plane(px * 1.9 + 0.7 * pz, pz * 0.4, 72) * 0.3
    veil = smooth(0.02, 0.8, veil) * 0.30
    r, g, b = r + (0.82 - r) * veil, g + (0.86 - g) * veil, b + (0.93 - b) * veil
    local thick = cumulus(px, pz)
    local edge = smooth(0.125, 0.245, thick)
    if edge > 0 then
      -- light comes through from the sun's side; deep parts and undersides are blue-grey
      local away = cumulus(px + sx * 0.32, pz + sz * 0.32)
      local shade = smooth(-0.05, 0.42, away) * 0.62 + smooth(0.28, 0.75, thick) * 0.5
      shade = min(shade, 1)
      local cr, cg, cb = 1.25 - 0.80 * shade, 1.23 - 0.72 * shade, 1.18 - 0.58 * shade
      local silver = near * 0.5 * (1 - shade)
      cr, cg, cb = cr + silver, cg + silver, cb + silver * 0.9
      -- far clouds sink into the haze
      local far = smooth(0.02, 0.20, y)
      edge = edge * (0.25 + 0.75 * far)
      cr, cg, cb = cr + (0.78 - cr) * (1 - far) * 0.7, cg + (0.82 - cg) * (1 - far) * 0.7, cb + (0.87 - cb) * (1 - far)
        * 0.7
      r, g, b = r + (cr - r) * edge, g + (cg - g) * edge, b + (cb - b) * edge
    end
  end
  if y < 0.035 then -- the horizon meets the fog
    local h = smooth(0.035, -0.02, y)
    local f = light.fog_color
    r, g, b = r + (f[1] - r) * h, g + (f[2] - g) * h, b + (f[3] - b) * h
  end
  return r, g, b
end

-- Fills a cube's faces by f(x, y, z) of a unit direction.
local function fill(size, f)
  local texels = ffi.new('float[?]', size * size * 4 * 6)
  for face = 0, 5 do
    for j = 0, size - 1 do
      local v = (j + 0.5) / size * 2 - 1
      local k = ((face * size + j) * size) * 4
      for i = 0, size - 1 do
        local u = (i + 0.5) / size * 2 - 1
        local x, y, z
        if face == 0 then x, y, z = 1, -v, -u
        elseif face == 1 then x, y, z = -1, -v, u
        elseif face == 2 then x, y, z = u, 1, v
        elseif face == 3 then x, y, z = u, -1, -v
        elseif face == 4 then x, y, z = u, -v, 1
        else x, y, z = -u, -v, -1 end
        local l = 1 / sqrt(x * x + y * y + z * z)
        local r, g, b = f(x * l, y * l, z * l)
        texels[k], texels[k + 1], texels[k + 2], texels[k + 3] = r, g, b, 1
        k = k + 4
      end
    end
  end
  return texture.create_cube({ size = size, texels = texels, format = 'rgba32f' })
end

--- The day with the sun in a direction.
---@return thatch.Texture
function M.build(size, sun)
  local s = sun or light.sun_direction()
  local sx, sy, sz = s[1], s[2], s[3]
  local f = light.fog_color
  return fill(size or SIZE, function(x, y, z)
    if y < -0.03 then return f[1], f[2], f[3] end
    return color(x, y, z, sx, sy, sz)
  end)
end

-- The night's own light at a height: deep blue, lighter at the horizon.
local function night_color(y)
  local t = 1 - max(y, 0)
  local haze = t * t * t * t
  return 0.0045 + 0.017 * haze, 0.0085 + 0.027 * haze, 0.027 + 0.047 * haze
end

--- The night without its stars (see stars.lua): a band of thin cloud.
---@return thatch.Texture
function M.night(size)
  return fill(size or 96, function(x, y, z)
    local r, g, b = night_color(y)
    local cloud = noise.space(x * 2.3, y * 3.1, z * 2.3, 75) * 0.6 + noise.space(x * 6, y * 7, z * 6, 76) * 0.3
    cloud = smooth(0.1, 0.7, cloud) * 0.016
    return r + cloud * 0.7, g + cloud * 0.8, b + cloud
  end)
end

--- The clear sky near sunset without clouds: `past` is hours after it (before: negative), `toward` 1 where the sun is,
--- 0 opposite.
function M.dusk_color(y, toward, past)
  local up = max(y, 0)
  local gone = smooth(-0.25, 0.85, past)
  local t = 1 - up
  local t2 = t * t
  local haze = t2 * t2 * t2
  -- zenith, violet above, then rose opposite and peach where the sun goes
  local r = 0.055 + 0.16 * t2 * t
  local g = 0.130 + 0.10 * t2 * t
  local b = 0.330 + 0.16 * t2 * t
  local rose = smooth(0.30, 0.10, up) * smooth(-0.02, 0.12, up) * (1 - toward)
  r, g, b = r + 0.20 * rose, g + 0.07 * rose, b + 0.10 * rose
  local peach = haze * (0.25 + 0.75 * toward * toward)
  r, g, b = r + (0.98 - r) * peach * 0.85, g + (0.52 - g) * peach * 0.85, b + (0.34 - b) * peach * 0.85
  local gold = smooth(0.16, 0.0, up) * toward * toward * toward
  r, g, b = r + 0.35 * gold, g + 0.16 * gold, b + 0.02 * gold
  local level = 1 - 0.86 * gone
  local nr, ng, nb = night_color(y)
  local n = smooth(0.45, 0.95, past)
  r, g, b = r * level, g * level, b * level
  return r + (nr - r) * n, g + (ng - g) * n, b + (nb - b) * n
end

--- Dusk or dawn, `past` hours after the sun has set (or before it rises), with the sun in a direction.
---@return thatch.Texture
function M.twilight(past, sun, size)
  local flat = max(sqrt(sun[1] * sun[1] + sun[3] * sun[3]), 1e-4)
  local sx, sz = sun[1] / flat, sun[3] / flat
  local day = smooth(-0.7, -1.3, past)
  local lit = 1 - smooth(0, 0.7, past)
  return fill(size or 144, function(x, y, z)
    if y < -0.05 then y = -0.05 end
    local l = max(sqrt(x * x + z * z), 1e-4)
    local toward = 0.5 + 0.5 * (x * sx + z * sz) / l
    local r, g, b = M.dusk_color(y, toward, past)
    if y > 0.015 then
      local px, pz = x / (y + 0.10) * 1.5, z / (y + 0.10) * 1.5
      local edge = smooth(0.125, 0.30, cumulus(px, pz)) * smooth(0.015, 0.10, y) * 0.85
      if edge > 0 then
        local away = cumulus(px + sx * 0.4, pz + sz * 0.4)
        local glow = (1 - smooth(-0.1, 0.4, away)) * lit * (0.45 + 0.55 * toward)
        local cr, cg, cb = r * 0.72 + 0.02 + 0.85 * glow, g * 0.68 + 0.02 + 0.36 * glow, b * 0.74 + 0.03 + 0.20 * glow
        r, g, b = r + (cr - r) * edge, g + (cg - g) * edge, b + (cb - b) * edge
      end
    end
    if day > 0 then
      local dr, dg, db = color(x, max(y, 0), z, sun[1], sun[2], sun[3])
      r, g, b = r + (dr - r) * day, g + (dg - g) * day, b + (db - b) * day
    end
    return r, g, b
  end)
end

M.GREY = { 0.50, 0.535, 0.575 } -- a covered sky at the horizon

--- A covered sky: rolls of grey, brighter low down.
---@return thatch.Texture
function M.overcast(size)
  local c = M.GREY
  return fill(size or 128, function(x, y, z)
    local up = max(y, 0)
    local px, pz = x / (up + 0.14) * 0.9, z / (up + 0.14) * 0.9
    local roll = plane(px * 0.8, pz * 0.55, 171) * 0.5 + plane(px * 1.9, pz * 1.4, 172) * 0.3
      + plane(px * 4.3, pz * 3.1, 173) * 0.16
    local v = 1 - 0.24 * smooth(0, 0.7, up) + 0.26 * roll * smooth(0.03, 0.3, up)
    return c[1] * v, c[2] * v, c[3] * v * (1 + 0.03 * up)
  end)
end

return M
