local water = require('thatch.water')
local refuses = require('tests.specs.support').refuses

describe('water', function()
  local function pond()
    return water.create({ level = 0, min = { -5, -5 }, max = { 5, 5 } })
  end

  it('is set field by field', function()
    local w = pond()
    w:set({ wave_height = 0.1, wind = { 1, 2 }, deep_color = { 0, 0.1, 0.2 }, seed = 7 })
    assert.equal(0.1, w.fields.wave_height)
    assert.same({ -5, -5 }, w.fields.min)
  end)

  it('takes rings by fours', function()
    local w = pond()
    w:set_rings({ 0, 0, 1, 0.5, 1, 1, 2, 1 })
    w:set_rings({})
    refuses('rings has 3 values, need a multiple of 4', w.set_rings, w, { 1, 2, 3 })
  end)

  it('refuses by name', function()
    refuses("unknown key 'height', did you mean", water.create, { height = 1 })
    refuses('water', water.create, { level = 0, min = { 5, 5 }, max = { -5, -5 } })
    refuses('wave_height', water.create, { level = 0, min = { 0, 0 }, max = { 1, 1 }, wave_height = 9 })
    refuses("caustics is 'many', need a number", water.create, { caustics = 'many' })
  end)

  it('is stale after destroy', function()
    local w = pond()
    w:destroy()
    assert.is_false(w:is_valid())
    refuses('water', w.set, w, { level = 1 })
  end)
end)
