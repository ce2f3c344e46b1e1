// A pond's definition; its surface is found by the water stage.
#pragma once
#include "base/pool.h"
#include "thatch.h"

typedef struct Water {
    ThatchWaterDef def;
    float rings[64][4];
    int32_t ring_count;
    void *surface; // the water stage's own state; freed by surface_free
    void (*surface_free)(void *surface);
} Water;

extern Pool water_pool;
Water *water_find(ThatchWater handle);
