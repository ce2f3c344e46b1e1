local cjson = require('cjson')
local lfs = require('lfs')
local thatch = require('thatch')
local support = require('tests.specs.support')

local program = os.getenv('THATCH_PROGRAM')
local readme = support.read(thatch.root .. '/README.md')
local ROOM = thatch.root .. '/tests/specs/data/room.lua'

-- Each block of Lua in the README that begins with `-- NAME.lua` is a whole file: all of them are put into one folder,
-- and are checked and drawn as a reader would.
local describe_if = readme and program and describe or pending

describe_if('the README', function()
  local folder = support.folder()
  local files, blocks = {}, 0
  for block in (readme or ''):gmatch('\n```lua\n(.-)\n```') do
    blocks = blocks + 1
    local name = block:match('^%-%- ([%w_]+%.lua)')
    if name then
      files[name] = block
      support.write(folder .. '/' .. name, block .. '\n')
    end
  end

  --- Runs a command in the folder: code 0 is expected; gives what it printed.
  local function run(arguments)
    local pipe = io.popen(('cd %s && %s %s 2>stderr; echo "code $?"'):format(folder, program, arguments))
    local output = pipe:read('*a')
    pipe:close()
    assert.is_truthy(output:find('code 0\n', 1, true), arguments .. ': ' .. output .. support.read(folder .. '/stderr'))
    return (output:gsub('code 0\n$', ''))
  end

  --- Draws frame 8; the picture's hash.
  local function shot(arguments)
    return run('shot ' .. arguments .. ' --frame 8 --size 192x108 --out shot.png --hash')
  end

  it('has a page each for a pipeline, a quality table and a scene, and no other Lua', function()
    assert.equal(3, blocks)
    for _, name in ipairs({ 'my_pipeline.lua', 'my_quality.lua', 'my_scene.lua' }) do
      assert.is_string(files[name], name)
      local said = run('check ' .. name)
      assert.is_truthy(said:find('fine', 1, true), said)
      assert.is_falsy(said:find('warning', 1, true), said)
    end
  end)

  it('has a pipeline that draws a frame of its own', function()
    local sepia = shot(ROOM .. ' --pipeline my_pipeline.lua')
    assert.is_truthy(sepia:find('^%x+\n$'), sepia)
    assert.are_not.equal(shot(ROOM), sepia)
    local _, brown = shot(ROOM .. ' --pipeline my_pipeline.lua'), thatch.image.load(folder .. '/shot.png').texels
    for i = 0, 192 * 108 * 4 - 1, 4 do
      assert.is_true(brown[i] >= brown[i + 1] and brown[i + 1] >= brown[i + 2])
    end
  end)

  it('has a quality table that sets the frame', function()
    local said = run('bench ' .. ROOM .. ' --quality my_quality.lua --size 192x108 --frames 2 --warmup 0')
    local result = cjson.decode(said)
    assert.same({ 96, 54 }, result.frame)
    local quality = thatch.quality.load(folder .. '/my_quality.lua')
    assert.equal(0.5, quality.render_scale)
    assert.equal(2048, quality.shadow_size)
    assert.equal(thatch.quality.load('low').water_step, quality.water_step)
  end)

  it('says the refusal of a quality table as it is', function()
    local path = support.write(folder .. '/wrong.lua', (files['my_quality.lua']:gsub('scale = 0.5', 'scale = 3')))
    local _, message = thatch.quality.try_load(path)
    local said = readme:match('`(quality: render_scale is 3[^`]*)`'):gsub('my_quality%.lua', path)
    assert.equal(said, message)
  end)

  it('has a scene that draws what moves, the same alone as in a row', function()
    local alone = shot('my_scene.lua')
    run('render my_scene.lua --size 192x108 --frames 0-8 --out row')
    assert.equal(support.read(folder .. '/shot.png'), support.read(folder .. '/row/frame_000008.png'))
    local first, last = folder .. '/row/frame_000000.png', folder .. '/row/frame_000008.png'
    assert.are_not.equal(support.read(first), support.read(last))
    assert.is_truthy(alone:find('^%x+\n$'))
    local result = cjson.decode(run('bench my_scene.lua --size 192x108 --frames 2 --warmup 0'))
    assert.is_true(result.counts.triangles_binned >= 3)
  end)

  it('names only files and commands that are there', function()
    for path in readme:gmatch('%]%(([%w_/%.]+)%)') do
      assert.is_truthy(lfs.attributes(thatch.root .. '/' .. path), path)
    end
    for verb in readme:gmatch('`%./thatch ([%w%-]+)') do
      if verb ~= 'new' then assert.is_truthy(run(verb .. ' --help'):find('Usage: ./thatch ' .. verb, 1, true), verb) end
    end
    assert.is_truthy(readme:find('\n    ./thatch walk  ', 1, true))
    assert.is_truthy(readme:find('\n    ./thatch test  ', 1, true))
    assert.is_true(lfs.attributes(thatch.root .. '/scenes/village/village.jpg', 'size') < 250 * 1024)
  end)
end)
