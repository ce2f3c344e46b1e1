--- The cheapest way over a grid of cells.
--- Hart, Nilsson and Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968.
local bit = require('bit')
local ffi = require('ffi')

local M = { UNKNOWN = 0, EASY = 1, HARD = 2, SOLID = 3 } -- what a cell is
local floor, abs, max, min = math.floor, math.abs, math.max, math.min
local rshift = bit.rshift

local UNKNOWN, HARD, SOLID = M.UNKNOWN, M.HARD, M.SOLID
local TOIL = 1.6 -- what a hard cell costs, where an easy one costs 1
local DIAGONAL, BEYOND = 1.4142, 0.4142
local HASTE = 1.15 -- how much the straight line counts
local SIZE = 4096 -- of the heap, at first

---@class village.Land
---@field kinds ffi.cdata* what each cell is, as far as is known
---@field look fun(land: village.Land, cell: integer): integer

---@class village.Search
local Search = {}
Search.__index = Search

---@return village.Search
function M.new(nx, nz)
  return setmetatable({
    nx = nx, nz = nz, cost = ffi.new('float[?]', nx * nz), came = ffi.new('int32_t[?]', nx * nz),
    seen = ffi.new('int32_t[?]', nx * nz), stamp = 0, heap = ffi.new('int32_t[?]', SIZE),
    costs = ffi.new('double[?]', SIZE), size = SIZE, count = 0,
  }, Search)
end

local function grow(self)
  local size = self.size * 2
  local heap, costs = ffi.new('int32_t[?]', size), ffi.new('double[?]', size)
  ffi.copy(heap, self.heap, self.size * 4)
  ffi.copy(costs, self.costs, self.size * 8)
  self.heap, self.costs, self.size = heap, costs, size
end

-- The heap holds cells by their cost, from 1.
local function push(self, cell, cost)
  local n = self.count + 1
  if n >= self.size then grow(self) end
  self.count = n
  local heap, costs = self.heap, self.costs
  while n > 1 do
    local up = rshift(n, 1)
    if costs[up] <= cost then break end
    heap[n], costs[n] = heap[up], costs[up]
    n = up
  end
  heap[n], costs[n] = cell, cost
end

local function pop(self)
  local heap, costs, n = self.heap, self.costs, self.count
  local top, cell, cost = heap[1], heap[n], costs[n]
  n = n - 1
  self.count = n
  local i, k = 1, 2
  while k <= n do
    if k < n and costs[k + 1] < costs[k] then k = k + 1 end
    if costs[k] >= cost then break end
    heap[i], costs[i] = heap[k], costs[k]
    i, k = k, k * 2
  end
  heap[i], costs[i] = cell, cost
  return top
end

local function look(land, kinds, cell)
  local kind = kinds[cell]
  if kind == UNKNOWN then
    kind = land:look(cell)
    kinds[cell] = kind
  end
  return kind
end

-- Opens the cells round one that is done with; none past a solid's corner.
local function spread(self, land, at, to)
  local kinds, nx, nz, open = land.kinds, self.nx, self.nz, self.stamp
  local done = open + 1
  local cost, came, seen = self.cost, self.came, self.seen
  local ax, az, tx, tz = at % nx, floor(at / nx), to % nx, floor(to / nx)
  for dz = -1, 1 do
    for dx = -1, 1 do
      local x, z = ax + dx, az + dz
      local cell = z * nx + x
      if (dx ~= 0 or dz ~= 0) and x >= 0 and z >= 0 and x < nx and z < nz and seen[cell] ~= done then
        local kind, straight = look(land, kinds, cell), dx == 0 or dz == 0
        if kind ~= SOLID and (straight or look(land, kinds, az * nx + x) ~= SOLID
          and look(land, kinds, z * nx + ax) ~= SOLID) then
          local step = straight and 1 or DIAGONAL
          if kind == HARD then step = step * TOIL end
          local c = cost[at] + step
          if seen[cell] ~= open or c < cost[cell] then
            cost[cell], came[cell], seen[cell] = c, at, open
            local hx, hz = abs(x - tx), abs(z - tz)
            push(self, cell, c + HASTE * (max(hx, hz) + BEYOND * min(hx, hz)))
          end
        end
      end
    end
  end
end

-- From the end back to where it came from, turned round.
local function trace(self, to)
  local list, at = {}, to
  while at >= 0 do
    list[#list + 1] = at
    at = self.came[at]
  end
  local n = #list
  for i = 1, floor(n / 2) do list[i], list[n + 1 - i] = list[n + 1 - i], list[i] end
  return list
end

--- Begins a search from a cell to another; the one before it is over.
function Search:begin(from, to)
  self.stamp, self.count, self.to = self.stamp + 2, 0, to
  self.cost[from], self.came[from], self.seen[from] = 0, -1, self.stamp
  push(self, from, 0)
end

--- Goes on with it, for so many cells at the most: the cells from one end to the other; false when there is no way;
--- nil when there is more to look at. Also how many were looked at.
---@param land village.Land
---@param most number
---@return integer[]|false|nil cells, integer work
function Search:go_on(land, most)
  local to, seen, done, work = self.to, self.seen, self.stamp + 1, 0
  while self.count > 0 do
    local at = pop(self)
    if at == to then return trace(self, to), work end
    if seen[at] ~= done then
      seen[at] = done
      spread(self, land, at, to)
      work = work + 1
      if work >= most then return nil, work end
    end
  end
  return false, work
end

return M
