// Walks the table directory of a TrueType or OpenType file. FreeType leaves tables out that a short file lacks, and
// knows a dozen formats more than fonts come in today; so both are refused here.
#include "io/font_check.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { TABLES_MAX = 512 };

static const char truncated[] = "truncated";

static int64_t big(const uint8_t *p, int n)
{
    int64_t value = 0;
    for (int i = 0; i < n; i++) value = value << 8 | p[i];
    return value;
}

// Do as many of the tag's bytes as there are stand at the file's start?
static bool begins(const uint8_t *bytes, int64_t count, const char *tag)
{
    return memcmp(bytes, tag, count < 4 ? (size_t)count : 4) == 0;
}

static bool is_font(const uint8_t *bytes, int64_t count)
{
    return begins(bytes, count, "\0\1\0\0") || begins(bytes, count, "OTTO") || begins(bytes, count, "true");
}

const char *font_check(const uint8_t *bytes, int64_t count)
{
    int64_t at = 0;
    if (count == 0) return truncated;
    if (begins(bytes, count, "ttcf")) { // a collection: its first font is taken
        if (count < 16) return truncated;
        at = big(bytes + 12, 4);
        if (at > count - 4) return truncated;
    }
    if (!is_font(bytes + at, count - at)) return "of no known format, need TrueType or OpenType";
    if (at + 12 > count) return truncated;
    const int64_t tables = big(bytes + at + 4, 2);
    if (tables == 0 || tables > TABLES_MAX) return "broken: its number of tables";
    if (at + 12 + 16 * tables > count) return truncated;
    for (int64_t i = 0; i < tables; i++) {
        const uint8_t *record = bytes + at + 12 + 16 * i;
        if (big(record + 8, 4) + big(record + 12, 4) > count) return truncated;
    }
    return NULL;
}
