--- Trunks, roots and limbs.
local maths = require('thatch.math')
local mesh = require('village.mesh')
local noise = require('village.noise')

local M = {}
local max, min, floor = math.max, math.min, math.floor
local sin, cos, random = maths.sin, maths.cos, maths.random

--- How a species' bark is tinted and shaded along its height.
function M.bark(species, seed)
  return function(b, p)
    local y = p[2]
    local foot = min(1, 0.55 + max(0, y) * 0.5)
    local c = species.bark
    if species.marks then
      -- dark marks on white bark
      local mark = noise.plane(y * 3.1, seed * 0.37 + p[1] * 2, 3) > 0.32 and 0.42 or 1
      if y < 0.7 then mark = 0.5 end
      b:color({ c[1] * mark, c[2] * mark, c[3] * mark })
    else
      b:color({ c[1] * foot, c[2] * foot, c[3] * foot })
    end
    local deep = y / species.height
    return max(0.5, 0.95 - 0.45 * deep) * foot
  end
end

function M.limb(b, from, to, r0, r1, bow, steps, sides, shade, seed)
  local points = {}
  for i = 0, steps do
    local t = i / steps
    local bend = sin(t * 3.14159) * bow
    local wob = 0.06 * (t > 0 and t < 1 and 1 or 0)
    points[i + 1] = {
      from[1] + (to[1] - from[1]) * t + (random(seed, i, 1) - 0.5) * wob,
      from[2] + (to[2] - from[2]) * t + bend + (random(seed, i, 2) - 0.5) * wob,
      from[3] + (to[3] - from[3]) * t + (random(seed, i, 3) - 0.5) * wob, r0 + (r1 - r0) * t,
    }
  end
  b:tube(points, sides, 1.1, false, function(p) return shade(b, p) end)
  return points
end

-- A builder that takes what goes into it, and a plainer one for the distance.
function M.pair(n)
  return mesh.new(n), mesh.new(512)
end

function M.trunk(b, height, radius, lean, shade, seed, sides, plain)
  local points = {}
  local steps = 9
  for i = 0, steps do
    local t = i / steps
    local y = -0.35 + (height + 0.35) * t * t * 0.6 + (height + 0.35) * t * 0.4
    local flare = 1 + 0.95 * max(0, 1 - max(y, 0) / 0.75) * max(0, 1 - max(y, 0) / 0.75)
    points[i + 1] = {
      lean * t * t + 0.12 * radius / 0.4 * noise.plane(y * 0.6, seed * 1.7, 5), y, 0.12 * radius / 0.4
        * noise.plane(y * 0.6, seed * 2.9 + 9, 6),
      max(radius * (1 - 0.78 * t) * flare, 0.02), around = 2,
    }
  end
  b:tube(points, sides, 1.1, false, function(p) return shade(b, p) end)
  if plain then
    local few = { points[1], points[2], points[3], points[6], points[#points] }
    plain:tube(few, 5, 1.1, false, function(p) return shade(plain, p) end)
  end
  -- roots
  for i = 0, 4 do
    local a = i * 1.2566 + random(seed, i, 71)
    local reach = radius * (2.0 + random(seed, i, 72))
    b:tube({
      { cos(a) * radius * 0.5, 0.42 * radius / 0.45, sin(a) * radius * 0.5, radius * 0.42 },
      { cos(a) * radius * 1.3, 0.12 * radius / 0.45, sin(a) * radius * 1.3, radius * 0.3 },
      { cos(a) * reach, -0.16, sin(a) * reach, radius * 0.14 },
    }, 6, 1.1, false, function(p) return shade(b, p) * 0.8 end)
  end
  return points
end

function M.on(points, t)
  local f = t * (#points - 1)
  local i = min(floor(f), #points - 2)
  f = f - i
  local p, q = points[i + 1], points[i + 2]
  return { p[1] + (q[1] - p[1]) * f, p[2] + (q[2] - p[2]) * f, p[3] + (q[3] - p[3]) * f }, p[4] + (q[4] - p[4]) * f
end

return M
