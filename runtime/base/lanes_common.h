// What every lanes_*.h gets for free: built from its primitives, so the bits agree by construction.
#pragma once

static inline f32x16 f32x16_floor(f32x16 x) // |x| < 2^31
{
    const f32x16 t = f32x16_from_i32(f32x16_to_i32(x));
    return f32x16_sub(t, f32x16_select(f32x16_gt(t, x), f32x16_splat(1.0f), f32x16_splat(0.0f)));
}
static inline f32x16 f32x16_clamp(f32x16 x, float low, float high) // a NaN gives low
{
    return f32x16_min(f32x16_max(x, f32x16_splat(low)), f32x16_splat(high));
}
static inline f32x16 f32x16_abs(f32x16 x) { return i32x16_floats(i32x16_and(f32x16_bits(x), i32x16_splat(0x7fffffff))); }
static inline f32x16 f32x16_neg(f32x16 x) { return i32x16_floats(i32x16_xor(f32x16_bits(x), i32x16_splat((int32_t)0x80000000u))); }
// a + b * c, rounded twice: never contracted.
static inline f32x16 f32x16_madd(f32x16 a, f32x16 b, f32x16 c) { return f32x16_add(a, f32x16_mul(b, c)); }
static inline f32x16 f32x16_scale(f32x16 a, float s) { return f32x16_mul(a, f32x16_splat(s)); }
static inline f32x16 f32x16_offset(f32x16 a, float s) { return f32x16_add(a, f32x16_splat(s)); }
static inline bool m16_any(m16 m) { return m16_bits(m) != 0; }
static inline bool m16_all(m16 m) { return m16_bits(m) == 0xffffu; }
static inline m16 m16_first(int n) { return m16_from_bits(n >= 16 ? 0xffffu : (1u << n) - 1u); }
static inline f32x16 f32x16_ramp(void)
{
    static const float ramp[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return f32x16_load(ramp);
}
static inline i32x16 i32x16_ramp(void)
{
    static const int32_t ramp[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return i32x16_load(ramp);
}
#ifndef LANES_HAVE_GATHER
// p[i] of each lane, by plain loads: quicker than the gather instruction on the machines we measured.
static inline f32x16 f32x16_gather(const float *p, i32x16 i)
{
    int32_t index[16];
    float v[16];
    i32x16_store(index, i);
    for (int k = 0; k < 16; k++) v[k] = p[index[k]];
    return f32x16_load(v);
}
static inline i32x16 i32x16_gather(const int32_t *p, i32x16 i)
{
    int32_t index[16], v[16];
    i32x16_store(index, i);
    for (int k = 0; k < 16; k++) v[k] = p[index[k]];
    return i32x16_load(v);
}
#endif
// 2^x for x in -126 .. 127 (clamped), to about 2e-7: the exponent by bits, the fraction by a polynomial.
static inline f32x16 f32x16_exp2(f32x16 x)
{
    x = f32x16_clamp(x, -126.0f, 126.0f);
    const f32x16 whole = f32x16_floor(x), f = f32x16_sub(x, whole);
    f32x16 p = f32x16_splat(1.8775767e-3f);
    p = f32x16_madd(f32x16_splat(8.9893397e-3f), p, f);
    p = f32x16_madd(f32x16_splat(5.5826318e-2f), p, f);
    p = f32x16_madd(f32x16_splat(2.4015361e-1f), p, f);
    p = f32x16_madd(f32x16_splat(6.9315308e-1f), p, f);
    p = f32x16_madd(f32x16_splat(9.9999994e-1f), p, f);
    const i32x16 exponent = i32x16_shl(i32x16_add(f32x16_to_i32(whole), i32x16_splat(127)), 23);
    return f32x16_mul(p, i32x16_floats(exponent));
}
// log2 of a positive, normal x, to about 3e-6 absolute: the mantissa in 2/3 .. 4/3 by an odd series in (m-1)/(m+1).
static inline f32x16 f32x16_log2(f32x16 x)
{
    const i32x16 bits = f32x16_bits(x);
    const i32x16 e = i32x16_sra(i32x16_sub(bits, i32x16_splat(0x3f2aaaab)), 23);
    const f32x16 m = i32x16_floats(i32x16_sub(bits, i32x16_shl(e, 23)));
    const f32x16 t = f32x16_div(f32x16_offset(m, -1.0f), f32x16_offset(m, 1.0f)), t2 = f32x16_mul(t, t);
    f32x16 p = f32x16_splat(0.4121986f);
    p = f32x16_madd(f32x16_splat(0.5770780f), p, t2);
    p = f32x16_madd(f32x16_splat(0.9617967f), p, t2);
    p = f32x16_madd(f32x16_splat(2.8853900f), p, t2);
    return f32x16_madd(f32x16_from_i32(e), p, t);
}
// sin for |x| < 1e4: reduced to -pi/2..pi/2 in two steps, then an odd polynomial, to about 1e-6.
static inline f32x16 f32x16_sin(f32x16 x)
{
    const f32x16 n = f32x16_floor(f32x16_offset(f32x16_scale(x, 0.318309886f), 0.5f));
    f32x16 r = f32x16_sub(x, f32x16_scale(n, 3.140625f));
    r = f32x16_sub(r, f32x16_scale(n, 9.67653589793e-4f));
    const f32x16 r2 = f32x16_mul(r, r);
    f32x16 p = f32x16_splat(2.6083159e-6f);
    p = f32x16_madd(f32x16_splat(-1.9810691e-4f), p, r2);
    p = f32x16_madd(f32x16_splat(8.3330250e-3f), p, r2);
    p = f32x16_madd(f32x16_splat(-1.6666657e-1f), p, r2);
    r = f32x16_madd(r, f32x16_mul(r, r2), p);
    const i32x16 odd = i32x16_shl(f32x16_to_i32(n), 31); // sin(x) = (-1)^n sin(r)
    return i32x16_floats(i32x16_xor(f32x16_bits(r), odd));
}
