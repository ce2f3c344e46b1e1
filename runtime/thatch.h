/// thatch: real-time worlds on the CPU. The public C API of libthatch.
///
/// One header for two readers: C programs include it, and LuaJIT reads the same text (preprocessed with
/// THATCH_FFI) as its cdef. So it holds pointers and scalars only: no structs by value, no enum types,
/// no size_t.
///
/// Conventions
/// - Right-handed, y up, metres and seconds; a camera looks down its own -z. Matrices are 16 floats, column-major.
/// - Colours are linear RGB unless a name says srgb. Counter-clockwise triangles are front faces.
/// - Objects are handles: kind:4 | generation:12 | index:16. 0 is null. A stale handle is an error, never a crash.
/// - Functions that can fail return int32_t: THATCH_OK or a negative THATCH_ERROR_*; the message is in
///   thatch_last_error(). A function that failed changed nothing. Destroying 0 or a stale handle does nothing.
/// - A def struct is filled by its *_defaults function first; internal_value proves it.
/// - Everything is called from one thread; the work inside is spread over all workers.
#pragma once

#ifdef THATCH_FFI // the reader is LuaJIT: no includes, no attributes
#define THATCH_API
#else
#include <stdbool.h>
#include <stdint.h>
#define THATCH_API __attribute__((visibility("default")))
#ifdef __cplusplus
extern "C" {
#endif
#endif

enum { // enum, not #define: Lua must see them
    THATCH_ABI_VERSION = 3,
    THATCH_TILE_SIZE = 64,

    THATCH_OK = 0,
    THATCH_ERROR_ARGUMENT = -1, // a value is out of range or of the wrong kind
    THATCH_ERROR_STALE = -2,    // a handle whose object is gone, or of another kind
    THATCH_ERROR_LIMIT = -3,    // a named limit would be passed
    THATCH_ERROR_MEMORY = -4,   // memory could not be had
    THATCH_ERROR_FILE = -5,     // a file is missing, unreadable, broken or can't be written
    THATCH_ERROR_ORDER = -6,    // a stage was called before one that it reads from
    THATCH_ERROR_SYSTEM = -7,   // no display, no such device

    // Limits, checked before memory is taken.
    THATCH_MAX_FRAME_SIDE = 8192,
    THATCH_MIN_FRAME_SIDE = 1,
    THATCH_MAX_TEXTURE_SIDE = 8192,
    THATCH_MAX_VERTICES = 16777216,  // a geometry
    THATCH_MAX_TRIANGLES = 16777216, // a geometry
    THATCH_MAX_FRAME_TRIANGLES = 16777216,
    THATCH_MAX_OBJECTS = 65535, // of each kind
    THATCH_MAX_JOINTS = 255,
    THATCH_MAX_POINT_LIGHTS = 32,
    THATCH_MAX_THREADS = 64,
    THATCH_MAX_NAME = 48,
    THATCH_MAX_FILE_BYTES = 268435456,
};

// ---------------------------------------------------------------------------------------------------------
// The runtime itself
// ---------------------------------------------------------------------------------------------------------

enum { THATCH_ISA_PLAIN = 0, THATCH_ISA_SSE2 = 1, THATCH_ISA_AVX2 = 2, THATCH_ISA_AVX512 = 3, THATCH_ISA_COUNT = 4 };

/// Starts the workers. threads: 0 takes THATCH_THREADS, else one for each core; 1..THATCH_MAX_THREADS. isa: -1 takes
/// THATCH_ISA (plain, sse2, avx2, avx512), else the best that this machine has. Calling it again changes both (between frames).
/// Every other function starts the runtime with (0, -1) when it was not started.
THATCH_API int32_t thatch_start(int32_t threads, int32_t isa);
THATCH_API void thatch_stop(void); ///< Joins the workers. Objects stay.
THATCH_API int32_t thatch_abi_version(void);
THATCH_API int32_t thatch_thread_count(void);
THATCH_API int32_t thatch_isa(void);
THATCH_API bool thatch_isa_supported(int32_t isa);
THATCH_API const char *thatch_isa_name(int32_t isa); ///< "plain", "sse2", "avx2", "avx512"; "?" for another number
THATCH_API const char *thatch_cpu_name(void);
/// The message of the last function that failed on this thread; "" when none did. Valid until the next call that fails.
THATCH_API const char *thatch_last_error(void);
/// Heap allocations since the start, and bytes held now by the runtime. For specs and the HUD.
THATCH_API double thatch_allocation_count(void);
THATCH_API double thatch_memory_bytes(void);
/// Lets the n-th allocation from now on fail (0: none). For tests.
THATCH_API void thatch_fail_allocation(int32_t nth);
/// Seconds on a monotonic clock. For timings only: nothing that reaches a pixel reads it.
THATCH_API double thatch_clock(void);

// ---------------------------------------------------------------------------------------------------------
// Handles
// ---------------------------------------------------------------------------------------------------------

typedef uint32_t ThatchGeometry;
typedef uint32_t ThatchTexture;
typedef uint32_t ThatchMaterial;
typedef uint32_t ThatchScene;
typedef uint32_t ThatchNode;
typedef uint32_t ThatchMesh;
typedef uint32_t ThatchLight;
typedef uint32_t ThatchCamera;
typedef uint32_t ThatchWater;
typedef uint32_t ThatchFrame;
typedef uint32_t ThatchFont;
typedef uint32_t ThatchWindow;

// ---------------------------------------------------------------------------------------------------------
// Geometry
// ---------------------------------------------------------------------------------------------------------

/// Start from thatch_geometry_defaults(). Every array is copied by create. Optional arrays may be null.
typedef struct ThatchGeometryDef {
    const float *positions;   // xyz * vertex_count, object space, metres; finite
    const float *normals;     // xyz * vertex_count, unit; null: found from the triangles, weighted by area
    const float *uvs;         // uv * vertex_count; null: 0, 0
    const float *colors;      // linear rgba * vertex_count, 0..1; null: white
    const float *baked_sun;   // 1 * vertex_count, 0..1: the share of the sun found beforehand; null: 1
    const float *baked_sky;   // 1 * vertex_count, 0..1: the share of the sky found beforehand; null: 1
    const float *sway;        // 1 * vertex_count, 0..1: how far the wind moves it; null: none
    const float *spread;      // xyz * vertex_count: offset from the centre of the vertex's leaf or blade, metres; null: none.
                              // Prefix levels of detail grow what stays along it.
    const uint8_t *joints;    // 4 * vertex_count, joint numbers; null: not skinned
    const float *weights;     // 4 * vertex_count, sum 1; with joints only
    const uint32_t *indices;  // 3 a triangle, counter-clockwise is front, each < vertex_count
    int32_t vertex_count;     // 0 .. THATCH_MAX_VERTICES
    int32_t index_count;      // a multiple of 3
    int32_t item_triangles;   // triangles of one leaf or blade; > 0: any prefix of items is a level of detail
                              // (items stand in random order); 0: always drawn whole
    int32_t item_vertices;    // vertices of one item, in the items' order; with item_triangles
    int32_t joint_count;      // joints that the skin reads, up to THATCH_MAX_JOINTS; 0: not skinned
    bool blades;              // items are blades of grass: counted in stats.blades
    uint32_t internal_value;
} ThatchGeometryDef;

THATCH_API void thatch_geometry_defaults(ThatchGeometryDef *def);
THATCH_API int32_t thatch_geometry_create(const ThatchGeometryDef *def, ThatchGeometry *out);
/// New arrays under the same handle, with a new version; meshes keep it. On failure the old ones stay.
THATCH_API int32_t thatch_geometry_replace(ThatchGeometry geometry, const ThatchGeometryDef *def);
/// New positions (xyz * vertex_count, finite) for the vertices that are there; normals too, or null to keep them. Nothing
/// is allocated: for what changes its shape in each frame. vertex_count must be as made. Counts as a new version.
THATCH_API int32_t thatch_geometry_move(ThatchGeometry geometry, const float *positions, const float *normals,
                                        int32_t vertex_count);
THATCH_API void thatch_geometry_destroy(ThatchGeometry geometry);
THATCH_API bool thatch_geometry_is_valid(ThatchGeometry geometry);

typedef struct ThatchGeometryInfo {
    int32_t vertex_count, triangle_count, item_triangles, joint_count;
    uint32_t version; // 1 at create, one more at each replace
    float min[3], max[3];
    float center[3], radius;
    bool has_sway, has_spread, blades;
} ThatchGeometryInfo;
THATCH_API int32_t thatch_geometry_info(ThatchGeometry geometry, ThatchGeometryInfo *out);

// ---------------------------------------------------------------------------------------------------------
// Textures
// ---------------------------------------------------------------------------------------------------------

enum { THATCH_WRAP_REPEAT = 0, THATCH_WRAP_MIRRORED = 1, THATCH_WRAP_CLAMP = 2 };
enum { THATCH_TEXELS_RGBA8 = 0, THATCH_TEXELS_RGBA32F = 1 };

typedef struct ThatchTextureDef {
    const void *texels;   // rgba * width * height * faces, top row first; copied. Bytes 0..255, or finite floats >= 0.
    int32_t width, height; // 1 .. THATCH_MAX_TEXTURE_SIDE
    int32_t faces;        // 1, or 6 for a cube: +x -x +y -y +z -z, square, laid out as in OpenGL
    int32_t format;       // THATCH_TEXELS_*
    bool srgb;            // RGBA8 only: the bytes are sRGB-encoded (default); else linear
    int32_t wrap_u, wrap_v; // THATCH_WRAP_*
    float offset[2], repeat[2], rotation_rad, center[2]; // uv transform as in three.js
    uint32_t internal_value;
} ThatchTextureDef;

THATCH_API void thatch_texture_defaults(ThatchTextureDef *def);
THATCH_API int32_t thatch_texture_create(const ThatchTextureDef *def, ThatchTexture *out);
/// New texels of the same size, faces and format. The maps' levels are made again at the next draw after forget_maps.
THATCH_API int32_t thatch_texture_update(ThatchTexture texture, const void *texels);
THATCH_API int32_t thatch_texture_set_wrap(ThatchTexture texture, int32_t wrap_u, int32_t wrap_v);
THATCH_API int32_t thatch_texture_set_transform(ThatchTexture texture, const float *offset2, const float *repeat2,
                                                float rotation_rad, const float *center2);
/// Drops the chain of levels of one texture (0: of all): each is read again when it is next drawn.
THATCH_API int32_t thatch_texture_forget_maps(ThatchTexture texture);
/// The linear rgba at uv and level, bilinear, wrapped: what resolve reads. For specs and scripts.
THATCH_API int32_t thatch_texture_sample(ThatchTexture texture, float u, float v, int32_t level, float *rgba);
THATCH_API int32_t thatch_texture_size(ThatchTexture texture, int32_t *width, int32_t *height, int32_t *levels);
THATCH_API void thatch_texture_destroy(ThatchTexture texture);
THATCH_API bool thatch_texture_is_valid(ThatchTexture texture);

// ---------------------------------------------------------------------------------------------------------
// Materials and the shading registry
// ---------------------------------------------------------------------------------------------------------

enum {
    THATCH_MATERIAL_BASIC = 0,    // unlit
    THATCH_MATERIAL_LAMBERT = 1,
    THATCH_MATERIAL_PHONG = 2,    // with its highlight, found at the vertices
    THATCH_MATERIAL_STANDARD = 3, // the game pipeline lights it as LAMBERT
    THATCH_MATERIAL_PHYSICAL = 4, // same
    THATCH_MATERIAL_KINDS = 5,
};
enum { THATCH_ALPHA_OPAQUE = 0, THATCH_ALPHA_MASK = 1, THATCH_ALPHA_BLEND = 2 };

typedef struct ThatchMaterialDef {
    int32_t kind;            // THATCH_MATERIAL_*; LAMBERT
    float color[3];          // linear, 0..1; white
    float opacity;           // 0..1; 1. Read by MASK and BLEND
    float emissive[3];       // linear, >= 0; black
    float emissive_intensity; // >= 0; 1
    float specular[3];       // PHONG; 0x111111 in sRGB
    float shininess;         // PHONG, > 0; 30
    float roughness, metalness; // STANDARD and PHYSICAL, 0..1; 1, 0. Read by pixel_light
    int32_t alpha_mode;      // THATCH_ALPHA_*; OPAQUE
    float alpha_cutoff;      // MASK, 0..1; 0.5
    ThatchTexture map;       // 0: none. Its alpha counts with MASK and BLEND
    ThatchTexture emissive_map; // times emissive; 0: none
    bool vertex_colors;      // true: multiply by the geometry's colours (default)
    bool two_sided;          // false
    bool visible;            // true
    const char *shading;     // a registered shading's name; null: as the kind says
    const char *name;        // for messages; null: ""
    uint32_t internal_value;
} ThatchMaterialDef;

THATCH_API void thatch_material_defaults(ThatchMaterialDef *def);
THATCH_API int32_t thatch_material_create(const ThatchMaterialDef *def, ThatchMaterial *out);
THATCH_API int32_t thatch_material_set(ThatchMaterial material, const ThatchMaterialDef *def); ///< All fields again.
THATCH_API int32_t thatch_material_get(ThatchMaterial material, ThatchMaterialDef *out);
THATCH_API void thatch_material_destroy(ThatchMaterial material);
THATCH_API bool thatch_material_is_valid(ThatchMaterial material);

typedef struct ThatchShadingDef {
    bool back_as_front;        // light a back face with its front's normal
    bool reads_baked_sun;      // multiply the sun by the geometry's baked_sun
    bool reads_baked_sky;      // multiply the sky and ambient light by the geometry's baked_sky
    bool sways;                // moved by the wind, by the geometry's sway
    float sway_amplitude_m;    // >= 0, at sway 1
    float sway_frequency_hz;   // 0..20
    int32_t sway_every;        // the wind's clock steps only each so many frames, 0..60; 0: still; 1
    uint32_t internal_value;
} ThatchShadingDef;

THATCH_API void thatch_shading_defaults(ThatchShadingDef *def);
/// A name again replaces its behaviour, in a running program too. name: 1..47 of a-z 0-9 _ .
THATCH_API int32_t thatch_shading_register(const char *name, const ThatchShadingDef *def);
THATCH_API int32_t thatch_shading_remove(const char *name);
THATCH_API int32_t thatch_shading_count(void);
THATCH_API const char *thatch_shading_name(int32_t index); ///< null when out of range; sorted by name
THATCH_API int32_t thatch_shading_describe(const char *name, ThatchShadingDef *out);

// ---------------------------------------------------------------------------------------------------------
// Scenes: nodes, meshes, lights, fog, background
// ---------------------------------------------------------------------------------------------------------

THATCH_API int32_t thatch_scene_create(ThatchScene *out);
THATCH_API void thatch_scene_destroy(ThatchScene scene); ///< With its nodes, meshes and lights.
THATCH_API bool thatch_scene_is_valid(ThatchScene scene);

/// density: exp2 fog, 0: none. A direction towards the sun mixes sun_color in, by sun_share 0..1.
THATCH_API int32_t thatch_scene_set_fog(ThatchScene scene, const float *color3, float density, const float *sun_color3,
                                        float sun_share);
THATCH_API int32_t thatch_scene_set_background_color(ThatchScene scene, const float *color3);
/// cube: a texture with 6 faces; intensity >= 0 multiplies it.
THATCH_API int32_t thatch_scene_set_background_cube(ThatchScene scene, ThatchTexture cube, float intensity);
/// The wind: where it blows to (x, z, any length), and its strength 0..4. Read by shadings that sway.
THATCH_API int32_t thatch_scene_set_wind(ThatchScene scene, float dir_x, float dir_z, float strength);

/// parent: 0 for the root. The new node stands at the origin of its parent.
THATCH_API int32_t thatch_node_create(ThatchScene scene, ThatchNode parent, const char *name, ThatchNode *out);
THATCH_API void thatch_node_destroy(ThatchNode node); ///< With its children and the meshes on them.
THATCH_API bool thatch_node_is_valid(ThatchNode node);
/// rotation is a unit quaternion x y z w; null keeps a part as it is.
THATCH_API int32_t thatch_node_set_transform(ThatchNode node, const float *position3, const float *rotation4, const float *scale3);
THATCH_API int32_t thatch_node_set_matrix(ThatchNode node, const float *local16); ///< affine; replaces the transform
/// local16: 16 floats for each of count nodes. All are checked before one is changed.
THATCH_API int32_t thatch_nodes_set_matrices(const ThatchNode *nodes, const float *local16, int32_t count);
THATCH_API int32_t thatch_node_set_visible(ThatchNode node, bool visible); ///< hides its children too
THATCH_API int32_t thatch_node_set_parent(ThatchNode node, ThatchNode parent); ///< refused when it would make a ring
THATCH_API int32_t thatch_node_world(ThatchNode node, float *world16);

typedef struct ThatchMeshDef {
    ThatchGeometry geometry;
    ThatchMaterial material;
    ThatchNode node;
    uint32_t layers;         // bits; drawn when a bit is in the camera's layers; 1
    float tint[3];           // multiplies the colour, linear, 0..4; white
    bool casts_shadow;       // true
    bool receives_shadow;    // true
    float draw_distance_m;   // beyond it nothing is drawn; > 0; 1e9. Prefix geometry thins out over its last fifth.
    float near_distance_m;   // nearer than it nothing is drawn: for the far one of two levels; >= 0; 0
    float item_size_m;       // prefix geometry: size of a leaf or blade; > 0: thinned so that one covers about
                             // detail_px of the frame (gather's option); 0: never thinned
    float item_share_min;    // prefix geometry: the least share of items while in draw distance, 0..1; 0.02
    float item_grow_max;     // how far thinned items may grow to keep the cover, 1..8; 3
    uint32_t internal_value;
} ThatchMeshDef;

THATCH_API void thatch_mesh_defaults(ThatchMeshDef *def);
THATCH_API int32_t thatch_mesh_create(ThatchScene scene, const ThatchMeshDef *def, ThatchMesh *out);
THATCH_API void thatch_mesh_destroy(ThatchMesh mesh);
THATCH_API bool thatch_mesh_is_valid(ThatchMesh mesh);
THATCH_API int32_t thatch_mesh_set_geometry(ThatchMesh mesh, ThatchGeometry geometry);
THATCH_API int32_t thatch_mesh_set_material(ThatchMesh mesh, ThatchMaterial material);
THATCH_API int32_t thatch_mesh_set_visible(ThatchMesh mesh, bool visible);
THATCH_API int32_t thatch_mesh_set_layers(ThatchMesh mesh, uint32_t layers);
THATCH_API int32_t thatch_mesh_set_tint(ThatchMesh mesh, const float *tint3);
/// Skinned meshes: joint_count affine matrices (16 floats each), object space of the mesh from bind space:
/// pose times inverse bind. Copied.
THATCH_API int32_t thatch_mesh_set_joints(ThatchMesh mesh, const float *matrices16, int32_t joint_count);

enum { THATCH_LIGHT_AMBIENT = 0, THATCH_LIGHT_HEMISPHERE = 1, THATCH_LIGHT_DIRECTIONAL = 2, THATCH_LIGHT_POINT = 3,
       THATCH_LIGHT_SPOT = 4, THATCH_LIGHT_KINDS = 5 };

typedef struct ThatchLightDef {
    int32_t kind;            // THATCH_LIGHT_*
    float color[3];          // linear; white. HEMISPHERE: the sky's
    float ground_color[3];   // HEMISPHERE
    float intensity;         // >= 0; 1. As in three.js: a lambert surface reflects color * intensity * cos / pi
    float direction[3];      // DIRECTIONAL, SPOT: from the surface towards the light; any length; 0 1 0
    float position[3];       // POINT, SPOT
    float distance_m;        // POINT, SPOT: reaches so far; > 0; 10
    float angle_rad;         // SPOT: from the middle of its cone to the edge; 0.001 .. pi / 2; pi / 3
    float penumbra;          // SPOT: the share of the cone, from the edge on, over which it fades in; 0..1; 0
    bool casts_shadow;       // DIRECTIONAL: the sun of the shadow maps; true
    int32_t sun_group;       // DIRECTIONAL: cascades of one sun share a number other than 0 and count once; 0
    const char *name;
    uint32_t internal_value;
} ThatchLightDef;

THATCH_API void thatch_light_defaults(ThatchLightDef *def);
THATCH_API int32_t thatch_light_create(ThatchScene scene, const ThatchLightDef *def, ThatchLight *out);
THATCH_API int32_t thatch_light_set(ThatchLight light, const ThatchLightDef *def);
THATCH_API void thatch_light_destroy(ThatchLight light);
THATCH_API bool thatch_light_is_valid(ThatchLight light);

// ---------------------------------------------------------------------------------------------------------
// Cameras
// ---------------------------------------------------------------------------------------------------------

THATCH_API int32_t thatch_camera_create(ThatchCamera *out); ///< perspective, 60 degrees, at the origin, layers 1
THATCH_API void thatch_camera_destroy(ThatchCamera camera);
THATCH_API bool thatch_camera_is_valid(ThatchCamera camera);
/// fov_rad is vertical, 0.01..3.1; near_m > 0; far_m > near_m: whole meshes beyond it are not drawn. The aspect is the frame's.
THATCH_API int32_t thatch_camera_set_perspective(ThatchCamera camera, float fov_rad, float near_m, float far_m);
THATCH_API int32_t thatch_camera_set_orthographic(ThatchCamera camera, float height_m, float near_m, float far_m);
THATCH_API int32_t thatch_camera_look(ThatchCamera camera, const float *eye3, const float *target3, const float *up3);
/// One's own clip matrix (view-projection, GL clip space; w is the distance along the view) and eye.
THATCH_API int32_t thatch_camera_set_matrix(ThatchCamera camera, const float *view_proj16, const float *eye3, float near_m, float far_m);
THATCH_API int32_t thatch_camera_set_layers(ThatchCamera camera, uint32_t layers);

// ---------------------------------------------------------------------------------------------------------
// Quality
// ---------------------------------------------------------------------------------------------------------

enum { THATCH_PLANTS_FEWEST = 0, THATCH_PLANTS_FEWER = 1, THATCH_PLANTS_MANY = 2, THATCH_PLANTS_ALL = 3 };
enum { THATCH_SHADOWS_NONE = 0, THATCH_SHADOWS_STILL = 1, THATCH_SHADOWS_CACHED = 2, THATCH_SHADOWS_FULL = 3 };
enum { THATCH_UPSCALE_BILINEAR = 0, THATCH_UPSCALE_SHARP = 1 };
enum { THATCH_LIGHT_PER_VERTEX = 0, THATCH_LIGHT_PER_PIXEL = 1 };

/// GameQuality: how finely each part of a frame is drawn.
typedef struct ThatchQuality {
    double render_scale;         // 0.25 .. 1: the frame's share of the window's width and height
    int32_t plants;              // THATCH_PLANTS_*
    int32_t grass_wind_every;    // frames, 0 .. 60; 0: still
    int32_t sky_step;            // pixels, 1 .. 32
    int32_t water_step;          // pixels, 1 .. 64
    int32_t water_refresh_every; // frames, 1 .. 60
    double animal_coarseness;    // 1 .. 8
    int32_t shadows;             // THATCH_SHADOWS_*
    int32_t shadow_size;         // texels, 256 .. 8192, a power of two
    int32_t shadow_filter;       // 2 or 4: taps a side
    int32_t upscale;             // THATCH_UPSCALE_*
    bool smooth_edges;
    bool trilinear;              // mix two levels of a map
    int32_t light;               // THATCH_LIGHT_PER_*: light the corners of each triangle and mix, or each pixel
    int32_t point_lights;        // 0 .. THATCH_MAX_POINT_LIGHTS: the nearest lamps that light
    int32_t critters;            // 0 .. 200: fireflies or butterflies
    int32_t rain_streaks;        // 0 .. 8000: drops that are seen falling
    int32_t rain_rings;          // 0 .. 60: rings on the water
} ThatchQuality;

/// preset: "low", "medium", "high" or "ultra".
THATCH_API int32_t thatch_quality_preset(const char *preset, ThatchQuality *out);
THATCH_API int32_t thatch_quality_check(const ThatchQuality *quality);

// ---------------------------------------------------------------------------------------------------------
// Water: an FFT surface over a pond or lake
// ---------------------------------------------------------------------------------------------------------

typedef struct ThatchWaterDef {
    float level_m;              // height of the still surface
    float min[2], max[2];       // x, z box that holds it; the shore is where the ground rises above the level
    float wave_height_m;        // 0..2; 0.02
    float patch_m;              // side of the repeating FFT patch, 1..1000; 8
    float wind[2];              // m/s along x, z; 2 1
    float deep_color[3];        // linear: what scatters back from deep water
    float absorption[3];        // per metre; 0.9 0.35 0.3
    float caustics;             // 0..4; 1
    float foam_m;               // width of the line at the shore, 0..2; 0.06
    float roughness_glint;      // 0..1: how wide the sun's glint is; 0.25
    uint32_t seed;
    uint32_t internal_value;
} ThatchWaterDef;

THATCH_API void thatch_water_defaults(ThatchWaterDef *def);
THATCH_API int32_t thatch_water_create(const ThatchWaterDef *def, ThatchWater *out);
THATCH_API int32_t thatch_water_set(ThatchWater water, const ThatchWaterDef *def);
/// Rings that run out from points: x, z, birth in seconds, strength 0..1; at most 64. Copied.
THATCH_API int32_t thatch_water_set_rings(ThatchWater water, const float *xzts4, int32_t count);
THATCH_API void thatch_water_destroy(ThatchWater water);
THATCH_API bool thatch_water_is_valid(ThatchWater water);

// ---------------------------------------------------------------------------------------------------------
// Frames and their stages
// ---------------------------------------------------------------------------------------------------------

/// The window's size; the frame is drawn at render_scale of it (0.25 .. 2; above 1 it is supersampled), each side rounded, at least
/// 16 (or the window's side). Resizing keeps an open frame open; its stages are to be called again.
THATCH_API int32_t thatch_frame_create(int32_t window_width, int32_t window_height, double render_scale, ThatchFrame *out);
THATCH_API int32_t thatch_frame_resize(ThatchFrame frame, int32_t window_width, int32_t window_height, double render_scale);
THATCH_API void thatch_frame_destroy(ThatchFrame frame);
THATCH_API bool thatch_frame_is_valid(ThatchFrame frame);
THATCH_API int32_t thatch_frame_size(ThatchFrame frame, int32_t *width, int32_t *height, int32_t *window_width, int32_t *window_height);

/// Opens frame `number` at time_s: resets stats and timings, forgets what the last frame's stages left (the cached shadow
/// map stays). Everything in the picture is a function of the scene, number and time_s.
THATCH_API int32_t thatch_frame_begin(ThatchFrame frame, int32_t number, double time_s);

typedef struct ThatchShadowOptions {
    int32_t shadows;      // THATCH_SHADOWS_*
    int32_t size;         // texels, 256 .. 8192, a power of two
    int32_t filter;       // 2 or 4
    float center[3];      // of the still map
    float radius_m;       // of the still map's box; <= 0: round all still casters
    float focus[3];       // of the moving casters' map; resting on whole texels
    float focus_radius_m; // > 0; 20
    float bias;           // leans shadows away by the surface's slope, in texels; 0 .. 16; 1
    float bias_m;         // and by so many metres towards the sun, everywhere; 0 .. 10; 0.02
    const float *matrix;  // one's own clip matrix of the still map (z -1 at the sun's side .. 1), 16 floats; null: found from center and radius_m
    uint32_t internal_value;
} ThatchShadowOptions;

typedef struct ThatchGatherOptions {
    float detail_px;      // a leaf or blade of prefix geometry covers about so many pixels before it is thinned, 0..64; 1
    float item_share_max; // no prefix geometry draws more than this share of its items, 0..1; 1
    float min_px;         // a mesh smaller than this many pixels across is not drawn, 0..64; 0.6
    bool pixel_maps;      // read maps at each pixel (default); else at the vertices
    bool trilinear;
    int32_t point_lights; // 0 .. THATCH_MAX_POINT_LIGHTS: the nearest light, and the last of them fade out; all
    uint32_t internal_value;
} ThatchGatherOptions;

enum { THATCH_TONE_NONE = 0, THATCH_TONE_ACES = 1 };

typedef struct ThatchResolveOptions {
    int32_t tone;         // THATCH_TONE_*; ACES
    bool srgb;            // encode as sRGB (default); else linear bytes
    bool pixel_light;     // light each pixel, normals interpolated, with PHONG's, STANDARD's and PHYSICAL's highlights of
                          // sun, POINT and SPOT; false: light the corners of each triangle and mix, POINT and SPOT at the
                          // pixels, matte
    float exposure;       // > 0; 1
    uint32_t internal_value;
} ThatchResolveOptions;

THATCH_API void thatch_shadow_options_defaults(ThatchShadowOptions *options);
THATCH_API void thatch_gather_options_defaults(ThatchGatherOptions *options);
THATCH_API void thatch_resolve_options_defaults(ThatchResolveOptions *options);

/// Names the moving nodes (with all below them): the still map leaves them out, the moving map draws them. Copied; replaces the last set.
THATCH_API int32_t thatch_scene_set_moving(ThatchScene scene, const ThatchNode *nodes, int32_t count);
/// The still map is drawn again at the next frame.
THATCH_API int32_t thatch_frame_refresh_shadows(ThatchFrame frame);

// The stages, in the game pipeline's order. Each is one call that returns when all is done.
THATCH_API int32_t thatch_frame_shadow_maps(ThatchFrame frame, ThatchScene scene, ThatchCamera camera, const ThatchShadowOptions *options);
THATCH_API int32_t thatch_frame_gather(ThatchFrame frame, ThatchScene scene, ThatchCamera camera, const ThatchGatherOptions *options);
THATCH_API int32_t thatch_frame_vertices(ThatchFrame frame);
THATCH_API int32_t thatch_frame_setup(ThatchFrame frame);
THATCH_API int32_t thatch_frame_bins(ThatchFrame frame);
THATCH_API int32_t thatch_frame_raster(ThatchFrame frame);
THATCH_API int32_t thatch_frame_resolve(ThatchFrame frame, const ThatchResolveOptions *options);
/// The sky behind everything, sampled each `step` pixels. With resolve's tone and encoding; before or after resolve.
THATCH_API int32_t thatch_frame_sky(ThatchFrame frame, int32_t step, const ThatchResolveOptions *options);
/// Blended surfaces, far to near, over what resolve and sky left.
THATCH_API int32_t thatch_frame_blend(ThatchFrame frame);
/// refresh_every: frames that share one surface and its caustics.
THATCH_API int32_t thatch_frame_water(ThatchFrame frame, ThatchWater water, int32_t step, int32_t refresh_every);
THATCH_API int32_t thatch_frame_smooth(ThatchFrame frame);
THATCH_API int32_t thatch_frame_upscale(ThatchFrame frame, int32_t mode); ///< THATCH_UPSCALE_*

/// The picture: RGBA bytes, top row first, width * height of the window after upscale, of the frame before. Owned by
/// the frame, valid until its next stage, resize or destroy.
THATCH_API const uint8_t *thatch_frame_pixels(ThatchFrame frame, int32_t *width, int32_t *height);
/// The depth at a pixel of the frame: metres along the view, infinity where nothing was drawn.
THATCH_API int32_t thatch_frame_depth(ThatchFrame frame, int32_t x, int32_t y, float *depth_m);
/// XXH3-128 over the picture's RGBA, big-endian bytes, into hash16.
THATCH_API int32_t thatch_frame_hash(ThatchFrame frame, uint8_t *hash16);

enum {
    THATCH_STAGE_SHADOW_MAPS = 0, THATCH_STAGE_GATHER, THATCH_STAGE_VERTICES, THATCH_STAGE_SETUP, THATCH_STAGE_BINS,
    THATCH_STAGE_RASTER, THATCH_STAGE_SKY, THATCH_STAGE_RESOLVE, THATCH_STAGE_BLEND, THATCH_STAGE_WATER,
    THATCH_STAGE_SMOOTH, THATCH_STAGE_UPSCALE, THATCH_STAGE_COUNT,
};

typedef struct ThatchTimings {
    double ms[12]; // by THATCH_STAGE_*: the last frame; a stage that did not run has 0
} ThatchTimings;

typedef struct ThatchStats { // of the last frame's main view
    int32_t parts;             // meshes drawn
    int32_t parts_culled;
    int32_t triangles_in;      // of the parts, before clusters and levels leave some out
    int32_t triangles_setup;   // that reached setup
    int32_t triangles_clipped; // that crossed the near plane or the guard band
    int32_t triangles_binned;  // kept: in front, facing, with a pixel centre in their box
    int32_t triangles_dropped; // beyond a limit
    int32_t tile_references;
    int32_t blades;            // of grass, drawn
    int32_t shadow_triangles;  // drawn into shadow maps in this frame
    double pixels_tested;      // covered by a triangle
    double pixels_shaded;
} ThatchStats;

THATCH_API int32_t thatch_frame_timings(ThatchFrame frame, ThatchTimings *out);
THATCH_API int32_t thatch_frame_stats(ThatchFrame frame, ThatchStats *out);
THATCH_API const char *thatch_stage_name(int32_t stage); ///< "shadow_maps" …; null when out of range

// ---------------------------------------------------------------------------------------------------------
// Images, hashes, text
// ---------------------------------------------------------------------------------------------------------

/// Reads PNG, JPEG, BMP or TGA as RGBA8. *texels is owned by the caller: thatch_image_free.
THATCH_API int32_t thatch_image_load(const char *path, uint8_t **texels, int32_t *width, int32_t *height);
THATCH_API int32_t thatch_image_load_memory(const uint8_t *bytes, int32_t byte_count, const char *name, uint8_t **texels, int32_t *width, int32_t *height);
THATCH_API void thatch_image_free(uint8_t *texels);
/// Writes RGBA8 as PNG (or JPEG by the name's ending, quality 92): aside first, then renamed.
THATCH_API int32_t thatch_image_write(const char *path, const uint8_t *texels, int32_t width, int32_t height);

/// XXH3-128 of bytes, big-endian, into hash16.
THATCH_API void thatch_hash_bytes(const uint8_t *bytes, double byte_count, uint8_t *hash16);
/// A running XXH3-128 over many pieces: begin gives a state (0 when memory is short), end writes the digest and frees it.
typedef struct ThatchHashState ThatchHashState;
THATCH_API ThatchHashState *thatch_hash_begin(void);
THATCH_API void thatch_hash_add(ThatchHashState *state, const uint8_t *bytes, double byte_count);
THATCH_API void thatch_hash_end(ThatchHashState *state, uint8_t *hash16);

/// A TrueType or OpenType file at a size in pixels, 4..256.
THATCH_API int32_t thatch_font_create(const char *path, int32_t size_px, ThatchFont *out);
THATCH_API void thatch_font_destroy(ThatchFont font);
THATCH_API bool thatch_font_is_valid(ThatchFont font);
THATCH_API int32_t thatch_font_measure(ThatchFont font, const char *text, int32_t *width, int32_t *height);
/// Drawn over a frame's picture (or any RGBA8 image), clipped to it; srgb8 rgba, blended. x, y: the line's top left.
THATCH_API int32_t thatch_draw_text(uint8_t *rgba, int32_t width, int32_t height, ThatchFont font, int32_t x, int32_t y, uint32_t srgb_rgba, const char *text);
THATCH_API int32_t thatch_draw_box(uint8_t *rgba, int32_t width, int32_t height, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t srgb_rgba);
/// The frame's picture, to be drawn over after the last stage.
THATCH_API uint8_t *thatch_frame_canvas(ThatchFrame frame, int32_t *width, int32_t *height);

// ---------------------------------------------------------------------------------------------------------
// Scalar maths and noise: the same bits on every machine. Lua's thatch.math calls these where a table would be slow.
// ---------------------------------------------------------------------------------------------------------

THATCH_API float thatch_sin(float radians); ///< |radians| up to 1e5, to 2e-7
THATCH_API float thatch_cos(float radians);
THATCH_API float thatch_exp(float x);
THATCH_API float thatch_log(float x);
THATCH_API float thatch_pow(float x, float y); ///< x >= 0
/// Random bits from what they are for: the same arguments give the same number.
THATCH_API uint32_t thatch_random_bits(uint32_t seed, uint32_t a, uint32_t b);
THATCH_API float thatch_random(uint32_t seed, uint32_t a, uint32_t b); ///< 0 <= r < 1
/// The tone curve and encoding of resolve, a channel triple. For specs.
THATCH_API void thatch_tone_aces(const float *rgb3, float *out3);
THATCH_API float thatch_srgb_encode(float linear);
THATCH_API float thatch_srgb_decode(float encoded);

// ---------------------------------------------------------------------------------------------------------
// The window (SDL2, software surface)
// ---------------------------------------------------------------------------------------------------------

enum {
    THATCH_EVENT_QUIT = 1, THATCH_EVENT_KEY_DOWN, THATCH_EVENT_KEY_UP, THATCH_EVENT_MOUSE_MOVE, THATCH_EVENT_MOUSE_DOWN,
    THATCH_EVENT_MOUSE_UP, THATCH_EVENT_WHEEL, THATCH_EVENT_RESIZE, THATCH_EVENT_FOCUS, THATCH_EVENT_PAD_BUTTON_DOWN,
    THATCH_EVENT_PAD_BUTTON_UP, THATCH_EVENT_PAD_AXIS,
};
typedef struct ThatchEvent {
    int32_t kind;     // THATCH_EVENT_*
    int32_t x, y;     // mouse: relative motion; resize: the new size; wheel: steps; focus: x is 1 or 0
    int32_t button;   // mouse or pad button, or pad axis
    float value;      // pad axis, -1..1
    bool repeat;      // a held key's repeat
    char key[24];     // SDL's name of the key: "W", "Left Shift", "F5"
} ThatchEvent;

THATCH_API int32_t thatch_window_create(const char *title, int32_t width, int32_t height, ThatchWindow *out);
THATCH_API void thatch_window_destroy(ThatchWindow window);
THATCH_API bool thatch_window_is_valid(ThatchWindow window);
THATCH_API bool thatch_window_available(void); ///< does a display answer? If not, thatch_last_error() says why. It is tried each time
THATCH_API int32_t thatch_window_poll(ThatchWindow window, ThatchEvent *events, int32_t capacity, int32_t *count);
THATCH_API int32_t thatch_window_size(ThatchWindow window, int32_t *width, int32_t *height);
/// Shows RGBA8 of any size, stretched by the nearest pixel when it is not the window's.
THATCH_API int32_t thatch_window_present(ThatchWindow window, const uint8_t *rgba, int32_t width, int32_t height);
THATCH_API int32_t thatch_window_capture_mouse(ThatchWindow window, bool on);
THATCH_API int32_t thatch_window_set_title(ThatchWindow window, const char *title);
THATCH_API int32_t thatch_window_copy(ThatchWindow window, const char *text); ///< puts text on the clipboard

#ifndef THATCH_FFI
_Static_assert(sizeof(ThatchStats) == 56, "ThatchStats is part of the ABI");
_Static_assert(sizeof(ThatchTimings) == 96, "ThatchTimings is part of the ABI");
#ifdef __cplusplus
}
#endif
#endif
