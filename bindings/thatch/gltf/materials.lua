--- Images, textures and materials of a model. Only what the runtime can draw is read; the rest is warned of.
local accessors = require('thatch.gltf.accessors')
local files = require('thatch.gltf.files')
local image = require('thatch.image')
local material = require('thatch.material')
local maths = require('thatch.math')
local texture = require('thatch.texture')

local MAX_LISTED = 65535
local MAX_TEXELS = 134217728 -- of all images of a model
local WRAPS = { [10497] = 'repeat', [33648] = 'mirrored', [33071] = 'clamp' }
local M = {}

local function read_images(doc)
  local list, n = doc:objects(doc.json, 'images', '', MAX_LISTED)
  doc.images, doc.image_count = {}, n
  for i = 0, n - 1 do
    local path, item = '/images/' .. i, list[i + 1]
    local uri, view = doc:text(item, 'uri', path), doc:index(item, 'bufferView', path, doc.view_count, 'bufferView')
    doc:text(item, 'mimeType', path)
    if not uri and not view then doc:fail(path, 'uri and bufferView are missing, need one') end
    if uri and view then doc:fail(path, 'has both uri and bufferView, need one') end
    doc.images[i] = { uri = uri, view = view, path = path }
  end
end

--- The texels of an image, decoded once while the model is read.
local function decode(doc, index)
  local item = doc.images[index]
  if item.decoded then return item.decoded end
  local bytes = item.uri and files.fetch(doc, item.path, item.uri, 'image') or accessors.view_bytes(doc, item.view)
  if bytes:sub(1, 8) ~= '\137PNG\r\n\26\n' and bytes:sub(1, 3) ~= '\255\216\255' then
    doc:fail(item.path, 'is no PNG or JPEG')
  end
  local made, message = image.try_decode(bytes, 'image')
  if not made then doc:fail(item.path, '%s', message) end
  doc.texels = doc.texels + made.width * made.height
  if doc.texels > MAX_TEXELS then doc:fail(item.path, 'the images have more than %d texels', MAX_TEXELS) end
  item.decoded = made
  return made
end

--- The mean of an image's channels as r, g, b in 0 .. 1.
local function mean(doc, texture_index)
  local source = doc.textures[texture_index]
  if doc.means[source.image] then return doc.means[source.image] end
  local found = decode(doc, source.image)
  local counts = { {}, {}, {} }
  for c = 1, 3 do
    for v = 0, 255 do counts[c][v] = 0 end
  end
  local texels, red, green, blue = found.texels, counts[1], counts[2], counts[3]
  local count = found.width * found.height
  for i = 0, count * 4 - 1, 4 do
    red[texels[i]] = red[texels[i]] + 1
    green[texels[i + 1]] = green[texels[i + 1]] + 1
    blue[texels[i + 2]] = blue[texels[i + 2]] + 1
  end
  local out = { 0, 0, 0 }
  for c = 1, 3 do
    for v = 0, 255 do
      out[c] = out[c] + counts[c][v] * (v / 255)
    end
    out[c] = out[c] / count
  end
  doc.means[source.image] = out
  return out
end

local function read_textures(doc)
  local samplers, sampler_count = doc:objects(doc.json, 'samplers', '', MAX_LISTED)
  local wraps = {}
  for i = 0, sampler_count - 1 do
    local path = '/samplers/' .. i
    wraps[i] = {
      doc:word(samplers[i + 1], 'wrapS', path, WRAPS, 'repeat'),
      doc:word(samplers[i + 1], 'wrapT', path, WRAPS, 'repeat'),
    }
  end
  local list, n = doc:objects(doc.json, 'textures', '', MAX_LISTED)
  doc.textures, doc.texture_count = {}, n
  for i = 0, n - 1 do
    local path, item = '/textures/' .. i, list[i + 1]
    local sampler = doc:index(item, 'sampler', path, sampler_count, 'sampler')
    doc.textures[i] = {
      image = doc:index(item, 'source', path, doc.image_count, 'image'),
      wrap = sampler and wraps[sampler] or { 'repeat', 'repeat' },
    }
  end
end

--- A runtime texture for an image and how it wraps: made once.
local function make_texture(doc, index)
  local source = doc.textures[index]
  local key = ('%d %s %s'):format(source.image, source.wrap[1], source.wrap[2])
  if not doc.made_textures[key] then
    local found = decode(doc, source.image)
    local made = doc:guard(doc.images[source.image].path, texture.create, {
      width = found.width, height = found.height, texels = found.texels, wrap_u = source.wrap[1],
      wrap_v = source.wrap[2],
    })
    doc.made[#doc.made + 1] = made
    doc.made_textures[key] = made
    doc.drawn_images[source.image] = true
  end
  return doc.made_textures[key]
end

--- A reference to a texture: its number, its set of coordinates and their transform.
local function reference(doc, parent, key, path)
  local item = doc:object(parent, key, path)
  if not item then return nil end
  path = path .. '/' .. key
  local index = doc:index(item, 'index', path, doc.texture_count, 'texture')
  if not index then doc:fail(path, 'index is missing') end
  local made = { index = index, set = doc:whole(item, 'texCoord', path, 0, 0, 65535), path = path }
  local moved = doc:extension(item, path, 'KHR_texture_transform')
  if moved then
    path = path .. '/extensions/KHR_texture_transform'
    local offset = doc:numbers(moved, 'offset', path, 2, { 0, 0 })
    local scale = doc:numbers(moved, 'scale', path, 2, { 1, 1 })
    local turn = doc:number(moved, 'rotation', path, 0, -1e6, 1e6)
    made.set = doc:whole(moved, 'texCoord', path, made.set, 0, 65535)
    local s, c = maths.sin(turn), maths.cos(turn)
    -- u' = m1 u + m2 v + m3, v' = m4 u + m5 v + m6; v runs down, so a positive turn is counter-clockwise.
    made.transform = {
      c * scale[1], s * scale[2], offset[1], -s * scale[1], c * scale[2], offset[2],
    }
  end
  if made.set > 1 then
    doc:warn(made.path, 'texture coordinates above TEXCOORD_1 are not read: 0 is taken')
    made.set = 0
  end
  if not doc.textures[index].image then
    doc:warn(made.path, 'the texture has no image that can be read, and is left out')
    return nil
  end
  return made
end

--- Do two references read the same set of coordinates, moved alike?
local function same_place(a, b)
  if a.set ~= b.set or not a.transform ~= not b.transform then return false end
  for k = 1, a.transform and 6 or 0 do
    if a.transform[k] ~= b.transform[k] then return false end
  end
  return true
end

local function read_material(doc, item, path, i)
  local name = doc:name(item, path, 'material', i)
  local fields = { kind = 'standard', name = name:sub(1, 47) }
  local map
  local pbr = doc:object(item, 'pbrMetallicRoughness', path) or {}
  local pbr_path = path .. '/pbrMetallicRoughness'
  local color = doc:numbers(pbr, 'baseColorFactor', pbr_path, 4, { 1, 1, 1, 1 }, 0, 1)
  fields.color, fields.opacity = { color[1], color[2], color[3] }, color[4]
  map = reference(doc, pbr, 'baseColorTexture', pbr_path)
  local metal = doc:number(pbr, 'metallicFactor', pbr_path, 1, 0, 1)
  local rough = doc:number(pbr, 'roughnessFactor', pbr_path, 1, 0, 1)
  local surface = reference(doc, pbr, 'metallicRoughnessTexture', pbr_path)
  if surface then
    local share = mean(doc, surface.index)
    metal, rough = metal * share[3], rough * share[2]
    doc:warn(surface.path, 'metal and roughness are drawn as the means of their texture')
  end
  fields.metalness, fields.roughness = metal, rough

  local modes = { OPAQUE = 'opaque', MASK = 'mask', BLEND = 'blend' }
  fields.alpha = doc:word(item, 'alphaMode', path, modes, 'opaque')
  fields.alpha_cutoff = math.min(1, doc:number(item, 'alphaCutoff', path, 0.5, 0))
  fields.two_sided = doc:flag(item, 'doubleSided', path)
  if fields.alpha == 'mask' and not map and fields.opacity < fields.alpha_cutoff then fields.visible = false end

  local glow = doc:numbers(item, 'emissiveFactor', path, 3, { 0, 0, 0 }, 0, 1)
  local strength = doc:extension(item, path, 'KHR_materials_emissive_strength')
  local power = strength and doc:number(strength, 'emissiveStrength', path ..
    '/extensions/KHR_materials_emissive_strength', 1, 0, 1e6) or 1
  local glow_map = reference(doc, item, 'emissiveTexture', path)
  if glow[1] + glow[2] + glow[3] == 0 or doc:extension(item, path, 'KHR_materials_unlit') then glow_map = nil end
  fields.emissive, fields.emissive_intensity = glow, power
  for _, key in ipairs({ 'normalTexture', 'occlusionTexture' }) do
    local left = reference(doc, item, key, path)
    if left then doc:warn(left.path, key .. ' is left out') end
  end

  if doc:extension(item, path, 'KHR_materials_unlit') then
    fields.kind, fields.emissive, fields.emissive_intensity = 'basic', { 0, 0, 0 }, 1
  end
  if map and glow_map and not same_place(map, glow_map) then
    doc:warn(glow_map.path, 'is drawn where the baseColorTexture is: it has other coordinates')
  end
  if map then fields.map = make_texture(doc, map.index) end
  if glow_map then fields.emissive_map = make_texture(doc, glow_map.index) end
  map = map or glow_map
  local made = doc:guard(path, material.create, fields)
  doc.made[#doc.made + 1] = made
  return { material = made, set = map and map.set or 0, transform = map and map.transform, name = name }
end

--- Reads all materials: doc.materials[i] is { material, set, transform, name }; [-1] is that of primitives without one.
---@param doc thatch.gltf.Document
function M.read(doc)
  doc.texels, doc.made_textures, doc.drawn_images, doc.means = 0, {}, {}, {}
  read_images(doc)
  read_textures(doc)
  local list, n = doc:objects(doc.json, 'materials', '', MAX_LISTED)
  doc.materials, doc.material_count = {}, n
  for i = 0, n - 1 do
    doc.materials[i] = read_material(doc, list[i + 1], '/materials/' .. i, i)
    doc:alive()
  end
  for i = 0, doc.image_count - 1 do doc.images[i].decoded = nil end
end

--- The material of primitives that name none.
function M.plain(doc)
  if not doc.materials[-1] then
    doc.materials[-1] = read_material(doc, {}, '/materials', -1)
  end
  return doc.materials[-1]
end

return M
