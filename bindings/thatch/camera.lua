--- Cameras. A camera looks down its own -z; the aspect is the frame's.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C
local out = ffi.new('ThatchCamera[1]')
local eye3, target3, up3 = ffi.new('float[3]'), ffi.new('float[3]'), ffi.new('float[3]')
local matrix = ffi.new('float[16]')
local M = {}

---@class thatch.Camera
---@field fov number vertical, radians
---@field near number
---@field far number
local Camera = {}
Camera.__index = Camera

local PERSPECTIVE_KEYS = check.set('fov near far')
local ORTHOGRAPHIC_KEYS = check.set('height near far')

--- Perspective of 60 degrees at the origin, layers 1.
---@return thatch.Camera
function M.create()
  lib.check(C.thatch_camera_create(out))
  local id = out[0]
  return setmetatable({
    id = id, owner = lib.owner(id, C.thatch_camera_destroy), fov = 1.0471975511965976, near = 0.1, far = 1000,
  }, Camera)
end

---@param options { fov?: number, near?: number, far?: number } fov vertical, in radians; what is left out stays
function Camera:perspective(options)
  local where = 'camera:perspective'
  check.options(where, options, PERSPECTIVE_KEYS)
  local fov = check.number(where, 'fov', options.fov, self.fov)
  local near = check.number(where, 'near', options.near, self.near)
  local far = check.number(where, 'far', options.far, self.far)
  lib.check(C.thatch_camera_set_perspective(self.id, fov, near, far))
  self.fov, self.near, self.far = fov, near, far
end

---@param options { height: number, near?: number, far?: number } height of the view, in metres
function Camera:orthographic(options)
  local where = 'camera:orthographic'
  check.options(where, options, ORTHOGRAPHIC_KEYS)
  local near = check.number(where, 'near', options.near, self.near)
  local far = check.number(where, 'far', options.far, self.far)
  lib.check(C.thatch_camera_set_orthographic(self.id, check.number(where, 'height', options.height), near, far))
  self.near, self.far = near, far
end

---@param eye number[]
---@param target number[]
---@param up? number[] 0 1 0
function Camera:look(eye, target, up)
  check.vector('camera:look', 'eye', eye, 3, eye3)
  check.vector('camera:look', 'target', target, 3, target3)
  if up ~= nil then
    check.vector('camera:look', 'up', up, 3, up3)
  else
    up3[0], up3[1], up3[2] = 0, 1, 0
  end
  lib.check(C.thatch_camera_look(self.id, eye3, target3, up3))
end

--- One's own clip matrix: view-projection, column-major, GL clip space.
---@param view_proj number[]|ffi.cdata*
---@param eye number[]
---@param near number
---@param far number
function Camera:set_matrix(view_proj, eye, near, far)
  local where = 'camera:set_matrix'
  local pointer
  if type(view_proj) == 'table' and view_proj.data == nil then
    pointer = check.vector(where, 'view_proj', view_proj, 16, matrix)
  else
    local count
    pointer, count = check.array(where, 'view_proj', view_proj, 'float')
    if count and count < 16 then lib.fail('%s: view_proj has %d values, need 16', where, count) end
  end
  check.vector(where, 'eye', eye, 3, eye3)
  near, far = check.number(where, 'near', near, self.near), check.number(where, 'far', far, self.far)
  lib.check(C.thatch_camera_set_matrix(self.id, pointer, eye3, near, far))
  self.near, self.far = near, far
end

--- Bits; a mesh is drawn when it has one of them.
function Camera:set_layers(bits)
  lib.check(C.thatch_camera_set_layers(self.id, check.bits('camera:set_layers', 'layers', bits)))
end

function Camera:is_valid()
  return C.thatch_camera_is_valid(self.id)
end

function Camera:destroy()
  C.thatch_camera_destroy(self.id)
  lib.disown(self.owner)
  self.owner = nil
end

function Camera:__tostring()
  return ('thatch.Camera(%08x)'):format(self.id)
end

M.Camera = Camera
return M
