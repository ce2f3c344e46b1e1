local thatch = require('thatch')
local support = require('tests.specs.support')

-- What people see when a script of theirs is wrong: on standard error, from each command that runs it.
local program = os.getenv('THATCH_PROGRAM')
local describe_if = program and describe or pending
local ROOM = thatch.root .. '/tests/specs/data/room.lua'

describe_if('an error', function()
  local folder = support.folder()

  --- Runs a command; its exit code and what it said on standard error.
  local function run(arguments, variables)
    local pipe = io.popen(('cd %s && env -u DISPLAY %s timeout 30 %s %s 2>&1 >out.txt; echo "code $?"')
      :format(folder, variables or '', program, arguments))
    local text, code = pipe:read('*a'):match('^(.*)code (%d+)\n$')
    pipe:close()
    return tonumber(code), text
  end

  --- What a script of this text says.
  local function of_script(text)
    support.write(folder .. '/s.lua', text)
    return run('run s.lua')
  end

  it('in a script shows message, five lines, traceback and hint', function()
    local code, said = of_script('local here = 1\n\nlocal function mine()\n  return nothing.at + here\nend\n\nmine()\n')
    assert.equal(1, code)
    local plain = said:gsub(' +\n', '\n'):gsub('in function <[^>]*>', 'in main chunk')
    plain = plain:gsub("in function 's%.lua:[^']*'", 'in main chunk')
    plain = plain:gsub('(\n  s%.lua:7: in main chunk).-\nhint', '%1\nhint')
    assert.equal([[
thatch run: s.lua:4: attempt to index global 'nothing' (a nil value)

     2
     3   local function mine()
     4 >   return nothing.at + here
     5   end
     6

stack traceback:
  s.lua:4: in function 'mine'
  s.lua:7: in main chunk
hint: 'nothing' is nil here: is it spelled right, and set before this line?
]], plain)
  end)

  it('in a pipeline, an update, a load or a walk names the file and line of each', function()
    local room = ("local M = dofile('%s')\n"):format(ROOM)
    for text, place in pairs({
      [room .. "M.pipeline = function(frame)\n  frame:rastre()\nend\nreturn M"] = 's.lua:3: ',
      [room .. "\nM.update = function()\n  error('in update')\nend\nreturn M"] = 's.lua:4: in update',
      [room .. "M.load = function()\n  local t = {}\n  t.x.y = 1\nend\nreturn M"] = 's.lua:4: ',
      [room .. "M.walk = function()\n  return 1 + {}\nend\nreturn M"] = 's.lua:3: attempt to perform arithmetic',
    }) do
      support.write(folder .. '/s.lua', text)
      for _, command in ipairs({ 'shot s.lua --size 32x18', 'bench s.lua --size 32x18 --frames 2',
        'render s.lua --size 32x18 --frames 0-1 --out r' }) do
        local code, said = run(command)
        assert.equal(1, code, said)
        assert.is_truthy(said:find(place, 1, true), said)
        assert.is_truthy(said:find(' > ', 1, true), said)
        assert.is_truthy(said:find('\nstack traceback:\n', 1, true), said)
      end
    end
  end)

  it('that is nil, a table, or raised while one is handled ends well', function()
    for text, message in pairs({
      ['error()'] = 's.lua:1: an error without a message: error(nil)',
      ['error(nil)'] = 's.lua:1: an error without a message: error(nil)',
      ['error({ code = 7 })'] = 's.lua:1: an error that is a table: { code = 7 }',
      ['error(setmetatable({}, { __tostring = function() error("twice") end }))'] = 'an error that is a table',
      ['error(print)'] = 'an error that is a function', ['error(12)'] = '12', ['error(true)'] = 'an error that is true',
      ['xpcall(error, function() error("inner") end) error("after")'] = 's.lua:1: after',
      ['assert(select(2, xpcall(error, function() return error() end)) == 1)'] = 's.lua:1: assertion failed!',
      ['error(select(2, xpcall(error, function() error({}) end)))'] = 'error in error handling',
    }) do
      local code, said = of_script(text)
      assert.equal(1, code, text .. ': ' .. said)
      assert.is_truthy(said:find(message, 1, true), text .. ': ' .. said)
      assert.is_truthy(said:find('     1 > ' .. text, 1, true) or message:find('handling'), text .. ': ' .. said)
      assert.is_true(#said < 4000)
    end
  end)

  it('ten thousand functions deep, or of a stack without end, ends well', function()
    for text, message in pairs({
      ['local function f(n) if n == 0 then error("deep") end return (f(n - 1)) end\nf(10000)'] = 's.lua:1: deep',
      ['local function f() return 1 + f() end\nf()'] = 'stack overflow',
      ['local t = setmetatable({}, {})\ngetmetatable(t).__index = function(s, k) return (s[k .. "x"]) end\nreturn t.a']
        = 'stack overflow',
      ['local function f(c) local w = coroutine.wrap(f) return w(c) end\nf(1)'] = 'overflow',
      ['return (("("):rep(10000) .. "1" .. (")"):rep(10000)):len() + load("return " .. ("("):rep(10000) .. "1")'] = '',
    }) do
      local code, said = of_script(text)
      assert.equal(1, code, text .. ': ' .. said)
      assert.is_truthy(said:find(message, 1, true), text .. ': ' .. said)
      assert.is_true(#said < 4000, #said)
    end
  end)

  it('of memory is an ordinary one', function()
    local greedy = 'local t = {}\nfor i = 1, 1e9 do\n  t[i] = ("x"):rep(1000) .. i\nend\n'
    support.write(folder .. '/s.lua', greedy)
    local code, said = run('run s.lua', 'THATCH_LUA_MEMORY_MIB=64')
    assert.equal(1, code)
    assert.is_truthy(said:find('not enough memory', 1, true), said)
    assert.is_truthy(said:find('hint: Lua may hold', 1, true), said)
    -- A script may catch it, and go on.
    support.write(folder .. '/s.lua', 'local ok, why = pcall(function()\n' .. greedy
      .. 'end)\ncollectgarbage()\nassert(not ok and why:find("not enough memory"), why)\nreturn 7')
    assert.equal(7, (run('run s.lua', 'THATCH_LUA_MEMORY_MIB=64')))
    -- So may a frame's pipeline ask for too much.
    support.write(folder .. '/s.lua', ("local M = dofile('%s')\nM.pipeline = function()\n%send\nreturn M")
      :format(ROOM, greedy))
    code, said = run('shot s.lua --size 32x18', 'THATCH_LUA_MEMORY_MIB=64')
    assert.equal(1, code)
    assert.is_truthy(said:find('not enough memory', 1, true), said)
  end)

  it('of a script that does not come back names it and exits 124', function()
    local all = 'frame:begin(0, 0) frame:gather(state.scene, camera) frame:vertices() frame:setup() frame:bins() '
      .. 'frame:raster() frame:resolve()'
    for _, body in ipairs({
      'while true do end', 'while true do ' .. all .. ' end', 'while true do pcall(function() ' .. all .. ' end) end',
      'while true do frame:begin(0, 0) end', 'while true do local t = {} t[1] = frame:size() end',
    }) do
      support.write(folder .. '/s.lua', ("local M = dofile('%s')\nM.pipeline = function(frame, state, camera)\n%s\n"
        .. 'end\nreturn M'):format(ROOM, body))
      local code, said = run('shot s.lua --size 64x36', 'THATCH_WATCHDOG_S=0.1')
      assert.equal(124, code, body .. ': ' .. said)
      assert.is_truthy(said:find('s.lua: frame 0 has not come back for ', 1, true), body .. ': ' .. said)
    end
    -- Time that stages used up leaves the script its grace: it comes back from a slow one, and its line is told.
    support.write(folder .. '/s.lua', ([[
      local M, host = dofile('%s'), require('thatch.host')
      local pulse = require('ffi').cast('uint32_t *', host.pulse)
      M.pipeline = function()
        while true do
          pulse[1] = 1
          host.sleep(0.9)
          pulse[0], pulse[1] = pulse[0] + 1, 0
        end
      end
      return M]]):format(ROOM))
    local late_code, late = run('shot s.lua --size 64x36', 'THATCH_WATCHDOG_S=0.25')
    assert.equal(124, late_code, late)
    assert.is_truthy(late:find('s.lua:%d: [^\n]*s.lua: frame 0 has not come back for [34] s'), late)
    support.write(folder .. '/s.lua', 'return { load = function(ctx) while true do ctx.progress(0.5, "x") end end }')
    local code, said = run('shot s.lua --size 64x36', 'THATCH_WATCHDOG_S=0.1')
    assert.equal(124, code, said)
    assert.is_truthy(said:find('s.lua: load has not come back', 1, true), said)
    support.write(folder .. '/endless.lua', 'while true do end')
    for _, case in ipairs({
      { 'shot ' .. ROOM .. ' --size 64x36 --quality endless.lua', ': quality' },
      { 'shot ' .. ROOM .. ' --size 64x36 --pipeline endless.lua', ': pipeline' },
      { 'shot endless.lua --size 64x36', 'endless.lua: load' }, { 'check endless.lua', 'endless.lua' },
    }) do
      code, said = run(case[1], 'THATCH_WATCHDOG_S=0.1')
      assert.equal(124, code, case[1] .. ': ' .. said)
      assert.is_truthy(said:find(case[2] .. ' has not come back', 1, true), said)
    end
  end)

  it('of a script that does not come back is shown in a window, which ends where it is compiled', function()
    local function window(body, more)
      support.write(folder .. '/s.lua', ("local M = dofile('%s')\nM.update = function(_, number)\n%s\nend\nreturn M")
        :format(ROOM, body))
      return run('play s.lua --size 64x36 --quality low --seconds 3' .. (more or ''),
        'THATCH_WATCHDOG_S=0.3 SDL_VIDEODRIVER=dummy')
    end
    local code, said = window('local n = 0 while number > 2 do n = n + 1 end')
    assert.equal(124, code, said)
    local named = 's.lua: frame %d+ has not come back for %d s'
    assert.is_truthy(said:find(named .. '; the program ends if it does not within 0.3 s\n'), said)
    assert.is_truthy(said:find(named .. ': ended\n'), said)
    code, said = window('while number > 2 do pcall(loadstring, "") end')
    assert.equal(0, code, said)
    assert.is_truthy(said:find('s.lua:%d: [^\n]*has not come back for 0 s'), said)
  end)

  it('of the environment names the variable, its value and what is allowed', function()
    for set, need in pairs({
      ["THATCH_THREADS='abc'"] = 'a whole number 1 .. 64', ["THATCH_THREADS='0'"] = 'a whole number 1 .. 64',
      ["THATCH_ISA='mmx'"] = 'plain', ["THATCH_WATCHDOG_S='x'"] = 'a number 0.01 .. 1000000',
      ["THATCH_WATCHDOG_S='0'"] = 'a number 0.01 .. 1000000', ["THATCH_WATCHDOG_S='nan'"] = 'a number 0.01 .. 1000000',
      ["THATCH_LUA_MEMORY_MIB='1'"] = 'a number 16 .. 1048576',
      ["THATCH_LUA_MEMORY_MIB='1g'"] = 'a number 16 .. 1048576', ["THATCH_ROOT='/nowhere'"] = 'a folder with',
    }) do
      for _, arguments in ipairs({ 'shot ' .. ROOM .. ' --size 8x8', 'check ' .. ROOM }) do
        local code, said = run(arguments, set)
        assert.equal(2, code, set .. ': ' .. said)
        assert.is_truthy(said:find('^thatch[ %l]*: %$[^\n]+\n$'), said)
        assert.is_truthy(said:find('$' .. set:gsub('=', ' is ', 1), 1, true) and said:find(need, 1, true), said)
      end
    end
    assert.equal(0, (run('shot ' .. ROOM .. ' --size 8x8', 'THATCH_THREADS= THATCH_ISA= THATCH_WATCHDOG_S=')))
  end)

  it('of a value reads `thing: field is value, need condition (file:line)`', function()
    local path = folder .. '/refused.lua'
    local function of(text)
      support.write(path, "local t = require('thatch')\n" .. text)
      local ok, message = pcall(assert(loadfile(path)))
      assert.is_false(ok)
      return message
    end
    local at = (' (%s:2)'):format(path)
    for text, message in pairs({
      ['t.frame.create({ width = 0, height = 4 })'] = 'frame.create: window width is 0, need 1 .. 8192',
      ["t.material.create({ roughness = 'x' })"] = "material.create: roughness is 'x', need a number",
      ['t.material.create({ opacity = 7 })'] = 'material: opacity is 7, need 0 .. 1',
      ['t.geometry.create({ positions = { 0, 0, 0 }, indices = { 0, 0 } })'] =
        'geometry: index_count is 2, need a multiple of 3',
      ['t.camera.create():perspective({ fov = 9 })'] = 'camera: fov is 9, need',
      ['t.quality.check({ render_scale = 3 })'] = 'quality: render_scale is 3, need 0.25 .. ',
      ["t.texture.load('/nowhere.png')"] = "/nowhere.png can't be opened: No such file or directory",
    }) do
      local said = of(text)
      assert.is_truthy(said:find(message:sub(1, 12), 1, true), said)
      assert.equal(at, said:sub(-#at), said)
      assert.is_truthy(said:find('^[^/]') or said:find('nowhere', 1, true), said)
      local wanted = message:gsub('%.create: window', ': window')
      assert.is_truthy(said:find(wanted, 1, true) or said:find(message, 1, true), said)
    end
    support.write(folder .. '/q.lua', 'return {\n  base = "low",\n  render_scale = 3,\n}')
    local code, said = run('shot ' .. ROOM .. ' --quality q.lua')
    assert.equal(1, code)
    assert.is_truthy(said:find('quality: render_scale is 3, need 0.25 .. %d%.?%d* %(q%.lua:3%)'), said)
  end)
end)

describe('an error in the window', function()
  it('is drawn over pictures of any size, with its source, traceback and hint', function()
    local ffi = require('ffi')
    local mistake, overlay = require('mistake'), require('overlay')
    local path = support.write(support.folder() .. '/s.lua', '-- 1\n-- 2\nlocal n = nothing.here -- äöü\n-- 4\n-- 5\n')
    local ok, made = mistake.guard(assert(loadfile(path)))
    assert.is_false(ok)
    for _, size in ipairs({ { 1280, 720 }, { 320, 180 }, { 1, 1 }, { 3, 200 }, { 900, 2 } }) do
      local w, h = size[1], size[2]
      local on, canvas, lines = overlay.new(h), ffi.new('uint8_t[?]', w * h * 4 + 64), {}
      ffi.fill(canvas + w * h * 4, 64, 77)
      local panel = on.panel
      on.panel = function(self, c, cw, ch, x, y, rows, mono)
        for _, row in ipairs(rows) do lines[#lines + 1] = row[1] end
        return panel(self, c, cw, ch, x, y, rows, mono)
      end
      on:problem(canvas, w, h, { title = 'Error in the pipeline', mistake = made })
      for i = 0, 63 do assert.equal(77, canvas[w * h * 4 + i]) end
      local text = table.concat(lines, '\n')
      if w > 1000 then
        for _, part in ipairs({ 'Error in the pipeline', "attempt to index global 'nothing'", '    1   -- 1',
          '    3 > local n = nothing.here', '    5   -- 5', 'stack traceback:', "hint: 'nothing' is nil here",
          'R tries again now, C copies this, Esc quits.' }) do
          assert.is_truthy(text:find(part, 1, true), text)
        end
        local lit = 0
        for i = 0, w * h - 1 do lit = lit + (canvas[i * 4] > 128 and 1 or 0) end
        assert.is_true(lit > 200 or not on.font)
      end
    end
  end)
end)
