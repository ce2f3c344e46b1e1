--- Inside the barn and the stable: stalls with mangers, hay, a ladder, tools, barrels, sacks. What is solid is listed
--- where it is meshed.
local maths = require('thatch.math')
local hay = require('village.hay')

local M = {}
local cos, sin, random, srgb = maths.cos, maths.sin, maths.random, maths.srgb
local OAK, GREY, IRON, SACK = srgb('#8A6E52'), srgb('#A39A8B'), srgb('#45413E'), srgb('#B8A27A')

local function tone(c, v) return { c[1] * v, c[2] * v, c[3] * v } end

local HEAP = { sides = 16, lump = 0.2, step = 0.8, belly = 0.12, up = 0.25, u = 4, v = 0.9, sky = 0.35, sky_more = 0.4 }

-- A heap of hay: wide along x, deep along z, high.
local function heap(b, x, y, z, wide, deep, high, seed)
  local straw = b:part('thatch')
  straw:color({ 0.96, 0.9, 0.68 }, 0.7)
  HEAP.wide, HEAP.deep, HEAP.high, HEAP.seed = wide, deep, high, seed
  hay.heap(straw, x, y - 0.03, z, HEAP)
end

-- Straw trodden flat on a floor.
local function litter(b, x, y, z, wide, deep, seed)
  local straw = b:part('thatch')
  straw:color({ 0.82, 0.74, 0.52 }, 0.6)
  local first = straw.count
  straw:vertex(x, y + 0.03, z, 0, 1, 0, 0, 0)
  for i = 0, 14 do
    local a = (i % 14) / 14 * 6.2832
    local l = 0.85 + 0.3 * random(seed, i % 14, 3)
    straw:vertex(x + cos(a) * wide * l, y + 0.008, z - sin(a) * deep * l, 0, 1, 0, cos(a) * wide / 1.2,
      sin(a) * deep / 1.2)
  end
  for i = 1, 14 do straw:triangle(first, first + i, first + i + 1) end
end

-- A fence of boards between two stalls, along x or along z, from a post at the open end.
local function divider(b, x0, z0, x1, z1, y, high)
  local wood = b:part('timber')
  local dx, dz = x1 - x0, z1 - z0
  local along_x = dx * dx > dz * dz
  local length = maths.sqrt(dx * dx + dz * dz)
  for i = 0, 3 do
    wood:color(tone(OAK, 0.95 + 0.25 * random(61, i, math.floor(x0 * 7 + z0 * 3 + 200))), 0.55)
    wood:box((x0 + x1) / 2, y + 0.2 + i * (high - 0.3) / 3, (z0 + z1) / 2, length, 0.2, 0.05,
      { turn = along_x and 0 or 1.5707963 })
  end
  wood:color(tone(OAK, 0.8), 0.55)
  for k = 0, 1 do
    wood:box(x0 + dx * k, y + (high + 0.2) / 2, z0 + dz * k, 0.13, high + 0.2, 0.13, { across = true, skip = 'y' })
  end
  b:solid((x0 + x1) / 2, (z0 + z1) / 2, along_x and length / 2 or 0.07, along_x and 0.07 or length / 2, 0, y, y + high)
end

-- A trough on legs, heaped with hay.
local function manger(b, x, y, z, wide, deep, along_x, seed)
  local wood = b:part('timber')
  local w, d = along_x and wide or deep, along_x and deep or wide
  wood:color(tone(OAK, 0.9), 0.5)
  wood:box(x, y + 0.42, z, w, 0.05, d)
  if along_x then
    for s = -1, 1, 2 do wood:box(x, y + 0.56, z + s * (d / 2 - 0.03), w, 0.32, 0.05) end
    for s = -1, 1, 2 do wood:box(x + s * (w / 2 - 0.03), y + 0.36, z, 0.05, 0.72, d, { across = true }) end
  else
    for s = -1, 1, 2 do wood:box(x + s * (w / 2 - 0.03), y + 0.56, z, d, 0.32, 0.05, { turn = 1.5707963 }) end
    for s = -1, 1, 2 do wood:box(x, y + 0.36, z + s * (d / 2 - 0.03), w, 0.72, 0.05, { across = true }) end
  end
  heap(b, x, y + 0.55, z, w * 0.44, d * 0.42, 0.26, seed)
  b:solid(x, z, w / 2, d / 2, 0, y, y + 0.75)
end

local function barrel(b, x, y, z, seed)
  local wood, iron = b:part('planks'), b:part('plain')
  local v = 0.75 + 0.25 * random(seed, 1, 62)
  wood:color(tone(OAK, 1.3 * v), 0.6)
  wood:lathe(x, y, z, { { 0.24, 0 }, { 0.29, 0.18 }, { 0.315, 0.42 }, { 0.29, 0.66 }, { 0.24, 0.84 }, { 0.22, 0.84 },
    { 0.215, 0.79 }, { 0, 0.79 } }, 12, 1.2)
  iron:color(IRON, 0.6)
  for k = 0, 1 do
    iron:lathe(x, y + 0.16 + k * 0.48, z, { { 0.285, -0.024 }, { 0.3, -0.022 }, { 0.3, 0.022 }, { 0.285, 0.024 } },
      12, 1)
  end
  b:solid(x, z, 0.28, 0.28, 0, y, y + 0.84)
end

-- A full sack, tied at the neck, leaning a little.
local function sack(b, x, y, z, seed)
  local plain = b:part('plain')
  plain:color(tone(SACK, 0.5 + 0.25 * random(seed, 1, 63)), 0.5)
  local r = 0.23 + 0.04 * random(seed, 2, 63)
  plain:lathe(x, y, z, { { r * 0.9, 0 }, { r * 1.08, 0.06 }, { r * 1.1, 0.24 }, { r * 1.02, 0.4 },
    { r * 0.72, 0.5 }, { r * 0.26, 0.54 }, { r * 0.24, 0.57 }, { r * 0.5, 0.64 }, { r * 0.1, 0.62 } }, 9, 1)
  b:solid(x, z, r, r, 0, y, y + 0.7)
end

-- Tools hung on a wall whose face is towards local +z of the turn: fork, rake, shovel, scythe, coil of rope.
local function tools(b, x, y, z, turn)
  local wood, iron = b:part('timber'), b:part('plain')
  wood:place(x, y, z, turn)
  iron:place(x, y, z, turn)
  wood:color(tone(OAK, 0.8), 0.6)
  wood:box(0, 1.75, 0.03, 2.3, 0.1, 0.05)
  for i = 0, 4 do wood:box(-0.95 + i * 0.48, 1.78, 0.08, 0.03, 0.03, 0.1) end
  wood:color(tone(GREY, 1.5), 0.8)
  iron:color(tone(IRON, 1.8), 0.8)
  wood:tube({ { -0.95, 0.35, 0.1, 0.017 }, { -0.95, 1.72, 0.09, 0.015 } }, 6, 1, true) -- fork, head up
  iron:box(-0.95, 1.74, 0.09, 0.24, 0.03, 0.03)
  for k = -1, 1 do
    iron:tube({ { -0.95 + k * 0.1, 1.74, 0.09, 0.012 }, { -0.95 + k * 0.1, 2.05, 0.12, 0.005 } }, 5, 1)
  end
  wood:tube({ { -0.47, 0.3, 0.1, 0.017 }, { -0.47, 1.8, 0.09, 0.015 } }, 6, 1, true) -- rake
  wood:box(-0.47, 1.82, 0.09, 0.52, 0.045, 0.045)
  for k = -4, 4 do wood:box(-0.47 + k * 0.06, 1.77, 0.12, 0.014, 0.1, 0.014) end
  wood:tube({ { 0.01, 0.55, 0.1, 0.018 }, { 0.01, 1.72, 0.09, 0.018 } }, 6, 1, true) -- shovel
  iron:box(0.01, 0.4, 0.1, 0.24, 0.34, 0.02, { taper = 0.8 })
  wood:tube({ { 0.5, 0.4, 0.1, 0.018 }, { 0.45, 1.2, 0.12, 0.017 }, { 0.49, 1.8, 0.09, 0.016 } }, 6, 1, true) -- scythe
  for k = 0, 5 do
    local a = k * 0.2
    iron:box(0.55 + sin(a) * 0.42, 1.84 + (1 - cos(a)) * -0.5, 0.1, 0.12, 0.045 - k * 0.005, 0.012, { tilt = -a })
  end
  local rope = b:part('plain')
  rope:place(x, y, z, turn)
  rope:color(tone(SACK, 0.8), 0.65)
  for k = 0, 11 do
    local a0, a1 = k / 12 * 6.2832, (k + 1) / 12 * 6.2832
    rope:beam(0.97 + cos(a0) * 0.16, 1.55 + sin(a0) * 0.22, 0.1, 0.97 + cos(a1) * 0.16, 1.55 + sin(a1) * 0.22, 0.1,
      0.07, 0.05, 1)
  end
  wood:place(0, 0, 0, 0)
  iron:place(0, 0, 0, 0)
end

-- A ladder that leans against the edge of a loft, and is climbed as a steep ramp.
local function ladder(b, x0, y0, z0, x1, y1, z1, loft)
  local wood = b:part('timber')
  wood:color(tone(OAK, 1.1), 0.65)
  for s = -1, 1, 2 do wood:beam(x0, y0, z0 + s * 0.24, x1, y1, z1 + s * 0.24, 0.05, 0.08, 1) end
  local rungs = 9
  for i = 1, rungs do
    local t = i / (rungs + 0.6)
    wood:tube({ { x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, z0 - 0.26, 0.018 },
      { x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, z0 + 0.26, 0.018 } }, 6, 1, true)
  end
  b:floor((x0 + x1) / 2 + 0.02, z0, (x0 - x1) / 2 - 0.02, 0.3, 3.14159265, y0, loft)
end

--- The barn: stalls along the right wall, hay below the loft and on it.
---@param b village.Building
---@param x0 number the inner faces of its walls
---@param y number its floor
---@param loft number the loft's floor
function M.barn(b, x0, x1, z0, z1, y, loft)
  b.within = true
  for i = 0, 2 do
    local z = z0 + 2.1 * (i + 1)
    divider(b, x1 - 2.5, z, x1 - 0.05, z, y, 1.25)
    manger(b, x1 - 0.3, y, z - 1.05, 1.7, 0.5, false, 70 + i)
    litter(b, x1 - 1.6, y, z - 1.05, 1.0, 0.85, 80 + i)
  end
  heap(b, x0 + 1.5, y, z0 + 1.35, 1.5, 1.25, 1.75, 5)
  b:solid(x0 + 1.35, z0 + 1.2, 1.3, 1.15, 0, y, y + 1.5)
  heap(b, x0 + 1.5, loft, z0 + 1.9, 1.45, 1.75, 1.25, 6)
  heap(b, x0 + 1.9, loft, z0 + 5.4, 1.75, 1.9, 1.5, 7)
  heap(b, x0 + 3.6, loft, z0 + 3.9, 0.6, 0.9, 0.35, 8)
  litter(b, x0 + 3.2, y, z0 + 2.1, 1.0, 1.2, 84)
  litter(b, x0 + 3.6, y, z1 - 1.2, 0.8, 0.7, 85)
  ladder(b, x0 + 5.2, y, z0 + 2.9, x0 + 4.15, loft + 0.55, z0 + 2.9, loft)
  tools(b, 0.4, y, z0 + 0.01, 0)
  barrel(b, x1 - 2.9, y, z1 - 0.4, 3)
  barrel(b, x1 - 3.55, y, z1 - 0.42, 4)
  for i = 0, 2 do sack(b, x1 - 0.4 - i * 0.52, y, z1 - 0.4 - 0.06 * (i % 2), 90 + i) end
  sack(b, x1 - 0.45, y, z1 - 0.95, 94)
  local wood = b:part('timber') -- a perch for the hens
  wood:color(tone(OAK, 0.8), 0.55)
  wood:box(x0 + 0.6, y + 0.45, z1 - 0.6, 1.1, 0.05, 0.05)
  for k = -1, 1, 2 do wood:box(x0 + 0.6 + k * 0.5, y + 0.22, z1 - 0.6, 0.05, 0.45, 0.05, { across = true }) end
  b.within = false
end

--- The stable: two stalls towards the back wall, room for hay and harness on the left.
function M.stable(b, x0, x1, z0, z1, y)
  b.within = true
  for i = 0, 1 do
    local x = 0.05 + 2.02 * i
    divider(b, x, z0 + 0.05, x, z0 + 2.6, y, 1.3)
    manger(b, x + 1.0, y, z0 + 0.28, 1.5, 0.46, true, 72 + i)
    litter(b, x + 1.0, y, z0 + 1.7, 0.85, 1.1, 86 + i)
  end
  heap(b, x0 + 0.85, y, z0 + 0.75, 0.85, 0.75, 1.05, 9)
  b:solid(x0 + 0.8, z0 + 0.7, 0.7, 0.6, 0, y, y + 0.9)
  tools(b, x0 + 0.01, y, 0.75, 1.5707963)
  barrel(b, x0 + 0.42, y, z1 - 0.45, 5)
  sack(b, x1 - 0.4, y, z1 - 0.4, 96)
  sack(b, x1 - 0.95, y, z1 - 0.38, 97)
  local wood, plain = b:part('timber'), b:part('plain') -- a saddle and a collar on their pegs
  wood:color(tone(OAK, 0.8), 0.6)
  wood:box(-1.6, y + 1.3, z0 + 0.25, 0.1, 0.1, 0.5, { across = true })
  plain:color(srgb('#6A4630'), 0.65)
  plain:box(-1.6, y + 1.4, z0 + 0.3, 0.42, 0.08, 0.46, { taper = 0.7 })
  for s = -1, 1, 2 do plain:box(-1.6 + s * 0.2, y + 1.16, z0 + 0.32, 0.03, 0.44, 0.34, { tilt = s * 0.12 }) end
  for k = 0, 13 do
    local a0, a1 = k / 14 * 6.2832, (k + 1) / 14 * 6.2832
    plain:beam(-0.75 + cos(a0) * 0.2, y + 1.5 + sin(a0) * 0.3, z0 + 0.1, -0.75 + cos(a1) * 0.2, y + 1.5 + sin(a1) * 0.3,
      z0 + 0.1, 0.1, 0.08, 1)
  end
  b.within = false
end

return M
