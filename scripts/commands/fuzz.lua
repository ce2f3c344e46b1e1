--- test --fuzz: builds the libFuzzer targets with clang into a folder of their own, and runs each, and the fuzzers in
--- Lua, for its share of the time.
local common = require('commands.common')

local EACH_S = 30
local TARGETS = { 'image', 'font', 'frame', 'raster' }
local SCRIPTS = { 'scripts', 'gltf' }
local M = {}

local function say(format, ...)
  io.stdout:write(format:format(...), '\n')
  io.stdout:flush()
end

--- Is clang there, with its fuzzer's runtime?
function M.available()
  if not common.has_program('clang') then return false end
  local code = common.shell("echo 'int LLVMFuzzerTestOneInput(const char *b, long n) { return b && n > 9; }' | " ..
    'clang -fsanitize=fuzzer,address -x c - -o /dev/null 2>/dev/null')
  return code == 0
end

local function build(folder, root)
  say('building the fuzz targets in %s', folder)
  common.make_folder(folder)
  local log = folder .. '/build.log'
  local code = common.shell(('{ CC=clang cmake -G Ninja -S %s -B %s -DCMAKE_C_FLAGS_RELEASE=-O1 -DTHATCH_FUZZ=ON ' ..
    '-DTHATCH_SANITIZE=address,undefined,fuzzer-no-link && ninja -C %s fuzz; } >%s 2>&1')
    :format(common.quote(root), common.quote(folder), common.quote(folder), common.quote(log)))
  if code ~= 0 then common.fail('the fuzz targets do not build: see %s', log) end
end

--- Inputs that a target tried, whether it found nothing, and its log. What it finds lies in the folder as NAME-*.
local function run_target(name, folder, seconds, seed)
  local corpus = folder .. '/corpus/' .. name
  common.make_folder(corpus)
  local log = ('%s/%s.log'):format(folder, name)
  -- Entropic: libFuzzer would spend half of the time on choosing. ASan keeps 256 MB of freed memory unless told.
  local code = common.shell(('UBSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=quarantine_size_mb=16 %s ' ..
    '-max_total_time=%d -timeout=2 -rss_limit_mb=512 -entropic=0 -seed=%d -artifact_prefix=%s %s >%s 2>&1'):format(
    common.quote(folder .. '/fuzz_' .. name), seconds, seed, common.quote(folder .. '/' .. name .. '-'),
    common.quote(corpus), common.quote(log)))
  local text = require('loader').read(log) or ''
  return tonumber(text:match('Done (%d+) runs')) or 0, code == 0, text, log
end

local function run_script(name, program, root, seconds, seed)
  local code, output = common.shell(('%s run %s %d %d 2>&1'):format(common.quote(program),
    common.quote(('%s/tests/fuzz/%s.lua'):format(root, name)), seconds, seed))
  return output:match('([^\n]*)\n*$') or '', code == 0, output
end

local function seed_of(given)
  if not given or given == '' then return os.time() % 1000000 end
  local seed = tonumber(given)
  if not seed or seed % 1 ~= 0 or seed < 1 or seed > 4294967295 then
    common.usage("$THATCH_FUZZ_SEED is '%s', need a whole number 1 .. 4294967295", given)
  end
  return seed
end

--- Runs all for `minutes` together, or EACH_S seconds each, from THATCH_FUZZ_SEED or a seed of the clock; numbers of
--- those that found nothing, and something.
---@param minutes string|nil
---@param build_folder string of the program
function M.run(minutes, build_folder)
  local root = require('loader').root
  local with_clang = M.available()
  local total = (with_clang and #TARGETS or 0) + #SCRIPTS
  local given = type(minutes) == 'string' and tonumber(minutes) or nil
  if type(minutes) == 'string' and not (given and given > 0 and given <= 100000) then
    common.usage("fuzz is '%s', need minutes", minutes)
  end
  local seconds = given and math.max(1, math.floor(given * 60 / total)) or EACH_S
  local seed = seed_of(os.getenv('THATCH_FUZZ_SEED'))
  local folder = build_folder .. '/fuzz'
  local passed, failed, tried = 0, 0, 0
  local function count(ok)
    if ok then passed = passed + 1 else failed = failed + 1 end
    return ok and 'no finding' or 'FOUND SOMETHING'
  end
  if with_clang then
    build(folder, root)
    common.shell(('%s run %s %s >&2'):format(common.quote(build_folder .. '/thatch'),
      common.quote(root .. '/tests/fuzz/corpus.lua'), common.quote(folder .. '/corpus')))
    for _, name in ipairs(TARGETS) do
      local runs, ok, text, log = run_target(name, folder, seconds, seed)
      tried = tried + runs
      say('fuzz_%-8s %9d inputs in %d s, %s', name, runs, seconds, count(ok))
      if not ok then say('the end of %s:\n%s', log, text:sub(-3000)) end
    end
  elseif os.getenv('THATCH_TEST_CLANG') then
    common.fail('clang or its fuzzer is missing, and $THATCH_TEST_CLANG needs it (Debian: clang, libclang-rt-14-dev)')
  else
    say('the targets in C are skipped: clang or its fuzzer is missing (Debian: clang, libclang-rt-14-dev)')
  end
  for _, name in ipairs(SCRIPTS) do
    local last, ok, output = run_script(name, build_folder .. '/thatch', root, seconds, seed)
    say('%-13s %s in %d s, %s', name, last, seconds, count(ok))
    if not ok then io.stdout:write(output) end
  end
  say('fuzzed %d targets for %d s each, seed %d: %d inputs of bytes', total, seconds, seed, tried)
  return passed, failed
end

return M
