// The raster core's kernels for plain.
#include <stdbool.h>
#include "base/lanes_plain.h"
#include "raster/kernels.inl"

const RasterKernels raster_kernels_plain = {kernel_vertices, kernel_setup, kernel_raster};
