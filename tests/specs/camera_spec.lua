local camera = require('thatch.camera')
local refuses = require('tests.specs.support').refuses

describe('camera', function()
  local c
  before_each(function() c = camera.create() end)

  it('keeps what perspective is not told', function()
    c:perspective({ fov = 1, near = 0.5, far = 50 })
    c:perspective({ fov = 1.2 })
    assert.same({ 1.2, 0.5, 50 }, { c.fov, c.near, c.far })
  end)

  it('looks, and takes a matrix', function()
    c:look({ 0, 1, 2 }, { 0, 0, 0 })
    c:look({ 0, 1, 2 }, { 0, 0, 0 }, { 0, 0, 1 })
    c:orthographic({ height = 3, near = 0.1, far = 10 })
    c:set_layers(6)
    c:set_matrix({ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0 }, { 0, 0, 0 }, 0.1, 10)
  end)

  it('refuses by name', function()
    refuses("unknown key 'fovy', did you mean 'fov'?", c.perspective, c, { fovy = 1 })
    refuses('camera', c.perspective, c, { near = -1 })
    refuses('camera', c.perspective, c, { near = 5, far = 1 })
    refuses('eye is nil, need a table of 3 numbers', c.look, c)
    refuses('camera', c.look, c, { 0, 0, 0 }, { 0, 0, 0 })
    refuses('view_proj[5] is nil', c.set_matrix, c, { 1, 2, 3, 4 }, { 0, 0, 0 })
    refuses('layers is -1', c.set_layers, c, -1)
  end)

  it('keeps its numbers when a change is refused', function()
    c:perspective({ fov = 1, near = 0.5, far = 50 })
    assert.has_error(function() c:perspective({ near = -1 }) end)
    assert.equal(0.5, c.near)
  end)

  it('is stale after destroy', function()
    c:destroy()
    assert.is_false(c:is_valid())
    refuses('camera', c.look, c, { 0, 0, 1 }, { 0, 0, 0 })
  end)
end)
