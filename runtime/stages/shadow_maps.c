// Shadow maps: the sun's view of the still casters, kept between frames, and of the moving ones near a focus, drawn
// each frame.
#include "base/jobs.h"
#include "base/memory.h"
#include "stages/options.h"
#include "stages/stage.h"

#include <math.h>
#include <string.h>

static const float LEAF_TEXELS = 4.0f; // that a leaf covers in a map before it is thinned
enum { MAP_PAD = 16 };                 // texels at the end of a row, so that wide reads stay inside

// The sphere round all casters of one sort.
static void casters_sphere(const Scene *scene, uint32_t layers, float center[3], float *radius)
{
    float low[3] = {1e30f, 1e30f, 1e30f}, high[3] = {-1e30f, -1e30f, -1e30f};
    bool any = false;
    for (int32_t i = 0; i < scene->mesh_count; i++) {
        const Mesh *mesh = scene->meshes[i];
        const Node *node = node_find(mesh->def.node);
        if (!node || !node->shown || node->moving || !mesh->visible || !mesh->def.casts_shadow ||
            !(mesh->def.layers & layers))
            continue;
        any = true;
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], mesh->center_ws[k] - mesh->radius_ws),
            high[k] = fmaxf(high[k], mesh->center_ws[k] + mesh->radius_ws);
        }
    }
    *radius = 1.0f;
    float square = 0.0f;
    for (int k = 0; k < 3; k++) {
        center[k] = any ? 0.5f * (low[k] + high[k]) : 0.0f;
        const float half = any ? 0.5f * (high[k] - low[k]) : 0.0f;
        square += half * half;
    }
    if (square > 1.0f) *radius = sqrtf(square);
}

// The sun's clip matrix: a box of +-radius across, resting on whole texels, and +-depth along the light.
static void sun_matrix(const float direction[3], const float center[3], float radius, float depth, int32_t size,
                       float m[16], float *texel)
{
    // Any upright that is not along the light.
    const float up[3] = {fabsf(direction[1]) > 0.9f ? 1.0f : 0.0f, fabsf(direction[1]) > 0.9f ? 0.0f : 1.0f, 0.0f};
    float right[3] = {up[1] * direction[2] - up[2] * direction[1], up[2] * direction[0] - up[0] * direction[2],
                      up[0] * direction[1] - up[1] * direction[0]};
    const float length = sqrtf(right[0] * right[0] + right[1] * right[1] + right[2] * right[2]);
    for (int k = 0; k < 3; k++) right[k] /= length;
    const float top[3] = {direction[1] * right[2] - direction[2] * right[1],
                          direction[2] * right[0] - direction[0] * right[2],
                          direction[0] * right[1] - direction[1] * right[0]};
    *texel = 2.0f * radius / (float)size;
    float x = 0.0f, y = 0.0f, z = 0.0f;
    for (int k = 0; k < 3; k++) x += center[k] * right[k], y += center[k] * top[k], z += center[k] * direction[k];
    x = floorf(x / *texel + 0.5f) * *texel, y = floorf(y / *texel + 0.5f) * *texel;
    memset(m, 0, 16 * sizeof *m);
    for (int k = 0; k < 3; k++)
        m[4 * k] = right[k] / radius, m[4 * k + 1] = top[k] / radius, m[4 * k + 2] = -direction[k] / depth;
    m[12] = -x / radius, m[13] = -y / radius, m[14] = z / depth, m[15] = 1.0f;
}

typedef struct CopyRows {
    const Pass *pass;
    SunMap *map;
} CopyRows;

static void copy_tiles(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const CopyRows *copy = context;
    const Pass *pass = copy->pass;
    for (int32_t tile = begin; tile < end; tile++) {
        const float *depth = pass->depth + (int64_t)tile * TILE_PIXELS;
        float *to = copy->map->texels + (int64_t)(tile / pass->tiles_x * TILE) * copy->map->stride +
                    tile % pass->tiles_x * TILE;
        for (int32_t block = 0; block < TILE_BLOCKS * TILE_BLOCKS; block++)
            for (int y = 0; y < 4; y++)
                memcpy(to + (int64_t)(block / TILE_BLOCKS * 4 + y) * copy->map->stride + block % TILE_BLOCKS * 4,
                       depth + 16 * block + 4 * y, 16);
    }
}

static int32_t map_draw(Frame *frame, SunMap *map, const PassView *view, int32_t size)
{
    const int32_t stride = size + MAP_PAD, texels = stride * size;
    TRY(pass_prepare(&map->pass, size, size));
    if (texels > map->capacity) {
        float *grown = MEMORY_NEW(float, texels + MAP_PAD);
        if (!grown) return error_set(THATCH_ERROR_MEMORY, "shadow_maps: no memory for %d x %d texels", size, size);
        memory_free(map->texels);
        map->texels = grown, map->capacity = texels;
    }
    map->size = size, map->stride = stride, map->drawn = false;
    map->pass.orthographic = true, map->pass.depth_offset = 0.5f, map->pass.depth_scale = -0.5f,
    map->pass.near_w = 1.0f;
    memcpy(map->pass.clip, map->matrix, sizeof map->matrix);
    TRY(pass_draw(&map->pass, view));
    frame->shadow_triangles += map->pass.stats.triangles_setup;
    CopyRows copy = {&map->pass, map};
    jobs_run(map->pass.tiles_x * map->pass.tiles_y, 4, copy_tiles, &copy);
    map->drawn = true;
    return THATCH_OK;
}

int32_t thatch_frame_shadow_maps(ThatchFrame handle, ThatchScene scene_handle, ThatchCamera camera_handle,
                                 const ThatchShadowOptions *options)
{
    Frame *frame = frame_get(handle, "shadow_maps", DID_BEGIN);
    if (!frame) return error_last_code();
    STAGE_BEGIN(frame);
    Scene *scene = pool_get(&scene_pool, scene_handle, "shadow_maps");
    const Camera *camera = pool_get(&camera_pool, camera_handle, "shadow_maps");
    if (!scene || !camera) return THATCH_ERROR_STALE;
    TRY(options_check_shadow(options));
    FrameLight light;
    TRY(lights_collect(scene, camera->eye, 0, &light));
    frame->shadow_options = *options;
    frame->use_still = frame->use_moving = false;
    frame->done |= DID_SHADOWS;
    if (options->shadows == THATCH_SHADOWS_NONE || !light.sun.present || !light.sun.casts) {
        STAGE_END(frame, THATCH_STAGE_SHADOW_MAPS);
        return THATCH_OK;
    }
    scene_update(scene);
    const bool full = options->shadows == THATCH_SHADOWS_FULL;
    PassView view = {.scene = scene,
                     .layers = camera->layers,
                     .far_m = 1e30f,
                     .casters_only = true,
                     .still_only = true,
                     .parallel = true,
                     .item_share_max = 1.0f,
                     .min_px = 0.0f,
                     .wind = full,
                     .time_s = frame->time_s,
                     .frame_number = frame->number};
    const ThatchShadowOptions *was = &frame->still_options;
    const bool same = frame->still.drawn && !frame->refresh_shadows && frame->still_layers == camera->layers &&
                      frame->still_scene == scene_handle &&
                      memcmp(frame->still_sun, light.sun.direction, sizeof frame->still_sun) == 0 &&
                      was->size == options->size && was->radius_m == options->radius_m &&
                      memcmp(was->center, options->center, sizeof was->center) == 0 && !frame->still_full &&
                      (options->matrix ? frame->still_own && memcmp(options->matrix, frame->still.matrix,
                                                                    sizeof frame->still.matrix) == 0
                                       : !frame->still_own);
    if (!same || full) {
        float center[3] = {options->center[0], options->center[1], options->center[2]}, radius = options->radius_m;
        if (!(radius > 0.0f)) casters_sphere(scene, camera->layers, center, &radius);
        frame->still_own = options->matrix != NULL;
        if (options->matrix) {
            const float *m = options->matrix;
            memcpy(frame->still.matrix, m, sizeof frame->still.matrix);
            const float across = sqrtf(m[0] * m[0] + m[4] * m[4] + m[8] * m[8]);
            frame->still.texel_m = across > 0.0f ? 2.0f / across / (float)options->size : 1.0f;
        } else {
            sun_matrix(light.sun.direction, center, radius, radius * 1.5f + 60.0f, options->size, frame->still.matrix,
                       &frame->still.texel_m);
        }
        view.focal_px = 1.0f / frame->still.texel_m, view.detail_px = LEAF_TEXELS;
        TRY(map_draw(frame, &frame->still, &view, options->size));
        frame->still_options = *options, frame->still_layers = camera->layers, frame->still_scene = scene_handle;
        memcpy(frame->still_sun, light.sun.direction, sizeof frame->still_sun);
        frame->refresh_shadows = false, frame->still_full = full;
    }
    frame->use_still = true;
    if (options->shadows == THATCH_SHADOWS_CACHED || full) {
        const float radius = options->focus_radius_m;
        const int32_t size = options->size > 2048 ? 2048 : options->size > 512 ? options->size / 2 : options->size;
        sun_matrix(light.sun.direction, options->focus, radius, radius + 60.0f, size, frame->moving.matrix,
                   &frame->moving.texel_m);
        view.still_only = false, view.moving_only = true, view.wind = true;
        view.focal_px = 1.0f / frame->moving.texel_m, view.detail_px = LEAF_TEXELS;
        TRY(map_draw(frame, &frame->moving, &view, size));
        frame->use_moving = frame->moving.pass.stats.parts > 0;
    }
    STAGE_END(frame, THATCH_STAGE_SHADOW_MAPS);
    return THATCH_OK;
}

int32_t thatch_frame_refresh_shadows(ThatchFrame handle)
{
    Frame *frame = frame_get(handle, "refresh_shadows", 0);
    if (!frame) return error_last_code();
    frame->refresh_shadows = true;
    return THATCH_OK;
}
