--- A small room that turns, as a scene of its own: for specs of the driver and the commands.
local support = require('tests.specs.support')

local M = { title = 'room', frames = 48 }

function M.load(ctx)
  ctx.progress(0.5, 'walls')
  local state = support.room()
  state.scene:set_moving({ state.node })
  ctx.progress(1)
  return state
end

function M.update(state, _, time_s)
  state.node:set_rotation_y(time_s)
end

function M.walk(_, number)
  return { eye = { number * 0.02, 1.6, 4 }, target = { 0, 0.8, 0 } }
end

function M.collide()
  return { height = function() return 0 end, start = { x = 0, z = 4, yaw = 0 } }
end

M.places = { { name = 'door', frame = 0 }, { name = 'hearth', frame = 24 } }

return M
