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
  { 'return { load = print, title = 5 }', '/s.lua: title is 5, need a string' },
  { 'return { load = print, places = { 1 } }', '/s.lua: places[1] is 1, need a table' },
  { 'return { load = print, places = { a = 1 } }', "/s.lua: places has the key 'a', need a list: 1, 2, 3, ..." },
  { 'return { load = print, places = { { name = 5 } } }', '/s.lua: places[1].name is 5, need a string' },
  { 'return { load = print, places = { { name = "a" }, { name = "b", frame = -1 } } }',
    '/s.lua: places[2].frame is -1, need a whole number 0 .. 100000000' },
  { 'return { load = print, places = { { name = "a", view = 7 } } }', '/s.lua: places[1].view is 7, need a table' },
  { 'return { load = function() return { scene = s, camera = c, shadow = { center = 7 } } end }',
    '/s.lua: state.shadow.center is 7, need a table of 3 numbers' },
  { 'return { load = function() return { scene = s, camera = c, shadow = { radius = 0/0 } } end }',
    '/s.lua: state.shadow.radius is nan, need a number above 0' },
  { 'return { load = function() return { scene = s, camera = c } end, update = function() s:destroy() end }',
    '/s.lua: update: state.scene is stale, need a live one' },
  { 'return { load = function() return { scene = s, camera = c } end, update = function(st) st.camera = nil end }',
    '/s.lua: update: state.camera is nil, need a thatch camera' },
  { 'return {', '/s.lua:1: ' },
}

-- Worlds that a walker can't walk in.
local WORLDS = {
  { '5', 'collide returns 5, need a table or nil' },
  { '{ height = 5 }', 'collide.height is 5, need a function' },
  { '{ height = function() return "x" end }', "collide.height(x, z) is 'x', need a number" },
  { '{ height = function() return 0/0 end }', 'collide.height(x, z) is nan, need a number -1e9 .. 1e9' },
  { '{ start = { x = {}, z = 0 } }', 'collide.start.x is a table, need a number -1e9 .. 1e9' },
  { '{ boxes = { 5 } }', 'collide.boxes[1] is 5, need a table' },
  { '{ boxes = { { x = 1 / 0 } } }', 'collide.boxes[1].x is inf, need a number -1e9 .. 1e9' },
  { '{ cylinders = { { x = 0, z = 0, r = "1", bottom = 0, top = 1 } } }', "cylinders[1].r is '1', need a number" },
  { '{ floors = "none" }', "collide.floors is 'none', need a table" },
  { '{ doors = { { x = 0, z = 0 } } }', 'collide.doors[1].width is nil, need a number -1e9 .. 1e9' },
  { '{ people = { { x = "a" } } }', "collide.people[1].x is 'a', need a number" },
  { '{ water = {} }', 'collide.water.level is nil, need a number -1e9 .. 1e9' },
  { '{ moving = function() end }', 'collide.moving() is nil, need a table' },
  { '{ moving = function() return { { x = 0 } } end }', 'collide.moving()[1].z is nil, need a number -1e9 .. 1e9' },
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

  it('name what a walker cannot walk in', function()
    for _, case in ipairs(WORLDS) do
      local path = support.write(folder .. '/s.lua', OBJECTS .. 'return { load = function() return { scene = s, ' ..
        'camera = c } end, collide = function() return ' .. case[1] .. ' end }')
      local d = driver.new({ scene = path, quality = 'low', width = 32, height = 18 }):load()
      local ok, made = mistake.guard(function()
        require('walk').new(d:world(), { eye = { 0, 1, 0 }, target = { 0, 1, -1 } }):update(1 / 24)
      end)
      assert.is_false(ok, case[1])
      assert.is_truthy(made.message:find('^/[^:]+/s%.lua: '), made.message)
      assert.is_truthy(made.message:find(case[2], 1, true), made.message)
      assert.is_falsy(made:report():find('\n', 1, true), made:report())
    end
  end)

  it('are none of a world that is an object of its own', function()
    local path = support.write(folder .. '/s.lua', OBJECTS .. [[
      local World = { start = { x = 3, z = 4, yaw = 0 } }
      World.__index = World
      function World.height() return 7 end
      return { load = function() return { scene = s, camera = c } end,
        collide = function() return setmetatable({ boxes = {} }, World) end }]])
    local d = driver.new({ scene = path, quality = 'low', width = 32, height = 18 }):load()
    local world = d:world()
    assert.same({ 3, 7 }, { world.start.x, world.height(0, 0) })
    assert.equal(3, require('walk').new(world, { eye = { 0, 1, 0 }, target = { 0, 1, -1 } }).body.x)
  end)

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
