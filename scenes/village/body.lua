--- A person's body: tubes and rings on 19 joints, clothed by vertex colours.
local buffer = require('thatch.buffer')
local geometry = require('thatch.geometry')
local maths = require('thatch.math')

local M = {}
local max, min = math.max, math.min
local sin, cos, random, srgb = maths.sin, maths.cos, maths.random, maths.srgb

-- joints, and where they are in the rest pose (height 1.72, facing +z, left is +x)
local HIPS, SPINE, CHEST, NECK, HEAD = 0, 1, 2, 3, 4
local ARM_L, FORE_L, HAND_L, ARM_R, FORE_R, HAND_R = 5, 6, 7, 8, 9, 10
local LEG_L, SHIN_L, FOOT_L, TOE_L, LEG_R, SHIN_R, FOOT_R, TOE_R = 11, 12, 13, 14, 15, 16, 17, 18
M.JOINTS = 19
local JOINTS = M.JOINTS
M.REST = {
  [0] = { 0, 0.94, 0 }, { 0, 1.06, 0 }, { 0, 1.24, 0 }, { 0, 1.46, -0.01 }, { 0, 1.55, 0 },
  { 0.19, 1.40, 0 }, { 0.225, 1.13, -0.01 }, { 0.245, 0.88, 0.02 }, { -0.19, 1.40, 0 }, { -0.225, 1.13, -0.01 },
    { -0.245, 0.88, 0.02 },
  { 0.09, 0.90, 0 }, { 0.095, 0.49, 0.01 }, { 0.095, 0.08, -0.01 }, { 0.095, 0.03, 0.11 },
  { -0.09, 0.90, 0 }, { -0.095, 0.49, 0.01 }, { -0.095, 0.08, -0.01 }, { -0.095, 0.03, 0.11 },
}
M.PARENT = { [0] = -1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9, 0, 11, 12, 13, 0, 15, 16, 17 }

-- A broom's or rake's shaft as the leaning chest holds it: the right hand, the left, and the end on the ground.
M.LEAN = 0.3
M.SHAFT = { { -0.11, 1.30, 0.22 }, { -0.07, 1.146, 0.373 }, { 0.1, 0.352, 1.108 } }

local Body = {}
Body.__index = Body

local function new_body(detail)
  return setmetatable({
    detail = detail,
    pos = buffer.floats(4096), nor = buffer.floats(4096), col = buffer.floats(8192), idx = buffer.u32(8192),
      joints = buffer.bytes(4096),
    weights = buffer.floats(4096), count = 0,
  }, Body)
end

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

-- Which joints a seated skirt follows at a place: the thigh to the knee, the shin below it.
local function seated(x, y)
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
        p[6], b, share = seated(c, p[2])
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

function Body:ball(x, y, z, rx, ry, rz, color, joint, sides, rows)
  local list = {}
  rows = rows or 6
  for i = 0, rows do
    local p = (i / rows - 0.5) * 3.0
    list[i + 1] = { x, y + sin(p) * ry, z, cos(p) * rx, cos(p) * rz, joint, joint, 0, 0.86 + 0.14 * i / rows }
  end
  self:rings(list, color, sides or 10, { 0, ry * 0.02 })
end

-- A straight round bar bound to one joint, closed at its far end.
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

local WOOD, IRON, STRAW = srgb('#8A6E4C'), srgb('#55524F'), srgb('#B79A5E')

-- What one works with: a broom or a rake in both hands, an axe or a hammer in the right.
local function tool(b, form)
  if form == 'sweep' or form == 'rake' then
    local p, e = M.SHAFT[1], M.SHAFT[3]
    local dx, dy, dz = e[1] - p[1], e[2] - p[2], e[3] - p[3]
    b:bar(p[1] - dx * 0.3, p[2] - dy * 0.3, p[3] - dz * 0.3, e[1] - dx * 0.12, e[2] - dy * 0.12, e[3] - dz * 0.12,
      0.014, 0.014, WOOD, CHEST)
    if form == 'sweep' then
      b:bar(e[1] - dx * 0.28, e[2] - dy * 0.28, e[3] - dz * 0.28, e[1], e[2], e[3], 0.03, 0.085, STRAW, CHEST)
    else
      local x, y, z = e[1] - dx * 0.12, e[2] - dy * 0.12, e[3] - dz * 0.12
      b:bar(x - 0.28, y, z, x + 0.28, y, z, 0.018, 0.018, WOOD, CHEST)
      for k = -3, 3 do b:bar(x + k * 0.085, y, z, x + k * 0.085, y - 0.1, z + 0.04, 0.01, 0.005, WOOD, CHEST) end
    end
  elseif form == 'chop' or form == 'hammer' then
    local x, y, z, long = -0.245, 0.82, 0.03, form == 'chop' and 0.52 or 0.26
    b:bar(x, y, z - 0.1, x, y, z + long, 0.016, 0.014, WOOD, HAND_R)
    if form == 'chop' then
      b:bar(x, y + 0.05, z + long - 0.04, x, y - 0.14, z + long - 0.04, 0.024, 0.012, IRON, HAND_R)
      b:bar(x, y - 0.09, z + long - 0.1, x, y - 0.14, z + long + 0.03, 0.012, 0.012, IRON, HAND_R)
    else
      b:bar(x, y + 0.06, z + long - 0.02, x, y - 0.07, z + long - 0.02, 0.03, 0.03, IRON, HAND_R)
    end
  end
end

-- What one wears: colours and shapes by a seed.
local CLOTH = { srgb('#9B4A3C'), srgb('#4F6A86'), srgb('#B98F4A'), srgb('#D8CDB6'), srgb('#6F7A52'), srgb('#7C5A6B'),
  srgb('#A77B52') }
local SKIN = { srgb('#E0B394'), srgb('#D6A27F'), srgb('#C08C68'), srgb('#E8C3A6') }
local HAIR = { srgb('#4A3526'), srgb('#7A5A38'), srgb('#2E2622'), srgb('#A98A5A'), srgb('#9A948C') }

local APRON, BOOTS, BELT, STRAW_HAT = srgb('#E4DCCB'), srgb('#4A382C'), srgb('#5A402C'), srgb('#CDB27A')
local EYE, PUPIL, LIPS = srgb('#F0EAE0'), srgb('#2E2A26'), srgb('#A8675A')
local NIGHT = { top = 3, legs = 3 }

-- How one looks: colours, by the seed and the clothes; `f` is how stout one is.
local function look_of(who)
  local function pick(list, salt) return list[1 + maths.floor(random(who.seed, salt, 3) * #list)] end
  return { skin = pick(SKIN, 1), hair = pick(HAIR, 2), top = CLOTH[1 + who.top % #CLOTH],
    legs = CLOTH[1 + who.legs % #CLOTH], f = who.stout or 1 }
end

local function torso(b, look)
  local f = look.f
  b:rings({
    { 0, 0.86, 0, 0.155 * f, 0.115 * f, HIPS, HIPS, 0, 0.8 }, { 0, 0.96, 0, 0.16 * f, 0.12 * f, HIPS, SPINE, 0.3,
      0.9 },
    { 0, 1.08, 0, 0.145 * f, 0.11 * f, SPINE, HIPS, 0.2 }, { 0, 1.2, 0, 0.165 * f, 0.12 * f, SPINE, CHEST, 0.5 },
    { 0, 1.32, 0, 0.185 * f, 0.125 * f, CHEST }, { 0, 1.4, 0, 0.178, 0.108, CHEST },
      { 0, 1.445, -0.005, 0.12, 0.085, CHEST, NECK, 0.2 },
    { 0, 1.475, -0.005, 0.062, 0.06, NECK, CHEST, 0.3, 0.85 },
  }, look.top, 12)
  b:rings({ { 0, 1.035, 0, 0.153 * f, 0.117 * f, SPINE, HIPS, 0.3 }, { 0, 1.075, 0, 0.151 * f, 0.116 * f, SPINE, HIPS,
    0.3 } }, BELT, 12)
  b:rings({ { 0, 1.44, -0.005, 0.055, 0.055, NECK, NECK, 0, 0.8 }, { 0, 1.56, 0, 0.05, 0.052, HEAD, NECK, 0.4,
    0.85 } }, look.skin, 8)
end

local function head(b, who, look)
  local skin, hair = look.skin, look.hair
  b:ball(0, 1.635, 0.005, 0.082, 0.118, 0.098, skin, HEAD, 12, 8)
  b:ball(0, 1.625, 0.1, 0.014, 0.026, 0.02, skin, HEAD, 6, 4)
  for s = -1, 1, 2 do
    b:ball(s * 0.032, 1.652, 0.086, 0.0135, 0.009, 0.012, EYE, HEAD, 6, 4)
    b:ball(s * 0.032, 1.652, 0.0945, 0.0065, 0.0068, 0.006, PUPIL, HEAD, 6, 4)
    b:ball(s * 0.032, 1.672, 0.088, 0.02, 0.004, 0.012, hair, HEAD, 6, 3)
    b:ball(s * 0.084, 1.635, 0.0, 0.014, 0.03, 0.02, skin, HEAD, 6, 4)
  end
  b:ball(0, 1.585, 0.09, 0.022, 0.005, 0.012, LIPS, HEAD, 6, 3)
  b:ball(0, 1.668, -0.02, 0.09, 0.1, 0.1, hair, HEAD, 12, 6)
  if who.skirt then b:ball(0, 1.62, -0.1, 0.05, 0.055, 0.045, hair, HEAD, 8, 5) end
  if who.beard then b:ball(0, 1.56, 0.066, 0.055, 0.055, 0.045, hair, HEAD, 8, 5) end
end

local function hat(b, who)
  if who.hat == 'straw' then
    b:rings({ { 0, 1.715, -0.01, 0.2, 0.2, HEAD }, { 0, 1.722, -0.01, 0.11, 0.115, HEAD },
      { 0, 1.79, -0.01, 0.09, 0.095, HEAD } }, STRAW_HAT, 14, { 0, 0.015 })
    b:rings({ { 0, 1.722, -0.01, 0.11, 0.115, HEAD, HEAD, 0, 0.7 }, { 0, 1.71, -0.01, 0.2, 0.2, HEAD, HEAD, 0, 0.6 } },
      STRAW_HAT, 14)
  elseif who.hat == 'cap' then
    b:rings({ { 0, 1.69, -0.005, 0.1, 0.112, HEAD, HEAD, 0, 0.8 }, { 0, 1.75, -0.02, 0.108, 0.115, HEAD },
      { 0, 1.79, -0.03, 0.06, 0.07, HEAD } }, CLOTH[1 + (who.top + 2) % #CLOTH], 12, { 0, 0.01 })
  elseif who.hat == 'scarf' then
    b:ball(0, 1.672, -0.025, 0.1, 0.112, 0.108, CLOTH[4], HEAD, 12, 6)
  end
end

-- An arm with its hand, on the left (s = 1) or the right (-1).
local function arm(b, look, s)
  local upper, fore, hand = s > 0 and ARM_L or ARM_R, s > 0 and FORE_L or FORE_R, s > 0 and HAND_L or HAND_R
  b:rings({
    { s * 0.16, 1.425, 0, 0.05, 0.06, CHEST, upper, 0.5 }, { s * 0.195, 1.4, 0, 0.058, 0.06, upper, CHEST, 0.25 },
      { s * 0.208, 1.28, -0.005, 0.05, 0.05, upper },
    { s * 0.222, 1.16, -0.008, 0.045, 0.047, upper, fore, 0.25 }, { s * 0.226, 1.11, -0.008, 0.044, 0.046, fore,
      upper, 0.3 },
    { s * 0.236, 1.0, 0.004, 0.041, 0.042, fore }, { s * 0.243, 0.915, 0.014, 0.042, 0.044, fore, fore, 0, 0.85 },
  }, look.top, 8)
  b:rings({
    { s * 0.243, 0.925, 0.014, 0.026, 0.03, fore }, { s * 0.245, 0.88, 0.02, 0.024, 0.032, hand, fore, 0.3 },
      { s * 0.245, 0.83, 0.026, 0.022, 0.04, hand },
    { s * 0.243, 0.775, 0.032, 0.016, 0.03, hand },
  }, look.skin, 8, { 0, -0.012 })
end

-- A leg with its boot.
local function leg(b, look, s)
  local f = look.f
  local thigh, shin, foot, toe = s > 0 and LEG_L or LEG_R, s > 0 and SHIN_L or SHIN_R, s > 0 and FOOT_L or FOOT_R,
    s > 0 and TOE_L or TOE_R
  b:rings({
    { s * 0.082, 0.9, 0, 0.085 * f, 0.1 * f, HIPS, thigh, 0.5, 0.75 }, { s * 0.09, 0.8, 0, 0.085, 0.092, thigh, HIPS,
      0.2 }, { s * 0.093, 0.62, 0.004, 0.068, 0.074, thigh },
    { s * 0.095, 0.53, 0.008, 0.058, 0.063, thigh, shin, 0.3 }, { s * 0.095, 0.45, 0.008, 0.054, 0.06, shin, thigh,
      0.3 }, { s * 0.095, 0.32, -0.004, 0.052, 0.058, shin, shin, 0, 0.9 },
  }, look.legs, 10)
  b:rings({
    { s * 0.095, 0.34, -0.002, 0.06, 0.066, shin }, { s * 0.095, 0.2, -0.008, 0.05, 0.054, shin },
      { s * 0.095, 0.1, -0.008, 0.046, 0.056, foot, shin, 0.4 },
    { s * 0.095, 0.05, 0.02, 0.048, 0.095, foot, toe, 0.1, 0.8 }, { s * 0.095, 0.012, 0.035, 0.05, 0.118, foot, toe,
      0.3, 0.6 },
  }, BOOTS, 10, { 0, -0.008 })
  b:ball(s * 0.095, 0.04, 0.118, 0.044, 0.034, 0.06, BOOTS, toe, 8, 4)
end

local function skirt(b, hem, look, form)
  local f = look.f
  b:rings(form == 'seat' and {
    { 0, hem, 0, 0.2, 0.2, HIPS, seat = true, [9] = 0.7 }, { 0, 0.45, 0, 0.205, 0.19, HIPS, seat = true, [9] = 0.85 },
    { 0, 0.56, 0, 0.21, 0.19, HIPS, seat = true, [9] = 0.95 }, { 0, 0.8, 0, 0.195, 0.17, HIPS, seat = true },
    { 0, 0.95, 0, 0.178 * f, 0.145 * f, HIPS, HIPS, 0 }, { 0, 1.05, 0, 0.156 * f, 0.12 * f, SPINE, HIPS, 0.4 },
  } or {
    { 0, hem, 0, 0.28, 0.31, HIPS, LEG_L, 0.0, 0.7, legs = 0.62 }, { 0, (hem + 1.0) / 2, 0, 0.22, 0.225, HIPS, HIPS,
      0, 0.9, legs = 0.5 }, { 0, 0.95, 0, 0.178 * f, 0.145 * f, HIPS },
    { 0, 1.05, 0, 0.156 * f, 0.12 * f, SPINE, HIPS, 0.4 },
  }, look.legs, 16)
end

-- An apron before the skirt, bound as the skirt beneath it.
local function apron(b, hem, form)
  local rows = form == 'seat' and { hem + 0.06, 0.45, 0.56, 0.8, 0.98 }
    or { hem + 0.07, hem + 0.07 + (0.97 - hem) / 3, hem + 0.07 + (0.97 - hem) * 2 / 3, 1.04 }
  local first = b.count
  local mid = (hem + 1.0) / 2
  for i = 1, #rows do
    local y = rows[i]
    local down = (y - hem - 0.07) / (0.97 - hem)
    local wide, deep = 0.29 - 0.128 * down, 0.296 - 0.155 * down
    if form == 'seat' and y < 0.9 then wide, deep = 0.21, y > 0.7 and 0.19 or 0.212 end
    for k = 0, 5 do
      local t = -0.75 + k / 5 * 1.5
      local c = sin(t)
      local j0, j1, share = HIPS, c > 0 and LEG_L or LEG_R, 0.3 + 0.7 * (c < 0 and -c or c)
      share = share * (y < mid and 0.62 - 0.12 * (y - hem) / (mid - hem) or max(0, 0.5 * (0.95 - y) / (0.95 - mid)))
      if form == 'seat' then j0, j1, share = seated(c, y) end
      b:vertex(sin(t) * wide, y, 0.012 + cos(t) * deep, sin(t), 0.1, cos(t), APRON, i == 1 and 0.85 or 1, j0, j1,
        share)
    end
  end
  for i = 0, #rows - 2 do
    for k = 0, 4 do
      local a = first + i * 6 + k
      b.idx:push(a, a + 1, a + 7)
      b.idx:push(a, a + 7, a + 6)
    end
  end
end

-- The shirt over the belt, of one who wears no skirt.
local function shirt(b, look)
  local f = look.f
  b:rings({
    { 0, 0.74, 0, 0.185 * f, 0.15 * f, HIPS, HIPS, 0, 0.75 }, { 0, 0.9, 0, 0.172 * f, 0.135 * f, HIPS },
      { 0, 1.05, 0, 0.15 * f, 0.115 * f, SPINE, HIPS, 0.4 },
  }, look.top, 12)
end

--- A villager's skinned body.
---@param who table
---@param detail number 1, or less for fewer sides
---@param form? string 'seat': the skirt over the knees; 'bed': in a nightshirt; or the work that a tool is held for
---@return thatch.Geometry
function M.build(who, detail, form)
  local b = new_body(detail)
  if form == 'bed' then
    who = { seed = who.seed, top = NIGHT.top, legs = NIGHT.legs, beard = who.beard, stout = who.stout }
  end
  local look = look_of(who)
  torso(b, look)
  head(b, who, look)
  hat(b, who)
  for s = -1, 1, 2 do
    arm(b, look, s)
    leg(b, look, s)
  end
  if who.skirt then
    skirt(b, who.skirt, look, form)
    if who.apron then apron(b, who.skirt, form) end
  else
    shirt(b, look)
  end
  tool(b, form)
  return geometry.create({
    positions = b.pos, normals = b.nor, colors = b.col, indices = b.idx, joints = b.joints, weights = b.weights,
      joint_count = JOINTS,
  })
end

return M
