--- The village's life: where people and animals are by the hour, alone and in a sequence; nobody in walls or in one
--- another; who walks from place to place in the window arrives.
local collision = require('walk.collision')
local maths = require('thatch.math')
local player = require('walk.player')

local BODY, SLACK = 0.25, 0.02 -- metres: half a person's width; a step's edge

local driver, state, people, animals, whereabouts, solid

-- Looks at nothing, so that nobody is posed; or into the village, so that all are.
local function view(hour, more)
  local v = { eye = { 0, 400, 0 }, target = { 0, 399, -1 }, up = { 0, 1, 0 }, hour = hour }
  for key, value in pairs(more or {}) do v[key] = value end
  return v
end

-- Fails with a message that is made only then.
local function check(holds, text, ...)
  if not holds then error(text:format(...), 2) end
end

local function live(hour, time, more)
  local v = view(hour, more)
  people.update(state, 0, time, driver.quality, v)
  animals.update(state, 0, time, driver.quality, v)
end

local function snapshot()
  local list = {}
  for _, p in ipairs(state.people) do
    list[#list + 1] = ('%.17g %.17g %.17g %.17g %s'):format(p.x, p.y, p.z, p.heading, p.kind)
  end
  for _, a in ipairs(state.animals) do
    list[#list + 1] = ('%.17g %.17g %.17g %.17g %.17g'):format(a.x, a.y, a.z, a.walking, a.lying)
  end
  return table.concat(list, '\n')
end

-- How deep a body is in what is solid.
local function depth(x, y, z, radius)
  local px, pz = solid:resolve(x, z, radius or BODY, y + collision.STEP_UP, y + 1.6)
  local dx, dz = px - x, pz - z
  return maths.sqrt(dx * dx + dz * dz)
end

describe('village life', function()
  setup(function()
    driver = require('driver').new({ scene = 'village', quality = 'low', width = 64, height = 36 })
    driver:load()
    state = driver.state
    people, animals = require('village.people'), require('village.animals')
    whereabouts = require('village.whereabouts')
    local c = state.collision
    solid = collision.new({ height = c.height, boxes = c:fixed_boxes(), cylinders = c.cylinders, floors = c.floors })
  end)

  it('has everyone somewhere that suits the hour', function()
    local function count(hour, kind)
      live(hour, 20)
      local n = 0
      for _, p in ipairs(state.people) do
        if p.kind == kind then n = n + 1 end
      end
      return n
    end
    assert.equal(9, count(14, 'round'))
    assert.equal(0, count(14, 'lie') + count(14, 'sit'))
    assert.is_true(count(7.5, 'work') >= 4)
    assert.is_true(count(20, 'sit') >= 6)
    assert.is_true(count(22.5, 'sit') >= 1, 'the inn is empty at half past ten')
    assert.equal(13, count(2, 'lie'))
    assert.equal(1, count(2, 'round')) -- the watchman
    assert.is_true(state.people[3].place.lantern)
  end)

  it('follows from hour and time alone', function()
    local alone = {}
    local samples = { { 14, 33 }, { 18.45, 12 }, { 22, 7.5 }, { 5.35, 3 }, { 21.75, 60 } }
    for i = #samples, 1, -1 do
      live(samples[i][1], samples[i][2])
      alone[i] = snapshot()
    end
    live(9, 100, { interactive = true, focus = { 0, 0, 0 } }) -- and what happened in the window is forgotten
    live(16, 101, { interactive = true, focus = { 0, 0, 0 } })
    for i = 1, #samples do
      for time = 0, samples[i][2], 1.7 do live(samples[i][1], time) end
      live(samples[i][1], samples[i][2])
      assert.equal(alone[i], snapshot())
    end
  end)

  it('leads every way round walls, furniture, trees and fences', function()
    for i, p in ipairs(state.people) do
      for k, place in ipairs(p.places) do
        local way = whereabouts.way(p, k > 1 and k - 1 or #p.places, k)
        check(way, 'villager %d finds no way to %s', i, place.what)
        for q = 1, way.count do
          local d = depth(way.xs[q], way.ys[q], way.zs[q])
          check(d < SLACK, 'villager %d on the way to %s is %g m in a solid at %g %g', i,
            place.what, d, way.xs[q], way.zs[q])
        end
        local dx, dz = way.xs[way.count] - place.x, way.zs[way.count] - place.z
        check(dx * dx + dz * dz < 1.2 * 1.2, 'villager %d: the way to %s ends far off', i, place.what)
        check(math.abs(way.ys[way.count] - place.y) < 0.3, 'villager %d: the way to %s ends at %g, not %g', i,
          place.what, way.ys[way.count], place.y)
        if place.kind == 'round' then
          local rounds = require('village.rounds')
          for s = 0, place.way.length, 0.2 do
            local x, z = rounds.at(place.way, s)
            local d = depth(x, state.height(x, z), z)
            check(d < SLACK, 'villager %d on the %s is %g m in a solid at %g %g', i, place.what, d, x, z)
          end
        elseif place.kind == 'stand' or place.kind == 'work' then
          local d = depth(place.x, place.y, place.z)
          check(d < SLACK, 'villager %d at work is %g m in a solid at %g %g', i, d, place.x, place.z)
        end
      end
    end
  end)

  it('keeps people half a metre apart, and out of the scripted walker', function()
    local function apart(hour, time)
      local list = state.people
      for i = 1, #list do
        for k = i + 1, #list do
          local a, b = list[i], list[k]
          local dx, dz = a.x - b.x, a.z - b.z
          check(dx * dx + dz * dz > 0.25 or math.abs(a.y - b.y) > 1,
            'villagers %d and %d meet at %g %g at %g, after %g s', i, k, a.x, a.z, hour, time)
        end
      end
    end
    local v = view()
    for hour = 0.05, 23.9, 0.4 do
      v.hour = hour
      for time = 0, 60, 0.5 do
        people.update(state, 0, time, driver.quality, v)
        apart(hour, time)
      end
    end
    v.hour = 14
    for time = 0, 2000, 0.5 do
      people.update(state, 0, time, driver.quality, v)
      apart(14, time)
    end
    for _, hour in ipairs({ 7.5, 14, 20, 22.5 }) do
      v.hour = hour
      for frame = 0, 1440, 6 do
        local eye = driver.scene.walk(state, frame).eye
        people.update(state, 0, frame / 24, driver.quality, v)
        for i, p in ipairs(state.people) do
          local dx, dz = p.x - eye[1], p.z - eye[3]
          check(dx * dx + dz * dz > 0.25 or math.abs(p.y + 1.65 - eye[2]) > 1,
            'the walker meets villager %d in frame %d at %g', i, frame, hour)
        end
      end
    end
  end)

  it('lays sleepers on beds and sitters on seats', function()
    for hour = 0, 23.5, 0.5 do
      live(hour, 30)
      for i, p in ipairs(state.people) do
        if p.kind == 'lie' or p.kind == 'sit' then
          local entry = p.place.house and state.buildings[p.place.house]
          local at = entry and entry.building.stair_at
          local floor = entry and entry.house.y + 0.16 or state.height(p.x, p.z)
          if p.kind == 'lie' and at then floor = entry.house.y + at.y1 end
          check(math.abs(p.y - floor) < 0.1, 'villager %d is %g m over the floor at %g', i, p.y - floor, hour)
        end
        if p.kind == 'lie' then assert.is_true(hour > 19.9 or hour < 12.4) end
      end
    end
  end)

  it('lets animals graze by day and sleep by night', function()
    live(14, 50)
    for i, a in ipairs(state.animals) do
      assert.equal(0, a.lying, 'animal ' .. i .. ' lies by day')
      assert.is_falsy(a.away)
    end
    live(23, 50)
    for i, a in ipairs(state.animals) do
      if not a.who.awake then check(a.lying > 0.99, 'a %s, %d, is up at night', a.who[1], i) end
      if a.who[1] == 'hen' or a.who[1] == 'horse' or a.who.fly then assert.is_true(a.away) end
    end
    local kinds = {}
    for _, a in ipairs(animals.herd) do kinds[a[1]] = true end
    local n = 0
    for _ in pairs(kinds) do n = n + 1 end
    assert.is_true(n >= 8)
  end)

  it('moves animals without leaps, round by round', function()
    local before = {}
    for step = 0, 600 do
      live(14, step / 10)
      for i, a in ipairs(state.animals) do
        local b = before[i]
        if b then
          local dx, dz = a.x - b[1], a.z - b[2]
          check(dx * dx + dz * dz < 1, 'the %s, %d, leaps', a.who[1], i)
        end
        before[i] = { a.x, a.z }
      end
    end
  end)

  it('keeps animals out of walls and from under feet', function()
    for _, hour in ipairs({ 14, 23 }) do
      for time = 0, 300, 0.5 do
        live(hour, time)
        for i, a in ipairs(state.animals) do
          if not a.who.fly and not a.who.swim then
            local x, z = solid:resolve(a.x, a.z, 0.14, a.y + 0.1, a.y + 0.5)
            check(math.abs(x - a.x) + math.abs(z - a.z) < SLACK, 'the %s, %d, is in a solid at %g %g', a.who[1], i, a.x,
              a.z)
            for k, p in ipairs(state.people) do
              local dx, dz = p.x - a.x, p.z - a.z
              check(dx * dx + dz * dz > 0.3 * 0.3 or math.abs(p.y - a.y) > 1, 'the %s, %d, meets villager %d',
                a.who[1], i, k)
            end
          end
        end
      end
    end
  end)

  it('lets the shy flee in the window alone, and come back', function()
    for _, number in ipairs({ 20, 28 }) do -- a hen, a deer
      live(14, 500)
      local a = state.animals[number]
      local x, z = a.x, a.z
      local focus = { x + 0.9, a.y, z + 0.3 }
      local function distance() return maths.sqrt((a.x - x) * (a.x - x) + (a.z - z) * (a.z - z)) end
      local time = 500
      local function wait(seconds)
        for _ = 1, seconds * 30 do
          time = time + 1 / 30
          animals.update(state, 0, time, driver.quality, view(14, { interactive = true, focus = focus }))
        end
      end
      wait(4)
      assert.is_true(distance() > 1)
      focus[1] = x + 60
      wait(20)
      assert.is_true(distance() < 0.1)
      live(14, 500)
      assert.is_true(distance() < 1e-9)
    end
  end)

  it('walks from place to place in the window when the hour is turned, and answers', function()
    local eye = { 2, state.height(2, 6) + 1.65, 6 }
    local v = { eye = eye, target = { -4, eye[2], 6 }, up = { 0, 1, 0 }, focus = { 2, eye[2] - 1.65, 6 },
      interactive = true, hour = 18 }
    local time, before = 0, {}
    local function run(seconds)
      for _ = 1, seconds * 10 do
        time = time + 0.1
        people.update(state, 0, time, driver.quality, v)
        for i, p in ipairs(state.people) do
          local b = before[i]
          local dx, dz = b and p.x - b[1] or 0, b and p.z - b[2] or 0
          local near = (p.x - eye[1]) * (p.x - eye[1]) + (p.z - eye[3]) * (p.z - eye[3]) < 20 * 20
          check(not near or dx * dx + dz * dz < 0.5 * 0.5, 'villager %d leaps in view, %g m', i,
            maths.sqrt(dx * dx + dz * dz))
          before[i] = { p.x, p.z }
        end
      end
    end
    run(2)
    v.hour = 19.5
    run(240)
    assert.equal('sit', state.people[6].kind)
    assert.equal('inn', state.people[6].place.house)
    local p = state.people[6]
    v.focus = { p.x + 0.8, p.y, p.z + 0.8 }
    local said = {}
    for _ = 1, 4 do
      run(7)
      said[p.line] = true
    end
    local n = 0
    for _ in pairs(said) do n = n + 1 end
    assert.is_true(n >= 3, 'says but ' .. n .. ' things')
    live(14, 0)
  end)

  it('searches for no way within a frame, or for no more than a part of one', function()
    local ways = state.ways
    local spent = ways.spent
    check(spent > 0, 'no way was made while loading')
    for hour = 0.02, 24, 0.07 do live(hour, 5) end
    assert.equal(spent, ways.spent)
    local eye = { 2, state.height(2, 6) + 1.65, 6 }
    local v = { eye = eye, target = { -4, eye[2], 6 }, up = { 0, 1, 0 }, interactive = true }
    local most, begun, begin = 0, 0, ways.begin
    function ways.begin(...)
      begun = begun + 1
      return begin(...)
    end
    local time = 0
    for _, hour in ipairs({ 14, 18.5, 9.5, 20, 7.3, 12, 22.4, 14 }) do -- none follows upon the one before
      v.hour = hour
      for _ = 1, 400 do
        time = time + 1 / 24
        local before = ways.spent
        people.update(state, 0, time, driver.quality, v)
        most = math.max(most, ways.spent - before)
      end
    end
    ways.begin = nil
    check(begun >= 10, 'but %d ways were asked for', begun)
    check(most > 0 and most < 1250, 'a frame searched %d cells', most)
    live(14, 0)
  end)

  it('leaves no garbage in a frame once warm', function()
    local light = require('thatch.light').Light
    local set = light.set
    light.set = function() end -- the runtime's binding is not what is measured here
    jit.off() -- traces that are being compiled would count
    jit.flush()
    local before, left
    local function run(v, count)
      for i = 1, count do driver.scene.update(state, i, 30 + i / 24, driver.quality, v) end
    end
    for _, more in ipairs({ {}, { weather = 'rain' }, { hour = 22 }, { hour = 20, interactive = true },
      { hour = 14, interactive = true, weather = 'rain' } }) do
      local v = view(more.hour or 14, more)
      v.eye, v.target = { 2, 2, 12 }, { -4, 2, 0 }
      run(v, 30)
      collectgarbage()
      collectgarbage('stop')
      before = collectgarbage('count')
      run(v, 30)
      left = collectgarbage('count') - before
      collectgarbage('restart')
      if left ~= 0 then break end
    end
    jit.on()
    light.set = set
    driver.scene.update(state, 0, 0, driver.quality, view(14))
    assert.equal(0, left)
  end)

  it('draws a frame at night alone as in a sequence', function()
    local alone = require('driver').new({ scene = 'village', quality = 'low', width = 64, height = 36, hour = 22 })
    alone:load()
    alone:draw(420)
    driver.hour = 22
    for _, frame in ipairs({ 400, 410, 419, 420 }) do driver:draw(frame) end
    assert.equal(alone.frame:hash(), driver.frame:hash())
  end)

  it('gives the walker no room inside a person', function()
    live(14, 10)
    local world = collision.new(driver.scene.collide(state))
    world:refresh()
    local p = state.people[6]
    local x, z = world:resolve(p.x + 0.1, p.z, player.RADIUS, p.y + 0.35, p.y + 1.7)
    local dx, dz = x - p.x, z - p.z
    assert.is_true(dx * dx + dz * dz > 0.5 * 0.5)
  end)
end)
