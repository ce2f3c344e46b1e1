--- Builds triangles into growable C arrays: positions, normals, uvs, colours, baked sky. Local metres,
--- counter-clockwise from outside.
local buffer = require('thatch.buffer')
local geometry = require('thatch.geometry')
local maths = require('thatch.math')

local sqrt, abs, max = math.sqrt, math.abs, math.max

---@class village.Builder
local Builder = {}
Builder.__index = Builder

local M = {}

---@return village.Builder
function M.new(vertices)
  local n = vertices or 256
  return setmetatable({
    pos = buffer.floats(n * 3), nor = buffer.floats(n * 3), uv = buffer.floats(n * 2), col = buffer.floats(n * 4),
    sky = buffer.floats(n), idx = buffer.u32(n * 6), count = 0, r = 1, g = 1, b = 1, s = 1, scale = 1,
    ox = 0, oy = 0, oz = 0, c = 1, d = 0,
  }, Builder)
end

--- From now on vertices carry their share of the sun, `lit`: for a shading that takes it.
function Builder:bake_sun()
  self.sun = self.sun or buffer.floats(64)
  return self
end

--- The colour of what follows (linear) and its share of the sky.
function Builder:color(color, sky)
  self.r, self.g, self.b = color[1], color[2], color[3]
  if sky then self.s = sky end
  return self
end

--- Where what follows is put: an origin and a turn about y.
function Builder:place(x, y, z, turn)
  self.ox, self.oy, self.oz = x, y, z
  self.c, self.d = maths.cos(turn or 0), maths.sin(turn or 0)
  return self
end

--- One vertex; returns its number.
function Builder:vertex(x, y, z, nx, ny, nz, u, v, r, g, b, sky)
  local c, d = self.c, self.d
  self.pos:push(x * c + z * d + self.ox, y + self.oy, z * c - x * d + self.oz)
  self.nor:push(nx * c + nz * d, ny, nz * c - nx * d)
  self.uv:push(u, v)
  self.col:push(r or self.r, g or self.g, b or self.b, 1)
  self.sky:push(sky or self.s)
  if self.sun then self.sun:push(self.lit or 1) end
  local n = self.count
  self.count = n + 1
  return n
end

function Builder:triangle(a, b, c)
  self.idx:push(a, b, c)
end

function Builder:face(a, b, c, d)
  local idx = self.idx
  idx:push(a, b, c)
  idx:push(a, c, d)
end

--- The faces of a sheet of vertices from number `first` on, `rows` faces one way and rows of `across` vertices the
--- other; `turned` shows the other side.
function Builder:sheet(first, rows, across, turned)
  for j = 0, rows - 1 do
    for i = 0, across - 2 do
      local a = first + j * across + i
      if turned then
        self:face(a, a + across, a + across + 1, a + 1)
      else
        self:face(a, a + 1, a + across + 1, a + across)
      end
    end
  end
end

--- A flat quad through four corners, counter-clockwise; uv in metres along its sides divided by `metres`.
---@param skies? number[] share of the sky at the corners
function Builder:quad(p, q, r, s, metres, skies, uo, vo)
  local ax, ay, az = q[1] - p[1], q[2] - p[2], q[3] - p[3]
  local bx, by, bz = s[1] - p[1], s[2] - p[2], s[3] - p[3]
  local nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
  local length = sqrt(nx * nx + ny * ny + nz * nz)
  if length < 1e-9 then
    bx, by, bz = r[1] - p[1], r[2] - p[2], r[3] - p[3]
    nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    length = max(sqrt(nx * nx + ny * ny + nz * nz), 1e-9)
  end
  nx, ny, nz = nx / length, ny / length, nz / length
  local m = metres or 1
  local u, v = sqrt(ax * ax + ay * ay + az * az) / m, sqrt(bx * bx + by * by + bz * bz) / m
  local k = skies
  uo, vo = uo or 0, vo or 0
  local a = self:vertex(p[1], p[2], p[3], nx, ny, nz, uo, vo + v, nil, nil, nil, k and k[1])
  local b = self:vertex(q[1], q[2], q[3], nx, ny, nz, uo + u, vo + v, nil, nil, nil, k and k[2])
  local c = self:vertex(r[1], r[2], r[3], nx, ny, nz, uo + u, vo, nil, nil, nil, k and k[3])
  local d = self:vertex(s[1], s[2], s[3], nx, ny, nz, uo, vo, nil, nil, nil, k and k[4])
  self:face(a, b, c, d)
end

--- A box with its length along x: uv runs with the grain. `skip` names faces left out, of 'xXyYzZ' (small: minus).
---@param turn? number about y  @param tilt? number about z, in radians, after which it is turned
function Builder:box(cx, cy, cz, sx, sy, sz, options)
  local o = options or {}
  local m, skip = o.metres or 1, o.skip or ''
  local hx, hy, hz = sx / 2, sy / 2, sz / 2
  local tc, ts = 1, 0
  if o.turn then tc, ts = maths.cos(o.turn), maths.sin(o.turn) end
  local lc, ls = 1, 0
  if o.tilt then lc, ls = maths.cos(o.tilt), maths.sin(o.tilt) end
  local rc, rs = 1, 0
  if o.roll then rc, rs = maths.cos(o.roll), maths.sin(o.roll) end
  local function spin(x, y, z)
    y, z = y * rc - z * rs, y * rs + z * rc
    x, y = x * lc - y * ls, x * ls + y * lc
    return x * tc + z * ts, y, z * tc - x * ts
  end
  local taper = o.taper or 1
  local uo, vo = o.u or 0, o.v or 0
  local top, bottom = o.sky_top or self.s, o.sky_bottom or o.sky or self.s
  local function side(nx, ny, nz, p, q, r, s, u, v)
    local mx, my, mz = spin(nx, ny, nz)
    local first = self.count
    for i = 1, 4 do
      local k = i == 1 and p or i == 2 and q or i == 3 and r or s
      local t = k[2] > 0 and taper or 1
      local x, y, z = spin(k[1] * hx * t, k[2] * hy, k[3] * hz * t)
      local fu = (i == 2 or i == 3) and u or 0
      local fv = (i < 3) and v or 0
      if o.across then fu, fv = fv, fu end
      self:vertex(x + cx, y + cy, z + cz, mx, my, mz, uo + fu / m, vo + fv / m, nil, nil, nil, k[2] > 0 and top
        or bottom)
    end
    self:face(first, first + 1, first + 2, first + 3)
  end
  if not skip:find('Z', 1, true) then side(0, 0, 1, { -1, -1, 1 }, { 1, -1, 1 }, { 1, 1, 1 }, { -1, 1, 1 }, sx, sy) end
  if not skip:find('z', 1, true) then
    side(0, 0, -1, { 1, -1, -1 }, { -1, -1, -1 }, { -1, 1, -1 }, { 1, 1, -1 }, sx, sy)
  end
  if not skip:find('X', 1, true) then side(1, 0, 0, { 1, -1, 1 }, { 1, -1, -1 }, { 1, 1, -1 }, { 1, 1, 1 }, sz, sy) end
  if not skip:find('x', 1, true) then
    side(-1, 0, 0, { -1, -1, -1 }, { -1, -1, 1 }, { -1, 1, 1 }, { -1, 1, -1 }, sz, sy)
  end
  if not skip:find('Y', 1, true) then side(0, 1, 0, { -1, 1, 1 }, { 1, 1, 1 }, { 1, 1, -1 }, { -1, 1, -1 }, sx, sz) end
  if not skip:find('y', 1, true) then
    side(0, -1, 0, { -1, -1, -1 }, { 1, -1, -1 }, { 1, -1, 1 }, { -1, -1, 1 }, sx, sz)
  end
end

--- A beam: a box from one point to another, `w` wide and `h` high.
function Builder:beam(x0, y0, z0, x1, y1, z1, w, h, metres)
  local dx, dy, dz = x1 - x0, y1 - y0, z1 - z0
  local flat = sqrt(dx * dx + dz * dz)
  local length = sqrt(flat * flat + dy * dy)
  self:box((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2, length, h, w, {
    turn = maths.atan2(-dz, dx), tilt = maths.atan2(dy, flat), metres = metres,
    u = (x0 * 3.7 + y0 * 1.3 + z0 * 5.1) % 1, v = (x0 * 1.9 + z0 * 2.3 + y0) % 1,
  })
end

--- A tube through points { x, y, z, radius }, open ended, rings of `sides`; `cap` closes the end.
function Builder:tube(points, sides, metres, cap, shade)
  local m = metres or 1
  local previous, along = nil, 0
  -- a frame that turns as little as it can from ring to ring
  local ux, uy, uz = 1, 0, 0
  for i = 1, #points do
    local p = points[i]
    local a, b = points[max(i - 1, 1)], points[math.min(i + 1, #points)]
    local tx, ty, tz = b[1] - a[1], b[2] - a[2], b[3] - a[3]
    local tl = max(sqrt(tx * tx + ty * ty + tz * tz), 1e-6)
    tx, ty, tz = tx / tl, ty / tl, tz / tl
    local dot = ux * tx + uy * ty + uz * tz
    if abs(dot) > 0.9 then ux, uy, uz, dot = 0, 0, 1, tz end
    if abs(dot) > 0.9 then ux, uy, uz, dot = 0, 1, 0, ty end
    ux, uy, uz = ux - tx * dot, uy - ty * dot, uz - tz * dot
    local ul = max(sqrt(ux * ux + uy * uy + uz * uz), 1e-6)
    ux, uy, uz = ux / ul, uy / ul, uz / ul
    local vx, vy, vz = ty * uz - tz * uy, tz * ux - tx * uz, tx * uy - ty * ux
    if i > 1 then
      local q = points[i - 1]
      along = along + sqrt((p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]) + (p[3] - q[3])
        * (p[3] - q[3]))
    end
    local first = self.count
    local sky = shade and shade(p, i) or nil
    for k = 0, sides do
      local angle = k / sides * 6.283185307
      local c, s = maths.cos(angle), maths.sin(angle)
      local nx, ny, nz = ux * c + vx * s, uy * c + vy * s, uz * c + vz * s
      self:vertex(p[1] + nx * p[4], p[2] + ny * p[4], p[3] + nz * p[4], nx, ny, nz,
        k / sides * max(1, math.floor(p.around or 1)), along / m, nil, nil, nil, sky)
    end
    if previous then
      for k = 0, sides - 1 do
        self:face(previous + k, previous + k + 1, first + k + 1, first + k)
      end
    end
    previous = first
    if cap and i == #points then
      local centre = self:vertex(p[1], p[2], p[3], tx, ty, tz, 0.5, along / m, nil, nil, nil, sky)
      local ring = self.count
      for k = 0, sides do
        local angle = k / sides * 6.283185307
        local c, s = maths.cos(angle) * p[4], maths.sin(angle) * p[4]
        self:vertex(p[1] + ux * c + vx * s, p[2] + uy * c + vy * s, p[3] + uz * c + vz * s, tx, ty, tz,
          0.5 + c / m, along / m + s / m, nil, nil, nil, sky)
      end
      for k = 0, sides - 1 do self:triangle(centre, ring + k, ring + k + 1) end
    end
  end
end

--- An upright body of revolution: profile points { radius, y }, from the bottom up.
function Builder:lathe(cx, cy, cz, profile, sides, metres)
  local m = metres or 1
  local previous
  for i = 1, #profile do
    local p = profile[i]
    local a, b = profile[max(i - 1, 1)], profile[math.min(i + 1, #profile)]
    local dr, dy = b[1] - a[1], b[2] - a[2]
    local l = max(sqrt(dr * dr + dy * dy), 1e-6)
    local nr, ny = dy / l, -dr / l
    local first = self.count
    for k = 0, sides do
      local angle = k / sides * 6.283185307
      local c, s = maths.cos(angle), maths.sin(angle)
      self:vertex(cx + c * p[1], cy + p[2], cz - s * p[1], c * nr, ny, -s * nr, k / sides * (p.around or 2), p[2] / m)
    end
    if previous then
      for k = 0, sides - 1 do self:face(previous + k, previous + k + 1, first + k + 1, first + k) end
    end
    previous = first
  end
end

--- The options of geometry.create.
function Builder:options()
  return { positions = self.pos, normals = self.nor, uvs = self.uv, colors = self.col, baked_sky = self.sky,
    baked_sun = self.sun, indices = self.idx }
end

---@return thatch.Geometry?
function Builder:create()
  if self.count == 0 then return nil end
  return geometry.create(self:options())
end

return M
