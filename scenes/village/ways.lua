--- Ways through the village: from any place to any other, through doors and up stairs, round all that is solid.
--- Searched for on a grid of the walk's collision world, then drawn tight.
local ffi = require('ffi')
local collision = require('walk.collision')
local maths = require('thatch.math')
local layout = require('village.layout')
local search = require('village.search')
local terrain = require('village.terrain')

local M = {}
local floor, sqrt, abs, min, max = math.floor, math.sqrt, math.abs, math.min, math.max

local CELL, X0, Z0, NX, NZ = 0.3, -76, -106, 560, 700
local RADIUS, STEP = 0.27, 0.25 -- of a body; between two points of a way
local CLIMB = 0.4 -- of a floor over the ground
local OFF = 0.3 -- metres from a trodden way where the going is hard
local GLANCE = 8 -- what looking along a straight piece costs, where a cell searched costs 1
local BUDGET = 1000 -- what may be spent of it in a frame

---@class village.Ways
local Ways = {}
Ways.__index = Ways

---@param state table with its collision complete
---@param round_seats? boolean for a walker, who does not push them aside
---@return village.Ways
function M.new(state, round_seats)
  local c = state.collision
  local boxes = round_seats and c.boxes or c:fixed_boxes()
  local world = collision.new({ height = c.height, boxes = boxes, cylinders = c.cylinders, floors = c.floors })
  return setmetatable({ world = world, buildings = state.buildings, lands = {}, search = search.new(NX, NZ),
    spent = 0, stop = 0 }, Ways)
end

--- Can one stand here, on the ground's level or on an upper floor at height `level`?
function Ways:free(x, z, level, radius)
  local world = self.world
  local y
  if level then
    y = world:ground(x, z, level)
    if y < level - 0.2 then return false end
  else
    local land = world.height(x, z)
    if land < layout.pond.level - 0.15 and terrain.pond_reach(x, z) < 1.4 then return false end
    y = world:ground(x, z, land)
    if y > land + CLIMB then return false end -- on a bench, a barrel
  end
  local px, pz = world:resolve(x, z, radius or RADIUS, y + collision.STEP_UP, y + 1.65)
  return abs(px - x) + abs(pz - z) < 1e-9
end

-- One level's cells, as the search asks for them.
local Land = {}
Land.__index = Land

local function place_of(cell) return X0 + (cell % NX) * CELL, Z0 + floor(cell / NX) * CELL end

function Land:look(cell)
  local x, z = place_of(cell)
  if not self.ways:free(x, z, self.level) then return search.SOLID end
  return not self.level and terrain.way(x, z) > OFF and search.HARD or search.EASY
end

function Land:free(cell)
  local kinds = self.kinds
  if kinds[cell] == search.UNKNOWN then kinds[cell] = self:look(cell) end
  return kinds[cell] ~= search.SOLID
end

function Ways:land(level)
  local land = self.lands[level or 0]
  if not land then
    land = setmetatable({ ways = self, level = level, kinds = ffi.new('int8_t[?]', NX * NZ) }, Land)
    self.lands[level or 0] = land
  end
  return land
end

-- The nearest cell to a place where one can stand.
local function near(land, x, z)
  local ci, ck = floor((x - X0) / CELL + 0.5), floor((z - Z0) / CELL + 0.5)
  local best, best_d = nil, 1e9
  for k = max(0, ck - 6), min(NZ - 1, ck + 6) do
    for i = max(0, ci - 6), min(NX - 1, ci + 6) do
      local dx, dz = X0 + i * CELL - x, Z0 + k * CELL - z
      local d = dx * dx + dz * dz
      if d < best_d and land:free(k * NX + i) then best, best_d = k * NX + i, d end
    end
  end
  return best
end

function Ways:clear(x0, z0, x1, z1, level)
  local dx, dz = x1 - x0, z1 - z0
  local n = floor(sqrt(dx * dx + dz * dz) / 0.14) + 1
  self.spent = self.spent + GLANCE
  for i = 1, n - 1 do
    if not self:free(x0 + dx * i / n, z0 + dz * i / n, level, 0.262) then return false end
  end
  return true
end

-- Looks for the cells of a way on one level: true when they are known, false when there are none, nil: not yet.
local function look_for(self, leg)
  local land = self:land(leg.level)
  if not leg.begun then
    local from, to = near(land, leg.x0, leg.z0), near(land, leg.x1, leg.z1)
    if not from or not to then return false end
    self.search:begin(from, to)
    leg.begun, leg.at = true, 1
  end
  local cells, work = self.search:go_on(land, self.stop - self.spent)
  self.spent = self.spent + work
  leg.cells = cells
  return cells and true or cells
end

-- Adds its points, drawn tight, to a list of { x, z }; false when the budget is spent before.
local function tighten(self, leg, list)
  local cells, i = leg.cells, leg.at
  while true do
    local x, z = place_of(cells[i])
    list[#list + 1] = { x, z }
    if i == #cells then return true end
    local k = min(#cells, i + 26)
    while k > i + 1 do
      local ex, ez = place_of(cells[k])
      if self:clear(x, z, ex, ez, leg.level) then break end
      k = k - 1
    end
    i = k
    if self.spent > self.stop then
      leg.at = i
      return false
    end
  end
end

-- Foot and head of the stair of the building whose upper floor a place is on.
function Ways:stair(x, y, z)
  for i = 1, #layout.houses do
    local h = layout.houses[i]
    local entry = self.buildings[h.name]
    local at = entry.building.stair_at
    if at then
      local dx, dz = x - h.x, z - h.z
      local lx, lz = dx * h.c - dz * h.s, dx * h.s + dz * h.c
      if abs(lx) < h.w / 2 + 0.3 and abs(lz) < h.d / 2 + 0.8 and y > h.y + at.y1 - 0.5 then
        local fx, fz = entry.world(at.x0 - 0.5, at.z)
        local ax, az = entry.world(at.x0 + 0.05, at.z)
        local bx, bz = entry.world(at.x1, at.z)
        local tx, tz = entry.world(at.x1 + 0.5, at.z)
        return { { fx, fz }, { ax, az }, { bx, bz }, { tx, tz } }, h.y + at.y1
      end
    end
  end
end

-- The way through a list of points, on the floors from y0 on, in equal steps.
local function lay(self, list, y0)
  local way = { xs = {}, ys = {}, zs = {}, count = 0, length = 0, step = STEP }
  local y = y0
  local n = 0
  local function put(x, z)
    y = self.world:ground(x, z, (n == 0 and max(y0, self.world.height(x, z)) or y) - 0.1) -- steps, but no benches
    n = n + 1
    way.xs[n], way.ys[n], way.zs[n] = x, y, z
  end
  local rest = 0
  put(list[1][1], list[1][2])
  for i = 1, #list - 1 do
    local a, b = list[i], list[i + 1]
    local dx, dz = b[1] - a[1], b[2] - a[2]
    local l = sqrt(dx * dx + dz * dz)
    local s = STEP - rest
    while s <= l do
      put(a[1] + dx * s / l, a[2] + dz * s / l)
      s = s + STEP
    end
    rest = l - (s - STEP)
  end
  put(list[#list][1], list[#list][2]) -- the last piece is shorter
  way.count, way.length = n, (n - 2) * STEP + rest
  if n < 2 then way.length = 0 end
  return way
end

--- Begins a way from a place to another, a leg for each level. One is made at a time: the one before it is given up.
---@return table job
function Ways:begin(x0, y0, z0, x1, y1, z1)
  local down, level0 = self:stair(x0, y0, z0)
  local up, level1 = self:stair(x1, y1, z1)
  local job = { y = y0, list = {}, leg = 1 }
  if level0 and level0 == level1 then
    job[1] = { x0 = x0, z0 = z0, x1 = x1, z1 = z1, level = level0 }
    return job
  end
  if down then
    job[1] = { x0 = x0, z0 = z0, x1 = down[4][1], z1 = down[4][2], level = level0,
      stair = { down[4], down[3], down[2], down[1] } }
    x0, z0 = down[1][1], down[1][2]
  end
  local foot = up and up[1]
  job[#job + 1] = { x0 = x0, z0 = z0, x1 = foot and foot[1] or x1, z1 = foot and foot[2] or z1, stair = up }
  if up then job[#job + 1] = { x0 = up[4][1], z0 = up[4][2], x1 = x1, z1 = z1, level = level1 } end
  return job
end

--- A new frame, in which so much may be spent.
function Ways:begin_frame() self.stop = self.spent + BUDGET end

--- Goes on with a way as far as the frame's budget reaches. When it is done: the way, or nil when there is none. It
--- ends beside what is solid there.
---@return boolean done, { xs: number[], ys: number[], zs: number[], count: integer, length: number }? way
function Ways:step(job)
  while job.leg <= #job do
    if self.spent > self.stop then return false end
    local leg = job[job.leg]
    local found = leg.cells and true
    if not found then found = look_for(self, leg) end
    if found == false then return true end
    if not found or not tighten(self, leg, job.list) then return false end
    for i = 1, leg.stair and 4 or 0 do job.list[#job.list + 1] = leg.stair[i] end
    job.leg = job.leg + 1
  end
  return true, lay(self, job.list, job.y)
end

--- A way at once.
function Ways:make(...)
  self.stop = maths.huge
  local _, way = self:step(self:begin(...))
  return way
end

local function at(way, s)
  local q = maths.clamp(s, 0, way.length) / STEP
  local i = min(floor(q), max(0, way.count - 2))
  local t = q - i
  local k = i + 1
  if k >= way.count then return way.xs[k], way.ys[k], way.zs[k] end
  if k == way.count - 1 then -- the last, shorter piece
    local last = way.length - i * STEP
    t = last > 1e-9 and min(1, (s - i * STEP) / last) or 0
  end
  return way.xs[k] + (way.xs[k + 1] - way.xs[k]) * t, way.ys[k] + (way.ys[k + 1] - way.ys[k]) * t,
    way.zs[k] + (way.zs[k + 1] - way.zs[k]) * t
end

--- Where one is after s metres of a way, and the turn about y that faces along it.
function M.at(way, s)
  local x, y, z = at(way, s)
  local ax, _, az = at(way, max(0, s - 0.3))
  local bx, _, bz = at(way, min(way.length, s + 0.3))
  return x, y, z, maths.atan2(bx - ax, bz - az)
end

return M
