--- What people left about: fences, the well, a cart, woodpiles, barrels, benches, lanterns, signs, washing, hay, boulders.
local maths = require('thatch.math')
local layout = require('village.layout')
local mesh = require('village.mesh')
local noise = require('village.noise')
local rocks = require('village.rocks')
local terrain = require('village.terrain')

local M = {}
local floor, sqrt, min, max = math.floor, math.sqrt, math.min, math.max
local cos, sin, random, srgb = maths.cos, maths.sin, maths.random, maths.srgb

local GREY, OAK, DARK, IRON = srgb('#B3A99A'), srgb('#8A6E52'), srgb('#5A4636'), srgb('#3A3735')

---@class village.Props
local Props = {}
Props.__index = Props

-- One builder a material and a cell of 48 m, so that a group out of sight is left out whole.
function Props:part(name, x, z)
  local key = name .. ' ' .. floor(x / 48) .. ' ' .. floor(z / 48)
  local b = self.parts[key]
  if not b then
    b = mesh.new(1024)
    b.material = name
    self.parts[key] = b
    self.order[#self.order + 1] = b
  end
  return b
end

local function ground(x, z) return terrain.height(x, z) end

-- The nearest point that is clear of ways and walls by `clear` metres.
local function beside(x, z, clear)
  for i = 0, 40 do
    local r = i * 0.25
    for k = 0, 11 do
      local px, pz = x + cos(k * 0.5236) * r, z + sin(k * 0.5236) * r
      if terrain.way(px, pz) > clear and terrain.house(px, pz) > clear then return px, pz end
    end
  end
  return x, z
end

-- Posts and rails along points { x, z }; no two alike.
function Props:fence(points, seed, kind)
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
      local y = ground(x, z)
      n = n + 1
      local tone = 0.6 + 0.4 * random(seed, n, 1)
      local lx, lz = (random(seed, n, 2) - 0.5) * 0.16, (random(seed, n, 3) - 0.5) * 0.16
      local high = 1.0 + 0.16 * (random(seed, n, 4) - 0.5)
      wood:color({ GREY[1] * tone, GREY[2] * tone, GREY[3] * tone }, 0.9)
      wood:tube({ { x, y - 0.4, z, 0.06 }, { x + lx * 0.5, y + high * 0.5, z + lz * 0.5, 0.056 }, { x + lx, y + high, z + lz, 0.05 } }, 6, 1, true)
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
            wood:box(px, py + ph / 2 + 0.04, pz, 0.09, ph, 0.025, { turn = turn, tilt = 0.05 * (random(seed, n * 16 + p, 19) - 0.5), across = true })
          end
        end
      end
      last = top
    end
    self.state.collision:box((a[1] + c[1]) / 2, (a[2] + c[2]) / 2, length / 2, 0.08, turn, ground(a[1], a[2]) - 1, ground(a[1], a[2]) + 1.2)
  end
end

function Props:barrel(x, z, seed)
  local wood = self:part('planks', x, z)
  local iron = self:part('plain', x, z)
  local y = ground(x, z)
  local v = 0.8 + 0.3 * random(seed, 1, 1)
  wood:color({ OAK[1] * 1.4 * v, OAK[2] * 1.4 * v, OAK[3] * 1.4 * v }, 0.9)
  local profile = { { 0.24, 0 }, { 0.29, 0.18 }, { 0.315, 0.42 }, { 0.29, 0.66 }, { 0.24, 0.84 }, { 0.22, 0.84 }, { 0.215, 0.79 }, { 0, 0.79 } }
  for i = 1, #profile do profile[i].around = 2 end
  wood:lathe(x, y - 0.03, z, profile, 12, 1.2)
  iron:color(IRON, 0.9)
  for _, h in ipairs({ 0.09, 0.26, 0.58, 0.75 }) do
    local r = 0.318 - 0.36 * (h - 0.42) * (h - 0.42)
    r = r + 0.004
    if h < 0.2 or h > 0.7 then r = 0.272 end
    iron:lathe(x, y - 0.03 + h, z, { { r - 0.012, -0.024 }, { r + 0.004, -0.022 }, { r + 0.004, 0.022 }, { r - 0.012, 0.024 } }, 12, 1)
  end
  self.state.collision:post(x, z, 0.34, y - 0.5, y + 0.84)
end

function Props:bench(x, z, turn)
  local wood = self:part('timber', x, z)
  local y = ground(x, z)
  wood:color({ GREY[1] * 0.85, GREY[2] * 0.82, GREY[3] * 0.78 }, 0.9)
  wood:box(x, y + 0.45, z, 1.6, 0.06, 0.36, { turn = turn })
  for i = -1, 1, 2 do
    local c, s = cos(turn) * i * 0.62, -sin(turn) * i * 0.62
    wood:box(x + c, y + 0.17, z + s, 0.08, 0.54, 0.3, { turn = turn, across = true })
  end
  self.state.collision:box(x, z, 0.8, 0.2, turn, y - 0.5, y + 0.48)
end

-- Split logs stacked against a wall: a row along x, their ends to the viewer.
function Props:woodpile(x, z, turn, wide, rows, seed)
  local wood = self:part('bark', x, z)
  local y = ground(x, z)
  wood:place(x, y, z, turn)
  local n = 0
  for j = 0, rows - 1 do
    local count = floor(wide / 0.19) - j % 2
    for i = 0, count - 1 do
      n = n + 1
      local r = 0.075 + 0.03 * random(seed, n, 1)
      local lx = (i + 0.5 + (j % 2) * 0.5) * 0.19 - wide / 2
      local ly = 0.07 + j * 0.165
      local out = (random(seed, n, 2) - 0.5) * 0.1
      local tone = 0.5 + 0.25 * random(seed, n, 3)
      wood:color({ tone * 0.72, tone * 0.6, tone * 0.5 }, 0.7)
      wood:tube({ { lx, ly, -0.28, r }, { lx, ly, 0.26 + out, r } }, 7, 1.1, false)
      local ring = 0.72 + 0.24 * random(seed, n, 4)
      wood:color({ ring, ring * 0.78, ring * 0.54 }, 0.85)
      local first = wood:vertex(lx, ly, 0.262 + out, 0, 0, 1, 0.5, 0.5)
      for k = 0, 7 do
        local a = k / 7 * 6.283185307
        wood:vertex(lx + cos(a) * r, ly + sin(a) * r, 0.26 + out, 0, 0, 1, 0.5 + cos(a) * 0.06, 0.5 + sin(a) * 0.06, ring * 0.7, ring * 0.5, ring * 0.33)
      end
      for k = 1, 7 do wood:triangle(first, first + k, first + k + 1) end
    end
  end
  wood:place(0, 0, 0, 0)
  self.state.collision:box(x, z, wide / 2, 0.34, turn, y - 0.5, y + rows * 0.17)
end

function Props:lantern(x, z)
  x, z = beside(x, z, 0.35)
  local wood, iron, glow = self:part('timber', x, z), self:part('plain', x, z), self:part('lamp', x, z)
  local y = ground(x, z)
  wood:color({ DARK[1] * 1.3, DARK[2] * 1.3, DARK[3] * 1.3 }, 0.9)
  wood:tube({ { x, y - 0.4, z, 0.085 }, { x + 0.03, y + 2.5, z, 0.06 } }, 8, 1, true)
  wood:beam(x + 0.03, y + 2.38, z, x + 0.55, y + 2.5, z, 0.06, 0.07, 1)
  wood:beam(x + 0.03, y + 2.02, z, x + 0.36, y + 2.44, z, 0.05, 0.05, 1)
  iron:color(IRON, 1)
  iron:box(x + 0.5, y + 2.35, z, 0.02, 0.2, 0.02)
  iron:box(x + 0.5, y + 2.24, z, 0.2, 0.03, 0.2)
  iron:box(x + 0.5, y + 2.28, z, 0.12, 0.06, 0.12)
  iron:box(x + 0.5, y + 1.93, z, 0.18, 0.03, 0.18)
  for i = -1, 1, 2 do
    for k = -1, 1, 2 do iron:box(x + 0.5 + i * 0.075, y + 2.08, z + k * 0.075, 0.015, 0.3, 0.015) end
  end
  glow:color({ 1, 0.9, 0.7 }, 1)
  glow:box(x + 0.5, y + 2.08, z, 0.14, 0.28, 0.14)
  self.lanterns[#self.lanterns + 1] = { x = x + 0.5, y = y + 2.08, z = z }
  self.state.collision:post(x, z, 0.1, y - 0.5, y + 2.5)
end

function Props:signpost(x, z, turn, arms)
  x, z = beside(x, z, 0.3)
  local wood = self:part('timber', x, z)
  local y = ground(x, z)
  wood:color({ GREY[1] * 0.8, GREY[2] * 0.78, GREY[3] * 0.74 }, 0.9)
  wood:tube({ { x, y - 0.4, z, 0.07 }, { x + 0.05, y + 2.4, z + 0.03, 0.055 } }, 7, 1, true)
  for i = 1, #arms do
    local a = turn + arms[i]
    local h = y + 2.2 - i * 0.27
    local c, s = cos(a), -sin(a)
    wood:color({ GREY[1] * 0.95, GREY[2] * 0.9, GREY[3] * 0.82 }, 0.95)
    wood:box(x + c * 0.42, h, z + s * 0.42, 0.9, 0.2, 0.035, { turn = a, tilt = 0.04 * (i - 2) })
    wood:box(x + c * 0.88, h, z + s * 0.88, 0.14, 0.14, 0.03, { turn = a, tilt = 0.785 })
    wood:color({ DARK[1], DARK[2], DARK[3] }, 0.95) -- letters, as far as one reads them
    for k = 0, 5 do
      if random(95, i * 8 + k, floor(x + 300)) > 0.2 then
        local u = 0.14 + k * 0.1
        for side = -1, 1, 2 do
          wood:box(x + c * u - s * side * 0.02, h, z + s * u + c * side * 0.02, 0.055, 0.08, 0.006, { turn = a })
        end
      end
    end
  end
  self.state.collision:post(x, z, 0.1, y - 0.5, y + 2.4)
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

function Props:cart(x, z, turn)
  local wood = self:part('timber', x, z)
  local straw = self:part('thatch', x, z)
  local y = ground(x, z)
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
  local rings, sides = 5, 14
  local first = straw.count
  for j = 0, rings do
    local p = j / rings * 1.5708
    for i = 0, sides do
      local a = (i % sides) / sides * 6.2832
      local l = 1 + 0.12 * noise.space(cos(a) * 2, j * 0.7, sin(a) * 2, 12)
      local px, py, pz = cos(a) * cos(p) * 1.2 * l, 0.88 + sin(p) * 0.72 * l, -sin(a) * cos(p) * 0.72 * l
      local nx, ny, nz = cos(a) * cos(p), sin(p), -sin(a) * cos(p)
      straw:vertex(px, py, pz, nx, ny, nz, i / sides * 3, -j / rings * 0.8, nil, nil, nil, 0.6 + 0.4 * j / rings)
    end
  end
  for j = 0, rings - 1 do
    for i = 0, sides - 1 do
      local a = first + j * (sides + 1) + i
      straw:face(a, a + 1, a + sides + 2, a + sides + 1)
    end
  end
  straw:place(0, 0, 0, 0)
  self.state.collision:box(x, z, 1.35, 0.95, turn, y - 0.5, y + 1.4)
end

function Props:haystack(x, z, size, seed)
  local straw = self:part('thatch', x, z)
  local y = ground(x, z)
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
      straw:vertex(x + cos(a) * r * l, y - 0.1 + t * size * 1.5, z - sin(a) * r * l, cos(a) * nl, ny * nl, -sin(a) * nl, i / sides * 4, -t * 1.4,
        nil, nil, nil, 0.55 + 0.45 * min(1, t * 2.5))
    end
  end
  for j = 0, rings - 1 do
    for i = 0, sides - 1 do
      local a = first + j * (sides + 1) + i
      straw:face(a, a + 1, a + sides + 2, a + sides + 1)
    end
  end
  local wood = self:part('timber', x, z)
  wood:color({ GREY[1] * 0.7, GREY[2] * 0.7, GREY[3] * 0.7 }, 1)
  wood:tube({ { x, y + size * 1.1, z, 0.05 }, { x + 0.06, y + size * 1.5 + 0.5, z, 0.035 } }, 6, 1, true)
  self.state.collision:post(x, z, size * 0.95, y - 0.5, y + size * 1.4)
end

-- The well: a ring of stone, two posts, a tiled roof, a winch and a bucket.
function Props:well(x, z, turn)
  local y = ground(x, z)
  local stone, wood, tiles = self:part('fieldstone', x, z), self:part('timber', x, z), self:part('roof_tile', x, z)
  stone:color(srgb('#EFE9DC'), 0.85)
  local function ring(r0, r1, y0, y1)
    local profile = { { r1 + 0.06, y0 }, { r1, y0 + 0.14 }, { r1, y1 - 0.1 }, { r1 + 0.07, y1 - 0.1 }, { r1 + 0.07, y1 }, { r0, y1 }, { r0, y0 } }
    local sharp = {} -- each edge its own, so that the rim stays crisp
    for i = 1, #profile - 1 do
      sharp[1], sharp[2] = profile[i], profile[i + 1]
      sharp[1].around, sharp[2].around = 3, 3
      stone:lathe(x, y, z, { sharp[1], sharp[2] }, 22, 2)
    end
  end
  ring(0.72, 1.02, -0.3, 0.86)
  local dark = self:part('plain', x, z)
  dark:color({ 0.012, 0.02, 0.024 }, 0.4)
  local first = dark:vertex(x, y + 0.12, z, 0, 1, 0, 0, 0)
  for k = 0, 16 do
    local a = k / 16 * 6.2832
    dark:vertex(x + cos(a) * 0.74, y + 0.12, z - sin(a) * 0.74, 0, 1, 0, 0, 0)
  end
  for k = 1, 16 do dark:triangle(first, first + k, first + k + 1) end
  wood:place(x, y, z, turn)
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
  for i = 0, 6 do wood:tube({ { -0.3 + i * 0.06, 1.42, -0.104, 0.018 }, { -0.27 + i * 0.06, 1.42, 0.104, 0.018 } }, 5, 1) end
  wood:tube({ { 0.02, 1.34, 0.1, 0.014 }, { 0.02, 0.98, 0.1, 0.014 } }, 5, 1)
  wood:color({ OAK[1] * 0.9, OAK[2] * 0.9, OAK[3] * 0.9 }, 0.9)
  wood:lathe(0.02, 0.66, 0.1, { { 0.12, 0 }, { 0.16, 0.28 }, { 0.145, 0.28 }, { 0.11, 0.05 }, { 0, 0.05 } }, 10, 1)
  wood:place(0, 0, 0, 0)
  tiles:place(x, y, z, turn)
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
  tiles:place(0, 0, 0, 0)
  wood:place(x, y, z, turn)
  wood:color({ 0.34, 0.28, 0.21 }, 0.5)
  for side = -1, 1, 2 do
    local e = side * 1.0
    if side > 0 then
      wood:quad({ 1.26, 2.2, e }, { -1.26, 2.2, e }, { -1.26, 3.06, 0 }, { 1.26, 3.06, 0 }, 1)
    else
      wood:quad({ -1.26, 2.2, e }, { 1.26, 2.2, e }, { 1.26, 3.06, 0 }, { -1.26, 3.06, 0 }, 1)
    end
  end
  wood:place(0, 0, 0, 0)
  self.state.collision:post(x, z, 1.1, y - 0.5, y + 0.9)
end

-- A line between two posts with linen, shirts and a sheet on it.
function Props:washing(x0, z0, x1, z1)
  local wood, cloth = self:part('timber', x0, z0), self:part('cloth', x0, z0)
  local ya, yb = ground(x0, z0), ground(x1, z1)
  wood:color({ GREY[1] * 0.8, GREY[2] * 0.8, GREY[3] * 0.8 }, 0.9)
  wood:tube({ { x0, ya - 0.4, z0, 0.06 }, { x0 - 0.05, ya + 2.05, z0, 0.05 } }, 7, 1, true)
  wood:tube({ { x1, yb - 0.4, z1, 0.06 }, { x1 + 0.05, yb + 2.05, z1, 0.05 } }, 7, 1, true)
  local dx, dz = x1 - x0, z1 - z0
  local length = sqrt(dx * dx + dz * dz)
  local nx, nz = -dz / length, dx / length
  local function line(t)
    local sag = 0.3 * 4 * t * (1 - t)
    return x0 + dx * t, ya + (yb - ya) * t + 1.98 - sag, z0 + dz * t
  end
  cloth:color({ 0.5, 0.46, 0.4 }, 1)
  local previous
  for i = 0, 12 do
    local x, y, z = line(i / 12)
    if previous then cloth:beam(previous[1], previous[2], previous[3], x, y, z, 0.012, 0.012, 1) end
    previous = { x, y, z }
  end
  local hues = { srgb('#EDE7DA'), srgb('#5C7690'), srgb('#E6DCC8'), srgb('#A85646'), srgb('#F0ECE2'), srgb('#C9A25A') }
  local t = 0.07
  for i = 1, 6 do
    local wide, high = 0.55 + 0.5 * random(97, i, 1), 0.6 + 0.5 * random(97, i, 2)
    local u = wide / length
    if t + u > 0.95 then break end
    cloth:color(hues[i], 0.96)
    local cols, rows = 7, 5
    local first = cloth.count
    for r = 0, rows do
      for c = 0, cols do
        local x, y, z = line(t + u * c / cols)
        local wave = (sin(c * 1.3 + i * 2) * 0.05 + sin(c * 2.6 + i) * 0.025) * r / rows + 0.05 * r / rows
        local slope = (cos(c * 1.3 + i * 2) * 0.05 * 1.3 + cos(c * 2.6 + i) * 0.065) * r / rows / (wide / cols)
        local l = 1 / sqrt(1 + slope * slope)
        cloth:vertex(x + nx * wave, y - high * r / rows, z + nz * wave, (nx - dx / length * slope) * l, 0, (nz - dz / length * slope) * l, 0, 0)
      end
    end
    for r = 0, rows - 1 do
      for c = 0, cols - 1 do
        local a = first + r * (cols + 1) + c
        cloth:face(a, a + cols + 1, a + cols + 2, a + 1)
      end
    end
    t = t + u + 0.05
  end
end

-- A dry wall of stones.
function Props:wall(points, seed)
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
      local y = ground(x, z)
      local high = 0.82 + 0.1 * noise.plane(k * 0.9, seed, 5)
      stone:color({ 0.84, 0.82, 0.76 }, 0.9)
      stone:box(x, y + high / 2 - 0.25, z, length / n + 0.01, high + 0.5, 0.46, { turn = turn, metres = 1.7, u = k * length / n / 1.7, sky_bottom = 0.5, skip = 'yxX' })
      local s = 0.16 + 0.08 * random(seed, i * 64 + k, 3)
      stone:color({ 0.9, 0.89, 0.83 }, 1)
      stone:box(x, y + high + s * 0.3, z, length / n * 0.96, s, 0.54, { turn = turn, tilt = 0.08 * (random(seed, i * 64 + k, 4) - 0.5), metres = 2.6, u = random(seed, k, 6), taper = 0.9 })
    end
    self.state.collision:box((a[1] + c[1]) / 2, (a[2] + c[2]) / 2, length / 2, 0.25, turn, ground(a[1], a[2]) - 1, ground(a[1], a[2]) + 1.1)
  end
end

--- Sets everything out.
function M.build(state)
  local p = setmetatable({ parts = {}, order = {}, state = state, lanterns = {} }, Props)
  p:well(layout.well.x, layout.well.z, 0.5)
  -- gardens and paddocks
  p:fence({ { -4.6, 47.5 }, { -4.2, 41 }, { -16, 40.2 } }, 1, 'pales')
  p:fence({ { 4.6, 41.5 }, { 13, 40.5 }, { 21, 41 }, { 22, 34 } }, 2, 'pales')
  p:fence({ { 4.2, 24.8 }, { 3.2, 20.5 }, { 13.5, 19 }, { 20, 19.5 } }, 3, 'pales')
  p:fence({ { 18.4, -6.2 }, { 30, -8.6 }, { 31, 6 }, { 27, 14 } }, 4)
  p:fence({ { 31.5, -14.2 }, { 30, -32 }, { 44, -38 }, { 56, -32 }, { 53.5, -19 } }, 5)
  p:fence({ { -34, -16.6 }, { -34.6, -38 }, { -52, -38.5 }, { -53, -17 }, { -37, -15.8 } }, 6)
  p:fence({ { -20.4, 22.2 }, { -19.6, 33 }, { -22, 46 } }, 7)
  p:fence({ { 16, 74 }, { 14.5, 60.8 } }, 8)
  p:fence({ { 6.2, 78 }, { 3, 66 }, { -3.2, 61.8 }, { -16, 62.6 } }, 9)
  p:wall({ { 14.4, -13.6 }, { 15.6, -17.2 } }, 11)
  p:wall({ { -6.6, -12.8 }, { -13.6, -14.4 } }, 12)
  p:wall({ { 4.2, -46.2 }, { 7.6, -53 }, { 12, -58.5 } }, 13)
  p:wall({ { -6, -46.8 }, { -9.6, -48.4 } }, 14)
  p:wall({ { 2.9, 35.6 }, { 4.3, 39.4 }, { 8.0, 40.4 } }, 15)
  -- about the houses: by name, a side (f front, b back, l left, r right), metres along it from its middle, metres out
  local function wall(name, side, along, out)
    local h
    for i = 1, #layout.houses do
      if layout.houses[i].name == name then h = layout.houses[i] end
    end
    local lx, lz, turn
    if side == 'f' then lx, lz, turn = along, h.d / 2 + out, 0
    elseif side == 'b' then lx, lz, turn = along, -h.d / 2 - out, 3.14159265
    elseif side == 'r' then lx, lz, turn = h.w / 2 + out, along, 1.57079633
    else lx, lz, turn = -h.w / 2 - out, along, -1.57079633 end
    return h.x + lx * h.c + lz * h.s, h.z + lz * h.c - lx * h.s, h.turn + turn
  end
  local BARRELS = {
    { 'inn', 'f', -3.9, 0.5 }, { 'inn', 'f', -4.6, 0.55 }, { 'inn', 'r', 2.0, 0.5 }, { 'smith', 'f', 3.9, 0.5 }, { 'smith', 'f', 4.4, 0.95 },
    { 'tall brick house', 'f', -3.8, 0.5 }, { 'barn', 'f', -5.9, 0.5 }, { 'barn', 'f', -6.6, 0.55 }, { 'miller', 'f', 3.7, 0.5 },
    { 'weaver', 'r', 2.4, 0.5 }, { 'stable', 'r', 1.4, 0.5 }, { 'carpenter', 'f', -3.6, 0.5 }, { 'farmhouse', 'f', 5.4, 0.5 },
  }
  for i = 1, #BARRELS do
    local x, z = wall(unpack(BARRELS[i]))
    p:barrel(x, z, i)
  end
  local BENCHES = {
    { 'inn', 'f', 2.0, 0.42 }, { 'blue house', 'f', 2.3, 0.42 }, { 'brick cottage', 'f', 1.1, 0.42 }, { 'long house', 'f', 1.6, 0.42 },
    { 'widow', 'f', 1.2, 0.42 }, { 'weaver', 'f', -1.6, 0.42 },
  }
  for i = 1, #BENCHES do p:bench(wall(unpack(BENCHES[i]))) end
  p:bench(7.4, 0.6, 0.5)
  p:bench(1.0, -0.4, -0.5)
  p:bench(-31.6, 31.6, 2.2)
  local PILES = {
    { 'smith', 'b', -2.9, 0.42, 1.9, 6 }, { 'weaver', 'r', -2.1, 0.42, 1.8, 6 }, { 'carpenter', 'r', 1.9, 0.42, 1.9, 5 },
    { 'thatched cottage', 'r', 1.9, 0.42, 1.9, 6 }, { 'farmhouse', 'r', 2.1, 0.42, 1.9, 6 }, { 'barn', 'r', -2.4, 0.42, 3.2, 7 },
    { 'miller', 'r', 2.2, 0.42, 1.9, 5 }, { 'long house', 'r', -1.9, 0.42, 1.8, 5 }, { 'north house', 'r', 2.1, 0.42, 1.8, 6 },
    { 'brick cottage', 'r', -1.9, 0.42, 1.8, 5 },
  }
  for i = 1, #PILES do
    local s = PILES[i]
    local x, z, turn = wall(s[1], s[2], s[3], s[4])
    p:woodpile(x, z, turn, s[5], s[6], i)
  end
  p:lantern(-1.8, 19.6); p:lantern(7.2, 8.4); p:lantern(-6.4, 10.6); p:lantern(14.2, -12.0); p:lantern(5.4, 46.4); p:lantern(5.4, -40.2)
  p:lantern(-32.2, 23.2)
  p:signpost(-2.2, 14.0, 0, { 0.2, 1.5, 3.0 }); p:signpost(11.8, -10.4, 0.4, { 0.1, 1.9 }); p:signpost(12.4, 70, 0.6, { 1.1, -1.7 })
  p:cart(9.4, 15.8, 2.2); p:cart(50.4, -13.6, 0.4)
  p:haystack(34.5, -27, 1.7, 1); p:haystack(38.6, -33.5, 1.5, 2); p:haystack(-46, -14, 1.7, 3); p:haystack(-52, -9.5, 1.5, 4); p:haystack(34, 3, 1.5, 5)
  p:washing(16.8, 22.4, 22.6, 24.4); p:washing(-18.2, 40.2, -18.6, 46.4); p:washing(-4.4, -27.4, -9.6, -28.6)
  for i = 1, #p.order do
    local b = p.order[i]
    local g = b:create()
    if g then
      state.scene:mesh({
        geometry = g, material = state.materials[b.material], node = state.scene:node({ name = 'props' }), casts_shadow = b.material ~= 'lamp',
      })
    end
  end
  state.lanterns = p.lanterns
  -- boulders: scattered, and a fall of them at the cliff's foot
  local groups = { near = rocks.new(state.coarse), scree = rocks.new(state.coarse) }
  for i = 1, 46 do
    local a, r = random(98, i, 1) * 6.2832, 16 + 80 * random(98, i, 2)
    local x, z = cos(a) * r, sin(a) * r
    if terrain.way(x, z) > 1.2 and terrain.house(x, z) > 1.5 and terrain.pond_reach(x, z) > 1.2 then
      local size = 0.22 + 0.85 * random(98, i, 3) * random(98, i, 4)
      groups.near:add(x, ground(x, z) - size * 0.12, z, size, i + 300)
      for k = 1, 3 do
        local b = random(98, i, 10 + k) * 6.28
        local q = size * (1.1 + 0.8 * random(98, i, 20 + k))
        local px, pz = x + cos(b) * q, z + sin(b) * q
        local s = size * (0.2 + 0.22 * random(98, i, 30 + k))
        if terrain.way(px, pz) > 0.4 then groups.near:add(px, ground(px, pz) - s * 0.2, pz, s, i * 4 + k + 900) end
      end
    end
  end
  for i = 1, 210 do
    local z = -120 + 215 * random(99, i, 1)
    local q = random(99, i, 2)
    local x = terrain.cliff_x(z) - 1.5 - 11 * q * q
    local size = (0.25 + 1.5 * random(99, i, 3) * random(99, i, 4)) * (1.2 - 0.7 * q)
    if terrain.way(x, z) > 0.5 then groups.scree:add(x, ground(x, z) - size * 0.15, z, size, i + 2000) end
  end
  groups.near:finish(state)
  groups.scree:finish(state)
end

return M
