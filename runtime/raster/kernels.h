// The raster core's hot loops: one text (*.inl), compiled for each instruction set, picked at start.
#pragma once
#include "raster/pass.h"

typedef struct RasterKernels {
    // Moves vertices first .. first + count of a part to the screen.
    void (*vertices)(const Pass *pass, const Part *part, int32_t first, int32_t count);
    // Sets up a span: writes records, counts tile references in histogram. Returns the records written.
    int32_t (*setup)(const Pass *pass, const Span *span, Record *out, int32_t capacity, uint32_t *histogram,
                     PassWorker *worker);
    // Draws a tile's opaque and masked triangles into depths and numbers.
    void (*raster)(Pass *pass, int32_t tile, PassWorker *worker);
} RasterKernels;

extern const RasterKernels raster_kernels_plain, raster_kernels_sse2, raster_kernels_avx2, raster_kernels_avx512;
const RasterKernels *raster_kernels(void); // those of the instruction set in force
