--- Loads libthatch and its declarations. The only file that calls ffi.cdef.
local ffi = require('ffi')

local M = {}

local here = debug.getinfo(1, 'S').source:match('^@(.*)/[^/]*$') or '.' -- …/bindings/thatch
local has_host, host = pcall(require, 'thatch.host')

--- Folders that may hold the library and the declarations, best first: beside the program, a build, an installation.
local function folders()
  local list = {}
  if has_host and host.program_dir then list[#list + 1] = host.program_dir end
  list[#list + 1] = here .. '/../../build'
  list[#list + 1] = here .. '/../..' -- share/thatch, installed
  list[#list + 1] = here .. '/../../../../lib'
  return list
end

local function read_file(path)
  local file = io.open(path, 'rb')
  if not file then return nil end
  local text = file:read('*a')
  file:close()
  return text
end

local function find(variable, name)
  local given = os.getenv(variable)
  if given and given ~= '' then
    if not read_file(given) then error('thatch: $' .. variable .. ' is ' .. given .. ', which cannot be read', 0) end
    return given
  end
  for _, folder in ipairs(folders()) do
    local path = folder .. '/' .. name
    local file = io.open(path, 'rb')
    if file then
      file:close()
      return path
    end
  end
  error(('thatch: no %s beside the program, in build/ or in the installation: run ./thatch once, or set $%s')
    :format(name, variable), 0)
end

ffi.cdef(read_file(find('THATCH_CDEF', 'thatch.cdef')))
ffi.cdef('size_t fwrite(const void *bytes, size_t size, size_t count, void *file);')
local C = ffi.load(find('THATCH_LIB', 'libthatch.so'))
M.C = C

if C.thatch_abi_version() ~= C.THATCH_ABI_VERSION then
  error(('thatch: libthatch.so has ABI version %d, the declarations have %d: build again')
    :format(C.thatch_abi_version(), tonumber(C.THATCH_ABI_VERSION)), 0)
end

-- Signs of life for the host's watchdog: [0] counts stages that came back, [1] is 1 while one runs.
local pulse = has_host and host.pulse and ffi.cast('uint32_t *', host.pulse) or ffi.new('uint32_t[2]')

--- Tells the watchdog that a call into the runtime that may take long begins; check() tells its end.
function M.enter(id)
  pulse[1] = 1
  return id
end

local own = '@' .. here .. '/'

--- ' (file:line)' of the nearest script outside these bindings that runs; '' when there is none.
local function script_place()
  local level = 3 -- 1: this, 2: what raises
  while true do
    local info = debug.getinfo(level, 'Sl')
    if not info then return '' end
    if info.what ~= 'C' and info.source:sub(1, #own) ~= own then
      if info.currentline < 1 then return '' end
      return (' (%s:%d)'):format(info.source:match('^@(.*)$') or info.short_src, info.currentline)
    end
    level = level + 1
  end
end

--- Raises a refusal: `thing: field is value, need condition (file:line)`, with the line of the user's script.
---@param format string
function M.fail(format, ...)
  pulse[1] = 0
  error((select('#', ...) > 0 and format:format(...) or format) .. script_place(), 0)
end

-- Fields whose unit is in their name in C, or that are called otherwise there: a message has the name that a script
-- gives them.
local NAMES = {
  alpha_mode = 'alpha', angle_rad = 'angle', distance_m = 'distance', draw_distance_m = 'draw_distance', far_m = 'far',
  foam_m = 'foam', fov_rad = 'fov', height_m = 'height', item_size_m = 'item_size', level_m = 'level',
  near_distance_m = 'near_distance', near_m = 'near', patch_m = 'patch', rotation_rad = 'rotation',
  roughness_glint = 'glint', size_px = 'px', sway_amplitude_m = 'sway.amplitude_m', sway_every = 'sway.every',
  sway_frequency_hz = 'sway.frequency_hz', wave_height_m = 'wave_height',
}

local function message_of()
  return (ffi.string(C.thatch_last_error()):gsub('%f[%S]([%w_]+)%f[%s,%[%z]', NAMES)) -- no part of a path
end

--- Raises the runtime's message when a call has failed.
---@param status integer
---@param where? string the Lua function, said before the message when the message does not name it
function M.check(status, where)
  if pulse[1] ~= 0 then pulse[0], pulse[1] = pulse[0] + 1, 0 end
  if status == 0 then return end
  local message = message_of()
  error((where and (where .. ': ' .. message) or message) .. script_place(), 0)
end

--- Are borrowed scripts running, which must get no pointers?
M.safe = has_host and host.safe == true

--- The runtime's message, without its raising.
function M.last_error()
  return message_of()
end

--- A cdata that destroys its handle when Lua lets go of it. Kept by the object that owns the handle.
---@param id integer
---@param destroy fun(id: integer)
function M.owner(id, destroy)
  if M.safe then -- a cdata in a script's reach is a bare pointer
    local cell = newproxy(true)
    getmetatable(cell).__gc = function() destroy(id) end
    return cell
  end
  return ffi.gc(ffi.new('uint32_t[1]', id), function(cell) destroy(cell[0]) end)
end

--- Forgets an owner after its handle was destroyed by hand.
function M.disown(owner)
  if type(owner) == 'userdata' then
    getmetatable(owner).__gc = nil
  elseif owner then
    ffi.gc(owner, nil)
  end
end

--- Writes a C array to an open file or pipe, without a string between; false when that fails.
---@param file file*
---@param bytes ffi.cdata*
---@param count integer
function M.write(file, bytes, count)
  return ffi.C.fwrite(bytes, 1, count, file) == count
end

--- Arrays that C reads during a call: held here, so that the collector leaves them alone.
M.kept = {}

M.folder = here
--- Folder that holds scripts/, scenes/ and bindings/.
M.root = here .. '/../..'

return M
