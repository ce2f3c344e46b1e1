--- The dwellings of one storey: cottage, long house, corner house.
local model = require('village.building')
local furniture = require('village.furniture')
local homely = require('village.homely')
local interior = require('village.interior')
local roofs = require('village.roofs')
local shell = require('village.shell')
local walls = require('village.storeys')

local M = {}
local THICK = model.THICK
local TURN = 1.57079633 -- a wall's things that look along +x; -TURN: along -x

local win, bare, front_door, storey = walls.win, walls.bare, walls.front_door, walls.storey
local inside, ridge_top, ground_floor = shell.inside, shell.ridge_top, shell.ground_floor
local roof_over, left_hearth, PITCH, STEP = shell.roof_over, shell.left_hearth, shell.PITCH, shell.STEP

--- One storey, two rooms, an attic window in the gable.
function M.cottage(b)
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
  ground_floor(b, x0, x1, z0, z1, y0, y1)
  interior.partition(b, w * 0.17, z0, z1, y0, y1, z1 - 1.6)
  roof_over(b, y1, pitch, 0.09)
  left_hearth(b, x0, -0.3, y0, y1, ridge_top(y1, d, pitch) + 0.75, 'brick')
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

--- One long storey of three rooms.
function M.long(b)
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
  ground_floor(b, x0, x1, z0, z1, y0, y1)
  interior.partition(b, w * 0.06, z0, z1, y0, y1, z0 + 1.3)
  interior.partition(b, w * 0.27, z0, z1, y0, y1, z1 - 1.8)
  roof_over(b, y1, pitch, 0.14)
  left_hearth(b, x0, 0.2, y0, y1, ridge_top(y1, d, pitch) + 0.8, 'brick')
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

local WING_WIDE, WING_DEEP = 4.4, 4.2

-- Where the wing of a corner house has its middle.
local function wing_at(h) return h.w / 2 - 2.2 end

local function corner_walls(b, y0, y1, pitch)
  local h = b.house
  local w, d, wx, ww, wd = h.w, h.d, wing_at(h), WING_WIDE, WING_DEEP
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
end

local function furnish_corner(b, y0)
  local h = b.house
  local d, wx, wd, x0, x1, z0, z1 = h.d, wing_at(h), WING_DEEP, inside(h.w, h.d)
  furniture.table(b, x0 + 2.7, y0, -1.4, 0, 1.8)
  furniture.shelf(b, x0 + 3.1, y0, z0 + 0.01, 0, 1.3)
  furniture.mat(b, x0 + 1.5, y0, 0.9, 1.5, 1.0)
  furniture.chair(b, x0 + 1.4, y0, 1.0, -1.9, true)
  furniture.chest(b, x1 - 0.6, y0, z1 - 0.6, 3.14159265)
  furniture.bed(b, wx + 1.3, y0, -d / 2 - wd + THICK + 1.1, 1.57079633)
  furniture.chest(b, wx - 1.3, y0, -d / 2 - wd + THICK + 0.4, 0)
end

local function adorn_corner(b, y0)
  local h = b.house
  local w, d, wx, ww, wd, x0, x1, z0, z1 = h.w, h.d, wing_at(h), WING_WIDE, WING_DEEP, inside(h.w, h.d)
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
end

--- A front range and a wing behind it, open to each other.
function M.corner(b)
  local h = b.house
  local w, d, wx, ww, wd = h.w, h.d, wing_at(h), WING_WIDE, WING_DEEP
  local y0, y1 = STEP, STEP + 2.5
  local pitch = PITCH[h.roof]
  corner_walls(b, y0, y1, pitch)
  local x0, x1, z0, z1 = inside(w, d)
  ground_floor(b, x0, x1, z0, z1, y0, y1)
  interior.slab(b, wx - ww / 2 + THICK, wx + ww / 2 - THICK, -d / 2 - wd + THICK, -d / 2 + THICK + 0.02, y0 - 0.002,
    0.1, nil, { no_ceiling = true, no_beams = true })
  interior.slab(b, wx - ww / 2 + THICK, wx + ww / 2 - THICK, -d / 2 - wd + THICK, -d / 2 - 0.02, y1 + 0.02, 0.14, nil,
    { no_top = true })
  roof_over(b, y1, pitch, 0.09)
  local reach = d / 2 -- the wing's ridge runs into the main roof
  roofs.gable(b, { x = wx, z = -(d / 2 + wd) + (wd + reach) / 2, length = wd + reach, half = ww / 2, eaves = y1 - 0.1,
    pitch = pitch, kind = h.roof, sag = 0.04, seed = b.seed + 3, turned = true, verge0 = -1.2 })
  interior.partition(b, w * 0.02, z0, z1, y0, y1, z1 - 1.5)
  left_hearth(b, x0, -0.3, y0, y1, ridge_top(y1, d, pitch) + 0.75, 'timber')
  b.within = true
  furnish_corner(b, y0)
  adorn_corner(b, y0)
  b.within = false
end

return M
