--- Text and boxes over a picture. Colours are 0xRRGGBBAA in sRGB, blended by their alpha.
local lib = require('thatch.lib')
local check = require('thatch.check')
local font = require('thatch.font')

local C = lib.C
local floor = math.floor
local M = {}

local function whole(where, key, value)
  return floor(check.number(where, key, value) + 0.5)
end

--- One line of text; x, y is its top left.
---@param canvas ffi.cdata* RGBA bytes
---@param width integer of the canvas
---@param height integer
---@param with thatch.Font
---@param x number
---@param y number
---@param rgba integer
---@param text string
function M.text(canvas, width, height, with, x, y, rgba, text)
  local where = 'draw.text'
  lib.check(C.thatch_draw_text(canvas, check.integer(where, 'width', width), check.integer(where, 'height', height),
    check.object(where, 'font', with, font.Font, 'font').id, whole(where, 'x', x), whole(where, 'y', y),
    check.bits(where, 'rgba', rgba), check.string(where, 'text', text)))
end

--- A filled box.
function M.box(canvas, width, height, x, y, w, h, rgba)
  local where = 'draw.box'
  lib.check(C.thatch_draw_box(canvas, check.integer(where, 'width', width), check.integer(where, 'height', height),
    whole(where, 'x', x), whole(where, 'y', y), whole(where, 'w', w), whole(where, 'h', h),
    check.bits(where, 'rgba', rgba)))
end

return M
