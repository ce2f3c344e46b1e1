--- JSON out, with keys in the order that they are given in.
local M = {}

local ESCAPES = { ['"'] = '\\"', ['\\'] = '\\\\', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t' }

local function text(s)
  return '"' .. s:gsub('[%c"\\]', function(c) return ESCAPES[c] or ('\\u%04x'):format(c:byte()) end) .. '"'
end

local function number(x)
  if x ~= x or x == math.huge or x == -math.huge then return 'null' end
  if x % 1 == 0 and math.abs(x) < 1e15 then return ('%d'):format(x) end
  return ('%.6g'):format(x)
end

--- An object whose pairs keep their order: { { key, value }, … }.
---@param pairs_ table[]
function M.object(pairs_)
  return setmetatable(pairs_, M)
end

--- A string, number, boolean, array or ordered object as JSON.
---@return string
function M.encode(value)
  local kind = type(value)
  if kind == 'string' then return text(value) end
  if kind == 'number' then return number(value) end
  if kind == 'boolean' then return tostring(value) end
  if value == nil then return 'null' end
  local parts = {}
  if getmetatable(value) == M then
    for _, pair in ipairs(value) do parts[#parts + 1] = text(pair[1]) .. ': ' .. M.encode(pair[2]) end
    return '{' .. table.concat(parts, ', ') .. '}'
  end
  for _, item in ipairs(value) do parts[#parts + 1] = M.encode(item) end
  return '[' .. table.concat(parts, ', ') .. ']'
end

return M
