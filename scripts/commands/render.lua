--- render SCENE --frames A-B --out DIR (or .mp4): a sequence of frames; takes up where it stopped.
local common = require('commands.common')
local leftovers = require('leftovers')

-- Endings that nobody gives a folder.
local OTHERS = require('thatch.check').set('png jpg jpeg bmp tga gif webp mkv webm avi mov')
local M = { rest = true }

local LAST = 100000000

local function range(text)
  local a, b = text:match('^(%d+)%-(%d+)$')
  if not a then a, b = text:match('^(%d+)$'), text:match('^(%d+)$') end
  a, b = tonumber(a), tonumber(b)
  if not a then return nil, ("frames is '%s', need A-B, like 0-239"):format(text) end
  if b > LAST then return nil, ("frames is '%s', need frames of 0 .. %d"):format(text, LAST) end
  if b < a then return nil, ("frames is '%s', need the first before the last, like %d-%d"):format(text, b, a) end
  return { a, b }
end

function M.describe(parser)
  parser:argument('scene', 'A scene of scenes/, or a Lua file.')
  common.add_drawing(parser, { quality = 'high', size = '1920x1080' })
  parser:option('--frames', 'First and last frame, A-B.', '0-239'):convert(range)
  parser:option('--out', 'A folder for frame_NNNNNN.png, or a name that ends in .mp4.'):convert(common.name)
  parser:flag('--force', 'Draws frames again that are already there.')
  parser:epilog('What follows -- goes to the scene.')
end

--- What makes the frames of a folder belong together.
local function job_text(options, rest)
  return table.concat({
    'scene ' .. options.scene, 'quality ' .. options.quality, ('size %dx%d'):format(options.size[1], options.size[2]),
    'pipeline ' .. (options.pipeline or ''), 'seed ' .. options.seed, 'hour ' .. (options.hour or ''),
    'weather ' .. (options.weather or ''),
    'arguments ' .. table.concat(rest, ' '), '',
  }, '\n')
end

local OLD = 600 -- seconds: nothing takes so long to write

local function to_folder(options, rest)
  local lfs = require('lfs')
  common.make_folder(options.out)
  local job_path = options.out .. '/render.txt'
  local job, before = job_text(options, rest), require('loader').read(options.out .. '/render.txt')
  if before and before ~= job and not options.force then
    common.fail('%s holds frames of another job (see render.txt): take another folder, or --force', options.out)
  end
  leftovers.sweep(options.out, '%.tmp%.(%d+)$', OLD, os.remove, function(name) -- these frames are ours to draw
    local number = tonumber(name:match('^frame_(%d+)%.png%.tmp%.'))
    return number ~= nil and number >= options.frames[1] and number <= options.frames[2]
  end)
  local function path_of(number) return ('%s/frame_%06d.png'):format(options.out, number) end
  local todo = {}
  for number = options.frames[1], options.frames[2] do
    local size = lfs.attributes(path_of(number), 'size')
    if options.force or not size or size == 0 then todo[#todo + 1] = number end
  end
  local total = options.frames[2] - options.frames[1] + 1
  if #todo == 0 then
    io.stderr:write(('%s: all %d frames are there\n'):format(options.out, total))
    return
  end
  if #todo < total then
    io.stderr:write(('%s: %d of %d frames are there\n'):format(options.out, total - #todo, total))
  end
  local driver = common.headless(options, rest)
  common.write_text(job_path, job)
  local progress = require('progress').new('rendering')
  for i, number in ipairs(todo) do
    driver:draw(number)
    local pixels, _, width, height = driver:pixels()
    common.write_picture(path_of(number), pixels, width, height)
    progress:update(i / #todo, ('frame %d'):format(number))
  end
  progress:finish(('%s: %d frame%s'):format(options.out, total, total == 1 and '' or 's'))
end

local function to_video(options, rest)
  local video = require('video')
  if options.size[1] < 2 or options.size[2] < 2 then
    common.usage('size is %dx%d, need sides of 2 or more for a video', options.size[1], options.size[2])
  end
  if not video.available() then common.fail('%s: ffmpeg is not installed', options.out) end
  common.make_parent(options.out)
  local driver = common.headless(options, rest)
  local out = video.open(options.out, options.size[1], options.size[2])
  local progress = require('progress').new('rendering')
  local first, last = options.frames[1], options.frames[2]
  for number = first, last do
    driver:draw(number)
    out:add(driver:pixels())
    progress:update((number - first + 1) / (last - first + 1), ('frame %d'):format(number))
  end
  out:finish()
  progress:finish(('%s: %d frames'):format(options.out, last - first + 1))
end

function M.run(options, rest)
  options.out = options.out or 'out/render/' .. options.scene:gsub('[^%w]+', '_')
  local ending = options.out:lower():match('%.(%w+)$')
  if ending == 'mp4' then return to_video(options, rest) end
  if ending and OTHERS[ending] then
    common.usage("out is '%s', need a folder, or a name that ends in .mp4", options.out)
  end
  return to_folder(options, rest)
end

return M
