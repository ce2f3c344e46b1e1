--- import FILE: makes a .glb of what assimp reads (OBJ, FBX, Collada, STL, PLY, 3DS and more). assimp runs confined: it
--- reads the file's folder, writes a folder of its own, and is stopped at its limits.
local bit = require('bit')
local cjson = require('cjson')
local common = require('commands.common')
local files = require('thatch.gltf.files')
local leftovers = require('leftovers')
local lfs = require('lfs')
local loader = require('loader')

local MAX_MIB = 256 -- of the file, of pictures, and of what comes out
local OLD = 7200 -- seconds: twice as long as assimp may take
local M = {}

function M.describe(parser)
  parser:argument('file', 'A model: OBJ, FBX, Collada (.dae), STL, PLY, 3DS, ...')
  parser:option('--out', 'A name that ends in .glb, or a folder. Beside the file when left out.'):convert(common.name)
  parser:flag('--smooth', 'Smooth normals where the file has none; else its faces stay flat.')
  parser:option('--seconds', 'Of the processor, for assimp.', '60'):convert(common.whole('seconds', 1, 3600))
  parser:option('--memory', 'MiB for assimp.', '2048'):convert(common.whole('memory', 64, 65536))
end

-- --- pictures --------------------------------------------------------------------------------------------------------

local function inside(folder, path)
  local home, place = files.real(folder), files.real(path)
  return home and place and (home == '/' or place:sub(1, #home + 1) == home .. '/')
end

--- A file of the model's folder for what a model calls its picture: by its path, else by its name beside the model.
local function find_picture(folder, uri)
  local name = uri:gsub('%%(%x%x)', function(d) return string.char(tonumber(d, 16)) end):gsub('\\', '/')
  name = name:gsub('^%a:/', ''):gsub('^file:/*', '')
  local last = name:match('([^/]+)$')
  for _, try in ipairs({ name, last, last and 'textures/' .. last, last and 'images/' .. last }) do
    local path = folder .. '/' .. try
    if not try:find('%c') and lfs.attributes(path, 'mode') == 'file' and inside(folder, path) then return path end
  end
end

--- Bytes of a picture as PNG or JPEG; nil and a message where it can't be had.
local function read_picture(folder, uri, scratch)
  local path = find_picture(folder, uri)
  if not path then return nil, 'is not in the folder of the model' end
  local bytes, message = files.read(path, MAX_MIB * 1048576)
  if not bytes then return nil, message end
  if bytes:sub(1, 4) == '\137PNG' or bytes:sub(1, 3) == '\255\216\255' then return bytes end
  local image = require('thatch.image')
  local made
  made, message = image.try_decode(bytes, uri)
  if not made then return nil, message end
  local aside = scratch .. '/picture.png'
  local written
  written, message = image.try_write(aside, made.texels, made.width, made.height)
  if not written then return nil, message end
  return files.read(aside, MAX_MIB * 1048576)
end

-- A white texel: stands for a picture that is not to be had.
local WHITE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg=='

local LISTS = {
  accessors = true, animations = true, buffers = true, bufferViews = true, cameras = true, images = true,
  materials = true, meshes = true, nodes = true, samplers = true, scenes = true, skins = true, textures = true,
  children = true, joints = true, channels = true, primitives = true, extensionsUsed = true, extensionsRequired = true,
  targets = true, weights = true,
}

--- Takes empty lists out: cjson would write them as objects.
local function drop_empty(value)
  for key, inner in pairs(value) do
    if type(inner) == 'table' then
      if next(inner) == nil and LISTS[key] then value[key] = nil else drop_empty(inner) end
    end
  end
end

local function u32(n)
  return string.char(bit.band(n, 255), bit.band(bit.rshift(n, 8), 255), bit.band(bit.rshift(n, 16), 255),
    bit.band(bit.rshift(n, 24), 255))
end

local function read_u32(bytes, at)
  local a, b, c, d = bytes:byte(at, at + 3)
  if not d then return 0 end
  return a + b * 256 + c * 65536 + d * 16777216
end

--- Takes pictures that lie beside a .glb into it, so that it is one file.
---@return string bytes
---@return string[] warnings
local function embed(bytes, folder, scratch)
  local length = read_u32(bytes, 13)
  local decoder = cjson.new()
  decoder.decode_max_depth(64)
  local ok, json = pcall(decoder.decode, bytes:sub(21, 20 + length))
  if not ok or type(json) ~= 'table' or type(json.images) ~= 'table' then return bytes, {} end
  local warnings, parts = {}, {}
  local at = 20 + length
  local bin = bytes:sub(at + 9, at + 8 + read_u32(bytes, at + 1))
  local size = #bin + -#bin % 4
  parts[1] = bin .. ('\0'):rep(-#bin % 4)
  json.bufferViews, json.buffers = json.bufferViews or {}, json.buffers or { { byteLength = 0 } }
  local changed = false
  for i, image in ipairs(json.images) do
    if type(image) == 'table' and type(image.uri) == 'string' and not image.uri:find('^data:') then
      local picture, message = read_picture(folder, image.uri, scratch)
      if not picture then
        warnings[#warnings + 1] = ("the picture '%s' %s, and is left out"):format((image.uri:gsub('%c', '?')), message)
        picture = files.base64(WHITE)
      end
      table.insert(json.bufferViews, { buffer = 0, byteOffset = size, byteLength = #picture })
      parts[#parts + 1] = picture .. ('\0'):rep(-#picture % 4)
      size = size + #picture + -#picture % 4
      json.images[i] = {
        bufferView = #json.bufferViews - 1, mimeType = picture:byte(1) == 137 and 'image/png' or 'image/jpeg',
        name = image.uri:match('([^/\\]+)$'),
      }
      changed = true
    end
  end
  if not changed then return bytes, warnings end
  json.buffers[1].byteLength = size
  drop_empty(json)
  local text = cjson.encode(json)
  text = text .. (' '):rep(-#text % 4)
  local chunks = u32(#text) .. 'JSON' .. text .. u32(size) .. 'BIN\0' .. table.concat(parts)
  return 'glTF' .. u32(2) .. u32(12 + #chunks) .. chunks, warnings
end

-- --- assimp ----------------------------------------------------------------------------------------------------------

local function find_assimp()
  local pipe = io.popen('command -v assimp 2>/dev/null')
  local path = pipe:read('*l')
  pipe:close()
  if not path or path:sub(1, 1) ~= '/' then
    common.fail('assimp is not installed: apt-get install assimp-utils')
  end
  return files.real(path)
end

--- The line in which assimp says what is wrong.
local function reason_of(output)
  local found
  for line in output:gmatch('[^\r\n]+') do
    if line:find('[Ee]rror') or line:find('[Ff]ailed') or line:find('[Uu]nable') or line:find('bad_alloc') then
      found = line
    end
  end
  return (found or output:match('([^\r\n]+)%s*$') or 'it says nothing'):gsub('%c', '?'):sub(1, 200)
end

-- By x86's and ARM's numbers. The limit of time is told otherwise.
local SIGNALS = {
  [9] = 'someone killed it; the system does where memory is short', [15] = 'someone ended it',
  [25] = 'what it makes is larger than %d MiB',
}

local function convert(options, path, scratch)
  local host = require('thatch.host')
  local words = { find_assimp(), 'export', path, scratch .. '/out.glb', '-fglb2', '-tri', '-jiv', '-lbw', '-sbp' }
  if options.smooth then words[#words + 1] = '-gsn' end
  if not host.confines() then
    io.stderr:write('thatch import: this kernel has no Landlock: assimp has limits, but may read any file\n')
  end
  local how, code = host.confined(words, {
    read = { files.real(loader.folder_of(path)) }, write = scratch, output = scratch .. '/said.txt',
    seconds = options.seconds, memory_mib = options.memory, file_mib = MAX_MIB,
  })
  local output = loader.read(scratch .. '/said.txt') or ''
  if not how then common.fail('assimp could not be started: %s', code) end
  if how == 'time' then
    common.fail('%s: assimp was stopped: it took more than %d s', options.file, options.seconds)
  end
  if output:find('bad_alloc', 1, true) or output:find('not enough memory', 1, true) then
    common.fail('%s: assimp needs more memory than --memory %d', options.file, options.memory)
  end
  if how == 'signal' then
    local why = SIGNALS[code] and SIGNALS[code]:format(MAX_MIB) or
      ('the file is broken, or needs more than --memory %d'):format(options.memory)
    common.fail('%s: assimp ended by signal %d: %s', options.file, code, why)
  end
  if code ~= 0 or not loader.exists(scratch .. '/out.glb') then
    common.fail('%s: assimp cannot convert it: %s', options.file, reason_of(output))
  end
end

-- --- the command -----------------------------------------------------------------------------------------------------

local function target_of(options)
  local name = options.file:match('([^/]+)$'):gsub('%.[^.]*$', '') .. '.glb'
  if not options.out then return (options.file:match('^(.*/)[^/]*$') or '') .. name end
  if options.out:lower():find('%.glb$') then return options.out end
  return options.out:gsub('/+$', '') .. '/' .. name
end

local function remove(folder)
  if lfs.symlinkattributes(folder, 'mode') ~= 'directory' then return end
  for name in lfs.dir(folder) do
    if name ~= '.' and name ~= '..' then
      local path = folder .. '/' .. name
      if lfs.symlinkattributes(path, 'mode') == 'directory' then remove(path) else os.remove(path) end
    end
  end
  lfs.rmdir(folder)
end

local function import(options, path, target, scratch)
  convert(options, path, scratch)
  local bytes, message = files.read(scratch .. '/out.glb', MAX_MIB * 1048576)
  if not bytes then common.fail('%s: what assimp made of it: %s', options.file, message) end
  local warnings
  bytes, warnings = embed(bytes, loader.folder_of(path), scratch)
  local made = scratch .. '/made.glb'
  common.write_text(made, bytes)
  local model
  model, message = require('thatch').models.try_load(made)
  if not model then
    common.fail('%s: what assimp made of it is refused: %s', options.file, (message:gsub('^.-made%.glb: ', '')))
  end
  local renamed
  renamed, message = os.rename(made, target)
  if not renamed then common.fail('%s', message) end
  for _, line in ipairs(warnings) do io.stderr:write('thatch import: ', line, '\n') end
  model.name = target
  local turntable = loader.load_scene(loader.absolute(target))
  io.stdout:write('made ', turntable.describe(model), '\n./thatch play ', common.word(target), '\n')
end

function M.run(options)
  if loader.is_model(options.file) then
    common.usage('%s is glTF: ./thatch play %s', options.file, common.word(options.file))
  end
  if not loader.exists(options.file) then common.usage('%s', loader.no_file(options.file)) end
  local size = lfs.attributes(options.file, 'size')
  if size > MAX_MIB * 1048576 then
    common.fail('%s: has %.0f bytes, need at most %d MiB', options.file, size, MAX_MIB)
  end
  local path = files.real(options.file)
  if not path then common.fail('%s: its links lead in a ring', options.file) end
  local target = target_of(options)
  common.make_parent(target)
  require('thatch.host').headless(true) -- ctrl-C ends the job, and takes the scratch folder away
  local folder = loader.absolute(loader.folder_of(target))
  leftovers.sweep(folder, '^%.import%.(%d+)$', OLD, remove) -- of imports that were killed
  local scratch = ('%s/.import.%d'):format(folder, common.pid())
  local ok, message = lfs.mkdir(scratch)
  if not ok then common.fail('%s: %s', scratch, message) end
  local result
  ok, result = require('mistake').guard(import, options, path, target, scratch)
  remove(scratch)
  if not ok then error(result, 0) end
end

return M
