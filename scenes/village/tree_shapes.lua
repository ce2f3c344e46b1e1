--- The species, and the makers of their wood and crowns: a skeleton of limbs that ends in clumps, leaves on the
--- clumps' shells.
local maths = require('thatch.math')
local leaves = require('village.leaves')
local noise = require('village.noise')
local wood = require('village.tree_wood')

local M = {}
local sqrt, max, min, floor = math.sqrt, math.max, math.min, math.floor
local sin, cos, random, srgb = maths.sin, maths.cos, maths.random, maths.srgb

-- height, crown radius, trunk radius, leaves at plants = 'all', leaf size, colours
M.species = {
  oak = {
    fill = 22,
    height = 11.5, radius = 6.0, trunk = 0.46, limbs = 13, first = 0.2, forks = 6, clump = 1.5, squash = 0.8,
      leaves = 66000,
    long = 0.165, wide = 0.108, color = srgb('#566B36'), tip = srgb('#879150'), bark = srgb('#A39380'), rise = 0.62,
      spreadout = 1.0, variants = 2,
  },
  birch = {
    fill = 10,
    height = 12, radius = 2.9, trunk = 0.19, limbs = 15, first = 0.26, forks = 3, clump = 0.74, squash = 1.2,
      leaves = 26000,
    long = 0.115, wide = 0.085, color = srgb('#7A8B4C'), tip = srgb('#A3A866'), bark = srgb('#E9E5DC'), marks = true,
      rise = 0.9, spreadout = 0.8, variants = 2,
  },
  apple = {
    fill = 8,
    height = 4.6, radius = 2.6, trunk = 0.17, limbs = 7, first = 0.3, forks = 4, clump = 0.66, squash = 0.85,
      leaves = 20000,
    long = 0.1, wide = 0.068, color = srgb('#627440'), tip = srgb('#8E9858'), bark = srgb('#92857A'), rise = 0.5,
      spreadout = 1.0, variants = 2, fruit = srgb('#B8352A'),
  },
  pine = {
    height = 15, radius = 3.3, trunk = 0.26, leaves = 38000, long = 0.27, wide = 0.055, color = srgb('#304B34'),
      tip = srgb('#4E6A44'),
    bark = srgb('#93745E'), variants = 2,
  },
  willow = {
    height = 8.6, radius = 4.6, trunk = 0.42, leaves = 40000, long = 0.17, wide = 0.042, color = srgb('#718252'),
      tip = srgb('#9AA46E'),
    bark = srgb('#8E8272'), variants = 1,
  },
}

-- Leaves on the shells of clumps { x, y, z, r }. Any prefix covers the whole crown.
local function dress(list, clumps, species, seed, center, soft)
  local n = species.leaves
  local count = #clumps
  local total = 0
  for i = 1, count do
    total = total + clumps[i][4] * clumps[i][4]
    clumps[i][5] = total
  end
  local c0, c1 = species.color, species.tip
  local cr, ch = species.radius, species.height
  for i = 0, n - 1 do
    -- a clump, in proportion to its shell
    local pick = random(seed, i, 11) * total
    local lo, hi = 1, count
    while lo < hi do
      local mid = floor((lo + hi) / 2)
      if clumps[mid][5] < pick then lo = mid + 1 else hi = mid end
    end
    local c = clumps[lo]
    local ux, uy, uz = leaves.direction(seed, i, 12)
    if uy < -0.2 and random(seed, i, 14) < 0.6 then uy = -uy end
    local depth = random(seed, i, 15)
    local rr = c[4] * (1.06 - 0.5 * depth * depth)
    local x, y, z = c[1] + ux * rr, c[2] + uy * rr * species.squash, c[3] + uz * rr
    -- the crown's own normal there, mixed with the clump's
    local ox, oy, oz = (x - center[1]) / cr, (y - center[2]) / (ch * 0.5), (z - center[3]) / cr
    local ol = max(sqrt(ox * ox + oy * oy + oz * oz), 1e-4)
    local nx, ny, nz = ux * 0.62 + ox / ol * 0.6, uy * 0.62 + oy / ol * 0.6 + 0.14, uz * 0.62 + oz / ol * 0.6
    local nl = max(sqrt(nx * nx + ny * ny + nz * nz), 1e-4)
    nx, ny, nz = nx / nl, ny / nl, nz / nl
    -- it points outward and down a little, turned at random
    local tx, ty, tz = leaves.direction(seed, i, 16)
    local dx, dy, dz = tx + nx * 0.35, ty * 0.7 + ny * 0.2 - 0.25, tz + nz * 0.35
    local dl = max(sqrt(dx * dx + dy * dy + dz * dz), 1e-4)
    local reach = min(1, ol)
    local open = max(0, min(1, (reach - 0.35) / 0.6))
    local shell = (1 - depth * depth) * (0.55 + 0.45 * (uy * 0.5 + 0.5))
    local inner = soft and 0.62 or 0.48 -- of the sky, deep in the crown
    local sky = inner + (1 - inner) * open * (0.4 + 0.6 * shell)
    local sun = 0.3 + 0.7 * max(0, min(1, (reach - 0.25) / 0.5)) * (0.5 + 0.5 * shell)
    local t = max(0, min(1, 0.5 * random(seed, i, 18) + 0.55 * (uy * 0.5 + 0.5) * reach - 0.1))
    local v = soft and 0.9 + 0.18 * random(seed, i, 19) or 0.84 + 0.3 * random(seed, i, 19)
    local r, g, b = (c0[1] + (c1[1] - c0[1]) * t) * v, (c0[2] + (c1[2] - c0[2]) * t) * v, (c0[3] + (c1[3] - c0[3]) * t)
      * v
    local size = 0.78 + 0.44 * random(seed, i, 20)
    local long, wide = species.long * size, species.wide * size
    if soft then long, wide = long * 1.12, long * 1.05 end
    if random(seed, i, 21) < 0.012 then r, g, b = r * 1.5, g * 1.15, b * 0.8 end -- a leaf that turns early
    if species.fruit and i % 41 == 7 then
      r, g, b = species.fruit[1], species.fruit[2], species.fruit[3]
      long, wide = 0.075, 0.075
    end
    list:add(x, y, z, dx / dl, dy / dl, dz / dl, nx, ny, nz, long, wide, min(r, 1), min(g, 1), min(b, 1), sun, sky,
      min(1, 0.2 + 0.8 * reach), soft and 0.12 or 0.42)
  end
end

local function broadleaf(species, seed, soft)
  local b, plain = wood.pair(4096)
  local shade = wood.bark(species, seed)
  local lean = (random(seed, 1, 2) - 0.5) * species.radius * 0.22
  local stem = wood.trunk(b, species.height * 0.8, species.trunk, lean, shade, seed, 10, plain)
  local clumps = {}
  local center = { lean * 0.5, species.height * 0.62, 0 }
  local function clump(p, r) clumps[#clumps + 1] = { p[1], p[2], p[3], r } end
  clump({ stem[#stem][1], species.height * 0.88, stem[#stem][3] }, species.clump * 1.05)
  for i = 0, species.limbs - 1 do
    local t = species.first + (0.92 - species.first) * i / species.limbs
    local from, r = wood.on(stem, t)
    local angle = i * 2.39996 + random(seed, i, 5) * 0.7
    -- the crown's outline: wide in the middle, closing to the top
    local u = (t - species.first) / (1 - species.first)
    local reach = species.radius * species.spreadout * (0.62 + 0.38 * sin(0.5 + u * 2.3))
      * (0.82 + 0.3 * random(seed, i, 6)) * (1 - 0.45 * u * u)
    local to = {
      from[1] + cos(angle) * reach * 0.78, from[2] + reach * species.rise * (0.45 + 0.7 * u) + 0.3,
        from[3] + sin(angle) * reach * 0.78,
    }
    local path = wood.limb(b, from, to, max(r * 0.62, 0.05), 0.05, reach * 0.06, 5, 7, shade, seed + i * 7)
    plain:tube({ path[1], path[3], path[#path] }, 3, 1.1, false, function(p) return shade(plain, p) end)
    clump(to, species.clump * (0.8 + 0.35 * random(seed, i, 7)))
    for k = 1, species.forks do
      local s = 0.34 + 0.62 * k / species.forks
      local start, sr = wood.on(path, min(s, 0.98))
      local a = angle + (k % 2 == 0 and 1 or -1) * (0.5 + 0.75 * random(seed, i * 16 + k, 8))
      local length = reach * (0.24 + 0.26 * random(seed, i * 16 + k, 9))
      local tip = {
        start[1] + cos(a) * length, start[2] + length * (0.2 + 0.6 * random(seed, i * 16 + k, 10)), start[3] + sin(a)
          * length,
      }
      wood.limb(b, start, tip, max(sr * 0.6, 0.028), 0.018, length * 0.1, 3, 5, shade, seed + i * 31 + k)
      clump(tip, species.clump * (0.62 + 0.42 * random(seed, i * 16 + k, 13)))
    end
  end
  for i = 1, species.fill or 0 do -- between the limbs the crown is full too
    local ux, uy, uz = leaves.direction(seed + 77, i, 1)
    local q = 0.5 + 0.36 * random(seed + 77, i, 4)
    clump({
      center[1] + ux * species.radius * q, center[2] + (uy < -0.25 and -uy or uy) * species.height * 0.34 * q + 0.4,
      center[3] + uz * species.radius * q,
    }, species.clump * (0.7 + 0.3 * random(seed + 77, i, 5)))
  end
  local list = leaves.new(species.leaves, soft)
  dress(list, clumps, species, seed, center, soft)
  return b:create(), list:create(), plain:create()
end

-- Whorls of drooping branches: a spray { from, to, length, turn } for each.
local function whorls(b, stem, species, seed, shade)
  local sprays, count = {}, 24
  for i = 0, count - 1 do
    local t = 0.17 + 0.8 * i / count
    local from, r = wood.on(stem, t)
    local u = (t - 0.17) / 0.83
    local reach = species.radius * (1 - u) * (0.85 + 0.3 * random(seed, i, 5)) * (u < 0.12 and 0.75 + u * 2 or 1)
      + 0.25
    local branches = 5 + floor(random(seed, i, 6) * 3)
    for k = 0, branches - 1 do
      local a = k / branches * 6.2832 + i * 1.1 + random(seed, i * 8 + k, 7) * 0.6
      local l = reach * (0.78 + 0.36 * random(seed, i * 8 + k, 8))
      local droop = -0.34 * l + 0.5 * u * l
      local to = { from[1] + cos(a) * l, from[2] + droop, from[3] + sin(a) * l }
      wood.limb(b, from, to, max(r * 0.3, 0.02), 0.012, l * 0.05, 3, 4, shade, seed + i * 9 + k)
      sprays[#sprays + 1] = { from, to, l, a }
    end
  end
  return sprays
end

-- The ith needle, somewhere on a spray.
local function needle(list, spray, species, seed, i, soft)
  local c0, c1 = species.color, species.tip
  local t = sqrt(random(seed, i, 12)) * 1.04
  local across = (random(seed, i, 13) - 0.5) * 1.5 * spray[3] * 0.36 * (1.15 - t)
  local from, to = spray[1], spray[2]
  local px, pz = -sin(spray[4]), cos(spray[4])
  local lift = (random(seed, i, 14) - 0.66) * 0.42
  local x = from[1] + (to[1] - from[1]) * t + px * across
  local y = from[2] + (to[2] - from[2]) * t + lift - across * across * 0.1
  local z = from[3] + (to[3] - from[3]) * t + pz * across
  local side = across > 0 and 1 or -1
  local dx, dy, dz = cos(spray[4]) * 0.7 + px * side * 0.6, -0.2 + (random(seed, i, 15) - 0.5) * 0.8,
    sin(spray[4]) * 0.7 + pz * side * 0.6
  local dl = sqrt(dx * dx + dy * dy + dz * dz)
  local nx, ny, nz = cos(spray[4]) * 0.75, 0.55 + lift, sin(spray[4]) * 0.75
  local nl = sqrt(nx * nx + ny * ny + nz * nz)
  local open = max(0, min(1, t * 0.9 + lift * 1.2))
  local v = (0.8 + 0.36 * random(seed, i, 16))
  local m = max(0, min(1, t * 0.55 + (lift > 0.02 and 0.3 or 0)))
  local size = 0.8 + 0.5 * random(seed, i, 17)
  list:add(x, y, z, dx / dl, dy / dl, dz / dl, nx / nl, ny / nl, nz / nl, species.long * size, species.wide * size
    * 1.5,
    min(1, (c0[1] + (c1[1] - c0[1]) * m) * v), min(1, (c0[2] + (c1[2] - c0[2]) * m) * v),
    min(1, (c0[3] + (c1[3] - c0[3]) * m) * v),
    0.35 + 0.65 * open, 0.28 + 0.72 * open, min(1, 0.15 + 0.6 * t), soft and 0.14 or 0.35)
end

-- Whorls of drooping branches, flat sprays of needles: more on the longer ones.
local function pine(species, seed, soft)
  local b, plain = wood.pair(2048)
  local shade = wood.bark(species, seed)
  local stem = wood.trunk(b, species.height * 0.97, species.trunk, 0.2, shade, seed, 8, plain)
  local sprays = whorls(b, stem, species, seed, shade)
  local total = 0
  for i = 1, #sprays do total = total + sprays[i][3] * sprays[i][3] + 0.1; sprays[i][5] = total end
  local list = leaves.new(species.leaves)
  for i = 0, species.leaves - 1 do
    local pick = random(seed, i, 11) * total
    local lo, hi = 1, #sprays
    while lo < hi do
      local mid = floor((lo + hi) / 2)
      if sprays[mid][5] < pick then lo = mid + 1 else hi = mid end
    end
    needle(list, sprays[lo], species, seed, i, soft)
  end
  return b:create(), list:create(), plain:create()
end

-- A dome that hangs in curtains.
local function willow(species, seed, soft)
  local b, plain = wood.pair(2048)
  local shade = wood.bark(species, seed)
  local stem = wood.trunk(b, species.height * 0.62, species.trunk, 0.5, shade, seed, 9, plain)
  local strands = {}
  for i = 0, 12 do
    local from, r = wood.on(stem, 0.42 + 0.56 * i / 13)
    local a = i * 2.39996 + random(seed, i, 5)
    local l = species.radius * (0.5 + 0.5 * random(seed, i, 6))
    local to = { from[1] + cos(a) * l * 0.8, from[2] + 1.6 + (1 - l / species.radius) * 2.6, from[3] + sin(a) * l
      * 0.8 }
    local path = wood.limb(b, from, to, max(r * 0.5, 0.06), 0.03, 0.5, 5, 6, shade, seed + i * 5)
    plain:tube({ path[1], path[3], path[#path] }, 3, 1.1, false, function(p) return shade(plain, p) end)
    for k = 0, 13 do
      local start = wood.on(path, 0.35 + 0.65 * k / 13)
      local sa = a + (random(seed, i * 16 + k, 7) - 0.5) * 3.6
      local out = 0.3 + 1.0 * random(seed, i * 16 + k, 8)
      local top = { start[1] + cos(sa) * out * 0.5, start[2] + 0.35, start[3] + sin(sa) * out * 0.5 }
      local low = 0.55 + 1.5 * random(seed, i * 16 + k, 9)
      strands[#strands + 1] = { top[1], top[2], top[3], cos(sa), sin(sa), out, max(0.8, top[2] - low) }
    end
  end
  local list = leaves.new(species.leaves, soft)
  local c0, c1 = species.color, species.tip
  for i = 0, species.leaves - 1 do
    local s = strands[1 + floor(random(seed, i, 11) * #strands)]
    local t = random(seed, i, 12)
    local bulge = sin(min(1, t * 2.2) * 1.5708)
    local x = s[1] + s[4] * s[6] * bulge + (random(seed, i, 13) - 0.5) * 0.2
    local y = s[2] - s[7] * t * t * 0.5 - s[7] * t * 0.5 + 0.3 * (1 - t) * bulge
    local z = s[3] + s[5] * s[6] * bulge + (random(seed, i, 14) - 0.5) * 0.2
    local ox, oz = x / species.radius, z / species.radius
    local ol = max(sqrt(ox * ox + oz * oz), 0.05)
    local nx, ny, nz = ox / ol * 0.72 + s[4] * 0.3, 0.25 + 0.55 * (1 - t), oz / ol * 0.72 + s[5] * 0.3
    local nl = max(sqrt(nx * nx + ny * ny + nz * nz), 1e-4)
    local dx, dy, dz = (random(seed, i, 15) - 0.5) * 0.9, -1, (random(seed, i, 16) - 0.5) * 0.9
    local dl = sqrt(dx * dx + 1 + dz * dz)
    local v = 0.82 + 0.34 * random(seed, i, 17)
    local m = random(seed, i, 18) * 0.8
    local open = min(1, ol * 1.1)
    list:add(x, y, z, dx / dl, dy / dl, dz / dl, nx / nl, ny / nl, nz / nl, species.long,
      species.wide * (soft and 1.6 or 1.25),
      min(1, (c0[1] + (c1[1] - c0[1]) * m) * v), min(1, (c0[2] + (c1[2] - c0[2]) * m) * v),
        min(1, (c0[3] + (c1[3] - c0[3]) * m) * v),
      0.3 + 0.7 * open, 0.3 + 0.7 * open * (0.7 + 0.3 * (1 - t)), min(1, 0.25 + 0.75 * t), soft and 0.14 or 0.4)
  end
  return b:create(), list:create(), plain:create()
end

--- Trees that only the hills wear: few, large leaves.
function M.distant(species, seed, conical)
  local n = 600
  local list = leaves.new(n)
  local c0, c1 = species.color, species.tip
  local h, r = species.height, species.radius * (conical and 0.9 or 0.95)
  for i = 0, 7 do -- the trunk comes first, so that no prefix is without it
    local a = i * 0.785
    local c = species.bark
    local y = h * (0.06 + 0.03 * i)
    list:add(cos(a) * 0.06, y, sin(a) * 0.06, 0, 1, 0, cos(a), 0, sin(a), h * 0.2, 0.62, c[1] * 0.5, c[2] * 0.5,
      c[3] * 0.5, 0.7, 0.6, 0, 0.2)
  end
  for i = 8, n - 1 do
    local ux, uy, uz = leaves.direction(seed, i, 12)
    local x, y, z
    if conical then
      local t = random(seed, i, 14)
      local a = random(seed, i, 15) * 6.2832
      local w = r * (1 - t) + 0.25
      ux, uy, uz = cos(a) * 0.8, 0.5, sin(a) * 0.8
      x, y, z = cos(a) * w * 0.85, h * (0.1 + 0.9 * t), sin(a) * w * 0.85
    else
      local lump = 0.8 + 0.3 * noise.space(ux * 2.1, uy * 2.1, uz * 2.1 + seed, 5) + 0.1 * random(seed, i, 21)
      x, y, z = ux * r * lump, h * 0.58 + uy * h * 0.4 * lump, uz * r * lump
    end
    local tx, ty, tz = leaves.direction(seed, i, 16)
    local dx, dy, dz = tx, ty * 0.6 - 0.3, tz
    local dl = max(sqrt(dx * dx + dy * dy + dz * dz), 1e-4)
    local l = sqrt(ux * ux + uy * uy + uz * uz)
    local t = random(seed, i, 18) * 0.5 + (uy > 0 and uy * 0.3 or 0)
    local v = 0.85 + 0.25 * random(seed, i, 19)
    list:add(x, y, z, dx / dl, dy / dl, dz / dl, ux / l, uy / l, uz / l, conical and 1.7 or 1.7, conical and 0.8
      or 1.2,
      min(1, (c0[1] + (c1[1] - c0[1]) * t) * v), min(1, (c0[2] + (c1[2] - c0[2]) * t) * v),
        min(1, (c0[3] + (c1[3] - c0[3]) * t) * v),
      0.6 + 0.4 * max(0, uy), 0.5 + 0.5 * (uy * 0.5 + 0.5), 0.3, 0.25)
  end
  return list:create()
end

-- Each maker takes the species, a seed and whether leaves are `soft`: lit with their crown more than by themselves, for
-- levels that show few and large ones.
M.makers = { oak = broadleaf, birch = broadleaf, apple = broadleaf, pine = pine, willow = willow }
M.order = { 'oak', 'birch', 'apple', 'pine', 'willow' }

return M
