local pictures = require('tests.specs.data.models.pictures')
local support = require('tests.specs.support')
local thatch = require('thatch')
local writer = require('tests.specs.data.models.writer')

local load, hash, drawn, by_hand = pictures.load, pictures.hash, pictures.drawn, pictures.by_hand
local SQUARE, FRONT, INDICES, PLAIN = pictures.SQUARE, pictures.FRONT, pictures.INDICES, pictures.PLAIN
local copy, square, near = pictures.copy, pictures.square, pictures.near

describe('models that move', function()
  local reference = by_hand({ positions = SQUARE, normals = FRONT, indices = INDICES }, copy(PLAIN))

  describe('animations', function()
    --- A node that an animation moves, and its world matrix at a time.
    local function moved(path, kind, times, values, step, options)
      local w = writer.new()
      square(w, nil, nil, { name = 'it' })
      w:add('animations', { name = 'move', samplers = { {
        input = w:accessor('SCALAR', 'float', times),
        output = w:accessor(kind, options and options.component or 'float', values, options), interpolation = step,
      } }, channels = { { sampler = 0, target = { node = 0, path = path } } } })
      local model = load(w)
      local instance = model:add_to(thatch.scene.create())
      local node = instance:find('it')
      return function(t)
        instance:pose('move', t)
        return node:world()
      end, model, instance, node
    end

    it('step, and stand still before and behind', function()
      local at, model = moved('translation', 'VEC3', { 1, 2, 4 }, { 1, 0, 0, 2, 0, 0, 3, 0, 0 }, 'STEP')
      assert.same({ 'move', 4 }, { model.animations[1].name, model.animations[1].duration })
      assert.same({ { 0, -1, 0 }, { 4, 1, 0 } }, { model.animations[1].bounds.min, model.animations[1].bounds.max })
      for _, pair in ipairs({ { 0, 1 }, { 1, 1 }, { 1.99, 1 }, { 2, 2 }, { 3.9, 2 }, { 4, 3 }, { 99, 3 } }) do
        assert.equal(pair[2], at(pair[1])[13])
      end
    end)

    it('go straight', function()
      local at = moved('translation', 'VEC3', { 0, 2 }, { 0, 0, 0, 4, 2, -2 })
      near({ 1, 0.5, -0.5 }, { unpack(at(0.5), 13, 15) })
      at = moved('scale', 'VEC3', { 0, 1 }, { 1, 1, 1, 3, 2, 1 })
      near({ 2, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, 1 }, at(0.5))
    end)

    it('turn evenly, the short way, also from shares', function()
      local h = math.sqrt(0.5)
      for _, options in ipairs({ {}, { component = 'short', normalized = true } }) do
        local k = options.component and 32767 or 1
        local values = { 0, 0, 0, k, 0, 0, math.floor(-h * k * 32768) / 32768, math.floor(-h * k * 32768) / 32768 }
        local at = moved('rotation', 'VEC4', { 0, 1 }, values, 'LINEAR', options)
        for _, t in ipairs({ 0, 0.25, 0.5, 1 }) do
          local angle, m = t * math.pi / 2, at(t)
          for i, x in ipairs({ math.cos(angle), math.sin(angle) }) do
            assert.is_true(math.abs(m[i] - x) < 1e-4, ('%s at %s'):format(m[i], t))
          end
        end
      end
    end)

    it('follow splines', function()
      -- keys at 0 and 2 s: in-tangent, value, out-tangent
      local at = moved('translation', 'VEC3', { 0, 2 },
        { 9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 4, 0, 1, 0, 0, 9, 9, 9 }, 'CUBICSPLINE')
      near({ 0, 0, 0 }, { unpack(at(0), 13, 15) })
      near({ 0.75, -1, 0 }, { unpack(at(1), 13, 15) }) -- 2 * 0.125 * 1 + 0.5 * 1, and 2 * -0.125 * 4
      near({ 1, 0, 0 }, { unpack(at(2), 13, 15) })
    end)

    it('are a function of the time: the same pose after another', function()
      local at, _, instance, node = moved('rotation', 'VEC4', { 0, 1 }, { 0, 0, 0, 1, 0, 1, 0, 0 })
      local first = at(0.3)
      at(0.9)
      assert.same(first, at(0.3))
      instance:play('move', { start = 1, speed = 2 })
      instance:update(1.15)
      near(first, node:world())
      instance:update(3.15)
      near(first, node:world())
      instance:play('move', { loop = false })
      instance:update(7)
      assert.same(at(1), node:world())
      instance:play(nil)
      near({ 1, 0, 0 }, node:world())
      instance:update(7)
      near({ 1, 0, 0 }, node:world())
      instance:pose(1, 0.5)
      instance:pose(nil)
      near({ 1, 0, 0 }, node:world())
      support.refuses("instance:pose: ", instance.pose, instance, 'mov', 0)
      support.refuses("did you mean 'move'?", instance.play, instance, 'mov')
      support.refuses('animation is 2, need 1 .. 1', instance.play, instance, 2)
    end)
  end)

  describe('skins', function()
    local function skinned()
      local w = writer.new()
      local index = { 0, 1, 2, 0, 2, 3 }
      w:shape({
        POSITION = w:accessor('VEC3', 'float', SQUARE), NORMAL = w:accessor('VEC3', 'float', FRONT),
        JOINTS_0 = w:accessor('VEC4', 'ubyte', { 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 9, 0, 0 }),
        WEIGHTS_0 = w:accessor('VEC4', 'float', { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0, 0, 0 }),
      }, { indices = w:accessor('SCALAR', 'ubyte', index) }, { skin = 0, translation = { 50, 0, 0 } })
      w:add('nodes', { name = 'root', children = { 2 } })
      w:add('nodes', { name = 'top', translation = { 0, 1, 0 } })
      w:add('skins', { joints = { 1, 2 }, inverseBindMatrices = w:accessor('MAT4', 'float', {
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
      }) })
      w:add('animations', { samplers = { { input = w:accessor('SCALAR', 'float', { 0, 1 }),
        output = w:accessor('VEC3', 'float', { 0, 1, 0, 0.5, 1.5, 0 }) } },
        channels = { { sampler = 0, target = { node = 2, path = 'translation' } } } })
      return w
    end

    it('draw as joints set by hand; their node moves nothing', function()
      local picture, model, instance, room = drawn(skinned())
      assert.equal(reference, picture)
      assert.same({ 1, 2 }, { model.counts.skins, model.counts.joints })
      near({ -1, -1, 0 }, model.bounds.min)
      near({ 1, 1, 0 }, model.bounds.max)
      near({ 1.5, 1.5, 0 }, model.animations[1].bounds.max)
      instance:pose(1, 1)
      local leaned = copy(SQUARE)
      leaned[7], leaned[8], leaned[10], leaned[11] = 1.5, 1.5, -0.5, 1.5
      assert.equal(by_hand({ positions = leaned, normals = FRONT, indices = INDICES }, copy(PLAIN)), hash(room))
    end)
  end)

  describe('morph targets', function()
    local function morphed(node)
      local w = writer.new()
      square(w, nil, { targets = { { POSITION = w:accessor('VEC3', 'float', { 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0 }) },
        { NORMAL = w:accessor('VEC3', 'float', { 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0 }) } } }, node)
      return w
    end

    local function expected(a, b)
      local positions, normals = copy(SQUARE), copy(FRONT)
      positions[7], positions[8] = 1 + a, 1 + a
      for i = 1, 12, 3 do normals[i] = b end
      return by_hand({ positions = positions, normals = normals, indices = INDICES }, copy(PLAIN))
    end

    it('move positions and normals by their weights', function()
      local _, model, instance, room = drawn(morphed())
      assert.equal(2, model.counts.morph_targets)
      assert.equal(expected(0, 0), hash(room))
      instance:set_weights(nil, { 0.5, 0.25 })
      assert.equal(expected(0.5, 0.25), hash(room))
      instance:set_weights(1, { 1 })
      assert.equal(expected(1, 0), hash(room))
      support.refuses('weights has 3 values, need at most 2', instance.set_weights, instance, 1, { 1, 2, 3 })
    end)

    it('begin with the weights of mesh or node; each instance has its own', function()
      local w = morphed({ weights = { 0.5, 0 } })
      local picture, model, _, room = drawn(w)
      assert.equal(expected(0.5, 0), picture)
      local other = model:add_to(room.scene, { position = { 90, 0, 0 } })
      other:set_weights(nil, { 1, 1 })
      assert.equal(expected(0.5, 0), hash(room))
    end)

    it('follow animations', function()
      local w = morphed()
      w:add('animations', { samplers = { { input = w:accessor('SCALAR', 'float', { 0, 1 }),
        output = w:accessor('SCALAR', 'float', { 0, 0, 1, 0.5 }) } },
        channels = { { sampler = 0, target = { node = 0, path = 'weights' } } } })
      local _, _, instance, room = drawn(w)
      instance:pose(1, 0.5)
      assert.equal(expected(0.5, 0.25), hash(room))
      instance:pose(nil)
      assert.equal(expected(0, 0), hash(room))
    end)

    it('get flat normals again where they have none', function()
      local w = writer.new()
      w:shape({ POSITION = w:accessor('VEC3', 'float', { 0, 0, 0, 1, 0, 0, 0, 1, 0 }) },
        { targets = { { POSITION = w:accessor('VEC3', 'float', { 0, 0, 0, 0, 0, 0, 0, -1, 1 }) } } })
      local _, _, instance, room = drawn(w)
      instance:set_weights(1, { 1 })
      assert.equal(by_hand({ positions = { 0, 0, 0, 1, 0, 0, 0, 0, 1 }, normals = { 0, -1, 0, 0, -1, 0, 0, -1, 0 },
        indices = { 0, 1, 2 } }, copy(PLAIN)), hash(room))
    end)
  end)
end)
