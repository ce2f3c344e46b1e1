--- Joints and legs for all that walk: a chain of turned joints, two-bone legs, and a step whose foot stays where it
--- is set.
local maths = require('thatch.math')

local M = {}
local sin, cos = maths.sin, maths.cos

--- From each joint's pitch, roll and twist to its turn (3 x 3, row by row) and place, in the body's own space.
---@param rest table<integer, number[]> places in the rest pose, from 0
---@param sway number sideways shift of joint 0  @param drop number how far it sinks
function M.chain(count, parent, rest, spin, rot, place, sway, drop)
  for i = 0, count - 1 do
    local cx, sx = cos(spin[i * 3]), sin(spin[i * 3])
    local cz, sz = cos(spin[i * 3 + 1]), sin(spin[i * 3 + 1])
    local cy, sy = cos(spin[i * 3 + 2]), sin(spin[i * 3 + 2])
    -- twist * roll * pitch
    local a, b, c = cy * cz, -cy * sz * cx + sy * sx, cy * sz * sx + sy * cx
    local d, e, f = sz, cz * cx, -cz * sx
    local g, h, k = -sy * cz, sy * sz * cx + cy * sx, -sy * sz * sx + cy * cx
    local p, q = parent[i], i * 9
    if p < 0 then
      rot[q], rot[q + 1], rot[q + 2], rot[q + 3], rot[q + 4], rot[q + 5], rot[q + 6], rot[q + 7], rot[q + 8] = a, b, c,
        d, e, f, g, h, k
      place[i * 3], place[i * 3 + 1], place[i * 3 + 2] = rest[i][1] + sway, rest[i][2] - drop, rest[i][3]
    else
      local r = p * 9
      for j = 0, 2 do
        local x, y, z = rot[r + j * 3], rot[r + j * 3 + 1], rot[r + j * 3 + 2]
        rot[q + j * 3] = x * a + y * d + z * g
        rot[q + j * 3 + 1] = x * b + y * e + z * h
        rot[q + j * 3 + 2] = x * c + y * f + z * k
        local ox, oy, oz = rest[i][1] - rest[p][1], rest[i][2] - rest[p][2], rest[i][3] - rest[p][3]
        place[i * 3 + j] = place[p * 3 + j] + x * ox + y * oy + z * oz
      end
    end
  end
end

--- Skinning matrices, column by column: pose times the inverse of rest.
function M.skin(count, rest, rot, place, out)
  for i = 0, count - 1 do
    local q, m = i * 9, i * 16
    local x, y, z = rest[i][1], rest[i][2], rest[i][3]
    for j = 0, 2 do
      local a, b, c = rot[q + j * 3], rot[q + j * 3 + 1], rot[q + j * 3 + 2]
      out[m + j], out[m + 4 + j], out[m + 8 + j] = a, b, c
      out[m + 12 + j] = place[i * 3 + j] - (a * x + b * y + c * z)
    end
    out[m + 3], out[m + 7], out[m + 11], out[m + 15] = 0, 0, 0, 1
  end
end

--- The pitches of thigh and shin that put an ankle `forward` and `below` the hip; knee > 0 bends as a person's knee
--- does.
---@return number thigh, number shin
function M.bend(forward, below, thigh, shin, backward)
  local d = maths.sqrt(forward * forward + below * below)
  d = maths.clamp(d, 0.05, (thigh + shin) * 0.9995)
  local at = maths.atan2(-forward, below)
  local inner = (thigh * thigh + d * d - shin * shin) / (2 * thigh * d)
  local knee = (thigh * thigh + shin * shin - d * d) / (2 * thigh * shin)
  local a, k = maths.acos(maths.clamp(inner, -1, 1)), 3.14159265 - maths.acos(maths.clamp(knee, -1, 1))
  if backward then return at + a, -k end
  return at - a, k
end

--- A foot in its cycle, 0..1: on the ground for 0.6 of it, going back evenly under the body; then carried forward.
---@return number forward, number lift
function M.step(phase, stride, lift)
  phase = phase - maths.floor(phase)
  local half = stride * 0.6 -- the ground covered while it stands
  if phase < 0.6 then return half - 2 * half * phase / 0.6, 0 end
  local t = (phase - 0.6) / 0.4
  local e = t * t * (3 - 2 * t)
  return -half + 2 * half * e, sin(t * 3.14159265) * lift
end

return M
