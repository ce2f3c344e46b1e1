// The raster core's kernels for avx2.
#if defined(__x86_64__)
#include <stdbool.h>
#include "base/lanes_avx2.h"
#include "raster/kernels.inl"

const RasterKernels raster_kernels_avx2 = {kernel_vertices, kernel_setup, kernel_raster};
#endif
