--- Something for every stage in a small scene: shadows still and moving, maps, mask, blend, sway, lamps, water, sky.
local thatch = require('thatch')
local kit = dofile(thatch.root .. '/tests/golden/kit.lua')

local M = { title = 'everything', frames = 48 }

function M.load()
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
  for i = 0, 2 do
    state.scene:light({ kind = 'point', position = { i - 1, 0.4, 1 - i }, color = { 1, 0.6, 0.3 }, intensity = 2,
      distance = 3 })
  end
  state.scene:set_moving({ moving })
  state.water = thatch.water.create({ level = -0.1, min = { -2, 0.5 }, max = { 2, 3 } })
  state.ball = moving
  return state
end

function M.update(state, number)
  state.ball:set_position(1 + 0.5 * thatch.math.sin(number * 0.1), 0.8, 0)
end

function M.walk(_, number)
  return { eye = { thatch.math.sin(number * 0.05), 1.6, 5 }, target = { 0, 0.2, 0 } }
end

function M.unload()
  thatch.shading.remove('same.leaf')
end

return M
