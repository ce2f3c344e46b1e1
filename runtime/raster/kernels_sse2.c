// The raster core's kernels for sse2.
#if defined(__x86_64__)
#include <stdbool.h>
#include "base/lanes_sse2.h"
#include "raster/kernels.inl"

const RasterKernels raster_kernels_sse2 = {kernel_vertices, kernel_setup, kernel_raster};
#endif
