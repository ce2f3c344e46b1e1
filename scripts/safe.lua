--- --safe: borrowed scripts run in a room of their own. They get plain Lua, thatch's objects and files below their own
--- folder; no FFI, no bare pointers, no shell, no debug library, no bytecode.
local buffer = require('thatch.buffer')
local check = require('thatch.check')
local frame = require('thatch.frame')
local lfs = require('lfs')
local thatch = require('thatch')

local M = {}

local GLOBALS = 'assert error ipairs next pairs pcall print rawequal rawget rawset select tonumber tostring type ' ..
  'unpack xpcall _VERSION'
local LIBRARIES = { 'string', 'table', 'math', 'coroutine', 'bit' }
local MODULES = 'camera geometry material math scene shading texture water'
local STAGES = 'begin shadow_maps refresh_shadows gather vertices setup bins raster resolve sky blend water smooth ' ..
  'upscale size depth hash'

local function copy(from)
  local to = {}
  for key, value in pairs(from) do to[key] = value end
  return to
end

local function locked(index, name, newindex)
  return setmetatable({}, {
    __index = index, __metatable = name,
    __newindex = newindex or function(_, key) error(('%s: %s cannot be set'):format(name, tostring(key)), 2) end,
  })
end

-- --- files -----------------------------------------------------------------------------------------------------------

--- A path as an absolute one below the folder; raises where it leads elsewhere, also by a link.
local function inside(folder, path, where)
  check.string(where, 'path', path)
  if path:sub(1, 1) ~= '/' then path = folder .. '/' .. path end
  path = M.absolute(path)
  if path:sub(1, #folder + 1) ~= folder .. '/' then
    error(('%s: path is %s, need one below %s (--safe)'):format(where, path, folder), 3)
  end
  for at in path:sub(#folder + 2):gmatch('()/') do
    if lfs.symlinkattributes(path:sub(1, #folder + at), 'mode') == 'link' then
      error(('%s: path is %s, need one without links (--safe)'):format(where, path), 3)
    end
  end
  if lfs.symlinkattributes(path, 'mode') == 'link' then
    error(('%s: path is %s, need one without links (--safe)'):format(where, path), 3)
  end
  return path
end

-- --- thatch, without pointers ----------------------------------------------------------------------------------------

local Buffers = {}
for _, name in ipairs({ 'push', 'reserve', 'resize', 'clear', 'to_table' }) do
  Buffers[name] = function(self, ...)
    local real = check.hidden[self]
    if not real then error(('buffer.%s: self is %s, need a buffer'):format(name, check.show(self)), 2) end
    return buffer.Buffer[name](real, ...)
  end
end

local function hidden_buffer(real)
  local outside = locked(function(_, key)
    if key == 'n' then return real.n end
    return Buffers[key]
  end, 'thatch.Buffer')
  check.hidden[outside] = real
  return outside
end

local function thatch_for(folder)
  local api = {}
  for name in MODULES:gmatch('%S+') do api[name] = copy(thatch[name]) end
  api.buffer = {
    floats = function(n) return hidden_buffer(buffer.floats(n)) end,
    u32 = function(n) return hidden_buffer(buffer.u32(n)) end,
    bytes = function(n) return hidden_buffer(buffer.bytes(n)) end,
  }
  for _, name in ipairs({ 'load', 'try_load' }) do
    api.texture[name] = function(path, options)
      return thatch.texture[name](inside(folder, path, 'texture.load'), options)
    end
  end
  api.models = {} -- what a model names lies below the model's folder, and so below this one
  for _, name in ipairs({ 'load', 'try_load' }) do
    api.models[name] = function(path, options)
      return thatch.models[name](inside(folder, path, 'models.load'), options)
    end
  end
  api.quality = { presets = copy(thatch.quality.presets), keys = copy(thatch.quality.keys) }
  api.quality.check = function(t) return thatch.quality.check(t) end
  for _, name in ipairs({ 'threads', 'isa', 'cpu', 'clock' }) do api[name] = thatch[name] end
  return api
end

--- RGBA bytes of a picture that can't be left: good until the next stage.
local function view_of(pixels, count, is_alive)
  local function at(i)
    if type(i) ~= 'number' or i < 0 or i >= count or i % 1 ~= 0 then
      error(('picture: index is %s, need 0 .. %d'):format(check.show(i), count - 1), 3)
    end
    if not is_alive() then error('picture: it is that of an earlier stage', 3) end
    return i
  end
  return locked(function(_, i) return pixels[at(i)] end, 'thatch.Picture', function(_, i, value)
    pixels[at(i)] = check.number('picture', 'value', value)
  end)
end

--- What a borrowed pipeline gets for the frame: the stages. `close` ends it.
---@return table outside
---@return fun() close
function M.frame(real)
  local version, open = 0, true
  local methods = {}
  for name in STAGES:gmatch('%S+') do
    methods[name] = function(_, ...)
      if not open then error('frame: this pipeline call has ended', 2) end
      version = version + 1
      return frame.Frame[name](real, ...)
    end
  end
  for _, name in ipairs({ 'canvas', 'pixels' }) do
    methods[name] = function()
      if not open then error('frame: this pipeline call has ended', 2) end
      local pixels, width, height = frame.Frame[name](real)
      local mine = version
      return view_of(pixels, width * height * 4, function() return open and mine == version end), width, height
    end
  end
  return locked(function(_, key)
    if key == 'timings' then return real.timings end
    if key == 'stats' then return real.stats end
    return methods[key]
  end, 'thatch.Frame'), function() open = false end
end

-- --- the room --------------------------------------------------------------------------------------------------------

local rooms = {}

--- The globals of scripts of a folder.
local function room(folder)
  if rooms[folder] then return rooms[folder] end
  local env = {}
  for name in GLOBALS:gmatch('%S+') do env[name] = _G[name] end
  for _, name in ipairs(LIBRARIES) do env[name] = copy(_G[name] or require(name)) end
  env._G = env
  env.os = { time = os.time, clock = os.clock, date = os.date, difftime = os.difftime }
  env.debug = {
    traceback = function(message) return debug.traceback(type(message) == 'string' and message or '', 2) end,
  }
  env.collectgarbage = function(what)
    if what ~= nil and what ~= 'collect' and what ~= 'count' and what ~= 'step' then
      error(("collectgarbage: what is %s, need 'collect', 'count' or 'step' (--safe)"):format(check.show(what)), 2)
    end
    return collectgarbage(what)
  end

  -- Metatables: only those that scripts have set themselves.
  local own = setmetatable({}, { __mode = 'k' })
  env.setmetatable = function(t, meta)
    local before = type(t) == 'table' and getmetatable(t)
    if before and not own[before] then error('setmetatable: this object is not yours (--safe)', 2) end
    setmetatable(t, meta)
    if meta then own[meta] = true end
    return t
  end
  env.getmetatable = function(t)
    local meta = type(t) == 'table' and getmetatable(t)
    return type(meta) == 'table' and own[meta] and (rawget(meta, '__metatable') or meta) or nil
  end

  local function compile(text, name)
    if type(text) == 'function' then
      local parts = {}
      for part in text do
        if part == '' then break end
        parts[#parts + 1] = part
      end
      text = table.concat(parts)
    end
    if type(text) ~= 'string' then error(('load: chunk is %s, need text'):format(check.show(text)), 3) end
    local chunk, message = load(text, name, 't', env)
    return chunk, message
  end
  env.load = function(text, name) return compile(text, name) end
  env.loadstring = env.load

  local api = thatch_for(folder)
  local known = { thatch = api, bit = env.bit }
  for name, module in pairs(api) do
    if type(module) == 'table' then known['thatch.' .. name] = module end
  end
  for _, name in ipairs(LIBRARIES) do known[name] = env[name] end
  env.require = function(name)
    check.string('require', 'name', name)
    if known[name] then return known[name] end
    local key = 'safe:' .. folder .. ':' .. name
    if package.loaded[key] ~= nil then return package.loaded[key] end
    if not name:find('^[%w_][%w_%.]*$') or name:find('..', 1, true) then
      error(("require: name is '%s', need words with dots between (--safe)"):format(name), 2)
    end
    for _, ending in ipairs({ '.lua', '/init.lua' }) do
      local path = folder .. '/' .. name:gsub('%.', '/') .. ending
      if lfs.attributes(path, 'mode') == 'file' then
        inside(folder, path, 'require')
        local chunk, message = M.compile(path)
        if not chunk then error(message, 0) end
        M.modules[key] = path
        local result = chunk(name)
        package.loaded[key] = result == nil and true or result
        return package.loaded[key]
      end
    end
    error(("require: there is no module '%s' in %s, and none of the program's is given to it (--safe)")
      :format(name, folder), 2)
  end
  rooms[folder] = env
  return env
end

--- Is a file of the program itself?
---@param path string? absolute
function M.is_own(path)
  for _, part in ipairs({ '/scripts/', '/bindings/', '/scenes/' }) do
    if path and path:sub(1, #M.root + #part) == M.root .. part then return true end
  end
  return false
end

--- Puts a chunk into the room of its folder, unless the file is of the program itself.
---@param chunk function
---@param path string absolute
function M.confine(chunk, path)
  if M.is_own(path) then return chunk end
  return setfenv(chunk, room(M.home or path:match('^(.*)/[^/]*$')))
end

--- Called once by the loader.
function M.install(loader)
  M.absolute, M.compile, M.modules, M.root = loader.absolute, loader.compile, loader.modules, loader.root
  string.dump = nil -- luacheck: ignore
  package.cpath = package.cpath:gsub('%./[^;]*;?', '')
  package.path = package.path:gsub('%f[^;%z]%./[^;]*;?', '')
end

return M
