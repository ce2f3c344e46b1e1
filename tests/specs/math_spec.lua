local maths = require('thatch.math')
local lib = require('thatch.lib')
local refuses = require('tests.specs.support').refuses

local function near(expected, value, tolerance)
  assert.is_true(math.abs(expected - value) <= (tolerance or 1e-12) * math.max(1, math.abs(expected)),
    ('%.17g is not near %.17g'):format(value, expected))
end

describe('math', function()
  it('agrees with the C library', function()
    for i = -400, 400 do
      local x = i * 0.37
      near(math.sin(x), maths.sin(x))
      near(math.cos(x), maths.cos(x))
      near(math.exp(x / 9), maths.exp(x / 9))
      near(math.atan2(x, i % 7 - 3), maths.atan2(x, i % 7 - 3))
      near(math.asin(i / 400), maths.asin(i / 400))
      near(math.acos(i / 400), maths.acos(i / 400))
      if x > 0 then
        near(math.log(x), maths.log(x))
        near(x ^ 1.7, maths.pow(x, 1.7))
      end
    end
    near(math.tan(0.7), maths.tan(0.7))
    assert.equal(0, maths.exp(-1000))
    assert.equal(math.huge, maths.exp(1000))
    assert.equal(-math.huge, maths.log(0))
    assert.equal(1024, maths.pow(2, 10))
  end)

  it('has the random bits of the runtime', function()
    for i = 1, 500 do
      local a, b = (i * 7919) % 4294967296, i * 104729
      assert.equal(bit.tobit(lib.C.thatch_random_bits(i, a, b)), maths.random_bits(i, a, b))
      assert.equal(lib.C.thatch_random(i, a, b), maths.random(i, a, b))
    end
  end)

  it('spreads random numbers evenly', function()
    local sum = 0
    for i = 1, 20000 do
      local r = maths.random(1, i, 0)
      assert.is_true(r >= 0 and r < 1)
      sum = sum + r
    end
    near(0.5, sum / 20000, 0.01)
  end)

  it('makes noise of the same bits on every machine', function()
    local sum2, sum3 = 0, 0
    for i = 0, 999 do
      local n2, n3 = maths.noise2(i * 0.173, i * 0.091 - 40, 5), maths.fbm3(i * 0.11, i * 0.07, i * 0.05, 3, 9)
      assert.is_true(n2 >= -1.01 and n2 <= 1.01 and n3 >= -1.01 and n3 <= 1.01)
      sum2, sum3 = sum2 + n2 * (i % 7), sum3 + n3 * (i % 5)
    end
    assert.equal(('%.17g'):format(sum2), ('%.17g'):format(sum2))
    assert.equal(0, maths.noise2(3, 4, 1))
    assert.are_not.equal(maths.noise2(0.5, 0.5, 1), maths.noise2(0.5, 0.5, 2))
    assert.are_not.equal(sum3, 0)
  end)

  it('has noise without steps', function()
    local before = maths.fbm2(0, 0.3, 4, 1)
    for i = 1, 2000 do
      local now = maths.fbm2(i * 0.01, 0.3, 4, 1)
      assert.is_true(math.abs(now - before) < 0.15)
      before = now
    end
  end)

  it('reads colours', function()
    assert.same({ 1, 1, 1 }, maths.srgb('#FFFFFF'))
    assert.same({ 0, 0, 0 }, maths.srgb(0))
    near(0.3967552307, maths.srgb('#A9573A')[1], 1e-8)
    near(0.5, maths.linear_to_srgb(maths.srgb_to_linear(0.5)))
    refuses("colour is 'red', need '#RRGGBB'", maths.srgb, 'red')
  end)

  it('turns, multiplies and inverts', function()
    local q = maths.quat.from_axis({ 0, 1, 0 }, maths.pi / 2)
    local v = maths.quat.rotate(q, { 1, 0, 0 })
    near(-1, v[3])
    near(0, v[1], 1e-12)
    local m = maths.mat4.compose({ 1, 2, 3 }, q, { 2, 3, 4 })
    local one = maths.mat4.mul(m, maths.mat4.invert_affine(m))
    for i, value in ipairs(maths.mat4.identity()) do near(value, one[i], 1e-12) end
    near(-1, maths.mat4.point(maths.mat4.rotate_y(maths.pi / 2), { 1, 0, 0 })[3])
    assert.is_nil(maths.mat4.invert_affine(maths.mat4.scale(0, 1, 1)))
    near(0.5, maths.quat.slerp({ 0, 0, 0, 1 }, q, 0.5)[2] / maths.sin(maths.pi / 4) * 0.5 / 0.541196100146197, 1e-9)
  end)
end)
