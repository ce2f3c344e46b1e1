local leftovers = require('leftovers')
local lfs = require('lfs')
local support = require('tests.specs.support')

local NOBODY = 999999999 -- no process has that number

describe('leftovers', function()
  local folder = support.folder()

  local function put(name, age_s)
    support.write(folder .. '/' .. name, 'x')
    lfs.touch(folder .. '/' .. name, os.time() - age_s)
  end

  local function left()
    local names = {}
    for name in lfs.dir(folder) do
      if name:sub(1, 1) ~= '.' then names[#names + 1] = name end
    end
    table.sort(names)
    return names
  end

  it('go when their process runs no more and nothing changed for a while', function()
    local mine = support.read('/proc/self/stat'):match('^%d+')
    put('a.mp4.tmp.' .. NOBODY .. '.mp4', 4000)
    put('a.mp4.tmp.' .. NOBODY .. '.mp4.log', 4000)
    put('a.mp4.tmp.' .. NOBODY .. '1.mp4', 10) -- of another machine, maybe, which is at it
    put('a.mp4.tmp.' .. mine .. '.mp4', 4000)
    put('abmp4.tmp.' .. NOBODY .. '.mp4', 4000)
    put('a.mp4', 4000)
    leftovers.sweep(folder, '^' .. leftovers.literal('a.mp4') .. '%.tmp%.(%d+)%.mp4', 3600, os.remove)
    assert.same({ 'a.mp4', 'a.mp4.tmp.' .. mine .. '.mp4', 'a.mp4.tmp.' .. NOBODY .. '1.mp4',
      'abmp4.tmp.' .. NOBODY .. '.mp4' }, left())
    leftovers.sweep(folder, '%.tmp%.(%d+)%.mp4$', 3600, os.remove, function(name) return name:find('^a%.') ~= nil end)
    assert.same({ 'a.mp4', 'a.mp4.tmp.' .. mine .. '.mp4' }, left())
  end)

  it('of a folder that cannot be read are none', function()
    leftovers.sweep(folder .. '/nowhere', '(%d+)', 0, function() error('what?') end)
    leftovers.sweep(folder .. '/a.mp4', '(%d+)', 0, function() error('what?') end)
  end)
end)
