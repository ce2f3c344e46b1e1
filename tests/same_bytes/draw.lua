--- Draws scenes at presets and prints a line for each, `scene preset hashes`, after checking that no number of threads,
--- no instruction set and no order of frames shows. Two builds, or two machines, must print the same lines.
---   thatch run tests/same_bytes/draw.lua [--full] [--scene NAME]
local thatch = require('thatch')
local driver = require('driver')

local WIDTH, HEIGHT = 210, 118
local full, only = false, nil
for i = 1, #arg do
  if arg[i] == '--full' then full = true end
  if arg[i] == '--scene' then only = arg[i + 1] end
end

-- Scenes; presets that are drawn always, and those that --full adds.
local PLAN = {
  { name = 'everything', path = thatch.root .. '/tests/same_bytes/everything.lua',
    presets = { 'low', 'medium', 'high', 'ultra' }, frames = { 0, 7, 30 } },
  { name = 'village', path = 'village', presets = { 'low', 'high' }, more = { 'medium', 'ultra' },
    frames = { 0, 430, 1100 } },
}
local THREADS = full and { 1, 2, 3, 7, 16 } or { 1, 3 }

local function say(...) io.stderr:write(string.format(...), '\n') end

local function new(scene, preset)
  return driver.new({ scene = scene.path, quality = preset, width = WIDTH, height = HEIGHT }):load()
end

local function draw(d, frames)
  local hashes = {}
  for _, number in ipairs(frames) do
    d:draw(number)
    hashes[#hashes + 1] = d.frame:hash()
  end
  return hashes
end

local function must_be(wanted, got, frames, what)
  for i, number in ipairs(frames) do
    if wanted[i] ~= got[i] then error(('%s: frame %d is %s, need %s'):format(what, number, got[i], wanted[i]), 0) end
  end
end

local function one(scene, preset)
  local d = new(scene, preset)
  local wanted = draw(d, scene.frames)
  for _, isa in ipairs(thatch.isas()) do
    for _, threads in ipairs(THREADS) do
      thatch.start({ threads = threads, isa = isa })
      must_be(wanted, draw(d, scene.frames), scene.frames,
        ('%s %s, %s with %d threads'):format(scene.name, preset, isa, threads))
    end
  end
  thatch.start()
  -- Back and forth, in sequence, and alone.
  local last = #scene.frames
  d:draw(scene.frames[last] + 5)
  for i = last, 1, -1 do
    for number = math.max(scene.frames[i] - 4, 0), scene.frames[i] do d:draw(number) end
    must_be({ wanted[i] }, { d.frame:hash() }, { scene.frames[i] }, scene.name .. ' ' .. preset .. ' in sequence')
  end
  local alone = new(scene, preset)
  must_be({ wanted[last] }, draw(alone, { scene.frames[last] }), { scene.frames[last] },
    scene.name .. ' ' .. preset .. ' alone')
  print(('%s %s %s'):format(scene.name, preset, table.concat(wanted, ' ')))
  io.stdout:flush()
end

for _, scene in ipairs(PLAN) do
  if not only or only == scene.name then
    for _, preset in ipairs(scene.presets) do one(scene, preset) end
    for _, preset in ipairs(full and scene.more or {}) do one(scene, preset) end
  end
end
say('%s: %s, threads %s', full and 'full' or 'short', table.concat(thatch.isas(), ' '), table.concat(THREADS, ' '))
