local thatch = require('thatch')
local support = require('tests.specs.support')

local program = os.getenv('THATCH_PROGRAM')
local describe_if = program and describe or pending

-- What borrowed scripts may and may not do under --safe.
describe_if('--safe', function()
  local folder = support.folder()

  local readme = support.read(thatch.root .. '/README.md')

  --- What a command says, and its exit code in the last line.
  local function start(arguments, variables)
    local pipe = io.popen(('cd %s && %s %s %s 2>&1; echo "code $?"')
      :format(folder, variables or '', program, arguments))
    local output = pipe:read('*a')
    pipe:close()
    return output
  end

  local function run(text)
    support.write(folder .. '/s.lua', text)
    return start('run --safe s.lua')
  end

  --- Writes one of the README's files.
  local function example(name)
    support.write(folder .. '/' .. name, readme:match('```lua\n(%-%- ' .. name .. '.-)\n```'))
  end

  it('gives plain Lua and thatch', function()
    local said = run([[
      local thatch = require('thatch')
      local b = thatch.buffer.floats()
      b:push(0, 0, 0)
      b:push(1, 0, 0)
      b:push(0, 1, 0)
      local g = thatch.geometry.create({ positions = b, indices = { 0, 1, 2 } })
      local meta = {}
      assert(getmetatable(setmetatable({}, meta)) == meta)
      print(b.n, g:info().triangle_count, ('x'):rep(3), require('thatch.math').sin(0), load('return 7')())
    ]])
    assert.is_truthy(said:find('9%s+1%s+xxx%s+0%s+7\ncode 0\n'), said)
  end)

  it('is taken as the first word behind the verb only', function()
    support.write(folder .. '/s.lua', "print(...)")
    assert.equal('--safe\ncode 0\n', start('run s.lua --safe'))
    local said = start('shot s.lua --safe')
    assert.is_truthy(said:find('--safe is to be the first word behind shot', 1, true), said)
    assert.is_truthy(said:find('code 2\n', 1, true), said)
  end)

  it('has no way out by a global or a module', function()
    local said = run([[
      for _, name in ipairs({ 'io', 'ffi', 'jit', 'package', 'dofile', 'loadfile', 'getfenv', 'setfenv', 'newproxy',
        'module', 'gcinfo' }) do
        assert(_G[name] == nil, name)
      end
      assert(os.execute == nil and os.remove == nil and os.getenv == nil and os.rename == nil and os.tmpname == nil)
      assert(debug.getinfo == nil and debug.getupvalue == nil and debug.getregistry == nil)
      assert(string.dump == nil and ('').dump == nil)
      for _, name in ipairs({ 'ffi', 'jit', 'io', 'os', 'debug', 'package', 'lfs', 'thatch.lib', 'thatch.host',
        'thatch.frame', 'thatch.image', 'thatch.check', 'loader', 'driver', '../s', '/etc/passwd', 'safe' }) do
        local ok, message = pcall(require, name)
        assert(not ok and tostring(message):find('--safe', 1, true), name)
      end
      assert(getmetatable('') == nil)
      local thatch = require('thatch')
      for _, name in ipairs({ 'window', 'image', 'font', 'frame', 'fail_allocation', 'start', 'root' }) do
        assert(thatch[name] == nil, name)
      end
      assert(not load('\27LJ\2'))
      print('sealed')
    ]])
    assert.is_truthy(said:find('sealed\ncode 0\n', 1, true), said)
  end)

  it('shows no pointer, and takes no forged one', function()
    local said = run([[
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
      local texture = thatch.texture.create({ width = 1, height = 1, texels = { 1, 2, 3, 4 } })
      walk({ thatch, scene, texture, thatch.buffer.bytes(9), thatch.camera.create(), thatch.material.create({}),
        scene:node(), scene:light({ kind = 'ambient' }) }, {})
      assert(thatch.buffer.floats().data == nil)
      assert(not pcall(function() thatch.buffer.floats().n = 1e6 end))
      for _, data in ipairs({ 'short', {} }) do
        local forged = { data = data, n = 1e6, kind = 'bytes' }
        local ok, message = pcall(thatch.texture.create, { width = 500, height = 500, texels = forged })
        assert(not ok and message:find('texels has 0 values', 1, true), message)
      end
      texture.values, texture.format = 1, 0
      assert(not pcall(texture.update, texture, { 1 }))
      print('sealed')
    ]])
    assert.is_truthy(said:find('sealed\ncode 0\n', 1, true), said)
  end)

  it('reads below its own folder only, and through no link', function()
    support.write(folder .. '/part.lua', 'return { io = io, name = ... }')
    os.execute(('ln -sf /etc/hostname %s/link.png; ln -sfn /etc %s/etc'):format(folder, folder))
    local said = run([[
      local thatch = require('thatch')
      assert(require('part').io == nil and require('part').name == 'part')
      for _, path in ipairs({ '/etc/hostname', '../x.png', 'link.png', 'etc/hostname' }) do
        local ok, message = pcall(thatch.texture.load, path)
        assert(not ok and message:find('(--safe)', 1, true), message)
      end
      local none, message = thatch.texture.try_load('none.png')
      assert(not none and message:find('none.png', 1, true))
      print('sealed')
    ]])
    assert.is_truthy(said:find('sealed\ncode 0\n', 1, true), said)
  end)

  it('draws by a borrowed scene and pipeline, as without it', function()
    example('my_scene.lua')
    example('my_pipeline.lua')
    local function shot(flag)
      local output = start('shot ' .. flag .. ' my_scene.lua --pipeline my_pipeline.lua --size 96x54 --hash')
      return output:match(('%x'):rep(32) .. '\n') or output
    end
    local plain = shot('')
    assert.is_truthy(plain:find('^%x+\n$'), plain)
    assert.equal(plain, shot('--safe'))
  end)

  it('keeps a pipeline inside the picture', function()
    example('my_scene.lua')
    support.write(folder .. '/p.lua', [[
      local game, kept
      return function(frame, state, camera, quality)
        if kept then
          assert(not pcall(function() return kept[0] end))
          assert(not pcall(function() return game:raster() end))
        end
        frame:gather(state.scene, camera)
        frame:vertices() frame:setup() frame:bins() frame:raster() frame:resolve()
        frame:sky(1)
        frame:upscale()
        local p, w, h = frame:canvas()
        p[0] = 7
        assert(p[0] == 7)
        assert(not pcall(function() p[-1] = 0 end) and not pcall(function() p[w * h * 4] = 0 end))
        assert(not pcall(function() return p[0.5] end) and not pcall(function() return p.x end))
        assert(frame.save == nil and frame.resize == nil and frame.destroy == nil and frame.id == nil)
        assert(not pcall(function() frame.canvas = 1 end))
        game, kept = frame, p
      end]])
    local said = start('bench --safe my_scene.lua --pipeline p.lua --size 96x54 --frames 3')
    assert.is_truthy(said:find('code 0\n', 1, true), said)
  end)

  it('stops what does not come back, also where it catches errors', function()
    for _, body in ipairs({ 'while true do end', 'while true do pcall(function() while true do end end) end',
      'coroutine.wrap(function() while true do end end)()', '("a"):rep(40):find(("a*"):rep(40) .. "b")' }) do
      support.write(folder .. '/scene.lua', 'return { load = function() ' .. body .. ' end }')
      local said = start('shot --safe scene.lua --size 96x54', 'THATCH_WATCHDOG_S=0.05')
      assert.is_truthy(said:find('code 124\n', 1, true), body .. ': ' .. said)
      assert.is_truthy(said:find('has not come back', 1, true), body .. ': ' .. said)
    end
  end)
end)
