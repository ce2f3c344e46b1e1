--- The walker's body: a capsule on feet, moved in fixed steps of 1/120 s, and its eyes.
local collision = require('walk.collision')
local maths = require('thatch.math')

local STEP = 1 / 120
local RADIUS, HEIGHT, EYE = 0.3, 1.75, 1.65
local WALK, RUN = 1.6, 4.5
local GRAVITY, JUMP = 9.81, 4.2
local GRIP = 12 -- how fast the wanted speed is taken up, 1/s
local PITCH_MAX = 1.45
local HEAD_ROOM = 0.12 -- metres left under what a jump ends at
local EYES = 14 -- how fast the eyes follow the feet over a step, 1/s
local BEHIND, NEAREST = 3.5, 0.4 -- metres of the camera behind the walker
local OVER = 0.3 -- and over the eyes
local BACK = 2.5 -- how fast it goes back there when nothing is in its way any more, 1/s
local EARLY, DUCK = 0.35, 14 -- metres before what hangs low that it comes down; how fast, 1/s
local ROUND = 0.3 -- seconds of pressing on someone until one is led round
local PATIENCE = 0.8 -- seconds of pressing on until someone in a doorway lets one by
local LENS = 0.18 -- metres that the camera keeps from what is solid

local M = { RADIUS = RADIUS, HEIGHT = HEIGHT, STEP = STEP }

---@class Player
---@field x number feet
---@field y number
---@field z number
---@field yaw number 0 looks along -z, positive turns to the right
---@field pitch number positive looks up
local Player = {}
Player.__index = Player

---@param world World
---@param start? { x: number, z: number, y?: number, yaw?: number }
---@return Player
function M.new(world, start)
  start = start or world.start or {}
  local x, z = start.x or 0, start.z or 0
  local y = world:ground(x, z, start.y or world.height(x, z))
  return setmetatable({
    world = world, x = x, y = y, z = z, yaw = start.yaw or 0, pitch = 0, vx = 0, vy = 0, vz = 0, on_ground = true,
    eye_y = y + EYE, rest = 0, third_person = false, stride = 0, pressed = 0, round_s = 0,
    from_x = x, from_y = y, from_z = z, reach = BEHIND,
    over = OVER,
  }, Player)
end

--- Stands at another place at once.
function Player:put(x, y, z)
  self.x, self.y, self.z, self.from_x, self.from_y, self.from_z = x, y, z, x, y, z
  self.vx, self.vy, self.vz, self.eye_y = 0, 0, 0, y + EYE
end

function Player:turn(right, up)
  self.yaw = self.yaw + right
  self.pitch = maths.clamp(self.pitch + up, -PITCH_MAX, PITCH_MAX)
end

function Player:facing()
  return maths.sin(self.yaw), -maths.cos(self.yaw)
end

--- A step sideways, as far as it goes: slopes, deep water and solids turn it aside or stop it.
local function shift(self, dx, dz)
  local world, x, z = self.world, self.x, self.z
  if self.on_ground and world.height(x, z) > self.y - 0.05 then dx, dz = world:slope(x, z, dx, dz) end
  local climb = self.on_ground and collision.STEP_UP or collision.STEP_IN_AIR
  local bottom, top = self.y + climb, self.y + HEIGHT
  local function try(to_x, to_z)
    local nx, nz, stuck = world:resolve(to_x, to_z, RADIUS, bottom, top)
    if stuck then -- someone pins the walker to a wall: away from them, he may move
      nx, nz, stuck = world:resolve(to_x, to_z, RADIUS, bottom, top, true)
      local _, deep = world:mover_at(x, z, RADIUS, bottom, top)
      local _, deeper = world:mover_at(nx, nz, RADIUS, bottom, top)
      if stuck or deep == 0 or deeper > deep then return false end
    end
    -- A stair lifts the head, into what hangs there.
    local lifted = self.on_ground and world:ground(nx, nz, self.y) or self.y
    if lifted > self.y then
      nx, nz, stuck = world:resolve(nx, nz, RADIUS, lifted + collision.STEP_UP, lifted + HEIGHT)
      if stuck then return false end
    end
    -- Never further than half a body in one step, and never up a wall of ground or a floor.
    local far = (nx - x) * (nx - x) + (nz - z) * (nz - z)
    if far > RADIUS * RADIUS * 0.25 and self.free then return false end
    if world.height(nx, nz) > self.y + collision.STEP_UP then return false end
    if world:too_deep(nx, nz) and not world:too_deep(x, z) then return false end
    self.x, self.z, self.free = nx, nz, true
    return true
  end
  return try(x + dx, z + dz) or try(x + dx, z) or try(x, z + dz)
end

-- Who presses on someone is led round; where there is no way round, as in a doorway, the other lets him by.
local function press(self, want_x, want_z)
  local world = self.world
  local wanted = maths.sqrt(want_x * want_x + want_z * want_z)
  local bottom, top = self.y + collision.STEP_UP, self.y + HEIGHT
  if world.yielding then
    local m = world.movers[world.yielding]
    local dx, dz = m and m.x - self.x or 9, m and m.z - self.z or 9
    local reach = m and m.r + RADIUS + 0.05 or 0
    if dx * dx + dz * dz > reach * reach then world.yielding = nil end
  elseif wanted > 0.5 and self.moved < wanted * STEP * 0.25 and #world.movers > 0 then
    local i = world:mover_at(self.x, self.z, RADIUS, bottom, top, 0.03)
    self.pressed = i and self.pressed + STEP or 0
    if i and self.pressed > ROUND then
      local m = world.movers[i]
      local dx, dz = m.x - self.x, m.z - self.z
      local side = world:way_round(m, self.x, self.z, RADIUS, bottom, top, want_x * dz - want_z * dx < 0 and -1 or 1)
      if side then
        local d = maths.max(1e-6, maths.sqrt(dx * dx + dz * dz))
        self.round_s, self.round_x, self.round_z = 0.4, side * dz / d, -side * dx / d
        self.pressed = 0
      elseif self.pressed > PATIENCE then
        world.yielding, self.pressed = i, 0
      end
    end
  else
    self.pressed = 0
  end
end

local function step(self, want_x, want_z)
  local steep = self.on_ground and self.world:incline(self.x, self.z, self.y) or 0
  if self.round_s > 0 then
    self.round_s = self.round_s - STEP
    if want_x * want_x + want_z * want_z > 0.25 then
      want_x, want_z = self.round_x * WALK, self.round_z * WALK
    end
  end
  if steep > 0 then -- as fast along a stair or a ladder as on the level
    local share = 1 / maths.sqrt(1 + steep * steep)
    want_x, want_z = want_x * share, want_z * share
  end
  local grip = self.on_ground and GRIP * STEP or GRIP * STEP * 0.25
  self.vx = self.vx + (want_x - self.vx) * grip
  self.vz = self.vz + (want_z - self.vz) * grip
  local before_x, before_z = self.x, self.z
  self.from_x, self.from_y, self.from_z = before_x, self.y, before_z
  shift(self, self.vx * STEP, self.vz * STEP)
  self.moved = maths.sqrt((self.x - before_x) * (self.x - before_x) + (self.z - before_z) * (self.z - before_z))
  self.stride = self.stride + self.moved
  press(self, want_x, want_z)

  self.vy = self.vy - GRAVITY * STEP
  local y = self.y + self.vy * STEP
  if self.vy > 0 then
    local head = self.world:ceiling(self.x, self.z, self.y, RADIUS, self.y + HEIGHT) - HEAD_ROOM
    if y + HEIGHT > head then y, self.vy = maths.max(self.y, head - HEIGHT), 0 end
  end
  local ground = self.world:ground(self.x, self.z, self.y, not self.on_ground and collision.STEP_IN_AIR or nil)
  -- Feet stick to stairs and slopes going down, unless in a jump.
  if y <= ground or (self.on_ground and self.vy <= 0 and y - ground < collision.STEP_UP) then
    self.y, self.vy, self.on_ground = ground, 0, true
  else
    self.y, self.on_ground = y, false
  end
end

--- Moves by what is wanted: x to the right, y forward, up to 1. Any dt gives the same steps.
function Player:update(dt, move_x, move_y, run, jump)
  local sin, cos = maths.sin(self.yaw), maths.cos(self.yaw)
  local speed = run and RUN or WALK
  local want_x = (cos * move_x + sin * move_y) * speed
  local want_z = (sin * move_x - cos * move_y) * speed
  if jump and self.on_ground then self.vy, self.on_ground = JUMP, false end
  self.rest = maths.min(self.rest + dt, 0.25)
  while self.rest >= STEP do
    self.rest = self.rest - STEP
    step(self, want_x, want_z)
  end
  self:show(dt)
end

-- How far a ball gets from a place along a direction, to the millimetre, or the camera would jump as one turns.
local function room(world, x, y, z, dx, dy, dz, most, lens)
  local reach = 0
  while reach < most do
    local t = maths.min(reach + 0.1, most)
    if world:blocked(x + dx * t, y + dy * t, z + dz * t, lens) then
      local low, high = reach, t
      for _ = 1, 6 do
        local middle = (low + high) / 2
        if world:blocked(x + dx * middle, y + dy * middle, z + dz * middle, lens) then
          high = middle
        else
          low = middle
        end
      end
      return low
    end
    reach = t
  end
  return reach
end

--- Where the body is seen: between the last two steps, so that it glides at any frame rate; eyes glide over steps.
function Player:show(dt)
  local t = self.rest / STEP
  self.shown_x = self.from_x + (self.x - self.from_x) * t
  self.shown_y = self.from_y + (self.y - self.from_y) * t
  self.shown_z = self.from_z + (self.z - self.from_z) * t
  local eye = self.shown_y + EYE
  self.eye_y = eye + (self.eye_y - eye) * maths.exp(-EYES * dt)
  if maths.abs(eye - self.eye_y) > 0.6 then self.eye_y = eye end
  if self.third_person then -- it comes down in good time before what hangs low
    local over = room(self.world, self.shown_x, self.eye_y, self.shown_z, 0, 1, 0, OVER, LENS + EARLY)
    self.over = over + (self.over - over) * maths.exp(-DUCK * dt)
  end
  self.reach = BEHIND + ((self.reach or BEHIND) - BEHIND) * maths.exp(-BACK * dt)
end

--- What the camera sees: the view that scenes and the driver take.
function Player:view()
  local cp = maths.cos(self.pitch)
  local dx, dy, dz = maths.sin(self.yaw) * cp, maths.sin(self.pitch), -maths.cos(self.yaw) * cp
  local x, y, z = self.shown_x or self.x, self.eye_y, self.shown_z or self.z
  local focus = { x, self.shown_y or self.y, z }
  self.hidden = false
  if self.third_person then
    local over = room(self.world, x, y, z, 0, 1, 0, self.over, LENS)
    local reach = room(self.world, x, y + over, z, -dx, -dy, -dz, self.reach, LENS)
    self.reach = reach
    self.hidden = reach < NEAREST -- no room: through the walker's own eyes
    if not self.hidden then x, y, z = x - dx * reach, y + over - dy * reach, z - dz * reach end
  end
  return {
    eye = { x, y, z }, target = { x + dx, y + dy, z + dz }, up = { 0, 1, 0 }, focus = focus,
    walker = self, interactive = true,
  }
end

return M
