--- Ways through the village: from any place to any other, through doors and up stairs, round all that is solid.
--- Hart, Nilsson and Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968, on a grid
--- of the walk's collision world; then drawn tight.
local ffi = require('ffi')
local collision = require('walk.collision')
local maths = require('thatch.math')
local layout = require('village.layout')
local terrain = require('village.terrain')

local M = {}
local floor, sqrt, abs, min, max = math.floor, math.sqrt, math.abs, math.min, math.max

local CELL, X0, Z0, NX, NZ = 0.3, -76, -106, 560, 700
local RADIUS, STEP = 0.27, 0.25 -- of a body; between two points of a way
local CLIMB = 0.4 -- of a floor over the ground
local HASTE = 1.15 -- how much the straight line counts

---@class village.Ways
local Ways = {}
Ways.__index = Ways

---@param state table with its collision complete
---@return village.Ways
function M.new(state)
  local c = state.collision
  local world = collision.new({ height = c.height, boxes = c.boxes, cylinders = c.cylinders, floors = c.floors })
  return setmetatable({ world = world, buildings = state.buildings, levels = {}, stamp = 0 }, Ways)
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

function Ways:cell_free(i, level)
  local key = level or 0
  local known = self.levels[key]
  if not known then
    known = ffi.new('int8_t[?]', NX * NZ)
    self.levels[key] = known
  end
  if known[i] == 0 then
    local x, z = X0 + (i % NX) * CELL, Z0 + floor(i / NX) * CELL
    known[i] = self:free(x, z, level) and 1 or 2
  end
  return known[i] == 1
end

-- The nearest cell to a place where one can stand.
function Ways:near(x, z, level)
  local ci, ck = floor((x - X0) / CELL + 0.5), floor((z - Z0) / CELL + 0.5)
  local best, best_d = nil, 1e9
  for k = max(0, ck - 6), min(NZ - 1, ck + 6) do
    for i = max(0, ci - 6), min(NX - 1, ci + 6) do
      local dx, dz = X0 + i * CELL - x, Z0 + k * CELL - z
      local d = dx * dx + dz * dz
      if d < best_d and self:cell_free(k * NX + i, level) then best, best_d = k * NX + i, d end
    end
  end
  return best
end

-- A heap of cells by their cost.
local function push(heap, costs, cell, cost)
  local n = heap.count + 1
  heap.count = n
  while n > 1 do
    local up = floor(n / 2)
    if costs[up] <= cost then break end
    heap[n], costs[n] = heap[up], costs[up]
    n = up
  end
  heap[n], costs[n] = cell, cost
end

local function pop(heap, costs)
  local top, n = heap[1], heap.count
  local cell, cost = heap[n], costs[n]
  n = n - 1
  heap.count = n
  local i = 1
  while i * 2 <= n do
    local k = i * 2
    if k < n and costs[k + 1] < costs[k] then k = k + 1 end
    if costs[k] >= cost then break end
    heap[i], costs[i] = heap[k], costs[k]
    i = k
  end
  heap[i], costs[i] = cell, cost
  return top
end

-- Cells from one to another on one level, or nil.
function Ways:cells(from, to, level)
  if not self.cost then
    self.cost, self.came = ffi.new('float[?]', NX * NZ), ffi.new('int32_t[?]', NX * NZ)
    self.seen = ffi.new('int32_t[?]', NX * NZ)
  end
  self.stamp = self.stamp + 2
  local open, done = self.stamp, self.stamp + 1
  local cost, came, seen = self.cost, self.came, self.seen
  local tx, tz = to % NX, floor(to / NX)
  local heap, costs = { count = 0 }, {}
  cost[from], came[from], seen[from] = 0, -1, open
  push(heap, costs, from, 0)
  while heap.count > 0 do
    local at = pop(heap, costs)
    if at == to then break end
    if seen[at] ~= done then
      seen[at] = done
      local ax, az = at % NX, floor(at / NX)
      for dz = -1, 1 do
        for dx = -1, 1 do
          local x, z = ax + dx, az + dz
          local next_cell = z * NX + x
          if (dx ~= 0 or dz ~= 0) and x >= 0 and z >= 0 and x < NX and z < NZ and seen[next_cell] ~= done
            and self:cell_free(next_cell, level)
            and (dx == 0 or dz == 0 or self:cell_free(az * NX + x, level) and self:cell_free(z * NX + ax, level)) then
            local step = dx ~= 0 and dz ~= 0 and 1.4142 or 1
            if not level and terrain.way(X0 + x * CELL, Z0 + z * CELL) > 0.3 then step = step * 1.6 end -- off the ways
            local c = cost[at] + step
            if seen[next_cell] ~= open or c < cost[next_cell] then
              cost[next_cell], came[next_cell], seen[next_cell] = c, at, open
              local hx, hz = abs(x - tx), abs(z - tz)
              push(heap, costs, next_cell, c + HASTE * (max(hx, hz) + 0.4142 * min(hx, hz)))
            end
          end
        end
      end
    end
  end
  if seen[to] ~= open and seen[to] ~= done then return nil end
  local list, at = {}, to
  while at >= 0 do
    list[#list + 1] = at
    at = came[at]
  end
  for i = 1, floor(#list / 2) do list[i], list[#list + 1 - i] = list[#list + 1 - i], list[i] end
  return list
end

function Ways:clear(x0, z0, x1, z1, level)
  local dx, dz = x1 - x0, z1 - z0
  local n = floor(sqrt(dx * dx + dz * dz) / 0.14) + 1
  for i = 1, n - 1 do
    if not self:free(x0 + dx * i / n, z0 + dz * i / n, level, 0.262) then return false end
  end
  return true
end

-- Adds the points of a way on one level, drawn tight, to a list of { x, z }; false when there is none.
function Ways:level_way(list, x0, z0, x1, z1, level)
  local from, to = self:near(x0, z0, level), self:near(x1, z1, level)
  local cells = from and to and self:cells(from, to, level)
  if not cells then return false end
  local function point(i) return X0 + (cells[i] % NX) * CELL, Z0 + floor(cells[i] / NX) * CELL end
  local i = 1
  while true do
    local x, z = point(i)
    list[#list + 1] = { x, z }
    if i == #cells then break end
    local k = min(#cells, i + 26)
    while k > i + 1 do
      local ex, ez = point(k)
      if self:clear(x, z, ex, ez, level) then break end
      k = k - 1
    end
    i = k
  end
  return true
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

--- The way from a place to another; nil when there is none. It ends beside what is solid there.
---@return { xs: number[], ys: number[], zs: number[], count: integer, length: number }?
function Ways:make(x0, y0, z0, x1, y1, z1)
  local down, level0 = self:stair(x0, y0, z0)
  local up, level1 = self:stair(x1, y1, z1)
  local list = {}
  if level0 and level0 == level1 then
    if not self:level_way(list, x0, z0, x1, z1, level0) then return nil end
  else
    if down then
      if not self:level_way(list, x0, z0, down[4][1], down[4][2], level0) then return nil end
      for i = 4, 1, -1 do list[#list + 1] = down[i] end
      x0, z0 = down[1][1], down[1][2]
    end
    local tx, tz = x1, z1
    if up then tx, tz = up[1][1], up[1][2] end
    if not self:level_way(list, x0, z0, tx, tz, nil) then return nil end
    if up then
      for i = 1, 4 do list[#list + 1] = up[i] end
      if not self:level_way(list, up[4][1], up[4][2], x1, z1, level1) then return nil end
    end
  end
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
