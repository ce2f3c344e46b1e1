---@meta
-- luacheck: ignore
--- Types of what lives in the runtime, for editors that read LuaLS annotations.

---@alias thatch.Floats number[]|thatch.Buffer|ffi.cdata*
---@alias thatch.Indices integer[]|thatch.Buffer|ffi.cdata*

---@class thatch.GeometryOptions
---@field positions thatch.Floats x y z a vertex, metres
---@field indices thatch.Indices three a triangle, counter-clockwise is the front
---@field normals? thatch.Floats x y z a vertex, unit; found from the triangles when left out
---@field uvs? thatch.Floats u v a vertex
---@field colors? thatch.Floats linear r g b a a vertex, 0..1
---@field baked_sun? thatch.Floats one a vertex, 0..1
---@field baked_sky? thatch.Floats one a vertex, 0..1
---@field sway? thatch.Floats one a vertex, 0..1
---@field spread? thatch.Floats x y z a vertex: offset from the middle of its leaf or blade
---@field joints? thatch.Indices four a vertex, bytes
---@field weights? thatch.Floats four a vertex, sum 1
---@field joint_count? integer
---@field item_triangles? integer triangles of one leaf or blade: any prefix of items is a level of detail
---@field item_vertices? integer
---@field blades? boolean items are blades of grass
---@field vertex_count? integer needed with bare pointers
---@field index_count? integer needed with bare pointers

---@class thatch.GeometryInfo
---@field vertex_count integer
---@field triangle_count integer
---@field item_triangles integer
---@field joint_count integer
---@field version integer
---@field min number[]
---@field max number[]
---@field center number[]
---@field radius number
---@field has_sway boolean
---@field has_spread boolean
---@field blades boolean

---@class thatch.Geometry
---@field id integer
local Geometry = {}
---@param options thatch.GeometryOptions
function Geometry:replace(options) end
---@param positions number[]|thatch.Buffer|ffi.cdata* xyz of each vertex, as many as at create
---@param normals? number[]|thatch.Buffer|ffi.cdata*
---@param vertex_count? integer
function Geometry:move(positions, normals, vertex_count) end
---@return thatch.GeometryInfo
function Geometry:info() end
---@return boolean
function Geometry:is_valid() end
function Geometry:destroy() end

---@class thatch.geometry
local geometry = {}
---@param options thatch.GeometryOptions
---@return thatch.Geometry
function geometry.create(options) end

---@class thatch.Buffer
---@field data ffi.cdata*
---@field n integer
---@field kind 'float'|'u32'|'bytes'
local Buffer = {}
---@param a number
---@param ... number
function Buffer:push(a, ...) end
---@param n integer
function Buffer:reserve(n) end
---@param n integer
function Buffer:resize(n) end
function Buffer:clear() end
---@return number[]
function Buffer:to_table() end

---@class thatch.buffer
local buffer = {}
---@param n? integer
---@return thatch.Buffer
function buffer.floats(n) end
---@param n? integer
---@return thatch.Buffer
function buffer.u32(n) end
---@param n? integer
---@return thatch.Buffer
function buffer.bytes(n) end
