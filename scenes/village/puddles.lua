--- Puddles in the ways' ruts, seen while it rains: thin films over the ground that hold the sky's grey, clear at their
--- rims.
local buffer = require('thatch.buffer')
local geometry = require('thatch.geometry')
local material = require('thatch.material')
local maths = require('thatch.math')
local layout = require('village.layout')
local terrain = require('village.terrain')

local M = {}
local sqrt, random = maths.sqrt, maths.random
local GRID = 3 -- cells of a puddle, each way
local APART, CELL, SEEN = 2.3, 48, 60 -- metres: between two places to look at, of a group, of sight

local function new_group()
  return { pos = buffer.floats(64), nor = buffer.floats(64), uv = buffer.floats(64), idx = buffer.u32(64), count = 0 }
end

-- A patch that lies on the ground, for the texture's blot.
local function puddle(g, x, z, dx, dz, long, wide)
  local first = g.count
  for j = 0, GRID do
    for i = 0, GRID do
      local u, v = (i / GRID * 2 - 1) * long, (j / GRID * 2 - 1) * wide
      local px, pz = x + dx * u - dz * v, z + dz * u + dx * v
      g.pos:push(px, terrain.height(px, pz) + 0.022, pz)
      g.nor:push(0, 1, 0)
      g.uv:push(i / GRID, j / GRID)
      g.count = g.count + 1
    end
  end
  for j = 0, GRID - 1 do
    for i = 0, GRID - 1 do
      local a = first + j * (GRID + 1) + i
      g.idx:push(a, a + GRID + 1, a + GRID + 2)
      g.idx:push(a, a + GRID + 2, a + 1)
    end
  end
end

function M.build(state)
  local groups, order = {}, {}
  local n = 0
  for w = 1, #layout.ways do
    local way = layout.ways[w]
    for s = 1, #way - 1 do
      local a, b = way[s], way[s + 1]
      local dx, dz = b[1] - a[1], b[2] - a[2]
      local length = sqrt(dx * dx + dz * dz)
      dx, dz = dx / length, dz / length
      for i = 1, math.floor(length / APART) do
        n = n + 1
        local along, side = (i - random(621, n, 1)) * APART, random(621, n, 2) < 0.5 and -1 or 1
        local half = a[3] + (b[3] - a[3]) * along / length
        local out = side * (0.35 + 0.5 * random(621, n, 3)) * half
        local x, z = a[1] + dx * along - dz * out, a[2] + dz * along + dx * out
        local level = math.abs(terrain.height(x + 0.6, z) - terrain.height(x - 0.6, z))
          + math.abs(terrain.height(x, z + 0.6) - terrain.height(x, z - 0.6))
        if random(621, n, 4) < 0.62 and level < 0.14 and terrain.house(x, z) > 1 and terrain.way(x, z) < -0.3 then
          local key = math.floor(x / CELL) .. ' ' .. math.floor(z / CELL)
          if not groups[key] then
            groups[key] = new_group()
            order[#order + 1] = groups[key]
          end
          local size = 0.36 + 0.7 * random(621, n, 5) * random(621, n, 6)
          puddle(groups[key], x, z, dx, dz, size * (1.3 + 1.2 * random(621, n, 7)), size)
        end
      end
    end
  end
  state.puddle_material = material.create({ kind = 'basic', name = 'puddle', alpha = 'blend', opacity = 0.38,
    map = state.maps.blot, two_sided = true })
  state.puddles = {}
  local node = state.scene:node({ name = 'puddles' })
  for i = 1, #order do
    local g = order[i]
    state.puddles[i] = state.scene:mesh({
      geometry = geometry.create({ positions = g.pos, normals = g.nor, uvs = g.uv, indices = g.idx }),
      material = state.puddle_material, node = node, casts_shadow = false, receives_shadow = false,
      draw_distance = SEEN,
    })
    state.puddles[i]:set_visible(false)
  end
end

--- Shown while it rains, as light as the day.
function M.update(state)
  local raining = state.rain > 0
  if raining ~= (state.puddles_shown or false) then
    state.puddles_shown = raining
    for i = 1, #state.puddles do state.puddles[i]:set_visible(raining) end
  end
  if raining and state.puddle_day ~= state.day then
    state.puddle_day = state.day
    local v = 0.012 + 0.36 * state.day
    state.puddle_material:set({ color = { v * 0.95, v, v * 1.07 } })
  end
end

return M
