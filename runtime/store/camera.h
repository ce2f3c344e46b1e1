// Cameras: the clip matrix for a frame's aspect, and the rays through its pixels.
#pragma once
#include "base/pool.h"
#include "thatch.h"

enum { CAMERA_PERSPECTIVE = 0, CAMERA_ORTHOGRAPHIC = 1, CAMERA_MATRIX = 2 };

typedef struct Camera {
    int32_t kind;
    float fov_rad, height_m, near_m, far_m;
    float eye[3], target[3], up[3];
    float own_matrix[16];
    uint32_t layers;
} Camera;

extern Pool camera_pool;
Camera *camera_find(ThatchCamera handle);
// view_proj16 for a frame of width x height: GL clip space; w is the distance along the view (1 when orthographic).
void camera_clip_matrix(const Camera *camera, int32_t width, int32_t height, float view_proj16[16]);
