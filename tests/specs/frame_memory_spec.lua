--- A frame of a warm pipeline takes no memory.
local thatch = require('thatch')
local game = dofile(thatch.root .. '/scripts/pipelines/game.lua')
local kit = dofile(thatch.root .. '/tests/golden/kit.lua')

describe('memory', function()
  local function moving_scene()
    local state = kit.room().daylight()
    state.add(kit.floor(30, 40), { map = kit.checker(32, 8) }, { position = { 0, -0.3, 0 } })
    local node = state.add(kit.box(1, 1, 1), { color = { 0.7, 0.3, 0.2 } })
    state.add(kit.square({ -0.5, 0, 1.2 }, { 1, 0, 0 }, { 0, 1, 0 }), { alpha = 'blend', opacity = 0.4 })
    state.scene:set_moving({ node })
    state.water = thatch.water.create({ level = -0.1, min = { -2, 0.5 }, max = { 2, 3 } })
    return state, node
  end

  for _, preset in ipairs({ 'low', 'ultra' }) do
    it('of the runtime does not change over 200 frames at ' .. preset, function()
      local state, node = moving_scene()
      local quality = thatch.quality.load(preset)
      local frame = thatch.frame.create({ width = 160, height = 90, render_scale = quality.render_scale })
      local count, held
      for number = 0, 230 do
        if number == 30 then count, held = thatch.allocation_count(), thatch.memory_bytes() end
        node:set_position(thatch.math.sin(number * 0.1), 0.5, thatch.math.cos(number * 0.13))
        state.camera:look({ thatch.math.sin(number * 0.05) * 5, 1.6, 5 }, { 0, 0.7, 0 })
        frame:begin(number, number / 24)
        game(frame, state, state.camera, quality)
      end
      assert.equal(count, thatch.allocation_count())
      assert.equal(held, thatch.memory_bytes())
    end)
  end

  it('does not change while a geometry moves', function()
    local state = kit.room().daylight()
    local shape = kit.floor(4, 4)
    local n = shape:info().vertex_count
    local positions = thatch.buffer.floats(n * 3)
    for i = 0, n - 1 do positions:push(i % 5 - 2, 0, math.floor(i / 5) - 2) end
    state.add(shape, { color = { 0.4, 0.5, 0.6 } })
    local quality = thatch.quality.load('low')
    local frame = thatch.frame.create({ width = 160, height = 90 })
    local count
    for number = 0, 40 do
      if number == 10 then count = thatch.allocation_count() end
      positions.data[1] = thatch.math.sin(number)
      shape:move(positions)
      frame:begin(number, number / 24)
      game(frame, state, state.camera, quality)
    end
    assert.equal(count, thatch.allocation_count())
  end)

  it('is given back when a frame, its scene and what it drew are destroyed', function()
    local function life()
      local state = moving_scene()
      local frame = thatch.frame.create({ width = 160, height = 90 })
      frame:begin(0, 0)
      game(frame, state, state.camera, thatch.quality.load('low'))
      frame:destroy()
      state.scene:destroy()
      state.water:destroy()
    end
    local function settled()
      for _ = 1, 4 do collectgarbage() end
      return thatch.memory_bytes()
    end
    for _ = 1, 3 do life() end
    local held = settled()
    for _ = 1, 10 do life() end
    assert.is_true(settled() <= held)
  end)
end)
