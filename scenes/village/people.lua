--- Villagers: skinned bodies (body.lua) that live by the hour (routines.lua) in clips (clips.lua). On the scripted walk
--- where they are is a function of the hour and the time alone; in the window they walk from place to place.
local sight = require('village.sight')
local ffi = require('ffi')
local maths = require('thatch.math')
local body = require('village.body')
local clips = require('village.clips')
local daylight = require('village.daylight')
local limbs = require('village.limbs')
local rounds = require('village.rounds')
local routines = require('village.routines')
local speech = require('village.speech')
local ways = require('village.ways')

local M = {}
local floor, sqrt, max, abs = math.floor, math.sqrt, math.max, math.abs
local sin, cos = maths.sin, maths.cos

local HEAD = 4
local JOINTS, REST, PARENT = body.JOINTS, body.REST, body.PARENT
local TURN = 6.2831853
local AROUND = 60 -- metres within which nobody may be seen to leap
local SETTLE = 1.1 -- seconds to sit or lie down
local ROOM, PATIENCE = 0.7, 7 -- metres kept from one who stands; seconds that one in a hurry waits
local LIT = 52 -- metres to where the watchman's light is seen
local BOARD = 0.765 -- the height of a table
local NEXT_LINE = 6.5 -- seconds from one line to the next

M.folk = routines.folk

local matrices = ffi.new('float[?]', JOINTS * 16)
local rot = ffi.new('double[?]', JOINTS * 9)
local place_of = ffi.new('double[?]', JOINTS * 3)
local before = ffi.new('double[?]', JOINTS * 3)
local palm = ffi.new('double[3]')
local spin = clips.spin

local function wrap(a) return a - floor(a / TURN + 0.5) * TURN end

local function ease(t) return t * t * (3 - 2 * t) end

local function lantern(state, person)
  local node = state.scene:node({ name = 'lantern' })
  local mesh = require('village.mesh')
  local iron, glow = mesh.new(64), mesh.new(32)
  iron:color({ 0.035, 0.032, 0.03 }, 1)
  iron:box(0, -0.03, 0, 0.012, 0.1, 0.012)
  iron:box(0, -0.09, 0, 0.13, 0.02, 0.13)
  iron:box(0, -0.3, 0, 0.13, 0.02, 0.13)
  for i = -1, 1, 2 do
    for k = -1, 1, 2 do iron:box(i * 0.055, -0.195, k * 0.055, 0.012, 0.2, 0.012) end
  end
  glow:color({ 1, 0.9, 0.7 }, 1)
  glow:box(0, -0.2, 0, 0.09, 0.17, 0.09)
  state.scene:mesh({ geometry = iron:create(), material = state.materials.plain, node = node, casts_shadow = false,
    draw_distance = 40 })
  state.scene:mesh({ geometry = glow:create(), material = state.materials.lamp, node = node, casts_shadow = false,
    draw_distance = 110 })
  node:set_visible(false)
  local light = state.scene:light({ kind = 'point', position = { 0, -50, 0 }, color = maths.srgb('#FFC777'),
    intensity = 0, distance = 9, casts_shadow = false, name = 'lantern' })
  local lamp = { kind = 'lantern', x = 0, y = -50, z = 0, intensity = 2.4, light = light, shown = 0, seed = 2900 }
  state.lamps[#state.lamps + 1] = lamp
  person.lantern = { node = node, lamp = lamp, shown = false, at = { position = { 0, 0, 0 } } }
end

function M.build(state)
  local list = {}
  local detail = state.coarse > 1.4 and 0.55 or 1
  require('village.workplaces').build(state)
  for i = 1, #M.folk do
    local who = M.folk[i]
    local node = state.scene:node({ name = 'villager ' .. i })
    local p = { who = who, index = i, node = node, detail = detail, lag = 0, ease = 0, turn = 0, settle = 1,
      forms = { plain = body.build(who, detail) }, form = 'plain', lines = speech.lines(i), said = 0, near_s = 0,
      shown = true }
    p.mesh = state.scene:mesh({ geometry = p.forms.plain, material = state.materials.skin, node = node,
      draw_distance = state.coarse > 1.4 and 38 or 90 })
    p.places = routines.places(state, p)
    p.line = p.lines.day[2]
    if who.watch then lantern(state, p) end
    list[i] = p
    state.movers[#state.movers + 1] = node
  end
  state.people = list
end

local function set_form(p, form)
  form = form or 'plain'
  if p.form == form then return end
  if not p.forms[form] then p.forms[form] = body.build(p.who, p.detail, form) end
  p.form = form
  p.mesh:set_geometry(p.forms[form])
end

--- The way between two of a villager's places; made when it is first asked for. False: there is none.
function M.way(state, p, from, to)
  local key = from * 16 + to
  p.ways = p.ways or {}
  if p.ways[key] == nil then
    state.ways = state.ways or ways.new(state)
    local a, b = p.places[from], p.places[to]
    p.ways[key] = state.ways:make(a.front_x or a.x, a.y, a.front_z or a.z, b.front_x or b.x, b.y, b.front_z or b.z)
      or false
  end
  return p.ways[key]
end

-- Doors that someone on a way is passing stand open.
local function open_doors(state, p, interactive)
  local doors = state.doors
  for i = 1, #doors do
    local d = doors[i]
    local dx, dz = p.x - d.x, p.z - d.z
    if dx * dx + dz * dz < 9 and abs(p.y - d.y) < 1.2 then
      local c, s = cos(d.yaw), sin(d.yaw)
      dx, dz = dx - c * d.width * 0.5, dz + s * d.width * 0.5
      local distance = sqrt(dx * dx + dz * dz)
      if interactive then
        if distance < 1.3 then
          if d.target == 0 then d.target = 1.62 * d.sign end
          d.away_s = 0
        end
      else
        local t = maths.smoothstep(2.2, 1.2, distance) * 1.62
        if t > abs(d.angle) then
          d.angle = t * d.sign
          d.node:set_rotation_y(d.yaw + d.angle)
          d.shown = d.angle
        end
      end
    end
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
  local held = near
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

local function say(p, part)
  if p.kind == 'lie' then
    p.line = speech.asleep
    return
  end
  local lines = p.lines[part]
  p.line = lines[1 + max(0, p.said - 1) % #lines]
end

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

local function speed_of(p) return p.who.run and 1.3 or p.who.speed or 1 end

-- The scripted walk: by the hour and the time alone.
local function by_hour(state, p, time, hour)
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
    local way = M.way(state, p, p.before_now, p.now)
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

-- The window: from where one is to where one should be, on foot when it can be seen.
local function by_foot(state, p, time, dt, hour)
  local index = routines.at(p.places, hour)
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
    elseif not state.way_made then -- no more than one in a frame
      state.way_made = true
      state.ways = state.ways or ways.new(state)
      local from = p.there and p.places[p.there]
      local x, z = from and from.front_x or p.x, from and from.front_z or p.z
      local way = state.ways:make(x, p.y, z, target.front_x or target.x, target.y, target.front_z or target.z)
      if not way then
        arrive(p, index, time)
      elseif p.there and p.places[p.there].kind ~= 'round' then
        p.next = { way = way, s = 0, to = index, off_x = 0, off_z = 0 }
        p.from_x, p.from_z, p.from_heading = way.xs[1], way.zs[1], p.heading
      else
        p.trip, p.there = { way = way, s = 0, to = index, off_x = p.x - way.xs[1], off_z = p.z - way.zs[1] }, nil
      end
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
      local off = 1 - ease(math.min(1, trip.s)) -- from where one was onto the way
      p.x, p.z = p.x + trip.off_x * off, p.z + trip.off_z * off
      return
    end
  end
  local place = p.places[p.there]
  if p.there == index and p.settle < 1 then p.settle, p.next = math.min(1, p.settle + dt / SETTLE), nil end
  stay(p, place, time, place.kind == 'round' and p.lag or 0)
  if p.settle < 1 and p.from_x then
    local e = ease(p.settle)
    p.x, p.z = p.from_x + (p.x - p.from_x) * e, p.from_z + (p.z - p.from_z) * e
    p.heading = p.from_heading + wrap(p.heading - p.from_heading) * e
  elseif p.settle == 1 then
    p.from_x = nil
  end
end

-- Fills the clip for what is done; returns the hips' drop and sway, and the turn of the whole body.
local function clip_of(p, time)
  local who, place = p.who, p.place
  local kind = p.kind
  if kind == 'round' then
    local run = who.run and not p.on_way
    local speed = run and who.speed or speed_of(p)
    local stride = run and 0.98 * who.height or (who.skirt and 0.44 or 0.62) * who.height + 0.08 * speed
    local phase = p.s / (stride * 2)
    local drop, sway = 0, 0
    if p.ease < 1 then drop, sway = clips.walk(phase - floor(phase), stride / who.height, run) end
    if p.ease > 0 then
      if p.ease < 1 then ffi.copy(before, spin, JOINTS * 24) end
      local e = ease(p.ease)
      local d = clips.stand(time, who.seed, 'talk')
      if p.ease < 1 then clips.mix(before, e) end
      drop, sway = drop + (d - drop) * e, sway * (1 - e)
    end
    return drop, sway
  end
  local drop, sway
  if p.settle < 1 then
    clips.stand(time, who.seed, nil)
    ffi.copy(before, spin, JOINTS * 24)
  end
  if kind == 'sit' then
    drop, sway = clips.sit(time, who.seed, place.height / who.height,
      place.table and BOARD / who.height or nil)
  elseif kind == 'lie' then
    drop, sway = clips.lie(time, who.seed, place.height / who.height)
  elseif kind == 'work' then
    drop, sway = clips.work(time, who.seed, p.clip)
  else
    drop, sway = clips.stand(time, who.seed, p.clip)
  end
  if p.settle < 1 then
    local e = ease(p.settle)
    clips.mix(before, e)
    drop = 0.012 + (drop - 0.012) * e
  end
  return drop, sway
end

local function show(p, shown)
  if p.shown ~= shown then
    p.mesh:set_visible(shown)
    p.shown = shown
  end
end

-- The watchman's light stands where he is; no more than that, so that it does not hang on what is seen.
local function light_lantern(p, lit, view)
  local l, lamp = p.lantern, p.lantern.lamp
  if l.shown ~= lit then
    l.node:set_visible(lit)
    l.shown = lit
    lamp.y = -50
  end
  if not lit then return end
  local c, s = cos(p.heading), sin(p.heading)
  lamp.x, lamp.y, lamp.z = p.x + s * 0.55 + c * 0.27, p.y + 1.0, p.z + c * 0.55 - s * 0.27
  local at, dx, dz = l.at.position, lamp.x - view.eye[1], lamp.z - view.eye[3]
  at[1], at[2], at[3] = lamp.x, lamp.y, lamp.z
  if dx * dx + dz * dz < LIT * LIT then lamp.light:set(l.at) end
end

local function hold_lantern(p, heading)
  local h = p.who.height
  local c, s = cos(heading), sin(heading)
  clips.palm(rot, place_of, true, palm)
  local x, y, z = palm[0] * h, palm[1] * h, palm[2] * h
  p.lantern.node:set_pose(p.x + x * c + z * s, p.y + y, p.z + z * c - x * s, heading)
end

function M.update(state, _, time, _, view)
  local list = state.people
  sight.from(view)
  local coarse = state.coarse > 1.4
  local far, far_inside = coarse and 40 or 92, coarse and 18 or 32
  local hour = (view.hour or daylight.DEFAULT) % 24
  local part = speech.part(hour, state.rain)
  state.way_made = false
  for i = 1, #list do
    local p = list[i]
    if view.interactive then
      local dt = maths.clamp(time - (p.before or time), 0, 0.25)
      p.before = time
      by_foot(state, p, time, dt, hour)
      if p.kind == 'round' and not p.on_way then p.y = state.height(p.x, p.z) end
      attend(state, p, dt, view)
      say(p, part)
    else
      p.before, p.held = nil, false
      by_hour(state, p, time, hour)
      if p.kind == 'round' and not p.on_way then p.y = state.height(p.x, p.z) end
    end
    local x, z, heading = p.x, p.z, p.heading
    if p.on_way and sight.sees(x, z, far) then open_doors(state, p, view.interactive) end
    local inside = p.place.house ~= nil and not p.on_way
    local seen = sight.sees(x, z, inside and far_inside or far)
    local lit = p.lantern ~= nil and p.place.lantern == true
    if p.lantern then light_lantern(p, lit, view) end
    local look = 0
    if p.turn > 0 and p.to_walker then
      local by = wrap(p.to_walker - heading) * ease(p.turn)
      if p.kind == 'round' or p.kind == 'stand' then heading = heading + by
      elseif p.kind ~= 'lie' then look = maths.clamp(by, -1.1, 1.1) end
    end
    show(p, not inside or seen)
    if seen then -- who is out of sight keeps still
      set_form(p, (not p.on_way and p.kind ~= 'round') and p.place.form or nil)
      local drop, sway = clip_of(p, time)
      if look ~= 0 then spin[HEAD * 3 + 2] = look end
      if lit then clips.carry() end
      limbs.chain(JOINTS, PARENT, REST, spin, rot, place_of, sway, drop)
      limbs.skin(JOINTS, REST, rot, place_of, matrices)
      p.mesh:set_joints(matrices, JOINTS)
      if lit then hold_lantern(p, heading) end
    end
    p.node:set_pose(x, p.y, z, heading, p.who.height) -- out of sight too: where one was last may be in sight
  end
end

return M
