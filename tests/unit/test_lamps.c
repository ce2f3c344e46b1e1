// Point and spot lights, and what lies over a map, against their formulas.
#include "stage_room.h"

#define PI 3.14159265358979
enum { SIDE = 64 };
static const double METRES = 8; // of the picture's side

// A floor at y = 0 seen straight from above; its material.
static bool open_floor(Room *room, const ThatchMaterialDef *paint)
{
    const float eye[3] = {0, 20, 0}, target[3] = {0, 0, 0}, up[3] = {0, 0, -1};
    return room_open(room, SIDE, SIDE) &&
           thatch_camera_set_orthographic(room->camera, (float)METRES, 1, 40) == THATCH_OK &&
           thatch_camera_look(room->camera, eye, target, up) == THATCH_OK &&
           room_add_square(room, (float[3]){-20, 0, 20}, (float[3]){40, 0, 0}, (float[3]){0, 0, -40}, paint) == 0;
}

static ThatchMaterialDef paint_of(int32_t kind, float r, float g, float b)
{
    ThatchMaterialDef def = room_paint(r, g, b);
    def.kind = kind;
    return def;
}

static ThatchLightDef lamp(int32_t kind, float x, float y, float z, float intensity)
{
    ThatchLightDef def;
    thatch_light_defaults(&def);
    def.kind = kind, def.intensity = intensity, def.distance_m = 6;
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    return def;
}

// Light of colour 1 / pi that a lamp sends to a floor's place; the unit direction towards it.
static double sent(const ThatchLightDef *def, double x, double z, double to[3])
{
    double square = 0, along = 0, length = 0;
    to[0] = (double)def->position[0] - x, to[1] = (double)def->position[1], to[2] = (double)def->position[2] - z;
    for (int k = 0; k < 3; k++) square += to[k] * to[k], length += (double)(def->direction[k] * def->direction[k]);
    for (int k = 0; k < 3; k++) to[k] /= sqrt(square), along += to[k] * (double)def->direction[k] / sqrt(length);
    const double share = square / (double)(def->distance_m * def->distance_m), window = 1 - share * share;
    double out = share < 1 ? (double)def->intensity / PI * window * window / fmax(square, 0.04) : 0;
    if (def->kind == THATCH_LIGHT_SPOT) {
        const double edge = cos((double)def->angle_rad), inner = cos((double)(def->angle_rad * (1 - def->penumbra)));
        const double t = fmin(1, fmax(0, (along - edge) / fmax(1e-12, inner - edge)));
        out *= t * t * (3 - 2 * t);
    }
    return out;
}

static double place_of(int pixel) { return ((double)pixel + 0.5 - SIDE / 2.0) * METRES / SIDE; }

static int near_byte(Room *room, int x, int y, int channel, double light, int slack)
{
    const int seen = (int)(room_pixel(room, x, y) >> (16 - 8 * channel) & 255), want = (int)(255 * fmin(1, light) + 0.5);
    if (abs(seen - want) > slack) fprintf(stderr, "    pixel %d, %d: %d is not %d\n", x, y, seen, want);
    return abs(seen - want) <= slack;
}

static int test_a_lamp_lights_by_the_formula(void)
{
    static const float beams[4][3] = {{0, 1, 0}, {1, 1.5f, 0}, {-2, 6, 3}, {0, 0.3f, 0}};
    for (uint32_t seed = 0; seed < 24; seed++) {
        uint32_t random = 0;
        const ThatchMaterialDef white = paint_of(THATCH_MATERIAL_LAMBERT, 1, 0.5f, 0);
        ThatchLightDef def = lamp(seed % 4 ? THATCH_LIGHT_SPOT : THATCH_LIGHT_POINT, room_random(seed, &random, -2, 2),
                                  room_random(seed, &random, 0.3f, 3), room_random(seed, &random, -2, 2), 2);
        def.angle_rad = room_random(seed, &random, 0.2f, 1.57f), def.penumbra = seed % 3 ? (float)(seed % 3) / 2 : 0.02f;
        memcpy(def.direction, beams[seed % 4], sizeof def.direction);
        Room room;
        ThatchLight light;
        EXPECT(open_floor(&room, &white) && thatch_light_create(room.scene, &def, &light) == THATCH_OK);
        for (int mode = 0; mode < 2; mode++) {
            room.resolve.pixel_light = mode == 1;
            EXPECT(room_draw(&room) == THATCH_OK);
            for (int y = 1; y < SIDE; y += 3)
                for (int x = 1; x < SIDE; x += 3) {
                    double to[3];
                    const double want = sent(&def, place_of(x), place_of(y), to) * to[1];
                    // Where the cone's edge is a hair, a hair's shift is a shade.
                    EXPECT(near_byte(&room, x, y, 0, want, def.penumbra < 0.1f ? 6 : 2) &&
                           near_byte(&room, x, y, 1, want / 2, def.penumbra < 0.1f ? 6 : 2) &&
                           near_byte(&room, x, y, 2, 0, 0));
                }
        }
        room_close(&room);
    }
    return 0;
}

// The narrower the cone, the fewer the pixels, but the middle is as bright.
static int test_narrow_spots_keep_their_light(void)
{
    static const float angles[6] = {0.001f, 0.003f, 0.008f, 0.014f, 0.05f, 0.2f};
    for (int i = 0; i < 6; i++) {
        const ThatchMaterialDef white = paint_of(THATCH_MATERIAL_LAMBERT, 1, 1, 1);
        ThatchLightDef def = lamp(THATCH_LIGHT_SPOT, (float)place_of(32), 2, (float)place_of(32), 6);
        def.angle_rad = angles[i];
        Room room;
        ThatchLight light;
        EXPECT(open_floor(&room, &white) && thatch_light_create(room.scene, &def, &light) == THATCH_OK);
        EXPECT(room_draw(&room) == THATCH_OK);
        double to[3];
        const double middle = sent(&def, place_of(32), place_of(32), to);
        EXPECT(middle > 0.4 && near_byte(&room, 32, 32, 0, middle, 2));
        EXPECT(near_byte(&room, 32 + 2 + (int)(16 * tan((double)angles[i])), 32, 0, 0, 0));
        room_close(&room);
    }
    return 0;
}

// GGX with Schlick's term as a power of two, for a floor seen from straight above.
static double ggx(const double to[3], double rough, double f0)
{
    double h[3] = {to[0], to[1] + 1, to[2]}, length = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    for (int k = 0; k < 3; k++) h[k] /= length;
    const double a2 = pow(rough, 4), nh = h[1], nl = to[1], d = nh * nh * (a2 - 1) + 1;
    const double visible = 0.5 / (nl * 1 + sqrt(nl * nl * (1 - a2) + a2));
    return a2 / (d * d) * visible * (f0 + (1 - f0) * pow(2, (-5.55473 * nh - 6.98316) * nh));
}

static double blinn(const double to[3], double shininess, double f0)
{
    double h[3] = {to[0], to[1] + 1, to[2]}, length = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    const double nh = h[1] / length;
    return 0.25 * (shininess / 2 + 1) * pow(nh, shininess) * (f0 + (1 - f0) * pow(2, (-5.55473 * nh - 6.98316) * nh));
}

static int test_lamps_shine_at_pixels_by_the_formula(void)
{
    static const int32_t kinds[3] = {THATCH_MATERIAL_PHONG, THATCH_MATERIAL_STANDARD, THATCH_MATERIAL_PHYSICAL};
    for (uint32_t i = 0; i < 12; i++) {
        ThatchMaterialDef paint = paint_of(kinds[i % 3], 0.6f, 0.2f, 0.1f);
        paint.roughness = 0.25f + 0.06f * (float)i, paint.metalness = i % 2 ? 0.7f : 0.0f, paint.shininess = 6 + 4 * (float)i;
        paint.specular[0] = 0.5f, paint.specular[1] = 0.4f, paint.specular[2] = 0.1f;
        const bool phong = paint.kind == THATCH_MATERIAL_PHONG;
        ThatchLightDef defs[2] = {lamp(THATCH_LIGHT_POINT, -1.2f, 1.6f, 0.4f, 2), lamp(THATCH_LIGHT_SPOT, 1.4f, 2.2f, -0.8f, 3)};
        defs[1].angle_rad = 0.6f, defs[1].penumbra = 1;
        Room room;
        ThatchLight light;
        EXPECT(open_floor(&room, &paint));
        for (int k = 0; k < 2; k++) EXPECT(thatch_light_create(room.scene, &defs[k], &light) == THATCH_OK);
        room.resolve.pixel_light = true;
        EXPECT(room_draw(&room) == THATCH_OK);
        for (int y = 0; y < SIDE; y += 3)
            for (int x = 0; x < SIDE; x += 3)
                for (int c = 0; c < 3; c++) {
                    double want = 0;
                    for (int k = 0; k < 2; k++) {
                        double to[3];
                        const double here = sent(&defs[k], place_of(x), place_of(y), to) * to[1], color = (double)paint.color[c],
                                     metal = (double)paint.metalness;
                        const double shine = phong ? blinn(to, (double)paint.shininess, (double)paint.specular[c])
                                                   : ggx(to, (double)paint.roughness, 0.04 + (color - 0.04) * metal);
                        want += here * (color * (phong ? 1 : 1 - metal) + shine);
                    }
                    EXPECT(near_byte(&room, x, y, c, want, 2));
                }
        room_close(&room);
    }
    return 0;
}

// A map read at the pixels tints neither glow nor highlight, at the corners' light as at the pixels'.
static int test_glow_and_highlight_lie_over_a_map(void)
{
    uint8_t texels[4 * 4 * 4];
    for (int i = 0; i < 16; i++) memset(texels + 4 * i, 0, 3), texels[4 * i + 3] = 255;
    ThatchTextureDef black;
    ThatchTexture map;
    thatch_texture_defaults(&black);
    black.texels = texels, black.width = black.height = 4;
    EXPECT(thatch_texture_create(&black, &map) == THATCH_OK);
    for (int mode = 0; mode < 4; mode++) {
        ThatchMaterialDef paint = paint_of(mode < 2 ? THATCH_MATERIAL_PHONG : THATCH_MATERIAL_LAMBERT, 1, 1, 1);
        paint.map = map, paint.shininess = 4;
        paint.emissive[1] = 0.5f, paint.emissive_intensity = mode < 2 ? 0.4f : 1;
        for (int k = 0; k < 3; k++) paint.specular[k] = 0.5f;
        Room room;
        EXPECT(open_floor(&room, &paint));
        const float sun[3] = {0, 1, 0};
        EXPECT(room_light(&room, THATCH_LIGHT_DIRECTIONAL, 1, 1, 1, sun));
        room.resolve.pixel_light = mode % 2 == 1;
        EXPECT(room_draw(&room) == THATCH_OK);
        const double up[3] = {0, 1, 0}, shine = mode < 2 ? blinn(up, 4, 0.5) / PI : 0, glow = mode < 2 ? 0.2 : 0.5;
        EXPECT(near_byte(&room, 31, 33, 1, shine + glow, 1) && near_byte(&room, 5, 60, 1, shine + glow, 1));
        EXPECT(near_byte(&room, 31, 33, 0, shine, 1));
        room_close(&room);
    }
    thatch_texture_destroy(map);
    return 0;
}

// A black map's floor shines by its gloss alone, and not in a shadow; its glow is in both.
static int test_a_highlight_over_a_map_is_shadowed(void)
{
    const uint8_t black[4] = {0, 0, 0, 255};
    ThatchTextureDef def;
    ThatchTexture map;
    thatch_texture_defaults(&def);
    def.texels = black, def.width = def.height = 1;
    EXPECT(thatch_texture_create(&def, &map) == THATCH_OK);
    for (int mode = 0; mode < 4; mode++) {
        ThatchMaterialDef paint = paint_of(THATCH_MATERIAL_PHONG, 1, 1, 1), post = paint_of(THATCH_MATERIAL_BASIC, 1, 1, 1);
        paint.map = map, paint.shininess = 4, paint.emissive[1] = 0.25f;
        for (int k = 0; k < 3; k++) paint.specular[k] = 0.9f, paint.color[k] = mode & 2 ? 1 : 0;
        Room room;
        EXPECT(open_floor(&room, &paint) && room_add_box(&room, (float[3]){0, 0, -1}, (float[3]){0.5f, 2, 1}, &post) == 1);
        const float sun[3] = {1, 1, 0};
        EXPECT(room_light(&room, THATCH_LIGHT_DIRECTIONAL, 3, 3, 3, sun));
        room.shadow.shadows = THATCH_SHADOWS_FULL, room.shadow.size = 1024, room.shadow.radius_m = 10;
        room.resolve.pixel_light = (mode & 1) != 0;
        EXPECT(room_draw(&room) == THATCH_OK);
        const double to[3] = {sqrt(0.5), sqrt(0.5), 0}, shine = 3 * to[1] * blinn(to, 4, 0.9) / PI;
        EXPECT(shine > 0.2 && near_byte(&room, 24, 32, 0, 0, 0) && near_byte(&room, 24, 32, 1, 0.25, 1)); // x = -0.9
        EXPECT(near_byte(&room, 50, 32, 0, shine, 2) && near_byte(&room, 24, 8, 1, shine + 0.25, 2));
        room_close(&room);
    }
    thatch_texture_destroy(map);
    return 0;
}

// An emissive map black on its left, white on its right: the floor glows on its right only, with a map beside it or none.
static int test_an_emissive_map_says_where_it_glows(void)
{
    uint8_t halves[4 * 64];
    for (int i = 0; i < 4 * 64; i++) halves[i] = i >= 4 * 32 || i % 4 == 3 ? 255 : 0;
    ThatchTextureDef def;
    ThatchTexture glow, map;
    thatch_texture_defaults(&def);
    def.texels = halves, def.width = 64, def.height = 1, def.wrap_u = THATCH_WRAP_CLAMP;
    EXPECT(thatch_texture_create(&def, &glow) == THATCH_OK);
    def.width = 1; // the first texel: black
    EXPECT(thatch_texture_create(&def, &map) == THATCH_OK);
    for (int mode = 0; mode < 16; mode++) {
        ThatchMaterialDef paint = paint_of(mode & 1 ? THATCH_MATERIAL_LAMBERT : THATCH_MATERIAL_BASIC, 0, 0, 0);
        paint.map = mode & 2 ? map : 0, paint.emissive_map = glow, paint.emissive[2] = 0.25f, paint.emissive_intensity = 2;
        Room room;
        EXPECT(open_floor(&room, &paint));
        room.resolve.pixel_light = (mode & 4) != 0, room.gather.trilinear = (mode & 8) != 0;
        EXPECT(room_draw(&room) == THATCH_OK);
        EXPECT(near_byte(&room, 5, 31, 2, 0, 0) && near_byte(&room, 58, 31, 2, 0.5, 1) && near_byte(&room, 58, 31, 0, 0, 0));
        room_close(&room);
    }
    Room room;
    ThatchMaterialDef paint = paint_of(THATCH_MATERIAL_LAMBERT, 0, 0, 0);
    paint.emissive_map = glow, paint.emissive[0] = 1;
    EXPECT(open_floor(&room, &paint)); // read at the corners: from the black one to the white, evenly
    room.gather.pixel_maps = false;
    EXPECT(room_draw(&room) == THATCH_OK && near_byte(&room, 32, 32, 0, (place_of(32) + 20) / 40, 2));
    EXPECT(near_byte(&room, 63, 32, 0, (place_of(63) + 20) / 40, 2));
    room_close(&room);
    paint.alpha_mode = THATCH_ALPHA_BLEND, paint.opacity = 0.5f; // over black
    EXPECT(open_floor(&room, &paint));
    room.blend = true;
    EXPECT(room_draw(&room) == THATCH_OK && near_byte(&room, 58, 31, 0, 0.5, 1) && near_byte(&room, 5, 31, 0, 0, 0));
    room_close(&room);
    paint.alpha_mode = THATCH_ALPHA_OPAQUE;
    EXPECT(open_floor(&room, &paint) && room_raster(&room, 0, 0) == THATCH_OK);
    thatch_texture_destroy(glow);
    EXPECT_REFUSED(thatch_frame_resolve(room.frame, &room.resolve), THATCH_ERROR_STALE, "");
    EXPECT_REFUSED(room_draw(&room), THATCH_ERROR_STALE, "its emissive_map is gone");
    EXPECT_REFUSED(thatch_material_set(room.materials[0], &paint), THATCH_ERROR_STALE, "material: emissive_map");
    room_close(&room);
    thatch_texture_destroy(map);
    return 0;
}

static int test_lamps_are_the_same_everywhere(void)
{
    uint8_t texels[4 * 16];
    for (int i = 0; i < 4 * 16; i++) texels[i] = (uint8_t)(i * 53);
    ThatchTextureDef map_def;
    ThatchTexture map;
    thatch_texture_defaults(&map_def);
    map_def.texels = texels, map_def.width = map_def.height = 4;
    EXPECT(thatch_texture_create(&map_def, &map) == THATCH_OK);
    for (int mode = 0; mode < 4; mode++) {
        ThatchMaterialDef paint = paint_of(mode & 2 ? THATCH_MATERIAL_PHONG : THATCH_MATERIAL_STANDARD, 0.6f, 0.4f, 0.3f);
        paint.roughness = 0.4f, paint.map = paint.emissive_map = map, paint.emissive[1] = 0.7f;
        Room room;
        ThatchLight light;
        EXPECT(open_floor(&room, &paint) && room_add_box(&room, (float[3]){-1, 0, -1}, (float[3]){0, 1, 0.5f}, &paint) == 1);
        for (int k = 0; k < 5; k++) {
            ThatchLightDef def = lamp(k % 2 ? THATCH_LIGHT_SPOT : THATCH_LIGHT_POINT, (float)k - 2, 1.2f, 0.3f * (float)k, 1);
            def.penumbra = 0.3f, def.direction[0] = 0.2f * (float)k;
            EXPECT(thatch_light_create(room.scene, &def, &light) == THATCH_OK);
        }
        const float sun[3] = {0.3f, 1, 0.2f};
        EXPECT(room_light(&room, THATCH_LIGHT_DIRECTIONAL, 1, 1, 1, sun));
        room.resolve.pixel_light = (mode & 1) != 0;
        EXPECT(room_look(&room, 1, 3, 4, 0, 0, 0) && room_same_everywhere(&room, room_draw));
        EXPECT(thatch_camera_set_perspective(room.camera, 1.0f, 0.1f, 100.0f) == THATCH_OK);
        EXPECT(room_same_everywhere(&room, room_draw));
        room_close(&room);
    }
    thatch_texture_destroy(map);
    return 0;
}

static int test_odd_cones_are_refused(void)
{
    Room room;
    ThatchLight light;
    EXPECT(room_open(&room, 8, 8));
    ThatchLightDef def = lamp(THATCH_LIGHT_SPOT, 0, 1, 0, 1);
    const float angles[5] = {0, -1, 1.6f, NAN, 0.0009f};
    for (int k = 0; k < 5; k++) {
        def.angle_rad = angles[k];
        EXPECT_REFUSED(thatch_light_create(room.scene, &def, &light), THATCH_ERROR_ARGUMENT, "light: angle_rad is");
    }
    def.angle_rad = 1, def.penumbra = 1.1f;
    EXPECT_REFUSED(thatch_light_create(room.scene, &def, &light), THATCH_ERROR_ARGUMENT, "light: penumbra is 1.1");
    def.penumbra = 0, memset(def.direction, 0, sizeof def.direction);
    EXPECT_REFUSED(thatch_light_create(room.scene, &def, &light), THATCH_ERROR_ARGUMENT, "light: direction is 0, 0, 0");
    room_close(&room);
    return 0;
}

const Test lamps_tests[] = {
    TEST(a_lamp_lights_by_the_formula),
    TEST(narrow_spots_keep_their_light),
    TEST(lamps_shine_at_pixels_by_the_formula),
    TEST(glow_and_highlight_lie_over_a_map),
    TEST(a_highlight_over_a_map_is_shadowed),
    TEST(an_emissive_map_says_where_it_glows),
    TEST(lamps_are_the_same_everywhere),
    TEST(odd_cones_are_refused),
    TESTS_END,
};
