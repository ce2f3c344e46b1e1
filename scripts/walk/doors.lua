--- Doors: they open away from the walker, and close behind.
---
--- A door is { x, z, yaw, width, y or bottom, height or top, angle = 0 }: its hinge, the direction of its closed leaf
--- (local +x, turned by yaw), and how far it is open now, in radians. The scene draws it at yaw + angle.
--- Doors with one `group` open together.
local collision = require('walk.collision')
local maths = require('thatch.math')

local OPEN = 1.75 -- radians
local SPEED = 3.2 -- radians a second
local STEP = 1 / 30 -- seconds: no leaf leaps over the walker
local REACH = 2.1 -- metres from the walker to the middle of the leaf
local CLOSE_AT = 2.6 -- metres: behind it a door closes
local CLOSE_AFTER = 1.2 -- seconds

local M = {}

---@class Doors
local Doors = {}
Doors.__index = Doors

---@param list table[]
---@return Doors
function M.new(list)
  for _, door in ipairs(list) do
    door.angle = door.angle or 0
    door.target = door.target or door.angle
    door.away_s = 0
  end
  return setmetatable({ list = list }, Doors)
end

--- The walker's place as a door sees it: along the closed leaf, and in front of it.
local function local_of(door, x, z)
  local c, s = maths.cos(door.yaw or 0), maths.sin(door.yaw or 0)
  local dx, dz = x - door.x, z - door.z
  return c * dx - s * dz, s * dx + c * dz
end

local function distance(door, x, z)
  local along, across = local_of(door, x, z)
  along = along - door.width / 2
  return maths.sqrt(along * along + across * across)
end

--- The door that the walker could use: near, and before the eyes.
---@return table? door
function Doors:near(x, y, z, facing_x, facing_z)
  local best, best_distance
  for _, door in ipairs(self.list) do
    local d = distance(door, x, z)
    if d < REACH and math.abs((door.bottom or door.y or y) - y) < 1.2 and (not best or d < best_distance) then
      local c, s = maths.cos(door.yaw or 0), maths.sin(door.yaw or 0)
      local mx, mz = door.x + c * door.width / 2 - x, door.z - s * door.width / 2 - z
      if d < 0.9 or mx * facing_x + mz * facing_z > 0.3 * d then best, best_distance = door, d end
    end
  end
  return best
end

local function swing(door, x, z)
  if door.target ~= 0 then
    door.target = 0
    return
  end
  local _, across = local_of(door, x, z)
  -- A positive turn takes the leaf towards local -z: away from a walker at +z.
  local away = across > 0 and OPEN or -OPEN
  if door.swing and away * door.swing < 0 then away = -away end -- a frame that opens one way only
  door.target = away
end

--- Opens a shut door, shuts an open one.
function Doors:use(door, x, z)
  for _, other in ipairs(self.list) do
    if other == door or (door.group ~= nil and other.group == door.group) then swing(other, x, z) end
  end
end

-- Would a leaf that swings shut meet one of those who stand about?
local function meets(door, angle, movers)
  local y = door.bottom or door.y or 0
  for i = 1, #movers do
    local m = movers[i]
    local stands = m.bottom < y + 1.5 and m.top > y + 0.2
    if stands and collision.door_touches(door, angle, m.x, m.z, m.r) then return true end
  end
  return false
end

local function move(list, dt, x, z, r, movers)
  for _, door in ipairs(list) do
    if door.target ~= 0 then
      door.away_s = distance(door, x, z) > CLOSE_AT and door.away_s + dt or 0
      if door.away_s > CLOSE_AFTER then door.target, door.away_s = 0, 0 end
    end
    if door.angle ~= door.target then
      local left = door.target - door.angle
      -- It starts and ends gently.
      local share = maths.min(1, 0.3 + maths.abs(left) * 1.6)
      local step = SPEED * share * dt
      local angle = math.abs(left) <= step and door.target or door.angle + (left > 0 and step or -step)
      local held = collision.door_touches(door, angle, x, z, r)
        or door.target == 0 and movers and meets(door, angle, movers)
      if not held then door.angle = angle end
    end
  end
end

--- Moves the leaves; none moves into the walker, none shuts on anyone.
---@param movers? table[] cylinders
function Doors:update(dt, x, z, r, movers)
  while dt > 0 do
    move(self.list, maths.min(dt, STEP), x, z, r, movers)
    dt = dt - STEP
  end
end

return M
