--- Doors: data for the walk, which turns them; on the scripted walk they open as the walker comes near.
local maths = require('thatch.math')

local M = {}
local NEAR, FAR, OPEN = 1.5, 2.7, 1.62

--- Turns each leaf: by the walk's angle, or by the distance to the walker alone.
---@param state table
---@param view table
function M.update(state, view)
  local doors = state.doors
  for i = 1, #doors do
    local d = doors[i]
    if not view.interactive then
      local c, s = maths.cos(d.yaw), maths.sin(d.yaw)
      local half = d.width * 0.5
      local dx, dz = view.eye[1] - (d.x + c * half), view.eye[3] - (d.z - s * half)
      local dy = view.eye[2] - 1.65 - d.y
      local distance = maths.sqrt(dx * dx + dz * dz)
      local t = 0
      if dy > -1.5 and dy < 1.5 and d.on_walk then t = maths.smoothstep(FAR, NEAR, distance) end
      if t > 0 and FAR > NEAR then t = maths.clamp(t, 0, 1) end
      d.angle = t * OPEN * d.sign
    end
    if d.angle ~= d.shown then
      d.node:set_rotation_y(d.yaw + d.angle)
      d.shown = d.angle
    end
  end
end

return M
