--- Windows and doors in a wall: see building.lua for a wall's frame.
local maths = require('thatch.math')
local mesh = require('village.mesh')
local homely = require('village.homely')
local noise = require('village.noise')

local M = { THICK = 0.3 }
local THICK = M.THICK
local max, min, floor = math.max, math.min, math.floor
local srgb = maths.srgb

local FRAME = srgb('#E4DDCB')
local IRON = srgb('#3A3634')

-- A box of soil, leaves and blossoms below a window.
local function flower_box(self, wall, o)
  local wood = self:part('timber')
  wood:color(self.timber, 0.9)
  local y = wall.y0 + o.y - 0.12
  wall:box(wood, o.at, y, -0.15, o.w, 0.16, 0.2, {})
  local flora = self:part('flora')
  local hues = { srgb('#C2453A'), srgb('#E0D8CC'), srgb('#B85C8A'), srgb('#D9A23C') }
  local blossom = hues[1 + floor(maths.random(self.seed, floor(o.at * 10 + 300), 8) * 4)]
  local leaf = srgb('#55703A')
  for i = 1, floor(o.w * 90) do
    local s = o.at + (maths.random(self.seed, i, 21) - 0.5) * o.w * 1.02
    local up = maths.random(self.seed, i, 22)
    local out = -0.15 - (maths.random(self.seed, i, 23) - 0.4) * 0.26
    local p = wall:at(s, y + 0.06 + up * 0.22 - (out < -0.26 and 0.16 or 0), out)
    local bloom = i % 3 == 0
    local c = bloom and blossom or leaf
    local shade = 0.7 + 0.5 * maths.random(self.seed, i, 24)
    flora:color({ min(1, c[1] * shade), min(1, c[2] * shade), min(1, c[3] * shade) }, 0.65 + 0.35 * up)
    local r = bloom and 0.035 or 0.055
    local a = maths.random(self.seed, i, 25) * 6.28
    local ca, sa = maths.cos(a) * r, maths.sin(a) * r
    local lift = r * (bloom and 0.3 or 0.6)
    flora:quad({ p[1] - ca, p[2], p[3] - sa }, { p[1] + sa, p[2] + lift, p[3] - ca },
      { p[1] + ca, p[2] + 2 * lift, p[3] + sa },
      { p[1] - sa, p[2] + lift, p[3] + ca }, 1)
  end
end

--- A window: frame, bars, glass, sill, lintel, shutters.
function M.window(self, wall, o)
  local wood = self:part('timber')
  local yb, h, w = wall.y0 + o.y, o.h, o.w
  local yc = yb + h / 2
  wood:color(o.dark and self.timber or FRAME, 0.8)
  local bar, deep = 0.06, 0.1
  wall:box(wood, o.at - w / 2 + bar / 2, yc, deep, bar, h, 0.07, { skip = 'yY' })
  wall:box(wood, o.at + w / 2 - bar / 2, yc, deep, bar, h, 0.07, { skip = 'yY' })
  wall:box(wood, o.at, yb + bar / 2, deep, w - bar * 2, bar, 0.07, { skip = 'xX' })
  wall:box(wood, o.at, yb + h - bar / 2, deep, w - bar * 2, bar, 0.07, { skip = 'xX' })
  wall:box(wood, o.at, yc, deep, 0.045, h - bar * 2, 0.06, { skip = 'yY' })
  self.fine = true
  local bars = self:part('timber')
  bars:color(o.dark and self.timber or FRAME, 0.8)
  wall:box(bars, o.at - w / 4, yb + h * 0.62, deep, w / 2 - bar, 0.035, 0.05, { skip = 'xX' })
  wall:box(bars, o.at + w / 4, yb + h * 0.62, deep, w / 2 - bar, 0.035, 0.05, { skip = 'xX' })
  self.fine = false
  local glass = self:part('glass')
  glass:color({ 1, 1, 1 }, 1)
  local s0, s1 = o.at - w / 2 + bar, o.at + w / 2 - bar
  glass:quad(wall:at(s0, yb + bar, deep), wall:at(s1, yb + bar, deep), wall:at(s1, yb + h - bar, deep),
    wall:at(s0, yb + h - bar, deep), 1)
  local pane = self:part('pane') -- what a window shows from afar
  pane:color({ 0.045, 0.055, 0.07 }, 0.8)
  pane:quad(wall:at(s0, yb + bar, deep + 0.03), wall:at(s1, yb + bar, deep + 0.03),
    wall:at(s1, yb + h - bar, deep + 0.03),
    wall:at(s0, yb + h - bar, deep + 0.03), 1)
  local plan = self.house.plan
  if plan ~= 'barn' and plan ~= 'stable' then
    self.within = true
    homely.curtains(self, wall, o, THICK)
    self.within = false
  end
  -- the sill, and what holds the wall above
  wood:color(srgb('#9B9285'), 0.9)
  wall:box(wood, o.at, yb - 0.03, 0.03, w + 0.18, 0.07, 0.26, {})
  wood:color(self.timber, 0.85)
  wall:box(wood, o.at, yb + h + 0.07, 0.06, w + 0.3, 0.15, 0.16, {})
  if o.shutters then
    local leaf = w / 2
    wood:color(self.shutter, 0.92)
    for side = -1, 1, 2 do
      local ajar = 0.06 + 0.16 * maths.random(self.seed, floor(o.at * 31 + wall.ax * 17 + 900), side + 5)
      local s = o.at + side * (w / 2 + leaf / 2 + 0.02)
      wall:box(wood, s, yc, -0.045 - ajar * leaf * 0.4, leaf, h, 0.035,
        { turn = -side * ajar, metres = 0.8, across = true })
      self.fine = true
      local trim = self:part('timber')
      trim:color(self.shutter, 0.92)
      wall:box(trim, s, yb + h * 0.2, -0.075 - ajar * leaf * 0.4, leaf * 0.92, 0.07, 0.025, { turn = -side * ajar })
      wall:box(trim, s, yb + h * 0.8, -0.075 - ajar * leaf * 0.4, leaf * 0.92, 0.07, 0.025, { turn = -side * ajar })
      self.fine = false
    end
  end
  if o.flowers then flower_box(self, wall, o) end
end

--- A plank door's leaf about its hinge: from 0 to w along x, its face at z 0.
function M.leaf(color, w, h, thick)
  local b = mesh.new(256)
  local boards = max(4, floor(w / 0.17))
  for i = 0, boards - 1 do
    local shade = 0.88 + 0.2 * noise.cell(i, boards, 5)
    b:color({ min(1, color[1] * shade), min(1, color[2] * shade), min(1, color[3] * shade) }, 0.8)
    local bw = w / boards
    b:box((i + 0.5) * bw, h / 2, 0, bw, h, i % 2 == 0 and thick or thick - 0.008,
      { across = true, metres = 1.2, v = i * 0.31, skip = i > 0 and i < boards - 1 and 'xX' or nil })
  end
  b:color({ color[1] * 0.8, color[2] * 0.8, color[3] * 0.8 }, 0.7)
  b:box(w / 2, h * 0.18, -thick / 2 - 0.015, w * 0.94, 0.12, 0.03)
  b:box(w / 2, h * 0.82, -thick / 2 - 0.015, w * 0.94, 0.12, 0.03)
  b:color(IRON, 0.9)
  for i = 0, 1 do b:box(w * 0.36, h * (0.2 + 0.6 * i), thick / 2 + 0.007, w * 0.7, 0.05, 0.014) end
  b:box(w - 0.12, h * 0.5, thick / 2 + 0.03, 0.03, 0.14, 0.05)
  b:box(w - 0.12, h * 0.5, -thick / 2 - 0.03, 0.03, 0.14, 0.05)
  return b
end

--- A doorway: posts, lintel, step, and the leaves' hinges.
function M.door(self, wall, o)
  local wood = self:part('timber')
  wood:color(self.timber, 0.75)
  local y0, h, w = wall.y0 + o.y, o.h, o.w
  wall:box(wood, o.at - w / 2 - 0.05, y0 + h / 2, 0.02, 0.16, h, 0.14, { skip = 'y' })
  wall:box(wood, o.at + w / 2 + 0.05, y0 + h / 2, 0.02, 0.16, h, 0.14, { skip = 'y' })
  wall:box(wood, o.at, y0 + h + 0.09, 0.02, w + 0.36, 0.2, 0.16, {})
  -- the step, of one worn stone, and a sill of wood
  local stone = self:part('fieldstone')
  stone:color(srgb('#CFC8B8'), 0.95)
  wall:box(stone, o.at, -0.16, -0.36, w + 0.5, 0.5, 0.74, { metres = 2.4 })
  wood:color(self.timber, 0.7)
  wall:box(wood, o.at, wall.y0 - 0.01, THICK / 2, w, 0.03, THICK + 0.04, {})
  self:floor(wall:at(o.at, 0, -0.36)[1], wall:at(o.at, 0, -0.36)[3], (w + 0.5) / 2, 0.37, wall.turn, 0.09)
  local leaves = o.kind == 'gate' and 2 or 1
  for i = 1, leaves do
    local hinge = wall:at(i == 1 and o.at - w / 2 or o.at + w / 2, y0, 0.17)
    self.doors[#self.doors + 1] = {
      x = hinge[1], y = hinge[2] + 0.01, z = hinge[3], turn = wall.turn + (i == 2 and math.pi or 0), sign = i == 2
        and -1 or 1,
      gate = leaves == 2, width = w / leaves, height = h - 0.02, color = self.shutter,
    }
  end
end

--- A small window high in a gable: a frame before a dark pane.
function M.attic(self, wall, y)
  local wood = self:part('timber')
  local s = wall.length / 2
  wood:color({ 0.03, 0.036, 0.045 }, 0.6)
  wall:box(wood, s, y, 0.005, 0.6, 0.8, 0.03, { skip = 'z' })
  wood:color(FRAME, 0.85)
  for side = -1, 1, 2 do
    wall:box(wood, s + side * 0.3, y, -0.02, 0.07, 0.87, 0.08)
    wall:box(wood, s, y + side * 0.4, -0.02, 0.6, 0.07, 0.08)
  end
  wall:box(wood, s, y, -0.015, 0.045, 0.8, 0.05)
  wall:box(wood, s, y + 0.08, -0.015, 0.6, 0.04, 0.05)
  wood:color(self.timber, 0.85)
  wall:box(wood, s, y + 0.5, -0.03, 0.95, 0.13, 0.12)
  wood:color(srgb('#9B9285'), 0.9)
  wall:box(wood, s, y - 0.46, -0.05, 0.8, 0.06, 0.16)
end

return M
