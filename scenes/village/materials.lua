--- Every material of the village, and what their shadings do.
local material = require('thatch.material')
local shading = require('thatch.shading')

local M = {}

--- Registers the shadings; again when the quality changes.
---@param quality table
function M.register(quality)
  shading.register('village.solid', { baked_sky = 'sky' })
  shading.register('village.inside', { baked_sky = 'sky', baked_sun = 'sun' })
  shading.register('village.leaf', {
    back_faces = 'as_front', baked_sun = 'sun', baked_sky = 'sky',
    sway = { amplitude_m = 0.09, frequency_hz = 0.42, weight = 'sway' },
  })
  shading.register('village.grass', {
    back_faces = 'as_front', baked_sun = 'sun', baked_sky = 'sky',
    sway = { amplitude_m = 0.12, frequency_hz = 0.55, weight = 'sway', every = quality.grass_wind_every },
  })
end

---@param maps table<string, thatch.Texture>
---@param quality table
function M.build(maps, quality)
  M.register(quality)
  local function solid(name, map, more)
    local o = { kind = 'lambert', name = name, map = map, shading = 'village.solid' }
    for k, v in pairs(more or {}) do o[k] = v end -- a set of fields: their order does not matter
    return material.create(o)
  end
  return {
    ground = solid('ground', maps.ground),
    cliff = solid('cliff', maps.strata),
    rock = solid('rock', maps.ground),
    hill = solid('hill', nil),
    brick = solid('brick', maps.brick),
    fieldstone = solid('fieldstone', maps.fieldstone),
    plaster = solid('plaster', maps.plaster),
    inside = solid('inside', maps.plaster, { shading = 'village.inside' }),
    planks = solid('planks', maps.planks),
    timber = solid('timber', maps.timber),
    roof_tile = solid('roof tile', maps.roof_tile),
    slate = solid('slate', maps.slate),
    thatch = solid('thatch', maps.thatch, { two_sided = true }),
    bark = solid('bark', maps.bark),
    pebbles = solid('pebbles', maps.pebbles),
    plain = solid('plain', nil),
    pane = solid('pane', nil),
    skin = solid('skin', nil),
    cloth = solid('cloth', nil, { two_sided = true }),
    flora = material.create({ kind = 'lambert', name = 'flora', two_sided = true, shading = 'village.solid' }),
    ember = material.create({ kind = 'basic', name = 'ember', two_sided = true }),
    glass = material.create({
      kind = 'lambert', name = 'glass', alpha = 'blend', opacity = 0.42, color = { 0.42, 0.52, 0.60 },
        two_sided = true,
      shading = 'village.solid',
    }),
    lamp = material.create({ kind = 'lambert', name = 'lamp', color = { 0.9, 0.78, 0.55 },
      shading = 'village.solid' }),
    smoke = material.create({
      kind = 'lambert', name = 'smoke', map = maps.puff, alpha = 'blend', opacity = 0.34, color = { 0.86, 0.87, 0.9 },
        two_sided = true,
    }),
    leaf = material.create({ kind = 'lambert', name = 'leaf', two_sided = true, shading = 'village.leaf' }),
    sprig = material.create({ kind = 'lambert', name = 'sprig', two_sided = true, shading = 'village.leaf',
      map = maps.sprig, alpha = 'mask', alpha_cutoff = 0.4 }),
    grass = material.create({ kind = 'lambert', name = 'grass', two_sided = true, shading = 'village.grass' }),
  }
end

return M
