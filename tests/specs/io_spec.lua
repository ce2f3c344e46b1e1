local lfs = require('lfs')
local thatch = require('thatch')
local support = require('tests.specs.support')

-- Disks that are full, folders that can't be written, encoders that die: exit 1, one clear line, nothing half written.
local program = os.getenv('THATCH_PROGRAM')
local describe_if = program and describe or pending
local ROOM = thatch.root .. '/tests/specs/data/room.lua'

describe_if('failing output', function()
  local folder

  before_each(function() folder = support.folder() end)

  --- Runs shell lines in the folder; exit code of the last, and all that was said.
  local function shell(lines)
    support.write(folder .. '/run.sh', lines)
    local pipe = io.popen(('cd %s && env -u DISPLAY -u WAYLAND_DISPLAY timeout 60 sh run.sh 2>&1; echo "code $?"')
      :format(folder))
    local text, code = pipe:read('*a'):match('^(.*)code (%d+)\n$')
    pipe:close()
    return tonumber(code), (text:gsub('loaded [^\n]*\n', ''))
  end

  --- Names below a folder, but run.sh.
  local function files(where, list)
    list = list or {}
    for name in lfs.dir(where) do
      local path = where .. '/' .. name
      if name ~= '.' and name ~= '..' and name ~= 'run.sh' then
        if lfs.attributes(path, 'mode') == 'directory' then files(path, list) else list[#list + 1] = name end
      end
    end
    return list
  end

  local function fails(lines, ...)
    local code, said = shell(lines)
    assert.equal(1, code, lines .. ': ' .. said)
    for _, text in ipairs({ ... }) do assert.is_truthy(said:find(text, 1, true), lines .. ': ' .. said) end
    assert.is_falsy(said:find('stack traceback', 1, true), said)
    return said
  end

  -- A limit of 8 blocks of 512 bytes: the same short write, and error, for any user.
  it('of a picture that has no room leaves nothing', function()
    for _, arguments in ipairs({
      'shot ' .. ROOM .. ' --size 640x360 --out a.png', 'shot ' .. ROOM .. ' --size 640x360 --out a.jpg',
      'render ' .. ROOM .. ' --size 640x360 --frames 0-9 --out r',
      'walk ' .. ROOM .. ' --headless --size 640x360 --out w',
      'bench ' .. ROOM .. ' --size 640x360 --frames 3 --montage m.png',
      'bench ' .. ROOM .. ' --size 16x16 --frames 400 --hash-each h.txt',
    }) do
      fails('ulimit -f 8\n' .. program .. ' ' .. arguments, 'File too large')
      for _, name in ipairs(files(folder)) do assert.equal('render.txt', name) end
    end
  end)

  it('to a full disk leaves nothing', function()
    local mount = ('unshare -rm sh -c "mount -t tmpfs -o size=32k none %s" 2>/dev/null'):format(folder)
    if os.execute(mount) ~= 0 then return end -- not allowed here
    local code, said = shell(([[
      unshare -rm sh -c 'mkdir disk && mount -t tmpfs -o size=4k none disk
        %s shot %s --size 640x360 --out disk/a.png
        echo "shot $?"; ls -A disk
        %s render %s --size 640x360 --frames 0-3 --out disk/r
        echo "render $?"; ls -AR disk']])
      :format(program, ROOM, program, ROOM))
    assert.equal(0, code, said)
    assert.is_truthy(said:find('disk/a.png can\'t be written: No space left on device\nshot 1\n', 1, true), said)
    assert.is_truthy(said:find('No space left on device\nrender 1\n', 1, true), said)
    assert.is_falsy(said:find('%.tmp%.') or said:find('frame_000003'), said)
  end)

  it('to standard output is told', function()
    fails(program .. ' bench ' .. ROOM .. ' --size 64x36 --frames 2 >/dev/full', 'standard output: No space left')
    fails(program .. ' shot ' .. ROOM .. ' --size 64x36 --hash --out a.png >/dev/full', 'No space left on device')
    fails(program .. ' --help >/dev/full', 'No space left on device')
    local code = shell(program .. ' bench ' .. ROOM .. ' --size 64x36 --frames 2 >&-')
    assert.equal(1, code)
  end)

  it('of streams that are closed goes into no file', function()
    local code = shell(program .. ' shot ' .. ROOM .. ' --size 64x36 --out open.png')
    assert.equal(0, code)
    code = shell(program .. ' render ' .. ROOM .. ' --size 64x36 --frames 0-1 --out r <&- >&- 2>&-')
    assert.equal(0, code)
    assert.equal(support.read(folder .. '/open.png'), support.read(folder .. '/r/frame_000000.png'))
    fails(program .. ' run - <&-', 'standard input cannot be read')
    local _, said = shell(program .. ' --help | true')
    assert.equal('', said)
  end)

  it('to a name that is a folder, or empty, is told before a scene is loaded', function()
    lfs.mkdir(folder .. '/a.png')
    fails(program .. ' shot ' .. ROOM .. ' --out a.png', 'a.png: is a folder, need a file')
    for _, arguments in ipairs({ 'render ' .. ROOM, 'walk --headless', 'play --headless ' .. ROOM }) do
      local code, said = shell(program .. ' ' .. arguments .. " --out ''")
      assert.equal(2, code)
      assert.is_truthy(said:find("out is '', need a name", 1, true), said)
    end
  end)

  it('to where nothing can be made names the path', function()
    support.write(folder .. '/file', 'x')
    for _, place in ipairs({ '/proc/nowhere', folder .. '/file' }) do
      fails(program .. ' shot ' .. ROOM .. ' --size 64x36 --out ' .. place .. '/a.png', place)
      fails(program .. ' render ' .. ROOM .. ' --size 64x36 --frames 0-1 --out ' .. place .. '/r', place)
      fails(program .. ' bench ' .. ROOM .. ' --size 64x36 --frames 2 --hash-each ' .. place .. '/h.txt', place)
      fails(program .. ' new ' .. place .. '/garden', place)
    end
    fails(program .. ' bench ' .. ROOM .. ' --size 64x36 --frames 2 --hash-each /dev/null',
      '/dev/null: is a char device')
    assert.equal('char device', lfs.attributes('/dev/null', 'mode'))
    assert.same({ 'file' }, files(folder))
    assert.equal('x', support.read(folder .. '/file'))
  end)

  it('to a folder that is not one\'s own says so', function()
    if support.read('/proc/self/status'):find('\nUid:%s0') and not support.has('setpriv') then
      return pending('needs setpriv, or not to be root')
    end
    local as = support.read('/proc/self/status'):find('\nUid:%s0') and 'setpriv --reuid 65534 --clear-groups ' or ''
    lfs.mkdir(folder .. '/closed')
    os.execute('chmod 755 ' .. folder .. '; chmod 555 ' .. folder .. '/closed')
    local code, said = shell(as .. program .. ' shot ' .. ROOM .. ' --size 64x36 --out closed/a.png')
    if said:find('THATCH_ROOT', 1, true) or said:find('libthatch', 1, true) then return end -- this user can't run it
    assert.equal(1, code, said)
    assert.is_truthy(said:find('closed/a.png can\'t be written: Permission denied', 1, true), said)
    assert.same({}, files(folder))
  end)

  it('of a video is found before a frame is drawn, and in one line', function()
    lfs.mkdir(folder .. '/film.mp4')
    local render = support.encoder(folder, 'exit 3') .. program .. ' render ' .. ROOM
      .. ' --size 64x36 --frames 0-3 --out '
    local said = fails(render .. 'film.mp4', 'film.mp4: is a folder, need a file')
    assert.equal(1, select(2, said:gsub('\n', '')))
    support.write(folder .. '/file', 'x')
    said = fails(render .. '/proc/a.mp4', "/proc/a.mp4 can't be written: No such file or directory")
    assert.equal(1, select(2, said:gsub('\n', '')))
    fails(render .. 'file', 'file: is a file, need a folder')
    local left = files(folder)
    table.sort(left)
    assert.same({ 'ffmpeg', 'file' }, left)
  end)

  it('of an encoder that dies is told, and no film is left', function()
    local encoders = {
      ['exit 3'] = 'the encoder',
      ['head -c 100000 >/dev/null; echo "no room" >&2; exit 1'] = 'no room',
      ['cat >/dev/null; for last in "$@"; do :; done; echo half >"$last"; echo "at last" >&2; exit 1'] = 'at last',
      ['kill -9 $$'] = 'the encoder', ['cat >/dev/null'] = 'No such file', -- it says 0, and has written nothing
    }
    for body, text in pairs(encoders) do
      local path = support.encoder(folder, body)
      local job = ' --size 320x180 --frames 0-60 --out film.mp4'
      fails(path .. program .. ' render ' .. ROOM .. job, 'film.mp4', text)
      assert.same({ 'ffmpeg' }, files(folder))
      fails(path .. program .. ' walk ' .. ROOM .. ' --headless --size 64x36 --frames 20 --out w', 'w.mp4', text)
      for _, name in ipairs(files(folder)) do assert.is_falsy(name:find('mp4'), name) end
      os.execute('rm -r ' .. folder .. '/w')
    end
  end)

  it('of a picture of the window is told in the window', function()
    if not (support.has('xvfb-run') and support.has('xdotool')) then
      return pending('needs xvfb-run and xdotool')
    end
    support.write(folder .. '/out', 'no folder')
    support.write(folder .. '/session.sh', ([[
      %s walk %s --quality low --size 320x180 --seconds 4 &
      pid=$!
      sleep 2
      xdotool key F12
      wait $pid]]):format(program, ROOM))
    local code, said = shell('xvfb-run -a -s "-screen 0 800x600x24" sh session.sh')
    assert.equal(0, code, said)
    assert.equal('', said)
    assert.equal('no folder', support.read(folder .. '/out'))
  end)
end)
