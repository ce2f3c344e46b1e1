--- What the fuzz targets start from: ./thatch run tests/fuzz/corpus.lua FOLDER makes FOLDER/image, raster, frame, font.
local ffi = require('ffi')
local common = require('commands.common')
local thatch = require('thatch')

local folder = ... or 'out/fuzz'

local function write(name, bytes)
  common.make_parent(folder .. '/' .. name)
  local file = assert(io.open(folder .. '/' .. name, 'wb'))
  file:write(bytes)
  file:close()
end

local function read(path)
  local file = io.open(path, 'rb')
  local bytes = file and file:read('*a')
  if file then file:close() end
  return bytes
end

local function number(value, n, big)
  local bytes = {}
  for i = 1, n do
    bytes[big and n + 1 - i or i] = string.char(value % 256)
    value = math.floor(value / 256)
  end
  return table.concat(bytes)
end

local function le(value, n) return number(value, n) end
local function be(value, n) return number(value, n, true) end

local function read_be(bytes, at, n)
  local value = 0
  for i = 1, n do value = value * 256 + bytes:byte(at + i) end
  return value
end

--- Small pictures of each format.
local function images()
  local w, h = 7, 5
  local texels, rgb = ffi.new('uint8_t[?]', w * h * 4), {}
  for i = 0, w * h - 1 do
    for k = 0, 3 do texels[i * 4 + k] = (i * 37 + k * 50) % 256 end
    rgb[#rgb + 1] = string.char((i * 37) % 256, i, 200)
  end
  for _, name in ipairs({ 'a.png', 'a.jpg' }) do
    common.make_folder(folder .. '/image')
    thatch.image.write(folder .. '/image/' .. name, texels, w, h)
  end
  rgb = table.concat(rgb)
  write('image/plain.tga', le(0, 2) .. '\2' .. le(0, 9) .. le(w, 2) .. le(h, 2) .. '\24\32' .. rgb)
  write('image/packed.tga', le(0, 2) .. '\10' .. le(0, 9) .. le(w, 2) .. le(h, 2) .. '\24\32\162' .. rgb:sub(1, 3))
  write('image/palette.tga', '\0\1\1' .. le(0, 2) .. le(2, 2) .. '\24' .. le(0, 4) .. le(w, 2) .. le(h, 2) .. '\8\32'
    .. rgb:sub(1, 6) .. ('\0\1'):rep(w * h):sub(1, w * h))
  for _, bits in ipairs({ 1, 4, 8, 16, 24, 32 }) do
    local row = math.floor((w * bits + 31) / 32) * 4
    local colors = bits <= 8 and 2 ^ bits or 0
    write('image/' .. bits .. '.bmp', 'BM' .. le(54 + colors * 4 + row * h, 4) .. le(0, 4) .. le(54 + colors * 4, 4)
      .. le(40, 4) .. le(w, 4) .. le(h, 4) .. le(1, 2) .. le(bits, 2) .. le(0, 24) .. ('\1\2\3\0'):rep(colors)
      .. ('\18\52\86'):rep(row * h):sub(1, row * h))
  end
end

--- A font of the first glyphs of an installed one, with a map for ASCII: some kilobytes.
local function small_font(bytes, glyphs)
  local tables, order = {}, {}
  for i = 0, read_be(bytes, 4, 2) - 1 do
    local at = 12 + 16 * i
    local tag = bytes:sub(at + 1, at + 4)
    tables[tag] = bytes:sub(read_be(bytes, at + 8, 4) + 1, read_be(bytes, at + 8, 4) + read_be(bytes, at + 12, 4))
  end
  local long = read_be(tables.head, 50, 2) == 1
  local function offset(i) return long and read_be(tables.loca, i * 4, 4) or read_be(tables.loca, i * 2, 2) * 2 end
  local map = {}
  for code = 0, 255 do map[code + 1] = string.char(code >= 32 and (code - 32) % glyphs or 0) end
  local made = {
    cmap = be(0, 2) .. be(1, 2) .. be(1, 2) .. be(0, 2) .. be(12, 4) .. be(0, 2) .. be(262, 2) .. be(0, 2)
      .. table.concat(map),
    glyf = tables.glyf:sub(1, offset(glyphs)), loca = tables.loca:sub(1, (glyphs + 1) * (long and 4 or 2)),
    maxp = tables.maxp:sub(1, 4) .. be(glyphs, 2) .. tables.maxp:sub(7), head = tables.head,
    hhea = tables.hhea:sub(1, 34) .. be(glyphs, 2), hmtx = tables.hmtx:sub(1, glyphs * 4), ['OS/2'] = tables['OS/2'],
    post = be(0x30000, 4) .. ('\0'):rep(28), name = be(0, 2) .. be(0, 2) .. be(6, 2),
  }
  for tag in pairs(made) do order[#order + 1] = tag end
  table.sort(order)
  local at = 12 + 16 * #order
  local records, data = {}, {}
  for _, tag in ipairs(order) do
    local padded = made[tag] .. ('\0'):rep(-#made[tag] % 4)
    records[#records + 1] = tag .. be(0, 4) .. be(at, 4) .. be(#made[tag], 4)
    data[#data + 1] = padded
    at = at + #padded
  end
  return be(0x10000, 4) .. be(#order, 2) .. ('\0'):rep(6) .. table.concat(records) .. table.concat(data)
end

local function fonts()
  local path = thatch.font and thatch.font.find('DejaVuSansMono') or require('thatch.font').find()
  local bytes = path and read(path)
  if not bytes then return end
  local font = small_font(bytes, 24)
  write('font/check.ttf', font)
  local made, message = require('thatch.font').try_create(folder .. '/font/check.ttf', 16)
  os.remove(folder .. '/font/check.ttf')
  if not made then error('the small font is refused: ' .. message) end
  made:destroy()
  -- The first byte of an input is the size.
  write('font/small', '\12' .. font)
  write('font/large', '\200' .. font)
  write('font/collection', '\20ttcf' .. be(0x10000, 4) .. be(1, 4) .. be(16, 4) .. font)
end

images()
fonts()
for i = 1, 4 do
  local bytes = {}
  for k = 1, 100 * i do bytes[k] = string.char(math.floor(thatch.math.random(5, i, k) * 256)) end
  write('raster/' .. i, table.concat(bytes))
  write('frame/' .. i, table.concat(bytes))
end
