// A pond's surface from a wind-driven spectrum, and the light that it focuses on the bed.
// After Tessendorf, "Simulating Ocean Water", 2001 (Phillips spectrum, inverse FFT of heights and slopes).
#include "base/error.h"
#include "base/jobs.h"
#include "base/maths.h"
#include "base/memory.h"
#include "base/random.h"
#include "stages/water.h"

#include <kiss_fftnd.h>
#include <math.h>
#include <string.h>

enum { N = WATER_SIDE, GRID = N * N, ROW = N + 1 };

static void surface_free(void *pointer)
{
    WaterSurface *s = pointer;
    if (!s) return;
    if (s->fft) kiss_fft_free(s->fft);
    memory_free(s->spectrum), memory_free(s->work[0]), memory_free(s->work[1]);
    memory_free(s->slopes), memory_free(s->heights), memory_free(s->caustics), memory_free(s);
}

// Two normal numbers from a hash (Box and Muller).
static void normal_pair(uint32_t seed, int32_t i, float out[2])
{
    const float u = 1.0f - random_unit(seed, (uint32_t)i, 1), angle = 2.0f * PI_F * random_unit(seed, (uint32_t)i, 2);
    const float r = sqrtf(-2.0f * maths_log(u));
    out[0] = r * maths_cos(angle), out[1] = r * maths_sin(angle);
}

static float wave_number(int32_t i, float patch)
{
    return (float)(i < N / 2 ? i : i - N) * (2.0f * PI_F / patch);
}

// The share of wave k: Phillips, calmed below a few cells and against the wind.
static float phillips(float kx, float kz, const ThatchWaterDef *def)
{
    const float k2 = kx * kx + kz * kz;
    if (k2 < 1e-6f) return 0.0f;
    const float wind2 = def->wind[0] * def->wind[0] + def->wind[1] * def->wind[1];
    const float longest = wind2 / 9.81f + 0.3f, small = def->patch_m / (float)N * 1.5f;
    const float along = wind2 > 1e-6f ? (kx * def->wind[0] + kz * def->wind[1]) / sqrtf(k2 * wind2) : 0.7f;
    const float side = 0.25f + 0.75f * along * along;
    return maths_exp(-1.0f / (k2 * longest * longest)) / (k2 * k2) * side * maths_exp(-k2 * small * small);
}

static void make_spectrum(WaterSurface *s, const ThatchWaterDef *def)
{
    double power = 0.0;
    for (int32_t i = 0; i < GRID; i++) {
        const float kx = wave_number(i % N, def->patch_m), kz = wave_number(i / N, def->patch_m);
        float r[2];
        normal_pair(def->seed, i, r);
        const float share = sqrtf(0.5f * phillips(kx, kz, def));
        s->spectrum[i] = r[0] * share, s->spectrum[GRID + i] = r[1] * share;
        s->spectrum[4 * GRID + i] = sqrtf(9.81f * sqrtf(kx * kx + kz * kz));
        power +=
            2.0 * ((double)s->spectrum[i] * s->spectrum[i] + (double)s->spectrum[GRID + i] * s->spectrum[GRID + i]);
    }
    const float scale = power > 0.0 ? def->wave_height_m / (float)sqrt(power) : 0.0f; // heights of that deviation
    for (int32_t i = 0; i < 2 * GRID; i++) s->spectrum[i] *= scale;
    for (int32_t i = 0; i < GRID; i++) {
        const int32_t mirror = (N - i / N) % N * N + (N - i % N) % N;
        s->spectrum[2 * GRID + i] = s->spectrum[mirror], s->spectrum[3 * GRID + i] = -s->spectrum[GRID + mirror];
    }
    s->def = *def;
    s->has_surface = s->has_caustics = false;
}

// h(k, t), times i kx - kz when slopes are asked for: x in the real, z in the imaginary part of the result.
static void fill_waves(const WaterSurface *s, float time, bool slopes, kiss_fft_cpx *out)
{
    for (int32_t i = 0; i < GRID; i++) {
        const float phase = s->spectrum[4 * GRID + i] * time, c = maths_cos(phase), d = maths_sin(phase);
        const float a = s->spectrum[i], b = s->spectrum[GRID + i], e = s->spectrum[2 * GRID + i],
                    f = s->spectrum[3 * GRID + i];
        const float re = a * c - b * d + e * c + f * d, im = a * d + b * c - e * d + f * c;
        if (!slopes) {
            out[i].r = re, out[i].i = im;
            continue;
        }
        const float kx = wave_number(i % N, s->def.patch_m), kz = wave_number(i / N, s->def.patch_m);
        // i kx h + i (i kz h) = (-kx im - kz re) + i (kx re - kz im)
        out[i].r = -kx * im - kz * re, out[i].i = kx * re - kz * im;
    }
}

static void find_surface(WaterSurface *s, float time)
{
    kiss_fft_cpx *in = (kiss_fft_cpx *)s->work[0], *out = (kiss_fft_cpx *)s->work[1];
    fill_waves(s, time, false, in);
    kiss_fftnd(s->fft, in, out);
    for (int32_t z = 0; z <= N; z++)
        for (int32_t x = 0; x <= N; x++) s->heights[z * ROW + x] = out[z % N * N + x % N].r;
    fill_waves(s, time, true, in);
    kiss_fftnd(s->fft, in, out);
    for (int32_t z = 0; z <= N; z++)
        for (int32_t x = 0; x <= N; x++) {
            const kiss_fft_cpx v = out[z % N * N + x % N];
            s->slopes[2 * (z * ROW + x)] = v.r, s->slopes[2 * (z * ROW + x) + 1] = v.i;
        }
}

// Where the light of each cell falls on a bed of mean depth, a colour a task: red bends least.
static void caustics_channel(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    WaterSurface *s = context;
    for (int32_t channel = begin; channel < end; channel++) {
        float *map = s->caustics + (int64_t)channel * ROW * ROW;
        memset(map, 0, sizeof *map * ROW * ROW);
        const float cell = s->def.patch_m / (float)N, depth = 1.1f,
                    bend = (0.235f + 0.012f * (float)channel) * depth / cell;
        for (int32_t z = 0; z < N; z++)
            for (int32_t x = 0; x < N; x++) {
                const float *slope = &s->slopes[2 * (z * ROW + x)];
                float u = (float)x - slope[0] * bend, v = (float)z - slope[1] * bend;
                u = maths_clamp(u, -(float)N, 2.0f * (float)N - 1.0f) + (float)N,
                v = maths_clamp(v, -(float)N, 2.0f * (float)N - 1.0f) + (float)N;
                const int32_t iu = (int32_t)u, iv = (int32_t)v;
                const float fu = u - (float)iu, fv = v - (float)iv;
                const int32_t u0 = iu % N, u1 = (iu + 1) % N, v0 = iv % N, v1 = (iv + 1) % N;
                map[v0 * ROW + u0] += (1.0f - fu) * (1.0f - fv), map[v0 * ROW + u1] += fu * (1.0f - fv);
                map[v1 * ROW + u0] += (1.0f - fu) * fv, map[v1 * ROW + u1] += fu * fv;
            }
        for (int32_t k = 0; k < N; k++) map[k * ROW + N] = map[k * ROW], map[N * ROW + k] = map[k];
        map[N * ROW + N] = map[0];
    }
}

static WaterSurface *surface_new(void)
{
    WaterSurface *s = MEMORY_NEW(WaterSurface, 1);
    if (!s) return NULL;
    const int sides[2] = {N, N};
    s->fft = kiss_fftnd_alloc(sides, 2, 1, NULL, NULL);
    s->spectrum = MEMORY_NEW(float, 5 * GRID);
    s->work[0] = MEMORY_NEW(float, 2 * GRID), s->work[1] = MEMORY_NEW(float, 2 * GRID);
    s->slopes = MEMORY_NEW(float, 2 * ROW * ROW + 16), s->heights = MEMORY_NEW(float, ROW *ROW + 16),
    s->caustics = MEMORY_NEW(float, 3 * ROW * ROW + 16);
    if (s->fft && s->spectrum && s->work[0] && s->work[1] && s->slopes && s->heights && s->caustics) return s;
    surface_free(s);
    return NULL;
}

static bool same_waves(const ThatchWaterDef *a, const ThatchWaterDef *b)
{
    return a->wave_height_m == b->wave_height_m && a->patch_m == b->patch_m && a->wind[0] == b->wind[0] &&
           a->wind[1] == b->wind[1] && a->seed == b->seed;
}

int32_t water_surface_at(Water *water, double surface_time, double caustics_time)
{
    WaterSurface *s = water->surface;
    if (!s) {
        s = surface_new();
        if (!s) return error_set(THATCH_ERROR_MEMORY, "water: no memory for a surface of %d x %d", N, N);
        make_spectrum(s, &water->def);
        water->surface = s, water->surface_free = surface_free;
    } else if (!same_waves(&s->def, &water->def)) {
        make_spectrum(s, &water->def);
    }
    // Caustics first: they may stand on an older surface than the one that is shown.
    if (!s->has_caustics || s->caustics_time != caustics_time) {
        if (!s->has_surface || s->surface_time != caustics_time) find_surface(s, (float)fmod(caustics_time, 4096.0));
        s->has_surface = true, s->surface_time = caustics_time;
        jobs_run(3, 1, caustics_channel, s);
        s->has_caustics = true, s->caustics_time = caustics_time;
    }
    if (!s->has_surface || s->surface_time != surface_time) {
        find_surface(s, (float)fmod(surface_time, 4096.0));
        s->has_surface = true, s->surface_time = surface_time;
    }
    return THATCH_OK;
}
