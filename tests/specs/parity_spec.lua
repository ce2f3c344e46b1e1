--- The game renderer's light at the corners against the reference's at each pixel, on the same frame.
local thatch = require('thatch')
local support = require('tests.specs.support')

local WIDTH, HEIGHT = 128, 96

-- A ball of rings: enough corners that its silhouette is round.
local function sphere(radius, rings)
  local m = thatch.math
  local positions, normals, uvs, indices = {}, {}, {}, {}
  for i = 0, rings do
    local a = math.pi * i / rings
    for j = 0, 2 * rings do
      local b = math.pi * j / rings
      local x, y, z = m.sin(a) * m.cos(b), m.cos(a), m.sin(a) * m.sin(b)
      local n = #positions
      positions[n + 1], positions[n + 2], positions[n + 3] = x * radius, y * radius, z * radius
      normals[n + 1], normals[n + 2], normals[n + 3] = x, y, z
      uvs[#uvs + 1], uvs[#uvs + 2] = j / rings, i / rings
      if i < rings and j < 2 * rings then
        local v = i * (2 * rings + 1) + j
        local below = 2 * rings + 1
        for _, k in ipairs({ 0, 1, below, 1, below + 1, below }) do indices[#indices + 1] = v + k end
      end
    end
  end
  return thatch.geometry.create({ positions = positions, normals = normals, uvs = uvs, indices = indices })
end

local function bricks()
  local texels = thatch.buffer.bytes(64 * 64 * 4)
  for y = 0, 63 do
    for x = 0, 63 do
      local mortar = y % 16 < 2 or (x + (y % 32 < 16 and 0 or 16)) % 32 < 2
      texels:push(mortar and 200 or 150, mortar and 190 or 80, mortar and 175 or 60, 255)
    end
  end
  return thatch.texture.create({ width = 64, height = 64, texels = texels })
end

local function stage(build, options)
  local scene = thatch.scene.create()
  scene:light({ kind = 'hemisphere', color = { 0.5, 0.6, 0.9 }, ground_color = { 0.3, 0.25, 0.2 }, intensity = 1.5 })
  scene:light({ kind = 'directional', direction = { 0.5, 1, 0.4 }, intensity = 2.5 })
  scene:set_background({ 0.3, 0.5, 0.9 })
  build(scene)
  local camera = thatch.camera.create()
  camera:perspective({ fov = 1, near = 0.1, far = 200 })
  camera:look(options.eye or { 0, 1.6, 5 }, options.target or { 0, 0.6, 0 })
  return scene, camera
end

local function floor(scene)
  local paint = thatch.material.create({ color = { 0.6, 0.5, 0.4 } })
  scene:mesh({ geometry = support.square(40, true), material = paint, node = scene:node() })
end

-- Bytes of one frame, lit one way.
local function draw(scene, camera, light, shadows)
  local frame = thatch.frame.create({ width = WIDTH, height = HEIGHT })
  frame:begin(0, 0)
  frame:shadow_maps(scene, camera, { shadows = shadows or 'none', size = 1024, radius = 10, center = { 0, 0, 0 } })
  frame:gather(scene, camera)
  frame:vertices() frame:setup() frame:bins() frame:raster()
  frame:resolve({ light = light })
  frame:sky(1)
  local pixels, w, h = frame:pixels()
  local bytes = {}
  for i = 0, w * h * 4 - 1 do bytes[i] = pixels[i] end
  frame:destroy()
  return bytes, w * h
end

-- The largest and the mean difference of a channel.
local function differ(build, options)
  options = options or {}
  local scene, camera = stage(build, options)
  local a, count = draw(scene, camera, 'vertex', options.shadows)
  local b = draw(scene, camera, 'pixel', options.shadows)
  local most, sum = 0, 0
  for i = 0, count * 4 - 1 do
    local d = math.abs(a[i] - b[i])
    most, sum = math.max(most, d), sum + d
  end
  scene:destroy()
  return most, sum / (count * 3)
end

describe('light at the corners against light at each pixel', function()
  it('lights a flat floor within two levels of a byte', function()
    local most = differ(function(scene)
      floor(scene)
    end)
    assert.is_true(most <= 2, 'differs by ' .. most)
  end)

  it('lights a matte ball within a few levels', function()
    local most, mean = differ(function(scene)
      scene:mesh({ geometry = sphere(1, 24), material = thatch.material.create({ color = { 0.8, 0.8, 0.8 } }),
        node = scene:node({ position = { 0, 0.6, 0 } }) })
    end)
    assert.is_true(most <= 24, 'differs by ' .. most)
    assert.is_true(mean <= 0.25, 'differs by ' .. mean .. ' in the mean')
  end)

  it('lights a textured wall within two levels', function()
    local most = differ(function(scene)
      scene:mesh({ geometry = support.square(4), material = thatch.material.create({ map = bricks() }),
        node = scene:node({ position = { 0, 1, 0 } }) })
    end)
    assert.is_true(most <= 2, 'differs by ' .. most)
  end)

  it('veils a foggy hill the same', function()
    local most, mean = differ(function(scene)
      scene:set_fog({ color = { 0.6, 0.7, 0.8 }, density = 0.06 })
      scene:mesh({ geometry = sphere(8, 40), material = thatch.material.create({ color = { 0.3, 0.5, 0.2 } }),
        node = scene:node({ position = { 0, -6, -6 } }) })
    end)
    assert.is_true(most <= 12, 'differs by ' .. most)
    assert.is_true(mean <= 0.5, 'differs by ' .. mean .. ' in the mean')
  end)

  it('puts the edge of a shadow at the same pixels', function()
    local most = differ(function(scene)
      floor(scene)
      scene:mesh({ geometry = support.square(1.5), material = thatch.material.create({ two_sided = true }),
        node = scene:node({ position = { 0, 1, 0 } }) })
    end, { shadows = 'still' })
    assert.is_true(most <= 2, 'differs by ' .. most)
  end)

  it('gives polished balls a highlight that the corners lack', function()
    local function ball(kind, roughness)
      return function(scene)
        local polish = thatch.material.create({ kind = kind, color = { 0.2, 0.2, 0.2 }, roughness = roughness,
          shininess = 60, specular = { 0.5, 0.5, 0.5 } })
        scene:mesh({ geometry = sphere(1, 24), material = polish, node = scene:node({ position = { 0, 0.6, 0 } }) })
      end
    end
    local glossy, rough = differ(ball('standard', 0.25)), differ(ball('standard', 1))
    assert.is_true(glossy > 60, 'a glossy ball shines by ' .. glossy)
    assert.is_true(rough < glossy / 2, 'a rough one by ' .. rough)
    local _, phong = differ(ball('phong', 1))
    assert.is_true(phong < 2, 'phong differs by ' .. phong .. ' in the mean')
  end)

  it('draws the reference pipeline at twice the pixels and shows their mean', function()
    local pipeline = require('pipelines.reference')
    local scene, camera = stage(function(scene)
      scene:mesh({ geometry = sphere(1, 16), material = thatch.material.create({}),
        node = scene:node({ position = { 0, 0.6, 0 } }) })
    end, {})
    local frame = thatch.frame.create({ width = 64, height = 48 })
    frame:begin(0, 0)
    local state = { scene = scene, shadow = { radius = 4, center = { 0, 0, 0 } } }
    pipeline(frame, state, camera, thatch.quality.load('low'))
    local w, h, ww, wh = frame:size()
    assert.same({ 128, 96, 64, 48 }, { w, h, ww, wh })
    local _, shown_w, shown_h = frame:pixels()
    assert.same({ 64, 48 }, { shown_w, shown_h })
  end)
end)
