// What lights a frame: found once from the scene's list of lights.
#include "base/maths.h"
#include "stages/stage.h"

#include <math.h>
#include <string.h>

static const float PI_INVERSE = 0.31830988618f; // three.js's RECIPROCAL_PI

static const float FADE = 3.0f; // metres before the reach of the nearest that is left out

// The nearest lights, nearest first, and how near the first is that finds no place.
typedef struct Nearest {
    PointLight *points;
    int32_t count, max;
    float left_out;
} Nearest;

// A spot's cone: dark at its edge, whole where the penumbra ends.
static void set_cone(PointLight *p, const ThatchLightDef *def)
{
    const float inner = maths_cos(def->angle_rad * (1.0f - def->penumbra));
    p->cone_cos = maths_cos(def->angle_rad);
    const float fade = inner - p->cone_cos, least = 1e-3f * (1.0f - p->cone_cos); // a hard edge is a thousandth wide
    p->cone_scale = 1.0f / (fade > least ? fade : least);
    for (int k = 0; k < 3; k++) p->direction[k] = def->direction[k];
}

// The earlier of two that are as near.
static void add_point(Nearest *found, const ThatchLightDef *def, const float eye[3])
{
    PointLight p = {.distance_m = def->distance_m};
    float square = 0.0f;
    for (int k = 0; k < 3; k++) {
        p.position[k] = def->position[k], p.color[k] = def->color[k] * def->intensity * PI_INVERSE;
        square += (p.position[k] - eye[k]) * (p.position[k] - eye[k]);
    }
    p.away = sqrtf(square) - p.distance_m;
    if (def->kind == THATCH_LIGHT_SPOT) set_cone(&p, def);
    int32_t at = found->count;
    while (at > 0 && found->points[at - 1].away > p.away) at--;
    if (found->count == found->max) {
        const float last = at < found->max ? found->points[found->max - 1].away : p.away;
        if (last < found->left_out) found->left_out = last;
    }
    if (at == found->max) return;
    if (found->count < found->max) found->count++;
    memmove(&found->points[at + 1], &found->points[at], sizeof p * (size_t)(found->count - 1 - at));
    found->points[at] = p;
}

// A light that is about to find no place is dark by then, so that none goes out at once.
static void fade_last(Nearest *found)
{
    for (int32_t i = found->count - 1; i >= 0; i--) {
        const float share = (found->left_out - found->points[i].away) * (1.0f / FADE);
        if (!(share < 1.0f)) break;
        for (int k = 0; k < 3; k++) found->points[i].color[k] *= share * share;
    }
}

int32_t lights_collect(const Scene *scene, const float eye[3], int32_t points_max, FrameLight *out)
{
    FrameLight found;
    memset(&found, 0, sizeof found);
    Nearest nearest = {.points = found.points, .max = points_max, .left_out = INFINITY};
    int32_t sun_group = 0;
    const char *sun_name = "", *hemisphere_name = "";
    for (int32_t i = 0; i < scene->light_count; i++) {
        const Light *light = scene->lights[i];
        const ThatchLightDef *def = &light->def;
        const float scale = def->intensity * PI_INVERSE;
        switch (def->kind) {
        case THATCH_LIGHT_AMBIENT:
            for (int k = 0; k < 3; k++) found.ambient[k] += def->color[k] * scale;
            break;
        case THATCH_LIGHT_HEMISPHERE:
            CHECK_ARG(!found.hemisphere, "gather: light '%s' is a second hemisphere beside '%s', need one at most",
                      light->name, hemisphere_name);
            found.hemisphere = true, hemisphere_name = light->name;
            for (int k = 0; k < 3; k++)
                found.sky[k] = def->color[k] * scale, found.ground[k] = def->ground_color[k] * scale;
            break;
        case THATCH_LIGHT_DIRECTIONAL:
            if (found.sun.present && sun_group != 0 && def->sun_group == sun_group) break; // a cascade of the same sun
            CHECK_ARG(!found.sun.present,
                      "gather: light '%s' is a second sun beside '%s', need one (or cascades with one sun_group)",
                      light->name, sun_name);
            found.sun.present = true, found.sun.casts = def->casts_shadow, sun_group = def->sun_group,
            sun_name = light->name;
            for (int k = 0; k < 3; k++)
                found.sun.direction[k] = def->direction[k], found.sun.color[k] = def->color[k] * scale;
            break;
        default: // POINT, SPOT
            if (def->intensity > 0.0f) add_point(&nearest, def, eye);
            break;
        }
    }
    fade_last(&nearest);
    found.point_count = nearest.count;
    for (int k = 0; k < 3; k++) {
        found.fog_color[k] = scene->fog_color[k], found.fog_sun_color[k] = scene->fog_sun_color[k];
        found.background[k] = scene->background_color[k];
    }
    found.fog_k = -scene->fog_density * scene->fog_density * 1.44269504f;
    found.fog_sun_share = found.sun.present ? scene->fog_sun_share : 0.0f;
    if (scene->background_cube) {
        found.cube = texture_find(scene->background_cube);
        if (!found.cube)
            return error_set(THATCH_ERROR_STALE, "gather: the scene's background cube is gone, need a live texture");
        found.cube_intensity = scene->background_intensity;
    }
    *out = found;
    return THATCH_OK;
}
