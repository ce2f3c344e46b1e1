--- The lie of the land: heights, and how far ways and walls are.
local ffi = require('ffi')
local maths = require('thatch.math')
local noise = require('village.noise')
local layout = require('village.layout')

local M = {}
local floor, sqrt, abs, max, min = math.floor, math.sqrt, math.abs, math.max, math.min
local plane = noise.plane

local function smooth(a, b, x)
  local t = (x - a) / (b - a)
  t = t < 0 and 0 or t > 1 and 1 or t
  return t * t * (3 - 2 * t)
end
M.smooth = smooth

M.HALF = 160 -- the baked square reaches so far each way
local SIDE = M.HALF * 2 + 1
local FINE = M.HALF * 4 + 1 -- the masks have two cells a metre

local heights = ffi.new('double[?]', SIDE * SIDE)
local way_mask = ffi.new('float[?]', FINE * FINE)   -- metres from the edge of the nearest way, negative inside
local house_mask = ffi.new('float[?]', FINE * FINE) -- metres from the nearest house's wall, negative inside

--- Where the cliff's foot runs: x for a z.
function M.cliff_x(z)
  return 82 + 7 * plane(z / 34, 0.5, 3) + 3 * plane(z / 11, 3.5, 4) + abs(z + 30) * 0.02
end

--- How high the cliff stands at a z.
function M.cliff_height(z)
  local ends = smooth(150, 95, abs(z + 22))
  return (30 + 9 * plane(z / 22, 8.5, 5) + 3 * plane(z / 7, 2.5, 9)) * ends
end

-- The broad swell of the valley, without anything small.
local function broad(x, z)
  local h = 2.2 * plane(x / 71, z / 71, 11) + 0.9 * plane(x / 37, z / 37, 12)
  local r = sqrt(x * x + z * z)
  -- the valley's rim: hills towards the north and west, open to the south
  local north = smooth(90, 420, -z) * 34 + smooth(70, 380, -x) * 22 + smooth(150, 500, z) * 12
  h = h + north * (0.7 + 0.5 * plane(x / 120, z / 120, 13))
  h = h * smooth(0, 45, r) + (1 - smooth(0, 45, r)) * 0.35 * h
  return h
end

local function raw(x, z)
  local h = broad(x, z)
  h = h + (0.34 * plane(x / 13, z / 13, 21) + 0.1 * plane(x / 4.3, z / 4.3, 22))
  -- the plateau behind the cliff, and the scree at its foot
  local foot = M.cliff_x(z)
  if x > foot - 22 then
    local high = M.cliff_height(z)
    local scree = smooth(foot - 22, foot + 1, x)
    h = h + scree * scree * high * 0.14 + smooth(foot + 1.5, foot + 6, x) * high * 0.86
    h = h + smooth(foot - 8, foot, x) * 0.5 * plane(x / 2.6, z / 2.6, 23)
  end
  return h
end

--- Distance to a way's edge, negative on it.
local function way_distance(x, z)
  local best = 1e9
  local ways = layout.ways
  for i = 1, #ways do
    local way = ways[i]
    for k = 1, #way - 1 do
      local a, b = way[k], way[k + 1]
      local dx, dz = b[1] - a[1], b[2] - a[2]
      local t = ((x - a[1]) * dx + (z - a[2]) * dz) / (dx * dx + dz * dz)
      t = t < 0 and 0 or t > 1 and 1 or t
      local ex, ez = x - a[1] - dx * t, z - a[2] - dz * t
      local d = sqrt(ex * ex + ez * ez) - (a[3] + (b[3] - a[3]) * t)
      if d < best then best = d end
    end
  end
  return best
end

--- Distance to a house's walls (its own oriented box), negative within.
local function box_distance(house, x, z)
  local dx, dz = x - house.x, z - house.z
  local c, s = house.c, house.s
  local lx, lz = abs(dx * c - dz * s) - house.w / 2, dx * s + dz * c
  lz = abs(lz) - house.d / 2
  local ox, oz = max(lx, 0), max(lz, 0)
  return sqrt(ox * ox + oz * oz) + min(max(lx, lz), 0)
end

--- The pond's shape: 0 in the middle, 1 on the shore.
function M.pond_reach(x, z)
  local p = layout.pond
  local dx, dz = (x - p.x) / p.rx, (z - p.z) / p.rz
  local r = sqrt(dx * dx + dz * dz)
  return r * (1 + 0.16 * plane(x / 9, z / 9, 31) + 0.06 * plane(x / 3.1, z / 3.1, 32))
end

local door_paths = {}

local function bake_masks()
  for i = 0, FINE * FINE - 1 do way_mask[i], house_mask[i] = 1e3, 1e3 end
  local function near(mask, x0, z0, x1, z1, distance)
    local ax, az = max(0, floor((x0 + M.HALF) * 2)), max(0, floor((z0 + M.HALF) * 2))
    local bx, bz = min(FINE - 1, floor((x1 + M.HALF) * 2)), min(FINE - 1, floor((z1 + M.HALF) * 2))
    for j = az, bz do
      for i = ax, bx do
        local d = distance(i * 0.5 - M.HALF, j * 0.5 - M.HALF)
        if d < mask[j * FINE + i] then mask[j * FINE + i] = d end
      end
    end
  end
  near(way_mask, -50, -110, 80, 110, way_distance)
  for i = 1, #door_paths do -- from each door to the nearest way
    local q = door_paths[i]
    local dx, dz = q[3] - q[1], q[4] - q[2]
    local l2 = max(dx * dx + dz * dz, 1e-6)
    near(way_mask, min(q[1], q[3]) - 6, min(q[2], q[4]) - 6, max(q[1], q[3]) + 6, max(q[2], q[4]) + 6, function(x, z)
      local k = max(0, min(1, ((x - q[1]) * dx + (z - q[2]) * dz) / l2))
      local ex, ez = x - q[1] - dx * k, z - q[2] - dz * k
      return sqrt(ex * ex + ez * ez) - q[5]
    end)
  end
  for i = 1, #layout.houses do
    local h = layout.houses[i]
    local r = h.w + 6
    near(house_mask, h.x - r, h.z - r, h.x + r, h.z + r, function(x, z) return box_distance(h, x, z) end)
    if h.wing then
      near(house_mask, h.x - r, h.z - r, h.x + r, h.z + r, function(x, z) return box_distance(h.wing, x, z) end)
    end
  end
end

local function sample(mask, x, z)
  local fx, fz = (x + M.HALF) * 2, (z + M.HALF) * 2
  if fx < 0 or fz < 0 or fx >= FINE - 1 or fz >= FINE - 1 then return 1e3 end
  local i, j = floor(fx), floor(fz)
  fx, fz = fx - i, fz - j
  local k = j * FINE + i
  local a = mask[k] + (mask[k + 1] - mask[k]) * fx
  local b = mask[k + FINE] + (mask[k + FINE + 1] - mask[k + FINE]) * fx
  return a + (b - a) * fz
end

--- Metres from the nearest way's edge; negative on it.
function M.way(x, z) return sample(way_mask, x, z) end
--- Metres from the nearest house's wall; negative inside.
function M.house(x, z) return sample(house_mask, x, z) end

local function shaped(x, z)
  local h = raw(x, z)
  local d = M.way(x, z)
  if d < 5 then -- ways are worn smooth and lie a little low
    local t = smooth(5, -0.5, d)
    h = h + (broad(x, z) - 0.1 * smooth(0.6, -0.8, d) - h) * t
  end
  for i = 1, #layout.houses do
    local house = layout.houses[i]
    local r = box_distance(house, x, z)
    if house.wing then r = min(r, box_distance(house.wing, x, z)) end
    if r < 5 then h = h + (house.y - 0.03 - h) * smooth(5, 0.9, r) end
  end
  local p = layout.pond
  local reach = M.pond_reach(x, z)
  if reach < 2.2 then
    local bank = p.level + 0.55 + max(0, reach - 1) * 0.6
    h = h + (bank - h) * smooth(2.2, 1.25, reach)
    if reach < 1.25 then
      local bowl = 1 - smooth(0.15, 1.0, reach)
      local bed = p.level + 0.12 - (p.depth + 0.12) * bowl - 0.25 * smooth(1.06, 0.9, reach)
      h = h + (bed - h) * smooth(1.22, 1.0, reach)
    end
  end
  return h
end

--- Height of the ground.
function M.height(x, z)
  local fx, fz = x + M.HALF, z + M.HALF
  if fx < 0 or fz < 0 or fx >= SIDE - 1 or fz >= SIDE - 1 then return raw(x, z) end
  local i, j = floor(fx), floor(fz)
  fx, fz = fx - i, fz - j
  local k = j * SIDE + i
  local a = heights[k] + (heights[k + 1] - heights[k]) * fx
  local b = heights[k + SIDE] + (heights[k + SIDE + 1] - heights[k + SIDE]) * fx
  return a + (b - a) * fz
end
local height = M.height

--- The ground's normal.
function M.normal(x, z, step)
  local e = step or 0.6
  local dx = (height(x + e, z) - height(x - e, z)) / (2 * e)
  local dz = (height(x, z + e) - height(x, z - e)) / (2 * e)
  local l = 1 / sqrt(dx * dx + dz * dz + 1)
  return -dx * l, l, -dz * l
end

local DOORS = { cottage = 0.47, house = 0.5, jettied = 0.5, long = 0.46, corner = 0.38, barn = 0.5, stable = 0.3 }

--- Where along its front a house has its door: local x.
function M.door_at(h)
  return (DOORS[h.plan] - 0.5) * h.w
end

--- Sets the houses' floor heights and bakes the land. Called once a load.
function M.bake()
  for i = 1, #layout.houses do
    local h = layout.houses[i]
    h.c, h.s = maths.cos(h.turn), maths.sin(h.turn)
    h.y = broad(h.x, h.z) + 0.12
    if h.plan == 'corner' then -- the wing stands behind the right end
      local lx, lz = h.w / 2 - 2.2, -(h.d / 2 + 2.0)
      h.wing = { x = h.x + lx * h.c + lz * h.s, z = h.z + lz * h.c - lx * h.s, w = 4.4, d = 4.4, c = h.c, s = h.s }
    end
  end
  door_paths = {}
  for i = 1, #layout.houses do
    local h = layout.houses[i]
    local lx, lz = M.door_at(h), h.d / 2 + 0.5
    local x, z = h.x + lx * h.c + lz * h.s, h.z + lz * h.c - lx * h.s
    local bx, bz, best = x, z, 1e9
    for w = 1, #layout.ways do
      local way = layout.ways[w]
      for k = 1, #way - 1 do
        local a, b = way[k], way[k + 1]
        local dx, dz = b[1] - a[1], b[2] - a[2]
        local u = max(0, min(1, ((x - a[1]) * dx + (z - a[2]) * dz) / (dx * dx + dz * dz)))
        local px, pz = a[1] + dx * u, a[2] + dz * u
        local d = (px - x) * (px - x) + (pz - z) * (pz - z)
        if d < best then bx, bz, best = px, pz, d end
      end
    end
    door_paths[i] = { x, z, bx, bz, (h.plan == 'barn' or h.plan == 'stable') and 1.7 or 0.5 }
  end
  bake_masks()
  for j = 0, SIDE - 1 do
    for i = 0, SIDE - 1 do heights[j * SIDE + i] = shaped(i - M.HALF, j - M.HALF) end
  end
end

return M
