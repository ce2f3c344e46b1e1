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

---@param before? Controls what they replace: what is held stays so, by the keys as they are now
function M.new(before)
  local self = setmetatable({
    by_key = by_input(keys.keys), by_button = by_input(keys.pad), keys_down = {}, buttons_down = {}, held = {},
    pressed = {}, axes = {}, turn_x = 0, turn_y = 0, captured = false, by_pad = false,
  }, Controls)
  if before then
    self.keys_down, self.buttons_down = before.keys_down or {}, before.buttons_down or {}
    self.axes, self.captured, self.by_pad = before.axes, before.captured, before.by_pad
    self:hold()
  end
  return self
end

--- Works out which actions are held: one may have several keys.
function Controls:hold()
  local held = {}
  for key in pairs(self.keys_down) do
    if self.by_key[key] then held[self.by_key[key]] = true end
  end
  for button in pairs(self.buttons_down) do
    if self.by_button[button] then held[self.by_button[button]] = true end
  end
  self.held = held
end

local function press(self, action, repeated)
  if action and not repeated then self.pressed[#self.pressed + 1] = action end
  self:hold()
end

--- Takes one event of the window.
---@param event thatch.Event
function Controls:event(event)
  local kind = event.kind
  if kind == 'key_down' then
    self.keys_down[event.key], self.by_pad = true, false
    press(self, self.by_key[event.key], event['repeat'])
  elseif kind == 'key_up' then
    self.keys_down[event.key] = nil
    self:hold()
  elseif kind == 'pad_down' then
    self.buttons_down[event.button], self.by_pad = true, true
    press(self, self.by_button[event.button])
  elseif kind == 'pad_up' then
    self.buttons_down[event.button] = nil
    self:hold()
  elseif kind == 'pad_axis' then
    self.axes[event.button] = event.value
    if math.abs(event.value) > keys.dead_zone then self.by_pad = true end
  elseif kind == 'mouse_move' and self.captured then
    self.turn_x, self.turn_y = self.turn_x + event.x, self.turn_y + event.y
  elseif kind == 'focus' and event.x == 0 then
    self:release()
  end
end

--- Lets go of all that is held: the window has lost the keyboard.
function Controls:release()
  self.keys_down, self.buttons_down, self.axes = {}, {}, {}
  self:hold()
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

--- The keys of an action, as a text; the button's name for who holds a controller.
---@param action string
---@param by_pad? boolean
function M.key_names(action, by_pad)
  local buttons = by_pad and keys.pad[action]
  if buttons and keys.pad_names[buttons[1]] then return keys.pad_names[buttons[1]] end
  return table.concat(keys.keys[action] or {}, ' or ')
end

return M
