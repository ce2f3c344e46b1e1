--- Where the villagers are: on the scripted walk by the hour and the time alone; in the window on foot from place to
--- place, where they stop for a walker and for one another.
local maths = require('thatch.math')
local rounds = require('village.rounds')
local routines = require('village.routines')
local sight = require('village.sight')
local ways = require('village.ways')

local M = {}
local sqrt, max, min, abs, floor = math.sqrt, math.max, math.min, math.abs, math.floor
local sin, cos = maths.sin, maths.cos

local TURN = 6.2831853
local AROUND = 60 -- metres within which nobody may be seen to leap
local SETTLE = 1.1 -- seconds to sit or lie down
local ROOM, PATIENCE = 0.7, 7 -- metres kept from one who stands; seconds that one in a hurry waits
local NEXT_LINE = 6.5 -- seconds from one line to the next

--- An angle between half a turn either way.
function M.wrap(a) return a - floor(a / TURN + 0.5) * TURN end

--- From 0 to 1, slow at either end.
function M.ease(t) return t * t * (3 - 2 * t) end

local wrap, ease = M.wrap, M.ease

-- The number of a way in a villager's list.
local function key_of(from, to) return from * 16 + to end

--- Makes the ways between each place of the day and the next, so that none is searched for within a frame.
function M.prepare(state)
  state.ways = ways.new(state)
  for i = 1, #state.people do
    local p = state.people[i]
    p.ways = {}
    for to = 1, #p.places do
      local from = to > 1 and to - 1 or #p.places
      local a, b = p.places[from], p.places[to]
      p.ways[key_of(from, to)] = state.ways:make(a.front_x or a.x, a.y, a.front_z or a.z, b.front_x or b.x, b.y,
        b.front_z or b.z) or false
    end
  end
end

--- The way from a villager's place to the next of the day. False: there is none.
function M.way(p, from, to) return p.ways[key_of(from, to)] end

-- Takes the place: all that a pose needs.
local function stay(p, place, time, since)
  p.place, p.kind, p.clip = place, place.kind, place.clip
  if place.kind == 'round' then
    p.s = (time - since) * p.who.speed + place.offset
    p.x, p.z, p.heading = rounds.at(place.way, p.s)
    p.moving = true
  else
    p.x, p.y, p.z, p.heading = place.x, place.y, place.z, place.heading
    p.moving = false
  end
end

local function go(p, way, s)
  p.s, p.kind, p.clip, p.moving = s, 'round', nil, true
  p.x, p.y, p.z, p.heading = ways.at(way, s)
end

--- Metres a second of one on a way.
function M.speed_of(p) return p.who.run and 1.3 or p.who.speed or 1 end
local speed_of = M.speed_of

-- The scripted walk: by the hour and the time alone.
local function by_hour(p, time, hour)
  if p.planned ~= hour then
    p.planned = hour
    p.now, p.before_now, p.share = routines.at(p.places, hour)
  end
  p.lag, p.ease, p.turn, p.near_s, p.trip, p.there, p.settle, p.said, p.next, p.from_x =
    0, 0, 0, 0, nil, nil, 1, 0, nil, nil
  local place = p.places[p.now]
  local since = 0
  p.on_way = false
  if p.share < 1 then
    local way = M.way(p, p.before_now, p.now)
    if way then
      local behind = p.share * way.length
      local s = behind + time * speed_of(p)
      if s < way.length then
        p.on_way, p.place = true, place
        go(p, way, s)
        return
      end
      since = (way.length - behind) / speed_of(p)
    end
  end
  stay(p, place, time, since)
end

-- A round is joined where it begins.
local function arrive(p, index, time)
  p.trip, p.there, p.settle = nil, index, 0
  local place = p.places[index]
  if place.kind == 'round' then p.lag = time end
end

-- The way to a place from where one is: known from one place of the day to the next; else made over some frames, while
-- one stands and thinks. Nil: not yet; false: there is none.
local function way_to(state, p, index)
  local from, target = p.there and p.places[p.there], p.places[index]
  if from and from.kind ~= 'round' then
    local known = M.way(p, p.there, index)
    if known ~= nil then return known end
  end
  local job = state.way_job
  if job and job.who ~= p then return nil end -- one at a time
  if not job or job.to ~= index then
    local x, z = from and from.front_x or p.x, from and from.front_z or p.z
    job = { who = p, to = index,
      way = state.ways:begin(x, p.y, z, target.front_x or target.x, target.y, target.front_z or target.z) }
    state.way_job = job
  end
  local done, way = state.ways:step(job.way)
  p.thinks, job.wanted = not done, true
  if not done then return nil end
  state.way_job = nil
  return way or false
end

-- Goes, when the way is known; who sits or lies stands up first.
local function set_out(state, p, index, time)
  local way = way_to(state, p, index)
  if way == nil then return end
  if not way then
    arrive(p, index, time)
  elseif p.there and p.places[p.there].kind ~= 'round' then
    p.next = { way = way, s = 0, to = index, off_x = 0, off_z = 0 }
    p.from_x, p.from_z, p.from_heading = way.xs[1], way.zs[1], p.heading
  else
    p.trip, p.there = { way = way, s = 0, to = index, off_x = p.x - way.xs[1], off_z = p.z - way.zs[1] }, nil
  end
end

-- The window: from where one is to where one should be, on foot when it can be seen.
local function by_foot(state, p, time, dt, hour)
  local index = routines.at(p.places, hour)
  p.thinks = false
  if not p.there and not p.trip then
    p.there, p.lag, p.settle = index, 0, 1
  end
  local target = p.places[index]
  if p.there and p.there ~= index or p.trip and p.trip.to ~= index then
    if not sight.sees(p.x or target.x, p.z or target.z, AROUND) and not sight.sees(target.x, target.z, AROUND) then
      arrive(p, index, time)
      p.settle = 1
    elseif p.next and p.next.to == index then -- first stands up
      p.settle = max(0, p.settle - dt / SETTLE)
      if p.settle == 0 then p.trip, p.there, p.next = p.next, nil, nil end
    else
      set_out(state, p, index, time)
    end
  end
  local trip = p.trip
  p.on_way = trip ~= nil
  if trip then
    if not p.held then trip.s = trip.s + dt * speed_of(p) end
    if trip.s >= trip.way.length then
      local from_x, from_z, heading = p.x, p.z, p.heading
      arrive(p, trip.to, time)
      p.from_x, p.from_z, p.from_heading, p.on_way = from_x, from_z, heading, false
    else
      p.place = p.places[trip.to]
      go(p, trip.way, trip.s)
      local off = 1 - ease(min(1, trip.s)) -- from where one was onto the way
      p.x, p.z = p.x + trip.off_x * off, p.z + trip.off_z * off
      return
    end
  end
  local place = p.places[p.there]
  if p.there == index and p.settle < 1 then p.settle, p.next = min(1, p.settle + dt / SETTLE), nil end
  stay(p, place, time, place.kind == 'round' and p.lag or 0)
  if p.settle < 1 and p.from_x then
    local e = ease(p.settle)
    p.x, p.z = p.from_x + (p.x - p.from_x) * e, p.from_z + (p.z - p.from_z) * e
    p.heading = p.from_heading + wrap(p.heading - p.from_heading) * e
  elseif p.settle == 1 then
    p.from_x = nil
  end
end

-- Steps aside from who stands in the way, on the side where one is already, and never into a wall.
local function aside(state, p, x, z)
  local dx, dz = p.x - x, p.z - z
  local d2 = dx * dx + dz * dz
  if d2 > ROOM * ROOM then return end
  local hx, hz = sin(p.heading), cos(p.heading)
  local along, across = dx * hx + dz * hz, dx * hz - dz * hx
  local wide = sqrt(max(0, ROOM * ROOM - along * along))
  local by = (across < 0 and -wide or wide) - across
  p.x, p.z = state.ways.world:resolve(p.x + hz * by, p.z - hx * by, 0.25, p.y + 0.36, p.y + 1.6)
end

-- In the window alone: who is near the walker stops, turns and waits, if not for ever; so does one whose way another
-- stands in.
local function attend(state, p, dt, view)
  local list = state.people
  local walker = view.focus or view.eye
  local x, z = p.x, p.z
  local dx, dz = walker[1] - x, walker[3] - z
  local d = sqrt(dx * dx + dz * dz)
  local near = d < 2.3 and abs(walker[2] - p.y) < 1.5
  p.waited = near and (p.waited or 0) + dt or 0
  if p.trip and p.waited > PATIENCE then
    near = false
    aside(state, p, walker[1], walker[3])
  end
  local held = near or p.thinks
  if p.moving then
    local hx, hz = sin(p.heading), cos(p.heading)
    for k = 1, #list do
      local q = list[k]
      if q ~= p and q.x then
        local ex, ez = q.x - x, q.z - z
        local close = ex * ex + ez * ez < 0.81 and abs(q.y - p.y) < 1
        if close and p.trip and not q.moving then
          aside(state, p, q.x, q.z)
        elseif close and ex * hx + ez * hz > 0 and q.blocked_by ~= p then
          held = true
          p.blocked_by = q
        elseif p.blocked_by == q then
          p.blocked_by = nil
        end
      end
    end
  end
  if held then p.lag = p.lag + dt end
  p.held = held
  p.ease = maths.clamp(p.ease + (held and dt or -dt) * 3.5, 0, 1)
  p.turn = maths.clamp(p.turn + (near and dt or -dt) * 2.5, 0, 1)
  if d > 0.05 then p.to_walker = maths.atan2(dx, dz) end
  if near then
    if p.near_s == 0 then p.said = p.said + 1 end
    p.near_s = p.near_s + dt
    if p.near_s > NEXT_LINE then p.near_s, p.said = 1e-3, p.said + 1 end
  else
    p.near_s = 0
  end
end

--- Once a frame, before any villager: a way that nobody waits for any more is let go.
function M.begin_frame(state)
  state.ways:begin_frame()
  local job = state.way_job
  if not job then return end
  if not job.wanted then state.way_job = nil end
  job.wanted = false
end

--- Where one is in this frame: x, y, z, heading, and what is done there.
function M.update(state, p, time, hour, view)
  if view.interactive then
    local dt = maths.clamp(time - (p.before or time), 0, 0.25)
    p.before = time
    by_foot(state, p, time, dt, hour)
    if p.kind == 'round' and not p.on_way then p.y = state.height(p.x, p.z) end
    attend(state, p, dt, view)
  else
    p.before, p.held = nil, false
    by_hour(p, time, hour)
    if p.kind == 'round' and not p.on_way then p.y = state.height(p.x, p.z) end
  end
end

return M
