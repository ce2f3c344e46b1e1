--- Blades and flowers as item geometry.
local buffer = require('thatch.buffer')
local geometry = require('thatch.geometry')
local maths = require('thatch.math')

local M = {}
local sqrt, min, floor = math.sqrt, math.min, math.floor
local sin, cos, random, srgb = maths.sin, maths.cos, maths.random, maths.srgb

-- Arrays for `items` of `v` vertices and `t` triangles each.
local function arrays(items, v, t)
  local a = {
    pos = buffer.floats(items * v * 3), nor = buffer.floats(items * v * 3), col = buffer.floats(items * v * 4),
      sky = buffer.floats(items * v),
    sway = buffer.floats(items * v), spread = buffer.floats(items * v * 3), idx = buffer.u32(items * t * 3), v = v,
      t = t, count = 0,
  }
  a.pos:reserve(items * v * 3); a.nor:reserve(items * v * 3); a.col:reserve(items * v * 4); a.sky:reserve(items * v)
  a.sway:reserve(items * v); a.spread:reserve(items * v * 3); a.idx:reserve(items * t * 3)
  return a
end

local function finish(a, blades)
  local n = a.count * a.v
  a.pos.n, a.nor.n, a.col.n, a.sky.n, a.sway.n, a.spread.n, a.idx.n = n * 3, n * 3, n * 4, n, n, n * 3,
    a.count * a.t * 3
  return geometry.create({
    positions = a.pos, normals = a.nor, colors = a.col, baked_sky = a.sky, sway = a.sway, spread = a.spread,
      indices = a.idx,
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

--- A square of blades. kind: { low, high: blade heights, wide, seeds: share of seed heads, lean }. `pale`: few stand
--- apart on the ground, so they take its colour at their foot and are lighter above.
function M.patch(size, density, kind, seed, pale)
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
    local foot, middle = (pale and 0.4 or 0.27) * v, (pale and 0.53 or 0.44) * v
    local fr, fg, fb = foot, foot, foot * 0.93
    local mr, mg, mb = middle, middle * 1.02, middle * 0.91
    local tip = pale and v * 1.1 or v
    local er, eg, eb = (0.56 + 0.1 * yellow) * tip, (0.56 + 0.02 * yellow) * tip, (0.46 - 0.08 * yellow) * tip
    if head then er, eg, eb, mr, mg, mb = 0.86 * v, 0.66 * v, 0.62 * v, 0.78 * v, 0.56 * v, 0.56 * v end
    local k = i * 5
    put(a, k, x - c * w0, -0.04, z - s * w0, nx, ny, nz, fr, fg, fb, 0.5, 0, -c * w0, 0, -s * w0)
    put(a, k + 1, x + c * w0, -0.04, z + s * w0, nx, ny, nz, fr, fg, fb, 0.5, 0, c * w0, 0, s * w0)
    local mx, my, mz = x + lx * m * m, h * m, z + lz * m * m
    put(a, k + 2, mx - c * w1, my, mz - s * w1, nx, ny, nz, mr, mg, mb, 0.86, m * m, -c * w1, 0, -s * w1)
    put(a, k + 3, mx + c * w1, my, mz + s * w1, nx, ny, nz, mr, mg, mb, 0.86, m * m, c * w1, 0, s * w1)
    put(a, k + 4, x + lx, h * (1 - 0.25 * kind.lean * random(seed, i, 13)), z + lz, nx, ny, nz, er, eg, eb, 1, 1, 0, 0,
      0)
    local d, q = a.idx.data, i * 9
    d[q], d[q + 1], d[q + 2] = k, k + 1, k + 3
    d[q + 3], d[q + 4], d[q + 5] = k, k + 3, k + 2
    d[q + 6], d[q + 7], d[q + 8] = k + 2, k + 3, k + 4
  end
  a.count = n
  return finish(a, true)
end

--- A disc of flowers: a stem and a blossom of six triangles; spiky ones stand upright.
function M.flowers(size, count, kind, seed)
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
    put(a, k + 3, tx, h + (kind.spike or -r * 0.25), tz, 0, 1, 0, min(1, c[1] * v), min(1, c[2] * v), min(1, c[3] * v),
      1, 1, 0, kind.spike or 0, 0)
    for j = 0, 5 do
      local ca, sa = cos(a0 + j * 1.0472) * r, sin(a0 + j * 1.0472) * r
      local y = kind.spike and -kind.spike * 0.35 or (ca * lx + sa * lz) * -tilt + r * kind.cup
      local n = kind.spike and 0.5 or 0.85
      local nx, nz = ca / r * (1 - n), sa / r * (1 - n)
      local nl = 1 / sqrt(nx * nx + n * n + nz * nz)
      put(a, k + 4 + j, tx + ca, h + y, tz + sa, nx * nl, n * nl, nz * nl, min(1, e[1] * v), min(1, e[2] * v),
        min(1, e[3] * v), 1, 1, ca, y, sa)
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

return M
