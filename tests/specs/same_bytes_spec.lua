--- One scene, many ways to draw it, one hash.
local thatch = require('thatch')
local game = dofile(thatch.root .. '/scripts/pipelines/game.lua')
local scene = dofile(thatch.root .. '/tests/same_bytes/everything.lua')

local function draw(state, frame, quality, number)
  scene.update(state, number)
  frame:begin(number, number / 24)
  game(frame, state, state.camera, quality)
  return frame:hash()
end

describe('the same bytes', function()
  local state = scene.load()
  teardown(function()
    scene.unload()
    thatch.start()
  end)

  for _, preset in ipairs(thatch.quality.presets) do
    it('are drawn at ' .. preset .. ' by any ISA and any number of threads', function()
      local quality, first = thatch.quality.load(preset), nil
      for _, isa in ipairs(thatch.isas()) do
        for _, threads in ipairs({ 1, 2, 3, 7, 16 }) do
          thatch.start({ threads = threads, isa = isa })
          local frame = thatch.frame.create({ width = 150, height = 84, render_scale = quality.render_scale })
          local hashes = {}
          for _, number in ipairs({ 0, 7 }) do hashes[#hashes + 1] = draw(state, frame, quality, number) end
          local all = table.concat(hashes, ' ')
          first = first or all
          assert.equal(first, all, isa .. ' with ' .. threads .. ' threads')
        end
      end
    end)
  end

  it('are drawn of a frame alone, in sequence, and after jumping back and forth', function()
    thatch.start()
    local quality = thatch.quality.load('low')
    local size = { width = 150, height = 84, render_scale = quality.render_scale }
    local in_turn, frame = {}, thatch.frame.create(size)
    for number = 0, 30 do in_turn[number] = draw(state, frame, quality, number) end
    assert.not_equal(in_turn[0], in_turn[30])
    for _, number in ipairs({ 30, 3, 17, 16, 0, 29 }) do
      assert.equal(in_turn[number], draw(state, frame, quality, number), 'frame ' .. number .. ' again')
      local alone = draw(state, thatch.frame.create(size), quality, number)
      assert.equal(in_turn[number], alone, 'frame ' .. number .. ' alone')
    end
  end)
end)
