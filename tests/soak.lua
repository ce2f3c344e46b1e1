--- The walk, looped: ./thatch run tests/soak.lua MINUTES [SCENE] [QUALITY] [WxH]. Prints how memory went, how long the
--- slowest frames of the first and of the last minute took, and whether late pictures are those of a fresh start.
local common = require('commands.common')
local driver = require('driver')
local stats = require('stats')
local thatch = require('thatch')

local minutes = tonumber((...))
local scene, quality = select(2, ...) or 'village', select(3, ...) or 'low'
local width, height = (select(4, ...) or '640x360'):match('^(%d+)x(%d+)$')
if not minutes or minutes <= 0 or not width then
  common.usage('soak: need MINUTES [SCENE] [QUALITY] [WxH]')
end

local MOST_SLOPE_MB_H, SAMPLE_S = 1, 1

local function resident_kib()
  local file = assert(io.open('/proc/self/statm', 'r'))
  local pages = file:read('*a'):match('^%d+ (%d+)')
  file:close()
  return tonumber(pages) * 4
end

local function start()
  return driver.new({ scene = scene, quality = quality, width = tonumber(width), height = tonumber(height) }):load()
end

--- The slope of the straight line through points, by least squares: units of y a second.
local function slope(points)
  local n, sx, sy, sxx, sxy = #points, 0, 0, 0, 0
  for _, p in ipairs(points) do
    sx, sy, sxx, sxy = sx + p[1], sy + p[2], sxx + p[1] * p[1], sxy + p[1] * p[2]
  end
  local below = n * sxx - sx * sx
  return below > 0 and (n * sxy - sx * sy) / below or 0
end

local function p99(times)
  table.sort(times)
  return times[math.max(1, math.ceil(#times * 0.99))] or 0
end

local d = start()
local frames = d:frame_count()
local hashes = {}
-- One whole round, or a minute of it, warms up: buffers, maps and compiled code have their size then.
local began, number = thatch.clock(), 0
local length_s = minutes * 60
local warm_s = math.min(60, length_s * 0.3)
local window_s = math.min(60, length_s * 0.3)
local first, last, points, drawn, next_sample = {}, {}, {}, 0, 0
local lua_first, runtime_first, rss_first
while true do
  local now = thatch.clock() - began
  if now > length_s then break end
  d:draw(number % frames)
  local took = thatch.clock() - began - now
  if now < warm_s + window_s and now >= warm_s then first[#first + 1] = took * 1000 end
  if now > length_s - window_s then last[#last + 1] = took * 1000 end
  if number >= frames then
    local hash = d.frame:hash()
    local known = hashes[number % frames]
    if known and known ~= hash then
      common.fail('soak: frame %d is another picture in a later round', number % frames)
    end
    hashes[number % frames] = hash
  end
  number, drawn = number + 1, drawn + 1
  if now >= warm_s and now >= next_sample then
    next_sample = now + SAMPLE_S
    collectgarbage()
    collectgarbage()
    points[#points + 1] = { now, resident_kib() / 1024 }
    if not lua_first then
      lua_first, runtime_first, rss_first = collectgarbage('count'), thatch.memory_bytes(), resident_kib() / 1024
    end
  end
end
collectgarbage()
collectgarbage()
local lua_last, runtime_last, rss_last = collectgarbage('count'), thatch.memory_bytes(), resident_kib() / 1024

-- The last frames, against those of a fresh start.
local checked, compared = 0, {}
for i = math.max(0, number - 8), number - 1 do
  d:draw(i % frames)
  compared[#compared + 1] = { i % frames, d.frame:hash() }
end
d.frame:destroy()
d.state.scene:destroy()
local fresh = start()
for _, pair in ipairs(compared) do
  fresh:draw(pair[1])
  if fresh.frame:hash() ~= pair[2] then
    common.fail('soak: frame %d is another picture than of a fresh start', pair[1])
  end
  checked = checked + 1
end

local slope_mb_h = slope(points) * 3600
local first_p99, last_p99 = p99(first), p99(last)
print(('soak: %s at %s, %sx%s: %d frames in %.1f minutes'):format(scene, quality, width, height, drawn, minutes))
print(('memory: %.1f to %.1f MB, slope %+.2f MB an hour; runtime %+d bytes, Lua %+.0f KiB'):format(rss_first, rss_last,
  slope_mb_h, runtime_last - runtime_first, lua_last - lua_first))
print(('frames: median %.2f ms; 99th percentile %.2f ms in the first %.0f s, %.2f ms in the last'):format(
  stats.median(last), first_p99, window_s, last_p99))
print(('pictures: %d of the last as of a fresh start, %d frames of the loop the same in each round'):format(checked,
  number > frames and math.min(frames, number - frames) or 0))
-- Short runs see the steps in which memory is taken, not a slope: only what is left is judged.
local grew = minutes >= 30 and slope_mb_h > MOST_SLOPE_MB_H or runtime_last - runtime_first > 65536
  or rss_last - rss_first > 16
if grew then print('memory grew') end
return grew and 1 or 0
