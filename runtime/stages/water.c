// Water: a pond's surface composed into the picture, before it is stretched, where the depth says that it is seen.
#include "base/jobs.h"
#include "base/memory.h"
#include "stages/kernels.h"
#include "stages/stage.h"
#include "stages/water.h"

#include <math.h>
#include <string.h>

static void sample_rows(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    stage_kernels()->water_samples(context, begin, end);
}

static void fill_tiles(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    for (int32_t i = begin; i < end; i++) stage_kernels()->water_fill(context, i);
}

static void copy_rows(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Frame *frame = context;
    memcpy(frame->spare + (int64_t)begin * frame->stride, frame->color + (int64_t)begin * frame->stride,
           sizeof(uint32_t) * (size_t)frame->stride * (size_t)(end - begin));
}

// Is some of the water's box on the screen?
static bool in_view(const Frame *frame, const ThatchWaterDef *def)
{
    const float *m = frame->main.clip;
    for (int plane = 0; plane < 5; plane++) {
        bool outside = true;
        for (int corner = 0; corner < 4 && outside; corner++) {
            const float p[3] = {corner & 1 ? def->max[0] : def->min[0], def->level_m,
                                corner & 2 ? def->max[1] : def->min[1]};
            float c[4];
            for (int k = 0; k < 4; k++) c[k] = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
            const float d = plane == 4 ? c[3] : (plane & 1) ? c[3] - c[plane / 2] : c[3] + c[plane / 2];
            outside = d < 0.0f;
        }
        if (outside) return false;
    }
    return true;
}

int32_t thatch_frame_water(ThatchFrame handle, ThatchWater water_handle, int32_t step, int32_t refresh_every)
{
    Frame *frame = frame_get(handle, "water", DID_BEGIN | DID_GATHER | DID_RASTER | DID_RESOLVE);
    if (!frame) return error_last_code();
    STAGE_BEGIN(frame);
    Water *water = pool_get(&water_pool, water_handle, "water");
    if (!water) return THATCH_ERROR_STALE;
    CHECK_ARG(step >= 1 && step <= 64, "water: step is %d, need 1 .. 64", step);
    CHECK_ARG(refresh_every >= 1 && refresh_every <= 60, "water: refresh_every is %d, need 1 .. 60", refresh_every);
    // The surface's clock: 24 frames a second, stepped every so many; the caustics of a new surface come a frame later.
    double surface_time = frame->time_s, caustics_time = frame->time_s;
    if (refresh_every > 1) {
        const double frames = floor(frame->time_s * 24.0 + 1e-6), held = floor(frames / refresh_every) * refresh_every;
        surface_time = held / 24.0;
        caustics_time = frames == held ? (held - refresh_every) / 24.0 : surface_time;
    }
    TRY(water_surface_at(water, surface_time, caustics_time));
    if (frame->main.orthographic || frame->eye[1] <= water->def.level_m || !in_view(frame, &water->def)) {
        STAGE_END(frame, THATCH_STAGE_WATER);
        return THATCH_OK;
    }
    WaterJob job = {.frame = frame, .water = water, .surface = water->surface, .picture = frame->spare, .step = step};
    job.columns = (frame->stride + step - 1) / step + 2, job.rows = (frame->rows + step - 1) / step + 2;
    job.stride = (job.columns + 31) / 16 * 16;
    const int32_t floats = SAMPLE_PLANES * job.stride * job.rows, words = floats + job.rows / 4 + 1;
    if (words > frame->water_capacity) {
        void *grown = memory_array((size_t)words, sizeof(float));
        if (!grown) return error_set(THATCH_ERROR_MEMORY, "water: no memory for %d samples", job.columns * job.rows);
        memory_free(frame->water_samples);
        frame->water_samples = grown, frame->water_capacity = words;
    }
    job.samples = frame->water_samples, job.row_used = (uint8_t *)frame->water_samples + (size_t)floats * 4;
    jobs_run(frame->rows, 16, copy_rows, frame);
    jobs_run(job.rows, 1, sample_rows, &job);
    jobs_run(frame_tile_count(frame), 1, fill_tiles, &job);
    STAGE_END(frame, THATCH_STAGE_WATER);
    return THATCH_OK;
}
