local shading = require('thatch.shading')
local refuses = require('tests.specs.support').refuses

describe('shading', function()
  before_each(function() shading.register('spec_leaf', { back_faces = 'as_front' }) end)
  after_each(function()
    for _, name in ipairs(shading.list()) do
      if name:find('^spec_') then shading.remove(name) end
    end
  end)

  it('describes what was registered', function()
    local leaf = {
      back_faces = 'as_front', baked_sun = 'sun', baked_sky = 'sky',
      sway = { amplitude_m = 0.5, frequency_hz = 0.25, weight = 'sway', every = 2 },
    }
    shading.register('spec_tree', leaf)
    assert.same(leaf, shading.describe('spec_tree'))
  end)

  it('replaces a name', function()
    shading.register('spec_leaf', { baked_sun = 'sun' })
    assert.same({ baked_sun = 'sun' }, shading.describe('spec_leaf'))
  end)

  it('lists its names, sorted', function()
    shading.register('spec_a', {})
    local names = shading.list()
    local sorted = { unpack(names) }
    table.sort(sorted)
    assert.same(sorted, names)
  end)

  it('refuses by name', function()
    refuses("unknown key 'backfaces', did you mean 'back_faces'?", shading.register, 'spec_x', { backfaces = 1 })
    refuses("back_faces is 'front', need 'as_front'", shading.register, 'spec_x', { back_faces = 'front' })
    refuses('amplitude', shading.register, 'spec_x', { sway = { amplitude_m = -1 } })
    refuses("unknown key 'amplitude', did you mean 'amplitude_m'?", shading.register, 'spec_x',
      { sway = { amplitude = 1 } })
    refuses('name is 4, need a string', shading.register, 4, {})
    refuses('shading', shading.register, 'Bad Name', {})
    refuses('shading', shading.describe, 'spec_missing')
    refuses('shading', shading.remove, 'spec_missing')
  end)
end)
