// Cameras: where from, where to, and the matrix that clips.
#include "store/camera.h"

#include "base/check.h"
#include "base/maths.h"
#include "store/affine.h"

#include <float.h>

Pool camera_pool = {.noun = "camera", .kind = KIND_CAMERA, .item_size = sizeof(Camera)};

Camera *camera_find(ThatchCamera handle)
{
    return pool_find(&camera_pool, handle);
}

// Rows of the view: right, up, back. False when eye, target and up make none.
static bool view_axes(const float eye[3], const float target[3], const float up[3], float right[3], float above[3],
                      float back[3])
{
    for (int k = 0; k < 3; k++) back[k] = eye[k] - target[k];
    if (!vector_normalize(back)) return false;
    vector_cross(up, back, right);
    if (!vector_normalize(right)) return false;
    vector_cross(back, right, above);
    return true;
}

void camera_clip_matrix(const Camera *camera, int32_t width, int32_t height, float view_proj16[16])
{
    if (camera->kind == CAMERA_MATRIX) {
        memcpy(view_proj16, camera->own_matrix, sizeof camera->own_matrix);
        return;
    }
    float right[3] = {1, 0, 0}, above[3] = {0, 1, 0}, back[3] = {0, 0, 1};
    view_axes(camera->eye, camera->target, camera->up, right, above, back);
    const float aspect = (float)width / (float)height, n = camera->near_m, f = camera->far_m;
    float scale_y, depth_scale, depth_offset;
    if (camera->kind == CAMERA_PERSPECTIVE) {
        const float half = camera->fov_rad * 0.5f;
        scale_y = maths_cos(half) / maths_sin(half);
        depth_scale = (f + n) / (n - f);
        depth_offset = 2.0f * f * n / (n - f);
        if (!is_finite(depth_offset)) depth_scale = -1.0f, depth_offset = -2.0f * n; // far as good as infinite
    } else {
        scale_y = 2.0f / camera->height_m;
        depth_scale = 2.0f / (n - f);
        depth_offset = (f + n) / (n - f);
    }
    const float scale_x = scale_y / aspect;
    for (int c = 0; c < 4; c++) {
        // The view's column c: the axes, or where they put the eye.
        float x, y, z;
        if (c < 3)
            x = right[c], y = above[c], z = back[c];
        else
            x = -vector_dot(right, camera->eye), y = -vector_dot(above, camera->eye),
            z = -vector_dot(back, camera->eye);
        const float one = c == 3 ? 1.0f : 0.0f;
        float *column = view_proj16 + 4 * c;
        column[0] = scale_x * x;
        column[1] = scale_y * y;
        column[2] = depth_scale * z + depth_offset * one;
        column[3] = camera->kind == CAMERA_PERSPECTIVE ? -z : one;
    }
}

int32_t thatch_camera_create(ThatchCamera *out)
{
    CHECK_NOT_NULL(out, "camera", "out");
    Camera *camera = pool_add(&camera_pool, out);
    if (!camera) return error_last_code();
    camera->fov_rad = PI_F / 3.0f;
    camera->height_m = 10.0f;
    camera->near_m = 0.1f;
    camera->far_m = 1000.0f;
    camera->target[2] = -1.0f;
    camera->up[1] = 1.0f;
    camera->layers = 1;
    return THATCH_OK;
}

void thatch_camera_destroy(ThatchCamera handle)
{
    pool_remove(&camera_pool, handle);
}

bool thatch_camera_is_valid(ThatchCamera handle)
{
    return camera_find(handle) != NULL;
}

static int32_t check_distances(float near_m, float far_m)
{
    CHECK_ARG(near_m > 0.0f && is_finite(near_m), "camera: near_m is %g, need a finite number > 0", (double)near_m);
    CHECK_ARG(far_m > near_m && is_finite(far_m), "camera: far_m is %g, need a finite number > near_m, %g",
              (double)far_m, (double)near_m);
    return THATCH_OK;
}

int32_t thatch_camera_set_perspective(ThatchCamera handle, float fov_rad, float near_m, float far_m)
{
    Camera *camera = pool_get(&camera_pool, handle, "camera_set_perspective");
    if (!camera) return THATCH_ERROR_STALE;
    CHECK_RANGE(fov_rad, 0.01f, 3.1f, "camera", "fov_rad");
    TRY(check_distances(near_m, far_m));
    camera->kind = CAMERA_PERSPECTIVE;
    camera->fov_rad = fov_rad, camera->near_m = near_m, camera->far_m = far_m;
    return THATCH_OK;
}

int32_t thatch_camera_set_orthographic(ThatchCamera handle, float height_m, float near_m, float far_m)
{
    Camera *camera = pool_get(&camera_pool, handle, "camera_set_orthographic");
    if (!camera) return THATCH_ERROR_STALE;
    CHECK_RANGE(height_m, 1e-6f, 1e9f, "camera", "height_m");
    CHECK_RANGE(near_m, -1e9f, 1e9f, "camera", "near_m");
    CHECK_ARG(far_m > near_m && far_m <= 1e9f, "camera: far_m is %g, need more than near_m, %g, up to 1e9",
              (double)far_m, (double)near_m);
    camera->kind = CAMERA_ORTHOGRAPHIC;
    camera->height_m = height_m, camera->near_m = near_m, camera->far_m = far_m;
    return THATCH_OK;
}

int32_t thatch_camera_look(ThatchCamera handle, const float *eye3, const float *target3, const float *up3)
{
    Camera *camera = pool_get(&camera_pool, handle, "camera_look");
    if (!camera) return THATCH_ERROR_STALE;
    CHECK_ARG(eye3 && target3 && up3, "camera: look is null, need eye, target and up");
    CHECK_ALL_RANGE(eye3, 3, -1e9f, 1e9f, "camera", "eye");
    CHECK_ALL_RANGE(target3, 3, -1e9f, 1e9f, "camera", "target");
    CHECK_ALL_RANGE(up3, 3, -1e9f, 1e9f, "camera", "up");
    float right[3], above[3], back[3];
    CHECK_ARG(view_axes(eye3, target3, up3, right, above, back),
              "camera: target is %g, %g, %g, need one apart from eye and not along up", (double)target3[0],
              (double)target3[1], (double)target3[2]);
    memcpy(camera->eye, eye3, sizeof camera->eye);
    memcpy(camera->target, target3, sizeof camera->target);
    memcpy(camera->up, up3, sizeof camera->up);
    return THATCH_OK;
}

int32_t thatch_camera_set_matrix(ThatchCamera handle, const float *view_proj16, const float *eye3, float near_m,
                                 float far_m)
{
    Camera *camera = pool_get(&camera_pool, handle, "camera_set_matrix");
    if (!camera) return THATCH_ERROR_STALE;
    CHECK_ARG(view_proj16 && eye3, "camera: matrix is null, need view_proj16 and eye3");
    CHECK_FINITE(view_proj16, 16, "camera", "view_proj16");
    CHECK_FINITE(eye3, 3, "camera", "eye");
    TRY(check_distances(near_m, far_m));
    camera->kind = CAMERA_MATRIX;
    memcpy(camera->own_matrix, view_proj16, sizeof camera->own_matrix);
    memcpy(camera->eye, eye3, sizeof camera->eye);
    camera->near_m = near_m, camera->far_m = far_m;
    return THATCH_OK;
}

int32_t thatch_camera_set_layers(ThatchCamera handle, uint32_t layers)
{
    Camera *camera = pool_get(&camera_pool, handle, "camera_set_layers");
    if (!camera) return THATCH_ERROR_STALE;
    camera->layers = layers;
    return THATCH_OK;
}
