local ffi = require('ffi')
local font = require('thatch.font')
local image = require('thatch.image')
local texture = require('thatch.texture')
local support = require('tests.specs.support')

-- Every prefix of a good file of each format is refused, by its name, as truncated. What counts as whole: a PNG up to
-- its IEND's checksum, a JPEG up to its EOI, a BMP and a TGA up to the last pixel, a font up to its last table's end.
local WIDTH, HEIGHT = 9, 5

local function le(value, n)
  local bytes = {}
  for i = 1, n do
    bytes[i] = string.char(value % 256)
    value = math.floor(value / 256)
  end
  return table.concat(bytes)
end

local function pixels()
  local rows = {}
  for i = 0, WIDTH * HEIGHT - 1 do rows[#rows + 1] = string.char(i * 5, 255 - i * 3, i * 31 % 256) end
  return table.concat(rows)
end

describe('a truncated file', function()
  local folder = support.folder()

  local function written(name)
    local texels = ffi.new('uint8_t[?]', WIDTH * HEIGHT * 4)
    for i = 0, WIDTH * HEIGHT * 4 - 1 do texels[i] = i * 37 % 256 end
    image.write(folder .. '/' .. name, texels, WIDTH, HEIGHT)
    return support.read(folder .. '/' .. name)
  end

  local samples = {
    png = function() return written('a.png') end,
    jpeg = function() return written('a.jpg') end,
    bmp = function()
      local pad = ('\0'):rep((-WIDTH * 3) % 4)
      local rows = {}
      for y = 0, HEIGHT - 1 do rows[#rows + 1] = pixels():sub(y * WIDTH * 3 + 1, (y + 1) * WIDTH * 3) .. pad end
      rows = table.concat(rows)
      return 'BM' .. le(54 + #rows, 4) .. le(0, 4) .. le(54, 4) .. le(40, 4) .. le(WIDTH, 4) .. le(HEIGHT, 4)
        .. le(1, 2) .. le(24, 2) .. le(0, 24) .. rows
    end,
    tga = function()
      return le(0, 2) .. '\2' .. le(0, 9) .. le(WIDTH, 2) .. le(HEIGHT, 2) .. '\24\32' .. pixels()
    end,
  }

  for kind, make in pairs(samples) do
    it('is refused at every length: ' .. kind, function()
      local bytes = make()
      local read = image.try_decode(bytes, 'whole.' .. kind)
      assert.same({ WIDTH, HEIGHT }, { read.width, read.height })
      for length = 0, #bytes - 1 do
        local cut, message = image.try_decode(bytes:sub(1, length), 'cut.' .. kind)
        assert.is_nil(cut, kind .. ' of ' .. length .. ' bytes was taken')
        assert.is_truthy(message:find('cut.' .. kind .. ' is truncated', 1, true), length .. ': ' .. message)
      end
      local path = folder .. '/cut.' .. kind
      support.write(path, bytes:sub(1, #bytes - 1))
      support.refuses(path .. ' is truncated', texture.load, path)
    end)
  end

  it('is refused at every length: font', function()
    local path = font.find('DejaVuSansMono') or font.find()
    if not path then return pending('needs a font') end
    local bytes = support.read(path)
    local lengths = { 0, 1, 3, 4, 11, 12, 100, 299 }
    for i = 1, 24 do lengths[#lengths + 1] = math.floor(#bytes * i / 25) end
    lengths[#lengths + 1] = #bytes - 4 -- behind the last table, up to three bytes fill it up
    for _, length in ipairs(lengths) do
      local cut = support.write(folder .. '/cut.ttf', bytes:sub(1, length))
      local made, message = font.try_create(cut, 14)
      assert.is_nil(made)
      assert.is_truthy(message:find(cut .. ' is truncated', 1, true), length .. ': ' .. message)
    end
  end)

  it('is refused by the length that its file says, before it is read', function()
    local f = assert(io.open(folder .. '/huge.png', 'wb'))
    f:seek('set', 300 * 1024 * 1024) -- a hole
    f:write('x')
    f:close()
    support.refuses('need at most 268435456', image.load, folder .. '/huge.png')
    os.remove(folder .. '/huge.png')
  end)
end)
