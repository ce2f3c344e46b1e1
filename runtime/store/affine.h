// Vectors and affine matrices (16 floats, column-major) in plain + - * / sqrt, in one order of operations. cglm and its
// like pick FMA by the compiler's flags, and then the same scene has other bits.
#pragma once
#include "base/check.h"

#include <math.h>

static inline float vector_dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void vector_cross(const float a[3], const float b[3], float out[3])
{
    const float x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}
// False, and v unchanged, when it has no direction.
static inline bool vector_normalize(float v[3])
{
    const double square = (double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2];
    if (!(square > 1e-30 && square < 1e60)) return false;
    const double scale = 1.0 / sqrt(square);
    for (int k = 0; k < 3; k++) v[k] = (float)(v[k] * scale);
    return true;
}
static inline void affine_identity(float m[16])
{
    for (int i = 0; i < 16; i++) m[i] = i % 5 == 0 ? 1.0f : 0.0f;
}
// out = a * b; out may be neither.
static inline void affine_multiply(const float *restrict a, const float *restrict b, float *restrict out)
{
    for (int c = 0; c < 4; c++) {
        const float x = b[4 * c], y = b[4 * c + 1], z = b[4 * c + 2];
        for (int r = 0; r < 3; r++) {
            const float sum = a[r] * x + a[4 + r] * y + a[8 + r] * z;
            out[4 * c + r] = c == 3 ? sum + a[12 + r] : sum;
        }
        out[4 * c + 3] = c == 3 ? 1.0f : 0.0f;
    }
}
static inline void affine_point(const float m[16], const float p[3], float out[3])
{
    for (int r = 0; r < 3; r++) out[r] = m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
}
// Scale, then the rotation of a unit quaternion x y z w, then the move.
static inline void affine_compose(const float position[3], const float q[4], const float scale[3], float m[16])
{
    const float x = q[0], y = q[1], z = q[2], w = q[3];
    const float rotation[9] = {
        1.0f - 2.0f * (y * y + z * z), 2.0f * (x * y + w * z),        2.0f * (x * z - w * y),
        2.0f * (x * y - w * z),        1.0f - 2.0f * (x * x + z * z), 2.0f * (y * z + w * x),
        2.0f * (x * z + w * y),        2.0f * (y * z - w * x),        1.0f - 2.0f * (x * x + y * y),
    };
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) m[4 * c + r] = rotation[3 * c + r] * scale[c];
        m[4 * c + 3] = 0.0f;
        m[12 + c] = position[c];
    }
    m[15] = 1.0f;
}
// The parts of a matrix without shear; a mirrored one has its x scale negative.
static inline void affine_decompose(const float m[16], float position[3], float q[4], float scale[3])
{
    float axis[3][3], cross[3];
    for (int c = 0; c < 3; c++) {
        position[c] = m[12 + c];
        for (int r = 0; r < 3; r++) axis[c][r] = m[4 * c + r];
        scale[c] = sqrtf(vector_dot(axis[c], axis[c]));
        if (!vector_normalize(axis[c])) {
            for (int r = 0; r < 3; r++) axis[c][r] = r == c ? 1.0f : 0.0f;
        }
    }
    vector_cross(axis[0], axis[1], cross);
    if (vector_dot(cross, axis[2]) < 0.0f) {
        scale[0] = -scale[0];
        for (int r = 0; r < 3; r++) axis[0][r] = -axis[0][r];
    }
    // After Shepperd: the largest of the four squares is divided by.
    const float xx = axis[0][0], yy = axis[1][1], zz = axis[2][2];
    const float squares[4] = {1.0f + xx - yy - zz, 1.0f - xx + yy - zz, 1.0f - xx - yy + zz, 1.0f + xx + yy + zz};
    int large = 0;
    for (int i = 1; i < 4; i++) {
        if (squares[i] > squares[large]) large = i;
    }
    const float half = 0.5f * sqrtf(squares[large]), by = 0.25f / half;
    const float yz_less = (axis[1][2] - axis[2][1]) * by, zx_less = (axis[2][0] - axis[0][2]) * by,
                xy_less = (axis[0][1] - axis[1][0]) * by;
    const float xy = (axis[0][1] + axis[1][0]) * by, xz = (axis[2][0] + axis[0][2]) * by,
                yz = (axis[1][2] + axis[2][1]) * by;
    const float table[4][4] = {
        {half, xy, xz, yz_less}, {xy, half, yz, zx_less}, {xz, yz, half, xy_less}, {yz_less, zx_less, xy_less, half}};
    double square = 0.0;
    for (int i = 0; i < 4; i++) square += (double)table[large][i] * table[large][i];
    for (int i = 0; i < 4; i++) q[i] = (float)(table[large][i] / sqrt(square));
}
