--- shot SCENE --frame N --out F.png: one frame, without a display.
local common = require('commands.common')

local M = { rest = true }

function M.describe(parser)
  parser:argument('scene', 'A scene of scenes/, or a Lua file.')
  common.add_drawing(parser, { quality = 'high', size = '1920x1080' })
  parser:option('--frame', 'Frame of the scripted walk; 0 when left out.'):convert(common.whole('frame', 0, 100000000))
  parser:option('--place', "One of the scene's places, by its name or its number, instead of a frame.")
  parser:option('--out', 'PNG, or JPEG by its ending.', 'shot.png')
  parser:flag('--hash', "Prints the picture's hash.")
  parser:epilog('What follows -- goes to the scene.')
end

function M.run(options, rest)
  common.check_picture_name(options.out)
  if options.place and options.frame then common.usage('--frame and --place name two frames, need one of them') end
  local driver = common.headless(options, rest)
  if options.place then
    local place = driver:place(options.place)
    if not place then
      local names = {}
      for _, known in ipairs(driver.scene.places or {}) do names[#names + 1] = known.name end
      if #names == 0 then common.usage("place is '%s', but %s has no places; --frame N", options.place, driver.name) end
      common.usage("the scene has no place '%s'; known: %s", options.place, table.concat(names, ', '))
    end
    driver:draw_place(place)
  else
    driver:draw(options.frame or 0)
  end
  local pixels, _, width, height = driver:pixels()
  common.write_picture(options.out, pixels, width, height)
  if options.hash then io.stdout:write(driver.frame:hash(), '\n') end
  io.stderr:write(('%s: %dx%d, drawn in %.1f ms\n'):format(options.out, width, height, driver.frame_ms))
end

return M
