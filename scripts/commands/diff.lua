--- diff A B: how many pixels of two pictures differ, and by how much. Exit code 0 when they are equal, else 1.
local common = require('commands.common')

local M = {}

function M.describe(parser)
  parser:argument('a', 'A picture: PNG, JPEG, BMP or TGA.')
  parser:argument('b', 'Another.')
  parser:option('--out', 'Writes a picture of where they differ, PNG or JPEG by its ending.')
  parser:epilog('Exit code: 0 when the pictures are equal, 1 when they differ or cannot be compared.')
end

function M.run(options)
  if options.out then common.check_picture_name(options.out) end
  local image, pictures = require('thatch').image, require('pictures')
  local function read(path)
    local loader = require('loader')
    if not loader.exists(path) then common.usage('%s', loader.no_file(path)) end
    local picture, message = image.try_load(path)
    if not picture then common.fail('%s', message) end
    return picture
  end
  local a, b = read(options.a), read(options.b)
  local width, height = a.width, a.height
  if b.width ~= width or b.height ~= height then
    common.fail('%s: size is %dx%d, need %dx%d, the size of %s', options.b, b.width, b.height, width, height, options.a)
  end
  local d = pictures.compare(a.texels, b.texels, width, height)
  if options.out then
    common.write_picture(options.out, pictures.marks(a.texels, b.texels, width, height), width, height)
  end
  if d.pixels == 0 then
    io.stdout:write(('equal: %d pixels\n'):format(d.total))
    return 0
  end
  io.stdout:write(
    ('%d of %d pixels differ (%.3g %%)\n'):format(d.pixels, d.total, d.pixels / d.total * 100),
    ('by %d of 255 at most, in %s at %d, %d\n'):format(d.largest, d.channel, d.x, d.y),
    ('by %.3g of 255 in the mean\n'):format(d.mean),
    ('PSNR %s dB\n'):format(d.psnr == math.huge and 'inf' or ('%.2f'):format(d.psnr)))
  return 1
end

return M
