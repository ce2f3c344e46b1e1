// Textures and their chains of halved levels, as resolve reads them.
#pragma once
#include "base/pool.h"
#include "thatch.h"

enum { TEXTURE_MAX_LEVELS = 16 };

// A level of a map: texels as 11:11:10 bits of the square root of linear r, g, b (r in the low bits), rows of
// `stride` = width + 1 texels and height + 1 rows: the texel right of (below) the last is there, by the wrap mode
// (REPEAT: the first again; MIRRORED and CLAMP: the last again), so that pairs are read with one load.
// Values above 1 are clamped. alpha: bytes with the same stride, null when all are 255.
typedef struct MapLevel {
    uint32_t *texels;
    uint8_t *alpha;
    int32_t width, height, stride;
} MapLevel;

typedef struct Texture {
    int32_t width, height, faces, format;
    bool srgb;
    int32_t wrap_u, wrap_v;
    float transform[6]; // u' = t0 u + t1 v + t2, v' = t3 u + t4 v + t5
    float offset[2], repeat[2], rotation_rad, center[2];
    void *texels; // as given: faces * height * width rgba
    // Made at first use by texture_map: one chain for faces == 1; level 0 has the texture's own size.
    MapLevel levels[TEXTURE_MAX_LEVELS];
    int32_t level_count; // 0: not made yet
    // Cubes (faces == 6): linear floats, made at creation: rgb + unused, [face][y][x], no border.
    float *cube;
} Texture;

extern Pool texture_pool;
Texture *texture_find(ThatchTexture handle);
// Makes the chain when it is missing. THATCH_ERROR_MEMORY when it can't.
int32_t texture_make_map(Texture *texture);
// Drops the chain; it is made again when it is next wanted.
void texture_forget_map(Texture *texture);
// The wrapped integer texel coordinate, for scalar readers.
int32_t texture_wrap(int32_t i, int32_t size, int32_t mode);
// Linear rgba, bilinear in linear light, at a level of a made map. u, v: after the texture's transform; v 0 is the top.
// Alpha is 1 where the map has none.
void texture_sample_level(const Texture *texture, float u, float v, int32_t level, float rgba[4]);
