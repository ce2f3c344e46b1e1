--- How animals move: grazing, walking with planted feet, pecking, swimming, flying, and lying asleep. Each pose is left
--- in `matrices`.
local ffi = require('ffi')
local maths = require('thatch.math')
local beasts = require('village.beasts')
local limbs = require('village.limbs')

local M = {}
local sin, cos = maths.sin, maths.cos
local max, floor = math.max, math.floor
local BODY, NECK, HEAD, TAIL = 0, 1, 2, 3
local JOINTS, HEN_JOINTS, BIRD_JOINTS = beasts.JOINTS, beasts.HEN_JOINTS, beasts.BIRD_JOINTS
local PARENT, HEN_PARENT, BIRD_PARENT = beasts.PARENT, beasts.HEN_PARENT, beasts.BIRD_PARENT

local spin = ffi.new('double[?]', JOINTS * 3)
local rot = ffi.new('double[?]', JOINTS * 9)
local place = ffi.new('double[?]', JOINTS * 3)
local matrices = ffi.new('float[?]', JOINTS * 16)
M.matrices = matrices

-- the order of the feet in a walk: hind left, front left, hind right, front right
local WHEN = { [4] = 0.25, [6] = 0.75, [8] = 0, [10] = 0.5 }

-- `walking` and `lying` are shares, 0 to 1; a dog or cat that lies rests its head on its paws.
function M.beast(kind, rest, phase, stride, walking, lying, time, seed, still)
  for i = 0, JOINTS * 3 - 1 do spin[i] = 0 end
  local h = kind.h
  local upper, lower = h * 0.48 + 0.001, h * 0.52 - 0.035
  local drop = 0.012 * h + walking * (0.004 * h + 0.008 * h * cos(phase * 12.566))
  for j = 4, 10, 2 do
    local fz, fy = 0, 0
    if walking > 0 then
      fz, fy = limbs.step(phase + WHEN[j], stride, h * 0.14)
      fz, fy = fz * walking, fy * walking
    end
    local a, k = limbs.bend(fz, upper + lower - drop - fy, upper, lower, j >= 8)
    spin[j * 3], spin[(j + 1) * 3] = a, k
  end
  local t = time + seed * 5.1
  local graze = (1 - walking) * (1 - lying)
  if not still then graze = graze * maths.smoothstep(-0.35, 0.1, sin(t * 0.21)) end
  if kind.graze == 0 or still == 'stand' then graze = 0 end
  -- a positive pitch lowers the head
  spin[NECK * 3] = 1.05 * graze + walking * 0.04 * sin(phase * 12.566) + (1 - walking) * 0.03 * sin(t * 0.8)
  spin[HEAD * 3] = 0.25 * graze + 0.05 * sin(t * 3.1) * graze
  spin[HEAD * 3 + 2] = 0.25 * sin(t * 0.43) * (1 - graze) * (1 - lying)
  spin[TAIL * 3 + 1] = 0.35 * max(0, sin(t * 0.9)) * sin(t * 6.5) * (1 - lying)
  spin[BODY * 3 + 1] = 0.015 * sin(phase * 6.283) * walking
  if still == 'stand' then -- asleep on its feet
    spin[NECK * 3], spin[HEAD * 3] = 0.5 + 0.02 * sin(t * 0.7), 0.15
  end
  if lying > 0 then -- legs folded under, the belly on the ground
    local low = h - kind.r * 0.34 - kind.leg * 0.6
    drop = drop + (low - drop) * lying
    for j = 4, 10, 2 do
      local s = j < 8 and 1 or -1
      spin[j * 3] = spin[j * 3] + (s * 1.32 - spin[j * 3]) * lying
      spin[(j + 1) * 3] = spin[(j + 1) * 3] + (-s * 2.86 - spin[(j + 1) * 3]) * lying
    end
    local side = seed % 2 == 0 and 1 or -1
    spin[NECK * 3] = spin[NECK * 3] + (kind.rest_neck or 0.5) * lying + 0.01 * sin(t * 1.1) * lying
    spin[NECK * 3 + 2] = side * 0.55 * lying
    spin[HEAD * 3 + 2] = spin[HEAD * 3 + 2] + side * 0.5 * lying
    spin[TAIL * 3 + 1] = spin[TAIL * 3 + 1] + side * 0.5 * lying
  end
  limbs.chain(JOINTS, PARENT, rest, spin, rot, place, 0, drop)
  limbs.skin(JOINTS, rest, rot, place, matrices)
end

function M.bird(rest, time, seed, roost)
  for i = 0, BIRD_JOINTS * 3 - 1 do spin[i] = 0 end
  local t = time + seed * 2.9
  if roost then -- wings folded back along the body, the head drawn in
    spin[0] = -0.5
    spin[4], spin[10] = -0.35, 0.35
    spin[5], spin[11] = 1.1, -1.1
    spin[8], spin[14] = 0.35, -0.35
    limbs.chain(BIRD_JOINTS, BIRD_PARENT, rest, spin, rot, place, 0, 0.002 * sin(t * 1.6))
    limbs.skin(BIRD_JOINTS, rest, rot, place, matrices)
    return
  end
  local beat = maths.smoothstep(-0.2, 0.4, sin(t * 0.9)) -- beats, then glides
  local flap = sin(t * 19) * 0.75 * beat + 0.12
  spin[4], spin[7] = flap, flap * 0.7 - 0.25 * beat
  spin[10], spin[13] = -flap, -(flap * 0.7 - 0.25 * beat)
  limbs.chain(BIRD_JOINTS, BIRD_PARENT, rest, spin, rot, place, 0, -0.02 * sin(t * 19 + 1) * beat)
  limbs.skin(BIRD_JOINTS, rest, rot, place, matrices)
end

-- Hens and ducks; `lying`: how far one sits on the ground with its head drawn back.
function M.hen(rest, phase, stride, walking, lying, time, seed, swims)
  for i = 0, HEN_JOINTS * 3 - 1 do spin[i] = 0 end
  local t = time + seed * 3.7
  for j = 4, 5 do
    local fz = 0
    if walking > 0 then fz = limbs.step(phase + (j == 4 and 0 or 0.5), stride, 0) * walking end
    spin[j * 3] = maths.atan2(-fz, 0.155)
  end
  local peck = (1 - walking) * (1 - lying) * maths.smoothstep(0.3, 0.55, sin(t * 0.8)) * (0.75 + 0.25 * sin(t * 9))
  if swims then peck = 0 end
  spin[0] = 0.5 * peck
  spin[4 * 3], spin[5 * 3] = spin[4 * 3] - 0.5 * peck, spin[5 * 3] - 0.5 * peck
  spin[3] = 0.9 * peck + walking * 0.16 * sin(phase * 12.566)
  spin[6] = -spin[3] * 0.6 + 0.3 * peck
  spin[6 + 2] = (1 - walking) * 0.5 * sin(floor(t * 1.3) * 2.1) * (1 - peck) * (1 - lying)
  local drop = walking * 0.006 * (1 + cos(phase * 12.566))
  if lying > 0 then
    if not swims then
      drop = drop + (0.115 - drop) * lying
      spin[4 * 3], spin[5 * 3] = spin[4 * 3] + 1.5 * lying, spin[5 * 3] + 1.5 * lying
    end
    spin[3] = spin[3] - 0.75 * lying -- the head is laid back between the wings
    spin[6] = spin[6] + 1.0 * lying
    spin[6 + 2] = spin[6 + 2] + 0.9 * lying * (seed % 2 == 0 and 1 or -1)
    drop = drop + 0.0015 * sin(t * 1.7) * lying
  end
  limbs.chain(HEN_JOINTS, HEN_PARENT, rest, spin, rot, place, 0, drop)
  limbs.skin(HEN_JOINTS, rest, rot, place, matrices)
end

return M
