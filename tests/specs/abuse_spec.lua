local font = require('thatch.font')
local image = require('thatch.image')
local live = require('live')
local driver = require('driver')
local mistake = require('mistake')
local thatch = require('thatch')
local support = require('tests.specs.support')

local NAN, INF = 0 / 0, 1 / 0
local ROOM = thatch.root .. '/tests/specs/data/room.lua'

describe('short memory', function()
  local folder = support.folder()

  after_each(function() thatch.fail_allocation(0) end)

  local function settled()
    for _ = 1, 4 do collectgarbage() end
    return thatch.memory_bytes()
  end

  --- Lets each allocation of f fail in turn: an error that says so, or a lesser result, and no byte is left behind. How
  --- many failed.
  local function each_fails(what, f)
    f()
    f()
    local held, before, failed = settled(), thatch.allocation_count(), 0
    f()
    for nth = 1, thatch.allocation_count() - before do
      thatch.fail_allocation(nth)
      local ok, message = mistake.guard(f)
      thatch.fail_allocation(0)
      if not ok then
        failed = failed + 1
        message = tostring(message)
        assert.is_truthy(message:find('memory', 1, true) or message:find('no address space', 1, true)
          or message:find('is broken', 1, true), what .. ': ' .. message)
      end
      assert.is_true(settled() <= held + 65536, ('%s: %d bytes are left of try %d'):format(what, settled() - held, nth))
    end
    return failed
  end

  it('at each allocation of an image ends well', function()
    local texels = ('\1\2\3\255'):rep(64)
    local path = folder .. '/a.png'
    local buffer = thatch.buffer.bytes(256)
    for i = 1, #texels do buffer:push(texels:byte(i)) end
    assert.is_true(each_fails('image', function()
      for _, name in ipairs({ '.png', '.jpg' }) do
        image.write(folder .. '/b' .. name, buffer, 8, 8)
        image.load(folder .. '/b' .. name)
      end
    end) > 8)
    image.write(path, buffer, 8, 8)
    assert.is_true(each_fails('texture', function() thatch.texture.load(path):destroy() end) > 3)
    for name in require('lfs').dir(folder) do assert.is_falsy(name:find('%.tmp')) end
  end)

  it('at each allocation of a font and its glyphs ends well', function()
    if not font.find() then return pending('needs a font') end
    local canvas = require('ffi').new('uint8_t[?]', 64 * 32 * 4)
    assert.is_true(each_fails('font', function()
      local f = font.create(nil, 15)
      local ok, message = pcall(require('thatch.draw').text, canvas, 64, 32, f, 0, 0, 0xffffffff, 'thatch €')
      f:destroy()
      if not ok then error(message, 0) end
    end) > 4)
  end)

  it('at each allocation of a scene, its water, its frames and its quality ends well', function()
    assert.is_true(each_fails('scene', function()
      local made = support.room()
      local pond, frame
      local ok, message = pcall(function()
        pond = thatch.water.create({ level = 0.1, min = { -4, -4 }, max = { 4, 4 } })
        frame = thatch.frame.create({ width = 48, height = 27 })
        made.water = pond
        for number, preset in ipairs({ 'low', 'ultra', 'medium' }) do
          local quality = thatch.quality.load(preset)
          frame:resize(40 + number * 9, 30, quality.render_scale)
          frame:begin(number, number / 24)
          require('pipelines.game')(frame, made, made.camera, quality)
        end
      end)
      if frame then frame:destroy() end
      if pond then pond:destroy() end
      made.scene:destroy()
      if not ok then error(message, 0) end
    end) > 20)
  end)

  it('at each allocation of a reload keeps the old scene', function()
    local d = driver.new({ scene = ROOM, quality = 'low', width = 48, height = 27 }):load()
    d:draw(0)
    local l = live.new(d)
    local hash = d.frame:hash()
    assert.is_true(each_fails('reload', function()
      local before = d.state
      local job = l:scene()
      local ok, message = mistake.guard(function() repeat until job:step() == true end)
      if not ok then assert.equal(before, d.state) end
      thatch.fail_allocation(0)
      d:draw(0)
      assert.equal(hash, d.frame:hash())
      if not ok then error(message, 0) end
    end) > 3)
  end)
end)

describe('absurd numbers', function()
  it('are refused with the field and the value, and leave a frame that draws', function()
    local room = support.room()
    local frame = thatch.frame.create({ width = 48, height = 27 })
    local function draw()
      frame:begin(0, 0)
      require('pipelines.game')(frame, room, room.camera, thatch.quality.load('low'))
      return frame:hash()
    end
    local before = draw()
    for _, bad in ipairs({ NAN, INF, -INF }) do
      for text, f in pairs({
        ['position'] = function() room.node:set_position(bad, 0, 0) end,
        ['eye[1] is'] = function() room.camera:look({ 0, bad, 0 }, { 0, 0, 0 }) end,
        ['time_s is'] = function() frame:begin(0, bad) end,
        ['number is'] = function() frame:begin(bad, 0) end,
        ['width is'] = function() frame:resize(bad, 4, 1) end,
        ['render_scale is'] = function() frame:resize(4, 4, bad) end,
        ['positions'] = function()
          thatch.geometry.create({ positions = { bad, 0, 0, 1, 0, 0, 0, 1, 0 }, indices = { 0, 1, 2 } })
        end,
        ['opacity is'] = function() thatch.material.create({ opacity = bad }) end,
        ['intensity is'] = function() room.scene:light({ kind = 'point', intensity = bad }) end,
        ['level'] = function() thatch.water.create({ level = bad, min = { 0, 0 }, max = { 1, 1 } }) end,
      }) do
        support.refuses(text, f)
      end
    end
    room.camera:look({ 0, 1.6, 4 }, { 0, 0.8, 0 })
    assert.equal(before, draw())
  end)

  it('that are finite draw, by each instruction set and number of threads the same', function()
    local first
    for _, isa in ipairs({ 'plain', 'sse2', 'avx2', 'avx512' }) do
      for _, threads in ipairs({ 1, 3 }) do
        if pcall(thatch.start, { isa = isa, threads = threads }) then
          local room = support.room()
          for i, size in ipairs({ 1e30, 1e-30, 1e20, 0 }) do
            local shape = thatch.geometry.create({
              positions = { 0, 0, 0, size, 0, -i, -size, size, 0, 0, size, size },
              indices = { 0, 1, 2, 0, 2, 3, 0, 0, 1 },
            })
            room.scene:mesh({ geometry = shape, material = thatch.material.create({ two_sided = true }),
              node = room.scene:node({ scale = { 1, 0, 1 }, position = { 0, 0, -i } }) })
          end
          local frame = thatch.frame.create({ width = 61, height = 33 })
          frame:begin(0, 0)
          require('pipelines.game')(frame, room, room.camera, thatch.quality.load('high'))
          first = first or frame:hash()
          assert.equal(first, frame:hash(), isa .. ' ' .. threads)
          frame:destroy()
          room.scene:destroy()
        end
      end
    end
    thatch.start()
  end)
end)
