// A frame: the buffers that stages hand on, of one window. The stages' own state lives here too.
#pragma once
#include "base/pool.h"
#include "raster/pass.h"
#include "store/water.h"
#include "thatch.h"

typedef struct SunMap { // a shadow map: row-major depths, larger is nearer to the sun; rows of size + 1 texels
    Pass pass;
    float *texels;
    int32_t size, stride, capacity; // of texels
    float matrix[16];               // world to the sun's clip space
    float texel_m;                  // a texel's side
    bool drawn;
} SunMap;

typedef struct SunLight {
    bool present, casts;
    float direction[3]; // towards the sun
    float color[3];     // color * intensity / pi
} SunLight;

enum { MAX_POINTS = THATCH_MAX_POINT_LIGHTS };
typedef struct PointLight {
    float position[3], distance_m;
    float color[3]; // color * intensity / pi
    float away;     // of its sphere from the eye
    float direction[3], cone_cos,
        cone_scale; // a spot's: towards it, the edge, 1 / (inner cosine - edge); scale 0: none
} PointLight;

typedef struct FrameLight { // found by gather from the scene's lights
    float ambient[3];       // / pi
    bool hemisphere;
    float sky[3], ground[3]; // / pi
    SunLight sun;
    PointLight points[MAX_POINTS]; // the nearest, nearest first
    int32_t point_count;
    float fog_color[3], fog_k; // exp2(fog_k * d^2), fog_k <= 0; 0: none
    float fog_sun_color[3], fog_sun_share;
    float background[3];
    Texture *cube; // null: the colour
    float cube_intensity;
} FrameLight;

// What has been done since begin: bits, for refusals.
enum {
    DID_BEGIN = 1,
    DID_SHADOWS = 2,
    DID_GATHER = 4,
    DID_VERTICES = 8,
    DID_SETUP = 16,
    DID_BINS = 32,
    DID_RASTER = 64,
    DID_SKY = 128,
    DID_RESOLVE = 256,
    DID_UPSCALE = 512
};

typedef struct Frame {
    uint32_t handle;
    int32_t window_width, window_height, width, height; // of the window; of the frame
    int32_t stride, rows;                               // of color: whole tiles
    uint32_t done;
    int32_t number;
    double time_s;
    Pass main;
    float eye[3], near_m;
    float ray0[3], ray_x[3], ray_y[3]; // perspective: eye + (ray0 + px ray_x + py ray_y) * w is the place seen at the
                                       // pixel's centre. orthographic: ray0 + px ray_x + py ray_y + axis * depth
    float axis[3];
    FrameLight light;
    ThatchResolveOptions resolve;
    bool trilinear;
    uint32_t *color;                     // RGBA8, rows of stride; tiles whole
    uint32_t *spare;                     // same size: smooth writes here and swaps
    uint32_t *window;                    // window_width * window_height: the picture after upscale
    uint32_t *color_block, *spare_block; // color and spare point into them, either way round
    int32_t color_capacity, window_capacity;
    int32_t shadow_triangles;
    // shadows
    SunMap still, moving;
    ThatchShadowOptions shadow_options; // of this frame
    ThatchShadowOptions still_options;  // that the still map was drawn for
    uint32_t still_layers, still_scene, still_seen_version;
    float still_sun[3];
    bool refresh_shadows, still_full, still_own; // drawn with the wind, for one frame; with the script's own matrix
    bool use_still, use_moving;
    // sky
    uint32_t *sky_samples;
    int32_t sky_capacity;
    // upscale
    int32_t *scale_tables; // column_at, column_share, row_at, row_share
    float decode[256];     // bytes of the picture to 0..1 linear
    void *water_samples;
    int32_t water_capacity;
    double ms[THATCH_STAGE_COUNT];
} Frame;

extern Pool frame_pool;
Frame *frame_find(ThatchFrame handle);
// The frame, when it is live and has done all of `needs`; null with the error set otherwise.
Frame *frame_get(ThatchFrame handle, const char *function, uint32_t needs);
static inline int32_t frame_tile_count(const Frame *frame)
{
    return frame->main.tiles_x * frame->main.tiles_y;
}
// Wraps a stage: its time goes to frame->ms.
#define STAGE_BEGIN(frame) const double stage_started_ = thatch_clock()
#define STAGE_END(frame, stage) ((frame)->ms[stage] += (thatch_clock() - stage_started_) * 1e3)
