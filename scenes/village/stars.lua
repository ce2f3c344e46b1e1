--- The stars: tiny unlit squares far away, of three magnitudes, a pixel or so across whatever the frame's size.
local maths = require('thatch.math')
local material = require('thatch.material')
local mesh = require('village.mesh')

local M = {}
local sqrt = maths.sqrt
local FAR = 290 -- nearer than the ridges, which stand below the lowest star
local MOON_RADIUS = 2.9
local COUNT = 1150

local moon_at = { position = { 0, 0, 0 }, rotation = { 0, 0, 0, 1 } } -- reused: a frame leaves no garbage

local function sky(size)
  local b = mesh.new(COUNT * 4)
  local made = 0
  for i = 1, 4000 do
    if made >= COUNT then break end
    local y = 0.2 + 0.8 * maths.random(311, i, 1)
    local turn = maths.random(311, i, 2) * 6.2831853
    local flat = sqrt(1 - y * y)
    local x, z = flat * maths.cos(turn), flat * maths.sin(turn)
    -- thicker along a band across the sky
    local band = x * 0.62 + y * 0.42 - z * 0.66
    if maths.random(311, i, 3) < 0.34 + 0.66 * maths.exp(-band * band * 14) then
      made = made + 1
      local m = maths.random(311, i, 4)
      local light = m > 0.985 and 1 or m > 0.87 and 0.56 or 0.15 + 0.2 * maths.random(311, i, 5)
      light = light * maths.smoothstep(0.17, 0.42, y)
      local s = size * (m > 0.985 and 1.55 or m > 0.87 and 1.2 or 1)
      local warm = maths.random(311, i, 6)
      -- two directions across the line of sight
      local ax, az = -z / flat, x / flat
      local bx, by, bz = -y * x / flat, flat, -y * z / flat
      local r, g, bl = light * (0.78 + 0.22 * warm), light * (0.85 + 0.06 * warm), light * (1 - 0.26 * warm)
      local first = b.count
      for k = 0, 3 do
        local u, v = (k == 1 or k == 2) and s or -s, k >= 2 and s or -s
        b:vertex(x * FAR + ax * u + bx * v, y * FAR + by * v, z * FAR + az * u + bz * v, -x, -y, -z, 0, 0, r, g, bl, 1)
      end
      b:face(first, first + 1, first + 2, first + 3)
    end
  end
  return b:create()
end

-- Half a pixel at the stars' distance, and a little more, so that none falls between two pixels; of a fine picture
-- more, so that they are seen.
local function size_of(state, quality)
  return FAR * maths.tan(0.5411) / math.min(state.height_px * quality.render_scale, 640) * 1.06
end

function M.build(state)
  state.star_material = material.create({ kind = 'basic', name = 'stars', two_sided = true })
  state.star_node = state.scene:node({ name = 'stars' })
  state.star_size = size_of(state, state.quality)
  state.star_mesh = state.scene:mesh({ geometry = sky(state.star_size), material = state.star_material,
    node = state.star_node, casts_shadow = false, receives_shadow = false })
  state.star_mesh:set_visible(false)
  local disc = mesh.new(64)
  local rim = {}
  for k = 0, 27 do
    local a = k / 28 * 6.2831853
    rim[k] = disc:vertex(maths.cos(a) * MOON_RADIUS, maths.sin(a) * MOON_RADIUS, 0, 0, 0, 1, 0, 0, 1, 0.97, 0.88, 1)
  end
  for k = 1, 26 do disc:triangle(rim[0], rim[k], rim[k + 1]) end
  state.moon_node = state.scene:node({ name = 'moon' })
  state.moon_mesh = state.scene:mesh({ geometry = disc:create(), material = state.star_material, casts_shadow = false,
    node = state.moon_node, receives_shadow = false, tint = { 1.5, 1.5, 1.5 } })
  state.moon_mesh:set_visible(false)
end

function M.quality_changed(state, quality)
  local size = size_of(state, quality)
  if size == state.star_size then return end
  state.star_size = size
  state.star_mesh:set_geometry(sky(size))
end

--- Stars as bright as the hour and the clouds let them be, round the eye.
function M.update(state, view)
  local light, moon = state.star_light or 0, state.moon_direction
  local e = view.eye
  state.moon_mesh:set_visible(moon ~= nil)
  if moon then
    local heading, pitch = maths.atan2(-moon[1], -moon[3]) / 2, maths.asin(moon[2]) / 2
    local sh, ch, sp, cp = maths.sin(heading), maths.cos(heading), maths.sin(pitch), maths.cos(pitch)
    local p, r = moon_at.position, moon_at.rotation
    p[1], p[2], p[3] = e[1] + moon[1] * FAR, e[2] + moon[2] * FAR, e[3] + moon[3] * FAR
    r[1], r[2], r[3], r[4] = ch * sp, sh * cp, -sh * sp, ch * cp
    state.moon_node:set_transform(moon_at)
  end
  state.star_mesh:set_visible(light > 0.01)
  if light <= 0.01 then return end
  if light ~= state.star_shown then
    state.star_shown = light
    state.star_mesh:set_tint({ 1.7 * light, 1.7 * light, 1.7 * light })
  end
  state.star_node:set_position(e[1], e[2], e[3])
end

return M
