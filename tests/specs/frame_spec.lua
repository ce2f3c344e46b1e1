local frame = require('thatch.frame')
local quality = require('thatch.quality')
local thatch = require('thatch')
local support = require('tests.specs.support')
local refuses = support.refuses

local game = dofile(thatch.root .. '/scripts/pipelines/game.lua')

describe('frame', function()
  local state = support.room()
  local low = quality.load('low')
  local function drawn(number, options)
    options = options or {}
    local f = options.frame or frame.create({ width = 320, height = 180, render_scale = options.scale or 0.5 })
    f:begin(number or 0, (number or 0) / 24)
    game(f, state, state.camera, options.quality or low)
    return f
  end

  it('is drawn at its share of the window', function()
    local f = frame.create({ width = 1920, height = 1080, render_scale = 1 / 3 })
    assert.same({ 640, 360, 1920, 1080 }, { f:size() })
    f:resize(100, 50, 0.25)
    assert.same({ 25, 16, 100, 50 }, { f:size() })
  end)

  it('draws a picture of the window\'s size', function()
    local f = drawn()
    local pixels, w, h = f:pixels()
    assert.same({ 320, 180 }, { w, h })
    assert.equal(255, pixels[3])
    assert.is_true(f.stats.triangles_binned > 0)
    assert.is_true(f.stats.pixels_shaded > 0)
    assert.is_true(f:depth(80, 80) < 20)
    assert.is_truthy(f:hash():match('^%x+$'))
    assert.equal(32, #f:hash())
  end)

  it('gives the same bytes for any threads and any ISA', function()
    local hashes = {}
    for _, isa in ipairs(thatch.isas()) do
      for _, threads in ipairs({ 1, 2, 3, 7 }) do
        thatch.start({ threads = threads, isa = isa })
        hashes[drawn(3):hash()] = isa .. ' ' .. threads
      end
    end
    thatch.start()
    local first = next(hashes)
    assert.is_nil(next(hashes, first))
  end)

  it('allocates nothing in a frame once it is warm', function()
    local f = drawn(0)
    for number = 1, 5 do drawn(number, { frame = f }) end
    local before = thatch.allocation_count()
    for number = 6, 16 do drawn(number, { frame = f }) end
    assert.equal(before, thatch.allocation_count())
  end)

  it('draws every preset', function()
    for _, name in ipairs(quality.presets) do
      local q = quality.load(name)
      assert.is_true(drawn(0, { quality = q, scale = q.render_scale }).stats.pixels_shaded > 0, name)
    end
  end)

  it('lights each pixel when the quality says so', function()
    local kit = dofile(thatch.root .. '/tests/golden/kit.lua')
    local room = kit.room({ 0, 0.5, 3 }, { 0, 0, 0 }).daylight()
    room.add(kit.ball(1, 8), { kind = 'phong', color = { 0.5, 0.1, 0.1 }, specular = { 1, 1, 1 }, shininess = 60 })
    local hashes = {}
    for _, light in ipairs({ 'vertex', 'pixel' }) do
      local f = frame.create({ width = 96, height = 64 })
      f:begin(0, 0)
      game(f, room, room.camera, quality.check({ base = 'high', light = light }))
      hashes[light] = f:hash()
    end
    assert.are_not.equal(hashes.vertex, hashes.pixel)
  end)

  it('lets no lamp go out at once', function()
    local kit = dofile(thatch.root .. '/tests/golden/kit.lua')
    local room = kit.room({ 0, 2, 5 }, { 0, 0, 0 })
    room.add(kit.floor(6), { color = { 0.8, 0.8, 0.8 } })
    for i = -1, 1, 2 do
      room.scene:light({ kind = 'point', position = { i * 2, 1, 0 }, intensity = 9, distance = 4 })
    end
    local third = room.scene:light({ kind = 'point', position = { 0, 1, 0 }, intensity = 9, distance = 4 })
    local f = frame.create({ width = 48, height = 32 })
    local before
    local dark, bright = 255, 0
    for step = 0, 60 do -- from far behind to between eye and floor: one of the two others gives way
      third:set({ position = { 0, 1, -9 + step * 0.2 } })
      f:begin(0, 0)
      f:gather(room.scene, room.camera, { point_lights = 2 })
      f:vertices()
      f:setup()
      f:bins()
      f:raster()
      f:resolve()
      f:upscale('bilinear')
      local pixels, w, h = f:pixels()
      local now = {}
      for i = 0, w * h - 1 do now[i] = pixels[i * 4] end
      if before then
        local most = 0
        for i = 0, w * h - 1 do most = math.max(most, math.abs(now[i] - before[i])) end
        assert.is_true(most < 80, ('step %d changes a pixel by %d'):format(step, most))
      end
      local middle = now[math.floor(h * 0.6) * w + 24]
      dark, bright = math.min(dark, middle), math.max(bright, middle)
      before = now
    end
    assert.is_true(bright - dark > 60) -- the third does light
  end)

  it('tells its stages\' times, into a table that is used again', function()
    local f = drawn()
    local t = {}
    assert.equal(t, f:read_timings(t))
    for _, name in ipairs(frame.stages) do assert.is_number(t[name], name) end
    assert.is_true(f.timings.raster > 0)
    assert.equal(12, #frame.stages)
  end)

  it('refuses a stage before one that it reads from', function()
    local f = frame.create({ width = 64, height = 64 })
    f:begin(0, 0)
    refuses('frame', f.raster, f)
    refuses('frame', f.resolve, f)
  end)

  it('refuses by name', function()
    refuses('width', frame.create, { width = 0, height = 10 })
    refuses('width', frame.create, { width = 10000, height = 10 })
    refuses('render_scale', frame.create, { width = 64, height = 64, render_scale = 9 })
    refuses("unknown key 'w'", frame.create, { w = 1 })
    local f = frame.create({ width = 64, height = 64 })
    f:begin(0, 0)
    refuses("unknown key 'detail', did you mean 'detail_px'?", f.gather, f, state.scene, state.camera, { detail = 1 })
    refuses('need a scene', f.gather, f, 4, state.camera)
    refuses('need a camera', f.shadow_maps, f, state.scene)
    refuses("shadows is 'soft', need one of", f.shadow_maps, f, state.scene, state.camera, { shadows = 'soft' })
    refuses("tone is 'filmic', need one of", f.resolve, f, { tone = 'filmic' })
    refuses("mode is 'nearest', need one of", f.upscale, f, 'nearest')
    refuses('size is 1000', f.shadow_maps, f, state.scene, state.camera, { size = 1000 })
  end)

  it('is stale after destroy', function()
    local f = frame.create({ width = 64, height = 64 })
    f:destroy()
    assert.is_false(f:is_valid())
    refuses('frame', f.begin, f, 0, 0)
  end)

  it('draws the smallest of windows and an empty scene', function()
    local empty = { scene = thatch.scene.create(), camera = state.camera }
    local f = frame.create({ width = 1, height = 1 })
    f:begin(0, 0)
    game(f, empty, state.camera, low)
    local _, w, h = f:pixels()
    assert.same({ 1, 1 }, { w, h })
  end)

  it('saves its picture', function()
    local path = support.folder() .. '/f.png'
    drawn():save(path)
    assert.equal(320, require('thatch.image').load(path).width)
    refuses('path is nil', function() drawn():save() end)
  end)
end)
