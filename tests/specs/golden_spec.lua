local driver = require('driver')
local thatch = require('thatch')
local support = require('tests.specs.support')

local FOLDER = thatch.root .. '/tests/golden/'
local update = os.getenv('THATCH_GOLDEN') == 'update'

--- The picture's bytes are the file's, or the first pixel that differs is named.
local function compare(d, path)
  local golden = thatch.image.load(path)
  local pixels, count, width, height = d:pixels()
  assert.same({ golden.width, golden.height }, { width, height })
  for i = 0, count - 1 do
    if pixels[i] ~= golden.texels[i] then
      local x, y = math.floor(i / 4) % width, math.floor(i / 4 / width)
      local seen = os.tmpname() .. '.png'
      thatch.image.write(seen, pixels, width, height)
      error(('%s differs first at %d, %d: %d is not %d; what was drawn is %s'):format(path, x, y, pixels[i],
        golden.texels[i], seen))
    end
  end
end

describe('the golden picture', function()
  local loaded = {}
  for _, entry in ipairs(dofile(FOLDER .. 'list.lua')) do
    local path = FOLDER .. entry.file
    local exists = support.read(path) ~= nil
    local run = (exists or update) and it or pending
    run(entry.file .. ' is drawn to the byte', function()
      local scene = entry.scene:find('/') and thatch.root .. '/' .. entry.scene or entry.scene
      local key = scene .. entry.quality .. entry.width
      local d = loaded[key] or driver.new({
        scene = scene, quality = entry.quality, width = entry.width, height = entry.height,
      }):load()
      loaded[key] = d
      if entry.place then
        local place = assert(d:place(entry.place), 'no place ' .. entry.place)
        d:draw_place(place)
      else
        d:draw(entry.frame)
      end
      if update then
        local pixels, _, width, height = d:pixels()
        thatch.image.write(path, pixels, width, height)
      else
        compare(d, path)
      end
    end)
  end
end)
