// The raster core's kernels for avx512.
#if defined(__x86_64__)
#include <stdbool.h>
#include "base/lanes_avx512.h"
#include "raster/kernels.inl"

const RasterKernels raster_kernels_avx512 = {kernel_vertices, kernel_setup, kernel_raster};
#endif
