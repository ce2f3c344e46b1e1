local lfs = require('lfs')
local support = require('tests.specs.support')
local thatch = require('thatch')
local writer = require('tests.specs.data.models.writer')

local folder = support.folder()
local path = folder .. '/broken.glb'
local NAN = 0 / 0

--- A square with all that the table below breaks: skin, animation, material, image, morph target, light.
local function rich()
  local w = writer.new()
  w.json.extensionsUsed = { 'KHR_texture_transform' }
  w:add('images', { bufferView = w:view(writer.png(2, function() return 1, 2, 3 end)), mimeType = 'image/png' })
  w:add('samplers', { wrapS = 10497 })
  w:add('textures', { source = 0, sampler = 0 })
  w:add('materials', { pbrMetallicRoughness = { baseColorTexture = { index = 0 } } })
  w:shape({
    POSITION = w:accessor('VEC3', 'float', { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 }), -- 0
    NORMAL = w:accessor('VEC3', 'float', { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 }), -- 1
    TEXCOORD_0 = w:accessor('VEC2', 'float', { 0, 0, 1, 0, 1, 1, 0, 1 }), -- 2
    JOINTS_0 = w:accessor('VEC4', 'ubyte', { 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 }), -- 3
    WEIGHTS_0 = w:accessor('VEC4', 'float', { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 }), -- 4
  }, {
    material = 0, indices = w:accessor('SCALAR', 'ushort', { 0, 1, 2, 0, 2, 3 }), -- 5
    targets = { { POSITION = w:accessor('VEC3', 'float', { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 }) } }, -- 6
  }, { skin = 0 })
  w:add('nodes', { name = 'root', children = { 2 } })
  w:add('nodes', { name = 'tip' })
  w:add('skins', { joints = { 1, 2 }, inverseBindMatrices = w:accessor('MAT4', 'float', { -- 7
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
  }) })
  w:add('animations', {
    samplers = { { input = w:accessor('SCALAR', 'float', { 0, 1 }), -- 8
      output = w:accessor('VEC3', 'float', { 0, 0, 0, 1, 1, 1 }) } }, -- 9
    channels = { { sampler = 0, target = { node = 1, path = 'translation' } } },
  })
  w:add('scenes', { nodes = { 0, 1 } })
  w.json.scene = 0
  return w
end

--- What a change of the rich model's JSON is refused with; `want` is the message behind the file's name.
local function refuses(want, change)
  local w = rich()
  w:finish()
  local given = change(w.json, w)
  local text, bin = w:finish()
  if type(given) == 'string' then text = given end
  support.write(path, writer.pack_glb(text, bin))
  local model, message = thatch.models.try_load(path)
  assert.is_nil(model, 'nothing was refused: ' .. want)
  assert.equal(path .. ': ' .. want, message)
end

local IN_PRIMITIVE = '/meshes/0/primitives/0'

local CASES = {
  -- the document
  { 'JSON: Expected value but found invalid token at character 1', function() return 'nonsense' end },
  { 'JSON: Found too many nested data structures (65) at character 65',
    function() return ('['):rep(10000) .. (']'):rep(10000) end },
  { 'JSON: is a list, need an object', function() return '[1]' end },
  { 'JSON: Expected value but found invalid token at character 6', function() return '{"a":NaN}' end },
  { 'asset is missing, need a glTF 2.0 file', function(j) j.asset = nil end },
  { "/asset/version: is '1.0', need 2.0", function(j) j.asset.version = '1.0' end },
  { "/asset/minVersion: is '2.1', need 2.0", function(j) j.asset.minVersion = '2.1' end },
  { "/extensionsRequired: 'KHR_draco_mesh_compression' is not read; known: KHR_mesh_quantization, " ..
    'KHR_texture_transform, KHR_materials_unlit, KHR_lights_punctual, KHR_materials_emissive_strength',
    function(j) j.extensionsRequired = { 'KHR_draco_mesh_compression' } end },
  { '/meshes: is an object, need a list', function(j) j.meshes = { a = 1 } end },
  { '/meshes/0: is 7, need an object', function(j) j.meshes = { 7 } end },
  { '/scene: scene is 3, need 0 .. 0', function(j) j.scene = 3 end },
  { '/extensions/KHR_lights_punctual/lights/0: spot is missing', function(j)
    j.extensions = { KHR_lights_punctual = { lights = { { type = 'spot' } } } }
  end },
  { '/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle: is 2, need 1e-06 .. 1.5707973267949', function(j)
    j.extensions = { KHR_lights_punctual = { lights = { { type = 'spot', spot = { outerConeAngle = 2 } } } } }
  end },
  { '/extensions/KHR_lights_punctual/lights/0/spot/innerConeAngle: is 0.5, need less than outerConeAngle, 0.4',
    function(j)
      j.extensions = { KHR_lights_punctual = { lights = {
        { type = 'spot', spot = { innerConeAngle = 0.5, outerConeAngle = 0.4 } },
      } } }
    end },
  -- buffers and views
  { '/buffers/0/byteLength: is 9007199254740992, but there are %d bytes', function(j)
    j.buffers[1].byteLength = '@9007199254740992'
  end },
  { '/buffers/0/byteLength: is 18014398509481984, need 1 .. 9007199254740992', function(j)
    j.buffers[1].byteLength = '@18014398509481984'
  end },
  { '/bufferViews/2/buffer: buffer is 1, need 0 .. 0', function(j) j.bufferViews[3].buffer = 1 end },
  { '/bufferViews/1: byteOffset 9007199254740992 + byteLength 48 is past the %d bytes of buffer 0', function(j)
    j.bufferViews[2].byteOffset = '@9007199254740992'
  end },
  { '/bufferViews/1/byteOffset: is -4, need 0 .. 9007199254740992', function(j) j.bufferViews[2].byteOffset = -4 end },
  { '/bufferViews/1/byteStride: is 300, need 4 .. 252', function(j) j.bufferViews[2].byteStride = 300 end },
  -- accessors
  { '/accessors/0: bufferView has byteStride 8, need 12 or more for VEC3 of float',
    function(j) j.bufferViews[2].byteStride = 8 end },
  { '/accessors/0: count 5 needs 60 bytes, but its bufferView has 48', function(j) j.accessors[1].count = 5 end },
  { '/accessors/0/count: is 9007199254740992, need 1 .. 50331648',
    function(j) j.accessors[1].count = '@9007199254740992' end },
  { '/accessors/0/count: is 0, need 1 .. 50331648', function(j) j.accessors[1].count = 0 end },
  { '/accessors/0/count: is inf, need a whole number', function(_, w)
    return (w:finish():gsub('"count":4', '"count":1e999'))
  end },
  { '/accessors/0/count: is 1.5, need a whole number', function(j) j.accessors[1].count = 1.5 end },
  { '/accessors/0: count 4 needs 52 bytes, but its bufferView has 48', function(j) j.accessors[1].byteOffset = 4 end },
  { '/accessors/0/componentType: is 5124, need one of 5120, 5121, 5122, 5123, 5125, 5126',
    function(j) j.accessors[1].componentType = 5124 end },
  { "/accessors/0/type: is 'VEC5', need one of MAT2, MAT3, MAT4, SCALAR, VEC2, VEC3, VEC4",
    function(j) j.accessors[1].type = 'VEC5' end },
  { '/accessors/0/normalized: is true, need false for float', function(j) j.accessors[1].normalized = true end },
  { '/accessors/0/bufferView: bufferView is 99, need 0 .. 10', function(j) j.accessors[1].bufferView = 99 end },
  { '/accessors/0/sparse/count: is 5, need 1 .. 4', function(j) j.accessors[1].sparse = { count = 5 } end },
  { '/accessors/0/sparse: indices is missing', function(j) j.accessors[1].sparse = { count = 1, values = {} } end },
  { '/accessors/0/sparse/indices: value 1 is 2, need 3 .. 3', function(j, w)
    j.accessors[1].sparse = { count = 2, indices = { bufferView = w:view('\2\2'), componentType = 5121 },
      values = { bufferView = 1 } }
    j.buffers = nil
  end },
  -- meshes
  { '/meshes/0: primitives is missing, need one or more', function(j) j.meshes[1].primitives = nil end },
  { IN_PRIMITIVE .. '/mode: is 7, need 0 .. 6', function(j) j.meshes[1].primitives[1].mode = 7 end },
  { IN_PRIMITIVE .. '/attributes/POSITION: accessor is 99, need 0 .. 9',
    function(j) j.meshes[1].primitives[1].attributes.POSITION = 99 end },
  { IN_PRIMITIVE .. "/attributes/POSITION: accessor is 'x', need 0 .. 9",
    function(j) j.meshes[1].primitives[1].attributes.POSITION = 'x' end },
  { IN_PRIMITIVE .. '/attributes/POSITION: accessor 2 is VEC2, need VEC3',
    function(j) j.meshes[1].primitives[1].attributes.POSITION = 2 end },
  { IN_PRIMITIVE .. '/attributes/POSITION: accessor 0 is of short, need float', function(j)
    j.accessors[1].componentType = 5122
  end },
  { IN_PRIMITIVE .. '/attributes/NORMAL: accessor has 3 values, need 4 as POSITION',
    function(j) j.accessors[2].count = 3 end },
  { IN_PRIMITIVE .. '/indices: accessor 0 is VEC3, need SCALAR', function(j)
    j.meshes[1].primitives[1].indices = 0
  end },
  { IN_PRIMITIVE .. '/indices: value 1 is 4, need 0 .. 3', function(j, w)
    j.meshes[1].primitives[1].indices = w:accessor('SCALAR', 'ubyte', { 0, 4, 1 })
    j.buffers = nil
  end },
  { IN_PRIMITIVE .. ': has 5 indices, need a multiple of 3', function(j) j.accessors[6].count = 5 end },
  { IN_PRIMITIVE .. '/material: material is 1, need 0 .. 0', function(j) j.meshes[1].primitives[1].material = 1 end },
  { '/accessors/0: value 2 is nan, need a finite number', function(j, w)
    j.bufferViews[2].byteOffset = w.size
    w:view(writer.pack('float', { 0, 0, NAN, 0, 0, 0, 0, 0, 0, 0, 0, 0 }))
    j.buffers = nil
  end },
  { '/accessors/4: value 0 is inf, need a finite number', function(j, w)
    j.bufferViews[6].byteOffset = w.size
    w:view(writer.pack('float', { math.huge, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }))
    j.buffers = nil
  end },
  { IN_PRIMITIVE .. '/attributes/JOINTS_0: value 0 is 2, need 0 .. 1: skin 0 has 2 joints', function(j, w)
    j.meshes[1].primitives[1].attributes.JOINTS_0 = w:accessor('VEC4', 'ubyte', { 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0 })
    j.buffers = nil
  end },
  { IN_PRIMITIVE .. '/attributes: WEIGHTS_0 is missing',
    function(j) j.meshes[1].primitives[1].attributes.WEIGHTS_0 = nil end },
  { IN_PRIMITIVE .. '/targets/0/POSITION: accessor 2 is VEC2, need VEC3',
    function(j) j.meshes[1].primitives[1].targets[1].POSITION = 2 end },
  { '/meshes/0/weights: has 2 values, need 1 numbers', function(j) j.meshes[1].weights = { 1, 2 } end },
  -- nodes, scenes, skins
  { '/nodes/1/children: node 2 is a child of node 1 already, need one parent',
    function(j) j.nodes[2].children = { 2, 2 } end },
  { '/nodes/1/children/0: node is 3, need 0 .. 2', function(j) j.nodes[2].children = { 3 } end },
  { '/nodes/1: is its own ancestor: need nodes without rings', function(j) j.nodes[3].children = { 1 } end },
  { '/nodes/2: is its own ancestor: need nodes without rings', function(j)
    j.nodes[2].children, j.nodes[3].children = nil, { 2 }
  end },
  { '/nodes/65: is nested more than 64 deep', function(j)
    for i = 3, 100 do j.nodes[i] = { children = { i } } end
    j.nodes[101] = { name = 'last' }
  end },
  { '/nodes/1/rotation: has the length 0, need 1', function(j) j.nodes[2].rotation = { 0, 0, 0, 0 } end },
  { '/nodes/1/translation: has 2 values, need 3 numbers', function(j) j.nodes[2].translation = { 1, 2 } end },
  { "/nodes/1/translation/1: is 'x', need a finite number", function(j) j.nodes[2].translation = { 1, 'x', 2 } end },
  { '/nodes/1/matrix: value 3 is 1, need 0: affine', function(j)
    j.nodes[2].matrix = { 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
  end },
  { '/nodes/1: has both matrix and translation, rotation or scale, need one', function(j)
    j.nodes[2].matrix, j.nodes[2].scale = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }, { 1, 1, 1 }
  end },
  { '/nodes/0/mesh: mesh is 1, need 0 .. 0', function(j) j.nodes[1].mesh = 1 end },
  { '/nodes/1: has a skin, but no mesh', function(j) j.nodes[2].skin = 0 end },
  { '/scenes/0/nodes: node 2 is a child of node 1, need a root', function(j) j.scenes[1].nodes = { 2 } end },
  { '/scenes/0/nodes: node 1 stands there twice', function(j) j.scenes[1].nodes = { 1, 1 } end },
  { '/skins/0/joints/1: node is 9, need 0 .. 2', function(j) j.skins[1].joints = { 1, 9 } end },
  { "/skins/0: skin 'arm' has 256 joints, need at most 255", function(j)
    j.skins[1].name = 'arm'
    for i = 1, 256 do j.skins[1].joints[i] = 1 end
  end },
  { '/skins/0/inverseBindMatrices: accessor has 2 values, need 3, one a joint',
    function(j) j.skins[1].joints = { 1, 2, 1 } end },
  { '/nodes: the scene shows more than 65535 primitives', function(j)
    j.meshes[2] = { primitives = {} }
    for i = 1, 256 do j.meshes[2].primitives[i] = { attributes = { POSITION = 0 }, indices = 5 } end
    for i = 4, 260 do j.nodes[i] = { mesh = 1 } end
    j.scenes, j.scene = nil, nil
  end },
  -- animations
  { '/animations/0/channels/0/sampler: sampler is 1, need 0 .. 0', function(j)
    j.animations[1].channels[1].sampler = 1
  end },
  { "/animations/0/channels/0/target/path: is 'color', need one of rotation, scale, translation, weights",
    function(j) j.animations[1].channels[1].target.path = 'color' end },
  { '/animations/0/samplers/0/output: accessor 9 is VEC3, need VEC4',
    function(j) j.animations[1].channels[1].target.path = 'rotation' end },
  { '/animations/0/samplers/0/output: accessor has 2 values, need 6 for 2 keys',
    function(j) j.animations[1].samplers[1].interpolation = 'CUBICSPLINE' end },
  { "/animations/0/samplers/0/interpolation: is 'FAST', need one of CUBICSPLINE, LINEAR, STEP",
    function(j) j.animations[1].samplers[1].interpolation = 'FAST' end },
  { '/animations/0/samplers/0/input: value 1 is 0, need 1 or more', function(j, w)
    j.animations[1].samplers[1].input = w:accessor('SCALAR', 'float', { 1, 0 })
    j.buffers = nil
  end },
  { '/animations/0/channels/1/target: node 1 has two channels for its translation', function(j)
    j.animations[1].channels[2] = j.animations[1].channels[1]
  end },
  { '/animations/0/channels/0/target: node 1 has a matrix, need translation, rotation and scale', function(j)
    j.nodes[2].matrix = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
  end },
  -- materials and images
  { '/materials/0/pbrMetallicRoughness/metallicFactor: is 2, need 0 .. 1',
    function(j) j.materials[1].pbrMetallicRoughness.metallicFactor = 2 end },
  { '/materials/0/pbrMetallicRoughness/baseColorTexture/index: texture is 1, need 0 .. 0',
    function(j) j.materials[1].pbrMetallicRoughness.baseColorTexture.index = 1 end },
  { "/materials/0/alphaMode: is 'GLASS', need one of BLEND, MASK, OPAQUE",
    function(j) j.materials[1].alphaMode = 'GLASS' end },
  { '/materials/0/doubleSided: is 1, need true or false', function(j) j.materials[1].doubleSided = 1 end },
  { '/textures/0/source: image is 1, need 0 .. 0', function(j) j.textures[1].source = 1 end },
  { '/samplers/0/wrapS: is 1, need one of 10497, 33071, 33648', function(j) j.samplers[1].wrapS = 1 end },
  { '/images/0: is no PNG or JPEG', function(j) j.images[1].bufferView = 1 end },
  { '/images/0: uri and bufferView are missing, need one', function(j) j.images[1].bufferView = nil end },
}

--- URIs that an image must not have.
local URIS = {
  { '../x.png', "is '../x.png', need a path below the model's folder" },
  { 'a/../../x.png', "is 'a/../../x.png', need a path below the model's folder" },
  { '%2e%2e/x.png', "is '%2e%2e/x.png', need a path below the model's folder" },
  { '/etc/hostname', "is '/etc/hostname', need a relative path below the model's folder" },
  { '%2Fetc/hostname', "is '%2Fetc/hostname', need a relative path below the model's folder" },
  { '//host/x.png', "is '//host/x.png', need a relative path below the model's folder" },
  { 'http://host/x.png', "is 'http://host/x.png', need a file below the model's folder" },
  { 'FILE:x.png', "is 'FILE:x.png', need a file below the model's folder" },
  { 'file%3ax.png', "is 'file%3ax.png', need a file below the model's folder" },
  { '..\\x.png', "is '..\\x.png', need a name without control characters and \\" },
  { 'x%00.png', "is 'x%00.png', need a name without control characters and \\" },
  { 'x%2.png', "is 'x%2.png', need two hex digits behind each %" },
  { '.', "is '.', need the name of a file" },
  { 'none.png', "is 'none.png': No such file or directory" },
  { 'sub', "is 'sub': is a directory, need a file" },
  { 'pipe', "is 'pipe': is a named pipe, need a file" },
  { 'out.png', "is 'out.png', a link that leads out of the model's folder" },
  { 'etc/hostname', "is 'etc/hostname', a link that leads out of the model's folder" },
  { 'data:image/png;base64,AAA', 'base64 has 3 characters, need a multiple of 4' },
  { 'data:image/png;base64,AA-A', 'base64 has a wrong character at 2' },
  { 'data:image/png;base64,AB==', 'base64 has bits behind its last byte' },
  { 'data:image/png;base64,A=AA', 'base64 has a wrong character at 1' },
  { 'data:image/png;base64,AAAA AAA', 'base64 has 8 characters, need a multiple of 4', 'wrong character at 4' },
  { 'data:image/png,abc', "is data of 'image/png', need base64" },
  { 'data:text/html;base64,AAAA', "is data of 'text/html', need one of image/jpeg, image/png" },
}

describe('models refuse', function()
  for _, case in ipairs(CASES) do
    it(case[1], function()
      local want = case[1]
      if want:find('%d bytes', 1, true) then
        local w = rich()
        local _, bin = w:finish()
        want = want:format(want:find('buffer 0', 1, true) and w.json.buffers[1].byteLength or #bin)
      end
      refuses(want, case[2])
    end)
  end

  it('files that lie elsewhere, and wrong base64', function()
    lfs.mkdir(folder .. '/sub')
    os.execute(('ln -sf /etc/hostname %s/out.png; ln -sfn /etc %s/etc; mkfifo %s/pipe'):format(folder, folder, folder))
    for _, case in ipairs(URIS) do
      local w = rich()
      w.json.images[1] = { uri = case[1] }
      support.write(path, w:glb())
      local model, message = thatch.models.try_load(path)
      assert.is_nil(model, case[1])
      assert.is_truthy(message:find(path .. ': /images/0: uri', 1, true), message)
      assert.is_truthy(message:find(case[3] or case[2], 1, true), message)
    end
  end)

  it('a file at each length that is too short', function()
    for step, bytes in pairs({ [1] = writer.triangle():glb(), [11] = rich():glb() }) do
      for length = 0, #bytes - 1, step do
        support.write(path, bytes:sub(1, length))
        local model, message = thatch.models.try_load(path)
        assert.is_nil(model)
        assert.is_truthy(message:find(path .. ': is truncated: ', 1, true), message)
      end
    end
  end)

  it('JSON at each length that is too short', function()
    local w = writer.triangle()
    local text = w:gltf()
    for length = 0, #text - 1 do
      local model, message = thatch.models.try_load(support.write(folder .. '/short.gltf', text:sub(1, length)))
      assert.is_nil(model)
      assert.is_truthy(message:find(folder .. '/short.gltf: ', 1, true), message)
    end
  end)

  it('a wrong container', function()
    local good = writer.triangle():glb()
    local function put(at, bytes) return good:sub(1, at) .. bytes .. good:sub(at + #bytes + 1) end
    for _, case in ipairs({
      { put(0, 'GLTF'), "magic is 'GLTF', need 'glTF'" }, { put(4, '\1'), 'version is 1, need 2' },
      { put(8, '\255\255\255\255'), ('is truncated: length is 4294967295, but it has %d bytes'):format(#good) },
      { good .. '\0\0\0\0', ('length is %d, but it has %d bytes'):format(#good, #good + 4) },
      { put(12, '\255\255\255\252'), 'chunk 0: length is 4244635647, need a multiple of 4' },
      { put(12, '\252\255\255\255'),
        ('chunk 0: is truncated: length is 4294967292, but %d bytes are left'):format(#good - 20) },
      { put(16, 'BIN\0'), 'chunk 0: type is 0x004E4942, need JSON' },
      { writer.pack_glb('{"asset":{"version":"2.0"},"buffers":[{"byteLength":4}]}', nil),
        '/buffers/0: uri is missing, need one or a .glb with a binary chunk' },
    }) do
      support.write(path, case[1])
      assert.equal(path .. ': ' .. case[2], select(2, thatch.models.try_load(path)))
    end
  end)

  it('what is no file', function()
    assert.equal(folder .. '/none.glb: No such file or directory',
      select(2, thatch.models.try_load(folder .. '/none.glb')))
    assert.equal(folder .. ': is a directory, need a file', select(2, thatch.models.try_load(folder)))
    support.refuses(folder .. '/none.glb: No such file', thatch.models.load, folder .. '/none.glb')
  end)

  local program = os.getenv('THATCH_PROGRAM')
  local it_if = program and it or pending
  it_if('or load what is broken at random, within two seconds each', function()
    local pipe = io.popen(('%s run %s/tests/fuzz/gltf.lua 3 11 2>&1'):format(program, thatch.root))
    local said = pipe:read('*a')
    pipe:close()
    assert.is_truthy(said:find('"rounds":', 1, true), said)
  end)

  it('more JSON than Lua could hold, before it is read', function()
    local text = '{"asset":{"version":"2.0"},"a":[' .. ('[],'):rep(2100000) .. '[]]}'
    support.write(folder .. '/many.gltf', text)
    assert.equal(folder .. '/many.gltf: JSON: has more than 4000000 values',
      select(2, thatch.models.try_load(folder .. '/many.gltf')))
  end)
end)
