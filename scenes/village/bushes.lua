--- Bushes: domes of leaves along walls, fences and the wood's edge; some in blossom.
local maths = require('thatch.math')
local layout = require('village.layout')
local leaves = require('village.leaves')
local noise = require('village.noise')
local terrain = require('village.terrain')
local thinned = require('village.thinned')

local M = {}
local sqrt, max, min, floor = math.sqrt, math.max, math.min, math.floor
local cos, sin, random, srgb = maths.cos, maths.sin, maths.random, maths.srgb

local CLOSE = 9 -- metres

local KINDS = {
  { n = 5200, r = 0.85, h = 1.15, long = 0.085, wide = 0.06, color = srgb('#546B38'), tip = srgb('#86934F') },
  { n = 6000, r = 1.05, h = 1.7, long = 0.1, wide = 0.062, color = srgb('#5D6F40'), tip = srgb('#8E9A60') },
  { n = 5200, r = 0.8, h = 1.1, long = 0.075, wide = 0.06, color = srgb('#4F6638'), tip = srgb('#7C8C4A'),
    bloom = srgb('#D8707E') },
  { n = 4200, r = 0.7, h = 0.8, long = 0.08, wide = 0.05, color = srgb('#66764A'), tip = srgb('#9AA26A'),
    bloom = srgb('#EAE2D6') },
}

-- `twigs`: for levels that show few and large leaves.
local function bush(kind, seed, twigs)
  local list = leaves.new(kind.n, twigs)
  local c0, c1 = kind.color, kind.tip
  for i = 0, kind.n - 1 do
    local ux, uy, uz = leaves.direction(seed, i, 1)
    if uy < 0 then uy = -uy * 0.7 end
    local lump = 0.78 + 0.34 * noise.space(ux * 2.1 + seed, uy * 2.1, uz * 2.1, 15)
    local depth = random(seed, i, 4)
    local q = lump * (1.05 - 0.5 * depth * depth)
    local x, y, z = ux * kind.r * q, 0.02 + uy * kind.h * q, uz * kind.r * q
    local tx, ty, tz = leaves.direction(seed, i, 5)
    local dx, dy, dz = tx + ux * 0.5, ty * 0.8 + uy * 0.4, tz + uz * 0.5
    local dl = max(sqrt(dx * dx + dy * dy + dz * dz), 1e-4)
    local nl = sqrt(ux * ux + (uy + 0.2) * (uy + 0.2) + uz * uz)
    local shell = 1 - depth * depth
    local low = min(1, y / (kind.h * 0.5))
    local v = 0.82 + 0.34 * random(seed, i, 7)
    local t = random(seed, i, 8) * 0.5 + 0.45 * uy * shell
    local r, g, b = (c0[1] + (c1[1] - c0[1]) * t) * v, (c0[2] + (c1[2] - c0[2]) * t) * v, (c0[3] + (c1[3] - c0[3]) * t)
      * v
    local long, wide = kind.long * (0.75 + 0.5 * random(seed, i, 9)), kind.wide
    if kind.bloom and i % 19 == 3 and depth < 0.5 then
      r, g, b = kind.bloom[1] * v, kind.bloom[2] * v, kind.bloom[3] * v
      long, wide = 0.065, 0.065
    end
    if twigs then long, wide = long * 1.12, wide * 1.15 end
    list:add(x, y, z, dx / dl, dy / dl, dz / dl, ux / nl, (uy + 0.2) / nl, uz / nl, long, wide, min(r, 1), min(g, 1),
      min(b, 1),
      0.35 + 0.65 * shell * (0.4 + 0.6 * low), (0.3 + 0.7 * shell) * (0.4 + 0.6 * low),
      min(1, 0.1 + 0.4 * uy), twigs and 0.15 or 0.4)
  end
  return list:create()
end

-- At the houses' corners and backs.
local function by_houses(plant)
  for i = 1, #layout.houses do
    local h = layout.houses[i]
    for k = 1, 9 do
      local side = random(1401, i, k)
      local lx, lz
      if side < 0.3 then lx, lz = h.w / 2 + 0.75, (random(1402, i, k) - 0.5) * h.d * 0.8
      elseif side < 0.6 then lx, lz = -h.w / 2 - 0.75, (random(1402, i, k) - 0.5) * h.d * 0.8
      elseif side < 0.9 then lx, lz = (random(1402, i, k) - 0.5) * h.w * 0.9, -h.d / 2 - 0.8
      else lx, lz = (k % 2 == 0 and 1 or -1) * (h.w / 2 - 0.5), h.d / 2 + 0.75 end
      local x, z = h.x + lx * h.c + lz * h.s, h.z + lz * h.c - lx * h.s
      if terrain.way(x, z) > 0.7 and terrain.house(x, z) > 0.35 then
        plant(x, z, 1 + floor(random(1403, i, k) * 4), 0.62 + 0.5 * random(1404, i, k))
      end
    end
  end
end

-- Loose groups in the meadow and below the cliff.
local function in_groups(plant)
  for i = 1, 60 do
    local a, r = random(1405, i, 1) * 6.2832, 24 + 78 * random(1405, i, 2)
    local x, z = cos(a) * r, sin(a) * r
    if noise.fbm(x / 30, z / 30, 2, 58) > -0.05 then
      for k = 1, 3 do
        local px, pz = x + (random(1406, i, k) - 0.5) * 4.4, z + (random(1407, i, k) - 0.5) * 4.4
        local clear = terrain.way(px, pz) > 1.6 and terrain.house(px, pz) > 1.4 and terrain.pond_reach(px, pz) > 1.3
        if clear and terrain.cliff_x(pz) - px > 2.5 then
          plant(px, pz, 1 + floor(random(1408, i, k) * 2), 0.8 + 0.75 * random(1409, i, k))
        end
      end
    end
  end
end

function M.build(state)
  local made = {}
  for i = 1, #KINDS do made[i] = bush(KINDS[i], 1300 + i, state.coarse > 1.4) end
  local fine = thinned.fine('bush', state.quality)
  local leaf = state.coarse > 1.4 and state.materials.sprig or state.materials.leaf
  local light = state.coarse > 1.4 and 1.15 or 1
  local n = 0
  local function plant(x, z, kind, scale)
    n = n + 1
    local half = random(1400, n, 1) * 3.14159
    local tall = scale * (0.85 + 0.3 * random(1400, n, 2))
    local node = state.scene:node({})
    node:set_transform({
      position = { x, state.height(x, z) - 0.08, z }, rotation = { 0, sin(half), 0, cos(half) },
        scale = { scale, tall, scale },
    })
    local w = random(1400, n, 3) - 0.5
    local tint = { (1 + w * 0.24) * light, (1 + w * 0.06) * light, (1 - w * 0.2) * light }
    thinned.mesh(state, 'bush', { -- beside it: leaves of their own size
      geometry = made[kind], material = leaf, node = node, tint = tint, item_size = 0.07 * fine * 2.6,
      item_share_min = 0.05, item_grow_max = 1.5, draw_distance = CLOSE * 1.25,
    })
    thinned.mesh(state, 'bush', {
      geometry = made[kind], material = leaf, node = node, tint = tint, item_size = 0.07 * fine,
      item_share_min = fine < 0.2 and 0.008 or 0.015, item_grow_max = fine < 0.2 and 5.6 or 4.5, draw_distance = 120,
      near_distance = CLOSE,
    })
  end
  by_houses(plant)
  in_groups(plant)
  state.bushes = n
end

return M
