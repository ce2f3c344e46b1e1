--- The hearth, its fire, and the stack that it stands in.
local maths = require('thatch.math')
local openings = require('village.openings')
local roofs = require('village.roofs')

local M = {}
local srgb = maths.srgb
local THICK = openings.THICK

local DEEP, WIDE = 0.62, 1.9 -- of the hearth

-- The masonry within the room, blackened behind the fire, with its beam.
local function masonry(b, part, x, z, y0, ceiling, m)
  part:color(srgb('#FFF4E4'), 0.8)
  local high = ceiling - y0
  local cx = x + DEEP / 2
  part:box(cx, y0 + high / 2, z - WIDE / 2 + 0.17, DEEP, high, 0.34, { metres = m, skip = 'xyY' })
  part:box(cx, y0 + high / 2, z + WIDE / 2 - 0.17, DEEP, high, 0.34, { metres = m, skip = 'xyY' })
  part:box(cx, y0 + (1.15 + high) / 2, z, DEEP, high - 1.15, WIDE - 0.68, { metres = m, skip = 'xY' })
  part:color({ 0.1, 0.085, 0.075 }, 0.3)
  part:box(x + 0.02, y0 + 0.6, z, 0.04, 1.2, WIDE - 0.66, { metres = m })
  part:color(srgb('#D9CDBB'), 0.8)
  part:box(cx + 0.2, y0 + 0.05, z, DEEP + 0.45, 0.1, WIDE + 0.1, { metres = m })
  local wood = b:part('timber')
  wood:color(b.timber, 0.8)
  wood:box(cx + 0.06, y0 + 1.22, z, DEEP + 0.2, 0.17, WIDE + 0.16, { across = true })
end

-- An upright slip of a flame from a to b, pale at the foot and red at the tip.
local function slip(glow, y, h, ax, az, bx, bz, tip, tz)
  local first = glow.count
  glow:vertex(ax, y, az, 1, 0, 0, 0, 0, 0.92, 0.5, 0.14, 1)
  glow:vertex(bx, y, bz, 1, 0, 0, 0, 0, 0.92, 0.5, 0.14, 1)
  glow:vertex(bx * 0.7 + tip * 0.3, y + h * 0.5, bz * 0.75 + tz * 0.25, 1, 0, 0, 0, 0, 0.85, 0.26, 0.04, 1)
  glow:vertex(tip, y + h, tz, 1, 0, 0, 0, 0, 0.5, 0.075, 0.012, 1)
  glow:vertex(ax * 0.7 + tip * 0.3, y + h * 0.42, az * 0.75 + tz * 0.25, 1, 0, 0, 0, 0, 0.85, 0.26, 0.04, 1)
  glow:triangle(first, first + 1, first + 2)
  glow:triangle(first, first + 2, first + 4)
  glow:triangle(first + 4, first + 2, first + 3)
end

-- Charred logs, embers and flames.
local function fire(b, x, z, y0)
  local wood = b:part('timber')
  for i = 0, 3 do
    wood:color({ 0.09, 0.06, 0.045 }, 0.5)
    wood:beam(x + 0.2 + 0.06 * i, y0 + 0.16 + 0.05 * (i % 2), z - 0.4 + 0.1 * i, x + 0.42 - 0.05 * i,
      y0 + 0.2 + 0.05 * i, z + 0.36 - 0.06 * i, 0.1, 0.1, 1)
  end
  local glow = b:part('ember')
  for i = 1, 26 do
    local px = x + 0.12 + 0.36 * maths.random(b.seed, i, 31)
    local pz = z + (maths.random(b.seed, i, 32) - 0.5) * 0.8
    local r = 0.02 + 0.03 * maths.random(b.seed, i, 33)
    local heat = maths.random(b.seed, i, 34)
    glow:color({ 1, 0.24 + 0.34 * heat, 0.05 + 0.12 * heat }, 1)
    glow:box(px, y0 + 0.11 + r, pz, r * 2, r * 2, r * 2, { turn = i })
  end
  for i = 1, 9 do
    local pz = z + (i / 9 - 0.55) * 0.72
    local px = x + 0.22 + 0.2 * maths.random(b.seed, i, 35)
    local h = 0.16 + 0.3 * maths.random(b.seed, i, 36)
    local tz = pz + (maths.random(b.seed, i, 37) - 0.5) * 0.12
    slip(glow, y0 + 0.15, h, px, pz - 0.055, px + 0.01, pz + 0.055, px + 0.02, tz)
    slip(glow, y0 + 0.15, h, px - 0.045, pz, px + 0.045, pz, px + 0.02, tz)
  end
end

-- The stack out of the gable: a broad foot, and a shoulder.
local function stack(part, out, z, ceiling, m)
  part:color(srgb('#EAE3D6'), 0.9)
  part:box(out, (ceiling - 0.5) / 2 - 0.25, z, 0.5, ceiling - 0.5 + 0.5, 1.7,
    { metres = m, skip = 'yY', sky_bottom = 0.6 })
  local y1, y2 = ceiling - 0.5, ceiling + 0.15
  for side = -1, 1, 2 do
    local za, zb = z + side * 0.85, z + side * 0.5
    if side > 0 then
      part:quad({ out - 0.25, y1, za }, { out + 0.25, y1, za }, { out + 0.25, y2, zb }, { out - 0.25, y2, zb }, m)
    else
      part:quad({ out + 0.25, y1, za }, { out - 0.25, y1, za }, { out - 0.25, y2, zb }, { out + 0.25, y2, zb }, m)
    end
  end
  part:quad({ out - 0.25, y1, z - 0.85 }, { out - 0.25, y1, z + 0.85 }, { out - 0.25, y2, z + 0.5 },
    { out - 0.25, y2, z - 0.5 }, m)
end

--- A hearth against the inner face of the left wall, with glowing embers, and its chimney above the roof.
function M.build(b, x, z, y0, ceiling, top, kind)
  local name, m = kind == 'brick' and 'brick' or 'fieldstone', kind == 'brick' and 1.35 or 2
  b.within = true
  masonry(b, b:part(name), x, z, y0, ceiling, m)
  fire(b, x, z, y0)
  b.lights[#b.lights + 1] = { x = x + 0.8, y = y0 + 0.6, z = z }
  b:solid(x + DEEP / 2, z, DEEP / 2, WIDE / 2, 0, y0, ceiling)
  b.within = false
  local out = x - THICK - 0.16
  stack(b:part(name), out, z, ceiling, m)
  roofs.chimney(b, out + 0.06, z, ceiling + 0.12, top, 0.62, 1.0, kind)
  b:solid(out, z, 0.26, 0.86, 0, -0.5, ceiling)
  b.smoke = { x = out, y = top + 0.5, z = z }
end

return M
