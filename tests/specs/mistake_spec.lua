local mistake = require('mistake')
local thatch = require('thatch')
local support = require('tests.specs.support')

local folder = support.folder()

--- The mistake of a script of these lines.
local function of(text, name)
  local path = support.write(folder .. '/' .. (name or 's.lua'), text)
  local ok, made = mistake.guard(assert(loadfile(path)))
  assert.is_false(ok)
  return made, path
end

describe('mistake', function()
  it('has the place, five lines round it, and the traceback', function()
    local made, path = of('local a = 1\n\nlocal function f()\n  return nothing.here + a\nend\n\nreturn f()\n')
    assert.equal(path, made.path)
    assert.equal(4, made.line)
    local source = made:source()
    assert.equal(5, #source)
    assert.same({ number = 4, text = '  return nothing.here + a', here = true }, source[3])
    assert.is_truthy(made.trace:find('s.lua:4', 1, true), made.trace)
    assert.equal("'nothing' is nil here: is it spelled right, and set before this line?", made:hint())
    local report = made:report()
    assert.is_truthy(report:find('\n     4 >   return nothing.here + a\n     5   end\n', 1, true), report)
    assert.is_truthy(report:find('\nstack traceback:\n', 1, true), report)
    assert.is_truthy(report:find('\nhint: ', 1, true), report)
  end)

  it('knows whole paths where LuaJIT shortens them', function()
    local long = ('long'):rep(20) .. '.lua'
    local made, path = of('\nerror("mine")', long)
    assert.equal(path, made.path)
    assert.equal(path .. ':2: mine', made.message)
    assert.equal(2, #made:source())
  end)

  it('takes whatever is raised', function()
    assert.is_truthy(of('error(nil)').message:find('an error without a message', 1, true))
    assert.is_truthy(of('error()').message:find('an error without a message', 1, true))
    assert.is_truthy(of('error(12)').message:find('12', 1, true))
    assert.is_truthy(of('error(print)').message:find('an error that is a function', 1, true))
    assert.equal(folder .. "/s.lua:1: an error that is a table: { 1 = 2, code = 7, why = 'so' }",
      of('error({ code = 7, why = "so", 2 })').message)
    assert.equal(folder .. '/s.lua:2: spoken',
      of('\nerror(setmetatable({}, { __tostring = function() return "spoken" end }))').message)
    for _, meta in ipairs({ '__tostring = function() error("no") end', '__tostring = 3', '__metatable = 1' }) do
      local made = of('error(setmetatable({}, { ' .. meta .. ' }))')
      assert.is_truthy(made.message:find('a table: {  }', 1, true), meta)
    end
    assert.is_truthy(of('xpcall(error, function() error("inner") end) error("after")').message:find('after', 1, true))
    assert.is_truthy(of('error(select(2, xpcall(error, function() error({}) end)), 0)').message)
  end)

  it('ends a stack of ten thousand well', function()
    local made = of('local function f(n) return 1 + f(n + 1) end\nf(0)')
    assert.is_truthy(made.message:find('stack overflow', 1, true))
    assert.is_truthy(made:hint():find('calls itself without end', 1, true))
    assert.is_true(#made:report() < 4000)
    local ring = of([[
      local t = setmetatable({}, { __index = function(s, k) return (s[k .. 'x']) end })
      return t.a]])
    assert.is_truthy(ring.message:find('stack overflow', 1, true))
    local deep = of('local function f(n) if n == 0 then error("deep") end return (f(n - 1)) end\nf(10000)')
    assert.is_truthy(deep.message:find('deep', 1, true))
    assert.is_true(#deep:report() < 4000)
  end)

  it('hints at what may be meant', function()
    local frame = thatch.frame.create({ width = 16, height = 16 })
    local ok, made = mistake.guard(function() frame:rastre() end)
    assert.is_false(ok)
    assert.equal("did you mean 'raster'?", made:hint())
    for text, hint in pairs({
      ['pritn(1)'] = "did you mean 'print'?", ['local n = {} return n.x + 1'] = "'x' is nil here, need a number",
      ['require("no.such")'] = 'beside the scene', ['return 1 < "a"'] = 'both sides of a comparison',
    }) do
      assert.is_truthy((of(text):hint() or ''):find(hint, 1, true), text)
    end
    for text, hint in pairs({
      ['if x then'] = 'the file ends too early', ['x = = 2'] = 'look at the end', ['x = "abc'] = 'a quote is missing',
      ['f(1 2)'] = 'missing comma',
    }) do
      local _, message = loadstring(text, '@s.lua')
      assert.is_truthy((mistake.of(message):hint() or message):find(hint, 1, true), text .. ': ' .. message)
    end
  end)

  it('is itself when it is raised again, and lets the ends of commands pass', function()
    local made = of('error("once")')
    local _, again = mistake.guard(error, made, 0)
    assert.equal(made, again)
    local outcome = setmetatable({}, { outcome = true })
    assert.equal(outcome, mistake.of(outcome))
  end)
end)
