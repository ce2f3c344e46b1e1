// Walks an image file's structure. stb_image takes short BMP and TGA files as good, fills what a cut JPEG lacks with
// gray, and writes past a table when a JPEG's Huffman counts are too large; so all that is refused here.
#include "io/image_check.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char truncated[] = "truncated";

static uint32_t little(const uint8_t *p, int n)
{
    uint32_t value = 0;
    for (int i = n - 1; i >= 0; i--) value = value << 8 | p[i];
    return value;
}

static uint32_t big(const uint8_t *p, int n)
{
    uint32_t value = 0;
    for (int i = 0; i < n; i++) value = value << 8 | p[i];
    return value;
}

// --- PNG ---

static const uint8_t png_signature[8] = {137, 'P', 'N', 'G', 13, 10, 26, 10};

static const char *check_png(const uint8_t *bytes, int64_t count)
{
    int64_t at = 8;
    bool data_seen = false;
    while (at + 12 <= count) {
        const int64_t length = big(bytes + at, 4);
        const uint8_t *type = bytes + at + 4;
        if (length > INT32_MAX) return "broken: a chunk's length is too large";
        if (at == 8 && memcmp(type, "IHDR", 4) != 0) return "broken: no header chunk";
        if (memcmp(type, "IDAT", 4) == 0) data_seen = true;
        if (at + 12 + length > count) return truncated;
        at += 12 + length;
        if (memcmp(type, "IEND", 4) == 0) return data_seen ? NULL : "broken: no data";
    }
    return truncated;
}

// --- JPEG ---

static const char *check_huffman(const uint8_t *bytes, int64_t count)
{
    int64_t at = 0;
    while (at < count) {
        if (at + 17 > count) return "broken: a Huffman table ends early";
        int64_t symbols = 0;
        for (int i = 1; i <= 16; i++) symbols += bytes[at + i];
        if (symbols > 256) return "broken: a Huffman table has more than 256 codes";
        at += 17 + symbols;
    }
    return at == count ? NULL : "broken: a Huffman table ends early";
}

// From inside a scan's data to its next marker's 0xff; count when there is none.
static int64_t skip_scan(const uint8_t *bytes, int64_t at, int64_t count)
{
    while (at + 1 < count) {
        const uint8_t next = bytes[at + 1];
        if (bytes[at] == 0xff && next != 0 && next != 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
        at += bytes[at] == 0xff && next != 0xff ? 2 : 1;
    }
    return count;
}

static const char *check_jpeg(const uint8_t *bytes, int64_t count)
{
    // Each scan is decoded over the whole picture: a few bytes of them would take seconds.
    enum { BASELINE_SCANS = 4, PROGRESSIVE_SCANS = 24 };
    int64_t at = 2;
    int scans = 0, scans_max = BASELINE_SCANS;
    for (;;) {
        if (at >= count) return truncated;
        if (bytes[at] != 0xff) return "broken: no marker where one must be";
        while (at < count && bytes[at] == 0xff) at++;
        if (at >= count) return truncated;
        const uint8_t marker = bytes[at++];
        if (marker == 0xd9) return scans ? NULL : "broken: no picture data";
        if (marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue;
        if (at + 2 > count) return truncated;
        const int64_t length = big(bytes + at, 2);
        if (length < 2) return "broken: a segment is too short";
        if (at + length > count) return truncated;
        if (marker == 0xc4) {
            const char *problem = check_huffman(bytes + at + 2, length - 2);
            if (problem) return problem;
        }
        if (marker == 0xc2) scans_max = PROGRESSIVE_SCANS;
        at += length;
        if (marker == 0xda) {
            if (++scans > scans_max) return "broken: more scans than a picture has";
            at = skip_scan(bytes, at, count);
        }
    }
}

// --- BMP ---

static const char *check_bmp(const uint8_t *bytes, int64_t count)
{
    if (count < 18) return truncated;
    const int64_t offset = little(bytes + 10, 4), header = little(bytes + 14, 4);
    if (header != 12 && header != 40 && header != 56 && header != 108 && header != 124)
        return "broken: an unknown header";
    if (count < 14 + header) return truncated;
    int64_t width, height, bits, compression = 0;
    if (header == 12) {
        width = little(bytes + 18, 2), height = little(bytes + 20, 2), bits = little(bytes + 24, 2);
    } else {
        width = (int32_t)little(bytes + 18, 4), height = (int32_t)little(bytes + 22, 4), bits = little(bytes + 28, 2);
        compression = little(bytes + 30, 4);
    }
    if (height < 0) height = -height;
    if (width <= 0 || height <= 0) return "broken: no size";
    if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32)
        return "broken: an unknown depth";
    if (compression != 0 && compression != 3) return "compressed, need a plain one";
    // Where stb starts to read: after the headers, masks and palette, at offset at the earliest.
    if (offset < 14 + header || offset > count) return offset > count ? truncated : "broken: its data begins too early";
    const int64_t row = (width * bits + 31) / 32 * 4;
    return height > (count - offset) / row ? truncated : NULL;
}

// --- TGA ---

static bool is_tga(const uint8_t *bytes, int64_t count)
{
    if (count >= 2 && bytes[1] > 1) return false;
    if (count >= 3) {
        const int type = bytes[2] & ~8;
        if (bytes[1] == 1 ? type != 1 : type != 2 && type != 3) return false;
    }
    if (count >= 17) {
        const int bits = bytes[16];
        if (bits != 8 && bits != 15 && bits != 16 && bits != 24 && bits != 32) return false;
        return little(bytes + 12, 2) > 0 && little(bytes + 14, 2) > 0;
    }
    return true;
}

static const char *check_tga(const uint8_t *bytes, int64_t count)
{
    if (count < 18) return truncated;
    int64_t at = 18 + bytes[0];
    if (bytes[1] == 1) {
        const int64_t first = little(bytes + 3, 2), length = little(bytes + 5, 2), bits = bytes[7];
        if (length == 0) return "broken: an empty palette";
        at += first + length * ((bits + 7) / 8); // stb takes `first` as bytes to skip
    }
    const int64_t texels = (int64_t)little(bytes + 12, 2) * little(bytes + 14, 2), size = (bytes[16] + 7) / 8;
    if (at > count) return truncated;
    if (!(bytes[2] & 8)) return texels > (count - at) / size ? truncated : NULL;
    int64_t left = texels;
    while (left > 0) {
        if (at >= count) return truncated;
        const int64_t run = (bytes[at] & 127) + 1, length = bytes[at] & 128 ? size : run * size;
        if (at + 1 + length > count) return truncated;
        at += 1 + length;
        left -= run;
    }
    return NULL;
}

ImageCheck image_check(const uint8_t *bytes, int64_t count)
{
    if (count == 0) return (ImageCheck){IMAGE_UNKNOWN, truncated};
    if (memcmp(bytes, png_signature, count < 8 ? (size_t)count : 8) == 0) {
        return (ImageCheck){IMAGE_PNG, check_png(bytes, count)};
    }
    if (bytes[0] == 0xff && (count == 1 || bytes[1] == 0xd8)) return (ImageCheck){IMAGE_JPEG, check_jpeg(bytes, count)};
    if (bytes[0] == 'B' && (count == 1 || bytes[1] == 'M')) return (ImageCheck){IMAGE_BMP, check_bmp(bytes, count)};
    if (is_tga(bytes, count)) return (ImageCheck){IMAGE_TGA, check_tga(bytes, count)};
    return (ImageCheck){IMAGE_UNKNOWN, "of no known format, need PNG, JPEG, BMP or TGA"};
}
