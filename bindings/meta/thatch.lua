---@meta
-- luacheck: ignore

---@class thatch
---@field buffer thatch.buffer
---@field geometry thatch.geometry
---@field texture thatch.texture
---@field material thatch.material
---@field shading thatch.shading
---@field scene thatch.scene
---@field camera thatch.camera
---@field water thatch.water
---@field quality thatch.quality
---@field frame thatch.frame
---@field image thatch.image
---@field font thatch.font
---@field draw thatch.draw
---@field window thatch.window
---@field math thatch.math
---@field hash thatch.hash
---@field models thatch.models
---@field root string
local thatch = {}
---@param options? { threads?: integer, isa?: 'plain'|'sse2'|'avx2'|'avx512' }
function thatch.start(options) end
---@return integer
function thatch.threads() end
---@return string
function thatch.isa() end
---@return string[]
function thatch.isas() end
---@return string
function thatch.cpu() end
---@return number seconds
function thatch.clock() end
---@return integer
function thatch.allocation_count() end
---@return integer
function thatch.memory_bytes() end
---@return number
function thatch.lua_bytes() end
---@param nth integer
function thatch.fail_allocation(nth) end

---@class thatch.Hash
local Hash = {}
---@param bytes string|ffi.cdata*
---@param count? integer
function Hash:add(bytes, count) end
---@return string
function Hash:finish() end

---@class thatch.hash
local hash = {}
---@return thatch.Hash
function hash.begin() end
---@param bytes string
---@return string
function hash.bytes(bytes) end

---@alias thatch.Vec3 number[]
---@alias thatch.Quat number[]
---@alias thatch.Mat4 number[]

---@class thatch.math
---@field pi number
---@field huge number
---@field sqrt fun(x: number): number
---@field floor fun(x: number): integer
---@field ceil fun(x: number): integer
---@field abs fun(x: number): number
---@field min fun(x: number, ...: number): number
---@field max fun(x: number, ...: number): number
---@field sin fun(x: number): number
---@field cos fun(x: number): number
---@field tan fun(x: number): number
---@field exp fun(x: number): number
---@field log fun(x: number): number
---@field pow fun(x: number, y: number): number
---@field atan fun(x: number): number
---@field atan2 fun(y: number, x: number): number
---@field asin fun(x: number): number
---@field acos fun(x: number): number
---@field clamp fun(x: number, low: number, high: number): number
---@field lerp fun(a: number, b: number, t: number): number
---@field smoothstep fun(a: number, b: number, x: number): number
---@field random_bits fun(seed: integer, a?: integer, b?: integer): integer
---@field random fun(seed: integer, a?: integer, b?: integer): number
---@field noise2 fun(x: number, y: number, seed?: integer): number
---@field noise3 fun(x: number, y: number, z: number, seed?: integer): number
---@field fbm2 fun(x: number, y: number, octaves?: integer, seed?: integer): number
---@field fbm3 fun(x: number, y: number, z: number, octaves?: integer, seed?: integer): number
---@field srgb fun(r: string|number, g?: number, b?: number): thatch.Color
---@field srgb_to_linear fun(c: number): number
---@field linear_to_srgb fun(c: number): number
---@field add fun(a: thatch.Vec3, b: thatch.Vec3): thatch.Vec3
---@field sub fun(a: thatch.Vec3, b: thatch.Vec3): thatch.Vec3
---@field scale fun(a: thatch.Vec3, s: number): thatch.Vec3
---@field dot fun(a: thatch.Vec3, b: thatch.Vec3): number
---@field cross fun(a: thatch.Vec3, b: thatch.Vec3): thatch.Vec3
---@field length fun(a: thatch.Vec3): number
---@field normalize fun(a: thatch.Vec3): thatch.Vec3
---@field mix fun(a: thatch.Vec3, b: thatch.Vec3, t: number): thatch.Vec3
---@field quat { from_axis: (fun(axis: thatch.Vec3, radians: number): thatch.Quat), mul: (fun(a: thatch.Quat, b: thatch.Quat): thatch.Quat), rotate: (fun(q: thatch.Quat, v: thatch.Vec3): thatch.Vec3), slerp: (fun(a: thatch.Quat, b: thatch.Quat, t: number): thatch.Quat) }
---@field mat4 table<string, function> identity mul translate scale rotate_x rotate_y rotate_z compose look_at invert_affine point

return thatch
