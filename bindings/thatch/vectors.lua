--- Colours, vectors {x, y, z}, quaternions {x, y, z, w} and matrices of 16 numbers, column-major. Part of thatch.math.
local lib = require('thatch.lib')

local sqrt = math.sqrt

return function(maths)
  local M = {}

  --- One sRGB channel, 0..1, as linear light.
  function M.srgb_to_linear(c)
    if c <= 0.04045 then return c / 12.92 end
    return maths.pow((c + 0.055) / 1.055, 2.4)
  end

  function M.linear_to_srgb(c)
    if c <= 0.0031308 then return c * 12.92 end
    return 1.055 * maths.pow(c, 1 / 2.4) - 0.055
  end

  --- A linear colour from '#A9573A', from 0xA9573A, or from three sRGB channels of 0..1.
  ---@return number[]
  function M.srgb(r, g, b)
    if type(r) == 'string' then
      local digits = r:match('^#?(%x%x%x%x%x%x)$')
      if not digits then lib.fail("math.srgb: colour is '%s', need '#RRGGBB'", r) end
      r = tonumber(digits, 16)
    end
    if type(r) ~= 'number' then lib.fail('math.srgb: colour is a %s, need a string or numbers', type(r)) end
    if g == nil then
      r, g, b = math.floor(r / 65536) % 256 / 255, math.floor(r / 256) % 256 / 255, r % 256 / 255
    end
    return { M.srgb_to_linear(r), M.srgb_to_linear(g), M.srgb_to_linear(b) }
  end

  function M.add(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end
  function M.sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
  function M.scale(a, s) return { a[1] * s, a[2] * s, a[3] * s } end
  function M.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
  function M.length(a) return sqrt(a[1] * a[1] + a[2] * a[2] + a[3] * a[3]) end

  function M.cross(a, b)
    return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
  end

  --- The direction of a vector; the zero vector stays.
  function M.normalize(a)
    local l = M.length(a)
    if l == 0 then return { 0, 0, 0 } end
    return { a[1] / l, a[2] / l, a[3] / l }
  end

  function M.mix(a, b, t)
    return { a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t, a[3] + (b[3] - a[3]) * t }
  end

  M.quat = {}

  --- A turn about an axis.
  function M.quat.from_axis(axis, radians)
    local n = M.normalize(axis)
    local s = maths.sin(radians / 2)
    return { n[1] * s, n[2] * s, n[3] * s, maths.cos(radians / 2) }
  end

  --- b's turn, then a's.
  function M.quat.mul(a, b)
    return {
      a[4] * b[1] + a[1] * b[4] + a[2] * b[3] - a[3] * b[2], a[4] * b[2] - a[1] * b[3] + a[2] * b[4] + a[3] * b[1],
      a[4] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[4], a[4] * b[4] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    }
  end

  function M.quat.rotate(q, v)
    local t = M.scale(M.cross(q, v), 2)
    local u = M.cross(q, t)
    return { v[1] + q[4] * t[1] + u[1], v[2] + q[4] * t[2] + u[2], v[3] + q[4] * t[3] + u[3] }
  end

  --- From a to b the short way; t from 0 to 1.
  function M.quat.slerp(a, b, t)
    local d = a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4]
    local sign = 1
    if d < 0 then d, sign = -d, -1 end
    local wa, wb = 1 - t, t * sign
    if d < 0.9995 then
      local angle = maths.acos(d)
      local s = maths.sin(angle)
      wa, wb = maths.sin((1 - t) * angle) / s, sign * maths.sin(t * angle) / s
    end
    local q = { a[1] * wa + b[1] * wb, a[2] * wa + b[2] * wb, a[3] * wa + b[3] * wb, a[4] * wa + b[4] * wb }
    local l = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4])
    return { q[1] / l, q[2] / l, q[3] / l, q[4] / l }
  end

  M.mat4 = {}

  function M.mat4.identity()
    return { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
  end

  --- a times b: b is applied first.
  function M.mat4.mul(a, b)
    local m = {}
    for column = 0, 3 do
      for row = 1, 4 do
        local k = column * 4
        m[k + row] = a[row] * b[k + 1] + a[row + 4] * b[k + 2] + a[row + 8] * b[k + 3] + a[row + 12] * b[k + 4]
      end
    end
    return m
  end

  function M.mat4.translate(x, y, z)
    return { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1 }
  end

  function M.mat4.scale(x, y, z)
    return { x, 0, 0, 0, 0, y or x, 0, 0, 0, 0, z or x, 0, 0, 0, 0, 1 }
  end

  function M.mat4.rotate_x(radians)
    local s, c = maths.sin(radians), maths.cos(radians)
    return { 1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1 }
  end

  function M.mat4.rotate_y(radians)
    local s, c = maths.sin(radians), maths.cos(radians)
    return { c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1 }
  end

  function M.mat4.rotate_z(radians)
    local s, c = maths.sin(radians), maths.cos(radians)
    return { c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
  end

  --- From a position, a quaternion and a scale (a number or a vector).
  function M.mat4.compose(p, q, s)
    local sx, sy, sz = 1, 1, 1
    if type(s) == 'number' then sx, sy, sz = s, s, s elseif s then sx, sy, sz = s[1], s[2], s[3] end
    local x, y, z, w = q[1], q[2], q[3], q[4]
    return {
      (1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0,
      2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0,
      2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0,
      p[1], p[2], p[3], 1,
    }
  end

  --- The matrix of a thing that stands at eye and looks at target along its -z.
  function M.mat4.look_at(eye, target, up)
    local z = M.normalize(M.sub(eye, target))
    local x = M.normalize(M.cross(up or { 0, 1, 0 }, z))
    local y = M.cross(z, x)
    return { x[1], x[2], x[3], 0, y[1], y[2], y[3], 0, z[1], z[2], z[3], 0, eye[1], eye[2], eye[3], 1 }
  end

  --- The inverse of a matrix whose last row is 0 0 0 1; nil when it has none.
  function M.mat4.invert_affine(m)
    local a, b, c, d, e, f, g, h, i = m[1], m[5], m[9], m[2], m[6], m[10], m[3], m[7], m[11]
    local A, B, D = e * i - f * h, f * g - d * i, d * h - e * g
    local det = a * A + b * B + c * D
    if det == 0 then return nil end
    local s = 1 / det
    local r = {
      A * s, B * s, D * s, 0,
      (c * h - b * i) * s, (a * i - c * g) * s, (b * g - a * h) * s, 0,
      (b * f - c * e) * s, (c * d - a * f) * s, (a * e - b * d) * s, 0,
    }
    for row = 1, 3 do r[12 + row] = -(r[row] * m[13] + r[row + 4] * m[14] + r[row + 8] * m[15]) end
    r[16] = 1
    return r
  end

  --- A point through a matrix.
  function M.mat4.point(m, p)
    return {
      m[1] * p[1] + m[5] * p[2] + m[9] * p[3] + m[13], m[2] * p[1] + m[6] * p[2] + m[10] * p[3] + m[14],
      m[3] * p[1] + m[7] * p[2] + m[11] * p[3] + m[15],
    }
  end

  return M
end
