--- A person's body: its 19 joints, and what is round them (flesh.lua), clothed by vertex colours.
local maths = require('thatch.math')
local flesh = require('village.flesh')

local M = {}
local max = math.max
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
      if form == 'seat' then j0, j1, share = flesh.seated(c, y) end
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
  local b = flesh.new(detail)
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
  return b:create(JOINTS)
end

return M
