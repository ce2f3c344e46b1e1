// Shadows: where they fall, which of the maps hold what, and that a lit floor stays lit.
#include "stage_room.h"

enum { LIT = 0xffffff };

// A white floor at y = 0 seen from above, one pixel a tenth of a metre; the sun lights it fully, ambient a fifth.
static bool open_yard(Room *room, int32_t shadows, const float sun[3])
{
    if (!room_open(room, 128, 128)) return false;
    const float eye[3] = {0, 20, 0}, target[3] = {0, 0, 0}, up[3] = {0, 0, -1};
    if (thatch_camera_set_orthographic(room->camera, 12.8f, 1, 40) != THATCH_OK || thatch_camera_look(room->camera, eye, target, up) != THATCH_OK) return false;
    ThatchMaterialDef white = room_paint(1, 1, 1);
    white.kind = THATCH_MATERIAL_LAMBERT;
    if (room_add_square(room, (float[3]){-30, 0, 30}, (float[3]){60, 0, 0}, (float[3]){0, 0, -60}, &white) != 0) return false;
    const float length = sqrtf(sun[0] * sun[0] + sun[1] * sun[1] + sun[2] * sun[2]), strength = 0.8f * 3.1415927f * length / sun[1];
    room->shadow.shadows = shadows, room->shadow.size = 1024, room->shadow.radius_m = 10, room->shadow.focus_radius_m = 10;
    return room_light(room, THATCH_LIGHT_AMBIENT, 0.2f * 3.1415927f, 0.2f * 3.1415927f, 0.2f * 3.1415927f, NULL) &&
           room_light(room, THATCH_LIGHT_DIRECTIONAL, strength, strength, strength, sun);
}

static bool add_post(Room *room, float x, float z, float height)
{
    ThatchMaterialDef red = room_paint(1, 0, 0);
    return room_add_box(room, (float[3]){x - 0.5f, 0, z - 0.5f}, (float[3]){x + 0.5f, height, z + 0.5f}, &red) > 0;
}

// The floor's share of light at a place: 255 lit, 51 in shadow; -1 where it is not seen.
static int floor_light(Room *room, float x, float z)
{
    const uint32_t seen = room_pixel(room, (int32_t)floorf(x * 10 + 64), (int32_t)floorf(z * 10 + 64));
    const int r = (int)(seen >> 16), g = (int)(seen >> 8 & 255);
    return r == g ? r : -1;
}

static bool is_lit(Room *room, float x, float z) { return floor_light(room, x, z) >= 253; }
static bool is_dark(Room *room, float x, float z) { const int l = floor_light(room, x, z); return l >= 49 && l <= 53; }

static const float slant[3] = {1, 1, 0}; // from +x: shadows fall to -x, as long as the post is high

static int test_a_shadow_falls_where_geometry_says(void)
{
    static const int32_t modes[] = {THATCH_SHADOWS_STILL, THATCH_SHADOWS_CACHED, THATCH_SHADOWS_FULL};
    for (int m = 0; m < 3; m++)
        for (int32_t filter = 2; filter <= 4; filter += 2) {
            Room room;
            EXPECT(open_yard(&room, modes[m], slant) && add_post(&room, 1, 1, 2));
            room.shadow.filter = filter;
            EXPECT(room_draw(&room) == THATCH_OK);
            // The post stands on 0.5 .. 1.5 and is 2 m high: its shadow reaches x = -1.5, between z = 0.5 and 1.5.
            for (float x = -1.3f; x < 0.4f; x += 0.1f)
                for (float z = 0.65f; z < 1.4f; z += 0.1f) EXPECT(is_dark(&room, x, z));
            for (float x = -6; x < 6; x += 0.1f) EXPECT(is_lit(&room, x, 0.33f) && is_lit(&room, x, 1.67f));
            for (float z = -6; z < 6; z += 0.1f) EXPECT(is_lit(&room, -1.7f, z) && is_lit(&room, 1.7f, z));
            room_close(&room);
        }
    return 0;
}

static int test_without_maps_or_casters_all_is_lit(void)
{
    Room room;
    EXPECT(open_yard(&room, THATCH_SHADOWS_NONE, slant) && add_post(&room, 1, 1, 2));
    EXPECT(room_draw(&room) == THATCH_OK && is_lit(&room, -0.5f, 1));
    room.shadow.shadows = THATCH_SHADOWS_CACHED;
    EXPECT(room_draw(&room) == THATCH_OK && is_dark(&room, -0.5f, 1));
    EXPECT(thatch_mesh_set_visible(room.meshes[1], false) == THATCH_OK && thatch_frame_refresh_shadows(room.frame) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, LIT) == 0);
    room_close(&room);
    return 0;
}

static int test_the_cached_map_is_kept_until_refreshed(void)
{
    Room room;
    EXPECT(open_yard(&room, THATCH_SHADOWS_CACHED, slant) && add_post(&room, 1, 1, 2));
    EXPECT(room_draw(&room) == THATCH_OK && is_dark(&room, -0.5f, 1));
    const float away[3] = {0, 0, -4};
    EXPECT(thatch_node_set_transform(room.nodes[1], away, NULL, NULL) == THATCH_OK && room_draw(&room) == THATCH_OK);
    ThatchStats stats;
    EXPECT(thatch_frame_stats(room.frame, &stats) == THATCH_OK && stats.shadow_triangles == 0);
    EXPECT(is_dark(&room, -0.5f, 1) && is_lit(&room, -0.5f, -3));
    EXPECT(thatch_frame_refresh_shadows(room.frame) == THATCH_OK && room_draw(&room) == THATCH_OK);
    EXPECT(is_lit(&room, -0.5f, 1) && is_dark(&room, -0.5f, -3));
    EXPECT(thatch_frame_stats(room.frame, &stats) == THATCH_OK && stats.shadow_triangles > 0);
    room.shadow.shadows = THATCH_SHADOWS_FULL; // each frame anew
    EXPECT(thatch_node_set_transform(room.nodes[1], (float[3]){0, 0, 0}, NULL, NULL) == THATCH_OK && room_draw(&room) == THATCH_OK);
    EXPECT(is_dark(&room, -0.5f, 1) && is_lit(&room, -0.5f, -3));
    room_close(&room);
    return 0;
}

static int test_moving_nodes_cast_by_the_moving_map(void)
{
    Room room;
    EXPECT(open_yard(&room, THATCH_SHADOWS_CACHED, slant) && add_post(&room, 1, 1, 2) && add_post(&room, 1, -4, 2));
    EXPECT(thatch_scene_set_moving(room.scene, &room.nodes[1], 1) == THATCH_OK);
    for (int n = 0; n < 4; n++) {
        const float at[3] = {0, 0, (float)n};
        EXPECT(thatch_node_set_transform(room.nodes[1], at, NULL, NULL) == THATCH_OK && room_draw(&room) == THATCH_OK);
        EXPECT(is_dark(&room, -0.5f, 1 + (float)n) && is_lit(&room, -0.5f, 2.3f + (float)n) && is_dark(&room, -0.5f, -4));
        if (n > 0) EXPECT(is_lit(&room, -0.5f, (float)n - 0.4f));
    }
    room.shadow.shadows = THATCH_SHADOWS_STILL; // the moving casters cast none
    EXPECT(room_draw(&room) == THATCH_OK && is_lit(&room, -0.5f, 4) && is_dark(&room, -0.5f, -4));
    room.shadow.shadows = THATCH_SHADOWS_CACHED, room.shadow.focus[0] = 200; // nor where the focus is not
    EXPECT(room_draw(&room) == THATCH_OK && is_lit(&room, -0.5f, 4));
    EXPECT(thatch_scene_set_moving(room.scene, NULL, 0) == THATCH_OK && thatch_frame_refresh_shadows(room.frame) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && is_dark(&room, -0.5f, 4));
    room_close(&room);
    return 0;
}

static int test_layers_draw_the_still_map_again(void)
{
    Room room;
    EXPECT(open_yard(&room, THATCH_SHADOWS_CACHED, slant) && add_post(&room, 1, 1, 2));
    EXPECT(thatch_mesh_set_layers(room.meshes[1], 2) == THATCH_OK && thatch_camera_set_layers(room.camera, 3) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && is_dark(&room, -0.5f, 1));
    EXPECT(thatch_camera_set_layers(room.camera, 1) == THATCH_OK); // the sun sees what the camera sees
    EXPECT(room_draw(&room) == THATCH_OK && is_lit(&room, -0.5f, 1) && is_lit(&room, 1, 1));
    EXPECT(thatch_camera_set_layers(room.camera, 3) == THATCH_OK && room_draw(&room) == THATCH_OK && is_dark(&room, -0.5f, 1));
    room_close(&room);
    return 0;
}

static int test_casts_and_receives_can_be_off(void)
{
    for (int what = 0; what < 2; what++) {
        Room room;
        EXPECT(open_yard(&room, THATCH_SHADOWS_CACHED, slant) && add_post(&room, 1, 1, 2));
        const int32_t mesh = what == 0 ? 1 : 0;
        ThatchMeshDef def;
        thatch_mesh_defaults(&def);
        thatch_mesh_destroy(room.meshes[mesh]);
        def.geometry = room.geometries[mesh], def.material = room.materials[mesh], def.node = room.nodes[mesh];
        def.casts_shadow = what != 0, def.receives_shadow = what != 1;
        EXPECT(thatch_mesh_create(room.scene, &def, &room.meshes[mesh]) == THATCH_OK);
        EXPECT(room_draw(&room) == THATCH_OK && is_lit(&room, -0.5f, 1));
        room_close(&room);
    }
    return 0;
}

static int test_masked_casters_cast_by_their_map(void)
{
    Room room;
    EXPECT(open_yard(&room, THATCH_SHADOWS_CACHED, (float[3]){0.001f, 1, 0.001f}));
    uint8_t texels[32 * 32 * 4];
    for (int i = 0; i < 1024; i++) texels[4 * i] = texels[4 * i + 1] = texels[4 * i + 2] = 255, texels[4 * i + 3] = i % 32 < 16 ? 0 : 255;
    ThatchTextureDef map;
    ThatchTexture texture;
    thatch_texture_defaults(&map);
    map.texels = texels, map.width = map.height = 32;
    EXPECT(thatch_texture_create(&map, &texture) == THATCH_OK);
    ThatchMaterialDef leaf = room_paint(0, 1, 0);
    leaf.map = texture, leaf.alpha_mode = THATCH_ALPHA_MASK, leaf.two_sided = true;
    EXPECT(room_add_square(&room, (float[3]){-4, 3, 4}, (float[3]){8, 0, 0}, (float[3]){0, 0, -8}, &leaf) == 1);
    EXPECT(thatch_camera_set_layers(room.camera, 3) == THATCH_OK && thatch_mesh_set_layers(room.meshes[1], 3) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK);
    EXPECT(is_lit(&room, -2, 0) && is_lit(&room, -3, 2)); // seen through, and lit through
    // Hide the sheet from above by looking from below it.
    const float eye[3] = {0, 2.5f, 0}, target[3] = {0, 0, 0}, up[3] = {0, 0, -1};
    EXPECT(thatch_camera_set_orthographic(room.camera, 12.8f, 0.1f, 40) == THATCH_OK && thatch_camera_look(room.camera, eye, target, up) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && is_lit(&room, -2, 0) && is_dark(&room, 2, 0) && is_dark(&room, 3, -3));
    thatch_texture_destroy(texture);
    room_close(&room);
    return 0;
}

static int test_a_lit_floor_has_no_acne(void)
{
    int32_t bad = 0;
    for (int degrees = 15; degrees <= 85; degrees += 5)
        for (int turn = 0; turn < 3; turn++)
            for (int32_t filter = 2; filter <= 4; filter += 2)
                for (int close = 0; close < 2; close++) {
                    const double height = degrees * 3.14159265 / 180, yaw = 0.3 + 2.1 * turn;
                    const float sun[3] = {(float)(cos(height) * cos(yaw)), (float)sin(height), (float)(cos(height) * sin(yaw))};
                    Room room;
                    EXPECT(open_yard(&room, THATCH_SHADOWS_FULL, sun));
                    room.shadow.radius_m = close ? 12 : 60, room.shadow.filter = filter;
                    EXPECT(thatch_scene_set_moving(room.scene, &room.nodes[0], close) == THATCH_OK);
                    if (turn) { // from a walker's eye, to the horizon
                        EXPECT(thatch_camera_set_perspective(room.camera, 1.2f, 0.1f, 200) == THATCH_OK && room_look(&room, 0, 1.7f, 2, 0.4f, 1.1f, -2));
                    }
                    EXPECT(room_draw(&room) == THATCH_OK);
                    int32_t dark = 0;
                    const uint8_t *p = thatch_frame_pixels(room.frame, NULL, NULL);
                    for (int32_t i = 0; i < 128 * 128; i++)
                        if (isfinite(room_depth(&room, i % 128, i / 128)) && p[4 * i] < 254) dark++;
                    if (dark) fprintf(stderr, "    sun at %d degrees, turn %d, filter %d, moving %d: %d pixels\n", degrees, turn, filter, close, dark);
                    bad += dark != 0;
                    room_close(&room);
                }
    EXPECT(bad == 0);
    return 0;
}

static int test_shadows_are_the_same_everywhere(void)
{
    Room room;
    EXPECT(open_yard(&room, THATCH_SHADOWS_FULL, (float[3]){1, 1.3f, 0.4f}) && add_post(&room, 1, 1, 2) && add_post(&room, -2, 0, 3));
    EXPECT(thatch_scene_set_moving(room.scene, &room.nodes[1], 1) == THATCH_OK && room_same_everywhere(&room, room_draw));
    room.shadow.filter = 4, room.shadow.size = 256;
    EXPECT(room_look(&room, 3, 2, 5, 0, 0, 0) && room_same_everywhere(&room, room_draw));
    room_close(&room);
    return 0;
}

const Test shadow_tests[] = {
    TEST(a_shadow_falls_where_geometry_says),
    TEST(without_maps_or_casters_all_is_lit),
    TEST(the_cached_map_is_kept_until_refreshed),
    TEST(moving_nodes_cast_by_the_moving_map),
    TEST(layers_draw_the_still_map_again),
    TEST(casts_and_receives_can_be_off),
    TEST(masked_casters_cast_by_their_map),
    TEST(a_lit_floor_has_no_acne),
    TEST(shadows_are_the_same_everywhere),
    TESTS_END,
};
