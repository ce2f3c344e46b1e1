local lfs = require('lfs')
local thatch = require('thatch')
local support = require('tests.specs.support')

local function lua_files(folder, list)
  for name in lfs.dir(folder) do
    local path = folder .. '/' .. name
    if name:sub(1, 1) ~= '.' then
      if lfs.attributes(path, 'mode') == 'directory' then
        lua_files(path, list)
      elseif name:find('%.lua$') then
        list[#list + 1] = path
      end
    end
  end
  return list
end

--- The text without comments and strings, its lines kept.
local function code_of(text)
  local function blank(s) return (s:gsub('[^\n]', ' ')) end
  text = text:gsub('%-%-%[%[.-%]%]', blank):gsub('%[%[.-%]%]', blank)
  local lines = {}
  for line in (text .. '\n'):gmatch('(.-)\n') do
    line = line:gsub('\\.', '  '):gsub("'[^']*'", blank):gsub('"[^"]*"', blank):gsub('%-%-.*$', '')
    lines[#lines + 1] = line
  end
  return lines
end

describe('lint', function()
  it('finds no maths of the C library in what reaches a pixel', function()
    local root, wrong = thatch.root, {}
    local files = lua_files(root .. '/scenes', {})
    lua_files(root .. '/scripts/walk', files)
    lua_files(root .. '/bench/neutral', files)
    for _, path in ipairs(files) do
      for number, line in ipairs(code_of(support.read(path))) do
        local own = line:match('[^%w_.]math%.(%l+)') or line:match('^math%.(%l+)')
        local allowed = { floor = true, ceil = true, abs = true, min = true, max = true, sqrt = true, huge = true,
          pi = true, fmod = true }
        if (own and not allowed[own]) or line:find('^', 1, true) then
          wrong[#wrong + 1] = ('%s:%d: %s'):format(path, number, line)
        end
      end
    end
    assert.equal('', table.concat(wrong, '\n'))
  end)

  it('is clean by luacheck', function()
    local found = io.popen('command -v luacheck')
    local there = found:read('*l')
    found:close()
    if not there then return pending('needs luacheck (Debian package lua-check)') end
    for _, what in ipairs({ 'bindings scripts bench tests', '--ignore 631 -- scenes' }) do
      local pipe = io.popen(('cd %s && luacheck -q --no-color --no-cache %s 2>&1'):format(thatch.root, what))
      local output = pipe:read('*a')
      pipe:close()
      assert.is_truthy(output:find('Total: 0 warnings / 0 errors', 1, true), output)
    end
  end)
end)
