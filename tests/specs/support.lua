--- What the specs share.
local assert = require('luassert')
local lfs = require('lfs')
local thatch = require('thatch')

local M = {}

--- Calls f, which must raise; the message must hold the text, and point at the spec that calls.
function M.refuses(text, f, ...)
  local ok, message = pcall(f, ...)
  assert.is_false(ok, 'nothing was refused: ' .. text)
  message = tostring(message)
  assert.is_truthy(message:find(text, 1, true), ('"%s" is not in "%s"'):format(text, message))
  assert.is_falsy(message:find('bindings/thatch', 1, true), 'the message points into the bindings: ' .. message)
end

--- A triangle.
function M.triangle()
  return thatch.geometry.create({ positions = { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, indices = { 0, 1, 2 } })
end

--- A square of a side in the plane z = 0, or lying at y = 0.
function M.square(side, lying)
  local h = side / 2
  local positions = lying and { -h, 0, h, h, 0, h, h, 0, -h, -h, 0, -h } or { -h, -h, 0, h, -h, 0, h, h, 0, -h, h, 0 }
  return thatch.geometry.create({
    positions = positions, uvs = { 0, 0, 1, 0, 1, 1, 0, 1 }, indices = { 0, 1, 2, 0, 2, 3 },
  })
end

--- A small lit room with a wall that turns: enough for every stage.
function M.room()
  local scene = thatch.scene.create()
  local paint = thatch.material.create({ color = { 0.7, 0.3, 0.2 } })
  local stone = thatch.material.create({ color = { 0.4, 0.4, 0.4 }, two_sided = true })
  scene:mesh({ geometry = M.square(12, true), material = stone, node = scene:node() })
  local node = scene:node({ position = { 0, 1, -2 } })
  scene:mesh({ geometry = M.square(2), material = paint, node = node })
  scene:light({ kind = 'hemisphere', color = { 0.5, 0.6, 0.9 }, ground_color = { 0.3, 0.25, 0.2 } })
  scene:light({ kind = 'directional', direction = { 0.3, 1, 0.5 }, intensity = 2.5 })
  scene:set_background({ 0.3, 0.5, 0.9 })
  local camera = thatch.camera.create()
  camera:perspective({ fov = 1, near = 0.1, far = 100 })
  camera:look({ 0, 1.6, 4 }, { 0, 0.8, 0 })
  return { scene = scene, camera = camera, node = node, shadow = { center = { 0, 0, 0 }, radius = 8 } }
end

--- Is a program installed?
function M.has(name)
  local pipe = io.popen('command -v ' .. name .. ' 2>/dev/null')
  local line = pipe:read('*l')
  pipe:close()
  return line ~= nil
end

--- A folder for one spec's files.
function M.folder()
  local name = os.tmpname()
  os.remove(name)
  require('lfs').mkdir(name)
  return name
end

function M.write(path, text)
  local file = assert(io.open(path, 'wb'))
  file:write(text)
  file:close()
  return path
end

function M.read(path)
  local file = io.open(path, 'rb')
  if not file then return nil end
  local text = file:read('*a')
  file:close()
  return text
end

--- Puts a program called ffmpeg, a shell script, into folder/bin: the words that let a command find it.
function M.encoder(folder, body)
  lfs.mkdir(folder .. '/bin')
  M.write(folder .. '/bin/ffmpeg', '#!/bin/sh\n' .. body .. '\n')
  os.execute('chmod +x ' .. folder .. '/bin/ffmpeg')
  return 'PATH=' .. folder .. '/bin:$PATH '
end

return M
