// Numbers that no scene should have: the same picture by every instruction set and number of threads, and an end.
#include "stage_room.h"

static uint32_t seed;

static uint32_t bits(uint32_t n)
{
    static uint32_t drawn;
    return thatch_random_bits(seed, ++drawn, 77) % n;
}

static float abusive_float(void)
{
    static const float odd[] = {0.0f, -0.0f, 1e-45f, 1e-30f, 1e-6f, 1.0f, -1.0f, 16777216.0f, 1e9f, -1e9f, 1e20f, 1e30f, -1e30f, 3e38f, -3e38f};
    if (bits(3) == 0) return odd[bits(sizeof odd / sizeof *odd)];
    return ((float)bits(2001) - 1000.0f) * 0.01f;
}

// Triangles of any finite numbers: also flat ones, points, and such as lie in the plane of the eye, where w is 0.
static bool add_abuse(Room *room, int32_t count)
{
    enum { MOST = 3 * 400 };
    static float positions[3 * MOST];
    static uint32_t indices[MOST];
    const uint32_t vertices = (uint32_t)(3 * count);
    for (uint32_t i = 0; i < vertices; i++) {
        const uint32_t kind = bits(8);
        for (int k = 0; k < 3; k++) positions[3 * i + (uint32_t)k] = abusive_float();
        if (kind == 0) positions[3 * i + 2] = 0.0f;                                          // w is 0
        if (kind == 1 && i > 0) memcpy(positions + 3 * i, positions + 3 * i - 3, 12);        // two in one place
        if (kind == 2) positions[3 * i + 2] = -0.1f;                                         // on the near plane
        indices[i] = bits(10) ? i : bits(vertices);
    }
    ThatchMaterialDef paint = room_paint(1, 0.5f, 0.25f);
    paint.kind = (int32_t)bits(THATCH_MATERIAL_KINDS), paint.two_sided = bits(2), paint.alpha_mode = (int32_t)bits(3);
    paint.opacity = 0.6f;
    return room_add_triangles(room, positions, (int32_t)vertices, indices, (int32_t)vertices, &paint) >= 0;
}

static int32_t draw_all(Room *room)
{
    const int32_t status = thatch_frame_refresh_shadows(room->frame) == THATCH_OK ? room_draw(room) : THATCH_ERROR_STALE;
    return status == THATCH_OK ? thatch_frame_smooth(room->frame) : status;
}

static int test_any_triangles_give_one_picture(void)
{
    for (seed = 1; seed <= 12; seed++) {
        Room room;
        EXPECT(room_open(&room, 97, 61));
        const float sun[3] = {0.4f, 1, 0.3f};
        EXPECT(room_light(&room, THATCH_LIGHT_DIRECTIONAL, 2, 2, 2, sun));
        for (int k = 0; k < 3; k++) EXPECT(add_abuse(&room, 100 + 100 * k));
        room.shadow.shadows = THATCH_SHADOWS_FULL, room.shadow.size = 256;
        room.blend = true;
        EXPECT(room_same_everywhere(&room, draw_all));
        room_close(&room);
    }
    return 0;
}

static int test_matrices_of_no_numbers_are_refused_and_change_nothing(void)
{
    Room room;
    EXPECT(room_open(&room, 32, 24));
    const ThatchMaterialDef red = room_paint(1, 0, 0);
    EXPECT(room_add_square(&room, (float[3]){-5, -5, -3}, (float[3]){10, 0, 0}, (float[3]){0, 10, 0}, &red) == 0);
    float m[16] = {0};
    for (int k = 0; k < 16; k++) {
        for (int i = 0; i < 16; i++) m[i] = i % 5 == 0 ? 1.0f : 0.0f;
        m[k] = k & 1 ? NAN : INFINITY;
        EXPECT_REFUSED(thatch_node_set_matrix(room.nodes[0], m), THATCH_ERROR_ARGUMENT, "matrix");
        EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, 0xff0000) == 0);
    }
    // Matrices that flatten all to a plane, a line, a point; and mirror it.
    for (int k = 0; k < 8; k++) {
        memset(m, 0, sizeof m);
        m[0] = k & 1 ? 1.0f : 0.0f, m[5] = k & 2 ? 1.0f : 0.0f, m[10] = k & 4 ? -1.0f : 0.0f, m[15] = 1.0f;
        EXPECT(thatch_node_set_matrix(room.nodes[0], m) == THATCH_OK && room_draw(&room) == THATCH_OK);
    }
    room_close(&room);
    return 0;
}

static int test_a_million_overlapping_triangles_give_one_picture(void)
{
    enum { COUNT = 1000000 };
    Room room;
    EXPECT(room_open(&room, 24, 16));
    uint32_t *index = malloc(sizeof(uint32_t) * 3 * COUNT);
    EXPECT(index);
    for (uint32_t i = 0; i < 3 * COUNT; i++) index[i] = i % 3 + 3 * (i / 3 % 4);
    float p[36]; // four triangles, one behind the other, each named 250,000 times
    for (int t = 0; t < 4; t++) memcpy(p + 9 * t, (float[9]){-0.5f, -0.5f, -4 + (float)t * 0.3f, 0.5f, -0.5f, -3, 0, 0.5f, -3}, 36);
    const ThatchMaterialDef red = room_paint(1, 0, 0);
    EXPECT(room_add_triangles(&room, p, 12, index, 3 * COUNT, &red) == 0);
    free(index);
    EXPECT(room_same_everywhere(&room, draw_all));
    EXPECT(room_draw(&room) == THATCH_OK && room_pixel(&room, 12, 8) == 0xff0000);
    room_close(&room);
    return 0;
}

static int test_no_pixels_are_refused(void)
{
    ThatchFrame frame = 9;
    EXPECT_REFUSED(thatch_frame_create(0, 0, 1.0, &frame), THATCH_ERROR_ARGUMENT, "window width is 0, need 1 .. 8192");
    EXPECT(frame == 0);
    EXPECT_REFUSED(thatch_frame_create(64, -1, 1.0, &frame), THATCH_ERROR_ARGUMENT, "window height is -1");
    EXPECT_REFUSED(thatch_frame_create(INT32_MAX, INT32_MAX, 2.0, &frame), THATCH_ERROR_ARGUMENT, "window width is 2147483647");
    Room room; // nothing to draw is a picture too
    EXPECT(room_open(&room, 1, 1));
    EXPECT(room_same_everywhere(&room, draw_all));
    room_close(&room);
    return 0;
}

const Test abuse_tests[] = {
    TEST(any_triangles_give_one_picture),
    TEST(matrices_of_no_numbers_are_refused_and_change_nothing),
    TEST(a_million_overlapping_triangles_give_one_picture),
    TEST(no_pixels_are_refused),
    TESTS_END,
};
