--- Ten places, each with one clear subject. An eye's or target's height is above the ground (or the floor) below it.
local M = {}

local function at(name, eye, target, more)
  local place = { name = name, eye = eye, target = target }
  for key, value in pairs(more or {}) do place[key] = value end
  return place
end

M.list = {
  at('street', { -2.2, 1.65, 31 }, { 3.4, 1.9, 0 }),
  at('door', { -0.4, 1.6, 33.4 }, { 6.4, 1.75, 29.4 }),
  at('hearth', { 0.9, 1.5, 1.5 }, { -4.9, 0.9, -1.0 }, { house = 'inn', storey = 1 }),
  at('stair', { -2.0, 1.6, 1.7 }, { 2.9, 1.55, -2.6 }, { house = 'inn', storey = 1 }),
  at('pond', { -57.4, 0.95, 38.0 }, { -30, 2.2, 12 }),
  at('tree', { -30.6, 1.6, 17.6 }, { -22.0, 4.4, 3.0 }),
  at('meadow', { -43, 1.6, 2.5 }, { -62, 5.5, -48 }),
  at('cliff', { 59, 1.65, 16 }, { 84, 13, -14 }),
  at('barn', { 28.5, 1.65, -4.8 }, { 46, 3.0, -22 }),
  at('night street', { 8.4, 1.65, -12 }, { -7, 2.4, 9 }, { hour = 21.5 }),
}

--- Fills in each place's view, once the land and the houses stand.
function M.resolve(state)
  for i = 1, #M.list do
    local p = M.list[i]
    local function point(q)
      if p.house then
        local entry = state.buildings[p.house]
        local x, z = entry.world(q[1], q[3])
        return { x, entry.house.y + entry.building.stair_at['y' .. p.storey - 1] + q[2], z }
      end
      local y = state.height(q[1], q[3])
      if q == p.eye and p.name == 'pond' then y = math.max(y, -1.4) end
      return { q[1], y + q[2], q[3] }
    end
    local eye, target = point(p.eye), point(p.target)
    p.view = { eye = eye, target = target, up = { 0, 1, 0 }, focus = { eye[1], eye[2] - 1.6, eye[3] }, hour = p.hour }
  end
end

return M
