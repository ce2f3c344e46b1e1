// Sixteen lanes in plain C: the reference that the other lanes_*.h must equal to the bit.
// Semantics that hold for all of them: min and max are `a < b ? a : b` and `a > b ? a : b` (a NaN in a gives b);
// to_i32 truncates and is asked only for |x| < 2^31; floor likewise.
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 16 };
typedef struct f32x16 { float v[16]; } f32x16;
typedef struct i32x16 { int32_t v[16]; } i32x16;
typedef struct m16 { int32_t v[16]; } m16; // 0 or -1

#define EACH for (int k = 0; k < 16; k++)
#define PLAIN_FF(name, expression) \
    static inline f32x16 f32x16_##name(f32x16 a, f32x16 b) { f32x16 r; EACH r.v[k] = expression; return r; }
PLAIN_FF(add, a.v[k] + b.v[k])
PLAIN_FF(sub, a.v[k] - b.v[k])
PLAIN_FF(mul, a.v[k] * b.v[k])
PLAIN_FF(div, a.v[k] / b.v[k])
PLAIN_FF(min, a.v[k] < b.v[k] ? a.v[k] : b.v[k])
PLAIN_FF(max, a.v[k] > b.v[k] ? a.v[k] : b.v[k])
#define PLAIN_FM(name, op) \
    static inline m16 f32x16_##name(f32x16 a, f32x16 b) { m16 r; EACH r.v[k] = -(a.v[k] op b.v[k]); return r; }
PLAIN_FM(gt, >)
PLAIN_FM(ge, >=)
PLAIN_FM(lt, <)
PLAIN_FM(le, <=)
PLAIN_FM(eq, ==)
#define PLAIN_II(name, expression) \
    static inline i32x16 i32x16_##name(i32x16 a, i32x16 b) { i32x16 r; EACH r.v[k] = expression; return r; }
PLAIN_II(add, (int32_t)((uint32_t)a.v[k] + (uint32_t)b.v[k]))
PLAIN_II(sub, (int32_t)((uint32_t)a.v[k] - (uint32_t)b.v[k]))
PLAIN_II(mul, (int32_t)((uint32_t)a.v[k] * (uint32_t)b.v[k]))
PLAIN_II(min, a.v[k] < b.v[k] ? a.v[k] : b.v[k])
PLAIN_II(max, a.v[k] > b.v[k] ? a.v[k] : b.v[k])
PLAIN_II(and, a.v[k] & b.v[k])
PLAIN_II(or, a.v[k] | b.v[k])
PLAIN_II(xor, a.v[k] ^ b.v[k])
#define PLAIN_IM(name, op) \
    static inline m16 i32x16_##name(i32x16 a, i32x16 b) { m16 r; EACH r.v[k] = -(a.v[k] op b.v[k]); return r; }
PLAIN_IM(gt, >)
PLAIN_IM(lt, <)
PLAIN_IM(eq, ==)
#define PLAIN_MM(name, expression) \
    static inline m16 m16_##name(m16 a, m16 b) { m16 r; EACH r.v[k] = expression; return r; }
PLAIN_MM(and, a.v[k] & b.v[k])
PLAIN_MM(or, a.v[k] | b.v[k])
PLAIN_MM(andnot, a.v[k] & ~b.v[k])

static inline f32x16 f32x16_splat(float x) { f32x16 r; EACH r.v[k] = x; return r; }
static inline i32x16 i32x16_splat(int32_t x) { i32x16 r; EACH r.v[k] = x; return r; }
static inline f32x16 f32x16_load(const float *p) { f32x16 r; memcpy(&r, p, 64); return r; }
static inline i32x16 i32x16_load(const void *p) { i32x16 r; memcpy(&r, p, 64); return r; }
static inline void f32x16_store(float *p, f32x16 a) { memcpy(p, &a, 64); }
static inline void i32x16_store(void *p, i32x16 a) { memcpy(p, &a, 64); }
static inline f32x16 f32x16_sqrt(f32x16 a) { EACH a.v[k] = sqrtf(a.v[k]); return a; }
static inline f32x16 f32x16_from_i32(i32x16 a) { f32x16 r; EACH r.v[k] = (float)a.v[k]; return r; }
static inline int32_t plain_truncate(float x) { return x >= -0x1p31f && x < 0x1p31f ? (int32_t)x : INT32_MIN; } // as x86
static inline i32x16 f32x16_to_i32(f32x16 a) { i32x16 r; EACH r.v[k] = plain_truncate(a.v[k]); return r; }
static inline i32x16 f32x16_bits(f32x16 a) { i32x16 r; memcpy(&r, &a, 64); return r; }
static inline f32x16 i32x16_floats(i32x16 a) { f32x16 r; memcpy(&r, &a, 64); return r; }
static inline i32x16 i32x16_shl(i32x16 a, int n) { EACH a.v[k] = (int32_t)((uint32_t)a.v[k] << n); return a; }
static inline i32x16 i32x16_shr(i32x16 a, int n) { EACH a.v[k] = (int32_t)((uint32_t)a.v[k] >> n); return a; }
static inline i32x16 i32x16_sra(i32x16 a, int n) { EACH a.v[k] >>= n; return a; }
static inline f32x16 f32x16_select(m16 m, f32x16 a, f32x16 b) { f32x16 r; EACH r.v[k] = m.v[k] ? a.v[k] : b.v[k]; return r; }
static inline i32x16 i32x16_select(m16 m, i32x16 a, i32x16 b) { i32x16 r; EACH r.v[k] = m.v[k] ? a.v[k] : b.v[k]; return r; }
static inline m16 i32x16_negative(i32x16 a) { m16 r; EACH r.v[k] = a.v[k] >> 31; return r; }
static inline uint32_t m16_bits(m16 a) { uint32_t r = 0; EACH r |= (uint32_t)(a.v[k] & 1) << k; return r; }
static inline m16 m16_from_bits(uint32_t bits) { m16 r; EACH r.v[k] = -(int32_t)(bits >> k & 1); return r; }
static inline m16 m16_not(m16 a) { EACH a.v[k] = ~a.v[k]; return a; }

static inline float f32x16_least(f32x16 a) // no NaN
{
    float least = a.v[0];
    EACH least = a.v[k] < least ? a.v[k] : least;
    return least;
}

// Lane k of row r of the result is dword r of the 16-byte record at base + 16 * index[k].
static inline void lanes_gather4(const void *base, const int32_t index[16], i32x16 rows[4])
{
    EACH {
        int32_t record[4];
        memcpy(record, (const char *)base + 16 * (intptr_t)index[k], 16);
        for (int r = 0; r < 4; r++) rows[r].v[k] = record[r];
    }
}
// 16 records of 4 dwords from 4 rows.
static inline void lanes_scatter4(void *out, i32x16 a, i32x16 b, i32x16 c, i32x16 d)
{
    int32_t *o = (int32_t *)out;
    EACH { o[4 * k] = a.v[k], o[4 * k + 1] = b.v[k], o[4 * k + 2] = c.v[k], o[4 * k + 3] = d.v[k]; }
}
// Dwords p[i] and p[i + 1] of each lane.
static inline void lanes_pairs(const void *p, i32x16 i, i32x16 *a, i32x16 *b)
{
    EACH {
        int32_t pair[2];
        memcpy(pair, (const char *)p + 4 * (intptr_t)i.v[k], 8);
        a->v[k] = pair[0], b->v[k] = pair[1];
    }
}
#undef EACH
#include "base/lanes_common.h"
