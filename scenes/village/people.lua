--- Villagers: one skinned body of tubes and rings on 19 joints, clothed by vertex colours; they walk closed rounds
--- with
--- planted feet. Where they are is a function of the time alone.
local sight = require('village.sight')
local ffi = require('ffi')
local maths = require('thatch.math')
local body = require('village.body')
local rounds = require('village.rounds')
local limbs = require('village.limbs')

local M = {}
local max = math.max
local sin, cos, random = maths.sin, maths.cos, maths.random

-- joints, as body.lua has them
local HIPS, SPINE, CHEST, HEAD = 0, 1, 2, 4
local ARM_L, FORE_L, ARM_R, FORE_R = 5, 6, 8, 9
local LEG_L, SHIN_L, FOOT_L, LEG_R, SHIN_R, FOOT_R = 11, 12, 13, 15, 16, 17
local JOINTS, REST, PARENT = body.JOINTS, body.REST, body.PARENT
local THIGH, SHIN = 0.41, 0.41

-- Who lives here: what they wear, and their rounds (x, z) or where they stand and which way they face.
M.folk = {
  { seed = 1, top = 0, legs = 6, hat = 'straw', beard = true, height = 1.02, speed = 1.05,
    round = { { -2.6, 34 }, { -4.4, 27 }, { -3.4, 18.6 }, { -0.9, 9.8 }, { 1.9, 10.4 }, { 0.9, 19 }, { -0.9, 27.5 },
      { 0.6, 35 } } },
  { seed = 2, top = 1, legs = 3, skirt = 0.2, apron = true, hat = 'scarf', height = 0.95, speed = 0.95,
    round = { { 8.2, 6.4 }, { 9, 0.4 }, { 9.2, -5 }, { 10.4, -11 }, { 11.6, -19 }, { 12.6, -19.4 }, { 11.8, -11 },
      { 10.6, -5 }, { 10.4, 0.4 }, { 9.2, 6.6 } } },
  { seed = 3, top = 2, legs = 6, hat = 'cap', height = 1.0, stout = 1.12, speed = 1.0,
    round = { { 14.4, -9.8 }, { 22, -9.6 }, { 33, -11.6 }, { 42.4, -13.4 }, { 42.4, -12.0 }, { 32, -10.2 },
      { 21, -8.2 },
      { 14.4, -8.6 } } },
  { seed = 4, top = 3, legs = 0, skirt = 0.16, hat = 'scarf', height = 0.93, speed = 0.9,
    round = { { -5, 16.6 }, { -13, 17.2 }, { -22, 19 }, { -27.2, 22.6 }, { -26.6, 23.4 }, { -21, 20 }, { -12.6, 18.4 },
      { -5, 17.8 } } },
  { seed = 5, top = 5, legs = 4, hat = 'straw', height = 1.04, speed = 1.1, round = { { 11.6, -26 }, { 8.8, -37 },
    { 0.6, -51.4 }, { -5.8, -62.6 }, { -7, -62.2 }, { -0.6, -52.6 }, { 7.4, -38.4 }, { 10.6, -27 } } },
  { seed = 6, top = 4, legs = 6, hat = 'cap', beard = true, height = 1.0, stand = { 2.5, 3.7, 1.0 }, clip = 'talk' },
  { seed = 7, top = 6, legs = 1, skirt = 0.18, apron = true, height = 0.94, stand = { 3.0, 5.0, -2.4 },
    clip = 'talk' },
  { seed = 8, top = 1, legs = 2, height = 0.99, stand = { 3.6, 14.0, -0.9 }, clip = 'wave' },
  { seed = 9, top = 3, legs = 5, skirt = 0.3, hat = 'straw', height = 0.72, speed = 1.2,
    round = { { -21, 15.6 }, { -26, 17.2 }, { -32, 15 }, { -35, 10 }, { -30, 12.6 }, { -25, 14.6 } } },
  { seed = 10, top = 6, legs = 4, hat = 'cap', beard = true, height = 1.05, stout = 1.2,
    stand = { 10.8, 12.8, -1.3 } },
  { seed = 11, top = 2, legs = 1, skirt = 0.17, hat = 'scarf', apron = true, height = 0.96,
    stand = { -27.4, 25.2, -1.5 } },
  { seed = 12, top = 3, legs = 6, hat = 'straw', beard = true, height = 0.97, stout = 1.08, speed = 0.8,
    round = { { 45, -11.4 }, { 50, -11.2 }, { 54.6, -9.8 }, { 55, -8.6 }, { 50, -8.6 }, { 45.4, -9.6 } } },
  { seed = 13, top = 0, legs = 5, height = 0.7, speed = 2.9, run = true,
    round = { { -6, -9.4 }, { -11, -10.6 }, { -16.6, -10.4 }, { -18.4, -9 }, { -13, -7.6 }, { -7.4, -7.4 } } },
  { seed = 14, top = 5, legs = 0, skirt = 0.19, height = 0.95, speed = 0.95,
    round = { { -7.6, -70 }, { -8.6, -78 }, { -9.6, -88 }, { -9.0, -89 }, { -7.6, -80 }, { -6.8, -71 } } },
}

-- What they say, each in turn.
M.lines = {
  'Good day to you. The street is dry for once.',
  'The inn has soup on the fire. Mind the second stair.',
  'My grandfather laid those tiles. Hardly one has slipped.',
  'The ducks know you now. They know everyone.',
  'When the wind turns north, look at the mountains. You see every stone.',
  'The well never ran dry, not even in the summer of the fires.',
  'I was told the cliff sings at night. I never heard it.',
  'Have you been down to the pond? Stand still and look at the bottom.',
  'Every door here is open. Only close it behind you.',
  'Iron does as it is told. People are harder.',
  'The lilies came by themselves. Nobody planted them.',
  'Hay first, talk later. Well, a little talk.',
  'Catch me if you can!',
  'After the rain the whole village smells of thyme.',
}

local matrices = ffi.new('float[?]', JOINTS * 16)
local rot = ffi.new('double[?]', JOINTS * 9)
local place = ffi.new('double[?]', JOINTS * 3)
local spin = ffi.new('double[?]', JOINTS * 3) -- pitch, roll and twist of each joint

local function pose(hip_drop, hip_sway)
  limbs.chain(JOINTS, PARENT, REST, spin, rot, place, hip_sway, hip_drop)
  limbs.skin(JOINTS, REST, rot, place, matrices)
end

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

local function walk_spin(phase, stride, run)
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

local function stand_spin(time, seed, clip)
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

local other = ffi.new('double[?]', JOINTS * 3)

-- In the window alone: who is near the walker stops, turns and waits; so does one whose way another stands in.
local function attend(list, p, time, x, z, heading, view)
  local dt = maths.clamp(time - (p.before or time), 0, 0.25)
  p.before = time
  local walker = view.focus or view.eye
  local dx, dz = walker[1] - x, walker[3] - z
  local d = maths.sqrt(dx * dx + dz * dz)
  local near = d < 2.3 and maths.abs(walker[2] - p.y) < 1.5
  local held = near
  local hx, hz = sin(heading), cos(heading)
  for k = 1, #list do
    local q = list[k]
    if q ~= p and q.x and p.way then
      local ex, ez = q.x - x, q.z - z
      if ex * ex + ez * ez < 0.81 and ex * hx + ez * hz > 0 and q.blocked_by ~= p then
        held = true
        p.blocked_by = q
      elseif p.blocked_by == q then
        p.blocked_by = nil
      end
    end
  end
  if held then p.lag = p.lag + dt end
  p.ease = maths.clamp(p.ease + (held and dt or -dt) * 3.5, 0, 1)
  p.turn = maths.clamp(p.turn + (near and dt or -dt) * 2.5, 0, 1)
  if d > 0.05 then p.to_walker = maths.atan2(dx, dz) end
end

function M.build(state)
  local list = {}
  for i = 1, #M.folk do
    local who = M.folk[i]
    local node = state.scene:node({ name = 'villager ' .. i })
    local mesh = state.scene:mesh({ geometry = body.build(who, state.coarse > 1.4 and 0.55 or 1),
      material = state.materials.skin, node = node, draw_distance = state.coarse > 1.4 and 38 or 90 })
    list[i] = { who = who, node = node, mesh = mesh, way = who.round and rounds.new(who.round), lag = 0, ease = 0,
      turn = 0, line = M.lines[i] }
    state.movers[#state.movers + 1] = node
  end
  state.people = list
end

function M.update(state, _, time, _, view)
  local list = state.people
  sight.from(view)
  local far = state.coarse > 1.4 and 40 or 92
  for i = 1, #list do
    local p = list[i]
    local who = p.who
    local x, z, heading
    local s = 0
    if p.way then
      s = (time - p.lag) * who.speed + p.way.length * random(17, i, 1)
      x, z, heading = rounds.at(p.way, s)
    else
      x, z, heading = who.stand[1], who.stand[2], who.stand[3]
    end
    p.x, p.z, p.y = x, z, state.height(x, z)
    if view.interactive then
      attend(list, p, time, x, z, heading, view)
      if p.turn > 0 and p.to_walker then
        local by = p.to_walker - heading
        by = by - maths.floor(by / 6.2831853 + 0.5) * 6.2831853
        heading = heading + by * p.turn * p.turn * (3 - 2 * p.turn)
      end
    else -- the scripted walk: a function of the time alone
      p.lag, p.ease, p.turn, p.before = 0, 0, 0, nil
    end
    if sight.sees(x, z, far) then -- who is out of sight keeps still
      local drop, sway
      if p.way and p.ease < 1 then
        local stride = who.run and 0.98 * who.height or (who.skirt and 0.44 or 0.62) * who.height + 0.08 * who.speed
        local phase = s / (stride * 2)
        drop, sway = walk_spin(phase - maths.floor(phase), stride / who.height, who.run)
        if p.ease > 0 then
          ffi.copy(other, spin, JOINTS * 3 * 8)
          local e = p.ease * p.ease * (3 - 2 * p.ease)
          local d = stand_spin(time, who.seed, 'talk')
          for k = 0, JOINTS * 3 - 1 do spin[k] = other[k] + (spin[k] - other[k]) * e end
          drop, sway = drop + (d - drop) * e, sway * (1 - e)
        end
      else
        drop, sway = stand_spin(time, who.seed, p.way and 'talk' or who.clip)
      end
      pose(drop, sway)
      p.mesh:set_joints(matrices, JOINTS)
    end
    if sight.sees(x, z, 200) then p.node:set_pose(x, p.y, z, heading, who.height) end
  end
end

return M
