--- Reads a model's files: .glb and .gltf, buffers and images. What a model names lies below its own folder, or in it.
local bit = require('bit')
local ffi = require('ffi')
local lfs = require('lfs')
local document = require('thatch.gltf.document')
local lib = require('thatch.lib')

local band, lshift, rshift = bit.band, bit.lshift, bit.rshift
local MAX_BYTES = tonumber(lib.C.THATCH_MAX_FILE_BYTES)
local MAX_LINKS = 40
local M = {}

--- All bytes of a regular file; nil and a message when that fails.
---@return string? bytes
---@return string? message
function M.read(path, most)
  if path:find('%z') then return nil, 'the name holds a zero byte' end
  local mode, message = lfs.attributes(path, 'mode')
  if not mode then return nil, (tostring(message):gsub('^cannot obtain information from file .-: ', '')) end
  if mode ~= 'file' then return nil, 'is a ' .. mode .. ', need a file' end
  local size = lfs.attributes(path, 'size')
  if size > most then return nil, ('has %.0f bytes, need at most %.0f'):format(size, most) end
  local file
  file, message = io.open(path, 'rb')
  if not file then return nil, (message:gsub('^.*: ', '')) end
  local bytes, problem = file:read(size + 1)
  file:close()
  if size > 0 and not bytes then return nil, tostring(problem or 'cannot be read') end
  bytes = bytes or ''
  if #bytes > size then return nil, 'grows while it is read' end
  return bytes
end

-- --- where files lie -------------------------------------------------------------------------------------------------

local function parts_of(path)
  local parts = {}
  for part in path:gmatch('[^/]+') do parts[#parts + 1] = part end
  return parts
end

--- A path without links, absolute; nil when it leads in a ring.
local function real(path)
  if path:sub(1, 1) ~= '/' then path = lfs.currentdir() .. '/' .. path end
  local todo, done, links = parts_of(path), '', 0
  local i = 1
  while i <= #todo do
    local part = todo[i]
    i = i + 1
    if part == '..' then
      done = done:match('^(.*)/[^/]*$') or ''
    elseif part ~= '.' then
      local here = done .. '/' .. part
      local target = lfs.symlinkattributes(here, 'mode') == 'link' and lfs.symlinkattributes(here, 'target')
      if target then
        links = links + 1
        if links > MAX_LINKS then return nil end
        local rest = parts_of(target)
        for k = i, #todo do rest[#rest + 1] = todo[k] end
        todo, i = rest, 1
        if target:sub(1, 1) == '/' then done = '' end
      else
        done = here
      end
    end
  end
  return done == '' and '/' or done
end
M.real = real

--- The file that a URI names, below the model's folder.
---@return string path
function M.locate(doc, path, uri)
  local shown = document.show(uri)
  local name = uri:gsub('%%(%x%x)', function(digits) return string.char(tonumber(digits, 16)) end)
  if uri:gsub('%%%x%x', ''):find('%', 1, true) then
    doc:fail(path, 'uri is %s, need two hex digits behind each %%', shown)
  end
  if name:find('[%c\\]') then doc:fail(path, 'uri is %s, need a name without control characters and \\', shown) end
  for _, form in ipairs({ uri, name }) do
    if form:find('^%a[%w+.-]*:') then doc:fail(path, "uri is %s, need a file below the model's folder", shown) end
    if form:sub(1, 1) == '/' then
      doc:fail(path, "uri is %s, need a relative path below the model's folder", shown)
    end
  end
  local kept = {}
  for _, part in ipairs(parts_of(name)) do
    if part == '..' then
      if #kept == 0 then doc:fail(path, "uri is %s, need a path below the model's folder", shown) end
      kept[#kept] = nil
    elseif part ~= '.' then
      kept[#kept + 1] = part
    end
  end
  if #kept == 0 then doc:fail(path, 'uri is %s, need the name of a file', shown) end
  local file = doc.folder .. '/' .. table.concat(kept, '/')
  local home, place = real(doc.folder), real(file)
  if not home or not place or (home ~= '/' and place:sub(1, #home + 1) ~= home .. '/') then
    doc:fail(path, "uri is %s, a link that leads out of the model's folder", shown)
  end
  return file
end

-- --- base64, strict --------------------------------------------------------------------------------------------------

local DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
local value_of = ffi.new('uint8_t[256]', 255)
for i = 0, 255 do value_of[i] = 255 end
for i = 1, 64 do value_of[DIGITS:byte(i)] = i - 1 end

--- The bytes of base64 text; nil and a message when it is not exactly that.
---@return string? bytes
---@return string? message
function M.base64(text)
  local n = #text
  if n % 4 ~= 0 then return nil, ('has %d characters, need a multiple of 4'):format(n) end
  local pad = text:sub(-2) == '==' and 2 or text:sub(-1) == '=' and 1 or 0
  local digits = n - pad
  local source = ffi.cast('const uint8_t *', text)
  local count = n / 4 * 3 - pad
  local out = ffi.new('uint8_t[?]', count + 3)
  local at, held, bits = 0, 0, 0
  for i = 0, digits - 1 do
    local v = value_of[source[i]]
    if v == 255 then return nil, ('has a wrong character at %d'):format(i) end
    held, bits = lshift(held, 6) + v, bits + 6
    if bits >= 8 then
      bits = bits - 8
      out[at] = rshift(held, bits)
      at, held = at + 1, band(held, lshift(1, bits) - 1)
    end
  end
  if held ~= 0 then return nil, 'has bits behind its last byte' end
  return ffi.string(out, count)
end

local function decode_data(doc, path, uri, types)
  local head, body = uri:match('^data:([^,]*),(.*)$')
  if not head then doc:fail(path, 'uri is %s, need data:TYPE;base64,...', document.show(uri)) end
  local kind = head:match('^([^;]*)')
  if head:sub(-7) ~= ';base64' then doc:fail(path, "uri is data of '%s', need base64", head:sub(1, 60)) end
  if not types[kind] then
    local known = {}
    for name in pairs(types) do known[#known + 1] = name end
    table.sort(known)
    doc:fail(path, "uri is data of '%s', need one of %s", kind:sub(1, 60), table.concat(known, ', '))
  end
  if #body / 4 * 3 > MAX_BYTES then doc:fail(path, 'uri has %d characters, too many', #body) end
  local bytes, message = M.base64(body)
  if not bytes then doc:fail(path, 'uri: base64 %s', message) end
  return bytes
end

local BUFFER_TYPES = { ['application/octet-stream'] = true, ['application/gltf-buffer'] = true }
local IMAGE_TYPES = { ['image/png'] = true, ['image/jpeg'] = true }

--- The bytes that a URI stands for.
---@param kind 'buffer'|'image'
---@return string
function M.fetch(doc, path, uri, kind)
  local bytes, message
  if uri:find('^data:') then
    bytes = decode_data(doc, path, uri, kind == 'buffer' and BUFFER_TYPES or IMAGE_TYPES)
  else
    bytes, message = M.read(M.locate(doc, path, uri), MAX_BYTES)
    if not bytes then doc:fail(path, 'uri is %s: %s', document.show(uri), message) end
  end
  doc.bytes = doc.bytes + #bytes
  if doc.bytes > MAX_BYTES then doc:fail(path, 'the files of the model have more than %d bytes', MAX_BYTES) end
  return bytes
end

-- --- the container ---------------------------------------------------------------------------------------------------

local function u32(bytes, at)
  local a, b, c, d = bytes:byte(at + 1, at + 4)
  return a + b * 256 + c * 65536 + d * 16777216
end

local JSON_CHUNK, BIN_CHUNK = 0x4E4F534A, 0x004E4942

--- JSON and binary chunk of a .glb.
local function unpack_glb(doc, bytes)
  local n = #bytes
  if bytes:sub(1, 4) ~= ('glTF'):sub(1, n) then
    doc:fail('', "magic is %s, need 'glTF'", document.show(bytes:sub(1, 4)))
  end
  if n < 12 then doc:fail('', 'is truncated: it has %d bytes, need 12 or more', n) end
  if u32(bytes, 4) ~= 2 then doc:fail('', 'version is %d, need 2', u32(bytes, 4)) end
  local length = u32(bytes, 8)
  if length > n then doc:fail('', 'is truncated: length is %.0f, but it has %d bytes', length, n) end
  if length < n then doc:fail('', 'length is %.0f, but it has %d bytes', length, n) end
  local at, number, json, bin = 12, 0, nil, nil
  while at < n do
    local path = 'chunk ' .. number
    if at + 8 > n then doc:fail(path, 'is truncated: %d bytes are left, need 8', n - at) end
    local size, kind = u32(bytes, at), u32(bytes, at + 4)
    if size % 4 ~= 0 then doc:fail(path, 'length is %.0f, need a multiple of 4', size) end
    if at + 8 + size > n then
      doc:fail(path, 'is truncated: length is %.0f, but %d bytes are left', size, n - at - 8)
    end
    if number == 0 then
      if kind ~= JSON_CHUNK then doc:fail(path, 'type is 0x%08X, need JSON', kind) end
      json = bytes:sub(at + 9, at + 8 + size)
    elseif kind == JSON_CHUNK or (kind == BIN_CHUNK and number > 1) then
      doc:fail(path, 'is a second one of its type')
    elseif kind == BIN_CHUNK then
      bin = bytes:sub(at + 9, at + 8 + size)
    end
    at, number = at + 8 + size, number + 1
  end
  if not json then doc:fail('chunk 0', 'is missing, need JSON') end
  return json, bin
end

--- Opens a model's file: the document, with what a .glb holds beside its JSON as `bin`.
---@param path string
---@return thatch.gltf.Document
function M.open(path)
  local refuse = setmetatable({ file = path }, { __index = getmetatable(document.parse(path, '{}')).__index })
  if path:find('%z') then refuse:fail('', 'the name holds a zero byte') end
  local bytes, message = M.read(path, MAX_BYTES)
  if not bytes then refuse:fail('', '%s', message) end
  local json, bin = bytes, nil
  if bytes:sub(1, 4) == 'glTF' or path:lower():find('%.glb$') then
    json, bin = unpack_glb(refuse, bytes)
  end
  local doc = document.parse(path, json)
  doc.folder = path:match('^(.*)/[^/]*$') or '.'
  if doc.folder == '' then doc.folder = '/' end
  doc.bin, doc.bytes = bin, #bytes
  return doc
end

return M
