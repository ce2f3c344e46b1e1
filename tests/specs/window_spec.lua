local thatch = require('thatch')
local support = require('tests.specs.support')

local program = os.getenv('THATCH_PROGRAM')
local ROOM = thatch.root .. '/tests/specs/data/room.lua'

--- Runs shell lines on a display of their own; exit code of the last, and what went to standard error.
local function on_display(folder, lines)
  support.write(folder .. '/session.sh', 'cd ' .. folder .. '\n' .. lines)
  local pipe = io.popen(('xvfb-run -a -s "-screen 0 800x600x24" sh %s/session.sh >%s/stdout 2>%s/stderr; echo $?')
    :format(folder, folder, folder))
  local code = tonumber(pipe:read('*l'))
  pipe:close()
  return code, support.read(folder .. '/stderr')
end

local describe_if = program and support.has('xvfb-run') and describe or pending

describe_if('the window', function()
  local good = support.read(thatch.root .. '/scripts/pipelines/game.lua')

  it('opens, walks and closes', function()
    local folder = support.folder()
    local code, errors = on_display(folder,
      ('%s walk %s --quality low --size 320x180 --seconds 2'):format(program, ROOM))
    assert.equal(0, code, errors)
    assert.equal('', errors)
  end)

  it('lives through saves that are broken, and comes back with the good ones', function()
    local folder = support.folder()
    support.write(folder .. '/good.lua', good)
    support.write(folder .. '/bad.lua', (good:gsub('frame:raster%(%)', 'frame:rastre()')))
    support.write(folder .. '/torn.lua', good:sub(1, 900))
    support.write(folder .. '/pipeline.lua', good)
    local code, errors = on_display(folder, ([[
      %s walk %s --quality low --size 320x180 --seconds 11 --pipeline pipeline.lua &
      pid=$!
      sleep 1.5
      for i in 1 2 3 4 5; do
        for kind in bad good torn good; do cp $kind.lua pipeline.lua; sleep 0.35; done
      done
      wait $pid]]):format(program, ROOM))
    assert.equal(0, code, errors)
    local _, runs = errors:gsub("attempt to call method 'rastre'", '')
    local _, loads = errors:gsub('pipeline.lua:%d+: [^\n]*near', '')
    assert.is_true(runs >= 4, errors)
    assert.is_true(loads >= 4, errors)
  end)

  it('shows the mistake of a first load, and loads once it is mended', function()
    local folder = support.folder()
    local room = support.read(ROOM)
    support.write(folder .. '/good.lua', room)
    support.write(folder .. '/scene.lua', (room:gsub('support%.room', 'support.roof')))
    local code, errors = on_display(folder, ([[
      %s walk scene.lua --quality low --size 320x180 --seconds 5 &
      pid=$!
      sleep 1.5
      cp good.lua scene.lua
      sleep 1
      command -v xdotool >/dev/null && xdotool key F12
      wait $pid]]):format(program))
    assert.equal(0, code, errors)
    assert.is_truthy(errors:find("scene.lua:%d+: attempt to call field 'roof'"), errors)
    if support.has('xdotool') then
      local shots = io.popen('ls ' .. folder .. '/out')
      assert.is_truthy(shots:read('*a'):find('scene_%d+_%d+%.png'))
      shots:close()
    end
  end)

  it('shows the walker on V, saves pictures, lets the mouse go, then leaves', function()
    if not support.has('xdotool') then return pending('needs xdotool') end
    local folder = support.folder()
    local code, errors = on_display(folder, ([[
      %s new garden
      %s play garden/scene.lua --quality low --size 320x180 --seconds 40 &
      pid=$!
      sleep 1.5
      window=$(xdotool search --name thatch | head -1)
      xdotool mousemove 400 300 click 1
      xdotool key p key F12; sleep 1.1
      xdotool key v; sleep 0.3
      xdotool key F12; sleep 0.3
      xdotool keydown w; sleep 0.3
      xdotool windowsize $window 400 240; sleep 0.5
      xdotool keyup w
      xdotool key Escape; sleep 0.4
      kill -0 $pid && echo open >stays
      xdotool key Escape; sleep 0.6
      kill -0 $pid 2>/dev/null && echo open >left_open
      wait $pid]]):format(program, program))
    assert.equal(0, code, errors)
    assert.equal('', errors)
    assert.equal('open\n', support.read(folder .. '/stays'))
    assert.is_nil(io.open(folder .. '/left_open'))
    local names = {}
    for name in require('lfs').dir(folder .. '/out') do
      if name:find('png$') then names[#names + 1] = folder .. '/out/' .. name end
    end
    assert.equal(2, #names)
    assert.is_true(support.read(names[1]) ~= support.read(names[2]), 'there is no walker to be seen')
  end)

  it('listens to R, C and Escape while a mistake is shown', function()
    if not support.has('xdotool') then return pending('needs xdotool') end
    local folder = support.folder()
    support.write(folder .. '/pipeline.lua', "return function() error({ code = 7 }) end")
    local code, errors = on_display(folder, ([[
      %s walk %s --quality low --size 320x180 --seconds 30 --pipeline pipeline.lua &
      pid=$!
      sleep 1.5
      xdotool key c
      sleep 0.2
      echo 'return function() local quiet = nil; quiet.now() end' >pipeline.lua
      xdotool key r
      sleep 0.8
      xdotool key Escape
      wait $pid]]):format(program, ROOM))
    assert.equal(0, code, errors)
    assert.is_truthy(errors:find('an error that is a table: { code = 7 }', 1, true), errors)
    assert.is_truthy(errors:find("hint: 'quiet' is nil here", 1, true), errors)
  end)
end)
