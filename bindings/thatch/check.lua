--- Checks of arguments: every refusal names the function, the field, the value and what is needed.
local ffi = require('ffi')
local lib = require('thatch.lib')

local fail = lib.fail
local M = {}

--- Edits that turn one word into another, for "did you mean".
local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local above = row[j]
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      row[j] = math.min(above + 1, row[j - 1] + 1, diagonal + cost)
      diagonal = above
    end
  end
  return row[#b]
end

--- The known key that is nearest to a wrong one, or nil when none is near.
---@param key any
---@param known table<string, any> a set, or an array of names
function M.nearest(key, known)
  local best, best_distance
  for name, value in pairs(known) do
    if type(name) == 'number' then name = value end
    local word = tostring(key):lower()
    local d = distance(word, name)
    if #word >= 3 and name:find(word, 1, true) then d = math.min(d, 2) end -- 'pos' for 'position'
    if not best or d < best_distance or (d == best_distance and name < best) then best, best_distance = name, d end
  end
  if best and best_distance <= math.max(2, math.floor(#best / 2)) then return best end
end

--- A value as a message shows it.
function M.show(value)
  local kind = type(value)
  if kind == 'string' then return "'" .. (#value > 40 and value:sub(1, 37) .. '...' or value) .. "'" end
  if kind == 'number' or kind == 'boolean' or kind == 'nil' then return tostring(value) end
  return 'a ' .. kind
end

local show = M.show

--- A set from names, for `keys`.
function M.set(names)
  local set = {}
  for name in names:gmatch('%S+') do set[name] = true end
  return set
end

--- Refuses a value that is no table, and keys that are not known.
function M.options(where, options, known)
  if type(options) ~= 'table' then fail('%s: options is %s, need a table', where, show(options)) end
  for key in pairs(options) do
    if not known[key] then
      local near = M.nearest(key, known)
      fail('%s: unknown key %s%s', where, show(key), near and (", did you mean '" .. near .. "'?") or '')
    end
  end
end

function M.number(where, key, value, default)
  if value == nil and default ~= nil then return default end
  if type(value) ~= 'number' or value ~= value then fail('%s: %s is %s, need a number', where, key, show(value)) end
  return value
end

function M.integer(where, key, value, default)
  if value == nil and default ~= nil then return default end
  if type(value) ~= 'number' or value % 1 ~= 0 or value < -2147483648 or value > 4294967295 then
    fail('%s: %s is %s, need a whole number', where, key, show(value))
  end
  return value
end

--- A whole number for a parameter that is uint32_t.
function M.bits(where, key, value, default)
  value = M.integer(where, key, value, default)
  if value < 0 then fail('%s: %s is %s, need a whole number >= 0', where, key, show(value)) end
  return value
end

function M.boolean(where, key, value, default)
  if value == nil and default ~= nil then return default end
  if type(value) ~= 'boolean' then fail('%s: %s is %s, need true or false', where, key, show(value)) end
  return value
end

function M.string(where, key, value, default)
  if value == nil and default ~= nil then return default end
  if type(value) ~= 'string' then fail('%s: %s is %s, need a string', where, key, show(value)) end
  return value
end

function M.table(where, key, value)
  if type(value) ~= 'table' then fail('%s: %s is %s, need a table', where, key, show(value)) end
  return value
end

--- One of some words; gives what the word stands for.
function M.choice(where, key, value, choices, default)
  if value == nil and default ~= nil then return default end
  local found = type(value) == 'string' and choices[value] or nil
  if found == nil then
    local words = {}
    for word in pairs(choices) do words[#words + 1] = "'" .. word .. "'" end
    table.sort(words)
    fail('%s: %s is %s, need one of %s', where, key, show(value), table.concat(words, ', '))
  end
  return found
end

--- n numbers of a table into a C array.
---@param into ffi.cdata* float[n] or more
function M.vector(where, key, value, n, into)
  if type(value) ~= 'table' then fail('%s: %s is %s, need a table of %d numbers', where, key, show(value), n) end
  for i = 1, n do
    local x = value[i]
    if type(x) ~= 'number' then fail('%s: %s[%d] is %s, need a number', where, key, i, show(x)) end
    into[i - 1] = x
  end
  return into
end

--- An object of a class, by its metatable.
function M.object(where, key, value, class, name)
  if type(value) ~= 'table' or getmetatable(value) ~= class then
    fail('%s: %s is %s, need a %s', where, key, show(value), name)
  end
  return value
end

--- Buffers by what stands for them in scripts that get no pointers.
M.hidden = setmetatable({}, { __mode = 'k' })

local NAMES = { float = 'float', ['unsigned int'] = 'u32', int = 'u32', ['unsigned char'] = 'bytes' }
NAMES[tostring(ffi.typeof('uint8_t')):match('^ctype<(.*)>$')] = 'bytes' -- plain char where that is unsigned
local ELEMENTS = { float = 'float[?]', u32 = 'uint32_t[?]', bytes = 'uint8_t[?]' }
local SIZES = { float = 4, u32 = 4, bytes = 1 }

--- A table, a thatch.buffer or cdata as a C array.
---@return ffi.cdata* pointer
---@return integer? count nil when only a pointer was given
function M.array(where, key, value, kind)
  value = value ~= nil and M.hidden[value] or value
  local what = type(value)
  if what == 'table' and type(value.data) == 'cdata' and type(value.n) == 'number' then
    if value.kind ~= kind then
      fail('%s: %s is a buffer of %s, need one of %s', where, key, tostring(value.kind), kind)
    end
    return value.data, value.n
  end
  if what == 'table' then
    local n = #value
    local array = ffi.new(ELEMENTS[kind], math.max(n, 1))
    for i = 1, n do
      local x = value[i]
      if type(x) ~= 'number' then fail('%s: %s[%d] is %s, need a number', where, key, i, show(x)) end
      if kind ~= 'float' and (x < 0 or x % 1 ~= 0 or x > (kind == 'bytes' and 255 or 4294967295)) then
        fail('%s: %s[%d] is %s, need a whole number in range', where, key, i, show(x))
      end
      array[i - 1] = x
    end
    return array, n
  end
  if what == 'cdata' then
    local name = tostring(ffi.typeof(value)):match('^ctype<(.*)>$') or ''
    local element, shape = name:gsub('const ', ''):match('^([%a ]-)%s*([%*%[%(&].*)$')
    if element and NAMES[element] == kind then
      if shape:find('^%[') then return value, ffi.sizeof(value) / SIZES[kind] end
      if shape == '*' then return value, nil end
      if shape:find('^%(&%)') or shape:find('^&') then return value, nil end
    end
    fail('%s: %s is cdata of %s, need %s', where, key, name, kind == 'u32' and 'uint32_t' or kind)
  end
  fail('%s: %s is %s, need a table, a buffer or a C array of %s', where, key, show(value), kind)
end

return M
