// Rays through pixels, and the veil of fog along them. Included once for each instruction set.

typedef struct FogRay { // towards a pixel: for a distance of w
    f32x16 ray[3], length2;
} FogRay;

static inline FogRay fog_ray(const Frame *frame, f32x16 px, f32x16 py)
{
    FogRay r;
    for (int k = 0; k < 3; k++) {
        if (frame->main.orthographic)
            r.ray[k] = f32x16_splat(frame->axis[k]);
        else
            r.ray[k] = f32x16_madd(f32x16_madd(f32x16_splat(frame->ray0[k]), f32x16_splat(frame->ray_x[k]), px),
                                   f32x16_splat(frame->ray_y[k]), py);
    }
    r.length2 = f32x16_add(f32x16_mul(r.ray[0], r.ray[0]),
                           f32x16_add(f32x16_mul(r.ray[1], r.ray[1]), f32x16_mul(r.ray[2], r.ray[2])));
    return r;
}

// Veils light that comes from distance w along the ray.
static inline void fog_apply(const Frame *frame, const FogRay *r, f32x16 w, f32x16 c[3])
{
    const FrameLight *light = &frame->light;
    const f32x16 clear = f32x16_exp2(f32x16_scale(f32x16_mul(r->length2, f32x16_mul(w, w)), light->fog_k));
    f32x16 veil[3];
    for (int k = 0; k < 3; k++) veil[k] = f32x16_splat(light->fog_color[k]);
    if (light->fog_sun_share > 0.0f) { // warmer towards the sun
        const f32x16 toward = f32x16_add(f32x16_scale(r->ray[0], light->sun.direction[0]),
                                         f32x16_add(f32x16_scale(r->ray[1], light->sun.direction[1]),
                                                    f32x16_scale(r->ray[2], light->sun.direction[2])));
        const f32x16 facing = f32x16_max(toward, f32x16_splat(0.0f));
        const f32x16 share = f32x16_scale(f32x16_div(f32x16_mul(facing, facing), r->length2), light->fog_sun_share);
        for (int k = 0; k < 3; k++)
            veil[k] = f32x16_madd(veil[k], f32x16_splat(light->fog_sun_color[k] - light->fog_color[k]), share);
    }
    for (int k = 0; k < 3; k++) c[k] = f32x16_madd(veil[k], f32x16_sub(c[k], veil[k]), clear);
}
