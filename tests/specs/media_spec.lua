local ffi = require('ffi')
local draw = require('thatch.draw')
local font = require('thatch.font')
local image = require('thatch.image')
local window = require('thatch.window')
local support = require('tests.specs.support')
local refuses = support.refuses

local folder = support.folder()

local function gradient(w, h)
  local texels = ffi.new('uint8_t[?]', w * h * 4)
  for i = 0, w * h - 1 do
    texels[i * 4], texels[i * 4 + 1], texels[i * 4 + 2], texels[i * 4 + 3] = i % 256, (i * 7) % 256, 99, 255
  end
  return texels
end

describe('image', function()
  it('reads back what it wrote', function()
    local texels = gradient(31, 17)
    image.write(folder .. '/a.png', texels, 31, 17)
    local read = image.load(folder .. '/a.png')
    assert.same({ 31, 17 }, { read.width, read.height })
    assert.equal(ffi.string(texels, 31 * 17 * 4), ffi.string(read.texels, 31 * 17 * 4))
  end)

  it('refuses every truncated file', function()
    local bytes = support.read(folder .. '/a.png')
    for length = 0, #bytes - 13, 7 do -- what is left out at the very end is the mark of the end alone
      local read, message = image.try_decode(bytes:sub(1, length), 'cut.png')
      assert.is_nil(read)
      assert.is_true(#message > 0)
    end
  end)

  it('refuses what is missing, empty or no picture', function()
    refuses('nothing.png', image.load, folder .. '/nothing.png')
    assert.is_nil((image.try_decode('')))
    assert.is_nil((image.try_decode('no picture at all, only words')))
    assert.is_nil((image.try_load(folder)))
    refuses('path is nil', image.load)
  end)

  it('leaves nothing behind when it cannot write', function()
    local ok, message = image.try_write('/nonexistent/a.png', gradient(2, 2), 2, 2)
    assert.is_nil(ok)
    assert.is_true(#message > 0)
    refuses('texels has 16 values, need 64', image.write, folder .. '/b.png', gradient(2, 2), 4, 4)
    assert.is_nil(support.read(folder .. '/b.png'))
  end)
end)

describe('font', function()
  it('measures and draws text, clipped to the picture', function()
    local f = font.create(nil, 16)
    local w, h = f:measure('thatch')
    assert.is_true(w > 20 and h >= 10)
    local canvas = ffi.new('uint8_t[?]', 64 * 32 * 4)
    draw.text(canvas, 64, 32, f, 4, 4, 0xffffffff, 'thatch')
    draw.text(canvas, 64, 32, f, -500, 4, 0xffffffff, 'far away')
    draw.text(canvas, 64, 32, f, 50, 28, 0xffffffff, 'over the edge, ä ö ü €')
    local lit = 0
    for i = 0, 64 * 32 - 1 do lit = lit + (canvas[i * 4] > 128 and 1 or 0) end
    assert.is_true(lit > 20)
  end)

  it('refuses what is no font', function()
    refuses('font', font.create, '/nonexistent.ttf', 16)
    refuses('font', font.create, folder .. '/a.png', 16)
    refuses('font', font.create, nil, 1000)
    local f = font.create(nil, 12)
    f:destroy()
    assert.is_false(f:is_valid())
    refuses('font', f.measure, f, 'x')
    refuses('need a font', draw.text, ffi.new('uint8_t[4]'), 1, 1, 4, 0, 0, 0, 'x')
  end)
end)

describe('draw', function()
  it('fills a box, clipped', function()
    local canvas = ffi.new('uint8_t[?]', 8 * 8 * 4)
    draw.box(canvas, 8, 8, 6, 6, 10, 10, 0xff8040ff)
    draw.box(canvas, 8, 8, -10, -10, 5, 5, 0xff8040ff)
    local at = (7 * 8 + 7) * 4
    assert.same({ 255, 128, 64 }, { canvas[at], canvas[at + 1], canvas[at + 2] })
    assert.equal(0, canvas[0])
  end)
end)

describe('a message', function()
  it('has the names of Lua, and paths as they are', function()
    local _, message = font.try_create(nil, 3)
    assert.is_truthy(message:find('px is 3, need 4 .. 256', 1, true) and not message:find('size_px', 1, true), message)
    _, message = image.try_load('/nowhere/near_m/near_m')
    assert.is_truthy(message:find('/nowhere/near_m/near_m', 1, true), message)
  end)
end)

describe('window', function()
  it('says whether there is a display', function()
    assert.is_boolean(window.available())
    if not window.available() then
      local made, message = window.try_create({ width = 64, height = 64 })
      assert.is_nil(made)
      assert.is_true(#message > 0)
      refuses('window.create', window.create, { width = 64, height = 64 })
    end
    refuses("width is 'x', need a whole number", window.create, { width = 'x', height = 1 })
  end)
end)
