local ffi = require('ffi')
local buffer = require('thatch.buffer')
local geometry = require('thatch.geometry')
local support = require('tests.specs.support')
local refuses = support.refuses

local CORNERS = { 0, 0, 0, 2, 0, 0, 0, 2, 0 }

describe('geometry', function()
  describe('create()', function()
    it('takes tables', function()
      local info = geometry.create({ positions = CORNERS, indices = { 0, 1, 2 } }):info()
      assert.equal(3, info.vertex_count)
      assert.equal(1, info.triangle_count)
      assert.equal(1, info.version)
      assert.same({ 0, 0, 0 }, info.min)
      assert.same({ 2, 2, 0 }, info.max)
    end)

    it('takes buffers and C arrays', function()
      local p, i = buffer.floats(), ffi.new('uint32_t[3]', { 0, 1, 2 })
      for k = 1, 9 do p:push(CORNERS[k]) end
      assert.equal(3, geometry.create({ positions = p, indices = i }):info().vertex_count)
    end)

    it('takes bare pointers with their counts', function()
      local p = ffi.new('float[9]', CORNERS)
      local pointer = ffi.cast('const float *', p)
      local made = geometry.create({ positions = pointer, vertex_count = 3, indices = { 0, 1, 2 } })
      assert.equal(3, made:info().vertex_count)
      refuses('vertex_count is missing', geometry.create, { positions = pointer, indices = { 0, 1, 2 } })
    end)

    it('takes an empty geometry', function()
      assert.equal(0, geometry.create({ positions = {}, indices = {} }):info().triangle_count)
    end)

    it('names an unknown key and the nearest', function()
      refuses("unknown key 'postions', did you mean 'positions'?", geometry.create, { postions = CORNERS })
    end)

    it('refuses what is no table', function()
      refuses('options is 4, need a table', geometry.create, 4)
      refuses('options is nil', geometry.create)
    end)

    it('refuses arrays of the wrong length', function()
      refuses('positions has 4 values, need a multiple of 3', geometry.create,
        { positions = { 0, 0, 0, 1 }, indices = {} })
      refuses('normals has 3 values, need 9', geometry.create,
        { positions = CORNERS, indices = { 0, 1, 2 }, normals = { 0, 0, 1 } })
      refuses('multiple of 3', geometry.create, { positions = CORNERS, indices = { 0, 1 } })
    end)

    it('refuses indices beyond the vertices, and numbers that are not finite', function()
      refuses('geometry', geometry.create, { positions = CORNERS, indices = { 0, 1, 3 } })
      refuses('geometry', geometry.create, { positions = { 0 / 0, 0, 0, 1, 0, 0, 0, 1, 0 }, indices = { 0, 1, 2 } })
    end)

    it('refuses values of the wrong kind', function()
      refuses("positions[2] is 'a', need a number", geometry.create, { positions = { 0, 'a', 0 }, indices = {} })
      refuses('indices[1] is -1', geometry.create, { positions = CORNERS, indices = { -1, 0, 1 } })
      refuses('need one of float', geometry.create, { positions = buffer.u32(), indices = {} })
      refuses('cdata of', geometry.create, { positions = ffi.new('double[9]'), indices = {} })
      refuses('blades is 1, need true or false', geometry.create,
        { positions = CORNERS, indices = { 0, 1, 2 }, blades = 1 })
    end)
  end)

  it('moves its vertices in place', function()
    local g = geometry.create({ positions = CORNERS, indices = { 0, 1, 2 } })
    g:move({ 0, 0, 0, 7, 0, 0, 0, 9, 0 })
    local info = g:info()
    assert.same({ 7, 9, 0 }, info.max)
    assert.equal(2, info.version)
    refuses('geometry_move: vertex_count is 1, need 3 as made', g.move, g, { 0, 0, 0 })
    assert.has_error(function() g:move({ 0, 0, 0, 7, 0, 0, 0, 0 / 0, 0 }) end)
    refuses('geometry.move: normals has 3 values, need 9 (3 a vertex)', g.move, g, CORNERS, { 0, 1, 0 })
    assert.same({ 7, 9, 0 }, g:info().max)
  end)

  it('replaces its arrays under the same handle', function()
    local g = support.triangle()
    local id = g.id
    g:replace({ positions = { 0, 0, 0, 5, 0, 0, 0, 5, 0 }, indices = { 0, 1, 2 } })
    assert.equal(id, g.id)
    assert.equal(2, g:info().version)
    assert.same({ 5, 5, 0 }, g:info().max)
  end)

  it('keeps the old arrays when the new ones are refused', function()
    local g = support.triangle()
    assert.has_error(function() g:replace({ positions = CORNERS, indices = { 0, 1, 9 } }) end)
    assert.equal(1, g:info().version)
  end)

  it('is stale after destroy, and a second destroy does nothing', function()
    local g = support.triangle()
    g:destroy()
    g:destroy()
    assert.is_false(g:is_valid())
    refuses('geometry', g.info, g)
  end)

  it('lives while a mesh uses it, and goes when nothing does', function()
    local scene = require('thatch.scene').create()
    local mesh = scene:mesh({
      geometry = support.triangle(), material = require('thatch.material').create(), node = scene:node(),
    })
    collectgarbage()
    collectgarbage()
    assert.is_true(mesh.geometry:is_valid())
    local id = mesh.geometry.id
    mesh:destroy()
    mesh = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.is_false(require('thatch.lib').C.thatch_geometry_is_valid(id))
  end)
end)
