// Point lights: which reach a tile, and what they add at each pixel. Included once for each instruction set.

typedef struct TileLight { // what lighting a tile needs, found once
    ShadowLookup still, moving;
    i32x16 background;
    int32_t origin_x, origin_y;
    int32_t points[MAX_POINTS], point_count; // those whose sphere meets the tile's rays
} TileLight;

// Which point lights the tile's pixels may see: their spheres against the four planes through the eye and the tile's
// sides.
static void tile_points(const Frame *frame, TileLight *t)
{
    t->point_count = 0;
    float corner[4][3], normal[4][3];
    for (int c = 0; c < 4; c++) {
        const float px = (float)t->origin_x + (c == 1 || c == 2 ? (float)TILE : -1.0f),
                    py = (float)t->origin_y + (c >= 2 ? (float)TILE : -1.0f);
        for (int k = 0; k < 3; k++) corner[c][k] = frame->ray0[k] + frame->ray_x[k] * px + frame->ray_y[k] * py;
    }
    const float middle[3] = {corner[0][0] + corner[2][0], corner[0][1] + corner[2][1], corner[0][2] + corner[2][2]};
    for (int c = 0; c < 4; c++) { // pointing inwards
        const float *a = corner[c], *b = corner[(c + 1) & 3];
        float *n = normal[c];
        n[0] = a[1] * b[2] - a[2] * b[1], n[1] = a[2] * b[0] - a[0] * b[2], n[2] = a[0] * b[1] - a[1] * b[0];
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const float inward = n[0] * middle[0] + n[1] * middle[1] + n[2] * middle[2];
        const float scale = length > 0.0f ? (inward < 0.0f ? -1.0f : 1.0f) / length : 0.0f;
        for (int k = 0; k < 3; k++) n[k] *= scale;
    }
    for (int32_t i = 0; i < frame->light.point_count; i++) {
        const PointLight *p = &frame->light.points[i];
        bool meets = true;
        for (int c = 0; c < 4 && meets && !frame->main.orthographic; c++) {
            float d = 0.0f;
            for (int k = 0; k < 3; k++) d += normal[c][k] * (p->position[k] - frame->eye[k]);
            meets = d > -p->distance_m;
        }
        if (meets) t->points[t->point_count++] = i;
    }
}

// Where 16 places of the picture lie. reach: of each, along its ray.
static inline void picture_places(const Frame *frame, const FogRay *ray, f32x16 px, f32x16 py, f32x16 reach,
                                  f32x16 place[3])
{
    for (int k = 0; k < 3; k++) {
        f32x16 origin = f32x16_splat(frame->eye[k]);
        if (frame->main.orthographic)
            origin = f32x16_madd(f32x16_madd(f32x16_splat(frame->ray0[k]), f32x16_splat(frame->ray_x[k]), px),
                                 f32x16_splat(frame->ray_y[k]), py);
        place[k] = f32x16_madd(origin, ray->ray[k], reach);
    }
}

typedef struct PointRays { // from 16 places to a point light
    f32x16 to[3], length2; // their directions, not unit
    f32x16 facing;         // dot with the places' normals
    f32x16 share2;         // length2 over the reach's
    m16 reached;
} PointRays;

// Is one of the places reached?
static inline bool point_rays(const PointLight *p, const f32x16 place[3], const f32x16 n[3], PointRays *r)
{
    r->length2 = r->facing = f32x16_splat(0.0f);
    for (int k = 0; k < 3; k++) {
        r->to[k] = f32x16_sub(f32x16_splat(p->position[k]), place[k]);
        r->length2 = f32x16_madd(r->length2, r->to[k], r->to[k]), r->facing = f32x16_madd(r->facing, r->to[k], n[k]);
    }
    r->share2 = f32x16_scale(r->length2, 1.0f / (p->distance_m * p->distance_m));
    r->reached = m16_and(f32x16_lt(r->share2, f32x16_splat(1.0f)), f32x16_gt(r->facing, f32x16_splat(0.0f)));
    return m16_any(r->reached);
}

// What leaves the light towards the places that it reaches, but for the square of the distance: it ends with the reach
// and at the sides of a spot's cone.
static inline f32x16 point_window(const PointLight *p, const PointRays *r)
{
    const f32x16 window = f32x16_sub(f32x16_splat(1.0f), f32x16_mul(r->share2, r->share2));
    f32x16 out = f32x16_mul(window, window);
    if (p->cone_scale > 0.0f) {
        f32x16 along = f32x16_splat(0.0f);
        for (int k = 0; k < 3; k++) along = f32x16_madd(along, r->to[k], f32x16_splat(p->direction[k]));
        along = f32x16_div(along, f32x16_sqrt(f32x16_max(r->length2, f32x16_splat(1e-20f))));
        const f32x16 t = f32x16_clamp(f32x16_scale(f32x16_offset(along, -p->cone_cos), p->cone_scale), 0.0f, 1.0f);
        out = f32x16_mul(out, f32x16_mul(f32x16_mul(t, t), f32x16_offset(f32x16_scale(t, -2.0f), 3.0f)));
    }
    return out;
}

static inline f32x16 point_square(const PointRays *r)
{
    return f32x16_max(r->length2, f32x16_splat(0.04f));
}

// Point and spot lights on 16 places: lambert, falling off with the square and to nothing at the reach, as three.js has
// it.
static inline void add_points(const Frame *frame, const TileLight *t, const f32x16 surface[6], f32x16 px, f32x16 py,
                              f32x16 reach, f32x16 out[3])
{
    const FogRay ray = fog_ray(frame, px, py);
    f32x16 place[3];
    picture_places(frame, &ray, px, py, reach, place);
    const f32x16 *n = surface + 3;
    const f32x16 n2 = f32x16_add(f32x16_mul(n[0], n[0]), f32x16_add(f32x16_mul(n[1], n[1]), f32x16_mul(n[2], n[2])));
    for (int32_t i = 0; i < t->point_count; i++) {
        const PointLight *p = &frame->light.points[t->points[i]];
        PointRays r;
        if (!point_rays(p, place, n, &r)) continue;
        // cos / d^2, with the lengths of n and d in one root
        const f32x16 length = f32x16_sqrt(f32x16_max(f32x16_mul(n2, r.length2), f32x16_splat(1e-20f)));
        f32x16 share = f32x16_div(r.facing, f32x16_mul(length, point_square(&r)));
        share = f32x16_select(r.reached, f32x16_mul(share, point_window(p, &r)), f32x16_splat(0.0f));
        for (int k = 0; k < 3; k++) out[k] = f32x16_madd(out[k], f32x16_scale(share, p->color[k]), surface[k]);
    }
}
