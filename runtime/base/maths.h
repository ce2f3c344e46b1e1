// Scalar maths whose bits are the same everywhere: + - * / sqrt only. The lanes have the same polynomials.
#pragma once
#include <stdint.h>

#define PI_F 3.14159265358979f
float maths_sin(float radians);
float maths_cos(float radians);
float maths_exp(float x);
float maths_exp2(float x);
float maths_log(float x);
float maths_log2(float x);
float maths_pow(float x, float y);
float maths_srgb_encode(float linear);
float maths_srgb_decode(float encoded);
void maths_tone_aces(const float rgb[3], float out[3]);
static inline float maths_clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
static inline int32_t maths_clampi(int32_t x, int32_t low, int32_t high) { return x < low ? low : x > high ? high : x; }
