// Sky: the scene's background wherever nothing was drawn.
#include "base/jobs.h"
#include "base/memory.h"
#include "stages/kernels.h"
#include "stages/options.h"
#include "stages/stage.h"

static void sample_rows(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    stage_kernels()->sky_samples(context, begin, end);
}

static void fill_tiles(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    for (int32_t i = begin; i < end; i++) stage_kernels()->sky_fill(context, i);
}

int32_t thatch_frame_sky(ThatchFrame handle, int32_t step, const ThatchResolveOptions *options)
{
    Frame *frame = frame_get(handle, "sky", DID_BEGIN | DID_GATHER | DID_RASTER);
    if (!frame) return error_last_code();
    STAGE_BEGIN(frame);
    CHECK_ARG(step >= 1 && step <= 32, "sky: step is %d, need 1 .. 32", step);
    TRY(options_check_resolve("sky", options));
    SkyJob job = {.frame = frame,
                  .cube = frame->light.cube,
                  .options = *options,
                  .intensity = frame->light.cube_intensity,
                  .step = step};
    for (int k = 0; k < 3; k++) job.color[k] = frame->light.background[k];
    // One more sample than the last pixel asks for, and whole tiles for a step of one.
    job.columns = (frame->stride + step - 1) / step + 2, job.rows = (frame->rows + step - 1) / step + 2;
    job.stride = (job.columns + 31) / 16 * 16;
    const int32_t samples = job.stride * job.rows;
    if (samples > frame->sky_capacity) {
        uint32_t *grown = MEMORY_NEW(uint32_t, samples);
        if (!grown) return error_set(THATCH_ERROR_MEMORY, "sky: no memory for %d samples", samples);
        memory_free(frame->sky_samples);
        frame->sky_samples = grown, frame->sky_capacity = samples;
    }
    job.samples = frame->sky_samples;
    jobs_run(job.rows, 4, sample_rows, &job);
    jobs_run(frame_tile_count(frame), 1, fill_tiles, &job);
    frame->done |= DID_SKY;
    STAGE_END(frame, THATCH_STAGE_SKY);
    return THATCH_OK;
}
