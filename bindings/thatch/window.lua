--- The window: input, and frames shown.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C
local CAPACITY = 256
local out = ffi.new('ThatchWindow[1]')
local sizes = ffi.new('int32_t[2]')
local events = ffi.new('ThatchEvent[?]', CAPACITY)
local count = ffi.new('int32_t[1]')
local M = {}

---@class thatch.Window
local Window = {}
Window.__index = Window

local KEYS = check.set('title width height')
local KINDS = {
  [C.THATCH_EVENT_QUIT] = 'quit', [C.THATCH_EVENT_KEY_DOWN] = 'key_down', [C.THATCH_EVENT_KEY_UP] = 'key_up',
  [C.THATCH_EVENT_MOUSE_MOVE] = 'mouse_move', [C.THATCH_EVENT_MOUSE_DOWN] = 'mouse_down',
  [C.THATCH_EVENT_MOUSE_UP] = 'mouse_up', [C.THATCH_EVENT_WHEEL] = 'wheel', [C.THATCH_EVENT_RESIZE] = 'resize',
  [C.THATCH_EVENT_FOCUS] = 'focus', [C.THATCH_EVENT_PAD_BUTTON_DOWN] = 'pad_down',
  [C.THATCH_EVENT_PAD_BUTTON_UP] = 'pad_up', [C.THATCH_EVENT_PAD_AXIS] = 'pad_axis',
}

--- Is there a display that answers? When not: false, and what was looked for.
---@return boolean
---@return string? message
function M.available()
  if C.thatch_window_available() then return true end
  return false, lib.last_error()
end

--- Opens a window; nil and a message when there is no display.
---@param options { title?: string, width: integer, height: integer }
---@return thatch.Window?
---@return string? message
function M.try_create(options)
  local where = 'window.create'
  check.options(where, options, KEYS)
  local status = C.thatch_window_create(check.string(where, 'title', options.title, 'thatch'),
    check.integer(where, 'width', options.width), check.integer(where, 'height', options.height), out)
  if status ~= 0 then return nil, lib.last_error() end
  local id = out[0]
  return setmetatable({ id = id, owner = lib.owner(id, C.thatch_window_destroy), events = {} }, Window)
end

---@return thatch.Window
function M.create(options)
  local window, message = M.try_create(options)
  if not window then lib.fail('window.create: %s', message) end
  return window
end

--- What happened since the last poll, oldest first. The table and its events are used again by the next poll.
---@return thatch.Event[]
function Window:poll()
  local list, n = self.events, 0
  repeat
    lib.check(C.thatch_window_poll(self.id, events, CAPACITY, count))
    for i = 0, count[0] - 1 do
      local from = events[i]
      n = n + 1
      local event = self[n] or {}
      self[n] = event
      event.kind, event.x, event.y, event.button = KINDS[from.kind] or '?', from.x, from.y, from.button
      event.value, event['repeat'], event.key = from.value, from['repeat'], ffi.string(from.key)
      list[n] = event
    end
  until count[0] < CAPACITY
  for i = #list, n + 1, -1 do list[i] = nil end
  return list
end

--- Shows RGBA bytes of any size.
function Window:present(pixels, width, height)
  lib.check(C.thatch_window_present(self.id, pixels, check.integer('window:present', 'width', width),
    check.integer('window:present', 'height', height)))
end

---@return integer width
---@return integer height
function Window:size()
  lib.check(C.thatch_window_size(self.id, sizes, sizes + 1))
  return sizes[0], sizes[1]
end

function Window:capture_mouse(on)
  lib.check(C.thatch_window_capture_mouse(self.id, check.boolean('window:capture_mouse', 'on', on)))
end

function Window:set_title(title)
  lib.check(C.thatch_window_set_title(self.id, check.string('window:set_title', 'title', title)))
end

--- Puts text on the clipboard.
function Window:copy(text)
  lib.check(C.thatch_window_copy(self.id, check.string('window:copy', 'text', text)))
end

function Window:is_valid()
  return C.thatch_window_is_valid(self.id)
end

function Window:destroy()
  C.thatch_window_destroy(self.id)
  lib.disown(self.owner)
  self.owner = nil
end

function Window:__tostring()
  return ('thatch.Window(%08x)'):format(self.id)
end

M.Window = Window
return M
