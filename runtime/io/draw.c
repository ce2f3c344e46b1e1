// Text and boxes over RGBA8 pictures, blended in sRGB as a HUD needs it.
#include "base/check.h"
#include "io/font.h"

typedef struct Canvas {
    uint8_t *rgba;
    int32_t width, height;
} Canvas;

typedef struct Ink {
    uint32_t channel[3], alpha;
} Ink;

static Ink ink_of(uint32_t srgb_rgba)
{
    return (Ink){{srgb_rgba >> 24, srgb_rgba >> 16 & 255, srgb_rgba >> 8 & 255}, srgb_rgba & 255};
}

// x / 255, rounded, for x up to 255 * 255.
static uint32_t share(uint32_t x)
{
    return (x + 128 + ((x + 128) >> 8)) >> 8;
}

static void blend(uint8_t *texel, const Ink *ink, uint32_t alpha)
{
    for (int k = 0; k < 3; k++) texel[k] = (uint8_t)share(ink->channel[k] * alpha + texel[k] * (255 - alpha));
    texel[3] = (uint8_t)(alpha + share(texel[3] * (255 - alpha)));
}

typedef struct Span {
    int32_t begin, end;
} Span;

// The part of at .. at + size that lies in 0 .. limit, counted from at.
static Span clip_span(int64_t at, int64_t size, int32_t limit)
{
    const int64_t begin = at < 0 ? -at : 0, end = at + size > limit ? limit - at : size;
    return begin < end ? (Span){(int32_t)begin, (int32_t)end} : (Span){0, 0};
}

static void draw_glyph(const Canvas *canvas, const Glyph *glyph, int64_t x, int64_t y, const Ink *ink)
{
    const Span columns = clip_span(x, glyph->width, canvas->width), rows = clip_span(y, glyph->height, canvas->height);
    for (int32_t j = rows.begin; j < rows.end; j++) {
        const uint8_t *coverage = glyph->coverage + (size_t)j * (size_t)glyph->width;
        uint8_t *row = canvas->rgba + 4 * ((size_t)(y + j) * (size_t)canvas->width);
        for (int32_t i = columns.begin; i < columns.end; i++) {
            if (coverage[i]) blend(row + 4 * (x + i), ink, share(coverage[i] * ink->alpha));
        }
    }
}

static int32_t check_canvas(const uint8_t *rgba, int32_t width, int32_t height)
{
    CHECK_NOT_NULL(rgba, "draw", "rgba");
    CHECK_INT_RANGE(width, 1, THATCH_MAX_FRAME_SIDE, "draw", "width");
    CHECK_INT_RANGE(height, 1, THATCH_MAX_FRAME_SIDE, "draw", "height");
    return THATCH_OK;
}

// Walks a text; draws it when canvas is not null. The size of what was walked.
static int32_t walk_text(const Canvas *canvas, Font *font, int64_t x, int64_t y, const Ink *ink, const char *text,
                         int32_t *width, int32_t *height)
{
    const int32_t line = font_line_px(font), ascent = font_ascent_px(font);
    int64_t pen = 0, widest = 0, top = 0;
    uint32_t codepoint;
    while ((codepoint = font_next_codepoint(&text)) != 0) {
        if (codepoint == '\n') {
            pen = 0, top += line;
            continue;
        }
        const Glyph *glyph = font_glyph(font, codepoint);
        if (!glyph) return error_set(THATCH_ERROR_MEMORY, "font: memory is short for a glyph");
        if (canvas) draw_glyph(canvas, glyph, x + pen + glyph->left, y + top + ascent - glyph->top, ink);
        pen += glyph->advance_px;
        if (pen > widest) widest = pen;
    }
    if (width) *width = widest < INT32_MAX ? (int32_t)widest : INT32_MAX;
    if (height) *height = top + line < INT32_MAX ? (int32_t)(top + line) : INT32_MAX;
    return THATCH_OK;
}

int32_t thatch_font_measure(ThatchFont handle, const char *text, int32_t *width, int32_t *height)
{
    Font *font = pool_get(&font_pool, handle, "font_measure");
    if (!font) return THATCH_ERROR_STALE;
    CHECK_NOT_NULL(text, "font_measure", "text");
    return walk_text(NULL, font, 0, 0, NULL, text, width, height);
}

int32_t thatch_draw_text(uint8_t *rgba, int32_t width, int32_t height, ThatchFont handle, int32_t x, int32_t y,
                         uint32_t srgb_rgba, const char *text)
{
    TRY(check_canvas(rgba, width, height));
    Font *font = pool_get(&font_pool, handle, "draw_text");
    if (!font) return THATCH_ERROR_STALE;
    CHECK_NOT_NULL(text, "draw_text", "text");
    const Canvas canvas = {rgba, width, height};
    const Ink ink = ink_of(srgb_rgba);
    return walk_text(&canvas, font, x, y, &ink, text, NULL, NULL);
}

int32_t thatch_draw_box(uint8_t *rgba, int32_t width, int32_t height, int32_t x, int32_t y, int32_t w, int32_t h,
                        uint32_t srgb_rgba)
{
    TRY(check_canvas(rgba, width, height));
    CHECK_ARG(w >= 0 && h >= 0, "draw_box: size is %d x %d, need 0 or more", w, h);
    const Span columns = clip_span(x, w, width), rows = clip_span(y, h, height);
    const Ink ink = ink_of(srgb_rgba);
    for (int32_t j = rows.begin; j < rows.end; j++) {
        uint8_t *row = rgba + 4 * ((size_t)((int64_t)y + j) * (size_t)width);
        for (int32_t i = columns.begin; i < columns.end; i++) blend(row + 4 * ((int64_t)x + i), &ink, ink.alpha);
    }
    return THATCH_OK;
}
