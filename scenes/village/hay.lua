--- Heaps of hay and straw.
local maths = require('thatch.math')
local noise = require('village.noise')

local M = {}
local cos, sin = maths.cos, maths.sin

--- A heap over y: so wide, deep and high; `lump` is how uneven, in `step`s up its height, `belly` how much it is drawn
--- in above the foot, `up` how far its normals look up; `u` and `v` count the texture round and up, `sky` is its
--- share at the foot, `sky_more` what is added to the top.
function M.heap(straw, x, y, z, h)
  local rings, sides = 5, h.sides
  local first = straw.count
  for j = 0, rings do
    local p = j / rings * 1.5708
    for i = 0, sides do
      local a = (i % sides) / sides * 6.2832
      local l = 1 + h.lump * noise.space(cos(a) * 2 + h.seed, j * h.step, sin(a) * 2, 12)
      local flat = cos(p) * (1 - h.belly * sin(p * 2))
      straw:vertex(x + cos(a) * flat * h.wide * l, y + sin(p) * h.high * l, z - sin(a) * flat * h.deep * l,
        cos(a) * cos(p), h.up + sin(p), -sin(a) * cos(p), i / sides * h.u, -j / rings * h.v, nil, nil, nil,
        h.sky + h.sky_more * j / rings)
    end
  end
  straw:sheet(first, rings, sides + 1)
end

return M
