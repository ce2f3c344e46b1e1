--- Closed rounds through points: a smooth loop, walked by its length.
local maths = require('thatch.math')

local M = {}
local SAMPLES = 16

local function spline(a, b, c, d, t)
  return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
end

--- A loop through points { x, z }.
function M.new(points)
  local n = #points
  local xs, zs, lengths = {}, {}, { [0] = 0 }
  local count = n * SAMPLES
  for i = 0, count do
    local k = maths.floor(i / SAMPLES)
    local t = i / SAMPLES - k
    local a, b = points[(k + n - 1) % n + 1], points[k % n + 1]
    local c, d = points[(k + 1) % n + 1], points[(k + 2) % n + 1]
    xs[i], zs[i] = spline(a[1], b[1], c[1], d[1], t), spline(a[2], b[2], c[2], d[2], t)
    if i > 0 then
      local dx, dz = xs[i] - xs[i - 1], zs[i] - zs[i - 1]
      lengths[i] = lengths[i - 1] + maths.sqrt(dx * dx + dz * dz)
    end
  end
  return { xs = xs, zs = zs, lengths = lengths, count = count, length = lengths[count] }
end

local function point(way, s)
  s = s - maths.floor(s / way.length) * way.length
  local low, high = 0, way.count
  local lengths = way.lengths
  while high - low > 1 do
    local middle = maths.floor((low + high) / 2)
    if lengths[middle] <= s then low = middle else high = middle end
  end
  local span = lengths[high] - lengths[low]
  local t = span > 0 and (s - lengths[low]) / span or 0
  return way.xs[low] + (way.xs[high] - way.xs[low]) * t, way.zs[low] + (way.zs[high] - way.zs[low]) * t
end

--- Where one is after s metres, and the turn about y that faces along the way.
function M.at(way, s, reach)
  local x, z = point(way, s)
  local r = reach or 0.35
  local ax, az = point(way, s - r)
  local bx, bz = point(way, s + r)
  return x, z, maths.atan2(bx - ax, bz - az)
end

return M
