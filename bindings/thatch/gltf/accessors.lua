--- Buffers, their views and accessors: all sizes are checked before a value is read, each value as it is read.
local ffi = require('ffi')
local document = require('thatch.gltf.document')
local files = require('thatch.gltf.files')

local MAX_LISTED = 1048576
local MAX_COUNT = 50331648 -- three indices for each of the triangles that a geometry may have
local MAX_VALUES = 268435456 -- decoded for one model
local COMPONENTS = {
  [5120] = { size = 1, name = 'byte', type = ffi.typeof('const int8_t *'), top = 127 },
  [5121] = { size = 1, name = 'unsigned byte', type = ffi.typeof('const uint8_t *'), top = 255 },
  [5122] = { size = 2, name = 'short', type = ffi.typeof('const int16_t *'), top = 32767 },
  [5123] = { size = 2, name = 'unsigned short', type = ffi.typeof('const uint16_t *'), top = 65535 },
  [5125] = { size = 4, name = 'unsigned int', type = ffi.typeof('const uint32_t *') },
  [5126] = { size = 4, name = 'float', type = ffi.typeof('const float *') },
}
local TYPES = { SCALAR = 1, VEC2 = 2, VEC3 = 3, VEC4 = 4, MAT2 = 4, MAT3 = 9, MAT4 = 16 }
local COLUMNS = { MAT2 = 2, MAT3 = 3, MAT4 = 4 }
local bytes_type = ffi.typeof('const uint8_t *')
local floats_type, words_type = ffi.typeof('float[?]'), ffi.typeof('uint32_t[?]')
local M = {}

local function read_buffers(doc)
  local list, n = doc:objects(doc.json, 'buffers', '', MAX_LISTED)
  doc.buffers = {}
  for i = 0, n - 1 do
    local path, item = '/buffers/' .. i, list[i + 1]
    local length = doc:count(item, 'byteLength', path, 1)
    local uri, bytes = doc:text(item, 'uri', path), nil
    if uri then
      bytes = files.fetch(doc, path, uri, 'buffer')
    elseif i == 0 and doc.bin then
      bytes = doc.bin
    else
      doc:fail(path, 'uri is missing, need one%s', i == 0 and ' or a .glb with a binary chunk' or '')
    end
    if length > #bytes then
      doc:fail(path .. '/byteLength', 'is %.0f, but there are %d bytes', length, #bytes)
    end
    doc.buffers[i] = { bytes = bytes, length = length }
  end
  doc.buffer_count = n
end

local function read_views(doc)
  local list, n = doc:objects(doc.json, 'bufferViews', '', MAX_LISTED)
  doc.views = {}
  for i = 0, n - 1 do
    local path, item = '/bufferViews/' .. i, list[i + 1]
    local buffer = doc:index(item, 'buffer', path, doc.buffer_count, 'buffer')
    if not buffer then doc:fail(path, 'buffer is missing') end
    local offset, length = doc:whole(item, 'byteOffset', path, 0), doc:count(item, 'byteLength', path, 1)
    local stride = doc:whole(item, 'byteStride', path, nil, 4, 252)
    local whole = doc.buffers[buffer]
    if offset + length > whole.length then
      doc:fail(path, 'byteOffset %.0f + byteLength %.0f is past the %.0f bytes of buffer %d', offset, length,
        whole.length, buffer)
    end
    doc.views[i] = { buffer = whole, offset = offset, length = length, stride = stride }
  end
  doc.view_count = n
end

--- Bytes of one element; the columns of small matrices begin at multiples of four.
local function element_bytes(kind, component)
  local columns = COLUMNS[kind]
  if not columns then return TYPES[kind] * component.size end
  return columns * math.ceil(columns * component.size / 4) * 4
end

local function check_span(doc, path, what, view, offset, stride, size, count)
  local need = offset + stride * (count - 1) + size
  if need > view.length then
    doc:fail(path, '%s needs %.0f bytes, but its bufferView has %.0f', what, need, view.length)
  end
end

local function view_of(doc, item, path)
  local index = doc:index(item, 'bufferView', path, doc.view_count, 'bufferView')
  return index and doc.views[index]
end

local function read_sparse(doc, item, path, accessor)
  local sparse = doc:object(item, 'sparse', path)
  if not sparse then return nil end
  path = path .. '/sparse'
  local count = doc:count(sparse, 'count', path, 1, accessor.count)
  local indices, values = doc:object(sparse, 'indices', path), doc:object(sparse, 'values', path)
  if not indices or not values then doc:fail(path, '%s is missing', indices and 'values' or 'indices') end
  local made = { count = count, path = path }
  made.view, made.value_view = view_of(doc, indices, path .. '/indices'), view_of(doc, values, path .. '/values')
  if not made.view then doc:fail(path .. '/indices', 'bufferView is missing') end
  if not made.value_view then doc:fail(path .. '/values', 'bufferView is missing') end
  made.component = doc:word(indices, 'componentType', path .. '/indices',
    { [5121] = COMPONENTS[5121], [5123] = COMPONENTS[5123], [5125] = COMPONENTS[5125] })
  made.offset = doc:whole(indices, 'byteOffset', path .. '/indices', 0)
  made.value_offset = doc:whole(values, 'byteOffset', path .. '/values', 0)
  check_span(doc, path .. '/indices', 'it', made.view, made.offset, made.component.size, made.component.size, count)
  check_span(doc, path .. '/values', 'it', made.value_view, made.value_offset, accessor.size, accessor.size, count)
  return made
end

local function read_accessors(doc)
  local list, n = doc:objects(doc.json, 'accessors', '', MAX_LISTED)
  doc.accessors = {}
  for i = 0, n - 1 do
    local path, item = '/accessors/' .. i, list[i + 1]
    local a = { path = path }
    a.component = doc:word(item, 'componentType', path, COMPONENTS)
    a.width = doc:word(item, 'type', path, TYPES)
    a.kind = item.type
    a.count = doc:count(item, 'count', path, 1, MAX_COUNT)
    a.normalized = doc:flag(item, 'normalized', path)
    if a.normalized and not a.component.top then
      doc:fail(path .. '/normalized', 'is true, need false for %s', a.component.name)
    end
    a.size = element_bytes(a.kind, a.component)
    a.offset = doc:whole(item, 'byteOffset', path, 0)
    a.view = view_of(doc, item, path)
    if a.view then
      a.stride = a.view.stride or a.size
      if a.stride < a.size then
        doc:fail(path, 'bufferView has byteStride %d, need %d or more for %s of %s', a.stride, a.size, a.kind,
          a.component.name)
      end
      check_span(doc, path, ('count %.0f'):format(a.count), a.view, a.offset, a.stride, a.size, a.count)
    end
    a.sparse = read_sparse(doc, item, path, a)
    doc.accessors[i] = a
  end
  doc.accessor_count = n
end

--- Reads the headers of all buffers, views and accessors.
---@param doc thatch.gltf.Document
function M.read(doc)
  doc.values_decoded = 0
  read_buffers(doc)
  read_views(doc)
  read_accessors(doc)
end

--- An accessor that must be of some shape: kinds, e.g. { VEC3 = true }, and components by name.
function M.need(doc, parent, key, path, kinds, fits)
  local index = doc:index(parent, key, path, doc.accessor_count, 'accessor')
  if not index then return nil end
  local a = doc.accessors[index]
  if not kinds[a.kind] then
    local words = {}
    for word in pairs(kinds) do words[#words + 1] = word end
    table.sort(words)
    doc:fail(path .. '/' .. key, 'accessor %d is %s, need %s', index, a.kind, table.concat(words, ' or '))
  end
  local name = (a.normalized and 'normalized ' or '') .. a.component.name
  if not fits[name] then
    local words = {}
    for word in pairs(fits) do words[#words + 1] = word end
    table.sort(words)
    doc:fail(path .. '/' .. key, 'accessor %d is of %s, need %s', index, name, table.concat(words, ', '))
  end
  return a
end

local function copy(out, base, stride, kind, count, width)
  for i = 0, count - 1 do
    local from = ffi.cast(kind, base + i * stride)
    for k = 0, width - 1 do out[i * width + k] = from[k] end
  end
end

-- As glTF has it: c / top, and -top - 1 counts as -top.
local function copy_share(out, base, stride, kind, count, width, top)
  for i = 0, count - 1 do
    local from = ffi.cast(kind, base + i * stride)
    for k = 0, width - 1 do
      local share = from[k] / top
      out[i * width + k] = share < -1 and -1 or share
    end
  end
end

local function put(a, out, view, offset, stride, count)
  local base = ffi.cast(bytes_type, view.buffer.bytes) + (view.offset + offset)
  if a.normalized then
    copy_share(out, base, stride, a.component.type, count, a.width, a.component.top)
  else
    copy(out, base, stride, a.component.type, count, a.width)
  end
end

local function put_sparse(doc, a, out, array_type)
  local s = a.sparse
  local indices = ffi.cast(s.component.type,
    ffi.cast(bytes_type, s.view.buffer.bytes) + (s.view.offset + s.offset))
  local values = array_type(s.count * a.width)
  put(a, values, s.value_view, s.value_offset, a.size, s.count)
  local last = -1
  for i = 0, s.count - 1 do
    local at = tonumber(indices[i])
    if at <= last or at >= a.count then
      doc:fail(s.path .. '/indices', 'value %d is %d, need %d .. %d', i, at, last + 1, a.count - 1)
    end
    last = at
    for k = 0, a.width - 1 do out[at * a.width + k] = values[i * a.width + k] end
  end
end

local function take(doc, a, array_type)
  local total = a.count * a.width
  doc.values_decoded = doc.values_decoded + total
  if doc.values_decoded > MAX_VALUES then
    doc:fail(a.path, 'the model has more than %d values to decode', MAX_VALUES)
  end
  local out = array_type(total)
  if a.view then put(a, out, a.view, a.offset, a.stride, a.count) end
  if a.sparse then put_sparse(doc, a, out, array_type) end
  return out, a.count, total
end

--- The values of an accessor as float[count * width], all finite.
---@return ffi.cdata* values
---@return integer count
function M.floats(doc, a)
  local out, count, total = take(doc, a, floats_type)
  if a.component.name == 'float' then
    for i = 0, total - 1 do
      local x = out[i]
      if x - x ~= 0 then
        doc:fail(a.path, 'value %d is %s, need a finite number', i, document.show(tonumber(x)))
      end
    end
  end
  return out, count
end

--- The values of an accessor of whole numbers as uint32_t[count * width].
---@return ffi.cdata* values
---@return integer count
function M.words(doc, a)
  return take(doc, a, words_type)
end

--- The bytes of a whole buffer view, as a string.
---@return string
function M.view_bytes(doc, index)
  local view = doc.views[index]
  return view.buffer.bytes:sub(view.offset + 1, view.offset + view.length)
end

return M
