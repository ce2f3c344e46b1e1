--- Ridges on the horizon, and the sheet of rock before the plateau.
local maths = require('thatch.math')
local mesh = require('village.mesh')
local noise = require('village.noise')
local terrain = require('village.terrain')

local M = {}
local abs, max, min, floor = math.abs, math.max, math.min, math.floor
local cos, sin, srgb = maths.cos, maths.sin, maths.srgb
local smooth = terrain.smooth

-- radius, height, what it is made of from foot to top
local RIDGES = {
  { r = 400, high = 58, deep = 110, seed = 3, foot = srgb('#42553A'), top = srgb('#5C644E'), rough = 0.6, snow = 2 },
  { r = 440, high = 104, deep = 130, seed = 7, foot = srgb('#2C3A2E'), top = srgb('#4A4C48'), rough = 0.9, snow = 2 },
  { r = 530, high = 172, deep = 170, seed = 11, foot = srgb('#22292E'), top = srgb('#3C3F45'), rough = 1.25,
    snow = 0.50 },
}

local function crest(ridge, a)
  local x, z = cos(a), sin(a)
  local n = 1 - abs(noise.plane(x * 2.3 + 9, z * 2.3 + 4, ridge.seed))
  local m = 1 - abs(noise.plane(x * 5.1 + 3, z * 5.1 + 8, ridge.seed + 1))
  local o = 1 - abs(noise.plane(x * 10.3 + 5, z * 10.3 + 2, ridge.seed + 4))
  local k = noise.plane(x * 19, z * 19, ridge.seed + 2)
  local l = noise.plane(x * 34, z * 34, ridge.seed + 3)
  -- high in the north and north-west, low in the south
  local north = 0.62 + 0.38 * smooth(-0.5, 0.8, -z * 0.85 - x * 0.4)
  return ridge.high * north * (0.14 + 0.30 * n * n + 0.30 * m * m + 0.15 * o * o + 0.10 * k + 0.08 * l + 0.05
    * noise.plane(x * 71, z * 71, ridge.seed + 5))
end

local SECTORS = 10

-- Where the ridge's skin lies at a turn round the horizon, `share` of a whole one, and a height t from foot to crest;
-- also how deep a gully is there.
local function ridge_point(ridge, a, share, top, t)
  local c, s = cos(a), sin(a)
  local r = ridge.r - ridge.deep * (1 - t) * 0.5
  local gully = noise.space_fbm(c * r / 46, t * 3.1, s * r / 46, 4, ridge.seed + 20) * ridge.rough
  -- ribs that run down from the crest; whole numbers of them round the horizon
  local ribs = floor(ridge.r / 30 * 6.2832)
  local u = share % 1 * ribs
  local rib = 1 - abs(noise.plane(u, t * 0.9, ridge.seed + 31) * (1 - u / ribs)
    + noise.plane(u - ribs, t * 0.9, ridge.seed + 31) * (u / ribs)) * 2
  local y = top * (t * t * 0.5 + t * 0.5) + (gully * 0.24 + rib * 0.1) * top * t * (1.1 - t) * 2.4
  local out = (gully * 20 - rib * 16) * (1 - t * 0.6)
  return c * (r + out), y - 14 * (1 - t), s * (r + out), gully
end

-- The colour of a ridge: snow lies high, in the gullies and where it is not too steep; rock shows on the ribs.
local function ridge_color(ridge, x, y, z, ny, gully)
  local f, e = ridge.foot, ridge.top
  local t = min(1, max(0, y / ridge.high * 0.9 + gully * 0.25 + (1 - abs(ny)) * 0.2))
  local fleck = noise.plane(x / 9, z / 9 + y / 5, ridge.seed + 40)
  local snow = smooth(ridge.snow - 0.1, ridge.snow + 0.16, y / ridge.high + gully * 0.42 + fleck * 0.1
    + (abs(ny) - 0.55) * 0.7) * 0.86
  local v = 0.88 + 0.2 * noise.plane(x / 15, z / 15 + y / 8, ridge.seed + 41)
  local r, g = (f[1] + (e[1] - f[1]) * t) * v, (f[2] + (e[2] - f[2]) * t) * v
  local b = (f[3] + (e[3] - f[3]) * t) * v
  return min(1, r + (0.8 - r) * snow), min(1, g + (0.83 - g) * snow), min(1, b + (0.88 - b) * snow)
end

-- The normal across the neighbours l, r and d, u of a place: where their x, y, z begin.
local function across(where, l, r, d, u)
  local ax, ay, az = where[r] - where[l], where[r + 1] - where[l + 1], where[r + 2] - where[l + 2]
  local bx, by, bz = where[u] - where[d], where[u + 1] - where[d + 1], where[u + 2] - where[d + 2]
  local nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
  local n = max(maths.sqrt(nx * nx + ny * ny + nz * nz), 1e-6)
  return nx / n, ny / n, nz / n
end

-- A tenth of the ridge. `where` and `gullies` hold it and a column to either side, so that normals meet across edges.
local function ridge_sector(ridge, sector, per, steps, where, gullies)
  local row = steps + 1
  local segments = per * SECTORS
  for i = -1, per + 1 do
    local a = (sector * per + i) / segments * 6.283185307
    local top = crest(ridge, a)
    for j = 0, steps do
      local k = (i + 1) * row + j
      where[k * 3], where[k * 3 + 1], where[k * 3 + 2], gullies[k] =
        ridge_point(ridge, a, (sector * per + i) / segments, top, j / steps)
    end
  end
  local b = mesh.new((per + 1) * row)
  for i = 0, per do
    for j = 0, steps do
      local k = (i + 1) * row + j
      local nx, ny, nz = across(where, (k - row) * 3, (k + row) * 3, (j > 0 and k - 1 or k) * 3,
        (j < steps and k + 1 or k) * 3)
      local x, y, z = where[k * 3], where[k * 3 + 1], where[k * 3 + 2]
      local red, green, blue = ridge_color(ridge, x, y, z, ny, gullies[k])
      b:vertex(x, y, z, nx, ny, nz, 0, 0, red, green, blue, 1)
    end
  end
  for i = 0, per - 1 do
    for j = 0, steps - 1 do
      local a = i * row + j
      if (i + j) % 2 == 0 then
        b:face(a, a + row, a + row + 1, a + 1)
      else
        b:triangle(a, a + row, a + 1)
        b:triangle(a + 1, a + row, a + row + 1)
      end
    end
  end
  return b
end

local function ridge_meshes(add, ridge, coarse)
  local segments, steps = coarse > 1.4 and 240 or 480, coarse > 1.4 and 10 or 20
  local where, gullies = {}, {}
  for sector = 0, SECTORS - 1 do add(ridge_sector(ridge, sector, segments / SECTORS, steps, where, gullies)) end
end

-- Layers of rock: hue and how far each stands out.
local ROCK = { srgb('#B3A58C'), srgb('#A1937B'), srgb('#B9AC96'), srgb('#958870'), srgb('#AE9E84'), srgb('#BEB39E') }

-- A vertex of the cliff's face, a share t up from its foot.
local function cliff_vertex(b, z, t, foot, high, ground, top)
  local y = ground - 2.5 + (top + 0.2 - ground + 2.5) * t
  local layer = y / 2.9 + 0.5 * noise.plane(z / 26, y / 30, 33)
  local li = floor(layer)
  local lf = layer - li
  local hard = noise.cell(li % 64, 5, 34)
  local ledge = smooth(0.72, 0.98, lf) * 0.7 + (1 - smooth(0, 0.16, lf)) * 0.35
  local buttress = noise.plane(z / 8.5, y / 40, 35) * 2.1 + abs(noise.plane(z / 3.4, y / 17, 36)) * 1.3
  -- blocks: each bed breaks at its own joints
  local bz = z / 4.1 + hard * 7 + 0.5 * noise.plane(z / 3, y / 3, 31)
  local block = (noise.cell(floor(bz) % 128, li % 64, 32) - 0.5) * smooth(0, 0.12, bz - floor(bz))
    * smooth(1, 0.88, bz - floor(bz))
  local grain = noise.plane(z / 1.1, y / 0.9, 37) * 0.22 + noise.plane(z / 2.6, y / 1.9, 38) * 0.42
  local x = foot - 2.2 + 3.6 * t + (hard - 0.5) * 1.5 - block * 1.5 - ledge * 0.55 - buttress * 0.8
    * (0.3 + 0.7 * min(1, high / 16)) + grain
  local c1, c2 = ROCK[1 + li % #ROCK], ROCK[1 + (li + 1) % #ROCK]
  local m = smooth(0.8, 1, lf)
  local shade = 0.84 + 0.16 * hard + grain * 0.3 - 0.3 * (1 - smooth(0, 0.16, lf)) + block * 0.2
  local streak = smooth(0.25, 0.6, noise.plane(z / 1.6, y / 22, 39)) * 0.22
  shade = shade - streak
  local green = smooth(0.985, 1, t) * 0.8 + 0.5 * smooth(0.4, 0.75, noise.plane(z / 5, y / 3.5, 40))
    * smooth(0.6, 0.95, lf)
  local r, g, bl = (c1[1] + (c2[1] - c1[1]) * m) * shade, (c1[2] + (c2[2] - c1[2]) * m)
    * shade, (c1[3] + (c2[3] - c1[3]) * m) * shade
  r, g, bl = r + (0.17 - r) * green, g + (0.21 - g) * green, bl + (0.08 - bl) * green
  local sky = (0.5 + 0.5 * smooth(0, 0.35, t)) * (0.72 + 0.28 * smooth(-0.6, 0.6, buttress))
  b:vertex(x, y, z, -1, 0, 0, z / 5, -y / 5, max(0, min(r * 1.45, 1)), max(0, min(g * 1.45, 1)),
    max(0, min(bl * 1.45, 1)), sky)
end

-- A part of the cliff: a column at a time, up the face and back over the edge.
local function cliff_part(start, stop, coarse)
  local dz, dy = coarse > 1.4 and 2.2 or 0.9, coarse > 1.4 and 1.5 or 0.7
  local columns = floor((stop - start) / dz + 0.5)
  local rows = floor(44 / dy)
  local row = rows + 4
  local b = mesh.new((columns + 1) * row)
  for i = 0, columns do
    local z = start + (stop - start) * i / columns
    local foot = terrain.cliff_x(z)
    local high = terrain.cliff_height(z)
    local ground = terrain.height(foot - 3.5, z)
    local top = max(terrain.height(foot + 9, z), ground + 0.5)
    for j = 0, rows do cliff_vertex(b, z, j / rows, foot, high, ground, top) end
    for j = 1, 3 do
      local x = foot + 1.4 + j * j * 1.3
      b:vertex(x, max(terrain.height(x, z), top - 0.6) + (j < 3 and 0.35 or -1.2), z, -0.1, 0.99, 0, z / 5, x / 5,
        0.26, 0.31, 0.13, 1)
    end
  end
  b:sheet(0, columns, row, true)
  local pos, nor = b.pos.data, b.nor.data
  for i = 0, columns do
    for j = 0, row - 1 do
      local k = i * row + j
      nor[k * 3], nor[k * 3 + 1], nor[k * 3 + 2] = across(pos, (max(i - 1, 0) * row + j) * 3,
        (min(i + 1, columns) * row + j) * 3, (i * row + max(j - 1, 0)) * 3, (i * row + min(j + 1, row - 1)) * 3)
    end
  end
  return b
end

local function cliff_meshes(add, coarse)
  local z0, z1, part = -165, 122, 24
  for start = z0, z1 - 1, part do add(cliff_part(start, min(start + part, z1), coarse)) end
end

function M.build(state)
  local s = state.scene
  local node = s:node({ name = 'mountains' })
  for i = 1, #RIDGES do
    ridge_meshes(function(b)
      s:mesh({ geometry = b:create(), material = state.materials.hill, node = node, casts_shadow = false,
        receives_shadow = false })
    end, RIDGES[i], state.coarse)
  end
  cliff_meshes(function(b)
    s:mesh({ geometry = b:create(), material = state.materials.cliff, node = node })
  end, state.coarse)
end

return M
