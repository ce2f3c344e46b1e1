--- Where everything stands: metres, +x east, -z north. A house faces along its local +z; `turn` is about y, degrees
--- here.
local M = {}

local function radians(houses)
  for i = 1, #houses do houses[i].turn = houses[i].turn * 3.14159265358979 / 180 end
  return houses
end

-- Each way: points x, z and half its width.
M.ways = {
  { -- the street, from the south to the north
    { 10, 96, 1.9 }, { 9, 78, 2.0 }, { 5, 60, 2.1 }, { 0, 44, 2.1 }, { -3, 30, 2.2 }, { -1, 16, 2.8 }, { 3, 5, 4.6 },
    { 9, -7, 2.8 }, { 12, -22, 2.1 }, { 8, -38, 2.0 }, { -1, -53, 2.0 }, { -8, -68, 1.9 }, { -10, -92, 1.7 },
  },
  { { -1, 16, 2.4 }, { -12, 17.5, 1.5 }, { -21, 19, 1.3 }, { -27, 22, 1.4 }, { -31, 27, 1.5 } }, -- to the pond
  { { 9, -7, 2.4 }, { 20, -9, 1.8 }, { 32, -11, 1.8 }, { 44, -12, 3.2 }, { 56, -10, 2.0 } }, -- to the barn
  { { 44, -12, 1.6 }, { 54, -2, 1.2 }, { 63, 10, 1.0 } }, -- on to the cliff foot
  { { 9, -7, 1.4 }, { -8, -12, 1.1 }, { -20, -12, 1.2 } }, -- to the farmhouse
}

-- kind: the plan; front, walls, roof: what it is made of; w, d: width and depth.
M.houses = radians({
  {
    name = 'thatched cottage', x = -8.0, z = 54, turn = 78,
    plan = 'cottage', w = 9.2, d = 6.2, walls = 'plaster', roof = 'thatch',
    plaster = '#EFE6D2', shutters = '#6E929A', hearth = true,
  },
  {
    name = 'miller', x = 13.2, z = 51, turn = -108,
    plan = 'house', w = 8.6, d = 6.8, walls = 'stone', upper = 'timber', roof = 'tile',
    plaster = '#E8D8B8', shutters = '#93594B', hearth = true,
  },
  {
    name = 'weaver', x = -10.9, z = 35.5, turn = 97,
    plan = 'house', w = 8.4, d = 6.6, walls = 'timber', upper = 'timber', roof = 'tile',
    plaster = '#EFE6D2', shutters = '#64805A',
  },
  {
    name = 'brick cottage', x = 7.2, z = 30, turn = -86,
    plan = 'cottage', w = 8.6, d = 6.4, walls = 'brick', roof = 'slate',
    plaster = '#D9C7A8', shutters = '#648AA0', hearth = true,
  },
  {
    name = 'inn', x = -9.4, z = 4.5, turn = 86,
    plan = 'jettied', w = 10.4, d = 7.4, walls = 'stone', upper = 'timber', roof = 'tile',
    plaster = '#E6D3C4', shutters = '#93594B', hearth = true,
  },
  {
    name = 'smith', x = 16.0, z = 11, turn = -98,
    plan = 'corner', w = 9.0, d = 6.4, walls = 'stone', roof = 'tile',
    plaster = '#D9C7A8', shutters = '#64805A', hearth = true,
  },
  {
    name = 'blue house', x = 0.4, z = -20.6, turn = 22,
    plan = 'house', w = 8.0, d = 6.6, walls = 'plaster', upper = 'plaster', roof = 'tile',
    plaster = '#BFD0D6', shutters = '#96604F', hearth = true,
  },
  {
    name = 'tall brick house', x = 19.4, z = -23.5, turn = -92,
    plan = 'house', w = 8.8, d = 7.0, walls = 'brick', upper = 'brick', roof = 'tile',
    plaster = '#E8D8B8', shutters = '#64805A', hearth = true,
  },
  {
    name = 'long house', x = -2.2, z = -38.2, turn = 64,
    plan = 'long', w = 12.0, d = 6.2, walls = 'stone', roof = 'thatch',
    plaster = '#E8D8B8', shutters = '#648AA0', hearth = true,
  },
  {
    name = 'carpenter', x = 15.6, z = -41.4, turn = -74,
    plan = 'cottage', w = 8.4, d = 6.2, walls = 'boards', roof = 'tile',
    plaster = '#D9C7A8', shutters = '#93594B',
  },
  {
    name = 'old corner house', x = -12.2, z = -56.5, turn = 58,
    plan = 'corner', w = 8.8, d = 6.4, walls = 'timber', roof = 'tile',
    plaster = '#EFE6D2', shutters = '#6E929A', hearth = true,
  },
  {
    name = 'widow', x = 3.8, z = -66.2, turn = -68,
    plan = 'cottage', w = 8.0, d = 6.0, walls = 'plaster', roof = 'slate',
    plaster = '#E6D3C4', shutters = '#648AA0', hearth = true,
  },
  {
    name = 'north house', x = -17.2, z = -76, turn = 84,
    plan = 'house', w = 8.2, d = 6.4, walls = 'stone', upper = 'boards', roof = 'tile',
    plaster = '#E8D8B8', shutters = '#64805A', hearth = true,
  },
  {
    name = 'farmhouse', x = -28, z = -14, turn = 84,
    plan = 'long', w = 12.4, d = 6.6, walls = 'brick', roof = 'tile',
    plaster = '#EFE6D2', shutters = '#93594B', hearth = true,
  },
  {
    name = 'barn', x = 44, z = -23.5, turn = 4,
    plan = 'barn', w = 14.0, d = 9.0, walls = 'boards', roof = 'tile',
    plaster = '#D9C7A8', shutters = '#7C5348',
  },
  {
    name = 'stable', x = 63.5, z = -14, turn = -76,
    plan = 'stable', w = 8.6, d = 5.0, walls = 'boards', roof = 'tile',
    plaster = '#D9C7A8', shutters = '#7C5348',
  },
})

M.pond = { x = -47, z = 29, rx = 17.5, rz = 12.5, depth = 2.2, level = -1.45 }
M.well = { x = 4.2, z = 2.6 }
M.jetty = { x = -30.2, z = 27.2, turn = 3.30, length = 6.4 }

-- species, x, z, turn, scale
M.trees = {
  { 'oak', -24.5, 9.5, 0.4, 1.0 }, { 'oak', 26.5, 27, 2.1, 0.92 }, { 'oak', 32, -33, 4.4, 0.95 },
    { 'oak', -30, 52, 1.2, 0.9 },
  { 'oak', -58, -22, 3.2, 1.05 }, { 'oak', 13.4, 66.5, 5.1, 0.85 }, { 'oak', 38, 52, 0.9, 1.0 },
  { 'willow', -28.5, 38, 0.3, 1.0 }, { 'willow', -55.5, 11.2, 2.6, 0.95 }, { 'willow', -69.5, 37, 4.2, 0.9 },
  { 'birch', -68, 3, 0, 1.0 }, { 'birch', -72, -3, 1.4, 0.9 }, { 'birch', -66.5, -6, 2.9, 1.1 },
    { 'birch', -75, 6, 3.3, 0.85 },
  { 'birch', 27, -58, 0.6, 1.0 }, { 'birch', 31, -62, 2.6, 0.9 }, { 'birch', 24, -66, 4.1, 1.05 },
    { 'birch', 9.6, 41.5, 1.1, 0.8 },
  { 'birch', -22, 66, 2.2, 1.0 }, { 'birch', -18.4, 72, 0.4, 0.9 }, { 'birch', 4.5, -83, 1.9, 1.0 },
  { 'apple', -39, -22, 0.2, 1.0 }, { 'apple', -45, -20, 1.9, 0.9 }, { 'apple', -41, -28, 3.7, 1.05 },
    { 'apple', -48, -27, 5.2, 0.95 },
  { 'apple', -37.5, -34, 2.4, 1.0 }, { 'apple', -45.5, -35, 0.9, 0.9 }, { 'apple', -4.5, 44.2, 4.4, 0.8 },
    { 'apple', 19.5, 37.5, 3.1, 0.95 },
  { 'apple', 25, 1.5, 0.5, 0.95 }, { 'apple', -19, -31.5, 1.7, 0.9 },
  { 'pine', 68, -40, 0, 1.0 }, { 'pine', 72, -34, 1.1, 0.85 }, { 'pine', 62, -46, 2.3, 1.1 },
    { 'pine', 70, -52, 3.1, 0.95 },
  { 'pine', 57, -55, 4.6, 1.05 }, { 'pine', 64, 33, 0.7, 1.0 }, { 'pine', 69, 40, 5.6, 0.9 },
    { 'pine', 66, 22, 2.0, 0.8 },
  { 'pine', -30, -86, 0.4, 1.0 }, { 'pine', -37, -80, 1.9, 1.1 }, { 'pine', -25, -94, 3.3, 0.95 },
    { 'pine', 21, -92, 4.9, 1.05 },
  { 'pine', 30, -86, 0.1, 0.9 }, { 'pine', -44, -88, 2.8, 1.0 }, { 'pine', -82, -40, 1.2, 1.1 },
    { 'pine', -88, -33, 2.4, 0.95 },
}

return M
