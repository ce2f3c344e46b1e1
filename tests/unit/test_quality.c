#include "test.h"

static int test_presets_pass_their_check(void)
{
    static const char *const names[] = {"low", "medium", "high", "ultra"};
    static const double scales[] = {1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0};
    for (int i = 0; i < 4; i++) {
        ThatchQuality q;
        EXPECT(thatch_quality_preset(names[i], &q) == THATCH_OK && thatch_quality_check(&q) == THATCH_OK);
        EXPECT(q.render_scale == scales[i] && q.plants == i);
    }
    ThatchQuality q;
    EXPECT_REFUSED(thatch_quality_preset("best", &q), THATCH_ERROR_ARGUMENT, "preset is \"best\", need low, medium");
    EXPECT_REFUSED(thatch_quality_preset(NULL, &q), THATCH_ERROR_ARGUMENT, "preset is null");
    EXPECT_REFUSED(thatch_quality_preset("low", NULL), THATCH_ERROR_ARGUMENT, "out is null");
    return 0;
}

static int test_each_field_is_refused_out_of_range(void)
{
    ThatchQuality good;
    thatch_quality_preset("low", &good);
#define REFUSES(field, value, text)                                                                                    \
    do {                                                                                                               \
        ThatchQuality q = good;                                                                                        \
        q.field = value;                                                                                               \
        EXPECT_REFUSED(thatch_quality_check(&q), THATCH_ERROR_ARGUMENT, "quality: " text);                             \
    } while (0)
    REFUSES(render_scale, 3.0, "render_scale is 3, need 0.25 .. 1");
    REFUSES(render_scale, 0.0 / 0.0, "render_scale is ");
    REFUSES(plants, 4, "plants is 4, need 0 .. 3");
    REFUSES(grass_wind_every, 61, "grass_wind_every is 61, need 0 .. 60");
    REFUSES(sky_step, 0, "sky_step is 0, need 1 .. 32");
    REFUSES(water_step, 65, "water_step is 65, need 1 .. 64");
    REFUSES(water_refresh_every, 0, "water_refresh_every is 0, need 1 .. 60");
    REFUSES(animal_coarseness, 0.5, "animal_coarseness is 0.5, need 1 .. 8");
    REFUSES(shadows, -1, "shadows is -1, need 0 .. 3");
    REFUSES(shadow_size, 1000, "shadow_size is 1000, need 256 .. 8192, a power of two");
    REFUSES(shadow_size, 128, "shadow_size is 128");
    REFUSES(shadow_filter, 3, "shadow_filter is 3, need 2 or 4");
    REFUSES(upscale, 2, "upscale is 2, need 0 .. 1");
    REFUSES(light, 2, "light is 2, need 0 .. 1");
    REFUSES(point_lights, 33, "point_lights is 33, need 0 .. 32");
    REFUSES(critters, -1, "critters is -1, need 0 .. 200");
    REFUSES(rain_streaks, 8001, "rain_streaks is 8001, need 0 .. 8000");
    REFUSES(rain_rings, 61, "rain_rings is 61, need 0 .. 60");
#undef REFUSES
    return 0;
}

const Test quality_tests[] = {
    TEST(presets_pass_their_check),
    TEST(each_field_is_refused_out_of_range),
    TESTS_END,
};
