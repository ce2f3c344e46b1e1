local collision = require('walk.collision')
local doors = require('walk.doors')
local maths = require('thatch.math')
local player = require('walk.player')

local function flat(world)
  world.height = world.height or function() return 0 end
  return collision.new(world)
end

--- Walks forward for some seconds in uneven time steps.
local function walk(body, seconds, run, x, y)
  local passed, k = 0, 0
  while passed < seconds do
    k = k + 1
    local dt = 0.004 + maths.random(3, k) * 0.05
    body:update(dt, x or 0, y or 1, run)
    passed = passed + dt
  end
end

describe('walk', function()
  it('walks 1.6 and runs 4.5 metres a second', function()
    local body = player.new(flat({}))
    walk(body, 10)
    assert.is_true(math.abs(-body.z - 16) < 0.5, 'walked ' .. -body.z)
    body = player.new(flat({}))
    walk(body, 10, true)
    assert.is_true(math.abs(-body.z - 45) < 1.2, 'ran ' .. -body.z)
  end)

  it('never passes a wall, at any angle or frame rate', function()
    local world = flat({ boxes = { { x = 0, z = -5, half_x = 8, half_z = 0.05, yaw = 0.2, bottom = 0, top = 3 } } })
    for i = 1, 40 do
      local body = player.new(world, { x = 0, z = 0, yaw = (maths.random(5, i) - 0.5) * 1.2 })
      for step = 1, 60 do
        body:update(0.25 * maths.random(9, i, step), 0, 1, true)
        local lx = maths.cos(0.2) * body.x - maths.sin(0.2) * (body.z + 5)
        local lz = maths.sin(0.2) * body.x + maths.cos(0.2) * (body.z + 5)
        assert.is_true(lz > 0 or math.abs(lx) > 8, ('through the wall at %g %g'):format(body.x, body.z))
      end
    end
  end)

  it('slides along a wall', function()
    local body = player.new(flat({
      boxes = { { x = 0, z = -3, half_x = 50, half_z = 0.1, yaw = 0, bottom = 0, top = 3 } },
    }), { x = 0, z = 0, yaw = 0.7 })
    walk(body, 8)
    assert.is_true(body.x > 5)
    assert.is_true(math.abs(body.z + 2.6) < 0.02)
  end)

  it('goes round posts, and is pushed by people', function()
    local person = { x = 0, z = -3, r = 0.3 }
    local world = flat({
      cylinders = { { x = 0.1, z = -2, r = 0.4, bottom = 0, top = 5 } }, moving = function() return { person } end,
    })
    local body = player.new(world)
    for _ = 1, 400 do
      world:refresh()
      body:update(1 / 60, 0.02, 1)
      assert.is_true((body.x - 0.1) * (body.x - 0.1) + (body.z + 2) * (body.z + 2) > 0.69 * 0.69)
    end
    assert.is_true(body.z < -4)
  end)

  it('is never stuck: from anywhere among boxes it gets away', function()
    local boxes = {}
    for i = 1, 60 do
      boxes[i] = {
        x = maths.random(1, i) * 20 - 10, z = maths.random(2, i) * 20 - 10, half_x = 0.2 + maths.random(3, i),
        half_z = 0.2 + maths.random(4, i), yaw = maths.random(5, i) * 6, bottom = 0, top = 2,
      }
    end
    local world = flat({ boxes = boxes })
    for i = 1, 20 do
      local body = player.new(world, { x = maths.random(6, i) * 16 - 8, z = maths.random(7, i) * 16 - 8 })
      body:update(0.05, 0, 0)
      local far = 0
      for direction = 0, 15 do
        local x, z = body.x, body.z
        body.yaw = direction * 0.39
        walk(body, 0.4)
        far = math.max(far, math.sqrt((body.x - x) ^ 2 + (body.z - z) ^ 2))
        assert.is_true(body.x == body.x and body.y > -0.01)
      end
      assert.is_true(far > 0.1, 'stuck at ' .. i)
    end
  end)

  it('climbs stairs, and not a table', function()
    local boxes = {}
    for i = 1, 8 do
      boxes[i] = { x = 0, z = -1 - i * 0.3, half_x = 1, half_z = 0.15, yaw = 0, bottom = 0, top = i * 0.2 }
    end
    boxes[9] = { x = 0, z = -6, half_x = 1, half_z = 2.45, yaw = 0, bottom = 0, top = 1.6 }
    local body = player.new(flat({ boxes = boxes }))
    walk(body, 3)
    assert.is_true(math.abs(body.y - 1.6) < 1e-9, 'at ' .. body.y)
    body = player.new(flat({ boxes = { { x = 0, z = -2, half_x = 1, half_z = 0.5, yaw = 0, bottom = 0, top = 0.8 } } }))
    walk(body, 4)
    assert.equal(0, body.y)
    assert.is_true(body.z > -1.25)
  end)

  it('goes up a ramp to an upper floor, and walks below it', function()
    local floors = {
      { x = 0, z = -4, half_x = 3, half_z = 1, yaw = maths.pi / 2, y0 = 0, y1 = 2.6 },
      { x = 0, z = -9, half_x = 4, half_z = 2, yaw = 0, y0 = 2.6 },
    }
    local body = player.new(flat({ floors = floors }))
    walk(body, 5)
    assert.is_true(math.abs(body.y - 2.6) < 1e-6, 'at ' .. body.y)
    body = player.new(flat({ floors = floors }), { x = 3, z = -4, yaw = 0 })
    walk(body, 2)
    assert.equal(0, body.y)
  end)

  it('jumps, lands, and bumps its head', function()
    local body = player.new(flat({}))
    body:update(1 / 60, 0, 0, false, true)
    local top = 0
    for _ = 1, 120 do
      body:update(1 / 60, 0, 0)
      top = math.max(top, body.y)
    end
    assert.is_true(top > 0.7 and top < 1.1)
    assert.equal(0, body.y)
    body = player.new(flat({ floors = { { x = 0, z = 0, half_x = 3, half_z = 3, yaw = 0, y0 = 2.3 } } }))
    body:update(1 / 60, 0, 0, false, true)
    for _ = 1, 120 do
      body:update(1 / 60, 0, 0)
      assert.is_true(body.y + player.HEIGHT < 2.3)
    end
  end)

  it('wades to the waist and no further', function()
    local world = flat({
      height = function(_, z) return maths.max(-3, z * 0.2) end,
      water = { level = -0.2, min = { -99, -99 }, max = { 99, 99 } },
    })
    local body = player.new(world)
    walk(body, 20)
    assert.is_true(body.y > -1.2 and body.y < -1, 'at ' .. body.y)
  end)

  it('does not climb a cliff, and is never under the ground', function()
    local world = flat({ height = function(x, z) return z < -4 and (-4 - z) * 4 + x * 0.1 or x * 0.1 end })
    local body = player.new(world, { x = 0, z = 0, yaw = 0.3 })
    for _ = 1, 300 do
      body:update(1 / 30, 0, 1, true)
      assert.is_true(body.y >= world.height(body.x, body.z) - 1e-9)
    end
    assert.is_true(body.z > -5, 'at ' .. body.z)
  end)

  it('gets by one who stands in a doorway, and not through one with room beside', function()
    local person = { x = 0, z = -3, r = 0.3 }
    local walls = {
      { x = -2.5, z = -3, half_x = 2, half_z = 0.15, yaw = 0, bottom = 0, top = 3 },
      { x = 2.5, z = -3, half_x = 2, half_z = 0.15, yaw = 0, bottom = 0, top = 3 },
    }
    local function cross(boxes)
      local world = flat({ boxes = boxes, moving = function() return { person } end })
      local body, through = player.new(world), false
      for _ = 1, 300 do
        world:refresh()
        body:update(1 / 60, 0, 1)
        through = through or (body.x - person.x) ^ 2 + (body.z - person.z) ^ 2 < 0.4
      end
      return body, through
    end
    local body, through = cross(walls)
    assert.is_true(body.z < -4 and not body.world.yielding, 'held at ' .. body.z)
    assert.is_true(through)
    body, through = cross({})
    assert.is_true(body.z < -4, 'held at ' .. body.z)
    assert.is_false(through and (body.x - person.x) ^ 2 < 0.3)
  end)

  it('gets away from one who pins it into a corner', function()
    local world = flat({
      boxes = {
        { x = 0, z = -1, half_x = 5, half_z = 0.1, yaw = 0, bottom = 0, top = 3 },
        { x = -1, z = 0, half_x = 0.1, half_z = 5, yaw = 0, bottom = 0, top = 3 },
      },
      moving = function() return { { x = -0.3, z = -0.3, r = 0.35 } } end,
    })
    local body = player.new(world, { x = -0.6, z = -0.6, yaw = maths.pi / 2 })
    for _ = 1, 120 do
      world:refresh()
      body:update(1 / 60, 0, 1)
    end
    assert.is_true(body.x > 0.5, 'held at ' .. body.x)
  end)

  it('stands still against walls, corners and people', function()
    local world = flat({
      boxes = {
        { x = 0, z = -2, half_x = 5, half_z = 0.1, yaw = 0.3, bottom = 0, top = 3 },
        { x = 1.5, z = 0, half_x = 0.1, half_z = 5, yaw = 0.2, bottom = 0, top = 3 },
      },
      moving = function() return { { x = -2, z = 0, r = 0.3 } } end,
    })
    for i = 0, 23 do
      local body = player.new(world, { x = 0, z = 0, yaw = i / 24 * 2 * maths.pi })
      local x, z
      for k = 1, 420 do
        x, z = body.x, body.z
        world:refresh()
        body:update(1 / 60, 0, 1)
        local dx, dz = body.x - x, body.z - z
        local fx, fz = body:facing()
        if k > 30 then assert.is_true(dx * fx + dz * fz > -1e-3, ('thrown back at %g %g'):format(x, z)) end
      end
    end
  end)

  it('glides between its steps at any frame rate', function()
    for _, rate in ipairs({ 50, 75, 90, 144, 165 }) do
      local body = player.new(flat({}))
      local before
      for k = 1, rate * 2 do
        body:update(1 / rate, 0, 1)
        if k > rate then
          local moved = before - body.shown_z
          assert.is_true(math.abs(moved - 1.6 / rate) < 1e-4, ('%g at %d Hz'):format(moved, rate))
        end
        before = body.shown_z
      end
    end
  end)

  it('hops onto what is as high as a jump, and no higher', function()
    local function onto(top)
      local body = player.new(flat({
        boxes = { { x = 0, z = -2.5, half_x = 2, half_z = 1, yaw = 0, bottom = 0, top = top } },
      }), { x = 0, z = -0.9 })
      for k = 1, 90 do body:update(1 / 60, 0, 1, false, k == 20) end
      return body.y
    end
    assert.equal(0.8, onto(0.8))
    assert.equal(0, onto(1.1))
  end)

  it('keeps the camera behind the walker out of walls, floors and doors', function()
    local world = flat({
      boxes = { { x = 0, z = 1.5, half_x = 4, half_z = 0.1, yaw = 0, bottom = 0, top = 3 } },
      floors = { { x = 0, z = 0, half_x = 4, half_z = 4, yaw = 0, y0 = 2.4 } },
      doors = { { x = -2.1, z = 1, yaw = maths.pi / 2, width = 1, y = 0, height = 2.1, angle = 0 } },
    })
    local body = player.new(world)
    body.third_person = true
    local before
    for i = 0, 720 do
      body.yaw, body.pitch = i * maths.pi / 360, 0.8 * maths.sin(i / 60)
      body:update(1 / 60, 0, 0)
      local eye = body:view().eye
      assert.is_false(world:blocked(eye[1], eye[2], eye[3], 0.1), ('in something at %g %g %g'):format(unpack(eye)))
      before = before or body.reach
      assert.is_true(body.reach - before < 0.15, 'the camera leaps back')
      before = body.reach
    end
  end)

  it('gives the same place for the same steps', function()
    local function run()
      local box = { x = 1, z = -3, half_x = 1, half_z = 1, yaw = 0.5, bottom = 0, top = 2 }
      local body = player.new(flat({ boxes = { box } }))
      walk(body, 5, true, 0.3, 0.9)
      return ('%.17g %.17g'):format(body.x, body.z)
    end
    assert.equal(run(), run())
  end)

  it('names what a world lacks', function()
    assert.has_error(function() collision.new({ boxes = { { x = 0, z = 0 } } }) end,
      'collide.boxes[1].half_x is nil, need a number -1e9 .. 1e9')
    assert.has_error(function() collision.new({ cylinders = { { x = 0, z = 0, r = 0 / 0, bottom = 0, top = 1 } } }) end,
      'collide.cylinders[1].r is nan, need a number -1e9 .. 1e9')
  end)
end)

describe('doors', function()
  local function door(options)
    local d = { x = 0, z = 0, yaw = 0, width = 1, y = 0, height = 2 }
    for key, value in pairs(options or {}) do d[key] = value end
    return d
  end

  it('open away from the walker on either side', function()
    for _, side in ipairs({ 1, -1 }) do
      local d = door()
      local set = doors.new({ d })
      set:use(d, 0.5, side)
      for _ = 1, 100 do set:update(1 / 60, 0.5, side, 0.3) end
      -- Where the leaf's end is: beyond the wall as the walker sees it.
      local z = -maths.sin(d.yaw + d.angle)
      assert.is_true(z * side < -0.9)
    end
  end)

  it('keep the walker out while they are shut, and let him in when open', function()
    local d = door()
    local world = flat({
      doors = { d }, boxes = {
        { x = -2.5, z = 0, half_x = 2.5, half_z = 0.05, yaw = 0, bottom = 0, top = 3 },
        { x = 3.5, z = 0, half_x = 2.5, half_z = 0.05, yaw = 0, bottom = 0, top = 3 },
      },
    })
    local set = doors.new(world.doors)
    local body = player.new(world, { x = 0.5, z = 2, yaw = 0 })
    walk(body, 3)
    assert.is_true(body.z > 0.3)
    local near = set:near(body.x, body.y, body.z, 0, -1)
    assert.equal(d, near)
    set:use(near, body.x, body.z)
    for _ = 1, 90 do
      set:update(1 / 30, body.x, body.z, player.RADIUS)
      body:update(1 / 30, 0, 1)
    end
    assert.is_true(body.z < -1, 'at ' .. body.z)
    for _ = 1, 200 do
      body:update(1 / 30, 0, 1)
      set:update(1 / 30, body.x, body.z, player.RADIUS)
    end
    assert.equal(0, d.angle)
  end)

  it('never shut on anyone, nor leap over the walker', function()
    local d = door()
    local set = doors.new({ d })
    set:use(d, 0.5, 1)
    for _ = 1, 60 do set:update(1 / 30, 0.5, 1.2, 0.3, {}) end
    local child = { x = 0.6, z = -0.3, r = 0.3, bottom = -0.2, top = 1.2 }
    d.target = 0
    for _ = 1, 60 do
      set:update(1 / 30, 9, 9, 0.3, { child })
      assert.is_false(collision.door_touches(d, d.angle, child.x, child.z, child.r))
    end
    child.x = 5
    for _ = 1, 60 do set:update(1 / 30, 9, 9, 0.3, { child }) end
    assert.equal(0, d.angle)
    d.angle, d.target = 1.7, 0
    set:update(0.25, 0.6, -0.4, 0.3)
    set:update(0.25, 0.6, -0.4, 0.3)
    set:update(0.25, 0.6, -0.4, 0.3)
    assert.is_true(d.angle > 0.5, 'it has gone through the walker')
  end)

  it('answer only near, and in groups', function()
    local a, b, far = door({ group = 'barn' }), door({ x = 1, group = 'barn' }), door({ x = 20 })
    local set = doors.new({ a, b, far })
    assert.is_nil(set:near(10, 0, 5, 0, -1))
    set:use(a, 0.5, 1)
    assert.is_true(a.target ~= 0 and b.target ~= 0 and far.target == 0)
  end)
end)

describe('scripted', function()
  local scripted = require('walk.scripted')
  local points = { { 0, 0, 0 }, { 5, 0, 0 }, { 10, 1, 5, look = { 10, 1, 20 } }, { 10, 1, 15, wait = 1 }, { 0, 0, 20 } }

  it('walks at its speed, through its points', function()
    local path = scripted.new(points, { speed = 1.6 })
    local view, before = nil, path:view(0)
    local nearest = 99
    for frame = 1, path.frames do
      view = path:view(frame)
      local dx, dy, dz = view.eye[1] - before.eye[1], view.eye[2] - before.eye[2], view.eye[3] - before.eye[3]
      assert.is_true(math.sqrt(dx * dx + dy * dy + dz * dz) < 1.6 / 24 * 1.05)
      nearest = math.min(nearest, math.sqrt((view.eye[1] - 10) ^ 2 + (view.eye[3] - 5) ^ 2))
      before = view
    end
    assert.is_true(nearest < 0.1)
    assert.is_true(math.abs(view.eye[3] - 20) < 0.01)
  end)

  it('is a function of the frame alone', function()
    local a, b = scripted.new(points), scripted.new(points)
    for frame = 0, 50 do a:view(frame) end
    assert.same(b:view(77), a:view(77))
  end)

  it('turns its head smoothly', function()
    local path = scripted.new(points)
    local before = path:view(0)
    for frame = 1, path.frames - 1 do
      local view = path:view(frame)
      local dot = 0
      for k = 1, 3 do dot = dot + (view.target[k] - view.eye[k]) * (before.target[k] - before.eye[k]) end
      assert.is_true(dot > 0.985, 'at frame ' .. frame .. ': ' .. dot)
      before = view
    end
  end)

  it('needs two points', function()
    assert.has_error(function() scripted.new({ { 0, 0, 0 } }) end)
  end)
end)

describe('controls', function()
  local controls = require('walk.controls')

  it('moves by held keys, no faster askew', function()
    local c = controls.new()
    c:event({ kind = 'key_down', key = 'W' })
    c:event({ kind = 'key_down', key = 'D' })
    c:event({ kind = 'key_down', key = 'Left Shift' })
    local x, y, run = c:move()
    assert.is_true(math.abs(x * x + y * y - 1) < 1e-9)
    assert.is_true(run)
    c:event({ kind = 'key_up', key = 'D' })
    x, y = c:move()
    assert.same({ 0, 1 }, { x, y })
  end)

  it('presses once for a held key, and lets go when the window loses the focus', function()
    local c = controls.new()
    c:event({ kind = 'key_down', key = 'E' })
    c:event({ kind = 'key_down', key = 'E', ['repeat'] = true })
    assert.same({ 'use' }, c:take_pressed())
    assert.same({}, c:take_pressed())
    c:event({ kind = 'key_down', key = 'W' })
    c:event({ kind = 'focus', x = 0 })
    assert.equal(0, (select(2, c:move())))
  end)

  it('holds on while one of two keys is still down', function()
    local c = controls.new()
    c:event({ kind = 'key_down', key = 'W' })
    c:event({ kind = 'key_down', key = 'Up' })
    c:event({ kind = 'key_up', key = 'W' })
    assert.equal(1, (select(2, c:move())))
    c:event({ kind = 'key_up', key = 'Up' })
    assert.equal(0, (select(2, c:move())))
  end)

  it('walks, looks, runs and uses by a controller', function()
    local c = controls.new()
    c:event({ kind = 'pad_axis', button = 0, value = 0.5 })
    c:event({ kind = 'pad_axis', button = 1, value = -1 })
    local x, y = c:move()
    assert.is_true(x > 0.2 and y > 0.85 and x * x + y * y <= 1.0001)
    c:event({ kind = 'pad_axis', button = 2, value = 1 })
    c:event({ kind = 'pad_axis', button = 3, value = 1 })
    local right, up = c:look(0.5)
    assert.is_true(math.abs(right - 1.2) < 1e-9 and math.abs(up + 1.2) < 1e-9)
    for button, action in pairs({ [0] = 'jump', [2] = 'use', [3] = 'third_person', [4] = 'hud', [6] = 'pause' }) do
      c:event({ kind = 'pad_down', button = button })
      c:event({ kind = 'pad_up', button = button })
      assert.same({ action }, c:take_pressed())
    end
    c:event({ kind = 'pad_down', button = 10 })
    assert.is_true((select(3, c:move())))
    c:event({ kind = 'pad_up', button = 10 })
    assert.is_false((select(3, c:move())))
    assert.equal('X', controls.key_names('use', c.by_pad))
    c:event({ kind = 'key_down', key = 'E' })
    assert.equal('E', controls.key_names('use', c.by_pad))
  end)

  it('takes the keys as they are now, and lets go of none that is held', function()
    local keys = require('walk.keys')
    local c = controls.new()
    c:event({ kind = 'key_down', key = 'W' })
    c:event({ kind = 'key_down', key = 'K' })
    local use, forward = keys.keys.use, keys.keys.forward
    keys.keys.use, keys.keys.forward = { 'Q' }, { 'K' }
    local again = controls.new(c)
    keys.keys.use, keys.keys.forward = use, forward
    assert.equal(1, (select(2, again:move())))
    again:event({ kind = 'key_up', key = 'K' })
    assert.equal(0, (select(2, again:move())))
    again:event({ kind = 'key_down', key = 'Q' })
    assert.same({ 'use' }, again:take_pressed())
  end)

  it('turns by the mouse only while it is caught, and by the stick beyond its dead zone', function()
    local c = controls.new()
    c:event({ kind = 'mouse_move', x = 100, y = 0 })
    assert.equal(0, (c:look(0.1)))
    c.captured = true
    c:event({ kind = 'mouse_move', x = 100, y = 0 })
    assert.is_true((c:look(0.1)) > 0)
    c:event({ kind = 'pad_axis', button = 0, value = 0.1 })
    assert.equal(0, (c:move()))
    c:event({ kind = 'pad_axis', button = 0, value = 1 })
    assert.equal(1, (c:move()))
  end)
end)
