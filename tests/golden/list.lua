--- The golden pictures: what each file of this folder shows. Draw them again with
---   THATCH_GOLDEN=update ./thatch test tests/specs/golden_spec.lua
--- and look at them before they are committed, in a commit that says why they changed.
local list = {}

for _, quality in ipairs({ 'low', 'ultra' }) do
  list[#list + 1] = {
    file = 'room_' .. quality .. '.png', scene = 'tests/specs/data/room.lua', quality = quality, width = 320,
    height = 180, frame = 12,
  }
end
for _, place in ipairs({ 'street', 'pond', 'meadow' }) do
  list[#list + 1] = {
    file = 'village_' .. place .. '.png', scene = 'village', quality = 'low', width = 640, height = 360, place = place,
  }
end

return list
