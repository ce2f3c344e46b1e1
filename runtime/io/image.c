// Images in and out: checked, decoded and encoded in memory, written aside.
#include "base/check.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/image_check.h"
#include "io/stb_unit.h"

#include <strings.h>

// The most pixels that a byte of a file can stand for: deflate packs 1032 bytes into one, at one bit a pixel; a
// progressive JPEG needs more than a bit for six blocks of 64; the others are counted exactly by image_check.
static int64_t pixels_per_byte(int32_t format)
{
    return format == IMAGE_PNG ? 8256 : 2048;
}

static int32_t refuse_broken(const char *name)
{
    const char *reason = stb_unit_reason();
    if (strcmp(reason, "outofmem") == 0)
        return error_set(THATCH_ERROR_MEMORY, "image: memory is short for %.200s", name);
    return error_set(THATCH_ERROR_FILE, "image: %.200s is broken: %s", name, reason);
}

static int32_t decode(const uint8_t *bytes, int32_t byte_count, const char *name, uint8_t **texels, int32_t *width,
                      int32_t *height)
{
    const ImageCheck check = image_check(bytes, byte_count);
    if (check.problem) return error_set(THATCH_ERROR_FILE, "image: %.200s is %s", name, check.problem);
    int32_t w, h;
    if (!stb_unit_info(bytes, byte_count, &w, &h)) return refuse_broken(name);
    if (w < 1 || h < 1 || w > THATCH_MAX_TEXTURE_SIDE || h > THATCH_MAX_TEXTURE_SIDE) {
        return error_set(THATCH_ERROR_LIMIT, "image: %.200s has %d x %d pixels, need 1 .. %d a side", name, w, h,
                         THATCH_MAX_TEXTURE_SIDE);
    }
    const int64_t pixels = (int64_t)w * h;
    if (pixels / pixels_per_byte(check.format) > byte_count) {
        return error_set(THATCH_ERROR_FILE, "image: %.200s is truncated: %d bytes can't hold %d x %d pixels", name,
                         byte_count, w, h);
    }
    // What a decoder may hold: 16-bit PNG rows before and after filtering, and the doubling of its buffers.
    const size_t budget = (size_t)pixels * 48 + (size_t)byte_count * 4 + (1u << 20);
    int32_t got_width, got_height;
    uint8_t *decoded = stb_unit_decode(bytes, byte_count, budget, &got_width, &got_height);
    if (!decoded) return refuse_broken(name);
    if (got_width != w || got_height != h) {
        memory_free(decoded);
        return error_set(THATCH_ERROR_FILE, "image: %.200s is broken: two sizes", name);
    }
    *texels = decoded, *width = w, *height = h;
    return THATCH_OK;
}

static int32_t check_outs(uint8_t **texels, const int32_t *width, const int32_t *height)
{
    CHECK_ARG(texels && width && height, "image: out is null, need texels, width and height");
    *texels = NULL;
    return THATCH_OK;
}

int32_t thatch_image_load(const char *path, uint8_t **texels, int32_t *width, int32_t *height)
{
    TRY(check_outs(texels, width, height));
    CHECK_NOT_NULL(path, "image", "path");
    uint8_t *bytes;
    int32_t byte_count;
    TRY(file_read("image", path, &bytes, &byte_count));
    const int32_t status = decode(bytes, byte_count, path, texels, width, height);
    memory_free(bytes);
    return status;
}

int32_t thatch_image_load_memory(const uint8_t *bytes, int32_t byte_count, const char *name, uint8_t **texels,
                                 int32_t *width, int32_t *height)
{
    TRY(check_outs(texels, width, height));
    CHECK_INT_RANGE(byte_count, 0, THATCH_MAX_FILE_BYTES, "image", "byte_count");
    CHECK_ARG(bytes || byte_count == 0, "image: bytes is null, need %d", byte_count);
    return decode(bytes, byte_count, name ? name : "image", texels, width, height);
}

void thatch_image_free(uint8_t *texels)
{
    memory_free(texels);
}

int32_t thatch_image_write(const char *path, const uint8_t *texels, int32_t width, int32_t height)
{
    CHECK_NOT_NULL(path, "image_write", "path");
    CHECK_NOT_NULL(texels, "image_write", "texels");
    CHECK_INT_RANGE(width, 1, THATCH_MAX_TEXTURE_SIDE, "image_write", "width");
    CHECK_INT_RANGE(height, 1, THATCH_MAX_TEXTURE_SIDE, "image_write", "height");
    const char *ending = strrchr(path, '.');
    const bool png = ending && strcasecmp(ending, ".png") == 0;
    const bool jpeg = ending && (strcasecmp(ending, ".jpg") == 0 || strcasecmp(ending, ".jpeg") == 0);
    CHECK_ARG(png || jpeg, "image_write: path is %.200s, need one that ends in .png, .jpg or .jpeg", path);
    int64_t byte_count = 0;
    uint8_t *bytes = png ? stb_unit_encode_png(texels, width, height, &byte_count)
                         : stb_unit_encode_jpeg(texels, width, height, &byte_count);
    if (!bytes) {
        return error_set(THATCH_ERROR_MEMORY, "image_write: memory is short for %d x %d pixels", width, height);
    }
    const int32_t status = file_write("image_write", path, bytes, byte_count);
    memory_free(bytes);
    return status;
}
