--- A glTF document: its JSON, checked as it is read. Every refusal names the file, the JSON path, the value and what
--- is needed.
local cjson = require('cjson')
local check = require('thatch.check')
local lib = require('thatch.lib')

local MAX_DEPTH = 64 -- of nested JSON
local MAX_VALUES = 4000000 -- of the JSON: each costs Lua some forty bytes
local EXACT = 9007199254740992 -- whole numbers are exact up to here
local huge = math.huge
local M = { EXACT = EXACT }

--- What `fail` raises: a mistake of the file, not of ours.
local Refusal = {}
M.Refusal = Refusal

---@class thatch.gltf.Document
---@field file string as it was given, for messages
---@field json table
---@field warnings string[]
local Document = {}
Document.__index = Document

local decoder = cjson.new()
decoder.decode_max_depth(MAX_DEPTH)
decoder.decode_invalid_numbers(false)

local function show(value)
  if value == cjson.null then return 'null' end
  return (check.show(value):gsub('%c', '?'))
end
M.show = show

--- Is what was raised no word about the file?
local function is_ours(raised)
  return type(raised) ~= 'string' or raised == 'interrupted' or raised:find('has not come back', 1, true) ~= nil or
    raised:find('not enough memory', 1, true) ~= nil
end

--- Raises a refusal at a JSON path ('' is the file itself).
function Document:fail(path, format, ...)
  local text = select('#', ...) > 0 and format:format(...) or format
  error(setmetatable({ text = self.file .. ': ' .. (path == '' and '' or path .. ': ') .. text }, Refusal), 0)
end

--- Notes what is left out; where it happens again only the number of places grows.
function Document:warn(path, text)
  local known = self.warned[text]
  if known then
    known.more = known.more + 1
    return
  end
  known = { path = path, text = text, more = 0 }
  self.warned[text] = known
  self.warned[#self.warned + 1] = known
end

--- The warnings as lines, in the order of the file.
---@return string[]
function Document:lines()
  local lines = {}
  for i, w in ipairs(self.warned) do
    lines[i] = ('%s: %s%s'):format(w.path, w.text, w.more > 0 and (' (and %d more)'):format(w.more) or '')
  end
  return lines
end

--- Calls the runtime's bindings; what they refuse is a mistake of the file.
function Document:guard(path, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  if is_ours(result) then error(result, 0) end
  self:fail(path, '%s', (result:gsub('^[^\n]-:%d+: ', '')))
end

--- A sign of life for the watchdog: a large model takes long.
function Document.alive()
  lib.enter()
  lib.check(0)
end

local function is_object(value)
  if type(value) ~= 'table' then return false end
  local key = next(value)
  return key == nil or type(key) == 'string'
end

local function is_list(value)
  if type(value) ~= 'table' then return false end
  local key = next(value)
  return key == nil or type(key) == 'number'
end

--- The path of an entry: lists count from 0.
local function below(path, key)
  return path .. '/' .. (type(key) == 'number' and key - 1 or key)
end

--- What a value is, for messages.
local function kind_of(value)
  if type(value) ~= 'table' then return show(value) end
  return is_list(value) and next(value) ~= nil and 'a list' or 'an object'
end

--- An object of an object; nil when it is not there.
---@return table?
function Document:object(parent, key, path)
  local value = parent[key]
  if value == nil then return nil end
  if not is_object(value) then self:fail(below(path, key), 'is %s, need an object', kind_of(value)) end
  return value
end

--- A list of an object, empty when it is not there.
---@return table list
---@return integer count
function Document:list(parent, key, path, most)
  local value = parent[key]
  if value == nil then return {}, 0 end
  if not is_list(value) then self:fail(below(path, key), 'is %s, need a list', kind_of(value)) end
  local n = #value
  if most and n > most then self:fail(below(path, key), 'has %d entries, need at most %d', n, most) end
  return value, n
end

--- A list whose entries are objects.
---@return table[] list
---@return integer count
function Document:objects(parent, key, path, most)
  local list, n = self:list(parent, key, path, most)
  for i = 1, n do
    if not is_object(list[i]) then
      self:fail(('%s/%s/%d'):format(path, key, i - 1), 'is %s, need an object', kind_of(list[i]))
    end
  end
  return list, n
end

function Document:number(parent, key, path, default, least, most)
  local value = parent[key]
  if value == nil and default ~= nil then return default end
  least, most = least or -huge, most or huge
  if type(value) ~= 'number' or value ~= value or value == huge or value == -huge then
    self:fail(below(path, key), 'is %s, need a finite number', show(value))
  end
  if value < least or value > most then
    if most == huge then self:fail(below(path, key), 'is %s, need %s or more', show(value), show(least)) end
    self:fail(below(path, key), 'is %s, need %s .. %s', show(value), show(least), show(most))
  end
  return value
end

--- A whole number; nil when it is not there and there is no default.
function Document:whole(parent, key, path, default, least, most)
  local value = parent[key]
  if value == nil then return default end
  least, most = least or 0, most or EXACT
  if type(value) ~= 'number' or value % 1 ~= 0 then
    self:fail(below(path, key), 'is %s, need a whole number', show(value))
  end
  if value < least or value > most then
    self:fail(below(path, key), 'is %.0f, need %.0f .. %.0f', value, least, most)
  end
  return value
end

--- A whole number that must be there.
function Document:count(parent, key, path, least, most)
  if parent[key] == nil then self:fail(path, '%s is missing', key) end
  return self:whole(parent, key, path, nil, least, most)
end

--- An index, counted from 0, of one of `count` things; nil when it is not there.
---@param noun string what is counted, for messages
function Document:index(parent, key, path, count, noun)
  local value = parent[key]
  if value == nil then return nil end
  if type(value) ~= 'number' or value % 1 ~= 0 or value < 0 or value >= count then
    if count == 0 then self:fail(below(path, key), '%s is %s, but the file has none', noun, show(value)) end
    self:fail(below(path, key), '%s is %s, need 0 .. %d', noun, show(value), count - 1)
  end
  return value
end

--- n finite numbers; the default, or nil, when they are not there.
function Document:numbers(parent, key, path, n, default, least, most)
  local list = parent[key]
  if list == nil then return default end
  if not is_list(list) or (n and #list ~= n) then
    local what = is_list(list) and ('has %d values'):format(#list) or 'is ' .. kind_of(list)
    self:fail(below(path, key), '%s, need %s', what, n and ('%d numbers'):format(n) or 'a list')
  end
  for i = 1, #list do
    local x = list[i]
    if type(x) ~= 'number' or x - x ~= 0 then
      self:fail(('%s/%s/%d'):format(path, key, i - 1), 'is %s, need a finite number', show(x))
    elseif (least and x < least) or (most and x > most) then
      self:fail(('%s/%s/%d'):format(path, key, i - 1), 'is %s, need %s .. %s', show(x), show(least), show(most))
    end
  end
  return list
end

function Document:text(parent, key, path, default)
  local value = parent[key]
  if value == nil then return default end
  if type(value) ~= 'string' then self:fail(below(path, key), 'is %s, need a string', kind_of(value)) end
  return value
end

function Document:flag(parent, key, path)
  local value = parent[key]
  if value == nil then return false end
  if type(value) ~= 'boolean' then self:fail(below(path, key), 'is %s, need true or false', kind_of(value)) end
  return value
end

--- One of some words, or what it stands for.
function Document:word(parent, key, path, choices, default)
  local value = parent[key]
  if value == nil and default ~= nil then return default end
  local found = type(value) ~= 'table' and value ~= nil and choices[value]
  if found == nil or found == false then
    local words = {}
    for word in pairs(choices) do words[#words + 1] = tostring(word) end
    table.sort(words)
    self:fail(below(path, key), 'is %s, need one of %s', show(value), table.concat(words, ', '))
  end
  return found
end

--- The extension of an object, nil when it is not there.
function Document:extension(parent, path, name)
  local extensions = self:object(parent, 'extensions', path)
  return extensions and self:object(extensions, name, path .. '/extensions')
end

--- The name of a thing, and its number when it has none.
function Document:name(parent, path, noun, i)
  local name = self:text(parent, 'name', path, '')
  return name ~= '' and (name:sub(1, 256):gsub('%c', '?')) or ('%s %d'):format(noun, i)
end

--- A document of a JSON text.
---@param file string
---@param text string
---@return thatch.gltf.Document
function M.parse(file, text)
  local self = setmetatable({ file = file, warned = {} }, Document)
  local at, values = 0, 0
  repeat
    at = text:find('[%[{,]', at + 1)
    values = values + 1
    if values > MAX_VALUES then self:fail('JSON', 'has more than %d values', MAX_VALUES) end
  until not at
  local ok, json = pcall(decoder.decode, text)
  if not ok then
    if is_ours(json) then error(json, 0) end
    self:fail('JSON', '%s', (json:gsub('%c', '?')))
  end
  if not is_object(json) then self:fail('JSON', 'is %s, need an object', kind_of(json)) end
  self.json = json
  return self
end

return M
