--- Medians and percentiles of what a bench measures.
local json = require('json')

local M = {}

local function sorted(values)
  local list = {}
  for i, value in ipairs(values) do list[i] = value end
  table.sort(list)
  return list
end

--- The smallest value that a share of all are not above; 0 for an empty list.
---@param values number[]
---@param share number 0 to 1
function M.percentile(values, share)
  local list = sorted(values)
  if #list == 0 then return 0 end
  return list[math.max(1, math.ceil(#list * share))]
end

function M.median(values)
  local list = sorted(values)
  local n = #list
  if n == 0 then return 0 end
  if n % 2 == 1 then return list[(n + 1) / 2] end
  return (list[n / 2] + list[n / 2 + 1]) / 2
end

--- median, p95 and max, as an ordered object for JSON.
function M.summary(values)
  return json.object({
    { 'median', M.median(values) }, { 'p95', M.percentile(values, 0.95) }, { 'max', M.percentile(values, 1) },
  })
end

return M
