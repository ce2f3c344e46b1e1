--- Fireflies at night over the pond's bank and the meadow, butterflies by day over the flowers, neither in rain: small
--- shapes on nodes whose places are a function of the time alone.
local geometry = require('thatch.geometry')
local material = require('thatch.material')
local maths = require('thatch.math')
local layout = require('village.layout')

local M = {}
local sin, cos, random, srgb = maths.sin, maths.cos, maths.random, maths.srgb
local FIREFLIES, BUTTERFLIES, SEEN = 82, 38, 45 -- at most; quality.critters says how many of both

local HUES = { srgb('#E8E2D2'), srgb('#D9923C'), srgb('#6F8CC4'), srgb('#E2C24A'), srgb('#B4553C') }

local function wing(side)
  local s = side
  return geometry.create({
    positions = { 0, 0, 0.012, s * 0.042, 0, 0.04, s * 0.05, 0, 0.004, s * 0.034, 0, -0.034, 0, 0, -0.014 },
    normals = { 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0 },
    colors = { 0.3, 0.28, 0.26, 1, 1, 1, 1, 1, 0.8, 0.8, 0.8, 1, 1, 1, 1, 1, 0.3, 0.28, 0.26, 1 },
    indices = { 0, 1, 2, 0, 2, 3, 0, 3, 4 },
  })
end

function M.build(state)
  local s = state.scene
  local quad = geometry.create({
    positions = { 0, -1, 0, 0.9, 0, 0, 0, 1, 0, -0.9, 0, 0 }, normals = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 },
    indices = { 0, 1, 2, 0, 2, 3 },
  })
  local glow = material.create({ kind = 'basic', name = 'firefly', color = { 0.86, 1, 0.16 }, two_sided = true })
  local flies, butterflies = {}, {}
  for i = 1, FIREFLIES do
    local x, z, y
    if i % 3 > 0 then -- round the pond, some over the water
      local a, q = random(501, i, 1) * 6.2832, 0.55 + 0.6 * random(501, i, 2)
      x, z = layout.pond.x + cos(a) * layout.pond.rx * q, layout.pond.z + sin(a) * layout.pond.rz * q
    else
      local a, r = random(502, i, 1) * 6.2832, 8 + 40 * random(502, i, 2)
      x, z = -18 + cos(a) * r, 6 + sin(a) * r
    end
    y = math.max(state.height(x, z), layout.pond.level) + 0.35 + 1.1 * random(501, i, 3)
    local node = s:node({})
    local mesh = s:mesh({ geometry = quad, material = glow, node = node, casts_shadow = false,
      receives_shadow = false, draw_distance = SEEN })
    mesh:set_visible(false)
    flies[i] = { node = node, mesh = mesh, x = x, y = y, z = z, shown = false }
  end
  local cloth = material.create({ kind = 'lambert', name = 'butterfly', two_sided = true })
  local left, right = wing(1), wing(-1)
  for i = 1, BUTTERFLIES do
    local a, r = random(503, i, 1) * 6.2832, 6 + 44 * random(503, i, 2)
    local x, z = -12 + cos(a) * r, 8 + sin(a) * r
    local root, hue = s:node({}), HUES[1 + i % #HUES]
    local b = { root = root, x = x, z = z, shown = false, wings = {}, meshes = {}, beats = {} }
    for k = 1, 2 do
      b.wings[k] = s:node({ parent = root })
      b.beats[k] = { rotation = { 0, 0, 0, 1 } } -- reused: a frame leaves no garbage
      b.meshes[k] = s:mesh({ geometry = k == 1 and left or right, material = cloth, node = b.wings[k], tint = hue,
        casts_shadow = false, receives_shadow = false, draw_distance = 26 })
      b.meshes[k]:set_visible(false)
    end
    butterflies[i] = b
  end
  state.fireflies, state.butterflies = flies, butterflies
end

local function near(e, x, z, far)
  local dx, dz = x - e[1], z - e[3]
  return dx * dx + dz * dz < far * far
end

function M.update(state, time, view)
  local e = view.eye
  local share = maths.clamp(state.quality.critters / (FIREFLIES + BUTTERFLIES), 0, 1)
  local flies, butterfly_count = maths.floor(FIREFLIES * share + 0.5), maths.floor(BUTTERFLIES * share + 0.5)
  local fireflies = state.day < 0.3 and state.rain == 0
  for i = 1, #state.fireflies do
    local f = state.fireflies[i]
    local shown = fireflies and i <= flies and near(e, f.x, f.z, SEEN)
    if shown then -- each blinks in its own rhythm
      local blink = sin(time * (0.9 + 0.5 * random(504, i, 1)) + i * 2.4)
      shown = blink > -0.25
      if shown then
        local x = f.x + 1.1 * sin(time * 0.41 + i) + 0.4 * sin(time * 1.3 + i * 3)
        local y = f.y + 0.25 * sin(time * 0.73 + i * 1.7)
        local z = f.z + 1.1 * cos(time * 0.37 + i * 2.1) + 0.4 * cos(time * 1.1 + i)
        local dx, dz = e[1] - x, e[3] - z
        local heading = maths.atan2(dx, dz)
        -- no smaller than a glint, however far
        local size = math.max(0.02, 0.0033 * maths.sqrt(dx * dx + dz * dz))
        size = size * maths.smoothstep(-0.3, 0.35, blink) + 0.004
        f.node:set_pose(x, y, z, heading, size)
      end
    end
    if shown ~= f.shown then
      f.mesh:set_visible(shown)
      f.shown = shown
    end
  end
  local butterflies = state.day > 0.6 and state.rain == 0
  for i = 1, #state.butterflies do
    local b = state.butterflies[i]
    local shown = butterflies and i <= butterfly_count and near(e, b.x, b.z, 30)
    if shown then
      local t = time * 0.5 + i * 1.9
      local x = b.x + 2.2 * sin(t * 0.7) + 0.8 * sin(t * 2.3 + i)
      local z = b.z + 2.2 * cos(t * 0.6) + 0.8 * cos(t * 1.9 + i)
      local y = state.height(x, z) + 0.75 + 0.3 * sin(t * 1.3) + 0.06 * sin(time * 9 + i)
      local dx, dz = 1.54 * cos(t * 0.7) + 1.84 * cos(t * 2.3 + i), -1.32 * sin(t * 0.6) - 1.52 * sin(t * 1.9 + i)
      b.root:set_pose(x, y, z, maths.atan2(dx, dz))
      local flap = (0.35 + 0.75 * sin(time * 16 + i * 2)) / 2
      for k = 1, 2 do
        local beat = b.beats[k]
        beat.rotation[3], beat.rotation[4] = k == 1 and sin(flap) or -sin(flap), cos(flap)
        b.wings[k]:set_transform(beat)
      end
    end
    if shown ~= b.shown then
      for k = 1, 2 do b.meshes[k]:set_visible(shown) end
      b.shown = shown
    end
  end
end

return M
