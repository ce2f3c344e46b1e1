--- The village: a valley, its houses, its people. Everything is made here from seeds and shapes.
local camera = require('thatch.camera')
local scene = require('thatch.scene')
local places = require('village.places')
local daylight = require('village.daylight')

local M = { title = 'The village', frames = 1440 }

local COARSE = { fewest = 2, fewer = 1.3, many = 1, all = 1 }

local PARTS = {
  'mountains', 'trees', 'bushes', 'gardens', 'grass', 'pond', 'props', 'lamps', 'stars', 'rain', 'puddles', 'people',
  'animals', 'smoke', 'critters',
}
local NO_SHADOW = { glass = true, ember = true, flora = true, pane = true }

local function build_houses(state, materials)
  local houses = require('village.houses')
  local openings = require('village.openings')
  local layout = require('village.layout')
  local s = state.scene
  local near = state.coarse > 1.4 and 17 or 30 -- rooms are seen so far
  for i = 1, #layout.houses do
    local h = layout.houses[i]
    local b = houses.build(h, state.coarse)
    local node = s:node({ name = h.name, position = { h.x, h.y, h.z } })
    node:set_rotation_y(h.turn)
    local names = {}
    for name in pairs(b.parts) do names[#names + 1] = name end
    table.sort(names)
    for k = 1, #names do
      local g = b.parts[names[k]]:create()
      local name, cut = names[k]:gsub('@%a+', '')
      if g then
        s:mesh({
          geometry = g, material = materials[name], node = node, casts_shadow = not NO_SHADOW[name],
          draw_distance = name == 'flora' and 55 or cut > 0 and near + 6 or nil, near_distance = name == 'pane'
            and near or nil,
        })
      end
    end
    local c, sn = h.c, h.s
    local function world(x, z) return h.x + x * c + z * sn, h.z + z * c - x * sn end
    for k = 1, #b.solids do
      local q = b.solids[k]
      local x, z = world(q.x, q.z)
      state.collision:box(x, z, q.hx, q.hz, h.turn + q.turn, h.y + q.y0, h.y + q.y1, q.seat)
    end
    for k = 1, #b.floors do
      local q = b.floors[k]
      local x, z = world(q.x, q.z)
      state.collision:floor(x, z, q.hx, q.hz, h.turn + q.turn, h.y + q.y, h.y + q.y1)
    end
    for k = 1, #b.doors do
      local d = b.doors[k]
      local x, z = world(d.x, d.z)
      local leaf = openings.leaf(d.color, d.width, d.height, 0.06):create()
      local hinge = s:node({ name = h.name .. ' door ' .. k, position = { x, h.y + d.y, z } })
      local turn = h.turn + d.turn
      hinge:set_rotation_y(turn)
      s:mesh({ geometry = leaf, material = materials.timber, node = hinge })
      state.doors[#state.doors + 1] = {
        name = h.name, x = x, y = h.y + d.y, z = z, yaw = turn, sign = d.sign, width = d.width, height = d.height,
        angle = 0, shown = 0, node = hinge, group = h.name .. (b.doors[k].gate and ' gate' or k),
        on_walk = h.name == 'inn',
      }
    end
    state.buildings[h.name] = { house = h, building = b, world = world, node = node }
  end
end

--- Builds the village.
---@param ctx { quality: table, progress?: fun(share: number, text: string) }
function M.load(ctx)
  local quality = ctx.quality
  local progress = ctx.progress or function() end
  local terrain = require('village.terrain')
  local coarse = COARSE[quality.plants] or 1
  progress(0, 'textures')
  local maps = require('village.textures').build(function(share) progress(share * 0.3, 'textures') end)
  local materials = require('village.materials').build(maps, quality)
  local state = {
    scene = scene.create(), camera = camera.create(), maps = maps, materials = materials, doors = {}, buildings = {},
    movers = {}, skies = {}, height_px = ctx.size and ctx.size[2] or 720,
    quality = quality, coarse = coarse,
  }
  state.camera:perspective({ fov = 62 * 3.14159265 / 180, near = 0.08, far = 1400 })
  state.lights = require('village.light').build(state.scene)
  state.resolve = { tone = 'aces', srgb = true, exposure = 1.0 }
  state.shadow = { center = { -4, 0, -4 }, radius = 98, focus = { 0, 0, 0 }, focus_radius = 22 }
  progress(0.3, 'sky')
  state.day_sky = require('village.sky').build()
  state.scene:set_background(state.day_sky, 1)
  progress(0.36, 'land')
  terrain.bake()
  state.collision = require('village.collision').new(terrain.height)
  local ground = state.scene:node({ name = 'ground' })
  require('village.ground').build(function(geometry, options)
    local o = options or {}
    state.scene:mesh({ geometry = geometry, material = materials.ground, node = ground,
      casts_shadow = o.casts_shadow ~= false })
  end, coarse)
  state.height = terrain.height
  progress(0.5, 'houses')
  build_houses(state, materials)
  for i, part in ipairs(PARTS) do
    progress(0.6 + 0.4 * (i - 1) / #PARTS, part)
    require('village.' .. part).build(state)
  end
  require('village.whereabouts').prepare(state)
  places.resolve(state)
  for i = 1, #state.doors do state.movers[#state.movers + 1] = state.doors[i].node end
  state.scene:set_moving(state.movers)
  local crowd = {}
  function state.collision.moving()
    for i = 1, #state.people + #state.animals do
      local q = i <= #state.people and state.people[i] or state.animals[i - #state.people]
      local c = crowd[i] or {}
      crowd[i] = c
      c.x, c.z, c.r, c.bottom, c.top = q.x or 0, q.z or 0, i <= #state.people and 0.3 or 0.35, (q.y or 0)
        - 0.2, (q.y or 0) + 1.6
    end
    return crowd
  end
  state.collision.people = state.people -- who answers
  M.update(state, 0, 0, quality, places.list[1].view)
  state.collision.doors = state.doors
  progress(1, 'done')
  return state
end

--- All motion: a function of the frame, the time and the view alone.
function M.update(state, frame, time, quality, view)
  daylight.set(state, view.hour or daylight.DEFAULT, view.weather or 'clear')
  daylight.glass(state, view.eye)
  local e, t = view.eye, view.target
  local dx, dz = t[1] - e[1], t[3] - e[3]
  local l = math.sqrt(dx * dx + dz * dz)
  local ahead = l > 1e-4 and 9 / l or 0
  local focus = state.shadow.focus
  focus[1], focus[2], focus[3] = e[1] + dx * ahead, e[2] - 1, e[3] + dz * ahead
  require('village.doors').update(state, view)
  require('village.people').update(state, frame, time, quality, view)
  require('village.animals').update(state, frame, time, quality, view)
  require('village.smoke').update(state, frame, time, quality, view)
  require('village.lamps').update(state, time, view)
  require('village.stars').update(state, view)
  require('village.critters').update(state, time, view)
  require('village.rain').update(state, time, quality, view)
  require('village.puddles').update(state)
end

function M.walk(state, frame)
  return require('village.path').view(state, frame)
end

M.places = places.list

--- What can follow at once does; true when land, houses and crowns are to be built again.
---@return boolean
function M.quality_changed(state, quality)
  require('village.thinned').quality_changed(state, quality)
  state.quality = quality
  require('village.animals').quality_changed(state, quality)
  require('village.materials').register(quality)
  require('village.stars').quality_changed(state, quality)
  require('village.rain').quality_changed(state, quality)
  return (COARSE[quality.plants] or 1) ~= state.coarse
end

--- What feet and shoulders meet: see collision.lua.
function M.collide(state)
  return state.collision
end

return M
