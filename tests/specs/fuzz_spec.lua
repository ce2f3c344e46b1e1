local thatch = require('thatch')
local support = require('tests.specs.support')

-- A few seconds of each fuzzer, from another seed each day. The targets in C take minutes to build: `./thatch test
-- --fuzz` builds them once, and from then on they run here too.
local program = os.getenv('THATCH_PROGRAM')
local describe_if = program and describe or pending
local SEED = math.floor(os.time() / 86400)
local SECONDS = 3

local function run(command)
  local pipe = io.popen(command .. ' 2>&1; echo "code $?"')
  local text, code = pipe:read('*a'):match('^(.*)code (%d+)\n$')
  pipe:close()
  return tonumber(code), text
end

describe_if('fuzzing', function()
  for _, name in ipairs({ 'scripts', 'gltf' }) do
    local path = ('%s/tests/fuzz/%s.lua'):format(thatch.root, name)
    it('finds nothing: ' .. name, function()
      local code, said = run(('%s run %s %d %d'):format(program, path, SECONDS, SEED))
      assert.equal(0, code, said)
    end)
  end

  local folder = (program or ''):match('^(.*)/') or '.'
  for _, name in ipairs({ 'image', 'font', 'frame', 'raster' }) do
    local target = ('%s/fuzz/fuzz_%s'):format(folder, name)
    it('finds nothing: ' .. name .. ' (./thatch test --fuzz builds it)', function()
      if not support.read(target) then return pending('not built') end
      local scratch = support.folder()
      local code, said = run(('%s run %s/tests/fuzz/corpus.lua %s'):format(program, thatch.root, scratch))
      assert.equal(0, code, said)
      code, said = run(('cd %s && UBSAN_OPTIONS=halt_on_error=1 %s -max_total_time=%d -timeout=5 -rss_limit_mb=512 ' ..
        '-entropic=0 -seed=%d %s'):format(scratch, target, SECONDS, SEED, name))
      assert.equal(0, code, said:sub(-3000))
    end)
  end
end)

describe_if('a soak', function()
  it('of some seconds keeps memory and pictures', function()
    local code, said = run(('%s run %s/tests/soak.lua 0.06 %s/tests/specs/data/room.lua low 96x54')
      :format(program, thatch.root, thatch.root))
    assert.equal(0, code, said)
    assert.is_truthy(said:find('slope [+-][%d.]+ MB an hour'), said)
    local compared = tonumber(said:match('(%d+) of the last as of a fresh start'))
    assert.is_true(compared and compared >= 8, said)
  end)
end)
