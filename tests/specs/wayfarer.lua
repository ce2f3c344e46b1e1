--- A bot for the walk: follows the village's own ways by pressing keys, and the rooms that it is to reach.
local keys = require('walk.keys')
local maths = require('thatch.math')

local M = {}

local function interval(a, b) return { a, b } end

--- The rooms of a plan: { name, x range, z range, storey } in the house's own space.
local rooms = {}

function rooms.cottage(w, d)
  local part = w * 0.17
  return { { 'parlour', interval(-w / 2, part), interval(-d / 2, d / 2) },
    { 'bedroom', interval(part, w / 2), interval(-d / 2, d / 2) } }
end

function rooms.house(w, d)
  return { { 'hall', interval(-w / 2, 0), interval(-d / 2, d / 2) },
    { 'table', interval(0, w / 2), interval(0, d / 2) },
    { 'upper west', interval(-w / 2, -w * 0.1), interval(-d / 2, d / 2), 1 },
    { 'upper east', interval(w * 0.1, w / 2), interval(0, d / 2), 1 } }
end
rooms.jettied = rooms.house

function rooms.long(w, d)
  return { { 'parlour', interval(-w / 2, w * 0.06), interval(-d / 2, d / 2) },
    { 'store', interval(w * 0.06, w * 0.27), interval(-d / 2, d / 2) },
    { 'bedroom', interval(w * 0.27, w / 2), interval(-d / 2, d / 2) } }
end

function rooms.corner(w, d)
  return { { 'parlour', interval(-w / 2, w * 0.02), interval(-d / 2, d / 2) },
    { 'east room', interval(w * 0.02, w / 2), interval(-d / 2, d / 2) },
    { 'wing', interval(w / 2 - 4.4, w / 2), interval(-d / 2 - 4.2, -d / 2 - 0.4) } }
end

function rooms.barn(w, d)
  return { { 'threshing floor', interval(-1.5, 1.5), interval(-d / 2, d / 2) },
    { 'below the loft', interval(-w / 2, -w / 2 + 4), interval(-d / 2, d / 2) },
    { 'stalls', interval(w / 2 - 4.5, w / 2), interval(-d / 2, d / 2) } }
end

function rooms.stable(w, d)
  return { { 'stalls', interval(-w / 2, w / 2), interval(-d / 2, d / 2) } }
end

--- Where a bot is to go in a house, nearest free place to each room's middle: { name, x, y, z, inside(x, y, z) }.
---@param ways village.Ways
---@param entry table of state.buildings
function M.targets(ways, entry)
  local h, b = entry.house, entry.building
  local list = {}
  for _, room in ipairs(rooms[h.plan](h.w, h.d)) do
    local name, xs, zs, storey = room[1], room[2], room[3], room[4]
    local y = h.y + (storey and b.stair_at.y1 or 0.16)
    local best, best_d
    for x = xs[1] + 0.6, xs[2] - 0.6, 0.1 do
      for z = zs[1] + 0.6, zs[2] - 0.6, 0.1 do
        local mx, mz = x - (xs[1] + xs[2]) / 2, z - (zs[1] + zs[2]) / 2
        local d = mx * mx + mz * mz
        local wx, wz = entry.world(x, z)
        if (not best_d or d < best_d) and ways:free(wx, wz, storey and y or nil, 0.33) then
          best, best_d = { name = name, x = wx, y = y, z = wz }, d
        end
      end
    end
    if not best then error(h.name .. ': nowhere to stand in the ' .. name) end
    best.inside = function(px, py, pz)
      local dx, dz = px - h.x, pz - h.z
      local lx, lz = dx * h.c - dz * h.s, dx * h.s + dz * h.c
      return lx > xs[1] and lx < xs[2] and lz > zs[1] and lz < zs[2] and maths.abs(py - y) < 0.3
    end
    list[#list + 1] = best
  end
  return list
end

--- A place before the front door, on the ground.
function M.before_door(ways, state, name)
  local door
  for _, d in ipairs(state.doors) do
    if d.name == name and not door then door = d end
  end
  local c, s = maths.cos(door.yaw), maths.sin(door.yaw)
  local half = door.group:find('gate') and door.width or door.width / 2
  for far = 2.2, 6, 0.3 do
    local x, z = door.x + c * half + s * far, door.z - s * half + c * far
    if ways:free(x, z, nil, 0.33) then return { name = 'outside', x = x, y = ways.world.height(x, z), z = z } end
  end
  error(name .. ': no place before its door')
end

---@class Wayfarer
local Wayfarer = {}
Wayfarer.__index = Wayfarer

--- Follows a way; `send(event)` takes what it presses.
function M.new(way, send)
  return setmetatable({ way = way, send = send, i = 1, held = false, use_s = 0 }, Wayfarer)
end

local function wrap(a) return a - maths.floor(a / (2 * maths.pi) + 0.5) * 2 * maths.pi end

local function hold(self, on)
  if on == self.held then return end
  self.held = on
  self.send({ kind = on and 'key_down' or 'key_up', key = 'W' })
end

--- Looks at where the walker is, turns him and presses keys; true at the way's end.
---@param walk Walk
function Wayfarer:steer(walk, dt)
  local body, way = walk.body, self.way
  while self.i < way.count do
    local dx, dz = way.xs[self.i] - body.x, way.zs[self.i] - body.z
    if dx * dx + dz * dz > 0.35 * 0.35 then break end
    self.i = self.i + 1
  end
  local dx, dz = way.xs[self.i] - body.x, way.zs[self.i] - body.z
  if self.i == way.count and dx * dx + dz * dz < 0.09 then
    hold(self, false)
    return true
  end
  local off = wrap(maths.atan2(dx, -dz) - body.yaw)
  local most = 4 * dt
  self.send({ kind = 'mouse_move', x = maths.clamp(off, -most, most) / keys.mouse_speed, y = 0 })
  hold(self, maths.abs(off) < 0.7)
  self.use_s = maths.max(0, self.use_s - dt)
  local door = walk:near_door()
  if door and door.target == 0 and self.use_s == 0 and self:passes(door) then
    self.send({ kind = 'key_down', key = 'E' })
    self.send({ kind = 'key_up', key = 'E' })
    self.use_s = 1
  end
  return false
end

--- Does the way lead through a door soon?
function Wayfarer:passes(door)
  local c, s = maths.cos(door.yaw), maths.sin(door.yaw)
  local mx, mz = door.x + c * door.width / 2, door.z - s * door.width / 2
  for i = self.i, maths.min(self.way.count, self.i + 9) do
    local dx, dz = self.way.xs[i] - mx, self.way.zs[i] - mz
    if dx * dx + dz * dz < (door.width * door.width) then return true end
  end
  return false
end

return M
