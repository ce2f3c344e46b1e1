// Ponds: checked defs and rings. The water stage keeps the surface it finds in them.
#include "store/water.h"

#include "base/check.h"

Pool water_pool = {.noun = "water", .kind = KIND_WATER, .item_size = sizeof(Water)};

Water *water_find(ThatchWater handle)
{
    return pool_find(&water_pool, handle);
}

static int32_t check_def(const ThatchWaterDef *def)
{
    CHECK_DEF(def, DEF_WATER, "water");
    CHECK_RANGE(def->level_m, -1e6f, 1e6f, "water", "level_m");
    CHECK_ALL_RANGE(def->min, 2, -1e6f, 1e6f, "water", "min");
    CHECK_ALL_RANGE(def->max, 2, -1e6f, 1e6f, "water", "max");
    for (int i = 0; i < 2; i++) {
        CHECK_ARG(def->max[i] > def->min[i], "water: max[%d] is %g, need more than min, %g", i, (double)def->max[i],
                  (double)def->min[i]);
    }
    CHECK_RANGE(def->wave_height_m, 0.0f, 2.0f, "water", "wave_height_m");
    CHECK_RANGE(def->patch_m, 1.0f, 1000.0f, "water", "patch_m");
    CHECK_ALL_RANGE(def->wind, 2, -100.0f, 100.0f, "water", "wind");
    CHECK_ALL_RANGE(def->deep_color, 3, 0.0f, 100.0f, "water", "deep_color");
    CHECK_ALL_RANGE(def->absorption, 3, 0.0f, 1000.0f, "water", "absorption");
    CHECK_RANGE(def->caustics, 0.0f, 4.0f, "water", "caustics");
    CHECK_RANGE(def->foam_m, 0.0f, 2.0f, "water", "foam_m");
    CHECK_RANGE(def->roughness_glint, 0.0f, 1.0f, "water", "roughness_glint");
    return THATCH_OK;
}

static void free_surface(Water *water)
{
    if (water->surface && water->surface_free) water->surface_free(water->surface);
    water->surface = NULL;
}

void thatch_water_defaults(ThatchWaterDef *def)
{
    if (!def) return;
    *def = (ThatchWaterDef){
        .min = {-5.0f, -5.0f},
        .max = {5.0f, 5.0f},
        .wave_height_m = 0.02f,
        .patch_m = 8.0f,
        .wind = {2.0f, 1.0f},
        .deep_color = {0.012f, 0.045f, 0.05f},
        .absorption = {0.9f, 0.35f, 0.3f},
        .caustics = 1.0f,
        .foam_m = 0.06f,
        .roughness_glint = 0.25f,
        .seed = 1,
        .internal_value = DEF_WATER,
    };
}

int32_t thatch_water_create(const ThatchWaterDef *def, ThatchWater *out)
{
    CHECK_NOT_NULL(out, "water", "out");
    *out = 0;
    TRY(check_def(def));
    Water *water = pool_add(&water_pool, out);
    if (!water) return error_last_code();
    water->def = *def;
    return THATCH_OK;
}

int32_t thatch_water_set(ThatchWater handle, const ThatchWaterDef *def)
{
    Water *water = pool_get(&water_pool, handle, "water_set");
    if (!water) return THATCH_ERROR_STALE;
    TRY(check_def(def));
    if (memcmp(&water->def, def, sizeof *def) != 0) free_surface(water); // it was found for the old waves
    water->def = *def;
    return THATCH_OK;
}

int32_t thatch_water_set_rings(ThatchWater handle, const float *xzts4, int32_t count)
{
    Water *water = pool_get(&water_pool, handle, "water_set_rings");
    if (!water) return THATCH_ERROR_STALE;
    CHECK_INT_RANGE(count, 0, 64, "water", "ring count");
    CHECK_ARG(xzts4 || count == 0, "water: rings is null, need %d", count);
    for (int32_t i = 0; i < count; i++) {
        CHECK_FINITE(xzts4 + 4 * i, 3, "water", "ring");
        CHECK_RANGE(xzts4[4 * i + 3], 0.0f, 1.0f, "water", "ring strength");
    }
    if (count) memcpy(water->rings, xzts4, (size_t)count * sizeof water->rings[0]);
    water->ring_count = count;
    return THATCH_OK;
}

void thatch_water_destroy(ThatchWater handle)
{
    Water *water = water_find(handle);
    if (!water) return;
    free_surface(water);
    pool_remove(&water_pool, handle);
}

bool thatch_water_is_valid(ThatchWater handle)
{
    return water_find(handle) != NULL;
}
