local lfs = require('lfs')
local image = require('thatch.image')
local thatch = require('thatch')
local support = require('tests.specs.support')

local program = os.getenv('THATCH_PROGRAM')
local describe_if = program and describe or pending
local ROOM = thatch.root .. '/tests/specs/data/room.lua'
local LAST = 239

describe_if('a killed render', function()
  local folder = support.folder()

  local function command(out)
    return ('%s render %s --size 320x180 --quality low --frames 0-%d --out %s'):format(program, ROOM, LAST, out)
  end

  --- Runs a render, and kills it after so many seconds; false when it was done before.
  local function kill_after(out, seconds)
    local lines = 'cd %s && { %s 2>/dev/null & pid=$!; sleep %s; kill -9 $pid; wait $pid; echo $?; } 2>/dev/null'
    local pipe = io.popen(lines:format(folder, command(out), seconds))
    local code = pipe:read('*a'):match('%d+%s*$')
    pipe:close()
    return tonumber(code) == 137
  end

  --- Numbers of whole pictures, and names of what is half written; a torn picture fails.
  local function look(out)
    local whole, half = 0, {}
    for name in lfs.dir(folder .. '/' .. out) do
      local path = folder .. '/' .. out .. '/' .. name
      if name:find('%.png$') then
        local read, message = image.try_load(path)
        assert.is_truthy(read, message)
        assert.same({ 320, 180 }, { read.width, read.height })
        whole = whole + 1
      elseif name:find('%.tmp%.') then
        half[#half + 1] = name
      end
    end
    return whole, half
  end

  it('of a video leaves what the next one of that name takes away', function()
    for _, name in ipairs({ 'a.mp4.tmp.999999.mp4', 'a.mp4.tmp.999999.mp4.log', 'a.mp4.tmp.999999.mp4.status',
      'a.mp4.tmp.1.mp4', 'aa.mp4.tmp.999999.mp4' }) do
      support.write(folder .. '/' .. name, 'half')
      lfs.touch(folder .. '/' .. name, os.time() - 7200)
    end
    local path = support.encoder(folder, 'cat >/dev/null; for last in "$@"; do :; done; echo whole >"$last"')
    local job = path .. '%s render %s --size 64x36 --frames 0-3 --out a.mp4'
    assert.equal(0, os.execute(('cd %s && %s 2>/dev/null'):format(folder, job:format(program, ROOM))))
    local names = {}
    for name in lfs.dir(folder) do names[#names + 1] = name:match('mp4') and name end
    table.sort(names)
    assert.same({ 'a.mp4', 'a.mp4.tmp.1.mp4', 'aa.mp4.tmp.999999.mp4' }, names) -- process 1 runs
    for _, name in ipairs(names) do os.remove(folder .. '/' .. name) end
  end)

  it('leaves no torn file, and completes with the same pictures', function()
    assert.equal(0, os.execute(('cd %s && %s 2>/dev/null'):format(folder, command('whole'))))
    local kills, before = 0, 0
    for _, seconds in ipairs({ 0.02, 0.1, 0.15, 0.2, 0.12, 0.17, 0.25, 0.11, 0.13 }) do
      if not kill_after('killed', seconds) then break end
      kills = kills + 1
      local whole = lfs.attributes(folder .. '/killed') and look('killed') or 0
      assert.is_true(whole >= before)
      before = whole
    end
    assert.is_true(kills >= 2)
    -- What a kill in the midst of a write leaves, whether one fell there or not.
    support.write(folder .. '/killed/frame_000003.png.tmp.999999', 'half')
    support.write(folder .. '/killed/render.txt.tmp.999999', 'half')
    lfs.touch(folder .. '/killed/render.txt.tmp.999999', os.time() - 3600)
    assert.equal(0, os.execute(('cd %s && %s 2>/dev/null'):format(folder, command('killed'))))
    local whole, half = look('killed')
    assert.equal(LAST + 1, whole)
    assert.same({}, half)
    for number = 0, LAST do
      local name = ('/frame_%06d.png'):format(number)
      assert.equal(support.read(folder .. '/whole' .. name), support.read(folder .. '/killed' .. name), name)
    end
  end)
end)
