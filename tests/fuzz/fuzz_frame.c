// Any sizes, scales, quality settings and options, in any order of calls: refused or drawn, never worse. What was
// refused leaves the frame as it was.
#include "thatch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

typedef struct Input {
    const uint8_t *at, *end;
} Input;

static uint32_t take(Input *in, size_t bytes)
{
    uint32_t v = 0;
    if ((size_t)(in->end - in->at) < bytes) {
        in->at = in->end;
        return 0;
    }
    memcpy(&v, in->at, bytes);
    in->at += bytes;
    return v;
}

// Mostly a size that can be drawn soon; else any number.
static int32_t take_side(Input *in)
{
    const uint32_t kind = take(in, 1);
    if (kind < 200) return (int32_t)(take(in, 1) % 200);
    if (kind < 220) return (int32_t)take(in, 2);
    return (int32_t)take(in, 4);
}

static double take_double(Input *in)
{
    const uint32_t kind = take(in, 1);
    if (kind < 160) return 0.2 + (double)kind / 80.0;
    uint8_t raw[8];
    for (int i = 0; i < 8; i++) raw[i] = (uint8_t)take(in, 1);
    double v;
    memcpy(&v, raw, sizeof v);
    return v;
}

// Changes a few bytes of a struct that its defaults function has filled.
static void bend(Input *in, void *data, size_t size)
{
    uint8_t *bytes = data;
    for (uint32_t n = take(in, 1) % 4; n > 0; n--) {
        const size_t at = take(in, 2) % (size / 4) * 4;
        uint32_t value = take(in, 1) & 1 ? take(in, 1) : take(in, 4);
        memcpy(bytes + at, &value, 4);
    }
}

// A bool of C holds 0 or 1: the FFI and every compiler write it so.
static void mend_bool(void *at)
{
    uint8_t byte;
    memcpy(&byte, at, 1);
    byte &= 1;
    memcpy(at, &byte, 1);
}

typedef struct World {
    ThatchScene scene;
    ThatchCamera camera;
    ThatchFrame frame;
    ThatchWater water;
} World;

static World new_world(void)
{
    World w;
    static const float positions[] = {-9, -1, 4, 9, -1, 4, 9, -1, -14, -9, -1, -14, -1, -1, -6, 1, -1, -6, 0, 2, -6};
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3, 4, 5, 6};
    ThatchGeometryDef geometry;
    ThatchMaterialDef material;
    ThatchMeshDef mesh;
    ThatchWaterDef pond;
    ThatchLightDef sun;
    ThatchMesh made;
    ThatchLight light;
    thatch_geometry_defaults(&geometry), thatch_material_defaults(&material), thatch_mesh_defaults(&mesh);
    thatch_water_defaults(&pond), thatch_light_defaults(&sun);
    geometry.positions = positions, geometry.vertex_count = 7, geometry.indices = indices, geometry.index_count = 9;
    sun.kind = THATCH_LIGHT_DIRECTIONAL, pond.level_m = -0.9f;
    if (thatch_start(1, -1) || thatch_scene_create(&w.scene) || thatch_camera_create(&w.camera) ||
        thatch_frame_create(64, 36, 1.0, &w.frame) || thatch_water_create(&pond, &w.water) ||
        thatch_geometry_create(&geometry, &mesh.geometry) || thatch_material_create(&material, &mesh.material) ||
        thatch_node_create(w.scene, 0, "it", &mesh.node) || thatch_mesh_create(w.scene, &mesh, &made) ||
        thatch_light_create(w.scene, &sun, &light))
        abort();
    return w;
}

static void call_stage(const World *w, Input *in, uint32_t which)
{
    ThatchShadowOptions shadow;
    ThatchGatherOptions gather;
    ThatchResolveOptions resolve;
    thatch_shadow_options_defaults(&shadow), thatch_gather_options_defaults(&gather);
    thatch_resolve_options_defaults(&resolve);
    const ThatchFrame f = w->frame;
    switch (which) {
    case 0: thatch_frame_begin(f, (int32_t)take(in, 4), take_double(in)); break;
    case 1:
        shadow.size = 256;
        bend(in, &shadow, offsetof(ThatchShadowOptions, matrix));
        if (shadow.size > 1024) shadow.size |= 1; // refused, not slow
        thatch_frame_shadow_maps(f, w->scene, w->camera, &shadow);
        break;
    case 2:
        bend(in, &gather, sizeof gather);
        mend_bool(&gather.pixel_maps), mend_bool(&gather.trilinear);
        thatch_frame_gather(f, w->scene, w->camera, &gather);
        break;
    case 3: thatch_frame_vertices(f); break;
    case 4: thatch_frame_setup(f); break;
    case 5: thatch_frame_bins(f); break;
    case 6: thatch_frame_raster(f); break;
    case 7:
    case 8:
        bend(in, &resolve, sizeof resolve);
        mend_bool(&resolve.srgb), mend_bool(&resolve.pixel_light);
        if (which == 7) thatch_frame_resolve(f, &resolve);
        else thatch_frame_sky(f, (int32_t)take(in, 1), &resolve);
        break;
    case 9: thatch_frame_blend(f); break;
    case 10: thatch_frame_water(f, w->water, (int32_t)take(in, 1), (int32_t)take(in, 1)); break;
    case 11: thatch_frame_smooth(f); break;
    default: thatch_frame_upscale(f, (int32_t)take(in, 1) % 4); break;
    }
}

static void try_quality(Input *in)
{
    static const char *const presets[] = {"low", "medium", "high", "ultra", "", "lo"};
    ThatchQuality quality;
    if (thatch_quality_preset(presets[take(in, 1) % 6], &quality) != THATCH_OK) return;
    if (thatch_quality_check(&quality) != THATCH_OK) abort(); // a preset is in range
    ThatchQuality bent = quality;
    bend(in, &bent, sizeof bent);
    if (thatch_quality_check(&bent) != THATCH_OK && !thatch_last_error()[0]) abort(); // refused without a word
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static World world;
    if (!world.frame) world = new_world();
    Input in = {bytes, bytes + count};
    for (int calls = 0; calls < 16 && in.at < in.end; calls++) {
        const uint32_t what = take(&in, 1);
        int32_t before[4], after[4];
        thatch_frame_size(world.frame, before, before + 1, before + 2, before + 3);
        if (what < 32) {
            const int32_t w = take_side(&in), h = take_side(&in);
            const double scale = take_double(&in);
            if ((int64_t)w * h > 1 << 14 && w > 0 && h > 0 && w <= 8192 && h <= 8192) continue; // right, but slow
            const int32_t status = thatch_frame_resize(world.frame, w, h, scale);
            thatch_frame_size(world.frame, after, after + 1, after + 2, after + 3);
            if (status != THATCH_OK && memcmp(before, after, sizeof before) != 0) abort();
            if (status == THATCH_OK && (after[2] != w || after[3] != h || after[0] < 1 || after[1] < 1)) abort();
        } else if (what < 48) {
            try_quality(&in);
        } else if (what < 96) { // the stages in their order, as far as they go
            for (uint32_t stage = 0; stage < 13; stage++) call_stage(&world, &in, stage);
        } else {
            call_stage(&world, &in, what % 13);
        }
        int32_t w, h;
        const uint8_t *pixels = thatch_frame_pixels(world.frame, &w, &h);
        if (pixels) {
            volatile uint8_t last = pixels[4 * (int64_t)w * h - 1]; // it is all there
            (void)last;
        }
    }
    return 0;
}
