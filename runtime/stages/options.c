// The options of stages: their defaults and what is allowed.
#include "stages/options.h"

#include "base/error.h"

#include <math.h>

void thatch_resolve_options_defaults(ThatchResolveOptions *options)
{
    *options =
        (ThatchResolveOptions){.tone = THATCH_TONE_ACES, .srgb = true, .exposure = 1.0f, .internal_value = 0x7a7c0002u};
}

int32_t options_check_resolve(const char *function, const ThatchResolveOptions *o)
{
    CHECK_ARG(o && o->internal_value == 0x7a7c0002u,
              "%s: options are not from thatch_resolve_options_defaults, need them to be", function);
    CHECK_ARG(o->tone == THATCH_TONE_NONE || o->tone == THATCH_TONE_ACES,
              "%s: tone is %d, need THATCH_TONE_NONE or THATCH_TONE_ACES", function, o->tone);
    CHECK_ARG(o->exposure > 0.0f && o->exposure <= 1000.0f, "%s: exposure is %g, need above 0, up to 1000", function,
              (double)o->exposure);
    return THATCH_OK;
}

void thatch_shadow_options_defaults(ThatchShadowOptions *options)
{
    *options = (ThatchShadowOptions){.shadows = THATCH_SHADOWS_CACHED,
                                     .size = 1024,
                                     .filter = 2,
                                     .focus_radius_m = 20.0f,
                                     .bias = 1.0f,
                                     .bias_m = 0.02f,
                                     .internal_value = 0x7a7c0003u};
}

int32_t options_check_shadow(const ThatchShadowOptions *o)
{
    CHECK_ARG(o && o->internal_value == 0x7a7c0003u,
              "shadow_maps: options are not from thatch_shadow_options_defaults, need them to be");
    CHECK_ARG(o->shadows >= THATCH_SHADOWS_NONE && o->shadows <= THATCH_SHADOWS_FULL,
              "shadow_maps: shadows is %d, need none, still, cached or full", o->shadows);
    CHECK_ARG(o->size >= 256 && o->size <= 8192 && (o->size & (o->size - 1)) == 0,
              "shadow_maps: size is %d, need a power of two in 256 .. 8192", o->size);
    CHECK_ARG(o->filter == 2 || o->filter == 4, "shadow_maps: filter is %d, need 2 or 4", o->filter);
    CHECK_ARG(o->bias >= 0.0f && o->bias <= 16.0f, "shadow_maps: bias is %g, need 0 .. 16", (double)o->bias);
    CHECK_ARG(o->bias_m >= 0.0f && o->bias_m <= 10.0f, "shadow_maps: bias_m is %g, need 0 .. 10", (double)o->bias_m);
    for (int k = 0; o->matrix && k < 16; k++)
        CHECK_ARG(isfinite(o->matrix[k]), "shadow_maps: matrix[%d] is %g, need a finite number", k,
                  (double)o->matrix[k]);
    CHECK_ARG(o->focus_radius_m > 0.0f && o->focus_radius_m <= 1e4f,
              "shadow_maps: focus_radius is %g, need above 0, up to 10000", (double)o->focus_radius_m);
    CHECK_ARG(o->radius_m <= 1e5f, "shadow_maps: radius is %g, need up to 100000", (double)o->radius_m);
    for (int k = 0; k < 3; k++) {
        CHECK_ARG(fabsf(o->center[k]) <= 1e6f, "shadow_maps: center[%d] is %g, need -1e6 .. 1e6", k,
                  (double)o->center[k]);
        CHECK_ARG(fabsf(o->focus[k]) <= 1e6f, "shadow_maps: focus[%d] is %g, need -1e6 .. 1e6", k, (double)o->focus[k]);
    }
    return THATCH_OK;
}
