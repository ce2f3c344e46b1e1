--- The scene that shows a model: on a round table that turns, under a sky and a sun. `play`, `shot`, `render` and
--- `bench` take it for a name that ends in .glb or .gltf.
local maths = require('thatch.math')
local thatch = require('thatch')

local path = ... -- the model's file

local SIZE = 1 -- metres of the half diagonal that each model is brought to
local TURN_S = 16 -- seconds of a whole turn
local SIDES = 96 -- of the table
local FOV = 0.6
local DOWN = 0.34 -- radians that the camera looks down

local M = { title = path:match('([^/]+)$'), frames = 384 }

--- A disc of sectors with a rim, its top at y = 0.
local function disc(radius, height)
  local p, n, index = thatch.buffer.floats(), thatch.buffer.floats(), thatch.buffer.u32()
  p:push(0, 0, 0)
  n:push(0, 1, 0)
  for i = 0, SIDES do
    local angle = i / SIDES * 2 * maths.pi
    local s, c = maths.sin(angle), maths.cos(angle)
    local x, z = s * radius, c * radius
    for _, y in ipairs({ 0, 0, -height }) do p:push(x, y, z) end
    n:push(0, 1, 0)
    n:push(s, 0, c)
    n:push(s, 0, c)
  end
  for i = 0, SIDES - 1 do
    local a = 1 + i * 3
    index:push(0, a, a + 3)
    index:push(a + 1, a + 2, a + 4)
    index:push(a + 4, a + 2, a + 5)
  end
  return thatch.geometry.create({ positions = p, normals = n, indices = index })
end

local function plural(n, noun)
  local many = noun:gsub('h$', 'he'):gsub('x$', 'xe') .. 's'
  return ('%d %s'):format(n, n == 1 and noun or many)
end

--- What a model holds, as a line.
function M.describe(model)
  local counts, parts = model.counts, {}
  for _, part in ipairs({
    { 'nodes', 'node' }, { 'meshes', 'mesh' }, { 'triangles', 'triangle' }, { 'materials', 'material' },
    { 'images', 'image' }, { 'skins', 'skin' }, { 'animations', 'animation' },
  }) do
    parts[#parts + 1] = plural(counts[part[1]], part[2])
  end
  return ('%s: %s'):format(model.name, table.concat(parts, ', '))
end

--- The box of a model and of its animations, but for those that run far away.
local function bounds_of(model)
  local rest = model.bounds
  local whole = { min = { unpack(rest.min) }, max = { unpack(rest.max) }, center = {} }
  for _, animation in ipairs(model.animations) do
    local way = animation.bounds
    if way and way.radius < 3 * rest.radius then
      for k = 1, 3 do
        whole.min[k] = maths.min(whole.min[k], way.min[k])
        whole.max[k] = maths.max(whole.max[k], way.max[k])
      end
    end
  end
  local half = maths.scale(maths.sub(whole.max, whole.min), 0.5)
  for k = 1, 3 do whole.center[k] = whole.min[k] + half[k] end
  whole.radius = maths.length(half)
  return whole
end

function M.load(ctx)
  ctx.progress(0.1, 'reading')
  local model, message = thatch.models.try_load(path)
  if not model then error(message, 0) end
  ctx.progress(0.8, 'placing')
  local bounds = bounds_of(model)
  local scale = bounds.radius > 0 and SIZE / bounds.radius or 1
  local half = {}
  for k = 1, 3 do half[k] = (bounds.max[k] - bounds.min[k]) / 2 * scale end

  local scene = thatch.scene.create()
  scene:light({ kind = 'hemisphere', color = { 0.62, 0.74, 1 }, ground_color = { 0.34, 0.3, 0.26 }, intensity = 1.5 })
  scene:light({ kind = 'directional', direction = { 0.7, 1.25, 0.6 }, color = { 1, 0.94, 0.84 }, intensity = 3 })
  scene:set_background(maths.srgb('#9FB8CC'))
  local reach = maths.sqrt(half[1] * half[1] + half[3] * half[3])
  local table_radius = maths.max(reach, 0.35) * 1.12
  scene:mesh({
    geometry = disc(table_radius, 0.05), node = scene:node({ name = 'table' }), casts_shadow = false,
    material = thatch.material.create({ color = maths.srgb('#8E8A83'), name = 'table' }),
  })
  scene:mesh({
    geometry = disc(60, 0.05), node = scene:node({ name = 'floor', position = { 0, -0.05, 0 } }), casts_shadow = false,
    material = thatch.material.create({ color = maths.srgb('#B9BDBE'), name = 'floor' }),
  })
  scene:set_fog({ color = maths.srgb('#9FB8CC'), density = 0.06 })
  local turning = scene:node({ name = 'turning' })
  local instance = model:add_to(scene, {
    node = turning, scale = scale,
    position = { -bounds.center[1] * scale, -bounds.min[2] * scale, -bounds.center[3] * scale },
  })
  scene:set_moving({ turning })
  if #model.animations > 0 then instance:play(1) end

  local camera = thatch.camera.create()
  camera:perspective({ fov = FOV, near = 0.05, far = 100 })
  -- So far away that the whole table is seen, and what stands on it.
  local s, c = maths.sin(DOWN), maths.cos(DOWN)
  local tall = maths.max(half[2] * c + table_radius * s, table_radius * 0.62)
  local state = {
    scene = scene, camera = camera, model = model, instance = instance, turning = turning,
    target = { 0, half[2] * 0.84, 0 }, distance = tall / maths.tan(FOV / 2) * 1.03 + table_radius * c * 0.6,
    shadow = {
      center = { 0, half[2], 0 }, radius = table_radius * 1.3, focus = { 0, half[2], 0 },
      focus_radius = maths.max(table_radius, 1) * 1.25,
    },
    resolve = { light = 'pixel' }, -- highlights on few triangles, at any quality
  }
  state.hud = function() return { M.describe(model), M.playing(state) } end
  return state
end

--- Which animation plays, as a line.
function M.playing(state)
  local number = state.instance.playing
  local animation = state.model.animations[number]
  if not animation then return 'at rest' end
  return ('animation %d of %d: %s, %.2f s'):format(number, #state.model.animations, animation.name, animation.duration)
end

function M.update(state, _, time_s)
  state.turning:set_rotation_y(time_s / TURN_S * 2 * maths.pi)
  state.instance:update(time_s)
end

--- Keys of the window: the next animation, and at last none.
---@return string? note
function M.act(state, action)
  if action ~= 'next_animation' then return nil end
  local count = #state.model.animations
  if count == 0 then return 'the model has no animation' end
  local following = (state.instance.playing or 0) + 1
  state.instance:play(following <= count and following or nil)
  return M.playing(state)
end

function M.walk(state)
  local t, d = state.target, state.distance
  local s, c = maths.sin(DOWN), maths.cos(DOWN)
  return {
    eye = { 0.45 * c * d, t[2] + s * d, 0.893 * c * d }, target = t, focus = t, fov = FOV,
  }
end

M.places = { { name = 'front', frame = 0 }, { name = 'side', frame = 96 }, { name = 'back', frame = 192 } }

return M
