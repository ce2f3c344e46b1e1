--- Roofs and chimneys. A roof covers a box of its building: its ridge runs along x (or along z when turned).
local maths = require('thatch.math')
local noise = require('village.noise')

local M = {}
local sqrt, max, min, ceil, floor, abs = math.sqrt, math.max, math.min, math.ceil, math.floor, math.abs
local srgb = maths.srgb

local EAVES, VERGE = 0.42, 0.32

local KINDS = {
  tile = { part = 'roof_tile', course = 0.25, lift = 0.035, metres = 2, rows = 8, color = { 1, 1, 1 } },
  slate = { part = 'slate', course = 0.2, lift = 0.018, metres = 1.6, rows = 10, color = { 1, 1, 1 } },
}

-- The roof's own frame: l along the ridge, a across it (both from the middle), y up.
local function frame(r)
  local turned = r.turned
  return function(l, y, a)
    if turned then return r.x + a, y, r.z - l end
    return r.x + l, y, r.z + a
  end
end

--- How high the roof's underside stands over a point that lies `a` across from the ridge.
function M.height(r, a)
  return r.eaves + (r.half - abs(a)) * r.pitch
end

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
    r = r, kind = kind, put = frame(r), c = c, reach = reach, slope = slope, courses = ceil(slope / kind.course),
    l0 = l0, l1 = l1, n = ceil((l1 - l0) / (coarse and 2.2 or 1.0)), coarse = coarse, foot = r.eaves - EAVES * r.pitch,
  }
end

-- The outward normal of a slope.
local function normal(g, side)
  local r, c = g.r, g.c
  local nx, _, nz = g.put(0, 0, side * r.pitch * c)
  return nx - r.x, c, nz - r.z
end

-- One course of a slope, the kth from the eaves: its face, and unless it is coarse the lip below.
local function course(g, part, side, k)
  local r, kind, coarse = g.r, g.kind, g.coarse
  local nx, ny, nz = normal(g, side)
  local fx, _, fz = g.put(0, 0, side)
  fx, fz = (fx - r.x) * 0.98, (fz - r.z) * 0.98
  -- in few pixels the lip of a course would be a row of dark dashes: there the texture's own is enough
  local lift, per = coarse and 0.006 or kind.lift, coarse and 2 or 4
  local step = g.slope / g.courses
  local s0, s1 = k * step, (k + 1) * step -- along the slope, up from the eaves
  local row = (r.seed + k) % kind.rows
  local first = part.count
  for i = 0, g.n do
    local l = g.l0 + (g.l1 - g.l0) * i / g.n
    local dip = sag(r, l)
    local bump = 0.012 * noise.plane(l / 0.7, k * 0.9 + side * 31, 8)
    local shade = 0.93 + 0.09 * noise.plane(l / 2.2, k / 3 + side * 17, 7)
    local r0, g0, b0 = min(1, kind.color[1] * shade), min(1, kind.color[2] * shade), min(1, kind.color[3] * shade)
    local u = (l - g.l0) / kind.metres
    local function corner(s, over, v, ax, ay, az, dark)
      local a = side * (g.reach - s * g.c)
      local y = r.eaves - EAVES * r.pitch + s * g.c * r.pitch + 0.14 + over / g.c
      local x, yy, z = g.put(l, y + dip * min(1, s / g.slope * 1.2) + bump, a)
      part:vertex(x, yy, z, ax, ay, az, u, v, r0 * dark, g0 * dark, b0 * dark, 1)
    end
    corner(s0, lift, -(row / kind.rows) - 0.004, nx, ny, nz, 1)
    corner(s1 + 0.02, 0.004, -((row + 1) / kind.rows) + 0.002, nx, ny, nz, 1)
    if not coarse then
      corner(s0, 0, -(row / kind.rows) - 0.03, fx, 0.199, fz, 0.45)
      corner(s0, lift, -(row / kind.rows) - 0.03, fx, 0.199, fz, 0.6)
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
  if r.kind == 'thatch' then return M.thatch(building, r) end
  local g = measure(building, r)
  local part = building:part(g.kind.part)
  for side = -1, 1, 2 do
    for k = 0, g.courses - 1 do course(g, part, side, k) end
    underside(building, g, side)
    trim(building, g, side)
  end
  ridge(g, part)
end

local THICK = 0.36 -- of a thatch

-- A thatch's outline across: from the underside's edge on one side, round the eaves, over the ridge, to the other;
-- `half` is the number of the ridge's point, `along` the way to each.
local function outline(r, peak, reach)
  local line = {}
  local function add(a, y) line[#line + 1] = { a, y } end
  local low, steps = r.eaves - 0.5 * r.pitch, 11
  add(r.half - 0.1, r.eaves + 0.1 * r.pitch - 0.02)
  add(reach - 0.1, low + 0.03)
  add(reach + 0.05, low + 0.02)
  add(reach + 0.16, low + 0.13)
  add(reach + 0.15, low + 0.28)
  for i = 0, steps do
    local t = i / steps
    local a = (reach + 0.06) * (1 - t)
    local y = low + THICK + 0.1 + (peak + THICK + 0.12 - low - THICK - 0.1) * t
    -- the ridge is rounded
    local round = max(0, 1 - a / 0.5)
    add(a, y - round * round * 0.1)
  end
  local half = #line
  for i = half - 1, 1, -1 do line[#line + 1] = { -line[i][1], line[i][2] } end
  local along = { 0 }
  for i = 2, #line do
    local dx, dy = line[i][1] - line[i - 1][1], line[i][2] - line[i - 1][2]
    along[i] = along[i - 1] + sqrt(dx * dx + dy * dy)
  end
  return line, half, along
end

-- The outline's outward normal at a point.
local function outward(line, half, i)
  local before, after = line[max(1, i - 1)], line[min(#line, i + 1)]
  local da, dy = after[1] - before[1], after[2] - before[2]
  local d = max(sqrt(da * da + dy * dy), 1e-6)
  if i > half or line[i][1] >= 0 then return dy / d, -da / d end
  return -dy / d, da / d
end

-- The outline drawn along the ridge: lumpy, sagging, rounded at its ends.
local function straw_skin(part, t)
  local r, line, half, along = t.r, t.line, t.half, t.along
  local count, n = #line, ceil((t.l1 - t.l0) / 0.55)
  local first = part.count
  for j = 0, n do
    local l = t.l0 + (t.l1 - t.l0) * j / n
    local e = min(j, n - j)
    local pull = e == 0 and 0.12 or 0
    for i = 1, count do
      local p = line[i]
      local na, ny = outward(line, half, i)
      local lump = 0.05 * noise.plane(l / 1.1, i * 0.37, 3) + 0.02 * noise.plane(l / 0.3, i * 1.1, 4)
      local dip = -r.sag * max(0, 1 - (l / (r.length / 2)) * (l / (r.length / 2))) * max(0, 1 - abs(p[1]) / t.reach)
      local x, y, z = t.put(l, p[2] - pull * (i > 3 and i < count - 2 and 1 or 0) + lump + dip,
        p[1] - (p[1] > 0 and 1 or -1) * pull * 0.3)
      local nx, _, nz = t.put(0, 0, na)
      local mid = abs(i - half) / half
      local shade = 0.9 + 0.1 * noise.plane(l / 0.9, i * 0.5, 5)
      local under = mid > 0.7 and 0.62 or 1
      -- the ridge wears a darker saddle
      local saddle = abs(p[1]) < 0.75 and p[2] > t.peak - 0.6
      local q = shade * (saddle and 0.86 or 1)
      part:vertex(x, y, z, nx - r.x, ny, nz - r.z, l / 2, (i <= half and -1 or 1) * (along[i] - along[half]) / 2,
        q, q * (saddle and 0.95 or 1), q * (saddle and 0.86 or 1), under)
    end
  end
  part:sheet(first, n, count, true)
end

-- An end of the thatch, at -l (e = 0) or +l: from the outline down to the underside's slope.
local function straw_end(part, t, e)
  local r, line, half = t.r, t.line, t.half
  local l = e == 0 and t.l0 or t.l1
  local nx, _, nz = t.put(e == 0 and -1 or 1, 0, 0)
  nx, nz = nx - r.x, nz - r.z
  local centre = part.count
  for i = 1, half do
    local p = line[half + 1 - i]
    local q = line[half - 1 + i]
    local x, y, z = t.put(l, p[2] - 0.12 * (i < half - 2 and 1 or 0), p[1] - 0.036)
    part:vertex(x, y, z, nx, 0, nz, p[1] / 2, p[2] / 2, 0.72, 0.7, 0.62, 0.8)
    x, y, z = t.put(l, q[2] - 0.12 * (i < half - 2 and 1 or 0), q[1] + 0.036)
    part:vertex(x, y, z, nx, 0, nz, q[1] / 2, q[2] / 2, 0.72, 0.7, 0.62, 0.8)
  end
  for i = 1, half - 1 do
    local a, b = centre + (i - 1) * 2, centre + i * 2
    local under = part.count
    for k = 0, 1 do
      local src = line[half + 1 - i - k]
      for s = -1, 1, 2 do
        local aa = min(abs(src[1]), r.half + 0.3)
        local x, y, z = t.put(l, M.height(r, aa) - 0.02, s * aa)
        part:vertex(x, y, z, nx, 0, nz, aa / 2, y / 2, 0.5, 0.48, 0.42, 0.6)
      end
    end
    -- under, under + 1: (-a, +a) of i; under + 2, under + 3: of i + 1
    if e == 1 then
      part:face(a, under + 1, under + 3, b)
      part:face(under, a + 1, b + 1, under + 2)
    else
      part:face(under + 1, a, b, under + 3)
      part:face(a + 1, under, under + 2, b + 1)
    end
  end
end

-- The ceiling of a thatch's overhang.
local function straw_ceiling(wood, t)
  local r, put = t.r, t.put
  for side = -1, 1, 2 do
    local a0, a1 = side * (r.half + 0.45), 0
    local x0, y0, z0 = put(t.l0 + 0.05, r.eaves - 0.45 * r.pitch + 0.02, a0)
    local x1, _, z1 = put(t.l1 - 0.05, 0, a0)
    local x2, y2, z2 = put(t.l1 - 0.05, t.peak + 0.02, a1)
    local x3, _, z3 = put(t.l0 + 0.05, 0, a1)
    wood:color({ 0.3, 0.25, 0.19 }, 0.4)
    if side < 0 then
      wood:quad({ x0, y0, z0 }, { x1, y0, z1 }, { x2, y2, z2 }, { x3, y2, z3 }, 1.2)
    else
      wood:quad({ x1, y0, z1 }, { x0, y0, z0 }, { x3, y2, z3 }, { x2, y2, z2 }, 1.2)
    end
  end
end

--- A thick, rounded roof of straw.
function M.thatch(building, r)
  local part = building:part('thatch')
  local t = { r = r, put = frame(r), reach = r.half + 0.5, peak = r.eaves + r.half * r.pitch,
    l0 = -r.length / 2 - 0.38, l1 = r.length / 2 + 0.38 }
  t.line, t.half, t.along = outline(r, t.peak, t.reach)
  straw_skin(part, t)
  for e = 0, 1 do straw_end(part, t, e) end
  straw_ceiling(building:part('planks'), t)
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
