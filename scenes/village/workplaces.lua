--- Where people work out of doors: the smith's anvil, the chopping block, hay to be raked.
local maths = require('thatch.math')
local mesh = require('village.mesh')
local noise = require('village.noise')
local terrain = require('village.terrain')

local M = {}
local cos, sin, random, srgb = maths.cos, maths.sin, maths.random, maths.srgb
local IRON = srgb('#4A4845')

local PARTS = { { 'wood', 'timber' }, { 'iron', 'plain' }, { 'bark', 'bark' }, { 'straw', 'thatch' } }

-- A stump of a trunk, its rings on top.
local function stump(b, x, y, z, r, high)
  b.bark:color({ 0.62, 0.52, 0.44 }, 0.8)
  b.bark:lathe(x, y - 0.15, z, { { r * 1.08, 0 }, { r, 0.2 }, { r * 0.97, high + 0.15 } }, 11, 1.1)
  b.wood:color({ 0.8, 0.62, 0.42 }, 0.9)
  b.wood:lathe(x, y + high, z, { { r * 0.97, 0 }, { r * 0.5, 0.004 }, { 0, 0.006 } }, 11, 1)
end

local function anvil(b, x, y, z, turn)
  stump(b, x, y, z, 0.25, 0.5)
  b.iron:place(x, y + 0.5, z, turn)
  b.iron:color(IRON, 0.9)
  b.iron:box(0, 0.04, 0, 0.3, 0.08, 0.22)
  b.iron:box(0, 0.13, 0, 0.16, 0.12, 0.12)
  b.iron:box(0, 0.24, 0, 0.34, 0.11, 0.15)
  b.iron:tube({ { 0.15, 0.255, 0, 0.07 }, { 0.27, 0.265, 0, 0.045 }, { 0.36, 0.28, 0, 0.008 } }, 7, 1, true)
  b.iron:color({ 0.9, 0.32, 0.1 }, 1) -- the bar that is being shaped
  b.iron:box(-0.02, 0.305, 0.02, 0.3, 0.022, 0.03, { turn = 0.5 })
  b.iron:place(0, 0, 0, 0)
end

-- Split logs thrown about a block, and one upright on it.
local function chopping(b, x, y, z, height)
  stump(b, x, y, z, 0.27, 0.4)
  for i = 0, 13 do
    local lying = i > 0
    local a, r = random(77, i, 1) * 6.2832, 0.42 + 0.55 * random(77, i, 2)
    local px, pz = x + cos(a) * r, z + sin(a) * r
    local py = lying and height(px, pz) + 0.055 or y + 0.4
    local wide = 0.06 + 0.03 * random(77, i, 3)
    b.wood:color({ 0.82 - 0.2 * random(77, i, 4), 0.62, 0.42 }, 0.85)
    if lying then
      local t = random(77, i, 5) * 6.28
      local c, s = cos(t) * 0.16, sin(t) * 0.16
      b.bark:color({ 0.6, 0.5, 0.42 }, 0.8)
      b.bark:tube({ { px - c, py, pz - s, wide }, { px + c, py + 0.02, pz + s, wide } }, 5, 1.1, true)
    else
      b.bark:color({ 0.6, 0.5, 0.42 }, 0.9)
      b.bark:lathe(x, py, z, { { 0.085, 0 }, { 0.085, 0.28 } }, 8, 1.1)
      b.wood:lathe(x, py + 0.28, z, { { 0.085, 0 }, { 0, 0.002 } }, 8, 1)
    end
  end
end

-- A low swath of hay.
local function swath(b, x, z, long, wide, high, turn, seed, height)
  local rings, sides = 3, 12
  local c, s = cos(turn), sin(turn)
  b.straw:color({ 0.95, 0.9, 0.7 }, 0.9)
  local first = b.straw.count
  for j = 0, rings do
    local p = j / rings * 1.5708
    for i = 0, sides do
      local a = (i % sides) / sides * 6.2832
      local l = 1 + 0.3 * noise.space(cos(a) * 2.3 + seed, j * 0.7, sin(a) * 2.3, 12)
      local lx, lz = cos(a) * cos(p) * long * l, sin(a) * cos(p) * wide * l
      local px, pz = x + lx * c + lz * s, z + lz * c - lx * s
      b.straw:vertex(px, height(px, pz) - 0.03 + sin(p) * high * l, pz, cos(a) * cos(p) * 0.6, 0.5 + sin(p) * 0.5,
        sin(a) * cos(p) * 0.6, i / sides * 3, -j / rings * 0.5, nil, nil, nil, 0.6 + 0.35 * j / rings)
    end
  end
  b.straw:sheet(first, rings, sides + 1, true)
end

local function ahead(x, z, heading, far, side)
  return x + sin(heading) * far + cos(heading) * side, z + cos(heading) * far - sin(heading) * side
end

--- Sets the working places before those who work there; what is solid goes into the collision world.
---@param state table
function M.build(state)
  local routines = require('village.routines')
  local height = terrain.height
  local done = {}
  for i = 1, #routines.folk do
    local person = { who = routines.folk[i], index = i }
    local places = routines.places(state, person)
    for k = 1, #places do
      local p = places[k]
      local key = ('%s %d %d'):format(tostring(p.clip), p.x * 4, p.z * 4)
      if p.kind == 'work' and not done[key] then
        done[key] = true
        local b = { wood = mesh.new(64), iron = mesh.new(64), bark = mesh.new(64), straw = mesh.new(64) }
        if p.clip == 'hammer' then
          local x, z = ahead(p.x, p.z, p.heading, 0.72, -0.12)
          anvil(b, x, height(x, z), z, p.heading)
          state.collision:post(x, z, 0.28, height(x, z) - 0.5, height(x, z) + 0.8)
        elseif p.clip == 'chop' then
          local x, z = ahead(p.x, p.z, p.heading, 0.86, 0)
          chopping(b, x, height(x, z), z, height)
          state.collision:post(x, z, 0.3, height(x, z) - 0.5, height(x, z) + 0.5)
        elseif p.clip == 'rake' then
          local x, z = ahead(p.x, p.z, p.heading, 1.35, 0)
          swath(b, x, z, 1.7, 0.55, 0.3, p.heading + 0.2, i, height)
          x, z = ahead(p.x, p.z, p.heading, 2.6, 0.6)
          swath(b, x, z, 1.5, 0.5, 0.26, p.heading - 0.1, i + 5, height)
        end
        local node = state.scene:node({ name = 'work' })
        for _, part in ipairs(PARTS) do
          local g = b[part[1]]:create()
          if g then
            state.scene:mesh({ geometry = g, material = state.materials[part[2]], node = node,
              draw_distance = state.coarse > 1.4 and 48 or 110 })
          end
        end
      end
    end
  end
end

return M
