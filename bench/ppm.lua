--- A binary PPM as a PNG: ./thatch run bench/ppm.lua IN.ppm OUT.png
local ffi = require('ffi')
local image = require('thatch').image

local from, to = ...
if not to then error('need two names: IN.ppm OUT.png', 0) end

local file = assert(io.open(from, 'rb'))
local text = file:read('*a')
file:close()
local width, height, first = text:match('^P6%s+(%d+)%s+(%d+)%s+255%s()')
if not width then error(from .. ': is no binary PPM of 255 levels', 0) end
width, height = tonumber(width), tonumber(height)
local need = first - 1 + width * height * 3
if #text < need then error(('%s: truncated: %d bytes, need %d'):format(from, #text, need), 0) end

local texels = ffi.new('uint8_t[?]', width * height * 4, 255)
local rgb = ffi.cast('const uint8_t *', text) + first - 1
for i = 0, width * height - 1 do
  for c = 0, 2 do texels[i * 4 + c] = rgb[i * 3 + c] end
end
image.write(to, texels, width, height)
