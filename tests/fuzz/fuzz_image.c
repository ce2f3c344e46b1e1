// Any bytes as an image: refused or read, never worse.
#include "thatch.h"

#include <stddef.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    uint8_t *texels;
    int32_t width, height;
    if (count > 1 << 20) return 0;
    if (thatch_image_load_memory(bytes, (int32_t)count, "fuzz", &texels, &width, &height) == THATCH_OK) {
        volatile uint8_t last = texels[4 * (int64_t)width * height - 1]; // it is all there
        (void)last;
        thatch_image_free(texels);
    }
    return 0;
}
