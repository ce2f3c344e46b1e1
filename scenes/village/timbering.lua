--- What stands on a wall's face: timber framing, the stone foot, a corner where plaster came off.
local maths = require('thatch.math')
local noise = require('village.noise')

local M = {}
local max, min, floor = math.max, math.min, math.floor
local srgb = maths.srgb

--- The upright, level and slanting timbers of a framed wall.
function M.framing(self, wall, options)
  local wood = self:part('timber')
  local L, y0, y1 = wall.length, wall.y0, wall.y1
  local function post(s, a, b, w)
    local c = noise.cell(floor(s * 10), floor(a * 10 + wall.ax * 3 + 200), 9)
    local shade = 0.82 + 0.3 * c
    wood:color({ self.timber[1] * shade, self.timber[2] * shade, self.timber[3] * shade }, 0.85)
    local p, q = wall:at(s, a, 0.02), wall:at(s + (c - 0.5) * 0.03, b, 0.02)
    wood:beam(p[1], p[2], p[3], q[1], q[2], q[3], 0.1, w or 0.17, 1)
  end
  local function rail(s, t, y, h)
    wood:color(self.timber, y > y1 - 0.4 and 0.6 or 0.85)
    wall:box(wood, (s + t) / 2, y, 0.02, t - s, h or 0.17, 0.104, { u = s, skip = 'z' })
  end
  local function brace(s, a, t, b)
    wood:color(self.timber, 0.85)
    local p, q = wall:at(s, a, 0.025), wall:at(t, b, 0.025)
    wood:beam(p[1], p[2], p[3], q[1], q[2], q[3], 0.1, 0.13, 1)
  end
  local stops = { 0.08, L - 0.08 }
  for i = 1, #wall.openings do
    local o = wall.openings[i]
    stops[#stops + 1] = o.at - o.w / 2 - (o.kind == 'door' and 0.19 or 0.09)
    stops[#stops + 1] = o.at + o.w / 2 + (o.kind == 'door' and 0.19 or 0.09)
  end
  table.sort(stops)
  rail(0, L, y1 - 0.09, 0.2)
  if not options.foot then rail(0, L, y0 + 0.09, 0.18) end
  for i = 1, #stops do post(stops[i], y0, y1) end
  for i = 1, #stops - 1 do
    local a, b = stops[i], stops[i + 1]
    local opening = false
    for k = 1, #wall.openings do
      local o = wall.openings[k]
      if o.at > a and o.at < b then
        opening = true
        if o.kind == 'window' then post((a + b) / 2, y0, y0 + o.y - 0.06, 0.14) end
      end
    end
    if not opening and b - a > 0.7 then
      local middle = y0 + (y1 - y0) * 0.55
      rail(a, b, middle, 0.14)
      if b - a > 1.7 then post((a + b) / 2, y0, y1, 0.15) end
      if i % 2 == 0 then
        brace(a + 0.06, y0 + 0.15, min(b, a + (b - a > 1.7 and (b - a) / 2 or b - a)) - 0.06, middle - 0.06)
      else
        brace(max(a, b - (b - a > 1.7 and (b - a) / 2 or b - a)) + 0.06, middle - 0.06, b - 0.06, y0 + 0.15)
      end
      if b - a > 1.0 then brace(a + 0.06, middle + 0.08, a + min(1.0, b - a) - 0.05, y1 - 0.2) end
    end
  end
end

--- A foot of fieldstone under plaster, timber or boards.
function M.plinth(self, wall)
  local stone = self:part('fieldstone')
  stone:color(srgb('#D8D2C2'), 0.72)
  local stops = { 0, wall.length }
  for i = 1, #wall.openings do
    local o = wall.openings[i]
    if o.kind ~= 'window' then stops[#stops + 1] = o.at - o.w / 2 - 0.13; stops[#stops + 1] = o.at + o.w / 2 + 0.13 end
  end
  table.sort(stops)
  for i = 1, #stops, 2 do
    local a, b = stops[i], stops[i + 1]
    if i == 1 then a = a - 0.05 end
    if i + 1 == #stops then b = b + 0.05 end
    if b - a > 0.02 then
      wall:box(stone, (a + b) / 2, -0.04, -0.005, b - a, 0.92, 0.09, { metres = 2, u = a / 2, sky_bottom = 0.5,
        sky_top = 0.85, skip = 'zy' })
    end
  end
end

--- Plaster that has come off a corner: bricks show.
function M.bare_corner(self, wall)
  local r = maths.random(self.seed, floor(wall.ax * 3 + 64), floor(wall.az * 3 + 64))
  if r > 0.55 then return end
  local brick = self:part('brick')
  local s = r < 0.3 and 0.0 or wall.length
  local side = s == 0 and 1 or -1
  local y = 0.6 + r * 1.6
  local first = brick.count
  local n = 9
  local function put(ps, py)
    local p = wall:at(ps, py, -0.004)
    brick:vertex(p[1], p[2], p[3], wall.nx, 0, wall.nz, ps / 1.5, -py / 1.2, 0.8, 0.74, 0.7, 0.9)
  end
  put(s, y)
  for i = 0, n do
    local a = -1.5708 + i / n * 3.1416
    local q = 0.34 + 0.3 * maths.random(self.seed, i, 77)
    put(s + side * maths.cos(a) * q, y + maths.sin(a) * q * 1.3)
  end
  for i = 1, n do
    if side > 0 then brick:triangle(first, first + i, first + i + 1) else brick:triangle(first, first + i + 1,
      first + i) end
  end
end

--- Timbers in a gable.
function M.gable(self, wall, top)
  local wood = self:part('timber')
  wood:color(self.timber, 0.8)
  local L, y1 = wall.length, wall.y1
  for i = 1, 5 do
    local s = L * i / 6
    local p, q = wall:at(s, y1, 0.02), wall:at(s, top(s) - 0.1, 0.02)
    wood:beam(p[1], p[2], p[3], q[1], q[2], q[3], 0.1, 0.15, 1)
  end
  local y = y1 + (top(L / 2) - y1) * 0.45
  local half = (1 - 0.45) * L / 2
  wall:box(wood, L / 2, y, 0.02, half * 2, 0.15, 0.1, {})
end

return M
