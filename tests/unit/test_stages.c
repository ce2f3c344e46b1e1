// The stages under misuse: wrong order, things destroyed between stages, absurd numbers and sizes, short memory.
#include "stage_room.h"

static const float wall_at[3] = {-5, -5, -3}, wall_x[3] = {10, 0, 0}, wall_y[3] = {0, 10, 0};

static bool open_wall(Room *room, int32_t width, int32_t height)
{
    const ThatchMaterialDef red = room_paint(1, 0, 0);
    return room_open(room, width, height) && room_add_square(room, wall_at, wall_x, wall_y, &red) == 0;
}

static int test_a_stage_out_of_order_is_refused_by_name(void)
{
    Room room;
    EXPECT(open_wall(&room, 32, 32));
    const ThatchFrame f = room.frame;
    const ThatchResolveOptions *resolve = &room.resolve;
    ThatchWaterDef pond;
    ThatchWater water;
    thatch_water_defaults(&pond);
    EXPECT(thatch_water_create(&pond, &water) == THATCH_OK);
    float depth;
    EXPECT_REFUSED(thatch_frame_gather(f, room.scene, room.camera, &room.gather), THATCH_ERROR_ORDER, "gather: called before begin");
    EXPECT_REFUSED(thatch_frame_shadow_maps(f, room.scene, room.camera, &room.shadow), THATCH_ERROR_ORDER, "shadow_maps: called before begin");
    EXPECT(thatch_frame_begin(f, 0, 0) == THATCH_OK);
    EXPECT_REFUSED(thatch_frame_vertices(f), THATCH_ERROR_ORDER, "vertices: called before gather");
    EXPECT(thatch_frame_gather(f, room.scene, room.camera, &room.gather) == THATCH_OK);
    EXPECT_REFUSED(thatch_frame_setup(f), THATCH_ERROR_ORDER, "setup: called before vertices, need frame:vertices() first");
    EXPECT(thatch_frame_vertices(f) == THATCH_OK);
    EXPECT_REFUSED(thatch_frame_bins(f), THATCH_ERROR_ORDER, "bins: called before setup");
    EXPECT(thatch_frame_setup(f) == THATCH_OK);
    EXPECT_REFUSED(thatch_frame_raster(f), THATCH_ERROR_ORDER, "raster: called before bins");
    EXPECT(thatch_frame_bins(f) == THATCH_OK);
    EXPECT_REFUSED(thatch_frame_resolve(f, resolve), THATCH_ERROR_ORDER, "resolve: called before raster");
    EXPECT_REFUSED(thatch_frame_sky(f, 1, resolve), THATCH_ERROR_ORDER, "sky: called before raster");
    EXPECT_REFUSED(thatch_frame_depth(f, 0, 0, &depth), THATCH_ERROR_ORDER, "frame.depth: called before raster");
    EXPECT(thatch_frame_raster(f) == THATCH_OK);
    EXPECT_REFUSED(thatch_frame_blend(f), THATCH_ERROR_ORDER, "blend: called before resolve");
    EXPECT_REFUSED(thatch_frame_smooth(f), THATCH_ERROR_ORDER, "smooth: called before resolve");
    EXPECT_REFUSED(thatch_frame_water(f, water, 1, 1), THATCH_ERROR_ORDER, "water: called before resolve");
    EXPECT(thatch_frame_resolve(f, resolve) == THATCH_OK && thatch_frame_blend(f) == THATCH_OK && thatch_frame_water(f, water, 1, 1) == THATCH_OK);
    EXPECT(thatch_frame_begin(f, 1, 0) == THATCH_OK); // all is forgotten
    EXPECT_REFUSED(thatch_frame_raster(f), THATCH_ERROR_ORDER, "raster: called before gather");
    EXPECT(thatch_frame_gather(f, room.scene, room.camera, &room.gather) == THATCH_OK); // a new size has no pixels yet
    EXPECT(thatch_frame_resize(f, 40, 40, 1.0) == THATCH_OK);
    EXPECT_REFUSED(thatch_frame_vertices(f), THATCH_ERROR_ORDER, "vertices: called before gather");
    thatch_water_destroy(water);
    room_close(&room);
    return 0;
}

static int test_stale_handles_are_refused(void)
{
    Room room;
    EXPECT(open_wall(&room, 32, 32));
    const ThatchFrame f = room.frame;
    EXPECT(room_draw(&room) == THATCH_OK);
    thatch_geometry_destroy(room.geometries[0]);
    EXPECT_REFUSED(room_draw(&room), THATCH_ERROR_STALE, "gather: mesh on node 'it': its geometry is gone");
    room_close(&room);
    EXPECT(open_wall(&room, 32, 32));
    thatch_material_destroy(room.materials[0]);
    EXPECT_REFUSED(room_draw(&room), THATCH_ERROR_STALE, "its material is gone");
    EXPECT(thatch_frame_begin(room.frame, 0, 0) == THATCH_OK);
    EXPECT_REFUSED(thatch_frame_gather(room.frame, room.scene, room.scene, &room.gather), THATCH_ERROR_STALE, "need a camera");
    EXPECT_REFUSED(thatch_frame_gather(room.frame, room.camera, room.camera, &room.gather), THATCH_ERROR_STALE, "need a scene");
    thatch_scene_destroy(room.scene);
    EXPECT_REFUSED(thatch_frame_gather(room.frame, room.scene, room.camera, &room.gather), THATCH_ERROR_STALE, "scene is stale");
    EXPECT_REFUSED(thatch_frame_shadow_maps(room.frame, room.scene, room.camera, &room.shadow), THATCH_ERROR_STALE, "scene is stale");
    room_close(&room);
    EXPECT_REFUSED(thatch_frame_begin(f, 0, 0), THATCH_ERROR_STALE, "frame is stale");
    EXPECT_REFUSED(thatch_frame_raster(f), THATCH_ERROR_STALE, "frame is stale");
    EXPECT(thatch_frame_pixels(f, NULL, NULL) == NULL);
    return 0;
}

// Draws a textured, blended, skyed room and runs `spoil` after gather: each later stage must refuse, none may crash.
static int spoil_after_gather(int what, int stage)
{
    Room room;
    EXPECT(open_wall(&room, 48, 48));
    const uint8_t texels[24 * 4] = {255, 128, 64, 255};
    ThatchTextureDef map;
    ThatchTexture texture, cube;
    thatch_texture_defaults(&map);
    map.texels = texels, map.width = map.height = 2;
    EXPECT(thatch_texture_create(&map, &texture) == THATCH_OK);
    map.faces = 6;
    EXPECT(thatch_texture_create(&map, &cube) == THATCH_OK && thatch_scene_set_background_cube(room.scene, cube, 1) == THATCH_OK);
    ThatchShadingDef shading;
    thatch_shading_defaults(&shading);
    EXPECT(thatch_shading_register("spoiled", &shading) == THATCH_OK);
    ThatchMaterialDef paint = room_paint(1, 1, 1);
    paint.kind = THATCH_MATERIAL_LAMBERT, paint.map = texture, paint.shading = "spoiled";
    EXPECT(thatch_material_set(room.materials[0], &paint) == THATCH_OK);
    paint.alpha_mode = THATCH_ALPHA_BLEND, paint.opacity = 0.5f;
    EXPECT(room_add_square(&room, (float[3]){-5, -5, -2}, wall_x, wall_y, &paint) == 1);
    const ThatchFrame f = room.frame;
    int32_t status = thatch_frame_begin(f, 0, 0);
    for (int s = 0; s <= 8 && status == THATCH_OK; s++) {
        if (s == stage + 1) {
            ThatchGeometryDef other;
            thatch_geometry_defaults(&other);
            switch (what) {
            case 0: thatch_geometry_destroy(room.geometries[0]); break;
            case 1: EXPECT(thatch_geometry_replace(room.geometries[0], &other) == THATCH_OK); break;
            case 2: thatch_material_destroy(room.materials[1]); break;
            case 3: thatch_node_destroy(room.nodes[0]); break;
            case 4: thatch_mesh_destroy(room.meshes[1]); break;
            case 5: thatch_scene_destroy(room.scene); break;
            case 6: thatch_texture_destroy(texture); break;
            case 7: EXPECT(thatch_texture_forget_maps(0) == THATCH_OK); break;
            case 8: EXPECT(thatch_shading_remove("spoiled") == THATCH_OK); break;
            default: thatch_texture_destroy(cube); break;
            }
        }
        switch (s) {
        case 0: status = thatch_frame_gather(f, room.scene, room.camera, &room.gather); break;
        case 1: status = thatch_frame_vertices(f); break;
        case 2: status = thatch_frame_setup(f); break;
        case 3: status = thatch_frame_bins(f); break;
        case 4: status = thatch_frame_raster(f); break;
        case 5: status = thatch_frame_resolve(f, &room.resolve); break;
        case 6: status = thatch_frame_sky(f, 1, &room.resolve); break;
        case 7: status = thatch_frame_blend(f); break;
        default: status = thatch_frame_smooth(f); break;
        }
        EXPECT(status == THATCH_OK || s == stage + 1);
    }
    EXPECT(status == THATCH_ERROR_STALE && strstr(thatch_last_error(), "need frame:gather() again"));
    EXPECT(thatch_frame_vertices(f) == THATCH_ERROR_ORDER);
    thatch_shading_remove("spoiled");
    thatch_texture_destroy(texture), thatch_texture_destroy(cube);
    room_close(&room);
    return 0;
}

static int test_what_is_destroyed_between_stages_is_refused(void)
{
    for (int what = 0; what < 10; what++)
        for (int stage = 0; stage < 8; stage++)
            if (spoil_after_gather(what, stage)) {
                fprintf(stderr, "    case %d after stage %d\n", what, stage);
                return 1;
            }
    // What the frame does not draw may go.
    Room room;
    EXPECT(open_wall(&room, 32, 32));
    ThatchScene other;
    EXPECT(thatch_scene_create(&other) == THATCH_OK && room_raster(&room, 0, 0) == THATCH_OK);
    thatch_scene_destroy(other);
    EXPECT(thatch_frame_resolve(room.frame, &room.resolve) == THATCH_OK);
    room_close(&room);
    return 0;
}

static int test_absurd_numbers_are_refused_or_harmless(void)
{
    Room room;
    EXPECT(open_wall(&room, 64, 48));
    const ThatchMaterialDef green = room_paint(0, 1, 0);
    EXPECT(room_add_square(&room, (float[3]){-9, -9, -8}, (float[3]){18, 0, 0}, (float[3]){0, 18, 0}, &green) == 1);
    static const float values[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e30f, 1e20f, 1e9f, 1e-30f, 1e-45f, 0.0f, -0.0f};
    float identity[16] = {0};
    for (int k = 0; k < 16; k += 5) identity[k] = 1.0f;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        for (int at = 0; at < 16; at++) {
            float m[16];
            memcpy(m, identity, sizeof m);
            m[at] = values[v];
            const int32_t node = thatch_node_set_matrix(room.nodes[0], m);
            EXPECT(node == THATCH_OK || node == THATCH_ERROR_ARGUMENT);
            EXPECT(isfinite(values[v]) || node == THATCH_ERROR_ARGUMENT);
            EXPECT(room_draw(&room) == THATCH_OK);
            // The other mesh is drawn as ever where this one is not.
            int32_t w, h;
            const uint8_t *p = thatch_frame_pixels(room.frame, &w, &h);
            for (int32_t i = 0; i < w * h; i++) EXPECT(p[4 * i + 2] == 0 && (p[4 * i] == 255 || p[4 * i + 1] == 255));
            // The camera's own matrix, of any numbers.
            memcpy(m, (float[16]){1.4f, 0, 0, 0, 0, 1.8f, 0, 0, 0, 0, -1, -1, 0, 0, -0.2f, 0}, sizeof m);
            m[at] = values[v];
            EXPECT(thatch_node_set_matrix(room.nodes[0], identity) == THATCH_OK);
            const float eye[3] = {0, 0, 0};
            if (thatch_camera_set_matrix(room.camera, m, eye, 0.1f, 100.0f) == THATCH_OK) {
                const int32_t drawn = room_draw(&room);
                EXPECT(drawn == THATCH_OK || drawn == THATCH_ERROR_ARGUMENT);
            }
            EXPECT(thatch_camera_set_perspective(room.camera, 1.0f, 0.1f, 1000.0f) == THATCH_OK);
            EXPECT(room_look(&room, 0, 0, 0, 0, 0, -1));
        }
    room_close(&room);
    return 0;
}

static int test_flat_and_empty_triangles_draw_nothing(void)
{
    Room room;
    EXPECT(room_open(&room, 64, 48));
    ThatchMaterialDef red = room_paint(1, 0, 0);
    red.two_sided = true;
    // A point, a line, a line through the eye, w of exactly 0.
    const float p[] = {0, 0, -3, 0, 0, -3, 0, 0, -3, -1, 0, -3, 1, 0, -3, 3, 0, -3, 0, 0, -3, 0, 0, 3, 0, 0, 9, 1, 0, 0, 0, 1, 0, -1, -1, 0};
    EXPECT(room_add_triangles(&room, p, 12, (uint32_t[12]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 12, &red) == 0);
    EXPECT(room_add_triangles(&room, NULL, 0, NULL, 0, &red) == 1);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, 0) == 0);
    room_close(&room);
    return 0;
}

static int test_windows_of_any_shape(void)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 300}, {300, 1}, {2, 2}, {3, 5}, {16, 8192}, {8192, 16}, {65, 63}, {4, 4}, {129, 127}};
    static const double scales[] = {1.0, 0.25, 1.0 / 3.0, 0.77, 1.3, 2.0};
    Room room;
    EXPECT(open_wall(&room, 32, 32));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
            for (int mode = 0; mode < 2; mode++) {
                if (scales[k] > 1.0 && (sizes[s][0] > 4096 || sizes[s][1] > 4096)) continue;
                EXPECT(thatch_frame_resize(room.frame, sizes[s][0], sizes[s][1], scales[k]) == THATCH_OK);
                EXPECT(room_draw(&room) == THATCH_OK && thatch_frame_sky(room.frame, 32, &room.resolve) == THATCH_OK);
                EXPECT(thatch_frame_smooth(room.frame) == THATCH_OK && thatch_frame_upscale(room.frame, mode) == THATCH_OK);
                // A wall of one colour fills the view in every shape but the very wide ones.
                if (sizes[s][0] <= 2 * sizes[s][1]) EXPECT(room_others(&room, 0xff0000) == 0);
            }
    EXPECT_REFUSED(thatch_frame_resize(room.frame, 8193, 4, 1), THATCH_ERROR_ARGUMENT, "window width is 8193, need 1 .. 8192");
    EXPECT_REFUSED(thatch_frame_resize(room.frame, 4, 0, 1), THATCH_ERROR_ARGUMENT, "window height is 0");
    EXPECT_REFUSED(thatch_frame_resize(room.frame, 4, 4, 0.2), THATCH_ERROR_ARGUMENT, "render_scale is 0.2");
    EXPECT_REFUSED(thatch_frame_resize(room.frame, 8192, 16, 1.3), THATCH_ERROR_ARGUMENT, "more than 8192 pixels a side");
    EXPECT_REFUSED(thatch_frame_resize(room.frame, 4, 4, NAN), THATCH_ERROR_ARGUMENT, "render_scale is");
    room_close(&room);
    return 0;
}

static int test_a_million_overlapping_triangles_end(void)
{
    Room room;
    EXPECT(room_open(&room, 64, 64));
    enum { COUNT = 1000000 };
    uint32_t *index = malloc(sizeof(uint32_t) * 3 * COUNT);
    for (uint32_t i = 0; i < 3 * COUNT; i++) index[i] = i % 3;
    const float p[9] = {-0.5f, -0.5f, -3, 0.5f, -0.5f, -3, 0, 0.5f, -3};
    const ThatchMaterialDef red = room_paint(1, 0, 0);
    EXPECT(room_add_triangles(&room, p, 3, index, 3 * COUNT, &red) == 0);
    free(index);
    EXPECT(room_draw(&room) == THATCH_OK && room_pixel(&room, 32, 32) == 0xff0000 && room_pixel(&room, 5, 5) == 0);
    ThatchStats stats;
    EXPECT(thatch_frame_stats(room.frame, &stats) == THATCH_OK);
    EXPECT(stats.triangles_setup == COUNT && stats.triangles_binned == COUNT && stats.triangles_dropped == 0);
    room_close(&room);
    return 0;
}

static int test_options_are_checked(void)
{
    Room room;
    EXPECT(open_wall(&room, 32, 32));
    const ThatchFrame f = room.frame;
    EXPECT(room_raster(&room, 0, 0) == THATCH_OK);
    ThatchResolveOptions resolve = room.resolve;
    resolve.exposure = 0.0f;
    EXPECT_REFUSED(thatch_frame_resolve(f, &resolve), THATCH_ERROR_ARGUMENT, "resolve: exposure is 0");
    resolve.exposure = NAN;
    EXPECT_REFUSED(thatch_frame_sky(f, 1, &resolve), THATCH_ERROR_ARGUMENT, "sky: exposure is");
    EXPECT_REFUSED(thatch_frame_resolve(f, NULL), THATCH_ERROR_ARGUMENT, "resolve: options");
    EXPECT_REFUSED(thatch_frame_sky(f, 0, &room.resolve), THATCH_ERROR_ARGUMENT, "sky: step is 0, need 1 .. 32");
    EXPECT_REFUSED(thatch_frame_upscale(f, 2), THATCH_ERROR_ARGUMENT, "upscale: mode is 2");
    EXPECT_REFUSED(thatch_frame_begin(f, -1, 0), THATCH_ERROR_ARGUMENT, "number is -1");
    EXPECT_REFUSED(thatch_frame_begin(f, 0, NAN), THATCH_ERROR_ARGUMENT, "time_s is");
    ThatchGatherOptions gather = room.gather;
    gather.detail_px = NAN;
    EXPECT_REFUSED(thatch_frame_gather(f, room.scene, room.camera, &gather), THATCH_ERROR_ARGUMENT, "gather: detail_px is");
    ThatchShadowOptions shadow = room.shadow;
    shadow.size = 1000;
    EXPECT_REFUSED(thatch_frame_shadow_maps(f, room.scene, room.camera, &shadow), THATCH_ERROR_ARGUMENT, "shadow_maps: size is 1000");
    shadow = room.shadow, shadow.center[1] = NAN;
    EXPECT_REFUSED(thatch_frame_shadow_maps(f, room.scene, room.camera, &shadow), THATCH_ERROR_ARGUMENT, "center[1] is");
    shadow = room.shadow, shadow.radius_m = NAN;
    EXPECT_REFUSED(thatch_frame_shadow_maps(f, room.scene, room.camera, &shadow), THATCH_ERROR_ARGUMENT, "radius is");
    room_close(&room);
    return 0;
}

static int test_lights_that_can_not_be_drawn_are_refused(void)
{
    static const struct { int32_t first, second; const char *text; } cases[] = {
        {THATCH_LIGHT_HEMISPHERE, THATCH_LIGHT_HEMISPHERE, "second hemisphere"}, {THATCH_LIGHT_DIRECTIONAL, THATCH_LIGHT_DIRECTIONAL, "second sun"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Room room;
        EXPECT(open_wall(&room, 32, 32) && room_light(&room, cases[i].first, 1, 1, 1, NULL));
        if (cases[i].second >= 0) EXPECT(room_light(&room, cases[i].second, 1, 1, 1, NULL));
        EXPECT_REFUSED(room_draw(&room), THATCH_ERROR_ARGUMENT, cases[i].text);
        room_close(&room);
    }
    return 0;
}

// A little of everything: create, load, draw two frames of all stages, resize, draw, take the picture.
static int32_t whole_life(void)
{
    Room room;
    ThatchWater water = 0;
    ThatchTexture map = 0, cube = 0;
    int32_t status = room_open(&room, 40, 30) ? THATCH_OK : THATCH_ERROR_MEMORY;
    uint8_t texels[6 * 8 * 8 * 4];
    for (size_t i = 0; i < sizeof texels; i++) texels[i] = (uint8_t)(i * 37);
    ThatchTextureDef texture;
    thatch_texture_defaults(&texture);
    texture.texels = texels, texture.width = texture.height = 8;
    if (status == THATCH_OK) status = thatch_texture_create(&texture, &map);
    texture.faces = 6;
    if (status == THATCH_OK) status = thatch_texture_create(&texture, &cube);
    if (status == THATCH_OK) status = thatch_scene_set_background_cube(room.scene, cube, 1);
    ThatchMaterialDef paint;
    thatch_material_defaults(&paint);
    paint.map = map;
    const bool open = status == THATCH_OK;
    if (open && room_add_square(&room, (float[3]){-9, -1, 4}, (float[3]){18, 0, 0}, (float[3]){0, 0, -18}, &paint) < 0) status = THATCH_ERROR_MEMORY;
    paint.alpha_mode = THATCH_ALPHA_MASK;
    if (status == THATCH_OK && room_add_box(&room, (float[3]){-1, -1, -6}, (float[3]){1, 1, -4}, &paint) < 0) status = THATCH_ERROR_MEMORY;
    paint.alpha_mode = THATCH_ALPHA_BLEND;
    if (status == THATCH_OK && room_add_square(&room, (float[3]){-1, -1, -3}, (float[3]){1, 0, 0}, (float[3]){0, 1, 0}, &paint) < 0) status = THATCH_ERROR_MEMORY;
    const float sun[3] = {0.4f, 1, 0.3f};
    if (status == THATCH_OK && !room_light(&room, THATCH_LIGHT_DIRECTIONAL, 2, 2, 2, sun)) status = THATCH_ERROR_MEMORY;
    ThatchWaterDef pond;
    thatch_water_defaults(&pond);
    pond.level_m = -0.9f;
    if (status == THATCH_OK) status = thatch_water_create(&pond, &water);
    if (status == THATCH_OK) status = thatch_scene_set_moving(room.scene, &room.nodes[1], 1);
    room.shadow.shadows = THATCH_SHADOWS_CACHED, room.shadow.size = 256;
    room.sky = room.blend = true;
    for (int number = 0; number < 4; number++) { // a failed frame is followed by another try
        if (!open || !room.frame) break;
        int32_t drawn = number == 2 ? thatch_frame_resize(room.frame, 150, 90, 0.5) : THATCH_OK;
        if (drawn == THATCH_OK) drawn = room_draw_at(&room, number, number / 24.0);
        if (drawn == THATCH_OK && water) drawn = thatch_frame_water(room.frame, water, 2, 1);
        if (drawn == THATCH_OK) drawn = thatch_frame_smooth(room.frame);
        if (drawn == THATCH_OK) drawn = thatch_frame_upscale(room.frame, number & 1);
        if (drawn == THATCH_OK) {
            int32_t w, h;
            const uint8_t *p = thatch_frame_pixels(room.frame, &w, &h);
            uint8_t hash[16];
            if (!p || thatch_frame_hash(room.frame, hash) != THATCH_OK) drawn = THATCH_ERROR_SYSTEM;
            if (number == 3) drawn = thatch_image_write("/tmp/thatch-unit-life.png", p, w, h);
        }
        if (drawn != THATCH_OK) status = drawn;
    }
    thatch_water_destroy(water);
    room_close(&room);
    thatch_texture_destroy(map), thatch_texture_destroy(cube);
    remove("/tmp/thatch-unit-life.png");
    return status;
}

static int test_each_allocation_may_fail(void)
{
    EXPECT(whole_life() == THATCH_OK);
    const double held = thatch_memory_bytes();
    int32_t failed = 0;
    for (int32_t nth = 1; nth < 5000; nth++) {
        thatch_fail_allocation(nth);
        const int32_t status = whole_life();
        thatch_fail_allocation(0);
        EXPECT(status == THATCH_OK || status == THATCH_ERROR_MEMORY);
        // Pools keep what they have grown by; nothing else may be left.
        EXPECT(thatch_memory_bytes() <= held);
        if (status == THATCH_OK) break;
        failed++;
    }
    EXPECT(failed > 50 && failed < 4990);
    EXPECT(whole_life() == THATCH_OK);
    return 0;
}

static int test_a_warm_frame_allocates_nothing(void)
{
    Room room;
    EXPECT(open_wall(&room, 160, 90));
    const ThatchMaterialDef green = room_paint(0, 1, 0);
    EXPECT(room_add_box(&room, (float[3]){-1, -1, -6}, (float[3]){1, 1, -4}, &green) == 1);
    const float sun[3] = {0.4f, 1, 0.3f};
    EXPECT(room_light(&room, THATCH_LIGHT_DIRECTIONAL, 2, 2, 2, sun));
    room.shadow.shadows = THATCH_SHADOWS_FULL, room.shadow.size = 256;
    double before = 0;
    for (int number = 0; number < 220; number++) {
        if (number == 20) before = thatch_allocation_count();
        const float at[3] = {sinf((float)number * 0.1f), 0, 0};
        EXPECT(thatch_node_set_transform(room.nodes[1], at, NULL, NULL) == THATCH_OK);
        EXPECT(room_look(&room, sinf((float)number * 0.05f), 0, 1, 0, 0, -5));
        EXPECT(room_draw_at(&room, number, number / 24.0) == THATCH_OK);
        EXPECT(thatch_frame_smooth(room.frame) == THATCH_OK && thatch_frame_upscale(room.frame, 1) == THATCH_OK);
    }
    EXPECT(thatch_allocation_count() == before);
    room_close(&room);
    return 0;
}

const Test stages_tests[] = {
    TEST(a_stage_out_of_order_is_refused_by_name),
    TEST(stale_handles_are_refused),
    TEST(what_is_destroyed_between_stages_is_refused),
    TEST(absurd_numbers_are_refused_or_harmless),
    TEST(flat_and_empty_triangles_draw_nothing),
    TEST(windows_of_any_shape),
    TEST(a_million_overlapping_triangles_end),
    TEST(options_are_checked),
    TEST(lights_that_can_not_be_drawn_are_refused),
    TEST(each_allocation_may_fail),
    TEST(a_warm_frame_allocates_nothing),
    TESTS_END,
};
