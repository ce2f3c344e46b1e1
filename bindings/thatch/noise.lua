--- Gradient noise, after Perlin, "Improving Noise", 2002, and sums of its octaves. Part of thatch.math.
local ffi = require('ffi')
local bit = require('bit')

local floor = math.floor
local band, bxor = bit.band, bit.bxor

local SIZE = 1024 -- lattice points before it repeats
local MASK = SIZE - 1

return function(maths)
  local M = {}

  -- A shuffled 0..1023, twice over so that one more index needs no mask.
  local table_ = ffi.new('uint16_t[?]', SIZE * 2)
  for i = 0, MASK do table_[i] = i end
  for i = MASK, 1, -1 do
    local j = floor(maths.random(20117, i, 0) * (i + 1))
    table_[i], table_[j] = table_[j], table_[i]
  end
  for i = 0, MASK do table_[SIZE + i] = table_[i] end

  local D = 0.70710678118654752440
  local gx = ffi.new('double[8]', { 1, D, 0, -D, -1, -D, 0, D })
  local gy = ffi.new('double[8]', { 0, D, 1, D, 0, -D, -1, -D })
  local hx = ffi.new('double[16]', { 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0, 1, -1, 0, 0 })
  local hy = ffi.new('double[16]', { 1, 1, -1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, 1, -1, -1 })
  local hz = ffi.new('double[16]', { 0, 0, 0, 0, 1, 1, -1, -1, 1, 1, -1, -1, 0, 0, 1, -1 })

  local function fade(t)
    return t * t * t * (t * (t * 6 - 15) + 10)
  end

  --- Smooth noise over a plane, -1 to 1, 0 at whole numbers.
  ---@param x number
  ---@param y number
  ---@param seed? integer
  function M.noise2(x, y, seed)
    seed = seed or 0
    local x0, y0 = floor(x), floor(y)
    local fx, fy = x - x0, y - y0
    local i = band(bxor(x0, seed * 7919), MASK)
    local i1 = band(bxor(x0 + 1, seed * 7919), MASK)
    local j = band(bxor(y0, seed * 104729), MASK)
    local j1 = band(bxor(y0 + 1, seed * 104729), MASK)
    local a, b = table_[i], table_[i1]
    local g00, g01 = band(table_[a + j], 7), band(table_[a + j1], 7)
    local g10, g11 = band(table_[b + j], 7), band(table_[b + j1], 7)
    local n00 = gx[g00] * fx + gy[g00] * fy
    local n10 = gx[g10] * (fx - 1) + gy[g10] * fy
    local n01 = gx[g01] * fx + gy[g01] * (fy - 1)
    local n11 = gx[g11] * (fx - 1) + gy[g11] * (fy - 1)
    local u, v = fade(fx), fade(fy)
    local top = n00 + (n10 - n00) * u
    local bottom = n01 + (n11 - n01) * u
    return (top + (bottom - top) * v) * 1.41421356237309504880
  end

  local function corner(h, x, y, z)
    h = band(h, 15)
    return hx[h] * x + hy[h] * y + hz[h] * z
  end

  --- Smooth noise in space, -1 to 1.
  function M.noise3(x, y, z, seed)
    seed = seed or 0
    local x0, y0, z0 = floor(x), floor(y), floor(z)
    local fx, fy, fz = x - x0, y - y0, z - z0
    local sx, sy, sz = seed * 7919, seed * 104729, seed * 31337
    local j, j1 = band(bxor(y0, sy), MASK), band(bxor(y0 + 1, sy), MASK)
    local k, k1 = band(bxor(z0, sz), MASK), band(bxor(z0 + 1, sz), MASK)
    local a, b = table_[band(bxor(x0, sx), MASK)], table_[band(bxor(x0 + 1, sx), MASK)]
    local a0, a1, b0, b1 = table_[a + j], table_[a + j1], table_[b + j], table_[b + j1]
    local u, v, w = fade(fx), fade(fy), fade(fz)
    local c00, c10 = corner(table_[a0 + k], fx, fy, fz), corner(table_[b0 + k], fx - 1, fy, fz)
    local c01, c11 = corner(table_[a1 + k], fx, fy - 1, fz), corner(table_[b1 + k], fx - 1, fy - 1, fz)
    local d00, d10 = corner(table_[a0 + k1], fx, fy, fz - 1), corner(table_[b0 + k1], fx - 1, fy, fz - 1)
    local d01, d11 = corner(table_[a1 + k1], fx, fy - 1, fz - 1), corner(table_[b1 + k1], fx - 1, fy - 1, fz - 1)
    local near_top, near_bottom = c00 + (c10 - c00) * u, c01 + (c11 - c01) * u
    local far_top, far_bottom = d00 + (d10 - d00) * u, d01 + (d11 - d01) * u
    local near = near_top + (near_bottom - near_top) * v
    local far = far_top + (far_bottom - far_top) * v
    return near + (far - near) * w
  end

  --- Octaves of noise2, each half as high and twice as fine; about -1 to 1.
  ---@param octaves? integer 4
  ---@param seed? integer
  function M.fbm2(x, y, octaves, seed)
    octaves, seed = octaves or 4, seed or 0
    local sum, height, total = 0, 1, 0
    for octave = 1, octaves do
      sum = sum + height * M.noise2(x, y, seed + octave)
      total = total + height
      height = height * 0.5
      x, y = x * 2 + 17.31, y * 2 - 9.17 -- shifted, so that no place is 0 in all octaves
    end
    return sum / total
  end

  --- Octaves of noise3.
  function M.fbm3(x, y, z, octaves, seed)
    octaves, seed = octaves or 4, seed or 0
    local sum, height, total = 0, 1, 0
    for octave = 1, octaves do
      sum = sum + height * M.noise3(x, y, z, seed + octave)
      total = total + height
      height = height * 0.5
      x, y, z = x * 2 + 17.31, y * 2 - 9.17, z * 2 + 4.73
    end
    return sum / total
  end

  return M
end
