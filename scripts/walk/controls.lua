--- Turns keys, mouse and controller into what the walker wants.
local keys = require('walk.keys')

local M = {}

---@class Controls
local Controls = {}
Controls.__index = Controls

local function by_input(actions)
  local map = {}
  for action, inputs in pairs(actions) do
    for _, input in ipairs(inputs) do map[input] = action end
  end
  return map
end

function M.new()
  return setmetatable({
    by_key = by_input(keys.keys), by_button = by_input(keys.pad), held = {}, pressed = {}, axes = {}, turn_x = 0,
    turn_y = 0, captured = false,
  }, Controls)
end

local function press(self, action, repeated)
  if not action then return end
  self.held[action] = true
  if not repeated then self.pressed[#self.pressed + 1] = action end
end

--- Takes one event of the window.
---@param event thatch.Event
function Controls:event(event)
  local kind = event.kind
  if kind == 'key_down' then
    press(self, self.by_key[event.key], event['repeat'])
  elseif kind == 'key_up' then
    local action = self.by_key[event.key]
    if action then self.held[action] = nil end
  elseif kind == 'pad_down' then
    press(self, self.by_button[event.button])
  elseif kind == 'pad_up' then
    local action = self.by_button[event.button]
    if action then self.held[action] = nil end
  elseif kind == 'pad_axis' then
    self.axes[event.button] = event.value
  elseif kind == 'mouse_move' and self.captured then
    self.turn_x, self.turn_y = self.turn_x + event.x, self.turn_y + event.y
  elseif kind == 'focus' and event.x == 0 then
    self:release()
  end
end

--- Lets go of all that is held: the window has lost the keyboard.
function Controls:release()
  self.held, self.axes = {}, {}
end

local function axis(self, name)
  local value = self.axes[keys.axes[name]] or 0
  local dead = keys.dead_zone
  if value > dead then return (value - dead) / (1 - dead) end
  if value < -dead then return (value + dead) / (1 - dead) end
  return 0
end

--- Where to: x to the right, y forward, no longer than 1; whether to run.
---@return number x
---@return number y
---@return boolean run
function Controls:move()
  local held = self.held
  local x = (held.right and 1 or 0) - (held.left and 1 or 0) + axis(self, 'move_x')
  local y = (held.forward and 1 or 0) - (held.back and 1 or 0) - axis(self, 'move_y')
  local length = math.sqrt(x * x + y * y)
  if length > 1 then x, y = x / length, y / length end
  return x, y, held.run == true
end

--- How far to turn since the last call, in radians: to the right, and up.
---@param dt number seconds
function Controls:look(dt)
  local sign = keys.invert_y and -1 or 1
  local right = self.turn_x * keys.mouse_speed + axis(self, 'look_x') * keys.pad_speed * dt
  local up = -(self.turn_y * keys.mouse_speed + axis(self, 'look_y') * keys.pad_speed * dt) * sign
  self.turn_x, self.turn_y = 0, 0
  return right, up
end

--- The actions that were pressed since the last call, in order.
---@return string[]
function Controls:take_pressed()
  local pressed = self.pressed
  self.pressed = {}
  return pressed
end

--- The keys of an action, as a text.
function M.key_names(action)
  return table.concat(keys.keys[action] or {}, ' or ')
end

return M
