--- What animals are made of: bodies of blended shapes on joints (implicit.lua).
local maths = require('thatch.math')
local implicit = require('village.implicit')
local noise = require('village.noise')

local M = {}
local srgb = maths.srgb

-- joints of a beast: body, neck, head, tail, then upper and lower leg: front left, front right, hind left, hind right
local BODY, NECK, HEAD, TAIL = 0, 1, 2, 3
local JOINTS = 12
local HEN_JOINTS = 6 -- body, neck, head, tail, two legs
local BIRD_JOINTS = 5 -- body, inner and outer wing left, and right
M.JOINTS, M.HEN_JOINTS, M.BIRD_JOINTS = JOINTS, HEN_JOINTS, BIRD_JOINTS
M.PARENT = { [0] = -1, 0, 1, 0, 0, 4, 0, 6, 0, 8, 0, 10 }
M.HEN_PARENT = { [0] = -1, 0, 1, 0, 0, 0 }
M.BIRD_PARENT = { [0] = -1, 0, 1, 0, 3 }

-- A four-legged body from a few measures: half length l, leg height h, half width w.
local function beast(d)
  local c, dark, face = d.color, d.dark, d.face or d.color
  local l, h, w, r = d.l, d.h, d.w, d.r
  local y = h + r * 0.72
  local parts = {
    { 0, y, -l * 0.62, r * (d.hind or 0.98), 0, y + (d.wither or 0), l * 0.55, r, BODY, c },
    { 0, y - r * 0.12, -l * 0.2, r * 0.96, 0, y - r * 0.1, l * 0.4, r * 0.9, BODY, c },
    { 0, y + r * 0.3, l * 0.62, r * 0.6, 0, d.neck_y, d.neck_z, r * (d.neck or 0.38), NECK, d.neck_color or c },
    { 0, d.neck_y, d.neck_z, d.head * 0.95, 0, d.neck_y - d.head * 0.7, d.neck_z + d.head * (d.snout or 1.9),
      d.head * 0.62, HEAD, face },
  }
  local rest = {
    [0] = { 0, y, 0 }, { 0, y + r * 0.2, l * 0.6 }, { 0, d.neck_y, d.neck_z }, { 0, y + r * 0.3, -l * 0.95 },
  }
  for s = -1, 1, 2 do
    parts[#parts + 1] = { s * d.head * 0.75, d.neck_y + d.head * 0.55, d.neck_z - d.head * 0.1, d.head * 0.2,
      s * d.head * (1.35 + (d.ears or 0)), d.neck_y + d.head * (d.ear_up or 0.5), d.neck_z - d.head * 0.35,
        d.head * 0.26, HEAD, face }
    parts[#parts + 1] = { s * d.head * 0.62, d.neck_y + d.head * 0.22, d.neck_z + d.head * 0.62, d.head * 0.16,
      s * d.head * 0.6, d.neck_y + d.head * 0.22, d.neck_z + d.head * 0.7, d.head * 0.14, HEAD, { 0.03, 0.025, 0.02 } }
  end
  if d.horns then
    for s = -1, 1, 2 do
      parts[#parts + 1] = { s * d.head * 0.55, d.neck_y + d.head * 0.8, d.neck_z - d.head * 0.1, d.head * 0.2,
        s * d.head * 1.25, d.neck_y + d.head * 1.5, d.neck_z, d.head * 0.09, HEAD, srgb('#CFC4AE') }
    end
  end
  parts[#parts + 1] = { 0, y + r * 0.3, -l * 0.95, d.tail_r or 0.03, 0, y + r * 0.3 + (d.tail_up or -r),
    -l * 0.95 - (d.tail_back or 0.08), (d.tail_r or 0.03) * 0.8, TAIL, d.tail_color or c }
  local j = 4
  for f = 1, 0, -1 do
    local z = f == 1 and l * 0.52 or -l * 0.68
    for s = 1, -1, -2 do
      local knee = h * 0.52
      parts[#parts + 1] = { s * w, h + r * 0.25, z, r * (f == 1 and 0.36 or 0.46), s * w, knee,
        z + (f == 1 and 0.01 or -0.03) * h / 0.5, d.leg * 1.15, j, c }
      parts[#parts + 1] = { s * w, knee, z + (f == 1 and 0.01 or -0.03) * h / 0.5, d.leg, s * w, 0.035, z,
        d.leg * 0.82, j + 1, dark }
      parts[#parts + 1] = { s * w, 0.035, z, d.leg * 0.95, s * w, 0.03, z + d.leg * 0.7, d.leg * 0.8, j + 1,
        d.hoof or dark }
      rest[j] = { s * w, h, z }
      rest[j + 1] = { s * w, knee, z }
      j = j + 2
    end
  end
  return parts, rest
end

local WOOL, BLACK = srgb('#DDD3BF'), srgb('#3A332E')

M.kinds = {
  sheep = {
    l = 0.40, h = 0.36, w = 0.115, r = 0.235, neck_y = 0.79, neck_z = 0.60, neck = 0.30, head = 0.088, snout = 2.0,
      leg = 0.032, color = WOOL, dark = BLACK,
    face = BLACK, cell = 0.034, blend = 0.09, tail_up = -0.14, tail_r = 0.05, tail_color = WOOL, ears = 0.3,
      ear_up = 0.2, lumps = 0.03,
  },
  cow = {
    l = 0.82, h = 0.66, w = 0.2, r = 0.37, neck_y = 1.30, neck_z = 1.12, neck = 0.52, head = 0.15, leg = 0.068,
      color = srgb('#9A6646'), dark = srgb('#6E4630'),
    face = srgb('#8C5A3C'), cell = 0.058, blend = 0.15, tail_up = -0.62, tail_r = 0.028, tail_color = srgb('#6E4630'),
      ears = 0.35, ear_up = 0.5, horns = true,
    patches = srgb('#E6DCCA'), snout = 2.0, hoof = srgb('#3C3028'), wither = 0.03,
  },
  dog = {
    l = 0.27, h = 0.3, w = 0.075, r = 0.115, neck_y = 0.63, neck_z = 0.42, neck = 0.62, head = 0.07, leg = 0.026,
      color = srgb('#7A5636'), dark = srgb('#8E6A48'),
    face = srgb('#6A4A30'), cell = 0.022, blend = 0.05, tail_up = 0.16, tail_back = 0.16, tail_r = 0.02, ear_up = 1.0,
      hind = 0.82, patches = srgb('#E2D8C6'),
  },
  goat = {
    l = 0.34, h = 0.38, w = 0.1, r = 0.17, neck_y = 0.86, neck_z = 0.5, neck = 0.45, head = 0.075, leg = 0.03,
      color = srgb('#C9BBA2'), dark = srgb('#6A5A4A'),
    cell = 0.028, blend = 0.06, tail_up = 0.06, tail_r = 0.028, horns = true, ears = 0.3, ear_up = 0.3,
      patches = srgb('#8A745C'),
  },
  cat = {
    l = 0.18, h = 0.17, w = 0.045, r = 0.068, neck_y = 0.315, neck_z = 0.245, neck = 0.6, head = 0.05, snout = 0.8,
      leg = 0.017, color = srgb('#A77B4E'), dark = srgb('#D8C8AE'), cell = 0.016, blend = 0.03, tail_up = 0.16,
    tail_back = 0.14, tail_r = 0.015, ear_up = 1.15, ears = -0.5, patches = srgb('#7E5A36'), graze = 0,
  },
  horse = {
    l = 0.78, h = 0.84, w = 0.18, r = 0.33, neck_y = 1.74, neck_z = 1.14, neck = 0.46, head = 0.135, snout = 2.7,
      leg = 0.058, color = srgb('#7A5236'), dark = srgb('#3E2E24'), face = srgb('#74503A'), cell = 0.056, blend = 0.13,
    tail_up = -0.72, tail_back = 0.16, tail_r = 0.055, tail_color = srgb('#2E241E'), ear_up = 1.2, ears = -0.5,
      hoof = srgb('#2A231F'), wither = 0.05,
  },
  pig = {
    l = 0.46, h = 0.25, w = 0.12, r = 0.215, neck_y = 0.46, neck_z = 0.54, neck = 0.8, head = 0.125, snout = 1.5,
      leg = 0.042, color = srgb('#D2A091'), dark = srgb('#B98A7C'), cell = 0.036, blend = 0.08, tail_up = 0.04,
    tail_r = 0.016, ears = 0.1, ear_up = 0.8, patches = srgb('#9A7468'),
  },
  deer = {
    l = 0.5, h = 0.62, w = 0.11, r = 0.185, neck_y = 1.22, neck_z = 0.72, neck = 0.42, head = 0.08, snout = 2.0,
      leg = 0.028, color = srgb('#96683F'), dark = srgb('#7A5636'), cell = 0.034, blend = 0.07, tail_up = 0.03,
    tail_r = 0.035, tail_color = srgb('#E6DCCB'), ears = 0.4, ear_up = 0.9, horns = true,
  },
}

local function hen(color, dark)
  local red, yellow = srgb('#B03A2C'), srgb('#C99A3E')
  local parts = {
    { 0, 0.2, -0.05, 0.085, 0, 0.2, 0.06, 0.078, 0, color },
    { 0, 0.22, 0.08, 0.05, 0, 0.34, 0.13, 0.03, 1, color },
    { 0, 0.355, 0.135, 0.034, 0, 0.355, 0.155, 0.03, 2, color },
    { 0, 0.345, 0.18, 0.013, 0, 0.338, 0.205, 0.005, 2, yellow },
    { 0, 0.385, 0.13, 0.014, 0, 0.395, 0.16, 0.012, 2, red },
    { 0, 0.322, 0.168, 0.012, 0, 0.31, 0.168, 0.01, 2, red },
    { 0, 0.24, -0.11, 0.05, 0, 0.34, -0.19, 0.035, 3, dark },
    { 0.075, 0.21, 0.02, 0.035, 0.07, 0.19, -0.09, 0.03, 0, dark }, { -0.075, 0.21, 0.02, 0.035, -0.07, 0.19, -0.09,
      0.03, 0, dark },
    { 0.045, 0.14, 0.0, 0.03, 0.045, 0.02, 0.0, 0.012, 4, yellow }, { 0.045, 0.015, -0.02, 0.01, 0.045, 0.012, 0.05,
      0.01, 4, yellow },
    { -0.045, 0.14, 0.0, 0.03, -0.045, 0.02, 0.0, 0.012, 5, yellow }, { -0.045, 0.015, -0.02, 0.01, -0.045, 0.012,
      0.05, 0.01, 5, yellow },
  }
  local rest = { [0] = { 0, 0.2, 0 }, { 0, 0.23, 0.08 }, { 0, 0.34, 0.13 }, { 0, 0.24, -0.1 }, { 0.045, 0.16, 0 },
    { -0.045, 0.16, 0 } }
  return parts, rest
end

local function duck()
  local brown, green, yellow = srgb('#8C7458'), srgb('#2F5A44'), srgb('#C9A03E')
  local grey, white = srgb('#B9B2A4'), srgb('#E8E2D6')
  local parts = {
    { 0, 0.07, -0.12, 0.075, 0, 0.075, 0.06, 0.085, 0, grey }, { 0, 0.085, 0.1, 0.075, 0, 0.1, 0.12, 0.06, 0, brown },
    { 0, 0.12, 0.13, 0.04, 0, 0.215, 0.155, 0.03, 1, green },
    { 0, 0.16, 0.145, 0.034, 0, 0.165, 0.147, 0.034, 1, white },
    { 0, 0.235, 0.16, 0.038, 0, 0.235, 0.175, 0.035, 2, green },
    { 0, 0.228, 0.205, 0.016, 0, 0.222, 0.245, 0.014, 2, yellow },
    { 0, 0.09, -0.17, 0.045, 0, 0.125, -0.23, 0.018, 3, white },
    { 0.075, 0.1, 0.02, 0.035, 0.06, 0.105, -0.13, 0.025, 0, brown },
    { -0.075, 0.1, 0.02, 0.035, -0.06, 0.105, -0.13, 0.025, 0, brown },
    { 0.03, 0.03, 0, 0.02, 0.03, 0.0, 0, 0.015, 4, yellow }, { -0.03, 0.03, 0, 0.02, -0.03, 0.0, 0, 0.015, 5, yellow },
  }
  local rest = { [0] = { 0, 0.08, 0 }, { 0, 0.11, 0.13 }, { 0, 0.21, 0.155 }, { 0, 0.09, -0.16 }, { 0.03, 0.04, 0 },
    { -0.03, 0.04, 0 } }
  return parts, rest
end

local function bird()
  local dark, pale = srgb('#2E3038'), srgb('#8E8A84')
  local parts = { { 0, 0, -0.09, 0.022, 0, 0, 0.07, 0.04, 0, dark },
    { 0, 0.012, 0.11, 0.03, 0, 0.008, 0.125, 0.026, 0, dark },
    { 0, 0.006, 0.15, 0.01, 0, 0.002, 0.175, 0.004, 0, pale }, { 0, 0, -0.1, 0.016, 0.03, 0, -0.19, 0.012, 0, dark },
    { 0, 0, -0.1, 0.016, -0.03, 0, -0.19, 0.012, 0, dark } }
  for s = -1, 1, 2 do
    local j = s > 0 and 1 or 3
    for k = 0, 2 do
      local z = 0.04 - 0.035 * k
      parts[#parts + 1] = { s * 0.03, 0.01, z, 0.018, s * 0.17, 0.015, z + 0.01, 0.014, j, dark }
      parts[#parts + 1] = { s * 0.17, 0.015, z + 0.01, 0.014,
        s * (0.36 - 0.04 * k), 0.012, z - 0.05, 0.008, j + 1, dark }
    end
  end
  local rest = { [0] = { 0, 0, 0 }, { 0.03, 0.01, 0.02 }, { 0.17, 0.015, 0.02 }, { -0.03, 0.01, 0.02 },
    { -0.17, 0.015, 0.02 } }
  return parts, rest
end

--- Makes each kind's body once; the cell grows with quality.animal_coarseness.
---@param coarse number
function M.bodies(coarse)
  local made = {}
  local order = { 'sheep', 'cow', 'dog', 'goat', 'cat', 'horse', 'pig', 'deer' }
  for i = 1, #order do
    local kind = M.kinds[order[i]]
    local parts, rest = beast(kind)
    local function paint(x, y, z, _, ny, _, r, g, b)
      if kind.patches and noise.space(x * 3.1 / kind.l * 0.8, y * 3 / kind.l * 0.8, z * 2.6 / kind.l * 0.8, 21) > 0.12
        and y > kind.h * 0.7 then
        r, g, b = kind.patches[1], kind.patches[2], kind.patches[3]
      end
      local v = 0.9 + 0.14 * noise.space(x * 19, y * 19, z * 19, 22)
      if kind.lumps then v = v * (0.86 + 0.26 * noise.space(x * 26, y * 26, z * 26, 23)) end
      v = v * (0.82 + 0.18 * maths.clamp(ny * 0.8 + 0.7, 0, 1))
      return r * v, g * v, b * v
    end
    made[order[i]] = { geometry = implicit.polygonise(parts, kind.cell * coarse, kind.blend, JOINTS, paint),
      rest = rest, kind = kind }
  end
  local colors = { { srgb('#B0744A'), srgb('#5A3A2A') }, { srgb('#E4DCCB'), srgb('#CFC4B0') },
    { srgb('#6A4A38'), srgb('#2E2622') } }
  for i = 1, 3 do
    local parts, rest = hen(colors[i][1], colors[i][2])
    made['hen' .. i] = { geometry = implicit.polygonise(parts, 0.0125 * coarse, 0.03, HEN_JOINTS), rest = rest }
  end
  local parts, rest = duck()
  made.duck = { geometry = implicit.polygonise(parts, 0.014 * coarse, 0.03, HEN_JOINTS), rest = rest }
  parts, rest = bird()
  made.bird = { geometry = implicit.polygonise(parts, math.min(0.011 * coarse, 0.022), 0.015, BIRD_JOINTS), rest = rest,
    joints = BIRD_JOINTS }
  return made
end

return M
