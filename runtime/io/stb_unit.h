// The one way to stb_image and stb_image_write.
#pragma once
#include <stddef.h>
#include <stdint.h>

// RGBA8 in a block of the runtime's heap, or null. Decoding may hold `budget` bytes at most.
uint8_t *stb_unit_decode(const uint8_t *bytes, int32_t byte_count, size_t budget, int32_t *width, int32_t *height);
int stb_unit_info(const uint8_t *bytes, int32_t byte_count, int32_t *width, int32_t *height); // 0: not readable
const char *stb_unit_reason(void); // why the last of these failed, on this thread
// The encoded file in a block of the runtime's heap, or null when memory is short.
uint8_t *stb_unit_encode_png(const uint8_t *rgba, int32_t width, int32_t height, int64_t *byte_count);
uint8_t *stb_unit_encode_jpeg(const uint8_t *rgba, int32_t width, int32_t height, int64_t *byte_count);
