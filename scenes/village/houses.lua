--- The plans: from a house of the layout to walls, floors, a roof and a stair. Five dwellings, a barn and a stable.
local maths = require('thatch.math')
local model = require('village.building')
local outbuildings = require('village.outbuildings')
local roofs = require('village.roofs')
local shell = require('village.shell')
local walls = require('village.storeys')
local cottages = require('village.cottages')
local furniture = require('village.furniture')
local homely = require('village.homely')
local interior = require('village.interior')

local M = {}
local srgb = maths.srgb
local STOREY = 2.55

local win, bare, front_door, storey = walls.win, walls.bare, walls.front_door, walls.storey
local inside, ridge_top, left_hearth = shell.inside, shell.ridge_top, shell.left_hearth
local PITCH, STEP = shell.PITCH, shell.STEP

local plans = {}
local TURN = 1.57079633 -- a wall's things that look along +x; -TURN: along -x

-- The walls of two storeys; the upper one stands out to the front by `out`.
local function two_storeys_walls(b, out, y0, y1, y3, pitch)
  local h = b.house
  local w, d = h.w, h.d
  local box = { -w / 2, w / 2, -d / 2, d / 2 }
  local upper = { -w / 2, w / 2, -d / 2, d / 2 + out }
  storey(b, box, y0, y1 + 0.11, h.walls, {
    front = { win(w * 0.2, 0.85, 1.0, 1.2, { 'flowers' }), front_door(w * 0.5),
      win(w * 0.8, 0.85, 1.0, 1.2, { 'flowers' }) },
    back = { bare(w * 0.85, 0.95, 0.8, 1.0) },
    right = { win(d * 0.32, 0.9, 0.85, 1.1), }, left = { win(d * 0.84, 0.9, 0.8, 1.0) },
  }, { foot = true, eaves = out > 0 })
  storey(b, upper, y1 + 0.11, y3, h.upper or h.walls, {
    front = { win(w * 0.17, 0.92, 0.85, 1.0), win(w * 0.5, 0.92, 0.85, 1.0, { 'flowers' }),
      win(w * 0.83, 0.92, 0.85, 1.0) },
    back = { bare(w * 0.25, 0.95, 0.75, 0.95), bare(w * 0.7, 0.95, 0.75, 0.95) },
    right = { win(d * 0.5, 0.92, 0.8, 1.0) }, left = { bare(d * 0.8, 0.95, 0.7, 0.95) },
  }, { pitch = pitch })
end

-- The jetty's underside and its beams' ends.
local function jetty(b, out, y1)
  local w, d = b.house.w, b.house.d
  local wood = b:part('timber')
  wood:color(b.timber, 0.6)
  wood:box(0, y1 + 0.05, d / 2 + out - 0.1, w + 0.1, 0.24, 0.24)
  for i = 0, 9 do
    wood:box(-w / 2 + 0.15 + (w - 0.3) * i / 9, y1 - 0.02, d / 2 + out / 2 - 0.05, 0.16, 0.18, out + 0.24, {})
  end
  for i = 0, 3 do
    local x = -w / 2 + 0.2 + (w - 0.4) * i / 3
    wood:beam(x, y1 - 0.55, d / 2 + 0.06, x, y1 - 0.05, d / 2 + out - 0.02, 0.12, 0.12, 1)
  end
  local planks = b:part('planks')
  planks:color({ 0.3, 0.25, 0.19 }, 0.4)
  planks:quad({ -w / 2, y1 + 0.1, d / 2 }, { w / 2, y1 + 0.1, d / 2 }, { w / 2, y1 + 0.1, d / 2 + out },
    { -w / 2, y1 + 0.1, d / 2 + out }, 1.2)
end

-- Tables, beds, chairs and chests, below (y0) and above (y2).
local function furnish_two_storeys(b, out, y0, y1, y2)
  local w, x0, x1, z0, z1 = b.house.w, inside(b.house.w, b.house.d)
  furniture.table(b, x1 - 1.9, y0, z1 - 1.75, 0, 2.0)
  if w > 9.5 then furniture.table(b, x0 + 3.0, y0, z0 + 1.65, 0, 1.7) end
  furniture.shelf(b, x0 + (w > 9.5 and 3.4 or 2.2), y0, z0 + 0.01, 0, w > 9.5 and 1.5 or 0.9)
  furniture.mat(b, x0 + 1.9, y0, -0.6, 1.5, 1.1)
  furniture.chair(b, x0 + 1.5, y0, 0.35, -2.2, true)
  furniture.chair(b, x0 + 1.7, y0, -1.75, -0.8, true)
  furniture.chest(b, x0 + 0.55, y0, z1 - 0.7, 1.57079633)
  furniture.herbs(b, x1 - 1.9, y1 - 0.1, z1 - 1.75)
  furniture.bed(b, x0 + 1.1, y2, z0 + 0.62, 0)
  furniture.bed(b, x0 + 1.1, y2, z1 + out - 0.66, 0)
  furniture.chest(b, x0 + 2.7, y2, z0 + 0.35, 0)
  furniture.mat(b, x0 + 1.6, y2, 0.1, 1.7, 1.0)
  furniture.shelf(b, x1 - 0.01, y2, z1 - 0.9, -1.57079633, 1.2)
end

-- What makes it a home.
local function adorn_two_storeys(b, out, y0, y2, sx0)
  local h = b.house
  local w, x0, x1, z0, z1 = h.w, inside(h.w, h.d)
  if h.hearth then homely.kettle(b, x0 + 0.3, y0, -0.9) end
  homely.basket(b, x0 + 0.34, y0, 0.4, h.hearth and 'logs' or 'wool', b.seed)
  homely.clock(b, x0, y0 + 1.8, 1.1, TURN)
  homely.dresser(b, x0, y0, (z0 - (h.hearth and 1.85 or 0.9)) / 2, TURN, w > 9.5 and 1.15 or 0.85, b.seed)
  homely.pegs(b, w * 0.15 + 0.1, y0, z1, 3.14159265, b.seed)
  homely.picture(b, -w * 0.15, y0 + 1.6, z1, 3.14159265, 0.6, b.seed + 1)
  homely.picture(b, x1, y0 + 1.65, -0.35, -TURN, 0.7, b.seed + 2)
  homely.broom(b, sx0 - 0.4, y0, z0, 0)
  homely.sacks(b, x1 - 1.75, y0, z0 + 0.4, b.seed)
  homely.candle(b, x1 - 1.9, y0 + 0.765, z1 - 1.62)
  homely.wardrobe(b, w * 0.165, y2, z1 + out, 3.14159265)
  homely.stand(b, x0 + 0.3, y2, z0 + 1.5, TURN)
  homely.stand(b, x0 + 0.3, y2, z1 + out - 1.55, TURN)
  homely.picture(b, x0, y2 + 1.5, -0.35, TURN, 0.6, b.seed + 3)
  homely.picture(b, x0 + 1.0, y2 + 1.55, z0, 0, 0.5, b.seed + 4)
  homely.picture(b, x1, y2 + 1.5, -1.15, -TURN, 0.55, b.seed + 5)
  homely.pegs(b, -w * 0.165, y2, z1 + out, 3.14159265, b.seed + 1)
  furniture.mat(b, 0.2, y2, 0.9, 1.9, 1.2)
  if h.name == 'weaver' then
    homely.wheel(b, x0 + 1.0, y0, -0.6, TURN)
  end
end

-- Two storeys with a stair along the back.
local function two_storeys(b, out)
  local h = b.house
  local w, d = h.w, h.d
  local y0, y1 = STEP, STEP + STOREY
  local y2 = y1 + 0.22 -- the upper floor
  local y3 = y2 + 2.3
  local pitch = PITCH[h.roof]
  two_storeys_walls(b, out, y0, y1, y3, pitch)
  local x0, x1, z0, z1 = inside(w, d)
  interior.slab(b, x0, x1, z0, z1, y0, 0.1, nil, { no_ceiling = true, no_beams = true })
  local sx0 = x1 - 4.85
  local hole = { sx0 + 0.95, x1 - 1.12, z0 + 0.0, z0 + 1.0 }
  interior.slab(b, x0, x1, z0, z1 + out, y2, 0.16, hole)
  interior.stair(b, sx0, x1 - 1.12, z0 + 0.04, z0 + 0.98, y0, y2)
  b.stair_at = { x0 = sx0, x1 = x1 - 1.12, z = z0 + 0.5, y0 = y0, y1 = y2 }
  interior.slab(b, x0, x1, z0, z1 + out, y3 + 0.12, 0.14, nil, { no_top = true })
  if out > 0 then jetty(b, out, y1) end
  roofs.gable(b, { x = 0, z = out / 2, length = w, half = (d + out) / 2, eaves = y3, pitch = pitch, kind = h.roof,
    sag = 0.1, seed = b.seed })
  left_hearth(b, x0, -0.9, y0, y1, ridge_top(y3, d, pitch) + 0.7, 'brick')
  b.within = true
  furnish_two_storeys(b, out, y0, y1, y2)
  adorn_two_storeys(b, out, y0, y2, sx0)
  b.within = false
end

function plans.house(b) two_storeys(b, 0) end

-- The upper storey stands out over the street.
function plans.jettied(b)
  two_storeys(b, 0.5)
  M.inn_sign(b)
end

plans.cottage, plans.long, plans.corner = cottages.cottage, cottages.long, cottages.corner
plans.barn, plans.stable = outbuildings.barn, outbuildings.stable

--- A painted board on an iron arm.
function M.inn_sign(b)
  local h = b.house
  local iron, wood = b:part('timber'), b:part('timber')
  local x, z = -h.w / 2 + 0.7, h.d / 2 + 0.5
  iron:color(srgb('#35312F'), 0.9)
  iron:beam(x, 4.15, z, x, 4.15, z + 1.25, 0.05, 0.06, 1)
  iron:beam(x, 3.75, z, x, 4.12, z + 0.55, 0.04, 0.04, 1)
  wood:color(srgb('#6B2F28'), 0.95)
  wood:box(x, 3.62, z + 0.75, 0.05, 0.72, 0.8, { metres = 1.2 })
  wood:color(srgb('#D9B25A'), 0.95)
  for s = -1, 1, 2 do
    wood:box(x + s * 0.03, 3.68, z + 0.75, 0.012, 0.3, 0.3, { roll = 0.7854 })
    wood:box(x + s * 0.03, 3.36, z + 0.75, 0.012, 0.06, 0.56)
  end
end

--- Builds one house: a village.Building with its meshes, solids, floors and doors in the house's own space.
---@param coarse number 1 finest .. 2
function M.build(house, coarse)
  local b = model.new(house, coarse)
  plans[house.plan](b)
  return b
end

return M
