--- What the dwellings have in common: measures, floors, a roof, a hearth.
local model = require('village.building')
local hearth = require('village.hearth')
local interior = require('village.interior')
local roofs = require('village.roofs')

local THICK = model.THICK
local M = { STEP = model.STEP, PITCH = { tile = 0.98, slate = 0.86, thatch = 1.16 } }

--- The room's edges: x0, x1, z0, z1.
function M.inside(w, d) return -w / 2 + THICK, w / 2 - THICK, -d / 2 + THICK, d / 2 - THICK end

--- How high the ridge is over the eaves of a house so deep.
function M.ridge_top(eaves, d, pitch) return eaves + d / 2 * pitch end

--- A floor on the ground and a ceiling under the roof.
function M.ground_floor(b, x0, x1, z0, z1, y0, y1)
  interior.slab(b, x0, x1, z0, z1, y0, 0.1, nil, { no_ceiling = true, no_beams = true })
  interior.slab(b, x0, x1, z0, z1, y1 + 0.12, 0.14, nil, { no_top = true })
end

--- A gabled roof over the whole house.
function M.roof_over(b, eaves, pitch, sag)
  local h = b.house
  roofs.gable(b, { x = 0, z = 0, length = h.w, half = h.d / 2, eaves = eaves, pitch = pitch, kind = h.roof, sag = sag,
    seed = b.seed })
end

--- A hearth on the left wall, of brick in a house of such walls, else of stone; its chimney ends at `top`.
function M.left_hearth(b, x0, z, y0, y1, top, brick_for)
  local h = b.house
  if not h.hearth then return end
  hearth.build(b, x0, z, y0, y1, top, h.walls == brick_for and 'brick' or 'stone')
end

return M
