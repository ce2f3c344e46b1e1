// The stages' hot loops: one text (*.inl), compiled for each instruction set, picked at start.
#pragma once
#include "stages/frame.h"

typedef struct SkyJob { // samples of the background on a grid of `step` pixels
    const Frame *frame;
    const Texture *cube;
    ThatchResolveOptions options;
    float intensity, color[3];   // color: when there is no cube
    int32_t step, columns, rows; // samples: columns x rows, at pixels 0, step, 2 step ...
    int32_t stride;              // of samples, with room for 16 more
    uint32_t *samples;           // encoded RGBA8
} SkyJob;

typedef struct SmoothJob {
    const uint32_t *from; // width x height, rows of stride, all of the picture
    uint32_t *to;
    int32_t width, height, stride;
} SmoothJob;

typedef struct UpscaleJob {
    const uint32_t *from;
    uint32_t *to;
    uint32_t *sharpened; // as from; written by sharpen
    int32_t from_width, from_height, from_stride, to_width, to_height;
    bool sharp;
    // For each column (row) of the window: the first of two columns (rows) of the frame, and the second's share of 256.
    const int32_t *column_at, *column_share, *row_at, *row_share;
} UpscaleJob;

struct WaterJob;

typedef struct StageKernels {
    void (*resolve)(Frame *frame, int32_t tile, PassWorker *worker);
    void (*blend)(Frame *frame, int32_t tile);
    void (*sky_samples)(const SkyJob *job, int32_t first_row, int32_t end_row);
    void (*sky_fill)(const SkyJob *job, int32_t tile);
    void (*smooth)(const SmoothJob *job, int32_t first_row, int32_t end_row);
    void (*sharpen)(const UpscaleJob *job, int32_t first_row, int32_t end_row);
    void (*upscale)(const UpscaleJob *job, int32_t first_row, int32_t end_row);
    void (*water_samples)(const struct WaterJob *job, int32_t first_row, int32_t end_row);
    void (*water_fill)(const struct WaterJob *job, int32_t tile);
} StageKernels;

extern const StageKernels stage_kernels_plain, stage_kernels_sse2, stage_kernels_avx2, stage_kernels_avx512;
const StageKernels *stage_kernels(void); // those of the instruction set in force
