// What the stages share.
#pragma once
#include "base/error.h"
#include "stages/frame.h"

// Finds the scene's ambient, hemisphere, sun, point lights nearest to the eye, fog and background; refuses lights that
// the pipeline can't draw.
int32_t lights_collect(const Scene *scene, const float eye[3], int32_t points_max, FrameLight *out);
// The pass's five steps, for views that no pipeline calls one by one.
int32_t pass_draw(Pass *pass, const PassView *view);
