--- What is written aside carries its process's number; what was left of it by processes that were killed is taken away.
local lfs = require('lfs')

local M = {}

--- Does a process of this machine have that number? True where that can't be told.
function M.is_running(pid)
  return lfs.attributes('/proc/self', 'mode') == nil or lfs.attributes('/proc/' .. pid, 'mode') == 'directory'
end

--- Takes leftovers out of a folder. Another machine's process may be writing there too, whose number says nothing here:
--- so only what has not changed for a while goes.
---@param folder string one that can't be read has none
---@param pattern string of their names; it captures the process's number
---@param old_s number seconds without a change
---@param remove fun(path: string)
---@param surely? fun(name: string): boolean is it of no other machine? It goes as soon as its process runs no more
function M.sweep(folder, pattern, old_s, remove, surely)
  local readable, following, entries = pcall(lfs.dir, folder)
  if not readable then return end
  local stale, now = {}, os.time()
  for name in following, entries do
    local pid = name:match(pattern)
    if pid and not M.is_running(pid) then
      local path = folder .. '/' .. name
      local changed = lfs.symlinkattributes(path, 'modification') or now
      if now - changed > old_s or (surely and surely(name)) then stale[#stale + 1] = path end
    end
  end
  for _, path in ipairs(stale) do remove(path) end
end

--- The pattern of a text that holds no pattern.
function M.literal(text)
  return (text:gsub('%p', '%%%0'))
end

return M
