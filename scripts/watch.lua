--- Which files have been saved since the last look. Times have a grain of a second, so a fresh file's text counts too.
local lfs = require('lfs')
local loader = require('loader')

local GRAIN = 3 -- seconds, on the coarsest of file systems and clocks
local M = {}

---@class Watch
local Watch = {}
Watch.__index = Watch

local function mark(path)
  local info = lfs.attributes(path)
  if not info then return 'gone' end
  local text = ''
  if os.time() - info.modification <= GRAIN then text = loader.read(path) or '' end
  return { time = info.modification, size = info.size, ino = info.ino, text = text }
end

local function same(path, before)
  local info = lfs.attributes(path)
  if not info then return true end -- in the midst of being saved: look again
  if before == 'gone' then return false end
  if info.modification ~= before.time or info.size ~= before.size or info.ino ~= before.ino then return false end
  if os.time() - info.modification > GRAIN then return true end
  return (loader.read(path) or '') == before.text
end

function M.new()
  return setmetatable({ marks = {} }, Watch)
end

--- Files that were saved since they were last looked at. A path that is new is only noted.
---@param paths string[]
---@return string[] changed
function Watch:changed(paths)
  local changed, marks = {}, {}
  for _, path in ipairs(paths) do
    local before = self.marks[path]
    if before and not same(path, before) then
      changed[#changed + 1] = path
      before = nil
    end
    marks[path] = before or mark(path)
  end
  self.marks = marks
  return changed
end

return M
