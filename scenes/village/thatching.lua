--- Roofs of straw: an outline across, drawn along the ridge.
local noise = require('village.noise')

local M = {}
local sqrt, max, min, ceil, abs = math.sqrt, math.max, math.min, math.ceil, math.abs

--- A roof's own frame: l along the ridge, a across it (both from the middle), y up.
function M.frame(r)
  local turned = r.turned
  return function(l, y, a)
    if turned then return r.x + a, y, r.z - l end
    return r.x + l, y, r.z + a
  end
end

-- How high the underside stands over a point that lies `a` across from the ridge.
local function height(r, a)
  return r.eaves + (r.half - abs(a)) * r.pitch
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
        local x, y, z = t.put(l, height(r, aa) - 0.02, s * aa)
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
function M.roof(building, r)
  local part = building:part('thatch')
  local t = { r = r, put = M.frame(r), reach = r.half + 0.5, peak = r.eaves + r.half * r.pitch,
    l0 = -r.length / 2 - 0.38, l1 = r.length / 2 + 0.38 }
  t.line, t.half, t.along = outline(r, t.peak, t.reach)
  straw_skin(part, t)
  for e = 0, 1 do straw_end(part, t, e) end
  straw_ceiling(building:part('planks'), t)
end

return M
