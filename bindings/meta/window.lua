---@meta
-- luacheck: ignore

---@class thatch.Event
---@field kind 'quit'|'key_down'|'key_up'|'mouse_move'|'mouse_down'|'mouse_up'|'wheel'|'resize'|'focus'|'pad_down'|'pad_up'|'pad_axis'
---@field x integer
---@field y integer
---@field button integer
---@field value number
---@field repeat boolean
---@field key string SDL's name

---@class thatch.Window
---@field id integer
local Window = {}
---@return thatch.Event[]
function Window:poll() end
---@param pixels ffi.cdata*
---@param width integer
---@param height integer
function Window:present(pixels, width, height) end
---@return integer width
---@return integer height
function Window:size() end
---@param on boolean
function Window:capture_mouse(on) end
---@param title string
function Window:set_title(title) end
---@param text string
function Window:copy(text) end
---@return boolean
function Window:is_valid() end
function Window:destroy() end

---@class thatch.window
local window = {}
---@return boolean
---@return string? message what was looked for, when there is none
function window.available() end
---@param options { title?: string, width: integer, height: integer }
---@return thatch.Window
function window.create(options) end
---@param options { title?: string, width: integer, height: integer }
---@return thatch.Window? window
---@return string? message
function window.try_create(options) end

---@class thatch.Image
---@field width integer
---@field height integer
---@field texels ffi.cdata* rgba

---@class thatch.image
local image = {}
---@param path string
---@return thatch.Image
function image.load(path) end
---@param path string
---@return thatch.Image? image
---@return string? message
function image.try_load(path) end
---@param bytes string
---@param name? string
---@return thatch.Image? image
---@return string? message
function image.try_decode(bytes, name) end
---@param path string
---@param pixels integer[]|thatch.Buffer|ffi.cdata*
---@param width integer
---@param height integer
function image.write(path, pixels, width, height) end
---@return true? ok
---@return string? message
function image.try_write(path, pixels, width, height) end

---@class thatch.Font
---@field id integer
---@field px integer
local Font = {}
---@param text string
---@return integer width
---@return integer height
function Font:measure(text) end
---@return boolean
function Font:is_valid() end
function Font:destroy() end

---@class thatch.font
local font = {}
---@param path string?
---@param px integer
---@return thatch.Font
function font.create(path, px) end
---@param path string?
---@param px integer
---@return thatch.Font? font
---@return string? message
function font.try_create(path, px) end
---@param name? string
---@return string? path
function font.find(name) end

---@class thatch.draw
local draw = {}
---@param canvas ffi.cdata*
---@param width integer
---@param height integer
---@param with thatch.Font
---@param x number
---@param y number
---@param rgba integer 0xRRGGBBAA
---@param text string
function draw.text(canvas, width, height, with, x, y, rgba, text) end
---@param canvas ffi.cdata*
---@param width integer
---@param height integer
---@param x number
---@param y number
---@param w number
---@param h number
---@param rgba integer
function draw.box(canvas, width, height, x, y, w, h, rgba) end
