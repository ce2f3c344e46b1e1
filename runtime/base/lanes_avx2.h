// Sixteen lanes as two AVX2 registers. See lanes_plain.h for what each name means.
#pragma once
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 16 };
typedef struct f32x16 { __m256 lo, hi; } f32x16;
typedef struct i32x16 { __m256i lo, hi; } i32x16;
typedef struct m16 { __m256i lo, hi; } m16;

#define AVX2_OP(type, in, name, f) \
    static inline type in##_##name(in a, in b) { return (type){f(a.lo, b.lo), f(a.hi, b.hi)}; }
#define AVX2_CMP(name, predicate)                                                               \
    static inline m16 f32x16_##name(f32x16 a, f32x16 b)                                         \
    {                                                                                           \
        return (m16){_mm256_castps_si256(_mm256_cmp_ps(a.lo, b.lo, predicate)),                 \
                     _mm256_castps_si256(_mm256_cmp_ps(a.hi, b.hi, predicate))};                \
    }
AVX2_OP(f32x16, f32x16, add, _mm256_add_ps)
AVX2_OP(f32x16, f32x16, sub, _mm256_sub_ps)
AVX2_OP(f32x16, f32x16, mul, _mm256_mul_ps)
AVX2_OP(f32x16, f32x16, div, _mm256_div_ps)
AVX2_OP(f32x16, f32x16, min, _mm256_min_ps)
AVX2_OP(f32x16, f32x16, max, _mm256_max_ps)
AVX2_CMP(gt, _CMP_GT_OQ)
AVX2_CMP(ge, _CMP_GE_OQ)
AVX2_CMP(lt, _CMP_LT_OQ)
AVX2_CMP(le, _CMP_LE_OQ)
AVX2_CMP(eq, _CMP_EQ_OQ)
AVX2_OP(i32x16, i32x16, add, _mm256_add_epi32)
AVX2_OP(i32x16, i32x16, sub, _mm256_sub_epi32)
AVX2_OP(i32x16, i32x16, mul, _mm256_mullo_epi32)
AVX2_OP(i32x16, i32x16, min, _mm256_min_epi32)
AVX2_OP(i32x16, i32x16, max, _mm256_max_epi32)
AVX2_OP(i32x16, i32x16, and, _mm256_and_si256)
AVX2_OP(i32x16, i32x16, or, _mm256_or_si256)
AVX2_OP(i32x16, i32x16, xor, _mm256_xor_si256)
AVX2_OP(m16, i32x16, gt, _mm256_cmpgt_epi32)
AVX2_OP(m16, i32x16, eq, _mm256_cmpeq_epi32)
static inline m16 i32x16_lt(i32x16 a, i32x16 b) { return i32x16_gt(b, a); }
AVX2_OP(m16, m16, and, _mm256_and_si256)
AVX2_OP(m16, m16, or, _mm256_or_si256)
static inline m16 m16_andnot(m16 a, m16 b) { return (m16){_mm256_andnot_si256(b.lo, a.lo), _mm256_andnot_si256(b.hi, a.hi)}; }

static inline f32x16 f32x16_splat(float x) { const __m256 v = _mm256_set1_ps(x); return (f32x16){v, v}; }
static inline i32x16 i32x16_splat(int32_t x) { const __m256i v = _mm256_set1_epi32(x); return (i32x16){v, v}; }
static inline f32x16 f32x16_load(const float *p) { return (f32x16){_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
static inline i32x16 i32x16_load(const void *p)
{
    return (i32x16){_mm256_loadu_si256((const __m256i *)p), _mm256_loadu_si256((const __m256i *)p + 1)};
}
static inline void f32x16_store(float *p, f32x16 a) { _mm256_storeu_ps(p, a.lo), _mm256_storeu_ps(p + 8, a.hi); }
static inline void i32x16_store(void *p, i32x16 a)
{
    _mm256_storeu_si256((__m256i *)p, a.lo), _mm256_storeu_si256((__m256i *)p + 1, a.hi);
}
static inline f32x16 f32x16_sqrt(f32x16 a) { return (f32x16){_mm256_sqrt_ps(a.lo), _mm256_sqrt_ps(a.hi)}; }
static inline f32x16 f32x16_from_i32(i32x16 a) { return (f32x16){_mm256_cvtepi32_ps(a.lo), _mm256_cvtepi32_ps(a.hi)}; }
static inline i32x16 f32x16_to_i32(f32x16 a) { return (i32x16){_mm256_cvttps_epi32(a.lo), _mm256_cvttps_epi32(a.hi)}; }
static inline i32x16 f32x16_bits(f32x16 a) { return (i32x16){_mm256_castps_si256(a.lo), _mm256_castps_si256(a.hi)}; }
static inline f32x16 i32x16_floats(i32x16 a) { return (f32x16){_mm256_castsi256_ps(a.lo), _mm256_castsi256_ps(a.hi)}; }
static inline i32x16 i32x16_shl(i32x16 a, int n) { return (i32x16){_mm256_slli_epi32(a.lo, n), _mm256_slli_epi32(a.hi, n)}; }
static inline i32x16 i32x16_shr(i32x16 a, int n) { return (i32x16){_mm256_srli_epi32(a.lo, n), _mm256_srli_epi32(a.hi, n)}; }
static inline i32x16 i32x16_sra(i32x16 a, int n) { return (i32x16){_mm256_srai_epi32(a.lo, n), _mm256_srai_epi32(a.hi, n)}; }
static inline f32x16 f32x16_select(m16 m, f32x16 a, f32x16 b)
{
    return (f32x16){_mm256_blendv_ps(b.lo, a.lo, _mm256_castsi256_ps(m.lo)),
                    _mm256_blendv_ps(b.hi, a.hi, _mm256_castsi256_ps(m.hi))};
}
static inline i32x16 i32x16_select(m16 m, i32x16 a, i32x16 b)
{
    return (i32x16){_mm256_blendv_epi8(b.lo, a.lo, m.lo), _mm256_blendv_epi8(b.hi, a.hi, m.hi)};
}
static inline m16 i32x16_negative(i32x16 a) { return (m16){_mm256_srai_epi32(a.lo, 31), _mm256_srai_epi32(a.hi, 31)}; }
static inline uint32_t m16_bits(m16 a)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a.lo)) |
           (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a.hi)) << 8;
}
static inline m16 m16_from_bits(uint32_t bits)
{
    const __m256i low = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1), high = _mm256_slli_epi32(low, 8);
    const __m256i all = _mm256_set1_epi32((int32_t)bits);
    return (m16){_mm256_cmpeq_epi32(_mm256_and_si256(all, low), low), _mm256_cmpeq_epi32(_mm256_and_si256(all, high), high)};
}
static inline m16 m16_not(m16 a)
{
    const __m256i ones = _mm256_set1_epi32(-1);
    return (m16){_mm256_xor_si256(a.lo, ones), _mm256_xor_si256(a.hi, ones)};
}

static inline float f32x16_least(f32x16 a)
{
    const __m256 w = _mm256_min_ps(a.lo, a.hi);
    __m128 v = _mm_min_ps(_mm256_castps256_ps128(w), _mm256_extractf128_ps(w, 1));
    v = _mm_min_ps(v, _mm_movehl_ps(v, v));
    return _mm_cvtss_f32(_mm_min_ss(v, _mm_shuffle_ps(v, v, 1)));
}

static inline void avx2_transpose(__m256i v[4]) // 4x4 in each half
{
    const __m256i a = _mm256_unpacklo_epi32(v[0], v[1]), b = _mm256_unpackhi_epi32(v[0], v[1]);
    const __m256i c = _mm256_unpacklo_epi32(v[2], v[3]), d = _mm256_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm256_unpacklo_epi64(a, c), v[1] = _mm256_unpackhi_epi64(a, c);
    v[2] = _mm256_unpacklo_epi64(b, d), v[3] = _mm256_unpackhi_epi64(b, d);
}
static inline void lanes_gather4(const void *base, const int32_t index[16], i32x16 rows[4])
{
    const __m128i *p = (const __m128i *)base;
    __m256i v[2][4];
    for (int half = 0; half < 2; half++) {
        for (int j = 0; j < 4; j++)
            v[half][j] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(p + index[8 * half + j])),
                                                 _mm_loadu_si128(p + index[8 * half + 4 + j]), 1);
        avx2_transpose(v[half]);
    }
    for (int j = 0; j < 4; j++) rows[j] = (i32x16){v[0][j], v[1][j]};
}
static inline void lanes_scatter4(void *out, i32x16 a, i32x16 b, i32x16 c, i32x16 d)
{
    __m128i *o = (__m128i *)out;
    __m256i v[2][4] = {{a.lo, b.lo, c.lo, d.lo}, {a.hi, b.hi, c.hi, d.hi}};
    for (int half = 0; half < 2; half++) {
        avx2_transpose(v[half]);
        for (int j = 0; j < 4; j++) {
            _mm_storeu_si128(o + 8 * half + j, _mm256_castsi256_si128(v[half][j]));
            _mm_storeu_si128(o + 8 * half + 4 + j, _mm256_extracti128_si256(v[half][j], 1));
        }
    }
}
static inline void lanes_pairs(const void *p, i32x16 i, i32x16 *a, i32x16 *b)
{
    int32_t index[16];
    i32x16_store(index, i);
    __m256i x[2], y[2];
    for (int half = 0; half < 2; half++) {
        __m128i v[8];
        for (int j = 0; j < 8; j++) v[j] = _mm_loadl_epi64((const __m128i *)((const int32_t *)p + index[8 * half + j]));
        const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi32(v[0], v[1])),
                                                    _mm_unpacklo_epi32(v[4], v[5]), 1);
        const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi32(v[2], v[3])),
                                                     _mm_unpacklo_epi32(v[6], v[7]), 1);
        x[half] = _mm256_unpacklo_epi64(low, high), y[half] = _mm256_unpackhi_epi64(low, high);
    }
    *a = (i32x16){x[0], x[1]}, *b = (i32x16){y[0], y[1]};
}
#include "base/lanes_common.h"
