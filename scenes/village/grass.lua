--- The field: patches of blades and drifts of flowers, shared by thousands of nodes that lie along the ground's slope.
local ffi = require('ffi')
local maths = require('thatch.math')
local blades = require('village.blades')
local gardens = require('village.gardens')
local land = require('village.ground')
local terrain = require('village.terrain')
local thinned = require('village.thinned')
local noise = require('village.noise')
local layout = require('village.layout')

local M = {}
local sqrt, min, max, floor, abs = math.sqrt, math.min, math.max, math.floor, math.abs
local sin, cos, random, srgb = maths.sin, maths.cos, maths.random, maths.srgb

local REACH = 112 -- the meadow's half side

local TALL = { low = 0.24, high = 0.62, wide = 0.017, seeds = 0.07, lean = 0.42 }
local SHORT = { low = 0.09, high = 0.26, wide = 0.014, seeds = 0.012, lean = 0.5 }
local REED = { low = 0.9, high = 1.9, wide = 0.03, seeds = 0.16, lean = 0.16 }

local FLOWERS = {
  { size = 0.042, low = 0.3, high = 0.58, cup = 0.45, petal = srgb('#C9442F'), heart = srgb('#3A1712'), salt = 81,
    above = 0.34, count = 46 },
  { size = 0.027, low = 0.28, high = 0.55, cup = 0.3, petal = srgb('#5E70B4'), heart = srgb('#39346F'), salt = 84,
    above = 0.36, count = 54 },
  { size = 0.026, low = 0.1, high = 0.3, cup = 0.05, petal = srgb('#F1EEE2'), heart = srgb('#DDB23C'), salt = 87,
    above = 0.30, count = 80 },
  { size = 0.023, low = 0.12, high = 0.34, cup = 0.3, petal = srgb('#E0C24A'), heart = srgb('#B98A28'), salt = 90,
    above = 0.36, count = 64 },
}
local LAVENDER = { size = 0.02, low = 0.3, high = 0.52, cup = 0, spike = 0.09, petal = srgb('#7D68A8'),
  heart = srgb('#9A86C4'), stem = 0.006 }

-- Is there room for grass at a point?
local function free(x, z)
  if terrain.way(x, z) < 0.25 + 0.5 * noise.plane(x / 1.1, z / 1.1, 45) then return false end
  if terrain.house(x, z) < 0.12 then return false end
  if terrain.pond_reach(x, z) < 1.13 then return false end
  if gardens.within(x, z) then return false end
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
  local mean = (terrain.height(x + h, z) + terrain.height(x - h, z) + terrain.height(x, z + h)
    + terrain.height(x, z - h)) * 0.25
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

local VARIANTS = { [4] = 4, [2] = 3, [1] = 2 } -- of a patch, by its size

-- Patches of tall and short grass, by size and variant.
local function grow_patches(coarse)
  local tall, short = { [4] = {}, [2] = {}, [1] = {} }, { [4] = {}, [2] = {}, [1] = {} }
  for i, size in ipairs({ 4, 2, 1 }) do
    for v = 1, VARIANTS[size] do
      tall[size][v] = blades.patch(size, 118, TALL, 500 + i * 20 + v, coarse)
      short[size][v] = blades.patch(size, 132, SHORT, 600 + i * 20 + v, coarse)
    end
  end
  return tall, short
end

-- One patch, the `count`th: short where it is trodden, of the ground's colour.
local function sow(state, tall, short, fine, count, x, z, size)
  local d = min(terrain.way(x, z), terrain.house(x, z))
  local worn = d + 2.6 * noise.plane(x / 9, z / 9, 95)
  local low = worn < 4.2
  local set = low and short or tall
  local turn = floor(random(71, count, 1) * 8)
  local high = (low and 0.72 + 0.4 * min(1, max(0, d) / 2) or 0.74) + 0.34 * random(71, count, 2) + 0.3
    * noise.plane(x / 14, z / 14, 96)
  local node = stand(state, x, z, size, turn, max(0.45, high))
  local r, g, b = land.grass_color(x, z)
  local v = 1.72
  thinned.mesh(state, 'grass', {
    geometry = set[size][1 + floor(random(71, count, 3) * VARIANTS[size])], material = state.materials.grass,
    node = node, tint = { min(4, r * v), min(4, g * v), min(4, b * v) }, casts_shadow = false,
    draw_distance = (low and 62 or 84) * (fine < 0.8 and 0.72 or 1), item_size = 0.032 * fine,
    item_share_min = fine < 0.8 and 0.027 or fine < 1 and 0.035 or 0.05, item_grow_max = fine < 0.8 and 4.4 or 3.4,
  })
end

-- The meadow: squares of 4 m, divided where there is no room for all of one.
local function meadow(state, fine)
  local tall, short = grow_patches(state.coarse > 1.4)
  local count = 0
  local function put(x, z, size)
    count = count + 1
    sow(state, tall, short, fine, count, x, z, size)
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
    if all then return put(x, z, size) end
    if size == 1 then
      if free(x, z) then put(x, z, 1) end
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
end

-- Flowers, in drifts.
local function flowers(state, fine)
  local kinds = {}
  for k = 1, #FLOWERS do kinds[k] = blades.flowers(3.2, FLOWERS[k].count, FLOWERS[k], 700 + k) end
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
            thinned.mesh(state, 'grass', {
              geometry = kinds[k], material = state.materials.grass, node = node, casts_shadow = false,
              draw_distance = fine < 0.8 and 50 or 75, item_size = 0.05 * fine,
              item_share_min = fine < 0.8 and 0.1 or 0.2, item_grow_max = 1.9,
            })
          end
        end
      end
    end
  end
  state.flower_patches = placed
end

-- Lavender along some walls, but not before the door.
local function lavender(state)
  local bush = blades.flowers(0.7, 60, LAVENDER, 760)
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
            geometry = bush, material = state.materials.grass, node = node, casts_shadow = false, draw_distance = 50,
            item_size = 0.09, item_share_min = 0.25, item_grow_max = 1.4,
          })
        end
      end
    end
  end
end

-- Out from the pond's middle along a ray until its shape reaches so far.
local function on_shore(angle, reach)
  local p, r = layout.pond, 0
  for _ = 1, 60 do
    r = r + 0.35
    if terrain.pond_reach(p.x + cos(angle) * r, p.z + sin(angle) * r) > reach then break end
  end
  return p.x + cos(angle) * r, p.z + sin(angle) * r
end

-- Reeds in the shallows; none by the jetty, nor where one looks over the water.
local function reeds(state)
  local kinds = { blades.patch(1.3, 62, REED, 801), blades.patch(1.3, 62, REED, 802) }
  local tint = srgb('#76804A')
  for i = 0, 139 do
    local a = i / 140 * 6.2832
    local thick = noise.plane(cos(a) * 2.6 + 7, sin(a) * 2.6 + 3, 97)
    local jetty = a < 0.5 or a > 5.6
    local view = a > 1.75 and a < 2.75
    if thick > 0.0 and not jetty and not view then
      for k = 0, 1 do
        local x, z = on_shore(a, 0.93 + 0.1 * k + 0.06 * random(76, i, k))
        local node = stand(state, x, z, 1.2, (i + k) % 8, 0.8 + 0.4 * random(76, i, k + 5))
        local v = 1.5 + 0.5 * random(76, i, k + 9)
        state.scene:mesh({
          geometry = kinds[1 + (i + k) % 2], material = state.materials.grass, node = node,
          tint = { tint[1] * v, tint[2] * v, tint[3] * v },
          draw_distance = 120, item_size = 0.06, item_share_min = 0.2, item_grow_max = 2.4, casts_shadow = false,
        })
      end
    end
  end
end

--- Sows all that stands in the grass.
function M.build(state)
  local fine = thinned.fine('grass', state.quality)
  meadow(state, fine)
  flowers(state, fine)
  lavender(state)
  reeds(state)
end

return M
