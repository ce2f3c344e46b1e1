#include "store/texture.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static ThatchTextureDef texture_def(const void *texels, int32_t width, int32_t height)
{
    ThatchTextureDef def;
    thatch_texture_defaults(&def);
    def.texels = texels, def.width = width, def.height = height;
    def.srgb = false;
    return def;
}

static int test_levels_are_means_in_linear_light(void)
{
    uint8_t texels[4 * 4 * 2];
    for (int i = 0; i < 8; i++) { // columns 0 255 0 255, alpha 100 or 200
        const uint8_t value = i % 2 ? 255 : 0;
        memcpy(texels + 4 * i, (uint8_t[4]){value, value, value, i % 2 ? 200 : 100}, 4);
    }
    ThatchTextureDef def = texture_def(texels, 4, 2);
    def.srgb = true;
    ThatchTexture handle;
    EXPECT(thatch_texture_create(&def, &handle) == THATCH_OK);
    int32_t width, height, levels;
    EXPECT(thatch_texture_size(handle, &width, &height, &levels) == THATCH_OK);
    EXPECT(width == 4 && height == 2 && levels == 3);
    float rgba[4];
    EXPECT(thatch_texture_sample(handle, 0.125f, 0.25f, 0, rgba) == THATCH_OK && rgba[0] == 0.0f);
    EXPECT(thatch_texture_sample(handle, 0.375f, 0.25f, 0, rgba) == THATCH_OK && rgba[0] == 1.0f);
    EXPECT(thatch_texture_sample(handle, 0.3f, 0.5f, 1, rgba) == THATCH_OK);
    for (int k = 0; k < 3; k++) EXPECT(fabsf(rgba[k] - 0.5f) < 2e-3f);
    EXPECT(fabsf(rgba[3] - 150.0f / 255.0f) < 1e-4f);
    EXPECT(thatch_texture_sample(handle, 0.9f, 0.9f, 2, rgba) == THATCH_OK && fabsf(rgba[1] - 0.5f) < 2e-3f);
    EXPECT_REFUSED(thatch_texture_sample(handle, 0, 0, 3, rgba), THATCH_ERROR_ARGUMENT, "level is 3, need 0 .. 2");
    EXPECT_REFUSED(thatch_texture_sample(handle, NAN, 0, 0, rgba), THATCH_ERROR_ARGUMENT, "uv is");
    thatch_texture_destroy(handle);
    return 0;
}

static int test_odd_sides_keep_the_mean(void)
{
    enum { WIDTH = 7, HEIGHT = 5 };
    float texels[4 * WIDTH * HEIGHT], mean[4] = {0}, rgba[4];
    for (uint32_t i = 0; i < 4 * WIDTH * HEIGHT; i++) {
        texels[i] = thatch_random(1, i, 0);
        mean[i % 4] += texels[i] / (WIDTH * HEIGHT);
    }
    ThatchTextureDef def = texture_def(texels, WIDTH, HEIGHT);
    def.format = THATCH_TEXELS_RGBA32F;
    ThatchTexture handle;
    int32_t levels;
    EXPECT(thatch_texture_create(&def, &handle) == THATCH_OK);
    EXPECT(thatch_texture_size(handle, NULL, NULL, &levels) == THATCH_OK && levels == 3);
    EXPECT(thatch_texture_sample(handle, 0.5f, 0.5f, 2, rgba) == THATCH_OK);
    for (int k = 0; k < 4; k++) EXPECT(fabsf(rgba[k] - mean[k]) < 3e-3f);
    thatch_texture_destroy(handle);
    return 0;
}

static int test_opaque_maps_have_no_alpha(void)
{
    uint8_t texels[4 * 9];
    memset(texels, 255, sizeof texels);
    ThatchTextureDef def = texture_def(texels, 3, 3);
    ThatchTexture handle;
    EXPECT(thatch_texture_create(&def, &handle) == THATCH_OK);
    Texture *texture = texture_find(handle);
    EXPECT(texture->level_count == 0 && texture_make_map(texture) == THATCH_OK);
    EXPECT(texture->level_count == 2 && !texture->levels[0].alpha && texture->levels[0].stride == 4);
    EXPECT(texture->levels[0].texels[0] == 0xffffffffu);
    thatch_texture_destroy(handle);
    return 0;
}

static int test_wraps_fold_as_three_js_does(void)
{
    static const int32_t repeat[] = {2, 3, 0, 1, 2, 3, 0, 1}, mirrored[] = {1, 0, 0, 1, 2, 3, 3, 2},
                         clamp[] = {0, 0, 0, 1, 2, 3, 3, 3};
    for (int i = 0; i < 8; i++) {
        EXPECT(texture_wrap(i - 2, 4, THATCH_WRAP_REPEAT) == repeat[i]);
        EXPECT(texture_wrap(i - 2, 4, THATCH_WRAP_MIRRORED) == mirrored[i]);
        EXPECT(texture_wrap(i - 2, 4, THATCH_WRAP_CLAMP) == clamp[i]);
    }
    EXPECT(texture_wrap(-7, 1, THATCH_WRAP_MIRRORED) == 0);
    return 0;
}

static int test_sampling_mixes_across_the_wrap_and_the_border_agrees(void)
{
    uint8_t texels[4 * 4];
    for (int i = 0; i < 4; i++) memcpy(texels + 4 * i, (uint8_t[4]){(uint8_t)(i * 85), 0, 0, 255}, 4);
    for (int32_t mode = 0; mode < 3; mode++) {
        ThatchTextureDef def = texture_def(texels, 4, 1);
        def.wrap_u = def.wrap_v = mode;
        ThatchTexture handle;
        float at_edge[4], far_away[4];
        EXPECT(thatch_texture_create(&def, &handle) == THATCH_OK);
        EXPECT(thatch_texture_sample(handle, 1.0f, 0.5f, 0, at_edge) == THATCH_OK);
        EXPECT(fabsf(at_edge[0] - (mode == THATCH_WRAP_REPEAT ? 0.5f : 1.0f)) < 1e-3f);
        EXPECT(thatch_texture_sample(handle, -1e30f, 1e30f, 0, far_away) == THATCH_OK && isfinite(far_away[0]));
        const MapLevel *level = &texture_find(handle)->levels[0];
        EXPECT(level->texels[4] == level->texels[mode == THATCH_WRAP_REPEAT ? 0 : 3]);
        EXPECT(memcmp(level->texels, level->texels + level->stride, 4 * (size_t)level->stride) == 0);
        thatch_texture_destroy(handle);
    }
    return 0;
}

static int test_the_transform_is_three_js_s(void)
{
    const uint8_t texel[4] = {255, 255, 255, 255};
    ThatchTextureDef def = texture_def(texel, 1, 1);
    ThatchTexture handle;
    EXPECT(thatch_texture_create(&def, &handle) == THATCH_OK);
    const float offset[2] = {0.1f, 0.2f}, repeat[2] = {2.0f, 3.0f}, center[2] = {0.5f, 0.5f}, angle = 0.3f;
    EXPECT(thatch_texture_set_transform(handle, offset, repeat, angle, center) == THATCH_OK);
    // three.js: moved to the center, turned, scaled, moved back and by the offset.
    const float u = 0.7f, v = 0.2f, c = cosf(angle), s = sinf(angle);
    const float x = u - center[0], y = v - center[1];
    const float expected_u = repeat[0] * (c * x + s * y) + center[0] + offset[0];
    const float expected_v = repeat[1] * (-s * x + c * y) + center[1] + offset[1];
    const float *t = texture_find(handle)->transform;
    EXPECT(fabsf(t[0] * u + t[1] * v + t[2] - expected_u) < 1e-5f);
    EXPECT(fabsf(t[3] * u + t[4] * v + t[5] - expected_v) < 1e-5f);
    thatch_texture_destroy(handle);
    return 0;
}

static int test_updates_show_after_forget_maps(void)
{
    uint8_t texels[4] = {255, 0, 0, 255};
    ThatchTextureDef def = texture_def(texels, 1, 1);
    ThatchTexture handle;
    float rgba[4];
    EXPECT(thatch_texture_create(&def, &handle) == THATCH_OK);
    EXPECT(thatch_texture_sample(handle, 0, 0, 0, rgba) == THATCH_OK && rgba[0] == 1.0f);
    texels[0] = 0;
    EXPECT(thatch_texture_update(handle, texels) == THATCH_OK);
    EXPECT(thatch_texture_sample(handle, 0, 0, 0, rgba) == THATCH_OK && rgba[0] == 1.0f);
    EXPECT(thatch_texture_forget_maps(0) == THATCH_OK);
    EXPECT(thatch_texture_sample(handle, 0, 0, 0, rgba) == THATCH_OK && rgba[0] == 0.0f);
    thatch_texture_destroy(handle);
    return 0;
}

static int test_cubes_hold_linear_floats(void)
{
    uint8_t texels[6 * 4];
    for (int i = 0; i < 6; i++) memcpy(texels + 4 * i, (uint8_t[4]){(uint8_t)(i * 51), 0, 255, 255}, 4);
    ThatchTextureDef def = texture_def(texels, 1, 1);
    def.faces = 6;
    ThatchTexture handle;
    float rgba[4];
    EXPECT(thatch_texture_create(&def, &handle) == THATCH_OK);
    for (int i = 0; i < 6; i++) EXPECT(fabsf(texture_find(handle)->cube[4 * i] - (float)i / 5.0f) < 1e-6f);
    EXPECT_REFUSED(thatch_texture_sample(handle, 0, 0, 0, rgba), THATCH_ERROR_ARGUMENT, "faces is 6, need 1");
    thatch_texture_destroy(handle);
    return 0;
}

static int test_refusals_name_the_field(void)
{
    const uint8_t texels[4 * 8] = {0};
    const float floats[4] = {0, -1, 0, 0}, endless[4] = {INFINITY, 0, 0, 0};
    ThatchTexture handle;
#define REFUSES(change, text)                                                                                          \
    do {                                                                                                               \
        ThatchTextureDef def = texture_def(texels, 1, 1);                                                              \
        change;                                                                                                        \
        EXPECT_REFUSED(thatch_texture_create(&def, &handle), THATCH_ERROR_ARGUMENT, "texture: " text);                 \
        EXPECT(handle == 0);                                                                                           \
    } while (0)
    REFUSES(def.internal_value = 0, "internal_value is 0");
    REFUSES(def.width = 0, "width is 0, need 1 .. 8192");
    REFUSES(def.height = 8193, "height is 8193");
    REFUSES(def.faces = 2, "faces is 2, need 1 or 6");
    REFUSES((def.faces = 6, def.height = 2), "height is 2, need 1");
    REFUSES(def.format = 2, "format is 2");
    REFUSES(def.wrap_u = 3, "wrap_u is 3");
    REFUSES(def.wrap_v = -1, "wrap_v is -1");
    REFUSES(def.offset[1] = NAN, "offset[1] is");
    REFUSES(def.rotation_rad = 1e9f, "rotation_rad is 1e+09");
    REFUSES(def.texels = NULL, "texels is null");
    REFUSES((def.format = THATCH_TEXELS_RGBA32F, def.texels = floats), "texels[1] is -1");
    REFUSES((def.format = THATCH_TEXELS_RGBA32F, def.texels = endless), "texels[0] is inf");
#undef REFUSES
    EXPECT_REFUSED(thatch_texture_update(0, texels), THATCH_ERROR_STALE, "texture is 0");
    EXPECT_REFUSED(thatch_texture_set_wrap(0, 0, 0), THATCH_ERROR_STALE, "texture is 0");
    EXPECT_REFUSED(thatch_texture_forget_maps(77), THATCH_ERROR_STALE, "need a texture");
    return 0;
}

static int test_short_memory_leaves_no_half_map(void)
{
    uint8_t texels[4 * 64] = {0};
    ThatchTextureDef def = texture_def(texels, 8, 8);
    ThatchTexture handle;
    float rgba[4];
    EXPECT(thatch_texture_create(&def, &handle) == THATCH_OK);
    const double held = thatch_memory_bytes();
    int nth = 1;
    for (;; nth++) {
        thatch_fail_allocation(nth);
        const int32_t status = thatch_texture_sample(handle, 0, 0, 0, rgba);
        thatch_fail_allocation(0);
        if (status == THATCH_OK) break;
        EXPECT(status == THATCH_ERROR_MEMORY && thatch_memory_bytes() == held &&
               texture_find(handle)->level_count == 0);
    }
    EXPECT(nth == 10); // the linear level, and two for each of four levels
    thatch_texture_destroy(handle);
    return 0;
}

const Test texture_tests[] = {
    TEST(levels_are_means_in_linear_light),
    TEST(odd_sides_keep_the_mean),
    TEST(opaque_maps_have_no_alpha),
    TEST(wraps_fold_as_three_js_does),
    TEST(sampling_mixes_across_the_wrap_and_the_border_agrees),
    TEST(the_transform_is_three_js_s),
    TEST(updates_show_after_forget_maps),
    TEST(cubes_hold_linear_floats),
    TEST(refusals_name_the_field),
    TEST(short_memory_leaves_no_half_map),
    TESTS_END,
};
