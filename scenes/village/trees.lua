--- Plants the trees: geometry is shared by species and variant; nodes turn, scale and tint it.
local maths = require('thatch.math')
local layout = require('village.layout')
local noise = require('village.noise')
local shapes = require('village.tree_shapes')
local thinned = require('village.thinned')

local M = {}
local min = math.min
local sin, cos, random = maths.sin, maths.cos, maths.random

local NEAR = { fewest = 0.22, many = 0.42, all = 0.6 } -- how early a crown is thinned for who stands under it

local TWIGS = { oak = true, birch = true, apple = true, willow = true } -- whose large leaves are twigs

-- Wood, crown and plain crown of each species' variants.
local function grow(coarse)
  local made = {}
  for i = 1, #shapes.order do
    local name = shapes.order[i]
    local species = shapes.species[name]
    made[name] = {}
    for v = 1, species.variants do
      local wood, crown, plain = shapes.makers[name](species, 100 * i + 17 * v, coarse)
      made[name][v] = { wood = wood, crown = crown, plain = plain }
    end
  end
  return made
end

-- A crown in steps: leaves of their own size for who stands under it, fewer and larger ones from afar.
local function add_crown(state, tree, set, node, fine, warm)
  local s, materials, name, coarse = state.scene, state.materials, tree[1], state.coarse > 1.4
  local species = shapes.species[name]
  local light = coarse and TWIGS[name] and 1.22 or 1 -- the sprig texture's mean
  local function toned(k) return { (1 + warm * 0.2) * k, (1 + warm * 0.06) * k, (1 - warm * 0.16) * k } end
  local tint, plain_tint = toned(light), toned(light > 1 and 0.84 or 1) -- whole leaves show none of the dark inside
  local leaf = coarse and TWIGS[name] and materials.sprig or materials.leaf
  local close = coarse and 11 or 16
  s:mesh({ -- under the tree: leaves of their own size
    geometry = set.crown, material = leaf, node = node, tint = tint,
    item_size = species.long * (NEAR[state.quality.plants] or 0.34), item_share_min = coarse and 0.02 or 0.05,
    item_grow_max = coarse and 2.7 or 2.4, draw_distance = close * 1.25,
  })
  if coarse then -- a step between, where a third of the frame's pixels would show leaves too large
    s:mesh({
      geometry = set.crown, material = leaf, node = node, tint = tint, item_size = species.long * 0.21,
      item_share_min = 0.016, item_grow_max = 3.1, near_distance = close, draw_distance = 19 * 1.25,
    })
    close = 19
  end
  local willow = name == 'willow'
  thinned.mesh(state, 'tree', {
    geometry = set.crown, material = willow and leaf or materials.leaf, node = node,
    tint = willow and tint or plain_tint, item_size = species.long * fine,
    item_share_min = coarse and 0.0068 or 0.02, near_distance = close,
    item_grow_max = coarse and (willow and 5.2 or 7) or state.coarse > 1.1 and 4.2 or 3.8,
  })
end

-- The trees of the layout.
local function plant(state, fine)
  local s, materials = state.scene, state.materials
  local made = grow(state.coarse > 1.4)
  local near = state.coarse > 1.4 and 20 or state.coarse > 1.1 and 32 or 60
  for i = 1, #layout.trees do
    local t = layout.trees[i]
    local species = shapes.species[t[1]]
    local set = made[t[1]][1 + i % species.variants]
    local y = state.height(t[2], t[3])
    local half = t[4] / 2
    local node = s:node({ name = t[1], position = { t[2], y - 0.06, t[3] }, rotation = { 0, sin(half), 0, cos(half) },
      scale = t[5] })
    s:mesh({ geometry = set.wood, material = materials.bark, node = node, draw_distance = near })
    s:mesh({ geometry = set.plain, material = materials.bark, node = node, near_distance = near,
      draw_distance = state.coarse > 1.4 and 120 or 240 })
    add_crown(state, t, set, node, fine, random(31, i, 1) - 0.5)
    state.collision:post(t[2], t[3], species.trunk * t[5] * 1.15, y - 0.5, y + 3)
  end
end

-- The woods on the hills.
local function plant_woods(state, fine)
  local far = {
    shapes.distant(shapes.species.oak, 901), shapes.distant(shapes.species.oak, 902),
    shapes.distant(shapes.species.pine, 903, true), shapes.distant(shapes.species.birch, 904),
  }
  local count = state.coarse > 1.4 and 380 or state.coarse > 1.1 and 700 or 1100
  local placed = 0
  for i = 1, 6000 do
    if placed >= count then break end
    local a, q = random(41, i, 1) * 6.2832, random(41, i, 2)
    local r = 128 + 330 * q * q * 0.5 + 330 * q * 0.5
    local x, z = cos(a) * r, sin(a) * r
    local wood = noise.fbm(x / 55, z / 55, 2, 43)
    local cliff = x > 58 and z > -165 and z < 120 and x < 120
    if wood > 0.02 - 0.2 * min(1, (r - 128) / 200) and not cliff then
      placed = placed + 1
      local kind = noise.plane(x / 80, z / 80, 45) + (random(41, i, 3) - 0.5) * 0.7
      local which = kind > 0.15 and 3 or kind < -0.35 and 4 or 1 + i % 2
      local half = random(41, i, 5) * 3.14
      local node = state.scene:node({ position = { x, state.height(x, z) - 0.5, z },
        rotation = { 0, sin(half), 0, cos(half) }, scale = 0.75 + 0.55 * random(41, i, 4) })
      local tone = 0.82 + 0.3 * random(41, i, 6)
      thinned.mesh(state, 'tree', {
        geometry = far[which], material = state.materials.leaf, node = node, tint = { tone, tone, tone * 0.95 },
        item_size = 1.2 * fine, item_share_min = state.coarse > 1.4 and 0.048 or state.coarse > 1.1 and 0.09 or 0.06,
        item_grow_max = 3.9, casts_shadow = false,
      })
    end
  end
end

--- Plants all trees of the layout, and the woods on the hills.
function M.build(state)
  local fine = thinned.fine('tree', state.quality)
  plant(state, fine)
  plant_woods(state, fine)
end

return M
