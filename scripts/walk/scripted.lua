--- The scripted walker: a smooth path through way-points, as a pure function of the frame number.
--- Catmull and Rom, "A Class of Local Interpolating Splines", 1974, walked by the length of the arc.
local maths = require('thatch.math')

local SAMPLES = 96 -- a segment, for the length
local FRAMES_A_SECOND = 24

local M = {}

---@class Path
---@field frames integer
local Path = {}
Path.__index = Path

local function spline(a, b, c, d, t)
  local t2 = t * t
  local t3 = t2 * t
  return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t2 + (3 * b - a - 3 * c + d) * t3)
end

--- The spline at segment i (from 1), t of 0 to 1.
local function at(points, i, t)
  local n = #points
  local a, b = points[math.max(i - 1, 1)], points[i]
  local c, d = points[math.min(i + 1, n)], points[math.min(i + 2, n)]
  return spline(a[1], b[1], c[1], d[1], t), spline(a[2], b[2], c[2], d[2], t), spline(a[3], b[3], c[3], d[3], t)
end

--- A path through points {x, y, z} (y: the feet), walked at a speed.
--- A point may say look = {x, y, z}: where to look there; wait = seconds: to stand there.
---@param points table[]
---@param options? { speed?: number, eye?: number, ahead?: number } 1.6 m/s, 1.65 m, 2.5 m
---@return Path
function M.new(points, options)
  options = options or {}
  if #points < 2 then error(('scripted: %d points, need 2'):format(#points), 2) end
  local self = setmetatable({
    points = points, speed = options.speed or 1.6, eye = options.eye or 1.65, ahead = options.ahead or 2.5,
    lengths = { 0 }, stops = {},
  }, Path)
  local total = 0
  local px, py, pz = at(points, 1, 0)
  for i = 1, #points - 1 do
    for k = 1, SAMPLES do
      local x, y, z = at(points, i, k / SAMPLES)
      local dx, dy, dz = x - px, y - py, z - pz
      total = total + maths.sqrt(dx * dx + dy * dy + dz * dz)
      self.lengths[#self.lengths + 1] = total
      px, py, pz = x, y, z
    end
  end
  self.total = total
  local time = 0
  for i, point in ipairs(points) do
    local s = self.lengths[(i - 1) * SAMPLES + 1]
    self.stops[i] = { s = s, arrive = s / self.speed + time, wait = point.wait or 0 }
    time = time + (point.wait or 0)
  end
  self.duration = total / self.speed + time
  self.frames = math.ceil(self.duration * FRAMES_A_SECOND)
  return self
end

--- The length that is walked at a time, with the waits taken out.
local function walked(self, time)
  local waited = 0
  for _, stop in ipairs(self.stops) do
    if time <= stop.arrive then break end
    if time < stop.arrive + stop.wait then return stop.s end
    waited = waited + stop.wait
  end
  return maths.clamp((time - waited) * self.speed, 0, self.total)
end

--- The place at a length along the path, and the spline's parameter there.
function Path:place(s)
  local lengths = self.lengths
  s = maths.clamp(s, 0, self.total)
  local low, high = 1, #lengths
  while high - low > 1 do
    local middle = maths.floor((low + high) / 2)
    if lengths[middle] <= s then low = middle else high = middle end
  end
  local span = lengths[high] - lengths[low]
  local u = (low - 1 + (span > 0 and (s - lengths[low]) / span or 0)) / SAMPLES
  local i = math.min(maths.floor(u) + 1, #self.points - 1)
  local x, y, z = at(self.points, i, u - (i - 1))
  return x, y, z, u
end

--- The direction at a length: ahead on the path, mixed with where the nearest points say to look.
local function look_from(self, s, x, y, z, u)
  local ax, ay, az = self:place(s + self.ahead)
  local dx, dy, dz = ax - x, (ay - y) * 0.6, az - z
  if s + self.ahead > self.total then -- past the end: keep the last direction
    local bx, _, bz = self:place(self.total - self.ahead)
    local ex, _, ez = self:place(self.total)
    dx, dy, dz = ex - bx, 0, ez - bz
  end
  local l = maths.sqrt(dx * dx + dy * dy + dz * dz)
  if l > 0 then dx, dy, dz = dx / l, dy / l, dz / l else dx, dy, dz = 0, 0, -1 end
  for k = maths.floor(u) + 1, maths.floor(u) + 2 do
    local look = self.points[k] and self.points[k].look
    if look then
      local weight = 1 - maths.min(1, maths.abs(u - (k - 1)))
      weight = weight * weight * (3 - 2 * weight)
      local lx, ly, lz = look[1] - x, look[2] - (y + self.eye), look[3] - z
      local d = maths.sqrt(lx * lx + ly * ly + lz * lz)
      if d > 0.01 then
        dx, dy, dz = dx + (lx / d - dx) * weight, dy + (ly / d - dy) * weight, dz + (lz / d - dz) * weight
      end
    end
  end
  return dx, dy, dz
end

--- The view at a frame, of the same bits on every machine.
---@param frame integer
function Path:view(frame)
  local s = walked(self, frame / FRAMES_A_SECOND)
  local x, y, z, u = self:place(s)
  -- The mean of a few directions around: the head turns slower than the feet.
  local dx, dy, dz = 0, 0, 0
  for k = -2, 2 do
    local sx, sy, sz, su = self:place(s + k * 0.3)
    local ex, ey, ez = look_from(self, maths.clamp(s + k * 0.3, 0, self.total), sx, sy, sz, su)
    dx, dy, dz = dx + ex, dy + ey, dz + ez
  end
  local l = maths.sqrt(dx * dx + dy * dy + dz * dz)
  if l < 1e-6 then dx, dy, dz, l = look_from(self, s, x, y, z, u), 0, 0, 1 end
  return {
    eye = { x, y + self.eye, z }, target = { x + dx / l, y + self.eye + dy / l, z + dz / l }, up = { 0, 1, 0 },
    focus = { x, y, z },
  }
end

return M
