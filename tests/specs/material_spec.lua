local geometry = require('thatch.geometry')
local material = require('thatch.material')
local texture = require('thatch.texture')
local refuses = require('tests.specs.support').refuses

local function map()
  return texture.create({ width = 1, height = 1, texels = { 1, 2, 3, 255 } })
end

describe('material', function()
  it('has the defaults of the runtime', function()
    local m = material.create():get()
    assert.equal('lambert', m.kind)
    assert.equal('opaque', m.alpha)
    assert.same({ 1, 1, 1 }, m.color)
    assert.is_true(m.vertex_colors)
    assert.is_false(m.two_sided)
  end)

  it('takes every kind', function()
    for _, kind in ipairs({ 'basic', 'lambert', 'phong', 'standard', 'physical' }) do
      assert.equal(kind, material.create({ kind = kind }):get().kind)
    end
  end)

  it('changes only what set names', function()
    local m = material.create({ color = { 0.5, 0.25, 0 }, two_sided = true, name = 'leaf' })
    m:set({ opacity = 0.5, alpha = 'blend' })
    local now = m:get()
    assert.same({ 0.5, 0.25, 0 }, now.color)
    assert.is_true(now.two_sided)
    assert.equal('blend', now.alpha)
    assert.equal('leaf', now.name)
  end)

  it('keeps its map alive, and lets it go with map = false', function()
    local m = material.create({ map = map() })
    collectgarbage()
    collectgarbage()
    assert.is_true(m:get().map:is_valid())
    m:set({ map = false })
    assert.is_nil(m:get().map)
  end)

  it('refuses by name', function()
    refuses("kind is 'metal', need one of 'basic', 'lambert'", material.create, { kind = 'metal' })
    refuses("unknown key 'colour', did you mean 'color'?", material.create, { colour = { 1, 1, 1 } })
    refuses('color[2] is nil, need a number', material.create, { color = { 1 } })
    refuses('map is a table, need a texture', material.create, {
      map = geometry.create({ positions = {}, indices = {} }),
    })
    refuses('opacity', material.create, { opacity = 2 })
    refuses('options is true', material.create, true)
  end)

  it('stays as it was when a set is refused', function()
    local m = material.create({ opacity = 0.5 })
    assert.has_error(function() m:set({ opacity = -1 }) end)
    assert.equal(0.5, m:get().opacity)
  end)

  it('is stale after destroy', function()
    local m = material.create()
    m:destroy()
    m:destroy()
    assert.is_false(m:is_valid())
    refuses('material', m.get, m)
  end)
end)
