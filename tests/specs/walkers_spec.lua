--- Random walkers through the village: at any frame rate they end on walkable ground and inside nothing.
--- THATCH_WALKERS and THATCH_WALKER_STEPS make it larger: 1000 and 10000 are the whole of it.
local collision = require('walk.collision')
local doors = require('walk.doors')
local maths = require('thatch.math')
local player = require('walk.player')

local WALKERS = tonumber(os.getenv('THATCH_WALKERS')) or 60
local STEPS = tonumber(os.getenv('THATCH_WALKER_STEPS')) or 600
local RATES = { 15, 60, 240 }
local SLACK = 0.03 -- metres that pushing apart may leave

local state, plain

--- Only what walkers meet is built: no pictures.
local function village()
  local driver = require('driver').new({ scene = 'village', quality = 'low', width = 64, height = 36 })
  driver:load()
  return driver
end

-- How deep a body is in a solid of the village that reaches into its height, or nil.
local function inside(world, body)
  local bottom, top = body.y + collision.STEP_UP, body.y + player.HEIGHT
  local x, z = world:resolve(body.x, body.z, player.RADIUS - SLACK, bottom, top)
  local dx, dz = x - body.x, z - body.z
  local d = math.sqrt(dx * dx + dz * dz)
  return d > SLACK and d or nil
end

-- A place to begin: free, dry, and on the ground or a floor.
local function start(world, i)
  for try = 1, 200 do
    local x = -60 + 130 * maths.random(7001, i, try)
    local z = -80 + 150 * maths.random(7002, i, try)
    local body = player.new(world, { x = x, z = z, yaw = maths.random(7003, i, try) * 6.28 })
    local water = world.water
    local wet = water and water.level - world.height(x, z) > 0.3
    if not wet and not inside(world, body) then return body end
  end
  error('no place for walker ' .. i)
end

-- One walker's whole way: it turns now and then, runs, jumps, tries doors. What it wants depends on the time alone.
local function wander(i, rate)
  local world = collision.new(plain)
  world:refresh()
  local leaves = doors.new(world.doors)
  for _, door in ipairs(world.doors) do door.angle, door.target = 0, 0 end
  local body = start(world, i)
  local yaw = body.yaw
  local seconds = STEPS / 60
  local frames = math.floor(seconds * rate + 0.5)
  local slot_before = -1
  for frame = 0, frames - 1 do
    local slot = math.floor(frame / rate * 2 + 1e-9) -- two decisions a second
    local jump = false
    if slot ~= slot_before then
      slot_before = slot
      yaw = yaw + (maths.random(7010, i, slot) - 0.5) * 2.2
      jump = maths.random(7011, i, slot) < 0.15
      if maths.random(7012, i, slot) < 0.3 then
        local fx, fz = body:facing()
        local door = leaves:near(body.x, body.y, body.z, fx, fz)
        if door then leaves:use(door, body.x, body.z) end
      end
    end
    body.yaw = yaw
    body:update(1 / rate, (maths.random(7013, i, slot) - 0.5) * 0.8, 1, maths.random(7014, i, slot) < 0.5, jump)
    leaves:update(1 / rate, body.x, body.z, player.RADIUS)
  end
  return body, world
end

describe('walkers', function()
  setup(function()
    state = village()
    plain = state.scene.collide(state.state)
    plain.moving = nil -- people move by the clock, not by the walker
  end)

  for _, rate in ipairs(RATES) do
    it(('end on walkable ground and inside nothing at %d Hz'):format(rate), function()
      for i = 1, WALKERS do
        local body, world = wander(i, rate)
        local depth = inside(world, body)
        assert.is_nil(depth, ('walker %d at %g %g %g is %g m inside a solid'):format(i, body.x, body.y, body.z,
          depth or 0))
        assert.is_true(body.x == body.x and body.z == body.z, 'walker ' .. i .. ' is nowhere')
        local ground = world.height(body.x, body.z)
        assert.is_true(body.y > ground - 0.02, ('walker %d at %g %g is %g m under the ground'):format(i, body.x, body.z,
          ground - body.y))
        assert.is_false(world:too_deep(body.x, body.z),
          ('walker %d at %g %g is in deep water'):format(i, body.x, body.z))
        assert.is_true(body.y < ground + 12, ('walker %d is %g m over the ground'):format(i, body.y - ground))
      end
    end)
  end
end)
