--- Boulders and stones: lumpy spheres with flat faces, merged in groups; mossy on top, dark at the foot.
local maths = require('thatch.math')
local mesh = require('village.mesh')
local noise = require('village.noise')

local M = {}
local sqrt, max, min = math.sqrt, math.max, math.min
local random, srgb = maths.random, maths.srgb

---@class village.Rocks
local Rocks = {}
Rocks.__index = Rocks

---@param coarse? number 1 finest .. 2
function M.new(coarse)
  return setmetatable({ mesh = mesh.new(4096), solids = {}, coarse = coarse or 1 }, Rocks)
end

local GREYS = { srgb('#9A958A'), srgb('#A89C86'), srgb('#87847C'), srgb('#B0A894') }
local MOSS = srgb('#6C7444')

-- How many rings and sides a stone has.
local function fineness(size, coarse)
  local rings, sides = 5, 8
  if size > 0.5 then rings, sides = 9, 14 end
  if size < 0.16 then rings, sides = 4, 6 end
  if coarse then rings, sides = max(3, math.floor(rings * 0.62)), max(5, math.floor(sides * 0.66)) end
  return rings, sides
end

-- How far out a stone reaches in a direction: lumpy, and cut flat by a few planes.
local function reach(seed, ux, uy, uz)
  local r = 1 + 0.32 * noise.space(ux * 1.3 + seed, uy * 1.3, uz * 1.3, 7) + 0.14 * noise.space(ux * 3.1,
    uy * 3.1 + seed, uz * 3.1, 8)
  for k = 0, 4 do
    local px, py, pz = random(seed, k, 11) - 0.5, random(seed, k, 12) - 0.25, random(seed, k, 13) - 0.5
    local l = sqrt(px * px + py * py + pz * pz) + 1e-6
    local d = (ux * px + uy * py + uz * pz) / l
    local cut = 0.72 + 0.16 * random(seed, k, 14)
    if d * r > cut then r = cut / d end
  end
  return r
end

-- The stone's vertices, stretched and turned, and its faces.
local function shape(b, x, y, z, size, seed, rings, sides)
  local sx, sy, sz = 0.85 + 0.4 * random(seed, 1, 1), 0.55 + 0.35 * random(seed, 2, 1), 0.85 + 0.4 * random(seed, 3, 1)
  local turn = random(seed, 4, 1) * 6.28
  local tc, ts = maths.cos(turn), maths.sin(turn)
  for j = 0, rings do
    local pitch = (j / rings - 0.5) * 3.14159265
    local cy, sy0 = maths.cos(pitch), maths.sin(pitch)
    for i = 0, sides do
      local a = (i % sides) / sides * 6.283185307
      local ux, uy, uz = cy * maths.cos(a), sy0, -cy * maths.sin(a)
      local r = reach(seed, ux, uy, uz)
      local lx, ly, lz = ux * r * sx * size, uy * r * sy * size, uz * r * sz * size
      local wx, wz = lx * tc + lz * ts, lz * tc - lx * ts
      b:vertex(x + wx, y + ly, z + wz, 0, 1, 0, (a + seed) * size / 2.1, (ly + wx * 0.4) / 1.3, 1, 1, 1, 1)
    end
  end
end

-- The normal at a vertex, across its neighbours.
local function normal(pos, first, row, rings, i, j)
  local sides = row - 1
  local i0, i1 = first + j * row + (i + sides - 1) % sides, first + j * row + (i + 1) % sides
  local j0, j1 = first + max(j - 1, 0) * row + i, first + min(j + 1, rings) * row + i
  local ax, ay, az = pos[i1 * 3] - pos[i0 * 3], pos[i1 * 3 + 1] - pos[i0 * 3 + 1],
    pos[i1 * 3 + 2] - pos[i0 * 3 + 2]
  local bx, by, bz = pos[j1 * 3] - pos[j0 * 3], pos[j1 * 3 + 1] - pos[j0 * 3 + 1],
    pos[j1 * 3 + 2] - pos[j0 * 3 + 2]
  local nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
  local l = sqrt(nx * nx + ny * ny + nz * nz)
  if j == 0 then nx, ny, nz, l = 0, -1, 0, 1 elseif j == rings then nx, ny, nz, l = 0, 1, 0, 1 end
  if l < 1e-9 then nx, ny, nz, l = 0, 1, 0, 1 end
  return nx / l, ny / l, nz / l
end

-- Moss on top, dark at the foot and below the water.
local function tinge(b, k, tone, up, ny, wet)
  local pos, col = b.pos.data, b.col.data
  local moss = max(0, min(1, (ny - 0.45) * 1.6 + noise.plane(pos[k * 3] * 2.3, pos[k * 3 + 2] * 2.3, 9) * 0.9
    - 0.25)) * 0.6
  local foot = 0.62 + 0.38 * max(0, min(1, up * 1.4 + 0.5))
  local v = (0.86 + 0.24 * noise.space(pos[k * 3] * 3, pos[k * 3 + 1] * 3, pos[k * 3 + 2] * 3, 10)) * foot
  if wet and pos[k * 3 + 1] < wet + 0.05 then
    v, moss = v * 0.6, 0
  end
  for c = 0, 2 do col[k * 4 + c] = min(1, (tone[c + 1] + (MOSS[c + 1] - tone[c + 1]) * moss) * v * 1.75) end
  b.sky.data[k] = 0.5 + 0.5 * max(0, min(1, up + 0.55))
end

--- A stone of a radius; `wet` is a height below which it is dark.
function Rocks:add(x, y, z, size, seed, wet)
  local b = self.mesh
  local rings, sides = fineness(size, self.coarse > 1.4)
  local first, row = b.count, sides + 1
  shape(b, x, y, z, size, seed, rings, sides)
  b:sheet(first, rings, row)
  local tone = GREYS[1 + math.floor(random(seed, 5, 1) * #GREYS)]
  local pos, nor = b.pos.data, b.nor.data
  for j = 0, rings do
    for i = 0, sides do
      local k = first + j * row + i
      local nx, ny, nz = normal(pos, first, row, rings, i, j)
      nor[k * 3], nor[k * 3 + 1], nor[k * 3 + 2] = nx, ny, nz
      tinge(b, k, tone, (pos[k * 3 + 1] - y) / size, ny, wet)
    end
  end
  if size > 0.32 then
    local high = size * (0.55 + 0.35 * random(seed, 2, 1))
    self.solids[#self.solids + 1] = { x, z, size * 0.95, y - 1, y + high }
  end
end

--- Makes the group's mesh; big stones become solids.
function Rocks:finish(state)
  local g = self.mesh:create()
  if not g then return end
  state.scene:mesh({ geometry = g, material = state.materials.rock, node = state.scene:node({ name = 'stones' }),
    draw_distance = self.reach or self.coarse > 1.4 and 50 or 130, casts_shadow = not self.reach })
  for i = 1, #self.solids do
    local q = self.solids[i]
    state.collision:post(q[1], q[2], q[3], q[4], q[5])
  end
end

return M
