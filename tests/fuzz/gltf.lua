--- Breaks good models at random and loads them: each must end as a model or as a message with the file's name, within
--- two seconds. The same seed gives the same files.
---   ./thatch run tests/fuzz/gltf.lua SECONDS [SEED]
local cjson = require('cjson')
local thatch = require('thatch')

package.path = thatch.root .. '/?.lua;' .. package.path
local windmill = require('tests.specs.data.models.windmill')
local writer = require('tests.specs.data.models.writer')

local seconds, seed = tonumber(arg[1] or 10), tonumber(arg[2] or 1)
local SLOWEST = 2
local maths = thatch.math
local path = os.tmpname() .. '.glb'
local drawn = 0

--- A whole number of 0 .. n - 1.
local function pick(round, n)
  drawn = drawn + 1
  return math.floor(maths.random(seed, round, drawn) * n)
end

-- --- good files ------------------------------------------------------------------------------------------------------

--- A model with what the windmill lacks: sparse, quantized and strided arrays, strips, masks, a second scene.
local function odd()
  local w = writer.new()
  w.json.extensionsUsed = { 'KHR_mesh_quantization', 'KHR_materials_unlit' }
  local sparse = {
    count = 1, indices = { bufferView = w:view('\1'), componentType = 5121 },
    values = { bufferView = w:view(writer.pack('byte', { 1, 1, 1 })) },
  }
  local a = w:accessor('VEC3', 'byte', { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0 }, { pad = 1, sparse = sparse })
  local masked = w:add('materials', { alphaMode = 'MASK', alphaCutoff = 0.5, extensions = { KHR_materials_unlit = {} },
    doubleSided = true })
  local one = w:shape({ POSITION = a,
    COLOR_0 = w:accessor('VEC4', 'ubyte', { 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4 }, { normalized = true }) },
    { mode = 5, material = masked })
  local two = w:shape({ POSITION = a }, { mode = 6, indices = w:accessor('SCALAR', 'uint', { 0, 1, 2, 3 }) },
    { matrix = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 0, 0, 1 } })
  w:add('scenes', { nodes = { one } })
  w:add('scenes', { nodes = { one, two } })
  w.json.scene = 1
  return w
end

local goods = {}
for i, w in ipairs({ windmill.write(), odd(), writer.triangle() }) do
  local text, bin = w:finish()
  goods[i] = { text = text, bin = bin, bytes = writer.pack_glb(text, bin) }
end

-- --- mutations -------------------------------------------------------------------------------------------------------

local function mutate_bytes(round, bytes)
  for _ = 0, pick(round, 4) do
    local at, how = pick(round, #bytes), pick(round, 5)
    if how == 0 then
      bytes = bytes:sub(1, at)
    elseif how == 1 then
      bytes = bytes:sub(1, at) .. bytes:sub(at + 2 + pick(round, 8))
    elseif how == 2 then
      bytes = bytes:sub(1, at) .. string.char(pick(round, 256)):rep(1 + pick(round, 8)) .. bytes:sub(at + 1)
    else
      bytes = bytes:sub(1, at) .. string.char(pick(round, 256)) .. bytes:sub(at + 2)
    end
  end
  return bytes
end

local VALUES = {
  '-1', '0', '1', '2', '3', '7', '64', '255', '256', '65535', '65536', '2147483648', '4294967295', '4294967296',
  '9007199254740991', '9007199254740992', '1e308', '-1e308', '1e999', '0.5', '-0.001', '1e-320', 'true', 'null', '[]',
  '{}', '"x"', '""', '[0]', '[1e30,1e30,1e30]', '[0,0,0]', '[0,0,0,1]', '"../x"', '"data:;base64,AA=="', '5121', '5126',
  '"VEC3"', '"SCALAR"', '"MAT4"', '"CUBICSPLINE"', '"weights"', ('['):rep(70) .. (']'):rep(70),
}

--- Puts other values for some of a JSON text's.
local function mutate_json(round, text)
  for _ = 0, pick(round, 3) do
    local places = {}
    for from, to in text:gmatch('()"?[%w%.+-]+"?()') do places[#places + 1] = { from, to - 1 } end
    if #places == 0 then return text end
    local place = places[pick(round, #places) + 1]
    local value = VALUES[pick(round, #VALUES) + 1]
    if text:sub(place[2] + 1, place[2] + 1) == ':' then -- a key: called otherwise, its value is gone
      value = '"x' .. pick(round, 9) .. '"'
    end
    text = text:sub(1, place[1] - 1) .. value .. text:sub(place[2] + 1)
  end
  return text
end

local function broken(round)
  local good = goods[pick(round, #goods) + 1]
  local how = pick(round, 8)
  if how == 0 then return mutate_bytes(round, good.bytes) end
  if how == 1 then return writer.pack_glb(good.text, mutate_bytes(round, good.bin)) end
  if how == 2 then return writer.pack_glb(mutate_bytes(round, good.text), good.bin) end
  return writer.pack_glb(mutate_json(round, good.text), good.bin)
end

-- --- the run ---------------------------------------------------------------------------------------------------------

local scene = thatch.scene.create()

--- Shows and moves a model that was read; the runtime may still refuse a number that has grown too large.
local function show(model)
  local instance = model:add_to(scene)
  for i = 1, #model.animations do
    for _, t in ipairs({ 0, 0.4, 1e9 }) do instance:pose(i, t) end
  end
  instance:destroy()
end

local function fail(round, bytes, what)
  local file = assert(io.open('gltf_fuzz_failure.glb', 'wb'))
  file:write(bytes)
  file:close()
  error(('seed %d, round %d: %s; the file is gltf_fuzz_failure.glb'):format(seed, round, what), 0)
end

local function is_ours(message)
  return type(message) ~= 'string' or message:find('attempt to', 1, true) or message:find('bad argument', 1, true) or
    message:find('stack traceback', 1, true)
end

local WARM, GROWTH = 300, 1048576 -- rounds until the pools have their size; bytes that may be left behind

local function held()
  for _ = 1, 4 do collectgarbage() end
  return thatch.memory_bytes()
end

local started, round, models, slowest, before = thatch.clock(), 0, 0, 0, nil
while thatch.clock() - started < seconds do
  round, drawn = round + 1, 0
  if round == WARM then before = held() end
  local bytes = broken(round)
  local file = assert(io.open(path, 'wb'))
  file:write(bytes)
  file:close()
  local began = thatch.clock()
  local ok, model, message = pcall(thatch.models.try_load, path)
  if not ok then fail(round, bytes, tostring(model)) end
  if model then
    models = models + 1
    local shown, why = pcall(show, model)
    if not shown and is_ours(why) then fail(round, bytes, tostring(why)) end
    model:destroy()
  elseif is_ours(message) or message:sub(1, #path) ~= path then
    fail(round, bytes, 'the message is ' .. tostring(message))
  end
  local took = thatch.clock() - began
  slowest = math.max(slowest, took)
  if took > SLOWEST then fail(round, bytes, ('it took %.1f s'):format(took)) end
end
if before and held() > before + GROWTH then
  error(('seed %d: %d bytes are left behind'):format(seed, held() - before), 0)
end
scene:destroy()
os.remove(path)
os.remove((path:gsub('%.glb$', '')))
io.stdout:write(cjson.encode({ rounds = round, models = models, slowest_s = slowest, seed = seed }), '\n')
