local thatch = require('thatch')
local hash = require('thatch.hash')
local refuses = require('tests.specs.support').refuses

describe('thatch', function()
  it('starts with the workers that are asked for', function()
    thatch.start({ threads = 3 })
    assert.equal(3, thatch.threads())
    for _, isa in ipairs(thatch.isas()) do
      thatch.start({ threads = 1, isa = isa })
      assert.equal(isa, thatch.isa())
    end
    thatch.start()
  end)

  it('refuses what it cannot start', function()
    refuses("isa is 'mmx', need one of", thatch.start, { isa = 'mmx' })
    refuses('threads', thatch.start, { threads = 1000 })
    refuses("unknown key 'thread', did you mean 'threads'?", thatch.start, { thread = 1 })
  end)

  it('tells of the machine', function()
    assert.is_true(#thatch.cpu() > 0)
    local kept = require('tests.specs.support').triangle()
    assert.is_true(kept:is_valid())
    assert.is_true(thatch.allocation_count() > 0)
    assert.is_true(thatch.memory_bytes() > 0)
    assert.is_true(thatch.clock() > 0)
  end)

  it('has no field that it does not know', function()
    assert.is_nil(thatch.geometri)
    assert.is_table(thatch.geometry)
  end)

  it('refuses when memory cannot be had, and goes on after', function()
    local refused = 0
    for nth = 1, 60 do
      thatch.fail_allocation(nth)
      local ok = pcall(function()
        local scene = thatch.scene.create()
        scene:mesh({
          geometry = thatch.geometry.create({ positions = { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, indices = { 0, 1, 2 } }),
          material = thatch.material.create(), node = scene:node(),
        })
        scene:destroy()
      end)
      thatch.fail_allocation(0)
      if not ok then refused = refused + 1 end
    end
    assert.is_true(refused > 0)
    assert.is_true(thatch.geometry.create({ positions = {}, indices = {} }):is_valid())
  end)
end)

describe('hash', function()
  it('is that of XXH3-128', function()
    assert.equal('99aa06d3014798d86001c324468d497f', hash.bytes(''))
  end)

  it('is the same in pieces', function()
    local h = hash.begin()
    h:add('village ')
    h:add('walk')
    assert.equal(hash.bytes('village walk'), h:finish())
  end)

  it('refuses to go on after its end', function()
    local h = hash.begin()
    h:finish()
    refuses('has ended', h.add, h, 'x')
    refuses('has ended', h.finish, h)
    refuses('bytes is 4', hash.bytes, 4)
  end)
end)
