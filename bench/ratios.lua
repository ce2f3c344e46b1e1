--- Reads lines 'SCENE SIZE NAME MS' and prints, for each scene and size, the median ms of both programs and the median
--- of the ratios of each round: ./thatch run bench/ratios.lua FILE OURS THEIRS
local stats = require('stats')

local path, ours, theirs = ...
if not theirs then error('need FILE OURS THEIRS', 0) end

local rows, order = {}, {}
for line in io.lines(path) do
  local scene, size, name, ms = line:match('^(%S+) (%S+) (%S+) (%S+)$')
  ms = tonumber(ms)
  if not ms or ms <= 0 then error(('%s: what is this line? %s'):format(path, line), 0) end
  local key = scene .. ' ' .. size
  if not rows[key] then
    rows[key] = { scene = scene, size = size, [ours] = {}, [theirs] = {} }
    order[#order + 1] = key
  end
  local list = rows[key][name]
  if not list then error(('%s: who is %s?'):format(path, name), 0) end
  list[#list + 1] = ms
end

io.write(('| scene | size | rounds | %s ms | %s ms | times as fast |\n'):format(ours, theirs),
  '| --- | --- | --- | --- | --- | --- |\n')
for _, key in ipairs(order) do
  local row, ratios = rows[key], {}
  for i = 1, math.min(#row[ours], #row[theirs]) do ratios[i] = row[theirs][i] / row[ours][i] end
  io.write(('| %s | %s | %d | %.2f | %.2f | %.2f (%.2f .. %.2f) |\n'):format(row.scene, row.size, #ratios,
    stats.median(row[ours]), stats.median(row[theirs]), stats.median(ratios), stats.percentile(ratios, 0),
    stats.percentile(ratios, 1)))
end
