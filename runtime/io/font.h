// Fonts: glyphs as bytes of coverage, made when first wanted.
#pragma once
#include "base/pool.h"
#include "thatch.h"

typedef struct Glyph {
    uint32_t codepoint;
    int32_t left, top;     // of the bitmap, from the pen; top goes up
    int32_t width, height; // of the bitmap; 0 for a space
    int32_t advance_px;
    bool made;
    uint8_t *coverage; // width * height
} Glyph;

typedef struct Font Font;
extern Pool font_pool;
Font *font_find(ThatchFont handle);
// A font from a file's bytes, a block of the runtime's heap that is taken over, also on failure. name is for messages.
int32_t font_take(uint8_t *bytes, int32_t byte_count, const char *name, int32_t size_px, ThatchFont *out);
const Glyph *font_glyph(Font *font, uint32_t codepoint); // null when memory is short. Valid until the next call.
int32_t font_ascent_px(const Font *font);
int32_t font_line_px(const Font *font);
// The next codepoint of a UTF-8 text, U+FFFD for what is none; moves *text on. 0 at its end.
uint32_t font_next_codepoint(const char **text);
