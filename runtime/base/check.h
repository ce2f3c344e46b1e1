// What the checks of arguments have in common. Public names only.
#pragma once
#include "base/error.h"

#include <string.h>

// The number that a *_defaults function leaves in internal_value, one for each def.
enum {
    DEF_GEOMETRY = 0x74680001,
    DEF_TEXTURE,
    DEF_MATERIAL,
    DEF_SHADING,
    DEF_MESH,
    DEF_LIGHT,
    DEF_WATER,
    DEF_SHADOW_OPTIONS,
    DEF_GATHER_OPTIONS,
    DEF_RESOLVE_OPTIONS,
};

#define CHECK_DEF(def, mark, thing)                                                                                    \
    do {                                                                                                               \
        CHECK_ARG(def, thing ": def is null, need one filled by its defaults function");                               \
        CHECK_ARG((def)->internal_value == (uint32_t)(mark),                                                           \
                  thing ": internal_value is %u, need a def filled by its defaults function",                          \
                  (unsigned)(def)->internal_value);                                                                    \
    } while (0)
#define CHECK_NOT_NULL(pointer, thing, name) CHECK_ARG(pointer, thing ": " name " is null, need a pointer")

static inline bool is_finite(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7f800000u) != 0x7f800000u;
}
// The first of count numbers that is not finite; -1 when all are.
static inline int64_t find_not_finite(const float *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (!is_finite(values[i])) return i;
    }
    return -1;
}
// The first that is not in low .. high (NaN is not); -1 when all are.
static inline int64_t find_outside(const float *values, int64_t count, float low, float high)
{
    for (int64_t i = 0; i < count; i++) {
        if (!(values[i] >= low && values[i] <= high)) return i;
    }
    return -1;
}
#define CHECK_RANGE(value, low, high, thing, name)                                                                     \
    CHECK_ARG((value) >= (low) && (value) <= (high), thing ": " name " is %g, need %g .. %g", (double)(value),         \
              (double)(low), (double)(high))
#define CHECK_INT_RANGE(value, low, high, thing, name)                                                                 \
    CHECK_ARG((value) >= (low) && (value) <= (high), thing ": " name " is %d, need %d .. %d", (int)(value),            \
              (int)(low), (int)(high))
#define CHECK_FINITE(values, count, thing, name)                                                                       \
    do {                                                                                                               \
        const int64_t bad_ = find_not_finite(values, count);                                                           \
        CHECK_ARG(bad_ < 0, thing ": " name "[%d] is %g, need a finite number", (int)bad_, (double)(values)[bad_]);    \
    } while (0)
#define CHECK_ALL_RANGE(values, count, low, high, thing, name)                                                         \
    do {                                                                                                               \
        const int64_t bad_ = find_outside(values, count, low, high);                                                   \
        CHECK_ARG(bad_ < 0, thing ": " name "[%d] is %g, need %g .. %g", (int)bad_, (double)(values)[bad_],            \
                  (double)(low), (double)(high));                                                                      \
    } while (0)
