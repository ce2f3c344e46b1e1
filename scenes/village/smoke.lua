--- Smoke over some chimneys: soft puffs that rise, spread and lean with the wind; a function of the time alone.
local geometry = require('thatch.geometry')
local maths = require('thatch.math')

local M = {}
local sin, cos, random = maths.sin, maths.cos, maths.random

local HOUSES = { 'thatched cottage', 'inn', 'long house', 'farmhouse', 'widow' }
local PUFFS, LIFE = 9, 11 -- seconds

function M.build(state)
  local quad = geometry.create({
    positions = { -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0 }, normals = { 0, 0.8, 0.6, 0, 0.8, 0.6, 0, 1, 0, 0, 1, 0 },
    uvs = { 0, 1, 1, 1, 1, 0, 0, 0 }, indices = { 0, 1, 2, 0, 2, 3 },
  })
  local list = {}
  for i = 1, #HOUSES do
    local entry = state.buildings[HOUSES[i]]
    local q = entry.building.smoke
    local x, z = entry.world(q.x, q.z)
    for k = 0, PUFFS - 1 do
      local node = state.scene:node({})
      state.scene:mesh({
        geometry = quad, material = state.materials.smoke, node = node, casts_shadow = false, receives_shadow = false,
          draw_distance = 160,
      })
      list[#list + 1] = { node = node, x = x, y = entry.house.y + q.y, z = z, seed = i * 16 + k, start = k / PUFFS }
    end
  end
  state.smoke = list
end

function M.update(state, _, time, _, view)
  local eye = view.eye
  for i = 1, #state.smoke do
    local p = state.smoke[i]
    local turn = time / LIFE + p.start + (p.seed - p.seed % 16) * 0.37
    local round = maths.floor(turn)
    local t = turn - round -- 0 at the chimney, 1 where it is gone
    local a = random(p.seed, round, 5) * 6.2832
    local spread = 0.5 * t
    local x = p.x + 3.4 * t * t * 0.8 + cos(a) * spread
    local y = p.y + 0.2 + 4.6 * t * (1 - 0.3 * t)
    local z = p.z - 3.4 * t * t * 0.45 + sin(a) * spread
    -- it grows, and shrinks at last so that none vanishes at once
    local size = (0.22 + 1.15 * t) * maths.smoothstep(0, 0.08, t) * maths.smoothstep(1, 0.72, t)
    if size < 0.01 then size = 0.01 end
    local heading = maths.atan2(eye[1] - x, eye[3] - z)
    p.node:set_pose(x, y, z, heading, size)
  end
end

return M
