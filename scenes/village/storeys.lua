--- Storeys: four walls with their openings, and the openings' short names.
local M = {}

--- A window with shutters; `more` names further fields to set.
function M.win(at, y, w, h, more)
  local o = { kind = 'window', at = at, y = y, w = w, h = h, shutters = true }
  for k = 1, #(more or {}) do o[more[k]] = true end
  return o
end
--- A window without shutters.
function M.bare(at, y, w, h) return { kind = 'window', at = at, y = y, w = w, h = h } end
function M.front_door(at) return { kind = 'door', at = at, y = 0, w = 1.02, h = 2.06 } end

local function copy(list)
  local out = {}
  for i = 1, #list do
    local o = {}
    local s = list[i]
    o.kind, o.at, o.y, o.w, o.h, o.shutters, o.flowers = s.kind, s.at, s.y, s.w, s.h, s.shutters, s.flowers
    out[i] = o
  end
  return out
end

--- Four walls of a storey round a box; openings by side.
function M.storey(b, box, y0, y1, kind, openings, options)
  local o = options or {}
  local x0, x1, z0, z1 = box[1], box[2], box[3], box[4]
  local function one(ax, az, bx, bz, list, top, skip, stack)
    if skip then return end
    local wall = b:wall(ax, az, bx, bz, y0, y1, copy(list or {}))
    b:build_wall(wall, { kind = kind, foot = o.foot, top = top, eaves = o.eaves, open = o.open, inner = o.inner,
      stack = stack })
  end
  local pitch = o.pitch
  local function gable(length)
    if not pitch then return nil end
    return function(s) return y1 + math.min(s, length - s) * pitch end
  end
  one(x0, z1, x1, z1, openings.front, o.ridge == 'z' and gable(x1 - x0), o.no_front)
  one(x1, z1, x1, z0, openings.right, o.ridge ~= 'z' and gable(z1 - z0), o.no_right)
  one(x1, z0, x0, z0, openings.back, o.ridge == 'z' and gable(x1 - x0), o.no_back)
  one(x0, z0, x0, z1, openings.left, o.ridge ~= 'z' and gable(z1 - z0), o.no_left, b.house.hearth)
end

return M
