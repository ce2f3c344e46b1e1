--- Parts of a building, meshed for the eye and listed for the feet. A building's own space: x along its front, +z out
--- of the front, y up from the ground. Walls run left to right as seen from outside; depth goes inward from the outer
--- face.
local maths = require('thatch.math')
local mesh = require('village.mesh')
local noise = require('village.noise')
local openings = require('village.openings')
local timbering = require('village.timbering')

local sqrt, max, min, ceil, floor = math.sqrt, math.max, math.min, math.ceil, math.floor
local srgb = maths.srgb

local M = {}
M.THICK = openings.THICK
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
  inside = { part = 'inside', metres_u = 2.4, metres_v = 2.4, color = srgb('#FFF0D8') },
}

-- the wash on the lower part of a room's walls
local DADOES = { '#C9AC88', '#BDB795', '#C2A392', '#BDB6AA', '#CDBB98' }
local DADO = 0.78

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
    dado = srgb(DADOES[1 + floor(maths.random(seed, 2, 1) * #DADOES)]),
  }, Building)
end

--- The builder of a material's part. What is `within`, or `fine`, is a part of its own: far away it is not drawn.
function Building:part(name)
  if self.within then name = name .. '@within' elseif self.fine then name = name .. '@fine' end
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

--- A seat: solid for the walker, but not for those who live here, who sit down on it and push it aside.
function Building:seat(x, z, hx, hz, turn, y0, y1)
  self:solid(x, z, hx, hz, turn, y0, y1)
  self.solids[#self.solids].seat = true
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
function Building:wall(ax, az, bx, bz, y0, y1, list)
  local dx, dz = bx - ax, bz - az
  local length = sqrt(dx * dx + dz * dz)
  local tx, tz = dx / length, dz / length
  return setmetatable({
    ax = ax, az = az, tx = tx, tz = tz, nx = -tz, nz = tx, length = length, y0 = y0, y1 = y1, openings = list or {},
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
  if inward then
    ys[#ys + 1] = wall.y0 + DADO -- and the row at 0.75 just below: the wash has an edge
    xs[#xs + 1], xs[#xs + 2] = s0 + 0.4, s1 - 0.4
    if kind == WALLS.inside then part:bake_sun() end
  end
  xs, ys = cuts(s0, s1, 1.3, xs), cuts(wall.y0, wall.y1, 1.3, ys)
  local nx, nz = wall.nx, wall.nz
  if inward then nx, nz = -nx, -nz end
  local first = part.count
  local uo = noise.cell(floor(wall.ax * 7), floor(wall.az * 7), 3)
  for j = 1, #ys do
    for i = 1, #xs do
      local p = wall:at(xs[i], ys[j], depth)
      local shade, sky, wash = tone(xs[i], ys[j])
      local hue = wash or color
      -- in the corners no sun: a coarse shadow map lets it through the walls there
      if inward then
        local edge = min(xs[i] - s0, s1 - xs[i], ys[j] - wall.y0 + 0.1, wall.y1 - ys[j])
        part.lit = smooth(0.1, 0.39, edge)
      end
      local u, v = xs[i] / kind.metres_u + uo, -ys[j] / kind.metres_v
      if kind.upright then u, v = v, u end
      part:vertex(p[1], p[2], p[3], nx, 0, nz, u, v, hue[1] * shade, hue[2] * shade, hue[3] * shade, sky)
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
  part:quad(wall:at(s1, yb, 0), wall:at(s1, yt, 0), wall:at(s1, yt, THICK), wall:at(s1, yb, THICK), 2,
    { 0.75, 0.75, 0.45, 0.45 })
  part:quad(wall:at(s0, yt, THICK), wall:at(s1, yt, THICK), wall:at(s1, yt, 0), wall:at(s0, yt, 0), 2, dim)
  if o.y > 0.05 then
    part:quad(wall:at(s0, yb, THICK), wall:at(s0, yb, 0), wall:at(s1, yb, 0), wall:at(s1, yb, THICK), 2,
      { 0.5, 0.9, 0.9, 0.5 })
  end
end

-- How a wall's outer face is shaded at s along and y up: a shade, and a share of the sky.
local function weathered(wall, options)
  return function(s, y)
    local sky = 1
    if options.foot then sky = 0.66 + 0.34 * smooth(0, 0.75, y) end
    if options.eaves ~= false then sky = sky * (0.58 + 0.42 * smooth(wall.y1 - 0.02, wall.y1 - 0.9, y)) end
    local shade = 0.96 + 0.06 * noise.plane(s / 1.9 + wall.ax, y / 2.3 + wall.az, 5)
    if options.foot then shade = shade * (0.8 + 0.2 * smooth(0.05, 0.8, y)) end
    for i = 1, #wall.openings do
      local o = wall.openings[i]
      local under = wall.y0 + o.y - y
      if o.kind == 'window' and under > 0 and under < 0.8 and s > o.at - o.w / 2 - 0.01 and s < o.at + o.w / 2
        + 0.01 then
        shade = shade * (0.86 + 0.14 * under / 0.8)
      end
    end
    return min(shade, 1), sky
  end
end

-- The outer face; its foundation goes half a metre into the ground.
local function outer_face(self, wall, kind, options)
  local base = wall.y0
  if options.foot then wall.y0 = -0.5 end
  local shift = wall.y0 - base
  for i = 1, #wall.openings do wall.openings[i].y = wall.openings[i].y - shift end
  face(self:part(kind.part), wall, kind, 0, 0, wall.length, kind.color or self.plaster, weathered(wall, options), false)
  wall.y0 = base
  for i = 1, #wall.openings do wall.openings[i].y = wall.openings[i].y + shift end
end

-- The gable above a wall: outside, and where the roof is open inside too.
local function gable(self, wall, kind, options)
  local y1, L, top = wall.y1, wall.length, options.top
  local color = kind.color or self.plaster
  local xs = cuts(0, L, 0.8, { L / 2 })
  for i = 1, #xs - 1 do
    local a, b = xs[i], xs[i + 1]
    local ya, yb = max(y1, top(a)), max(y1, top(b))
    for side = 0, (options.open and 1 or 0) do
      local d = side * THICK
      local p = self:part(side == 0 and kind.part or options.kind == 'boards' and 'planks' or 'plaster')
      local n = side == 0 and 1 or -1
      local list = { { a, y1 }, { b, y1 }, { b, yb }, { a, ya } }
      local first = p.count
      for k = 1, 4 do
        local s, y = list[k][1], list[k][2]
        local q = wall:at(s, y, d)
        local u, v = s / kind.metres_u + noise.cell(floor(wall.ax * 7), floor(wall.az * 7), 3), -y / kind.metres_v
        if kind.upright then u, v = v, u end
        local sky = (side == 0 and 1 or 0.4) * (0.6 + 0.4 * smooth(0.1, 0.8, top(s) - y))
        p:vertex(q[1], q[2], q[3], wall.nx * n, 0, wall.nz * n, u, v, color[1] * 0.97, color[2] * 0.97,
          color[3] * 0.97, sky)
      end
      if side == 0 then p:face(first, first + 1, first + 2, first + 3) else p:face(first + 1, first, first + 3,
        first + 2) end
    end
  end
end

-- The face to the room, washed below the dado, darker towards its corners.
local function inner_face(self, wall, options)
  local y0, y1 = wall.y0, wall.y1
  local inner = options.kind == 'boards' and self.house.plan ~= 'cottage' and WALLS.boards or WALLS.inside
  local s0, s1 = options.s0 or THICK, options.s1 or (wall.length - THICK)
  local washed = inner == WALLS.inside
  local function dim(s, y)
    local corner = min(smooth(0, 0.9, s - s0), smooth(0, 0.9, s1 - s))
    local edge = min(smooth(-0.1, 0.8, y - y0), smooth(-0.05, 0.7, y1 - y))
    return 0.99, 0.5 + 0.3 * corner * edge + 0.2 * edge, washed and y < y0 + DADO - 0.01 and self.dado or nil
  end
  self.within = true
  face(self:part(inner.part), wall, inner, THICK, s0, s1, inner.color, dim, true)
  self.within = false
end

-- What stands in a wall's openings.
local function fill_openings(self, wall, options)
  local boards = options.kind == 'boards'
  local lining = self:part(boards and 'planks' or 'plaster')
  for i = 1, #wall.openings do
    local o = wall.openings[i]
    reveal(lining, wall, o, boards and WALLS.boards.color or self.plaster)
    if o.kind == 'window' then
      openings.window(self, wall, o)
    elseif o.kind ~= 'gap' then
      openings.door(self, wall, o)
    end
  end
end

-- What is set on a wall: framing, an attic window, a plinth, a bare corner.
local function dress(self, wall, options)
  local kind, top = options.kind, options.top
  if kind == 'timber' then timbering.framing(self, wall, options) end
  if kind == 'timber' and top then timbering.gable(self, wall, top) end
  if top and kind ~= 'timber' and not options.stack and top(wall.length / 2) - wall.y1 > 1.9 then
    openings.attic(self, wall, wall.y1 + 0.72)
  end
  if options.foot and (kind == 'plaster' or kind == 'timber' or kind == 'boards') then timbering.plinth(self, wall) end
  if kind == 'plaster' and options.corner ~= false then timbering.bare_corner(self, wall) end
end

-- What is solid of a wall: all between its doors.
local function solids(self, wall, options)
  local stops = { 0, wall.length }
  for i = 1, #wall.openings do
    local o = wall.openings[i]
    if o.kind ~= 'window' then stops[#stops + 1] = o.at - o.w / 2; stops[#stops + 1] = o.at + o.w / 2 end
  end
  table.sort(stops)
  for i = 1, #stops, 2 do
    local a, b = stops[i], stops[i + 1]
    if b - a > 0.01 then
      local p = wall:at((a + b) / 2, 0, THICK / 2)
      self:solid(p[1], p[3], (b - a) / 2, THICK / 2, wall.turn, options.foot and -0.5 or wall.y0, wall.y1)
    end
  end
end

--- Builds a wall: both faces, reveals, windows, doors, framing, solids.
---@param options { kind: string, foot?: boolean, inner?: boolean, top?: fun(s: number): number, eaves?: boolean }
function Building:build_wall(wall, options)
  local kind = WALLS[options.kind]
  outer_face(self, wall, kind, options)
  if options.top then gable(self, wall, kind, options) end
  if options.inner ~= false then inner_face(self, wall, options) end
  fill_openings(self, wall, options)
  dress(self, wall, options)
  solids(self, wall, options)
end

M.STEP = STEP
M.smooth = smooth
M.Building = Building
M.WALLS = WALLS

return M
