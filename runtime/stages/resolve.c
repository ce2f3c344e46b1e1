// Resolve and blend: from triangle numbers to light, tile by tile.
#include "base/jobs.h"
#include "base/maths.h"
#include "stages/kernels.h"
#include "stages/options.h"
#include "stages/stage.h"

static void resolve_block(void *context, int32_t begin, int32_t end, int32_t worker)
{
    Frame *frame = context;
    for (int32_t i = begin; i < end; i++) stage_kernels()->resolve(frame, i, &frame->main.workers[worker]);
}

int32_t thatch_frame_resolve(ThatchFrame handle, const ThatchResolveOptions *options)
{
    Frame *frame = frame_get(handle, "resolve", DID_BEGIN | DID_GATHER | DID_RASTER);
    if (!frame) return error_last_code();
    STAGE_BEGIN(frame);
    TRY(options_check_resolve("resolve", options));
    frame->resolve = *options;
    for (int k = 0; k < 256; k++)
        frame->decode[k] = options->srgb ? maths_srgb_decode((float)k / 255.0f) : (float)k / 255.0f;
    for (int w = 0; w < THATCH_MAX_THREADS; w++) frame->main.workers[w].pixels_shaded = 0;
    jobs_run(frame_tile_count(frame), 1, resolve_block, frame);
    int64_t shaded = 0;
    for (int w = 0; w < THATCH_MAX_THREADS; w++) shaded += frame->main.workers[w].pixels_shaded;
    frame->main.stats.pixels_shaded = (double)shaded;
    frame->done |= DID_RESOLVE;
    STAGE_END(frame, THATCH_STAGE_RESOLVE);
    return THATCH_OK;
}

static void blend_block_of_tiles(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    for (int32_t i = begin; i < end; i++) stage_kernels()->blend(context, i);
}

int32_t thatch_frame_blend(ThatchFrame handle)
{
    Frame *frame = frame_get(handle, "blend", DID_BEGIN | DID_GATHER | DID_RASTER | DID_RESOLVE);
    if (!frame) return error_last_code();
    STAGE_BEGIN(frame);
    jobs_run(frame_tile_count(frame), 1, blend_block_of_tiles, frame);
    STAGE_END(frame, THATCH_STAGE_BLEND);
    return THATCH_OK;
}
