--- The walk: controls, body and doors together, for a scene with a collision world or without.
local collision = require('walk.collision')
local controls = require('walk.controls')
local doors = require('walk.doors')
local maths = require('thatch.math')
local player = require('walk.player')

local FLY, FLY_FAST = 4, 16 -- m/s, in a scene without a world
local TALK, SPEECH = 2.4, 6 -- metres to one who answers; seconds that an answer is shown

-- What a new walk keeps of the old one's body.
local KEPT = {
  'x', 'y', 'z', 'yaw', 'pitch', 'eye_y', 'third_person', 'from_x', 'from_y', 'from_z', 'reach', 'over',
  'stride',
}

local M = { keys = require('walk.keys'), key_names = controls.key_names }

---@class Walk
local Walk = {}
Walk.__index = Walk

--- What flies where nothing can be bumped into.
local function flier(view)
  local e, t = view.eye, view.target
  local dx, dy, dz = t[1] - e[1], t[2] - e[2], t[3] - e[3]
  local flat = maths.sqrt(dx * dx + dz * dz)
  return {
    x = e[1], y = e[2], z = e[3], yaw = maths.atan2(dx, -dz), pitch = maths.atan2(dy, flat),
    turn = function(self, right, up)
      self.yaw = self.yaw + right
      self.pitch = maths.clamp(self.pitch + up, -1.5, 1.5)
    end,
    facing = function(self) return maths.sin(self.yaw), -maths.cos(self.yaw) end,
    update = function(self, dt, move_x, move_y, run, jump)
      local speed = (run and FLY_FAST or FLY) * dt
      local s, c, cp = maths.sin(self.yaw), maths.cos(self.yaw), maths.cos(self.pitch)
      self.x = self.x + (c * move_x + s * cp * move_y) * speed
      self.y = self.y + (maths.sin(self.pitch) * move_y + (jump and 1 or 0)) * speed
      self.z = self.z + (s * move_x - c * cp * move_y) * speed
    end,
    view = function(self)
      local cp = maths.cos(self.pitch)
      local ex, ey, ez = self.x, self.y, self.z
      return {
        eye = { ex, ey, ez }, up = { 0, 1, 0 }, focus = { ex, ey, ez }, interactive = true,
        target = { ex + maths.sin(self.yaw) * cp, ey + maths.sin(self.pitch), ez - maths.cos(self.yaw) * cp },
      }
    end,
  }
end

--- A walk through a scene.
---@param world table? of the scene's collide
---@param view table where the scripted walk begins
---@param before? Walk the walk that it replaces: place and direction stay
---@return Walk
function M.new(world, view, before)
  local self = setmetatable({ controls = controls.new(before and before.controls) }, Walk)
  if world then
    self.world = collision.new(world)
    self.doors = doors.new(self.world.doors)
    local start = world.start
    if not start then
      local e, t = view.eye, view.target
      start = { x = e[1], y = e[2] - 1.65, z = e[3], yaw = maths.atan2(t[1] - e[1], e[3] - t[3]) }
    end
    self.body = player.new(self.world, start)
  else
    self.body = flier(view)
  end
  if before and (before.world ~= nil) == (world ~= nil) then
    for _, key in ipairs(KEPT) do
      if before.body[key] ~= nil then self.body[key] = before.body[key] end
    end
  end
  return self
end

function Walk:event(event)
  self.controls:event(event)
end

--- Moves by dt; gives the actions that are not the walk's own.
---@param dt number
---@return string[] actions
function Walk:update(dt)
  local body, others, jump = self.body, {}, false
  for _, action in ipairs(self.controls:take_pressed()) do
    if action == 'jump' then
      jump = true
    elseif action == 'use' then
      local door = self:near_door()
      local person = not door and self:near_person() or nil
      if door then
        self.doors:use(door, body.x, body.z)
      elseif person then
        self.said, self.said_for = person.line, SPEECH
      end
    elseif action == 'third_person' then
      body.third_person = not body.third_person
    else
      others[#others + 1] = action
    end
  end
  if self.said then
    self.said_for = self.said_for - dt
    if self.said_for <= 0 then self.said = nil end
  end
  body:turn(self.controls:look(dt))
  if self.world then self.world:refresh() end
  local x, y, run = self.controls:move()
  body:update(dt, x, y, run, jump or (not self.world and self.controls.held.jump))
  if self.doors then self.doors:update(dt, body.x, body.z, player.RADIUS, self.world.movers) end
  return others
end

function Walk:near_door()
  if not self.doors then return nil end
  local fx, fz = self.body:facing()
  return self.doors:near(self.body.x, self.body.y, self.body.z, fx, fz)
end

--- Who stands before the walker, near enough to talk to.
function Walk:near_person()
  local best, best_d2 = nil, TALK * TALK
  local body = self.body
  local fx, fz = body:facing()
  for _, person in ipairs(self.world and self.world.people or {}) do
    if person.line and person.x and maths.abs((person.y or body.y) - body.y) < 1.5 then
      local dx, dz = person.x - body.x, person.z - body.z
      local d2 = dx * dx + dz * dz
      if d2 < best_d2 and dx * fx + dz * fz > 0 then best, best_d2 = person, d2 end
    end
  end
  return best
end

--- What someone has just said, or nil.
---@return string?
function Walk:speech()
  return self.said
end

--- What the key of use would do, or nil.
function Walk:prompt()
  local key = controls.key_names('use', self.controls.by_pad)
  local door = self:near_door()
  if door then return ('%s: %s'):format(key, door.target ~= 0 and 'close the door' or 'open the door') end
  return not self.said and self:near_person() and key .. ': talk' or nil
end

function Walk:view()
  return self.body:view()
end

return M
