// Looks a sun map up, sixteen pixels at a time. Included once for each instruction set.

typedef struct ShadowLookup { // a sun map as planes over the frame's pixels
    const float *texels;
    int32_t size, stride;
    float eye[3], ray0[3], ray_x[3], ray_y[3]; // map coordinates u, v, depth: eye + (ray0 + px ray_x + py ray_y) * w
    float bias_scale;
} ShadowLookup;

static inline void shadow_lookup(const Frame *frame, const SunMap *map, ShadowLookup *out)
{
    const float *m = map->matrix, half = 0.5f * (float)map->size;
    out->texels = map->texels, out->size = map->size, out->stride = map->stride;
    // clip x -> u, y -> v (down), z -> depth (1 at the sun's side)
    const float scale[3] = {half, -half, map->pass.depth_scale},
                offset[3] = {half - 0.5f, half - 0.5f, map->pass.depth_offset};
    const float *origin = frame->main.orthographic ? frame->ray0 : frame->eye;
    for (int k = 0; k < 3; k++) {
#define ROTATE(v) ((m[k] * (v)[0] + m[4 + k] * (v)[1] + m[8 + k] * (v)[2]) * scale[k])
        out->eye[k] = ROTATE(origin) + m[12 + k] * scale[k] + offset[k];
        out->ray0[k] = frame->main.orthographic ? ROTATE(frame->axis) : ROTATE(frame->ray0);
        out->ray_x[k] = ROTATE(frame->ray_x), out->ray_y[k] = ROTATE(frame->ray_y);
#undef ROTATE
    }
    const float dz = map->pass.depth_scale;
    const float length = sqrtf(m[2] * m[2] + m[6] * m[6] + m[10] * m[10]);
    out->bias_scale = (dz < 0.0f ? -dz : dz) * length; // depth a metre
}

// 1 where the sun is seen, by 2x2 or 4x4 comparisons mixed bilinearly.
static inline f32x16 shadow_at(const ShadowLookup *s, bool orthographic, int32_t filter, f32x16 px, f32x16 py, f32x16 w,
                               f32x16 bias)
{
    f32x16 c[3];
    for (int k = 0; k < 3; k++) {
        if (orthographic) {
            c[k] = f32x16_madd(f32x16_madd(f32x16_madd(f32x16_splat(s->eye[k]), f32x16_splat(s->ray_x[k]), px),
                                           f32x16_splat(s->ray_y[k]), py),
                               f32x16_splat(s->ray0[k]), w);
        } else {
            const f32x16 ray = f32x16_madd(f32x16_madd(f32x16_splat(s->ray0[k]), f32x16_splat(s->ray_x[k]), px),
                                           f32x16_splat(s->ray_y[k]), py);
            c[k] = f32x16_madd(f32x16_splat(s->eye[k]), ray, w);
        }
    }
    const float last = (float)(s->size - 3);
    const f32x16 low = f32x16_splat(2.0f), high = f32x16_splat(last);
    const m16 inside = m16_and(m16_and(f32x16_gt(c[0], low), f32x16_lt(c[0], high)),
                               m16_and(f32x16_gt(c[1], low), f32x16_lt(c[1], high)));
    if (!m16_any(inside)) return f32x16_splat(1.0f);
    const f32x16 u = f32x16_clamp(c[0], 2.0f, last), v = f32x16_clamp(c[1], 2.0f, last);
    const f32x16 wu = f32x16_floor(u), wv = f32x16_floor(v), fu = f32x16_sub(u, wu), fv = f32x16_sub(v, wv);
    const f32x16 depth = f32x16_madd(c[2], bias, f32x16_splat(s->bias_scale)), one = f32x16_splat(1.0f),
                 zero = f32x16_splat(0.0f);
    i32x16 at = i32x16_add(i32x16_mul(f32x16_to_i32(wv), i32x16_splat(s->stride)), f32x16_to_i32(wu));
    f32x16 light;
    if (filter == 2) {
        i32x16 t[4];
        lanes_pairs(s->texels, at, &t[0], &t[1]), lanes_pairs(s->texels + s->stride, at, &t[2], &t[3]);
        f32x16 l[4];
        for (int k = 0; k < 4; k++) l[k] = f32x16_select(f32x16_gt(i32x16_floats(t[k]), depth), zero, one);
        const f32x16 top = f32x16_madd(l[0], f32x16_sub(l[1], l[0]), fu),
                     bottom = f32x16_madd(l[2], f32x16_sub(l[3], l[2]), fu);
        light = f32x16_madd(top, f32x16_sub(bottom, top), fv);
    } else { // a tent over 4x4: rows -1 .. 2, the outer ones by the share they keep
        at = i32x16_sub(at, i32x16_splat(s->stride + 1));
        const f32x16 row_weight[4] = {f32x16_sub(one, fv), one, one, fv},
                     column_weight[4] = {f32x16_sub(one, fu), one, one, fu};
        light = zero;
        for (int y = 0; y < 4; y++) {
            i32x16 t[4];
            lanes_pairs(s->texels + y * s->stride, at, &t[0], &t[1]),
                lanes_pairs(s->texels + y * s->stride + 2, at, &t[2], &t[3]);
            f32x16 sum = zero;
            for (int x = 0; x < 4; x++)
                sum = f32x16_add(sum, f32x16_select(f32x16_gt(i32x16_floats(t[x]), depth), zero, column_weight[x]));
            light = f32x16_madd(light, sum, row_weight[y]);
        }
        light = f32x16_scale(light, 1.0f / 9.0f);
    }
    return f32x16_select(inside, light, one);
}
