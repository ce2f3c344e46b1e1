--- What bodies do: walking, standing, sitting, lying, working. Each clip fills `spin`, the turns of the 19 joints, and
--- says how far the hips sink and sway; it depends on its arguments alone.
local ffi = require('ffi')
local body = require('village.body')
local limbs = require('village.limbs')
local maths = require('thatch.math')

local M = {}
local max = math.max
local sin, cos, floor = maths.sin, maths.cos, maths.floor

-- joints, as body.lua has them
local HIPS, SPINE, CHEST, NECK, HEAD = 0, 1, 2, 3, 4
local ARM_L, FORE_L, HAND_L, ARM_R, FORE_R, HAND_R = 5, 6, 7, 8, 9, 10
local LEG_L, SHIN_L, FOOT_L, LEG_R, SHIN_R, FOOT_R = 11, 12, 13, 15, 16, 17
local JOINTS = body.JOINTS
local THIGH, SHIN = 0.41, 0.41
local UPPER, FORE = 0.272, 0.3 -- arm; the latter to the palm

local spin = ffi.new('double[?]', JOINTS * 3) -- pitch, roll and twist of each joint
M.spin = spin

local function clear()
  for i = 0, JOINTS * 3 - 1 do spin[i] = 0 end
end

-- Legs by where the feet are: forward z and lift y of each ankle, from under the hip.
local function legs(drop, lz, ly, rz, ry)
  local a, k = limbs.bend(lz, 0.82 - drop - ly, THIGH, SHIN)
  spin[LEG_L * 3], spin[SHIN_L * 3] = a, k
  spin[FOOT_L * 3] = -(a + k) + ly * 1.6
  a, k = limbs.bend(rz, 0.82 - drop - ry, THIGH, SHIN)
  spin[LEG_R * 3], spin[SHIN_R * 3] = a, k
  spin[FOOT_R * 3] = -(a + k) + ry * 1.6
end

-- An arm whose palm reaches a point before the body, in the rest pose's space; returns the forearm's whole pitch.
local function reach(side, x, y, z)
  local dx, dy = x - side * 0.19, y - 1.40
  local a, k = limbs.bend(maths.sqrt(dx * dx + z * z), -dy, UPPER, FORE, true)
  local arm = side > 0 and ARM_L or ARM_R
  spin[arm * 3], spin[arm * 3 + 1], spin[arm * 3 + 2] = a, 0, maths.atan2(dx, z)
  spin[(arm + 1) * 3] = k
  return a + k
end

--- A step of the walk, phase 0..1; `stride` in the body's own metres.
function M.walk(phase, stride, run)
  clear()
  local drop = 0.022 + 0.014 * cos(phase * 12.5663706)
  if run then drop = drop + 0.03 end
  local lz, ly = limbs.step(phase, stride, run and 0.22 or 0.1)
  local rz, ry = limbs.step(phase + 0.5, stride, run and 0.22 or 0.1)
  legs(drop, lz, ly, rz, ry)
  local swing = cos(phase * 6.2831853)
  spin[ARM_L * 3], spin[ARM_R * 3] = 0.42 * swing, -0.42 * swing
  spin[FORE_L * 3], spin[FORE_R * 3] = -0.28 - 0.16 * max(0, -swing), -0.28 - 0.16 * max(0, swing)
  spin[ARM_L * 3 + 1], spin[ARM_R * 3 + 1] = 0.07, -0.07
  spin[CHEST * 3 + 2] = 0.09 * swing
  spin[HIPS * 3 + 2] = -0.06 * swing
  spin[SPINE * 3] = 0.04
  spin[HEAD * 3 + 2] = -0.05 * swing
  if run then
    spin[ARM_L * 3], spin[ARM_R * 3] = 0.85 * swing, -0.85 * swing
    spin[FORE_L * 3], spin[FORE_R * 3] = -1.35, -1.35
    spin[SPINE * 3], spin[CHEST * 3] = 0.12, 0.08
  end
  return drop, 0.012 * sin(phase * 6.2831853)
end

--- Standing: at ease, or with the clip 'talk' or 'wave'.
function M.stand(time, seed, clip)
  clear()
  local t = time + seed * 7.3
  local breath = sin(t * 1.5)
  legs(0.012, 0.02, 0, -0.02, 0)
  spin[CHEST * 3] = 0.015 * breath
  spin[ARM_L * 3 + 1], spin[ARM_R * 3 + 1] = 0.09 + 0.01 * breath, -0.09 - 0.01 * breath
  spin[FORE_L * 3], spin[FORE_R * 3] = -0.2, -0.2
  spin[HEAD * 3 + 2] = 0.22 * sin(t * 0.37) * sin(t * 0.23)
  if clip == 'talk' then
    local g = max(0, sin(t * 0.61)) -- bursts of gesture
    spin[ARM_R * 3] = -0.35 * g
    spin[FORE_R * 3] = -0.3 - 1.1 * g - 0.22 * sin(t * 5.1) * g
    spin[FORE_L * 3] = -0.3 - 0.5 * max(0, sin(t * 0.61 + 2)) - 0.1 * sin(t * 3.7) * g
    spin[HEAD * 3] = 0.06 * sin(t * 2.3) * g
    spin[CHEST * 3 + 2] = 0.06 * sin(t * 0.7)
  elseif clip == 'wave' then
    local g = maths.smoothstep(0.1, 0.5, sin(t * 0.5))
    spin[ARM_R * 3 + 1] = -0.09 - 2.35 * g
    spin[FORE_R * 3 + 1] = (-0.4 + 0.45 * sin(t * 7)) * g
    spin[FORE_R * 3] = -0.2 * (1 - g)
    spin[HEAD * 3 + 1] = 0.05 * g
  end
  return 0.012, 0
end

--- Sitting on a seat `height` above the floor, in the body's own metres; at a board, so high, one eats and drinks.
function M.sit(time, seed, height, board)
  clear()
  local t = time + seed * 5.7
  local drop = 0.9 - height - 0.082
  local lift = max(0, 0.82 - drop - 0.46) -- short legs hang
  legs(drop, 0.37, lift, 0.34, lift)
  spin[LEG_L * 3 + 1], spin[LEG_R * 3 + 1] = 0.06, -0.06
  spin[FOOT_L * 3], spin[FOOT_R * 3] = spin[FOOT_L * 3] - lift * 1.2, spin[FOOT_R * 3] - lift * 1.2
  local lean = 0.07 + 0.03 * sin(t * 0.31)
  spin[SPINE * 3] = lean
  spin[CHEST * 3] = 0.012 * sin(t * 1.4)
  spin[HEAD * 3 + 2] = 0.4 * sin(t * 0.29) * sin(t * 0.17 + seed)
  if board then
    local top = board + drop + 0.03 -- as the sunk body sees it
    local sip = maths.smoothstep(0.55, 0.8, sin(t * 0.43))
    local talk = max(0, sin(t * 0.27 + seed * 2)) * (1 - sip)
    reach(1, 0.15, top, 0.41)
    reach(-1, -0.17 + 0.12 * sip, top + sip * (1.5 - top) + talk * (0.12 + 0.03 * sin(t * 5)), 0.41 - 0.2 * sip)
    spin[HEAD * 3] = 0.1 - 0.16 * sip + 0.05 * sin(t * 2.1) * talk
  else
    local lap = 0.9 + 0.1 + 0.03
    reach(1, 0.11, lap, 0.25)
    reach(-1, -0.11, lap, 0.25 + 0.02 * sin(t * 0.8))
  end
  return drop, 0
end

--- Lying on the back, the hip `height` above the floor: the head lies towards the body's own -z.
function M.lie(time, seed, height)
  clear()
  local t = time + seed * 3.1
  spin[HIPS * 3] = -1.5707963
  spin[LEG_L * 3 + 1], spin[LEG_R * 3 + 1] = 0.05, -0.05
  spin[FOOT_L * 3], spin[FOOT_R * 3] = 1.05, 1.05 -- the cover weighs on the toes
  spin[ARM_L * 3 + 1], spin[ARM_R * 3 + 1] = 0.05, -0.05
  spin[NECK * 3], spin[HEAD * 3] = 0.1, 0.16
  spin[HEAD * 3 + 2] = (seed % 2 == 0 and 0.5 or -0.5) + 0.03 * sin(t * 0.2)
  spin[CHEST * 3] = 0.015 * sin(t * 0.95)
  return 0.94 - height, 0
end

-- Both hands on a shaft that is bound to the chest (see body.lua): the upper body swings it over the ground.
local function sweep(t, rate, wide)
  legs(0.035, 0.06, 0, -0.06, 0)
  local q = sin(t * rate)
  local twist = wide * (q - 0.12 * q * q * q)
  spin[SPINE * 3], spin[SPINE * 3 + 2] = body.LEAN, twist
  local hands = body.SHAFT
  reach(-1, hands[1][1], hands[1][2], hands[1][3])
  reach(1, hands[2][1], hands[2][2], hands[2][3])
  spin[NECK * 3], spin[HEAD * 3] = 0.1, 0.2
  spin[HEAD * 3 + 2] = -twist * 0.4
  return 0.035, 0.01 * q
end

-- A stroke, 0 high to 1 down, of a cycle: slow up, quick down, a rest.
local function stroke(u)
  u = u - floor(u)
  if u < 0.5 then return 1 - maths.smoothstep(0, 0.5, u) end
  if u < 0.62 then return (u - 0.5) / 0.12 * ((u - 0.5) / 0.12) end
  return 1
end

--- Work: 'sweep' and 'rake' swing a shaft, 'chop' an axe in both hands, 'hammer' in one hand, 'feed' throws
--- grain to the hens.
function M.work(time, seed, clip)
  clear()
  local t = time + seed * 4.3
  if clip == 'sweep' then return sweep(t, 2.3, 0.5) end
  if clip == 'rake' then return sweep(t, 1.5, 0.55) end
  if clip == 'chop' then
    local down = stroke(t * 0.42)
    local up = 1 - down
    local drop = 0.03 + 0.06 * down
    legs(drop, 0.13, 0, -0.13, 0)
    spin[SPINE * 3] = 0.34 * down - 0.1 * up
    local y, z = 1.06 + 0.62 * up, 0.46 - 0.24 * up
    reach(1, 0.05, y + 0.04 * up, z - 0.03)
    local whole = reach(-1, -0.05, y, z + 0.05)
    spin[HAND_R * 3] = 0.05 * down - 2.3 * up - whole
    spin[HEAD * 3] = 0.3 * down + 0.1
    return drop, 0
  elseif clip == 'hammer' then
    local down = stroke(t * 0.75)
    local up = 1 - down
    legs(0.03, 0.09, 0, -0.09, 0)
    spin[SPINE * 3] = 0.16 + 0.08 * down
    local whole = reach(-1, -0.14, 0.98 + 0.5 * up, 0.42 - 0.12 * up)
    spin[HAND_R * 3] = -0.02 * down - 1.5 * up - whole
    reach(1, 0.12, 1.06, 0.4)
    spin[CHEST * 3 + 2] = -0.12 * up
    spin[HEAD * 3] = 0.34
    return 0.03, 0
  end
  -- feed: a hand goes to the apron and throws in an arc
  local u = t * 0.36 - floor(t * 0.36)
  local throw = maths.smoothstep(0.45, 0.6, u) * (1 - maths.smoothstep(0.75, 1, u))
  legs(0.02, 0.05, 0, -0.05, 0)
  reach(-1, -0.06 - 0.42 * throw, 1.06 + 0.12 * throw, 0.25 + 0.22 * throw)
  reach(1, 0.09, 1.04, 0.22)
  spin[CHEST * 3 + 2] = -0.2 * throw
  spin[SPINE * 3] = 0.1
  spin[HEAD * 3] = 0.2
  spin[HEAD * 3 + 2] = 0.2 * sin(t * 0.4)
  return 0.02, 0
end

--- Holds a lantern out: over the walk or the stand that is in `spin`.
function M.carry()
  reach(1, 0.27, 1.16, 0.26)
end

--- Mixes the pose in `before` into spin, by how much of spin there is.
function M.mix(before, share)
  for k = 0, JOINTS * 3 - 1 do spin[k] = before[k] + (spin[k] - before[k]) * share end
end

--- Where the arm's palm is, after limbs.chain.
function M.palm(rot, place, left, out)
  local joint = left and HAND_L or HAND_R
  local p, q = joint * 3, joint * 9
  for j = 0, 2 do out[j] = place[p + j] - rot[q + j * 3 + 1] * 0.06 end
end

return M
