--- new NAME: a starter project: a scene, a pipeline, a quality table and a spec.
local common = require('commands.common')

local M = {}

function M.describe(parser)
  parser:argument('name', 'The folder to make.')
end

local SCENE = [[
--- NAME: a first scene. Everything that moves is a function of the frame's number and time.
local thatch = require('thatch')
local maths = thatch.math

--- A box of 1 m a side, its corners not shared so that its edges stay hard.
local function box()
  local positions, indices = thatch.buffer.floats(), thatch.buffer.u32()
  local sides = {
    { { 1, 0, 0 }, { 0, 0, -1 }, { 0, 1, 0 } }, { { -1, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 } },
    { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, -1 } }, { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } },
    { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } }, { { 0, 0, -1 }, { -1, 0, 0 }, { 0, 1, 0 } },
  }
  for i, side in ipairs(sides) do
    local out, right, up = side[1], side[2], side[3]
    for _, corner in ipairs({ { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } }) do
      for k = 1, 3 do positions:push((out[k] + right[k] * corner[1] + up[k] * corner[2]) * 0.5) end
    end
    local first = (i - 1) * 4
    indices:push(first, first + 1, first + 2)
    indices:push(first, first + 2, first + 3)
  end
  return thatch.geometry.create({ positions = positions, indices = indices })
end

local M = { title = 'NAME', frames = 240, pipeline = 'pipeline.lua' }

function M.load(ctx)
  local scene = thatch.scene.create()
  local cube = box()
  local ground = thatch.material.create({ color = maths.srgb('#7C8B5A') })
  local paint = thatch.material.create({ color = maths.srgb('#C8553D') })

  scene:mesh({
    geometry = cube, material = ground, node = scene:node({ position = { 0, -0.5, 0 }, scale = { 40, 1, 40 } }),
  })
  local cubes = {}
  for i = 1, 12 do
    local angle = i / 12 * 2 * maths.pi
    local place = { maths.cos(angle) * 5, 0.5, maths.sin(angle) * 5 }
    cubes[i] = scene:node({ position = place })
    scene:mesh({ geometry = cube, material = paint, node = cubes[i] })
    ctx.progress(i / 12, 'boxes')
  end
  scene:set_moving(cubes)
  scene:light({ kind = 'hemisphere', color = { 0.6, 0.75, 1 }, ground_color = { 0.3, 0.3, 0.2 }, intensity = 1.4 })
  scene:light({ kind = 'directional', direction = { 0.5, 1, 0.3 }, color = { 1, 0.94, 0.82 }, intensity = 3 })
  scene:set_background({ 0.45, 0.65, 0.95 })
  scene:set_fog({ color = { 0.45, 0.65, 0.95 }, density = 0.01 })

  local camera = thatch.camera.create()
  camera:perspective({ fov = 1.1, near = 0.1, far = 200 })
  return { scene = scene, camera = camera, cubes = cubes, shadow = { center = { 0, 0, 0 }, radius = 12 } }
end

function M.update(state, _, time_s)
  for i, node in ipairs(state.cubes) do node:set_rotation_y(time_s * 0.7 + i) end
end

--- The scripted walker: once round in 240 frames.
function M.walk(_, number)
  local angle = number / 240 * 2 * maths.pi
  return { eye = { maths.sin(angle) * 10, 2.2, maths.cos(angle) * 10 }, target = { 0, 0.8, 0 } }
end

--- What the walker bumps into: see scripts/walk/collision.lua.
function M.collide()
  local boxes = {}
  for i = 1, 12 do
    local angle = i / 12 * 2 * maths.pi
    boxes[i] = {
      x = maths.cos(angle) * 5, z = maths.sin(angle) * 5, half_x = 0.5, half_z = 0.5, yaw = 0, bottom = 0, top = 1,
    }
  end
  return { height = function() return 0 end, boxes = boxes, start = { x = 0, z = 9, yaw = 0 } }
end

return M
]]

local QUALITY = [[
--- What differs from a preset; see scripts/quality for all settings.
return {
  base = 'medium',
  shadow_size = 1024,
}
]]

local SPEC = [[
describe('NAME', function()
  local driver = require('driver').new({ scene = 'HERE/scene.lua', quality = 'HERE/quality.lua', width = 160,
    height = 90 }):load()

  it('draws something', function()
    driver:draw(0)
    assert.is_true(driver.frame.stats.triangles_binned > 0)
  end)

  it('draws a frame alone as in a sequence', function()
    for number = 0, 5 do driver:draw(number) end
    local in_sequence = driver.frame:hash()
    driver:draw(5)
    assert.equal(in_sequence, driver.frame:hash())
  end)
end)
]]

local README = [[
# NAME

    ./thatch play HERE/scene.lua --quality HERE/quality.lua    in a window; save a file and see it
    ./thatch bench HERE/scene.lua --quality HERE/quality.lua
    ./thatch check HERE/pipeline.lua
    ./thatch test HERE/scene_spec.lua
]]

function M.run(options)
  local lfs, loader = require('lfs'), require('loader')
  local folder = options.name:gsub('/+$', '')
  local name = folder:match('([^/]+)$')
  if not name or not name:find('^[%w_][%w_%-]*$') then
    common.usage("name is '%s', need letters, digits, _ and -", options.name)
  end
  if lfs.attributes(folder) then common.fail('%s: is there already', folder) end
  common.make_folder(folder)
  local function write(file, text)
    text = text:gsub('NAME', name):gsub('HERE', (folder:gsub('%%', '%%%%')))
    common.write_text(folder .. '/' .. file, text)
  end
  write('scene.lua', SCENE)
  write('quality.lua', QUALITY)
  write('scene_spec.lua', SPEC)
  write('README.md', README)
  local pipeline, message = loader.read(loader.root .. '/scripts/pipelines/game.lua')
  if not pipeline then common.fail('%s', message) end
  common.write_text(folder .. '/pipeline.lua', pipeline)
  io.stdout:write(('made %s: scene.lua, pipeline.lua, quality.lua, scene_spec.lua\n'):format(folder),
    ('./thatch play %s --quality %s\n'):format(common.word(folder .. '/scene.lua'),
      common.word(folder .. '/quality.lua')))
end

return M
