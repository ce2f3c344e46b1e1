local driver = require('driver')
local mistake = require('mistake')
local support = require('tests.specs.support')

-- Scenes that are wrong in one thing: a text that ends in one line, and no crash.
local OBJECTS = "local t = require('thatch') local s, c = t.scene.create(), t.camera.create() "

local CASES = {
  { 'error()', '/s.lua:1: an error without a message: error(nil)' },
  { 'error({ code = 7 })', '/s.lua:1: an error that is a table: { code = 7 }' },
  { 'return', '/s.lua: returns nil, need a table with load and update' },
  { 'return 5', '/s.lua: returns 5, need a table with load and update' },
  { 'return {}', '/s.lua: load is nil, need a function' },
  { 'return { load = 5 }', '/s.lua: load is 5, need a function' },
  { 'return { load = print, walk = 1 }', '/s.lua: walk is 1, need a function' },
  { 'return { load = print, frames = "x" }', "/s.lua: frames is 'x', need a whole number 1 .. 100000000" },
  { 'return { load = print, frames = 0/0 }', '/s.lua: frames is nan, need a whole number 1 .. 100000000' },
  { 'return { load = print, places = 7 }', '/s.lua: places is 7, need a table' },
  { 'return { load = function() end }', '/s.lua: load returns nil, need a table' },
  { 'return { load = function() return {} end }', 'nil, need a thatch' },
  { 'return { load = function() error() end }', '/s.lua:1: an error without a message: error(nil)' },
  { 'return { load = function() xpcall(error, function() error() end) error("after") end }', '/s.lua:1: after' },
  { 'local function f() return 1 + f() end return { load = f }', 'stack overflow' },
  { 'return { load = function() coroutine.yield(1) end }', '/s.lua:1: attempt to yield' },
  { 'return { load = function(c) c.progress("x") end }',
    "/s.lua:1: progress: share and text are 'x' and nil, need a number and a string" },
  { 'return { pipeline = 7, load = function() return { scene = s, camera = c } end }',
    '/s.lua: pipeline is 7, need a name or a function' },
  { 'return { load = function() return { scene = s, camera = c, shadow = 3 } end }',
    '/s.lua: state.shadow is 3, need a table' },
  { 'return { load = function() return { scene = c, camera = c } end }',
    '/s.lua: state.scene is a table, need a thatch scene' },
  { 'return { load = function() return { scene = s, camera = c } end, walk = function() return 1 end }',
    '/s.lua: walk returns a number, need a view' },
  { 'return { load = function() return { scene = s, camera = c } end, walk = function() return {} end }',
    '/s.lua: view: camera:look: eye is nil, need a table of 3 numbers' },
  { 'return { load = function() return { scene = s, camera = c } end, walk = function() '
    .. 'return { eye = { 0/0, 0, 0 }, target = { 0, 0, 0 } } end }', '/s.lua: view: camera: eye[0] is' },
  { 'return { load = function() return { scene = s, camera = c } end, walk = function() '
    .. 'return { eye = { 0, 0, 0 }, target = { 0, 0, 0 } } end }', '/s.lua: view: camera: target is 0, 0, 0, need' },
  { 'return { load = function() s:destroy() return { scene = s, camera = c } end }',
    'scene is stale, need a live one' },
  { 'return { load = function() return { scene = s, camera = c, water = 3 } end }', 'water is 3, need a water' },
  { 'return {', '/s.lua:1: ' },
}

describe('refusals of scenes', function()
  local folder = support.folder()

  for i, case in ipairs(CASES) do
    it('name the thing: ' .. i .. ' ' .. case[2], function()
      local path = support.write(folder .. '/s.lua', OBJECTS .. case[1])
      local ok, made = mistake.guard(function()
        driver.new({ scene = path, quality = 'low', width = 32, height = 18 }):load():draw(3)
      end)
      assert.is_false(ok)
      assert.is_truthy(made.message:find(case[2], 1, true), made.message)
      assert.is_falsy(made.message:find('\n', 1, true))
      assert.is_true(#made:report() < 6000)
    end)
  end

  it('draw frames of all shapes', function()
    local path = support.write(folder .. '/s.lua',
      OBJECTS .. 'return { load = function() return { scene = s, camera = c } end }')
    for _, size in ipairs({ { 1, 1 }, { 15, 9 }, { 2, 2 }, { 8192, 16 }, { 1, 8192 } }) do
      for _, quality in ipairs({ 'low', 'ultra' }) do
        local d = driver.new({ scene = path, quality = quality, width = size[1], height = size[2] }):load()
        d:draw(1)
        local _, _, width, height = d:pixels()
        assert.same(size, { width, height })
        d.frame:destroy()
      end
    end
  end)
end)
