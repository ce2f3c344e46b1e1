--- play SCENE: any scene in a window.
local common = require('commands.common')

local M = { rest = true }

function M.describe(parser)
  parser:argument('scene', 'A scene of scenes/, or a Lua file.')
  common.add_drawing(parser, { quality = 'medium', size = '1280x720' })
  parser:flag('--scripted', 'Follow the scripted walk.')
  parser:option('--seconds', 'Leaves by itself after so long.'):convert(common.whole('seconds', 1, 86400))
  parser:epilog('What follows -- goes to the scene.')
end

function M.run(options, rest)
  local driver = common.driver(options, rest) -- wrong names come before a missing display
  if not require('thatch').window.available() then
    common.fail('there is no display; see ./thatch shot and ./thatch render')
  end
  common.start(options)
  local window = require('player_window').new(driver, options)
  window:load()
  window:run()
end

return M
