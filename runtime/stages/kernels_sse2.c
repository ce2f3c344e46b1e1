// The stages' kernels for sse2.
#if defined(__x86_64__)
#include <stdbool.h>
#include "base/lanes_sse2.h"
#include "stages/kernels.inl"

const StageKernels stage_kernels_sse2 = {kernel_resolve,  kernel_blend,         kernel_sky_samples,
                                         kernel_sky_fill, kernel_smooth,        kernel_sharpen,
                                         kernel_upscale,  kernel_water_samples, kernel_water_fill};
#endif
