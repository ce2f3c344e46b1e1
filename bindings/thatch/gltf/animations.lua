--- Animations of a model: what each channel says at a time. A pose is a function of the time and of nothing else.
local accessors = require('thatch.gltf.accessors')
local maths = require('thatch.math')

local MAX_ANIMATIONS, MAX_CHANNELS = 65535, 1000000
local acos, sin, sqrt = maths.acos, maths.sin, math.sqrt
local M = {}

local STEPS = { STEP = 'step', LINEAR = 'linear', CUBICSPLINE = 'cubic' }
local PATHS = { translation = 3, rotation = 4, scale = 3, weights = 1 }
local KINDS = {
  translation = { VEC3 = true }, rotation = { VEC4 = true }, scale = { VEC3 = true }, weights = { SCALAR = true },
}
local SCALAR, FLOAT = { SCALAR = true }, { float = true }
local SHARE = {
  float = true, ['normalized byte'] = true, ['normalized unsigned byte'] = true, ['normalized short'] = true,
  ['normalized unsigned short'] = true,
}

---@class thatch.gltf.Channel
---@field node integer counted from 0
---@field path 'translation'|'rotation'|'scale'|'weights'
---@field width integer values of a key
---@field count integer keys
---@field times ffi.cdata* seconds, rising
---@field values ffi.cdata* width * count, three times as many for splines

local function read_channel(doc, item, path, samplers, sampler_count, sampler_path)
  local number = doc:index(item, 'sampler', path, sampler_count, 'sampler')
  if not number then doc:fail(path, 'sampler is missing') end
  local target = doc:object(item, 'target', path)
  if not target then doc:fail(path, 'target is missing') end
  path = path .. '/target'
  local node = doc:index(target, 'node', path, doc.node_count, 'node')
  if target.path == 'pointer' or not node then
    doc:warn(path, 'names no node, and is left out')
    return nil
  end
  if target.path == nil then doc:fail(path, 'path is missing') end
  local width = doc:word(target, 'path', path, PATHS)
  local word = target.path
  if word == 'weights' then
    local weights = doc.nodes[node].weights
    if not weights then doc:fail(path, 'node %d has no morph targets', node) end
    width = #weights
  elseif doc.nodes[node].matrix then
    doc:fail(path, 'node %d has a matrix, need translation, rotation and scale', node)
  end
  local sampler, at = samplers[number + 1], sampler_path .. number
  local made = { node = node, path = word, width = width, key = node .. word, at = path }
  made.step = doc:word(sampler, 'interpolation', at, STEPS, 'linear')
  local input = accessors.need(doc, sampler, 'input', at, SCALAR, FLOAT)
  local output = accessors.need(doc, sampler, 'output', at, KINDS[word],
    (word == 'rotation' or word == 'weights') and SHARE or FLOAT)
  if not input or not output then doc:fail(at, '%s is missing', input and 'output' or 'input') end
  local need = input.count * (word == 'weights' and width or 1) * (made.step == 'cubic' and 3 or 1)
  if output.count ~= need then
    doc:fail(at .. '/output', 'accessor has %d values, need %d for %d keys', output.count, need, input.count)
  end
  -- Many channels share their times.
  input.floats = input.floats or accessors.floats(doc, input)
  output.floats = output.floats or accessors.floats(doc, output)
  made.times, made.count, made.values = input.floats, input.count, output.floats
  local last = -1
  for k = 0, made.count - 1 do
    local t = made.times[k]
    if t < 0 or t < last then
      doc:fail(at .. '/input', 'value %d is %g, need %g or more', k, t, math.max(last, 0))
    end
    last = t
  end
  return made, last
end

--- Reads all animations: doc.animations[i], from 1, is { name, duration, channels }.
---@param doc thatch.gltf.Document
function M.read(doc)
  local list, n = doc:objects(doc.json, 'animations', '', MAX_ANIMATIONS)
  doc.animations, doc.channel_count = {}, 0
  for i = 0, n - 1 do
    local path, item = '/animations/' .. i, list[i + 1]
    local samplers, sampler_count = doc:objects(item, 'samplers', path, MAX_CHANNELS)
    local channels, count = doc:objects(item, 'channels', path, MAX_CHANNELS)
    doc.channel_count = doc.channel_count + count
    if doc.channel_count > MAX_CHANNELS then
      doc:fail(path, 'the model has more than %d channels', MAX_CHANNELS)
    end
    local made = { name = doc:name(item, path, 'animation', i), duration = 0, channels = {} }
    local seen = {}
    for k = 0, count - 1 do
      local at = ('%s/channels/%d'):format(path, k)
      local channel, last = read_channel(doc, channels[k + 1], at, samplers, sampler_count, path .. '/samplers/')
      if channel then
        if seen[channel.key] then
          doc:fail(channel.at, 'node %d has two channels for its %s', channel.node, channel.path)
        end
        seen[channel.key] = true
        made.channels[#made.channels + 1] = channel
        made.duration = math.max(made.duration, last)
      end
    end
    doc.animations[i + 1] = made
    doc:alive()
  end
end

-- --- at a time -------------------------------------------------------------------------------------------------------

--- The key at or before a time, and the share of the way to the next.
local function place(channel, t)
  local times, low, high = channel.times, 0, channel.count - 1
  if t <= times[0] then return 0, 0 end
  if t >= times[high] then return high, 0 end
  while high - low > 1 do
    local middle = math.floor((low + high) / 2)
    if times[middle] <= t then low = middle else high = middle end
  end
  local span = times[high] - times[low]
  return low, span > 0 and (t - times[low]) / span or 0, span
end

local function unit(out, at)
  local l = sqrt(out[at] * out[at] + out[at + 1] * out[at + 1] + out[at + 2] * out[at + 2] + out[at + 3] * out[at + 3])
  if l > 0 then
    for k = at, at + 3 do out[k] = out[k] / l end
  else
    out[at], out[at + 1], out[at + 2], out[at + 3] = 0, 0, 0, 1
  end
end

--- From one turn to another the short way, at an even speed.
local function slerp(values, a, b, share, out, at)
  local d = 0
  for k = 0, 3 do d = d + values[a + k] * values[b + k] end
  local sign = 1
  if d < 0 then d, sign = -d, -1 end
  local wa, wb = 1 - share, share * sign
  if d < 0.9995 then
    local angle = acos(d)
    local s = sin(angle)
    wa, wb = sin((1 - share) * angle) / s, sign * sin(share * angle) / s
  end
  for k = 0, 3 do out[at + k] = values[a + k] * wa + values[b + k] * wb end
end

local function spline(channel, key, share, span, out, at)
  local v, width = channel.values, channel.width
  local s2 = share * share
  local s3 = s2 * share
  local from, to = (key * 3 + 1) * width, (key * 3 + 4) * width -- in-tangent, value, out-tangent of each key
  for k = 0, width - 1 do
    out[at + k] = (2 * s3 - 3 * s2 + 1) * v[from + k] + span * (s3 - 2 * s2 + share) * v[from + width + k] +
      (3 * s2 - 2 * s3) * v[to + k] + span * (s3 - s2) * v[to - width + k]
  end
end

--- Writes what a channel says at a time to out[at ..]; before the first key and behind the last it stands still.
---@param channel thatch.gltf.Channel
---@param t number seconds
function M.sample(channel, t, out, at)
  local key, share, span = place(channel, t)
  local values, width = channel.values, channel.width
  if channel.step == 'cubic' then
    if share > 0 then
      spline(channel, key, share, span, out, at)
    else
      for k = 0, width - 1 do out[at + k] = values[(key * 3 + 1) * width + k] end
    end
  elseif channel.step == 'step' or share == 0 then
    for k = 0, width - 1 do out[at + k] = values[key * width + k] end
  elseif channel.path == 'rotation' then
    slerp(values, key * 4, key * 4 + 4, share, out, at)
  else
    for k = 0, width - 1 do
      local a = values[key * width + k]
      out[at + k] = a + (values[(key + 1) * width + k] - a) * share
    end
  end
  if channel.path == 'rotation' then unit(out, at) end
end

return M
