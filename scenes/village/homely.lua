--- What makes a room somebody's: pictures, clocks, coats on pegs, dressers, wardrobes, candles, baskets, curtains.
--- Built into the house's inner parts. Things for walls have the wall behind local -z; `turn` is about y.
local maths = require('thatch.math')

local M = {}
local random, srgb = maths.random, maths.srgb
local cos, sin, floor, max = maths.cos, maths.sin, math.floor, math.max

local OAK, PINE = srgb('#CBAA84'), srgb('#E0CBA6')
local LINEN, IRON, BRASS = srgb('#DDD5C4'), srgb('#45413E'), srgb('#A88C55')
local CLOTHS = { srgb('#8E6258'), srgb('#6F7F8A'), srgb('#A38B5C'), srgb('#77805F'), srgb('#7C6A72') }
local PLATES = { srgb('#D9D4C8'), srgb('#B7BEC2'), srgb('#C9B79A') }
local CURTAINS = { srgb('#B08472'), srgb('#A3A79F'), srgb('#BFAA7C'), srgb('#A5A88A'), srgb('#D3C8B2') }

local function at(b, x, y, z, turn)
  local wood, plain = b:part('timber'), b:part('plain')
  wood:place(x, y, z, turn)
  plain:place(x, y, z, turn)
  wood.s, plain.s = 0.8, 0.8
  return wood, plain
end

local function done(b)
  b:part('timber'):place(0, 0, 0, 0)
  b:part('plain'):place(0, 0, 0, 0)
end

local function tone(c, v) return { math.min(1, c[1] * v), math.min(1, c[2] * v), math.min(1, c[3] * v) } end

-- A box's footprint as a solid: turned by quarters.
local function stand(b, x, z, turn, wide, deep, y0, y1)
  local along = math.abs(cos(turn)) > 0.5
  b:solid(x, z, along and wide or deep, along and deep or wide, 0, y0, y1)
end

local function flat(part, x0, y0, x1, y1, z)
  part:quad({ x0, y0, z }, { x1, y0, z }, { x1, y1, z }, { x0, y1, z }, 1)
end

--- A painting in a frame: hills under a sky, with a house or a tree; each its own. `y` is its middle.
function M.picture(b, x, y, z, turn, wide, seed)
  local wood, plain = at(b, x, y, z, turn)
  local high = wide * (0.66 + 0.5 * random(seed, 1, 71))
  local w, h = wide / 2, high / 2
  wood:color(random(seed, 2, 71) < 0.4 and BRASS or tone(OAK, 0.6), 0.8)
  for side = -1, 1, 2 do
    wood:box(0, side * h, 0.02, wide + 0.05, 0.05, 0.04)
    wood:box(side * w, 0, 0.02, 0.05, high - 0.05, 0.04, { across = true, skip = 'yY' })
  end
  local line = -h + high * (0.34 + 0.2 * random(seed, 3, 71))
  local sky = random(seed, 4, 71) < 0.5 and srgb('#B9C4C6') or srgb('#D3BFA0')
  local first = plain.count
  local function corner(px, py, c) plain:vertex(px, py, 0.012, 0, 0, 1, 0, 0, c[1], c[2], c[3], 0.8) end
  corner(-w, line - 0.06, tone(sky, 1.4)); corner(w, line - 0.06, tone(sky, 1.4))
  corner(w, h, tone(sky, 0.8)); corner(-w, h, tone(sky, 0.8))
  plain:face(first, first + 1, first + 2, first + 3)
  local hill = random(seed, 5, 71) < 0.5 and srgb('#6E7550') or srgb('#8A7B55')
  for k = 0, 1 do -- two slopes, the nearer darker
    local c = tone(hill, k == 0 and 1.5 or 0.95)
    local left, right = line + (random(seed, 6 + k, 72) - 0.4) * h * 0.5, line + (random(seed, 8 + k, 72) - 0.4) * h
      * 0.5
    if k == 1 then left, right = left - h * 0.35, right - h * 0.35 end
    plain:color(c, 0.8)
    local z0 = 0.014 + k * 0.002
    plain:quad({ -w, -h, z0 }, { w, -h, z0 }, { w, max(right, -h), z0 }, { -w, max(left, -h), z0 }, 1)
  end
  local px = (random(seed, 10, 71) - 0.5) * w
  if random(seed, 11, 71) < 0.5 then
    plain:color(srgb('#C9BBA2'), 0.8)
    flat(plain, px - w * 0.16, line - h * 0.16, px + w * 0.16, line + h * 0.1, 0.019)
    plain:color(srgb('#8A5140'), 0.8)
    plain:quad({ px - w * 0.22, line + h * 0.1, 0.02 }, { px + w * 0.22, line + h * 0.1, 0.02 },
      { px + w * 0.1, line + h * 0.26, 0.02 }, { px - w * 0.1, line + h * 0.26, 0.02 }, 1)
  else
    plain:color(srgb('#4A5438'), 0.8)
    plain:quad({ px - w * 0.2, line + h * 0.1, 0.02 }, { px, line - h * 0.02, 0.02 }, { px + w * 0.2, line + h * 0.12,
      0.02 }, { px, line + h * 0.42, 0.02 }, 1)
  end
  done(b)
end

--- A clock on the wall: a case, a round face, hands that stand at the hour it was painted, weights on cords.
function M.clock(b, x, y, z, turn)
  local wood, plain = at(b, x, y, z, turn)
  wood:color(tone(OAK, 0.55), 0.8)
  wood:box(0, 0, 0.07, 0.3, 0.38, 0.14, { across = true, skip = 'z' })
  wood:box(0, 0.215, 0.075, 0.36, 0.05, 0.17)
  wood:box(0, -0.2, 0.075, 0.34, 0.04, 0.16)
  plain:color(LINEN, 0.9)
  local first = plain:vertex(0, 0.02, 0.142, 0, 0, 1, 0, 0)
  for k = 0, 12 do
    local a = k / 12 * 6.283185307
    plain:vertex(cos(a) * 0.115, 0.02 + sin(a) * 0.115, 0.142, 0, 0, 1, 0, 0)
  end
  for k = 1, 12 do plain:triangle(first, first + k, first + k + 1) end
  plain:color(IRON, 0.8)
  plain:box(0, 0.055, 0.147, 0.012, 0.075, 0.004, { tilt = 0.5 })
  plain:box(0.03, 0.02, 0.147, 0.09, 0.01, 0.004, { tilt = 0.2 })
  for k = 0, 3 do
    local a = k * 1.57079633
    plain:box(cos(a) * 0.095, 0.02 + sin(a) * 0.095, 0.144, 0.016, 0.016, 0.003)
  end
  for side = -1, 1, 2 do
    local drop = side < 0 and 0.5 or 0.34
    plain:box(side * 0.06, -0.2 - drop / 2, 0.07, 0.006, drop, 0.006, { skip = 'yY' })
    plain:color(BRASS, 0.8)
    plain:box(side * 0.06, -0.24 - drop, 0.07, 0.045, 0.11, 0.045)
    plain:color(IRON, 0.8)
  end
  done(b)
end

--- A board with pegs; coats, a hat and an apron hang there. `y` is the floor.
function M.pegs(b, x, y, z, turn, seed)
  local wood, plain = at(b, x, y, z, turn)
  wood:color(tone(OAK, 0.7), 0.8)
  wood:box(0, 1.68, 0.015, 0.9, 0.1, 0.03)
  for i = 0, 3 do
    local px = -0.34 + i * 0.227
    wood:box(px, 1.68, 0.06, 0.025, 0.025, 0.09)
    local what = random(seed, i, 73)
    local c = CLOTHS[1 + floor(random(seed, i, 74) * #CLOTHS)]
    if what < 0.55 then
      local long = 0.6 + 0.35 * random(seed, i, 75)
      plain:color(tone(c, 0.8), 0.7)
      plain:box(px, 1.66 - long / 2, 0.07, 0.22, long, 0.1, { taper = 0.35, sky_bottom = 0.5 })
    elseif what < 0.8 then
      plain:color(srgb('#B79A62'), 0.8)
      plain:lathe(px, 1.6, 0.12, { { 0.15, -0.02 }, { 0.14, 0 }, { 0.085, 0.01 }, { 0.075, 0.09 }, { 0, 0.1 } }, 9, 1)
    end
  end
  done(b)
end

--- A cupboard with doors below and plates on boards above.
function M.dresser(b, x, y, z, turn, wide, seed)
  local wood, plain = at(b, x, y, z, turn)
  wood:color(tone(PINE, 0.62), 0.75)
  wood:box(0, 0.43, 0.22, wide, 0.86, 0.4, { skip = 'yz', sky_bottom = 0.5 })
  wood:color(tone(PINE, 0.8), 0.8)
  wood:box(0, 0.88, 0.23, wide + 0.06, 0.05, 0.46, { skip = 'z' })
  for side = -1, 1, 2 do
    wood:box(side * wide * 0.24, 0.42, 0.43, wide * 0.4, 0.62, 0.02, { across = true, skip = 'z' })
    plain:color(IRON, 0.9)
    plain:box(side * 0.05, 0.5, 0.45, 0.03, 0.03, 0.03)
    wood:box(side * (wide / 2 - 0.02), 1.35, 0.13, 0.04, 0.9, 0.22, { across = true, skip = 'yz' })
  end
  wood:color(tone(PINE, 0.5), 0.6)
  wood:box(0, 1.35, 0.015, wide - 0.06, 0.9, 0.02, { across = true, skip = 'z' })
  wood:color(tone(PINE, 0.72), 0.8)
  wood:box(0, 1.8, 0.15, wide + 0.08, 0.05, 0.3, { skip = 'z' })
  for row = 0, 1 do
    local h = 1.06 + row * 0.38
    if row == 1 then wood:box(0, h, 0.13, wide - 0.08, 0.03, 0.22, { skip = 'z' }) end
    local n = floor((wide - 0.1) / 0.2)
    for i = 0, n - 1 do
      local px = (i - (n - 1) / 2) * 0.2
      plain:color(tone(PLATES[1 + floor(random(seed, i + row * 9, 76) * #PLATES)], 0.9), 0.85)
      local first = plain:vertex(px, h + 0.1, 0.075, 0, 0.15, 1, 0, 0)
      plain:color(tone(PLATES[1 + floor(random(seed, i + row * 9, 77) * #PLATES)], 0.7), 0.85)
      for k = 0, 9 do
        local a = k / 9 * 6.283185307
        plain:vertex(px + cos(a) * 0.085, h + 0.1 + sin(a) * 0.085, 0.075 - sin(a) * 0.02, cos(a) * 0.3, 0.15, 1, 0, 0)
      end
      for k = 1, 9 do plain:triangle(first, first + k, first + k + 1) end
    end
  end
  done(b)
  local c, s = cos(turn), sin(turn)
  stand(b, x + 0.22 * s, z + 0.22 * c, turn, wide / 2 + 0.03, 0.24, y, y + 1.85)
end

--- A tall cupboard for clothes, its panels painted in the house's colour.
function M.wardrobe(b, x, y, z, turn)
  local wood, plain = at(b, x, y, z, turn)
  wood:color(tone(OAK, 0.6), 0.75)
  wood:box(0, 0.9, 0.25, 1.0, 1.72, 0.48, { across = true, skip = 'yz', sky_bottom = 0.5 })
  wood:box(0, 1.8, 0.27, 1.12, 0.09, 0.58, { skip = 'z' })
  wood:box(0, 0.05, 0.27, 1.06, 0.1, 0.54, { skip = 'yz' })
  for side = -1, 1, 2 do
    for row = 0, 1 do
      local c, v = b.shutter, row == 0 and 0.9 or 1.05
      wood:color({ (c[1] * 0.5 + 0.13) * v, (c[2] * 0.5 + 0.11) * v, (c[3] * 0.5 + 0.08) * v }, 0.8)
      wood:box(side * 0.235, 0.55 + row * 0.75, 0.495, 0.34, 0.62, 0.02, { across = true, skip = 'z' })
    end
    plain:color(BRASS, 0.9)
    plain:box(side * 0.035, 0.95, 0.505, 0.02, 0.07, 0.03)
  end
  done(b)
  local c, s = cos(turn), sin(turn)
  stand(b, x + 0.27 * s, z + 0.27 * c, turn, 0.56, 0.29, y, y + 1.85)
end

--- A candle in its holder, on whatever is at `y`.
function M.candle(b, x, y, z)
  local _, plain = at(b, x, y, z, 0)
  plain:color(tone(BRASS, 0.8), 0.9)
  plain:lathe(0, 0, 0, { { 0.055, 0 }, { 0.06, 0.012 }, { 0.02, 0.02 }, { 0.02, 0.05 }, { 0.012, 0.05 } }, 8, 1)
  plain:color(LINEN, 0.95)
  plain:lathe(0, 0.045, 0, { { 0.013, 0 }, { 0.013, 0.11 }, { 0, 0.118 } }, 6, 1)
  done(b)
end

--- A small table with a drawer, a jug or a candle on it.
function M.stand(b, x, y, z, turn)
  local wood, plain = at(b, x, y, z, turn)
  wood:color(tone(OAK, 0.75), 0.8)
  wood:box(0, 0.62, 0, 0.46, 0.04, 0.42)
  wood:color(tone(OAK, 0.62), 0.7)
  wood:box(0, 0.53, 0, 0.4, 0.14, 0.36, { skip = 'Y' })
  for sx = -1, 1, 2 do
    for sz = -1, 1, 2 do wood:box(sx * 0.17, 0.23, sz * 0.15, 0.04, 0.46, 0.04, { across = true, skip = 'yY' }) end
  end
  plain:color(BRASS, 0.9)
  plain:box(0, 0.53, 0.19, 0.05, 0.025, 0.03)
  plain:color(tone(LINEN, 0.9), 0.9)
  plain:lathe(-0.11, 0.64, 0.05, { { 0.04, 0 }, { 0.06, 0.05 }, { 0.05, 0.11 }, { 0.03, 0.15 }, { 0.04, 0.18 },
    { 0.03, 0.17 } }, 8, 1)
  done(b)
  M.candle(b, x + 0.1 * cos(turn), y + 0.64, z - 0.1 * sin(turn))
  stand(b, x, z, turn, 0.24, 0.22, y, y + 0.66)
end

--- A woven basket, full: 'logs', 'wool' or 'apples'.
function M.basket(b, x, y, z, what, seed)
  local wood, plain = at(b, x, y, z, 0)
  plain:color(srgb('#9C7F55'), 0.75)
  plain:lathe(0, 0, 0, { { 0.17, 0 }, { 0.21, 0.12 }, { 0.235, 0.26 }, { 0.245, 0.27 }, { 0.22, 0.27 },
    { 0.2, 0.18 } }, 10, 1)
  for i = 0, 6 do
    local a, q = i * 2.4, 0.13 * maths.sqrt((i + 0.5) / 7)
    local px, pz = cos(a) * q, sin(a) * q
    if what == 'logs' then
      wood:color(tone(PINE, 0.5 + 0.4 * random(seed, i, 78)), 0.8)
      wood:beam(px, 0.1, pz, px * 1.7, 0.42 + 0.1 * random(seed, i, 79), pz * 1.7, 0.07, 0.07, 1)
    else
      local c = what == 'wool' and CLOTHS[1 + i % #CLOTHS] or srgb(i % 3 == 0 and '#A9A15A' or '#A85E48')
      plain:color(tone(c, 0.95), 0.85)
      local r = what == 'wool' and 0.075 or 0.055
      plain:lathe(px, 0.2 + 0.05 * random(seed, i, 79), pz, { { 0, 0 }, { r * 0.8, r * 0.4 }, { r, r },
        { r * 0.7, r * 1.7 }, { 0, r * 2 } }, 7, 1)
    end
  end
  done(b)
end

--- Sacks, one against another.
function M.sacks(b, x, y, z, seed)
  local _, plain = at(b, x, y, z, 0)
  for i = 0, 2 do
    local px, pz = (i - 1) * 0.34, 0.12 * random(seed, i, 80)
    local v = 0.75 + 0.3 * random(seed, i, 81)
    plain:color(tone(srgb('#A8987C'), v), 0.75)
    plain:lathe(px, 0, pz, { { 0.19, 0 }, { 0.225, 0.09 }, { 0.215, 0.28 }, { 0.19, 0.4 }, { 0.15, 0.47 },
      { 0.09, 0.5 }, { 0, 0.49 } }, 9, 1)
    plain:box(px + 0.02, 0.52, pz, 0.16, 0.07, 0.05, { turn = i * 1.3, taper = 1.3 })
  end
  done(b)
  b:solid(x, z + 0.05, 0.54, 0.24, 0, y, y + 0.6)
end

--- A broom that leans on the wall.
function M.broom(b, x, y, z, turn)
  local wood, plain = at(b, x, y, z, turn)
  wood:color(tone(PINE, 0.7), 0.8)
  wood:beam(0, 0.25, 0.2, 0.06, 1.5, 0.03, 0.03, 0.03, 1)
  plain:color(srgb('#A38A55'), 0.7)
  plain:tube({ { -0.01, 0.0, 0.235, 0.085 }, { 0, 0.22, 0.205, 0.05 }, { 0.006, 0.36, 0.187, 0.02 } }, 7, 1, false)
  done(b)
end

--- A wheel for spinning, and a stool's worth of room beside it.
function M.wheel(b, x, y, z, turn)
  local wood, plain = at(b, x, y, z, turn)
  wood:color(tone(OAK, 0.75), 0.8)
  wood:box(0, 0.42, 0, 0.95, 0.05, 0.14, { tilt = 0.1 })
  for i = -1, 1 do
    wood:beam(i * 0.36, 0, (i == 0 and -0.2 or 0.16), i * 0.32, 0.42, 0, 0.04, 0.04, 1)
  end
  for side = -1, 1, 2 do wood:beam(0.2, 0.44, side * 0.06, 0.25, 0.88, side * 0.06, 0.04, 0.04, 1) end
  for k = 0, 11 do
    local a, e = k / 12 * 6.283185307, (k + 1) / 12 * 6.283185307
    wood:beam(0.25 + cos(a) * 0.34, 0.86 + sin(a) * 0.34, 0, 0.25 + cos(e) * 0.34, 0.86 + sin(e) * 0.34, 0, 0.05,
      0.035, 1)
    if k % 2 == 0 then
      wood:beam(0.25, 0.86, 0, 0.25 + cos(a) * 0.33, 0.86 + sin(a) * 0.33, 0, 0.018, 0.018, 1)
    end
  end
  wood:beam(-0.36, 0.4, 0, -0.4, 1.05, 0, 0.03, 0.03, 1)
  plain:color(LINEN, 0.9)
  plain:lathe(-0.4, 0.95, 0, { { 0, 0 }, { 0.06, 0.06 }, { 0.075, 0.16 }, { 0.03, 0.26 }, { 0, 0.28 } }, 8, 1)
  done(b)
  stand(b, x, z, turn, 0.55, 0.22, y, y + 1.1)
end

--- Tools over a hearth's shoulder: a kettle on its hook, a pan. `x`, `z`: the hearth's opening's middle.
function M.kettle(b, x, y, z)
  local _, plain = at(b, x, y, z, 0)
  plain:color(tone(IRON, 0.7), 0.7)
  plain:box(0, 0.95, 0, 0.015, 0.5, 0.015, { skip = 'yY' })
  plain:lathe(0, 0.48, 0, { { 0.08, 0 }, { 0.15, 0.05 }, { 0.155, 0.15 }, { 0.12, 0.2 }, { 0.13, 0.215 },
    { 0.1, 0.21 } }, 10, 1)
  done(b)
end

--- Curtains of a window, gathered to its sides, on the inner face of its wall.
function M.curtains(b, wall, o, thick)
  local cloth, wood = b:part('cloth'), b:part('timber')
  local top, low = wall.y0 + o.y + o.h + 0.12, wall.y0 + o.y - 0.06
  local depth = thick + 0.055
  wood:color(b.timber, 0.8)
  wall:box(wood, o.at, top, depth, o.w + 0.44, 0.025, 0.025, {})
  local c = CURTAINS[1 + floor(random(b.seed, 9, 82) * #CURTAINS)]
  local folds = b.coarse > 1.4 and 4 or 6
  for side = -1, 1, 2 do
    local outer, inner = o.at + side * (o.w / 2 + 0.17), o.at + side * o.w * 0.27
    local first = cloth.count
    for row = 0, 2 do
      local t = row / 2
      local gather = row == 1 and 0.62 or row == 0 and 1 or 0.8 -- drawn in at the tie
      for k = 0, folds do
        local u = k / folds
        local s = outer + (inner - outer) * u * gather
        local wave = (k % 2 == 0 and 0.022 or -0.018)
        local p = wall:at(s, top + (low - top) * (row == 1 and 0.62 or t), depth + wave)
        local v = (k % 2 == 0 and 1 or 0.72) * (row == 1 and 0.85 or 1)
        cloth:vertex(p[1], p[2], p[3], -wall.nx + wall.tx * wave * 12, 0, -wall.nz + wall.tz * wave * 12, 0, 0,
          c[1] * v, c[2] * v, c[3] * v, 0.8)
      end
    end
    for row = 0, 1 do
      for k = 0, folds - 1 do
        local a = first + row * (folds + 1) + k
        if side > 0 then
          cloth:face(a, a + 1, a + folds + 2, a + folds + 1)
        else
          cloth:face(a + 1, a, a + folds + 1, a + folds + 2)
        end
      end
    end
  end
end

return M
