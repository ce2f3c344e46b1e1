--- The neutral scene: a VSC1 file, drawn as an ordinary scene. Bring your own geometry in as this does.
---
---   ./thatch bench bench/neutral/scene.lua --size 640x360 --quality bench/neutral/quality.lua --frames 60 -- FILE.vsc
local ffi = require('ffi')
local thatch = require('thatch')

-- The file is little-endian, as the machines are that LuaJIT's x86 and ARM ports run on.
local HEADER_BYTES, OBJECT_BYTES, FRAME_BYTES = 232, 48, 80
local TEXTURED, TWO_SIDED, CASTS = 1, 2, 4
local SHADOW_BIAS = 0.003 -- of the depth between the sun's planes, as the scene's page has it
local PI = thatch.math.pi

local M = { title = 'the neutral scene', frames = 60 }

local function refuse(path, format, ...)
  error(('%s: ' .. format):format(path, ...), 0)
end

--- The file's bytes, and readers of it that stay inside.
local function open(path)
  local file, message = io.open(path, 'rb')
  if not file then error(message, 0) end
  local text = file:read('*a')
  file:close()
  if not text then refuse(path, 'is no file') end
  local size = #text
  if size < HEADER_BYTES then refuse(path, 'truncated: %d bytes, need a header of %d', size, HEADER_BYTES) end
  -- A copy: strings are not aligned for floats.
  local bytes = ffi.new('uint8_t[?]', size)
  ffi.copy(bytes, text, size)
  local u32 = ffi.cast('const uint32_t *', bytes)
  local f32 = ffi.cast('const float *', bytes)
  if text:sub(1, 4) ~= 'VSC1' or u32[1] ~= 1 then refuse(path, 'is no VSC1 file of version 1') end
  --- An array of the file as a pointer, whole inside it.
  local function array(kind, offset, count, stride, name)
    if offset % 4 ~= 0 or offset + count * stride > size then
      refuse(path, 'truncated: %s needs bytes %d to %d of %d', name, offset, offset + count * stride, size)
    end
    return ffi.cast(kind, bytes + offset)
  end
  local function vector(at, n)
    local v = {}
    for i = 0, (n or 3) - 1 do
      local x = f32[at + i]
      if x ~= x or x == math.huge or x == -math.huge then refuse(path, 'the header holds a number out of range') end
      v[i + 1] = x
    end
    return v
  end
  return { bytes = bytes, u32 = u32, array = array, vector = vector }
end

--- The parts of a file, all within bounds.
local function read(path)
  local f = open(path)
  local u32 = f.u32
  local s = {
    bytes = f.bytes, vertex_count = u32[2], index_count = u32[3], object_count = u32[4], frame_count = u32[5],
    tex_w = u32[6], tex_h = u32[7], sun_dir = f.vector(10), sun_color = f.vector(13), sky_color = f.vector(16),
    ground_color = f.vector(19), fog_color = f.vector(22), fog_density = f.vector(25, 1)[1],
    sun_matrix = f.vector(26, 16),
  }
  local at = 42 -- behind the sun's matrix
  s.pos = f.array('const float *', u32[at], s.vertex_count, 12, 'positions')
  s.nrm = f.array('const float *', u32[at + 1], s.vertex_count, 12, 'normals')
  s.col = f.array('const uint8_t *', u32[at + 2], s.vertex_count, 4, 'colors')
  s.uv = f.array('const float *', u32[at + 3], s.vertex_count, 8, 'uvs')
  s.idx = f.array('const uint32_t *', u32[at + 4], s.index_count, 4, 'indices')
  s.obj = f.array('const uint32_t *', u32[at + 5], s.object_count, OBJECT_BYTES, 'objects')
  s.tex = f.array('const uint8_t *', u32[at + 6], s.tex_w * s.tex_h, 4, 'texture')
  s.frame = f.array('const float *', u32[at + 7], s.frame_count, FRAME_BYTES, 'frames')
  if s.frame_count == 0 then refuse(path, 'has no frames') end
  return s
end

--- One object's triangles as a geometry; its indices count from its own first vertex.
local function geometry_of(path, s, number, first_index, index_count, first_vertex, vertex_count)
  if first_index + index_count > s.index_count or first_vertex + vertex_count > s.vertex_count then
    refuse(path, 'object %d reaches beyond the arrays', number)
  end
  local indices = ffi.new('uint32_t[?]', math.max(index_count, 1))
  for i = 0, index_count - 1 do
    local index = s.idx[first_index + i] - first_vertex
    if index < 0 or index >= vertex_count then refuse(path, 'object %d: index %d is not its own', number, i) end
    indices[i] = index
  end
  local colors = ffi.new('float[?]', math.max(vertex_count * 4, 1))
  local col = s.col + first_vertex * 4
  for i = 0, vertex_count * 4 - 1 do colors[i] = col[i] / 255 end
  return thatch.geometry.create({
    positions = s.pos + first_vertex * 3, normals = s.nrm + first_vertex * 3, uvs = s.uv + first_vertex * 2,
    colors = colors, indices = indices, vertex_count = vertex_count, index_count = index_count,
  })
end

local function has(flags, bit_value)
  return math.floor(flags / bit_value) % 2 == 1
end

--- Metres between the near and the far plane of the sun's matrix.
local function depth_of(m)
  return 2 / thatch.math.length({ m[3], m[7], m[11] })
end

function M.load(ctx)
  local path = ctx.args[1]
  if not path then error('the neutral scene needs a file: ./thatch bench bench/neutral/scene.lua -- FILE.vsc', 0) end
  local s = read(path)
  local scene = thatch.scene.create()
  local map = thatch.texture.create({
    width = s.tex_w, height = s.tex_h, texels = s.tex, srgb = false, wrap = 'repeat',
  })
  -- The file's two-sided leaves and blades are lit by their one normal, from both sides.
  thatch.shading.register('neutral_sheet', { back_faces = 'as_front' })
  local materials = {}
  local function material_of(flags)
    local key = flags % 4
    materials[key] = materials[key] or thatch.material.create({
      kind = 'lambert', map = has(flags, TEXTURED) and map or nil, two_sided = has(flags, TWO_SIDED),
      shading = has(flags, TWO_SIDED) and 'neutral_sheet' or nil,
    })
    return materials[key]
  end
  for number = 0, s.object_count - 1 do
    local o = s.obj + number * (OBJECT_BYTES / 4)
    local flags = o[4]
    scene:mesh({
      geometry = geometry_of(path, s, number, o[0], o[1], o[2], o[3]), material = material_of(flags),
      node = scene:node({ name = 'object ' .. number }), casts_shadow = has(flags, CASTS),
    })
    if number % 32 == 0 then ctx.progress(number / s.object_count, 'objects') end
  end
  -- Lights of thatch are as in three.js: a surface gives back a pi-th of them. The file's are not.
  scene:light({ kind = 'hemisphere', color = s.sky_color, ground_color = s.ground_color, intensity = PI })
  scene:light({ kind = 'directional', color = s.sun_color, direction = s.sun_dir, intensity = PI })
  scene:set_fog({ color = s.fog_color, density = s.fog_density })
  scene:set_background(s.fog_color)

  M.frames = s.frame_count
  local views = {}
  for i = 0, s.frame_count - 1 do
    local f = s.frame + i * (FRAME_BYTES / 4)
    local matrix = {}
    for k = 0, 15 do matrix[k + 1] = f[k] end
    views[i] = { matrix = matrix, eye = { f[16], f[17], f[18] }, near = 0.1, far = 300 }
  end
  return {
    scene = scene, camera = thatch.camera.create(), views = views, resolve = { tone = 'none', srgb = false },
    shadow = { matrix = s.sun_matrix, bias = 0, bias_m = SHADOW_BIAS * depth_of(s.sun_matrix) },
  }
end

function M.walk(state, number)
  return state.views[number]
end

return M
