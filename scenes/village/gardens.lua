--- What grows and lies close to the houses: ivy on gables, vegetable beds, the cobbles round the well.
local maths = require('thatch.math')
local layout = require('village.layout')
local leaves = require('village.leaves')
local mesh = require('village.mesh')
local noise = require('village.noise')
local terrain = require('village.terrain')

local M = {}
local sqrt, min, floor = math.sqrt, math.min, math.floor
local cos, sin, random, srgb = maths.cos, maths.sin, maths.random, maths.srgb

local IVY, IVY_TIP = srgb('#4A6434'), srgb('#7C8C46')

-- Leaves over a blind gable, in the house's own space: thick at the foot, thinning upward, over the stack too.
local function ivy(house, seed)
  local n = 4200
  local list = leaves.new(n)
  local x0, deep = -house.w / 2, house.d
  local stack = house.plan == 'long' and 0.2 or -0.3
  for i = 0, n - 1 do
    local z = (random(seed, i, 1) - 0.5) * (deep + 0.1)
    local reach = 1.2 + 2.6 * (0.5 + 0.5 * noise.plane(z * 0.9, seed, 61)) - 0.8 * noise.plane(z * 3.1, seed, 62)
    local up = random(seed, i, 2)
    local y = reach * (1 - sqrt(1 - up))
    local roof = 2.6 + (deep / 2 - (z < 0 and -z or z)) * 0.9
    if y > roof then y = roof * up end
    local x = x0 - 0.03 - 0.09 * random(seed, i, 3)
    local off = z - stack
    if off > -0.86 and off < 0.86 and y < 2.2 then x = x - 0.42 end
    local dx, dy, dz = -0.25, random(seed, i, 4) * 0.9 - 0.75, random(seed, i, 5) * 1.6 - 0.8
    local dl = sqrt(dx * dx + dy * dy + dz * dz)
    local nx, ny, nz = -0.8, 0.35 + 0.3 * random(seed, i, 6), random(seed, i, 7) * 0.8 - 0.4
    local nl = sqrt(nx * nx + ny * ny + nz * nz)
    local t, v = random(seed, i, 8) * 0.8, 0.78 + 0.4 * random(seed, i, 9)
    local size = 0.8 + 0.5 * random(seed, i, 10)
    list:add(x, y, z, dx / dl, dy / dl, dz / dl, nx / nl, ny / nl, nz / nl, 0.1 * size, 0.085 * size,
      min(1, (IVY[1] + (IVY_TIP[1] - IVY[1]) * t) * v), min(1, (IVY[2] + (IVY_TIP[2] - IVY[2]) * t) * v),
      min(1, (IVY[3] + (IVY_TIP[3] - IVY[3]) * t) * v), 0.75 + 0.25 * t, 0.5 + 0.5 * t, 0.12, 0.5)
  end
  return list:create()
end

-- A head of cabbage or a tuft of greens: leaves round a middle.
local function greens(seed, color, tip, tall)
  local n = 120
  local list = leaves.new(n)
  for i = 0, n - 1 do
    local ux, uy, uz = leaves.direction(seed, i, 1)
    uy = uy < 0 and -uy or uy
    local q = 0.6 + 0.4 * random(seed, i, 4)
    local r = 0.17
    local x, y, z = ux * r * q, 0.03 + uy * r * tall * q, uz * r * q
    local dx, dy, dz = ux, 0.5 + uy * tall * 0.5, uz
    local dl = sqrt(dx * dx + dy * dy + dz * dz)
    local t, v = random(seed, i, 5), 0.8 + 0.35 * random(seed, i, 6)
    local nl = 1 / sqrt(ux * ux * 0.64 + 0.36 + uz * uz * 0.64)
    list:add(x, y, z, dx / dl, dy / dl, dz / dl, ux * 0.8 * nl, 0.6 * nl, uz * 0.8 * nl, 0.15, 0.11,
      min(1, (color[1] + (tip[1] - color[1]) * t) * v), min(1, (color[2] + (tip[2] - color[2]) * t) * v),
      min(1, (color[3] + (tip[3] - color[3]) * t) * v), 0.55 + 0.45 * q, 0.45 + 0.55 * q, 0.05, 0.6)
  end
  return list:create()
end

-- Raised rows of dark soil with plants on them. bed: { x, z, turn, length, rows }.
local function bed(state, kinds, spec, seed)
  local b = mesh.new(512)
  local x0, z0, turn, length, rows = spec[1], spec[2], spec[3], spec[4], spec[5]
  local c, s = cos(turn), sin(turn)
  local soil = srgb('#5A4936')
  for j = 0, rows - 1 do
    local lz = (j - (rows - 1) / 2) * 0.62
    local steps = floor(length / 0.4)
    local first = b.count
    for i = 0, steps do
      local lx = (i / steps - 0.5) * length
      local v = 0.8 + 0.3 * noise.plane(lx * 2, j * 3.7 + seed, 63)
      for k = 0, 4 do
        local across = (k - 2) * 0.15
        local up = k == 2 and 0.13 or (k == 1 or k == 3) and 0.09 or -0.06
        up = up + 0.02 * noise.plane(lx * 5, k + j * 9, 64)
        local px, pz = x0 + lx * c + (lz + across) * s, z0 + (lz + across) * c - lx * s
        local side = (k - 2) * 0.3
        local nl = 1 / sqrt(1 + side * side)
        b:vertex(px, state.height(px, pz) + up, pz, side * s * nl, nl, side * c * nl, lx / 1.3, across / 1.3,
          min(1, soil[1] * v * 1.7), min(1, soil[2] * v * 1.7), min(1, soil[3] * v * 1.7), k == 2 and 1 or 0.8)
      end
    end
    b:sheet(first, steps, 5)
    local kind = kinds[1 + (j + seed) % #kinds]
    for i = 0, floor(length / 0.46) - 1 do
      local lx = -length / 2 + 0.3 + i * 0.46
      local px, pz = x0 + lx * c + lz * s, z0 + lz * c - lx * s
      local half = random(seed, j * 32 + i, 3) * 3.14
      local size = 0.75 + 0.5 * random(seed, j * 32 + i, 4)
      local node = state.scene:node({})
      node:set_transform({
        position = { px, state.height(px, pz) + 0.1, pz }, rotation = { 0, sin(half), 0, cos(half) },
          scale = { size, size, size },
      })
      state.scene:mesh({
        geometry = kind, material = state.materials.leaf, node = node, item_size = 0.06, item_share_min = 0.12,
          item_grow_max = 2.6,
        draw_distance = 48, casts_shadow = false,
      })
    end
  end
  state.scene:mesh({
    geometry = b:create(), material = state.materials.ground, node = state.scene:node({ name = 'bed' }),
      casts_shadow = false, draw_distance = 110,
  })
end

-- Round stones set in the square about the well; the rim goes under the ground.
local function cobbles(state)
  local b = mesh.new(2048)
  local w = layout.well
  local rings, sides = 14, 40
  for j = 0, rings do
    local r = 0.95 + j * 0.2
    for i = 0, sides do
      local a = (i % sides) / sides * 6.283185307
      local x, z = w.x + cos(a) * r, w.z + sin(a) * r
      local rim = r + 0.55 * noise.plane(cos(a) * 2.2 + 5, sin(a) * 2.2, 65)
      local nx, ny, nz = terrain.normal(x, z, 0.5)
      local v = 0.95 + 0.12 * noise.plane(x * 0.9, z * 0.9, 66)
      local near = maths.smoothstep(0.9, 1.5, r)
      local y = state.height(x, z) + 0.045 - 0.11 * maths.smoothstep(2.7, 3.5, rim)
      local dust = maths.smoothstep(2.0, 3.2, rim) * 0.5
      b:vertex(x, y, z, nx, ny, nz, x / 1.9, z / 1.9, min(1, v * (1 - dust * 0.1)), min(1, v * 0.95),
        min(1, v * (0.9 - dust * 0.15)),
        0.6 + 0.4 * near)
    end
  end
  b:sheet(0, rings, sides + 1)
  state.scene:mesh({
    geometry = b:create(), material = state.materials.pebbles, node = state.scene:node({ name = 'cobbles' }),
      casts_shadow = false,
  })
end

-- A patch must lie where nothing else grows: grass asks.
M.beds = {
  { 19.6, 43.6, 0.12, 6.0, 5 }, { -15.6, 44.2, 1.5, 5.4, 4 }, { 12.6, 22.0, 0.1, 5.6, 5 }, { 24.8, -3.6, 0.1, 5.0, 4 },
    { -21.6, -20.5, 1.65, 6.4, 5 },
  { -9.2, -27.4, 0.5, 4.6, 4 },
}

--- Is a point in a vegetable bed?
function M.within(x, z)
  for i = 1, #M.beds do
    local q = M.beds[i]
    local c, s = cos(q[3]), sin(q[3])
    local dx, dz = x - q[1], z - q[2]
    local lx, lz = dx * c - dz * s, dx * s + dz * c
    local hx, hz = q[4] / 2 + 0.2, q[5] * 0.31 + 0.15
    if lx > -hx and lx < hx and lz > -hz and lz < hz then return true end
  end
  return false
end

function M.build(state)
  local climbers = { 'thatched cottage', 'smith', 'widow', 'long house' }
  for i = 1, #climbers do
    local entry = state.buildings[climbers[i]]
    state.scene:mesh({
      geometry = ivy(entry.house, 1500 + i), material = state.materials.leaf, node = entry.node, item_size = 0.07,
        item_share_min = 0.05,
      item_grow_max = 3, draw_distance = 130,
    })
  end
  local kinds = {
    greens(1601, srgb('#6E8A6A'), srgb('#A9BC94'), 1.0), greens(1602, srgb('#4F7034'), srgb('#86A04C'), 1.7),
    greens(1603, srgb('#6A4A50'), srgb('#8E9A5A'), 1.2),
  }
  for i = 1, #M.beds do bed(state, kinds, M.beds[i], i) end
  cobbles(state)
end

return M
