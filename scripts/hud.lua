--- Figures over the picture: frame rate, stage bars, counts, quality, memory.
local has_host, host = pcall(require, 'thatch.host')
local overlay = require('overlay')
local thatch = require('thatch')
local walk = require('walk')

local BAR = 0x6fb6ffff
local SMOOTH = 0.1 -- share of a new frame in what is shown
local M = {}

---@class Hud
local Hud = {}
Hud.__index = Hud

function M.new()
  return setmetatable({ timings = {}, stats = {}, mean = {}, frame_ms = 0, order = { 'scene' } }, Hud)
end

local function smooth(before, now)
  return before and before + (now - before) * SMOOTH or now
end

--- Takes the figures of the last frame in.
---@param driver Driver
---@param whole_ms number from one frame to the next
function Hud:add(driver, whole_ms)
  driver.frame:read_timings(self.timings)
  driver.frame:read_stats(self.stats)
  self.frame_ms = smooth(self.frame_ms ~= 0 and self.frame_ms or nil, whole_ms)
  self.mean.scene = smooth(self.mean.scene, driver.scene_ms)
  for name, ms in pairs(self.timings) do self.mean[name] = smooth(self.mean[name], ms) end
end

local function thousands(n)
  local text = ('%d'):format(n)
  return (text:reverse():gsub('(%d%d%d)', '%1,'):reverse():gsub('^,', ''))
end

--- Draws over the canvas.
---@param on Overlay
---@param driver Driver
function Hud:draw(on, canvas, w, h, driver)
  local fw, fh = driver.frame:size()
  local lua_bytes, lua_limit = thatch.lua_bytes(), 0
  if has_host then lua_bytes, lua_limit = host.memory() end
  local lines = {
    { ('%.0f frames a second, %.1f ms'):format(1000 / math.max(self.frame_ms, 0.001), self.frame_ms), overlay.WHITE },
    { ('quality %s, frame %dx%d of %dx%d'):format(driver.quality.name or '?', fw, fh, w, h), overlay.WHITE },
    { ('%s triangles, %s in setup, %s drawn'):format(thousands(self.stats.triangles_in or 0),
      thousands(self.stats.triangles_setup or 0), thousands(self.stats.triangles_binned or 0)), overlay.GREY },
    { ('%s parts, %s blades, %s pixels shaded'):format(thousands(self.stats.parts or 0),
      thousands(self.stats.blades or 0), thousands(self.stats.pixels_shaded or 0)), overlay.GREY },
    { ('Lua %.0f MiB%s, runtime %.0f MiB, %d threads, %s'):format(lua_bytes / 1048576,
      lua_limit > 0 and (' of %.0f'):format(lua_limit / 1048576) or '', thatch.memory_bytes() / 1048576,
      thatch.threads(), thatch.isa()), overlay.GREY },
  }
  local hour = driver.state.hour
  if type(hour) == 'number' then
    local weather = type(driver.state.weather) == 'string' and ', ' .. driver.state.weather or ''
    lines[#lines + 1] = { ('%d:%02d o\'clock%s'):format(hour, hour % 1 * 60, weather), overlay.GREY }
  end
  if driver.state.hud then -- a scene may add lines of its own
    local extra = type(driver.state.hud) == 'function' and driver.state.hud(driver.state) or driver.state.hud
    for _, text in ipairs(type(extra) == 'table' and extra or { tostring(extra) }) do
      lines[#lines + 1] = { text, overlay.GREY }
    end
  end
  local x, y = on.px, on.px
  y = y + on:panel(canvas, w, h, x, y, lines) + 4
  local names = { 'scene' }
  for _, name in ipairs(thatch.frame.stages) do names[#names + 1] = name end
  local longest = 1
  for _, name in ipairs(names) do longest = math.max(longest, self.mean[name] or 0) end
  local width = on.px * 20
  on:box(canvas, w, h, x, y, width + on.px, #names * on.line + on.px)
  for i, name in ipairs(names) do
    local ms = self.mean[name] or 0
    local top = y + on.px / 2 + (i - 1) * on.line
    on:box(canvas, w, h, x + on.px * 11.5, top + 2, math.floor(ms / longest * on.px * 9), on.line - 6, BAR)
    on:text(canvas, w, h, x + on.px / 2, top, overlay.WHITE, name)
    on:text(canvas, w, h, x + on.px * 8.5, top, overlay.GREY, ('%.2f'):format(ms))
  end
end

--- The list of keys, at the right: the figures are at the left.
function M.help(on, canvas, w, h)
  local lines, longest = { { 'Keys', overlay.YELLOW } }, 0
  for _, row in ipairs(walk.keys.help) do
    local names = walk.keys.keys[row[1]] and walk.key_names(row[1]) or row[1]
    local text = ('%-27s %s'):format(names, row[2])
    lines[#lines + 1] = { text, overlay.WHITE }
    if on.mono then longest = math.max(longest, (on.mono:measure(text))) end
  end
  on:panel(canvas, w, h, math.max(on.px, math.floor(w - longest - on.px * 2.5)), on.px, lines, true)
end

return M
