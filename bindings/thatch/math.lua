--- Maths whose bits are the same on every machine: + - * / sqrt floor and bit operations only.
--- Scenes and the walk use it for all that reaches a pixel, never math.sin or ^.
--- sin, cos, exp, log and atan follow fdlibm, Copyright (C) 1993 by Sun Microsystems, Inc., freely distributed.
local ffi = require('ffi')
local bit = require('bit')
local lib = require('thatch.lib')

local floor, sqrt = math.floor, math.sqrt
local band, rshift, tobit = bit.band, bit.rshift, bit.tobit
local huge = math.huge
local C, WORD = lib.C, 4294967296
local M = {}

M.pi = 3.14159265358979311600
M.sqrt, M.floor, M.ceil, M.abs, M.min, M.max, M.huge = sqrt, floor, math.ceil, math.abs, math.min, math.max, huge

local PIO2_HI, PIO2_MID = 1.57079632673412561417e+00, 6.07710050630396597660e-11
local PIO2_LO, TWO_OVER_PI = 2.02226624879595063154e-21, 0.63661977236758134308

local function sin_kernel(x)
  local z = x * x
  return x + x * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 +
    z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))))
end

local function cos_kernel(x)
  local z = x * x
  return 1 - (z * 0.5 - z * z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 +
    z * (2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 -
    z * 1.13596475577881948265e-11))))))
end

-- The sine of r + quarter * pi / 2, without a branch: one that depends on the data takes a compiled trace apart.
local function turned(r, quarter)
  local odd = quarter % 2
  return (sin_kernel(r) * (1 - odd) + cos_kernel(r) * odd) * (1 - quarter + odd)
end

--- The sine, for |x| up to 1e6 within 1e-15.
function M.sin(x)
  local n = floor(x * TWO_OVER_PI + 0.5)
  return turned(((x - n * PIO2_HI) - n * PIO2_MID) - n * PIO2_LO, n % 4)
end

function M.cos(x)
  local n = floor(x * TWO_OVER_PI + 0.5)
  return turned(((x - n * PIO2_HI) - n * PIO2_MID) - n * PIO2_LO, (n + 1) % 4)
end

function M.tan(x)
  return M.sin(x) / M.cos(x)
end

-- Powers of two, made by halving and doubling.
local two_to = { [0] = 1 }
for i = 1, 1023 do two_to[i] = two_to[i - 1] * 2 end
for i = -1, -1074, -1 do two_to[i] = two_to[i + 1] / 2 end

local LN2_HI, LN2_LO = 6.93147180369123816490e-01, 1.90821492927058770002e-10

function M.exp(x)
  if x ~= x then return x end
  if x > 709.78 then return huge end
  if x < -745 then return 0 end
  local k = floor(x * 1.44269504088896338700 + 0.5)
  local high, low = x - k * LN2_HI, k * LN2_LO
  local r = high - low
  local t = r * r
  local c = r - t * (1.66666666666666019037e-01 + t * (-2.77777777770155933842e-03 + t * (6.61375632143793436117e-05 +
    t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))))
  local y = 1 - ((low - (r * c) / (2 - c)) - high)
  if k > 1022 then return y * two_to[1022] * two_to[k - 1022] end
  if k < -1021 then return y * two_to[-1021] * two_to[k + 1021] end
  return y * two_to[k]
end

local cell = ffi.new('union { double d; struct { uint32_t low, high; } u; }')

--- The natural logarithm; -inf at 0, NaN below.
function M.log(x)
  if x ~= x or x == huge then return x end
  if x < 0 then return 0 / 0 end
  if x == 0 then return -huge end
  local k = 0
  if x < 2.2250738585072014e-308 then x, k = x * 18014398509481984, -54 end
  cell.d = x
  local high = cell.u.high
  k = k + rshift(high, 20) - 1023
  cell.u.high = band(high, 0xfffff) + 0x3ff00000
  local m = cell.d
  if m > 1.41421356237309514547 then m, k = m / 2, k + 1 end
  local f = m - 1
  local s = f / (2 + f)
  local z = s * s
  local r = z * (6.666666666666735130e-01 + z * (3.999999999940941908e-01 + z * (2.857142874366239149e-01 +
    z * (2.222219843214978396e-01 + z * (1.818357216161805012e-01 + z * (1.531383769920937332e-01 +
    z * 1.479819860511658591e-01))))))
  local half = 0.5 * f * f
  return k * LN2_HI - ((half - (s * (half + r) + k * LN2_LO)) - f)
end

--- x to the power y, for x >= 0 (or a whole y).
function M.pow(x, y)
  if y == 0 then return 1 end
  if x < 0 then
    if y ~= floor(y) then return 0 / 0 end
    local p = M.pow(-x, y)
    return y % 2 == 0 and p or -p
  end
  if x == 0 then return y > 0 and 0 or huge end
  if y == floor(y) and y > 0 and y <= 16 then
    local p = x
    for _ = 2, y do p = p * x end
    return p
  end
  return M.exp(y * M.log(x))
end

local ATAN_HALF, ATAN_ONE = 4.63647609000806093515e-01, 7.85398163397448278999e-01
local ATAN_ONE_HALF, ATAN_HUGE = 9.82793723247329054082e-01, 1.57079632679489655800e+00

function M.atan(x)
  if x < 0 then return -M.atan(-x) end
  local base
  if x < 0.4375 then base = nil
  elseif x < 0.6875 then base, x = ATAN_HALF, (2 * x - 1) / (2 + x)
  elseif x < 1.1875 then base, x = ATAN_ONE, (x - 1) / (x + 1)
  elseif x < 2.4375 then base, x = ATAN_ONE_HALF, (x - 1.5) / (1 + 1.5 * x)
  else base, x = ATAN_HUGE, -1 / x end
  local z = x * x
  local s = x * z * (3.33333333333329318027e-01 + z * (-1.99999999998764832476e-01 + z * (1.42857142725034663711e-01 +
    z * (-1.11111104054623557880e-01 + z * (9.09088713343650656196e-02 + z * (-7.69187620504482999495e-02 +
    z * (6.66107313738753120669e-02 + z * (-5.83357013379057348645e-02 + z * (4.97687799461593236017e-02 +
    z * (-3.65315727442169155270e-02 + z * 1.62858201153657823623e-02))))))))))
  if not base then return x - s end
  return base - (s - x)
end

function M.atan2(y, x)
  if x > 0 then return M.atan(y / x) end
  if x < 0 then return y >= 0 and M.atan(y / x) + M.pi or M.atan(y / x) - M.pi end
  if y > 0 then return M.pi / 2 end
  if y < 0 then return -M.pi / 2 end
  return 0
end

function M.asin(x)
  return M.atan2(x, sqrt((1 - x) * (1 + x)))
end

function M.acos(x)
  return M.atan2(sqrt((1 - x) * (1 + x)), x)
end

function M.clamp(x, low, high)
  return x < low and low or x > high and high or x
end

function M.lerp(a, b, t)
  return a + (b - a) * t
end

--- 0 below a, 1 above b, smooth between.
function M.smoothstep(a, b, x)
  local t = (x - a) / (b - a)
  t = t < 0 and 0 or t > 1 and 1 or t
  return t * t * (3 - 2 * t)
end

--- Random bits from what they are for, by the runtime: Lua's own multiplications are so many small functions that the
--- compiler sometimes gives them up.
---@return integer -2^31 .. 2^31 - 1
function M.random_bits(seed, a, b)
  return tobit(C.thatch_random_bits(tobit(seed) % WORD, tobit(a or 0) % WORD, tobit(b or 0) % WORD))
end

--- A number from 0 to below 1 from what it is for: the same arguments give the same number.
---@param seed integer
---@param a? integer
---@param b? integer
---@return number
function M.random(seed, a, b)
  return rshift(M.random_bits(seed, a, b), 8) * (1 / 16777216)
end

for name, value in pairs(require('thatch.noise')(M)) do M[name] = value end
for name, value in pairs(require('thatch.vectors')(M)) do M[name] = value end

return M
