#include "store/camera.h"
#include "test.h"

#include <math.h>

static void project(const float m[16], const float p[3], float out[4])
{
    for (int r = 0; r < 4; r++) out[r] = m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
}

static int test_perspective_has_gl_clip_space_and_w_along_the_view(void)
{
    ThatchCamera handle;
    EXPECT(thatch_camera_create(&handle) == THATCH_OK);
    const float eye[3] = {1, 2, 3}, target[3] = {1, 2, -7}, up[3] = {0, 1, 0};
    EXPECT(thatch_camera_set_perspective(handle, 1.0f, 0.5f, 100.0f) == THATCH_OK);
    EXPECT(thatch_camera_look(handle, eye, target, up) == THATCH_OK);
    float m[16], clip[4];
    camera_clip_matrix(camera_find(handle), 200, 100, m);
    project(m, (float[3]){1, 2, 3 - 0.5f}, clip);
    EXPECT(fabsf(clip[3] - 0.5f) < 1e-5f && fabsf(clip[2] + clip[3]) < 1e-5f && fabsf(clip[0]) < 1e-5f);
    project(m, (float[3]){1, 2, 3 - 100.0f}, clip);
    EXPECT(fabsf(clip[3] - 100.0f) < 1e-3f && fabsf(clip[2] - clip[3]) < 1e-2f);
    // The upper right corner of the view at 10 m.
    const float y = 10.0f * tanf(0.5f);
    project(m, (float[3]){1 + 2 * y, 2 + y, -7}, clip);
    EXPECT(fabsf(clip[0] / clip[3] - 1.0f) < 1e-5f && fabsf(clip[1] / clip[3] - 1.0f) < 1e-5f);
    thatch_camera_destroy(handle);
    return 0;
}

static int test_orthographic_has_w_1(void)
{
    ThatchCamera handle;
    EXPECT(thatch_camera_create(&handle) == THATCH_OK);
    EXPECT(thatch_camera_set_orthographic(handle, 4.0f, -1.0f, 9.0f) == THATCH_OK);
    float m[16], clip[4];
    camera_clip_matrix(camera_find(handle), 300, 100, m);
    project(m, (float[3]){6, 2, -9}, clip);
    EXPECT(clip[3] == 1.0f && fabsf(clip[0] - 1.0f) < 1e-6f && fabsf(clip[1] - 1.0f) < 1e-6f &&
           fabsf(clip[2] - 1.0f) < 1e-6f);
    project(m, (float[3]){0, 0, 1}, clip);
    EXPECT(fabsf(clip[2] + 1.0f) < 1e-6f);
    thatch_camera_destroy(handle);
    return 0;
}

static int test_refusals_name_the_field(void)
{
    ThatchCamera handle;
    EXPECT(thatch_camera_create(&handle) == THATCH_OK);
    const float zero[3] = {0}, up[3] = {0, 1, 0}, bad[16] = {NAN};
    EXPECT_REFUSED(thatch_camera_set_perspective(handle, 4.0f, 1, 2), THATCH_ERROR_ARGUMENT,
                   "fov_rad is 4, need 0.01 .. 3.1");
    EXPECT_REFUSED(thatch_camera_set_perspective(handle, 1.0f, 0, 2), THATCH_ERROR_ARGUMENT, "near_m is 0");
    EXPECT_REFUSED(thatch_camera_set_perspective(handle, 1.0f, 2, 2), THATCH_ERROR_ARGUMENT, "far_m is 2");
    EXPECT_REFUSED(thatch_camera_set_orthographic(handle, 0.0f, 1, 2), THATCH_ERROR_ARGUMENT, "height_m is 0");
    EXPECT_REFUSED(thatch_camera_look(handle, zero, zero, up), THATCH_ERROR_ARGUMENT, "target is 0, 0, 0");
    EXPECT_REFUSED(thatch_camera_look(handle, zero, up, up), THATCH_ERROR_ARGUMENT, "not along up");
    EXPECT_REFUSED(thatch_camera_look(handle, zero, NULL, up), THATCH_ERROR_ARGUMENT, "look is null");
    EXPECT_REFUSED(thatch_camera_set_matrix(handle, bad, zero, 1, 2), THATCH_ERROR_ARGUMENT, "view_proj16[0] is");
    thatch_camera_destroy(handle);
    EXPECT_REFUSED(thatch_camera_set_layers(handle, 1), THATCH_ERROR_STALE, "camera is stale");
    return 0;
}

const Test camera_tests[] = {
    TEST(perspective_has_gl_clip_space_and_w_along_the_view),
    TEST(orthographic_has_w_1),
    TEST(refusals_name_the_field),
    TESTS_END,
};
