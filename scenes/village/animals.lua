--- The animals' lives: they graze, peck, follow, swim and fly by day, sleep by night in barn, stable or grass, and flee
--- from a walker in the window. On the scripted walk all is a function of the hour and the time.
local sight = require('village.sight')
local maths = require('thatch.math')
local beasts = require('village.beasts')
local daylight = require('village.daylight')
local gaits = require('village.gaits')
local layout = require('village.layout')
local rounds = require('village.rounds')
local terrain = require('village.terrain')

local M = {}
local sin, cos, random = maths.sin, maths.cos, maths.random
local max, floor = math.max, math.floor
local PERIOD, EASE = 29, 1.2 -- seconds of a round's walk and halt, and to start or stop

-- kind, where: a round to walk or a place to stand { x, z, heading }, speed, scale. `night`: a house and a place and
-- turn in its own space, with a height when it is no floor; without it they lie down where they are. `walks`: seconds
-- of each half minute that a round is walked, the others are for grazing. `after`: the number of who is followed,
-- `behind` metres back and `aside`; 'folk' follows a villager. `shy`: metres within which they flee a walker.
-- `awake` by night; `on_feet`: asleep standing.
M.herd = {
  { 'sheep', stand = { -41.5, -24, 0.6 } }, { 'sheep', stand = { -41, -35.5, 2.1 } },
  { 'sheep', stand = { -51.2, -24.5, 4.0 } },
  { 'sheep', round = { { -38, -20 }, { -46, -23 }, { -50, -31 }, { -44, -33.5 }, { -39, -29 } }, speed = 0.42,
    walks = 13 },
  { 'sheep', stand = { -43.4, -27.6, 5.2 }, scale = 0.72 },
  { 'sheep', stand = { -44, -8, 1.0 } }, { 'sheep', stand = { -47.8, -6.4, 5.1 } },
  { 'cow', stand = { 37.5, -36, 2.6 } },
  { 'cow', stand = { 53.2, -30.5, 4.4 }, night = { 'barn', 5.05, -1.05, 1.5707963 } },
  { 'cow', round = { { 36.4, -29.4 }, { 42, -29.8 }, { 50, -28.9 }, { 46, -31.4 }, { 38, -31 } }, speed = 0.5,
    walks = 14, night = { 'barn', 5.05, -3.15, 1.5707963 } },
  { 'dog', after = 'folk', folk = 1, behind = 1.5, aside = -0.65, speed = 1.05,
    night = { 'thatched cottage', 1.5, 4.0, 1.2, 'yard' } },
  { 'goat', stand = { 25.4, 9, 0.4 } }, { 'goat', stand = { 27.8, -2.6, 3.4 } },
  { 'goat', round = { { 23, -4 }, { 28, -4.6 }, { 28.4, 3 }, { 25, 6 } }, speed = 0.5, walks = 15 },
  { 'hen', round = { { 36.4, -15.6 }, { 38, -16.4 }, { 38, -15 }, { 36.8, -14.6 } }, speed = 0.3, walks = 17,
    night = { 'barn', -2.6, 3.5, 0.4 }, shy = 2.4 },
  { 'hen', round = { { 47.2, -15 }, { 48.8, -15.6 }, { 48, -13.8 } }, speed = 0.26, walks = 18,
    night = { 'barn', -3.2, 3.1, -2.1 }, shy = 2.4 },
  { 'hen', stand = { 41.2, -14, 2.2 }, night = { 'barn', -2.6, 2.9, 1.4 }, shy = 2.2 },
  { 'hen', stand = { 39.2, -14.6, 0.4 }, night = { 'barn', -3.9, 3.3, 3.3 }, shy = 2.2 },
  { 'hen', round = { { -3.4, 1.6 }, { -1.6, 0 }, { -2.6, -2 }, { -4.8, -0.4 } }, speed = 0.3, walks = 19, shy = 2.4,
    night = { 'barn', -4.4, 2.9, 0.2 } }, { 'hen', stand = { 5.6, 14.6, 1.2 }, shy = 2.2,
    night = { 'barn', -3.9, 2.7, 5.2 } },
  { 'hen', round = { { 4.8, 19 }, { 7.4, 18.2 }, { 7.8, 16.2 }, { 5.2, 16.8 } }, speed = 0.28, walks = 18, shy = 2.4,
    night = { 'barn', -3.2, 3.7, 2.4 } },
  { 'cat', stand = { -4.2, 9.6, 2.0 }, night = { 'inn', -3.4, -0.4, 1.9 } },
  { 'cat', round = { { 11.6, 25.6 }, { 13, 24.9 }, { 14.6, 25.8 }, { 13, 26.6 } }, speed = 0.5, walks = 12,
    awake = true },
  { 'horse', stand = { 57.6, -18.4, 2.4 }, night = { 'stable', 1.06, -0.35, 3.14159265 }, on_feet = true },
  { 'horse', round = { { 58, -24 }, { 64, -26 }, { 68, -23 }, { 65, -20.4 }, { 60, -21.4 } }, speed = 0.7,
    scale = 0.96, walks = 14, night = { 'stable', 3.1, -0.35, 3.14159265 }, on_feet = true },
  { 'pig', stand = { -19.4, -22, 0.6 } }, { 'pig', round = { { -16, -22 }, { -13, -24 }, { -15, -27 }, { -18.4, -25 } },
    speed = 0.32, scale = 0.8, walks = 16 },
  { 'deer', stand = { -60, -44, 1.0 }, shy = 9 },
  { 'deer', round = { { -64, -48 }, { -56, -52 }, { -50, -47 }, { -57, -41 } }, speed = 0.6, scale = 0.86, walks = 14,
    shy = 10 },
  { 'duck', round = { { -40, 27 }, { -45, 24.6 }, { -50, 27 }, { -47, 31 } }, speed = 0.34, swim = true },
  { 'duck', round = { { -41, 33 }, { -45, 36 }, { -49, 34.4 }, { -45, 31.8 } }, speed = 0.36, swim = true,
    scale = 0.9 },
  { 'duck', round = { { -52, 33 }, { -56, 31 }, { -54, 27 }, { -51, 30 } }, speed = 0.3, swim = true },
  { 'bird', round = { { -20, 20 }, { 10, 34 }, { 30, 8 }, { 12, -24 }, { -24, -10 } }, speed = 8, fly = 13,
    night = { 'barn', 0.02, 1.5, 0.3, 4.19 } },
  { 'bird', round = { { -18, 18 }, { 14, 30 }, { 27, 4 }, { 8, -22 }, { -26, -6 } }, speed = 8.3, fly = 15,
    night = { 'barn', -0.03, 1.8, 1.7, 4.19 } },
  { 'bird', round = { { -60, 30 }, { -40, 44 }, { -20, 24 }, { -38, 12 } }, speed = 7, fly = 9,
    night = { 'barn', 3.34, -1.2, -1.6, 4.19 } },
  { 'bird', round = { { 20, -40 }, { -10, -60 }, { -40, -36 }, { -8, -18 } }, speed = 7.6, fly = 16,
    night = { 'barn', -3.36, 1.0, 1.4, 4.19 } },
  { 'duck', after = 30, behind = 0.62, aside = 0.05, swim = true, scale = 0.46 },
  { 'duck', after = 30, behind = 0.92, aside = -0.06, swim = true, scale = 0.43 },
  { 'duck', after = 30, behind = 1.2, aside = 0.04, swim = true, scale = 0.45 },
  { 'goat', after = 14, behind = 1.15, aside = 0.35, scale = 0.55 },
}

-- Where one spends the night: in a house's own space, or in the yard before it.
local function night_place(state, q)
  local entry = state.buildings[q[1]]
  local x, z = entry.world(q[2], q[3])
  local y = entry.house.y + 0.064
  if q[5] == 'yard' then y = state.height(x, z)
  elseif q[5] then y = entry.house.y + q[5]
  elseif entry.building.stair_at then y = entry.house.y + entry.building.stair_at.y0 end
  return { x = x, y = y, z = z, heading = entry.house.turn + q[4], inside = q[5] ~= 'yard' }
end

function M.build(state)
  local coarse = state.quality.animal_coarseness
  local made = beasts.bodies(coarse)
  local list = {}
  for i = 1, #M.herd do
    local a = M.herd[i]
    local body = a[1] == 'hen' and made['hen' .. (1 + i % 3)] or made[a[1]]
    local node = state.scene:node({ name = a[1] })
    local mesh = state.scene:mesh({ geometry = body.geometry, material = state.materials.skin, node = node,
      draw_distance = a.fly and 90 or body.kind == nil and 50 or state.coarse > 1.4 and 46 or 105 })
    list[i] = { who = a, body = body, node = node, mesh = mesh, way = a.round and rounds.new(a.round), seed = i,
      night = a.night and night_place(state, a.night), push_x = 0, push_z = 0, gone = 0, pace = 0, shown = true }
    state.movers[#state.movers + 1] = node
  end
  state.animals, state.animal_coarseness = list, coarse
end

--- Bodies again, when the quality asks for others.
function M.quality_changed(state, quality)
  if quality.animal_coarseness == state.animal_coarseness then return end
  local made = beasts.bodies(quality.animal_coarseness)
  for i = 1, #state.animals do
    local a = state.animals[i]
    a.body = a.who[1] == 'hen' and made['hen' .. (1 + i % 3)] or made[a.who[1]]
    a.mesh:set_geometry(a.body.geometry)
  end
  state.animal_coarseness = quality.animal_coarseness
end

-- How far a round is walked by a time, with halts for grazing: eased, so that nobody stops short. Also how much of a
-- walk it is just now.
local function paced(who, time, seed)
  if not who.walks then return time * who.speed, 1 end
  local t = time / PERIOD + random(23, seed, 1)
  local turns = floor(t)
  local u = (t - turns) * PERIOD
  local walks, e = who.walks, EASE
  local share = maths.smoothstep(0, e, u) * (1 - maths.smoothstep(walks - e, walks, u))
  -- the integral of the share: e / 2 lost at either end
  local gone
  if u < e then
    local q = u / e
    gone = e * q * q * q * (1 - q / 2)
  elseif u < walks - e then
    gone = u - e / 2
  elseif u < walks then
    local q = (u - walks + e) / e
    gone = walks - e * 1.5 + e * (q - q * q * q * (1 - q / 2))
  else
    gone = walks - e
  end
  return (turns * (walks - e) + gone) * who.speed, share
end

-- How deep the night is for one: each lies down and gets up in its own time.
local function night_share(hour, seed)
  local own = 0.9 * random(21, seed, 1)
  return maths.smoothstep(20.2 + own, 20.5 + own, hour) + 1 - maths.smoothstep(4.9 + own, 5.2 + own, hour)
end

-- In the window: away from a walker who comes near, and back when he has gone.
local function flee(state, a, x, z, dt, view)
  local walker = view.focus or view.eye
  local px, pz = x + a.push_x, z + a.push_z
  local dx, dz = px - walker[1], pz - walker[3]
  local d = maths.sqrt(dx * dx + dz * dz)
  local shy, vx, vz = a.who.shy, 0, 0
  local fast = shy > 5 and 5.2 or 1.9
  if d < shy and d > 1e-3 and math.abs(walker[2] - a.y) < 2 then
    a.pace = math.min(fast, a.pace + dt * 9)
    vx, vz = dx / d * a.pace, dz / d * a.pace
  else
    local back = maths.sqrt(a.push_x * a.push_x + a.push_z * a.push_z)
    local calm = d > shy * 1.6 and back > 0.02
    a.pace = calm and math.min(fast * 0.2, a.pace + dt) or max(0, a.pace - dt * 6)
    if calm then
      local v = math.min(a.pace, back / max(dt, 1e-3))
      vx, vz = -a.push_x / back * v, -a.push_z / back * v
    end
  end
  local step = maths.sqrt(vx * vx + vz * vz) * dt
  if step < 1e-6 then return 0 end
  local nx, nz = px + vx * dt, pz + vz * dt
  local ground = state.height(nx, nz)
  nx, nz = state.ways.world:resolve(nx, nz, 0.22, ground + 0.1, ground + 0.6)
  a.flee_heading = maths.atan2(vx, vz)
  if terrain.pond_reach(nx, nz) > 1.06 then -- none takes to the water
    a.push_x, a.push_z = nx - x, nz - z
    a.gone = a.gone + step
  end
  return 1
end

-- Behind one who walks: on its own track, so that it never cuts a corner.
local function follow(state, a)
  local who = a.who
  local way, s
  if who.after == 'folk' then
    local p = state.people[who.folk]
    if p.kind ~= 'round' or p.on_way then return nil end
    way, s = p.place.way, p.s
  else
    local lead = state.animals[who.after]
    way, s = lead.way, lead.s
  end
  local x, z, heading = rounds.at(way, s - who.behind, 0.5)
  return x + cos(heading) * who.aside, z - sin(heading) * who.aside, heading, s
end

-- Is one at its place for the night? In the window nobody may see one leap there or back.
local function is_away(a, asleep, interactive)
  local home = a.night
  local away = home and asleep > 0.5
  if not (interactive and home) then
    a.was_away = nil
    return away
  end
  if a.was_away == nil then a.was_away = away end
  if away ~= a.was_away and not sight.sees(a.x, a.z, 60) and not sight.sees(home.x, home.z, 60) then
    a.was_away = away
  end
  return a.was_away
end

-- How far one is on its round, asleep or awake; how much of a walk it is, and how far it lies.
local function on_round(a, time, asleep, interactive)
  local who, way, first = a.who, a.way, a.way.length * random(18, a.seed, 1)
  if asleep > 0 and not who.fly then -- sleeps where it is, all night
    a.offset = nil
    if not interactive then
      a.s = first
      return 0, asleep
    end
    if a.s == nil then a.s = first end
    local left = first - a.s
    left = left - floor(left / way.length) * way.length
    a.s = a.s + math.min(left, maths.clamp(time - (a.before or time), 0, 0.25) * who.speed)
    return left > 0.02 and 1 or 0, (left <= 0.02) and asleep or 0
  end
  local s, share = paced(who, time, a.seed)
  s = s + first
  if interactive then -- goes on from where it slept
    if a.s and not a.offset then a.offset = a.s - s end
    s = s + (a.offset or 0)
  else
    a.offset = nil
  end
  a.s = s
  return share, 0
end

-- The height of its feet: on the ground, on the water or in the air.
local function level_of(state, a, x, z, time, scale)
  local who = a.who
  if who.fly then return state.height(x, z) + who.fly + 1.6 * sin(time * 0.31 + a.seed) end
  if who.swim then
    return layout.pond.level - 0.035 * (scale < 0.6 and 0.5 or 1) + 0.006 * sin(time * 1.7 + a.seed)
  end
  return state.height(x, z)
end

local function pose(a, phase, stride, time)
  local who, kind, walking, lying = a.who, a.body.kind, a.walking, a.lying
  if kind then
    local feet = who.on_feet and lying > 0
    gaits.beast(kind, a.body.rest, phase, stride, walking, feet and 0 or lying, time, a.seed,
      feet and 'stand' or walking > 0 and walking < 1 and 'graze' or nil)
  elseif who.fly then
    gaits.bird(a.body.rest, time, a.seed, a.away)
  else
    gaits.hen(a.body.rest, phase, who.swim and 0.02 or stride, walking, lying, time, a.seed, who.swim)
  end
  a.mesh:set_joints(gaits.matrices, kind and beasts.JOINTS or a.body.joints or beasts.HEN_JOINTS)
end

-- Poses, shows and places one that is somewhere.
local function show(state, a, x, z, heading, scale, phase, stride, time)
  local within = a.away and a.night.inside
  local far = a.who.fly and 102 or a.body.kind and (state.coarse > 1.4 and 54 or 117) or 60
  local seen = sight.sees(x, z, within and 32 or far)
  if seen then pose(a, phase, stride, time) end
  if a.shown ~= (seen or not within) then -- who is within is not drawn from afar
    a.shown = not a.shown
    a.mesh:set_visible(a.shown)
  end
  a.node:set_pose(x, a.y, z, heading, scale) -- out of sight too: where it was last may be in sight
end

-- In the window alone: moves one that flees; whether it runs, and where it heads when it is not where it would be.
local function shy_away(state, a, x, z, time, view)
  local runs = flee(state, a, x, z, maths.clamp(time - (a.clock or time), 0, 0.25), view) > 0
  a.clock = time
  if runs then return true, a.flee_heading end
  return false, a.push_x * a.push_x + a.push_z * a.push_z > 1e-3 and a.flee_heading or nil
end

local function live(state, a, time, hour, view)
  local who, kind, interactive = a.who, a.body.kind, view.interactive
  local scale = who.scale or (0.94 + 0.12 * random(19, a.seed, 1))
  if a.hour ~= hour then a.hour, a.dark = hour, maths.clamp(night_share(hour, a.seed), 0, 1) end
  local asleep = not who.awake and a.dark or 0
  local away = is_away(a, asleep, interactive) -- in the stable, the barn, by the fire
  local x, z, heading, s
  local walking, at_home, lying = 0, away
  if who.after and not away then
    x, z, heading, s = follow(state, a)
    at_home = x == nil
  end
  if at_home then
    x, z, heading, lying = a.night.x, a.night.z, a.night.heading, 1
  elseif who.after then
    a.s = s
    local lead = who.after ~= 'folk' and state.animals[who.after]
    walking = lead and lead.walking or not lead and (1 - state.people[who.folk].ease) or 1
    lying = lead and lead.lying or 0
  elseif a.way then
    walking, lying = on_round(a, time, asleep, interactive)
    x, z, heading = rounds.at(a.way, a.s, kind == nil and 0.12 or 0.4)
  else
    x, z, heading = who.stand[1], who.stand[2], who.stand[3]
    lying = asleep
  end
  a.before = interactive and time or nil
  if who.swim and lying > 0 then walking = 0 end
  local stride = kind == nil and 0.09 or kind.h * (0.62 + 0.25 * (who.speed or 0.5))
  local gone = a.s or 0
  if who.shy and not interactive then
    a.push_x, a.push_z, a.gone, a.pace, a.clock = 0, 0, 0, 0, nil
  elseif who.shy and not away and lying < 0.5 then
    local runs, to = shy_away(state, a, x, z, time, view)
    if runs then walking, gone = 1, a.gone elseif to then walking = 0 end
    if runs and who.shy > 5 then stride = stride * 1.7 end
    x, z, heading = x + a.push_x, z + a.push_z, to or heading
  end
  local phase = walking > 0 and gone / (stride * 2 * scale) or 0
  a.x, a.z, a.walking, a.lying, a.away = x, z, walking, lying, away
  a.y = at_home and a.night.y or level_of(state, a, x, z, time, scale)
  show(state, a, x, z, heading, scale, phase - floor(phase), stride, time)
end

function M.update(state, _, time, _, view)
  sight.from(view)
  local hour = (view.hour or daylight.DEFAULT) % 24
  for i = 1, #state.animals do live(state, state.animals[i], time, hour, view) end
end

return M
