--- The barn and the stable.
local interior = require('village.interior')
local openings = require('village.openings')
local roofs = require('village.roofs')
local stalls = require('village.stalls')
local storeys = require('village.storeys')

local M = {}
local STEP, THICK = 0.16, openings.THICK

local function inside(w, d) return -w / 2 + THICK, w / 2 - THICK, -d / 2 + THICK, d / 2 - THICK end

-- Corner posts and battens on boarded walls.
local function frame_boards(b, w, d, y1)
  local wood = b:part('timber')
  wood:color(b.timber, 0.8)
  for sx = -1, 1, 2 do
    for sz = -1, 1, 2 do
      wood:box(sx * (w / 2 - 0.02), (y1 - 0.5) / 2, sz * (d / 2 - 0.02), 0.2, y1 + 0.5, 0.2,
        { across = true, skip = 'yY' })
    end
    wood:box(sx * (w / 2 + 0.01), y1 - 0.08, 0, 0.12, 0.22, d, { skip = 'yY' })
  end
  wood:box(0, y1 - 0.3, d / 2 + 0.02, w, 0.16, 0.08)
  wood:box(0, y1 - 0.3, -d / 2 - 0.02, w, 0.16, 0.08)
end

--- Tall, boarded, with a gate for the carts, open to the roof; a loft at one end.
function M.barn(b)
  local h = b.house
  local w, d = h.w, h.d
  local y0, y1 = STEP * 0.4, 4.1
  local pitch = 0.92
  storeys.storey(b, { -w / 2, w / 2, -d / 2, d / 2 }, y0, y1, 'boards', {
    front = { storeys.bare(w * 0.12, 1.4, 0.7, 0.7), { kind = 'gate', at = w * 0.5, y = 0, w = 3.2, h = 3.2 },
      storeys.bare(w * 0.88, 1.4, 0.7, 0.7) },
    back = { storeys.bare(w * 0.3, 1.6, 0.7, 0.7), storeys.bare(w * 0.7, 1.6, 0.7, 0.7) },
    right = { storeys.bare(d * 0.5, 2.2, 0.9, 0.9) }, left = { storeys.front_door(d * 0.7) },
  }, { foot = true, pitch = pitch, open = true })
  local x0, x1, z0, z1 = inside(w, d)
  interior.slab(b, x0, x1, z0, z1, y0, 0.1, nil, { no_ceiling = true, no_beams = true })
  interior.slab(b, x0, x0 + 4.2, z0, z1, y0 + 2.6, 0.12, nil, {})
  local wood = b:part('timber')
  for i = 0, 4 do
    local x = x0 + (x1 - x0) * i / 4
    wood:color(b.timber, 0.45)
    if i > 0 and i < 4 then
      wood:box(x, (y0 + y1) / 2, z0 + 2.1, 0.22, y1 - y0, 0.22, { across = true, skip = 'yY' })
      wood:box(x, (y0 + y1) / 2, z1 - 2.1, 0.22, y1 - y0, 0.22, { across = true, skip = 'yY' })
      b:solid(x, z0 + 2.1, 0.12, 0.12, 0, y0, y1)
      b:solid(x, z1 - 2.1, 0.12, 0.12, 0, y0, y1)
    end
    wood:beam(x, y1 - 0.1, z0 + 0.1, x, y1 - 0.1, z1 - 0.1, 0.22, 0.26, 1)
    wood:beam(x, y1, 0, x, y1 + d / 2 * pitch - 0.3, 0, 0.2, 0.2, 1)
    wood:beam(x, y1 - 0.1, z1 - 1.3, x, y1 + d * 0.3 * pitch, 0.1, 0.16, 0.16, 1)
    wood:beam(x, y1 - 0.1, z0 + 1.3, x, y1 + d * 0.3 * pitch, -0.1, 0.16, 0.16, 1)
  end
  roofs.gable(b, { x = 0, z = 0, length = w, half = d / 2, eaves = y1, pitch = pitch, kind = 'tile', sag = 0.2,
    seed = b.seed })
  frame_boards(b, w, d, y1)
  stalls.barn(b, x0, x1, z0, z1, y0, y0 + 2.6)
end

function M.stable(b)
  local h = b.house
  local w, d = h.w, h.d
  local y0, y1 = STEP * 0.4, 2.5
  storeys.storey(b, { -w / 2, w / 2, -d / 2, d / 2 }, y0, y1, 'boards', {
    front = { { kind = 'gate', at = w * 0.3, y = 0, w = 1.8, h = 2.1 }, storeys.bare(w * 0.75, 1.0, 1.0, 0.8) },
    back = {}, right = { storeys.bare(d * 0.5, 1.1, 0.7, 0.7) }, left = {},
  }, { foot = true, pitch = 0.8, open = true })
  local x0, x1, z0, z1 = inside(w, d)
  interior.slab(b, x0, x1, z0, z1, y0, 0.1, nil, { no_ceiling = true, no_beams = true })
  roofs.gable(b, { x = 0, z = 0, length = w, half = d / 2, eaves = y1, pitch = 0.8, kind = 'tile', sag = 0.12,
    seed = b.seed })
  frame_boards(b, w, d, y1)
  stalls.stable(b, x0, x1, z0, z1, y0)
end

return M
