local lfs = require('lfs')
local support = require('tests.specs.support')
local windmill = require('tests.specs.data.models.windmill')

local program = os.getenv('THATCH_PROGRAM')
local describe_if = program and describe or pending
local folder = support.folder()
local model = windmill.save(folder .. '/windmill.glb')

local function start(arguments)
  local pipe = io.popen(('cd %s && env -u DISPLAY -u WAYLAND_DISPLAY %s %s 2>&1; echo "code $?"'):format(folder,
    program, arguments))
  local output = pipe:read('*a')
  pipe:close()
  return output
end

describe('a model as a scene', function()
  local driver = require('driver')

  local function new(options)
    options = options or {}
    options.scene, options.quality = options.scene or model, options.quality or 'low'
    options.width, options.height = 128, 72
    return driver.new(options):load()
  end

  it('draws a frame alone as in a row', function()
    local d = new()
    for number = 0, 4 do d:draw(number) end
    local in_row = d.frame:hash()
    local alone = new()
    alone:draw(4)
    assert.equal(in_row, alone.frame:hash())
    alone:draw(60)
    assert.not_equal(in_row, alone.frame:hash())
    assert.is_true(alone.frame.stats.triangles_binned > 100)
  end)

  it('frames models of any size', function()
    local w = require('tests.specs.data.models.writer').new()
    w:shape({ POSITION = w:accessor('VEC3', 'float', { 0, 0, 0, 4e4, 0, 0, 0, 4e4, 0 }) })
    local large = new({ scene = support.write(folder .. '/large.glb', w:glb()) })
    large:draw(0)
    assert.is_true(math.abs(large.state.instance:find(1):world()[1] - 1 / 28284.27) < 1e-7)
    assert.is_true(large.frame.stats.pixels_shaded > 0)
    local empty = new({ scene = support.write(folder .. '/empty.gltf', '{"asset":{"version":"2.0"}}') })
    empty:draw(0)
  end)

  it('steps through the animations by a key', function()
    local d = new()
    local said = {}
    for i = 1, 3 do said[i] = d.scene.act(d.state, 'next_animation') end
    assert.same({ 'animation 2 of 2: opening, 4.00 s', 'at rest', 'animation 1 of 2: turning, 4.00 s' }, said)
    assert.is_nil(d.scene.act(d.state, 'weather'))
  end)

  it('says what a broken one has', function()
    support.write(folder .. '/broken.glb', support.read(model):sub(1, 500))
    local ok, message = pcall(new, { scene = folder .. '/broken.glb' })
    assert.is_false(ok)
    assert.is_truthy(tostring(message):find(folder .. '/broken.glb: is truncated', 1, true), tostring(message))
  end)
end)

describe_if('the commands with a model', function()
  it('play without a window, and say what it holds', function()
    local said = start('play windmill.glb --headless --frames 3 --out p --size 96x54 --quality low')
    assert.is_truthy(said:find('windmill.glb: 21 nodes, 11 meshes, 694 triangles, 9 materials, 1 image, 1 skin, ' ..
      '2 animations\n', 1, true), said)
    for i = 0, 2 do assert.is_truthy(lfs.attributes(('%s/p/frame_%06d.png'):format(folder, i))) end
    assert.is_falsy(lfs.attributes(folder .. '/p/frame_000003.png'))
    assert.is_truthy(start('play windmill.glb --frames 3'):find('--frames and --out go with --headless', 1, true))
  end)

  it('shoot, render and bench it, by each pipeline', function()
    local hash = start('shot windmill.glb --size 96x54 --quality low --frame 5 --hash'):match('(%x+)\n')
    assert.equal(32, #hash)
    assert.is_truthy(start('shot windmill.glb --size 96x54 --pipeline reference'):find('code 0', 1, true))
    local said = start('render windmill.glb --size 96x54 --quality low --frames 5-6 --out r')
    assert.is_truthy(said:find('r: 2 frames', 1, true), said)
    said = start('bench windmill.glb --size 96x54 --frames 2 --warmup 1')
    assert.is_truthy(said:find('"hash":', 1, true), said)
  end)

  it('check it', function()
    local said = start('check windmill.glb')
    assert.is_truthy(said:find('windmill.glb: a model, fine\ncode 0\n', 1, true), said)
    support.write(folder .. '/wrong.gltf', '{"asset":{"version":"2.0"},"scene":1}')
    said = start('check wrong.gltf')
    assert.is_truthy(said:find('wrong.gltf: /scene: scene is 1, but the file has none\ncode 1\n', 1, true), said)
  end)

  it('name the way for other formats', function()
    support.write(folder .. '/a.obj', 'v 0 0 0')
    local said = start('play a.obj')
    assert.is_truthy(said:find('model: a.obj: is no glTF: ./thatch import a.obj makes a.glb of it', 1, true), said)
    assert.is_truthy(said:find('code 2\n', 1, true))
    assert.is_truthy(start('shot none.glb'):find('model: none.glb: there is no such file', 1, true))
  end)
end)

describe_if('--safe with a model', function()
  it('reads below the own folder only, shows no pointer, and draws the same', function()
    local own = folder .. '/own'
    lfs.mkdir(own)
    windmill.save(own .. '/m.glb')
    os.execute(('ln -sf %s %s/link.glb'):format(model, own))
    support.write(own .. '/up.gltf', '{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"../windmill.glb"}]}')
    os.execute(('ln -sf %s %s/link.bin'):format(model, own))
    support.write(own .. '/link.gltf', '{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"link.bin"}]}')
    support.write(own .. '/s.lua', [[
      local thatch = require('thatch')
      local function walk(value, seen)
        assert(type(value) ~= 'cdata')
        if type(value) ~= 'table' or seen[value] then return end
        seen[value] = true
        for key, inner in pairs(value) do
          walk(key, seen)
          walk(inner, seen)
        end
      end
      local scene = thatch.scene.create()
      local model = thatch.models.load('m.glb')
      local instance = model:add_to(scene)
      instance:play('turning')
      instance:update(1)
      instance:set_weights('door', { 1 })
      walk({ model, instance }, {})
      for _, path in ipairs({ '../windmill.glb', '/etc/hostname', 'link.glb' }) do
        local ok, message = pcall(thatch.models.load, path)
        assert(not ok and message:find('(--safe)', 1, true), message)
      end
      for _, path in ipairs({ 'up.gltf', 'link.gltf' }) do
        local none, message = thatch.models.try_load(path)
        assert(not none and message:find("the model's folder", 1, true), message)
      end
      print('sealed', instance.node:world()[1])
    ]])
    local said = start('run --safe own/s.lua')
    assert.is_truthy(said:find('sealed\t1\ncode 0\n', 1, true), said)
    local function shot(flag)
      return start('shot ' .. flag .. ' own/m.glb --size 96x54 --quality low --hash'):match('(%x+)\n')
    end
    assert.equal(32, #shot(''))
    assert.equal(shot(''), shot('--safe'))
  end)
end)

