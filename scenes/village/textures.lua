--- Textures made at load: every one tiles. Bytes are sRGB. Those named neutral are bright and grey: vertex colours
--- give the hue.
local ffi = require('ffi')
local texture = require('thatch.texture')
local noise = require('village.noise')

local M = {}
local SIZE = 512
local floor, sqrt, abs, min, max = math.floor, math.sqrt, math.abs, math.min, math.max
local tile, tile_fbm, cell = noise.tile, noise.tile_fbm, noise.cell

local function smooth(a, b, x)
  local t = (x - a) / (b - a)
  t = t < 0 and 0 or t > 1 and 1 or t
  return t * t * (3 - 2 * t)
end

local function byte(v)
  return v < 0 and 0 or v > 255 and 255 or floor(v)
end

-- shade(x, y) gives r, g, b 0..255 for a texel.
local function make(shade)
  local texels = ffi.new('uint8_t[?]', SIZE * SIZE * 4)
  local k = 0
  for y = 0, SIZE - 1 do
    for x = 0, SIZE - 1 do
      local r, g, b = shade(x, y)
      texels[k], texels[k + 1], texels[k + 2], texels[k + 3] = byte(r), byte(g), byte(b), 255
      k = k + 4
    end
  end
  return texture.create({ width = SIZE, height = SIZE, texels = texels, srgb = true, wrap = 'repeat' })
end

-- 1.5 m wide, 1.2 m high: 6 bricks by 16 courses.
local function brick(x, y)
  local wobble = tile(x / 32, y / 32, 16, 16, 3) * 1.2
  local row = floor(y / 32)
  local px = (x + wobble + row % 2 * 42.667 + cell(row, 1, 5) * 6) % 512
  local column = floor(px / 85.3334)
  local u, v = px - column * 85.3334, (y + wobble * 0.6) % 32
  local edge = min(u, 85.33 - u, v, 32 - v) + tile(x / 5, y / 5, 102, 102, 4) * 0.9
  local hue = cell(column, row, 6)
  local grain = tile_fbm(x / 16, y / 16, 32, 32, 4, 7)
  local shade = 0.86 + 0.3 * (cell(column, row, 8) - 0.4) + 0.16 * grain
  local r, g, b = 164 + 20 * hue, 100 + 20 * hue, 80 + 16 * hue
  if hue > 0.86 then r, g, b = 132, 82, 72 elseif hue < 0.07 then r, g, b = 186, 134, 98 end
  -- light on the upper edge, dark below
  shade = shade * (1 + 0.1 * smooth(7, 3, v) - 0.14 * smooth(25, 30, v))
  local mortar = smooth(3.4, 2.0, edge)
  local m = 188 + 26 * grain
  r, g, b = r * shade, g * shade, b * shade
  return r + (m - r) * mortar, g + (m * 0.94 - g) * mortar, b + (m * 0.84 - b) * mortar
end

-- The nearest and second nearest of jittered points, and the cell of the nearest.
local function voronoi(x, y, columns, rows, seed, flat)
  local xi, yi = floor(x), floor(y)
  local d1, d2, ci, cj = 9, 9, 0, 0
  for j = yi - 1, yi + 1 do
    for i = xi - 1, xi + 1 do
      local wi, wj = i % columns, j % rows
      local dx = i + 0.5 + 0.84 * (cell(wi, wj, seed) - 0.5) + (j % 2) * 0.4 - x
      local dy = (j + 0.5 + 0.7 * (cell(wi, wj, seed + 1) - 0.5) - y) * flat
      local d = sqrt(dx * dx + dy * dy)
      if d < d1 then d2, d1, ci, cj = d1, d, wi, wj elseif d < d2 then d2 = d end
    end
  end
  return d1, d2, ci, cj
end

-- 2 m square.
local function fieldstone(x, y)
  local wx, wy = tile_fbm(x / 42.667, y / 42.667, 12, 12, 2, 11) * 6, tile_fbm(x / 42.667, y / 42.667, 12, 12, 2, 15)
    * 5
  local d1, d2, ci, cj = voronoi((x + wx) / 73.1429, (y + wy) / 42.6667, 7, 12, 21, 0.9)
  local gap = d2 - d1
  local grain = tile_fbm(x / 16, y / 16, 32, 32, 4, 24)
  local hue, tone = cell(ci, cj, 26), cell(ci, cj, 27)
  local r, g, b = 160, 153, 139
  if hue > 0.7 then r, g, b = 172, 157, 130 elseif hue < 0.26 then
    r, g, b = 141, 138, 130
  elseif hue < 0.36 then
    r, g, b = 152, 134, 115
  end
  local shade = 0.78 + 0.34 * tone + 0.24 * grain + 0.14 * smooth(0.03, 0.3, gap)
  local mortar = smooth(0.13, 0.05, gap + grain * 0.03)
  local m = 150 + 40 * grain
  r, g, b = r * shade, g * shade, b * shade
  local dark = 1 - 0.36 * smooth(0.2, 0.1, gap) * (1 - mortar)
  return (r + (m - r) * mortar) * dark, (g + (m * 0.95 - g) * mortar) * dark, (b + (m * 0.86 - b) * mortar) * dark
end

-- 2.4 m square, neutral.
local function plaster(x, y)
  local trowel = tile_fbm(x / 64 + tile(x / 32, y / 32, 16, 16, 31) * 0.5, y / 42.667, 8, 12, 4, 32)
  local fine = tile_fbm(x / 8, y / 8, 64, 64, 3, 34)
  local patch = tile_fbm(x / 128, y / 128, 4, 4, 3, 36)
  local crack = abs(tile_fbm(x / 85.333, y / 85.333, 6, 6, 4, 38))
  local v = 232 + 14 * trowel + 9 * fine + 12 * patch - 36 * smooth(0.018, 0.004, crack) * smooth(0.1, 0.4, patch)
  return v, v - 2 - 3 * patch, v - 6 - 7 * patch
end

-- Boards along u, 6 of them in 1.2 m; neutral.
local function planks(x, y)
  local board = floor(y / 85.3334)
  local v = y - board * 85.3334
  local shift = cell(board, 3, 41) * 512
  local along = (x + shift) % 512
  local bend = tile(x / 64, y / 128, 8, 4, 42) * 5
  local grain = tile_fbm(along / 128, (v + bend) / 4.0 + board * 40, 4, 1024, 3, 43) * 0.6
    + tile(along / 256, (v + bend * 2) / 9 + board * 30, 2, 1024, 46) * 0.5
  local kx, ky = along - 512 * cell(board, 1, 47), v - 20 - 45 * cell(board, 2, 47)
  local knot = sqrt(kx * kx * 0.2 + ky * ky)
  local ring = smooth(11, 3, knot)
  local joint = min(along, 512 - along)
  local edge = min(v, 85.33 - v, joint * 1.2)
  local shade = 0.84 + 0.16 * (cell(board, 5, 44) - 0.5) + 0.17 * grain - 0.2 * ring
  shade = shade * (0.34 + 0.66 * smooth(0.4, 3.2, edge)) * (1 + 0.05 * smooth(12, 4, v))
  local nail = sqrt((joint - 9) * (joint - 9) + (abs(v - 42.7) - 26) * (abs(v - 42.7) - 26))
  shade = shade * (0.45 + 0.55 * smooth(1.6, 3.0, nail))
  return 232 * shade, 225 * shade, 215 * shade
end

-- A beam's face, grain along u; 1 m, neutral.
local function timber(x, y)
  local bend = tile(x / 128, y / 128, 4, 4, 51) * 9
  local grain = tile_fbm(x / 170.667, (y + bend) / 8, 3, 64, 4, 52)
  local check = abs(tile_fbm(x / 256, (y + bend) / 32, 2, 16, 2, 55))
  local shade = 0.82 + 0.26 * grain - 0.3 * smooth(0.03, 0.005, check) + 0.08 * tile(x / 64, y / 64, 8, 8, 56)
  return 236 * shade, 226 * shade, 214 * shade
end

-- Clay tiles: 10 across, 8 courses in 2 m by 2 m (v runs down the slope).
local function roof_tile(x, y)
  local row = floor(y / 64)
  local px = (x + row % 2 * 25.6) % 512
  local column = floor(px / 51.2)
  local u, v = (px - column * 51.2) / 51.2 * 2 - 1, y - row * 64
  local hue, tone = cell(column, row, 61), cell(column, row, 62)
  local grain = tile_fbm(x / 12.8, y / 12.8, 40, 40, 3, 63)
  local r, g, b = 178, 114, 90
  if hue > 0.8 then r, g, b = 150, 98, 82 elseif hue < 0.15 then r, g, b = 192, 142, 110 end
  local round = sqrt(max(0, 1 - u * u))
  local shade = (0.68 + 0.34 * round) * (0.84 + 0.34 * (tone - 0.35)) * (1 + 0.14 * grain)
  -- the lower edge catches light, the shadow of the one above lies below it
  local lip = 59 + 3 * (round - 0.6) - cell(column, row, 64) * 3
  shade = shade * (1 - 0.58 * smooth(lip, lip + 2.5, v)) * (1 - 0.42 * smooth(9, 0, v))
  shade = shade * (1 - 0.5 * smooth(0.88, 1, abs(u)))
  local moss = smooth(0.28, 0.62, tile_fbm(x / 85.333, y / 85.333, 6, 6, 4, 65)) * 0.7
  r, g, b = r * shade, g * shade, b * shade
  local mr, mg, mb = 122 * shade, 114 * shade, 76 * shade
  return r + (mr - r) * moss, g + (mg - g) * moss, b + (mb - b) * moss
end

local function slate(x, y)
  local row = floor(y / 51.2)
  local px = (x + row % 2 * 32 + cell(row, 2, 71) * 9) % 512
  local column = floor(px / 64)
  local u, v = px - column * 64, y - row * 51.2
  local hue, tone = cell(column, row, 72), cell(column, row, 73)
  local grain = tile_fbm(x / 32, y / 12.8, 16, 40, 3, 74)
  local shade = (0.86 + 0.32 * (tone - 0.5)) * (1 + 0.13 * grain)
  local edge = min(u, 64 - u)
  shade = shade * (0.5 + 0.5 * smooth(0.2, 2.2, edge)) * (1 - 0.55 * smooth(47, 50, v)) * (1 - 0.3 * smooth(7, 0, v))
  local r, g, b = 116, 124, 136
  if hue > 0.75 then r, g, b = 108, 112, 112 elseif hue < 0.2 then r, g, b = 126, 120, 130 end
  return r * shade * 1.12, g * shade * 1.12, b * shade * 1.1
end

-- Straw lying down the slope (along v).
local function thatch_straw(x, y)
  local bend = tile(x / 64, y / 128, 8, 4, 81) * 7
  local straw = tile_fbm((x + bend) / 3.2, y / 85.333, 160, 6, 3, 82)
  local tuft = tile_fbm((x + bend) / 32, y / 64, 16, 8, 3, 84)
  local layer = (y + 9 * tile(x / 16, 0.5, 32, 1, 86)) % 128
  local shade = 0.8 + 0.3 * straw + 0.17 * tuft - 0.22 * smooth(112, 127, layer) + 0.1 * smooth(30, 4, layer)
  return 220 * shade, 190 * shade, 134 * shade
end

-- Neutral.
local function bark(x, y)
  local bend = tile_fbm(x / 64, y / 128, 8, 4, 2, 91) * 14
  local ridge = abs(tile_fbm((x + bend) / 25.6, y / 102.4, 20, 5, 3, 93))
  local fine = tile_fbm(x / 8, y / 16, 64, 32, 3, 95)
  local shade = 0.64 + 0.4 * smooth(0.0, 0.34, ridge) + 0.14 * fine
  return 226 * shade, 216 * shade, 204 * shade
end

-- Ground detail about a mean of half the light, neutral but for a hint of warm and cool.
local function ground(x, y)
  local coarse = tile_fbm(x / 64, y / 64, 8, 8, 3, 101)
  local fine = tile_fbm(x / 10.24, y / 10.24, 50, 50, 3, 103)
  local speck = tile(x / 2.56, y / 2.56, 200, 200, 106)
  local grit = cell(floor(x / 3), floor(y / 3) % 170, 107)
  local v = 188 + 20 * coarse + 26 * fine + 13 * speck + (grit > 0.965 and 20 or grit < 0.035 and -26 or 0)
  return v + 4 * coarse, v, v - 5 * coarse
end

-- 1.6 m square of rounded stones.
local function pebbles(x, y)
  local wx = tile(x / 32, y / 32, 16, 16, 111) * 4
  local d1, d2, ci, cj = voronoi((x + wx) / 32, (y - wx) / 32, 16, 16, 113, 1)
  local gap = d2 - d1
  local hue, tone = cell(ci, cj, 115), cell(ci, cj, 116)
  local grain = tile_fbm(x / 12.8, y / 12.8, 40, 40, 3, 117)
  local r, g, b = 164, 156, 138
  if hue > 0.7 then r, g, b = 170, 152, 126 elseif hue < 0.25 then
    r, g, b = 136, 139, 136
  elseif hue < 0.35 then
    r, g, b = 196, 190, 178
  end
  local shade = (0.62 + 0.5 * tone + 0.16 * grain) * (0.42 + 0.58 * smooth(0.02, 0.26, gap)) * (1.08 - 0.2 * d1)
  return r * shade, g * shade, b * shade
end

-- Layered rock for the cliff; 5 m square: beds of different thickness, joints that break them into blocks, grain.
local function strata(x, y)
  local bend = tile_fbm(x / 128, y / 128, 4, 4, 3, 121) * 22
  local v0 = y + bend
  local layer = tile(3.5, v0 / 32, 1, 16, 123) * 0.6 + tile(1.5, v0 / 12.8, 1, 40, 124) * 0.5
  local bed = floor(v0 / 42.6667)
  local inside = v0 - bed * 42.6667
  local joint = (x + 40 * tile(x / 128, v0 / 64, 4, 8, 128) + cell(bed % 12, 3, 126) * 512) % 512
  local across = joint - floor(joint / 73.142857) * 73.142857
  local gap = min(across, 73.142857 - across)
  local fine = tile_fbm(x / 16, v0 / 8, 32, 64, 4, 125)
  local pits = tile(x / 5.12, y / 5.12, 100, 100, 129)
  local shade = 0.8 + 0.12 * layer + 0.22 * fine + 0.05 * pits
  local rough = 0.6 + 0.8 * fine
  shade = shade * (1 - 0.46 * smooth(5 * rough, 0.5, inside) - 0.1 * smooth(42.7, 36, inside) + 0.12
    * smooth(4, 9, inside) * smooth(16, 9, inside))
  shade = shade * (1 - 0.34 * smooth(4 * rough, 0.5, gap) * smooth(-0.2, 0.2, fine))
  local warm = 6 * layer
  return (222 + warm) * shade, 214 * shade, (202 - warm) * shade
end

-- A small picture with an alpha, clear at its edge.
local function patch(size, texels)
  return texture.create({ width = size, height = size, texels = texels, srgb = true, wrap = 'clamp' })
end

-- A round spot: light and alpha at a texel, which lies so far from the middle, 1 at the rim.
local function spot(paint)
  local size = 64
  local texels = ffi.new('uint8_t[?]', size * size * 4)
  for y = 0, size - 1 do
    for x = 0, size - 1 do
      local u, v = (x + 0.5) / size * 2 - 1, (y + 0.5) / size * 2 - 1
      local light, alpha = paint(x, y, sqrt(u * u + v * v))
      local k = (y * size + x) * 4
      texels[k], texels[k + 1], texels[k + 2], texels[k + 3] = light, light, light, alpha
    end
  end
  return patch(size, texels)
end

-- A soft round puff: white, its alpha ragged and gone at the rim.
local function puff(x, y, r)
  local ragged = r + 0.28 * tile_fbm(x / 16, y / 16, 4, 4, 3, 131)
  return 255, byte(255 * smooth(0.86, 0.1, ragged) * smooth(1, 0.85, r))
end

-- A film of water: its alpha has a ragged shore, its light a few darker streaks.
local function blot(x, y, r)
  local shore = r + 0.42 * tile_fbm(x / 16, y / 16, 4, 4, 3, 141)
  local light = 225 + 60 * tile_fbm(x / 21.333, y / 10.667, 3, 6, 2, 143) - 60 * smooth(0.45, 0.75, shore)
  return byte(light), byte(255 * smooth(0.76, 0.66, shore) * smooth(1, 0.9, r))
end

-- A twig with its leaves, within the diamond that a leaf's corners span; white, clear between the leaves.
local function sprig()
  local size = 128
  local texels = ffi.new('uint8_t[?]', size * size * 4)
  for i = 0, size * size - 1 do -- clear, in the leaves' own light, so that no dark rim is mixed in
    texels[i * 4], texels[i * 4 + 1], texels[i * 4 + 2], texels[i * 4 + 3] = 215, 215, 208, 0
  end
  local function put(x, y, shade)
    if x < 0 or y < 0 or x >= size or y >= size then return end
    local k = (y * size + x) * 4
    texels[k], texels[k + 1], texels[k + 2], texels[k + 3] = byte(shade), byte(shade), byte(shade * 0.97), 255
  end
  for y = floor(size * 0.12), floor(size * 0.97) do
    for x = -1, 0 do put(size / 2 + x, y, 150) end
  end
  -- leaves at three distances from the twig, the farthest first: each points outward and up
  for row = 0, 9 do
    for rank = 2, 0, -1 do
      for side = -1, 1, 2 do
        local v = 0.93 - row * 0.088 + 0.03 * (cell(row, rank * 2 + side, 151) - 0.5)
        local wide = v > 0.55 and (1 - v) / 0.45 or v / 0.55 -- of the diamond
        local u = 0.5 + side * (0.05 + rank * 0.155) * (0.85 + 0.3 * cell(row, rank, 152))
        if abs(u - 0.5) < wide * 0.5 then
          local dx, dy = side * (0.5 + 0.5 * cell(row, rank, 153)), -0.35 - 0.5 * cell(row, rank + 5, 154)
          local l = 1 / sqrt(dx * dx + dy * dy)
          dx, dy = dx * l, dy * l
          local long, broad = (0.15 + 0.05 * cell(row, rank, 155)) * size, 0.085 * size
          local light = 178 + 66 * cell(row, rank * 3 + side + 1, 156)
          local x0, y0 = u * size, v * size
          for j = floor(-long), floor(long) do
            for i = floor(-long), floor(long) do
              local along, across = (i * dx + j * dy) / long, (i * dy - j * dx) / broad
              local full = 1 - (along * 2 - 1) * (along * 2 - 1)
              if along > 0 and along < 1 and abs(across) < full * 0.5 then
                put(floor(x0 + i), floor(y0 + j), light - 30 * smooth(0.12, 0.02, abs(across)) + 14 * along
                  - 26 * smooth(0.36, 0.5, abs(across) / max(full, 0.05)))
              end
            end
          end
        end
      end
    end
  end
  return patch(size, texels)
end

--- All of them, by name.
function M.build(progress)
  local list = {
    { 'brick', brick }, { 'fieldstone', fieldstone }, { 'plaster', plaster }, { 'planks', planks },
      { 'timber', timber },
    { 'roof_tile', roof_tile }, { 'slate', slate }, { 'thatch', thatch_straw }, { 'bark', bark }, { 'ground', ground },
    { 'pebbles', pebbles }, { 'strata', strata },
  }
  local set = { puff = spot(puff), sprig = sprig(), blot = spot(blot) }
  for i = 1, #list do
    set[list[i][1]] = make(list[i][2])
    if progress then progress(i / #list) end
  end
  return set
end

return M
