--- What people left about: fences, the well, a cart, woodpiles, barrels, benches, lanterns, signs, washing, hay,
--- boulders.
local maths = require('thatch.math')
local layout = require('village.layout')
local mesh = require('village.mesh')
local rocks = require('village.rocks')
local terrain = require('village.terrain')
local works = require('village.works')
local yard = require('village.yard')

local M = {}
local floor = math.floor
local cos, sin, random = maths.cos, maths.sin, maths.random

---@class village.Props
local Props = {}
Props.__index = Props

-- One builder a material and a cell of 48 m, so that a group out of sight is left out whole.
function Props:part(name, x, z)
  local key = name .. ' ' .. floor(x / 48) .. ' ' .. floor(z / 48)
  local b = self.parts[key]
  if not b then
    b = mesh.new(1024)
    b.material = name
    self.parts[key] = b
    self.order[#self.order + 1] = b
  end
  return b
end

local function ground(x, z) return terrain.height(x, z) end

for _, name in ipairs({ 'barrel', 'bench', 'woodpile', 'lantern', 'signpost', 'washing' }) do
  Props[name] = yard[name]
end
for _, name in ipairs({ 'fence', 'wall', 'well', 'cart', 'haystack' }) do Props[name] = works[name] end

-- Fences of gardens and paddocks, and dry walls: points, a seed and the fences' kind.
local FENCES = {
  { { { -4.6, 47.5 }, { -4.2, 41 }, { -16, 40.2 } }, 1, 'pales' },
  { { { 4.6, 41.5 }, { 13, 40.5 }, { 21, 41 }, { 22, 34 } }, 2, 'pales' },
  { { { 4.2, 24.8 }, { 3.2, 20.5 }, { 13.5, 19 }, { 20, 19.5 } }, 3, 'pales' },
  { { { 18.4, -6.2 }, { 30, -8.6 }, { 31, 6 }, { 27, 14 } }, 4 },
  { { { 31.5, -14.2 }, { 30, -32 }, { 44, -38 }, { 56, -32 }, { 53.5, -19 } }, 5 },
  { { { -34, -16.6 }, { -34.6, -38 }, { -52, -38.5 }, { -53, -17 }, { -37, -15.8 } }, 6 },
  { { { -20.4, 22.2 }, { -19.6, 33 }, { -22, 46 } }, 7 },
  { { { 16, 74 }, { 14.5, 60.8 } }, 8 },
  { { { 6.2, 78 }, { 3, 66 }, { -3.2, 61.8 }, { -16, 62.6 } }, 9 },
}
local WALLS = {
  { { { 14.4, -13.6 }, { 15.6, -17.2 } }, 11 },
  { { { -6.6, -12.8 }, { -13.6, -14.4 } }, 12 },
  { { { 4.2, -46.2 }, { 7.6, -53 }, { 12, -58.5 } }, 13 },
  { { { -6, -46.8 }, { -9.6, -48.4 } }, 14 },
  { { { 2.9, 35.6 }, { 4.3, 39.4 }, { 8.0, 40.4 } }, 15 },
}

-- About the houses: by name, a side (f front, b back, l left, r right), metres along it from its middle, metres out;
-- of a woodpile also its length and its rows.
local BARRELS = {
  { 'inn', 'f', -3.9, 0.5 }, { 'inn', 'f', -4.6, 0.55 }, { 'inn', 'r', 2.0, 0.5 }, { 'smith', 'f', 3.9, 0.5 },
  { 'smith', 'f', 4.4, 0.95 }, { 'tall brick house', 'f', -3.8, 0.5 }, { 'barn', 'f', -5.9, 0.5 },
  { 'barn', 'f', -6.6, 0.55 }, { 'miller', 'f', 3.7, 0.5 }, { 'weaver', 'r', 2.4, 0.5 }, { 'stable', 'r', 1.4, 0.5 },
  { 'carpenter', 'f', -3.6, 0.5 }, { 'farmhouse', 'f', 5.4, 0.5 },
}
local BENCHES = {
  { 'inn', 'f', 2.0, 0.42 }, { 'blue house', 'f', 2.3, 0.42 }, { 'brick cottage', 'f', 1.1, 0.42 },
  { 'long house', 'f', 1.6, 0.42 }, { 'widow', 'f', 1.2, 0.42 }, { 'weaver', 'f', -1.6, 0.42 },
}
local PILES = {
  { 'smith', 'b', -2.9, 0.42, 1.9, 6 }, { 'weaver', 'r', -2.1, 0.42, 1.8, 6 }, { 'carpenter', 'r', 1.9, 0.42, 1.9, 5 },
  { 'thatched cottage', 'r', 1.9, 0.42, 1.9, 6 }, { 'farmhouse', 'r', 2.1, 0.42, 1.9, 6 },
  { 'barn', 'r', -2.4, 0.42, 3.2, 7 }, { 'miller', 'r', 2.2, 0.42, 1.9, 5 }, { 'long house', 'r', -1.9, 0.42, 1.8, 5 },
  { 'north house', 'r', 2.1, 0.42, 1.8, 6 }, { 'brick cottage', 'r', -1.9, 0.42, 1.8, 5 },
}

-- Out in the open: x, z and what else each takes.
local OPEN_BENCHES = { { 7.4, 0.6, 0.5 }, { 1.0, -0.4, -0.5 }, { -31.6, 31.6, 2.2 } }
local LANTERNS = { { -10.4, 20.2 }, { 7.2, 8.4 }, { -6.4, 10.6 }, { 14.2, -12.0 }, { 5.4, 46.4 }, { 5.4, -40.2 },
  { -32.2, 23.2 } }
local SIGNPOSTS = { { -5.4, 20.2, 0, { 0.2, 1.5, 3.0 } }, { 11.8, -10.4, 0.4, { 0.1, 1.9 } },
  { 12.4, 70, 0.6, { 1.1, -1.7 } } }
local CARTS = { { 9.4, 15.8, 2.2 }, { 50.4, -13.6, 0.4 } }
local HAYSTACKS = { { 34.5, -27, 1.7, 1 }, { 38.6, -33.5, 1.5, 2 }, { -46, -14, 1.7, 3 }, { -52, -9.5, 1.5, 4 },
  { 34, 3, 1.5, 5 } }
local WASHING = { { 16.8, 22.4, 22.6, 24.4 }, { -18.2, 40.2, -18.6, 46.4 }, { -4.4, -27.4, -9.6, -28.6 } }

-- A place by a house's wall, and the turn that faces away from it.
local function by_wall(name, side, along, out)
  local h
  for i = 1, #layout.houses do
    if layout.houses[i].name == name then h = layout.houses[i] end
  end
  local lx, lz, turn
  if side == 'f' then lx, lz, turn = along, h.d / 2 + out, 0
  elseif side == 'b' then lx, lz, turn = along, -h.d / 2 - out, 3.14159265
  elseif side == 'r' then lx, lz, turn = h.w / 2 + out, along, 1.57079633
  else lx, lz, turn = -h.w / 2 - out, along, -1.57079633 end
  return h.x + lx * h.c + lz * h.s, h.z + lz * h.c - lx * h.s, h.turn + turn
end

-- All that people made.
local function set_out(p)
  local function all(list, make)
    for i = 1, #list do make(p, unpack(list[i])) end
  end
  p:well(layout.well.x, layout.well.z, 0.5)
  all(FENCES, p.fence)
  all(WALLS, p.wall)
  for i = 1, #BARRELS do
    local x, z = by_wall(unpack(BARRELS[i]))
    p:barrel(x, z, i)
  end
  for i = 1, #BENCHES do p:bench(by_wall(unpack(BENCHES[i]))) end
  all(OPEN_BENCHES, p.bench)
  for i = 1, #PILES do
    local s = PILES[i]
    local x, z, turn = by_wall(s[1], s[2], s[3], s[4])
    p:woodpile(x, z, turn, s[5], s[6], i)
  end
  all(LANTERNS, p.lantern)
  all(SIGNPOSTS, p.signpost)
  all(CARTS, p.cart)
  all(HAYSTACKS, p.haystack)
  all(WASHING, p.washing)
end

local function add_meshes(p, state)
  for i = 1, #p.order do
    local b = p.order[i]
    local g = b:create()
    if g then
      state.scene:mesh({
        geometry = g, material = state.materials[b.material], node = state.scene:node({ name = 'props' }),
        casts_shadow = b.material ~= 'lamp',
        draw_distance = b.material ~= 'lamp' and state.coarse > 1.4 and 64 or nil,
      })
    end
  end
end

-- Boulders in the meadow, smaller ones about each.
local function scatter(group)
  for i = 1, 46 do
    local a, r = random(98, i, 1) * 6.2832, 16 + 80 * random(98, i, 2)
    local x, z = cos(a) * r, sin(a) * r
    if terrain.way(x, z) > 1.2 and terrain.house(x, z) > 1.5 and terrain.pond_reach(x, z) > 1.2 then
      local size = 0.22 + 0.85 * random(98, i, 3) * random(98, i, 4)
      group:add(x, ground(x, z) - size * 0.12, z, size, i + 300)
      for k = 1, 3 do
        local b = random(98, i, 10 + k) * 6.28
        local q = size * (1.1 + 0.8 * random(98, i, 20 + k))
        local px, pz = x + cos(b) * q, z + sin(b) * q
        local s = size * (0.2 + 0.22 * random(98, i, 30 + k))
        if terrain.way(px, pz) > 0.4 then group:add(px, ground(px, pz) - s * 0.2, pz, s, i * 4 + k + 900) end
      end
    end
  end
end

-- A fall of boulders at the cliff's foot.
local function scree(group)
  for i = 1, 210 do
    local z = -120 + 215 * random(99, i, 1)
    local q = random(99, i, 2)
    local x = terrain.cliff_x(z) - 1.5 - 11 * q * q
    local size = (0.25 + 1.5 * random(99, i, 3) * random(99, i, 4)) * (1.2 - 0.7 * q)
    if terrain.way(x, z) > 0.5 then group:add(x, ground(x, z) - size * 0.15, z, size, i + 2000) end
  end
end

-- Loose stones along the ways, a group for each 24 m.
local function loose_stones(state)
  local loose, cells = {}, {}
  local function group_at(x, z)
    local cell = floor(x / 24) * 64 + floor(z / 24)
    local group = loose[cell]
    if not group then
      group = rocks.new(2)
      group.reach = 42
      loose[cell] = group
      cells[#cells + 1] = cell
    end
    return group
  end
  for i = 1, #layout.ways do
    local way = layout.ways[i]
    for k = 1, #way - 1 do
      local a, b = way[k], way[k + 1]
      local dx, dz = b[1] - a[1], b[2] - a[2]
      local length = maths.sqrt(dx * dx + dz * dz)
      for n = 1, floor(length * (state.coarse > 1.4 and 1.2 or 3)) do
        local key = i * 4096 + k * 256 + n
        local t, side = random(101, key, 1), random(101, key, 2) < 0.5 and -1 or 1
        local wide = a[3] + (b[3] - a[3]) * t
        local out = side * (wide + 0.5 - 1.1 * random(101, key, 3) * random(101, key, 4) * wide)
        local x, z = a[1] + dx * t - dz / length * out, a[2] + dz * t + dx / length * out
        local size = 0.025 + 0.06 * random(101, key, 5) * random(101, key, 6)
        group_at(x, z):add(x, ground(x, z) + size * 0.05, z, size, key % 8191)
      end
    end
  end
  for i = 1, #cells do loose[cells[i]]:finish(state) end
end

--- Sets everything out.
function M.build(state)
  local p = setmetatable({ parts = {}, order = {}, state = state, lanterns = {} }, Props)
  set_out(p)
  add_meshes(p, state)
  state.lanterns = p.lanterns
  local near, fallen = rocks.new(state.coarse), rocks.new(state.coarse)
  scatter(near)
  scree(fallen)
  loose_stones(state)
  near:finish(state)
  fallen:finish(state)
end

return M
