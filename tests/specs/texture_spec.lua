local texture = require('thatch.texture')
local support = require('tests.specs.support')
local refuses = support.refuses

local function checks(options)
  local o = { width = 2, height = 2, texels = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255 },
    srgb = false }
  for key, value in pairs(options or {}) do o[key] = value end
  return o
end

describe('texture', function()
  it('gives back its texels in linear light', function()
    local t = texture.create(checks())
    local r, g, b, a = t:sample(0.25, 0.25, 0)
    assert.same({ 3, 4 }, { #{ r, g, b }, #{ r, g, b, a } })
    local sum = 0
    for _, uv in ipairs({ { 0.25, 0.25 }, { 0.75, 0.25 }, { 0.25, 0.75 }, { 0.75, 0.75 } }) do
      local x, y, z = t:sample(uv[1], uv[2], 0)
      sum = sum + x + y + z
    end
    assert.is_true(math.abs(sum - 6) < 1e-3)
  end)

  it('tells its size and levels', function()
    local w, h, levels = texture.create(checks()):size()
    assert.same({ 2, 2, 2 }, { w, h, levels })
  end)

  it('averages at its last level', function()
    local r, g, b = texture.create(checks()):sample(0.5, 0.5, 1)
    assert.is_true(math.abs(r - 0.5) + math.abs(g - 0.5) + math.abs(b - 0.5) < 0.02)
  end)

  it('takes new texels once its maps are forgotten', function()
    local t = texture.create(checks())
    t:sample(0.5, 0.5, 0)
    local black = {}
    for i = 1, 16 do black[i] = 0 end
    t:update(black)
    t:forget_maps()
    assert.equal(0, (t:sample(0.25, 0.25, 0)))
    texture.forget_maps()
  end)

  it('wraps and turns as it is told', function()
    local t = texture.create(checks({ wrap = 'clamp', wrap_v = 'mirrored' }))
    t:set_wrap('repeat', 'repeat')
    t:set_transform({ offset = { 0.5, 0 }, repeat_ = { 2, 2 }, rotation = 0.1, center = { 0.5, 0.5 } })
    refuses("u is 'mirror', need one of 'clamp', 'mirrored', 'repeat'", t.set_wrap, t, 'mirror')
  end)

  it('refuses sizes and texels that do not fit', function()
    refuses('texels has 16 values, need 64', texture.create, checks({ width = 4, height = 4 }))
    refuses('width', texture.create, checks({ width = 0 }))
    refuses("width is 'wide', need a whole number", texture.create, checks({ width = 'wide' }))
    refuses("unknown key 'texel', did you mean 'texels'?", texture.create, checks({ texel = {} }))
    refuses('texels[1] is 256', texture.create, checks({ texels = { 256 } }))
  end)

  it('makes cubes of six faces', function()
    local faces = {}
    for i = 1, 4 * 6 do faces[i] = 128 end
    assert.is_true(texture.create_cube({ size = 1, texels = faces }):is_valid())
    refuses('texels has 24 values, need 96', texture.create_cube, { size = 2, texels = faces })
  end)

  it('gives nil and a message for a file that is missing', function()
    local t, message = texture.try_load('/nonexistent/brick.png')
    assert.is_nil(t)
    assert.is_truthy(message:find('brick.png', 1, true))
    refuses('brick.png', texture.load, '/nonexistent/brick.png')
  end)

  it('is stale after destroy', function()
    local t = texture.create(checks())
    t:destroy()
    assert.is_false(t:is_valid())
    refuses('texture', t.size, t)
  end)
end)
