// The frame object: its sizes, its picture, its figures, and what each stage needs of those before it.
#include "stages/frame.h"
#include "base/error.h"
#include "base/maths.h"
#include "base/memory.h"
#include "base/runtime.h"
#include "stages/scale.h"
#include "stages/stage.h"

#include <math.h>
#include <string.h>

enum { EDGE = 64 }; // pixels before and after color that wide loads may touch

Pool frame_pool = {.noun = "frame", .kind = KIND_FRAME, .item_size = sizeof(Frame)};

Frame *frame_find(ThatchFrame handle)
{
    return pool_find(&frame_pool, handle);
}

static const char *const stage_names[THATCH_STAGE_COUNT] = {"shadow_maps", "gather", "vertices", "setup",
                                                            "bins",        "raster", "sky",      "resolve",
                                                            "blend",       "water",  "smooth",   "upscale"};

const char *thatch_stage_name(int32_t stage)
{
    return stage < 0 || stage >= THATCH_STAGE_COUNT ? NULL : stage_names[stage];
}

Frame *frame_get(ThatchFrame handle, const char *function, uint32_t needs)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } steps[] = {
        {DID_BEGIN, "begin"}, {DID_GATHER, "gather"}, {DID_VERTICES, "vertices"}, {DID_SETUP, "setup"},
        {DID_BINS, "bins"},   {DID_RASTER, "raster"}, {DID_RESOLVE, "resolve"},
    };
    if (runtime_ensure() != THATCH_OK) return NULL;
    Frame *frame = pool_get(&frame_pool, handle, function);
    if (!frame) return NULL;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (needs & steps[i].bit & ~frame->done) {
            error_set(THATCH_ERROR_ORDER, "%s: called before %s, need frame:%s() first", function, steps[i].name,
                      steps[i].name);
            return NULL;
        }
    if (needs & frame->done & DID_GATHER && !pass_is_live(&frame->main)) {
        frame->done &= DID_BEGIN | DID_SHADOWS;
        error_set(THATCH_ERROR_STALE,
                  "%s: something that gather found was destroyed or replaced, need frame:gather() again", function);
        return NULL;
    }
    return frame;
}

static int32_t frame_side(int32_t window_side, double scale)
{
    int32_t side = (int32_t)floor(window_side * scale + 0.5);
    if (side < 16) side = window_side < 16 ? window_side : 16;
    return side > window_side && scale <= 1.0 ? window_side : side;
}

static int32_t check_size(const char *function, int32_t width, int32_t height, double scale)
{
    CHECK_ARG(width >= THATCH_MIN_FRAME_SIDE && width <= THATCH_MAX_FRAME_SIDE, "%s: window width is %d, need %d .. %d",
              function, width, THATCH_MIN_FRAME_SIDE, THATCH_MAX_FRAME_SIDE);
    CHECK_ARG(height >= THATCH_MIN_FRAME_SIDE && height <= THATCH_MAX_FRAME_SIDE,
              "%s: window height is %d, need %d .. %d", function, height, THATCH_MIN_FRAME_SIDE, THATCH_MAX_FRAME_SIDE);
    CHECK_ARG(scale >= 0.25 && scale <= 2.0, "%s: render_scale is %g, need 0.25 .. 2", function, scale);
    CHECK_ARG(width * scale <= THATCH_MAX_FRAME_SIDE && height * scale <= THATCH_MAX_FRAME_SIDE,
              "%s: %d x %d at render_scale %g is more than %d pixels a side, need less", function, width, height, scale,
              THATCH_MAX_FRAME_SIDE);
    return THATCH_OK;
}

// Takes the buffers for a size; on failure the old ones stay.
static int32_t frame_set_size(Frame *frame, int32_t window_width, int32_t window_height, double scale)
{
    const int32_t width = frame_side(window_width, scale), height = frame_side(window_height, scale);
    const int32_t stride = (width + TILE - 1) / TILE * TILE, rows = (height + TILE - 1) / TILE * TILE;
    const int32_t pixels = stride * rows;
    // The picture before upscale is handed out from here too, and may be the larger one.
    const int32_t shown = window_width * window_height, drawn = width * height;
    const int32_t window_pixels = (shown > drawn ? shown : drawn) + EDGE;
    const bool more_color = pixels > frame->color_capacity, more_window = window_pixels > frame->window_capacity;
    uint32_t *color = more_color ? MEMORY_NEW(uint32_t, pixels + 2 * EDGE) : NULL;
    uint32_t *spare = more_color ? MEMORY_NEW(uint32_t, pixels + 2 * EDGE) : NULL;
    uint32_t *window = more_window ? MEMORY_NEW(uint32_t, window_pixels) : NULL;
    int32_t *tables = MEMORY_NEW(int32_t, 2 * (window_width + window_height) + 128);
    int32_t status = THATCH_OK;
    if ((more_color && (!color || !spare)) || (more_window && !window) || !tables)
        status = error_set(THATCH_ERROR_MEMORY, "frame: no memory for %d x %d pixels in a window of %d x %d", width,
                           height, window_width, window_height);
    if (status == THATCH_OK) status = pass_prepare(&frame->main, width, height);
    if (status != THATCH_OK) {
        memory_free(color), memory_free(spare), memory_free(window), memory_free(tables);
        return status;
    }
    if (more_color) {
        memory_free(frame->color_block), memory_free(frame->spare_block);
        frame->color_block = color, frame->spare_block = spare, frame->color_capacity = pixels;
    }
    if (more_window) {
        memory_free(frame->window);
        frame->window = window, frame->window_capacity = window_pixels;
    }
    memory_free(frame->scale_tables);
    frame->scale_tables = tables;
    frame->color = frame->color_block + EDGE, frame->spare = frame->spare_block + EDGE;
    memset(frame->color_block, 0, sizeof(uint32_t) * (size_t)(pixels + 2 * EDGE));
    memset(frame->spare_block, 0, sizeof(uint32_t) * (size_t)(pixels + 2 * EDGE));
    frame->width = width, frame->height = height, frame->stride = stride, frame->rows = rows;
    frame->window_width = window_width, frame->window_height = window_height;
    scale_tables(width, height, window_width, window_height, tables);
    frame->done &= DID_BEGIN;
    return THATCH_OK;
}

static void frame_free(Frame *frame)
{
    pass_free(&frame->main), pass_free(&frame->still.pass), pass_free(&frame->moving.pass);
    memory_free(frame->still.texels), memory_free(frame->moving.texels);
    memory_free(frame->color_block), memory_free(frame->spare_block), memory_free(frame->window);
    memory_free(frame->scale_tables), memory_free(frame->sky_samples), memory_free(frame->water_samples);
}

int32_t thatch_frame_create(int32_t window_width, int32_t window_height, double render_scale, ThatchFrame *out)
{
    CHECK_ARG(out, "frame.create: out is null, need a place for the handle");
    *out = 0;
    TRY(runtime_ensure());
    TRY(check_size("frame.create", window_width, window_height, render_scale));
    ThatchFrame handle;
    Frame *frame = pool_add(&frame_pool, &handle);
    if (!frame) return THATCH_ERROR_MEMORY;
    frame->handle = handle;
    frame->still.pass.depth_only = frame->moving.pass.depth_only = true;
    const int32_t status = frame_set_size(frame, window_width, window_height, render_scale);
    if (status != THATCH_OK) {
        frame_free(frame);
        pool_remove(&frame_pool, handle);
        return status;
    }
    *out = handle;
    return THATCH_OK;
}

int32_t thatch_frame_resize(ThatchFrame handle, int32_t window_width, int32_t window_height, double render_scale)
{
    Frame *frame = frame_get(handle, "frame.resize", 0);
    if (!frame) return error_last_code();
    TRY(check_size("frame.resize", window_width, window_height, render_scale));
    return frame_set_size(frame, window_width, window_height, render_scale);
}

void thatch_frame_destroy(ThatchFrame handle)
{
    Frame *frame = frame_find(handle);
    if (!frame) return;
    frame_free(frame);
    pool_remove(&frame_pool, handle);
}

bool thatch_frame_is_valid(ThatchFrame handle)
{
    return frame_find(handle) != NULL;
}

int32_t thatch_frame_size(ThatchFrame handle, int32_t *width, int32_t *height, int32_t *window_width,
                          int32_t *window_height)
{
    const Frame *frame = frame_get(handle, "frame.size", 0);
    if (!frame) return error_last_code();
    if (width) *width = frame->width;
    if (height) *height = frame->height;
    if (window_width) *window_width = frame->window_width;
    if (window_height) *window_height = frame->window_height;
    return THATCH_OK;
}

int32_t thatch_frame_begin(ThatchFrame handle, int32_t number, double time_s)
{
    Frame *frame = frame_get(handle, "frame.begin", 0);
    if (!frame) return error_last_code();
    CHECK_ARG(number >= 0, "frame.begin: number is %d, need 0 or more", number);
    CHECK_ARG(time_s >= -1e9 && time_s <= 1e9, "frame.begin: time_s is %g, need -1e9 .. 1e9", time_s);
    frame->number = number, frame->time_s = time_s, frame->done = DID_BEGIN;
    frame->use_still = frame->use_moving = false;
    thatch_resolve_options_defaults(&frame->resolve);
    thatch_shadow_options_defaults(&frame->shadow_options);
    memset(frame->ms, 0, sizeof frame->ms);
    memset(&frame->main.stats, 0, sizeof frame->main.stats);
    frame->shadow_triangles = 0;
    return THATCH_OK;
}

// The picture at the window's size, or the frame's own before upscale, rows without gaps.
static uint32_t *frame_picture(Frame *frame, int32_t *width, int32_t *height)
{
    if (frame->done & DID_UPSCALE) {
        *width = frame->window_width, *height = frame->window_height;
        return frame->window;
    }
    *width = frame->width, *height = frame->height;
    for (int32_t y = 0; y < frame->height; y++)
        memcpy(frame->window + (int64_t)y * frame->width, frame->color + (int64_t)y * frame->stride,
               sizeof(uint32_t) * (size_t)frame->width);
    return frame->window;
}

const uint8_t *thatch_frame_pixels(ThatchFrame handle, int32_t *width, int32_t *height)
{
    return thatch_frame_canvas(handle, width, height);
}

uint8_t *thatch_frame_canvas(ThatchFrame handle, int32_t *width, int32_t *height)
{
    Frame *frame = frame_get(handle, "frame.pixels", 0);
    if (!frame) return NULL;
    int32_t w, h;
    uint32_t *picture = frame_picture(frame, &w, &h);
    if (width) *width = w;
    if (height) *height = h;
    return (uint8_t *)picture;
}

int32_t thatch_frame_hash(ThatchFrame handle, uint8_t *hash16)
{
    Frame *frame = frame_get(handle, "frame.hash", 0);
    if (!frame) return error_last_code();
    CHECK_ARG(hash16, "frame.hash: hash16 is null, need 16 bytes");
    int32_t w, h;
    const uint32_t *picture = frame_picture(frame, &w, &h);
    thatch_hash_bytes((const uint8_t *)picture, 4.0 * w * h, hash16);
    return THATCH_OK;
}

int32_t thatch_frame_depth(ThatchFrame handle, int32_t x, int32_t y, float *depth_m)
{
    const Frame *frame = frame_get(handle, "frame.depth", DID_BEGIN | DID_GATHER | DID_RASTER);
    if (!frame) return error_last_code();
    CHECK_ARG(depth_m, "frame.depth: depth_m is null, need a place for it");
    CHECK_ARG(x >= 0 && x < frame->width, "frame.depth: x is %d, need 0 .. %d", x, frame->width - 1);
    CHECK_ARG(y >= 0 && y < frame->height, "frame.depth: y is %d, need 0 .. %d", y, frame->height - 1);
    const Pass *pass = &frame->main;
    const int32_t tile = y / TILE * pass->tiles_x + x / TILE, tx = x % TILE, ty = y % TILE;
    const float d =
        pass->depth[(int64_t)tile * TILE_PIXELS + 16 * ((ty >> 2) * TILE_BLOCKS + (tx >> 2)) + 4 * (ty & 3) + (tx & 3)];
    *depth_m = d <= 0.0f ? INFINITY : pass->orthographic ? frame->near_m + (1.0f - d) * pass->near_w : 1.0f / d;
    return THATCH_OK;
}

int32_t thatch_frame_timings(ThatchFrame handle, ThatchTimings *out)
{
    const Frame *frame = frame_get(handle, "frame.timings", 0);
    if (!frame) return error_last_code();
    CHECK_ARG(out, "frame.timings: out is null, need a place for them");
    memcpy(out->ms, frame->ms, sizeof out->ms);
    return THATCH_OK;
}

int32_t thatch_frame_stats(ThatchFrame handle, ThatchStats *out)
{
    const Frame *frame = frame_get(handle, "frame.stats", 0);
    if (!frame) return error_last_code();
    CHECK_ARG(out, "frame.stats: out is null, need a place for them");
    *out = frame->main.stats;
    out->shadow_triangles = frame->shadow_triangles;
    return THATCH_OK;
}
