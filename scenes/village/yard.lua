--- Small things about the houses: barrels, benches, woodpiles, lanterns, signposts, washing. Each takes a
--- village.Props.
local maths = require('thatch.math')
local lantern = require('village.lantern')
local terrain = require('village.terrain')

local M = {}
local floor, sqrt = math.floor, math.sqrt
local cos, sin, random, srgb = maths.cos, maths.sin, maths.random, maths.srgb

local GREY, OAK, DARK, IRON = srgb('#B3A99A'), srgb('#8A6E52'), srgb('#5A4636'), srgb('#3A3735')

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

function M.barrel(self, x, z, seed)
  local wood = self:part('planks', x, z)
  local iron = self:part('plain', x, z)
  local y = terrain.height(x, z)
  local v = 0.8 + 0.3 * random(seed, 1, 1)
  wood:color({ OAK[1] * 1.4 * v, OAK[2] * 1.4 * v, OAK[3] * 1.4 * v }, 0.9)
  local profile = { { 0.24, 0 }, { 0.29, 0.18 }, { 0.315, 0.42 }, { 0.29, 0.66 }, { 0.24, 0.84 }, { 0.22, 0.84 },
    { 0.215, 0.79 }, { 0, 0.79 } }
  for i = 1, #profile do profile[i].around = 2 end
  wood:lathe(x, y - 0.03, z, profile, 12, 1.2)
  iron:color(IRON, 0.9)
  for _, h in ipairs({ 0.09, 0.26, 0.58, 0.75 }) do
    local r = 0.318 - 0.36 * (h - 0.42) * (h - 0.42)
    r = r + 0.004
    if h < 0.2 or h > 0.7 then r = 0.272 end
    iron:lathe(x, y - 0.03 + h, z, { { r - 0.012, -0.024 }, { r + 0.004, -0.022 }, { r + 0.004, 0.022 },
      { r - 0.012, 0.024 } }, 12, 1)
  end
  self.state.collision:post(x, z, 0.34, y - 0.5, y + 0.84)
end

function M.bench(self, x, z, turn)
  local wood = self:part('timber', x, z)
  local y = terrain.height(x, z)
  wood:color({ GREY[1] * 0.85, GREY[2] * 0.82, GREY[3] * 0.78 }, 0.9)
  wood:box(x, y + 0.45, z, 1.6, 0.06, 0.36, { turn = turn })
  for i = -1, 1, 2 do
    local c, s = cos(turn) * i * 0.62, -sin(turn) * i * 0.62
    wood:box(x + c, y + 0.17, z + s, 0.08, 0.54, 0.3, { turn = turn, across = true })
  end
  self.state.collision:box(x, z, 0.8, 0.2, turn, y - 0.5, y + 0.48)
  local list = self.state.benches or {} -- where people sit
  self.state.benches = list
  list[#list + 1] = { x = x, y = y, z = z, turn = turn }
end

-- Split logs stacked against a wall: a row along x, their ends to the viewer.
function M.woodpile(self, x, z, turn, wide, rows, seed)
  local wood = self:part('bark', x, z)
  local y = terrain.height(x, z)
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
        wood:vertex(lx + cos(a) * r, ly + sin(a) * r, 0.26 + out, 0, 0, 1, 0.5 + cos(a) * 0.06, 0.5 + sin(a) * 0.06,
          ring * 0.7, ring * 0.5, ring * 0.33)
      end
      for k = 1, 7 do wood:triangle(first, first + k, first + k + 1) end
    end
  end
  wood:place(0, 0, 0, 0)
  self.state.collision:box(x, z, wide / 2, 0.34, turn, y - 0.5, y + rows * 0.17)
end

local CAGE = { roof = { 2.24, 0.2, 0.03 }, cap = { 2.28, 0.12, 0.06 }, foot = { 1.93, 0.18, 0.03 },
  bars = { 2.08, 0.015, 0.3, 0.075 }, light = { 2.08, 0.14, 0.28 } }

function M.lantern(self, x, z)
  x, z = beside(x, z, 0.35)
  local wood, iron, glow = self:part('timber', x, z), self:part('plain', x, z), self:part('lamp', x, z)
  local y = terrain.height(x, z)
  wood:color({ DARK[1] * 1.3, DARK[2] * 1.3, DARK[3] * 1.3 }, 0.9)
  wood:tube({ { x, y - 0.4, z, 0.085 }, { x + 0.03, y + 2.5, z, 0.06 } }, 8, 1, true)
  wood:beam(x + 0.03, y + 2.38, z, x + 0.55, y + 2.5, z, 0.06, 0.07, 1)
  wood:beam(x + 0.03, y + 2.02, z, x + 0.36, y + 2.44, z, 0.05, 0.05, 1)
  iron:color(IRON, 1)
  iron:box(x + 0.5, y + 2.35, z, 0.02, 0.2, 0.02)
  lantern.cage(iron, glow, x + 0.5, y, z, CAGE)
  self.lanterns[#self.lanterns + 1] = { x = x + 0.5, y = y + 2.08, z = z }
  self.state.collision:post(x, z, 0.1, y - 0.5, y + 2.5)
end

function M.signpost(self, x, z, turn, arms)
  x, z = beside(x, z, 0.3)
  local wood = self:part('timber', x, z)
  local y = terrain.height(x, z)
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

-- A line between two posts with linen, shirts and a sheet on it.
function M.washing(self, x0, z0, x1, z1)
  local wood, cloth = self:part('timber', x0, z0), self:part('cloth', x0, z0)
  local ya, yb = terrain.height(x0, z0), terrain.height(x1, z1)
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
        cloth:vertex(x + nx * wave, y - high * r / rows, z + nz * wave, (nx - dx / length * slope) * l,
          0, (nz - dz / length * slope) * l, 0, 0)
      end
    end
    cloth:sheet(first, rows, cols + 1, true)
    t = t + u + 0.05
  end
end

return M
