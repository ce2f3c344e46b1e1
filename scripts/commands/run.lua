--- run SCRIPT.lua …: any Lua script against the bindings.
local common = require('commands.common')

local M = { rest = 'all' } -- all behind the script is the script's own

function M.describe(parser)
  parser:argument('script', 'A Lua file; - reads standard input.')
  parser:epilog("What follows the script's name goes to the script.")
end

function M.run(options, rest)
  local loader, mistake = require('loader'), require('mistake')
  local chunk, message
  if options.script == '-' then
    local text = io.read('*a')
    if not text then common.fail('standard input cannot be read') end
    chunk, message = load(text, '=stdin', 't')
  else
    if not loader.exists(options.script) then common.usage('%s', loader.no_file(options.script)) end
    loader.add_folder(loader.folder_of(options.script))
    chunk, message = loader.compile(options.script)
  end
  if not chunk then common.fail('%s', message) end
  _G.arg = { [0] = options.script, unpack(rest) }
  local ok, result = mistake.guard(chunk, unpack(rest))
  if not ok then error(result, 0) end
  if type(result) ~= 'number' then return 0 end
  if not (result >= 0 and result <= 255 and result % 1 == 0) then
    common.fail('%s: returns %s, need an exit code of 0 .. 255', options.script, tostring(result))
  end
  return result
end

return M
