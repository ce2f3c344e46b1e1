--- A bot walks by keys through every front door, into every room, up every stair, and out again, at any frame rate.
local collision = require('walk.collision')
local walk_module = require('walk')
local wayfarer = require('tests.specs.wayfarer')

local RATES = { 15, 60, 240 }
local PATIENCE = 3 -- times as long as the way should take

describe('houses', function()
  local state, world, ways, whereabouts
  local made, targets = {}, {} -- ways; the rooms of each house

  setup(function()
    local driver = require('driver').new({ scene = 'village', quality = 'low', width = 64, height = 36 })
    driver:load()
    state = driver.state
    world = driver.scene.collide(state)
    world.moving, world.people = nil, nil
    whereabouts = require('village.whereabouts')
    ways = require('village.ways').new(state, true)
  end)

  local function go(walk, name, from, to, rate, what)
    local key = ('%s %g %g'):format(name, to.x, to.z)
    local way = made[key] or ways:make(from.x, from.y, from.z, to.x, to.y, to.z)
    assert.is_truthy(way, what .. ': no way')
    made[key] = way
    local bot = wayfarer.new(way, function(event) walk:event(event) end)
    local limit = (way.length / 1.6 + 3) * PATIENCE
    local body, time, eye = walk.body, 0, walk.body.eye_y
    while not bot:steer(walk, 1 / rate) do
      walk:update(1 / rate)
      time = time + 1 / rate
      assert.is_true(time < limit, ('%s: stuck at %g %g %g, point %d of %d'):format(what, body.x, body.y, body.z, bot.i,
        way.count))
      assert.is_true(body.y > world.height(body.x, body.z) - 0.02, what .. ': under the ground')
      assert.is_true(math.abs(body.eye_y - eye) < 4 / rate + 0.02, what .. ': the eyes leap')
      eye = body.eye_y
      if body.third_person then
        local e = walk:view().eye
        assert.is_true(body.hidden or not walk.world:blocked(e[1], e[2], e[3], 0.12),
          ('%s: the camera is in something at %g %g %g'):format(what, e[1], e[2], e[3]))
      end
    end
    return { x = body.x, y = body.y, z = body.z }
  end

  local function visit(name, rate)
    targets[name] = targets[name] or wayfarer.targets(ways, state.buildings[name])
    for _, door in ipairs(world.doors) do door.angle, door.target = 0, 0 end
    local outside = wayfarer.before_door(ways, state, name)
    local walk = walk_module.new(world, { eye = { 0, 0, 0 }, target = { 0, 0, -1 } })
    walk.controls.captured = true
    walk.body.third_person = rate == 60
    walk.body:put(outside.x, outside.y, outside.z)
    local at = outside
    for _, room in ipairs(targets[name]) do
      local what = ('%s, %s, at %d Hz'):format(name, room.name, rate)
      at = go(walk, name, at, room, rate, what)
      assert.is_true(room.inside(at.x, at.y, at.z), ('%s: ends at %g %g %g'):format(what, at.x, at.y, at.z))
    end
    at = go(walk, name, at, outside, rate, ('%s, out again, at %d Hz'):format(name, rate))
    assert.is_true((at.x - outside.x) ^ 2 + (at.z - outside.z) ^ 2 < 1)
    for _ = 1, 4 * rate do walk:update(1 / rate) end
  end

  it('have chairs and benches that stop a walker, but not those who sit down on them', function()
    local walker = collision.new(world)
    local count = 0
    for _, box in ipairs(world.boxes) do
      if box.seat then
        count = count + 1
        local bottom, top = box.bottom + collision.STEP_UP, box.bottom + 1.7
        local x, z = walker:resolve(box.x, box.z, 0.25, bottom, top, true)
        assert.is_true((x - box.x) ^ 2 + (z - box.z) ^ 2 > 0.3 ^ 2, ('no stop at %g %g'):format(box.x, box.z))
      end
    end
    assert.is_true(count > 40, 'but ' .. count .. ' seats')
    for _, p in ipairs(state.people) do
      for to = 1, #p.places do
        assert.is_truthy(whereabouts.way(p, to > 1 and to - 1 or #p.places, to))
      end
    end
  end)

  it('have a ladder to the loft of the barn, and a floor to fall on', function()
    local entry = state.buildings.barn
    local h = entry.house
    for _, rate in ipairs(RATES) do
      local walk = walk_module.new(world, { eye = { 0, 0, 0 }, target = { 0, 0, -1 } })
      local body = walk.body
      local x, z = entry.world(-h.w / 2 + 0.3 + 6, -h.d / 2 + 0.3 + 2.9)
      body:put(x, h.y + 0.064, z)
      body.yaw = -h.turn - math.pi / 2
      walk:event({ kind = 'key_down', key = 'W' })
      for _ = 1, 3.2 * rate do walk:update(1 / rate) end
      assert.is_true(math.abs(body.y - h.y - 2.664) < 0.01, ('at %g over the floor'):format(body.y - h.y))
      body.yaw = body.yaw + math.pi / 2
      for _ = 1, 1.5 * rate do walk:update(1 / rate) end
      body.yaw = body.yaw + math.pi / 2
      local fastest, y = 0, body.y
      for _ = 1, 4 * rate do
        walk:update(1 / rate)
        fastest, y = math.max(fastest, (y - body.y) * rate), body.y
      end
      assert.is_true(math.abs(body.y - h.y - 0.064) < 0.01, ('at %g over the floor'):format(body.y - h.y))
      assert.is_true(fastest > 5, 'it has not fallen')
    end
  end)

  for _, rate in ipairs(RATES) do
    it(('let one into every room and out again at %d Hz'):format(rate), function()
      for _, house in ipairs(require('village.layout').houses) do visit(house.name, rate) end
    end)
  end
end)
