--- The plans: from a house of the layout to walls, floors, a roof and a stair. Five dwellings, a barn and a stable.
local maths = require('thatch.math')
local model = require('village.building')
local outbuildings = require('village.outbuildings')
local roofs = require('village.roofs')
local walls = require('village.storeys')
local furniture = require('village.furniture')
local hearth = require('village.hearth')
local homely = require('village.homely')
local interior = require('village.interior')

local M = {}
local srgb = maths.srgb
local THICK, STEP = model.THICK, model.STEP
local STOREY = 2.55

local win, bare, front_door, storey = walls.win, walls.bare, walls.front_door, walls.storey

local PITCH = { tile = 0.98, slate = 0.86, thatch = 1.16 }

local function inside(w, d) return -w / 2 + THICK, w / 2 - THICK, -d / 2 + THICK, d / 2 - THICK end

local function ridge_top(eaves, d, pitch) return eaves + d / 2 * pitch end

local plans = {}
local TURN = 1.57079633 -- a wall's things that look along +x; -TURN: along -x

-- One storey, two rooms, an attic window in the gable.
function plans.cottage(b)
  local h = b.house
  local w, d = h.w, h.d
  local y0, y1 = STEP, STEP + 2.45
  local pitch = PITCH[h.roof]
  local box = { -w / 2, w / 2, -d / 2, d / 2 }
  storey(b, box, y0, y1, h.walls, {
    front = { win(w * 0.19, 0.85, 0.95, 1.1, { 'flowers' }), front_door(w * 0.47),
      win(w * 0.8, 0.85, 0.95, 1.1, { 'flowers' }) },
    back = { win(w * 0.3, 0.9, 0.8, 1.0), win(w * 0.75, 0.9, 0.8, 1.0) },
    right = { win(d * 0.5, 0.9, 0.85, 1.0) }, left = {},
  }, { foot = true, pitch = pitch })
  local x0, x1, z0, z1 = inside(w, d)
  interior.slab(b, x0, x1, z0, z1, y0, 0.1, nil, { no_ceiling = true, no_beams = true })
  interior.slab(b, x0, x1, z0, z1, y1 + 0.12, 0.14, nil, { no_top = true })
  interior.partition(b, w * 0.17, z0, z1, y0, y1, z1 - 1.6)
  roofs.gable(b, { x = 0, z = 0, length = w, half = d / 2, eaves = y1, pitch = pitch, kind = h.roof, sag = 0.09,
    seed = b.seed })
  if h.hearth then
    hearth.build(b, x0, -0.3, y0, y1, ridge_top(y1, d, pitch) + 0.75, h.walls == 'brick' and 'brick' or 'stone')
  end
  b.within = true
  furniture.table(b, x0 + 2.6, y0, -1.3, 0, 1.8)
  furniture.shelf(b, x0 + 0.95, y0, z0 + 0.01, 0, 1.0)
  furniture.mat(b, x0 + 1.5, y0, 0.9, 1.6, 1.0)
  furniture.chair(b, x0 + 1.35, y0, 1.0, -1.9, true)
  furniture.herbs(b, x0 + 2.6, y1 - 0.1, 0.3)
  furniture.bed(b, x1 - 1.05, y0, z0 + 0.62, 3.14159265)
  furniture.chest(b, x1 - 0.6, y0, z1 - 0.6, 3.14159265)
  local part = w * 0.17
  if h.hearth then homely.kettle(b, x0 + 0.3, y0, -0.3) end
  homely.basket(b, x0 + 0.35, y0, 0.95, 'logs', b.seed)
  homely.clock(b, x0, y0 + 1.75, 1.6, TURN)
  homely.dresser(b, part - 0.07, y0, -1.75, -TURN, 0.95, b.seed)
  homely.picture(b, part - 0.07, y0 + 1.5, -0.3, -TURN, 0.55, b.seed + 1)
  homely.pegs(b, -w * 0.03 + 1.15, y0, z1, 3.14159265, b.seed)
  homely.broom(b, -w * 0.03 - 1.1, y0, z1, 3.14159265)
  homely.candle(b, x0 + 2.35, y0 + 0.765, -1.3)
  homely.wardrobe(b, part + 0.07, y0, -0.45, TURN)
  homely.picture(b, x1 - 0.8, y0 + 1.6, z0, 0, 0.5, b.seed + 2)
  homely.picture(b, x1, y0 + 1.5, z1 - 1.0, -TURN, 0.45, b.seed + 3)
  homely.stand(b, x1 - 0.3, y0, z0 + 1.5, -TURN)
  furniture.mat(b, part + 1.35, y0, 0.75, 1.2, 0.9)
  b.within = false
end

-- Two storeys with a stair along the back.
local function two_storeys(b, out)
  local h = b.house
  local w, d = h.w, h.d
  local y0, y1 = STEP, STEP + STOREY
  local y2 = y1 + 0.22 -- the upper floor
  local y3 = y2 + 2.3
  local pitch = PITCH[h.roof]
  local box = { -w / 2, w / 2, -d / 2, d / 2 }
  local upper = { -w / 2, w / 2, -d / 2, d / 2 + out }
  local door_at = w * 0.5
  storey(b, box, y0, y1 + 0.11, h.walls, {
    front = { win(w * 0.2, 0.85, 1.0, 1.2, { 'flowers' }), front_door(door_at),
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
  local x0, x1, z0, z1 = inside(w, d)
  interior.slab(b, x0, x1, z0, z1, y0, 0.1, nil, { no_ceiling = true, no_beams = true })
  local sx0 = x1 - 4.85
  local hole = { sx0 + 0.95, x1 - 1.12, z0 + 0.0, z0 + 1.0 }
  interior.slab(b, x0, x1, z0, z1 + out, y2, 0.16, hole)
  interior.stair(b, sx0, x1 - 1.12, z0 + 0.04, z0 + 0.98, y0, y2)
  b.stair_at = { x0 = sx0, x1 = x1 - 1.12, z = z0 + 0.5, y0 = y0, y1 = y2 }
  interior.slab(b, x0, x1, z0, z1 + out, y3 + 0.12, 0.14, nil, { no_top = true })
  if out > 0 then -- the jetty's underside and its beams' ends
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
  roofs.gable(b, { x = 0, z = out / 2, length = w, half = (d + out) / 2, eaves = y3, pitch = pitch, kind = h.roof,
    sag = 0.1, seed = b.seed })
  if h.hearth then
    hearth.build(b, x0, -0.9, y0, y1, ridge_top(y3, d, pitch) + 0.7, h.walls == 'brick' and 'brick' or 'stone')
  end
  b.within = true
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
  b.within = false
end

function plans.house(b) two_storeys(b, 0) end

-- The upper storey stands out over the street.
function plans.jettied(b)
  two_storeys(b, 0.5)
  M.inn_sign(b)
end

-- One long storey of three rooms.
function plans.long(b)
  local h = b.house
  local w, d = h.w, h.d
  local y0, y1 = STEP, STEP + 2.4
  local pitch = PITCH[h.roof]
  storey(b, { -w / 2, w / 2, -d / 2, d / 2 }, y0, y1, h.walls, {
    front = { win(w * 0.12, 0.85, 0.85, 1.05), win(w * 0.3, 0.85, 0.85, 1.05, { 'flowers' }), front_door(w * 0.46),
      win(w * 0.63, 0.85, 0.85, 1.05, { 'flowers' }), win(w * 0.86, 0.85, 0.85, 1.05) },
    back = { win(w * 0.25, 0.9, 0.75, 0.95), win(w * 0.55, 0.9, 0.75, 0.95), win(w * 0.85, 0.9, 0.75, 0.95) },
    right = { win(d * 0.5, 0.9, 0.85, 1.0) }, left = {},
  }, { foot = true, pitch = pitch })
  local x0, x1, z0, z1 = inside(w, d)
  interior.slab(b, x0, x1, z0, z1, y0, 0.1, nil, { no_ceiling = true, no_beams = true })
  interior.slab(b, x0, x1, z0, z1, y1 + 0.12, 0.14, nil, { no_top = true })
  interior.partition(b, w * 0.06, z0, z1, y0, y1, z0 + 1.3)
  interior.partition(b, w * 0.27, z0, z1, y0, y1, z1 - 1.8)
  roofs.gable(b, { x = 0, z = 0, length = w, half = d / 2, eaves = y1, pitch = pitch, kind = h.roof, sag = 0.14,
    seed = b.seed })
  if h.hearth then
    hearth.build(b, x0, 0.2, y0, y1, ridge_top(y1, d, pitch) + 0.8, h.walls == 'brick' and 'brick' or 'stone')
  end
  b.within = true
  furniture.table(b, x0 + 3.0, y0, -1.0, 0, 2.0)
  furniture.shelf(b, x0 + 3.2, y0, z0 + 0.01, 0, 1.5)
  furniture.mat(b, x0 + 1.6, y0, 1.1, 1.6, 1.0)
  furniture.chair(b, x0 + 1.4, y0, 1.2, -1.9, true)
  furniture.herbs(b, x0 + 3.0, y1 - 0.1, 0.4)
  furniture.chest(b, w * 0.165, y0, z0 + 0.4, 0)
  furniture.bed(b, x1 - 1.05, y0, z0 + 0.62, 3.14159265)
  furniture.bed(b, x1 - 1.05, y0, z1 - 0.66, 3.14159265)
  local near, far = w * 0.06, w * 0.27
  if h.hearth then homely.kettle(b, x0 + 0.3, y0, 0.2) end
  homely.basket(b, x0 + 0.34, y0, 1.5, 'logs', b.seed)
  homely.clock(b, x0, y0 + 1.75, 2.0, TURN)
  homely.dresser(b, x0, y0, -1.75, TURN, 1.1, b.seed)
  homely.picture(b, near - 0.07, y0 + 1.55, 0.55, -TURN, 0.6, b.seed + 1)
  homely.pegs(b, near - 0.07, y0, 1.7, -TURN, b.seed)
  homely.candle(b, x0 + 2.75, y0 + 0.765, -1.0)
  homely.wardrobe(b, near + 0.07, y0, 0.7, TURN)
  homely.picture(b, far - 0.07, y0 + 1.5, -1.2, -TURN, 0.5, b.seed + 2)
  homely.sacks(b, w * 0.165, y0, z1 - 0.45, b.seed)
  homely.picture(b, far + 0.07, y0 + 1.5, -0.7, TURN, 0.5, b.seed + 3)
  homely.stand(b, x1 - 0.3, y0, 0.0, -TURN)
  homely.pegs(b, x1 - 0.9, y0, z0, 0, b.seed + 1)
  furniture.mat(b, far + 1.2, y0, 0.0, 1.2, 1.0)
  b.within = false
end

-- A front range and a wing behind it, open to each other.
function plans.corner(b)
  local h = b.house
  local w, d = h.w, h.d
  local y0, y1 = STEP, STEP + 2.5
  local pitch = PITCH[h.roof]
  local wx, ww, wd = w / 2 - 2.2, 4.4, 4.2 -- the wing
  local joint = wx -- where the two open into each other
  storey(b, { -w / 2, w / 2, -d / 2, d / 2 }, y0, y1, h.walls, {
    front = { win(w * 0.16, 0.85, 0.9, 1.1, { 'flowers' }), front_door(w * 0.38), win(w * 0.6, 0.85, 0.9, 1.1),
      win(w * 0.85, 0.85, 0.9, 1.1, { 'flowers' }) },
    back = { { kind = 'gap', at = w / 2 - joint, y = 0, w = 1.2, h = 2.05 }, bare(w * 0.8, 0.9, 0.8, 1.0) },
    right = { win(d * 0.45, 0.9, 0.85, 1.0) }, left = {},
  }, { foot = true, pitch = pitch })
  storey(b, { wx - ww / 2, wx + ww / 2, -d / 2 - wd, -d / 2 }, y0, y1 - 0.1, h.walls, {
    front = {}, back = { win(ww / 2, 0.85, 0.95, 1.1) }, right = { win(wd * 0.5, 0.9, 0.8, 1.0) },
      left = { bare(wd * 0.5, 0.9, 0.8, 1.0) },
  }, { foot = true, pitch = pitch, ridge = 'z', no_front = true })
  local x0, x1, z0, z1 = inside(w, d)
  interior.slab(b, x0, x1, z0, z1, y0, 0.1, nil, { no_ceiling = true, no_beams = true })
  interior.slab(b, x0, x1, z0, z1, y1 + 0.12, 0.14, nil, { no_top = true })
  interior.slab(b, wx - ww / 2 + THICK, wx + ww / 2 - THICK, -d / 2 - wd + THICK, -d / 2 + THICK + 0.02, y0 - 0.002,
    0.1, nil, { no_ceiling = true, no_beams = true })
  interior.slab(b, wx - ww / 2 + THICK, wx + ww / 2 - THICK, -d / 2 - wd + THICK, -d / 2 - 0.02, y1 + 0.02, 0.14, nil,
    { no_top = true })
  roofs.gable(b, { x = 0, z = 0, length = w, half = d / 2, eaves = y1, pitch = pitch, kind = h.roof, sag = 0.09,
    seed = b.seed })
  local reach = d / 2 -- the wing's ridge runs into the main roof
  roofs.gable(b, { x = wx, z = -(d / 2 + wd) + (wd + reach) / 2, length = wd + reach, half = ww / 2, eaves = y1 - 0.1,
    pitch = pitch, kind = h.roof, sag = 0.04, seed = b.seed + 3, turned = true, verge0 = -1.2 })
  interior.partition(b, w * 0.02, z0, z1, y0, y1, z1 - 1.5)
  if h.hearth then
    hearth.build(b, x0, -0.3, y0, y1, ridge_top(y1, d, pitch) + 0.75, h.walls == 'timber' and 'brick' or 'stone')
  end
  b.within = true
  furniture.table(b, x0 + 2.7, y0, -1.4, 0, 1.8)
  furniture.shelf(b, x0 + 3.1, y0, z0 + 0.01, 0, 1.3)
  furniture.mat(b, x0 + 1.5, y0, 0.9, 1.5, 1.0)
  furniture.chair(b, x0 + 1.4, y0, 1.0, -1.9, true)
  furniture.chest(b, x1 - 0.6, y0, z1 - 0.6, 3.14159265)
  furniture.bed(b, wx + 1.3, y0, -d / 2 - wd + THICK + 1.1, 1.57079633)
  furniture.chest(b, wx - 1.3, y0, -d / 2 - wd + THICK + 0.4, 0)
  local part = w * 0.02
  if h.hearth then homely.kettle(b, x0 + 0.3, y0, -0.3) end
  homely.basket(b, x0 + 0.34, y0, 1.0, 'logs', b.seed)
  homely.clock(b, x0, y0 + 1.75, 1.7, TURN)
  homely.dresser(b, part - 0.07, y0, -1.95, -TURN, 1.0, b.seed)
  homely.picture(b, part - 0.07, y0 + 1.55, -0.6, -TURN, 0.6, b.seed + 1)
  homely.pegs(b, -w * 0.01, y0, z1, 3.14159265, b.seed)
  homely.candle(b, x0 + 2.45, y0 + 0.765, -1.4)
  homely.wardrobe(b, part + 0.07, y0, -1.4, TURN)
  homely.basket(b, part + 0.4, y0, z0 + 0.35, 'apples', b.seed)
  homely.picture(b, part + 0.07, y0 + 1.5, -0.2, TURN, 0.5, b.seed + 2)
  homely.stand(b, x1 - 0.3, y0, -0.9, -TURN)
  furniture.chair(b, x1 - 0.45, y0, -1.6, -TURN, true)
  homely.picture(b, x1, y0 + 1.5, -1.3, -TURN, 0.5, b.seed + 3)
  furniture.mat(b, part + 2.2, y0, 0.5, 1.8, 1.2)
  homely.stand(b, wx + ww / 2 - THICK - 0.3, y0, -d / 2 - 0.6, -TURN)
  homely.picture(b, wx - ww / 2 + THICK, y0 + 1.5, -d / 2 - wd + 1.1, TURN, 0.5, b.seed + 4)
  b.within = false
end

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
