// Lights of a scene.
#include "base/check.h"
#include "base/maths.h"
#include "base/memory.h"
#include "store/affine.h"
#include "store/scene.h"

#include <float.h>
#include <stdio.h>

Pool light_pool = {.noun = "light", .kind = KIND_LIGHT, .item_size = sizeof(Light)};

void light_remove_all(Scene *scene)
{
    for (int32_t i = 0; i < scene->light_count; i++) pool_remove(&light_pool, scene->lights[i]->handle);
    scene->light_count = 0;
}

void thatch_light_defaults(ThatchLightDef *def)
{
    if (!def) return;
    *def = (ThatchLightDef){
        .color = {1.0f, 1.0f, 1.0f},
        .intensity = 1.0f,
        .direction = {0.0f, 1.0f, 0.0f},
        .distance_m = 10.0f,
        .angle_rad = PI_F / 3.0f,
        .casts_shadow = true,
        .internal_value = DEF_LIGHT,
    };
}

static int32_t check_def(const ThatchLightDef *def)
{
    CHECK_DEF(def, DEF_LIGHT, "light");
    CHECK_INT_RANGE(def->kind, 0, THATCH_LIGHT_KINDS - 1, "light", "kind");
    CHECK_ALL_RANGE(def->color, 3, 0.0f, FLT_MAX, "light", "color");
    CHECK_ALL_RANGE(def->ground_color, 3, 0.0f, FLT_MAX, "light", "ground_color");
    CHECK_RANGE(def->intensity, 0.0f, FLT_MAX, "light", "intensity");
    CHECK_FINITE(def->position, 3, "light", "position");
    CHECK_FINITE(def->direction, 3, "light", "direction");
    if (def->kind == THATCH_LIGHT_DIRECTIONAL || def->kind == THATCH_LIGHT_SPOT) {
        float direction[3] = {def->direction[0], def->direction[1], def->direction[2]};
        CHECK_ARG(vector_normalize(direction), "light: direction is %g, %g, %g, need a length",
                  (double)def->direction[0], (double)def->direction[1], (double)def->direction[2]);
    }
    CHECK_ARG(def->distance_m > 0.0f && is_finite(def->distance_m), "light: distance_m is %g, need a finite number > 0",
              (double)def->distance_m);
    // Below a thousandth, a float's cosine knows no cone.
    CHECK_ARG(def->angle_rad >= 0.001f && def->angle_rad <= PI_F / 2.0f + 1e-6f,
              "light: angle_rad is %g, need 0.001 .. pi / 2", (double)def->angle_rad);
    CHECK_RANGE(def->penumbra, 0.0f, 1.0f, "light", "penumbra");
    return THATCH_OK;
}

static void store(Light *light, const ThatchLightDef *def)
{
    char name[THATCH_MAX_NAME]; // def->name may be this light's own
    snprintf(name, sizeof name, "%s", def->name ? def->name : "");
    light->def = *def;
    memcpy(light->name, name, sizeof name);
    light->def.name = light->name;
    vector_normalize(light->def.direction);
}

int32_t thatch_light_create(ThatchScene scene_handle, const ThatchLightDef *def, ThatchLight *out)
{
    CHECK_NOT_NULL(out, "light", "out");
    *out = 0;
    Scene *scene = pool_get(&scene_pool, scene_handle, "light_create");
    if (!scene) return THATCH_ERROR_STALE;
    TRY(check_def(def));
    Light **lights = memory_room(scene->lights, &scene->light_capacity, scene->light_count + 1, sizeof *lights);
    if (!lights) return error_set(THATCH_ERROR_MEMORY, "light: memory is short for %d", scene->light_count + 1);
    scene->lights = lights;
    Light *light = pool_add(&light_pool, out);
    if (!light) return error_last_code();
    light->handle = *out;
    light->scene = scene_handle;
    store(light, def);
    light->scene_slot = scene->light_count;
    scene->lights[scene->light_count++] = light;
    return THATCH_OK;
}

int32_t thatch_light_set(ThatchLight handle, const ThatchLightDef *def)
{
    Light *light = pool_get(&light_pool, handle, "light_set");
    if (!light) return THATCH_ERROR_STALE;
    TRY(check_def(def));
    store(light, def);
    return THATCH_OK;
}

void thatch_light_destroy(ThatchLight handle)
{
    Light *light = pool_find(&light_pool, handle);
    if (!light) return;
    Scene *scene = scene_find(light->scene);
    scene->light_count--;
    for (int32_t i = light->scene_slot; i < scene->light_count; i++) {
        scene->lights[i] = scene->lights[i + 1];
        scene->lights[i]->scene_slot = i;
    }
    pool_remove(&light_pool, handle);
}

bool thatch_light_is_valid(ThatchLight handle)
{
    return pool_find(&light_pool, handle) != NULL;
}
