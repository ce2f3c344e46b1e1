--- What went wrong in a script, as people can use it: the message, the lines round its place, the traceback, a hint.
local check = require('thatch.check')
local lib = require('thatch.lib')

local AROUND = 2 -- lines before and behind the place
local TRACE_MOST = 14
local LINE_MOST = 120 -- characters of a line of source
-- LuaJIT raises these without a place.
local NAMELESS = { ['stack overflow'] = true, ['not enough memory'] = true, ['error in error handling'] = true }
local M = {}

---@class Mistake
---@field message string
---@field trace string lines of the traceback, or ''
---@field path? string file of the place
---@field line? integer
local Mistake = {}
Mistake.__index = Mistake

function Mistake:__tostring()
  return self.trace ~= '' and self.message .. '\n' .. self.trace or self.message
end

--- Any raised value as text: also nil, tables, and tables whose __tostring fails.
function M.text(value)
  if type(value) == 'string' then return value end
  if value == nil then return 'an error without a message: error(nil)' end
  local meta = type(value) == 'table' and getmetatable(value)
  if type(meta) == 'table' and meta.__tostring then
    local ok, text = pcall(tostring, value)
    if ok and type(text) == 'string' then return text end
  end
  if type(value) ~= 'table' then return ('an error that is %s'):format(check.show(value)) end
  local parts = {}
  for key, inner in next, value do
    if #parts == 6 then
      parts[7] = '…'
      break
    end
    parts[#parts + 1] = ('%s = %s'):format(type(key) == 'string' and key or check.show(key), check.show(inner))
  end
  table.sort(parts)
  return ('an error that is a table: { %s }'):format(table.concat(parts, ', '))
end

local ROOT = lib.root:gsub('/bindings/thatch/%.%./%.%.$', '')

--- Is a file of the machinery, which its users don't write? Pipelines and the walk's files are theirs to change.
local function is_machinery(path)
  local below = path:sub(1, #ROOT + 1) == ROOT .. '/' and path:sub(#ROOT + 2)
  return below and (below:find('^bindings/') or (below:find('^scripts/') and not below:find('^scripts/pipelines/')
    and not below:find('^scripts/walk/'))) and true or false
end

--- The place that a message names: the user's, where it names several; none in the bindings.
---@return string? path
---@return integer? line
local function place_of(message)
  local path, line
  for p, l in message:gmatch('([^%s%[%]"\'%(]+%.lua):(%d+)') do
    if not is_machinery(p) then return p, tonumber(l) end
    if not path and not p:find('/bindings/thatch/', 1, true) then path, line = p, tonumber(l) end
  end
  return path, line
end

--- The place of the nearest function of the user's that runs.
local function running_place(routine)
  for level = 0, 250 do
    local info
    if routine then info = debug.getinfo(routine, level, 'Sl') else info = debug.getinfo(level + 2, 'Sl') end
    if not info then return nil end
    local path = info.source:match('^@(.*)$')
    if path and info.currentline > 0 and not is_machinery(path) then return path, info.currentline end
  end
end

--- LuaJIT shortens long paths to '...end.lua': the whole one, from the functions that run.
local function whole_paths(message, routine)
  if not message:find('...', 1, true) then return message end
  for level = 0, 40 do
    local info
    if routine then info = debug.getinfo(routine, level, 'S') else info = debug.getinfo(level + 2, 'S') end
    if not info then break end
    if info.short_src:sub(1, 3) == '...' and info.source:sub(1, 1) == '@' then
      message = message:gsub(info.short_src:gsub('%p', '%%%0'), (info.source:sub(2):gsub('%%', '%%%%')))
    end
  end
  return message
end

local function trace_of(text)
  local lines = {}
  for line in text:gmatch('[^\n]+') do
    line = line:gsub('\t', '  ')
    if line:find("[C]: in function 'xpcall'", 1, true) then break end
    if #lines == TRACE_MOST then
      lines[#lines + 1] = '  ...'
      break
    end
    if not line:find('^stack traceback:') then lines[#lines + 1] = line end
  end
  return #lines > 0 and 'stack traceback:\n' .. table.concat(lines, '\n') or ''
end

--- A mistake from what was raised. Mistakes, and values that say how a command ends, pass.
---@param value any
---@param routine? thread where it was raised, when not here
---@param late? boolean it is over: what runs now has nothing to do with it
function M.of(value, routine, late)
  local meta = type(value) == 'table' and getmetatable(value)
  if meta == Mistake or (type(meta) == 'table' and meta.outcome) then return value end
  local text = whole_paths(M.text(value), routine)
  local message, trace = text:match('^(.-)\n(stack traceback:.*)$')
  local raw = trace or (routine and debug.traceback(routine) or debug.traceback('', 2))
  local made = { message = message or text, trace = trace_of(whole_paths(raw, routine)) }
  made.path, made.line = place_of(made.message)
  if not made.path and (type(value) ~= 'string' or NAMELESS[made.message]) then
    if trace then
      made.path, made.line = place_of(trace)
    elseif not late then
      made.path, made.line = running_place(routine)
    end
    if made.path then made.message = ('%s:%d: %s'):format(made.path, made.line, made.message) end
  end
  return setmetatable(made, Mistake)
end

--- Where the stack is used up there is room for little: the rest is done when it is back.
local function handler(value)
  if type(value) == 'string' and value:find('stack overflow', 1, true) then return debug.traceback(value, 2) end
  return M.of(value)
end

--- Calls f; true and its result, or false and a mistake.
function M.guard(f, ...)
  local arguments, n = { ... }, select('#', ...)
  local ok, result = xpcall(function() return f(unpack(arguments, 1, n)) end, handler)
  if not ok and type(result) == 'table' and tostring(result.message):find('not enough memory', 1, true) then
    collectgarbage() -- LuaJIT does not by itself, and who hears of it needs some
  end
  -- The handler itself has failed where there is no memory or no stack left.
  if not ok and type(result) ~= 'table' then result = M.of(result, nil, true) end
  return ok, result
end

--- The lines round the place: number, text, and whether it is the one.
---@return { number: integer, text: string, here: boolean }[]
function Mistake:source()
  local file = self.path and io.open(self.path, 'rb')
  if not file then return {} end
  local text = file:read('*a') or ''
  file:close()
  local lines, number, count = {}, 0, select(2, text:gsub('\n', '')) + 1
  for line in (text .. '\n'):gmatch('(.-)\r?\n') do
    number = number + 1
    local is_end = line == '' and number == count and number > self.line
    if math.abs(number - self.line) <= AROUND and not is_end then
      lines[#lines + 1] = {
        number = number, text = line:gsub('\t', '  '):sub(1, LINE_MOST), here = number == self.line,
      }
    end
  end
  return lines
end

--- Names of all methods of thatch's objects, for 'did you mean'.
local function methods()
  local thatch, names = require('thatch'), {}
  for _, class in ipairs({
    thatch.frame.Frame, thatch.scene.Scene, thatch.camera.Camera, thatch.geometry.Geometry, thatch.texture.Texture,
    thatch.material.Material, thatch.water.Water, thatch.buffer.Buffer, require('thatch.node').Node,
    require('thatch.mesh').Mesh, require('thatch.light').Light,
  }) do
    for name, value in pairs(class) do
      if type(value) == 'function' and name:sub(1, 2) ~= '__' then names[name] = true end
    end
  end
  return names
end

local function did_you_mean(name, known, otherwise)
  local near = check.nearest(name, known)
  return near and near ~= name and ("did you mean '%s'?"):format(near) or otherwise
end

local HINTS = {
  { "attempt to call method '([^']+)'", function(name)
    return did_you_mean(name, methods(), 'no object of thatch has such a method: see bindings/meta')
  end },
  { "attempt to call global '([^']+)'", function(name)
    return did_you_mean(name, _G, ("is '%s' spelled right, and made local above this line?"):format(name))
  end },
  { "attempt to call field '([^']+)'", function(name)
    return ("there is no function '%s' in that table: is it spelled right?"):format(name)
  end },
  { "attempt to index %a+ '([^']+)' %(a nil value%)", function(name)
    return ("'%s' is nil here: is it spelled right, and set before this line?"):format(name)
  end },
  { "attempt to perform arithmetic on %a+ '([^']+)' %(a nil value%)", function(name)
    return ("'%s' is nil here, need a number"):format(name)
  end },
  { 'attempt to compare', function() return 'both sides of a comparison need to be numbers, or both strings' end },
  { "module '([^']+)' not found", function()
    return 'modules are looked for beside the scene, under scenes/ and scripts/, and among the system\'s'
  end },
  { 'not enough memory', function()
    return 'Lua may hold $THATCH_LUA_MEMORY_MIB (1024): does a table grow each frame?'
  end },
  { 'stack overflow', function() return 'a function calls itself without end: see which lines repeat' end },
  { 'has not come back', function() return 'a loop does not end; more time: $THATCH_WATCHDOG_S' end },
  { "near '<eof>'", function() return "the file ends too early: an 'end', a bracket or a quote is missing" end },
  { "'end' expected", function() return "an 'end' is missing, or one bracket too many opens a block" end },
  { "unexpected symbol near '([^']+)'", function() return 'look at the end of the line before' end },
  { "'[^']+' expected near", function()
    return 'look for a missing comma, bracket or quote here or on the line before'
  end },
  { 'unfinished string', function() return 'a quote is missing on this line' end },
}

--- What may help, or nil.
---@return string?
function Mistake:hint()
  for _, row in ipairs(HINTS) do
    local found = self.message:match(row[1])
    if found then return row[2](found) end
  end
end

--- All of it as lines of text, as standard error and the clipboard get it.
---@return string
function Mistake:report()
  local lines = { self.message }
  local source = self:source()
  if #source > 0 then lines[#lines + 1] = '' end
  for _, row in ipairs(source) do
    lines[#lines + 1] = ('%6d %s %s'):format(row.number, row.here and '>' or ' ', row.text)
  end
  if #source > 0 and self.trace ~= '' then lines[#lines + 1] = '\n' .. self.trace end
  local hint = self:hint()
  if hint then lines[#lines + 1] = 'hint: ' .. hint end
  return table.concat(lines, '\n')
end

return M
