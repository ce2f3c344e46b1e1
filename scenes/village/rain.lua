--- Rain: streaks in a box round the eye, wrapped about it, so that where they are is a function of the time and the
--- eye; rings on the pond, born by the clock.
local ffi = require('ffi')
local buffer = require('thatch.buffer')
local geometry = require('thatch.geometry')
local material = require('thatch.material')
local maths = require('thatch.math')
local layout = require('village.layout')
local terrain = require('village.terrain')

local M = {}
local floor, sqrt = math.floor, math.sqrt
local SIDE, HIGH = 22, 11 -- metres of the box
local FALL, DRIFT_X, DRIFT_Z = 8.5, 1.5, -0.85 -- m/s
local LONG = 0.065 -- seconds of its fall that a streak shows
local LIFE = 1.7 -- seconds between two births of one ring

local function make(count)
  local idx = buffer.u32(count * 6)
  local pos, col, nor = buffer.floats(count * 12), buffer.floats(count * 16), buffer.floats(count * 12)
  for i = 0, count - 1 do
    for k = 0, 3 do
      pos:push(i % 7 - 3, k, i % 5 - 2)
      nor:push(0, 1, 0)
      local v = 0.72 + 0.28 * maths.random(613, i, 9)
      col:push(v, v, v, 1)
    end
    idx:push(i * 4, i * 4 + 1, i * 4 + 2)
    idx:push(i * 4, i * 4 + 2, i * 4 + 3)
  end
  return { positions = pos, normals = nor, colors = col, indices = idx }
end

-- As many streaks as the quality has.
local function sow(state, count)
  local s = state.streaks
  local seeds = ffi.new('double[?]', count * 3)
  for i = 0, count - 1 do
    seeds[i * 3] = maths.random(611, i, 1) * SIDE
    seeds[i * 3 + 1] = maths.random(611, i, 2) * HIGH
    seeds[i * 3 + 2] = maths.random(611, i, 3) * SIDE
  end
  s.count, s.seeds, s.arrays = count, seeds, make(count)
  if s.shape then s.shape:replace(s.arrays) else s.shape = geometry.create(s.arrays) end
end

-- Streaks of large pixels are fainter.
local function opacity(quality) return quality.render_scale < 0.45 and 0.14 or 0.22 end

function M.build(state)
  local s = { shown = false }
  state.streaks = s
  sow(state, state.quality.rain_streaks)
  state.rain_material = material.create({ kind = 'basic', name = 'rain', alpha = 'blend',
    opacity = opacity(state.quality), two_sided = true })
  s.mesh = state.scene:mesh({
    geometry = s.shape, material = state.rain_material, node = state.scene:node({ name = 'rain' }),
    casts_shadow = false, receives_shadow = false,
  })
  s.mesh:set_visible(false)
  state.ring_list = ffi.new('float[?]', 64 * 4)
end

function M.quality_changed(state, quality)
  state.rain_material:set({ opacity = opacity(quality) })
  if quality.rain_streaks ~= state.streaks.count then sow(state, quality.rain_streaks) end
end

-- A number wrapped into a span round a middle.
local function wrap(v, middle, span)
  local low = middle - span / 2
  local q = (v - low) / span
  return low + (q - floor(q)) * span
end

local function fall(state, time, quality, view)
  local s, eye = state.streaks, view.eye
  local p = s.arrays.positions.data
  local seeds = s.seeds
  local drop = time * FALL
  local ox, oz = time * DRIFT_X, time * DRIFT_Z
  -- half a pixel a metre away: thinner than it a streak would break up
  local pixel = 0.62 / (state.height_px * quality.render_scale)
  local lx, ly, lz = DRIFT_X * LONG, FALL * LONG, DRIFT_Z * LONG
  for i = 0, s.count - 1 do
    local x = wrap(seeds[i * 3] + ox, eye[1], SIDE)
    local y = wrap(seeds[i * 3 + 1] - drop * (0.9 + 0.2 * (i % 8) / 8), eye[2] + 1.5, HIGH)
    local z = wrap(seeds[i * 3 + 2] + oz, eye[3], SIDE)
    local k = i * 12
    local dx, dz = x - eye[1], z - eye[3]
    local d2 = dx * dx + dz * dz
    if terrain.house(x, z) < 0.35 or d2 < 0.6 then -- under a roof, or in the eye: nothing is seen of it
      for c = 0, 3 do p[k + c * 3], p[k + c * 3 + 1], p[k + c * 3 + 2] = x, -40, z end
    else
      local d = sqrt(d2)
      local w = 0.0016 + (pixel < 0.0008 and 0.0008 or pixel) * d
      local ax, az = -dz / d * w, dx / d * w
      p[k], p[k + 1], p[k + 2] = x - ax, y, z - az
      p[k + 3], p[k + 4], p[k + 5] = x + ax, y, z + az
      p[k + 6], p[k + 7], p[k + 8] = x + ax - lx, y + ly, z + az - lz
      p[k + 9], p[k + 10], p[k + 11] = x - ax - lx, y + ly, z - az - lz
    end
  end
  s.shape:move(s.arrays.positions)
end

local function rings(state, time, count)
  local pond = layout.pond
  local list = state.ring_list
  for i = 0, count - 1 do
    local shift = maths.random(617, i, 1)
    local slot = floor(time / LIFE - shift)
    local a, q = maths.random(618 + i, slot, 2) * 6.2831853, sqrt(maths.random(618 + i, slot, 3)) * 0.98
    local x, z = pond.x + maths.cos(a) * pond.rx * q, pond.z + maths.sin(a) * pond.rz * q
    list[i * 4], list[i * 4 + 1] = x, z
    list[i * 4 + 2], list[i * 4 + 3] = (slot + shift) * LIFE, 0.35 + 0.4 * maths.random(618 + i, slot, 4)
  end
  state.ring_count = count
end

-- Rings round one who wades: a ring where the last steps were.
local function wade(state, time, view)
  local steps = state.wade_steps
  local e = view.focus or view.eye
  local depth = layout.pond.level - state.height(e[1], e[3])
  if not view.interactive or depth < 0.05 then
    if steps and #steps > 0 and time - steps[#steps][3] > 4 then state.wade_steps = nil end
  else
    if not steps then
      steps = {}
      state.wade_steps = steps
    end
    local last = steps[#steps]
    local dx, dz = last and e[1] - last[1] or 9, last and e[3] - last[2] or 9
    if dx * dx + dz * dz > 0.16 then
      steps[#steps + 1] = { e[1], e[3], time }
      if #steps > 5 then table.remove(steps, 1) end
    end
  end
  steps = state.wade_steps
  if not steps or not view.interactive then return end
  for i = 1, #steps do
    local k = state.ring_count
    if k < 64 then
      local q, list = steps[i], state.ring_list
      list[k * 4], list[k * 4 + 1], list[k * 4 + 2], list[k * 4 + 3] = q[1], q[2], q[3], 0.7
      state.ring_count = k + 1
    end
  end
end

function M.update(state, time, quality, view)
  local s = state.streaks
  local raining = state.rain > 0
  if raining ~= s.shown then
    s.mesh:set_visible(raining)
    s.shown = raining
  end
  state.ring_count = 0
  if raining then
    if state.rain_day ~= state.day then
      state.rain_day = state.day
      local v = 0.07 + 0.6 * state.day
      state.rain_material:set({ color = { v, v * 1.02, v * 1.06 } })
    end
    fall(state, time, quality, view)
    rings(state, time, quality.rain_rings)
  end
  wade(state, time, view)
  if state.ring_count > 0 or state.had_rings then
    state.water:set_rings(M.pack(state))
    state.had_rings = state.ring_count > 0
  end
end

--- The rings as the water takes them.
function M.pack(state)
  local b = state.ring_buffer or buffer.floats(256)
  state.ring_buffer = b
  b:clear()
  for i = 0, state.ring_count * 4 - 1 do b:push(state.ring_list[i]) end
  return b
end

return M
