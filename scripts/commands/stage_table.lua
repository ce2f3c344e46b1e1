--- Collects the stages' times and counts over frames, and prints them.
local stats = require('stats')
local frame = require('thatch.frame')

local M = {}

---@class StageTable
---@field frame_ms number[]
local StageTable = {}
StageTable.__index = StageTable

function M.new()
  local self = setmetatable({ frame_ms = {}, stages = { scene = {} }, counts = {}, order = { 'scene' } }, StageTable)
  for _, name in ipairs(frame.stages) do
    self.stages[name] = {}
    self.order[#self.order + 1] = name
  end
  for _, name in ipairs(frame.counts) do self.counts[name] = {} end
  self.timings, self.stats = {}, {}
  return self
end

--- Adds the last frame of a driver.
---@param driver Driver
function StageTable:add(driver)
  local n = #self.frame_ms + 1
  self.frame_ms[n] = driver.frame_ms
  driver.frame:read_timings(self.timings)
  driver.frame:read_stats(self.stats)
  self.stages.scene[n] = driver.scene_ms
  for name, ms in pairs(self.timings) do self.stages[name][n] = ms end
  for name, count in pairs(self.stats) do self.counts[name][n] = count end
end

--- The table as text.
function StageTable:text()
  local lines = { ('%-14s %9s %9s %9s'):format('ms', 'median', 'p95', 'slowest') }
  local function line(name, values)
    lines[#lines + 1] = ('%-14s %9.2f %9.2f %9.2f'):format(name, stats.median(values), stats.percentile(values, 0.95),
      stats.percentile(values, 1))
  end
  for _, name in ipairs(self.order) do line(name, self.stages[name]) end
  line('frame', self.frame_ms)
  lines[#lines + 1] = ('%d frames, %.1f a second (median); %d triangles in, %d reach setup, %d binned; %d blades')
    :format(#self.frame_ms, 1000 / math.max(stats.median(self.frame_ms), 1e-9), stats.median(self.counts.triangles_in),
      stats.median(self.counts.triangles_setup), stats.median(self.counts.triangles_binned),
      stats.median(self.counts.blades))
  return table.concat(lines, '\n') .. '\n'
end

return M
