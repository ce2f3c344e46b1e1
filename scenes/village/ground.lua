--- The ground's colours and meshes.
local maths = require('thatch.math')
local layout = require('village.layout')
local mesh = require('village.mesh')
local noise = require('village.noise')
local terrain = require('village.terrain')

local M = {}
local floor, sqrt, abs, max, min = math.floor, math.sqrt, math.abs, math.max, math.min
local plane, fbm = noise.plane, noise.fbm
local height, smooth = terrain.height, terrain.smooth

local lush, dry, meadow = maths.srgb('#62743E'), maths.srgb('#9C9462'), maths.srgb('#7A844E')
local trail, trail_dark, soil = maths.srgb('#A8946F'), maths.srgb('#7C6A4C'), maths.srgb('#4B4030')
local mud, pebble, rock = maths.srgb('#6E6149'), maths.srgb('#9A937F'), maths.srgb('#9A8A72')
local forest = maths.srgb('#4C6236')

--- The grass's colour on its own, without trails: linear r, g, b.
function M.grass_color(x, z)
  local d = 0.5 + 0.62 * fbm(x / 21, z / 21, 2, 41) + 0.22 * plane(x / 4.6, z / 4.6, 43)
  d = d < 0 and 0 or d > 1 and 1 or d
  local a, b, t
  if d < 0.5 then a, b, t = lush, meadow, d * 2 else a, b, t = meadow, dry, d * 2 - 1 end
  local v = 1 + 0.14 * plane(x / 1.3, z / 1.3, 44)
  return (a[1] + (b[1] - a[1]) * t) * v, (a[2] + (b[2] - a[2]) * t) * v, (a[3] + (b[3] - a[3]) * t) * v
end

--- The ground's colour and its share of the sky.
function M.color(x, z, steep)
  local r, g, b = M.grass_color(x, z)
  -- soil shows between the blades
  r, g, b = r * 0.80 + soil[1] * 0.14, g * 0.78 + soil[2] * 0.14, b * 0.78 + soil[3] * 0.14
  local sky = 1
  local function mix(c, t)
    r, g, b = r + (c[1] - r) * t, g + (c[2] - g) * t, b + (c[3] - b) * t
  end
  local far = sqrt(x * x + z * z)
  if far > 120 then mix(forest, smooth(120, 330, far) * (0.55 + 0.45 * fbm(x / 60, z / 60, 3, 47))) end
  local d = terrain.way(x, z)
  if d < 3 then
    local ragged = d + 0.55 * plane(x / 1.1, z / 1.1, 45) + 0.3 * plane(x / 0.45, z / 0.45, 46)
    mix(trail_dark, smooth(0.9, 0.0, ragged) * 0.9)
    mix(trail, smooth(0.1, -0.9, ragged) * (0.85 + 0.15 * plane(x / 2.1, z / 2.1, 48)))
    -- wheel ruts, damp and darker
    local rut = abs(abs(d + 1.55) - 0.3)
    mix(trail_dark, smooth(0.28, 0.05, rut + 0.12 * plane(x / 1.7, z / 1.7, 49)) * 0.4)
  end
  local wall = terrain.house(x, z)
  if wall < 2.4 then
    mix(trail_dark, smooth(1.5, 0.2, wall + 0.5 * plane(x / 0.9, z / 0.9, 50)) * 0.75)
    mix(soil, smooth(0.5, 0.02, wall) * 0.7)
    sky = 0.55 + 0.45 * smooth(-0.1, 1.4, wall)
  end
  local reach = terrain.pond_reach(x, z)
  if reach < 1.5 then
    mix(mud, smooth(1.32, 1.1, reach + 0.05 * plane(x / 1.2, z / 1.2, 51)) * 0.85)
    mix(pebble, smooth(1.1, 0.95, reach) * 0.75)
    local over = height(x, z) - layout.pond.level
    if over < 0.14 then
      local wet = smooth(0.14, 0.03, over) * 0.45
      r, g, b = r * (1 - wet), g * (1 - wet), b * (1 - wet)
    end
  end
  local foot = terrain.cliff_x(z) - x
  if foot < 14 then
    mix(rock, smooth(13, 2, foot + 4 * plane(x / 3, z / 3, 52)) * 0.7 * min(1, terrain.cliff_height(z) / 12))
  end
  if steep and steep < 0.8 then mix(rock, smooth(0.8, 0.6, steep) * 0.8) end
  return r, g, b, sky
end

-- A square of ground with a skirt; cells of `cell` metres.
local function chunk(x0, z0, size, cell)
  local n = floor(size / cell + 0.5)
  local row = n + 3
  local b = mesh.new(row * row)
  for j = -1, n + 1 do
    for i = -1, n + 1 do
      local edge = i < 0 or j < 0 or i > n or j > n
      local x = x0 + min(max(i, 0), n) * cell
      local z = z0 + min(max(j, 0), n) * cell
      local y = height(x, z)
      local nx, ny, nz = terrain.normal(x, z, max(0.5, cell * 0.5))
      local r, g, bl, sky = M.color(x, z, ny)
      b:vertex(x, edge and y - cell * 0.6 or y, z, nx, ny, nz, x / 2.7, z / 2.7, min(r * 1.9, 1), min(g * 1.9, 1),
        min(bl * 1.9, 1), sky)
    end
  end
  for j = 0, n + 1 do
    for i = 0, n + 1 do
      local a = j * row + i
      if (i + j) % 2 == 0 then
        b.idx:push(a, a + row, a + row + 1)
        b.idx:push(a, a + row + 1, a + 1)
      else
        b.idx:push(a, a + row, a + 1)
        b.idx:push(a + 1, a + row, a + row + 1)
      end
    end
  end
  return b
end

-- How near a square of ground comes to a way.
local function near_way(x0, z0, size)
  local best = 1e3
  for j = 0, 4 do
    for i = 0, 4 do best = min(best, terrain.way(x0 + i * size / 4, z0 + j * size / 4)) end
  end
  return best
end

--- The ground near and far.
---@param add fun(geometry: thatch.Geometry, options?: table)
---@param coarse number 1 finest .. 2
function M.build(add, coarse)
  local SIZE = 16
  for j = -7, 6 do
    for i = -7, 6 do
      local x, z = i * SIZE, j * SIZE
      local cx, cz = x + 8, z + 8
      local busy = min(terrain.way(cx, cz), terrain.house(cx, cz), (terrain.pond_reach(cx, cz) - 1) * 12)
      local cell = busy < (coarse > 1.1 and 4 or 6) and 0.5 or 1
      if coarse > 1.4 then
        cell = (busy < 3 or near_way(x, z, SIZE) < 0) and 1 or (cx * cx + cz * cz > 2900 and busy > 7) and 4 or 2
      end
      add(chunk(x, z, SIZE, cell):create())
    end
  end
  -- a frame round the near square, then rings out to the horizon
  for j = -10, 9 do
    for i = -10, 9 do
      if i < -7 or i > 6 or j < -7 or j > 6 then add(chunk(i * SIZE, j * SIZE, SIZE, 2 * coarse):create()) end
    end
  end
  M.far(add, coarse)
end

function M.far(add, coarse)
  local segments = coarse > 1.4 and 96 or 160
  local radii = {}
  local r = 150
  while r < 640 do radii[#radii + 1] = r; r = r * (coarse > 1.4 and 1.07 or 1.045) end
  local per = segments / 16
  for sector = 0, 15 do
    local b = mesh.new(#radii * (per + 1))
    for k = 0, per do
      local angle = (sector * per + k) / segments * 6.283185307
      local c, s = maths.cos(angle), maths.sin(angle)
      for i = 1, #radii do
        local q = radii[i]
        local x, z = c * q, s * q
        local y = height(x, z)
        local nx, ny, nz = terrain.normal(x, z, 5)
        local cr, cg, cb = M.color(x, z, ny)
        -- inside the near square the far ground hides below it
        if abs(x) < terrain.HALF - 0.5 and abs(z) < terrain.HALF - 0.5 then y = y - 2.5 end
        b:vertex(x, y, z, nx, ny, nz, x / 6.1, z / 6.1, min(cr * 1.9, 1), min(cg * 1.9, 1), min(cb * 1.9, 1), 1)
      end
    end
    b:sheet(0, per, #radii, true)
    add(b:create(), { casts_shadow = false })
  end
end

return M
