--- Villagers: skinned bodies (body.lua) that live by the hour (routines.lua), are somewhere (whereabouts.lua) and move
--- in clips (clips.lua).
local sight = require('village.sight')
local ffi = require('ffi')
local maths = require('thatch.math')
local body = require('village.body')
local clips = require('village.clips')
local daylight = require('village.daylight')
local lantern = require('village.lantern')
local limbs = require('village.limbs')
local mesh = require('village.mesh')
local routines = require('village.routines')
local speech = require('village.speech')
local whereabouts = require('village.whereabouts')

local M = {}
local floor, sqrt, max, abs = math.floor, math.sqrt, math.max, math.abs
local sin, cos = maths.sin, maths.cos

local HEAD = 4
local JOINTS, REST, PARENT = body.JOINTS, body.REST, body.PARENT
local LIT = 52 -- metres to where the watchman's light is seen
local BOARD = 0.765 -- the height of a table

M.folk = routines.folk

local matrices = ffi.new('float[?]', JOINTS * 16)
local rot = ffi.new('double[?]', JOINTS * 9)
local place_of = ffi.new('double[?]', JOINTS * 3)
local before = ffi.new('double[?]', JOINTS * 3)
local palm = ffi.new('double[3]')
local spin = clips.spin
local ease, wrap, speed_of = whereabouts.ease, whereabouts.wrap, whereabouts.speed_of

local CAGE = { roof = { -0.09, 0.13, 0.02 }, foot = { -0.3, 0.13, 0.02 }, bars = { -0.195, 0.012, 0.2, 0.055 },
  light = { -0.2, 0.09, 0.17 } }

-- The watchman's lantern.
local function give_lantern(state, person)
  local node = state.scene:node({ name = 'lantern' })
  local iron, glow = mesh.new(64), mesh.new(32)
  iron:color({ 0.035, 0.032, 0.03 }, 1)
  iron:box(0, -0.03, 0, 0.012, 0.1, 0.012)
  lantern.cage(iron, glow, 0, 0, 0, CAGE)
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
    if who.watch then give_lantern(state, p) end
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

local function say(p, part)
  if p.kind == 'lie' then
    p.line = speech.asleep
    return
  end
  local lines = p.lines[part]
  p.line = lines[1 + max(0, p.said - 1) % #lines]
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
  whereabouts.begin_frame(state)
  for i = 1, #list do
    local p = list[i]
    whereabouts.update(state, p, time, hour, view)
    if view.interactive then say(p, part) end
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
