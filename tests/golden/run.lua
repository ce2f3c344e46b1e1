--- Golden pictures: what a small scene draws is compared with a file of this folder, to the byte.
--- A failure leaves out/golden/NAME.png: expected, actual, difference.
--- Renew one with `./thatch test --accept NAME` (or `all`), and look at it.
local thatch = require('thatch')
local ffi = require('ffi')
local pictures = dofile(thatch.root .. '/tests/golden/pictures.lua')

local M = { names = pictures.names }

local function path(name) return thatch.root .. '/tests/golden/' .. name .. '.png' end

local function exists(file)
  local handle = io.open(file, 'rb')
  if handle then handle:close() end
  return handle ~= nil
end

--- Expected, actual and difference (times 4) side by side, each pixel 4 x 4.
local function triptych(name, expected, pixels, width, height)
  local zoom = 4
  local w, h = 3 * zoom * width, zoom * height
  local out = ffi.new('uint8_t[?]', 4 * w * h)
  for y = 0, h - 1 do
    for x = 0, w - 1 do
      local panel, px, py = math.floor(x / (zoom * width)), math.floor(x / zoom) % width, math.floor(y / zoom)
      local from, to = 4 * (py * width + px), 4 * (y * w + x)
      for k = 0, 2 do
        local e, a = expected and expected[from + k] or 0, pixels[from + k]
        out[to + k] = panel == 0 and e or panel == 1 and a or math.min(255, 4 * math.abs(e - a))
      end
      out[to + 3] = 255
    end
  end
  local folder = thatch.root .. '/out/golden'
  require('lfs').mkdir(thatch.root .. '/out')
  require('lfs').mkdir(folder)
  thatch.image.write(folder .. '/' .. name .. '.png', out, w, h)
  return folder .. '/' .. name .. '.png'
end

--- nil when the picture is the golden one, else what is wrong.
function M.compare(name)
  local frame = pictures.draw[name]()
  local pixels, width, height = frame:pixels()
  if not exists(path(name)) then
    return ('%s: there is no golden picture; see %s, then: ./thatch test --accept %s'):format(name,
      triptych(name, nil, pixels, width, height), name)
  end
  local golden = thatch.image.load(path(name))
  if golden.width ~= width or golden.height ~= height then
    return ('%s: is %dx%d, need %dx%d'):format(name, width, height, golden.width, golden.height)
  end
  local wrong, first = 0, nil
  for i = 0, width * height - 1 do
    for k = 4 * i, 4 * i + 3 do
      if pixels[k] ~= golden.texels[k] then
        wrong, first = wrong + 1, first or i
        break
      end
    end
  end
  if wrong == 0 then return nil end
  return ('%s: %d pixels differ, the first at %d, %d; expected, actual and difference are in %s'):format(name, wrong,
    first % width, math.floor(first / width), triptych(name, golden.texels, pixels, width, height))
end

--- Writes one golden picture, or all of them. Gives the names of those that changed.
function M.accept(name)
  if name ~= 'all' and not pictures.draw[name] then
    error(('golden: there is no picture %s, need one of: all %s'):format(name, table.concat(M.names, ' ')), 2)
  end
  local changed = {}
  for _, each in ipairs(name == 'all' and M.names or { name }) do
    if M.compare(each) then
      pictures.draw[each]():save(path(each))
      changed[#changed + 1] = each
    end
  end
  return changed
end

return M
