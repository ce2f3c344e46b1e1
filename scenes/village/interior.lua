--- Within a building: floors and ceilings, stairs, partitions.
local maths = require('thatch.math')

local M = {}
local max, min, ceil, floor = math.max, math.min, math.ceil, math.floor
local INSIDE = maths.srgb('#FFF0D8')
local DADO = 0.78 -- metres of the wash on a room's walls

local function smooth(a, b, x)
  local t = max(0, min(1, (x - a) / (b - a)))
  return t * t * (3 - 2 * t)
end

-- One side of a slab: its floor (side 0) or its ceiling, darker towards the walls of the room.
local function boards(wood, r, x0, x1, z0, z1, y, side)
  local nx, nz = max(1, ceil((r[2] - r[1]) / 1.5)), max(1, ceil((r[4] - r[3]) / 1.5))
  local first = wood.count
  local c = side == 0 and 0.5 or 0.76
  for j = 0, nz do
    for k = 0, nx do
      local x, z = r[1] + (r[2] - r[1]) * k / nx, r[3] + (r[4] - r[3]) * j / nz
      local edge = min(x - x0, x1 - x, z - z0, z1 - z)
      local sky = 0.5 + 0.42 * smooth(0, 1.2, edge)
      wood:vertex(x, y, z, 0, side == 0 and 1 or -1, 0, x / 1.2, z / 1.2, c * 1.25, c * 0.86, c * 0.55, sky)
    end
  end
  wood:sheet(first, nz, nx + 1, side == 0)
end

-- Beams below a ceiling; those that the stair's hole cuts end at its edge.
local function ceiling_beams(self, x0, x1, z0, z1, y, hole)
  local beams, t = self:part('timber'), self.timber
  beams:color({ min(1, t[1] * 1.5), min(1, t[2] * 1.5), min(1, t[3] * 1.5) }, 0.75)
  local n = max(2, floor((x1 - x0) / 1.3))
  for i = 1, n - 1 do
    local x = x0 + (x1 - x0) * i / n
    local cut = hole and x > hole[1] - 0.1 and x < hole[2] + 0.1
    beams:beam(x, y, z1, x, y, cut and hole[4] + 0.06 or z0, 0.16, 0.18, 1)
  end
end

-- The hole's trimmed edge and a rail round it.
local function stair_rail(self, y, thick, hole)
  local beams = self:part('timber')
  beams:color(self.timber, 0.75)
  beams:box((hole[1] + hole[2]) / 2, y - thick / 2, hole[4] + 0.03, hole[2] - hole[1], thick + 0.02, 0.06)
  beams:box(hole[1] - 0.03, y - thick / 2, (hole[3] + hole[4]) / 2, 0.06, thick + 0.02, hole[4] - hole[3])
  beams:box(hole[2] + 0.03, y - thick / 2 - 0.01, (hole[3] + hole[4]) / 2, 0.06, thick, hole[4] - hole[3])
  local y2 = y + 0.92
  beams:box((hole[1] + hole[2]) / 2, y2, hole[4] + 0.05, hole[2] - hole[1] + 0.1, 0.07, 0.08)
  beams:box(hole[1] - 0.05, y2, (hole[3] + hole[4]) / 2, 0.08, 0.07, hole[4] - hole[3])
  local posts = floor((hole[2] - hole[1]) / 0.3)
  for i = 0, posts do
    beams:box(hole[1] - 0.05 + (hole[2] - hole[1] + 0.05) * i / posts, y + 0.44, hole[4] + 0.05, 0.05, 0.9, 0.05,
      { skip = 'yY' })
  end
  self:solid((hole[1] + hole[2]) / 2, hole[4] + 0.05, (hole[2] - hole[1]) / 2, 0.05, 0, y, y2)
  self:solid(hole[1] - 0.05, (hole[3] + hole[4]) / 2, 0.05, (hole[4] - hole[3]) / 2, 0, y, y2)
end

--- A slab: floor above, ceiling below, with an optional hole { x0, x1, z0, z1 } for a stair.
function M.slab(self, x0, x1, z0, z1, y, thick, hole, options)
  local o = options or {}
  self.within = true
  local rects = { { x0, x1, z0, z1 } }
  if hole then
    rects = { { x0, hole[1], z0, z1 }, { hole[2], x1, z0, z1 }, { hole[1], hole[2], z0, hole[3] },
      { hole[1], hole[2], hole[4], z1 } }
  end
  local wood = self:part('planks')
  for i = 1, #rects do
    local r = rects[i]
    if r[2] - r[1] > 0.01 and r[4] - r[3] > 0.01 then
      self:floor((r[1] + r[2]) / 2, (r[3] + r[4]) / 2, (r[2] - r[1]) / 2, (r[4] - r[3]) / 2, 0, y)
      if not o.no_top then boards(wood, r, x0, x1, z0, z1, y, 0) end
      if not o.no_ceiling then boards(wood, r, x0, x1, z0, z1, y - thick, 1) end
    end
  end
  if not o.no_beams then ceiling_beams(self, x0, x1, z0, z1, y - thick - 0.08, hole) end
  if hole then stair_rail(self, y, thick, hole) end
  self.within = false
end

--- A straight stair that climbs along +x from x0 to x1, between z0 and z1.
function M.stair(self, x0, x1, z0, z1, y0, y1)
  self.within = true
  local wood = self:part('timber')
  local n = ceil((y1 - y0) / 0.19)
  local run, rise = (x1 - x0) / n, (y1 - y0) / n
  for i = 1, n do
    wood:color({ 0.62, 0.43, 0.28 }, 0.75)
    wood:box(x0 + (i - 0.5) * run - 0.01, y0 + i * rise - 0.02, (z0 + z1) / 2, run + 0.03, 0.04, z1 - z0,
      { across = true, v = i * 0.23 })
    wood:color({ 0.5, 0.34, 0.22 }, 0.6)
    wood:box(x0 + (i - 1) * run + 0.02, y0 + (i - 0.5) * rise - 0.02, (z0 + z1) / 2, 0.025, rise, z1 - z0 - 0.02,
      { across = true })
  end
  wood:color({ min(1, self.timber[1] * 1.4), min(1, self.timber[2] * 1.4), min(1, self.timber[3] * 1.4) }, 0.8)
  for k = 0, 1 do
    local z = k == 0 and z1 - 0.02 or z0 + 0.03
    wood:beam(x0, y0 + 0.02, z, x1, y1 - 0.12, z, 0.05, 0.26, 1)
  end
  for i = 0, 5 do
    local x = x0 + (x1 - x0) * (i + 0.3) / 6
    wood:box(x, y0 + (y1 - y0) * (i + 0.3) / 6 + 0.45, z1 - 0.02, 0.05, 0.9, 0.05, { skip = 'yY' })
  end
  wood:beam(x0 + 0.1, y0 + 0.92, z1 - 0.02, x1 - 0.2, y1 + 0.78, z1 - 0.02, 0.07, 0.07, 1)
  self:floor((x0 + x1) / 2, (z0 + z1) / 2, (x1 - x0) / 2, (z1 - z0) / 2, 0, y0, y1)
  self.within = false
end

--- A wall within: plastered on both sides, with a gap to walk through.
function M.partition(b, x, z0, z1, y0, y1, gap)
  b.within = true
  local part = b:part('plaster')
  local c = INSIDE
  local thick = 0.14
  local function piece(a, e, bottom)
    local low = bottom == y0 and y0 + DADO or bottom
    if low > bottom then
      part:color(b.dado, 0.75)
      part:box(x, (bottom + low) / 2, (a + e) / 2, thick, low - bottom, e - a,
        { metres = 2.4, sky_bottom = 0.6, sky_top = 0.68, skip = 'yY' })
    end
    part:color(c, 0.75)
    part:box(x, (low + y1) / 2, (a + e) / 2, thick, y1 - low, e - a,
      { metres = 2.4, sky_bottom = 0.68, sky_top = 0.7, skip = low > bottom and 'yY' or 'Y' })
    if bottom == y0 then b:solid(x, (a + e) / 2, thick / 2, (e - a) / 2, 0, y0, y1) end
  end
  piece(z0, gap - 0.5, y0)
  piece(gap + 0.5, z1, y0)
  piece(gap - 0.5, gap + 0.5, y0 + 2.05)
  local wood = b:part('timber')
  wood:color(b.timber, 0.8)
  for i = -1, 1, 2 do wood:box(x, y0 + 1.02, gap + i * 0.5, thick + 0.05, 2.05, 0.09, { skip = 'y' }) end
  wood:box(x, y0 + 2.09, gap, thick + 0.05, 0.12, 1.18, { across = true })
  b.within = false
end

return M
