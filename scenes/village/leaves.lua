--- Leaf items: four vertices and two triangles each, written straight into C arrays.
local buffer = require('thatch.buffer')
local geometry = require('thatch.geometry')
local maths = require('thatch.math')

local M = {}
local sqrt, max, min = math.sqrt, math.max, math.min
local random = maths.random

---@class village.Leaves
local Leaves = {}
Leaves.__index = Leaves

--- With `sprigs`, a leaf shows a twig of the sprig texture: for levels of few and large ones.
---@return village.Leaves
function M.new(capacity, sprigs)
  local n = capacity * 4
  local self = setmetatable({
    capacity = capacity, count = 0, pos = buffer.floats(n * 3), nor = buffer.floats(n * 3), col = buffer.floats(n * 4),
    sun = buffer.floats(n), sky = buffer.floats(n), sway = buffer.floats(n), spread = buffer.floats(n * 3),
      idx = buffer.u32(capacity * 6), uv = sprigs and buffer.floats(n * 2) or nil,
  }, Leaves)
  if sprigs then self.uv:reserve(n * 2) end
  self.pos:reserve(n * 3); self.nor:reserve(n * 3); self.col:reserve(n * 4); self.sun:reserve(n); self.sky:reserve(n)
  self.sway:reserve(n); self.spread:reserve(n * 3); self.idx:reserve(capacity * 6)
  return self
end

--- One leaf: its middle, the way it points (unit), the crown's normal there (unit), size, colour, light, sway.
--- `flat` 0..1: how far its own normal counts against the crown's.
function Leaves:add(x, y, z, dx, dy, dz, nx, ny, nz, long, wide, r, g, b, sun, sky, sway, flat)
  local i = self.count
  if i >= self.capacity then return end
  self.count = i + 1
  -- across: perpendicular to the way it points and to the normal
  local ax, ay, az = dy * nz - dz * ny, dz * nx - dx * nz, dx * ny - dy * nx
  local al = sqrt(ax * ax + ay * ay + az * az)
  if al < 1e-4 then
    ax, ay, az, al = 1, 0, 0, 1
    if dx > 0.9 or dx < -0.9 then ax, az = 0, 1 end
  end
  ax, ay, az = ax / al, ay / al, az / al
  local lx, ly, lz = ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx -- the leaf's own normal
  local mx, my, mz = nx + (lx - nx) * flat, ny + (ly - ny) * flat, nz + (lz - nz) * flat
  local ml = max(sqrt(mx * mx + my * my + mz * mz), 1e-6)
  mx, my, mz = mx / ml, my / ml, mz / ml
  local pos, nor, col, spread = self.pos.data, self.nor.data, self.col.data, self.spread.data
  local p, c, v = i * 12, i * 16, i * 4
  local h, w, bend = long * 0.5, wide * 0.5, wide * 0.22
  -- foot, right, tip, left
  for k = 0, 3 do
    local along = k == 0 and -h or k == 2 and h or -h * 0.1
    local side = k == 1 and w or k == 3 and -w or 0
    local drop = (k == 1 or k == 3) and bend or 0
    local ox = dx * along + ax * side + lx * drop
    local oy = dy * along + ay * side + ly * drop
    local oz = dz * along + az * side + lz * drop
    local q = p + k * 3
    pos[q], pos[q + 1], pos[q + 2] = x + ox, y + oy, z + oz
    spread[q], spread[q + 1], spread[q + 2] = ox, oy, oz
    nor[q], nor[q + 1], nor[q + 2] = mx, my, mz
    local shade = k == 2 and 1.1 or k == 0 and 0.86 or 1
    local e = c + k * 4
    col[e], col[e + 1], col[e + 2], col[e + 3] = min(r * shade, 1), min(g * shade, 1), min(b * shade, 1), 1
    self.sun.data[v + k], self.sky.data[v + k], self.sway.data[v + k] = sun, sky, sway
    if self.uv then
      local uv, m = self.uv.data, (v + k) * 2
      uv[m], uv[m + 1] = k == 1 and 1 or k == 3 and 0 or 0.5, k == 0 and 1 or k == 2 and 0 or 0.55
    end
  end
  local idx, t = self.idx.data, i * 6
  idx[t], idx[t + 1], idx[t + 2] = v, v + 1, v + 2
  idx[t + 3], idx[t + 4], idx[t + 5] = v, v + 2, v + 3
end

--- A unit vector for a number: even over the sphere.
function M.direction(seed, i, salt)
  local z = random(seed, i, salt) * 2 - 1
  local a = random(seed, i, salt + 1) * 6.283185307
  local r = sqrt(max(0, 1 - z * z))
  return r * maths.cos(a), z, r * maths.sin(a)
end

---@return thatch.Geometry
function Leaves:create()
  local n = self.count * 4
  self.pos.n, self.nor.n, self.col.n, self.spread.n = n * 3, n * 3, n * 4, n * 3
  self.sun.n, self.sky.n, self.sway.n, self.idx.n = n, n, n, self.count * 6
  if self.uv then self.uv.n = n * 2 end
  return geometry.create({
    positions = self.pos, normals = self.nor, colors = self.col, baked_sun = self.sun, baked_sky = self.sky,
      sway = self.sway,
    uvs = self.uv, spread = self.spread, indices = self.idx, item_triangles = 2, item_vertices = 4,
  })
end

return M
