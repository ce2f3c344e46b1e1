--- What shines: hearths that flicker, a lamp in each room, lanterns by the ways and beside the doors. Their light is
--- a function of the hour, the time and the eye alone; rooms are lit only while one is near.
local maths = require('thatch.math')
local lantern = require('village.lantern')
local layout = require('village.layout')
local terrain = require('village.terrain')

local M = {}
local floor, sqrt = math.floor, math.sqrt
local WARM, FIRE = maths.srgb('#FFC777'), maths.srgb('#FF9A48')
local ROOM_NEAR, ROOM_FAR, OUT_NEAR, OUT_FAR = 11, 15, 40, 50
local WINDOW_NEAR, WINDOW_FAR = 24, 32

local change = { intensity = 0 } -- reused

-- A value that runs smoothly through hashed points, `rate` of them a second.
local function waver(time, seed, rate)
  local t = time * rate
  local k = floor(t)
  local a, b = maths.random(seed, k, 7), maths.random(seed, k + 1, 7)
  local f = t - k
  return a + (b - a) * f * f * (3 - 2 * f)
end

local function add(state, kind, x, y, z, intensity, reach, color)
  local light = state.scene:light({
    kind = 'point', position = { x, y, z }, color = color, intensity = 0, distance = reach, casts_shadow = false,
    name = kind,
  })
  state.lamps[#state.lamps + 1] = {
    kind = kind, x = x, y = y, z = z, intensity = intensity, light = light, shown = 0, seed = 2000 + #state.lamps,
  }
end

local CAGE = { roof = { 0.17, 0.2, 0.03 }, cap = { 0.2, 0.11, 0.05 }, foot = { -0.16, 0.17, 0.03 },
  bars = { 0, 0.014, 0.3, 0.07 }, light = { 0, 0.125, 0.27 } }

-- An iron lantern on a wall: at a place in the building's space, before its front.
local function wall_lantern(mesh, x, y, z)
  local iron, glow = mesh.iron, mesh.glow
  iron:color({ 0.035, 0.032, 0.03 }, 1)
  iron:box(x, y + 0.26, z - 0.12, 0.03, 0.03, 0.3)
  iron:box(x, y + 0.22, z, 0.015, 0.08, 0.015)
  lantern.cage(iron, glow, x, y, z, CAGE)
end

function M.build(state)
  state.lamps = {}
  for i = 1, #layout.houses do
    local h = layout.houses[i]
    local entry = state.buildings[h.name]
    local b, world = entry.building, entry.world
    local at = b.stair_at
    for k = 1, #b.lights do
      local q = b.lights[k]
      local x, z = world(q.x + 0.7, q.z)
      add(state, 'hearth', x, h.y + q.y - 0.1, z, 10, 6.4, FIRE)
    end
    if h.plan ~= 'barn' and h.plan ~= 'stable' then
      local x, z = world(h.w * 0.24, 0.2)
      add(state, 'room', x, h.y + 1.75, z, 11, 4.6, WARM)
      if at then
        x, z = world(-0.6, 0.6)
        add(state, 'room', x, h.y + at.y1 + 1.6, z, 11, 4.6, WARM)
      end
    else
      local x, z = world(0, 0)
      add(state, 'room', x, h.y + 2.5, z, 8, 5.5, WARM)
    end
    -- beside the door
    local mesh = require('village.mesh')
    local set = { iron = mesh.new(128), glow = mesh.new(32) }
    local side = (h.plan == 'barn' and 2.2) or (h.plan == 'stable' and 1.6) or 0.82
    local lx, lz = terrain.door_at(h) + side, h.d / 2 + 0.24
    wall_lantern(set, lx, 2.02, lz)
    state.scene:mesh({ geometry = set.iron:create(), material = state.materials.plain, node = entry.node,
      casts_shadow = false, draw_distance = 45 })
    state.scene:mesh({ geometry = set.glow:create(), material = state.materials.lamp, node = entry.node,
      casts_shadow = false, draw_distance = 110 })
    local x, z = world(lx, lz + 0.42)
    add(state, 'lantern', x, h.y + 2.0, z, 12, 10, WARM)
    -- what a lit window throws on the ground before it
    if h.plan ~= 'barn' and h.plan ~= 'stable' then
      x, z = world(h.w * 0.3, h.d / 2 + 1.3)
      add(state, 'window', x, h.y + 1.1, z, 4.5, 4.2, WARM)
    end
  end
  for i = 1, #state.lanterns do
    local q = state.lanterns[i]
    add(state, 'lantern', q.x, q.y, q.z, 17, 12, WARM)
  end
end

--- Sets each lamp for the hour's darkness, 0 by day to 1 at night.
function M.update(state, time, view)
  local eye, dark = view.eye, state.dark or 0
  -- rooms shine less while one stands outside: their light would come through the walls
  local within = maths.smoothstep(1.2, -0.2, terrain.house(eye[1], eye[3]))
  local rooms = 0.25 + 0.75 * within
  for i = 1, #state.lamps do
    local p = state.lamps[i]
    local dx, dy, dz = p.x - eye[1], p.y - eye[2], p.z - eye[3]
    local d = sqrt(dx * dx + dy * dy + dz * dz)
    local near, far = ROOM_NEAR, ROOM_FAR
    if p.kind == 'lantern' then near, far = OUT_NEAR, OUT_FAR end
    if p.kind == 'window' then near, far = WINDOW_NEAR, WINDOW_FAR end
    local level = d < far and p.intensity * maths.smoothstep(far, near, d) or 0
    if level > 0 then
      if p.kind == 'hearth' then
        level = level * (0.35 + 0.65 * dark) * (0.72 + 0.36 * waver(time, p.seed, 6) + 0.14 * waver(time, p.seed + 500,
          15)) * rooms
      else
        level = level * dark * (p.kind == 'room' and rooms or p.kind == 'window' and 1 - within or 1)
        if p.kind == 'lantern' then level = level * (0.95 + 0.08 * waver(time, p.seed, 2.4)) end
      end
    end
    level = floor(level * 32 + 0.5) / 32
    if level ~= p.shown then
      change.intensity = level
      p.light:set(change)
      p.shown = level
    end
  end
end

return M
