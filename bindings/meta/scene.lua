---@meta
-- luacheck: ignore

---@class thatch.NodeOptions
---@field parent? thatch.Node
---@field name? string
---@field position? number[]
---@field rotation? number[] quaternion x y z w
---@field scale? number|number[]
---@field matrix? number[]|ffi.cdata* 16, column-major

---@class thatch.Node
---@field id integer
---@field scene thatch.Scene
local Node = {}
---@param options { position?: number[], rotation?: number[], scale?: number|number[] }
function Node:set_transform(options) end
---@param x number
---@param y number
---@param z number
function Node:set_position(x, y, z) end
---@param radians number
function Node:set_rotation_y(radians) end
--- Place, turn about the y axis and size at once, without a table: for what moves in each frame.
---@param x number
---@param y number
---@param z number
---@param yaw number radians
---@param size? number 1 when left out
function Node:set_pose(x, y, z, yaw, size) end
---@param matrix number[]|ffi.cdata*
function Node:set_matrix(matrix) end
---@param visible boolean
function Node:set_visible(visible) end
---@param parent thatch.Node?
function Node:set_parent(parent) end
---@return number[]
function Node:world() end
---@return boolean
function Node:is_valid() end
function Node:destroy() end

---@class thatch.MeshOptions
---@field geometry thatch.Geometry
---@field material thatch.Material
---@field node thatch.Node
---@field layers? integer bits
---@field tint? thatch.Color
---@field casts_shadow? boolean
---@field receives_shadow? boolean
---@field draw_distance? number metres
---@field near_distance? number metres
---@field item_size? number metres; thinned so that one item covers about detail_px
---@field item_share_min? number
---@field item_grow_max? number

---@class thatch.Mesh
---@field id integer
---@field geometry thatch.Geometry
---@field material thatch.Material
local Mesh = {}
---@param geometry thatch.Geometry
function Mesh:set_geometry(geometry) end
---@param material thatch.Material
function Mesh:set_material(material) end
---@param visible boolean
function Mesh:set_visible(visible) end
---@param bits integer
function Mesh:set_layers(bits) end
---@param color thatch.Color
function Mesh:set_tint(color) end
---@param matrices number[]|thatch.Buffer|ffi.cdata*
---@param count? integer
function Mesh:set_joints(matrices, count) end
---@return boolean
function Mesh:is_valid() end
function Mesh:destroy() end

---@class thatch.LightOptions
---@field kind? 'ambient'|'hemisphere'|'directional'|'point'|'spot'
---@field color? thatch.Color
---@field ground_color? thatch.Color hemisphere
---@field intensity? number as in three.js: a lambert surface gives back a pi-th
---@field direction? number[] towards the light; of a spot, against its beam
---@field position? number[]
---@field distance? number metres
---@field angle? number of a spot: radians from the middle of its beam to the edge, 0.001 .. pi / 2; pi / 3
---@field penumbra? number of a spot: the share of the beam, from its edge on, over which it fades in: 0..1; 0
---@field casts_shadow? boolean
---@field sun_group? integer
---@field name? string

---@class thatch.Light
---@field id integer
local Light = {}
---@param options thatch.LightOptions
function Light:set(options) end
---@return boolean
function Light:is_valid() end
function Light:destroy() end

---@class thatch.FogOptions
---@field color thatch.Color
---@field density number
---@field sun_color? thatch.Color
---@field sun_share? number 0..1

---@class thatch.Scene
---@field id integer
local Scene = {}
---@param options? thatch.NodeOptions
---@return thatch.Node
function Scene:node(options) end
---@param options thatch.MeshOptions
---@return thatch.Mesh
function Scene:mesh(options) end
---@param options thatch.LightOptions
---@return thatch.Light
function Scene:light(options) end
---@param nodes thatch.Node[]|ffi.cdata*
---@param matrices number[]|thatch.Buffer|ffi.cdata*
---@param count? integer
function Scene:set_matrices(nodes, matrices, count) end
---@param options thatch.FogOptions?
function Scene:set_fog(options) end
---@param background thatch.Color|thatch.Texture
---@param intensity? number
function Scene:set_background(background, intensity) end
---@param dir_x number
---@param dir_z number
---@param strength number 0..4
function Scene:set_wind(dir_x, dir_z, strength) end
---@param nodes thatch.Node[]|ffi.cdata*
function Scene:set_moving(nodes) end
---@return boolean
function Scene:is_valid() end
function Scene:destroy() end

---@class thatch.scene
local scene = {}
---@return thatch.Scene
function scene.create() end

---@class thatch.Camera
---@field id integer
---@field fov number
---@field near number
---@field far number
local Camera = {}
---@param options { fov?: number, near?: number, far?: number }
function Camera:perspective(options) end
---@param options { height: number, near?: number, far?: number }
function Camera:orthographic(options) end
---@param eye number[]
---@param target number[]
---@param up? number[]
function Camera:look(eye, target, up) end
---@param view_proj number[]|ffi.cdata*
---@param eye number[]
---@param near? number
---@param far? number
function Camera:set_matrix(view_proj, eye, near, far) end
---@param bits integer
function Camera:set_layers(bits) end
---@return boolean
function Camera:is_valid() end
function Camera:destroy() end

---@class thatch.camera
local camera = {}
---@return thatch.Camera
function camera.create() end

---@class thatch.WaterOptions
---@field level? number metres
---@field min? number[] x z
---@field max? number[] x z
---@field wave_height? number
---@field patch? number
---@field wind? number[]
---@field deep_color? thatch.Color
---@field absorption? number[] a metre
---@field caustics? number
---@field foam? number
---@field glint? number
---@field seed? integer

---@class thatch.Water
---@field id integer
local Water = {}
---@param options thatch.WaterOptions
function Water:set(options) end
---@param rings number[]|thatch.Buffer|ffi.cdata* x z birth strength, four a ring
function Water:set_rings(rings) end
---@return boolean
function Water:is_valid() end
function Water:destroy() end

---@class thatch.water
local water = {}
---@param options thatch.WaterOptions
---@return thatch.Water
function water.create(options) end
