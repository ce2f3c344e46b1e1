--- Tubes, balls and bars bound to a person's joints.
local buffer = require('thatch.buffer')
local geometry = require('thatch.geometry')
local maths = require('thatch.math')

local M = {}
local max, min = math.max, math.min
local sin, cos = maths.sin, maths.cos

local HIPS, LEG_L, SHIN_L, LEG_R, SHIN_R = 0, 11, 12, 15, 16 -- joints, as body.lua has them

---@class village.Body
local Body = {}
Body.__index = Body

--- An empty body; `detail` is 1, or less for fewer sides.
---@param detail number
---@return village.Body
function M.new(detail)
  return setmetatable({
    detail = detail,
    pos = buffer.floats(4096), nor = buffer.floats(4096), col = buffer.floats(8192), idx = buffer.u32(8192),
    joints = buffer.bytes(4096), weights = buffer.floats(4096), count = 0,
  }, Body)
end

--- A vertex of colour c, times its shade, on joints a and b: wb is b's share.
function Body:vertex(x, y, z, nx, ny, nz, c, shade, a, b, wb)
  local l = max(maths.sqrt(nx * nx + ny * ny + nz * nz), 1e-6)
  self.pos:push(x, y, z)
  self.nor:push(nx / l, ny / l, nz / l)
  self.col:push(min(1, c[1] * shade), min(1, c[2] * shade), min(1, c[3] * shade), 1)
  self.joints:push(a, b, 0, 0)
  self.weights:push(1 - wb, wb, 0, 0)
  self.count = self.count + 1
  return self.count - 1
end

--- Which joints a seated skirt follows at a place: the thigh to the knee, the shin below it.
function M.seated(x, y)
  local leg, shin = x >= 0 and LEG_L or LEG_R, x >= 0 and SHIN_L or SHIN_R
  if y > 0.8 then return HIPS, leg, min(1, max(0, (0.96 - y) / 0.16)) end
  return leg, shin, min(1, max(0, (0.56 - y) / 0.1))
end

--- Rings { x, y, z, rx, rz, joint a, joint b, share of b, shade } joined from the first to the last; upward or
--- downward.
function Body:rings(list, color, sides, tip)
  sides = max(5, maths.floor(sides * self.detail + 0.5))
  local down = list[#list][2] < list[1][2]
  local previous
  for i = 1, #list do
    local p = list[i]
    local before, after = list[max(1, i - 1)], list[min(#list, i + 1)]
    local dr, dy = (after[4] + after[5] - before[4] - before[5]) / 2, after[2] - before[2]
    local slope = (dy > -1e-4 and dy < 1e-4) and 0 or -dr / dy
    local first = self.count
    for k = 0, sides do
      local t = k / sides * 6.283185307
      local c, s = cos(t), sin(t)
      local b, share = p[7] or p[6], p[8] or 0
      local back = 1
      if p.seat then
        if s > 0 then back = 1 - 0.55 * s end -- it lies flat on the seat
        p[6], b, share = M.seated(c, p[2])
        if p[2] > 0.7 and s > 0 then share = share * (1 - s) end
      elseif p.legs then -- a hem follows the nearer leg
        b, share = c > 0 and LEG_L or LEG_R, p.legs * (0.3 + 0.7 * (c < 0 and -c or c))
      end
      self:vertex(p[1] + c * p[4], p[2], p[3] - s * p[5] * back, c * p[5], slope * (p[4] + p[5]) / 2, -s * p[4], color,
        p[9] or 1,
        p[6], b, share)
    end
    if previous then
      for k = 0, sides - 1 do
        local a, b = previous + k, first + k
        if down then
          self.idx:push(b, b + 1, a + 1)
          self.idx:push(b, a + 1, a)
        else
          self.idx:push(a, a + 1, b + 1)
          self.idx:push(a, b + 1, b)
        end
      end
    end
    previous = first
  end
  if tip then
    local p = list[#list]
    local c = self:vertex(p[1] + (tip[1] or 0), p[2] + tip[2], p[3] + (tip[3] or 0), 0, down and -1 or 1, 0, color, 1,
      p[6], p[7] or p[6], p[8] or 0)
    for k = 0, sides - 1 do
      if down then self.idx:push(c, previous + k + 1, previous + k) else self.idx:push(c, previous + k,
        previous + k + 1) end
    end
  end
end

--- A ball on one joint.
function Body:ball(x, y, z, rx, ry, rz, color, joint, sides, rows)
  local list = {}
  rows = rows or 6
  for i = 0, rows do
    local p = (i / rows - 0.5) * 3.0
    list[i + 1] = { x, y + sin(p) * ry, z, cos(p) * rx, cos(p) * rz, joint, joint, 0, 0.86 + 0.14 * i / rows }
  end
  self:rings(list, color, sides or 10, { 0, ry * 0.02 })
end

--- A straight round bar bound to one joint, closed at its far end.
function Body:bar(x0, y0, z0, x1, y1, z1, r0, r1, color, joint)
  local dx, dy, dz = x1 - x0, y1 - y0, z1 - z0
  local l = maths.sqrt(dx * dx + dy * dy + dz * dz)
  dx, dy, dz = dx / l, dy / l, dz / l
  local ux, uy, uz = 0, dz, -dy -- across it: x times the bar, or y times it
  if dx > 0.9 or dx < -0.9 then ux, uy, uz = -dz, 0, dx end
  l = maths.sqrt(ux * ux + uy * uy + uz * uz)
  ux, uy, uz = ux / l, uy / l, uz / l
  local vx, vy, vz = dy * uz - dz * uy, dz * ux - dx * uz, dx * uy - dy * ux
  local first = self.count
  for ring = 0, 1 do
    local r = ring == 0 and r0 or r1
    local x, y, z = ring == 0 and x0 or x1, ring == 0 and y0 or y1, ring == 0 and z0 or z1
    for k = 0, 5 do
      local c, s = cos(k * 1.2566371), sin(k * 1.2566371)
      local nx, ny, nz = ux * c + vx * s, uy * c + vy * s, uz * c + vz * s
      self:vertex(x + nx * r, y + ny * r, z + nz * r, nx, ny, nz, color, 0.9, joint, joint, 0)
    end
  end
  for k = 0, 4 do
    local a, b = first + k, first + 6 + k
    self.idx:push(a, a + 1, b + 1)
    self.idx:push(a, b + 1, b)
  end
  local tip = self:vertex(x1, y1, z1, dx, dy, dz, color, 0.9, joint, joint, 0)
  for k = 0, 4 do self.idx:push(tip, first + 6 + k, first + 7 + k) end
end

---@return thatch.Geometry
function Body:create(joint_count)
  return geometry.create({
    positions = self.pos, normals = self.nor, colors = self.col, indices = self.idx, joints = self.joints,
    weights = self.weights, joint_count = joint_count,
  })
end

return M
