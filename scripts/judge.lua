--- Judges what a scene hands over, before it is used: one line that names the file, the thing, its value and the need.
local check = require('thatch.check')
local thatch = require('thatch')

local FAR = 1e9 -- metres
local NUMBER = 'a number -1e9 .. 1e9'
local M = {}

local function is_number(value)
  return type(value) == 'number' and value >= -FAR and value <= FAR -- nan is neither
end

local function is_vector(value)
  return type(value) == 'table' and is_number(value[1]) and is_number(value[2]) and is_number(value[3])
end

--- The beginning of a message. path: the file that hands the thing over; nil: none is known.
local function of(path)
  return path and path .. ': ' or ''
end

local function fail(path, thing, value, need)
  error(('%s%s is %s, need %s'):format(of(path), thing, check.show(value), need), 0)
end

--- A list's length; refuses what is no list.
local function list(path, thing, value)
  if value == nil then return 0 end
  if type(value) ~= 'table' then fail(path, thing, value, 'a table') end
  local n = #value
  for key in pairs(value) do
    if type(key) ~= 'number' or key < 1 or key > n or key % 1 ~= 0 then
      error(('%s%s has the key %s, need a list: 1, 2, 3, ...'):format(of(path), thing, check.show(key)), 0)
    end
  end
  return n
end

local function optional(path, thing, t, key, kind)
  if t[key] ~= nil and type(t[key]) ~= kind then fail(path, thing .. '.' .. key, t[key], 'a ' .. kind) end
end

local function numbers(path, thing, t, keys, may_lack)
  for _, key in ipairs(keys) do
    if not is_number(t[key]) and not (may_lack and t[key] == nil) then
      fail(path, thing .. '.' .. key, t[key], NUMBER)
    end
  end
end

local function whole(value, least, most)
  return type(value) == 'number' and value >= least and value <= most and value % 1 == 0
end

--- A scene's module.
---@param path string its file, said in messages
function M.module(path, scene)
  if type(scene) ~= 'table' then
    error(('%s: returns %s, need a table with load and update'):format(path, check.show(scene)), 0)
  end
  if type(scene.load) ~= 'function' then fail(path, 'load', scene.load, 'a function') end
  for _, key in ipairs({ 'update', 'walk', 'collide', 'act', 'quality_changed', 'unload' }) do
    if scene[key] ~= nil and type(scene[key]) ~= 'function' then fail(path, key, scene[key], 'a function') end
  end
  if scene.title ~= nil and type(scene.title) ~= 'string' then fail(path, 'title', scene.title, 'a string') end
  if scene.frames ~= nil and not whole(scene.frames, 1, 100000000) then
    fail(path, 'frames', scene.frames, 'a whole number 1 .. 100000000')
  end
  for i = 1, list(path, 'places', scene.places) do
    local place, thing = scene.places[i], ('places[%d]'):format(i)
    if type(place) ~= 'table' then fail(path, thing, place, 'a table') end
    if type(place.name) ~= 'string' then fail(path, thing .. '.name', place.name, 'a string') end
    if place.frame ~= nil and not whole(place.frame, 0, 100000000) then
      fail(path, thing .. '.frame', place.frame, 'a whole number 0 .. 100000000')
    end
    optional(path, thing, place, 'view', 'table')
    if place.hour ~= nil and not (is_number(place.hour) and place.hour >= 0 and place.hour <= 24) then
      fail(path, thing .. '.hour', place.hour, '0 .. 24')
    end
  end
end

--- What a scene's load returned.
function M.state(path, state)
  if type(state) ~= 'table' then
    error(('%s: load returns %s, need a table'):format(path, check.show(state)), 0)
  end
  M.alive(path, state, '')
  for _, key in ipairs({ 'shadow', 'resolve' }) do optional(path, 'state', state, key, 'table') end
  local shadow = state.shadow or {}
  if shadow.center ~= nil and not is_vector(shadow.center) then
    fail(path, 'state.shadow.center', shadow.center, 'a table of 3 numbers')
  end
  if shadow.radius ~= nil and not (is_number(shadow.radius) and shadow.radius > 0) then
    fail(path, 'state.shadow.radius', shadow.radius, 'a number above 0')
  end
end

local Scene, Camera = thatch.scene.Scene, thatch.camera.Camera

--- The scene and the camera that a frame is drawn of, after a function of the scene's.
---@param after string its name, with a colon behind it
function M.alive(path, state, after)
  local scene, camera = state.scene, state.camera
  if getmetatable(scene) ~= Scene then fail(path, after .. 'state.scene', scene, 'a thatch scene') end
  if getmetatable(camera) ~= Camera then fail(path, after .. 'state.camera', camera, 'a thatch camera') end
  if not scene:is_valid() then error(path .. ': ' .. after .. 'state.scene is stale, need a live one', 0) end
  if not camera:is_valid() then error(path .. ': ' .. after .. 'state.camera is stale, need a live one', 0) end
end

local SOLIDS = {
  boxes = { 'x', 'z', 'half_x', 'half_z', 'bottom', 'top' }, cylinders = { 'x', 'z', 'r', 'bottom', 'top' },
  floors = { 'x', 'z', 'half_x', 'half_z', 'y0' }, doors = { 'x', 'z', 'width' },
}
local MAY = { boxes = { 'yaw' }, cylinders = {}, floors = { 'yaw', 'y1' }, doors = { 'yaw', 'y', 'angle' } }

local function judge_solids(path, thing, items, kind)
  for i = 1, list(path, thing, items) do
    local item, name = items[i], ('%s[%d]'):format(thing, i)
    if type(item) ~= 'table' then fail(path, name, item, 'a table') end
    numbers(path, name, item, SOLIDS[kind])
    numbers(path, name, item, MAY[kind], true)
  end
end

--- The lists of what stops and carries a walker, as scripts/walk/collision.lua takes them.
---@param path string? whose they are
---@param world table
function M.solids(path, world)
  for _, kind in ipairs({ 'boxes', 'cylinders', 'floors', 'doors' }) do
    judge_solids(path, 'collide.' .. kind, world[kind], kind)
  end
end

--- What a scene's collide returned, as scripts/walk/collision.lua takes it: a world whose functions are judged at each
--- call; nil: there is none.
---@return table?
function M.world(path, world)
  if world == nil then return nil end
  if type(world) ~= 'table' then
    error(('%s: collide returns %s, need a table or nil'):format(path, check.show(world)), 0)
  end
  for _, key in ipairs({ 'height', 'moving' }) do optional(path, 'collide', world, key, 'function') end
  M.solids(path, world)
  for i = 1, list(path, 'collide.people', world.people) do
    local thing = ('collide.people[%d]'):format(i)
    if type(world.people[i]) ~= 'table' then fail(path, thing, world.people[i], 'a table') end
    numbers(path, thing, world.people[i], { 'x', 'y', 'z' }, true)
  end
  for _, key in ipairs({ 'start', 'water' }) do optional(path, 'collide', world, key, 'table') end
  if world.start then
    numbers(path, 'collide.start', world.start, { 'x', 'z', 'y', 'yaw' }, true)
  end
  if world.water then
    numbers(path, 'collide.water', world.water, { 'level' })
    numbers(path, 'collide.water', world.water, { 'depth_max' }, true)
  end
  local judged, height, moving = setmetatable({}, { __index = world }), world.height, world.moving
  if height then
    function judged.height(x, z)
      local y = height(x, z)
      if not is_number(y) then fail(path, 'collide.height(x, z)', y, NUMBER) end
      return y
    end
  end
  if moving then
    function judged.moving()
      local movers = moving()
      if type(movers) ~= 'table' then fail(path, 'collide.moving()', movers, 'a table') end
      for i = 1, #movers do
        local m = movers[i]
        if type(m) ~= 'table' or not (is_number(m.x) and is_number(m.z) and is_number(m.r) and is_number(m.bottom)
            and is_number(m.top)) then
          judge_solids(path, 'collide.moving()', movers, 'cylinders')
        end
      end
      return movers
    end
  end
  return judged
end

return M
