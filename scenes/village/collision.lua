--- What feet and shoulders meet, in the walk's own terms: boxes, cylinders, floors and ramps, doors, water, the
--- ground.

---@class village.Collision
---@field height fun(x: number, z: number): number
local Collision = {}
Collision.__index = Collision

local M = {}

---@return village.Collision
function M.new(height)
  return setmetatable({ height = height, boxes = {}, cylinders = {}, floors = {}, doors = {} }, Collision)
end

---@param seat? boolean one that the villagers' ways do not go round
function Collision:box(x, z, hx, hz, yaw, bottom, top, seat)
  self.boxes[#self.boxes + 1] = { x = x, z = z, half_x = hx, half_z = hz, yaw = yaw, bottom = bottom, top = top,
    seat = seat }
end

--- The boxes without the seats.
function Collision:fixed_boxes()
  local list = {}
  for i = 1, #self.boxes do
    if not self.boxes[i].seat then list[#list + 1] = self.boxes[i] end
  end
  return list
end

function Collision:post(x, z, r, bottom, top)
  self.cylinders[#self.cylinders + 1] = { x = x, z = z, r = r, bottom = bottom, top = top }
end

--- A floor; a ramp when y1 (at its +x end) is another height.
function Collision:floor(x, z, hx, hz, yaw, y, y1)
  self.floors[#self.floors + 1] = { x = x, z = z, half_x = hx, half_z = hz, yaw = yaw, y0 = y, y1 = y1 or y }
end

--- The highest floor at a point that is no more than `climb` above `y`; the ground where there is none.
function Collision:stand(x, z, y, climb)
  local maths = require('thatch.math')
  local best = self.height(x, z)
  for i = 1, #self.floors do
    local f = self.floors[i]
    local dx, dz = x - f.x, z - f.z
    local c, s = maths.cos(f.yaw), maths.sin(f.yaw)
    local lx, lz = dx * c - dz * s, dx * s + dz * c
    if lx >= -f.half_x and lx <= f.half_x and lz >= -f.half_z and lz <= f.half_z then
      local top = f.y0 + (f.y1 - f.y0) * (lx + f.half_x) / (2 * f.half_x)
      if top <= y + climb and top > best then best = top end
    end
  end
  return best
end

return M
