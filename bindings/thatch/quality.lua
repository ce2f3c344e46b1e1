--- Quality tables: how finely each part of a frame is drawn. Plain Lua tables, checked, with presets.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C
local struct = ffi.new('ThatchQuality')
local M = {}

---@type string[]
M.presets = { 'low', 'medium', 'high', 'ultra' }

local WORDS = {
  plants = { [0] = 'fewest', 'fewer', 'many', 'all' },
  shadows = { [0] = 'none', 'still', 'cached', 'full' },
  upscale = { [0] = 'bilinear', 'sharp' },
  light = { [0] = 'vertex', 'pixel' },
}

local function power_of_two(x)
  while x > 1 and x % 2 == 0 do x = x / 2 end
  return x == 1
end

-- key: kind, least, most, further condition.
local RULES = {
  render_scale = { 'number', 0.25, 1 },
  plants = { 'word' },
  grass_wind_every = { 'integer', 0, 60 },
  sky_step = { 'integer', 1, 32 },
  water_step = { 'integer', 1, 64 },
  water_refresh_every = { 'integer', 1, 60 },
  animal_coarseness = { 'number', 1, 8 },
  shadows = { 'word' },
  shadow_size = { 'integer', 256, 8192, power_of_two, 'a power of two' },
  shadow_filter = { 'integer', 2, 4, function(x) return x ~= 3 end, '2 or 4' },
  upscale = { 'word' },
  smooth_edges = { 'boolean' },
  trilinear = { 'boolean' },
  light = { 'word' },
  point_lights = { 'integer', 0, 32 },
  critters = { 'integer', 0, 200 },
  rain_streaks = { 'integer', 0, 8000 },
  rain_rings = { 'integer', 0, 60 },
}
M.keys = {}
for key in pairs(RULES) do M.keys[#M.keys + 1] = key end
table.sort(M.keys)

local KNOWN = { base = true, name = true, source = true }
for key in pairs(RULES) do KNOWN[key] = true end

--- What is wrong with a value, or nil.
local function wrong(key, value)
  local rule = RULES[key]
  local kind, least, most, condition, words = unpack(rule)
  if kind == 'word' then
    for i = 0, #WORDS[key] do
      if WORDS[key][i] == value then return nil end
    end
    local list = {}
    for i = 0, #WORDS[key] do list[#list + 1] = "'" .. WORDS[key][i] .. "'" end
    return ('quality: %s is %s, need one of %s'):format(key, check.show(value), table.concat(list, ', '))
  end
  if kind == 'boolean' then
    if type(value) == 'boolean' then return nil end
    return ('quality: %s is %s, need true or false'):format(key, check.show(value))
  end
  local fits = type(value) == 'number' and value >= least and value <= most
  if fits and kind == 'integer' then fits = value % 1 == 0 and (not condition or condition(value)) end
  if fits then return nil end
  local range = ('%g .. %g'):format(least, most)
  return ('quality: %s is %s, need %s%s'):format(key, check.show(value),
    kind == 'integer' and 'a whole number ' .. range or range, words and (', ' .. words) or '')
end

--- The line of a key in a quality file's text.
local function line_of(text, key)
  local number = 0
  for line in (text .. '\n'):gmatch('(.-)\n') do
    number = number + 1
    local code = ' ' .. line:gsub('%-%-.*$', '')
    if code:find('[%s{,;]' .. key .. '%s*=[^=]') or code:find('%[%s*[\'"]' .. key .. '[\'"]%s*%]%s*=') then
      return number
    end
  end
end

local function place(source, text, key)
  if not source then return '' end
  local line = text and line_of(text, tostring(key))
  return line and (' (%s:%d)'):format(source, line) or (' (%s)'):format(source)
end

local function preset(name)
  lib.check(C.thatch_quality_preset(name, struct))
  local t = { name = name }
  for key, rule in pairs(RULES) do
    t[key] = rule[1] == 'word' and WORDS[key][struct[key]] or struct[key]
  end
  return t
end

--- Checks a table's own keys; a message, or nil when all is well.
local function first_wrong(t, source, text)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do
    if not KNOWN[key] then
      local near = check.nearest(key, RULES)
      return ('quality: unknown key %s%s%s'):format(check.show(key),
        near and (", did you mean '" .. near .. "'?") or '', place(source, text, key))
    end
    local message = RULES[key] and wrong(key, t[key])
    if (key == 'name' or key == 'source') and type(t[key]) ~= 'string' then
      message = ('quality: %s is %s, need a string'):format(key, check.show(t[key]))
    elseif key == 'name' and (#t.name > 64 or t.name:find('%c')) then
      message = ('quality: name is %s, need up to 64 characters on one line'):format(check.show(t.name:gsub('%c', ' ')))
    end
    if message then return message .. place(source, text, key) end
  end
end

local function read(path)
  local file, message = io.open(path, 'rb')
  if not file then return nil, 'quality: ' .. message end
  local text = file:read('*a')
  file:close()
  if not text then return nil, 'quality: ' .. path .. ': is a folder, need a file' end
  if text:byte(1) == 27 then return nil, ('quality: %s is bytecode, need Lua text'):format(path) end
  local chunk
  chunk, message = load(text, '@' .. path, 't', {})
  if not chunk then return nil, 'quality: ' .. message end
  local ok, t = pcall(chunk)
  if t == 'interrupted' then error(t, 0) end -- ctrl-C is no refusal
  if not ok then return nil, 'quality: ' .. tostring(t) end
  if type(t) ~= 'table' then return nil, ('quality: %s returns %s, need a table'):format(path, check.show(t)) end
  return t, text
end

local function is_preset(name)
  for _, word in ipairs(M.presets) do
    if word == name then return true end
  end
end

--- A whole table from one that may say only what differs from its base.
local function complete(t, source, text, depth)
  local message = first_wrong(t, source, text)
  if message then return nil, message end
  local base = t.base
  local whole
  if base == nil then
    whole = preset(is_preset(t.name) and t.name or 'low')
  else
    if type(base) ~= 'string' then
      return nil, ('quality: base is %s, need a preset or a file%s')
        :format(check.show(base), place(source, text, 'base'))
    end
    if depth > 8 then return nil, ('quality: base goes round in a ring%s'):format(place(source, text, 'base')) end
    local near = source and source:match('^(.*/)[^/]*$') or ''
    if not is_preset(base) and not base:find('%.lua$') then
      return nil, ("quality: base is '%s', need low, medium, high, ultra or a .lua file%s")
        :format(base, place(source, text, 'base'))
    end
    if not is_preset(base) and base:sub(1, 1) ~= '/' then base = near .. base end
    whole, message = M.try_load(base, depth + 1)
    if not whole then return nil, message end
  end
  for key in pairs(RULES) do
    if t[key] ~= nil then whole[key] = t[key] end
  end
  whole.name, whole.source = t.name or whole.name, source
  return whole
end

--- A preset's name or a file; nil and a message when it is refused.
---@param name string
---@return thatch.Quality?
---@return string? message
function M.try_load(name, depth)
  check.string('quality.load', 'name', name)
  local path, preset_name = name, nil
  if is_preset(name) then
    preset_name = name
    path = lib.root .. '/scripts/quality/' .. name .. '.lua'
    local file = io.open(path, 'rb')
    if not file then return preset(name) end
    file:close()
  elseif not name:find('[/%.]') then
    local near = check.nearest(name, M.presets)
    return nil, ("quality: no preset '%s'%s, need low, medium, high, ultra or a .lua file")
      :format(name, near and (", did you mean '" .. near .. "'?") or '')
  end
  local t, text = read(path)
  if not t then return nil, text end
  if preset_name and t.name == nil and t.base == nil then t.name = preset_name end
  local whole, message = complete(t, path, text, depth or 0)
  if whole and not (t.name or preset_name) then whole.name = path:match('([^/]+)%.lua$') or path end
  return whole, message
end

--- A preset's name or a file. Refusals name the key, the value, the range, the file and the line.
---@param name string
---@return thatch.Quality
function M.load(name)
  local t, message = M.try_load(name)
  if not t then lib.fail('%s', message) end
  return t
end

--- Checks a table and completes it; what is missing is taken from its base, or from low.
---@param t table
---@param source? string said in messages
---@return thatch.Quality
function M.check(t, source)
  if type(t) ~= 'table' then lib.fail('quality.check: value is %s, need a table', check.show(t)) end
  local whole, message = complete(t, source, nil, 0)
  if not whole then lib.fail('%s', message) end
  for key, rule in pairs(RULES) do
    if rule[1] ~= 'word' then
      struct[key] = whole[key]
    else
      for i = 0, #WORDS[key] do
        if WORDS[key][i] == whole[key] then struct[key] = i end
      end
    end
  end
  lib.check(C.thatch_quality_check(struct))
  return whole
end

return M
