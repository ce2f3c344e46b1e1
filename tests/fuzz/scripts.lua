--- Bent quality tables, scenes and pipelines: ./thatch run tests/fuzz/scripts.lua SECONDS SEED. Each ends in a picture
--- or in a mistake with a place that can be told. The same seed bends the same way.
local driver = require('driver')
local mistake = require('mistake')
local thatch = require('thatch')

local seconds, seed = tonumber((...)) or 5, tonumber((select(2, ...))) or 1
local counter = 0
local MOST_STEPS = 2000000 -- of Lua, a run: a loop that has lost its end

local function random(n)
  counter = counter + 1
  return math.floor(thatch.math.random(seed, counter, 3) * n) + 1
end

local function pick(list) return list[random(#list)] end

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('*a')
  file:close()
  return text
end

local GAME = read(thatch.root .. '/scripts/pipelines/game.lua')
local SCENE = [[
local thatch = require('thatch')
local M = { title = 'bent', frames = 8 }
function M.load(ctx)
  ctx.progress(0.5, 'walls')
  local scene, camera = thatch.scene.create(), thatch.camera.create()
  camera:perspective({ fov = 1, near = 0.1, far = 100 })
  local wall = thatch.geometry.create({ positions = { -1, 0, 0, 1, 0, 0, 1, 2, 0 }, uvs = { 0, 0, 1, 0, 1, 1 },
    indices = { 0, 1, 2 } })
  local paint = thatch.material.create({ color = { 0.7, 0.3, 0.2 }, roughness = 0.5, two_sided = true })
  local node = scene:node({ position = { 0, 1, -2 }, name = 'wall' })
  scene:mesh({ geometry = wall, material = paint, node = node })
  scene:light({ kind = 'directional', direction = { 0.3, 1, 0.5 }, intensity = 2.5 })
  scene:set_background({ 0.3, 0.5, 0.9 })
  scene:set_moving({ node })
  return { scene = scene, camera = camera, node = node, shadow = { center = { 0, 0, 0 }, radius = 8 } }
end
function M.update(state, number, time_s) state.node:set_rotation_y(time_s + number) end
function M.walk(state, number) return { eye = { number * 0.02, 1.6, 4 }, target = { 0, 0.8, 0 } } end
return M
]]
local TOKENS = {
  'nil', '0', '-1', '1e308', '(0/0)', '(1/0)', '2147483648', '0.5', "'x'", '{}', 'true', 'error()', 'error({})',
  'function() end', 'thatch', 'state', 'frame', 'scene', '()', '.x', ':x()', '=', 'end', 'then', '"', '[[', '--', ',',
  '}', '(', 'return', 'local', '..', '#', 'print', 'coroutine.yield()', 'setmetatable({}, { __index = error })',
}

--- A text with some of its words changed, dropped, doubled or swapped.
local function bend(text)
  local pieces = {}
  for space, word, rest in text:gmatch('(%s*)([%w_]*)([^%w_%s]*)') do
    pieces[#pieces + 1] = space
    if word ~= '' then pieces[#pieces + 1] = word end
    if rest ~= '' then pieces[#pieces + 1] = rest end
  end
  for _ = 1, random(3) do
    local at, how = random(#pieces), random(5)
    if how == 1 then pieces[at] = ''
    elseif how == 2 then pieces[at] = pieces[at] .. ' ' .. pick(TOKENS)
    elseif how == 3 then pieces[at] = pick(TOKENS)
    elseif how == 4 then pieces[at] = pick(pieces)
    else pieces[at] = pieces[at] .. pieces[at] end
  end
  local bent = table.concat(pieces)
  return random(20) == 1 and bent:sub(1, random(#bent)) or bent
end

local name = os.tmpname()
local scene_path, pipeline_path, quality_path = name .. '.scene.lua', name .. '.pipeline.lua', name .. '.quality.lua'

local function write(path, text)
  local file = assert(io.open(path, 'wb'))
  file:write(text)
  file:close()
end

--- A quality table of some of a preset's keys, some of them wrong.
local function quality_text()
  local rows, base = {}, thatch.quality.load(pick({ 'low', 'medium', 'high', 'ultra' }))
  local keys = {}
  for key in pairs(base) do keys[#keys + 1] = key end
  table.sort(keys)
  for _ = 1, random(6) - 1 do
    local key, value = pick(keys), base[pick(keys)]
    if random(2) == 1 then value = pick(TOKENS) elseif type(value) == 'string' then value = ('%q'):format(value) end
    rows[#rows + 1] = ('  %s = %s,'):format(random(12) == 1 and key .. 'x' or key, tostring(value))
  end
  return ("return {\n  base = '%s',\n%s\n}\n"):format(pick({ 'low', 'high', 'lo' }), table.concat(rows, '\n'))
end

local findings = 0
local function finding(what, ...)
  findings = findings + 1
  local kept = ('%s.finding%d.lua'):format(name, findings)
  write(kept, table.concat({ ... }, '\n-- next file\n'))
  io.stderr:write(('scripts: %s; seed %d, kept as %s\n'):format(what, seed, kept))
end

local no_print = print
_G.print = function() end
local run, told, drawn = 0, 0, 0
local ends = thatch.clock() + seconds
while thatch.clock() < ends do
  local texts = { SCENE, GAME, "return { base = 'low' }\n" }
  local which = random(4)
  if which == 4 then texts = { bend(SCENE), bend(GAME), quality_text() }
  else texts[which] = which == 3 and quality_text() or bend(texts[which]) end
  write(scene_path, texts[1])
  write(pipeline_path, texts[2])
  write(quality_path, texts[3])
  jit.off() -- compiled code does not count
  debug.sethook(function() error('a loop does not end', 2) end, '', MOST_STEPS)
  local made
  local ok, problem = mistake.guard(function()
    made = driver.new({ scene = scene_path, pipeline = pipeline_path, quality = quality_path, width = 33, height = 17 })
    made:load()
    for number = 0, 2 do made:draw(number) end
  end)
  debug.sethook()
  driver.beat(nil)
  run = run + 1
  if ok then
    drawn = drawn + 1
  else
    told = told + 1
    local told_ok, report = pcall(problem.report, problem)
    if not told_ok then finding('a mistake that can not be told: ' .. tostring(report), unpack(texts))
    elseif #report < 5 or #report > 12000 then finding('a report of ' .. #report .. ' bytes', unpack(texts))
    elseif (problem.path or ''):find('bindings/thatch/', 1, true) then
      finding('it points into the bindings: ' .. problem.message, unpack(texts))
    end
  end
  if made and made.frame then made.frame:destroy() end
  if made and made.state and made.state.scene then pcall(made.state.scene.destroy, made.state.scene) end
  if run % 50 == 0 then collectgarbage() end
end
_G.print = no_print
for _, path in ipairs({ name, scene_path, pipeline_path, quality_path }) do os.remove(path) end
print(('scripts: %d bent, %d drawn, %d told, %d findings'):format(run, drawn, told, findings))
return findings > 0 and 1 or 0
