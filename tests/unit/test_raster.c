// The raster core, seen through the frame: what covers what. Blended black at half opacity over white tells how often a
// pixel was covered: 255 never, 128 once, 64 or so twice.
#include "stage_room.h"

enum { WHITE = 0xffffff, ONCE = 0x808080 };

static ThatchMaterialDef veil(void)
{
    ThatchMaterialDef def = room_paint(0, 0, 0);
    def.alpha_mode = THATCH_ALPHA_BLEND, def.opacity = 0.5f;
    return def;
}

static bool open_white(Room *room, int32_t width, int32_t height)
{
    const float white[3] = {1, 1, 1};
    if (!room_open(room, width, height) || thatch_scene_set_background_color(room->scene, white) != THATCH_OK) return false;
    room->blend = true;
    return true;
}

// A pixel's place on the screen at a distance, for the room's first camera.
static void place(const Room *room, float px, float py, float w, float out[3])
{
    const double half = tan(0.5), aspect = (double)room->width / room->height;
    out[0] = (float)((2.0 * px / room->width - 1.0) * half * aspect * w);
    out[1] = (float)((1.0 - 2.0 * py / room->height) * half * w);
    out[2] = -w;
}

// A grid of cells that covers the frame and a margin, each vertex moved a little and put at some distance.
static int32_t add_grid(Room *room, float cell, float jitter, uint32_t seed, const ThatchMaterialDef *material)
{
    const int32_t nx = (int32_t)((float)room->width / cell) + 5, ny = (int32_t)((float)room->height / cell) + 5;
    const int32_t vertices = (nx + 1) * (ny + 1);
    float *positions = malloc(sizeof(float) * 3 * (size_t)vertices);
    uint32_t *indices = malloc(sizeof(uint32_t) * 6 * (size_t)(nx * ny));
    uint32_t random = 0;
    const float shift_x = room_random(seed, &random, -0.5f, 0.5f), shift_y = room_random(seed, &random, -0.5f, 0.5f);
    for (int32_t y = 0, v = 0; y <= ny; y++)
        for (int32_t x = 0; x <= nx; x++, v++) {
            const float px = ((float)x - 2.0f + shift_x + room_random(seed, &random, -jitter, jitter)) * cell;
            const float py = ((float)y - 2.0f + shift_y + room_random(seed, &random, -jitter, jitter)) * cell;
            place(room, px, py, room_random(seed, &random, 1.0f, 9.0f), positions + 3 * v);
        }
    for (int32_t y = 0, n = 0; y < ny; y++)
        for (int32_t x = 0; x < nx; x++, n += 6) {
            const uint32_t a = (uint32_t)(y * (nx + 1) + x), b = a + 1, c = a + (uint32_t)nx + 1, d = c + 1;
            const bool turn = thatch_random(seed, random++, 1) < 0.5f;
            const uint32_t corners[6] = {a, c, turn ? b : d, turn ? b : a, turn ? c : d, turn ? d : b};
            memcpy(indices + n, corners, sizeof corners);
        }
    const int32_t added = room_add_triangles(room, positions, vertices, indices, 6 * nx * ny, material);
    free(positions), free(indices);
    return added;
}

static int test_a_grid_of_any_size_covers_each_pixel_once(void)
{
    static const float cells[] = {0.2f, 0.4f, 0.7f, 1, 1.5f, 2, 3, 5, 9, 20, 40, 55, 60, 61.5f, 62, 62.5f, 64, 70, 120, 300};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        for (uint32_t seed = 0; seed < 3; seed++) {
            Room room;
            EXPECT(open_white(&room, cells[i] < 5 ? 96 : 300, cells[i] < 5 ? 70 : 200));
            const ThatchMaterialDef material = veil();
            EXPECT(add_grid(&room, cells[i], 0.2f, seed, &material) == 0);
            EXPECT(room_draw(&room) == THATCH_OK);
            const int32_t wrong = room_others(&room, ONCE);
            if (wrong) fprintf(stderr, "    cells of %g pixels, seed %u: %d pixels not covered once\n", (double)cells[i], seed, wrong);
            EXPECT(wrong == 0);
            room_close(&room);
        }
    return 0;
}

static int test_an_opaque_grid_has_no_hole_at_any_size(void)
{
    static const float cells[] = {0.3f, 1, 3, 10, 50, 62, 65, 200};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        Room room;
        EXPECT(open_white(&room, 150, 100));
        const ThatchMaterialDef material = room_paint(0, 0, 0);
        EXPECT(add_grid(&room, cells[i], 0.2f, 7, &material) == 0);
        EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, 0) == 0);
        room_close(&room);
    }
    return 0;
}

static int test_a_fan_of_slivers_covers_each_pixel_once(void)
{
    for (uint32_t seed = 0; seed < 40; seed++) {
        Room room;
        EXPECT(open_white(&room, 200, 130));
        uint32_t random = 0;
        enum { MOST = 96 };
        const int32_t n = 5 + (int32_t)room_random(seed, &random, 0, MOST - 6);
        float p[3 * (MOST + 1)];
        uint32_t index[3 * MOST];
        const float cx = room_random(seed, &random, 20, 180), cy = room_random(seed, &random, 20, 110);
        place(&room, cx, cy, 4, p);
        for (int32_t i = 0; i < n; i++) {
            const double angle = -6.283185307 * (i + (double)room_random(seed, &random, 0, 0.6f)) / n;
            const float radius = seed % 3 == 0 ? 2500 : 400; // beyond all of the frame
            place(&room, cx + radius * (float)cos(angle), cy + radius * (float)sin(angle), room_random(seed, &random, 0.2f, 50), p + 3 * (i + 1));
            index[3 * i] = 0, index[3 * i + 1] = (uint32_t)i + 1, index[3 * i + 2] = (uint32_t)((i + 1) % n + 1);
        }
        const ThatchMaterialDef material = veil();
        EXPECT(room_add_triangles(&room, p, n + 1, index, 3 * n, &material) == 0);
        EXPECT(room_draw(&room) == THATCH_OK);
        const int32_t wrong = room_others(&room, ONCE);
        if (wrong) fprintf(stderr, "    fan %u of %d: %d pixels not covered once\n", seed, n, wrong);
        EXPECT(wrong == 0);
        room_close(&room);
    }
    return 0;
}

// Is the floor seen at a pixel, by the camera that looks from eye to target?
static bool floor_at(const Room *room, const float eye[3], const float target[3], float fov, int32_t x, int32_t y, float half_side)
{
    double f[3], r[3], u[3], length = 0;
    for (int k = 0; k < 3; k++) f[k] = (double)target[k] - (double)eye[k], length += f[k] * f[k];
    for (int k = 0; k < 3; k++) f[k] /= sqrt(length);
    length = sqrt(f[0] * f[0] + f[2] * f[2]);
    r[0] = -f[2] / length, r[1] = 0, r[2] = f[0] / length;
    u[0] = r[1] * f[2] - r[2] * f[1], u[1] = r[2] * f[0] - r[0] * f[2], u[2] = r[0] * f[1] - r[1] * f[0];
    const double t = tan((double)fov / 2), sx = (2.0 * (x + 0.5) / room->width - 1.0) * t * room->width / room->height,
                 sy = (1.0 - 2.0 * (y + 0.5) / room->height) * t;
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = f[k] + r[k] * sx + u[k] * sy;
    if (d[1] > -1e-4) return false;
    const double s = (double)eye[1] / -d[1], fx = (double)eye[0] + d[0] * s, fz = (double)eye[2] + d[2] * s;
    return fabs(fx) < (double)half_side * 0.98 && fabs(fz) < (double)half_side * 0.98 && s > 0.11;
}

// A floor of jittered squares, front up.
static int32_t add_floor(Room *room, int32_t cells, float half_side, uint32_t seed, const ThatchMaterialDef *material)
{
    float *p = malloc(sizeof(float) * 3 * (size_t)((cells + 1) * (cells + 1)));
    uint32_t *index = malloc(sizeof(uint32_t) * 6 * (size_t)(cells * cells)), random = 0;
    const float cell = 2 * half_side / (float)cells;
    for (int32_t z = 0, v = 0; z <= cells; z++)
        for (int32_t x = 0; x <= cells; x++, v++) {
            const bool inner = x > 0 && z > 0 && x < cells && z < cells;
            p[3 * v] = -half_side + cell * ((float)x + (inner ? room_random(seed, &random, -0.2f, 0.2f) : 0));
            p[3 * v + 1] = 0;
            p[3 * v + 2] = -half_side + cell * ((float)z + (inner ? room_random(seed, &random, -0.2f, 0.2f) : 0));
        }
    for (int32_t z = 0, n = 0; z < cells; z++)
        for (int32_t x = 0; x < cells; x++, n += 6) {
            const uint32_t a = (uint32_t)(z * (cells + 1) + x), b = a + 1, c = a + (uint32_t)cells + 1, d = c + 1;
            const uint32_t corners[6] = {a, c, d, a, d, b};
            memcpy(index + n, corners, sizeof corners);
        }
    const int32_t added = room_add_triangles(room, p, (cells + 1) * (cells + 1), index, 6 * cells * cells, material);
    free(p), free(index);
    return added;
}

static int test_a_floor_under_the_eye_has_no_hole(void)
{
    int32_t bad = 0;
    for (uint32_t seed = 0; seed < 120; seed++) {
        Room room;
        EXPECT(open_white(&room, 160, 90));
        uint32_t random = 100000;
        const float fov = seed % 7 == 6 ? 3.0f : room_random(seed, &random, 0.3f, 2.0f);
        EXPECT(thatch_camera_set_perspective(room.camera, fov, 0.1f, 1e5f) == THATCH_OK);
        const float half_side = seed % 3 == 0 ? 20000.0f : seed % 3 == 1 ? 60.0f : 700.0f;
        const float eye[3] = {room_random(seed, &random, -20, 20), room_random(seed, &random, 0.4f, 6), room_random(seed, &random, -20, 20)};
        const float target[3] = {eye[0] + room_random(seed, &random, -1, 1), eye[1] - room_random(seed, &random, 0.0f, 2.0f),
                                 eye[2] + room_random(seed, &random, -1, 1) + 0.01f};
        EXPECT(room_look(&room, eye[0], eye[1], eye[2], target[0], target[1], target[2]));
        const ThatchMaterialDef material = veil();
        EXPECT(add_floor(&room, 1 + (int32_t)(seed % 23), half_side, seed, &material) == 0);
        EXPECT(room_draw(&room) == THATCH_OK);
        int32_t wrong = 0;
        const uint8_t *picture = thatch_frame_pixels(room.frame, NULL, NULL);
        for (int32_t y = 0; y < room.height; y++)
            for (int32_t x = 0; x < room.width; x++) {
                const uint32_t seen = room_color(picture, room.width, x, y);
                const bool floor = floor_at(&room, eye, target, fov, x, y, half_side);
                if (floor ? seen != ONCE : seen != ONCE && seen != WHITE) wrong++;
            }
        if (wrong) fprintf(stderr, "    floor %u (fov %g, half side %g): %d pixels not covered once\n", seed, (double)fov, (double)half_side, wrong), bad++;
        room_close(&room);
    }
    EXPECT(bad == 0);
    return 0;
}

static int test_an_orthographic_floor_beyond_the_screen_has_no_hole(void)
{
    for (uint32_t seed = 0; seed < 24; seed++) {
        Room room;
        EXPECT(open_white(&room, 160, 90));
        const float height = seed % 3 == 0 ? 3.0f : seed % 3 == 1 ? 40.0f : 0.5f;
        EXPECT(thatch_camera_set_orthographic(room.camera, height, -500.0f, 500.0f) == THATCH_OK);
        EXPECT(room_look(&room, 3, 10, 5, 3.3f, 0, 5.2f));
        const ThatchMaterialDef material = veil();
        EXPECT(add_floor(&room, 1 + (int32_t)(seed % 9), seed % 2 ? 400.0f : 90.0f, seed, &material) == 0);
        EXPECT(room_draw(&room) == THATCH_OK);
        const int32_t wrong = room_others(&room, ONCE);
        if (wrong) fprintf(stderr, "    orthographic floor %u: %d pixels not covered once\n", seed, wrong);
        EXPECT(wrong == 0);
        room_close(&room);
    }
    return 0;
}

static int test_an_orthographic_view_cuts_at_near_and_orders_by_depth(void)
{
    Room room;
    EXPECT(open_white(&room, 64, 64));
    EXPECT(thatch_camera_set_orthographic(room.camera, 4.0f, 1.0f, 11.0f) == THATCH_OK);
    // A wall at 6 m, a ramp from before the near plane to beyond the far one: it passes through the wall at the middle.
    const ThatchMaterialDef red = room_paint(1, 0, 0), green = room_paint(0, 1, 0);
    EXPECT(room_add_square(&room, (float[3]){-3, -3, -6}, (float[3]){6, 0, 0}, (float[3]){0, 6, 0}, &red) == 0);
    EXPECT(room_add_square(&room, (float[3]){-3, -3, 9}, (float[3]){6, 0, 0}, (float[3]){0, 6, -30}, &green) == 1);
    EXPECT(room_draw(&room) == THATCH_OK);
    // Along y the ramp's z is 9 - 5 (y + 3): near (-1) at y = -1, the wall's -6 at y = 0.
    EXPECT(room_pixel(&room, 32, 4) == 0xff0000 && room_pixel(&room, 32, 28) == 0xff0000);
    EXPECT(room_pixel(&room, 32, 36) == 0x00ff00 && room_pixel(&room, 5, 44) == 0x00ff00);
    EXPECT(room_pixel(&room, 32, 52) == 0xff0000); // before the near plane
    EXPECT(fabsf(room_depth(&room, 32, 10) - 6.0f) < 1e-3f);
    const float y = 2.0f - 4.0f * 40.5f / 64.0f;
    EXPECT(fabsf(room_depth(&room, 32, 40) + (9.0f - 5.0f * (y + 3.0f))) < 2e-3f);
    room_close(&room);
    return 0;
}

static int draw_backwards(Room *room, float cell, uint32_t seed, uint8_t hash[16], bool backwards)
{
    EXPECT(open_white(room, 128, 96));
    const int32_t nx = (int32_t)(128 / cell) + 1, count = nx * nx;
    float *p = malloc(sizeof(float) * 9 * (size_t)count), *colors = malloc(sizeof(float) * 12 * (size_t)count);
    uint32_t *index = malloc(sizeof(uint32_t) * 3 * (size_t)count), random = 0;
    for (int32_t i = 0; i < count; i++) {
        const float x = room_random(seed, &random, 0, 128), y = room_random(seed, &random, 0, 96);
        float rgb[3];
        for (int k = 0; k < 3; k++) rgb[k] = room_random(seed, &random, 0, 1);
        for (int c = 0; c < 3; c++) {
            place(room, x + room_random(seed, &random, -2, 2) * cell, y + room_random(seed, &random, -2, 2) * cell,
                  room_random(seed, &random, 1, 30), p + 9 * i + 3 * c);
            for (int k = 0; k < 4; k++) colors[12 * i + 4 * c + k] = k < 3 ? rgb[k] : 1;
            index[3 * (backwards ? count - 1 - i : i) + c] = (uint32_t)(3 * i + c);
        }
    }
    ThatchMaterialDef material = room_paint(1, 1, 1);
    material.two_sided = true;
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = p, def.colors = colors, def.vertex_count = 3 * count, def.indices = index, def.index_count = 3 * count;
    EXPECT(room_add(room, &def, &material) == 0);
    free(p), free(colors), free(index);
    EXPECT(room_draw(room) == THATCH_OK);
    EXPECT(thatch_frame_hash(room->frame, hash) == THATCH_OK);
    return 0;
}

static int test_the_order_of_triangles_does_not_change_the_picture(void)
{
    static const float cells[] = {1, 4, 30, 80};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        Room a, b;
        uint8_t first[16], second[16];
        EXPECT(draw_backwards(&a, cells[i], (uint32_t)i, first, false) == 0);
        EXPECT(draw_backwards(&b, cells[i], (uint32_t)i, second, true) == 0);
        EXPECT(memcmp(first, second, 16) == 0);
        room_close(&a), room_close(&b);
    }
    return 0;
}

static int test_every_isa_and_thread_count_draws_the_same(void)
{
    static const float cells[] = {1, 20, 80};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        Room room;
        uint8_t hash[16];
        EXPECT(draw_backwards(&room, cells[i], 40 + (uint32_t)i, hash, false) == 0);
        EXPECT(room_same_everywhere(&room, room_draw));
        room_close(&room);
    }
    Room room; // clipped triangles, blended
    EXPECT(open_white(&room, 160, 90) && room_look(&room, 1, 1.7f, 2, 1.5f, 1.2f, 0));
    const ThatchMaterialDef material = veil();
    EXPECT(add_floor(&room, 9, 400, 3, &material) == 0 && room_same_everywhere(&room, room_draw));
    room_close(&room);
    return 0;
}

static int test_on_a_tie_the_earlier_mesh_wins(void)
{
    static const float cells[] = {0.5f, 2, 30, 70};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        Room room;
        EXPECT(open_white(&room, 100, 80));
        const ThatchMaterialDef red = room_paint(1, 0, 0), green = room_paint(0, 1, 0);
        EXPECT(add_grid(&room, cells[i], 0.2f, 5, &red) == 0 && add_grid(&room, cells[i], 0.2f, 5, &green) == 1);
        EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, 0xff0000) == 0);
        room_close(&room);
    }
    return 0;
}

static int test_depth_stays_between_the_corners(void)
{
    int32_t wrong = 0, tested = 0;
    for (uint32_t seed = 0; seed < 1500; seed++) { // single triangles, many of them slivers
        Room room;
        EXPECT(open_white(&room, 64, 64));
        uint32_t random = 0;
        float p[9], low = 1e9f, high = 0;
        const float thin = seed % 4 == 0 ? 0.001f : seed % 2 ? 0.01f : 1.0f, size = seed % 5 == 0 ? 500.0f : 58.0f;
        const float ax = room_random(seed, &random, 0, 64), ay = room_random(seed, &random, 0, 64);
        const double angle = (double)room_random(seed, &random, 0, 6.28f);
        for (int c = 0; c < 3; c++) {
            const float along = c == 0 ? 0 : size * room_random(seed, &random, 0.3f, 1), across = thin * room_random(seed, &random, -20, 20);
            const float w = seed % 3 ? room_random(seed, &random, 1, 400) : room_random(seed, &random, 90, 100);
            place(&room, ax + along * (float)cos(angle) - across * (float)sin(angle), ay + along * (float)sin(angle) + across * (float)cos(angle), w, p + 3 * c);
            low = w < low ? w : low, high = w > high ? w : high;
        }
        ThatchMaterialDef material = room_paint(1, 0, 0);
        material.two_sided = true;
        EXPECT(room_add_triangles(&room, p, 3, (uint32_t[3]){0, 1, 2}, 3, &material) == 0);
        EXPECT(room_draw(&room) == THATCH_OK);
        for (int32_t y = 0; y < 64; y++)
            for (int32_t x = 0; x < 64; x++) {
                const float d = room_depth(&room, x, y);
                if (!isfinite(d)) continue;
                tested++;
                if (!(d > low * 0.98f && d < high * 1.02f)) {
                    if (wrong++ < 8) fprintf(stderr, "    triangle %u at %d, %d: depth %g, corners %g .. %g\n", seed, x, y, (double)d, (double)low, (double)high);
                }
            }
        room_close(&room);
    }
    EXPECT(wrong == 0);
    return 0;
}

static int test_a_far_ground_stays_behind_a_wall(void)
{
    // Long thin triangles of ground, from near the eye to the horizon, and a wall before the far part.
    for (uint32_t seed = 0; seed < 60; seed++) {
        Room room;
        EXPECT(open_white(&room, 320, 180));
        uint32_t random = 0;
        const float h = room_random(seed, &random, 0.05f, 1.8f), yaw = room_random(seed, &random, -1, 1);
        EXPECT(room_look(&room, 0, h, 0, yaw, h, -3));
        const ThatchMaterialDef ground = room_paint(0, 1, 0), wall = room_paint(1, 0, 0);
        EXPECT(add_floor(&room, 1 + (int32_t)(seed % 4), 3000, seed, &ground) == 0);
        // The wall stands across the view, sunk in the ground: nothing green may be seen above its foot.
        const float at = room_random(seed, &random, 5, 60);
        EXPECT(room_add_square(&room, (float[3]){yaw * at / 3 - 500, -1, -at}, (float[3]){1000, 0, 0}, (float[3]){0, 50, 0}, &wall) == 1);
        EXPECT(room_draw(&room) == THATCH_OK);
        int32_t wrong = 0;
        const uint8_t *picture = thatch_frame_pixels(room.frame, NULL, NULL);
        for (int32_t x = 0; x < room.width; x++) {
            bool below = false; // from the top: red, then green for good
            for (int32_t y = 0; y < room.height; y++) {
                const uint32_t c = room_color(picture, room.width, x, y);
                if (c == 0x00ff00) below = true;
                if (c == 0xff0000 && below) wrong++;
                if (c == 0x00ff00 && y <= 88) wrong++;
            }
        }
        if (wrong) fprintf(stderr, "    ground %u: %d pixels\n", seed, wrong);
        EXPECT(wrong == 0);
        room_close(&room);
    }
    return 0;
}

static int test_mirrored_nodes_show_their_right_faces(void)
{
    Room room;
    EXPECT(open_white(&room, 64, 48));
    const ThatchMaterialDef red = room_paint(1, 0, 0);
    EXPECT(room_add_square(&room, (float[3]){-5, -5, 0}, (float[3]){10, 0, 0}, (float[3]){0, 10, 0}, &red) == 0);
    const float forward[3] = {0, 0, -3};
    for (int mirror = 0; mirror < 8; mirror++) {
        const float scale[3] = {mirror & 1 ? -1 : 1, mirror & 2 ? -1 : 1, mirror & 4 ? -1 : 1};
        EXPECT(thatch_node_set_transform(room.nodes[0], forward, NULL, scale) == THATCH_OK);
        EXPECT(room_draw(&room) == THATCH_OK);
        // A mirror of x or y leaves the front to us; a mirror of z turns the square's back to us.
        EXPECT(room_others(&room, mirror & 4 ? WHITE : 0xff0000) == 0);
    }
    room_close(&room);
    return 0;
}

static int test_one_sided_and_two_sided(void)
{
    Room room;
    EXPECT(open_white(&room, 64, 48));
    ThatchMaterialDef red = room_paint(1, 0, 0);
    EXPECT(room_add_square(&room, (float[3]){5, -5, -3}, (float[3]){-10, 0, 0}, (float[3]){0, 10, 0}, &red) == 0);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, WHITE) == 0);
    red.two_sided = true;
    EXPECT(thatch_material_set(room.materials[0], &red) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, 0xff0000) == 0);
    red.visible = false;
    EXPECT(thatch_material_set(room.materials[0], &red) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, WHITE) == 0);
    room_close(&room);
    return 0;
}

static int test_masked_and_blended(void)
{
    Room room;
    EXPECT(open_white(&room, 64, 64));
    // Left half clear, right half solid.
    uint8_t texels[16 * 16 * 4];
    for (int i = 0; i < 256; i++) texels[4 * i] = texels[4 * i + 1] = texels[4 * i + 2] = 255, texels[4 * i + 3] = i % 16 < 8 ? 0 : 255;
    ThatchTextureDef map;
    ThatchTexture texture;
    thatch_texture_defaults(&map);
    map.texels = texels, map.width = map.height = 16;
    EXPECT(thatch_texture_create(&map, &texture) == THATCH_OK);
    ThatchMaterialDef red = room_paint(1, 0, 0);
    red.map = texture, red.alpha_mode = THATCH_ALPHA_MASK;
    EXPECT(room_add_square(&room, (float[3]){-5, -5, -3}, (float[3]){10, 0, 0}, (float[3]){0, 10, 0}, &red) == 0);
    EXPECT(room_draw(&room) == THATCH_OK);
    EXPECT(room_pixel(&room, 10, 32) == WHITE && room_pixel(&room, 54, 32) == 0xff0000);
    EXPECT(isinf(room_depth(&room, 10, 32)) && fabsf(room_depth(&room, 54, 32) - 3.0f) < 1e-3f);
    red.alpha_mode = THATCH_ALPHA_BLEND, red.opacity = 0.5f;
    EXPECT(thatch_material_set(room.materials[0], &red) == THATCH_OK && room_draw(&room) == THATCH_OK);
    EXPECT(room_pixel(&room, 10, 32) == WHITE && room_pixel(&room, 54, 32) == 0xff8080);
    // A blended surface behind an opaque one is not seen, one before it is; it leaves no depth.
    const ThatchMaterialDef green = room_paint(0, 1, 0);
    EXPECT(room_add_square(&room, (float[3]){-5, -5, -2}, (float[3]){10, 0, 0}, (float[3]){0, 5, 0}, &green) == 1);
    EXPECT(room_add_square(&room, (float[3]){-5, 0, -4}, (float[3]){10, 0, 0}, (float[3]){0, 5, 0}, &green) == 2);
    EXPECT(room_draw(&room) == THATCH_OK);
    EXPECT(room_pixel(&room, 54, 60) == 0x00ff00 && room_pixel(&room, 54, 4) == 0x808000);
    EXPECT(fabsf(room_depth(&room, 54, 4) - 4.0f) < 1e-3f);
    thatch_texture_destroy(texture);
    EXPECT_REFUSED(room_draw(&room), THATCH_ERROR_STALE, "its map is gone");
    room_close(&room);
    return 0;
}

static int test_blended_surfaces_are_mixed_far_to_near(void)
{
    for (int swap = 0; swap < 2; swap++) {
        Room room;
        EXPECT(open_white(&room, 32, 32));
        ThatchMaterialDef red = room_paint(1, 0, 0), blue = room_paint(0, 0, 1);
        red.alpha_mode = blue.alpha_mode = THATCH_ALPHA_BLEND, red.opacity = blue.opacity = 0.5f;
        for (int i = 0; i < 2; i++) {
            const bool far = (i ^ swap) == 0;
            EXPECT(room_add_square(&room, (float[3]){-9, -9, far ? -8 : -3}, (float[3]){18, 0, 0}, (float[3]){0, 18, 0}, far ? &blue : &red) == i);
        }
        EXPECT(room_draw(&room) == THATCH_OK);
        // White under blue is 80 80 ff, under red c0 40 80.
        EXPECT(room_others(&room, 0xc04080) == 0);
        room_close(&room);
    }
    return 0;
}

static int test_layers_and_visibility(void)
{
    Room room;
    EXPECT(open_white(&room, 32, 32));
    const ThatchMaterialDef red = room_paint(1, 0, 0);
    EXPECT(room_add_square(&room, (float[3]){-5, -5, -3}, (float[3]){10, 0, 0}, (float[3]){0, 10, 0}, &red) == 0);
    EXPECT(thatch_mesh_set_layers(room.meshes[0], 6) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, WHITE) == 0);
    EXPECT(thatch_camera_set_layers(room.camera, 4) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, 0xff0000) == 0);
    EXPECT(thatch_mesh_set_visible(room.meshes[0], false) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, WHITE) == 0);
    EXPECT(thatch_mesh_set_visible(room.meshes[0], true) == THATCH_OK && thatch_node_set_visible(room.nodes[0], false) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, WHITE) == 0);
    ThatchNode parent;
    EXPECT(thatch_node_create(room.scene, 0, "parent", &parent) == THATCH_OK);
    EXPECT(thatch_node_set_visible(room.nodes[0], true) == THATCH_OK && thatch_node_set_parent(room.nodes[0], parent) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, 0xff0000) == 0);
    EXPECT(thatch_node_set_visible(parent, false) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && room_others(&room, WHITE) == 0);
    room_close(&room);
    return 0;
}

const Test raster_tests[] = {
    TEST(a_grid_of_any_size_covers_each_pixel_once),
    TEST(an_opaque_grid_has_no_hole_at_any_size),
    TEST(a_fan_of_slivers_covers_each_pixel_once),
    TEST(a_floor_under_the_eye_has_no_hole),
    TEST(an_orthographic_floor_beyond_the_screen_has_no_hole),
    TEST(an_orthographic_view_cuts_at_near_and_orders_by_depth),
    TEST(the_order_of_triangles_does_not_change_the_picture),
    TEST(every_isa_and_thread_count_draws_the_same),
    TEST(on_a_tie_the_earlier_mesh_wins),
    TEST(depth_stays_between_the_corners),
    TEST(a_far_ground_stays_behind_a_wall),
    TEST(mirrored_nodes_show_their_right_faces),
    TEST(one_sided_and_two_sided),
    TEST(masked_and_blended),
    TEST(blended_surfaces_are_mixed_far_to_near),
    TEST(layers_and_visibility),
    TESTS_END,
};
