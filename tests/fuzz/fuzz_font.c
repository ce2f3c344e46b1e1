// Any bytes as a font, opened at any size, measured and drawn: refused or drawn, never worse.
#include "base/memory.h"
#include "io/font.h"

#include <stddef.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    enum { WIDTH = 96, HEIGHT = 40 };
    static uint8_t canvas[4 * WIDTH * HEIGHT];
    if (count < 1 || count > 1 << 20) return 0;
    const int32_t size_px = 4 + bytes[0] % 253;
    uint8_t *copy = memory_alloc(count - 1);
    if (!copy) return 0;
    memcpy(copy, bytes + 1, count - 1);
    ThatchFont font;
    if (font_take(copy, (int32_t)count - 1, "fuzz", size_px, &font) != THATCH_OK) return 0;
    int32_t width, height;
    static const char text[] = "Thatch, 0123456789\n\xc3\x84\xe2\x82\xac\xf0\x9f\x8c\xbf" "fi \xd7\x90\xd8\xa7%&@";
    if (thatch_font_measure(font, text, &width, &height) == THATCH_OK) {
        thatch_draw_text(canvas, WIDTH, HEIGHT, font, 2, 2, 0xffffffe0u, text);
        thatch_draw_text(canvas, WIDTH, HEIGHT, font, WIDTH - width, -height / 2, 0x80ff80ffu, text);
    }
    thatch_font_destroy(font);
    return 0;
}
