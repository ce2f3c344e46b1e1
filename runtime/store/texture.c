// Textures: texels as given, and their chains of halved levels in the form that resolve reads.
#include "store/texture.h"

#include "base/check.h"
#include "base/maths.h"
#include "base/memory.h"

#include <math.h>

enum { COLOR_R_MAX = 2047, COLOR_G_MAX = 2047, COLOR_B_MAX = 1023 };

Pool texture_pool = {.noun = "texture", .kind = KIND_TEXTURE, .item_size = sizeof(Texture)};

Texture *texture_find(ThatchTexture handle)
{
    return pool_find(&texture_pool, handle);
}

// --- reading texels as linear floats ---

typedef struct Decoder {
    const Texture *texture;
    float color_of_byte[256];
} Decoder;

static void decoder_init(Decoder *decoder, const Texture *texture)
{
    decoder->texture = texture;
    for (int i = 0; i < 256; i++) {
        const float value = (float)i / 255.0f;
        decoder->color_of_byte[i] = texture->srgb ? maths_srgb_decode(value) : value;
    }
}

static void decode(const Decoder *decoder, int64_t index, float rgba[4])
{
    if (decoder->texture->format == THATCH_TEXELS_RGBA32F) {
        memcpy(rgba, (const float *)decoder->texture->texels + 4 * index, 4 * sizeof(float));
        return;
    }
    const uint8_t *bytes = (const uint8_t *)decoder->texture->texels + 4 * index;
    for (int k = 0; k < 3; k++) rgba[k] = decoder->color_of_byte[bytes[k]];
    rgba[3] = (float)bytes[3] / 255.0f;
}

// --- the chain ---

static uint32_t encode_channel(float linear, int32_t max)
{
    const float clamped = maths_clamp(linear, 0.0f, 1.0f);
    return (uint32_t)(sqrtf(clamped) * (float)max + 0.5f);
}

static uint32_t encode_texel(const float rgba[4])
{
    return encode_channel(rgba[0], COLOR_R_MAX) | encode_channel(rgba[1], COLOR_G_MAX) << 11 |
           encode_channel(rgba[2], COLOR_B_MAX) << 22;
}

static uint8_t encode_alpha(const float rgba[4])
{
    return (uint8_t)(maths_clamp(rgba[3], 0.0f, 1.0f) * 255.0f + 0.5f);
}

static void put_texel(MapLevel *level, int32_t x, int32_t y, const float rgba[4])
{
    const int64_t at = (int64_t)y * level->stride + x;
    level->texels[at] = encode_texel(rgba);
    level->alpha[at] = encode_alpha(rgba);
}

// The column right of the last and the row below it, by the wrap modes.
static void fill_border(MapLevel *level, int32_t wrap_u, int32_t wrap_v)
{
    const int64_t stride = level->stride;
    const int32_t from_x = wrap_u == THATCH_WRAP_REPEAT ? 0 : level->width - 1;
    for (int64_t y = 0; y < level->height; y++) {
        level->texels[y * stride + level->width] = level->texels[y * stride + from_x];
        level->alpha[y * stride + level->width] = level->alpha[y * stride + from_x];
    }
    const int64_t from_y = wrap_v == THATCH_WRAP_REPEAT ? 0 : level->height - 1;
    memcpy(level->texels + level->height * stride, level->texels + from_y * stride, (size_t)stride * 4);
    memcpy(level->alpha + level->height * stride, level->alpha + from_y * stride, (size_t)stride);
}

// What one texel of a halved side covers: two, three of an odd side (in shares of its width), one of a side of one.
typedef struct Taps {
    int32_t count;
    float weight[3];
} Taps;

static Taps halving_taps(int32_t size, int32_t i)
{
    if (size == 1) return (Taps){1, {1.0f}};
    if (size % 2 == 0) return (Taps){2, {0.5f, 0.5f}};
    const int32_t half = size / 2;
    const float whole = (float)size;
    return (Taps){3, {(float)(half - i) / whole, (float)half / whole, (float)(i + 1) / whole}};
}

static int32_t halved(int32_t size)
{
    return size > 1 ? size / 2 : 1;
}

// Halves a level, from the texture itself (from null) or from linear floats. `to` may be `from`: what is written lies
// before what is still to be read.
static void halve(const Decoder *decoder, const float *from, int32_t width, int32_t height, float *to)
{
    const int32_t to_width = halved(width), to_height = halved(height);
    for (int32_t y = 0; y < to_height; y++) {
        const Taps rows = halving_taps(height, y);
        for (int32_t x = 0; x < to_width; x++) {
            const Taps columns = halving_taps(width, x);
            float sum[4] = {0};
            for (int32_t j = 0; j < rows.count; j++) {
                float row[4] = {0}, texel[4];
                for (int32_t i = 0; i < columns.count; i++) {
                    const int64_t at = (int64_t)(2 * y + j) * width + 2 * x + i;
                    if (from)
                        memcpy(texel, from + 4 * at, sizeof texel);
                    else
                        decode(decoder, at, texel);
                    for (int k = 0; k < 4; k++) row[k] += texel[k] * columns.weight[i];
                }
                for (int k = 0; k < 4; k++) sum[k] += row[k] * rows.weight[j];
            }
            memcpy(to + 4 * ((int64_t)y * to_width + x), sum, sizeof sum);
        }
    }
}

static bool is_opaque(const MapLevel *level)
{
    for (int64_t y = 0; y < level->height; y++) {
        for (int64_t x = 0; x < level->width; x++) {
            if (level->alpha[y * level->stride + x] != 255) return false;
        }
    }
    return true;
}

void texture_forget_map(Texture *texture)
{
    pool_changes++;
    for (int32_t i = 0; i < texture->level_count; i++) {
        memory_free(texture->levels[i].texels);
        memory_free(texture->levels[i].alpha);
        texture->levels[i] = (MapLevel){0};
    }
    texture->level_count = 0;
}

static bool alloc_levels(Texture *texture)
{
    int32_t width = texture->width, height = texture->height;
    for (;;) {
        MapLevel *level = &texture->levels[texture->level_count++]; // counted first: forget_map frees what was had
        *level = (MapLevel){.width = width, .height = height, .stride = width + 1};
        const size_t count = (size_t)(width + 1) * (size_t)(height + 1);
        level->texels = MEMORY_NEW(uint32_t, count);
        level->alpha = MEMORY_NEW(uint8_t, count);
        if (!level->texels || !level->alpha) return false;
        if ((width == 1 && height == 1) || texture->level_count == TEXTURE_MAX_LEVELS) return true;
        width = halved(width), height = halved(height);
    }
}

int32_t texture_make_map(Texture *texture)
{
    if (texture->level_count > 0) return THATCH_OK;
    CHECK_ARG(texture->faces == 1, "texture: faces is %d, need 1 for a map", texture->faces);
    const size_t half_texels = (size_t)halved(texture->width) * (size_t)halved(texture->height);
    float *linear = MEMORY_NEW(float, 4 * half_texels);
    if (!linear || !alloc_levels(texture)) {
        memory_free(linear);
        texture_forget_map(texture);
        return error_set(THATCH_ERROR_MEMORY, "texture: memory is short for the levels of %d x %d texels",
                         texture->width, texture->height);
    }
    Decoder decoder;
    decoder_init(&decoder, texture);
    for (int32_t i = 0; i < texture->level_count; i++) {
        MapLevel *level = &texture->levels[i];
        for (int32_t y = 0; y < level->height; y++) {
            for (int32_t x = 0; x < level->width; x++) {
                const int64_t at = (int64_t)y * level->width + x;
                float rgba[4];
                if (i == 0)
                    decode(&decoder, at, rgba);
                else
                    memcpy(rgba, linear + 4 * at, sizeof rgba);
                put_texel(level, x, y, rgba);
            }
        }
        fill_border(level, texture->wrap_u, texture->wrap_v);
        if (i + 1 < texture->level_count) halve(&decoder, i == 0 ? NULL : linear, level->width, level->height, linear);
    }
    memory_free(linear);
    if (is_opaque(&texture->levels[0])) { // then every mean is
        for (int32_t i = 0; i < texture->level_count; i++) {
            memory_free(texture->levels[i].alpha);
            texture->levels[i].alpha = NULL;
        }
    }
    return THATCH_OK;
}

// --- sampling ---

int32_t texture_wrap(int32_t i, int32_t size, int32_t mode)
{
    if (mode == THATCH_WRAP_CLAMP) return maths_clampi(i, 0, size - 1);
    const int32_t period = mode == THATCH_WRAP_MIRRORED ? 2 * size : size;
    int32_t r = i % period;
    if (r < 0) r += period;
    return r < size ? r : period - 1 - r;
}

// The first of a pair of texels, with its fraction towards the second.
static int32_t place(float coordinate, int32_t size, int32_t mode, float *fraction)
{
    // Folded to one tile first: far coordinates would not fit an integer, and floats keep no fraction there.
    float t = coordinate;
    if (mode == THATCH_WRAP_CLAMP)
        t = maths_clamp(t, -1.0f, 2.0f);
    else if (!(fabsf(t) < 8388608.0f))
        t = 0.0f; // also NaN
    else
        t -= 2.0f * (float)(int32_t)(t * 0.5f);
    const float at = t * (float)size - 0.5f;
    int32_t first = (int32_t)at;
    if ((float)first > at) first--;
    *fraction = at - (float)first;
    return first;
}

static void read_texel(const MapLevel *level, int32_t x, int32_t y, float rgba[4])
{
    const int64_t at = (int64_t)y * level->stride + x;
    const uint32_t texel = level->texels[at];
    const float r = (float)(texel & 2047) / COLOR_R_MAX, g = (float)(texel >> 11 & 2047) / COLOR_G_MAX,
                b = (float)(texel >> 22) / COLOR_B_MAX;
    rgba[0] = r * r, rgba[1] = g * g, rgba[2] = b * b;
    rgba[3] = level->alpha ? (float)level->alpha[at] / 255.0f : 1.0f;
}

void texture_sample_level(const Texture *texture, float u, float v, int32_t level_index, float rgba[4])
{
    const MapLevel *level = &texture->levels[maths_clampi(level_index, 0, texture->level_count - 1)];
    float fx, fy, corner[4][4];
    const int32_t x = place(u, level->width, texture->wrap_u, &fx), y = place(v, level->height, texture->wrap_v, &fy);
    const int32_t x0 = texture_wrap(x, level->width, texture->wrap_u);
    const int32_t x1 = texture_wrap(x + 1, level->width, texture->wrap_u);
    const int32_t y0 = texture_wrap(y, level->height, texture->wrap_v);
    const int32_t y1 = texture_wrap(y + 1, level->height, texture->wrap_v);
    read_texel(level, x0, y0, corner[0]);
    read_texel(level, x1, y0, corner[1]);
    read_texel(level, x0, y1, corner[2]);
    read_texel(level, x1, y1, corner[3]);
    for (int k = 0; k < 4; k++) {
        const float top = corner[0][k] + (corner[1][k] - corner[0][k]) * fx;
        const float bottom = corner[2][k] + (corner[3][k] - corner[2][k]) * fx;
        rgba[k] = top + (bottom - top) * fy;
    }
}

// --- checks and copies ---

static int32_t check_wrap(int32_t wrap_u, int32_t wrap_v)
{
    CHECK_INT_RANGE(wrap_u, THATCH_WRAP_REPEAT, THATCH_WRAP_CLAMP, "texture", "wrap_u");
    CHECK_INT_RANGE(wrap_v, THATCH_WRAP_REPEAT, THATCH_WRAP_CLAMP, "texture", "wrap_v");
    return THATCH_OK;
}

static int32_t check_transform(const float *offset, const float *repeat, float rotation_rad, const float *center)
{
    CHECK_FINITE(offset, 2, "texture", "offset");
    CHECK_FINITE(repeat, 2, "texture", "repeat");
    CHECK_ARG(fabsf(rotation_rad) <= 1e5f, "texture: rotation_rad is %g, need -1e5 .. 1e5", (double)rotation_rad);
    CHECK_FINITE(center, 2, "texture", "center");
    return THATCH_OK;
}

static int64_t texel_values(const Texture *texture)
{
    return (int64_t)texture->width * texture->height * texture->faces * 4;
}

static int32_t check_texels(const void *texels, int32_t format, int64_t values)
{
    CHECK_NOT_NULL(texels, "texture", "texels");
    if (format == THATCH_TEXELS_RGBA32F) {
        const float *floats = texels;
        for (int64_t i = 0; i < values; i++) {
            CHECK_ARG(floats[i] >= 0.0f && is_finite(floats[i]),
                      "texture: texels[%lld] is %g, need a finite number >= 0", (long long)i, (double)floats[i]);
        }
    }
    return THATCH_OK;
}

static int32_t check_def(const ThatchTextureDef *def)
{
    CHECK_DEF(def, DEF_TEXTURE, "texture");
    CHECK_INT_RANGE(def->width, 1, THATCH_MAX_TEXTURE_SIDE, "texture", "width");
    CHECK_INT_RANGE(def->height, 1, THATCH_MAX_TEXTURE_SIDE, "texture", "height");
    CHECK_ARG(def->faces == 1 || def->faces == 6, "texture: faces is %d, need 1 or 6", def->faces);
    CHECK_ARG(def->faces == 1 || def->width == def->height, "texture: height is %d, need %d as a cube's width",
              def->height, def->width);
    CHECK_INT_RANGE(def->format, THATCH_TEXELS_RGBA8, THATCH_TEXELS_RGBA32F, "texture", "format");
    TRY(check_wrap(def->wrap_u, def->wrap_v));
    TRY(check_transform(def->offset, def->repeat, def->rotation_rad, def->center));
    return check_texels(def->texels, def->format, (int64_t)def->width * def->height * def->faces * 4);
}

static size_t texel_bytes(const Texture *texture)
{
    return (size_t)texel_values(texture) * (texture->format == THATCH_TEXELS_RGBA32F ? sizeof(float) : 1);
}

static void fill_cube(Texture *texture)
{
    Decoder decoder;
    decoder_init(&decoder, texture);
    const int64_t count = texel_values(texture) / 4;
    for (int64_t i = 0; i < count; i++) decode(&decoder, i, texture->cube + 4 * i);
}

// Matrix3.setUvTransform of three.js.
static void set_transform(Texture *texture, const float *offset, const float *repeat, float rotation_rad,
                          const float *center)
{
    const float c = maths_cos(rotation_rad), s = maths_sin(rotation_rad);
    float *t = texture->transform;
    t[0] = repeat[0] * c, t[1] = repeat[0] * s;
    t[2] = -repeat[0] * (c * center[0] + s * center[1]) + center[0] + offset[0];
    t[3] = -repeat[1] * s, t[4] = repeat[1] * c;
    t[5] = -repeat[1] * (-s * center[0] + c * center[1]) + center[1] + offset[1];
    memcpy(texture->offset, offset, sizeof texture->offset);
    memcpy(texture->repeat, repeat, sizeof texture->repeat);
    memcpy(texture->center, center, sizeof texture->center);
    texture->rotation_rad = rotation_rad;
}

// --- public ---

void thatch_texture_defaults(ThatchTextureDef *def)
{
    if (!def) return;
    *def = (ThatchTextureDef){.faces = 1, .srgb = true, .repeat = {1.0f, 1.0f}, .internal_value = DEF_TEXTURE};
}

int32_t thatch_texture_create(const ThatchTextureDef *def, ThatchTexture *out)
{
    CHECK_NOT_NULL(out, "texture", "out");
    *out = 0;
    TRY(check_def(def));
    Texture made = {
        .width = def->width,
        .height = def->height,
        .faces = def->faces,
        .format = def->format,
        .srgb = def->srgb && def->format == THATCH_TEXELS_RGBA8,
        .wrap_u = def->wrap_u,
        .wrap_v = def->wrap_v,
    };
    set_transform(&made, def->offset, def->repeat, def->rotation_rad, def->center);
    made.texels = memory_alloc(texel_bytes(&made));
    if (made.faces == 6) made.cube = MEMORY_NEW(float, texel_values(&made));
    if (!made.texels || (made.faces == 6 && !made.cube)) {
        memory_free(made.texels), memory_free(made.cube);
        return error_set(THATCH_ERROR_MEMORY, "texture: memory is short for %d x %d x %d texels", def->width,
                         def->height, def->faces);
    }
    memcpy(made.texels, def->texels, texel_bytes(&made));
    if (made.cube) fill_cube(&made);
    Texture *texture = pool_add(&texture_pool, out);
    if (!texture) {
        memory_free(made.texels), memory_free(made.cube);
        return error_last_code();
    }
    *texture = made;
    return THATCH_OK;
}

int32_t thatch_texture_update(ThatchTexture handle, const void *texels)
{
    Texture *texture = pool_get(&texture_pool, handle, "texture_update");
    if (!texture) return THATCH_ERROR_STALE;
    TRY(check_texels(texels, texture->format, texel_values(texture)));
    memcpy(texture->texels, texels, texel_bytes(texture));
    if (texture->cube) fill_cube(texture);
    return THATCH_OK;
}

int32_t thatch_texture_set_wrap(ThatchTexture handle, int32_t wrap_u, int32_t wrap_v)
{
    Texture *texture = pool_get(&texture_pool, handle, "texture_set_wrap");
    if (!texture) return THATCH_ERROR_STALE;
    TRY(check_wrap(wrap_u, wrap_v));
    texture->wrap_u = wrap_u;
    texture->wrap_v = wrap_v;
    return THATCH_OK;
}

int32_t thatch_texture_set_transform(ThatchTexture handle, const float *offset2, const float *repeat2,
                                     float rotation_rad, const float *center2)
{
    Texture *texture = pool_get(&texture_pool, handle, "texture_set_transform");
    if (!texture) return THATCH_ERROR_STALE;
    CHECK_ARG(offset2 && repeat2 && center2, "texture: transform is null, need offset, repeat and center");
    TRY(check_transform(offset2, repeat2, rotation_rad, center2));
    set_transform(texture, offset2, repeat2, rotation_rad, center2);
    return THATCH_OK;
}

int32_t thatch_texture_forget_maps(ThatchTexture handle)
{
    if (handle == 0) {
        int32_t cursor = 0;
        Texture *each;
        while ((each = pool_next(&texture_pool, &cursor, NULL))) texture_forget_map(each);
        return THATCH_OK;
    }
    Texture *texture = pool_get(&texture_pool, handle, "texture_forget_maps");
    if (!texture) return THATCH_ERROR_STALE;
    texture_forget_map(texture);
    return THATCH_OK;
}

int32_t thatch_texture_sample(ThatchTexture handle, float u, float v, int32_t level, float *rgba)
{
    CHECK_NOT_NULL(rgba, "texture_sample", "rgba");
    Texture *texture = pool_get(&texture_pool, handle, "texture_sample");
    if (!texture) return THATCH_ERROR_STALE;
    CHECK_ARG(is_finite(u) && is_finite(v), "texture_sample: uv is %g, %g, need finite numbers", (double)u, (double)v);
    TRY(texture_make_map(texture));
    CHECK_INT_RANGE(level, 0, texture->level_count - 1, "texture_sample", "level");
    const float *t = texture->transform;
    texture_sample_level(texture, t[0] * u + t[1] * v + t[2], t[3] * u + t[4] * v + t[5], level, rgba);
    return THATCH_OK;
}

int32_t thatch_texture_size(ThatchTexture handle, int32_t *width, int32_t *height, int32_t *levels)
{
    const Texture *texture = pool_get(&texture_pool, handle, "texture_size");
    if (!texture) return THATCH_ERROR_STALE;
    if (width) *width = texture->width;
    if (height) *height = texture->height;
    if (levels) { // found without making them
        *levels = 1;
        int32_t w = texture->width, h = texture->height;
        while (texture->faces == 1 && (w > 1 || h > 1) && *levels < TEXTURE_MAX_LEVELS) {
            w = halved(w), h = halved(h), ++*levels;
        }
    }
    return THATCH_OK;
}

void thatch_texture_destroy(ThatchTexture handle)
{
    Texture *texture = texture_find(handle);
    if (!texture) return;
    texture_forget_map(texture);
    memory_free(texture->texels);
    memory_free(texture->cube);
    pool_remove(&texture_pool, handle);
}

bool thatch_texture_is_valid(ThatchTexture handle)
{
    return texture_find(handle) != NULL;
}
