// stb_image and stb_image_write (Sean Barrett, public domain), compiled here and nowhere else: four formats only, no
// files, memory from the runtime's heap under a budget.
#include "io/stb_unit.h"

#include "base/memory.h"
#include "thatch.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

// What stb holds now. It leaks some of it when it gives up for want of memory.
enum { HELD_MAX = 64 };
static _Thread_local void *held[HELD_MAX];
static _Thread_local int held_count;
static _Thread_local size_t budget_left;

static void *budget_alloc(size_t bytes)
{
    if (bytes > budget_left || held_count == HELD_MAX) return NULL;
    void *block = memory_alloc(bytes);
    if (!block) return NULL;
    budget_left -= bytes;
    held[held_count++] = block;
    return block;
}

// Takes a block off the books without freeing it.
static void budget_forget(const void *block)
{
    for (int i = 0; i < held_count; i++) {
        if (held[i] != block) continue;
        held[i] = held[--held_count];
        budget_left += memory_size(block);
        return;
    }
}

static void budget_free(void *block)
{
    if (!block) return;
    budget_forget(block);
    memory_free(block);
}

static void *budget_realloc(void *block, size_t bytes)
{
    void *grown = budget_alloc(bytes);
    if (!grown) return NULL;
    if (block) {
        const size_t old = memory_size(block);
        memcpy(grown, block, old < bytes ? old : bytes);
        budget_free(block);
    }
    return grown;
}

static void budget_free_all(void)
{
    while (held_count > 0) memory_free(held[--held_count]);
}

#define STBI_MALLOC(bytes) budget_alloc(bytes)
#define STBI_REALLOC(block, bytes) budget_realloc(block, bytes)
#define STBI_FREE(block) budget_free(block)
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS THATCH_MAX_TEXTURE_SIDE
#define STBI_ASSERT(condition) ((void)0)
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION

// stb's own compressor takes no failed allocation, and zlib packs tighter in less time.
static void *zlib_alloc(void *context, unsigned count, unsigned size)
{
    (void)context;
    return memory_array(count, size);
}

static void zlib_free(void *context, void *block)
{
    (void)context;
    memory_free(block);
}

static uint8_t *compress_zlib(uint8_t *bytes, int byte_count, int *out_count)
{
    enum { LEVEL = 4 };
    z_stream stream = {.zalloc = zlib_alloc, .zfree = zlib_free};
    if (deflateInit(&stream, LEVEL) != Z_OK) return NULL;
    const unsigned long bound = deflateBound(&stream, (unsigned long)byte_count);
    uint8_t *out = bound <= INT_MAX ? budget_alloc(bound) : NULL;
    if (out) {
        stream.next_in = bytes, stream.avail_in = (unsigned)byte_count;
        stream.next_out = out, stream.avail_out = (unsigned)bound;
        if (deflate(&stream, Z_FINISH) == Z_STREAM_END) {
            *out_count = (int)stream.total_out;
        } else {
            budget_free(out);
            out = NULL;
        }
    }
    deflateEnd(&stream);
    return out;
}

#define STBIW_ZLIB_COMPRESS(data, count, out_count, quality) compress_zlib(data, count, out_count)
#define STBIW_MALLOC(bytes) budget_alloc(bytes)
#define STBIW_REALLOC(block, bytes) budget_realloc(block, bytes)
#define STBIW_FREE(block) budget_free(block)
#define STBI_WRITE_NO_STDIO
#define STBIW_ASSERT(condition) ((void)0)
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION

// Not popped: a static function that is never called is reported where the file ends.
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wshadow"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <stb_image.h>
#include <stb_image_write.h>

uint8_t *stb_unit_decode(const uint8_t *bytes, int32_t byte_count, size_t budget, int32_t *width, int32_t *height)
{
    budget_left = budget;
    int w = 0, h = 0, channels;
    uint8_t *texels = stbi_load_from_memory(bytes, byte_count, &w, &h, &channels, 4);
    if (texels) budget_forget(texels);
    budget_free_all();
    *width = w, *height = h;
    return texels;
}

int stb_unit_info(const uint8_t *bytes, int32_t byte_count, int32_t *width, int32_t *height)
{
    int w = 0, h = 0, channels;
    budget_left = 1 << 20;
    const int known = stbi_info_from_memory(bytes, byte_count, &w, &h, &channels);
    budget_free_all();
    *width = w, *height = h;
    return known;
}

const char *stb_unit_reason(void)
{
    const char *reason = stbi_failure_reason();
    return reason ? reason : "unknown";
}

uint8_t *stb_unit_encode_png(const uint8_t *rgba, int32_t width, int32_t height, int64_t *byte_count)
{
    int length = 0;
    budget_left = SIZE_MAX;
    uint8_t *png = stbi_write_png_to_mem(rgba, 4 * width, width, height, 4, &length);
    if (png) budget_forget(png);
    budget_free_all();
    *byte_count = length;
    return png;
}

typedef struct Sink {
    uint8_t *bytes;
    size_t length, capacity;
    int failed;
} Sink;

static void sink_add(void *context, void *data, int size)
{
    Sink *sink = context;
    if (sink->failed) return;
    const size_t needed = sink->length + (size_t)size;
    if (needed > sink->capacity) {
        const size_t capacity = 2 * needed + 65536;
        uint8_t *grown = memory_grow(sink->bytes, sink->length, capacity);
        if (!grown) {
            sink->failed = 1;
            return;
        }
        sink->bytes = grown, sink->capacity = capacity;
    }
    memcpy(sink->bytes + sink->length, data, (size_t)size);
    sink->length = needed;
}

uint8_t *stb_unit_encode_jpeg(const uint8_t *rgba, int32_t width, int32_t height, int64_t *byte_count)
{
    enum { QUALITY = 92 };
    Sink sink = {0};
    if (!stbi_write_jpg_to_func(sink_add, &sink, width, height, 4, rgba, QUALITY) || sink.failed) {
        memory_free(sink.bytes);
        return NULL;
    }
    *byte_count = (int64_t)sink.length;
    return sink.bytes;
}
