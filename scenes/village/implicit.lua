--- Bodies from blended shapes: a field of tapered capsules, polygonised by surface nets, each vertex bound to its
--- nearest parts.
--- After Gibson, "Constrained Elastic Surface Nets", 1998.
local ffi = require('ffi')
local buffer = require('thatch.buffer')
local geometry = require('thatch.geometry')

local M = {}
local sqrt, floor, max, min, ceil, abs = math.sqrt, math.floor, math.max, math.min, math.ceil, math.abs

-- Distance to a capsule { ax, ay, az, ar, bx, by, bz, br }.
local function capsule(p, k, x, y, z)
  local ax, ay, az, ar = p[k], p[k + 1], p[k + 2], p[k + 3]
  local dx, dy, dz = p[k + 4] - ax, p[k + 5] - ay, p[k + 6] - az
  local l2 = dx * dx + dy * dy + dz * dz
  local ex, ey, ez = x - ax, y - ay, z - az
  local t = l2 > 1e-9 and (ex * dx + ey * dy + ez * dz) / l2 or 0
  t = t < 0 and 0 or t > 1 and 1 or t
  ex, ey, ez = ex - dx * t, ey - dy * t, ez - dz * t
  return sqrt(ex * ex + ey * ey + ez * ez) - (ar + (p[k + 7] - ar) * t)
end

-- A shape: its parts as one array, and the grid that holds it.
local function shape_of(parts, cell, blend)
  local n = #parts
  local p = ffi.new('double[?]', n * 8)
  local lo, hi = { 1e9, 1e9, 1e9 }, { -1e9, -1e9, -1e9 }
  for i = 1, n do
    local q = parts[i]
    for k = 0, 7 do p[(i - 1) * 8 + k] = q[k + 1] end
    for e = 0, 1 do
      for a = 1, 3 do
        local v, r = q[e * 4 + a], q[e * 4 + 4] + blend + cell
        lo[a], hi[a] = min(lo[a], v - r), max(hi[a], v + r)
      end
    end
  end
  local function cells(a) return ceil((hi[a] - lo[a]) / cell) + 1 end
  return { parts = parts, p = p, n = n, blend = blend, cell = cell, lo = lo, nx = cells(1), ny = cells(2),
    nz = cells(3) }
end

-- The field: a smooth least of the distances to the parts: polynomial, part by part in their order.
local function value(shape, x, y, z)
  local p, blend = shape.p, shape.blend
  local d = capsule(p, 0, x, y, z)
  for i = 1, shape.n - 1 do
    local e = capsule(p, i * 8, x, y, z)
    local h = blend - abs(d - e)
    d = (e < d and e or d)
    if h > 0 then d = d - h * h / (blend * 4) end
  end
  return d
end

local function sample(shape)
  local nx, ny, nz, lo, cell = shape.nx, shape.ny, shape.nz, shape.lo, shape.cell
  local field = ffi.new('double[?]', nx * ny * nz)
  for k = 0, nz - 1 do
    for j = 0, ny - 1 do
      for i = 0, nx - 1 do
        field[(k * ny + j) * nx + i] = value(shape, lo[1] + i * cell, lo[2] + j * cell, lo[3] + k * cell)
      end
    end
  end
  return field
end

local corner = ffi.new('double[8]') -- the field at a cell's corners

-- The mean of where the surface cuts a cell's edges, from the cell's corner; nil in a cell that it does not cut.
local function cut(shape, field, base)
  local nx, layer = shape.nx, shape.nx * shape.ny
  local inside = 0
  for c = 0, 7 do
    local v = field[base + c % 2 + floor(c / 2) % 2 * nx + floor(c / 4) * layer]
    corner[c] = v
    if v < 0 then inside = inside + 1 end
  end
  if inside == 0 or inside == 8 then return nil end
  local sx, sy, sz, cuts = 0, 0, 0, 0
  for c = 0, 7 do
    for a = 0, 2 do
      local bit = a == 0 and 1 or a == 1 and 2 or 4
      if floor(c / bit) % 2 == 0 then
        local u, v = corner[c], corner[c + bit]
        if (u < 0) ~= (v < 0) then
          local t = u / (u - v)
          local x, y, z = c % 2, floor(c / 2) % 2, floor(c / 4)
          if a == 0 then x = x + t elseif a == 1 then y = y + t else z = z + t end
          sx, sy, sz, cuts = sx + x, sy + y, sz + z, cuts + 1
        end
      end
    end
  end
  return sx / cuts, sy / cuts, sz / cuts
end

-- A place pulled onto the surface, and the normal there.
local function pull(shape, x, y, z)
  local e = shape.cell * 0.4
  local gx, gy, gz = value(shape, x + e, y, z) - value(shape, x - e, y, z),
    value(shape, x, y + e, z) - value(shape, x, y - e, z), value(shape, x, y, z + e) - value(shape, x, y, z - e)
  local l = max(sqrt(gx * gx + gy * gy + gz * gz), 1e-9)
  local d = value(shape, x, y, z)
  gx, gy, gz = gx / l, gy / l, gz / l
  return x - gx * d, y - gy * d, z - gz * d, gx, gy, gz
end

local near = {}

local function nearer(a, b) return a[2] > b[2] or (a[2] == b[2] and a[1] < b[1]) end

-- Binds a vertex to the four nearest joints, by nearness; returns the number of the nearest part.
local function bind(shape, out, x, y, z)
  local parts, first, best = shape.parts, 1, 1e9
  for q = 1, shape.n do
    local dist = max(capsule(shape.p, (q - 1) * 8, x, y, z), -0.02) + 0.021
    near[q] = 1 / (dist * dist * dist)
    if dist < best then best, first = dist, q end
  end
  local sum = {}
  for q = 1, shape.n do sum[parts[q][9]] = (sum[parts[q][9]] or 0) + near[q] end
  local list = {}
  for joint = 0, out.joint_count - 1 do
    if sum[joint] then list[#list + 1] = { joint, sum[joint] } end
  end
  table.sort(list, nearer)
  local total = 0
  for q = 1, min(4, #list) do total = total + list[q][2] end
  for q = 1, 4 do
    out.joints:push(list[q] and list[q][1] or 0)
    out.weights:push(list[q] and list[q][2] / total or 0)
  end
  return first
end

-- A vertex for each cell that the surface cuts; returns their numbers, -1 for the other cells.
local function set_vertices(shape, field, out, paint)
  local nx, ny, nz, lo, cell = shape.nx, shape.ny, shape.nz, shape.lo, shape.cell
  local number = ffi.new('int32_t[?]', nx * ny * nz)
  local count = 0
  for k = 0, nz - 2 do
    for j = 0, ny - 2 do
      for i = 0, nx - 2 do
        local base = (k * ny + j) * nx + i
        local cx, cy, cz = cut(shape, field, base)
        number[base] = -1
        if cx then
          local x, y, z, gx, gy, gz = pull(shape, lo[1] + (i + cx) * cell, lo[2] + (j + cy) * cell,
            lo[3] + (k + cz) * cell)
          out.positions:push(x, y, z)
          out.normals:push(gx, gy, gz)
          local first = bind(shape, out, x, y, z)
          local c = shape.parts[first][10]
          local r, g, b = c[1], c[2], c[3]
          if paint then r, g, b = paint(x, y, z, gx, gy, gz, r, g, b, first) end
          out.colors:push(min(1, max(0, r)), min(1, max(0, g)), min(1, max(0, b)), 1)
          out.baked_sky:push(0.62 + 0.38 * min(1, max(0, gy * 0.7 + 0.6)))
          number[base] = count
          count = count + 1
        end
      end
    end
  end
  return number
end

-- Two triangles round each edge of the grid that the surface cuts.
local function set_faces(shape, field, number, idx)
  local nx, ny, nz = shape.nx, shape.ny, shape.nz
  local step = { 1, nx, nx * ny }
  for k = 1, nz - 2 do
    for j = 1, ny - 2 do
      for i = 1, nx - 2 do
        local base = (k * ny + j) * nx + i
        local u = field[base]
        for a = 1, 3 do
          local v = field[base + step[a]]
          if (u < 0) ~= (v < 0) then
            local s, t = step[a % 3 + 1], step[(a + 1) % 3 + 1]
            local q0, q1, q2, q3 = number[base], number[base - s], number[base - s - t], number[base - t]
            if q0 >= 0 and q1 >= 0 and q2 >= 0 and q3 >= 0 then
              if u < 0 then
                idx:push(q0, q1, q2)
                idx:push(q0, q2, q3)
              else
                idx:push(q0, q2, q1)
                idx:push(q0, q3, q2)
              end
            end
          end
        end
      end
    end
  end
end

--- parts: { { ax, ay, az, ar, bx, by, bz, br, joint, color }, ... }; blend: metres over which shapes run together;
--- paint: the colour at a place, from its normal, the nearest part's colour and that part's number.
---@return thatch.Geometry
function M.polygonise(parts, cell, blend, joints, paint)
  local shape = shape_of(parts, cell, blend)
  local field = sample(shape)
  local out = {
    positions = buffer.floats(4096), normals = buffer.floats(4096), colors = buffer.floats(8192),
    baked_sky = buffer.floats(2048), joints = buffer.bytes(4096), weights = buffer.floats(4096),
    indices = buffer.u32(8192), joint_count = joints,
  }
  local number = set_vertices(shape, field, out, paint)
  set_faces(shape, field, number, out.indices)
  return geometry.create(out)
end

return M
