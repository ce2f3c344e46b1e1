--- How much two pictures differ.
local ffi = require('ffi')

local M = {}

local CHANNELS = { 'red', 'green', 'blue', 'alpha' }
local DIM = 4 -- the first picture, under the marks, is so much darker

---@class PictureDifference
---@field pixels integer pixels that differ
---@field total integer
---@field largest integer levels of a byte, of one channel
---@field x integer where the largest is
---@field y integer
---@field channel string of the largest
---@field mean number levels a channel, over all pixels
---@field psnr number dB over red, green and blue; math.huge when they are equal

--- Compares RGBA bytes of one size.
---@param a ffi.cdata*
---@param b ffi.cdata*
---@return PictureDifference
function M.compare(a, b, width, height)
  local pixels, largest, at, sum, squares = 0, 0, 0, 0, 0
  for i = 0, width * height - 1 do
    local differs = false
    for c = 0, 3 do
      local d = math.abs(a[i * 4 + c] - b[i * 4 + c])
      if d > 0 then
        differs = true
        sum = sum + d
        if c < 3 then squares = squares + d * d end
        if d > largest then largest, at = d, i * 4 + c end
      end
    end
    if differs then pixels = pixels + 1 end
  end
  local mean_square = squares / (width * height * 3)
  local pixel = math.floor(at / 4)
  return {
    pixels = pixels, total = width * height, largest = largest, x = pixel % width, y = math.floor(pixel / width),
    channel = CHANNELS[at % 4 + 1], mean = sum / (width * height * 4),
    psnr = mean_square == 0 and math.huge or 10 * math.log10(255 * 255 / mean_square),
  }
end

--- The first picture in dark grey, with what differs in red to yellow over it, brighter where it differs more.
---@return ffi.cdata* RGBA bytes
function M.marks(a, b, width, height)
  local out = ffi.new('uint8_t[?]', width * height * 4)
  for at = 0, width * height * 4 - 1, 4 do
    local most = 0
    for c = 0, 3 do most = math.max(most, math.abs(a[at + c] - b[at + c])) end
    if most > 0 then
      out[at], out[at + 1] = 255, math.min(255, most * 4)
    else
      local grey = math.floor((a[at] + a[at + 1] * 2 + a[at + 2]) / (4 * DIM))
      out[at], out[at + 1], out[at + 2] = grey, grey, grey
    end
    out[at + 3] = 255
  end
  return out
end

return M
