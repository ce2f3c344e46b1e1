--- Finds and loads scenes, pipelines and other scripts: as text only, with each file known, so that it can be watched.
local lfs = require('lfs')
local check = require('thatch.check')
local judge = require('judge')
local mistake = require('mistake')
local thatch = require('thatch')

local M = {}

---@type table<string, string> file of each module that was required, by the module's name
M.modules = {}

local function read(path)
  local file, message = io.open(path, 'rb')
  if not file then return nil, message end
  local text = file:read('*a')
  file:close()
  if not text then return nil, path .. ': is a folder, need a file' end
  return text
end
M.read = read

function M.exists(path, mode)
  return lfs.attributes(path, 'mode') == (mode or 'file')
end

--- What a path is that is no file, in words.
---@param path string
---@return string
function M.no_file(path)
  local mode = lfs.attributes(path, 'mode')
  if mode == 'directory' then return path .. ': is a folder, need a file' end
  if mode then return ('%s: is a %s, need a file'):format(path, mode) end
  if lfs.symlinkattributes(path, 'mode') == 'link' then return path .. ': is a link to nothing, need a file' end
  return path .. ': there is no such file'
end

--- A path without . and .. and double slashes, made absolute.
function M.absolute(path)
  if path:sub(1, 1) ~= '/' then path = lfs.currentdir() .. '/' .. path end
  local parts = {}
  for part in path:gmatch('[^/]+') do
    if part == '..' then parts[#parts] = nil elseif part ~= '.' then parts[#parts + 1] = part end
  end
  return '/' .. table.concat(parts, '/')
end

M.root = M.absolute(thatch.root)

--- A script as a function; nil and a message when it can't be read or has a mistake.
function M.compile(path)
  local text, message = read(path)
  if not text then return nil, message end
  if text:byte(1) == 27 then return nil, path .. ': is bytecode, need Lua text' end
  local chunk
  chunk, message = load(text, '@' .. path, 't')
  if not chunk then return nil, (message:gsub('^[^:]+%.lua:', (path:gsub('%%', '%%%%')) .. ':', 1)) end
  if M.safe then chunk = M.safe.confine(chunk, M.absolute(path)) end
  return chunk
end

--- Lets require load text only, and note each file.
function M.install()
  if M.installed then return end
  M.installed = true
  if require('thatch.lib').safe then
    M.safe = require('safe')
    M.safe.install(M)
  end
  table.insert(package.loaders, 2, function(name)
    local path, message = package.searchpath(name, package.path)
    if not path then return message end
    local chunk
    chunk, message = M.compile(path)
    if not chunk then error(message, 0) end
    M.modules[name] = M.absolute(path)
    return chunk
  end)
end

--- Lets scripts require what lies beside them.
function M.add_folder(folder)
  if M.safe then -- there, require finds them by itself
    M.safe.home = M.safe.home or M.absolute(folder)
    return
  end
  local pattern = folder .. '/?.lua;' .. folder .. '/?/init.lua;'
  if not package.path:find(pattern, 1, true) then package.path = pattern .. package.path end
end

local function folder_of(path)
  return path:match('^(.*)/[^/]*$') or '.'
end
M.folder_of = folder_of

local function names_in(folder, list)
  if not M.exists(folder, 'directory') then return list end
  for name in lfs.dir(folder) do
    if name:sub(1, 1) ~= '.' then
      if M.exists(folder .. '/' .. name .. '/init.lua') then list[#list + 1] = name end
      if name:find('%.lua$') then list[#list + 1] = name:sub(1, -5) end
    end
  end
  table.sort(list)
  return list
end

local function unknown(kind, name, known)
  local near = check.nearest(name, known)
  return ("%s: there is no '%s'%s; known: %s"):format(kind, name, near and (", did you mean '" .. near .. "'?") or '',
    #known > 0 and table.concat(known, ', ') or 'none')
end

local function first_file(...)
  for i = 1, select('#', ...) do
    local path = select(i, ...)
    if M.exists(path) then return M.absolute(path) end
  end
end

-- Endings of models that ./thatch import reads.
local IMPORTED = check.set('obj fbx dae stl ply 3ds blend x off lwo ac ms3d md2 md3 md5mesh b3d smd ase dxf x3d 3mf ' ..
  'iqm')

--- Is a name that of a model which turntable.lua shows?
function M.is_model(name)
  local ending = name:lower():match('%.(%w+)$')
  return ending == 'glb' or ending == 'gltf'
end

--- The file of a scene: a name under scenes/, a folder, or a path; a model's file is a scene too.
---@return string? path
---@return string? message
function M.find_scene(name)
  if M.is_model(name) then
    local path = first_file(name)
    if path then return path end
    return nil, 'model: ' .. M.no_file(name)
  end
  local ending = name:lower():match('%.(%w+)$')
  if ending and IMPORTED[ending] and M.exists(name) then
    return nil, ('model: %s: is no glTF: ./thatch import %s makes %s of it'):format(name, name,
      name:gsub('%.%w+$', '.glb'))
  end
  if name:find('%.lua$') or name:find('/') then
    local path = first_file(name, name .. '/init.lua', name .. '/scene.lua')
    if path then return path end
    if M.exists(name, 'directory') then
      return nil, ('scene: %s: is a folder without init.lua and scene.lua, need one of them'):format(name)
    end
    return nil, 'scene: ' .. M.no_file(name)
  end
  local path = first_file('scenes/' .. name .. '/init.lua', M.root .. '/scenes/' .. name .. '/init.lua',
    'scenes/' .. name .. '.lua', M.root .. '/scenes/' .. name .. '.lua', name .. '/init.lua', name .. '/scene.lua')
  if path then return path end
  return nil, unknown('scene', name, names_in(M.root .. '/scenes', {}))
end

--- The file of a pipeline: a name under scripts/pipelines/, or a path; beside the scene first.
function M.find_pipeline(name, near)
  if name:find('%.lua$') or name:find('/') then
    local path = first_file(name, (near or '.') .. '/' .. name)
    if path then return path end
    return nil, 'pipeline: ' .. M.no_file(name)
  end
  local path = first_file(M.root .. '/scripts/pipelines/' .. name .. '.lua')
  if path then return path end
  return nil, unknown('pipeline', name, names_in(M.root .. '/scripts/pipelines', {}))
end

--- A scene's table, from its file.
function M.load_scene(path)
  local is_model = M.is_model(path)
  if not is_model then M.add_folder(folder_of(path)) end
  local chunk, message = M.compile(is_model and M.root .. '/scripts/turntable.lua' or path)
  if not chunk then return nil, message end
  local ok, scene = mistake.guard(chunk, is_model and path or nil)
  if not ok then return nil, scene end
  local fine
  fine, message = pcall(judge.module, path, scene)
  if not fine then return nil, message end
  return scene
end

--- A pipeline's function, from its file.
function M.load_pipeline(path)
  M.add_folder(folder_of(path))
  local chunk, message = M.compile(path)
  if not chunk then return nil, message end
  local ok, pipeline = mistake.guard(chunk)
  if not ok then return nil, pipeline end
  if type(pipeline) ~= 'function' then
    return nil, ('%s: returns %s, need a function(frame, state, camera, quality)'):format(path, check.show(pipeline))
  end
  return pipeline
end

--- Forgets modules for which `belongs(path)` holds; the result puts them back.
---@param belongs fun(path: string): boolean
---@return fun() restore
function M.forget(belongs)
  local kept = {}
  for name, path in pairs(M.modules) do
    if package.loaded[name] ~= nil and belongs(path) then
      kept[name] = package.loaded[name]
      package.loaded[name] = nil
    end
  end
  return function()
    for name, module in pairs(kept) do package.loaded[name] = module end
  end
end

--- The modules in use for which `belongs(path)` holds.
---@return table<string, any>
function M.capture(belongs)
  local set = {}
  for name, path in pairs(M.modules) do
    if belongs(path) then set[name] = package.loaded[name] end
  end
  return set
end

--- Puts a captured set into use: what is not in it is forgotten.
function M.use(belongs, set)
  for name, path in pairs(M.modules) do
    if belongs(path) then package.loaded[name] = set[name] end
  end
end

return M
