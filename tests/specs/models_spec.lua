local pictures = require('tests.specs.data.models.pictures')
local support = require('tests.specs.support')
local thatch = require('thatch')
local writer = require('tests.specs.data.models.writer')

local folder, load, hash = pictures.folder, pictures.load, pictures.hash
local drawn, by_hand = pictures.drawn, pictures.by_hand
local SQUARE, FRONT, UVS, INDICES = pictures.SQUARE, pictures.FRONT, pictures.UVS, pictures.INDICES
local PLAIN = pictures.PLAIN
local copy, square, checkered, checker_map = pictures.copy, pictures.square, pictures.checkered, pictures.checker_map
local near = pictures.near

describe('models', function()
  local reference = by_hand({ positions = SQUARE, normals = FRONT, indices = INDICES }, copy(PLAIN))

  describe('attributes', function()
    it('draw the same bytes as geometry.create', function()
      local w = writer.new()
      square(w)
      assert.equal(reference, (drawn(w)))
    end)

    it('come from .gltf with its buffer inside, and from files beside it', function()
      local w = writer.new()
      square(w)
      local text = w:gltf()
      local room = pictures.room()
      thatch.models.load(support.write(folder .. '/inside.gltf', text)):add_to(room.scene)
      assert.equal(reference, hash(room))

      local _, bin = w:finish()
      require('lfs').mkdir(folder .. '/b')
      support.write(folder .. '/b/a b.bin', bin)
      support.write(folder .. '/beside.gltf', (text:gsub('"uri":"[^"]*"', '"uri":"x/../b/a%%20b.bin"')))
      room = pictures.room()
      thatch.models.load(folder .. '/beside.gltf'):add_to(room.scene)
      assert.equal(reference, hash(room))
    end)

    it('may have indices of each type, and strides', function()
      for _, component in ipairs({ 'ubyte', 'ushort', 'uint' }) do
        local w = writer.new()
        square(w, { POSITION = w:accessor('VEC3', 'float', SQUARE, { pad = 8 }) },
          { indices = w:accessor('SCALAR', component, INDICES) })
        assert.equal(reference, (drawn(w)), component)
      end
    end)

    it('may be quantized', function()
      local ones = {}
      for i, x in ipairs(SQUARE) do ones[i] = x * 127 end
      for name, make in pairs({
        byte = function(w) return w:accessor('VEC3', 'byte', SQUARE, { pad = 1 }) end,
        short = function(w) return w:accessor('VEC3', 'short', SQUARE, { pad = 2 }) end,
        ['normalized byte'] = function(w) return w:accessor('VEC3', 'byte', ones, { pad = 1, normalized = true }) end,
      }) do
        local w = writer.new()
        w.json.extensionsRequired, w.json.extensionsUsed = { 'KHR_mesh_quantization' }, { 'KHR_mesh_quantization' }
        square(w, { POSITION = make(w) })
        assert.equal(reference, (drawn(w)), name)
      end
    end)

    it('have coordinates and colours as floats and as shares', function()
      local colors = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1 }
      local expected = by_hand({ positions = SQUARE, normals = FRONT, uvs = UVS, colors = colors, indices = INDICES },
        { kind = 'standard', map = checker_map() })
      for component, top in pairs({ float = 1, ubyte = 255, ushort = 65535 }) do
        local uvs, tints = {}, {}
        for i, x in ipairs(UVS) do uvs[i] = x * top end
        for i, x in ipairs(colors) do tints[i] = x * top end
        local normalized = component ~= 'float' or nil
        local w = writer.new()
        local material = checkered(w)
        square(w, {
          TEXCOORD_0 = w:accessor('VEC2', component, uvs,
            { normalized = normalized, pad = component == 'ubyte' and 2 }),
          COLOR_0 = w:accessor('VEC4', component, tints, { normalized = normalized }),
        }, { material = material })
        assert.equal(expected, (drawn(w)), component)
      end
    end)

    it('may be sparse, also over nothing', function()
      local w = writer.new()
      local broken = copy(SQUARE)
      broken[4], broken[11] = 9, 9
      local sparse = {
        count = 2, indices = { bufferView = w:view(writer.pack('ushort', { 1, 3 })), componentType = 5123 },
        values = { bufferView = w:view(writer.pack('float', { 1, -1, 0, -1, 1, 0 })) },
      }
      square(w, { POSITION = w:accessor('VEC3', 'float', broken, { sparse = sparse }) })
      assert.equal(reference, (drawn(w)))

      w = writer.new()
      local zeros = w:add('accessors', { componentType = 5126, type = 'VEC3', count = 4, sparse = {
        count = 4, indices = { bufferView = w:view(writer.pack('ubyte', { 0, 1, 2, 3 })), componentType = 5121 },
        values = { bufferView = w:view(writer.pack('float', SQUARE)) },
      } })
      square(w, { POSITION = zeros })
      assert.equal(reference, (drawn(w)))
    end)

    it('may be strips, fans, and without indices', function()
      local w = writer.new()
      square(w, nil, { mode = 5, indices = w:accessor('SCALAR', 'ubyte', { 1, 2, 0, 3 }) })
      assert.equal(2, load(w).counts.triangles)
      w = writer.new()
      square(w, nil, { mode = 6, indices = w:accessor('SCALAR', 'ubyte', { 0, 1, 2, 3 }) })
      assert.equal(reference, (drawn(w)))
      w = writer.new()
      local positions = {}
      for i, v in ipairs(INDICES) do
        for k = 1, 3 do positions[3 * i - 3 + k] = SQUARE[3 * v + k] end
      end
      w:shape({ POSITION = w:accessor('VEC3', 'float', positions) })
      assert.equal(reference, (drawn(w)))
    end)

    it('get flat normals where they have none', function()
      local corner = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 }
      local index = { 0, 1, 2, 0, 2, 3, 0, 3, 1 }
      local w = writer.new()
      w:shape({ POSITION = w:accessor('VEC3', 'float', corner) }, { indices = w:accessor('SCALAR', 'ubyte', index) })
      local positions, normals = {}, {}
      for t, n in ipairs({ { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } }) do
        for k = 1, 3 do
          local v = index[t * 3 - 3 + k]
          for axis = 1, 3 do
            positions[#positions + 1], normals[#normals + 1] = corner[3 * v + axis], n[axis]
          end
        end
      end
      local expected = by_hand({ positions = positions, normals = normals, indices = { 0, 1, 2, 3, 4, 5, 6, 7, 8 } },
        copy(PLAIN))
      local picture, model = drawn(w)
      assert.equal(expected, picture)
      assert.equal(9, model.counts.vertices)
    end)

    it('leave points and lines out, and say so', function()
      local w = writer.triangle()
      for mode = 0, 3 do
        w:shape({ POSITION = 0 }, { mode = mode })
      end
      local model = load(w)
      assert.equal(1, model.counts.triangles)
      assert.equal(4, #model.warnings)
      assert.equal('/meshes/1/primitives/0: points are not drawn', model.warnings[1])
    end)
  end)

  describe('materials', function()
    local function fields(material)
      local w = writer.new()
      square(w, nil, { material = w:add('materials', material) })
      local model = load(w)
      return model.materials[1]:get(), model
    end

    it('have their factors', function()
      local m = fields({
        name = 'paint', doubleSided = true, emissiveFactor = { 0.5, 0.25, 0 },
        extensions = { KHR_materials_emissive_strength = { emissiveStrength = 4 } },
        pbrMetallicRoughness = {
          baseColorFactor = { 0.5, 0.25, 1, 0.75 }, metallicFactor = 0.5, roughnessFactor = 0.25,
        },
      })
      assert.equal('paint', m.name)
      assert.equal('standard', m.kind)
      assert.same({ 0.5, 0.25, 1 }, m.color)
      assert.same({ 0.5, 0.25, 0 }, m.emissive)
      assert.same({ 0.75, 4, 0.5, 0.25, true, 'opaque' },
        { m.opacity, m.emissive_intensity, m.metalness, m.roughness, m.two_sided, m.alpha })
    end)

    it('have each alpha mode, and unlit', function()
      assert.equal('mask', fields({ alphaMode = 'MASK', alphaCutoff = 0.25 }).alpha)
      assert.equal(0.25, fields({ alphaMode = 'MASK', alphaCutoff = 0.25 }).alpha_cutoff)
      assert.equal('blend', fields({ alphaMode = 'BLEND' }).alpha)
      local faint = { baseColorFactor = { 1, 1, 1, 0.2 } }
      assert.is_false(fields({ alphaMode = 'MASK', pbrMetallicRoughness = faint }).visible)
      assert.equal('basic', fields({ extensions = { KHR_materials_unlit = {} } }).kind)
    end)

    it('glow by their picture, alone and beside a map', function()
      for _, map in ipairs({ false, true }) do
        local w = writer.new()
        local material = checkered(w)
        w.json.materials[material + 1] = { emissiveFactor = { 1, 0.5, 1 }, emissiveTexture = { index = 0 },
          pbrMetallicRoughness = {
            baseColorFactor = { 0, 0.3, 0.2, 1 }, baseColorTexture = map and { index = 0 } or nil, metallicFactor = 0,
          } }
        square(w, { TEXCOORD_0 = w:accessor('VEC2', 'float', UVS) }, { material = material })
        local picture, model = drawn(w)
        assert.equal(by_hand({ positions = SQUARE, normals = FRONT, uvs = UVS, indices = INDICES },
          { kind = 'standard', map = map and checker_map() or nil, color = { 0, 0.3, 0.2 }, emissive = { 1, 0.5, 1 },
            emissive_map = checker_map() }), picture)
        assert.same({}, model.warnings)
      end
    end)

    it('say that a glow has other coordinates than the map', function()
      local w = writer.new()
      local material = checkered(w)
      w.json.materials[material + 1] = { emissiveFactor = { 1, 1, 1 }, emissiveTexture = { index = 0, texCoord = 1 },
        pbrMetallicRoughness = { baseColorTexture = { index = 0 } } }
      square(w, { TEXCOORD_0 = w:accessor('VEC2', 'float', UVS) }, { material = material })
      assert.is_truthy(load(w).warnings[1]:find('emissiveTexture: is drawn where the baseColorTexture is', 1, true))
    end)

    it('draw as by hand: masked, blended, seen from both sides', function()
      for mode, alpha in pairs({ MASK = 'mask', BLEND = 'blend', OPAQUE = 'opaque' }) do
        local w = writer.new()
        local material = checkered(w, nil, { alphaMode = mode, doubleSided = true })
        square(w, { TEXCOORD_0 = w:accessor('VEC2', 'float', UVS) }, { material = material },
          { rotation = { 0, 1, 0, 0 } })
        local expected = by_hand({ positions = SQUARE, normals = FRONT, uvs = UVS, indices = INDICES },
          { kind = 'standard', map = checker_map(), alpha = alpha, two_sided = true }, { rotation = { 0, 1, 0, 0 } })
        assert.equal(expected, (drawn(w)), mode)
      end
    end)

    it('move, scale and turn their texture, also on the second set of coordinates', function()
      local moved = {}
      for i = 1, 8, 2 do -- a quarter turn counter-clockwise of (2 u, 3 v), v running down
        moved[i], moved[i + 1] = 3 * UVS[i + 1] + 0.25, -2 * UVS[i] + 0.5
      end
      local expected = by_hand({ positions = SQUARE, normals = FRONT, uvs = moved, indices = INDICES },
        { kind = 'standard', map = checker_map() })
      local w = writer.new()
      w.json.extensionsUsed = { 'KHR_texture_transform' }
      local material = checkered(w, { texCoord = 7, extensions = { KHR_texture_transform = {
        offset = { 0.25, 0.5 }, scale = { 2, 3 }, rotation = math.pi / 2, texCoord = 1,
      } } })
      square(w, { TEXCOORD_0 = w:accessor('VEC2', 'float', { 0, 0, 0, 0, 0, 0, 0, 0 }),
        TEXCOORD_1 = w:accessor('VEC2', 'float', UVS) }, { material = material })
      assert.equal(expected, (drawn(w)))
    end)

    it('take the mean of maps that are not drawn at each pixel, and say so', function()
      local w = writer.new()
      w:add('images', { bufferView = w:view(writer.png(2, function() return 0, 51, 102 end)), mimeType = 'image/png' })
      w:add('textures', { source = 0 })
      square(w, nil, { material = w:add('materials', {
        pbrMetallicRoughness = { metallicRoughnessTexture = { index = 0 } }, normalTexture = { index = 0 },
      }) })
      local model = load(w)
      local m = model.materials[1]:get()
      near({ 0.2, 0.4 }, { m.roughness, m.metalness })
      assert.same({
        '/materials/0/pbrMetallicRoughness/metallicRoughnessTexture: metal and roughness are drawn as the means of ' ..
          'their texture', '/materials/0/normalTexture: normalTexture is left out',
      }, model.warnings)
    end)
  end)

  describe('nodes', function()
    it('stand by matrix and by parts, under parents', function()
      local w = writer.new()
      local child = square(w, nil, nil, { translation = { 0, 0, 1 }, scale = { 0.5, 0.5, 0.5 } })
      local top = w:add('nodes', { children = { child }, rotation = { 0, 0, math.sqrt(0.5), math.sqrt(0.5) },
        name = 'top' })
      w:add('scenes', { nodes = { top } })
      local a = drawn(w)
      local v = writer.new()
      square(v, nil, nil, { matrix = { 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 1, 1 } })
      local b, model = drawn(v)
      assert.equal(b, a)
      near({ -0.5, -0.5, 1, 0.5, 0.5, 1 }, {
        model.bounds.min[1], model.bounds.min[2], model.bounds.min[3], model.bounds.max[1], model.bounds.max[2],
        model.bounds.max[3],
      })
    end)

    it('may mirror', function()
      local w = writer.new()
      square(w, nil, nil, { scale = { -1, 1, 1 } })
      assert.equal(by_hand({ positions = SQUARE, normals = FRONT, indices = INDICES }, copy(PLAIN),
        { scale = { -1, 1, 1 } }), (drawn(w)))
    end)

    it('show the scene that is asked for', function()
      local w = writer.new()
      local a, b = square(w, nil, nil, { name = 'a' }), square(w, nil, nil, { name = 'b' })
      w:add('scenes', { nodes = { a }, name = 'one' })
      w:add('scenes', { nodes = { a, b }, name = 'two' })
      assert.equal(2, load(w).counts.triangles)
      assert.equal(4, load(w, { scene = 'two' }).counts.triangles)
      assert.equal(4, load(w, { scene = 2 }).counts.triangles)
      support.refuses("there is no scene 'three', need one of: one, two", load, w, { scene = 'three' })
      local instance = load(w):add_to(thatch.scene.create())
      assert.is_nil(instance:find('b'))
      assert.is_truthy(instance:find('a'))
    end)

    it('take lights along', function()
      local w = writer.new()
      w.json.extensions = { KHR_lights_punctual = { lights = {
        { type = 'point', intensity = 8, range = 3, color = { 1, 0.5, 0 } }, { type = 'directional', intensity = 2 },
        { type = 'spot', intensity = 5, spot = { innerConeAngle = 0.3, outerConeAngle = 0.6 } },
        { type = 'directional' },
      } } }
      for i = 0, 3 do
        w:add('nodes', { translation = { 1, 2, 3 }, rotation = { 1, 0, 0, 0 },
          extensions = { KHR_lights_punctual = { light = i } } })
      end
      local scene = thatch.scene.create()
      local model = load(w)
      assert.same({}, model.warnings)
      local instance = model:add_to(scene, { scale = 2, position = { 1, 0, 0 } })
      assert.equal(3, #instance.lights)
      assert.same({ "/extensions/KHR_lights_punctual/lights/3: the light 'light 3' is left out: the scene has a sun" },
        instance.warnings)
      local point, sun = instance.lights[1].fields, instance.lights[2].fields
      assert.same({ 3, 4, 6 }, point.position)
      assert.same({ 6, 32 }, { point.distance, point.intensity })
      near({ 0, 0, -2 }, sun.direction)
      local spot = instance.lights[3].fields
      assert.same({ 'spot', 0.6, 0.5, 20 }, { spot.kind, spot.angle, spot.penumbra, spot.intensity })
      near({ 0, 0, -2 }, spot.direction)
      w.json.extensions.KHR_lights_punctual.lights[3].spot = { outerConeAngle = 1.5707964 } -- pi / 2 as a 32-bit float
      assert.equal(math.pi / 2, load(w):add_to(thatch.scene.create()).lights[3].fields.angle)
      assert.same({ 3, 4, 6 }, spot.position)
      assert.equal(0, #model:add_to(thatch.scene.create(), { lights = false }).lights)
    end)
  end)

  describe('ownership', function()
    -- Without its picture: busted remembers what ffi.typeof is asked, and with it each picture's bytes.
    local windmill = require('tests.specs.data.models.windmill').save(folder .. '/windmill.glb', true)

    local function settle()
      for _ = 1, 4 do collectgarbage() end
      return thatch.memory_bytes()
    end

    it('destroys all that it has made', function()
      local scene = thatch.scene.create()
      local before
      for round = 1, 6 do -- the pools of handles grow in the first
        local model = thatch.models.load(windmill)
        local instance = model:add_to(scene)
        instance:pose(2, 1)
        instance:destroy()
        instance:destroy()
        assert.is_false(instance:is_valid())
        model:destroy()
        assert.is_false(model:is_valid())
        support.refuses('the model was destroyed', model.add_to, model, scene)
        support.refuses('the instance was destroyed', instance.update, instance, 0)
        if round == 3 then before = settle() end
      end
      assert.equal(before, settle())
    end)

    it('lets all go when nothing uses it any more', function()
      local function cycle()
        local scene = thatch.scene.create()
        thatch.models.load(windmill):add_to(scene)
        scene:destroy()
      end
      for _ = 1, 3 do
        cycle()
        settle()
      end
      local before = settle()
      for _ = 1, 3 do
        cycle()
        settle()
      end
      assert.equal(before, settle())
    end)

    it('keeps what a scene shows when the model is let go', function()
      local room = pictures.room()
      local instance = thatch.models.load(windmill):add_to(room.scene)
      instance:pose(1, 0.4)
      local picture = hash(room)
      instance = nil -- luacheck: ignore
      for _ = 1, 4 do collectgarbage() end
      assert.equal(picture, hash(room))
    end)

    it('leaves nothing of what is refused, nor where memory is short', function()
      local scene = thatch.scene.create()
      local w = require('tests.specs.data.models.windmill').write(true)
      w.json.animations[2].channels[1].target.node = 0
      local broken = support.write(folder .. '/broken.glb', w:glb())
      local message = select(2, thatch.models.try_load(broken))
      assert.equal(broken .. ': /animations/1/channels/0/target: node 0 has no morph targets', message)
      local before = settle()
      assert.is_nil((thatch.models.try_load(broken)))
      assert.equal(before, settle())
      local model = thatch.models.load(windmill)
      for nth = 1, 400, 7 do
        thatch.fail_allocation(nth)
        local ok, instance = pcall(model.add_to, model, scene)
        thatch.fail_allocation(0)
        if ok then
          instance:destroy()
          break
        end
      end
      for nth = 1, 400, 13 do
        thatch.fail_allocation(nth)
        local again, why = thatch.models.try_load(windmill)
        thatch.fail_allocation(0)
        if again then
          again:destroy()
          break
        end
        assert.is_truthy(why:find(windmill, 1, true), why)
      end
    end)

    it('refuses what is no model, scene or option', function()
      local model = thatch.models.load(windmill)
      support.refuses('models.load: path is 7, need a string', thatch.models.load, 7)
      support.refuses("unknown key 'scen', did you mean 'scene'?", thatch.models.load, windmill, { scen = 1 })
      support.refuses('scene is a table, need a scene', model.add_to, model, {})
      support.refuses("unknown key 'nodes'", model.add_to, model, thatch.scene.create(), { nodes = 1 })
      support.refuses("has no animation 'turnin', did you mean 'turning'?", model.animation, model, 'turnin')
      assert.equal(2, model:animation('opening'))
    end)
  end)
end)
