--- Value noise on a lattice of hashed numbers: plain arithmetic, so the same bits on every machine, and quick under
--- the JIT.
local ffi = require('ffi')
local maths = require('thatch.math')

local M = {}
local floor = math.floor

local lattice = ffi.new('double[?]', 256 * 256)
for y = 0, 255 do
  for x = 0, 255 do lattice[y * 256 + x] = maths.random(7919, x, y) * 2 - 1 end
end

--- Noise of a plane, -1..1. It repeats after 256 steps.
---@param x number
---@param y number
---@param seed number a whole number: another slice of the lattice
function M.plane(x, y, seed)
  x = x + seed * 37.17
  y = y + seed * 91.73
  local xi, yi = floor(x), floor(y)
  local fx, fy = x - xi, y - yi
  fx = fx * fx * (3 - 2 * fx)
  fy = fy * fy * (3 - 2 * fy)
  local x0, y0 = xi % 256, (yi % 256) * 256
  local x1, y1 = (xi + 1) % 256, ((yi + 1) % 256) * 256
  local a, b = lattice[y0 + x0], lattice[y0 + x1]
  local c, d = lattice[y1 + x0], lattice[y1 + x1]
  a = a + (b - a) * fx
  c = c + (d - c) * fx
  return a + (c - a) * fy
end
local plane = M.plane

--- Up to 4 octaves of plane noise, about -1..1. (Written out: a loop inside would keep the caller's loop from
--- compiling.)
function M.fbm(x, y, octaves, seed)
  local sum = plane(x, y, seed + 1) * 0.5
  if octaves > 1 then sum = sum + plane(x * 2.03, y * 2.03, seed + 2) * 0.25 end
  if octaves > 2 then sum = sum + plane(x * 4.12, y * 4.12, seed + 3) * 0.125 end
  if octaves > 3 then sum = sum + plane(x * 8.37, y * 8.37, seed + 4) * 0.0625 end
  return sum * 1.3
end

--- Noise that repeats after whole numbers of steps, for textures that tile.
---@param px number steps after which it repeats along x  @param py number along y
function M.tile(x, y, px, py, seed)
  local xi, yi = floor(x), floor(y)
  local fx, fy = x - xi, y - yi
  fx = fx * fx * (3 - 2 * fx)
  fy = fy * fy * (3 - 2 * fy)
  local ox, oy = seed * 57, seed * 23
  local x0, x1 = (xi % px + ox) % 256, ((xi + 1) % px + ox) % 256
  local y0, y1 = (yi % py + oy) % 256 * 256, ((yi + 1) % py + oy) % 256 * 256
  local a, b = lattice[y0 + x0], lattice[y0 + x1]
  local c, d = lattice[y1 + x0], lattice[y1 + x1]
  a = a + (b - a) * fx
  c = c + (d - c) * fx
  return a + (c - a) * fy
end
local tile = M.tile

function M.tile_fbm(x, y, px, py, octaves, seed)
  local sum = tile(x, y, px, py, seed + 3) * 0.5
  if octaves > 1 then sum = sum + tile(x * 2, y * 2, px * 2, py * 2, seed + 6) * 0.25 end
  if octaves > 2 then sum = sum + tile(x * 4, y * 4, px * 4, py * 4, seed + 9) * 0.125 end
  if octaves > 3 then sum = sum + tile(x * 8, y * 8, px * 8, py * 8, seed + 12) * 0.0625 end
  return sum * 1.2
end

--- Noise of space, -1..1.
function M.space(x, y, z, seed)
  local zi = floor(z)
  local fz = z - zi
  fz = fz * fz * (3 - 2 * fz)
  local a = plane(x + zi * 17.3, y - zi * 31.7, seed)
  local b = plane(x + (zi + 1) * 17.3, y - (zi + 1) * 31.7, seed)
  return a + (b - a) * fz
end

function M.space_fbm(x, y, z, octaves, seed)
  local space = M.space
  local sum = space(x, y, z, seed + 1) * 0.5
  if octaves > 1 then sum = sum + space(x * 2.03, y * 2.03, z * 2.03, seed + 2) * 0.25 end
  if octaves > 2 then sum = sum + space(x * 4.12, y * 4.12, z * 4.12, seed + 3) * 0.125 end
  return sum * 1.3
end

--- A hashed lattice number, 0..1: quicker than thatch.math.random where a cell needs one.
function M.cell(x, y, seed)
  return lattice[(y + seed * 29) % 256 * 256 + (x + seed * 83) % 256] * 0.5 + 0.5
end

return M
