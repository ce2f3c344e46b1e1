// Sixteen lanes as four SSE2 registers. See lanes_plain.h for what each name means.
#pragma once
#include <emmintrin.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 16 };
typedef struct f32x16 { __m128 q[4]; } f32x16;
typedef struct i32x16 { __m128i q[4]; } i32x16;
typedef struct m16 { __m128i q[4]; } m16;

#define EACH for (int k = 0; k < 4; k++)
#define SSE2_OP(type, in, name, expression) \
    static inline type in##_##name(in a, in b) { type r; EACH r.q[k] = expression; return r; }
SSE2_OP(f32x16, f32x16, add, _mm_add_ps(a.q[k], b.q[k]))
SSE2_OP(f32x16, f32x16, sub, _mm_sub_ps(a.q[k], b.q[k]))
SSE2_OP(f32x16, f32x16, mul, _mm_mul_ps(a.q[k], b.q[k]))
SSE2_OP(f32x16, f32x16, div, _mm_div_ps(a.q[k], b.q[k]))
SSE2_OP(f32x16, f32x16, min, _mm_min_ps(a.q[k], b.q[k]))
SSE2_OP(f32x16, f32x16, max, _mm_max_ps(a.q[k], b.q[k]))
SSE2_OP(m16, f32x16, gt, _mm_castps_si128(_mm_cmpgt_ps(a.q[k], b.q[k])))
SSE2_OP(m16, f32x16, ge, _mm_castps_si128(_mm_cmpge_ps(a.q[k], b.q[k])))
SSE2_OP(m16, f32x16, lt, _mm_castps_si128(_mm_cmplt_ps(a.q[k], b.q[k])))
SSE2_OP(m16, f32x16, le, _mm_castps_si128(_mm_cmple_ps(a.q[k], b.q[k])))
SSE2_OP(m16, f32x16, eq, _mm_castps_si128(_mm_cmpeq_ps(a.q[k], b.q[k])))
SSE2_OP(i32x16, i32x16, add, _mm_add_epi32(a.q[k], b.q[k]))
SSE2_OP(i32x16, i32x16, sub, _mm_sub_epi32(a.q[k], b.q[k]))
SSE2_OP(i32x16, i32x16, and, _mm_and_si128(a.q[k], b.q[k]))
SSE2_OP(i32x16, i32x16, or, _mm_or_si128(a.q[k], b.q[k]))
SSE2_OP(i32x16, i32x16, xor, _mm_xor_si128(a.q[k], b.q[k]))
SSE2_OP(m16, i32x16, gt, _mm_cmpgt_epi32(a.q[k], b.q[k]))
SSE2_OP(m16, i32x16, lt, _mm_cmplt_epi32(a.q[k], b.q[k]))
SSE2_OP(m16, i32x16, eq, _mm_cmpeq_epi32(a.q[k], b.q[k]))
SSE2_OP(m16, m16, and, _mm_and_si128(a.q[k], b.q[k]))
SSE2_OP(m16, m16, or, _mm_or_si128(a.q[k], b.q[k]))
SSE2_OP(m16, m16, andnot, _mm_andnot_si128(b.q[k], a.q[k]))

static inline __m128i sse2_pick(__m128i m, __m128i a, __m128i b)
{
    return _mm_or_si128(_mm_and_si128(m, a), _mm_andnot_si128(m, b));
}
static inline __m128i sse2_mul(__m128i a, __m128i b) // no pmulld before SSE4.1
{
    const __m128i even = _mm_mul_epu32(a, b), odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, 0x08), _mm_shuffle_epi32(odd, 0x08));
}
SSE2_OP(i32x16, i32x16, mul, sse2_mul(a.q[k], b.q[k]))
SSE2_OP(i32x16, i32x16, min, sse2_pick(_mm_cmplt_epi32(a.q[k], b.q[k]), a.q[k], b.q[k]))
SSE2_OP(i32x16, i32x16, max, sse2_pick(_mm_cmpgt_epi32(a.q[k], b.q[k]), a.q[k], b.q[k]))

static inline f32x16 f32x16_splat(float x) { f32x16 r; EACH r.q[k] = _mm_set1_ps(x); return r; }
static inline i32x16 i32x16_splat(int32_t x) { i32x16 r; EACH r.q[k] = _mm_set1_epi32(x); return r; }
static inline f32x16 f32x16_load(const float *p) { f32x16 r; EACH r.q[k] = _mm_loadu_ps(p + 4 * k); return r; }
static inline i32x16 i32x16_load(const void *p) { i32x16 r; EACH r.q[k] = _mm_loadu_si128((const __m128i *)p + k); return r; }
static inline void f32x16_store(float *p, f32x16 a) { EACH _mm_storeu_ps(p + 4 * k, a.q[k]); }
static inline void i32x16_store(void *p, i32x16 a) { EACH _mm_storeu_si128((__m128i *)p + k, a.q[k]); }
static inline f32x16 f32x16_sqrt(f32x16 a) { EACH a.q[k] = _mm_sqrt_ps(a.q[k]); return a; }
static inline f32x16 f32x16_from_i32(i32x16 a) { f32x16 r; EACH r.q[k] = _mm_cvtepi32_ps(a.q[k]); return r; }
static inline i32x16 f32x16_to_i32(f32x16 a) { i32x16 r; EACH r.q[k] = _mm_cvttps_epi32(a.q[k]); return r; }
static inline i32x16 f32x16_bits(f32x16 a) { i32x16 r; EACH r.q[k] = _mm_castps_si128(a.q[k]); return r; }
static inline f32x16 i32x16_floats(i32x16 a) { f32x16 r; EACH r.q[k] = _mm_castsi128_ps(a.q[k]); return r; }
static inline i32x16 i32x16_shl(i32x16 a, int n) { EACH a.q[k] = _mm_slli_epi32(a.q[k], n); return a; }
static inline i32x16 i32x16_shr(i32x16 a, int n) { EACH a.q[k] = _mm_srli_epi32(a.q[k], n); return a; }
static inline i32x16 i32x16_sra(i32x16 a, int n) { EACH a.q[k] = _mm_srai_epi32(a.q[k], n); return a; }
static inline i32x16 i32x16_select(m16 m, i32x16 a, i32x16 b) { EACH a.q[k] = sse2_pick(m.q[k], a.q[k], b.q[k]); return a; }
static inline f32x16 f32x16_select(m16 m, f32x16 a, f32x16 b)
{
    return i32x16_floats(i32x16_select(m, f32x16_bits(a), f32x16_bits(b)));
}
static inline m16 i32x16_negative(i32x16 a) { m16 r; EACH r.q[k] = _mm_srai_epi32(a.q[k], 31); return r; }
static inline uint32_t m16_bits(m16 a)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(a.q[0], a.q[1]), _mm_packs_epi32(a.q[2], a.q[3])));
}
static inline m16 m16_from_bits(uint32_t bits)
{
    m16 r;
    const __m128i all = _mm_set1_epi32((int32_t)bits);
    EACH {
        const __m128i bit = _mm_set_epi32(8 << 4 * k, 4 << 4 * k, 2 << 4 * k, 1 << 4 * k);
        r.q[k] = _mm_cmpeq_epi32(_mm_and_si128(all, bit), bit);
    }
    return r;
}
static inline m16 m16_not(m16 a) { EACH a.q[k] = _mm_xor_si128(a.q[k], _mm_set1_epi32(-1)); return a; }

static inline float f32x16_least(f32x16 a)
{
    __m128 v = _mm_min_ps(_mm_min_ps(a.q[0], a.q[1]), _mm_min_ps(a.q[2], a.q[3]));
    v = _mm_min_ps(v, _mm_movehl_ps(v, v));
    return _mm_cvtss_f32(_mm_min_ss(v, _mm_shuffle_ps(v, v, 1)));
}

static inline void sse2_transpose(__m128i v[4])
{
    const __m128i a = _mm_unpacklo_epi32(v[0], v[1]), b = _mm_unpackhi_epi32(v[0], v[1]);
    const __m128i c = _mm_unpacklo_epi32(v[2], v[3]), d = _mm_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm_unpacklo_epi64(a, c), v[1] = _mm_unpackhi_epi64(a, c);
    v[2] = _mm_unpacklo_epi64(b, d), v[3] = _mm_unpackhi_epi64(b, d);
}
static inline void lanes_gather4(const void *base, const int32_t index[16], i32x16 rows[4])
{
    EACH {
        __m128i v[4];
        for (int j = 0; j < 4; j++) v[j] = _mm_loadu_si128((const __m128i *)base + index[4 * k + j]);
        sse2_transpose(v);
        for (int j = 0; j < 4; j++) rows[j].q[k] = v[j];
    }
}
static inline void lanes_scatter4(void *out, i32x16 a, i32x16 b, i32x16 c, i32x16 d)
{
    EACH {
        __m128i v[4] = {a.q[k], b.q[k], c.q[k], d.q[k]};
        sse2_transpose(v);
        for (int j = 0; j < 4; j++) _mm_storeu_si128((__m128i *)out + 4 * k + j, v[j]);
    }
}
static inline void lanes_pairs(const void *p, i32x16 i, i32x16 *a, i32x16 *b)
{
    int32_t index[16];
    i32x16_store(index, i);
    EACH {
        const __m128i v0 = _mm_loadl_epi64((const __m128i *)((const int32_t *)p + index[4 * k]));
        const __m128i v1 = _mm_loadl_epi64((const __m128i *)((const int32_t *)p + index[4 * k + 1]));
        const __m128i v2 = _mm_loadl_epi64((const __m128i *)((const int32_t *)p + index[4 * k + 2]));
        const __m128i v3 = _mm_loadl_epi64((const __m128i *)((const int32_t *)p + index[4 * k + 3]));
        const __m128i low = _mm_unpacklo_epi32(v0, v1), high = _mm_unpacklo_epi32(v2, v3);
        a->q[k] = _mm_unpacklo_epi64(low, high), b->q[k] = _mm_unpackhi_epi64(low, high);
    }
}
#undef EACH
#include "base/lanes_common.h"
