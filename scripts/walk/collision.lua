--- What the walker bumps into and stands on.
---
--- A scene's `collide(state)` gives the world as plain tables (metres; yaw turns about y as math.mat4.rotate_y does):
---   height(x, z)   -> the ground
---   boxes          { { x, z, half_x, half_z, yaw, bottom, top }, … }
---   cylinders      { { x, z, r, bottom, top }, … }
---   floors         { { x, z, half_x, half_z, yaw, y0, y1 }, … }   y0 at local -x, y1 at local +x: level, ramp or stair
---   doors          see walk/doors.lua
---   moving()       -> cylinders that move: people, animals; asked once a step of the walk
---   people         { { x, y, z, line }, … }: who answers, and what
---   water          { level, depth_max } and min {x, z}, max {x, z}: no further in than depth_max (0.95)
---   start          { x, z, yaw }
local judge = require('judge')
local maths = require('thatch.math')

local floor, sqrt, max, min, abs = maths.floor, maths.sqrt, maths.max, maths.min, maths.abs
local CELL = 4 -- metres a side of the lookup grid
local STEP_UP, STEP_IN_AIR = 0.35, 0.1 -- what feet climb on the ground, and in a jump
local FOOT = 0.27 -- a foot stands on what is so near: less than the body's radius, so that walls don't lift it
local FLOOR = 0.16 -- how thick the camera takes a floor to be
local TOUCH = 1e-9 -- square metres: what only touches is not inside, however its last bit is rounded
local PUSHES = 10 -- out of one solid and into the next, until there is room
local SLOPE_MAX = 1.1 -- rise over run that can still be walked up

local M = { STEP_UP = STEP_UP, STEP_IN_AIR = STEP_IN_AIR }

---@class World
---@field yielding? integer the mover that lets the walker by
local World = {}
World.__index = World

local function key_of(i, k)
  return i * 65536 + k
end

--- Registers an item in every cell that its circle of radius `reach` touches.
local function register(grid, item, reach)
  for i = floor((item.x - reach) / CELL), floor((item.x + reach) / CELL) do
    for k = floor((item.z - reach) / CELL), floor((item.z + reach) / CELL) do
      local key = key_of(i, k)
      local cell = grid[key]
      if not cell then
        cell = {}
        grid[key] = cell
      end
      cell[#cell + 1] = item
    end
  end
end

local function turned(item, kind)
  local copy = {}
  for key, value in pairs(item) do copy[key] = value end
  copy.kind, copy.cos, copy.sin = kind, maths.cos(item.yaw or 0), maths.sin(item.yaw or 0)
  return copy
end

local NONE = {}

--- Makes the world that a walker walks in. Raises where a list is wrong.
---@param world table as above
---@return World
function M.new(world)
  judge.solids(nil, world)
  local self = setmetatable({
    height = world.height or function() return 0 end, grid = {}, floor_grid = {}, doors = world.doors or {},
    moving = world.moving, people = world.people, water = world.water, start = world.start, movers = {},
  }, World)
  for _, box in ipairs(world.boxes or NONE) do
    register(self.grid, turned(box, 'box'), sqrt(box.half_x * box.half_x + box.half_z * box.half_z) + 0.5)
  end
  for _, cylinder in ipairs(world.cylinders or NONE) do
    register(self.grid, turned(cylinder, 'cylinder'), cylinder.r + 0.5)
  end
  for _, item in ipairs(world.floors or NONE) do
    local plate = turned(item, 'floor')
    plate.y1 = plate.y1 or plate.y0
    register(self.floor_grid, plate, sqrt(item.half_x * item.half_x + item.half_z * item.half_z))
  end
  return self
end

local function cell_at(grid, x, z)
  return grid[key_of(floor(x / CELL), floor(z / CELL))] or NONE
end

--- The height of a floor at a place, or nil beside it.
local function floor_height(plate, x, z)
  local dx, dz = x - plate.x, z - plate.z
  local lx = plate.cos * dx - plate.sin * dz
  local lz = plate.sin * dx + plate.cos * dz
  if abs(lx) > plate.half_x or abs(lz) > plate.half_z then return nil end
  if plate.y0 == plate.y1 then return plate.y0 end
  return plate.y0 + (plate.y1 - plate.y0) * (lx / plate.half_x * 0.5 + 0.5)
end

--- Is a solid within r of a place, seen from above?
local function over_solid(item, x, z, r)
  local dx, dz = x - item.x, z - item.z
  if item.kind == 'cylinder' then
    local reach = item.r + r
    return dx * dx + dz * dz < reach * reach
  end
  return abs(item.cos * dx - item.sin * dz) < item.half_x + r
    and abs(item.sin * dx + item.cos * dz) < item.half_z + r
end

--- What one stands on at a place: the highest of ground, floors and low solids that feet at y can step onto.
---@param climb? number how high they step: STEP_UP
function World:ground(x, z, y, climb)
  local best = self.height(x, z)
  local reach = y + (climb or STEP_UP)
  local plates = cell_at(self.floor_grid, x, z)
  for i = 1, #plates do
    local h = floor_height(plates[i], x, z)
    if h and h > best and h <= reach then best = h end
  end
  local solids = cell_at(self.grid, x, z)
  for i = 1, #solids do
    local item = solids[i]
    if item.top > best and item.top <= reach and over_solid(item, x, z, FOOT) then best = item.top end
  end
  return best
end

--- How steep the ramp or stair is that feet at y stand on: rise over run.
function World:incline(x, z, y)
  local plates = cell_at(self.floor_grid, x, z)
  for i = 1, #plates do
    local plate = plates[i]
    if plate.y0 ~= plate.y1 then
      local h = floor_height(plate, x, z)
      if h and abs(h - y) < 0.02 then return abs(plate.y1 - plate.y0) / (2 * plate.half_x) end
    end
  end
  return 0
end

--- The lowest floor or solid over a body of radius r that reaches from y to `head`, or math.huge.
function World:ceiling(x, z, y, r, head)
  local best = maths.huge
  local plates = cell_at(self.floor_grid, x, z)
  for i = 1, #plates do
    local h = floor_height(plates[i], x, z)
    if h and h > y + STEP_UP and h < best then best = h end
  end
  local solids = cell_at(self.grid, x, z)
  for i = 1, #solids do
    local item = solids[i]
    if item.bottom >= head and item.bottom < best and over_solid(item, x, z, r) then best = item.bottom end
  end
  return best
end

--- How far a circle must move out of a box: a direction and a depth, or nil.
local function out_of_box(item, x, z, r)
  local dx, dz = x - item.x, z - item.z
  local lx = item.cos * dx - item.sin * dz
  local lz = item.sin * dx + item.cos * dz
  local px = max(-item.half_x, min(item.half_x, lx))
  local pz = max(-item.half_z, min(item.half_z, lz))
  local ox, oz = lx - px, lz - pz
  local d2 = ox * ox + oz * oz
  if d2 >= r * r - TOUCH then return nil end
  local nx, nz, depth
  if d2 > 1e-12 then
    local d = sqrt(d2)
    nx, nz, depth = ox / d, oz / d, r - d
  else -- the centre is inside: out by the nearest side
    local side_x, side_z = item.half_x - abs(lx), item.half_z - abs(lz)
    if side_x < side_z then
      nx, nz, depth = lx < 0 and -1 or 1, 0, side_x + r
    else
      nx, nz, depth = 0, lz < 0 and -1 or 1, side_z + r
    end
  end
  return item.cos * nx + item.sin * nz, -item.sin * nx + item.cos * nz, depth
end

local function out_of_cylinder(item, x, z, r)
  local dx, dz = x - item.x, z - item.z
  local reach = item.r + r
  local d2 = dx * dx + dz * dz
  if d2 >= reach * reach - TOUCH then return nil end
  local d = sqrt(d2)
  if d < 1e-6 then return 1, 0, reach end
  return dx / d, dz / d, reach - d
end

local function out_of(item, x, z, r)
  if item.kind == 'cylinder' then return out_of_cylinder(item, x, z, r) end
  return out_of_box(item, x, z, r)
end

--- A circle pushed out of a list of solids that stand between two heights.
local function push(list, x, z, r, bottom, top)
  local hit = false
  for i = 1, #list do
    local item = list[i]
    if item.top > bottom and item.bottom < top then
      local nx, nz, depth = out_of(item, x, z, r)
      if nx then x, z, hit = x + nx * depth, z + nz * depth, true end
    end
  end
  return x, z, hit
end

--- A door's leaf as a box, at its angle or another.
local function leaf_of(door, angle)
  local yaw = (door.yaw or 0) + (angle or door.angle or 0)
  local leaf = door.leaf
  if not leaf then
    leaf = { kind = 'box', half_z = (door.thickness or 0.06) / 2, half_x = door.width / 2 }
    door.leaf = leaf
  end
  leaf.cos, leaf.sin = maths.cos(yaw), maths.sin(yaw)
  leaf.x, leaf.z = door.x + leaf.cos * leaf.half_x, door.z - leaf.sin * leaf.half_x
  leaf.bottom, leaf.top = door.bottom or door.y or 0, door.top or (door.y or 0) + (door.height or 2)
  return leaf
end
M.leaf_of = leaf_of

--- Would a door at an angle touch a circle?
function M.door_touches(door, angle, x, z, r)
  return out_of_box(leaf_of(door, angle), x, z, r) ~= nil
end

--- Asks for the movers, once a step of the walk.
function World:refresh()
  local movers = self.moving and self.moving() or NONE
  for i = 1, #movers do
    movers[i].kind = 'cylinder'
    movers[i].bottom, movers[i].top = movers[i].bottom or -1e9, movers[i].top or 1e9
  end
  self.movers = movers
end

--- The mover that a circle is deepest in, and how deep: its number, metres.
---@param margin? number metres more
---@return integer? index
---@return number depth
function World:mover_at(x, z, r, bottom, top, margin)
  local best, deepest = nil, 0
  for i = 1, #self.movers do
    local m = self.movers[i]
    if m.top > bottom and m.bottom < top then
      local _, _, depth = out_of_cylinder(m, x, z, r + (margin or 0))
      if depth and depth > deepest then best, deepest = i, depth end
    end
  end
  return best, deepest
end

--- On which side there is room to go round a mover: 1 or -1, about y from x to z; nil where there is none.
---@param first integer the side to try first
---@return integer?
function World:way_round(mover, x, z, r, bottom, top, first)
  local from, wide = maths.atan2(z - mover.z, x - mover.x), mover.r + r + 0.02
  for side = first, -first, -2 * first do
    local open = true
    for k = 1, 10 do
      local angle = from + side * k * 0.25
      local px, pz = mover.x + maths.cos(angle) * wide, mover.z + maths.sin(angle) * wide
      local _, _, hit = push(cell_at(self.grid, px, pz), px, pz, r, bottom, top)
      if hit then
        open = false
        break
      end
    end
    if open then return side end
  end
  return nil
end

-- Out of the movers, but for the one that lets the walker by.
local function push_by_movers(self, x, z, r, bottom, top)
  local hit = false
  for i = 1, #self.movers do
    local m = self.movers[i]
    if i ~= self.yielding and m.top > bottom and m.bottom < top then
      local nx, nz, depth = out_of_cylinder(m, x, z, r)
      if nx then x, z, hit = x + nx * depth, z + nz * depth, true end
    end
  end
  return x, z, hit
end

--- Pushes a circle out of all that stands here; the third result is true when something is left that it is in.
---@param still? boolean without those who move
function World:resolve(x, z, r, bottom, top, still)
  local solids = cell_at(self.grid, x, z)
  for _ = 1, PUSHES do
    local hit, by_mover
    x, z, hit = push(solids, x, z, r, bottom, top)
    if not still then
      x, z, by_mover = push_by_movers(self, x, z, r, bottom, top)
      hit = hit or by_mover
    end
    for i = 1, #self.doors do
      local door = self.doors[i]
      if abs(door.x - x) < 3 and abs(door.z - z) < 3 then
        local leaf = leaf_of(door)
        if leaf.top > bottom and leaf.bottom < top then
          local nx, nz, depth = out_of_box(leaf, x, z, r)
          if nx then x, z, hit = x + nx * depth, z + nz * depth, true end
        end
      end
    end
    if not hit then return x, z, false end
  end
  return x, z, true
end

--- Is the water at a place deeper than one wades?
function World:too_deep(x, z)
  local water = self.water
  if not water then return false end
  if water.min and (x < water.min[1] or z < water.min[2] or x > water.max[1] or z > water.max[2]) then return false end
  return water.level - self.height(x, z) > (water.depth_max or 0.95)
end

--- The part of a step that a slope lets through: up to SLOPE_MAX, along the contour above it.
function World:slope(x, z, dx, dz)
  local e = 0.2
  local gx = (self.height(x + e, z) - self.height(x - e, z)) / (2 * e)
  local gz = (self.height(x, z + e) - self.height(x, z - e)) / (2 * e)
  local g2 = gx * gx + gz * gz
  local up = dx * gx + dz * gz
  if up <= 0 or g2 < SLOPE_MAX * SLOPE_MAX then return dx, dz end
  return dx - gx * up / g2, dz - gz * up / g2
end

--- Is a ball inside something solid, a door's leaf, a floor, or in the ground? For the camera behind the walker.
function World:blocked(x, y, z, r)
  if y < self.height(x, z) + r then return true end
  local plates = cell_at(self.floor_grid, x, z)
  for i = 1, #plates do
    local h = floor_height(plates[i], x, z)
    if h and y < h + r and y > h - FLOOR - r then return true end
  end
  local _, _, hit = push(cell_at(self.grid, x, z), x, z, r, y - r, y + r)
  if hit then return true end
  for i = 1, #self.doors do
    local door = self.doors[i]
    if abs(door.x - x) < 3 and abs(door.z - z) < 3 then
      local leaf = leaf_of(door)
      if leaf.top > y - r and leaf.bottom < y + r and out_of_box(leaf, x, z, r) then return true end
    end
  end
  return false
end

return M
