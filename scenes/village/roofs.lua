--- Roofs and chimneys. A roof covers a box of its building: its ridge runs along x (or along z when turned).
local maths = require('thatch.math')
local noise = require('village.noise')
local thatching = require('village.thatching')

local M = {}
local sqrt, max, min, ceil, floor = math.sqrt, math.max, math.min, math.ceil, math.floor
local srgb = maths.srgb

local EAVES, VERGE = 0.42, 0.32

local KINDS = {
  tile = { part = 'roof_tile', course = 0.25, lift = 0.035, metres = 2, rows = 8, color = { 1, 1, 1 } },
  slate = { part = 'slate', course = 0.2, lift = 0.018, metres = 1.6, rows = 10, color = { 1, 1, 1 } },
}

local function sag(r, l)
  local t = l / (r.length / 2)
  return -r.sag * max(0, 1 - t * t) + 0.025 * noise.plane(l / 1.3, r.seed % 97, 6)
end

-- A roof's measures: its frame, its slope and its length with the overhangs.
local function measure(building, r)
  local kind = KINDS[r.kind]
  local c = 1 / sqrt(1 + r.pitch * r.pitch)
  local reach = r.half + EAVES
  local slope = reach / c
  local l0, l1 = -r.length / 2 - (r.verge0 or VERGE), r.length / 2 + (r.verge1 or VERGE)
  local coarse = building.coarse > 1.4
  return {
    r = r, kind = kind, put = thatching.frame(r), c = c, reach = reach, slope = slope,
    courses = ceil(slope / kind.course), l0 = l0, l1 = l1, n = ceil((l1 - l0) / (coarse and 2.2 or 1.0)),
    coarse = coarse, foot = r.eaves - EAVES * r.pitch,
  }
end

-- The outward normal of a slope.
local function normal(g, side)
  local r, c = g.r, g.c
  local nx, _, nz = g.put(0, 0, side * r.pitch * c)
  return nx - r.x, c, nz - r.z
end

-- How far the lower edge of a course lies off the plane.
local function rise(side, l, k)
  return 0.012 * noise.plane(l / 0.7, k * 0.9 + side * 31, 8)
end

-- One course of a slope, the kth from the eaves: its face, and unless it is coarse the lip below.
local function course(g, part, side, k)
  local r, kind, coarse = g.r, g.kind, g.coarse
  local nx, ny, nz = normal(g, side)
  local fx, _, fz = g.put(0, 0, side)
  fx, fz = (fx - r.x) * 0.98, (fz - r.z) * 0.98
  -- in few pixels the lip of a course would be a row of dark dashes: there the texture has its own, and courses meet
  local lift, per, under, tuck = kind.lift, 4, 0.004, 0.02
  if coarse then lift, per, under, tuck = 0.006, 2, 0.006, 0 end
  local step = g.slope / g.courses
  local s0, s1 = k * step, (k + 1) * step -- along the slope, up from the eaves
  local row = (r.seed + k) % kind.rows
  local first = part.count
  for i = 0, g.n do
    local l = g.l0 + (g.l1 - g.l0) * i / g.n
    local dip = sag(r, l)
    -- of the lower edge and of the upper one, which the next course has too: else one looks in between
    local bump, next_bump = rise(side, l, k), rise(side, l, k + 1)
    local shade = 0.93 + 0.09 * noise.plane(l / 2.2, k / 3 + side * 17, 7)
    local r0, g0, b0 = min(1, kind.color[1] * shade), min(1, kind.color[2] * shade), min(1, kind.color[3] * shade)
    local u = (l - g.l0) / kind.metres
    local function corner(s, over, up, v, ax, ay, az, dark)
      local a = side * (g.reach - s * g.c)
      local y = r.eaves - EAVES * r.pitch + s * g.c * r.pitch + 0.14 + over / g.c
      local x, yy, z = g.put(l, y + dip * min(1, s / g.slope * 1.2) + up, a)
      part:vertex(x, yy, z, ax, ay, az, u, v, r0 * dark, g0 * dark, b0 * dark, 1)
    end
    corner(s0, lift, bump, -(row / kind.rows) - 0.004, nx, ny, nz, 1)
    corner(s1 + tuck, under, next_bump, -((row + 1) / kind.rows) + 0.002, nx, ny, nz, 1)
    if not coarse then
      corner(s0, 0, bump, -(row / kind.rows) - 0.03, fx, 0.199, fz, 0.45)
      corner(s0, lift, bump, -(row / kind.rows) - 0.03, fx, 0.199, fz, 0.6)
    end
  end
  for i = 0, g.n - 1 do
    local a, b = first + i * per, first + (i + 1) * per
    -- seen from outside the front slope (+a) runs with l to the right; the back one to the left
    if side < 0 then a, b = b, a end
    part:face(a, b, b + 1, a + 1)
    if not coarse then part:face(a + 2, b + 2, b + 3, a + 3) end
  end
end

-- The underside of a slope, of planks.
local function underside(building, g, side)
  local r = g.r
  local nx, ny, nz = normal(g, side)
  local planks = building:part('planks')
  local first = planks.count
  for i = 0, g.n do
    local l = g.l0 + (g.l1 - g.l0) * i / g.n
    for e = 0, 1 do
      local a = e == 0 and side * g.reach or 0
      local y = e == 0 and g.foot or r.eaves + r.half * r.pitch
      local x, yy, z = g.put(l, y + 0.02 + (e == 1 and sag(r, l) or 0), a)
      planks:vertex(x, yy, z, -nx, -ny, -nz, l / 1.2, e * g.slope / 1.2, 0.42, 0.35, 0.275, e == 0 and 0.75 or 0.45)
    end
  end
  for i = 0, g.n - 1 do
    local a, b = first + i * 2, first + i * 2 + 2
    if side > 0 then planks:face(b, a, a + 1, b + 1) else planks:face(a, b, b + 1, a + 1) end
  end
end

-- The board along the eaves, the rafters' ends and the verge boards on the gables.
local function trim(building, g, side)
  local r, put, reach = g.r, g.put, g.reach
  local wood = building:part('timber')
  wood:color(building.timber, 0.7)
  local x0, y0, z0 = put(g.l0 + 0.02, g.foot + 0.07, side * (reach - 0.03))
  local x1, _, z1 = put(g.l1 - 0.02, 0, side * (reach - 0.03))
  wood:beam(x0, y0, z0, x1, y0, z1, 0.04, 0.15, 1)
  building.fine = true
  local ends = building:part('timber')
  local rafters = floor((g.l1 - g.l0) / 0.75)
  for i = 1, rafters - 1 do
    local l = g.l0 + (g.l1 - g.l0) * i / rafters
    ends:color(building.timber, 0.5)
    local ax, ay, az = put(l, g.foot - 0.03, side * (reach - 0.06))
    local bx, by, bz = put(l, r.eaves + 0.3 * r.pitch - 0.03, side * (r.half - 0.3))
    ends:beam(ax, ay, az, bx, by, bz, 0.09, 0.1, 1)
  end
  building.fine = false
  for e = 0, 1 do
    local l = e == 0 and g.l0 + 0.02 or g.l1 - 0.02
    wood:color(building.timber, 0.9)
    local ax, ay, az = put(l, g.foot + 0.08, side * (reach - 0.02))
    local bx, by, bz = put(l, r.eaves + r.half * r.pitch + 0.08, 0)
    wood:beam(ax, ay, az, bx, by, bz, 0.05, 0.2, 1)
  end
end

-- The ridge: overlapping caps that follow the sag.
local function ridge(g, part)
  local r = g.r
  local top = r.eaves + r.half * r.pitch + 0.14
  local caps = ceil((g.l1 - g.l0) / (g.coarse and 0.9 or 0.4))
  for i = 0, caps - 1 do
    local a, b = g.l0 + (g.l1 - g.l0) * i / caps, g.l0 + (g.l1 - g.l0) * (i + 1) / caps + 0.03
    local t = 0.72 + 0.22 * noise.cell(i, r.seed % 211, 9)
    part:color({ t, t, t }, 1)
    local ax, ay, az = g.put(a, top + sag(r, a) + 0.012, 0)
    local bx, by, bz = g.put(b, top + sag(r, b) - 0.008, 0)
    part:tube({ { ax, ay - 0.05, az, 0.125, around = 1 }, { bx, by - 0.05, bz, 0.118 } }, 7, 4, false,
      function() return 1 end)
    part.s = 1
  end
end

--- r: { x, z, length, half (of the depth), eaves, pitch (rise a metre), kind, turned, sag, seed, verge0, verge1 }
function M.gable(building, r)
  if r.kind == 'thatch' then return thatching.roof(building, r) end
  local g = measure(building, r)
  local part = building:part(g.kind.part)
  for side = -1, 1, 2 do
    for k = 0, g.courses - 1 do course(g, part, side, k) end
    underside(building, g, side)
    trim(building, g, side)
  end
  ridge(g, part)
end

--- A chimney from `y0` to `y1`, square on plan.
function M.chimney(building, x, z, y0, y1, wide, deep, kind)
  local part = building:part(kind == 'brick' and 'brick' or 'fieldstone')
  local m = kind == 'brick' and 1.35 or 2
  part:color(kind == 'brick' and srgb('#EADFD8') or srgb('#E8E2D4'), 0.95)
  part:box(x, (y0 + y1) / 2, z, wide, y1 - y0, deep, { metres = m, skip = 'yY', sky_bottom = 0.85 })
  part:color(srgb('#CFC6B8'), 1)
  part:box(x, y1 - 0.35, z, wide + 0.1, 0.12, deep + 0.1, { metres = m })
  part:box(x, y1 + 0.06, z, wide + 0.16, 0.12, deep + 0.16, { metres = m })
  local pot = building:part('roof_tile')
  pot:color({ 0.86, 0.82, 0.78 }, 1)
  for i = -1, 1, 2 do
    local px = x + (wide > deep and i * wide * 0.24 or 0)
    local pz = z + (wide > deep and 0 or i * deep * 0.24)
    pot:lathe(px, y1 + 0.1, pz, { { 0.13, 0 }, { 0.11, 0.3 }, { 0.13, 0.34 }, { 0.13, 0.4 }, { 0.08, 0.4 },
      { 0.07, 0.1 } }, 8, 4)
  end
end

return M
