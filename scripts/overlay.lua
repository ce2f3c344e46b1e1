--- Text panels over a picture: messages, lists, and script errors with their lines of source.
local draw = require('thatch.draw')
local font = require('thatch.font')

local BACK, RED, WHITE, GREY, YELLOW = 0x14161cd8, 0xff6b5eff, 0xf2f2f2ff, 0xa8adb8ff, 0xffd166ff
local M = { BACK = BACK, RED = RED, WHITE = WHITE, GREY = GREY, YELLOW = YELLOW }

---@class Overlay
---@field font thatch.Font? nil where no font is installed: then nothing is drawn
local Overlay = {}
Overlay.__index = Overlay

--- Fonts for a window's height.
function M.new(height)
  local px = math.max(11, math.min(22, math.floor(height / 55)))
  return setmetatable({
    px = px, line = math.floor(px * 1.35), font = font.try_create(nil, px),
    mono = font.try_create(font.find('DejaVuSansMono'), px),
  }, Overlay)
end

function Overlay:text(canvas, w, h, x, y, rgba, text, mono)
  local with = mono and self.mono or self.font
  if with then draw.text(canvas, w, h, with, x, y, rgba, text) end
end

function Overlay:box(canvas, w, h, x, y, width, height, rgba)
  draw.box(canvas, w, h, x, y, math.max(0, width), math.max(0, height), rgba or BACK) -- tiny windows leave no room
end

--- Lines of { text, colour } on a panel; gives its height.
function Overlay:panel(canvas, w, h, x, y, lines, mono)
  if not self.font then return 0 end
  local width = 0
  for _, line in ipairs(lines) do
    width = math.max(width, ((mono and self.mono or self.font):measure(line[1])))
  end
  local pad = math.floor(self.px * 0.6)
  local height = #lines * self.line + pad * 2
  self:box(canvas, w, h, x, y, math.min(width + pad * 2, w - x), height)
  for i, line in ipairs(lines) do
    self:text(canvas, w, h, x + pad, y + pad + (i - 1) * self.line, line[2] or WHITE, line[1], mono)
  end
  return height
end

local function wrap(text, width)
  local rows = {}
  for line in (text .. '\n'):gmatch('(.-)\n') do
    line = line:gsub('\t', '  ')
    repeat
      rows[#rows + 1] = line:sub(1, width)
      line = '    ' .. line:sub(width + 1)
    until #line <= 4
  end
  return rows
end

--- A script's mistake: message, the lines round its place, traceback and hint.
---@param problem { title: string, mistake: Mistake }
function Overlay:problem(canvas, w, h, problem)
  local mistake = problem.mistake
  local columns = math.max(20, math.floor(w / (self.px * 0.62)) - 4)
  local lines = { { problem.title, RED } }
  local function add(text, colour)
    for _, row in ipairs(wrap(text, columns)) do lines[#lines + 1] = { row, colour } end
  end
  add(mistake.message, WHITE)
  local source, hint = mistake:source(), mistake:hint()
  if #source > 0 then add('', GREY) end
  for _, row in ipairs(source) do
    lines[#lines + 1] = {
      ('%5d %s %s'):format(row.number, row.here and '>' or ' ', row.text):sub(1, columns), row.here and YELLOW or GREY,
    }
  end
  if mistake.trace ~= '' then
    add('', GREY)
    add(mistake.trace, GREY)
  end
  add('', GREY)
  if hint then add('hint: ' .. hint, YELLOW) end
  add('Save the file to try again. R tries again now, C copies this, Esc quits.', WHITE)
  self:panel(canvas, w, h, self.px, self.px, lines, true)
end

return M
