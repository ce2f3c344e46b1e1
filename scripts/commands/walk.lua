--- walk [SCENE]: the main job. In a window where there is a display; else the scripted walk, with pictures of it.
local common = require('commands.common')

local M = { rest = true }

function M.describe(parser)
  parser:argument('scene', 'A scene of scenes/, or a Lua file.', 'village')
  common.add_drawing(parser, { quality = 'medium', size = '1280x720' })
  parser:flag('--headless', 'The scripted walk, as without a display.')
  parser:flag('--scripted', 'In the window, follow the scripted walk.')
  parser:option('--frames', 'Headless: frames of the scripted walk; all when left out.')
    :convert(common.whole('frames', 1, 100000))
  parser:option('--seconds', 'In the window: leaves by itself after so long.')
    :convert(common.whole('seconds', 1, 86400))
  parser:option('--out', 'Headless: folder of the pictures.', 'out/walk'):convert(common.name)
  parser:epilog('What follows -- goes to the scene.')
end

--- The scene's places, or ten frames spread over the walk.
local function places_of(driver)
  if driver.scene.places and #driver.scene.places > 0 then return driver.scene.places end
  local places = {}
  for i = 1, 10 do
    places[i] = { name = ('%02d'):format(i), frame = math.floor((i - 1) * driver:frame_count() / 10) }
  end
  return places
end

local function pictures(driver, out)
  local progress = require('progress').new('pictures')
  local places = places_of(driver)
  for i, place in ipairs(places) do
    driver:draw_place(place)
    local path = ('%s/%02d_%s.png'):format(out, i, (place.name:gsub('[^%w]+', '_')))
    local pixels, _, width, height = driver:pixels()
    common.write_picture(path, pixels, width, height)
    progress:update(i / #places, place.name)
  end
  progress:finish(('%s: %d pictures'):format(out, #places))
end

--- The scripted walk without a display.
local function headless(options, rest)
  local driver = common.headless(options, rest)
  common.make_folder(options.out)
  pictures(driver, options.out)
  local video = require('video')
  local path = options.out:gsub('/+$', '') .. '.mp4'
  local sides = math.min(options.size[1], options.size[2])
  local film = video.available() and sides > 1 and video.open(path, options.size[1], options.size[2]) or nil
  if not film then
    io.stderr:write(sides > 1 and 'ffmpeg is not installed' or 'a side is 1 pixel, need 2', ': no video\n')
  end
  local times = require('commands.stage_table').new()
  local progress = require('progress').new('walking')
  local frames = options.frames or driver:frame_count()
  for number = 0, frames - 1 do
    driver:draw(number)
    times:add(driver)
    if film then film:add(driver:pixels()) end
    progress:update((number + 1) / frames)
  end
  if film then film:finish() end
  progress:finish(film and path .. ': ' .. frames .. ' frames' or nil)
  io.stdout:write(times:text())
end

function M.run(options, rest)
  if options.headless then return headless(options, rest) end
  local available, why = require('thatch').window.available()
  if not available then
    io.stderr:write('thatch: there is no display; walking the scripted path without one (',
      (why:gsub('^window: ', '')), ')\n')
    return headless(options, rest)
  end
  common.start(options)
  local driver = common.driver(options, rest)
  local window = require('player_window').new(driver, options)
  window:load()
  window:note(('%s: press H for the keys, click to look around'):format(driver.name), 6)
  window:run()
end

return M
