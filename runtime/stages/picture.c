// Smooth and upscale: the last steps, on the encoded picture.
#include "base/jobs.h"
#include "stages/kernels.h"
#include "stages/stage.h"

#include <string.h>

static void smooth_rows(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    stage_kernels()->smooth(context, begin, end);
}

int32_t thatch_frame_smooth(ThatchFrame handle)
{
    Frame *frame = frame_get(handle, "smooth", DID_BEGIN | DID_GATHER | DID_RESOLVE);
    if (!frame) return error_last_code();
    STAGE_BEGIN(frame);
    SmoothJob job = {frame->color, frame->spare, frame->width, frame->height, frame->stride};
    if (frame->width > 1 && frame->height > 1) { // one row or column has no edges
        jobs_run(frame->height, 8, smooth_rows, &job);
        uint32_t *swap = frame->color;
        frame->color = frame->spare, frame->spare = swap;
    }
    STAGE_END(frame, THATCH_STAGE_SMOOTH);
    return THATCH_OK;
}

static void sharpen_rows(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    stage_kernels()->sharpen(context, begin, end);
}

static void upscale_rows(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    stage_kernels()->upscale(context, begin, end);
}

int32_t thatch_frame_upscale(ThatchFrame handle, int32_t mode)
{
    Frame *frame = frame_get(handle, "upscale", DID_BEGIN);
    if (!frame) return error_last_code();
    STAGE_BEGIN(frame);
    CHECK_ARG(mode == THATCH_UPSCALE_BILINEAR || mode == THATCH_UPSCALE_SHARP,
              "upscale: mode is %d, need THATCH_UPSCALE_BILINEAR or THATCH_UPSCALE_SHARP", mode);
    const int32_t width = frame->window_width + 16;
    const int32_t *tables = frame->scale_tables;
    UpscaleJob job = {.from = frame->color,
                      .to = frame->window,
                      .sharpened = frame->spare,
                      .from_width = frame->width,
                      .from_height = frame->height,
                      .from_stride = frame->stride,
                      .to_width = frame->window_width,
                      .to_height = frame->window_height,
                      .sharp = mode == THATCH_UPSCALE_SHARP && frame->width < frame->window_width,
                      .column_at = tables,
                      .column_share = tables + width,
                      .row_at = tables + 2 * width,
                      .row_share = tables + 2 * width + frame->window_height};
    if (frame->width == frame->window_width && frame->height == frame->window_height) {
        for (int32_t y = 0; y < frame->height; y++)
            memcpy(frame->window + (int64_t)y * frame->width, frame->color + (int64_t)y * frame->stride,
                   sizeof(uint32_t) * (size_t)frame->width);
    } else {
        if (job.sharp) jobs_run(frame->height, 8, sharpen_rows, &job);
        jobs_run(frame->window_height, 8, upscale_rows, &job);
    }
    frame->done |= DID_UPSCALE;
    STAGE_END(frame, THATCH_STAGE_UPSCALE);
    return THATCH_OK;
}
