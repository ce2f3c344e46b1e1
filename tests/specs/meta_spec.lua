local thatch = require('thatch')
local support = require('tests.specs.support')

local MODULES = { 'buffer', 'geometry', 'texture', 'material', 'shading', 'scene', 'camera', 'water', 'quality',
  'frame', 'image', 'font', 'draw', 'window', 'hash', 'models' }

describe('meta', function()
  local text = ''
  for _, name in ipairs({ 'thatch', 'geometry', 'material', 'scene', 'frame', 'window', 'models' }) do
    text = text .. support.read(thatch.root .. '/bindings/meta/' .. name .. '.lua')
  end

  it('has every function of every module', function()
    for _, name in ipairs(MODULES) do
      for key, value in pairs(thatch[name]) do
        if type(value) == 'function' and not (name == 'scene' and key == 'ids') and key ~= 'hex' then
          assert.is_truthy(text:find(('function %s.%s('):format(name, key), 1, true), name .. '.' .. key)
        end
      end
    end
    for key, value in pairs(thatch.math) do
      if type(value) == 'function' then
        assert.is_truthy(text:find('---@field ' .. key .. ' fun', 1, true), 'math.' .. key)
      end
    end
    for key, value in pairs(thatch) do
      if type(value) == 'function' then
        assert.is_truthy(text:find('function thatch.' .. key .. '(', 1, true), key)
      end
    end
  end)

  it('has every method of every class', function()
    local classes = {
      Geometry = thatch.geometry.Geometry, Texture = thatch.texture.Texture, Material = thatch.material.Material,
      Scene = thatch.scene.Scene, Camera = thatch.camera.Camera, Water = thatch.water.Water,
      Frame = thatch.frame.Frame, Font = thatch.font.Font, Window = thatch.window.Window,
      Buffer = thatch.buffer.Buffer, Node = require('thatch.node').Node, Mesh = require('thatch.mesh').Mesh,
      Light = require('thatch.light').Light, Model = thatch.models.Model, Instance = thatch.models.Instance,
    }
    for name, class in pairs(classes) do
      for key, value in pairs(class) do
        if type(value) == 'function' and not key:find('^__') and not key:find('^forget_[mld]') then
          assert.is_truthy(text:find(('function %s:%s('):format(name, key), 1, true), name .. ':' .. key)
        end
      end
    end
  end)
end)
