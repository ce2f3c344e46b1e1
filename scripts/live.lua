--- Live reload: which files belong to what, and what to do when one is saved.
local driver_module = require('driver')
local loader = require('loader')
local mistake = require('mistake')
local thatch = require('thatch')
local watch = require('watch')

local LOOK_EVERY = 0.2 -- seconds

local M = {}

---@class Live
local Live = {}
Live.__index = Live

---@param driver Driver
function M.new(driver)
  return setmetatable({ driver = driver, watch = watch.new(), next_look = 0 }, Live)
end

local function starts(path, folder)
  return path:sub(1, #folder + 1) == folder .. '/'
end

--- 'pipeline', 'quality', 'walk' or 'scene': what a file is part of; nil: of the program itself.
function Live:part_of(path)
  local driver = self.driver
  local scripts = loader.root .. '/scripts'
  if path == driver.pipeline_path or starts(path, scripts .. '/pipelines') then return 'pipeline' end
  if starts(path, scripts .. '/walk') or path == scripts .. '/hud.lua' then return 'walk' end
  if path == driver.path then return 'scene' end
  if starts(path, scripts) or starts(path, loader.root .. '/bindings') or starts(path, '/usr') then return nil end
  return 'scene'
end

--- All files that are looked at.
function Live:files()
  local driver, list, seen = self.driver, {}, {}
  local function add(path)
    if path and not seen[path] then
      seen[path] = true
      list[#list + 1] = path
    end
  end
  add(driver.path)
  add(driver.pipeline_path)
  add(driver.quality.source and loader.absolute(driver.quality.source))
  for _, path in pairs(loader.modules) do
    if self:part_of(path) then add(path) end
  end
  table.sort(list)
  return list
end

--- What was saved since the last look, as a set of parts; nil when nothing was or when it is too soon to look.
---@return table<string, boolean>?
function Live:changed(now)
  if now < self.next_look then return nil end
  self.next_look = now + LOOK_EVERY
  local changed = self.watch:changed(self:files())
  if #changed == 0 then return nil end
  local parts = {}
  local quality = self.driver.quality.source and loader.absolute(self.driver.quality.source)
  for _, path in ipairs(changed) do
    local part = path == quality and 'quality' or self:part_of(path)
    if part then parts[part] = true end
  end
  return next(parts) and parts or nil
end

--- The pipeline, read again; raises and keeps the old one when it has a mistake.
function Live:pipeline()
  local restore = loader.forget(function(path) return self:part_of(path) == 'pipeline' end)
  local ok, result = pcall(self.driver.read_pipeline, self.driver, self.driver.scene, self.driver.state)
  if not ok then
    restore()
    error(result, 0)
  end
  self.driver.pipeline = result
end

--- The quality, read again; raises and keeps the old one when it is refused.
function Live:quality()
  local driver = self.driver
  driver_module.beat(driver.name .. ': quality')
  local quality, message = thatch.quality.try_load(driver.quality_name)
  local ok = true
  if quality then ok, message = mistake.guard(driver.set_quality, driver, quality) end -- the scene hears of it
  driver_module.beat(nil)
  if not (quality and ok) then error(message, 0) end
end

--- The walk's modules, read again; raises and keeps the old ones when one has a mistake.
---@return table walk
---@return table hud
function Live:walk()
  local restore = loader.forget(function(path) return self:part_of(path) == 'walk' end)
  driver_module.beat(self.driver.name .. ': walk')
  local ok, walk, hud = pcall(function() return require('walk'), require('hud') end)
  driver_module.beat(nil)
  if not ok then
    restore()
    error(walk, 0)
  end
  return walk, hud
end

---@class SceneJob
local SceneJob = {}
SceneJob.__index = SceneJob

--- A job that reads and builds the scene again, step by step. The old scene, with its modules, stays in use until the
--- new one stands.
---@return SceneJob
function Live:scene()
  local driver = self.driver
  local function belongs(path) return self:part_of(path) == 'scene' end
  local routine = coroutine.create(function()
    local scene = driver:read_scene()
    local state = driver:build(scene, function(share, text) coroutine.yield(share, text or 'loading') end)
    driver:take(scene, state, driver:read_pipeline(scene, state))
    return true
  end)
  return setmetatable({ name = driver.name, belongs = belongs, routine = routine, modules = {} }, SceneJob)
end

--- Goes on until the next word of progress: share and text; true when the new scene is in use. Raises what its scripts
--- raise; then the old one stays.
function SceneJob:step()
  local old = loader.capture(self.belongs)
  loader.use(self.belongs, self.modules)
  driver_module.beat(self.name .. ': load', driver_module.load_patience) -- frames were watched in between
  local ok, share, text = coroutine.resume(self.routine)
  driver_module.beat(nil)
  if ok and share == true then return true end
  self.modules = loader.capture(self.belongs)
  loader.use(self.belongs, old)
  if ok then return share, text end
  error(mistake.of(share, self.routine), 0)
end

return M
