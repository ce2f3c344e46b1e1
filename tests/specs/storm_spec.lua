local ffi = require('ffi')
local lfs = require('lfs')
local driver = require('driver')
local live = require('live')
local mistake = require('mistake')
local thatch = require('thatch')
local support = require('tests.specs.support')

-- Resizes and saves without end: THATCH_STORM_RESIZES=10000 THATCH_STORM_SAVES=1000 for all of them.
local RESIZES = tonumber(os.getenv('THATCH_STORM_RESIZES')) or 240
local SAVES = tonumber(os.getenv('THATCH_STORM_SAVES')) or 60
local ROOM = thatch.root .. '/tests/specs/data/room.lua'
local GAME = support.read(thatch.root .. '/scripts/pipelines/game.lua')

--- MiB that the process holds, now.
local function resident()
  local text = support.read('/proc/self/statm')
  return text and tonumber(text:match('^%d+ (%d+)')) * 4096 / 1048576 or 0
end

local function settled()
  collectgarbage()
  collectgarbage()
  return collectgarbage('count'), thatch.memory_bytes(), resident()
end

local function random(n, index, what)
  return math.floor(thatch.math.random(23, index, what) * n)
end

describe('a storm', function()
  local folder = support.folder()

  local function started()
    support.write(folder .. '/pipeline.lua', GAME)
    support.write(folder .. '/quality.lua', "return { base = 'low' }")
    support.write(folder .. '/part.lua', 'return { number = 0 }')
    support.write(folder .. '/scene.lua', ("local M = dofile('%s')\nrequire('part')\nreturn M"):format(ROOM))
    local d = driver.new({
      scene = folder .. '/scene.lua', pipeline = folder .. '/pipeline.lua', quality = folder .. '/quality.lua',
      width = 160, height = 90,
    }):load()
    d:draw(0)
    local l = live.new(d)
    l:changed(0)
    return d, l
  end

  it('of resizes, during reloads, keeps memory flat and pictures right', function()
    local d, l = started()
    local function resize(i)
      local w, h = 1 + random(2560, i, 1), 1 + random(1440, i, 2)
      if i % 50 == 1 then w, h = 1, 1 elseif i % 50 == 2 then w, h = 2560, 1440 elseif i % 3 ~= 0 then
        w, h = 1 + random(320, i, 3), 1 + random(180, i, 4)
      end
      d:resize(w, h)
      if i % 20 == 0 then l:pipeline() end
      if i % 40 == 0 then
        local job = l:scene()
        repeat until job:step() == true
      end
      if i % 60 == 0 then l:quality() end
      d:draw(i % 48)
      local pixels, _, got_w, got_h = d:pixels()
      assert.same({ w, h }, { got_w, got_h })
      return pixels, w, h
    end
    for i = 1, 60 do resize(i) end -- each buffer has been as large as it gets
    local lua, runtime, rss = settled()
    local checked = 0
    for i = 61, 60 + RESIZES do
      local pixels, w, h = resize(i)
      if i % 16 == 0 and w * h < 400000 then -- as a frame that has never had another size
        local fresh = driver.new({ scene = ROOM, quality = 'low', width = w, height = h }):load()
        fresh:draw(i % 48)
        local bytes = ffi.string(pixels, w * h * 4)
        assert.is_true(bytes == fresh:bytes(), ('%d x %d is another picture'):format(w, h))
        fresh.frame:destroy()
        fresh.state.scene:destroy()
        checked = checked + 1
      end
    end
    local lua_after, runtime_after, rss_after = settled()
    if RESIZES > 1000 then
      print(('%d resizes, %d pictures checked: runtime %+d bytes, Lua %+.0f KiB, process %+.1f MiB'):format(RESIZES,
        checked, runtime_after - runtime, lua_after - lua, rss_after - rss))
    end
    assert.is_true(checked > RESIZES / 40)
    assert.is_true(runtime_after - runtime < 65536, 'the runtime grew by ' .. runtime_after - runtime)
    assert.is_true(lua_after - lua < 512, 'Lua grew by KiB ' .. lua_after - lua)
    assert.is_true(rss_after - rss < 48, 'the process grew by MiB ' .. rss_after - rss)
  end)

  --- What is saved: { file, text, broken }. Broken ones fail when they are read, or in their first frame; each is
  --- followed by a good one of the same file.
  local function saves()
    local room = ("local M = dofile('%s')\nlocal part = require('part')\n"):format(ROOM)
    local good = {
      pipeline = GAME .. '-- %d', scene = room .. 'M.number = %d\nreturn M',
      quality = "return { base = 'low', sky_step = 1 + %d % 4 }", part = 'return { number = %d }',
    }
    local list = {}
    for _, pair in ipairs({
      { 'pipeline', GAME:gsub('frame:raster%(%)', 'frame:rastre()') .. '-- %d' }, { 'scene', room .. 'retrun %d' },
      { 'quality', 'return { plants = %d }' }, { 'part', 'error({ code = %d })' },
      { 'pipeline', GAME:sub(1, 900) .. '-- %d' },
      { 'scene', room .. 'M.update = function() error() end return M -- %d' },
      { 'scene', '' }, { 'pipeline', 'local function f() return 1 + f() end\nreturn f -- %d' },
      { 'scene', room .. 'M.load = function(ctx) ctx.progress(0.2) return %d end\nreturn M' },
      { 'pipeline', 'return %d' }, { 'quality', "error('%d')" }, { 'part', 'return %d +' },
    }) do
      list[#list + 1] = { pair[1], good[pair[1]] }
      list[#list + 1] = { pair[1], pair[2], true }
      list[#list + 1] = { pair[1], good[pair[1]] }
    end
    return list
  end

  it('of saves, a third of them broken, keeps the last good frame', function()
    local d, l = started()
    local kinds, now = saves(), 1
    local good, broken, seen, slowest = d:bytes(), 0, 0, 0
    local frame_number = 0

    --- As the window does: what was saved is read again, and a frame is drawn. The first mistake, or nil.
    local function turn()
      now = now + 1
      local parts = l:changed(now)
      assert.is_table(parts, 'a save was not seen')
      local function try(f)
        local ok, message = mistake.guard(f)
        if not ok then return message end
      end
      local wrong = nil
      if parts.quality then wrong = try(function() l:quality() end) end
      if parts.pipeline then wrong = wrong or try(function() l:pipeline() end) end
      if parts.scene then
        local job = l:scene()
        wrong = wrong or try(function() repeat until job:step() == true end)
      end
      return wrong or try(function() d:draw(frame_number) end)
    end

    local function save(i)
      local kind = kinds[(i - 1) % #kinds + 1]
      local path = folder .. '/' .. kind[1] .. '.lua'
      local text = kind[2]:gsub('%%d', tostring(i))
      if i % 2 == 0 then support.write(path, text) else -- as editors do
        support.write(path .. '.new', text)
        assert(os.rename(path .. '.new', path))
      end
      frame_number = i % 48
      local before = thatch.clock()
      local wrong = turn()
      slowest = math.max(slowest, thatch.clock() - before)
      if kind[3] then
        broken = broken + 1
        assert.is_truthy(wrong, 'nothing was wrong with ' .. text)
        assert.is_true(#wrong:report() > 20 and #wrong:report() < 8000)
        -- What is shown is the last good frame, and its bytes are still there to be shown.
        assert.is_true(#good == d.width * d.height * 4)
      else
        assert.is_nil(wrong, wrong and wrong:report())
        good = d:bytes()
      end
      seen = seen + 1
    end

    for i = 1, #kinds do save(i) end
    local lua, runtime, rss = settled()
    for i = #kinds + 1, #kinds + SAVES do save(i) end
    local lua_after, runtime_after, rss_after = settled()
    if SAVES > 200 then
      print(('%d saves, %d broken, the slowest %.0f ms: runtime %+d bytes, Lua %+.0f KiB, process %+.1f MiB'):format(
        seen, broken, slowest * 1000, runtime_after - runtime, lua_after - lua, rss_after - rss))
    end
    assert.is_true(broken / seen >= 0.3)
    assert.is_true(slowest < 1, 'seconds: ' .. slowest)
    assert.is_true(runtime_after - runtime < 131072, 'the runtime grew by ' .. runtime_after - runtime)
    assert.is_true(lua_after - lua < 1024, 'Lua grew by KiB ' .. lua_after - lua)
    assert.is_true(rss_after - rss < 32, 'the process grew by MiB ' .. rss_after - rss)
    assert.is_truthy(lfs.attributes(folder .. '/scene.lua'))
  end)

  local program = os.getenv('THATCH_PROGRAM')
  local windowed = program and support.has('xvfb-run') and support.has('xdotool')

  it('of resizes of a window ends well', function()
    if not windowed then return pending('needs xvfb-run and xdotool') end
    support.write(folder .. '/good.lua', GAME)
    support.write(folder .. '/bad.lua', (GAME:gsub('frame:raster%(%)', 'frame:rastre()')))
    support.write(folder .. '/pipeline.lua', GAME)
    support.write(folder .. '/session.sh', ([[
      cd %s
      %s walk %s --quality low --size 320x180 --seconds 30 --pipeline pipeline.lua &
      pid=$!
      for i in 1 2 3 4 5 6 7 8 9 10; do
        sleep 0.2
        window=$(xdotool search --name 'thatch: ' | tail -n 1) && [ -n "$window" ] && break
      done
      sleep 0.5
      i=0
      while [ $i -lt 48 ]; do
        i=$((i + 1))
        case $((i %% 6)) in
          0) size='1 1' ;;
          1) size='2560 1440' ;;
          *) size="$((i * 37 %% 900 + 1)) $((i * 53 %% 600 + 1))" ;;
        esac
        xdotool windowsize $window $size
        case $((i %% 12)) in
          5) cp bad.lua pipeline.lua ;;
          8) cp good.lua pipeline.lua ;;
          10) grep VmRSS /proc/$pid/status >>memory ;;
        esac
        sleep 0.06
      done
      xdotool windowsize $window 400 300
      sleep 0.6
      xdotool key --window $window F12
      sleep 0.6
      xdotool key --window $window Escape
      wait $pid]]):format(folder, program, ROOM))
    local pipe = io.popen(('xvfb-run -a -s "-screen 0 2560x1440x24" sh %s/session.sh >%s/stdout 2>%s/stderr; echo $?')
      :format(folder, folder, folder))
    local code, errors = tonumber(pipe:read('*l')), support.read(folder .. '/stderr')
    pipe:close()
    assert.equal(0, code, errors)
    for message in errors:gmatch('thatch: ([^\n]*)') do assert.is_truthy(message:find('rastre', 1, true), errors) end
    local first, last
    for kib in support.read(folder .. '/memory'):gmatch('(%d+) kB') do
      first, last = first or tonumber(kib), tonumber(kib)
    end
    assert.is_true(last - first < 64 * 1024, ('from %d to %d KiB'):format(first, last))
  end)
end)
