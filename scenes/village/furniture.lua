--- What stands in the rooms: tables, benches, beds, shelves, chests, crocks. Built into the house's own inner parts.
local maths = require('thatch.math')

local M = {}
local random, srgb = maths.random, maths.srgb
local cos, sin, floor = maths.cos, maths.sin, math.floor

local OAK, PINE, LINEN = srgb('#CFAE86'), srgb('#DEC69E'), srgb('#E8DFCC')
local CLOTHS = { srgb('#96665A'), srgb('#75838E'), srgb('#A8926A'), srgb('#808A6C') }
local CROCKS = { srgb('#A58A70'), srgb('#8E8A82'), srgb('#7E878C'), srgb('#C2B7A4') }
local PEWTER = srgb('#A8ABA8')

-- Where in the house things go: an origin and a turn.
local function at(b, x, y, z, turn)
  local parts = { wood = b:part('timber'), plain = b:part('plain') }
  parts.wood:place(x, y, z, turn)
  parts.plain:place(x, y, z, turn)
  parts.wood.s, parts.plain.s = 0.8, 0.8
  return parts.wood, parts.plain
end

local function done(b)
  b:part('timber'):place(0, 0, 0, 0)
  b:part('plain'):place(0, 0, 0, 0)
end

-- Where one may sit or lie: in the building's space, `turn` faces local +z of the seat, feet first of the bed.
local function place(b, list, x, y, z, turn, height)
  b[list] = b[list] or {}
  b[list][#b[list] + 1] = { x = x, y = y, z = z, turn = turn, height = height }
end

local function tone(c, v) return { math.min(1, c[1] * v), math.min(1, c[2] * v), math.min(1, c[3] * v) } end

local function crock(plain, x, y, z, seed)
  local r = 0.05 + 0.035 * random(seed, 1, 4)
  local h = 0.1 + 0.12 * random(seed, 2, 4)
  plain:color(CROCKS[1 + floor(random(seed, 3, 4) * #CROCKS)], 0.85)
  plain:lathe(x, y, z, { { r * 0.7, 0 }, { r, h * 0.35 }, { r * 0.92, h * 0.7 }, { r * 0.6, h * 0.9 }, { r * 0.7, h },
    { r * 0.5, h }, { r * 0.45, h * 0.8 } }, 9, 1)
end

--- A table with a bench on either side, laid for a meal.
function M.table(b, x, y, z, turn, long)
  local wood, plain = at(b, x, y, z, turn)
  for i = 0, 3 do
    wood:color(tone(OAK, 0.85 + 0.2 * random(b.seed, i, 41)), 0.85)
    wood:box(0, 0.74, -0.3 + i * 0.2, long, 0.05, 0.19, { u = i * 0.3 })
  end
  wood:color(tone(OAK, 0.75), 0.6)
  for sx = -1, 1, 2 do
    for sz = -1, 1, 2 do
      wood:box(sx * (long / 2 - 0.16), 0.36, sz * 0.3, 0.09, 0.72, 0.09, { across = true, skip = 'yY' })
    end
    wood:box(sx * (long / 2 - 0.16), 0.2, 0, 0.06, 0.08, 0.6)
    wood:color(tone(OAK, 0.9), 0.75)
    wood:box(0, 0.44, sx * 0.72, long * 0.92, 0.05, 0.28)
    wood:color(tone(OAK, 0.7), 0.55)
    for k = -1, 1, 2 do wood:box(k * long * 0.36, 0.21, sx * 0.72, 0.07, 0.42, 0.24, { across = true }) end
  end
  for i = 1, 4 do
    local px, pz = -long / 2 + long * (i - 0.5) / 4, (i % 2 == 0 and 0.2 or -0.2)
    plain:color(PEWTER, 0.9)
    plain:lathe(px, 0.765, pz, { { 0.06, 0 }, { 0.11, 0.02 }, { 0.1, 0.024 }, { 0.05, 0.008 }, { 0, 0.008 } }, 12, 1)
    crock(plain, px + 0.16, 0.765, pz * 0.5, b.seed + i)
  end
  plain:color(srgb('#B08A5C'), 0.9)
  plain:lathe(0.05, 0.765, 0, { { 0.1, 0 }, { 0.125, 0.04 }, { 0.1, 0.085 }, { 0.04, 0.105 }, { 0, 0.11 } }, 12, 1)
  done(b)
  local c, s = maths.cos(turn), maths.sin(turn)
  local wide = (c > 0.5 or c < -0.5) and long / 2 or 0.4
  local deep = (s > 0.5 or s < -0.5) and long / 2 or 0.4
  b:solid(x, z, wide, deep, 0, y, y + 0.78)
  for side = -1, 1, 2 do
    b:seat(x + side * 0.72 * s, z + side * 0.72 * c, long * 0.46, 0.14, turn, y, y + 0.465)
    for k = -1, 1, 2 do
      local lx, lz = k * long * 0.23, side * 0.7
      place(b, 'seats', x + lx * c + lz * s, y, z + lz * c - lx * s, turn + (side > 0 and 3.14159265 or 0), 0.465)
    end
  end
end

local COVER = { { -0.505, 0.4 }, { -0.5, 0.5 }, { -0.44, 0.6 }, { -0.3, 0.69 }, { -0.13, 0.735 }, { 0.13, 0.735 },
  { 0.3, 0.69 }, { 0.44, 0.6 }, { 0.5, 0.5 }, { 0.505, 0.4 } }

-- A rounded cover along a bed from x0 to x1, closed at both ends.
local function cover(plain, x0, x1)
  local n = #COVER
  local stations = x1 - x0 > 0.5 and { 0, 0.09, 0.9, 1 } or { 0, 1 }
  local first = plain.count
  for i = 1, #stations do
    local x = x0 + (x1 - x0) * stations[i]
    local low = #stations > 2 and (i == #stations and 0.55 or i == 1 and 0.96 or 1) or 1
    for k = 1, n do
      local p = COVER[k]
      local before, after = COVER[k > 1 and k - 1 or k], COVER[k < n and k + 1 or k]
      local dy, dz = (after[2] - before[2]) * low, after[1] - before[1]
      local l = 1 / maths.sqrt(dy * dy + dz * dz)
      plain:vertex(x, 0.4 + (p[2] - 0.4) * low, p[1], 0, dz * l, -dy * l, 0, 0)
    end
  end
  plain:sheet(first, #stations - 1, n)
  for side = 0, 1 do
    local at0 = first + side * (#stations - 1) * n
    for k = 1, n - 2 do
      local a, c, d = at0, at0 + k, at0 + k + 1
      if side == 0 then plain:triangle(a, d, c) else plain:triangle(a, c, d) end
    end
  end
end

--- A bed with its head at -x.
function M.bed(b, x, y, z, turn)
  local wood, plain = at(b, x, y, z, turn)
  wood:color(tone(OAK, 0.8), 0.75)
  wood:box(0, 0.3, 0.5, 1.95, 0.2, 0.05)
  wood:box(0, 0.3, -0.5, 1.95, 0.2, 0.05)
  wood:box(-1.0, 0.5, 0, 0.06, 1.0, 1.06, { across = true })
  wood:box(1.0, 0.36, 0, 0.06, 0.72, 1.06, { across = true })
  plain:color(LINEN, 0.85)
  plain:box(0, 0.42, 0, 1.9, 0.16, 0.94, { skip = 'y' })
  plain:box(-0.72, 0.54, 0, 0.4, 0.12, 0.7, { skip = 'y', taper = 0.8 })
  plain:color(CLOTHS[1 + floor(random(b.seed, 5, 42) * #CLOTHS)], 0.85)
  -- a feather cover, deep enough for who lies beneath; its hem of linen is turned back
  cover(plain, -0.3, 0.97)
  plain:color(tone(LINEN, 0.95), 0.85)
  cover(plain, -0.44, -0.29)
  done(b)
  local c = maths.cos(turn)
  local along = c > 0.5 or c < -0.5
  b:solid(x, z, along and 1.0 or 0.52, along and 0.52 or 1.0, 0, y, y + 0.55)
  place(b, 'beds', x, y, z, turn, 0.5)
end

--- Boards on a wall (behind local -z) with crocks and folded cloth.
function M.shelf(b, x, y, z, turn, wide)
  local wood, plain = at(b, x, y, z, turn)
  for row = 0, 2 do
    wood:color(tone(PINE, 0.85), 0.75)
    local h = 0.95 + row * 0.38
    wood:box(0, h, 0.13, wide, 0.035, 0.26)
    for k = -1, 1, 2 do wood:box(k * (wide / 2 - 0.1), h - 0.07, 0.09, 0.04, 0.12, 0.16) end
    local n = floor(wide / 0.19)
    for i = 0, n - 1 do
      local r = random(b.seed + row, i, 43)
      local px = -wide / 2 + 0.12 + i * 0.19
      if r < 0.62 then
        crock(plain, px, h + 0.018, 0.12, b.seed + row * 16 + i)
      elseif r < 0.78 then
        plain:color(CLOTHS[1 + floor(random(b.seed + row, i, 44) * #CLOTHS)], 0.8)
        plain:box(px, h + 0.07, 0.13, 0.17, 0.1, 0.2, { skip = 'y' })
      end
    end
  end
  done(b)
end

--- A chest with a curved lid.
function M.chest(b, x, y, z, turn)
  local wood, plain = at(b, x, y, z, turn)
  wood:color(tone(OAK, 0.72), 0.75)
  wood:box(0, 0.24, 0, 0.95, 0.48, 0.5, { skip = 'y' })
  wood:box(0, 0.52, 0, 0.98, 0.1, 0.52, { taper = 0.98 })
  plain:color(srgb('#4A4542'), 0.8)
  for k = -1, 1, 2 do plain:box(k * 0.32, 0.3, 0, 0.05, 0.56, 0.515, { skip = 'y' }) end
  plain:box(0, 0.46, 0.265, 0.1, 0.12, 0.02)
  done(b)
  b:solid(x, z, 0.5, 0.5, 0, y, y + 0.55)
end

--- A stool, or a chair with a back.
function M.chair(b, x, y, z, turn, back)
  local wood = at(b, x, y, z, turn)
  wood:color(tone(OAK, 0.85), 0.8)
  wood:box(0, 0.43, 0, 0.4, 0.045, 0.38)
  for sx = -1, 1, 2 do
    for sz = -1, 1, 2 do
      local high = back and sz < 0 and 0.95 or 0.42
      wood:box(sx * 0.17, high / 2, sz * 0.155, 0.04, high, 0.04, { across = true, skip = 'y' })
    end
  end
  if back then
    wood:box(0, 0.86, -0.155, 0.34, 0.1, 0.03)
    wood:box(0, 0.66, -0.155, 0.34, 0.07, 0.03)
  end
  done(b)
  b:seat(x, z, 0.2, 0.19, turn, y, y + (back and 0.9 or 0.45))
  place(b, 'chairs', x, y, z, turn, 0.4525)
end

--- A woven mat, a hair above the boards: bands of two dyes between lines of linen, a fringe at either end.
function M.mat(b, x, y, z, wide, deep)
  local _, plain = at(b, x, y, z, 0)
  local c = CLOTHS[1 + floor(random(b.seed, 6, 42) * #CLOTHS)]
  local other = CLOTHS[1 + floor(random(b.seed, 7, 42) * #CLOTHS)]
  local bands = { 0.03, 0.1, 0.02, 0.12, 0.02, 0.42, 0.02, 0.12, 0.02, 0.1, 0.03 }
  local x0 = -wide / 2
  for i = 1, #bands do
    local x1 = x0 + wide * bands[i]
    local ends = i == 1 or i == #bands
    plain:color(ends and tone(LINEN, 0.45) or i % 2 == 1 and tone(LINEN, 0.55) or i == 6 and tone(c, 0.62)
      or i % 4 == 0 and tone(other, 0.5) or tone(c, 0.42), 0.8)
    local d = (ends and 0.47 or 0.5) * deep
    plain:quad({ x0, 0.012, d }, { x1, 0.012, d }, { x1, 0.012, -d }, { x0, 0.012, -d }, 1)
    x0 = x1
  end
  done(b)
end

--- Bunches of herbs and onions on strings from a beam.
function M.herbs(b, x, y, z)
  local _, plain = at(b, x, y, z, 0)
  for i = 0, 4 do
    local px = (i - 2) * 0.24
    local c = i % 2 == 0 and srgb('#7E8A52') or srgb('#B9925A')
    plain:color(tone(c, 0.9), 0.7)
    local long = 0.3 + 0.12 * random(b.seed, i, 45)
    plain:tube({ { px, 0, 0, 0.006 }, { px, -0.12, 0, 0.012 }, { px, -0.16, 0, 0.022 }, { px, -long, 0, 0.07 } }, 6, 1,
      true)
    for k = 0, 4 do -- ends that part
      local a = k * 1.2566
      local ca, sa = cos(a), sin(a)
      plain:beam(px + ca * 0.04, -long + 0.06, sa * 0.04, px + ca * 0.085, -long - 0.05, sa * 0.085, 0.03, 0.02, 1)
    end
  end
  done(b)
end

return M
