--- A scene in a window: input, walk, frame, figures, live reload, and script errors over the last good frame.
local ffi = require('ffi')
local driver_module = require('driver')
local hud_module = require('hud')
local live_module = require('live')
local mistake = require('mistake')
local overlay_module = require('overlay')
local thatch = require('thatch')
local walk_module = require('walk')

local has_host, host = pcall(require, 'thatch.host')

local KEEP_EVERY = 0.25 -- seconds between two copies of a good frame, for showing under an error
local SCALE_STEP = 1.12
local M = {}

---@class PlayerWindow
local Player = {}
Player.__index = Player

local function say(...)
  io.stderr:write('thatch: ', string.format(...), '\n')
end

--- Opens the window on a driver that is not loaded yet.
---@param driver Driver
---@param options { out?: string, seconds?: number, scripted?: boolean }
---@return PlayerWindow
function M.new(driver, options)
  local window = thatch.window.create({
    title = 'thatch: ' .. driver.name, width = driver.width, height = driver.height,
  })
  local self = setmetatable({
    driver = driver, window = window, options = options, time_s = 0, paused = false, show_hud = false,
    show_help = false, hud = hud_module.new(), live = live_module.new(driver), notes = {}, good = nil, good_at = -1,
    walk_module = walk_module, hud_module = hud_module,
  }, Player)
  self.overlay = overlay_module.new(driver.height)
  return self
end

--- A line at the lower edge for a while; of a kind there is only the last.
---@param text string
---@param seconds? number 3
---@param kind? string
function Player:note(text, seconds, kind)
  for i = #self.notes, 1, -1 do
    if kind and self.notes[i].kind == kind then table.remove(self.notes, i) end
  end
  self.notes[#self.notes + 1] = { text = text, till = thatch.clock() + (seconds or 3), kind = kind }
end

--- A script's mistake: shown until its next good save. 'load' leaves the old one running, 'run' stops on the last
--- good frame.
function Player:fail(kind, part, raised)
  driver_module.beat(nil) -- what was watched has ended: showing its mistake may take as long as it likes
  local made = mistake.of(raised)
  if not self.problem or self.problem.mistake.message ~= made.message then say('%s', made:report()) end
  self.problem = { kind = kind, part = part, mistake = made, title = 'Error in the ' .. part }
end

--- The keys that a shown mistake listens to; true when one was meant for it.
function Player:problem_key(key)
  if key == 'R' then
    self:reload({ pipeline = true, quality = true, walk = true, scene = true })
  elseif key == 'C' then
    self.window:copy(self.problem.mistake:report())
  elseif key == 'Escape' and not self.captured then
    self.closing = true
  else
    return false
  end
  return true
end

--- A walk through the scene in use; the old walk's place is kept.
function Player:new_walk(before)
  local driver = self.driver
  driver_module.beat(driver.name .. ': collide', driver_module.load_patience)
  local world = driver:world()
  self.walk = self.walk_module.new(world, driver:scripted_view(0), before)
  if self.avatar then self.avatar:destroy() end
  self.avatar = world and require('walk.avatar').new(driver.state.scene) or nil
  self.walk.controls.captured = self.captured == true
  driver_module.beat(nil)
end

local function show_loading(self, share, text)
  local w, h = self.window:size()
  if not self.loading or self.loading_w ~= w or self.loading_h ~= h then
    self.loading, self.loading_w, self.loading_h = ffi.new('uint8_t[?]', w * h * 4), w, h
  end
  self.overlay:box(self.loading, w, h, 0, 0, w, h, 0x20242cff)
  self.overlay:box(self.loading, w, h, w / 4, h / 2, w / 2, 10, 0x3a404cff)
  self.overlay:box(self.loading, w, h, w / 4, h / 2, w / 2 * share, 10, 0x6fb6ffff)
  self.overlay:text(self.loading, w, h, w / 4, h / 2 - self.overlay.line - 6, overlay_module.WHITE,
    ('%s: %s'):format(self.driver.name, text or 'loading'))
  for _, event in ipairs(self.window:poll()) do
    if event.kind == 'quit' or (event.kind == 'key_down' and event.key == 'Escape') then error('quit', 0) end
  end
  self.window:present(self.loading, w, h)
end

--- Loads the scene under a bar in the window; a mistake in it is shown, and its next save loads again.
function Player:load()
  local last = -1
  self.driver.progress = function(share, text)
    local now = thatch.clock()
    if now - last < 0.05 and share < 1 then return end
    last = now
    show_loading(self, share, text)
  end
  show_loading(self, 0)
  local ok, message = mistake.guard(function()
    self.driver:load()
    self:new_walk()
  end)
  self.loading = nil
  if not ok and message.message == 'quit' then
    self.closing = true
  elseif not ok then
    self:fail('run', 'scene', message)
  end
  return ok
end

function Player:set_preset(name)
  local quality = thatch.quality.load(name)
  self.driver.quality_name = name
  self.driver:set_quality(quality)
  self:note('quality ' .. name, nil, 'quality')
end

function Player:scale(factor)
  local quality = {}
  for key, value in pairs(self.driver.quality) do quality[key] = value end
  quality.render_scale = math.max(0.25, math.min(1, quality.render_scale * factor))
  self.driver:set_quality(quality)
  local w, h = self.driver.frame:size()
  self:note(('frame %dx%d'):format(w, h), nil, 'frame')
end

--- Saves the frame as it was drawn, with no notes or figures over it.
function Player:screenshot()
  local made, problem = pcall(require('commands.common').make_folder, 'out')
  if not made then
    self:note(type(problem) == 'table' and problem.text or tostring(problem))
    return
  end
  local path = ('out/%s_%s.png'):format((self.driver.name:match('([^/]+)$'):gsub('%.lua$', '')),
    os.date('%Y%m%d_%H%M%S'))
  local pixels, _, w, h = self.driver:pixels()
  local ok, message = thatch.image.try_write(path, pixels, w, h)
  self:note(ok and 'saved ' .. path or message)
end

function Player:capture(on)
  self.captured = on
  self.walk.controls.captured = on
  self.window:capture_mouse(on)
end

--- Half an hour on or back, in a scene that has an hour.
function Player:turn_hour(by)
  local hour = self.driver.hour or self.driver.state.hour
  if type(hour) ~= 'number' then return end
  self.driver.hour = (hour + by) % 24
  self:note(('%d:%02d o\'clock'):format(self.driver.hour, self.driver.hour % 1 * 60), nil, 'hour')
end

function Player:next_weather()
  local state = self.driver.state
  if type(state.weather) ~= 'string' then return end
  local following = { clear = 'overcast', overcast = 'rain' }
  self.driver.weather = following[state.weather] or 'clear'
  self:note(self.driver.weather, nil, 'weather')
end

function Player:act(action)
  local preset = action:match('^preset_(%d)$')
  if preset then self:set_preset(thatch.quality.presets[tonumber(preset)])
  elseif action == 'hud' then self.show_hud = not self.show_hud
  elseif action == 'help' then self.show_help = not self.show_help
  elseif action == 'coarser' then self:scale(1 / SCALE_STEP)
  elseif action == 'finer' then self:scale(SCALE_STEP)
  elseif action == 'earlier' or action == 'later' then self:turn_hour(action == 'later' and 0.5 or -0.5)
  elseif action == 'weather' then self:next_weather()
  elseif action == 'pause' then self.paused = not self.paused
  elseif action == 'screenshot' then self.shot = true
  elseif action == 'reload' then self:reload({ pipeline = true, quality = true, walk = true, scene = true })
  elseif action == 'quit' then
    if self.captured then
      self:capture(false)
      self:note('click to look around, Escape leaves', 4, 'mouse')
    else
      self.closing = true
    end
  elseif self.driver.scene.act then -- a key of the scene's own
    local said = self.driver.scene.act(self.driver.state, action)
    if said then self:note(tostring(said)) end
  end
end

--- Reads what was saved again. A mistake leaves the old in use and is shown.
function Player:reload(parts)
  self.problem = nil
  if not self.walk then -- the first load has failed: from the start
    self:load()
    return
  end
  local function try(part, f)
    if not parts[part] then return end
    local ok, message = mistake.guard(f)
    if not ok then
      self:fail('load', part, message)
    else
      self:note(part .. ' read again')
    end
  end
  try('quality', function()
    if self.driver.quality_name then self.live:quality() end
  end)
  try('walk', function()
    local walk, hud = self.live:walk()
    local before_walk, before_hud = self.walk_module, self.hud_module
    self.walk_module, self.hud_module = walk, hud
    local ok, message = mistake.guard(self.new_walk, self, self.walk)
    if not ok then
      self.walk_module, self.hud_module = before_walk, before_hud
      error(message, 0)
    end
    self.hud = hud.new()
  end)
  try('pipeline', function() self.live:pipeline() end)
  if parts.scene then self.rebuilding = self.live:scene() end
  collectgarbage()
end

--- Goes on with building a changed scene, between two frames of the old one.
function Player:rebuild()
  local started = thatch.clock()
  repeat
    local ok, share, text = mistake.guard(self.rebuilding.step, self.rebuilding)
    if not ok then
      self.rebuilding = nil
      self:fail('load', 'scene', share)
      return
    end
    if share == true then
      self.rebuilding = nil
      local made, message = mistake.guard(self.new_walk, self, self.walk)
      if not made then self:fail('load', 'scene', message) else self:note('scene read again') end
      collectgarbage()
      return
    end
    self.rebuild_share, self.rebuild_text = share, text
  until thatch.clock() - started > 0.03
end

--- Keeps the last good picture, for showing it under an error.
function Player:keep_good(now)
  if now - self.good_at < KEEP_EVERY then return end
  local pixels, count, w, h = self.driver:pixels()
  if not self.good or self.good_w ~= w or self.good_h ~= h then
    self.good, self.good_w, self.good_h = ffi.new('uint8_t[?]', count), w, h
  end
  ffi.copy(self.good, pixels, count)
  self.good_at = now
end

-- A text in rows no wider than so many pixels.
local function rows_of(on, text, width)
  local rows, row = {}, ''
  for word in text:gmatch('%S+') do
    local longer = row == '' and word or row .. ' ' .. word
    if row ~= '' and on.font:measure(longer) > width then
      rows[#rows + 1], row = row, word
    else
      row = longer
    end
  end
  rows[#rows + 1] = row
  return rows
end

-- Rows on a panel in the middle, from a height on.
local function middle(on, canvas, w, h, y, rows)
  if not on.font then return end
  local width, lines = 0, {}
  for i, row in ipairs(rows) do
    width = math.max(width, (on.font:measure(row)))
    lines[i] = { row, overlay_module.WHITE }
  end
  on:panel(canvas, w, h, math.max(on.px, math.floor((w - width) / 2 - on.px)), math.max(0, math.floor(y)), lines)
end

--- Lines and panels over the picture.
function Player:decorate(canvas, w, h, now)
  local on = self.overlay
  if self.show_hud and not self.problem then self.hud:draw(on, canvas, w, h, self.driver) end
  if self.show_help then self.hud_module.help(on, canvas, w, h) end
  if self.problem then
    on:problem(canvas, w, h, self.problem)
    return
  end
  local lines = {}
  for i = #self.notes, 1, -1 do
    if self.notes[i].till < now then table.remove(self.notes, i) end
  end
  for _, note in ipairs(self.notes) do lines[#lines + 1] = { note.text, overlay_module.WHITE } end
  if self.rebuilding then
    lines[#lines + 1] = { ('scene %.0f %%: %s'):format((self.rebuild_share or 0) * 100, self.rebuild_text or ''),
      overlay_module.YELLOW }
  end
  if self.paused then lines[#lines + 1] = { 'paused', overlay_module.YELLOW } end
  local prompt = self.walk:prompt()
  if prompt then middle(on, canvas, w, h, h - on.line * 4, { prompt }) end
  local speech = self.walk.speech and self.walk:speech()
  if speech and on.font then
    local rows = rows_of(on, speech, w * 0.7)
    middle(on, canvas, w, h, h - on.line * (6 + #rows), rows)
  end
  if #lines > 0 then on:panel(canvas, w, h, on.px, h - (#lines + 2) * on.line, lines) end
end

--- The picture of a frame that failed: the last good one, and the message.
function Player:show_problem()
  local w, h = self.window:size()
  if not self.good then
    self.good, self.good_w, self.good_h = ffi.new('uint8_t[?]', w * h * 4), w, h
    self.overlay:box(self.good, w, h, 0, 0, w, h, 0x20242cff)
  end
  local count = self.good_w * self.good_h * 4
  if not self.shown or self.shown_count ~= count then
    self.shown, self.shown_count = ffi.new('uint8_t[?]', count), count
  end
  ffi.copy(self.shown, self.good, count)
  self.overlay:problem(self.shown, self.good_w, self.good_h, self.problem)
  self.window:present(self.shown, self.good_w, self.good_h)
end

function Player:events()
  for _, event in ipairs(self.window:poll()) do
    if event.kind == 'quit' then
      self.closing = true
    elseif event.kind == 'resize' then
      if event.x > 0 and event.y > 0 then
        self.driver:resize(math.min(event.x, 8192), math.min(event.y, 8192))
        self.overlay = overlay_module.new(event.y)
      end
    elseif event.kind == 'mouse_down' and self.walk and not self.captured then
      self:capture(true)
    elseif event.kind == 'key_down' and event.key == 'Escape' and not self.walk then
      self.closing = true
    end
    local taken = self.problem and event.kind == 'key_down' and self:problem_key(event.key)
    if self.walk and not taken then self.walk:event(event) end
  end
end

--- One turn of the loop: a frame drawn and shown.
function Player:turn(dt, now)
  driver_module.beat(self.driver.name .. ': walk')
  for _, action in ipairs(self.walk:update(dt)) do self:act(action) end
  if not self.paused then self.time_s = self.time_s + dt end
  local number = math.floor(self.time_s * driver_module.frames_a_second)
  local view = self.walk:view()
  if self.options.scripted then view = self.driver:scripted_view(number) end
  if self.avatar then self.avatar:update(self.walk.body) end
  self.driver:draw(number, view, self.time_s)
  self.hud:add(self.driver, dt * 1000)
  self:keep_good(now)
  if self.shot then
    self.shot = false
    self:screenshot()
  end
  local canvas, w, h = self.driver.frame:canvas()
  self:decorate(canvas, w, h, now)
  driver_module.beat(nil) -- a display that is slow is no script's fault
  self.window:present(canvas, w, h)
end

--- Runs until the window is closed.
function Player:run()
  local started = thatch.clock()
  local before = started
  while not self.closing do
    local now = thatch.clock()
    local dt = math.min(now - before, 0.25)
    before = now
    if self.options.seconds and now - started > self.options.seconds then break end
    local ok, message = mistake.guard(self.events, self)
    if not ok then self:fail('run', 'walk', message) end
    local parts = self.live:changed(now)
    if parts then self:reload(parts) end
    if self.driver.outdated then -- built for another quality: again, while this one is walked
      self.driver.outdated = false
      self.rebuilding = self.live:scene()
    end
    if self.rebuilding then self:rebuild() end
    if self.problem and self.problem.kind == 'run' then
      for _, action in ipairs(self.walk and self.walk.controls:take_pressed() or {}) do
        if action == 'quit' then self.closing = true elseif action == 'reload' then self:act(action) end
      end
      self:show_problem()
      if has_host then host.sleep(0.03) end
    else
      ok, message = mistake.guard(self.turn, self, dt, now)
      driver_module.beat(nil)
      if not ok then self:fail('run', 'frame', message) end
    end
  end
  self.window:destroy()
end

return M
