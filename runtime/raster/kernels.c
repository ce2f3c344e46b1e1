// Picks the raster core's kernels.
#include "raster/kernels.h"
#include "base/runtime.h"

const RasterKernels *raster_kernels(void)
{
    switch (runtime_isa()) {
#if defined(__x86_64__)
    case THATCH_ISA_AVX512:
        return &raster_kernels_avx512;
    case THATCH_ISA_AVX2:
        return &raster_kernels_avx2;
    case THATCH_ISA_SSE2:
        return &raster_kernels_sse2;
#endif
    default:
        return &raster_kernels_plain;
    }
}
