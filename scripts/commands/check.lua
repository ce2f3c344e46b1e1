--- check FILE: lint and dry-run a pipeline, a quality table or a scene; read a model.
local common = require('commands.common')

local M = {}

function M.describe(parser)
  parser:argument('file', 'A pipeline, a quality table or a scene: what the file returns says which; or a model.')
  parser:flag('--no-run', 'Only lints and loads.')
end

local function lint(path)
  if not common.has_program('luacheck') then return end
  local code, output = common.shell(('luacheck --std luajit --no-color --no-cache -q --formatter plain ' ..
    '--max-line-length 120 --ignore 212 -- %s 2>&1'):format(common.quote(path)))
  if code ~= 0 then io.stdout:write(output) end
end

--- A small room for pipelines to draw: a floor, a wall, two lights and a sky.
local function sample_scene()
  local thatch = require('thatch')
  local scene = thatch.scene.create()
  local floor = thatch.geometry.create({
    positions = { -4, 0, 4, 4, 0, 4, 4, 0, -4, -4, 0, -4 }, indices = { 0, 1, 2, 0, 2, 3 },
  })
  local wall = thatch.geometry.create({
    positions = { -2, 0, -2, 2, 0, -2, 2, 3, -2, -2, 3, -2 }, indices = { 0, 1, 2, 0, 2, 3 },
  })
  local material = thatch.material.create({ color = { 0.6, 0.5, 0.4 } })
  scene:mesh({ geometry = floor, material = material, node = scene:node() })
  scene:mesh({ geometry = wall, material = material, node = scene:node() })
  scene:light({ kind = 'hemisphere', color = { 0.5, 0.6, 0.8 }, ground_color = { 0.3, 0.25, 0.2 }, intensity = 1 })
  scene:light({ kind = 'directional', direction = { 0.4, 1, 0.6 }, intensity = 2 })
  scene:set_background({ 0.4, 0.6, 0.9 })
  local camera = thatch.camera.create()
  camera:look({ 0, 1.6, 5 }, { 0, 1, 0 })
  return { scene = scene, camera = camera, shadow = { center = { 0, 0, 0 }, radius = 8 } }
end

local function run_pipeline(pipeline)
  local thatch = require('thatch')
  local state = sample_scene()
  for _, preset in ipairs(thatch.quality.presets) do
    local quality = thatch.quality.load(preset)
    local frame = thatch.frame.create({ width = 192, height = 108, render_scale = quality.render_scale })
    for number = 0, 1 do
      frame:begin(number, number / 24)
      pipeline(frame, state, state.camera, quality)
    end
    frame:pixels() -- raises when nothing made a picture
    frame:destroy()
  end
end

local function run_scene(path)
  local driver = require('driver').new({ scene = path, quality = 'low', width = 192, height = 108 })
  driver:load()
  for number = 0, 2 do driver:draw(number) end
  for _, place in ipairs(driver.scene.places or {}) do driver:draw_place(place) end
  if driver.scene.collide then
    local walk = require('walk').new(driver:world(), driver:scripted_view(0))
    walk:update(1 / 24) -- asks for the ground and for who moves
  end
  for _, preset in ipairs(require('thatch').quality.presets) do
    if preset ~= 'low' and driver.scene.quality_changed then
      driver.scene.quality_changed(driver.state, require('thatch').quality.load(preset))
    end
  end
end

--- A model: read whole, and shown once.
local function check_model(path)
  local model, message = require('thatch').models.try_load(path)
  if not model then common.fail('%s', message) end
  local turntable
  turntable, message = require('loader').load_scene(require('loader').absolute(path))
  if not turntable then error(message, 0) end
  io.stdout:write(turntable.describe(model), '\n')
  for _, line in ipairs(model.warnings) do io.stdout:write('  ', line, '\n') end
  run_scene(path)
  io.stdout:write(('%s: a model, fine\n'):format(path))
end

function M.run(options)
  local beat, loader, mistake = require('driver').beat, require('loader'), require('mistake')
  local has_host, host = pcall(require, 'thatch.host')
  if has_host then host.headless(true) end
  local path = options.file
  if not loader.exists(path) then common.usage('%s', loader.no_file(path)) end
  if loader.is_model(path) then return check_model(path) end
  lint(path)
  loader.add_folder(loader.folder_of(path))
  local chunk, message = loader.compile(path)
  if not chunk then common.fail('%s', message) end
  beat(path)
  local ok, result = mistake.guard(chunk)
  beat(nil)
  if not ok then error(result, 0) end
  local function dry(kind, f, ...)
    if not options.no_run then
      beat(path) -- a scene's steps name themselves
      local fine, problem = mistake.guard(f, ...)
      beat(nil)
      if not fine then
        io.stderr:write(('%s: a %s that fails when it is run\n'):format(path, kind))
        error(problem, 0)
      end
    end
    io.stdout:write(('%s: a %s, fine\n'):format(path, kind))
  end
  if type(result) == 'function' then
    dry('pipeline', run_pipeline, result)
  elseif type(result) == 'table' and (result.load ~= nil or result.update ~= nil or result.walk ~= nil) then
    local scene
    scene, message = loader.load_scene(path)
    if not scene then common.fail('%s', message) end
    dry('scene', run_scene, path)
  elseif type(result) == 'table' then
    local quality
    quality, message = require('thatch').quality.try_load(path)
    if not quality then common.fail('%s', message) end
    dry('quality table', function() end)
  else
    common.fail('%s: returns %s, need a pipeline (a function), a scene or a quality table', path,
      require('thatch.check').show(result))
  end
end

return M
