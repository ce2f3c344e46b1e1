// Materials and the registry of shadings.
#pragma once
#include "base/pool.h"
#include "thatch.h"

typedef struct Shading {
    char name[THATCH_MAX_NAME];
    ThatchShadingDef def;
} Shading;

typedef struct Material {
    ThatchMaterialDef def; // def.shading and def.name point into this struct
    char shading[THATCH_MAX_NAME]; // "" when none
    char name[THATCH_MAX_NAME];
} Material;

extern Pool material_pool;
Material *material_find(ThatchMaterial handle);
// null when no shading has that name.
const Shading *shading_find(const char *name);
// Refuses what can't be a shading's name; thing begins the message.
int32_t shading_check_name(const char *name, const char *thing);
