// Materials: checked defs.
#include "store/material.h"

#include "base/check.h"
#include "base/maths.h"
#include "store/texture.h"

#include <float.h>
#include <stdio.h>

Pool material_pool = {.noun = "material", .kind = KIND_MATERIAL, .item_size = sizeof(Material)};

Material *material_find(ThatchMaterial handle)
{
    return pool_find(&material_pool, handle);
}

static int32_t check_map(ThatchTexture handle, const char *what)
{
    const Texture *map = handle ? pool_get(&texture_pool, handle, what) : NULL;
    if (handle && !map) return THATCH_ERROR_STALE;
    CHECK_ARG(!map || map->faces == 1, "%s has %d faces, need 1", what, map->faces);
    return THATCH_OK;
}

static int32_t check_def(const ThatchMaterialDef *def)
{
    CHECK_DEF(def, DEF_MATERIAL, "material");
    CHECK_INT_RANGE(def->kind, 0, THATCH_MATERIAL_KINDS - 1, "material", "kind");
    CHECK_ALL_RANGE(def->color, 3, 0.0f, 1.0f, "material", "color");
    CHECK_RANGE(def->opacity, 0.0f, 1.0f, "material", "opacity");
    CHECK_ALL_RANGE(def->emissive, 3, 0.0f, FLT_MAX, "material", "emissive");
    CHECK_RANGE(def->emissive_intensity, 0.0f, FLT_MAX, "material", "emissive_intensity");
    CHECK_ALL_RANGE(def->specular, 3, 0.0f, FLT_MAX, "material", "specular");
    CHECK_ARG(def->shininess > 0.0f && def->shininess <= 10000.0f,
              "material: shininess is %g, need more than 0, up to 10000", (double)def->shininess);
    CHECK_RANGE(def->roughness, 0.0f, 1.0f, "material", "roughness");
    CHECK_RANGE(def->metalness, 0.0f, 1.0f, "material", "metalness");
    CHECK_INT_RANGE(def->alpha_mode, THATCH_ALPHA_OPAQUE, THATCH_ALPHA_BLEND, "material", "alpha_mode");
    CHECK_RANGE(def->alpha_cutoff, 0.0f, 1.0f, "material", "alpha_cutoff");
    if (def->shading) TRY(shading_check_name(def->shading, "material: shading"));
    TRY(check_map(def->map, "material: map"));
    return check_map(def->emissive_map, "material: emissive_map");
}

static void store(Material *material, const ThatchMaterialDef *def)
{
    // Through locals: def may have come from material_get, and point into this very material.
    char shading[THATCH_MAX_NAME], name[THATCH_MAX_NAME];
    snprintf(shading, sizeof shading, "%s", def->shading ? def->shading : "");
    snprintf(name, sizeof name, "%s", def->name ? def->name : "");
    material->def = *def;
    memcpy(material->shading, shading, sizeof shading);
    memcpy(material->name, name, sizeof name);
    material->def.shading = shading[0] ? material->shading : NULL;
    material->def.name = material->name;
}

void thatch_material_defaults(ThatchMaterialDef *def)
{
    if (!def) return;
    const float gray = maths_srgb_decode(17.0f / 255.0f);
    *def = (ThatchMaterialDef){
        .kind = THATCH_MATERIAL_LAMBERT,
        .color = {1.0f, 1.0f, 1.0f},
        .opacity = 1.0f,
        .emissive_intensity = 1.0f,
        .specular = {gray, gray, gray},
        .shininess = 30.0f,
        .roughness = 1.0f,
        .alpha_cutoff = 0.5f,
        .vertex_colors = true,
        .visible = true,
        .internal_value = DEF_MATERIAL,
    };
}

int32_t thatch_material_create(const ThatchMaterialDef *def, ThatchMaterial *out)
{
    CHECK_NOT_NULL(out, "material", "out");
    *out = 0;
    TRY(check_def(def));
    Material *material = pool_add(&material_pool, out);
    if (!material) return error_last_code();
    store(material, def);
    return THATCH_OK;
}

int32_t thatch_material_set(ThatchMaterial handle, const ThatchMaterialDef *def)
{
    Material *material = pool_get(&material_pool, handle, "material_set");
    if (!material) return THATCH_ERROR_STALE;
    TRY(check_def(def));
    store(material, def);
    return THATCH_OK;
}

int32_t thatch_material_get(ThatchMaterial handle, ThatchMaterialDef *out)
{
    CHECK_NOT_NULL(out, "material_get", "out");
    const Material *material = pool_get(&material_pool, handle, "material_get");
    if (!material) return THATCH_ERROR_STALE;
    *out = material->def;
    return THATCH_OK;
}

void thatch_material_destroy(ThatchMaterial handle)
{
    pool_remove(&material_pool, handle);
}

bool thatch_material_is_valid(ThatchMaterial handle)
{
    return material_find(handle) != NULL;
}
