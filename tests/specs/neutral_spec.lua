local ffi = require('ffi')
local driver = require('driver')
local thatch = require('thatch')
local support = require('tests.specs.support')

local SCENE = thatch.root .. '/bench/neutral/scene.lua'

--- A VSC1 file of one square and one frame.
local function sample()
  local size = 232 + 48 + 48 + 16 + 32 + 24 + 48 + 4 + 80
  local bytes = ffi.new('uint8_t[?]', size + 64)
  local u32, f32 = ffi.cast('uint32_t *', bytes), ffi.cast('float *', bytes)
  ffi.copy(bytes, 'VSC1', 4)
  local head = { 1, 4, 6, 1, 1, 1, 1, 1, 256 }
  for i, value in ipairs(head) do u32[i] = value end
  local floats = { 0, 1, 0, 1, 1, 1, 0.5, 0.6, 0.8, 0.3, 0.2, 0.1, 0.7, 0.8, 0.9, 0.01 }
  for i, value in ipairs(floats) do f32[9 + i] = value end
  for i = 0, 3 do f32[26 + i * 5] = i == 3 and 1 or 0.01 end
  local at = 232
  local function place(slot, list, kind)
    u32[42 + slot] = at
    local array = ffi.cast(kind .. ' *', bytes + at)
    for i, value in ipairs(list) do array[i - 1] = value end
    at = at + #list * ffi.sizeof(kind)
  end
  place(0, { -1, 0, 1, 1, 0, 1, 1, 0, -1, -1, 0, -1 }, 'float')
  place(1, { 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0 }, 'float')
  place(2, { 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255 }, 'uint8_t')
  place(3, { 0, 0, 1, 0, 1, 1, 0, 1 }, 'float')
  place(4, { 0, 1, 2, 0, 2, 3 }, 'uint32_t')
  place(5, { 0, 6, 0, 4, 7, 0, 0, 0, 0, 0, 0, 0 }, 'uint32_t')
  place(6, { 200, 200, 200, 255 }, 'uint8_t')
  -- Looks straight down from 2 m.
  place(7, { 1, 0, 0, 0, 0, 0, 1, 1, 0, -1, 0, 0, 0, 0, -0.2, 2, 0, 2, 0, 0 }, 'float')
  -- Columns of the view-projection: w grows downwards, y looks along -z.
  local m = ffi.cast('float *', bytes + u32[49])
  local columns = { 1, 0, 0, 0, 0, 0, -1.002, -1, 0, -1, 0, 0, 0, 0, 1.8, 2 }
  for i, value in ipairs(columns) do m[i - 1] = value end
  return ffi.string(bytes, size), u32
end

local function load_it(path)
  return driver.new({
    scene = SCENE, quality = thatch.root .. '/bench/neutral/quality.lua', width = 64, height = 64, args = { path },
  }):load()
end

describe('the neutral scene', function()
  local path = support.folder() .. '/a.vsc'
  local bytes = sample()

  it('draws a file', function()
    support.write(path, bytes)
    local d = load_it(path)
    d:draw(0)
    assert.equal(2, d.frame.stats.triangles_in)
    local pixels = d:pixels()
    local middle = (32 * 64 + 32) * 4
    assert.is_true(pixels[middle] > pixels[middle + 1], 'the square is red')
  end)

  it('refuses every truncated file', function()
    for length = 0, #bytes - 1, 5 do
      support.write(path, bytes:sub(1, length))
      local ok, message = pcall(load_it, path)
      assert.is_false(ok)
      assert.is_truthy(message:find('truncated', 1, true), message)
    end
  end)

  it('refuses files whose numbers lead outside', function()
    local function broken(word, value)
      local copy = ffi.new('uint8_t[?]', #bytes)
      ffi.copy(copy, bytes, #bytes)
      ffi.cast('uint32_t *', copy)[word] = value
      support.write(path, ffi.string(copy, #bytes))
      assert.is_false((pcall(load_it, path)), 'word ' .. word)
    end
    for _, word in ipairs({ 0, 1, 2, 3, 4, 5, 6, 42, 43, 44, 45, 46, 47, 48, 49 }) do
      broken(word, 0xfffffff0)
      broken(word, 0x7fffffff)
    end
    broken(10, 0x7fc00000) -- a sun that is not a number
  end)

  it('says what it needs', function()
    local ok, message = pcall(load_it, nil)
    assert.is_false(ok)
    assert.is_truthy(message:find('needs a file', 1, true))
  end)
end)
