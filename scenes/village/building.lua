--- Parts of a building, meshed for the eye and listed for the feet. A building's own space: x along its front, +z out of the
--- front, y up from the ground. Walls run left to right as seen from outside; depth goes inward from the outer face.
local maths = require('thatch.math')
local mesh = require('village.mesh')
local noise = require('village.noise')

local sqrt, max, min, ceil, floor = math.sqrt, math.max, math.min, math.ceil, math.floor
local srgb = maths.srgb

local M = {}
M.THICK = 0.3
local THICK = M.THICK
local STEP = 0.16 -- the floor above the ground

local function smooth(a, b, x)
  local t = max(0, min(1, (x - a) / (b - a)))
  return t * t * (3 - 2 * t)
end

-- what each wall is made of: the part (a material), its metres a tile, its colour
local WALLS = {
  brick = { part = 'brick', metres_u = 1.5, metres_v = 1.2, color = srgb('#F2E6E0') },
  stone = { part = 'fieldstone', metres_u = 2, metres_v = 2, color = srgb('#F4F0E6') },
  plaster = { part = 'plaster', metres_u = 2.4, metres_v = 2.4 },
  timber = { part = 'plaster', metres_u = 2.4, metres_v = 2.4 },
  boards = { part = 'planks', metres_u = 1.2, metres_v = 1.2, color = srgb('#A09585'), upright = true },
  inside = { part = 'plaster', metres_u = 2.4, metres_v = 2.4, color = srgb('#FFF0D8') },
}

---@class village.Building
local Building = {}
Building.__index = Building

---@return village.Building
function M.new(house, coarse)
  local seed = floor(house.x * 13 + house.z * 7 + 4096)
  return setmetatable({
    house = house, coarse = coarse or 1, parts = {}, solids = {}, floors = {}, doors = {}, lights = {}, seed = seed,
    timber = srgb(maths.random(seed, 1, 1) < 0.5 and '#94755B' or '#7D634D'),
    plaster = srgb(house.plaster), shutter = srgb(house.shutters),
  }, Building)
end

--- The builder of a material's part. What is `within` is a part of its own: far away it is not drawn.
function Building:part(name)
  if self.within then name = name .. '@within' end
  local part = self.parts[name]
  if not part then
    part = mesh.new(512)
    self.parts[name] = part
  end
  return part
end

--- A solid for the feet: a box turned about y, in the building's space.
function Building:solid(x, z, hx, hz, turn, y0, y1)
  self.solids[#self.solids + 1] = { x = x, z = z, hx = hx, hz = hz, turn = turn, y0 = y0, y1 = y1 }
end

--- A floor to stand on; `y1`: a ramp that ends so high at +x.
function Building:floor(x, z, hx, hz, turn, y, y1)
  self.floors[#self.floors + 1] = { x = x, z = z, hx = hx, hz = hz, turn = turn, y = y, y1 = y1 or y }
end

local Wall = {}
Wall.__index = Wall

-- s along, y up, depth inward
function Wall:at(s, y, depth)
  return { self.ax + self.tx * s - self.nx * depth, y, self.az + self.tz * s - self.nz * depth }
end

function Wall:box(part, s, y, depth, along, high, deep, options)
  local o = options or {}
  o.turn = (o.turn or 0) + self.turn
  local p = self:at(s, y, depth)
  part:box(p[1], p[2], p[3], along, high, deep, o)
end

--- A wall's frame; openings: { kind = 'window'|'door'|'gap'|'gate', at, y, w, h }, y above the wall's foot.
function Building:wall(ax, az, bx, bz, y0, y1, openings)
  local dx, dz = bx - ax, bz - az
  local length = sqrt(dx * dx + dz * dz)
  local tx, tz = dx / length, dz / length
  return setmetatable({
    ax = ax, az = az, tx = tx, tz = tz, nx = -tz, nz = tx, length = length, y0 = y0, y1 = y1, openings = openings or {},
    turn = maths.atan2(-tz, tx),
  }, Wall)
end

local function cuts(from, to, step, more)
  local list = { from, to }
  for i = 1, #more do
    if more[i] > from + 0.01 and more[i] < to - 0.01 then list[#list + 1] = more[i] end
  end
  table.sort(list)
  local out = { list[1] }
  for i = 2, #list do
    local a, b = out[#out], list[i]
    if b - a > 0.004 then
      local n = ceil((b - a) / step)
      for k = 1, n do out[#out + 1] = a + (b - a) * k / n end
    end
  end
  return out
end

-- One face of a wall: a grid cut at the openings. tone(s, y) gives a shade and a share of the sky.
local function face(part, wall, kind, depth, s0, s1, color, tone, inward)
  local xs, ys = {}, { wall.y0 + 0.3, wall.y0 + 0.75, wall.y1 - 0.35 }
  for i = 1, #wall.openings do
    local o = wall.openings[i]
    xs[#xs + 1], xs[#xs + 2] = o.at - o.w / 2, o.at + o.w / 2
    ys[#ys + 1], ys[#ys + 2] = wall.y0 + o.y, wall.y0 + o.y + o.h
  end
  xs, ys = cuts(s0, s1, 1.3, xs), cuts(wall.y0, wall.y1, 1.3, ys)
  local nx, nz = wall.nx, wall.nz
  if inward then nx, nz = -nx, -nz end
  local first = part.count
  local uo = noise.cell(floor(wall.ax * 7), floor(wall.az * 7), 3)
  for j = 1, #ys do
    for i = 1, #xs do
      local p = wall:at(xs[i], ys[j], depth)
      local shade, sky = tone(xs[i], ys[j])
      local u, v = xs[i] / kind.metres_u + uo, -ys[j] / kind.metres_v
      if kind.upright then u, v = v, u end
      part:vertex(p[1], p[2], p[3], nx, 0, nz, u, v, color[1] * shade, color[2] * shade, color[3] * shade, sky)
    end
  end
  local row = #xs
  for j = 1, #ys - 1 do
    for i = 1, row - 1 do
      local s, y = (xs[i] + xs[i + 1]) / 2, (ys[j] + ys[j + 1]) / 2 - wall.y0
      local hole = false
      for k = 1, #wall.openings do
        local o = wall.openings[k]
        if s > o.at - o.w / 2 and s < o.at + o.w / 2 and y > o.y and y < o.y + o.h then hole = true end
      end
      if not hole then
        local a = first + (j - 1) * row + i - 1
        if inward then part:face(a + 1, a, a + row, a + row + 1) else part:face(a, a + 1, a + row + 1, a + row) end
      end
    end
  end
end

-- The four sides of an opening.
local function reveal(part, wall, o, color)
  local s0, s1, yb, yt = o.at - o.w / 2, o.at + o.w / 2, wall.y0 + o.y, wall.y0 + o.y + o.h
  part:color(color, 0.6)
  local dim = { 0.45, 0.45, 0.75, 0.75 }
  part:quad(wall:at(s0, yb, THICK), wall:at(s0, yt, THICK), wall:at(s0, yt, 0), wall:at(s0, yb, 0), 2, dim)
  part:quad(wall:at(s1, yb, 0), wall:at(s1, yt, 0), wall:at(s1, yt, THICK), wall:at(s1, yb, THICK), 2, { 0.75, 0.75, 0.45, 0.45 })
  part:quad(wall:at(s0, yt, THICK), wall:at(s1, yt, THICK), wall:at(s1, yt, 0), wall:at(s0, yt, 0), 2, dim)
  if o.y > 0.05 then
    part:quad(wall:at(s0, yb, THICK), wall:at(s0, yb, 0), wall:at(s1, yb, 0), wall:at(s1, yb, THICK), 2, { 0.5, 0.9, 0.9, 0.5 })
  end
end

local FRAME = srgb('#E4DDCB')
local IRON = srgb('#3A3634')

local function window(self, wall, o)
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
  wall:box(wood, o.at - w / 4, yb + h * 0.62, deep, w / 2 - bar, 0.035, 0.05, { skip = 'xX' })
  wall:box(wood, o.at + w / 4, yb + h * 0.62, deep, w / 2 - bar, 0.035, 0.05, { skip = 'xX' })
  local glass = self:part('glass')
  glass:color({ 1, 1, 1 }, 1)
  local s0, s1 = o.at - w / 2 + bar, o.at + w / 2 - bar
  glass:quad(wall:at(s0, yb + bar, deep), wall:at(s1, yb + bar, deep), wall:at(s1, yb + h - bar, deep), wall:at(s0, yb + h - bar, deep), 1)
  local pane = self:part('pane') -- what a window shows from afar
  pane:color({ 0.045, 0.055, 0.07 }, 0.8)
  pane:quad(wall:at(s0, yb + bar, deep + 0.03), wall:at(s1, yb + bar, deep + 0.03), wall:at(s1, yb + h - bar, deep + 0.03),
    wall:at(s0, yb + h - bar, deep + 0.03), 1)
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
      wall:box(wood, s, yc, -0.045 - ajar * leaf * 0.4, leaf, h, 0.035, { turn = -side * ajar, metres = 0.8, across = true })
      wall:box(wood, s, yb + h * 0.2, -0.075 - ajar * leaf * 0.4, leaf * 0.92, 0.07, 0.025, { turn = -side * ajar })
      wall:box(wood, s, yb + h * 0.8, -0.075 - ajar * leaf * 0.4, leaf * 0.92, 0.07, 0.025, { turn = -side * ajar })
    end
  end
  if o.flowers then self:flower_box(wall, o) end
end

--- A box of soil, leaves and blossoms below a window.
function Building:flower_box(wall, o)
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
    flora:quad({ p[1] - ca, p[2], p[3] - sa }, { p[1] + sa, p[2] + lift, p[3] - ca }, { p[1] + ca, p[2] + 2 * lift, p[3] + sa },
      { p[1] - sa, p[2] + lift, p[3] + ca }, 1)
  end
end

--- A plank door's leaf about its hinge: from 0 to w along x, its face at z 0.
function M.door_leaf(color, w, h, thick)
  local b = mesh.new(256)
  local boards = max(4, floor(w / 0.17))
  for i = 0, boards - 1 do
    local shade = 0.88 + 0.2 * noise.cell(i, boards, 5)
    b:color({ min(1, color[1] * shade), min(1, color[2] * shade), min(1, color[3] * shade) }, 0.8)
    local bw = w / boards
    b:box((i + 0.5) * bw, h / 2, 0, bw - 0.006, h, thick, { across = true, metres = 1.2, v = i * 0.31 })
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

local function door(self, wall, o)
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
      x = hinge[1], y = hinge[2] + 0.01, z = hinge[3], turn = wall.turn + (i == 2 and math.pi or 0), sign = i == 2 and -1 or 1,
      width = w / leaves, height = h - 0.02, color = self.shutter,
    }
  end
end

--- The upright, level and slanting timbers of a framed wall.
local function framing(self, wall, options)
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
    wall:box(wood, (s + t) / 2, y, 0.02, t - s, h or 0.17, 0.104, { u = s })
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

--- Builds a wall: both faces, reveals, windows, doors, framing, solids.
---@param options { kind: string, foot?: boolean, inner?: boolean, top?: fun(s: number): number, eaves?: boolean }
function Building:build_wall(wall, options)
  local kind = WALLS[options.kind]
  local color = kind.color or self.plaster
  local y0, y1, L = wall.y0, wall.y1, wall.length
  local house = self.house
  local part = self:part(kind.part)
  local function tone(s, y)
    local sky = 1
    if options.foot then sky = 0.66 + 0.34 * smooth(0, 0.75, y) end
    if options.eaves ~= false then sky = sky * (0.58 + 0.42 * smooth(y1 - 0.02, y1 - 0.9, y)) end
    local shade = 0.96 + 0.06 * noise.plane(s / 1.9 + wall.ax, y / 2.3 + wall.az, 5)
    if options.foot then shade = shade * (0.8 + 0.2 * smooth(0.05, 0.8, y)) end
    for i = 1, #wall.openings do
      local o = wall.openings[i]
      local under = wall.y0 + o.y - y
      if o.kind == 'window' and under > 0 and under < 0.8 and s > o.at - o.w / 2 - 0.01 and s < o.at + o.w / 2 + 0.01 then
        shade = shade * (0.86 + 0.14 * under / 0.8)
      end
    end
    return min(shade, 1), sky
  end
  -- the foundation goes half a metre into the ground
  local base = wall.y0
  if options.foot then wall.y0 = -0.5 end
  local shift = wall.y0 - base
  for i = 1, #wall.openings do wall.openings[i].y = wall.openings[i].y - shift end
  face(part, wall, kind, 0, 0, L, color, tone, false)
  wall.y0 = base
  for i = 1, #wall.openings do wall.openings[i].y = wall.openings[i].y + shift end
  local top = options.top
  if top then -- a gable above
    local xs = cuts(0, L, 0.8, { L / 2 })
    for i = 1, #xs - 1 do
      local a, b = xs[i], xs[i + 1]
      local ya, yb = max(y1, top(a)), max(y1, top(b))
      for side = 0, (options.open and 1 or 0) do
        local d = side * THICK
        local p = side == 0 and part or self:part(options.kind == 'boards' and 'planks' or 'plaster')
        local n = side == 0 and 1 or -1
        local list = { { a, y1 }, { b, y1 }, { b, yb }, { a, ya } }
        local first = p.count
        for k = 1, 4 do
          local s, y = list[k][1], list[k][2]
          local q = wall:at(s, y, d)
          local u, v = s / kind.metres_u + noise.cell(floor(wall.ax * 7), floor(wall.az * 7), 3), -y / kind.metres_v
          if kind.upright then u, v = v, u end
          local sky = (side == 0 and 1 or 0.4) * (0.6 + 0.4 * smooth(0.1, 0.8, top(s) - y))
          p:vertex(q[1], q[2], q[3], wall.nx * n, 0, wall.nz * n, u, v, color[1] * 0.97, color[2] * 0.97, color[3] * 0.97, sky)
        end
        if side == 0 then p:face(first, first + 1, first + 2, first + 3) else p:face(first + 1, first, first + 3, first + 2) end
      end
    end
  end
  -- inside
  if options.inner ~= false then
    local inner = options.kind == 'boards' and house.plan ~= 'cottage' and WALLS.boards or WALLS.inside
    local s0, s1 = options.s0 or THICK, options.s1 or (L - THICK)
    local function dim(s, y)
      local corner = min(smooth(0, 0.9, s - s0), smooth(0, 0.9, s1 - s))
      local edge = min(smooth(-0.1, 0.8, y - y0), smooth(-0.05, 0.7, y1 - y))
      return 0.99, 0.5 + 0.3 * corner * edge + 0.2 * edge
    end
    self.within = true
    face(self:part(inner.part), wall, inner, THICK, s0, s1, inner.color, dim, true)
    self.within = false
  end
  local lining = options.kind == 'boards' and self:part('planks') or self:part('plaster')
  for i = 1, #wall.openings do
    local o = wall.openings[i]
    reveal(lining, wall, o, options.kind == 'boards' and WALLS.boards.color or self.plaster)
    if o.kind == 'window' then window(self, wall, o) elseif o.kind ~= 'gap' then door(self, wall, o) end
  end
  if options.kind == 'timber' then framing(self, wall, options) end
  if options.kind == 'timber' and top then self:gable_frame(wall, top) end
  if top and options.kind ~= 'timber' and not options.stack and top(L / 2) - y1 > 1.9 then self:attic_window(wall, y1 + 0.72) end
  if options.foot and (options.kind == 'plaster' or options.kind == 'timber' or options.kind == 'boards') then
    self:plinth(wall)
  end
  if options.kind == 'plaster' and options.corner ~= false then self:bare_corner(wall) end
  -- solids, between the doors
  local stops = { 0, L }
  for i = 1, #wall.openings do
    local o = wall.openings[i]
    if o.kind ~= 'window' then stops[#stops + 1] = o.at - o.w / 2; stops[#stops + 1] = o.at + o.w / 2 end
  end
  table.sort(stops)
  for i = 1, #stops, 2 do
    local a, b = stops[i], stops[i + 1]
    if b - a > 0.01 then
      local p = wall:at((a + b) / 2, 0, THICK / 2)
      self:solid(p[1], p[3], (b - a) / 2, THICK / 2, wall.turn, options.foot and -0.5 or y0, y1)
    end
  end
end

--- A foot of fieldstone under plaster, timber or boards.
function Building:plinth(wall)
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
      wall:box(stone, (a + b) / 2, -0.04, -0.005, b - a, 0.92, 0.09, { metres = 2, u = a / 2, sky_bottom = 0.5, sky_top = 0.85, skip = 'zy' })
    end
  end
end

--- Plaster that has come off a corner: bricks show.
function Building:bare_corner(wall)
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
    if side > 0 then brick:triangle(first, first + i, first + i + 1) else brick:triangle(first, first + i + 1, first + i) end
  end
end

--- A small window high in a gable: a frame before a dark pane.
function Building:attic_window(wall, y)
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

function Building:gable_frame(wall, top)
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

--- A slab: floor above, ceiling below, with an optional hole { x0, x1, z0, z1 } for a stair.
function Building:slab(x0, x1, z0, z1, y, thick, hole, options)
  local o = options or {}
  self.within = true
  local rects = { { x0, x1, z0, z1 } }
  if hole then
    rects = { { x0, hole[1], z0, z1 }, { hole[2], x1, z0, z1 }, { hole[1], hole[2], z0, hole[3] }, { hole[1], hole[2], hole[4], z1 } }
  end
  local wood = self:part('planks')
  for i = 1, #rects do
    local r = rects[i]
    if r[2] - r[1] > 0.01 and r[4] - r[3] > 0.01 then
      self:floor((r[1] + r[2]) / 2, (r[3] + r[4]) / 2, (r[2] - r[1]) / 2, (r[4] - r[3]) / 2, 0, y)
      local nx, nz = max(1, ceil((r[2] - r[1]) / 1.5)), max(1, ceil((r[4] - r[3]) / 1.5))
      for side = o.no_top and 1 or 0, o.no_ceiling and 0 or 1 do
        local first = wood.count
        local yy = side == 0 and y or y - thick
        for j = 0, nz do
          for k = 0, nx do
            local x, z = r[1] + (r[2] - r[1]) * k / nx, r[3] + (r[4] - r[3]) * j / nz
            local edge = min(x - x0, x1 - x, z - z0, z1 - z)
            local sky = 0.5 + 0.42 * smooth(0, 1.2, edge)
            local c = side == 0 and 0.5 or 0.76
            wood:vertex(x, yy, z, 0, side == 0 and 1 or -1, 0, x / 1.2, z / 1.2, c * 1.25, c * 0.86, c * 0.55, sky)
          end
        end
        for j = 0, nz - 1 do
          for k = 0, nx - 1 do
            local a = first + j * (nx + 1) + k
            if side == 0 then wood:face(a, a + nx + 1, a + nx + 2, a + 1) else wood:face(a, a + 1, a + nx + 2, a + nx + 1) end
          end
        end
      end
    end
  end
  local beams = self:part('timber')
  if not o.no_beams then
    beams:color(self.timber, 0.7)
    local n = max(2, floor((x1 - x0) / 1.3))
    for i = 1, n - 1 do
      local x = x0 + (x1 - x0) * i / n
      if not (hole and x > hole[1] - 0.1 and x < hole[2] + 0.1) then
        beams:beam(x, y - thick - 0.08, z1, x, y - thick - 0.08, z0, 0.16, 0.18, 1)
      elseif hole then
        beams:beam(x, y - thick - 0.08, z1, x, y - thick - 0.08, hole[4] + 0.06, 0.16, 0.18, 1)
      end
    end
  end
  if hole then -- the hole's trimmed edge and a rail round it
    beams:color(self.timber, 0.75)
    beams:box((hole[1] + hole[2]) / 2, y - thick / 2, hole[4] + 0.03, hole[2] - hole[1], thick + 0.02, 0.06)
    beams:box(hole[1] - 0.03, y - thick / 2, (hole[3] + hole[4]) / 2, 0.06, thick + 0.02, hole[4] - hole[3])
    beams:box(hole[2] + 0.03, y - thick / 2 - 0.01, (hole[3] + hole[4]) / 2, 0.06, thick, hole[4] - hole[3])
    local y2 = y + 0.92
    beams:box((hole[1] + hole[2]) / 2, y2, hole[4] + 0.05, hole[2] - hole[1] + 0.1, 0.07, 0.08)
    beams:box(hole[1] - 0.05, y2, (hole[3] + hole[4]) / 2, 0.08, 0.07, hole[4] - hole[3])
    local posts = floor((hole[2] - hole[1]) / 0.3)
    for i = 0, posts do
      beams:box(hole[1] - 0.05 + (hole[2] - hole[1] + 0.05) * i / posts, y + 0.44, hole[4] + 0.05, 0.05, 0.9, 0.05, { skip = 'yY' })
    end
    self:solid((hole[1] + hole[2]) / 2, hole[4] + 0.05, (hole[2] - hole[1]) / 2, 0.05, 0, y, y2)
    self:solid(hole[1] - 0.05, (hole[3] + hole[4]) / 2, 0.05, (hole[4] - hole[3]) / 2, 0, y, y2)
  end
  self.within = false
end

--- A straight stair that climbs along +x from x0 to x1, between z0 and z1.
function Building:stair(x0, x1, z0, z1, y0, y1)
  self.within = true
  local wood = self:part('timber')
  local n = ceil((y1 - y0) / 0.19)
  local run, rise = (x1 - x0) / n, (y1 - y0) / n
  for i = 1, n do
    wood:color({ 0.62, 0.43, 0.28 }, 0.75)
    wood:box(x0 + (i - 0.5) * run - 0.01, y0 + i * rise - 0.02, (z0 + z1) / 2, run + 0.03, 0.04, z1 - z0, { across = true, v = i * 0.23 })
    wood:color({ 0.5, 0.34, 0.22 }, 0.6)
    wood:box(x0 + (i - 1) * run + 0.02, y0 + (i - 0.5) * rise - 0.02, (z0 + z1) / 2, 0.025, rise, z1 - z0 - 0.02, { across = true })
  end
  wood:color(self.timber, 0.75)
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

M.STEP = STEP
M.smooth = smooth
M.Building = Building
M.WALLS = WALLS

return M
