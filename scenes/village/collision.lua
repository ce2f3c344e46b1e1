--- What feet and shoulders meet: boxes turned about y, posts, floors and ramps, and the ground.
local maths = require('thatch.math')

---@class village.Collision
---@field height fun(x: number, z: number): number the ground
---@field solids table[] boxes { x, z, hx, hz, c, s, y0, y1 } (c, s: cosine and sine of the turn) or posts { x, z, r, y0, y1 }
---@field floors table[] { x, z, hx, hz, c, s, y, y1 }: y at the box's -x end, y1 at its +x end
local Collision = {}
Collision.__index = Collision

local M = {}

---@return village.Collision
function M.new(height)
  return setmetatable({ height = height, solids = {}, floors = {} }, Collision)
end

function Collision:box(x, z, hx, hz, turn, y0, y1)
  self.solids[#self.solids + 1] = { x = x, z = z, hx = hx, hz = hz, c = maths.cos(turn), s = maths.sin(turn), y0 = y0, y1 = y1 }
end

function Collision:post(x, z, r, y0, y1)
  self.solids[#self.solids + 1] = { x = x, z = z, r = r, y0 = y0, y1 = y1 }
end

function Collision:floor(x, z, hx, hz, turn, y, y1)
  self.floors[#self.floors + 1] = {
    x = x, z = z, hx = hx, hz = hz, c = maths.cos(turn), s = maths.sin(turn), y = y, y1 = y1 or y,
  }
end

--- The highest floor at a point that is no more than `climb` above `y`; the ground where there is none.
function Collision:stand(x, z, y, climb)
  local best = self.height(x, z)
  for i = 1, #self.floors do
    local f = self.floors[i]
    local dx, dz = x - f.x, z - f.z
    local lx, lz = dx * f.c - dz * f.s, dx * f.s + dz * f.c
    if lx >= -f.hx and lx <= f.hx and lz >= -f.hz and lz <= f.hz then
      local top = f.y + (f.y1 - f.y) * (lx + f.hx) / (2 * f.hx)
      if top <= y + climb and top > best then best = top end
    end
  end
  return best
end

return M
