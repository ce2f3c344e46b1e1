local quality = require('thatch.quality')
local support = require('tests.specs.support')
local refuses = support.refuses

describe('quality', function()
  local folder = support.folder()
  local function file(text, name)
    return support.write(folder .. '/' .. (name or 'my.lua'), text)
  end

  it('knows the presets, each whole', function()
    for _, name in ipairs(quality.presets) do
      local q = quality.load(name)
      assert.equal(name, q.name)
      for _, key in ipairs(quality.keys) do assert.is_not_nil(q[key], name .. ': ' .. key) end
    end
  end)

  it('has the same presets in Lua as in C', function()
    local root = require('thatch').root
    for _, name in ipairs(quality.presets) do
      local from_file = quality.load(root .. '/scripts/quality/' .. name .. '.lua')
      local from_c = quality.check({ name = name })
      for _, key in ipairs(quality.keys) do assert.equal(from_c[key], from_file[key], name .. ': ' .. key) end
    end
  end)

  it('inherits from a base', function()
    local q = quality.load(file("return { base = 'high', shadow_size = 512 }"))
    assert.equal(512, q.shadow_size)
    assert.equal('many', q.plants)
    file("return { base = 'my.lua', water_step = 3 }", 'other.lua')
    assert.equal(512, quality.load(folder .. '/other.lua').shadow_size)
  end)

  it('names key, value, range, file and line', function()
    local path = file("return {\n  base = 'low',\n  -- render_scale = 1\n  render_scale = 3,\n}\n")
    refuses(('quality: render_scale is 3, need 0.25 .. 1 (%s:4)'):format(path), quality.load, path)
    path = file("return {\n  sky_step = 1.5,\n}\n")
    refuses(('sky_step is 1.5, need a whole number 1 .. 32 (%s:2)'):format(path), quality.load, path)
    path = file("return {\n\n  plants = 'lots' }\n")
    refuses(("plants is 'lots', need one of 'fewest', 'fewer', 'many', 'all' (%s:3)"):format(path), quality.load, path)
    path = file("return {\n  smooth_edges = 1,\n}\n")
    refuses(('smooth_edges is 1, need true or false (%s:2)'):format(path), quality.load, path)
    path = file("return { shadow_size = 1000 }")
    refuses(('need a whole number 256 .. 8192, a power of two (%s:1)'):format(path), quality.load, path)
  end)

  it('names the nearest of an unknown key', function()
    local path = file("return {\n  render_scal = 1,\n}\n")
    refuses(("unknown key 'render_scal', did you mean 'render_scale'? (%s:2)"):format(path), quality.load, path)
  end)

  it('refuses what is no quality', function()
    refuses("no preset 'hihg', did you mean 'high'?", quality.load, 'hihg')
    refuses('nonexistent.lua', quality.load, folder .. '/nonexistent.lua')
    refuses('returns 4, need a table', quality.load, file('return 4'))
    refuses('my.lua:2:', quality.load, file('return {\n  = 4 }'))
    refuses("base is 'best'", quality.load, file("return { base = 'best' }"))
    refuses('round in a ring', quality.load, file("return { base = 'my.lua' }"))
    refuses('name is nil, need a string', quality.load)
    refuses('value is 4, need a table', quality.check, 4)
  end)

  it('runs a file with nothing in reach, and no bytecode', function()
    refuses('my.lua:1:', quality.load, file("return os.exit()"))
    refuses('is bytecode', quality.load, file(string.dump(loadstring('return {}'))))
  end)

  it('gives nil and a message by try_load', function()
    local q, message = quality.try_load('nope')
    assert.is_nil(q)
    assert.is_truthy(message:find('no preset', 1, true))
  end)
end)
