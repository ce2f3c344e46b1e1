--- The pond: its water, a bed of pebbles, stones along the shore, lily pads and a jetty.
local maths = require('thatch.math')
local water = require('thatch.water')
local layout = require('village.layout')
local mesh = require('village.mesh')
local noise = require('village.noise')
local rocks = require('village.rocks')
local terrain = require('village.terrain')

local M = {}
local min, max, floor = math.min, math.max, math.floor
local cos, sin, random, srgb = maths.cos, maths.sin, maths.random, maths.srgb

-- The bed: the ground's own half-metre grid, a hair above it, where water or its edge is.
local function bed()
  local p = layout.pond
  local b = mesh.new(8192)
  local x0, z0 = floor(p.x - p.rx * 1.3), floor(p.z - p.rz * 1.3)
  local nx, nz = floor(p.rx * 2.6) * 2, floor(p.rz * 2.6) * 2
  local index = {}
  local function vertex(i, j)
    local key = j * 4096 + i
    local v = index[key]
    if v then return v end
    local x, z = x0 + i * 0.5, z0 + j * 0.5
    local y = terrain.height(x, z)
    local ax, ay, az = terrain.normal(x, z, 0.5)
    local deep = max(0, layout.pond.level - y)
    local patch = 0.82 + 0.3 * noise.plane(x / 2.3, z / 2.3, 55)
    local weed = terrain.smooth(0.25, 0.7, noise.plane(x / 3.7, z / 3.7, 56)) * min(1, deep * 1.2) * 0.6
    local wet = 0.62 + 0.38 * terrain.smooth(0.02, 0.16, y - layout.pond.level)
    local t = patch * wet
    local r, g, bl = 0.96 * t, 0.90 * t, 0.80 * t
    r, g, bl = r + (0.3 - r) * weed, g + (0.36 - g) * weed, bl + (0.18 - bl) * weed
    -- towards the edge it lies under the ground
    local reach = terrain.pond_reach(x, z)
    local sink = 0.03 - 0.12 * terrain.smooth(1.02, 1.11, reach + 0.03 * noise.plane(x / 2.4, z / 2.4, 57))
    v = b:vertex(x, y + sink, z, ax, ay, az, x / 1.6, z / 1.6, min(1, r), min(1, g), min(1, bl), 1)
    index[key] = v
    return v
  end
  for j = 0, nz - 1 do
    for i = 0, nx - 1 do
      local x, z = x0 + i * 0.5 + 0.25, z0 + j * 0.5 + 0.25
      if terrain.pond_reach(x, z) < 1.14 then
        local a, c, d, e = vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j)
        b:face(a, c, d, e)
      end
    end
  end
  return b
end

local function jetty(state)
  local j = layout.jetty
  local b = mesh.new(2048)
  local level = layout.pond.level
  local deck = level + 0.42
  local grey = srgb('#8B8378')
  b:place(j.x, 0, j.z, j.turn)
  local planks = floor(j.length / 0.21)
  local uneven = state.coarse > 1.4 and 0.004 or 0.02
  local broad = state.coarse > 1.4 and 0.204 or 0.19 -- gaps thinner than a pixel would be dots
  for i = 0, planks - 1 do
    local r = random(91, i, 1)
    local t = 0.72 + 0.4 * r
    b:color({ min(1, grey[1] * 2.1 * t), min(1, grey[2] * 2.1 * t), min(1, grey[3] * 2.1 * t) }, 0.95)
    b:box((i + 0.5) * 0.21 - 0.6, deck - 0.03 + uneven * (r - 0.5), 0.04 * (random(91, i, 2) - 0.5), broad, 0.05, 1.45,
      { turn = 0.03 * (r - 0.5), across = true, metres = 1.2, v = i * 0.37 })
  end
  b:color({ grey[1] * 1.2, grey[2] * 1.2, grey[3] * 1.2 }, 0.7)
  for side = -1, 1, 2 do
    b:beam(-0.5, deck - 0.12, side * 0.55, j.length - 0.7, deck - 0.12, side * 0.55, 0.1, 0.14, 1)
    for i = 0, 3 do
      local x = 0.2 + i * (j.length - 1.2) / 3
      local lean = 0.05 * (random(92, i, side + 2) - 0.5)
      local high = (i == 3 or i == 1) and 0.75 or 0.05
      b:tube({ { x, level - 2.4, side * 0.68, 0.075 }, { x + lean, deck + high, side * 0.68 + lean, 0.068 } }, 7, 1,
        true)
    end
  end
  b:place(0, 0, 0, 0)
  state.scene:mesh({ geometry = b:create(), material = state.materials.timber,
    node = state.scene:node({ name = 'jetty' }) })
  local c, s = cos(j.turn), sin(j.turn)
  local l = j.length / 2 - 0.6
  state.collision:floor(j.x + c * l, j.z - s * l, j.length / 2, 0.72, j.turn, deck)
end

local function lilies(state)
  local b = mesh.new(2048)
  local p = layout.pond
  local leaf, petal = srgb('#56743B'), srgb('#F0DCE0')
  for i = 1, 90 do
    local group = i % 4
    local a = ({ 2.2, 3.4, 4.9, 1.2 })[group + 1] + (random(93, i, 1) - 0.5) * 0.55
    local q = 0.62 + 0.22 * random(93, i, 2)
    local x, z = p.x + cos(a) * p.rx * q, p.z + sin(a) * p.rz * q
    local r = 0.13 + 0.14 * random(93, i, 3)
    local turn = random(93, i, 4) * 6.28
    local v = 0.75 + 0.4 * random(93, i, 5)
    local y = p.level + 0.022 + 0.006 * random(93, i, 6)
    -- young ones are yellower, old ones redden at the rim; each lies a little aslant, its rim turned up here and there
    local young, old = random(93, i, 7), random(93, i, 8) < 0.3 and 0.5 or 0.12
    local lr, lg, lb = leaf[1] * v * (0.85 + 0.4 * young), leaf[2] * v * (0.9 + 0.15 * young), leaf[3] * v * 0.85
    local ax, az = (random(93, i, 9) - 0.5) * 0.3, (random(93, i, 10) - 0.5) * 0.3
    local centre = b:vertex(x, y - 0.004, z, ax, 1, az, 0, 0, lr * 1.25, lg * 1.2, lb * 1.1, 1)
    for k = 0, 11 do
      local t = turn + 0.25 + k / 11 * 5.78
      local rim = r * (0.94 + 0.1 * random(94, i * 12 + k, 1))
      local up = 0.02 * random(94, i * 12 + k, 2) * random(94, i * 12 + k, 3)
      local shade = (k % 2 == 0 and 0.72 or 0.95) * (0.85 + 0.3 * random(94, i * 12 + k, 4))
      b:vertex(x + cos(t) * rim, y + up, z - sin(t) * rim, ax - cos(t) * 0.25, 1, az + sin(t) * 0.25, 0, 0,
        (lr + (0.3 - lr) * old * 0.6) * shade, lg * shade * (1 - old * 0.3), lb * shade, 1)
    end
    for k = 1, 11 do b:triangle(centre, centre + k, centre + k + 1) end
    if i % 7 == 0 then
      b:color(petal, 1)
      for ring = 0, 1 do
        for k = 0, 6 do
          local t = k / 7 * 6.2832 + ring * 0.45
          local out, up = ring == 0 and 0.1 or 0.055, ring == 0 and 0.05 or 0.085
          local sx, sz = -sin(t) * 0.03, -cos(t) * 0.03
          local cx, cz = cos(t), -sin(t)
          b:quad({ x + cx * 0.015, y + 0.02, z + cz * 0.015 }, { x + cx * out * 0.6 + sx, y + up * 0.6,
            z + cz * out * 0.6 + sz },
            { x + cx * out, y + up + 0.02, z + cz * out }, { x + cx * out * 0.6 - sx, y + up * 0.6, z + cz * out * 0.6
              - sz }, 1)
        end
      end
    end
  end
  state.scene:mesh({ geometry = b:create(), material = state.materials.flora, node = state.scene:node({}),
    casts_shadow = false })
end

function M.build(state)
  local p = layout.pond
  local s = state.scene
  s:mesh({ geometry = bed():create(), material = state.materials.pebbles, node = s:node({ name = 'bed' }),
    casts_shadow = false, draw_distance = state.coarse > 1.4 and 46 or nil })
  -- stones along the shore and in the shallows
  local group = rocks.new(state.coarse)
  for i = 1, 190 do
    local a = random(94, i, 1) * 6.2832
    local q = 0.86 + 0.24 * random(94, i, 2)
    local r = 1
    for _ = 1, 70 do
      r = r + 0.3
      if terrain.pond_reach(p.x + cos(a) * r, p.z + sin(a) * r) > q then break end
    end
    local size = 0.07 + 0.24 * random(94, i, 3) * random(94, i, 4) + (i % 31 == 0 and 0.34 or 0)
    local x, z = p.x + cos(a) * r, p.z + sin(a) * r
    group:add(x, terrain.height(x, z) - size * 0.22, z, size, i, p.level)
  end
  group:finish(state)
  jetty(state)
  lilies(state)
  state.water = water.create({
    level = p.level, min = { p.x - p.rx * 1.3, p.z - p.rz * 1.3 }, max = { p.x + p.rx * 1.3, p.z + p.rz * 1.3 },
      wave_height = 0.016,
    patch = 7, wind = { 1.6, -0.9 }, deep_color = { 0.028, 0.050, 0.034 }, absorption = { 0.95, 0.5, 0.62 },
      caustics = 1.1, foam = 0.012,
    glint = 0.22, seed = 5,
  })
  state.collision.water = {
    level = p.level, depth_max = 0.95, min = { p.x - p.rx * 1.3, p.z - p.rz * 1.3 },
      max = { p.x + p.rx * 1.3, p.z + p.rz * 1.3 },
  }
end

return M
