--- Fonts: TrueType or OpenType at a size in pixels.
local ffi = require('ffi')
local lib = require('thatch.lib')
local check = require('thatch.check')

local C = lib.C
local out = ffi.new('ThatchFont[1]')
local sizes = ffi.new('int32_t[2]')
local M = {}

---@class thatch.Font
---@field px integer
local Font = {}
Font.__index = Font

local FOLDERS = { '/usr/share/fonts/truetype/dejavu/', '/usr/share/fonts/TTF/', '/usr/share/fonts/dejavu-sans-fonts/' }

--- The file of DejaVu Sans, or of another of its family; nil when it is not installed.
---@param name? string 'DejaVuSans'
function M.find(name)
  for _, folder in ipairs(FOLDERS) do
    local path = folder .. (name or 'DejaVuSans') .. '.ttf'
    local file = io.open(path, 'rb')
    if file then
      file:close()
      return path
    end
  end
end

--- Opens a font; without a path, DejaVu Sans of the package fonts-dejavu-core. nil and a message when that fails.
---@param path string?
---@param px integer 4 to 256
---@return thatch.Font?
---@return string? message
function M.try_create(path, px)
  px = check.integer('font.create', 'px', px)
  path = path == nil and M.find() or path
  if path == nil then return nil, 'DejaVuSans.ttf is missing, install fonts-dejavu-core' end
  check.string('font.create', 'path', path)
  if C.thatch_font_create(path, px, out) ~= 0 then return nil, lib.last_error() end
  local id = out[0]
  return setmetatable({ id = id, px = px, owner = lib.owner(id, C.thatch_font_destroy) }, Font)
end

---@return thatch.Font
function M.create(path, px)
  local font, message = M.try_create(path, px)
  if not font then lib.fail('font.create: %s', message) end
  return font
end

---@param text string
---@return integer width
---@return integer height
function Font:measure(text)
  lib.check(C.thatch_font_measure(self.id, check.string('font:measure', 'text', text), sizes, sizes + 1))
  return sizes[0], sizes[1]
end

function Font:is_valid()
  return C.thatch_font_is_valid(self.id)
end

function Font:destroy()
  C.thatch_font_destroy(self.id)
  lib.disown(self.owner)
  self.owner = nil
end

function Font:__tostring()
  return ('thatch.Font(%08x, %d px)'):format(self.id, self.px)
end

M.Font = Font
return M
