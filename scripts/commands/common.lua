--- What the commands share: options, and how they refuse and fail.
local argparse = require('argparse')
local lfs = require('lfs')

local MOST = 1000 -- characters of a refusal
local M = {}

--- Wrong usage: exit code 2.
local Usage = { outcome = true }
--- A job that failed with a message that is for the user, not for us: exit code 1.
local Failure = { outcome = true }

function M.usage(format, ...)
  error(setmetatable({ text = format:format(...), see = true }, Usage), 0)
end

--- Of the environment: no --help says more of it.
local function environment(name, value, need)
  error(setmetatable({ text = ("$%s is '%s', need %s"):format(name, value, need) }, Usage), 0)
end

function M.fail(format, ...)
  error(setmetatable({ text = select('#', ...) > 0 and format:format(...) or format }, Failure), 0)
end

function M.nearest(word, known)
  return require('thatch.check').nearest(word, known)
end

--- A text as one line of a terminal: what was typed may hold anything.
local function plain(text)
  text = text:gsub('%c', '?')
  return #text > MOST and text:sub(1, MOST) .. ' ...' or text
end

--- Runs a command: { describe(parser), run(options, rest) }.
---@return integer exit code
function M.run(verb, about, command, arguments)
  local own, rest = {}, {}
  for i, value in ipairs(arguments) do
    if value == '--' and command.rest == true then
      for j = i + 1, #arguments do rest[#rest + 1] = arguments[j] end
      break
    end
    if command.rest == 'all' and i > 1 and own[1]:sub(1, 2) ~= '-h' and own[1] ~= '--help' then
      rest[#rest + 1] = value
    else
      own[#own + 1] = value
    end
  end
  local parser = argparse('./thatch ' .. verb, about:sub(1, 1):upper() .. about:sub(2) .. '.')
  parser:usage_max_width(100)
  parser:help_max_width(100)
  -- Its own help would leave by os.exit, past the closing of the state.
  parser:add_help(false)
  local wants_help = false
  parser:flag('-h --help', 'Show this help.'):action(function()
    wants_help = true
    error('help', 0)
  end)
  parser:flag('--safe', 'As the first word behind the verb: confines borrowed scripts, see README.md.')
  command.describe(parser)
  local ran, parsed, options = pcall(parser.pparse, parser, own)
  if not ran then
    if not wants_help then error(parsed, 0) end
    io.stdout:write(parser:get_help(), '\n')
    return 0
  end
  if not parsed then
    local said = plain((tostring(options):gsub('%s*\n', ', ')))
    local number = said:match("^unknown option '%-%d'")
    if number then said = number .. ': a value below 0 is written --option=-1' end
    io.stderr:write(('thatch %s: %s; see ./thatch %s --help\n'):format(verb, said, verb))
    return 2
  end
  if options.safe then -- the host takes it where it counts
    io.stderr:write(('thatch %s: --safe is to be the first word behind %s\n'):format(verb, verb))
    return 2
  end
  local guard = require('mistake').guard
  local ok, result = guard(M.check_environment)
  if ok then ok, result = guard(command.run, options, rest) end
  if ok then return result or 0 end
  if getmetatable(result) == Usage then
    result.text = plain(result.text)
    local more = result.see and ('; see ./thatch %s --help'):format(verb) or ''
    io.stderr:write(('thatch %s: %s%s\n'):format(verb, result.text, more))
    return 2
  end
  if package.loaded.video then package.loaded.video.abandon() end
  io.stderr:write(('thatch %s: %s\n'):format(verb, result.text or result:report()))
  if result.message == 'interrupted' then return 130 end
  return 1
end

--- A converter for argparse: the size of a window.
function M.size(text)
  local w, h = text:match('^(%d+)[xX](%d+)$')
  w, h = tonumber(w), tonumber(h)
  if not w then return nil, ("size is '%s', need WxH, like 1920x1080"):format(text) end
  if w < 1 or h < 1 or w > 8192 or h > 8192 then return nil, ('size is %s, need sides of 1 .. 8192'):format(text) end
  return { w, h }
end

local function hour_of(text)
  local hour = tonumber(text)
  if not hour or not (hour >= 0 and hour <= 24) then return nil, ("hour is '%s', need 0 .. 24"):format(text) end
  return hour
end

--- A converter for argparse: a whole number within bounds.
function M.whole(name, least, most)
  return function(text)
    local n = tonumber(text)
    if not n or n % 1 ~= 0 or n < least or n > most then
      return nil, ("%s is '%s', need a whole number %d .. %d"):format(name, text, least, most)
    end
    return n
  end
end

--- A converter for argparse: the name of a file or a folder.
function M.name(text)
  if text == '' then return nil, "out is '', need a name" end
  return text
end

--- Options of every command that draws.
function M.add_drawing(parser, defaults)
  parser:option('--quality', 'low, medium, high, ultra or a Lua file.', defaults.quality or 'medium')
  parser:option('--size', 'Size of the window.', defaults.size or '1280x720'):convert(M.size)
  parser:option('--pipeline', 'A pipeline of scripts/pipelines, or a Lua file.')
  parser:option('--threads', 'Worker threads; one for each core when left out.'):convert(M.whole('threads', 1, 64))
  parser:option('--isa', 'Instruction set.'):choices({ 'plain', 'sse2', 'avx2', 'avx512' })
  parser:option('--hour', 'Hour of the day, 0 to 24, for scenes that have one.'):convert(hour_of)
  parser:option('--weather', 'Weather, for scenes that have one.'):choices({ 'clear', 'overcast', 'rain' })
  parser:option('--seed', 'Seed of the scene.', '1'):convert(M.whole('seed', 0, 2147483647))
end

--- What is needed instead of an instruction set that this machine lacks; nil when it has it.
local function missing_isa(isa)
  local known = require('thatch').isas()
  for _, name in ipairs(known) do
    if name == isa then return nil end
  end
  return 'one that this machine has: ' .. table.concat(known, ', ')
end

--- Refuses an environment in which no worker can start.
function M.check_environment()
  local threads, isa = os.getenv('THATCH_THREADS') or '', os.getenv('THATCH_ISA') or ''
  local n = threads:find('^%d+$') and tonumber(threads)
  if threads ~= '' and not (n and n >= 1 and n <= 64) then
    environment('THATCH_THREADS', threads, 'a whole number 1 .. 64')
  end
  local need = isa ~= '' and missing_isa(isa)
  if need then environment('THATCH_ISA', isa, need) end
end

--- Starts the workers as the options say.
function M.start(options)
  local need = options.isa and missing_isa(options.isa)
  if need then M.usage("isa is '%s', need %s", options.isa, need) end
  require('thatch').start({ threads = options.threads, isa = options.isa })
end

--- The driver of a command, not loaded yet. Wrong names are wrong usage; a mistake in a file, or ctrl-C, is none.
---@return Driver
function M.driver(options, rest, progress)
  local driver = require('driver')
  local ok, result = pcall(driver.new, {
    scene = options.scene, quality = options.quality, pipeline = options.pipeline, width = options.size[1],
    height = options.size[2], args = rest, seed = options.seed, hour = options.hour,
    weather = options.weather, progress = progress,
  })
  if not ok and (type(result) ~= 'string' or result == 'interrupted') then error(result, 0) end
  if not ok then M.usage('%s', (result:gsub('^[^:]+%.lua:%d+: ', ''):gsub(' %(/[^()]+:%d+%)$', ''))) end
  return result
end

--- Loads a driver without a display, under a progress bar.
---@return Driver
function M.headless(options, rest)
  local has_host, host = pcall(require, 'thatch.host')
  if has_host then host.headless(true) end
  M.start(options)
  local progress = require('progress').new('loading')
  local made = M.driver(options, rest, function(share, text) progress:update(share, text) end)
  made:load()
  progress:finish(('loaded %s in %.1f s'):format(made.name, made.load_s))
  return made
end

--- Makes a folder and those above it.
function M.make_folder(path)
  local current = path:sub(1, 1) == '/' and '/' or ''
  for part in path:gmatch('[^/]+') do
    current = current .. part
    local mode = lfs.attributes(current, 'mode')
    if mode and mode ~= 'directory' then M.fail('%s: is a %s, need a folder', current, mode) end
    if not mode then
      local ok, message = lfs.mkdir(current)
      if not ok then M.fail('%s: %s', current, message) end
    end
    current = current .. '/'
  end
end

--- Refuses a name that no picture can be written under.
function M.check_picture_name(path)
  if not path:lower():find('%.png$') and not path:lower():find('%.jpe?g$') then
    M.usage("out is '%s', need a name that ends in .png or .jpg", path)
  end
  local mode = lfs.attributes(path, 'mode')
  if mode and mode ~= 'file' then M.fail('%s', require('loader').no_file(path)) end
end

--- Makes the folder that a file is to lie in.
function M.make_parent(path)
  local folder = path:match('^(.*)/[^/]*$')
  if folder and folder ~= '' then M.make_folder(folder) end
end

--- Writes RGBA bytes under a name whose folder is made; fails with the reason.
function M.write_picture(path, pixels, width, height)
  M.make_parent(path)
  local ok, message = require('thatch').image.try_write(path, pixels, width, height)
  if not ok then M.fail('%s', message) end
end

function M.pid()
  local has_host, host = pcall(require, 'thatch.host')
  return has_host and host.pid() or 0
end

--- Writes a text aside, then gives it its name.
function M.write_text(path, text)
  local mode = lfs.attributes(path, 'mode')
  if mode and mode ~= 'file' then M.fail('%s', require('loader').no_file(path)) end
  local aside = ('%s.tmp.%d'):format(path, M.pid())
  local file, message = io.open(aside, 'wb')
  if not file then M.fail('%s', message) end
  local written, problem = file:write(text)
  local closed, late = file:close()
  if not (written and closed) then
    os.remove(aside)
    M.fail('%s: %s', path, tostring(problem or late))
  end
  local renamed
  renamed, message = os.rename(aside, path)
  if renamed then return end
  os.remove(aside)
  M.fail('%s', message)
end

--- A word for the shell.
function M.quote(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

--- A word as it can be pasted into a shell: quoted only where it must be, and never an option.
function M.word(word)
  if word:sub(1, 1) == '-' then word = './' .. word end
  return word:find('^[%w_./+:@%-]+$') and word or M.quote(word)
end

--- Is a program installed?
function M.has_program(name)
  local pipe = io.popen('command -v ' .. name .. ' 2>/dev/null')
  local found = pipe:read('*l')
  pipe:close()
  return found ~= nil and found ~= ''
end

--- Runs a shell command; its exit code and what it printed.
---@return integer code
---@return string output
function M.shell(command)
  local pipe = io.popen('(' .. command .. '); echo "code $?"')
  local output = pipe:read('*a')
  pipe:close()
  local text, code = output:match('^(.*)code (%d+)\n$')
  return tonumber(code) or 1, text or output
end

--- Peak of the process's resident memory, MiB.
function M.memory_mib()
  local file = io.open('/proc/self/status', 'r')
  if not file then return 0 end
  local text = file:read('*a')
  file:close()
  return (tonumber(text:match('VmHWM:%s*(%d+)')) or 0) / 1024
end

return M
