--- The walker's figure, seen in third person: a few round limbs that swing with the stride. It casts no shadow, since
--- the scene alone says what moves in its shadow maps.
local maths = require('thatch.math')
local thatch = require('thatch')

local SIDES = 10
local STRIDE = 0.74 -- metres a step
local M = {}

---@class Avatar
local Avatar = {}
Avatar.__index = Avatar

--- A round limb along y: rings of { height, radius }, closed at both ends.
local function limb(rings)
  local positions, indices = thatch.buffer.floats(), thatch.buffer.u32()
  for _, ring in ipairs(rings) do
    for k = 0, SIDES - 1 do
      local angle = k / SIDES * 2 * maths.pi
      positions:push(maths.cos(angle) * ring[2], ring[1], maths.sin(angle) * ring[2] * (ring[3] or 1))
    end
  end
  for r = 0, #rings - 2 do
    for k = 0, SIDES - 1 do
      local a, b = r * SIDES + k, r * SIDES + (k + 1) % SIDES
      indices:push(a, a + SIDES, b + SIDES)
      indices:push(a, b + SIDES, b)
    end
  end
  for k = 1, SIDES - 2 do
    local top = (#rings - 1) * SIDES
    indices:push(0, k, k + 1)
    indices:push(top, top + k + 1, top + k)
  end
  return thatch.geometry.create({ positions = positions, indices = indices })
end

local LEG = { { -0.86, 0.05 }, { -0.8, 0.075 }, { -0.45, 0.065 }, { -0.1, 0.1 }, { 0, 0.085 } }
local ARM = { { -0.62, 0.03 }, { -0.56, 0.045 }, { -0.3, 0.045 }, { -0.04, 0.065 }, { 0.02, 0.04 } }
local BODY = { { 0.8, 0.13, 0.8 }, { 0.95, 0.17, 0.75 }, { 1.1, 0.155, 0.75 }, { 1.35, 0.205, 0.65 },
  { 1.44, 0.15, 0.6 }, { 1.5, 0.06 } }
local HEAD = { { 1.48, 0.05 }, { 1.53, 0.075 }, { 1.6, 0.1 }, { 1.67, 0.1 }, { 1.73, 0.07 }, { 1.755, 0.02 } }
local HAT = { { 1.66, 0.19 }, { 1.675, 0.185 }, { 1.68, 0.115 }, { 1.76, 0.1 }, { 1.78, 0.05 } }

--- Puts a figure into a scene, hidden at first.
---@param scene thatch.Scene
---@return Avatar
function M.new(scene)
  local root = scene:node({ name = 'walker' })
  root:set_visible(false)
  local function part(rings, color, parent, position)
    local node = scene:node({ parent = parent, position = position })
    scene:mesh({
      geometry = limb(rings), material = thatch.material.create({ color = maths.srgb(color) }), node = node,
      casts_shadow = false,
    })
    return node
  end
  part(BODY, '#3E5A76', root)
  part(HEAD, '#C99873', root)
  part(HAT, '#8A6A3A', root)
  return setmetatable({
    root = root, shown = false,
    legs = { part(LEG, '#5A4632', root, { -0.1, 0.86, 0 }), part(LEG, '#5A4632', root, { 0.1, 0.86, 0 }) },
    arms = { part(ARM, '#3E5A76', root, { -0.215, 1.38, 0 }), part(ARM, '#3E5A76', root, { 0.215, 1.38, 0 }) },
  }, Avatar)
end

local function swing(node, angle)
  node:set_transform({ rotation = maths.quat.from_axis({ 1, 0, 0 }, angle) })
end

--- Stands where the body stands, in the midst of its stride.
---@param body Player
function Avatar:update(body)
  local shown = body.third_person == true and not body.hidden
  if shown ~= self.shown then
    self.root:set_visible(shown)
    self.shown = shown
  end
  if not shown then return end
  self.root:set_position(body.shown_x or body.x, body.shown_y or body.y, body.shown_z or body.z)
  self.root:set_rotation_y(-body.yaw)
  local pace = maths.clamp((body.moved or 0) * 120 / 4.5, 0, 1)
  local angle = maths.sin((body.stride or 0) / STRIDE * maths.pi) * (pace > 0.01 and 0.25 + 0.5 * pace or 0)
  swing(self.legs[1], angle)
  swing(self.legs[2], -angle)
  swing(self.arms[1], -angle * 0.8)
  swing(self.arms[2], angle * 0.8)
end

function Avatar:destroy()
  self.root:destroy()
end

return M
