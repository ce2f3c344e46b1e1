// The water stage's surface and job.
#pragma once
#include "stages/frame.h"

enum { WATER_SIDE = 128 }; // of the FFT's grid over one patch

typedef struct WaterSurface {
    void *fft;       // kissfft's plan
    float *spectrum; // h0(k) re, im; then h0(-k) conjugated; then the frequency: 5 planes
    float *work[2];  // complex grids: in, out
    float *slopes;   // x, z pairs, [row z][column x], one more row and column than the grid: it repeats
    float *heights;
    float *caustics; // r, g, b planes of (side + 1)^2: how much brighter than flat water the bed is; mean 1
    double surface_time, caustics_time;
    bool has_surface, has_caustics;
    ThatchWaterDef def; // that the spectrum was made for
} WaterSurface;

// Colours are of the mirrored sky, as the display shows it; slopes are of the surface; caustics as WaterSurface has
// them.
enum {
    SAMPLE_RED = 0,
    SAMPLE_GREEN,
    SAMPLE_BLUE,
    SAMPLE_FRESNEL,
    SAMPLE_SLOPE_X,
    SAMPLE_SLOPE_Z,
    SAMPLE_CAUSTIC_R,
    SAMPLE_CAUSTIC_G,
    SAMPLE_CAUSTIC_B,
    SAMPLE_PLANES
};

typedef struct WaterJob {
    Frame *frame;
    const Water *water;
    const WaterSurface *surface;
    const uint32_t *picture; // the frame before water
    int32_t step, columns, rows, stride;
    float *samples;    // SAMPLE_PLANES planes of stride * rows
    uint8_t *row_used; // rows with water in them
} WaterJob;

// The surface at a time (and its caustics at another), made when it is not the one that is there.
int32_t water_surface_at(Water *water, double surface_time, double caustics_time);
