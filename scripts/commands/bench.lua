--- bench SCENE: the scripted walker, timed; one JSON object on standard output.
local common = require('commands.common')

local M = { rest = true }

function M.describe(parser)
  parser:argument('scene', 'A scene of scenes/, or a Lua file.')
  common.add_drawing(parser, { quality = 'low', size = '1920x1080' })
  parser:option('--frames', 'Frames that are measured.', '240'):convert(common.whole('frames', 1, 100000))
  parser:option('--warmup', 'Frames that are drawn before.', '8'):convert(common.whole('warmup', 0, 100000))
  parser:option('--hash-each', "Writes a line 'frame hash' for each frame to a file.")
  parser:option('--montage', "Writes the scene's places, labelled, as one picture: PNG or JPEG.")
  parser:epilog('What follows -- goes to the scene.')
end

local function result(options, driver, times, digest)
  local json, stats, thatch = require('json'), require('stats'), require('thatch')
  local frame_w, frame_h, window_w, window_h = driver.frame:size()
  local stages, counts = {}, {}
  for _, name in ipairs(times.order) do stages[#stages + 1] = { name, stats.summary(times.stages[name]) } end
  for _, name in ipairs({
    'parts', 'triangles_in', 'triangles_setup', 'triangles_binned', 'pixels_tested', 'pixels_shaded', 'blades',
  }) do
    counts[#counts + 1] = { name, stats.median(times.counts[name]) }
  end
  local median = stats.median(times.frame_ms)
  return json.encode(json.object({
    { 'scene', options.scene }, { 'quality', options.quality }, { 'window', { window_w, window_h } },
    { 'frame', { frame_w, frame_h } }, { 'threads', thatch.threads() }, { 'isa', thatch.isa() },
    { 'cpu', thatch.cpu() }, { 'frames', options.frames }, { 'warmup', options.warmup }, { 'load_s', driver.load_s },
    { 'memory_mib', common.memory_mib() }, { 'frame_ms', stats.summary(times.frame_ms) },
    { 'fps_median', median > 0 and 1000 / median or 0 }, { 'stages', json.object(stages) },
    { 'counts', json.object(counts) }, { 'hash', digest },
  }))
end

function M.run(options, rest)
  if options.montage then
    common.check_picture_name(options.montage)
    if options.size[1] < 2 or options.size[2] < 2 then
      common.usage('size is %dx%d, need sides of 2 or more for a montage', options.size[1], options.size[2])
    end
  end
  local mode = options.hash_each and require('lfs').attributes(options.hash_each, 'mode')
  if mode and mode ~= 'file' then common.fail('%s', require('loader').no_file(options.hash_each)) end
  local driver = common.headless(options, rest)
  local times = require('commands.stage_table').new()
  local progress = require('progress').new('bench')
  local hash = require('thatch').hash.begin()
  local lines = {}
  local total = options.warmup + options.frames
  for number = 0, options.warmup - 1 do
    driver:draw(number)
    progress:update((number + 1) / total, 'warming up')
  end
  for number = 0, options.frames - 1 do
    driver:draw(number)
    times:add(driver)
    hash:add(driver:pixels())
    if options.hash_each then lines[#lines + 1] = ('%d %s\n'):format(number, driver.frame:hash()) end
    progress:update((options.warmup + number + 1) / total)
  end
  progress:finish()
  if options.hash_each then common.write_text(options.hash_each, table.concat(lines)) end
  if options.montage then
    common.write_picture(options.montage, require('commands.montage').draw(driver))
  end
  io.stdout:write(result(options, driver, times, hash:finish()), '\n')
end

return M
