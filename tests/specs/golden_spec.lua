local thatch = require('thatch')
local golden = dofile(thatch.root .. '/tests/golden/run.lua')

describe('the golden picture', function()
  for _, name in ipairs(golden.names) do
    it(name .. ' is drawn to the byte', function()
      local wrong = golden.compare(name)
      assert(not wrong, wrong)
    end)
  end

  it('has a name when it is accepted', function()
    assert.has_error(function() golden.accept('nothing') end)
  end)
end)
