--- One scene, many ways to draw it, one hash.
local thatch = require('thatch')
local support = require('tests.specs.support')
local game = dofile(thatch.root .. '/scripts/pipelines/game.lua')
local kit = dofile(thatch.root .. '/tests/golden/kit.lua')

--- Something for every stage: shadows still and moving, maps, a mask, a blend, sway, water, sky.
local function everything()
  local state = kit.room({ 0, 1.6, 5 }, { 0, 0.2, 0 }).daylight()
  state.scene:set_fog({ color = { 0.6, 0.65, 0.7 }, density = 0.02 })
  state.scene:set_wind(1, 0.3, 1)
  thatch.shading.register('same.leaf', { back_faces = 'as_front', sway = { amplitude_m = 0.2, frequency_hz = 0.7 } })
  local leaf = kit.map(16, function(x, y) return 60, 140, 40, (x + y) % 8 > 1 and 255 or 0 end)
  state.add(kit.floor(30, 40), { map = kit.checker(32, 8) }, { position = { 0, -0.3, 0 } })
  state.add(kit.box(1, 2, 1), { color = { 0.7, 0.3, 0.2 } }, { position = { -1.5, 0.7, -0.5 } })
  local moving = state.add(kit.ball(0.5, 16), { kind = 'phong', color = { 0.3, 0.4, 0.7 } },
    { position = { 1, 0.8, 0 } })
  state.add(kit.square({ -0.5, 0, 1.2 }, { 1, 0, 0 }, { 0, 1, 0 }),
    { color = { 0.3, 0.9, 0.4 }, alpha = 'blend', opacity = 0.4 })
  local p, sway, uv, index = {}, {}, {}, {}
  for i = 0, 59 do
    local x, z = thatch.math.random(3, i, 0) * 6 - 3, thatch.math.random(3, i, 1) * 4 - 3
    for c, at in ipairs({ { -0.1, 0 }, { 0.1, 0 }, { 0.02, 0.7 } }) do
      p[#p + 1], p[#p + 2], p[#p + 3] = x + at[1], at[2] - 0.3, z
      sway[#sway + 1], uv[#uv + 1], uv[#uv + 2] = c == 3 and 1 or 0, c == 2 and 1 or 0, c == 3 and 1 or 0
      index[#index + 1] = 3 * i + c - 1
    end
  end
  state.add(thatch.geometry.create({ positions = p, sway = sway, uvs = uv, indices = index }),
    { map = leaf, alpha = 'mask', two_sided = true, shading = 'same.leaf' })
  state.scene:set_moving({ moving })
  state.water = thatch.water.create({ level = -0.1, min = { -2, 0.5 }, max = { 2, 3 } })
  function state.move(number) moving:set_position(1 + 0.5 * thatch.math.sin(number * 0.1), 0.8, 0) end
  return state
end

local function draw(state, frame, quality, number)
  state.move(number)
  frame:begin(number, number / 24)
  game(frame, state, state.camera, quality)
  return frame:hash()
end

describe('the same bytes', function()
  local state = everything()
  teardown(function()
    thatch.shading.remove('same.leaf')
    thatch.start()
  end)

  for _, preset in ipairs(thatch.quality.presets) do
    it('are drawn at ' .. preset .. ' by any ISA and any number of threads', function()
      local quality, first = thatch.quality.load(preset), nil
      for _, isa in ipairs(thatch.isas()) do
        for _, threads in ipairs({ 1, 2, 3, 7 }) do
          thatch.start({ threads = threads, isa = isa })
          local frame = thatch.frame.create({ width = 210, height = 118, render_scale = quality.render_scale })
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
    local size = { width = 210, height = 118, render_scale = quality.render_scale }
    local in_turn, frame = {}, thatch.frame.create(size)
    for number = 0, 30 do in_turn[number] = draw(state, frame, quality, number) end
    assert.not_equal(in_turn[0], in_turn[30])
    for _, number in ipairs({ 30, 3, 17, 16, 0, 29 }) do
      assert.equal(in_turn[number], draw(state, frame, quality, number), 'frame ' .. number .. ' again')
      local alone = draw(state, thatch.frame.create(size), quality, number)
      assert.equal(in_turn[number], alone, 'frame ' .. number .. ' alone')
    end
  end)

  it('are drawn by the build of another compiler', function()
    local wanted = os.getenv('THATCH_SAME_BYTES')
    local quality, hashes = thatch.quality.load('high'), {}
    local frame = thatch.frame.create({ width = 210, height = 118, render_scale = quality.render_scale })
    for number = 0, 3 do hashes[#hashes + 1] = draw(state, frame, quality, number) end
    local all = table.concat(hashes, ' ')
    if not wanted then return end -- by tests/same_bytes.sh, which runs this spec with two builds
    local before = support.read(wanted)
    if before then assert.equal(before, all) else support.write(wanted, all) end
  end)
end)
