--- Draws a scene by a pipeline at a quality, frame by frame. All commands stand on it.
local ffi = require('ffi')
local check = require('thatch.check')
local judge = require('judge')
local loader = require('loader')
local mistake = require('mistake')
local thatch = require('thatch')

local has_host, host = pcall(require, 'thatch.host')

local FRAMES_A_SECOND = 24
local LOAD_PATIENCE = 6 -- times the watchdog's limit, between two words of progress
local M = { frames_a_second = FRAMES_A_SECOND }

---@class Driver
---@field scene table the scene's module
---@field state table what its load returned
---@field frame thatch.Frame
---@field quality thatch.Quality
---@field pipeline function
---@field outdated boolean the scene was built for another quality
local Driver = {}
Driver.__index = Driver

local function beat(what, patience)
  if has_host then host.beat(what, patience) end
end
M.beat = beat
M.load_patience = LOAD_PATIENCE

---@class DriverOptions
---@field scene string
---@field quality string|table
---@field width integer of the window
---@field height integer
---@field pipeline? string
---@field args? string[] the scene's own
---@field seed? integer
---@field hour? number of the day, for scenes that have one
---@field weather? string clear, overcast or rain, for scenes that have one
---@field progress? fun(share: number, text?: string)

--- Nothing is loaded yet. A wrong name raises a string, a mistake in the quality's file a Mistake.
---@param options DriverOptions
---@return Driver
function M.new(options)
  loader.install()
  local path, message = loader.find_scene(options.scene)
  if not path then error(message, 0) end
  local self = setmetatable({
    name = options.scene, path = path, folder = loader.folder_of(path), width = options.width,
    height = options.height, args = options.args or {}, seed = options.seed or 1, hour = options.hour,
    weather = options.weather,
    pipeline_name = options.pipeline,
    progress = options.progress or function() end,
  }, Driver)
  if options.pipeline then
    path, message = loader.find_pipeline(options.pipeline, self.folder)
    if not path then error(message, 0) end
  end
  if type(options.quality) == 'table' then
    self.quality = thatch.quality.check(options.quality)
  else
    self.quality_name = options.quality
    beat(self.name .. ': quality')
    self.quality, message = thatch.quality.try_load(options.quality)
    beat(nil)
    if not self.quality then
      if not loader.exists(options.quality) then error(message, 0) end
      local made = mistake.of(message)
      made.trace = '' -- that of the machinery here
      error(made, 0)
    end
  end
  return self
end

--- The scene's file, run again: its module. The old one stays in use until `take`.
function Driver:read_scene()
  beat(self.name .. ': load', LOAD_PATIENCE)
  local scene, message = loader.load_scene(self.path)
  beat(nil)
  if not scene then error(message, 0) end
  return scene
end

--- Builds a scene's state.
---@param scene table
---@param progress? fun(share: number, text?: string) the driver's when left out; in a coroutine, it may yield
function Driver:build(scene, progress)
  progress = progress or self.progress
  beat(self.name .. ': load', LOAD_PATIENCE)
  local last_share, last_text
  local state = scene.load({
    quality = self.quality, args = self.args, size = { self.width, self.height }, seed = self.seed,
    progress = function(share, text)
      if type(share) ~= 'number' or (text ~= nil and type(text) ~= 'string') then
        error(('progress: share and text are %s and %s, need a number and a string')
          :format(check.show(share), check.show(text)), 2)
      end
      if share ~= last_share or text ~= last_text then -- saying the same for ever is no sign of life
        beat(self.name .. ': load', LOAD_PATIENCE)
        last_share, last_text = share, text
      end
      progress(share, text)
    end,
  })
  beat(nil)
  judge.state(self.path, state)
  return state
end

--- Finds the pipeline that is asked for: by the command, by the scene, or game.
function Driver:read_pipeline(scene, state)
  local wanted = self.pipeline_name or state.pipeline or scene.pipeline or 'game'
  if type(wanted) ~= 'function' and type(wanted) ~= 'string' then
    error(('%s: pipeline is %s, need a name or a function'):format(self.path, check.show(wanted)), 0)
  end
  if type(wanted) == 'function' then
    self.pipeline_path = nil
    return wanted
  end
  local path, message = loader.find_pipeline(wanted, self.folder)
  if not path then error(message, 0) end
  local pipeline
  beat(self.name .. ': pipeline')
  pipeline, message = loader.load_pipeline(path)
  beat(nil)
  if not pipeline then error(message, 0) end
  self.pipeline_path = path
  return pipeline
end

--- Takes a scene into use; the old state is destroyed.
function Driver:take(scene, state, pipeline)
  local old_scene, old_state = self.scene, self.state
  self.scene, self.state, self.pipeline = scene, state, pipeline
  self.primed, self.outdated = false, false
  self.follows_focus = not (state.shadow and state.shadow.focus)
  if old_state then
    if old_scene.unload then
      beat(self.name .. ': unload')
      local ok, made = mistake.guard(old_scene.unload, old_state)
      beat(nil)
      -- The new scene stands: this is told, and stops nothing.
      if not ok then io.stderr:write(('thatch: %s: unload: %s\n'):format(self.path, made:report())) end
    end
    if old_state.scene and old_state.scene ~= state.scene then old_state.scene:destroy() end
    if self.frame then self.frame:refresh_shadows() end
    collectgarbage()
    collectgarbage()
  end
end

--- Loads all, and makes the frame.
function Driver:load()
  local started = thatch.clock()
  local scene = self:read_scene()
  local state = self:build(scene)
  self:take(scene, state, self:read_pipeline(scene, state))
  self.load_s = thatch.clock() - started
  if not self.frame then
    self.frame = thatch.frame.create({
      width = self.width, height = self.height, render_scale = self.quality.render_scale,
    })
  end
  return self
end

function Driver:resize(width, height)
  if self.frame then self.frame:resize(width, height, self.quality.render_scale) end
  self.width, self.height = width, height
end

--- Another quality, in a running program. A scene whose quality_changed returns true is `outdated`: it stands as it
--- was built, and whoever runs it may build it again.
function Driver:set_quality(quality)
  self.frame:resize(self.width, self.height, quality.render_scale)
  self.quality = quality
  if self.scene.quality_changed and self.scene.quality_changed(self.state, quality) == true then
    self.outdated = true
  end
  self.frame:refresh_shadows()
  self.primed = false
end

--- Where the scripted walker stands and looks at a frame.
function Driver:scripted_view(number)
  local frames = self:frame_count()
  if self.scene.walk then
    local view = self.scene.walk(self.state, frames > 0 and number % frames or number)
    if type(view) ~= 'table' then error(('%s: walk returns a %s, need a view'):format(self.path, type(view)), 0) end
    return view
  end
  return self.state.view or { eye = { 0, 1.65, 6 }, target = { 0, 1.2, 0 } }
end

--- What the walker walks in, or nil.
function Driver:world()
  return self.scene.collide and judge.world(self.path, self.scene.collide(self.state)) or nil
end

--- Frames of the scripted walk.
function Driver:frame_count()
  return self.scene.frames or 240
end

local function set_camera(camera, view)
  if view.matrix then
    camera:set_matrix(view.matrix, view.eye, view.near or camera.near, view.far or camera.far)
    return
  end
  if view.fov and view.fov ~= camera.fov then camera:perspective({ fov = view.fov }) end
  camera:look(view.eye, view.target, view.up)
end

--- Takes a view; a refusal names the scene that gave it, not the line here.
local function take_view(self, view)
  local ok, message = pcall(set_camera, self.state.camera, view)
  if message == 'interrupted' then error(message, 0) end
  if not ok then error(('%s: view: %s'):format(self.path, (tostring(message):gsub(' %([^()]+:%d+%)$', ''))), 0) end
end

local function draw(self, number, time_s, view)
  local state, quality = self.state, self.quality
  -- Only for this frame: the scene may give the same table again.
  local own_hour, own_weather = view.hour, view.weather
  if own_hour == nil then view.hour = self.hour end
  if own_weather == nil then view.weather = self.weather end
  local started = thatch.clock()
  if self.scene.update then self.scene.update(state, number, time_s, quality, view) end
  view.hour, view.weather = own_hour, own_weather
  judge.alive(self.path, state, 'update: ')
  take_view(self, view)
  if self.follows_focus and state.shadow then state.shadow.focus = view.focus or view.eye end
  local updated = thatch.clock()
  self.frame:begin(number, time_s)
  if loader.safe and not loader.safe.is_own(self.pipeline_path) then
    local outside, close = loader.safe.frame(self.frame)
    self.pipeline(outside, state, state.camera, quality)
    close()
  else
    self.pipeline(self.frame, state, state.camera, quality)
  end
  self.scene_ms, self.frame_ms = (updated - started) * 1000, (thatch.clock() - started) * 1000
end

--- The still shadow map keeps the casters of the frame that it was drawn in: always frame 0, so that frame N alone
--- equals frame N in a sequence.
function Driver:prime()
  if self.primed then return end
  self.primed = true
  draw(self, 0, 0, self:scripted_view(0))
end

--- Draws a frame: the scene's update, then the pipeline.
---@param number integer
---@param view? table the scripted walker's when left out
---@param time_s? number
function Driver:draw(number, view, time_s)
  beat(self.name .. ': frame ' .. number)
  self:prime()
  view = view or self:scripted_view(number)
  draw(self, number, time_s or number / FRAMES_A_SECOND, view)
  beat(nil)
end

--- Bytes of the picture, as `hash:add` and a pipe take them.
function Driver:pixels()
  local pixels, width, height = self.frame:pixels()
  return pixels, width * height * 4, width, height
end

--- The picture as a string: for specs.
function Driver:bytes()
  local pixels, count = self:pixels()
  return ffi.string(pixels, count)
end

--- A place by its name, or by its number from 1.
function Driver:place(name)
  for i, place in ipairs(self.scene.places or {}) do
    if place.name == name or tostring(i) == name then return place end
  end
end

--- Draws a place of the scene's list.
function Driver:draw_place(place)
  local number = place.frame or 0
  local view = place.view or self:scripted_view(number)
  if place.hour and view.hour == nil then
    local with_hour = {}
    for key, value in pairs(view) do with_hour[key] = value end
    with_hour.hour = place.hour
    view = with_hour
  end
  self:draw(number, view)
end

return M
