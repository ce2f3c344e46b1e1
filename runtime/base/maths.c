// Scalar maths with the same bits everywhere: only + - * / and conversions, never libm. Coefficients of the float
// functions after Moshier's Cephes library (sinf, expf, exp2f, logf; public domain).
#include "base/maths.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// To the nearest whole number, ties to even, |x| < 2^22: additions only, so that lanes can do the same.
static float round_whole(float x)
{
    const float magic = 12582912.0f; // 1.5 * 2^23
    return (x + magic) - magic;
}

// 2^n, -126 <= n <= 127.
static float power_of_two(int32_t n)
{
    return float_of((uint32_t)(n + 127) << 23);
}

// x less n quarter turns, |result| <= pi/4 and a little; *quadrant is n mod 4. Pi/2 in four parts, the first three of
// eight bits, so that their products with n < 2^16 are exact.
static float reduce_angle(float x, uint32_t *quadrant)
{
    if (!(fabsf(x) <= 1e5f)) {
        const double turn = 6.283185307179586476925;
        const double turns = (double)x / turn;
        if (!(fabs(turns) < 1e15)) {
            *quadrant = 0;
            return 0.0f;
        }
        x = (float)((double)x - (double)(int64_t)turns * turn);
    }
    const float n = round_whole(x * 0.636619772367581f);
    *quadrant = (uint32_t)(int32_t)n & 3;
    float r = x - n * 1.5703125f;       // 0x1.92p+0
    r = r - n * 4.825592041015625e-4f;  // 0x1.fap-12
    r = r - n * 1.2665987014770508e-6f; // 0x1.54p-20
    return r - n * 9.920935796805404e-10f;
}

static float sine_near_zero(float r)
{
    const float z = r * r;
    return ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * r + r;
}

static float cosine_near_zero(float r)
{
    const float z = r * r;
    return ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z - 0.5f * z + 1.0f;
}

static float sine_in_quadrant(float r, uint32_t quadrant)
{
    const float value = quadrant & 1 ? cosine_near_zero(r) : sine_near_zero(r);
    return quadrant & 2 ? -value : value;
}

float maths_sin(float radians)
{
    uint32_t quadrant;
    const float r = reduce_angle(radians, &quadrant);
    return sine_in_quadrant(r, quadrant);
}

float maths_cos(float radians)
{
    uint32_t quadrant;
    const float r = reduce_angle(radians, &quadrant);
    return sine_in_quadrant(r, quadrant + 1);
}

// y * 2^n in two steps, so that the ends of the range are reached.
static float scale_by_two(float y, int32_t n)
{
    const int32_t half = n / 2;
    return y * power_of_two(half) * power_of_two(n - half);
}

float maths_exp(float x)
{
    if (!(x <= 88.72283f)) return x > 0.0f ? INFINITY : x; // NaN stays
    if (x < -87.33654f) return 0.0f;
    const float n = round_whole(x * 1.44269504088896f);
    float r = x - n * 0.693359375f;
    r = r - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    return scale_by_two(p * r * r + r + 1.0f, (int32_t)n);
}

float maths_exp2(float x)
{
    if (!(x < 128.0f)) return x > 0.0f ? INFINITY : x;
    if (x < -126.0f) return 0.0f;
    const float n = round_whole(x);
    const float r = x - n;
    float p = 1.535336188319500e-4f;
    p = p * r + 1.339887440266574e-3f;
    p = p * r + 9.618437357674640e-3f;
    p = p * r + 5.550332471162809e-2f;
    p = p * r + 2.402264791363012e-1f;
    p = p * r + 6.931472028550421e-1f;
    return scale_by_two(p * r + 1.0f, (int32_t)n);
}

// x = (1 + *m) * 2^result with 1 + m in sqrt(1/2) .. sqrt(2); x > 0, finite.
static int32_t split_float(float x, float *m)
{
    int32_t e = -127;
    if (x < 1.17549435e-38f) x *= 8388608.0f, e -= 23;
    const uint32_t bits = bits_of(x);
    e += (int32_t)(bits >> 23);
    float mantissa = float_of((bits & 0x7fffffu) | 0x3f800000u);
    if (mantissa > 1.41421356f) mantissa *= 0.5f, e++;
    *m = mantissa - 1.0f;
    return e;
}

// log(1 + m) = m - m^2/2 + this.
static float log_tail(float m)
{
    float p = 7.0376836292e-2f;
    p = p * m - 1.1514610310e-1f;
    p = p * m + 1.1676998740e-1f;
    p = p * m - 1.2420140846e-1f;
    p = p * m + 1.4249322787e-1f;
    p = p * m - 1.6668057665e-1f;
    p = p * m + 2.0000714765e-1f;
    p = p * m - 2.4999993993e-1f;
    p = p * m + 3.3333331174e-1f;
    return p * m * m * m;
}

float maths_log(float x)
{
    if (!(x > 0.0f)) return x == 0.0f ? -INFINITY : NAN;
    if (x > 3.402823e38f) return x;
    float m;
    const float e = (float)split_float(x, &m);
    float y = log_tail(m) - 2.12194440e-4f * e;
    y = y - 0.5f * m * m;
    return m + y + 0.693359375f * e;
}

float maths_log2(float x)
{
    if (!(x > 0.0f)) return x == 0.0f ? -INFINITY : NAN;
    if (x > 3.402823e38f) return x;
    float m;
    const float e = (float)split_float(x, &m);
    const float y = log_tail(m) - 0.5f * m * m;
    const float log2e_less_1 = 0.44269504088896f;
    return y * log2e_less_1 + m * log2e_less_1 + y + m + e;
}

// In double, so that the product's rounding does not grow with the exponent.
static double log2_precise(float x)
{
    float m;
    const int32_t e = split_float(x, &m);
    const double s = (double)m / ((double)m + 2.0), z = s * s; // log(1 + m) = 2 atanh(s)
    double p = 1.0 / 15.0;
    for (int32_t odd = 13; odd >= 1; odd -= 2) p = p * z + 1.0 / odd;
    return (double)e + 2.885390081777926815 * s * p;
}

float maths_pow(float x, float y)
{
    if (y == 0.0f || x == 1.0f) return 1.0f;
    if (!(x >= 0.0f) || y != y) return NAN;
    if (x == 0.0f) return y > 0.0f ? 0.0f : INFINITY;
    if (x > 3.402823e38f) return y > 0.0f ? x : 0.0f;
    const double t = (double)y * log2_precise(x);
    if (t >= 128.0) return INFINITY;
    if (t <= -126.0) return 0.0f;
    const int32_t n = (int32_t)(t < 0.0 ? t - 0.5 : t + 0.5);
    const double r = (t - n) * 0.693147180559945309417;
    double p = 1.0;
    for (int32_t k = 11; k >= 1; k--) p = p * r / k + 1.0;
    return scale_by_two((float)p, n);
}

float maths_srgb_encode(float linear)
{
    if (linear <= 0.0031308f) return linear * 12.92f;
    return 1.055f * maths_pow(linear, 0.416666667f) - 0.055f;
}

float maths_srgb_decode(float encoded)
{
    if (encoded <= 0.04045f) return encoded * (1.0f / 12.92f);
    return maths_pow((encoded + 0.055f) * (1.0f / 1.055f), 2.4f);
}

static float tone_fit(float v)
{
    return (v * (v + 0.0245786f) - 0.000090537f) / (v * (0.983729f * v + 0.4329510f) + 0.238081f);
}

// ACES after Stephen Hill's fit of the RRT and ODT, as in three.js, whose exposure is divided by 0.6.
void maths_tone_aces(const float rgb[3], float out[3])
{
    const float r = rgb[0] / 0.6f, g = rgb[1] / 0.6f, b = rgb[2] / 0.6f;
    const float x = tone_fit(0.59719f * r + 0.35458f * g + 0.04823f * b);
    const float y = tone_fit(0.07600f * r + 0.90834f * g + 0.01566f * b);
    const float z = tone_fit(0.02840f * r + 0.13383f * g + 0.83777f * b);
    out[0] = maths_clamp(1.60475f * x - 0.53108f * y - 0.07367f * z, 0.0f, 1.0f);
    out[1] = maths_clamp(-0.10208f * x + 1.10813f * y - 0.00605f * z, 0.0f, 1.0f);
    out[2] = maths_clamp(-0.00327f * x - 0.07276f * y + 1.07602f * z, 0.0f, 1.0f);
}
