--- The villagers' days: who lives where, and what each does from which hour on. A place is worked out once, when the
--- houses stand; where one is at an hour depends on the hour alone.
local maths = require('thatch.math')
local rounds = require('village.rounds')

local M = {}
local sin, cos = maths.sin, maths.cos

--- Hours that the way from one place to the next takes.
M.SPAN = 0.15

-- Who lives here: what they wear, their rounds (x, z), or where they stand by day and which way they face; and the day:
-- { from, what, ... }, in the order of the hours. What: 'round'; 'stand'; 'watch', the round by night; 'bed', 'table'
-- and 'chair' with a house and a number; 'bench' with a number and a side; 'yard' and 'room' with a house, a place and
-- a turn in its own space and a clip; 'at' with x, z, a heading and a clip.
M.folk = {
  { seed = 1, top = 0, legs = 6, hat = 'straw', beard = true, height = 1.02, speed = 1.05,
    round = { { -2.6, 34 }, { -4.4, 27 }, { -3.4, 18.6 }, { -0.9, 9.8 }, { 1.9, 10.4 }, { 0.9, 19 }, { -0.9, 27.5 },
      { 0.6, 35 } },
    day = { { 5.8, 'table', 'thatched cottage', 1 }, { 7.1, 'round' }, { 18.4, 'table', 'inn', 1 },
      { 21.7, 'bed', 'thatched cottage', 1 } } },
  { seed = 2, top = 1, legs = 3, skirt = 0.2, apron = true, hat = 'scarf', height = 0.95, speed = 0.95,
    round = { { 8.2, 6.4 }, { 9, 0.4 }, { 9.2, -5 }, { 10.4, -11 }, { 11.6, -19 }, { 12.6, -19.4 }, { 11.8, -11 },
      { 10.6, -5 }, { 10.4, 0.4 }, { 9.2, 6.6 } },
    day = { { 5.9, 'yard', 'inn', 1.4, 5.6, 0.5, 'sweep' }, { 9.2, 'round' },
      { 17.2, 'room', 'inn', -2.9, 0.9, 2.2, 'talk' }, { 23.2, 'bed', 'inn', 1 } } },
  { seed = 3, top = 2, legs = 6, hat = 'cap', height = 1.0, stout = 1.12, speed = 1.0,
    round = { { 14.4, -9.8 }, { 22, -9.6 }, { 33, -11.6 }, { 42.4, -13.4 }, { 42.4, -12.0 }, { 32, -10.2 },
      { 21, -8.2 }, { 14.4, -8.6 } },
    watch = { { 9.0, -2.5 }, { 9.6, -10.6 }, { 11.6, -20 }, { 9.4, -31 }, { 8.2, -31.4 }, { 10.2, -20 }, { 7.8, -10 },
      { 4.4, -2.2 }, { 0.2, 2.8 }, { -0.6, 9.6 }, { -1.8, 18 }, { -3.6, 27 }, { -2.6, 33 }, { -1.4, 32.6 },
      { -2, 26.6 }, { 0.4, 17.6 }, { 1.8, 9.6 }, { 4.6, 7.8 },
      { 7.6, 5.8 }, { 8.9, 2.4 } },
    day = { { 5.3, 'bed', 'tall brick house', 1 }, { 12.3, 'table', 'tall brick house', 1 }, { 13.2, 'round' },
      { 17.7, 'table', 'tall brick house', 1 }, { 19.7, 'watch' } } },
  { seed = 4, top = 3, legs = 0, skirt = 0.16, hat = 'scarf', height = 0.93, speed = 0.9,
    round = { { -5, 16.6 }, { -13, 17.2 }, { -22, 19 }, { -27.2, 22.6 }, { -26.6, 23.4 }, { -21, 20 }, { -12.6, 18.4 },
      { -5, 17.8 } },
    day = { { 6.0, 'table', 'brick cottage', 1 }, { 7.2, 'at', 5.4, 4.6, -2.6, 'talk' }, { 9.3, 'round' },
      { 17.2, 'table', 'brick cottage', 1 }, { 19.1, 'at', 5.4, 4.6, -1.9, 'talk' },
      { 21.8, 'bed', 'brick cottage', 1 } } },
  { seed = 5, top = 5, legs = 4, hat = 'straw', height = 1.04, speed = 1.1, round = { { 11.6, -26 }, { 8.8, -37 },
    { 0.6, -51.4 }, { -5.8, -62.6 }, { -7, -62.2 }, { -0.6, -52.6 }, { 7.4, -38.4 }, { 10.6, -27 } },
    day = { { 5.7, 'table', 'long house', 1 }, { 6.9, 'yard', 'long house', 7.7, 1.3, 0.5, 'chop' }, { 10.2, 'round' },
      { 16.2, 'yard', 'long house', 7.7, 1.3, 0.5, 'chop' }, { 18.2, 'table', 'inn', 2 },
      { 22.3, 'bed', 'long house', 1 } } },
  { seed = 6, top = 4, legs = 6, hat = 'cap', beard = true, height = 1.0, stand = { 2.5, 3.7, 1.0 }, clip = 'talk',
    day = { { 6.6, 'table', 'old corner house', 1 }, { 8.2, 'stand' }, { 18.7, 'table', 'inn', 3 },
      { 22.2, 'bed', 'old corner house', 1 } } },
  { seed = 7, top = 6, legs = 1, skirt = 0.18, apron = true, height = 0.94, stand = { 3.0, 5.0, -2.4 },
    clip = 'talk',
    day = { { 6.3, 'table', 'widow', 1 }, { 7.7, 'stand' }, { 16.4, 'at', 6.6, 14.1, 0.1, 'feed' },
      { 17.6, 'table', 'widow', 1 },
      { 18.8, 'at', 4.1, 4.9, 1.8, 'talk' }, { 21.9, 'bed', 'widow', 1 } } },
  { seed = 8, top = 1, legs = 2, height = 0.99, stand = { 3.6, 14.0, -0.9 }, clip = 'wave',
    day = { { 6.7, 'table', 'weaver', 1 }, { 8.1, 'stand' }, { 17.9, 'bench', 1, -1 }, { 22.3, 'bed', 'weaver', 1 } } },
  { seed = 9, top = 3, legs = 5, skirt = 0.3, hat = 'straw', height = 0.72, speed = 1.2,
    round = { { -21, 15.6 }, { -26, 17.2 }, { -32, 15 }, { -35, 10 }, { -30, 12.6 }, { -25, 14.6 } },
    day = { { 6.9, 'table', 'farmhouse', 1 }, { 8.3, 'round' }, { 18.2, 'table', 'farmhouse', 1 },
      { 20.2, 'bed', 'farmhouse', 1 } } },
  { seed = 10, top = 6, legs = 4, hat = 'cap', beard = true, height = 1.05, stout = 1.2,
    stand = { 10.8, 12.8, -1.3 }, clip = 'hammer',
    day = { { 5.9, 'table', 'smith', 1 }, { 7.2, 'stand' }, { 18.3, 'table', 'inn', 5 },
      { 22.7, 'bed', 'smith', 1 } } },
  { seed = 11, top = 2, legs = 1, skirt = 0.17, hat = 'scarf', apron = true, height = 0.96,
    stand = { -27.4, 25.2, -1.5 }, clip = 'rake',
    day = { { 6.4, 'table', 'north house', 1 }, { 7.8, 'stand' }, { 17.9, 'bench', 9, -1 },
      { 19.8, 'table', 'north house', 1 }, { 21.7, 'bed', 'north house', 1 } } },
  { seed = 12, top = 3, legs = 6, hat = 'straw', beard = true, height = 0.97, stout = 1.08, speed = 0.8,
    round = { { 45, -11.4 }, { 50, -11.2 }, { 54.6, -9.8 }, { 55, -8.6 }, { 50, -8.6 }, { 45.4, -9.6 } },
    day = { { 5.6, 'table', 'blue house', 1 }, { 6.8, 'at', 47.4, -15.6, 2.6, 'rake' }, { 11.7, 'round' },
      { 16.7, 'at', 47.4, -15.6, 2.6, 'rake' }, { 18.8, 'table', 'inn', 6 }, { 22.8, 'bed', 'blue house', 1 } } },
  { seed = 13, top = 0, legs = 5, height = 0.7, speed = 2.9, run = true,
    round = { { -6, -9.4 }, { -11, -10.6 }, { -16.6, -10.4 }, { -18.4, -9 }, { -13, -7.6 }, { -7.4, -7.4 } },
    day = { { 7.0, 'table', 'farmhouse', 2 }, { 8.4, 'round' }, { 18.3, 'table', 'farmhouse', 2 },
      { 20.3, 'bed', 'farmhouse', 2 } } },
  { seed = 14, top = 5, legs = 0, skirt = 0.19, height = 0.95, speed = 0.95,
    round = { { -7.6, -70 }, { -8.6, -78 }, { -9.6, -88 }, { -9.0, -89 }, { -7.6, -80 }, { -6.8, -71 } },
    day = { { 6.6, 'table', 'north house', 2 }, { 7.8, 'yard', 'north house', 1.9, 4.6, -0.4, 'sweep' },
      { 10.3, 'round' }, { 17.8, 'table', 'north house', 2 }, { 19.3, 'bench', 5, 1 },
      { 21.8, 'bed', 'north house', 2 } } },
}

local SLEEPER_HEAD = -0.73 -- where on the bed, from its middle, the head's middle lies

-- Where a turn in a house's own space faces.
local function facing(entry, turn) return entry.house.turn + turn end

-- Seats and beds as the furniture lists them, in the world.
local function furniture(state, who, what, name, number)
  local entry = state.buildings[name]
  local list = entry.building[what == 'bed' and 'beds' or what == 'table' and 'seats' or 'chairs']
  local q = list and list[number]
  if not q then error(('routines: the %s has no %s %d'):format(name, what, number)) end
  local y = entry.house.y + q.y
  local place = { house = name, y = y, kind = what == 'bed' and 'lie' or 'sit', table = what == 'table' }
  if what == 'bed' then
    local c, s = cos(q.turn), sin(q.turn)
    local along = SLEEPER_HEAD + 0.695 * who.height
    place.x, place.z = entry.world(q.x + along * c, q.z - along * s)
    place.heading = facing(entry, q.turn + 1.5707963)
    place.height, place.form = q.height + 0.075, 'bed'
  else
    place.x, place.z = entry.world(q.x, q.z)
    place.heading = facing(entry, q.turn)
    place.height, place.form = q.height, who.skirt and 'seat' or nil
  end
  return place
end

local HELD = { sweep = 'sweep', rake = 'rake', chop = 'chop', hammer = 'hammer' }

local function standing(place, clip)
  place.kind, place.clip = (HELD[clip] or clip == 'feed') and 'work' or 'stand', clip
  place.form = HELD[clip]
  return place
end

local function resolve(state, person, step)
  local who, what = person.who, step[2]
  local place
  if what == 'round' or what == 'watch' then
    local way = rounds.new(who[what])
    local offset = way.length * maths.random(17, person.index, what == 'round' and 1 or 2)
    local x, z, heading = rounds.at(way, offset)
    place = { kind = 'round', way = way, offset = offset, x = x, z = z, y = state.height(x, z), heading = heading,
      lantern = what == 'watch' }
  elseif what == 'bed' or what == 'table' or what == 'chair' then
    place = furniture(state, who, what, step[3], step[4])
  elseif what == 'bench' then
    local q = state.benches[step[3]]
    local x, z = q.x + cos(q.turn) * 0.4 * step[4], q.z - sin(q.turn) * 0.4 * step[4]
    place = { kind = 'sit', x = x, z = z, y = q.y, heading = q.turn, height = 0.485, form = who.skirt and 'seat' or nil,
      front_x = x + sin(q.turn) * 0.6, front_z = z + cos(q.turn) * 0.6 }
  elseif what == 'yard' or what == 'room' then
    local entry = state.buildings[step[3]]
    local x, z = entry.world(step[4], step[5])
    place = standing({ x = x, z = z, heading = facing(entry, step[6]) }, step[7])
    place.y = what == 'yard' and state.height(x, z) or entry.house.y + 0.16
    place.house = what == 'room' and step[3] or nil
  elseif what == 'at' then
    place = standing({ x = step[3], z = step[4], heading = step[5] }, step[6])
    place.y = state.height(place.x, place.z)
  else -- stand
    local q = who.stand
    place = standing({ x = q[1], z = q[2], y = state.height(q[1], q[2]), heading = q[3] }, who.clip)
  end
  place.from, place.what = step[1], what
  return place
end

--- Works out a villager's places, in the order of the day.
function M.places(state, person)
  local list = {}
  for i = 1, #person.who.day do list[i] = resolve(state, person, person.who.day[i]) end
  return list
end

--- Which place is it at an hour, which was before it, and what share of the way between them lies behind? 1: all.
---@param places table[]
---@param hour number 0 to 24
---@return integer now, integer before, number share
function M.at(places, hour)
  local n = #places
  local now = n
  for i = 1, n do
    if hour >= places[i].from then now = i end
  end
  local before = now > 1 and now - 1 or n
  local since = hour - places[now].from
  if since < 0 then since = since + 24 end
  return now, before, since < M.SPAN and since / M.SPAN or 1
end

return M
