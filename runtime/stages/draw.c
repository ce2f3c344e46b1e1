// Vertices, setup, bins and raster of the main view: a stage each.
#include "stages/stage.h"

int32_t pass_draw(Pass *pass, const PassView *view)
{
    TRY(pass_gather(pass, view));
    TRY(pass_vertices(pass));
    TRY(pass_setup(pass));
    TRY(pass_bins(pass));
    return pass_raster(pass);
}

static int32_t run_step(ThatchFrame handle, const char *name, int32_t stage, uint32_t needs, uint32_t does,
                        int32_t (*step)(Pass *pass))
{
    Frame *frame = frame_get(handle, name, DID_BEGIN | needs);
    if (!frame) return error_last_code();
    STAGE_BEGIN(frame);
    TRY(step(&frame->main));
    frame->done |= does;
    STAGE_END(frame, stage);
    return THATCH_OK;
}

int32_t thatch_frame_vertices(ThatchFrame frame)
{
    return run_step(frame, "vertices", THATCH_STAGE_VERTICES, DID_GATHER, DID_VERTICES, pass_vertices);
}

int32_t thatch_frame_setup(ThatchFrame frame)
{
    return run_step(frame, "setup", THATCH_STAGE_SETUP, DID_GATHER | DID_VERTICES, DID_SETUP, pass_setup);
}

int32_t thatch_frame_bins(ThatchFrame frame)
{
    return run_step(frame, "bins", THATCH_STAGE_BINS, DID_GATHER | DID_SETUP, DID_BINS, pass_bins);
}

int32_t thatch_frame_raster(ThatchFrame frame)
{
    return run_step(frame, "raster", THATCH_STAGE_RASTER, DID_GATHER | DID_BINS, DID_RASTER, pass_raster);
}
