--- The courses of a roof close over each other: nobody looks in between.
local building = require('village.building')
local roofs = require('village.roofs')

local PITCH, SLOPES = 0.86, 2
local HOUSE = { x = 3, z = 5, plaster = '#ffffff', shutters = '#ffffff' }

-- A roof's vertices { x, y, z }, row by row: of each slope each course, at each step along it `per`.
local function roof(kind, coarse)
  local b = building.new(HOUSE, coarse)
  roofs.gable(b, { x = 0, z = 0, length = 8, half = 3, eaves = 2.5, pitch = PITCH, kind = kind, sag = 0.12, seed = 7 })
  return b.parts[kind == 'tile' and 'roof_tile' or kind]
end

local function y_of(part, vertex) return part.pos.data[vertex * 3 + 1] end

describe('roofs', function()
  for _, kind in ipairs { 'tile', 'slate' } do
    for _, coarse in ipairs { 1, 2 } do
      it(('of %s are closed, coarse %d'):format(kind, coarse), function()
        local part, per = roof(kind, coarse), coarse == 1 and 4 or 2
        local steps = math.ceil((8 + 2 * 0.32) / (coarse == 1 and 1 or 2.2)) + 1
        local course = 0.42 + 3
        local courses = math.ceil(course * math.sqrt(1 + PITCH ^ 2) / (kind == 'tile' and 0.25 or 0.2))
        for side = 0, SLOPES - 1 do
          for k = 0, courses - 2 do
            for i = 0, steps - 1 do
              local at = ((side * courses + k) * steps + i) * per
              local upper, next_lower = y_of(part, at + 1), y_of(part, at + steps * per + (coarse == 1 and 2 or 0))
              if coarse == 1 then -- it goes on under the next one's lip
                assert.is_true(upper > next_lower + 0.005, ('course %d, step %d: %g under %g'):format(k, i, upper,
                  next_lower))
              else
                assert.equal(next_lower, upper)
              end
            end
          end
        end
      end)
    end
  end
end)
