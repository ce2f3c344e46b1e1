--- The field: patches of blades and drifts of flowers, shared by thousands of nodes that lie along the ground's slope.
local ffi = require('ffi')
local buffer = require('thatch.buffer')
local geometry = require('thatch.geometry')
local maths = require('thatch.math')
local terrain = require('village.terrain')
local noise = require('village.noise')
local layout = require('village.layout')

local M = {}
local sqrt, min, max, floor, abs = math.sqrt, math.min, math.max, math.floor, math.abs
local sin, cos, random, srgb = maths.sin, maths.cos, maths.random, maths.srgb

local REACH = 112 -- the meadow's half side

-- Arrays for `items` of `v` vertices and `t` triangles each.
local function arrays(items, v, t)
  local a = {
    pos = buffer.floats(items * v * 3), nor = buffer.floats(items * v * 3), col = buffer.floats(items * v * 4), sky = buffer.floats(items * v),
    sway = buffer.floats(items * v), spread = buffer.floats(items * v * 3), idx = buffer.u32(items * t * 3), v = v, t = t, count = 0,
  }
  a.pos:reserve(items * v * 3); a.nor:reserve(items * v * 3); a.col:reserve(items * v * 4); a.sky:reserve(items * v)
  a.sway:reserve(items * v); a.spread:reserve(items * v * 3); a.idx:reserve(items * t * 3)
  return a
end

local function finish(a, blades)
  local n = a.count * a.v
  a.pos.n, a.nor.n, a.col.n, a.sky.n, a.sway.n, a.spread.n, a.idx.n = n * 3, n * 3, n * 4, n, n, n * 3, a.count * a.t * 3
  return geometry.create({
    positions = a.pos, normals = a.nor, colors = a.col, baked_sky = a.sky, sway = a.sway, spread = a.spread, indices = a.idx,
    item_triangles = a.t, item_vertices = a.v, blades = blades,
  })
end

local function put(a, k, x, y, z, nx, ny, nz, r, g, b, sky, sway, sx, sy, sz)
  local p, c = a.pos.data, a.col.data
  local n, s = a.nor.data, a.spread.data
  p[k * 3], p[k * 3 + 1], p[k * 3 + 2] = x, y, z
  n[k * 3], n[k * 3 + 1], n[k * 3 + 2] = nx, ny, nz
  s[k * 3], s[k * 3 + 1], s[k * 3 + 2] = sx, sy, sz
  c[k * 4], c[k * 4 + 1], c[k * 4 + 2], c[k * 4 + 3] = r, g, b, 1
  a.sky.data[k], a.sway.data[k] = sky, sway
end

-- kind: { low, high: blade heights, wide, seeds: share of seed heads, lean }
local function patch(size, density, kind, seed)
  local n = floor(size * size * density)
  local a = arrays(n, 5, 3)
  local overlap = size * 0.54
  for i = 0, n - 1 do
    local x, z = (random(seed, i, 1) * 2 - 1) * overlap, (random(seed, i, 2) * 2 - 1) * overlap
    -- blades stand in tufts: drawn a little towards a hashed centre
    local tx, tz = floor(x / 0.22) * 0.22 + 0.11, floor(z / 0.22) * 0.22 + 0.11
    local pull = 0.35 * random(seed, i, 3)
    x, z = x + (tx - x) * pull, z + (tz - z) * pull
    local tall = 0.62 + 0.5 * random(seed, floor(x / 0.22) * 131 + floor(z / 0.22) + 70000, 4)
    local h = (kind.low + (kind.high - kind.low) * random(seed, i, 5)) * tall
    local angle = random(seed, i, 6) * 6.2832
    local c, s = cos(angle), sin(angle)
    local lean = kind.lean * (0.25 + 0.95 * random(seed, i, 7)) * h
    local la = random(seed, i, 8) * 6.2832
    local lx, lz = cos(la) * lean, sin(la) * lean
    local head = random(seed, i, 9) < kind.seeds
    local w = kind.wide * (0.7 + 0.6 * random(seed, i, 10)) * 0.5
    local w0, w1, m = w, w * 0.78, 0.55
    if head then w0, w1, m, h = w * 0.4, w * 1.1, 0.82, h * 1.3 end
    local nx, ny, nz = -s * 0.22 + lx * 0.3 / h, 0.93, c * 0.22 + lz * 0.3 / h
    local nl = 1 / sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx * nl, ny * nl, nz * nl
    local v = 0.84 + 0.32 * random(seed, i, 11)
    local yellow = random(seed, i, 12)
    local fr, fg, fb = 0.27 * v, 0.27 * v, 0.25 * v
    local mr, mg, mb = 0.44 * v, 0.45 * v, 0.40 * v
    local er, eg, eb = (0.56 + 0.1 * yellow) * v, (0.56 + 0.02 * yellow) * v, (0.46 - 0.08 * yellow) * v
    if head then er, eg, eb, mr, mg, mb = 0.86 * v, 0.66 * v, 0.62 * v, 0.78 * v, 0.56 * v, 0.56 * v end
    local k = i * 5
    put(a, k, x - c * w0, -0.04, z - s * w0, nx, ny, nz, fr, fg, fb, 0.5, 0, -c * w0, 0, -s * w0)
    put(a, k + 1, x + c * w0, -0.04, z + s * w0, nx, ny, nz, fr, fg, fb, 0.5, 0, c * w0, 0, s * w0)
    local mx, my, mz = x + lx * m * m, h * m, z + lz * m * m
    put(a, k + 2, mx - c * w1, my, mz - s * w1, nx, ny, nz, mr, mg, mb, 0.86, m * m, -c * w1, 0, -s * w1)
    put(a, k + 3, mx + c * w1, my, mz + s * w1, nx, ny, nz, mr, mg, mb, 0.86, m * m, c * w1, 0, s * w1)
    put(a, k + 4, x + lx, h * (1 - 0.25 * kind.lean * random(seed, i, 13)), z + lz, nx, ny, nz, er, eg, eb, 1, 1, 0, 0, 0)
    local d, q = a.idx.data, i * 9
    d[q], d[q + 1], d[q + 2] = k, k + 1, k + 3
    d[q + 3], d[q + 4], d[q + 5] = k, k + 3, k + 2
    d[q + 6], d[q + 7], d[q + 8] = k + 2, k + 3, k + 4
  end
  a.count = n
  return finish(a, true)
end

-- A stem and a blossom of six triangles; spiky ones stand upright.
local function flowers(size, count, kind, seed)
  local a = arrays(count, 10, 7)
  local stem = srgb('#5F7440')
  for i = 0, count - 1 do
    local q = sqrt(random(seed, i, 1)) * size * 0.55
    local t = random(seed, i, 2) * 6.2832
    local x, z = cos(t) * q, sin(t) * q
    local h = kind.low + (kind.high - kind.low) * random(seed, i, 3)
    local la = random(seed, i, 4) * 6.2832
    local lx, lz = cos(la) * h * 0.22, sin(la) * h * 0.22
    local tx, tz = x + lx, z + lz
    local k = i * 10
    local w = kind.stem or 0.007
    put(a, k, x - w, -0.03, z, 0, 1, 0, stem[1] * 0.6, stem[2] * 0.6, stem[3] * 0.6, 0.5, 0, -w, 0, 0)
    put(a, k + 1, x + w, -0.03, z, 0, 1, 0, stem[1] * 0.6, stem[2] * 0.6, stem[3] * 0.6, 0.5, 0, w, 0, 0)
    put(a, k + 2, tx, h, tz, 0, 1, 0, stem[1], stem[2], stem[3], 1, 1, 0, 0, 0)
    local r = kind.size * (0.75 + 0.5 * random(seed, i, 5))
    local v = 0.8 + 0.35 * random(seed, i, 6)
    local c, e = kind.heart, kind.petal
    local a0 = random(seed, i, 7) * 1.57
    local tilt = 0.35
    put(a, k + 3, tx, h + (kind.spike or -r * 0.25), tz, 0, 1, 0, min(1, c[1] * v), min(1, c[2] * v), min(1, c[3] * v), 1, 1, 0, kind.spike or 0, 0)
    for j = 0, 5 do
      local ca, sa = cos(a0 + j * 1.0472) * r, sin(a0 + j * 1.0472) * r
      local y = kind.spike and -kind.spike * 0.35 or (ca * lx + sa * lz) * -tilt + r * kind.cup
      local n = kind.spike and 0.5 or 0.85
      local nx, nz = ca / r * (1 - n), sa / r * (1 - n)
      local nl = 1 / sqrt(nx * nx + n * n + nz * nz)
      put(a, k + 4 + j, tx + ca, h + y, tz + sa, nx * nl, n * nl, nz * nl, min(1, e[1] * v), min(1, e[2] * v), min(1, e[3] * v), 1, 1, ca, y, sa)
    end
    local d, s = a.idx.data, i * 21
    d[s], d[s + 1], d[s + 2] = k, k + 1, k + 2
    for j = 0, 5 do
      d[s + 3 + j * 3], d[s + 4 + j * 3], d[s + 5 + j * 3] = k + 3, k + 4 + (j + 1) % 6, k + 4 + j
    end
  end
  a.count = count
  return finish(a, false)
end

-- how early blades are thinned, by quality.plants
local FINE = { fewest = 0.7, fewer = 0.85, many = 1.1, all = 1.3 }

local TALL = { low = 0.24, high = 0.62, wide = 0.017, seeds = 0.07, lean = 0.42 }
local SHORT = { low = 0.09, high = 0.26, wide = 0.014, seeds = 0.012, lean = 0.5 }
local REED = { low = 0.9, high = 1.9, wide = 0.03, seeds = 0.16, lean = 0.16 }

local FLOWERS = {
  { size = 0.042, low = 0.3, high = 0.58, cup = 0.45, petal = srgb('#C9442F'), heart = srgb('#3A1712'), salt = 81, above = 0.34, count = 46 },
  { size = 0.027, low = 0.28, high = 0.55, cup = 0.3, petal = srgb('#5E70B4'), heart = srgb('#39346F'), salt = 84, above = 0.36, count = 54 },
  { size = 0.026, low = 0.1, high = 0.3, cup = 0.05, petal = srgb('#F1EEE2'), heart = srgb('#DDB23C'), salt = 87, above = 0.30, count = 80 },
  { size = 0.023, low = 0.12, high = 0.34, cup = 0.3, petal = srgb('#E0C24A'), heart = srgb('#B98A28'), salt = 90, above = 0.36, count = 64 },
}
local LAVENDER = { size = 0.02, low = 0.3, high = 0.52, cup = 0, spike = 0.09, petal = srgb('#7D68A8'), heart = srgb('#9A86C4'), stem = 0.006 }

-- Is there room for grass at a point?
local function free(x, z)
  if terrain.way(x, z) < 0.25 + 0.5 * noise.plane(x / 1.1, z / 1.1, 45) then return false end
  if terrain.house(x, z) < 0.12 then return false end
  if terrain.pond_reach(x, z) < 1.13 then return false end
  local over = terrain.cliff_x(z) - x
  if over < 2 then return false end
  return true
end

local matrix = ffi.new('float[16]')

-- A node for a patch of `size` at x, z; quarter turns and mirrors by its number.
local function stand(state, x, z, size, turn, high)
  local h = size * 0.5
  local y = terrain.height(x, z)
  local ax = (terrain.height(x + h, z) - terrain.height(x - h, z)) / (2 * h)
  local az = (terrain.height(x, z + h) - terrain.height(x, z - h)) / (2 * h)
  local mean = (terrain.height(x + h, z) + terrain.height(x - h, z) + terrain.height(x, z + h) + terrain.height(x, z - h)) * 0.25
  y = y * 0.5 + mean * 0.5
  local c = turn % 2 == 0 and 1 or 0
  local s = turn % 2 == 1 and 1 or 0
  if turn % 4 >= 2 then c, s = -c, -s end
  local m = turn >= 4 and -1 or 1
  local m0, m2, m8, m10 = c * m, -s * m, s, c
  matrix[0], matrix[1], matrix[2], matrix[3] = m0, ax * m0 + az * m2, m2, 0
  matrix[4], matrix[5], matrix[6], matrix[7] = 0, high, 0, 0
  matrix[8], matrix[9], matrix[10], matrix[11] = m8, ax * m8 + az * m10, m10, 0
  matrix[12], matrix[13], matrix[14], matrix[15] = x, y, z, 1
  local node = state.scene:node({})
  node:set_matrix(matrix)
  return node
end

--- Sows the meadow.
function M.build(state)
  local grass = state.materials.grass
  local fine = FINE[state.quality.plants] or 1
  local tall, short = { [4] = {}, [2] = {}, [1] = {} }, { [4] = {}, [2] = {}, [1] = {} }
  local variants = { [4] = 4, [2] = 3, [1] = 2 }
  for i, size in ipairs({ 4, 2, 1 }) do
    for v = 1, variants[size] do
      tall[size][v] = patch(size, 118, TALL, 500 + i * 20 + v)
      short[size][v] = patch(size, 132, SHORT, 600 + i * 20 + v)
    end
  end
  local count = 0
  local function sow(x, z, size)
    count = count + 1
    local d = min(terrain.way(x, z), terrain.house(x, z))
    local worn = d + 2.6 * noise.plane(x / 9, z / 9, 95)
    local low = worn < 4.2
    local set = low and short or tall
    local turn = floor(random(71, count, 1) * 8)
    local high = (low and 0.72 + 0.4 * min(1, max(0, d) / 2) or 0.74) + 0.34 * random(71, count, 2) + 0.3 * noise.plane(x / 14, z / 14, 96)
    local node = stand(state, x, z, size, turn, max(0.45, high))
    local r, g, b = terrain.grass_color(x, z)
    local v = 1.72
    state.scene:mesh({
      geometry = set[size][1 + floor(random(71, count, 3) * variants[size])], material = grass, node = node,
      tint = { min(4, r * v), min(4, g * v), min(4, b * v) }, casts_shadow = false, draw_distance = (low and 62 or 84) * (fine < 0.8 and 0.72 or 1),
      item_size = 0.032 * fine, item_share_min = fine < 0.8 and 0.027 or fine < 1 and 0.035 or 0.05, item_grow_max = fine < 0.8 and 4.4 or 3.4,
    })
  end
  local function divide(x, z, size)
    local all, none = true, true
    local steps = size == 1 and 1 or 4
    local h = size / 2
    for j = 0, steps do
      for i = 0, steps do
        local ok = free(x + (i / steps - 0.5) * size, z + (j / steps - 0.5) * size)
        all, none = all and ok, none and not ok
      end
    end
    if none then return end
    if all then return sow(x, z, size) end
    if size == 1 then
      if free(x, z) then sow(x, z, 1) end
      return
    end
    for j = -1, 1, 2 do
      for i = -1, 1, 2 do divide(x + i * h / 2, z + j * h / 2, h) end
    end
  end
  for j = -REACH / 4, REACH / 4 - 1 do
    for i = -REACH / 4, REACH / 4 - 1 do
      local x, z = i * 4 + 2, j * 4 + 2
      local r = sqrt(x * x + z * z)
      if r < REACH + 8 then divide(x, z, 4) end
    end
  end
  state.grass_patches = count

  -- flowers, in drifts
  local kinds = {}
  for k = 1, #FLOWERS do kinds[k] = flowers(3.2, FLOWERS[k].count, FLOWERS[k], 700 + k) end
  local placed = 0
  for j = -34, 33 do
    for i = -34, 33 do
      local x, z = i * 3 + 1.5 + random(73, i + 99, j + 99) - 0.5, j * 3 + 1.5 + random(74, i + 99, j + 99) - 0.5
      if free(x - 1.2, z - 1.2) and free(x + 1.2, z + 1.2) and free(x + 1.2, z - 1.2) and free(x - 1.2, z + 1.2) then
        for k = 1, #FLOWERS do
          local drift = noise.fbm(x / 17, z / 17, 2, FLOWERS[k].salt)
          if drift > FLOWERS[k].above * 0.8 then
            placed = placed + 1
            local node = stand(state, x, z, 3, floor(random(72, placed, 1) * 8), 0.85 + 0.3 * random(72, placed, 2))
            state.scene:mesh({
              geometry = kinds[k], material = grass, node = node, casts_shadow = false, draw_distance = fine < 0.8 and 50 or 75, item_size = 0.05 * fine,
              item_share_min = fine < 0.8 and 0.1 or 0.2, item_grow_max = 1.9,
            })
          end
        end
      end
    end
  end
  state.flower_patches = placed

  -- lavender along some walls
  local bush = flowers(0.7, 60, LAVENDER, 760)
  local n = 0
  for i = 1, #layout.houses do
    local h = layout.houses[i]
    if i % 3 ~= 0 and h.plan ~= 'barn' and h.plan ~= 'stable' then
      for k = 0, 8 do
        local lx = -h.w / 2 + 0.6 + (h.w - 1.2) * k / 8
        local door = terrain.door_at(h)
        if abs(lx - door) > 1.0 and random(75, i, k) < 0.75 then
          n = n + 1
          local lz = h.d / 2 + 0.36
          local x, z = h.x + lx * h.c + lz * h.s, h.z + lz * h.c - lx * h.s
          local node = stand(state, x, z, 0.7, n % 8, 0.85 + 0.4 * random(75, i, k + 20))
          state.scene:mesh({
            geometry = bush, material = grass, node = node, casts_shadow = false, draw_distance = 50, item_size = 0.09, item_share_min = 0.25,
            item_grow_max = 1.4,
          })
        end
      end
    end
  end

  -- reeds stand in the shallows
  local reeds = { patch(1.3, 62, REED, 801), patch(1.3, 62, REED, 802) }
  local p = layout.pond
  local tint = srgb('#76804A')
  for i = 0, 139 do
    local a = i / 140 * 6.2832
    local thick = noise.plane(cos(a) * 2.6 + 7, sin(a) * 2.6 + 3, 97)
    local jetty = a < 0.5 or a > 5.6
    local view = a > 1.75 and a < 2.75
    if thick > 0.0 and not jetty and not view then
      for k = 0, 1 do
        local reach = 0.93 + 0.1 * k + 0.06 * random(76, i, k)
        local x, z = p.x, p.z
        -- out along the ray until the shore's shape is met
        local r = 0
        for _ = 1, 60 do
          r = r + 0.35
          if terrain.pond_reach(p.x + cos(a) * r, p.z + sin(a) * r) > reach then break end
        end
        x, z = x + cos(a) * r, z + sin(a) * r
        local node = stand(state, x, z, 1.2, (i + k) % 8, 0.8 + 0.4 * random(76, i, k + 5))
        local v = 1.5 + 0.5 * random(76, i, k + 9)
        state.scene:mesh({
          geometry = reeds[1 + (i + k) % 2], material = grass, node = node, tint = { tint[1] * v, tint[2] * v, tint[3] * v },
          draw_distance = 120, item_size = 0.06, item_share_min = 0.2, item_grow_max = 2.4, casts_shadow = false,
        })
      end
    end
  end
end

return M
