// What image files must be before stb_image sees them: whole, and free of what it is known to read wrongly.
#pragma once
#include <stdint.h>

enum { IMAGE_UNKNOWN = 0, IMAGE_PNG, IMAGE_JPEG, IMAGE_BMP, IMAGE_TGA };

typedef struct ImageCheck {
    int32_t format;      // IMAGE_*
    const char *problem; // "truncated", or what is broken; null: none was found
} ImageCheck;

ImageCheck image_check(const uint8_t *bytes, int64_t count);
