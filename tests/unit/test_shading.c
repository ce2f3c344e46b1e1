// What pixels are worth: light, fog, tone, maps, shadows, sky, smooth, upscale, water and wind against their formulas.
#include "stage_room.h"

static double srgb(double x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055; }

// ACES as three.js has it (Stephen Hill's fit), then sRGB, written from the published matrices.
static void shown(const double light[3], int out[3])
{
    static const double in[3][3] = {{0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566}, {0.02840, 0.13383, 0.83777}};
    static const double back[3][3] = {{1.60475, -0.53108, -0.07367}, {-0.10208, 1.10813, -0.00605}, {-0.00327, -0.07276, 1.07602}};
    double v[3];
    for (int r = 0; r < 3; r++) {
        double x = 0;
        for (int c = 0; c < 3; c++) x += in[r][c] * light[c] / 0.6;
        v[r] = (x * (x + 0.0245786) - 0.000090537) / (x * (0.983729 * x + 0.4329510) + 0.238081);
    }
    for (int r = 0; r < 3; r++) {
        double x = 0;
        for (int c = 0; c < 3; c++) x += back[r][c] * v[c];
        out[r] = (int)floor(255 * srgb(x < 0 ? 0 : x > 1 ? 1 : x) + 0.5);
    }
}

static bool near_color(uint32_t seen, const int want[3], int slack)
{
    bool near = true;
    for (int k = 0; k < 3; k++) near = near && abs((int)(seen >> (16 - 8 * k) & 255) - want[k]) <= slack;
    if (!near) fprintf(stderr, "    %06x is not %02x%02x%02x\n", seen, (unsigned)want[0], (unsigned)want[1], (unsigned)want[2]);
    return near;
}

static const float floor_at[3] = {-50, 0, 50}, floor_x[3] = {100, 0, 0}, floor_z[3] = {0, 0, -100};

static ThatchMaterialDef lambert(float r, float g, float b)
{
    ThatchMaterialDef def = room_paint(r, g, b);
    def.kind = THATCH_MATERIAL_LAMBERT;
    return def;
}

static int test_a_floor_has_the_light_of_the_formula(void)
{
    static const int32_t kinds[] = {THATCH_MATERIAL_LAMBERT, THATCH_MATERIAL_STANDARD, THATCH_MATERIAL_PHYSICAL};
    for (uint32_t seed = 0; seed < 60; seed++) {
        Room room;
        uint32_t random = 0;
        EXPECT(room_open(&room, 32, 32) && room_look(&room, 0, 3, 0, 0.1f, 0, -1));
        room.resolve.tone = THATCH_TONE_ACES, room.resolve.srgb = true;
        room.resolve.exposure = seed % 4 == 3 ? room_random(seed, &random, 0.2f, 3) : 1.0f;
        float color[3], ambient[3], sky[3], ground[3], sun[3], direction[3];
        for (int k = 0; k < 3; k++) {
            color[k] = room_random(seed, &random, 0, 1), ambient[k] = room_random(seed, &random, 0, 1), sky[k] = room_random(seed, &random, 0, 2);
            ground[k] = room_random(seed, &random, 0, 1), sun[k] = room_random(seed, &random, 0, 4), direction[k] = room_random(seed, &random, -1, 1);
        }
        direction[1] = fabsf(direction[1]) + 0.05f;
        ThatchMaterialDef paint = lambert(color[0], color[1], color[2]);
        paint.kind = kinds[seed % 3];
        EXPECT(room_add_square(&room, floor_at, floor_x, floor_z, &paint) == 0);
        EXPECT(room_light(&room, THATCH_LIGHT_AMBIENT, ambient[0], ambient[1], ambient[2], NULL));
        ThatchLightDef hemisphere;
        ThatchLight light;
        thatch_light_defaults(&hemisphere);
        hemisphere.kind = THATCH_LIGHT_HEMISPHERE, hemisphere.intensity = 0.7f;
        memcpy(hemisphere.color, sky, sizeof sky), memcpy(hemisphere.ground_color, ground, sizeof ground);
        EXPECT(thatch_light_create(room.scene, &hemisphere, &light) == THATCH_OK);
        EXPECT(room_light(&room, THATCH_LIGHT_DIRECTIONAL, sun[0], sun[1], sun[2], direction));
        EXPECT(room_draw(&room) == THATCH_OK);
        const double length = sqrt((double)(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]));
        double want[3];
        int bytes[3];
        for (int k = 0; k < 3; k++) // the floor faces up: all of the sky, none of the ground
            want[k] = (double)(color[k] * room.resolve.exposure) / 3.14159265358979 *
                      ((double)ambient[k] + 0.7 * (double)sky[k] + (double)sun[k] * (double)direction[1] / length);
        shown(want, bytes);
        EXPECT(near_color(room_pixel(&room, 16, 16), bytes, 2) && near_color(room_pixel(&room, 3, 29), bytes, 2));
        room_close(&room);
    }
    return 0;
}

static int test_tints_vertex_colors_and_emission_add_up(void)
{
    Room room;
    EXPECT(room_open(&room, 32, 32));
    const float p[9] = {-50, -50, -3, 50, -50, -3, 0, 90, -3}, colors[12] = {0.5f, 0.25f, 1, 1, 0.5f, 0.25f, 1, 1, 0.5f, 0.25f, 1, 1};
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = p, def.colors = colors, def.vertex_count = 3, def.indices = (uint32_t[3]){0, 1, 2}, def.index_count = 3;
    ThatchMaterialDef paint = lambert(0.8f, 0.8f, 0.8f);
    paint.emissive[0] = 0.5f, paint.emissive_intensity = 0.4f;
    EXPECT(room_add(&room, &def, &paint) == 0);
    const float tint[3] = {1, 2, 0.5f};
    EXPECT(thatch_mesh_set_tint(room.meshes[0], tint) == THATCH_OK);
    EXPECT(room_light(&room, THATCH_LIGHT_AMBIENT, 3.14159265f, 3.14159265f, 3.14159265f, NULL) && room_draw(&room) == THATCH_OK);
    EXPECT(near_color(room_pixel(&room, 16, 16), (int[3]){(int)(255 * (0.4 + 0.2)), (int)(255 * 0.4), (int)(255 * 0.4)}, 1));
    paint.vertex_colors = false, paint.emissive_intensity = 0;
    EXPECT(thatch_material_set(room.materials[0], &paint) == THATCH_OK && room_draw(&room) == THATCH_OK);
    EXPECT(near_color(room_pixel(&room, 16, 16), (int[3]){204, 255, 102}, 1));
    room_close(&room);
    return 0;
}

static int test_a_back_face_is_lit_from_its_own_side(void)
{
    Room room;
    EXPECT(room_open(&room, 32, 32));
    const float sun[3] = {0, 0, 1}; // behind the eye
    EXPECT(room_light(&room, THATCH_LIGHT_DIRECTIONAL, 3.14159265f, 3.14159265f, 3.14159265f, sun));
    ThatchMaterialDef paint = lambert(0.6f, 0.6f, 0.6f);
    paint.two_sided = true; // its back is to us
    EXPECT(room_add_square(&room, (float[3]){5, -5, -3}, (float[3]){-10, 0, 0}, (float[3]){0, 10, 0}, &paint) == 0);
    EXPECT(room_draw(&room) == THATCH_OK && near_color(room_pixel(&room, 16, 16), (int[3]){153, 153, 153}, 1));
    ThatchShadingDef shading;
    thatch_shading_defaults(&shading);
    shading.back_as_front = true;
    EXPECT(thatch_shading_register("petal", &shading) == THATCH_OK);
    paint.shading = "petal";
    EXPECT(thatch_material_set(room.materials[0], &paint) == THATCH_OK);
    EXPECT(room_draw(&room) == THATCH_OK && room_pixel(&room, 16, 16) == 0);
    EXPECT(thatch_shading_remove("petal") == THATCH_OK);
    EXPECT_REFUSED(room_draw(&room), THATCH_ERROR_ARGUMENT, "shading is 'petal', need a registered one");
    room_close(&room);
    return 0;
}

static int test_fog_is_exponential_squared(void)
{
    for (int far = 1; far < 60; far += 7) {
        Room room;
        EXPECT(room_open(&room, 64, 64));
        const ThatchMaterialDef red = room_paint(1, 0, 0);
        EXPECT(room_add_square(&room, (float[3]){-90, -90, (float)-far}, (float[3]){180, 0, 0}, (float[3]){0, 180, 0}, &red) == 0);
        const float fog[3] = {0.1f, 0.5f, 0.9f}, warm[3] = {1, 1, 0};
        EXPECT(thatch_scene_set_fog(room.scene, fog, 0.03f, warm, 0.0f) == THATCH_OK && room_draw(&room) == THATCH_OK);
        for (int y = 4; y < 64; y += 27) { // by the distance, not by the depth
            const double s = (1 - 2 * (y + 0.5) / 64) * tan(0.5), t = (2 * (y + 0.5) / 64 - 1) * tan(0.5);
            const double d = far * sqrt(1 + s * s + t * t), clear = exp(-0.03 * 0.03 * d * d);
            int want[3];
            for (int k = 0; k < 3; k++) want[k] = (int)(255 * ((double)fog[k] + ((k == 0) - (double)fog[k]) * clear) + 0.5);
            EXPECT(near_color(room_pixel(&room, y, y), want, 1));
        }
        // Towards the sun it is warmer, away from it not at all.
        const float sun[3] = {0, 0, -1};
        EXPECT(room_light(&room, THATCH_LIGHT_DIRECTIONAL, 1, 1, 1, sun));
        EXPECT(thatch_scene_set_fog(room.scene, fog, 1.0f, warm, 0.5f) == THATCH_OK && room_draw(&room) == THATCH_OK);
        if (far > 10) EXPECT(near_color(room_pixel(&room, 32, 32), (int[3]){140, 191, 115}, 1));
        room_close(&room);
    }
    return 0;
}

// A map of 64 x 64 whose red counts columns and whose green counts rows, linear; each level of a smooth ramp is like it.
static ThatchTexture ramp_map(int32_t wrap)
{
    static uint8_t texels[64 * 64 * 4];
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++) {
            uint8_t *t = texels + 4 * (64 * y + x);
            t[0] = (uint8_t)(x * 4), t[1] = (uint8_t)(y * 4), t[2] = 255, t[3] = 255;
        }
    ThatchTextureDef def;
    ThatchTexture out = 0;
    thatch_texture_defaults(&def);
    def.texels = texels, def.width = def.height = 64, def.srgb = false, def.wrap_u = def.wrap_v = wrap;
    thatch_texture_create(&def, &out);
    return out;
}

static int test_maps_wrap_and_choose_their_level_at_each_pixel(void)
{
    for (int32_t wrap = 0; wrap < 3; wrap++)
        for (int tiles = 1; tiles <= 64; tiles *= 4) {
            Room room;
            EXPECT(room_open(&room, 256, 256));
            EXPECT(thatch_camera_set_orthographic(room.camera, 2.0f, 0.1f, 10.0f) == THATCH_OK);
            const ThatchTexture map = ramp_map(wrap);
            ThatchMaterialDef paint = room_paint(1, 1, 1);
            paint.map = map;
            // uv from -tiles / 2 to tiles / 2 over the whole picture.
            const float h = 0.5f * (float)tiles, p[12] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1}, uv[8] = {-h, -h, h, -h, h, h, -h, h};
            ThatchGeometryDef def;
            thatch_geometry_defaults(&def);
            def.positions = p, def.uvs = uv, def.vertex_count = 4, def.indices = (uint32_t[6]){0, 1, 2, 0, 2, 3}, def.index_count = 6;
            EXPECT(room_add(&room, &def, &paint) == 0);
            EXPECT(room_draw(&room) == THATCH_OK);
            // A pixel covers tiles / 4 texels a side: the level whose texel is nearest to that.
            int32_t level = 0;
            while (1 << (level + 1) <= tiles / 4) level++;
            int worst = 0;
            for (int32_t y = 1; y < 256; y += 5)
                for (int32_t x = 2; x < 256; x += 7) {
                    float rgba[4];
                    const float u = ((float)x + 0.5f) / 256.0f * 2 * h - h, v = h - ((float)y + 0.5f) / 256.0f * 2 * h;
                    EXPECT(thatch_texture_sample(map, u, v, level, rgba) == THATCH_OK);
                    const uint32_t seen = room_pixel(&room, x, y);
                    for (int k = 0; k < 2; k++) {
                        const int off = abs((int)(seen >> (16 - 8 * k) & 255) - (int)(255 * rgba[k] + 0.5f));
                        worst = off > worst ? off : worst;
                    }
                }
            if (worst > 2) fprintf(stderr, "    wrap %d, %d tiles, level %d: off by %d\n", wrap, tiles, level, worst);
            EXPECT(worst <= 2);
            room_close(&room);
            thatch_texture_destroy(map);
        }
    return 0;
}

static int test_a_map_keeps_its_perspective(void)
{
    Room room;
    EXPECT(room_open(&room, 200, 150) && room_look(&room, 0, 1.5f, 0, 0, 0.9f, -3));
    const ThatchTexture map = ramp_map(THATCH_WRAP_CLAMP);
    ThatchMaterialDef paint = room_paint(1, 1, 1);
    paint.map = map;
    EXPECT(room_add_square(&room, (float[3]){-8, 0, 4}, (float[3]){16, 0, 0}, (float[3]){0, 0, -24}, &paint) == 0); // some behind the eye
    EXPECT(room_draw(&room) == THATCH_OK);
    double f[3] = {0, -0.6, -3}, length = sqrt(0.36 + 9), worst = 0;
    for (int k = 0; k < 3; k++) f[k] /= length;
    for (int32_t y = 90; y < 150; y += 6)
        for (int32_t x = 5; x < 200; x += 11) {
            const double sx = (2 * (x + 0.5) / 200 - 1) * tan(0.5) * 200 / 150, sy = (1 - 2 * (y + 0.5) / 150) * tan(0.5);
            const double d[3] = {sx, f[1] - f[2] * sy, f[2] + f[1] * sy}; // right is +x, up is (0, -f z, f y)
            const double s = 1.5 / -d[1], u = (d[0] * s + 8) / 16, v = (4 - d[2] * s) / 24;
            float rgba[4];
            EXPECT(thatch_texture_sample(map, (float)u, (float)v, 0, rgba) == THATCH_OK);
            const uint32_t seen = room_pixel(&room, x, y);
            worst = fmax(worst, fabs((seen >> 16) - 255.0 * (double)rgba[0]));
            worst = fmax(worst, fabs((seen >> 8 & 255) - 255.0 * (double)rgba[1]));
        }
    if (worst > 3) fprintf(stderr, "    off by %g\n", worst);
    EXPECT(worst <= 3);
    room_close(&room);
    thatch_texture_destroy(map);
    return 0;
}

static int test_sky_faces_stand_as_opengl_has_them(void)
{
    // Each face one colour, its first rows and columns white. Looked at from inside, a face's first column is on the right.
    static const uint32_t face_colors[6] = {0xff0000, 0x800000, 0x00ff00, 0x008000, 0x0000ff, 0x000080};
    static uint8_t texels[6 * 32 * 32 * 4];
    for (int f = 0; f < 6; f++)
        for (int y = 0; y < 32; y++)
            for (int x = 0; x < 32; x++) {
                uint8_t *t = texels + 4 * ((f * 32 + y) * 32 + x);
                const bool corner = x < 14 && y < 14;
                for (int k = 0; k < 3; k++) t[k] = corner ? 255 : (uint8_t)(face_colors[f] >> (16 - 8 * k));
                t[3] = 255;
            }
    ThatchTextureDef def;
    ThatchTexture cube;
    thatch_texture_defaults(&def);
    def.texels = texels, def.width = def.height = 32, def.faces = 6, def.srgb = false;
    EXPECT(thatch_texture_create(&def, &cube) == THATCH_OK);
    static const float to[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const float up[6][3] = {{0, 1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {0, 1, 0}, {0, 1, 0}}; // towards the first row
    for (int step = 1; step <= 4; step += 3)
        for (int f = 0; f < 6; f++) {
            Room room;
            const float eye[3] = {0, 0, 0};
            EXPECT(room_open(&room, 64, 64) && thatch_scene_set_background_cube(room.scene, cube, 1) == THATCH_OK);
            EXPECT(thatch_camera_set_perspective(room.camera, 1.4f, 0.1f, 10) == THATCH_OK);
            EXPECT(thatch_camera_look(room.camera, eye, to[f], up[f]) == THATCH_OK);
            EXPECT(room_draw(&room) == THATCH_OK && thatch_frame_sky(room.frame, step, &room.resolve) == THATCH_OK);
            EXPECT(room_pixel(&room, 54, 10) == 0xffffff && room_pixel(&room, 10, 10) == face_colors[f]);
            EXPECT(room_pixel(&room, 54, 54) == face_colors[f] && room_pixel(&room, 10, 54) == face_colors[f]);
            room_close(&room);
        }
    thatch_texture_destroy(cube);
    return 0;
}

static int test_smooth_leaves_flat_areas_and_mixes_edges(void)
{
    Room room;
    EXPECT(room_open(&room, 97, 61));
    const ThatchMaterialDef white = room_paint(1, 1, 1);
    const float p[9] = {-5, -5, -3, 5, -5, -3, 4, 2.6f, -3};
    EXPECT(room_add_triangles(&room, p, 3, (uint32_t[3]){0, 1, 2}, 3, &white) == 0);
    EXPECT(room_draw(&room) == THATCH_OK);
    static uint8_t before[97 * 61 * 4];
    memcpy(before, thatch_frame_pixels(room.frame, NULL, NULL), sizeof before);
    EXPECT(thatch_frame_smooth(room.frame) == THATCH_OK);
    const uint8_t *after = thatch_frame_pixels(room.frame, NULL, NULL);
    int mixed = 0;
    for (int y = 0; y < 61; y++)
        for (int x = 0; x < 97; x++) {
            bool flat = true;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    const int sx = x + dx < 0 ? 0 : x + dx > 96 ? 96 : x + dx, sy = y + dy < 0 ? 0 : y + dy > 60 ? 60 : y + dy;
                    flat = flat && before[4 * (97 * sy + sx)] == before[4 * (97 * y + x)];
                }
            const uint8_t *a = after + 4 * (97 * y + x), *b = before + 4 * (97 * y + x);
            if (flat) EXPECT(memcmp(a, b, 4) == 0);
            mixed += a[0] != 0 && a[0] != 255;
        }
    EXPECT(mixed > 60);
    room_close(&room);
    return 0;
}

static int32_t draw_all(Room *room)
{
    int32_t status = room_draw_at(room, 5, 5.0 / 24.0);
    if (status == THATCH_OK) status = thatch_frame_smooth(room->frame);
    return status == THATCH_OK ? thatch_frame_upscale(room->frame, room->count & 1) : status;
}

static int test_upscale_keeps_what_is_constant_and_holds_the_edge(void)
{
    for (int mode = 0; mode < 2; mode++) {
        Room room;
        EXPECT(room_open(&room, 90, 70));
        const float grey[3] = {0.4f, 0.6f, 0.1f};
        EXPECT(thatch_scene_set_background_color(room.scene, grey) == THATCH_OK && room_draw(&room) == THATCH_OK);
        static uint8_t before[90 * 70 * 4];
        memcpy(before, thatch_frame_pixels(room.frame, NULL, NULL), sizeof before);
        EXPECT(thatch_frame_upscale(room.frame, mode) == THATCH_OK); // scale 1: the same bytes
        EXPECT(memcmp(before, thatch_frame_pixels(room.frame, NULL, NULL), sizeof before) == 0);
        for (double scale = 0.25; scale < 1; scale += 0.19) {
            EXPECT(thatch_frame_resize(room.frame, 133, 77, scale) == THATCH_OK && room_draw(&room) == THATCH_OK);
            EXPECT(thatch_frame_upscale(room.frame, mode) == THATCH_OK && room_others(&room, 0x66991a) == 0);
        }
        // Left black, right white: the outermost columns keep their values, all rows are alike and never fall.
        const ThatchMaterialDef white = room_paint(1, 1, 1), black = room_paint(0, 0, 0);
        EXPECT(room_add_square(&room, (float[3]){0, -9, -3}, (float[3]){9, 0, 0}, (float[3]){0, 18, 0}, &white) == 0);
        EXPECT(room_add_square(&room, (float[3]){-9, -9, -3}, (float[3]){9, 0, 0}, (float[3]){0, 18, 0}, &black) == 1);
        EXPECT(thatch_frame_resize(room.frame, 120, 80, 0.25) == THATCH_OK && room_draw(&room) == THATCH_OK);
        EXPECT(thatch_frame_upscale(room.frame, mode) == THATCH_OK);
        EXPECT(room_pixel(&room, 0, 40) == 0 && room_pixel(&room, 119, 40) == 0xffffff && room_pixel(&room, 119, 79) == 0xffffff);
        for (int x = 1; x < 120; x++) EXPECT(room_pixel(&room, x, 0) >= room_pixel(&room, x - 1, 0) && room_pixel(&room, x, 0) == room_pixel(&room, x, 79));
        room_close(&room);
    }
    return 0;
}

static int test_phong_shines_by_the_formula(void)
{
    Room room;
    EXPECT(room_open(&room, 33, 33) && room_look(&room, 0, 2, 2, 0, 0, 0));
    const float sun[3] = {0, 1, -0.8f};
    EXPECT(room_light(&room, THATCH_LIGHT_DIRECTIONAL, 2, 2, 2, sun));
    ThatchMaterialDef paint = lambert(0.2f, 0, 0);
    paint.kind = THATCH_MATERIAL_PHONG, paint.shininess = 20, paint.specular[0] = paint.specular[1] = paint.specular[2] = 0.3f;
    const float p[9] = {0, 0, 0, -0.5f, 0, 0.4f, 0.5f, 0, 0.4f}; // a corner at the picture's middle
    EXPECT(room_add_triangles(&room, p, 3, (uint32_t[3]){0, 1, 2}, 3, &paint) == 0);
    EXPECT(room_draw(&room) == THATCH_OK);
    const double l = sqrt(1.64), v = sqrt(8.0), lx[3] = {0, 1 / l, -0.8 / l}, vx[3] = {0, 2 / v, 2 / v};
    double h[3], hl = 0;
    for (int k = 0; k < 3; k++) h[k] = lx[k] + vx[k], hl += h[k] * h[k];
    for (int k = 0; k < 3; k++) h[k] /= sqrt(hl);
    const double nl = lx[1], nh = h[1], lh = lx[1] * h[1] + lx[2] * h[2], fresnel = pow(2, (-5.55473 * lh - 6.98316) * lh);
    const double lobe = nl * 0.25 * (20 * 0.5 + 1) * pow(nh, 20) * (0.3 + 0.7 * fresnel) * 2 / 3.14159265;
    const int want[3] = {(int)(255 * (lobe + 0.2 * nl * 2 / 3.14159265) + 0.5), (int)(255 * lobe + 0.5), (int)(255 * lobe + 0.5)};
    EXPECT(lobe > 0.2 && near_color(room_pixel(&room, 16, 17), want, 12));
    room_close(&room);
    return 0;
}

static bool open_pond(Room *room, ThatchWater *water)
{
    if (!room_open(room, 96, 64) || !room_look(room, 0, 2, 6, 0, 0, 0)) return false;
    const ThatchMaterialDef sand = lambert(0.7f, 0.6f, 0.4f), box = lambert(0.5f, 0.1f, 0.1f);
    const float sky[3] = {0.3f, 0.5f, 0.9f}, sun[3] = {0.3f, 1, 0.4f};
    thatch_scene_set_background_color(room->scene, sky);
    room_light(room, THATCH_LIGHT_AMBIENT, 1, 1, 1, NULL), room_light(room, THATCH_LIGHT_DIRECTIONAL, 2, 2, 2, sun);
    if (room_add_square(room, (float[3]){-50, -1, 50}, floor_x, floor_z, &sand) != 0) return false;
    if (room_add_box(room, (float[3]){-0.5f, -1, -0.5f}, (float[3]){0.5f, 1, 0.5f}, &box) != 1) return false;
    ThatchWaterDef def;
    thatch_water_defaults(&def);
    def.level_m = 0, def.min[0] = def.min[1] = -4, def.max[0] = def.max[1] = 4;
    return thatch_water_create(&def, water) == THATCH_OK;
}

static ThatchWater pond_of_draw;
static int32_t draw_pond(Room *room)
{
    const int32_t status = room_draw_at(room, 31, 31.0 / 24.0);
    return status == THATCH_OK ? thatch_frame_water(room->frame, pond_of_draw, 2, 2) : status;
}

static int test_water_is_tested_for_depth_and_depends_on_time_alone(void)
{
    Room room;
    ThatchWater water;
    EXPECT(open_pond(&room, &water));
    EXPECT(room_draw_at(&room, 10, 10.0 / 24) == THATCH_OK);
    static uint8_t dry[96 * 64 * 4], wet[96 * 64 * 4];
    memcpy(dry, thatch_frame_pixels(room.frame, NULL, NULL), sizeof dry);
    EXPECT(thatch_frame_water(room.frame, water, 1, 1) == THATCH_OK);
    memcpy(wet, thatch_frame_pixels(room.frame, NULL, NULL), sizeof wet);
    int changed = 0;
    for (int i = 0; i < 96 * 64; i++) {
        // What lies over the level, and the sky above the horizon, is as it was.
        float depth = room_depth(&room, i % 96, i / 96);
        const double sy = (1 - 2 * (i / 96 + 0.5) / 64) * tan(0.5), f = sqrt(40.0), y = 2 + (double)depth * (-2 / f + 6 / f * sy);
        const bool differs = memcmp(dry + 4 * i, wet + 4 * i, 4) != 0;
        if (isinf(depth) || y > 0.02) EXPECT(!differs);
        changed += differs;
    }
    EXPECT(changed > 1000);
    // The same time again, after another: the same bytes.
    EXPECT(room_draw_at(&room, 99, 99.0 / 24) == THATCH_OK && thatch_frame_water(room.frame, water, 1, 1) == THATCH_OK);
    EXPECT(memcmp(wet, thatch_frame_pixels(room.frame, NULL, NULL), sizeof wet) != 0);
    EXPECT(room_draw_at(&room, 10, 10.0 / 24) == THATCH_OK && thatch_frame_water(room.frame, water, 1, 1) == THATCH_OK);
    EXPECT(memcmp(wet, thatch_frame_pixels(room.frame, NULL, NULL), sizeof wet) == 0);
    pond_of_draw = water;
    EXPECT(room_same_everywhere(&room, draw_pond));
    // Out of view nothing changes.
    EXPECT(room_look(&room, 0, 2, 6, 0, 1, 12) && room_draw(&room) == THATCH_OK);
    memcpy(dry, thatch_frame_pixels(room.frame, NULL, NULL), sizeof dry);
    EXPECT(thatch_frame_water(room.frame, water, 1, 1) == THATCH_OK);
    EXPECT(memcmp(dry, thatch_frame_pixels(room.frame, NULL, NULL), sizeof dry) == 0);
    room_close(&room);
    thatch_water_destroy(water);
    return 0;
}

static int test_sway_depends_on_the_frame_alone(void)
{
    Room room;
    EXPECT(room_open(&room, 80, 60));
    ThatchShadingDef shading;
    thatch_shading_defaults(&shading);
    shading.sways = true, shading.sway_amplitude_m = 0.4f, shading.sway_frequency_hz = 1.1f, shading.sway_every = 2;
    EXPECT(thatch_shading_register("reed", &shading) == THATCH_OK && thatch_scene_set_wind(room.scene, 1, 0.2f, 1) == THATCH_OK);
    ThatchMaterialDef green = room_paint(0, 1, 0);
    green.shading = "reed";
    const float p[18] = {-0.5f, -1, -4, 0, -1, -4, -0.2f, 1, -4, 0.3f, -1, -3, 0.5f, -1, -3, 0.4f, 0.8f, -3}, sway[6] = {0, 0, 1, 0, 0, 1};
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = p, def.sway = sway, def.vertex_count = 6, def.indices = (uint32_t[6]){0, 1, 2, 3, 4, 5}, def.index_count = 6;
    EXPECT(room_add(&room, &def, &green) == 0);
    uint8_t in_turn[30][16], alone[16];
    for (int n = 0; n < 30; n++) EXPECT(room_draw_at(&room, n, n / 24.0) == THATCH_OK && thatch_frame_hash(room.frame, in_turn[n]) == THATCH_OK);
    EXPECT(memcmp(in_turn[4], in_turn[5], 16) == 0 && memcmp(in_turn[5], in_turn[6], 16) != 0); // every second frame
    for (int n = 29; n >= 0; n -= 4) {
        EXPECT(room_draw_at(&room, n, n / 24.0) == THATCH_OK && thatch_frame_hash(room.frame, alone) == THATCH_OK);
        EXPECT(memcmp(alone, in_turn[n], 16) == 0);
    }
    EXPECT(room_same_everywhere(&room, draw_all));
    EXPECT(thatch_scene_set_wind(room.scene, 1, 0.2f, 0) == THATCH_OK && room_draw_at(&room, 9, 9 / 24.0) == THATCH_OK && thatch_frame_hash(room.frame, alone) == THATCH_OK);
    EXPECT(room_draw_at(&room, 16, 16 / 24.0) == THATCH_OK && thatch_frame_hash(room.frame, in_turn[0]) == THATCH_OK && memcmp(alone, in_turn[0], 16) == 0);
    thatch_shading_remove("reed");
    room_close(&room);
    return 0;
}

const Test shading_tests[] = {
    TEST(a_floor_has_the_light_of_the_formula),
    TEST(tints_vertex_colors_and_emission_add_up),
    TEST(a_back_face_is_lit_from_its_own_side),
    TEST(fog_is_exponential_squared),
    TEST(maps_wrap_and_choose_their_level_at_each_pixel),
    TEST(a_map_keeps_its_perspective),
    TEST(sky_faces_stand_as_opengl_has_them),
    TEST(smooth_leaves_flat_areas_and_mixes_edges),
    TEST(upscale_keeps_what_is_constant_and_holds_the_edge),
    TEST(phong_shines_by_the_formula),
    TEST(water_is_tested_for_depth_and_depends_on_time_alone),
    TEST(sway_depends_on_the_frame_alone),
    TESTS_END,
};
