// Fonts, over FreeType. Latin-1 glyphs stand in a table, all others in a list sorted by codepoint.
#include "io/font.h"

#include "base/check.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/font_check.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include FT_OUTLINE_H

enum { TABLE_GLYPHS = 256, LISTED_MAX = 8192, GLYPH_SIDE_MAX = 2048, BLOCK_MAX = 64 << 20 };

struct Font {
    FT_Face face;
    uint8_t *file; // the face reads from it
    int32_t ascent_px, line_px;
    Glyph *table; // TABLE_GLYPHS
    Glyph *listed;
    int32_t listed_count, listed_capacity;
};

Pool font_pool = {.noun = "font", .kind = KIND_FONT, .item_size = sizeof(Font)};
static FT_Library library; // kept once made, with the memory that it takes

// --- FreeType's memory: the runtime's heap, and no block that only a broken font would ask for ---

static void *ft_alloc(FT_Memory memory, long bytes)
{
    (void)memory;
    return bytes >= 0 && bytes <= BLOCK_MAX ? memory_alloc((size_t)bytes) : NULL;
}

static void ft_free(FT_Memory memory, void *block)
{
    (void)memory;
    memory_free(block);
}

static void *ft_realloc(FT_Memory memory, long old_bytes, long bytes, void *block)
{
    (void)memory, (void)old_bytes;
    return bytes >= 0 && bytes <= BLOCK_MAX ? memory_grow(block, block ? memory_size(block) : 0, (size_t)bytes) : NULL;
}

static struct FT_MemoryRec_ ft_memory = {NULL, ft_alloc, ft_free, ft_realloc};

static int32_t start_library(void)
{
    if (library) return THATCH_OK;
    FT_Library made = NULL;
    if (FT_New_Library(&ft_memory, &made) == 0) {
        FT_Add_Default_Modules(made); // says nothing when it lacks memory for one
        static const char *const needed[] = {"sfnt", "truetype", "cff", "psaux", "psnames", "pshinter", "autofitter", "smooth"};
        for (size_t i = 0; i < sizeof needed / sizeof *needed && made; i++) {
            if (FT_Get_Module(made, needed[i])) continue;
            FT_Done_Library(made);
            made = NULL;
        }
    }
    library = made;
    return made ? THATCH_OK : error_set(THATCH_ERROR_MEMORY, "font: memory is short for FreeType");
}

Font *font_find(ThatchFont handle)
{
    return pool_find(&font_pool, handle);
}

int32_t font_ascent_px(const Font *font)
{
    return font->ascent_px;
}

int32_t font_line_px(const Font *font)
{
    return font->line_px;
}

uint32_t font_next_codepoint(const char **text)
{
    const uint8_t *p = (const uint8_t *)*text;
    if (p[0] == 0) return 0;
    int length = p[0] < 0x80                   ? 1
                 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                 : (p[0] & 0xf0) == 0xe0       ? 3
                 : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                               : 0;
    if (length == 1) {
        *text += 1;
        return p[0];
    }
    uint32_t codepoint = length ? p[0] & (0x7fu >> length) : 0;
    for (int i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) { // also the text's end
            length = 0;
            break;
        }
        codepoint = codepoint << 6 | (p[i] & 0x3fu);
    }
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (length == 0 || codepoint < least[length] || codepoint > 0x10ffff ||
        (codepoint >= 0xd800 && codepoint < 0xe000)) {
        *text += 1;
        return 0xfffd;
    }
    *text += length;
    return codepoint;
}

// --- glyphs ---

static bool copy_coverage(const FT_Bitmap *bitmap, Glyph *glyph)
{
    const bool gray = bitmap->pixel_mode == FT_PIXEL_MODE_GRAY, mono = bitmap->pixel_mode == FT_PIXEL_MODE_MONO;
    if ((!gray && !mono) || bitmap->width == 0 || bitmap->rows == 0) return true;
    if (bitmap->width > GLYPH_SIDE_MAX || bitmap->rows > GLYPH_SIDE_MAX) return true;
    glyph->coverage = memory_array(bitmap->width, bitmap->rows);
    if (!glyph->coverage) return false;
    glyph->width = (int32_t)bitmap->width, glyph->height = (int32_t)bitmap->rows;
    for (int32_t y = 0; y < glyph->height; y++) {
        const uint8_t *row = bitmap->buffer + (ptrdiff_t)y * bitmap->pitch;
        uint8_t *out = glyph->coverage + (size_t)y * (size_t)glyph->width;
        if (gray)
            memcpy(out, row, (size_t)glyph->width);
        else
            for (int32_t x = 0; x < glyph->width; x++) out[x] = row[x >> 3] & (0x80 >> (x & 7)) ? 255 : 0;
    }
    return true;
}

// Would its picture be no larger than a glyph may be? An outline can span thousands of pixels in a broken font.
static bool has_fitting_side(const FT_GlyphSlot slot)
{
    if (slot->format != FT_GLYPH_FORMAT_OUTLINE) return true;
    FT_BBox box;
    FT_Outline_Get_CBox(&slot->outline, &box);
    const long most = (long)GLYPH_SIDE_MAX << 6;
    return box.xMin > -most && box.yMin > -most && box.xMax < most && box.yMax < most;
}

// A glyph that can't be made is blank; false when memory is short.
static bool make_glyph(Font *font, uint32_t codepoint, Glyph *glyph)
{
    *glyph = (Glyph){.codepoint = codepoint};
    const FT_Int32 flags = FT_LOAD_TARGET_LIGHT | (FT_IS_SCALABLE(font->face) ? FT_LOAD_NO_BITMAP : 0);
    FT_Error error = FT_Load_Char(font->face, codepoint, flags);
    const FT_GlyphSlot slot = font->face->glyph;
    if (error == 0) error = has_fitting_side(slot) ? FT_Render_Glyph(slot, FT_RENDER_MODE_LIGHT) : FT_Err_Raster_Overflow;
    if (error != 0) return error != FT_Err_Out_Of_Memory;
    glyph->left = slot->bitmap_left, glyph->top = slot->bitmap_top;
    glyph->advance_px = (int32_t)((slot->advance.x + 32) >> 6);
    return copy_coverage(&slot->bitmap, glyph);
}

static void forget_listed(Font *font)
{
    for (int32_t i = 0; i < font->listed_count; i++) memory_free(font->listed[i].coverage);
    font->listed_count = 0;
}

static const Glyph *listed_glyph(Font *font, uint32_t codepoint)
{
    int32_t low = 0, high = font->listed_count;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (font->listed[middle].codepoint == codepoint) return &font->listed[middle];
        if (font->listed[middle].codepoint < codepoint)
            low = middle + 1;
        else
            high = middle;
    }
    if (font->listed_count == LISTED_MAX) forget_listed(font), low = 0;
    Glyph *listed = memory_room(font->listed, &font->listed_capacity, font->listed_count + 1, sizeof *listed);
    if (!listed) return NULL;
    font->listed = listed;
    Glyph glyph;
    if (!make_glyph(font, codepoint, &glyph)) return NULL;
    memmove(listed + low + 1, listed + low, (size_t)(font->listed_count - low) * sizeof *listed);
    listed[low] = glyph;
    font->listed_count++;
    return &listed[low];
}

const Glyph *font_glyph(Font *font, uint32_t codepoint)
{
    if (codepoint >= TABLE_GLYPHS) return listed_glyph(font, codepoint);
    Glyph *glyph = &font->table[codepoint];
    if (!glyph->made) {
        if (!make_glyph(font, codepoint, glyph)) return NULL;
        glyph->made = true;
    }
    return glyph;
}

// --- public ---

static void free_font(Font *font)
{
    for (int32_t i = 0; i < TABLE_GLYPHS; i++) memory_free(font->table[i].coverage);
    forget_listed(font);
    memory_free(font->table);
    memory_free(font->listed);
    if (font->face) FT_Done_Face(font->face);
    memory_free(font->file);
}

static int32_t open_face(const char *name, const uint8_t *bytes, int32_t byte_count, int32_t size_px, FT_Face *face)
{
    const char *problem = font_check(bytes, byte_count);
    if (problem) return error_set(THATCH_ERROR_FILE, "font: %.200s is %s", name, problem);
    TRY(start_library());
    FT_Error error = FT_New_Memory_Face(library, bytes, byte_count, 0, face);
    if (error != 0) *face = NULL;
    if (error == 0) error = FT_Set_Pixel_Sizes(*face, 0, (FT_UInt)size_px);
    if (error == 0) return THATCH_OK;
    if (error == FT_Err_Out_Of_Memory) return error_set(THATCH_ERROR_MEMORY, "font: memory is short for %.200s", name);
    if (!*face) return error_set(THATCH_ERROR_FILE, "font: %.200s is broken", name);
    return error_set(THATCH_ERROR_FILE, "font: %.200s has no size of %d pixels", name, size_px);
}

int32_t font_take(uint8_t *bytes, int32_t byte_count, const char *name, int32_t size_px, ThatchFont *out)
{
    *out = 0;
    FT_Face face = NULL;
    int32_t status = open_face(name, bytes, byte_count, size_px, &face);
    Glyph *table = NULL;
    Font *font = NULL;
    if (status == THATCH_OK) {
        table = MEMORY_NEW(Glyph, TABLE_GLYPHS);
        status = table ? THATCH_OK : error_set(THATCH_ERROR_MEMORY, "font: memory is short");
    }
    if (status == THATCH_OK) {
        font = pool_add(&font_pool, out);
        status = font ? THATCH_OK : error_last_code();
    }
    if (status != THATCH_OK) {
        if (face) FT_Done_Face(face);
        memory_free(table), memory_free(bytes);
        return status;
    }
    *font = (Font){.face = face, .file = bytes, .table = table};
    font->ascent_px = (int32_t)((face->size->metrics.ascender + 63) >> 6);
    font->line_px = (int32_t)((face->size->metrics.height + 63) >> 6);
    if (font->line_px < 1) font->line_px = size_px;
    return THATCH_OK;
}

int32_t thatch_font_create(const char *path, int32_t size_px, ThatchFont *out)
{
    CHECK_NOT_NULL(out, "font", "out");
    *out = 0;
    CHECK_NOT_NULL(path, "font", "path");
    CHECK_INT_RANGE(size_px, 4, 256, "font", "size_px");
    uint8_t *bytes;
    int32_t byte_count;
    TRY(file_read("font", path, &bytes, &byte_count));
    return font_take(bytes, byte_count, path, size_px, out);
}

void thatch_font_destroy(ThatchFont handle)
{
    Font *font = font_find(handle);
    if (!font) return;
    free_font(font);
    pool_remove(&font_pool, handle);
}

bool thatch_font_is_valid(ThatchFont handle)
{
    return font_find(handle) != NULL;
}
