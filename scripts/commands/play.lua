--- play SCENE: any scene in a window; a model (.glb, .gltf) on a turntable. --headless writes pictures instead.
local common = require('commands.common')

local M = { rest = true }

function M.describe(parser)
  parser:argument('scene', 'A scene of scenes/, a Lua file, or a model: .glb or .gltf.')
  common.add_drawing(parser, { quality = 'medium', size = '1280x720' })
  parser:flag('--scripted', 'Follow the scripted walk.')
  parser:option('--seconds', 'Leaves by itself after so long.'):convert(common.whole('seconds', 1, 86400))
  parser:flag('--headless', 'No window: writes frames of the scripted walk as pictures.')
  parser:option('--frames', 'Frames with --headless.'):convert(common.whole('frames', 1, 100000000))
  parser:option('--out', 'Folder for the pictures of --headless.'):convert(common.name)
  parser:epilog('What follows -- goes to the scene.')
end

--- What a model holds, and what of it is not drawn.
local function tell(driver)
  local state = driver.state
  if not state.model or not driver.scene.describe then return end
  io.stdout:write(driver.scene.describe(state.model), '\n')
  for _, line in ipairs(state.model.warnings) do io.stdout:write('  ', line, '\n') end
  io.stdout:flush()
end

local function write_frames(options, rest)
  local driver = common.headless(options, rest)
  tell(driver)
  local folder = options.out or 'out/play/' .. options.scene:gsub('[^%w]+', '_')
  common.make_folder(folder)
  local count = options.frames or 1
  local progress = require('progress').new('drawing')
  for number = 0, count - 1 do
    driver:draw(number)
    local pixels, _, width, height = driver:pixels()
    common.write_picture(('%s/frame_%06d.png'):format(folder, number), pixels, width, height)
    progress:update((number + 1) / count, ('frame %d'):format(number))
  end
  progress:finish(('%s: %d frame%s'):format(folder, count, count == 1 and '' or 's'))
end

function M.run(options, rest)
  if options.headless then return write_frames(options, rest) end
  if options.frames or options.out then common.usage('--frames and --out go with --headless') end
  local driver = common.driver(options, rest) -- wrong names come before a missing display
  local available, why = require('thatch').window.available()
  if not available then
    common.fail('there is no display: %s; pictures without one: --headless --frames N --out FOLDER, ./thatch shot, ' ..
      './thatch render', (why:gsub('^window: ', '')))
  end
  common.start(options)
  local window = require('player_window').new(driver, options)
  if window:load() then tell(driver) end
  window:run()
end

return M
