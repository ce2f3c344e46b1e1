--- The iron cage of a lantern, and the light in it.
local M = {}

--- Heights are over y. `roof`, `cap`, `foot` and `light`: { height, wide, high }; `bars`: { height, thick, high, out }.
function M.cage(iron, glow, x, y, z, shape)
  local function plate(p)
    if p then iron:box(x, y + p[1], z, p[2], p[3], p[2]) end
  end
  plate(shape.roof)
  plate(shape.cap)
  plate(shape.foot)
  local b = shape.bars
  for i = -1, 1, 2 do
    for k = -1, 1, 2 do iron:box(x + i * b[4], y + b[1], z + k * b[4], b[2], b[3], b[2]) end
  end
  glow:color({ 1, 0.9, 0.7 }, 1)
  glow:box(x, y + shape.light[1], z, shape.light[2], shape.light[3], shape.light[2])
end

return M
