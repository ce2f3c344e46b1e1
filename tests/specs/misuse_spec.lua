local ffi = require('ffi')
local thatch = require('thatch')

-- Every method of every object, and every create, with arguments that fit nothing: refusals, never a crash, and none
-- that points into the bindings.
local NAN, INF = 0 / 0, 1 / 0
local WRONG = {
  NAN, INF, -INF, -1, 0, 1, 2 ^ 31, 2 ^ 32, -2 ^ 31, 1e300, 0.5, 'x', '', {}, { 1 }, { 1, 2, 3 }, { NAN, NAN, NAN },
  { 'a', 'b', 'c' }, true, false, print, io.stdout, coroutine.create(print),
}
local SKIP = { -- what writes files, would take gigabytes, or is between the bindings themselves
  save = true, reserve = true, resize = true, forget_mesh = true, forget_light = true, __gc = true, __index = true,
  __tostring = true,
}
local NEEDED = {
  geometry = { positions = { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, indices = { 0, 1, 2 } },
  texture = { width = 1, height = 1, texels = { 1, 2, 3, 4 } }, material = { kind = 'lambert' },
  water = { level = 0, min = { 0, 0 }, max = { 1, 1 } }, frame = { width = 8, height = 8, render_scale = 1 },
}
local KEYS = {
  geometry = 'positions indices normals uvs colors sway joints weights joint_count item_triangles blades vertex_count',
  texture = 'width height texels format srgb wrap offset repeat_ rotation center',
  material = 'kind color opacity emissive specular shininess roughness alpha alpha_cutoff map two_sided shading name',
  water = 'level min max wave_height patch wind deep_color absorption caustics foam glint seed',
  frame = 'width height render_scale',
}

local function objects()
  local scene = thatch.scene.create()
  local geometry = thatch.geometry.create(NEEDED.geometry)
  local material, node = thatch.material.create({}), scene:node()
  return {
    scene, geometry, material, node, scene:mesh({ geometry = geometry, material = material, node = node }),
    thatch.texture.create(NEEDED.texture), scene:light({ kind = 'ambient' }), thatch.camera.create(),
    thatch.water.create(NEEDED.water), thatch.frame.create(NEEDED.frame), thatch.buffer.floats(3),
  }
end

describe('misuse', function()
  local seed = 0
  local function random(n)
    seed = seed + 1
    return math.floor(thatch.math.random(17, seed, 0) * n) + 1
  end
  local function any(among)
    local i = random(#WRONG + #among)
    return WRONG[i] or among[i - #WRONG]
  end

  local function try(what, f, ...)
    local ok, message = pcall(f, ...)
    if ok then return 0 end
    assert.is_string(message, what)
    assert.is_falsy(message:find('bindings/thatch/', 1, true), what .. ': ' .. message)
    return 1
  end

  for _, when in ipairs({ 'alive', 'destroyed' }) do
    it('of the methods of objects that are ' .. when .. ' is refused', function()
      local refused = 0
      for _ = 1, 4 do
        local all = objects()
        for _, object in ipairs(when == 'destroyed' and all or {}) do
          if object.destroy then
            object:destroy()
            object:destroy()
            assert.is_false(object:is_valid())
          end
        end
        for _, object in ipairs(all) do
          local names = {}
          for name, f in pairs(getmetatable(object)) do
            if type(f) == 'function' and not SKIP[name] and (name ~= 'destroy' or when == 'destroyed') then
              names[#names + 1] = name
            end
          end
          table.sort(names)
          for _, name in ipairs(names) do
            for _ = 1, 25 do
              refused = refused + try(tostring(object) .. ':' .. name, getmetatable(object)[name], object, any(all),
                any(all), any(all))
            end
          end
        end
      end
      assert.is_true(refused > 2000)
    end)
  end

  for name, words in pairs(KEYS) do
    it('of ' .. name .. '.create is refused', function()
      local all, keys = objects(), {}
      for key in words:gmatch('%S+') do keys[#keys + 1] = key end
      for _ = 1, 600 do
        local options = {}
        for key, value in pairs(NEEDED[name]) do options[key] = value end
        for _ = 1, random(3) do options[keys[random(#keys)]] = any(all) end
        try(name .. '.create', thatch[name].create, options)
      end
    end)
  end

  it('leaves a frame that draws', function()
    local all = objects()
    local frame = thatch.frame.create({ width = 32, height = 18 })
    frame:begin(0, 0)
    require('pipelines.game')(frame, { scene = all[1] }, all[8], thatch.quality.load('low'))
    assert.equal(32 * 18 * 4, #ffi.string((frame:pixels()), 32 * 18 * 4))
  end)
end)
