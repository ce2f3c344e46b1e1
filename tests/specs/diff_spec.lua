local ffi = require('ffi')
local pictures = require('pictures')
local thatch = require('thatch')
local support = require('tests.specs.support')

local program = os.getenv('THATCH_PROGRAM')

local function grey(width, height, level)
  local p = ffi.new('uint8_t[?]', width * height * 4, level)
  return p
end

describe('pictures', function()
  it('finds nothing in equal pictures', function()
    local d = pictures.compare(grey(5, 3, 90), grey(5, 3, 90), 5, 3)
    assert.equal(0, d.pixels)
    assert.equal(15, d.total)
    assert.equal(math.huge, d.psnr)
  end)

  it('counts pixels, and finds the largest difference', function()
    local a, b = grey(5, 3, 90), grey(5, 3, 90)
    b[4 * 7 + 1], b[4 * 7 + 2], b[4 * 9] = 80, 91, 92
    local d = pictures.compare(a, b, 5, 3)
    assert.equal(2, d.pixels)
    assert.equal(10, d.largest)
    assert.same({ 2, 1, 'green' }, { d.x, d.y, d.channel })
    assert.is_true(math.abs(d.mean - 13 / 60) < 1e-12)
    assert.is_true(math.abs(d.psnr - 10 * math.log10(65025 / (105 / 45))) < 1e-9)
  end)

  it('marks what differs over the dark first picture', function()
    local a, b = grey(2, 1, 200), grey(2, 1, 200)
    b[6] = 190
    local marks = pictures.marks(a, b, 2, 1)
    assert.same({ 50, 50, 50, 255 }, { marks[0], marks[1], marks[2], marks[3] })
    assert.same({ 255, 40, 0, 255 }, { marks[4], marks[5], marks[6], marks[7] })
  end)
end)

local describe_if = program and describe or pending

describe_if('diff', function()
  local folder = support.folder()
  thatch.image.write(folder .. '/a.png', grey(4, 4, 10), 4, 4)
  thatch.image.write(folder .. '/b.png', grey(4, 4, 13), 4, 4)
  thatch.image.write(folder .. '/c.png', grey(4, 5, 13), 4, 5)

  local function diff(arguments)
    local pipe = io.popen(('cd %s && %s diff %s 2>&1; echo "code $?"'):format(folder, program, arguments))
    local output = pipe:read('*a')
    pipe:close()
    return output
  end

  it('says equal with 0, and how much differs with 1', function()
    assert.equal('equal: 16 pixels\ncode 0\n', diff('a.png a.png'))
    local said = diff('a.png b.png --out d/e.png')
    assert.is_truthy(said:find('16 of 16 pixels differ (100 %)', 1, true), said)
    assert.is_truthy(said:find('by 3 of 255 at most, in red at 0, 0', 1, true), said)
    assert.is_truthy(said:find('code 1\n', 1, true), said)
    assert.equal(4, thatch.image.load(folder .. '/d/e.png').width)
  end)

  it('refuses pictures of two sizes, and what is no picture', function()
    assert.is_truthy(diff('a.png c.png'):find('c.png: size is 4x5, need 4x4', 1, true))
    assert.is_truthy(diff('a.png nope.png'):find('nope.png: there is no such file', 1, true))
    support.write(folder .. '/n.png', 'no picture')
    assert.is_truthy(diff('a.png n.png'):find('code 1\n', 1, true))
    assert.is_truthy(diff('a.png b.png --out x.gif'):find('code 2\n', 1, true))
  end)
end)
