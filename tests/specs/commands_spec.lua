local cjson = require('cjson')
local lfs = require('lfs')
local thatch = require('thatch')
local support = require('tests.specs.support')

local program = os.getenv('THATCH_PROGRAM')
local ROOM = thatch.root .. '/tests/specs/data/room.lua'
local folder = support.folder()

--- Runs the program without a display; exit code, what it printed, what it said on standard error.
local function thatch_run(arguments, variables)
  local errors = folder .. '/stderr'
  local pipe = io.popen(('cd %s && env -u DISPLAY -u WAYLAND_DISPLAY %s %s %s 2>%s; echo "code $?"'):format(folder,
    variables or '', program, arguments, errors))
  local output = pipe:read('*a')
  pipe:close()
  local text, code = output:match('^(.*)code (%d+)\n$')
  return tonumber(code), text, support.read(errors)
end

local function lines_of(text)
  local _, n = text:gsub('\n', '\n')
  return n
end

local describe_if = program and describe or pending

describe_if('the command line', function()
  it('refuses wrong usage with one line and 2', function()
    support.write(folder .. '/flat.lua', "local M = dofile('" .. ROOM .. "') M.places = nil return M")
    for _, arguments in ipairs({
      '', 'bensh', 'bench', 'bench nowhere', 'bench ' .. ROOM .. ' --size 12', 'bench ' .. ROOM .. ' --frames 0',
      'bench ' .. ROOM .. ' --quality hihg', 'bench ' .. ROOM .. ' --nope', 'shot ' .. ROOM .. ' --out a.gif',
      'shot ' .. ROOM .. ' --place attic', 'shot flat.lua --place attic', 'render ' .. ROOM .. ' --frames 9-3', 'run',
      'run nowhere.lua', 'check nowhere.lua', 'new a/../b!', 'walk --threads 99', 'bench ' .. ROOM .. ' --isa mmx',
      'bench-all --scene nowhere', 'bench-all --size 12', 'shot ' .. ROOM .. ' --frame 1 --place door',
      'bench ' .. ROOM .. ' --size 1x9 --montage m.png',
      'shot ' .. ROOM .. ' --pipeline gmae', 'shot ' .. ROOM .. ' --pipeline no.lua',
      'shot ' .. ROOM .. ' --quality no.lua',
    }) do
      local code, output, errors = thatch_run(arguments)
      assert.equal(2, code, arguments .. ': ' .. errors)
      assert.equal('', output)
      local last = errors:gsub('loaded [^\n]*\n', '')
      assert.equal(1, lines_of(last), arguments .. ': ' .. errors)
    end
  end)

  it('says what is wrong with frames and places', function()
    for arguments, text in pairs({
      ['render ' .. ROOM .. ' --frames 9-3'] = "frames is '9-3', need the first before the last, like 3-9",
      ['render ' .. ROOM .. ' --frames 1.5'] = "frames is '1.5', need A-B, like 0-239",
      ['render ' .. ROOM .. ' --frames 0-100000001'] = "frames is '0-100000001', need frames of 0 .. 100000000",
      ['bench ' .. ROOM .. ' --frames 0'] = "frames is '0', need a whole number 1 .. 100000",
      ['shot ' .. ROOM .. ' --frame x'] = "frame is 'x', need a whole number 0 .. 100000000",
      ['shot ' .. ROOM .. ' --place attic'] = "the scene has no place 'attic'; known: door, hearth",
      ['shot flat.lua --place attic'] = "place is 'attic', but flat.lua has no places",
    }) do
      local code, _, errors = thatch_run(arguments)
      assert.equal(2, code, arguments)
      assert.is_truthy(errors:find(text, 1, true), errors)
    end
  end)

  it('says what was typed on one short line', function()
    for _, arguments in ipairs({
      "shot 'a\nb'", "shot '\27[31mred'", "'x\n\27y'", "shot " .. ('a'):rep(100000), ('a'):rep(100000),
      'shot ' .. ROOM .. " --quality 'a\nb'", 'shot ' .. ROOM .. " --size 'a\nb'", "shot --nope'\n'",
      "run 'a\nb.lua'", "shot '\255\254'",
    }) do
      local code, _, errors = thatch_run(arguments)
      assert.equal(2, code)
      assert.is_truthy(errors:find('^[^%c]+\n$') and #errors < 1200, #errors .. ' ' .. errors:sub(1, 300))
    end
  end)

  it('calls a folder a folder', function()
    for _, name in ipairs({ 'plain', 'plain.lua', 'plain.glb', 'plain.png', 'plain.obj' }) do
      lfs.mkdir(folder .. '/' .. name)
    end
    for arguments, text in pairs({
      ['shot plain'] = "there is no 'plain'", ['shot ./plain'] = './plain: is a folder without init.lua and scene.lua',
      ['shot plain.glb'] = 'model: plain.glb: is a folder, need a file', ['check plain.lua'] = 'plain.lua: is a folder',
      ['run plain.lua'] = 'plain.lua: is a folder, need a file', ['diff plain.png b.png'] = 'plain.png: is a folder',
      ['import plain.obj'] = 'plain.obj: is a folder, need a file',
      ['shot ' .. ROOM .. ' --pipeline plain.lua'] = 'pipeline: plain.lua: is a folder, need a file',
      ['shot ' .. ROOM .. ' --quality plain.lua'] = 'quality: plain.lua: is a folder, need a file',
    }) do
      local code, _, errors = thatch_run(arguments)
      assert.equal(2, code, arguments .. ': ' .. errors)
      assert.is_truthy(errors:find(text, 1, true), errors)
    end
  end)

  it('helps with every verb', function()
    for _, verb in ipairs({ 'walk', 'play', 'bench', 'shot', 'render', 'diff', 'run', 'check', 'new', 'test',
      'bench-all' }) do
      local code, output = thatch_run(verb .. ' --help')
      assert.equal(0, code, verb)
      assert.is_truthy(output:find('Usage: ./thatch ' .. verb, 1, true), verb)
    end
    assert.is_truthy(select(2, thatch_run('--help')):find('bench-all', 1, true))
    assert.is_truthy(select(2, thatch_run('help shot')):find('Usage: ./thatch shot', 1, true))
  end)

  describe('bench', function()
    it('prints one JSON object with all keys', function()
      local code, output = thatch_run('bench ' .. ROOM .. ' --size 192x108 --frames 6 --warmup 2')
      assert.equal(0, code)
      local r = cjson.decode(output)
      assert.same({ 192, 108 }, r.window)
      assert.same({ 64, 36 }, r.frame)
      assert.equal(6, r.frames)
      assert.equal(2, r.warmup)
      for _, key in ipairs({ 'scene', 'quality', 'isa', 'cpu', 'hash' }) do assert.is_string(r[key], key) end
      for _, key in ipairs({ 'threads', 'load_s', 'memory_mib', 'fps_median' }) do assert.is_number(r[key], key) end
      for _, name in ipairs({ 'scene', 'shadow_maps', 'gather', 'vertices', 'setup', 'bins', 'raster', 'sky',
        'resolve', 'water', 'smooth', 'upscale' }) do
        for _, key in ipairs({ 'median', 'p95', 'max' }) do assert.is_number(r.stages[name][key], name) end
      end
      for _, name in ipairs({ 'parts', 'triangles_in', 'triangles_setup', 'triangles_binned', 'pixels_tested',
        'pixels_shaded', 'blades' }) do
        assert.is_number(r.counts[name], name)
      end
      assert.equal(32, #r.hash)
      assert.is_true(r.frame_ms.median <= r.frame_ms.p95 and r.frame_ms.p95 <= r.frame_ms.max)
    end)

    it('has one hash for any threads and ISA, and a line for each frame', function()
      local first
      for _, options in ipairs({ '--threads 1', '--threads 3', '--threads 7', '--isa plain' }) do
        local _, output = thatch_run(('bench %s --size 192x108 --frames 4 --hash-each h.txt %s'):format(ROOM, options))
        local hash = cjson.decode(output).hash .. support.read(folder .. '/h.txt')
        first = first or hash
        assert.equal(first, hash, options)
      end
      assert.equal(4, (select(2, support.read(folder .. '/h.txt'):gsub('%d+ %x+\n', ''))))
    end)
  end)

  it('shot draws the frame of a sequence', function()
    assert.equal(0, (thatch_run('render ' .. ROOM .. ' --size 96x54 --frames 0-6 --out seq')))
    assert.equal(0, (thatch_run('shot ' .. ROOM .. ' --size 96x54 --frame 6 --out deep/er/one.png')))
    assert.equal(support.read(folder .. '/seq/frame_000006.png'), support.read(folder .. '/deep/er/one.png'))
  end)

  it('render takes up where it stopped, and keeps jobs apart', function()
    os.remove(folder .. '/seq/frame_000003.png')
    local kept = lfs.attributes(folder .. '/seq/frame_000002.png', 'ino')
    local code, _, errors = thatch_run('render ' .. ROOM .. ' --size 96x54 --frames 0-6 --out seq')
    assert.equal(0, code)
    assert.is_truthy(errors:find('6 of 7 frames are there', 1, true))
    assert.is_truthy(support.read(folder .. '/seq/frame_000003.png'))
    assert.equal(kept, lfs.attributes(folder .. '/seq/frame_000002.png', 'ino'))
    code, _, errors = thatch_run('render ' .. ROOM .. ' --size 98x54 --frames 0-6 --out seq')
    assert.equal(1, code)
    assert.is_truthy(errors:find('another job', 1, true))
    for name in lfs.dir(folder .. '/seq') do assert.is_falsy(name:find('%.tmp')) end
  end)

  it('fails with 1 where nothing can be written', function()
    local code, _, errors = thatch_run('shot ' .. ROOM .. ' --size 96x54 --out /proc/nowhere/a.png')
    assert.equal(1, code)
    assert.is_truthy(errors:find('/proc/nowhere', 1, true))
  end)

  it('play fails with 1 without a display', function()
    local code, _, errors = thatch_run('play ' .. ROOM)
    assert.equal(1, code)
    assert.is_truthy(errors:find('no display', 1, true))
    assert.is_truthy(errors:find('--headless --frames N --out FOLDER', 1, true))
  end)

  it('takes a DISPLAY that nobody answers for none', function()
    for _, set in ipairs({
      'DISPLAY=:987', 'XDG_RUNTIME_DIR=/tmp WAYLAND_DISPLAY=w987', 'SDL_VIDEODRIVER=x11 DISPLAY=:987',
    }) do
      local code, _, errors = thatch_run('play ' .. ROOM .. ' --size 64x36 --seconds 1', set)
      assert.equal(1, code, set)
      local value = set:match('(%S+)$'):gsub('=', " is '") .. "'"
      assert.is_truthy(errors:find('there is no display: [^\n]*' .. value), errors)
      assert.equal(1, lines_of(errors), errors)
    end
    local code, _, errors = thatch_run('walk ' .. ROOM .. ' --size 64x36 --frames 2 --out stale', 'DISPLAY=:987')
    assert.equal(0, code, errors)
    assert.is_truthy(errors:find("(DISPLAY is ':987', need a display that answers)", 1, true), errors)
    assert.is_truthy(support.read(folder .. '/stale/01_door.png'))
    os.remove(folder .. '/stale.mp4')
    -- Who names SDL's own stand-in gets it.
    assert.equal(0, (thatch_run('play ' .. ROOM .. ' --size 64x36 --seconds 1', 'SDL_VIDEODRIVER=dummy')))
  end)

  it('walk without a display leaves pictures and a table', function()
    local code, output, errors = thatch_run('walk ' .. ROOM .. ' --size 96x54 --frames 10')
    assert.equal(0, code)
    assert.is_truthy(errors:find('there is no display', 1, true))
    assert.is_truthy(output:find('raster', 1, true))
    assert.is_truthy(support.read(folder .. '/out/walk/01_door.png'))
    assert.is_truthy(support.read(folder .. '/out/walk/02_hearth.png'))
  end)

  it('run hands a script its arguments, and gives back its code', function()
    support.write(folder .. '/s.lua', "local t = require('thatch') print(t.isa and ..., arg[2]) return 3")
    local code, output = thatch_run('run s.lua --first second')
    assert.equal(3, code)
    assert.is_truthy(output:find('--first%s+second'))
    local errors
    for _, number in ipairs({ '256', '-1', '0/0', '1.5' }) do
      support.write(folder .. '/s.lua', 'return ' .. number)
      code, output, errors = thatch_run('run s.lua')
      assert.equal(1, code)
      assert.is_truthy(output == '' and errors:find('need an exit code of 0 .. 255', 1, true), errors)
    end
    support.write(folder .. '/s.lua', '\nerror("mine")')
    code, output, errors = thatch_run('run s.lua')
    assert.equal(1, code)
    assert.equal('', output)
    assert.is_truthy(errors:find('s.lua:2: mine', 1, true))
  end)

  it('new makes a project that runs and whose spec passes', function()
    assert.equal(0, (thatch_run('new garden')))
    local code, output, errors = thatch_run('shot garden/scene.lua --quality garden/quality.lua --size 96x54')
    assert.equal(0, code, output .. errors)
    for _, name in ipairs({ 'scene', 'pipeline', 'quality' }) do
      code, output, errors = thatch_run('check garden/' .. name .. '.lua')
      assert.equal(0, code, output .. errors)
      assert.is_truthy(output:find('fine', 1, true))
    end
    code, output = thatch_run('test garden/scene_spec.lua')
    assert.equal(0, code, output)
    assert.is_truthy(output:find('2 passed, 0 failed', 1, true))
    code, output, errors = thatch_run('test garden/scene_spec.lua --filter nothing')
    assert.is_falsy(output:find('passed', 1, true))
    assert.equal(1, code)
    assert.is_truthy(errors:find("no test has 'nothing' in its name", 1, true), errors)
    assert.equal(1, (thatch_run('new garden')))
  end)

  it('check says what is wrong', function()
    support.write(folder .. '/p.lua', 'return function(frame)\n  frame:rastre()\nend\n')
    local code, _, errors = thatch_run('check p.lua')
    assert.equal(1, code)
    assert.is_truthy(errors:find("p.lua:2: attempt to call method 'rastre'", 1, true), errors)
    support.write(folder .. '/q.lua', 'return { plants = 4 }')
    code, _, errors = thatch_run('check q.lua')
    assert.equal(1, code)
    assert.is_truthy(errors:find('plants is 4', 1, true))
  end)

  it('ends at ctrl-C with 130, and leaves no half file', function()
    local wanted = { 'bench ' .. ROOM .. ' --frames 100000', 'render ' .. ROOM .. ' --frames 0-9999 --out stopped' }
    if support.has('ffmpeg') then wanted[3] = 'render ' .. ROOM .. ' --frames 0-9999 --out stopped.mp4' end
    for _, arguments in ipairs(wanted) do
      -- A job in the background inherits an ignored SIGINT: the signal's own meaning is given back first.
      -- In the foreground timeout sends it once; a second one would end the program on the spot.
      local code, output, errors = thatch_run(arguments .. ' --size 96x54',
        'env --default-signal=INT timeout --foreground -s INT 1')
      assert.equal('', output)
      assert.is_truthy(errors:find('interrupted', 1, true), errors)
      assert.is_truthy(code == 130 or code == 124, code) -- timeout gives its own code
    end
    for _, where in ipairs({ folder, folder .. '/stopped' }) do
      for name in lfs.dir(where) do assert.is_falsy(name:find('%.tmp') or name:find('%.mp4$'), name) end
    end
  end)

  it('tells ctrl-C and short memory in a file that is read from wrong usage', function()
    support.write(folder .. '/busy.lua', "local s while true do s = ('x'):rep(3):gsub('x', 'y') end")
    support.write(folder .. '/hungry.lua', "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end")
    for _, option in ipairs({ ' --quality ', ' --pipeline ' }) do
      local code, _, errors = thatch_run('shot ' .. ROOM .. ' --size 32x18' .. option .. 'busy.lua',
        'env --default-signal=INT timeout --preserve-status --foreground -s INT 0.5')
      assert.equal('thatch shot: interrupted\n', errors)
      assert.equal(130, code)
      code, _, errors = thatch_run('shot ' .. ROOM .. ' --size 32x18' .. option .. 'hungry.lua',
        'THATCH_LUA_MEMORY_MIB=64')
      assert.equal(1, code)
      assert.is_truthy(errors:find('not enough memory\nhint: Lua may hold', 1, true), errors)
    end
  end)

  it('ends a script that does not come back with 124', function()
    support.write(folder .. '/endless.lua', [[
      local M = dofile(']] .. ROOM .. [[')
      M.update = function(_, number) if number == 2 then while true do end end end
      return M]])
    local code, _, errors = thatch_run('bench endless.lua --size 64x36 --frames 9', 'THATCH_WATCHDOG_S=1')
    assert.equal(124, code)
    assert.is_truthy(errors:find('endless.lua: frame 2 has not come back', 1, true), errors)
  end)

  it('holds Lua to its memory', function()
    support.write(folder .. '/greedy.lua', 'local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end')
    local code, _, errors = thatch_run('run greedy.lua', 'THATCH_LUA_MEMORY_MIB=64')
    assert.equal(1, code)
    assert.is_truthy(errors:find('not enough memory', 1, true), errors)
  end)
end)
