// Picks the stages' kernels.
#include "stages/kernels.h"
#include "base/runtime.h"

const StageKernels *stage_kernels(void)
{
    switch (runtime_isa()) {
#if defined(__x86_64__)
    case THATCH_ISA_AVX512:
        return &stage_kernels_avx512;
    case THATCH_ISA_AVX2:
        return &stage_kernels_avx2;
    case THATCH_ISA_SSE2:
        return &stage_kernels_sse2;
#endif
    default:
        return &stage_kernels_plain;
    }
}
