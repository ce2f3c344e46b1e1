// GameQuality: the presets and the check.
#include "base/check.h"

typedef struct Preset {
    const char *name;
    ThatchQuality quality;
} Preset;

static const Preset presets[] = {
    {"low",
     {.render_scale = 1.0 / 3.0,
      .plants = THATCH_PLANTS_FEWEST,
      .grass_wind_every = 4,
      .sky_step = 3,
      .water_step = 8,
      .water_refresh_every = 4,
      .animal_coarseness = 3.0,
      .shadows = THATCH_SHADOWS_CACHED,
      .shadow_size = 1024,
      .shadow_filter = 2,
      .upscale = THATCH_UPSCALE_SHARP,
      .smooth_edges = true,
      .trilinear = false,
      .light = THATCH_LIGHT_PER_VERTEX,
      .point_lights = 16,
      .critters = 48,
      .rain_streaks = 1300,
      .rain_rings = 40}},
    {"medium",
     {.render_scale = 0.5,
      .plants = THATCH_PLANTS_FEWER,
      .grass_wind_every = 2,
      .sky_step = 2,
      .water_step = 4,
      .water_refresh_every = 2,
      .animal_coarseness = 2.0,
      .shadows = THATCH_SHADOWS_CACHED,
      .shadow_size = 2048,
      .shadow_filter = 2,
      .upscale = THATCH_UPSCALE_SHARP,
      .smooth_edges = true,
      .trilinear = false,
      .light = THATCH_LIGHT_PER_VERTEX,
      .point_lights = 24,
      .critters = 64,
      .rain_streaks = 1800,
      .rain_rings = 50}},
    {"high",
     {.render_scale = 2.0 / 3.0,
      .plants = THATCH_PLANTS_MANY,
      .grass_wind_every = 1,
      .sky_step = 2,
      .water_step = 2,
      .water_refresh_every = 1,
      .animal_coarseness = 1.5,
      .shadows = THATCH_SHADOWS_CACHED,
      .shadow_size = 2048,
      .shadow_filter = 2,
      .upscale = THATCH_UPSCALE_BILINEAR,
      .smooth_edges = true,
      .trilinear = false,
      .light = THATCH_LIGHT_PER_VERTEX,
      .point_lights = 32,
      .critters = 82,
      .rain_streaks = 2400,
      .rain_rings = 60}},
    {"ultra",
     {.render_scale = 1.0,
      .plants = THATCH_PLANTS_ALL,
      .grass_wind_every = 1,
      .sky_step = 1,
      .water_step = 1,
      .water_refresh_every = 1,
      .animal_coarseness = 1.0,
      .shadows = THATCH_SHADOWS_FULL,
      .shadow_size = 4096,
      .shadow_filter = 4,
      .upscale = THATCH_UPSCALE_BILINEAR,
      .smooth_edges = true,
      .trilinear = true,
      .light = THATCH_LIGHT_PER_VERTEX,
      .point_lights = 32,
      .critters = 120,
      .rain_streaks = 3200,
      .rain_rings = 60}},
};

int32_t thatch_quality_preset(const char *preset, ThatchQuality *out)
{
    CHECK_NOT_NULL(out, "quality_preset", "out");
    CHECK_NOT_NULL(preset, "quality_preset", "preset");
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        if (strcmp(presets[i].name, preset) != 0) continue;
        *out = presets[i].quality;
        return THATCH_OK;
    }
    return error_set(THATCH_ERROR_ARGUMENT, "quality: preset is \"%.40s\", need low, medium, high or ultra", preset);
}

int32_t thatch_quality_check(const ThatchQuality *q)
{
    CHECK_NOT_NULL(q, "quality", "quality");
    CHECK_RANGE(q->render_scale, 0.25, 1.0, "quality", "render_scale");
    CHECK_INT_RANGE(q->plants, THATCH_PLANTS_FEWEST, THATCH_PLANTS_ALL, "quality", "plants");
    CHECK_INT_RANGE(q->grass_wind_every, 0, 60, "quality", "grass_wind_every");
    CHECK_INT_RANGE(q->sky_step, 1, 32, "quality", "sky_step");
    CHECK_INT_RANGE(q->water_step, 1, 64, "quality", "water_step");
    CHECK_INT_RANGE(q->water_refresh_every, 1, 60, "quality", "water_refresh_every");
    CHECK_RANGE(q->animal_coarseness, 1.0, 8.0, "quality", "animal_coarseness");
    CHECK_INT_RANGE(q->shadows, THATCH_SHADOWS_NONE, THATCH_SHADOWS_FULL, "quality", "shadows");
    CHECK_ARG(q->shadow_size >= 256 && q->shadow_size <= 8192 && (q->shadow_size & (q->shadow_size - 1)) == 0,
              "quality: shadow_size is %d, need 256 .. 8192, a power of two", q->shadow_size);
    CHECK_ARG(q->shadow_filter == 2 || q->shadow_filter == 4, "quality: shadow_filter is %d, need 2 or 4",
              q->shadow_filter);
    CHECK_INT_RANGE(q->upscale, THATCH_UPSCALE_BILINEAR, THATCH_UPSCALE_SHARP, "quality", "upscale");
    CHECK_INT_RANGE(q->light, THATCH_LIGHT_PER_VERTEX, THATCH_LIGHT_PER_PIXEL, "quality", "light");
    CHECK_INT_RANGE(q->point_lights, 0, THATCH_MAX_POINT_LIGHTS, "quality", "point_lights");
    CHECK_INT_RANGE(q->critters, 0, 200, "quality", "critters");
    CHECK_INT_RANGE(q->rain_streaks, 0, 8000, "quality", "rain_streaks");
    CHECK_INT_RANGE(q->rain_rings, 0, 60, "quality", "rain_rings");
    return THATCH_OK;
}
