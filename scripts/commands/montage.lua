--- The places of a scene on one sheet, each at half its size with its name, two a row.
local ffi = require('ffi')
local overlay = require('overlay')

local M = {}

--- Half the size of a picture, by the mean of each four texels.
local function halve(into, stride, x0, y0, from, width, height)
  for y = 0, math.floor(height / 2) - 1 do
    for x = 0, math.floor(width / 2) - 1 do
      local a = (y * 2 * width + x * 2) * 4
      local b = a + width * 4
      local to = ((y0 + y) * stride + x0 + x) * 4
      for c = 0, 3 do
        into[to + c] = math.floor((from[a + c] + from[a + 4 + c] + from[b + c] + from[b + 4 + c] + 2) / 4)
      end
    end
  end
end

---@param driver Driver
---@return ffi.cdata* RGBA bytes
---@return integer width
---@return integer height
function M.draw(driver)
  local places = driver.scene.places or {}
  if #places == 0 then places = { { name = 'first', frame = 0 } } end
  local width, height = driver.width, driver.height
  local half_w, half_h = math.floor(width / 2), math.floor(height / 2)
  local columns = math.min(2, #places)
  local rows = math.ceil(#places / columns)
  local sheet_w, sheet_h = half_w * columns, half_h * rows
  local labels = overlay.new(height)
  local sheet = ffi.new('uint8_t[?]', sheet_w * sheet_h * 4)
  for i, place in ipairs(places) do
    driver:draw_place(place)
    local pixels = driver:pixels()
    local x, y = (i - 1) % columns * half_w, math.floor((i - 1) / columns) * half_h
    halve(sheet, sheet_w, x, y, pixels, width, height)
    labels:panel(sheet, sheet_w, sheet_h, x, y, {
      { ('%s, %s, %.1f ms'):format(place.name, driver.quality.name, driver.frame_ms), overlay.WHITE },
    })
  end
  return sheet, sheet_w, sheet_h
end

return M
