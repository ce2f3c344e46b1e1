--- The sky as a cube: a gradient, a thin veil, cumulus lit from the sun's side, and a glow round the sun.
local ffi = require('ffi')
local texture = require('thatch.texture')
local maths = require('thatch.math')
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

--- Faces +x -x +y -y +z -z, seen from inside, as OpenGL lays them out.
---@return thatch.Texture
function M.build(size)
  size = size or SIZE
  local texels = ffi.new('float[?]', size * size * 4 * 6)
  local s = light.sun_direction()
  local sx, sy, sz = s[1], s[2], s[3]
  local f = light.fog_color
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
        local r, g, b
        if y * l < -0.03 then
          r, g, b = f[1], f[2], f[3]
        else
          r, g, b = color(x * l, y * l, z * l, sx, sy, sz)
        end
        texels[k], texels[k + 1], texels[k + 2], texels[k + 3] = r, g, b, 1
        k = k + 4
      end
    end
  end
  return texture.create_cube({ size = size, texels = texels, format = 'rgba32f' })
end

--- The night: deep blue, lighter at the horizon, stars of three magnitudes, a band of thin cloud.
---@return thatch.Texture
function M.night(size)
  size = size or 320
  local texels = ffi.new('float[?]', size * size * 4 * 6)
  for face = 0, 5 do
    for j = 0, size - 1 do
      local v = (j + 0.5) / size * 2 - 1
      for i = 0, size - 1 do
        local u = (i + 0.5) / size * 2 - 1
        local y = face == 2 and 1 or face == 3 and -1 or -v
        y = y / sqrt(u * u + v * v + 1)
        local t = 1 - max(y, 0)
        local haze = t * t * t * t
        local r, g, b = 0.0045 + 0.017 * haze, 0.0085 + 0.027 * haze, 0.027 + 0.047 * haze
        local cloud = plane(u * 2.3 + face * 7, v * 3.1, 75) * 0.6 + plane(u * 6 + face * 5, v * 7, 76) * 0.3
        cloud = smooth(0.1, 0.7, cloud) * 0.016
        r, g, b = r + cloud * 0.7, g + cloud * 0.8, b + cloud
        local star = maths.random(311 + face, i, j)
        if y > 0.02 and star > 0.9986 then
          local m = star > 0.99985 and 1.5 or star > 0.9995 and 0.55 or 0.2
          m = m * smooth(0.02, 0.25, y)
          local warm = maths.random(331 + face, i, j)
          r, g, b = r + m * (0.75 + 0.25 * warm), g + m * 0.85, b + m * (1.05 - 0.3 * warm)
        end
        local k = ((face * size + j) * size + i) * 4
        texels[k], texels[k + 1], texels[k + 2], texels[k + 3] = r, g, b, 1
      end
    end
  end
  return texture.create_cube({ size = size, texels = texels, format = 'rgba32f' })
end

return M
