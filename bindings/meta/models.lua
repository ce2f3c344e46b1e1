---@meta
-- luacheck: ignore

---@class thatch.ModelBounds
---@field min thatch.Vec3 at rest, in the model's space
---@field max thatch.Vec3
---@field center thatch.Vec3
---@field radius number

---@class thatch.ModelCounts
---@field nodes integer
---@field meshes integer
---@field primitives integer that are shown, each as often as it stands in the scene
---@field vertices integer of those
---@field triangles integer of those
---@field materials integer
---@field images integer that are drawn
---@field skins integer
---@field joints integer
---@field animations integer
---@field lights integer
---@field morph_targets integer

--- A model: geometry, materials and textures of a file. It owns them; they live as long as the model, an instance or
--- a mesh of one is in use.
---@class thatch.Model
---@field path string
---@field name string
---@field animations { name: string, duration: number, bounds: thatch.ModelBounds? }[] bounds: of its way, a little larger
---@field nodes string[] names, in the file's order
---@field materials thatch.Material[] in the file's order: may be changed by material:set
---@field counts thatch.ModelCounts
---@field bounds thatch.ModelBounds
---@field warnings string[] what the file has and thatch does not draw
local Model = {}
--- Puts the model into a scene, at rest. The scene owns what is made; the instance moves it.
---@param scene thatch.Scene
---@param options? thatch.InstanceOptions
---@return thatch.ModelInstance
function Model:add_to(scene, options) end
--- The number of an animation; raises when there is none.
---@param which string|integer
---@return integer
function Model:animation(which) end
---@return boolean
function Model:is_valid() end
--- Destroys geometry, materials and textures at once; instances that still stand show nothing more.
function Model:destroy() end

---@class thatch.InstanceOptions
---@field node? thatch.Node the parent; the scene's root when left out
---@field name? string of the instance's root node; the file's name
---@field position? thatch.Vec3
---@field rotation? thatch.Quat
---@field scale? number|thatch.Vec3
---@field lights? boolean also its lights (true). A scene has one sun: a second one is left out
---@field layers? integer as in thatch.MeshOptions, for all its meshes
---@field tint? thatch.Color
---@field casts_shadow? boolean
---@field receives_shadow? boolean
---@field draw_distance? number

--- A model in a scene. What moves is a function of the time that is given.
---@class thatch.ModelInstance
---@field model thatch.Model kept alive by the instance
---@field scene thatch.Scene
---@field node thatch.Node root of the instance: move it, and name it in scene:set_moving
---@field meshes thatch.Mesh[]
---@field lights thatch.Light[]
---@field playing integer? the animation that update follows
---@field warnings string[] what could not be added
local Instance = {}
--- Takes the pose of an animation at a time; nil: at rest.
---@param which string|integer|nil
---@param time_s? number
function Instance:pose(which, time_s) end
--- Names the animation that update follows.
---@param which string|integer|nil
---@param options? { start?: number, speed?: number, loop?: boolean }
function Instance:play(which, options) end
--- Takes the pose that the played animation has at a scene's time; lights follow the instance's node.
---@param time_s number
function Instance:update(time_s) end
--- The share of each morph target of a node, until an animation says otherwise.
---@param which string|integer|nil nil: the first node that has targets
---@param weights number[]
function Instance:set_weights(which, weights) end
--- A node by its name or its number from 1. What an animation moves is placed again at each pose.
---@param which string|integer
---@return thatch.Node?
function Instance:find(which) end
---@return boolean
function Instance:is_valid() end
--- Destroys nodes, meshes and lights of the instance; the model stays.
function Instance:destroy() end

---@class thatch.models
local models = {}
--- Reads a .glb or .gltf; raises when it can't be read.
---@param path string
---@param options? { scene?: string|integer } a scene of the file by its name or its number from 1; the file's own
---@return thatch.Model
function models.load(path, options) end
---@param path string
---@param options? { scene?: string|integer }
---@return thatch.Model?
---@return string? message
function models.try_load(path, options) end

return models
