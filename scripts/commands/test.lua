--- test: all tests of a build, the specs of a path, or fuzzing; ends with 'N passed, N failed'.
local common = require('commands.common')
local fuzz = require('commands.fuzz')

local M = {}

function M.describe(parser)
  parser:argument('path', 'A spec or a folder of specs; all tests of the build when left out.'):args('?')
  parser:option('--filter', 'Only tests whose name has this in it.')
  parser:option('--accept', 'Draws this golden picture again (or all) instead of testing; look at it after.')
  parser:option('--fuzz', 'Bends bytes, numbers, scripts and models, so many minutes in all; 30 s each without them.')
    :args('?')
  parser:flag('--sanitize', 'All tests under ASan and UBSan, TSan and valgrind: tests/sanitize.sh.')
  parser:flag('-v --verbose', 'Shows what each test prints.')
end

local function program_dir()
  local has_host, host = pcall(require, 'thatch.host')
  if not has_host then common.fail('test needs ./thatch') end
  return host.program_dir
end

--- The environment in which plain busted finds the bindings, scripts and library.
local function environment(build)
  local root = require('loader').root
  local patterns = {}
  for _, part in ipairs({ 'bindings/?.lua', 'bindings/?/init.lua', 'scripts/?.lua', 'scripts/?/init.lua',
    'scenes/?.lua', 'scenes/?/init.lua', '?.lua', '?/init.lua' }) do
    patterns[#patterns + 1] = root .. '/' .. part
  end
  local lib, cdef = build .. '/libthatch.so', build .. '/thatch.cdef'
  if not require('loader').exists(lib) then
    lib, cdef = build .. '/../lib/libthatch.so', root .. '/thatch.cdef'
  end
  -- By LUA_PATH: busted hands --lpath to a shell without quotes.
  return ('THATCH_LIB=%s THATCH_CDEF=%s THATCH_PROGRAM=%s LUA_PATH=%s'):format(common.quote(lib), common.quote(cdef),
    common.quote(build .. '/thatch'), common.quote(table.concat(patterns, ';') .. ';;'))
end

local function run_specs(path, options)
  if not require('lfs').attributes(path) then common.usage('%s: there is no such path', path) end
  if not common.has_program('busted') then common.fail('busted is not installed (Debian: lua-busted)') end
  local busted = 'busted --lua=luajit'
  if os.getenv('THATCH_SPECS_IN_HOST') then -- plain LuaJIT can't load a library with sanitizers
    busted = ('%s run %s'):format(common.quote(program_dir() .. '/thatch'),
      common.quote(require('loader').root .. '/tests/specs/run.lua'))
  end
  local command = ('%s %s -p _spec -o plainTerminal %s %s'):format(environment(program_dir()), busted,
    options.filter and '--filter=' .. common.quote(options.filter) or '', common.quote(path))
  local pipe = io.popen(command .. ' 2>&1')
  local passed, failed, pending, ran = 0, 0, 0, false
  for line in pipe:lines() do
    io.stdout:write(line, '\n')
    local s, f, e = line:match('^(%d+) success%S* / (%d+) failure%S* / (%d+) error')
    if s then
      passed, failed, ran = passed + s, failed + f + e, true
      pending = pending + (tonumber(line:match('(%d+) pending')) or 0)
    end
  end
  pipe:close()
  if not ran then failed = 1 end
  if ran and passed + failed + pending == 0 then
    common.fail(options.filter and "%s: no test has '%s' in its name" or '%s: there are no tests', path, options.filter)
  end
  return passed, failed
end

--- Counts in one test's output: of busted, of the unit tests, or the test itself as one.
local function count(output, ok)
  local passed, failed = 0, 0
  for s, f, e in output:gmatch('(%d+) success%S* / (%d+) failure%S* / (%d+) error') do
    passed, failed = passed + s, failed + f + e
  end
  if passed + failed == 0 then
    for s, f in output:gmatch('(%d+) passed, (%d+) failed') do passed, failed = passed + s, failed + f end
    for n, f in output:gmatch('(%d+) tests, (%d+) failed') do passed, failed = passed + n - f, failed + f end
  end
  if passed + failed == 0 and not output:find('%d+ success') then return ok and 1 or 0, ok and 0 or 1 end
  if not ok and failed == 0 then failed = 1 end
  return passed, failed
end

local function run_all(options)
  local build = program_dir()
  local command = ('ctest --test-dir %s --output-on-failure --no-tests=error %s %s'):format(common.quote(build),
    options.filter and '-R ' .. common.quote(options.filter) or '', options.verbose and '-V' or '')
  local pipe = io.popen('(' .. command .. ' 2>&1); echo "code $?"')
  local code = 1
  for line in pipe:lines() do
    code = tonumber(line:match('^code (%d+)$')) or code
    if not line:find('^code %d+$') then io.stdout:write(line, '\n') end
    io.stdout:flush()
  end
  pipe:close()
  local log = require('loader').read(build .. '/Testing/Temporary/LastTest.log') or ''
  local passed, failed = 0, 0
  for section in (log .. '\n'):gmatch('%d+/%d+ Testing: .-\nTest [%a ]+%.') do
    local s, f = count(section, section:find('\nTest Passed%.$') ~= nil)
    passed, failed = passed + s, failed + f
  end
  if code ~= 0 and failed == 0 then failed = 1 end
  return passed, failed
end

local function accept(name)
  local ok, changed = pcall(dofile(require('loader').root .. '/tests/golden/run.lua').accept, name)
  if not ok then common.usage('%s', changed) end
  for _, each in ipairs(changed) do io.stdout:write('accepted tests/golden/', each, '.png\n') end
  return 0
end

function M.run(options)
  if options.accept then return accept(options.accept) end
  local passed, failed
  if options.sanitize then
    return os.execute(common.quote(require('loader').root .. '/tests/sanitize.sh')) == 0 and 0 or 1
  elseif options.fuzz then
    passed, failed = fuzz.run(options.fuzz[1], program_dir())
  elseif options.path then
    passed, failed = run_specs(options.path, options)
  else
    passed, failed = run_all(options)
  end
  io.stdout:write(('%d passed, %d failed\n'):format(passed, failed))
  return failed > 0 and 1 or 0
end

return M
