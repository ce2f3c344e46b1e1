--- The walk, looped: ./thatch run tests/soak.lua MINUTES [SCENE] [QUALITY] [WxH]. Prints how memory went, how long the
--- slowest frames took, and whether the pictures are those of a fresh start. At the end both draw in turns: a machine
--- that became slower meanwhile slows both.
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

local MOST_SLOPE_MB_H, SAMPLE_S, MOST_SLOWER = 1, 1, 1.1

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

--- The milliseconds that a frame takes.
local function draw(which, frame)
  local from = thatch.clock()
  which:draw(frame)
  return (thatch.clock() - from) * 1000
end

-- The frames that follow, by a fresh start too: first one round, so that it has what it loads on the way.
local fresh = start()
local checked, old_ms, fresh_ms = 0, {}, {}
began = thatch.clock()
for frame = 0, frames - 1 do
  if thatch.clock() - began > warm_s then break end
  fresh:draw(frame)
end
began = thatch.clock()
while checked < 8 or thatch.clock() - began < window_s do
  local frame = number % frames
  if number % 2 == 0 then old_ms[#old_ms + 1] = draw(d, frame) end
  fresh_ms[#fresh_ms + 1] = draw(fresh, frame)
  if number % 2 == 1 then old_ms[#old_ms + 1] = draw(d, frame) end
  if fresh.frame:hash() ~= d.frame:hash() then
    common.fail('soak: frame %d is another picture than of a fresh start', frame)
  end
  number, checked = number + 1, checked + 1
end

local slope_mb_h = slope(points) * 3600
local old_p99, fresh_p99 = p99(old_ms), p99(fresh_ms)
print(('soak: %s at %s, %sx%s: %d frames in %.1f minutes'):format(scene, quality, width, height, drawn, minutes))
print(('memory: %.1f to %.1f MB, slope %+.2f MB an hour; runtime %+d bytes, Lua %+.0f KiB'):format(rss_first, rss_last,
  slope_mb_h, runtime_last - runtime_first, lua_last - lua_first))
print(('frames: median %.2f ms; 99th percentile %.2f ms in the first %.0f s, %.2f ms in the last'):format(
  stats.median(last), p99(first), window_s, p99(last)))
print(('in turns: median %.2f ms, a fresh start %.2f ms; 99th percentile %.2f ms, a fresh start %.2f ms'):format(
  stats.median(old_ms), stats.median(fresh_ms), old_p99, fresh_p99))
print(('pictures: %d of the last as of a fresh start, %d frames of the loop the same in each round'):format(checked,
  math.max(0, math.min(frames, drawn - frames))))
-- Short runs see the steps in which memory is taken, not a slope: only what is left is judged.
local grew = minutes >= 30 and slope_mb_h > MOST_SLOPE_MB_H or runtime_last - runtime_first > 65536
  or rss_last - rss_first > 16
if grew then print('memory grew') end
local slower = minutes >= 30 and old_p99 > fresh_p99 * MOST_SLOWER
if slower then print('frames became slower') end
return (grew or slower) and 1 or 0
