--- Larger things: fences, dry walls, the well, carts, haystacks. Each takes a village.Props.
local maths = require('thatch.math')
local hay = require('village.hay')
local noise = require('village.noise')
local terrain = require('village.terrain')

local M = {}
local floor, sqrt, min, max = math.floor, math.sqrt, math.min, math.max
local cos, sin, random, srgb = maths.cos, maths.sin, maths.random, maths.srgb

local GREY, OAK = srgb('#B3A99A'), srgb('#8A6E52')

-- Posts and rails along points { x, z }; no two alike.
function M.fence(self, points, seed, kind)
  local wood = self:part('timber', points[1][1], points[1][2])
  local n = 0
  for i = 1, #points - 1 do
    local a, c = points[i], points[i + 1]
    local dx, dz = c[1] - a[1], c[2] - a[2]
    local length = sqrt(dx * dx + dz * dz)
    local count = max(1, floor(length / (kind == 'pales' and 1.6 or 2.1) + 0.5))
    local turn = maths.atan2(-dz, dx)
    local last
    for k = 0, count do
      local t = k / count
      local x, z = a[1] + dx * t, a[2] + dz * t
      local y = terrain.height(x, z)
      n = n + 1
      local tone = 0.6 + 0.4 * random(seed, n, 1)
      local lx, lz = (random(seed, n, 2) - 0.5) * 0.16, (random(seed, n, 3) - 0.5) * 0.16
      local high = 1.0 + 0.16 * (random(seed, n, 4) - 0.5)
      wood:color({ GREY[1] * tone, GREY[2] * tone, GREY[3] * tone }, 0.9)
      wood:tube({ { x, y - 0.4, z, 0.06 }, { x + lx * 0.5, y + high * 0.5, z + lz * 0.5, 0.056 },
        { x + lx, y + high, z + lz, 0.05 } }, 6, 1, true)
      local top = { x + lx, y, z + lz, high }
      if last then
        for r = 1, 2 do
          local h0, h1 = r == 1 and 0.42 or 0.84, r == 1 and 0.42 or 0.84
          h0, h1 = h0 + (random(seed, n, 5 + r) - 0.5) * 0.1, h1 + (random(seed, n, 8 + r) - 0.5) * 0.1
          local q = 0.62 + 0.38 * random(seed, n, 11 + r)
          wood:color({ GREY[1] * q, GREY[2] * q, GREY[3] * q }, 0.95)
          wood:beam(last[1], last[2] + h0, last[3], top[1], top[2] + h1, top[3], 0.045, 0.1, 1)
        end
        if kind == 'pales' then
          local pales = 7
          for p = 0, pales - 1 do
            local u = (p + 0.5) / pales
            local px, pz = last[1] + (top[1] - last[1]) * u, last[3] + (top[3] - last[3]) * u
            local py = last[2] + (top[2] - last[2]) * u
            local q = 0.6 + 0.4 * random(seed, n * 16 + p, 17)
            wood:color({ GREY[1] * q, GREY[2] * q, GREY[3] * q }, 0.95)
            local ph = 0.92 + 0.12 * random(seed, n * 16 + p, 18)
            wood:box(px, py + ph / 2 + 0.04, pz, 0.09, ph, 0.025,
              { turn = turn, tilt = 0.05 * (random(seed, n * 16 + p, 19) - 0.5), across = true })
          end
        end
      end
      last = top
    end
    self.state.collision:box((a[1] + c[1]) / 2, (a[2] + c[2]) / 2, length / 2, 0.08, turn, terrain.height(a[1], a[2])
      - 1, terrain.height(a[1], a[2]) + 1.2)
  end
end

-- A wheel about an axle along local z.
local function wheel(wood, x, y, z, r, place)
  local spokes = 10
  local points = 20
  for i = 0, points - 1 do
    local a, c = i / points * 6.2832, (i + 1) / points * 6.2832
    place(wood, x + cos(a) * r, y + sin(a) * r, z, x + cos(c) * r, y + sin(c) * r, z, 0.07, 0.08)
  end
  for i = 0, spokes - 1 do
    local a = i / spokes * 6.2832
    place(wood, x + cos(a) * 0.08, y + sin(a) * 0.08, z, x + cos(a) * r, y + sin(a) * r, z, 0.035, 0.05)
  end
  wood:box(x, y, z, 0.2, 0.2, 0.2, { tilt = 0.785 })
end

local HEAP = { sides = 14, wide = 1.2, deep = 0.72, high = 0.72, lump = 0.12, step = 0.7, seed = 0, belly = 0, up = 0,
  u = 3, v = 0.8, sky = 0.6, sky_more = 0.4 }

function M.cart(self, x, z, turn)
  local wood = self:part('timber', x, z)
  local straw = self:part('thatch', x, z)
  local y = terrain.height(x, z)
  wood:place(x, y, z, turn)
  local function beam(b, x0, y0, z0, x1, y1, z1, w, h) b:beam(x0, y0, z0, x1, y1, z1, w, h, 1) end
  local function tone(v) wood:color({ OAK[1] * 1.25 * v, OAK[2] * 1.2 * v, OAK[3] * 1.15 * v }, 0.85) end
  tone(0.9)
  for i = 0, 6 do
    tone(0.72 + 0.3 * random(96, i, 1))
    wood:box(0, 0.82, -0.6 + i * 0.2, 2.5, 0.05, 0.19)
  end
  for side = -1, 1, 2 do
    tone(0.85)
    wood:box(0, 1.02, side * 0.72, 2.5, 0.1, 0.04)
    wood:box(0, 1.24, side * 0.76, 2.5, 0.1, 0.04)
    for i = 0, 5 do wood:box(-1.15 + i * 0.46, 1.06, side * 0.74, 0.05, 0.5, 0.05, { roll = side * 0.06 }) end
    tone(0.75)
    wheel(wood, 0.1, 0.62, side * 0.92, 0.62, beam)
    tone(0.8)
    beam(wood, 1.2, 0.74, side * 0.45, 3.2, 0.36, side * 0.38, 0.08, 0.08)
  end
  beam(wood, 0.1, 0.62, -1.0, 0.1, 0.62, 1.0, 0.1, 0.1)
  wood:place(0, 0, 0, 0)
  -- hay, heaped
  straw:place(x, y, z, turn)
  straw:color({ 1, 0.96, 0.82 }, 0.95)
  hay.heap(straw, 0, 0.88, 0, HEAP)
  straw:place(0, 0, 0, 0)
  self.state.collision:box(x, z, 1.35, 0.95, turn, y - 0.5, y + 1.4)
end

function M.haystack(self, x, z, size, seed)
  local straw = self:part('thatch', x, z)
  local y = terrain.height(x, z)
  straw:color({ 0.98, 0.93, 0.78 }, 0.95)
  local rings, sides = 7, 16
  local first = straw.count
  for j = 0, rings do
    local t = j / rings
    local r = size * (t < 0.5 and 1 - 0.12 * (1 - t * 2) or maths.cos((t - 0.5) * 2 * 1.45) * 1.0 + 0.02)
    for i = 0, sides do
      local a = (i % sides) / sides * 6.2832
      local l = 1 + 0.1 * noise.space(cos(a) * 1.8, t * 3, sin(a) * 1.8 + seed, 13)
      local ny = t < 0.5 and 0.1 or 0.2 + (t - 0.5) * 1.5
      local nl = 1 / sqrt(1 + ny * ny)
      straw:vertex(x + cos(a) * r * l, y - 0.1 + t * size * 1.5, z - sin(a) * r * l, cos(a) * nl, ny * nl,
        -sin(a) * nl, i / sides * 4, -t * 1.4,
        nil, nil, nil, 0.55 + 0.45 * min(1, t * 2.5))
    end
  end
  straw:sheet(first, rings, sides + 1)
  local wood = self:part('timber', x, z)
  wood:color({ GREY[1] * 0.7, GREY[2] * 0.7, GREY[3] * 0.7 }, 1)
  wood:tube({ { x, y + size * 1.1, z, 0.05 }, { x + 0.06, y + size * 1.5 + 0.5, z, 0.035 } }, 6, 1, true)
  self.state.collision:post(x, z, size * 0.95, y - 0.5, y + size * 1.4)
end

-- The well's ring of stone, r0 to r1 thick, and the dark water in it.
local function well_ring(stone, dark, x, y, z)
  local r0, r1, y0, y1 = 0.72, 1.02, -0.3, 0.86
  stone:color(srgb('#EFE9DC'), 0.85)
  local profile = { { r1 + 0.06, y0 }, { r1, y0 + 0.14 }, { r1, y1 - 0.1 }, { r1 + 0.07, y1 - 0.1 },
    { r1 + 0.07, y1 }, { r0, y1 }, { r0, y0 } }
  local sharp = {} -- each edge its own, so that the rim stays crisp
  for i = 1, #profile - 1 do
    sharp[1], sharp[2] = profile[i], profile[i + 1]
    sharp[1].around, sharp[2].around = 3, 3
    stone:lathe(x, y, z, { sharp[1], sharp[2] }, 22, 2)
  end
  dark:color({ 0.012, 0.02, 0.024 }, 0.4)
  local first = dark:vertex(x, y + 0.12, z, 0, 1, 0, 0, 0)
  for k = 0, 16 do
    local a = k / 16 * 6.2832
    dark:vertex(x + cos(a) * 0.74, y + 0.12, z - sin(a) * 0.74, 0, 1, 0, 0, 0)
  end
  for k = 1, 16 do dark:triangle(first, first + k, first + k + 1) end
end

-- Posts, struts and rafters; the winch with its crank, its rope and the bucket.
local function well_winch(wood)
  wood:color({ OAK[1] * 0.8, OAK[2] * 0.78, OAK[3] * 0.76 }, 0.9)
  for side = -1, 1, 2 do
    wood:box(side * 0.95, 1.35, 0, 0.15, 2.3, 0.15, { across = true })
    wood:beam(side * 0.95, 1.9, 0, side * 0.95, 2.36, 0.55, 0.08, 0.09, 1)
    wood:beam(side * 0.95, 1.9, 0, side * 0.95, 2.36, -0.55, 0.08, 0.09, 1)
    wood:beam(side * 1.15, 2.2, 0.9, side * 1.15, 3.02, 0, 0.07, 0.12, 1)
    wood:beam(side * 1.15, 2.2, -0.9, side * 1.15, 3.02, 0, 0.07, 0.12, 1)
  end
  wood:box(0, 2.44, 0, 2.3, 0.13, 0.13)
  wood:tube({ { -0.95, 1.42, 0, 0.1 }, { 0.95, 1.42, 0, 0.1 } }, 9, 1)
  wood:beam(1.0, 1.42, 0, 1.32, 1.42, 0, 0.05, 0.05, 1)
  wood:beam(1.32, 1.42, 0, 1.32, 1.14, 0, 0.05, 0.05, 1)
  wood:beam(1.3, 1.14, 0, 1.52, 1.14, 0, 0.05, 0.05, 1)
  wood:color({ 0.5, 0.42, 0.3 }, 0.9)
  for i = 0, 6 do
    wood:tube({ { -0.3 + i * 0.06, 1.42, -0.104, 0.018 }, { -0.27 + i * 0.06, 1.42, 0.104, 0.018 } }, 5, 1)
  end
  wood:tube({ { 0.02, 1.34, 0.1, 0.014 }, { 0.02, 0.98, 0.1, 0.014 } }, 5, 1)
  wood:color({ OAK[1] * 0.9, OAK[2] * 0.9, OAK[3] * 0.9 }, 0.9)
  wood:lathe(0.02, 0.66, 0.1, { { 0.12, 0 }, { 0.16, 0.28 }, { 0.145, 0.28 }, { 0.11, 0.05 }, { 0, 0.05 } }, 10, 1)
end

-- Five courses of tiles to either side, a ridge, and boards beneath.
local function well_roof(tiles, wood)
  tiles:color({ 1, 1, 1 }, 1)
  for side = -1, 1, 2 do
    for k = 0, 4 do
      local a0, a1 = 1.02 - k * 0.206, 1.02 - (k + 1) * 0.206 - 0.02
      local y0, y1 = 2.22 + k * 0.176, 2.22 + (k + 1) * 0.176
      local v0, v1 = -k / 8, -(k + 1) / 8
      local n = { 0, 0.76, side * 0.65 }
      local p = tiles.count
      tiles:vertex(-1.28, y0 + 0.03, side * a0, n[1], n[2], n[3], 0, v0)
      tiles:vertex(1.28, y0 + 0.03, side * a0, n[1], n[2], n[3], 1.28, v0)
      tiles:vertex(1.28, y1, side * a1, n[1], n[2], n[3], 1.28, v1)
      tiles:vertex(-1.28, y1, side * a1, n[1], n[2], n[3], 0, v1)
      if side > 0 then tiles:face(p, p + 1, p + 2, p + 3) else tiles:face(p + 1, p, p + 3, p + 2) end
    end
  end
  tiles:color({ 0.8, 0.8, 0.8 }, 1)
  tiles:tube({ { -1.3, 3.08, 0, 0.1 }, { 1.3, 3.08, 0, 0.1 } }, 7, 4)
  wood:color({ 0.34, 0.28, 0.21 }, 0.5)
  for side = -1, 1, 2 do
    local e = side * 1.0
    if side > 0 then
      wood:quad({ 1.26, 2.2, e }, { -1.26, 2.2, e }, { -1.26, 3.06, 0 }, { 1.26, 3.06, 0 }, 1)
    else
      wood:quad({ -1.26, 2.2, e }, { 1.26, 2.2, e }, { 1.26, 3.06, 0 }, { -1.26, 3.06, 0 }, 1)
    end
  end
end

-- The well: a ring of stone, two posts, a tiled roof, a winch and a bucket.
function M.well(self, x, z, turn)
  local y = terrain.height(x, z)
  local stone, wood, tiles = self:part('fieldstone', x, z), self:part('timber', x, z), self:part('roof_tile', x, z)
  well_ring(stone, self:part('plain', x, z), x, y, z)
  wood:place(x, y, z, turn)
  tiles:place(x, y, z, turn)
  well_winch(wood)
  well_roof(tiles, wood)
  wood:place(0, 0, 0, 0)
  tiles:place(0, 0, 0, 0)
  self.state.collision:post(x, z, 1.1, y - 0.5, y + 0.9)
end

-- A dry wall of stones.
function M.wall(self, points, seed)
  local stone = self:part('fieldstone', points[1][1], points[1][2])
  for i = 1, #points - 1 do
    local a, c = points[i], points[i + 1]
    local dx, dz = c[1] - a[1], c[2] - a[2]
    local length = sqrt(dx * dx + dz * dz)
    local n = floor(length / 0.7)
    local turn = maths.atan2(-dz, dx)
    for k = 0, n - 1 do
      local t = (k + 0.5) / n
      local x, z = a[1] + dx * t, a[2] + dz * t
      local y = terrain.height(x, z)
      local high = 0.82 + 0.1 * noise.plane(k * 0.9, seed, 5)
      stone:color({ 0.84, 0.82, 0.76 }, 0.9)
      stone:box(x, y + high / 2 - 0.25, z, length / n + 0.01, high + 0.5, 0.46,
        { turn = turn, metres = 1.7, u = k * length / n / 1.7, sky_bottom = 0.5, skip = 'yxX' })
      local s = 0.16 + 0.08 * random(seed, i * 64 + k, 3)
      stone:color({ 0.9, 0.89, 0.83 }, 1)
      stone:box(x, y + high + s * 0.3, z, length / n * 0.96, s, 0.54,
        { turn = turn, tilt = 0.08 * (random(seed, i * 64 + k, 4) - 0.5), metres = 2.6, u = random(seed, k, 6),
          taper = 0.9 })
    end
    self.state.collision:box((a[1] + c[1]) / 2, (a[2] + c[2]) / 2, length / 2, 0.25, turn, terrain.height(a[1], a[2])
      - 1, terrain.height(a[1], a[2]) + 1.1)
  end
end

return M
