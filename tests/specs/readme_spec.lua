local thatch = require('thatch')
local support = require('tests.specs.support')

local program = os.getenv('THATCH_PROGRAM')
local readme = support.read(thatch.root .. '/README.md')

-- Each block of Lua in the README must compile. One that begins with `-- NAME.lua` is a whole file: all of them are
-- put into one folder, and each is checked as a user would check it.
local describe_if = readme and program and describe or pending

describe_if('the README', function()
  local folder = support.folder()
  local files = {}
  for block in (readme or ''):gmatch('\n```lua\n(.-)\n```') do
    local name = block:match('^%-%- ([%w_]+%.lua)')
    files[#files + 1] = { name = name, text = block }
    if name then support.write(folder .. '/' .. name, block .. '\n') end
  end

  it('has pages of Lua', function()
    assert.is_true(#files >= 3)
  end)

  for i, file in ipairs(files) do
    it('has block ' .. i .. (file.name and ' (' .. file.name .. ')' or '') .. ' that runs', function()
      local chunk, message = loadstring(file.text)
      assert.is_truthy(chunk, message)
      if not file.name then return end
      local pipe = io.popen(('cd %s && %s check %s 2>&1; echo "code $?"'):format(folder, program, file.name))
      local output = pipe:read('*a')
      pipe:close()
      assert.is_truthy(output:find('code 0\n', 1, true), output)
      assert.is_truthy(output:find('fine', 1, true), output)
    end)
  end
end)
