// The stages' kernels for plain.
#include <stdbool.h>
#include "base/lanes_plain.h"
#include "stages/kernels.inl"

const StageKernels stage_kernels_plain = {kernel_resolve,  kernel_blend,         kernel_sky_samples,
                                          kernel_sky_fill, kernel_smooth,        kernel_sharpen,
                                          kernel_upscale,  kernel_water_samples, kernel_water_fill};
