// Gather: the camera's view of the scene, its rays and its light.
#include "base/check.h"
#include "base/jobs.h"
#include "stages/stage.h"

#include <math.h>
#include <string.h>

void thatch_gather_options_defaults(ThatchGatherOptions *options)
{
    *options = (ThatchGatherOptions){
        .detail_px = 1.0f,
        .item_share_max = 1.0f,
        .min_px = 0.6f,
        .pixel_maps = true,
        .point_lights = MAX_POINTS,
        .internal_value = 0x7a7c0001u,
    };
}

static int32_t check_options(const ThatchGatherOptions *o)
{
    CHECK_ARG(o && o->internal_value == 0x7a7c0001u,
              "gather: options are not from thatch_gather_options_defaults, need them to be");
    CHECK_ARG(o->detail_px >= 0.0f && o->detail_px <= 64.0f, "gather: detail_px is %g, need 0 .. 64",
              (double)o->detail_px);
    CHECK_ARG(o->item_share_max >= 0.0f && o->item_share_max <= 1.0f, "gather: item_share_max is %g, need 0 .. 1",
              (double)o->item_share_max);
    CHECK_ARG(o->min_px >= 0.0f && o->min_px <= 64.0f, "gather: min_px is %g, need 0 .. 64", (double)o->min_px);
    CHECK_INT_RANGE(o->point_lights, 0, MAX_POINTS, "gather", "point_lights");
    return THATCH_OK;
}

// A pixel's ray from the clip matrix. Perspective: (x, y, w) = M (p - eye), so the ray of (x, y, 1) is M^-1 of it.
// Parallel: (x, y, z) = M p + t, so the place of (x, y, -1), on the near plane, and the way to the far one.
static int32_t find_rays(Frame *frame)
{
    const float *m = frame->main.clip;
    const int last = frame->main.orthographic ? 2 : 3;
    const double a[9] = {m[0], m[4], m[8], m[1], m[5], m[9], m[last], m[4 + last], m[8 + last]};
    const double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8], c2 = a[3] * a[7] - a[4] * a[6];
    const double det = a[0] * c0 + a[1] * c1 + a[2] * c2;
    CHECK_ARG(det != 0.0 && isfinite(det),
              "gather: the camera's matrix can't be inverted, need a view with some width, height and depth");
    const double o[9] = {c0 / det, (a[2] * a[7] - a[1] * a[8]) / det, (a[1] * a[5] - a[2] * a[4]) / det,
                         c1 / det, (a[0] * a[8] - a[2] * a[6]) / det, (a[2] * a[3] - a[0] * a[5]) / det,
                         c2 / det, (a[1] * a[6] - a[0] * a[7]) / det, (a[0] * a[4] - a[1] * a[3]) / det};
    const double x0 = 1.0 / frame->width - 1.0, y0 = 1.0 - 1.0 / frame->height; // the first pixel's centre
    for (int k = 0; k < 3; k++) {
        const double cx = o[3 * k], cy = o[3 * k + 1], cw = o[3 * k + 2];
        frame->ray_x[k] = (float)(cx * 2.0 / frame->width), frame->ray_y[k] = (float)(-cy * 2.0 / frame->height);
        if (frame->main.orthographic) {
            frame->ray0[k] = (float)(cx * (x0 - m[12]) + cy * (y0 - m[13]) + cw * (-1.0 - m[14]));
            frame->axis[k] = (float)(cw * 2.0 / frame->main.near_w);
        } else {
            frame->ray0[k] = (float)(cx * x0 + cy * y0 + cw);
        }
    }
    return THATCH_OK;
}

int32_t thatch_frame_gather(ThatchFrame handle, ThatchScene scene_handle, ThatchCamera camera_handle,
                            const ThatchGatherOptions *options)
{
    Frame *frame = frame_get(handle, "gather", DID_BEGIN);
    if (!frame) return error_last_code();
    STAGE_BEGIN(frame);
    Scene *scene = pool_get(&scene_pool, scene_handle, "gather");
    const Camera *camera = pool_get(&camera_pool, camera_handle, "gather");
    if (!scene || !camera) return THATCH_ERROR_STALE;
    TRY(check_options(options));
    TRY(lights_collect(scene, camera->eye, options->point_lights, &frame->light));
    scene_update(scene);
    frame->done &= ~(uint32_t)(DID_GATHER | DID_VERTICES | DID_SETUP | DID_BINS | DID_RASTER | DID_RESOLVE);
    Pass *pass = &frame->main;
    camera_clip_matrix(camera, frame->width, frame->height, pass->clip);
    pass->orthographic = camera->kind == CAMERA_ORTHOGRAPHIC;
    pass->near_w = pass->orthographic ? camera->far_m - camera->near_m : camera->near_m;
    pass->depth_offset = 0.5f, pass->depth_scale = -0.5f;
    memcpy(frame->eye, camera->eye, sizeof frame->eye);
    frame->near_m = camera->near_m;
    frame->trilinear = options->trilinear;
    TRY(find_rays(frame));
    const float *m =
        pass->clip; // a metre across at w = 1, in pixels: the rows' lengths are the scales of the projection
    const float rows = sqrtf(m[1] * m[1] + m[5] * m[5] + m[9] * m[9]);
    const PassView view = {
        .scene = scene,
        .layers = camera->layers,
        .eye = {camera->eye[0], camera->eye[1], camera->eye[2]},
        .far_m = camera->far_m,
        .detail_px = options->detail_px,
        .item_share_max = options->item_share_max,
        .min_px = options->min_px,
        .parallel = pass->orthographic,
        .focal_px = rows * 0.5f * (float)frame->height,
        .pixel_maps = options->pixel_maps,
        .wind = true,
        .time_s = frame->time_s,
        .frame_number = frame->number,
    };
    TRY(pass_gather(pass, &view));
    frame->done |= DID_GATHER;
    STAGE_END(frame, THATCH_STAGE_GATHER);
    return THATCH_OK;
}
