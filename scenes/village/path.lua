--- The scripted walker's way: down the street, into the inn, up its stair, out again, over the meadow to the pond.
local scripted = require('walk.scripted')
local maths = require('thatch.math')

local M = {}
local FRAMES, EYE = 1440, 1.65

-- Points in a house's own space, as feet on its floors.
local function inside(state, name, x, z, storey)
  local entry = state.buildings[name]
  local wx, wz = entry.world(x, z)
  local at = entry.building.stair_at
  local y = entry.house.y + (storey == 2 and at.y1 or storey == 1 and at.y0 or 0)
  return { wx, y, wz }
end

local function way_points(state)
  local function ground(x, z, more)
    local p = { x, state.height(x, z), z }
    if more then p.look, p.wait = more.look, more.wait end
    return p
  end
  local function inn(x, z, storey, more)
    local p = inside(state, 'inn', x, z, storey)
    if more then
      p.wait = more.wait
      if more.look then
        local q = inside(state, 'inn', more.look[1], more.look[2], storey)
        p.look = { q[1], q[2] + more.look[3], q[3] }
      end
    end
    return p
  end
  local at = state.buildings.inn.building.stair_at
  local h = state.buildings.inn.house
  local square = { 4.2, state.height(4.2, 2.6) + 1.2, 2.6 }
  local away = { 10, state.height(10, -20) + 3.0, -20 }
  local front = h.d / 2
  return {
    ground(2.6, 50), ground(0.4, 43), ground(-2.0, 36, { look = { 12, 3.2, 20 } }), ground(-2.7, 29),
      ground(-2.0, 22, { look = { 6, 2.6, -8 } }),
    ground(-0.2, 15.5, { look = square }), ground(0.6, 10.6, { look = away }), ground(-1.6, 6.6),
    inn(0, front + 1.5, 0), inn(0, front - 0.4, 1), inn(-0.6, front - 2.4, 1, { look = { -4.6, -0.9, 0.8 } }),
      inn(-0.35, 0.5, 1),
    inn(at.x0 - 0.6, at.z + 0.12, 1), inn(at.x0 + 0.1, at.z, 1), inn(at.x1 + 0.1, at.z, 2),
      inn(at.x1 + 0.28, at.z + 1.2, 2),
    inn(1.9, 0.6, 2, { look = { 0.2, 4.6, 1.35 } }), inn(0.3, 2.6, 2, { look = { 0.1, 6.6, 1.2 }, wait = 1.6 }),
    inn(2.2, 0.9, 2), inn(at.x1 + 0.28, at.z + 1.25, 2), inn(at.x1 + 0.1, at.z, 2), inn(at.x0 + 0.1, at.z, 1),
      inn(at.x0 - 0.6, at.z + 0.2, 1),
    inn(-0.3, 0.5, 1), inn(0, front - 0.5, 1), inn(0, front + 1.4, 0), ground(-3.2, 9.2, { look = { -14, 3.4, 30 } }),
    ground(-5.0, 13.6), ground(-10.5, 16.4, { look = { -30, 4, 8 } }), ground(-17.4, 16.6),
      ground(-23.6, 15.2, { look = { -44, 2.2, 2 } }),
    ground(-28.4, 17.6, { look = { -58, 1.5, 14 } }), ground(-30.4, 22.4),
      ground(-30.0, 26.0, { look = { -44, -0.6, 27 } }),
    { -31.4, -1.03, 27.38, look = { -50, -0.4, 27 } }, { -34.4, -1.03, 27.86, look = { -60, 1.2, 18 }, wait = 1.5 },
  }
end

local function bake(state)
  local points = way_points(state)
  local waits = 0
  for i = 1, #points do waits = waits + (points[i].wait or 0) end
  local measure = scripted.new(points, { speed = 1, eye = EYE })
  local speed = measure.total / ((FRAMES - 1) / 24 - waits)
  local path = scripted.new(points, { speed = speed, eye = EYE, ahead = 2.6 })
  local views, feet = {}, {}
  for frame = 0, FRAMES do
    local v = path:view(frame)
    views[frame] = v
    feet[frame] = state.collision:stand(v.eye[1], v.eye[3], v.eye[2] - EYE, 0.3)
  end
  for frame = 0, FRAMES do -- steps are climbed smoothly
    local sum, weight = 0, 0
    for k = -7, 7 do
      local w = 8 - (k < 0 and -k or k)
      sum = sum + feet[maths.clamp(frame + k, 0, FRAMES)] * w
      weight = weight + w
    end
    local v = views[frame]
    local y = sum / weight + EYE + 0.018 * maths.sin(frame * 0.52)
    v.target[2] = v.target[2] + y - v.eye[2]
    v.eye[2] = y
    v.focus[2] = y - EYE
  end
  state.walk_speed = speed
  return views
end

--- The view at a frame of the walk.
---@param frame integer
function M.view(state, frame)
  if not state.walk_views then state.walk_views = bake(state) end
  return state.walk_views[maths.clamp(maths.floor(frame), 0, FRAMES)]
end

return M
