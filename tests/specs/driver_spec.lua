local driver = require('driver')
local thatch = require('thatch')
local support = require('tests.specs.support')
local refuses = support.refuses

local ROOM = thatch.root .. '/tests/specs/data/room.lua'

local function new(options)
  local o = { scene = ROOM, quality = 'low', width = 320, height = 180 }
  for key, value in pairs(options or {}) do o[key] = value end
  return driver.new(o)
end

describe('driver', function()
  it('draws frame N alone as in a sequence', function()
    local sequence = new():load()
    for number = 0, 30 do sequence:draw(number) end
    local alone = new():load()
    alone:draw(30)
    assert.equal(sequence.frame:hash(), alone.frame:hash())
    assert.equal(sequence:bytes(), alone:bytes())
  end)

  it('gives the same bytes for any number of threads', function()
    local first
    for _, threads in ipairs({ 1, 2, 3, 7 }) do
      thatch.start({ threads = threads })
      local d = new():load()
      local hash = thatch.hash.begin()
      for number = 0, 5 do
        d:draw(number)
        hash:add(d:pixels())
      end
      local digest = hash:finish()
      first = first or digest
      assert.equal(first, digest)
    end
    thatch.start()
  end)

  it('changes its quality and its size while it runs', function()
    local d = new():load()
    d:draw(0)
    d:set_quality(thatch.quality.load('high'))
    d:resize(200, 100)
    d:draw(1)
    assert.same({ 133, 67, 200, 100 }, { d.frame:size() })
  end)

  it('knows when its scene was built for another quality', function()
    local folder = support.folder()
    support.write(folder .. '/scene.lua', ([[
      local M = dofile('%s')
      function M.quality_changed(_, quality) return quality.plants == 'all' end
      return M]]):format(ROOM))
    local d = new({ scene = folder .. '/scene.lua' }):load()
    d:set_quality(thatch.quality.load('high'))
    assert.is_false(d.outdated)
    d:set_quality(thatch.quality.load('ultra'))
    assert.is_true(d.outdated)
    local job = require('live').new(d):scene()
    repeat until job:step() == true
    assert.is_false(d.outdated)
    d:draw(0)
  end)

  it('takes the places of its scene', function()
    local d = new():load()
    assert.equal('hearth', d:place('hearth').name)
    assert.equal('hearth', d:place('2').name)
    assert.is_nil(d:place('nowhere'))
    d:draw_place(d:place('hearth'))
    local there = d.frame:hash()
    d:draw(24)
    assert.equal(there, d.frame:hash())
  end)

  it('does not grow over many frames', function()
    local d = new():load()
    for number = 0, 40 do d:draw(number) end
    collectgarbage()
    collectgarbage()
    local lua, runtime, count = collectgarbage('count'), thatch.memory_bytes(), thatch.allocation_count()
    for number = 0, 400 do d:draw(number % 48) end
    collectgarbage()
    collectgarbage()
    assert.is_true(collectgarbage('count') - lua < 64, 'Lua grew')
    assert.equal(runtime, thatch.memory_bytes())
    assert.equal(count, thatch.allocation_count())
  end)

  it('names what is missing and what is near', function()
    refuses("there is no 'villag', did you mean 'village'?", driver.new,
      { scene = 'villag', quality = 'low', width = 1, height = 1 })
    refuses("no preset 'lo'", new, { quality = 'lo' })
    refuses("pipeline: there is no 'gane', did you mean 'game'?", function() new({ pipeline = 'gane' }):load() end)
    refuses('there is no such file', new, { scene = '/nonexistent/scene.lua' })
  end)

  it('says what is wrong with a scene', function()
    local folder = support.folder()
    local function scene(text)
      return support.write(folder .. '/bad.lua', text)
    end
    local function load_it() new({ scene = folder .. '/bad.lua' }):load() end
    scene('return 4')
    refuses('need a table with load and update', load_it)
    scene('return { load = 1 }')
    refuses('load is 1, need a function', load_it)
    scene('return {\n  load = function(\n}')
    refuses('bad.lua:3:', load_it)
    scene('return { load = function() return {} end }')
    refuses('state.', load_it)
    scene("return { load = function() error('no wood') end }")
    refuses('bad.lua:1: no wood', load_it)
  end)
end)

describe('a pipeline', function()
  it('may drop a stage, and the picture shows it', function()
    local folder = support.folder()
    local text = support.read(thatch.root .. '/scripts/pipelines/game.lua')
    local without = text:gsub('  if quality.smooth_edges then frame:smooth%b() end\n', '')
    assert.are_not.equal(text, without)
    support.write(folder .. '/rough.lua', without)
    local a, b = new():load(), new({ pipeline = folder .. '/rough.lua' }):load()
    a:draw(0)
    b:draw(0)
    assert.are_not.equal(a.frame:hash(), b.frame:hash())
  end)
end)

describe('live reload', function()
  local live = require('live')
  local folder = support.folder()
  local text = support.read(thatch.root .. '/scripts/pipelines/game.lua')

  local function started()
    support.write(folder .. '/pipeline.lua', text)
    support.write(folder .. '/quality.lua', "return { base = 'low' }")
    support.write(folder .. '/scene.lua', "return dofile('" .. ROOM .. "')")
    local d = new({
      scene = folder .. '/scene.lua', pipeline = folder .. '/pipeline.lua', quality = folder .. '/quality.lua',
    }):load()
    d:draw(0)
    local l = live.new(d)
    assert.is_nil(l:changed(0))
    return d, l
  end

  it('sees a save, of the same second too, and says of what', function()
    local _, l = started()
    support.write(folder .. '/pipeline.lua', (text:gsub('fewest = { detail_px = 6', 'fewest = { detail_px = 5')))
    assert.same({ pipeline = true }, l:changed(1))
    assert.is_nil(l:changed(2))
    support.write(folder .. '/quality.lua', "return { base = 'high' }")
    assert.same({ quality = true }, l:changed(3))
    support.write(folder .. '/scene.lua', "return dofile('" .. ROOM .. "') -- again")
    assert.same({ scene = true }, l:changed(4))
  end)

  it('swaps the pipeline, and keeps the old one when the new one is broken', function()
    local d, l = started()
    local before = d.pipeline
    support.write(folder .. '/pipeline.lua', 'return function(frame) frame:')
    refuses('pipeline.lua:1:', l.pipeline, l)
    assert.equal(before, d.pipeline)
    d:draw(1)
    support.write(folder .. '/pipeline.lua', text)
    l:pipeline()
    assert.are_not.equal(before, d.pipeline)
    d:draw(2)
  end)

  it('applies a quality, and keeps the old one when it is refused', function()
    local d, l = started()
    support.write(folder .. '/quality.lua', "return { base = 'high' }")
    l:quality()
    assert.equal('many', d.quality.plants)
    support.write(folder .. '/quality.lua', 'return {\n  plants = 4,\n}')
    refuses('quality.lua:2', l.quality, l)
    assert.equal('many', d.quality.plants)
  end)

  it('watches a scene that is built again, also between its words of progress', function()
    local d, l = started()
    local module, last, seen = require('driver'), nil, {}
    local beat = module.beat
    module.beat = function(what) last = what end
    _G.watched = function() seen[#seen + 1] = last or 'nothing' end
    support.write(folder .. '/scene.lua', [[
      local room = dofile(']] .. ROOM .. [[')
      local load = room.load
      room.load = function(ctx)
        watched()
        ctx.progress(0.2, 'one')
        watched()
        ctx.progress(0.4, 'two')
        watched()
        return load(ctx)
      end
      return room]])
    local job = l:scene()
    repeat
      last = nil -- as after a frame in between
      local done = job:step()
    until done == true
    module.beat, _G.watched = beat, nil
    assert.same({ d.name .. ': load', d.name .. ': load', d.name .. ': load' }, seen)
    assert.is_nil(last)
  end)

  it('rests the watchdog after a refusal', function()
    local d, l = started()
    local module, last = require('driver'), nil
    local beat = module.beat
    module.beat = function(what) last = what end
    support.write(folder .. '/quality.lua', 'return { plants = 4 }')
    local refused = not pcall(l.quality, l)
    local after_table = last
    support.write(folder .. '/quality.lua', "return { base = 'low' }")
    d.scene.quality_changed = function() error('mine') end
    local raised = not pcall(l.quality, l)
    module.beat = beat
    assert.same({ true, true }, { refused, raised })
    assert.is_nil(after_table)
    assert.is_nil(last)
  end)

  it('goes on when the old scene fails to unload, and says so', function()
    local d, l = started()
    d.scene.unload = function() error('mine') end
    local said, write = nil, io.stderr
    io.stderr = { write = function(_, text) said = text end } -- luacheck: ignore
    local job = l:scene()
    local ok = pcall(function() repeat local done = job:step() until done == true end)
    io.stderr = write -- luacheck: ignore
    assert.is_true(ok)
    assert.is_truthy(said:find('scene.lua: unload: [^\n]*mine'), said)
    d:draw(1)
  end)

  it('keeps its own progress when a scene is saved while it is built', function()
    local d, l = started()
    local own = d.progress
    local first = l:scene()
    assert.is_number((first:step()))
    local second = l:scene()
    repeat local done = second:step() until done == true
    assert.equal(own, d.progress)
    d:build(d:read_scene()) -- outside any job
  end)

  it('keeps the old modules in use while a new scene is built', function()
    local d, l = started()
    support.write(folder .. '/part.lua', 'return { number = 1 }')
    local text_of = "local M = dofile('" .. ROOM .. "') local part = require('part') " ..
      "M.update = function(state) state.seen = require('part').number end return M"
    support.write(folder .. '/scene.lua', text_of)
    local function finish(job)
      repeat local done = job:step() until done == true
    end
    finish(l:scene())
    d:draw(0)
    assert.equal(1, d.state.seen)
    support.write(folder .. '/part.lua', 'return { number = 2 }')
    local job = l:scene()
    assert.is_number(job:step())
    d:draw(1)
    assert.equal(1, d.state.seen)
    finish(job)
    d:draw(2)
    assert.equal(2, d.state.seen)
  end)

  it('builds a scene beside the old one, and leaks none in a hundred', function()
    local d, l = started()
    local function rebuild()
      local job = l:scene()
      local ok, done
      repeat ok, done = pcall(job.step, job) until not ok or done == true
      return ok, done
    end
    for _ = 1, 5 do rebuild() end
    d:draw(0)
    collectgarbage()
    local bytes = thatch.memory_bytes()
    for _ = 1, 100 do assert.is_true(rebuild()) end
    d:draw(1)
    collectgarbage()
    assert.is_true(thatch.memory_bytes() - bytes < 65536, 'the runtime grew')
    local before = d.state
    support.write(folder .. '/scene.lua', "error('half done')")
    local ok, message = rebuild()
    assert.is_false(ok)
    assert.is_truthy(tostring(message):find('half done', 1, true))
    assert.equal(before, d.state)
    d:draw(2)
  end)
end)
