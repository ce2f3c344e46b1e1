--- A progress bar on standard error: share, what is done, and the time that is left.
local has_host, host = pcall(require, 'thatch.host')
local clock = require('thatch').clock

local WIDTH = 28
local M = {}

---@class Progress
local Progress = {}
Progress.__index = Progress

--- The bar of a job. On a terminal it is redrawn in place; in a log it is a line now and then.
---@param title string
function M.new(title)
  local terminal = has_host and host.is_terminal(2)
  return setmetatable({ title = title, terminal = terminal, started = clock(), shown = clock() }, Progress)
end

local function left_text(seconds)
  if seconds >= 3600 then return ('%d:%02d:%02d left'):format(seconds / 3600, seconds / 60 % 60, seconds % 60) end
  return ('%d:%02d left'):format(seconds / 60, seconds % 60)
end

--- Shows how far the job is.
---@param share number 0 to 1
---@param text? string
function Progress:update(share, text)
  share = math.max(0, math.min(1, share))
  local now = clock()
  local passed = now - self.started
  local left = share > 0.02 and passed > 0.5 and ', ' .. left_text(passed * (1 - share) / share) or ''
  if self.terminal then
    if now - self.shown < 0.05 and share < 1 then return end
    self.shown = now
    local full = math.floor(share * WIDTH + 0.5)
    io.stderr:write(('\r%s [%s%s] %3d %%%s%s\27[K'):format(self.title, ('#'):rep(full), ('.'):rep(WIDTH - full),
      share * 100, left, text and ('  ' .. text) or ''))
    io.stderr:flush()
    return
  end
  if now - self.shown < 2 then return end
  self.shown = now
  io.stderr:write(('%s %d %%%s%s\n'):format(self.title, share * 100, left, text and ('  ' .. text) or ''))
end

--- Takes the bar away and says how it went.
---@param text? string
function Progress:finish(text)
  if self.terminal then io.stderr:write('\r\27[K') end
  if text then io.stderr:write(text, '\n') end
  io.stderr:flush()
end

return M
