// What font files must be before FreeType sees them: of a kind that we take, and whole.
#pragma once
#include <stdint.h>

// Null when the file is a TrueType or OpenType font with all of its tables; else "truncated", or what is broken.
const char *font_check(const uint8_t *bytes, int64_t count);
