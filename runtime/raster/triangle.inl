// What a pixel needs of a triangle that is seen: perspective-correct barycentrics, map coordinates, texels.
// Included once for each instruction set.

typedef struct Planes { // over the tile's pixels, counted from its first pixel's centre
    float p1[3], p2[3]; // barycentric of corner 1 (2), divided by w: p[0] x + p[1] y + p[2]
    float texels;       // map area a pixel covers, at w = 1: grows with w cubed
    float tilt;         // steepness away from the eye, at w = 1: metres further for each metre across
    bool back;          // the back face is seen
} Planes;

typedef struct MapUv { // u = u0 + b1 du1 + b2 du2
    float base[2], d1[2], d2[2];
} MapUv;

static inline void triangle_planes(const Pass *pass, const Part *part, const int32_t corner[3], int32_t origin_x,
                                   int32_t origin_y, Planes *out)
{
    const ScreenVertex *s0 = pass->screen + part->first_vertex + corner[0];
    const ScreenVertex *s1 = pass->screen + part->first_vertex + corner[1],
                       *s2 = pass->screen + part->first_vertex + corner[2];
    double q[3] = {0, 0, 0}; // the plane of 1 / w
    double p1[3], p2[3];
    if (s0->d >= 0.0f && s1->d >= 0.0f && s2->d >= 0.0f) {
        const double x0 = (s0->x - 128) / 256.0 - origin_x, y0 = (s0->y - 128) / 256.0 - origin_y;
        const double x1 = (s1->x - s0->x) / 256.0, y1 = (s1->y - s0->y) / 256.0;
        const double x2 = (s2->x - s0->x) / 256.0, y2 = (s2->y - s0->y) / 256.0;
        const double det = x1 * y2 - x2 * y1, inverse = det == 0.0 ? 0.0 : 1.0 / det;
        const double w0 = pass->orthographic ? 1.0 : (double)s0->d, w1 = pass->orthographic ? 1.0 : (double)s1->d;
        const double w2 = pass->orthographic ? 1.0 : (double)s2->d;
        out->back = det > 0.0;
        p1[0] = y2 * inverse, p1[1] = -x2 * inverse, p1[2] = -(x0 * p1[0] + y0 * p1[1]);
        p2[0] = -y1 * inverse, p2[1] = x1 * inverse, p2[2] = -(x0 * p2[0] + y0 * p2[1]);
        for (int k = 0; k < 3; k++) {
            const double p0 = (k == 2 ? 1.0 : 0.0) - p1[k] - p2[k];
            p1[k] = p1[k] * w1, p2[k] = p2[k] * w2;
            q[k] = p0 * w0 + p1[k] + p2[k];
        }
    } else { // a corner is behind the eye or beyond the guard band: homogeneous pixels
        int32_t index[16];
        for (int k = 0; k < 16; k++) index[k] = corner[k < 3 ? k : 0];
        f32x16 place[3];
        corner_places(part, 0, index, place);
        float cx[16], cy[16], cw[16];
        f32x16_store(cx, clip_row(part->clip, 0, place)), f32x16_store(cy, clip_row(part->clip, 1, place));
        f32x16_store(cw, clip_row(part->clip, 3, place));
        double v[3][3];
        for (int k = 0; k < 3; k++) {
            v[k][0] = (double)cx[k] * pass->width * 0.5 + (double)cw[k] * (pass->width * 0.5 - 0.5 - origin_x);
            v[k][1] = (double)cy[k] * pass->height * -0.5 + (double)cw[k] * (pass->height * 0.5 - 0.5 - origin_y);
            v[k][2] = (double)cw[k];
        }
        double c[3][3]; // rows: v1 x v2, v2 x v0, v0 x v1
        for (int k = 0; k < 3; k++) {
            const double *a = v[(k + 1) % 3], *b = v[(k + 2) % 3];
            c[k][0] = a[1] * b[2] - a[2] * b[1], c[k][1] = a[2] * b[0] - a[0] * b[2],
            c[k][2] = a[0] * b[1] - a[1] * b[0];
        }
        const double det = v[0][0] * c[0][0] + v[0][1] * c[0][1] + v[0][2] * c[0][2],
                     inverse = det == 0.0 ? 0.0 : 1.0 / det;
        out->back = det > 0.0;
        for (int k = 0; k < 3; k++) {
            p1[k] = c[1][k] * inverse, p2[k] = c[2][k] * inverse;
            q[k] = (c[0][k] + c[1][k] + c[2][k]) * inverse;
        }
    }
    // The area of map that a pixel covers is this determinant times w^3 (times the map's own area, by the caller).
    const double area = q[0] * (p1[1] * p2[2] - p1[2] * p2[1]) - q[1] * (p1[0] * p2[2] - p1[2] * p2[0]) +
                        q[2] * (p1[0] * p2[1] - p1[1] * p2[0]);
    out->texels = (float)(area < 0.0 ? -area : area);
    out->tilt = pass->orthographic ? 0.0f : (float)(sqrt(q[0] * q[0] + q[1] * q[1])) * pass->focal_px;
    for (int k = 0; k < 3; k++) out->p1[k] = (float)p1[k], out->p2[k] = (float)p2[k];
}

static inline void triangle_uv(const Part *part, const Texture *texture, const int32_t corner[3], MapUv *out)
{
    const float *t = texture->transform;
    float uv[3][2];
    for (int k = 0; k < 3; k++) {
        const float *at = part->geometry->attributes[corner[k]].uv;
        uv[k][0] = t[0] * at[0] + t[1] * at[1] + t[2], uv[k][1] = t[3] * at[0] + t[4] * at[1] + t[5];
    }
    for (int k = 0; k < 2; k++) {
        out->base[k] = uv[0][k], out->d1[k] = uv[1][k] - uv[0][k], out->d2[k] = uv[2][k] - uv[0][k];
    }
}

// Texels of the whole map that a pixel of the triangle covers at w = 1.
static inline float triangle_texels(const Planes *planes, const MapUv *uv, const Texture *texture)
{
    const float area = uv->d1[0] * uv->d2[1] - uv->d1[1] * uv->d2[0];
    return planes->texels * (area < 0.0f ? -area : area) * ((float)texture->width * (float)texture->height);
}

// Texels of level 0 for a pixel at distance w: the area that it covers, stretched to the square of its longer side
// where the surface is seen aslant, so that no texel is skipped.
static inline float pixel_texels(const Planes *planes, float texels, float w)
{
    const float slant = planes->tilt * w;
    return texels * w * w * w * sqrtf(1.0f + slant * slant);
}

// The level at which one texel covers about one pixel, where a pixel covers `texels` of level 0.
static inline int32_t map_level(const Texture *texture, float texels)
{
    if (!(texels > 2.0f)) return 0;
    int32_t bits;
    memcpy(&bits, &texels, 4);
    const int32_t level = ((bits >> 23) - 126) >> 1;
    return level < texture->level_count ? level : texture->level_count - 1;
}

// One axis: the first of the two texels and the share of the second.
static inline i32x16 map_axis(f32x16 u, int32_t size, int32_t wrap, f32x16 *share)
{
    u = f32x16_clamp(u, -1e6f, 1e6f);
    if (wrap == THATCH_WRAP_REPEAT) {
        u = f32x16_sub(u, f32x16_floor(u));
    } else if (wrap == THATCH_WRAP_MIRRORED) {
        u = f32x16_sub(u, f32x16_scale(f32x16_floor(f32x16_scale(u, 0.5f)), 2.0f));
        u = f32x16_min(u, f32x16_sub(f32x16_splat(2.0f), u));
    } else {
        u = f32x16_clamp(u, 0.0f, 1.0f);
    }
    const f32x16 t = f32x16_offset(f32x16_scale(u, (float)size), -0.5f), whole = f32x16_floor(t);
    *share = f32x16_sub(t, whole);
    i32x16 i = i32x16_min(f32x16_to_i32(whole), i32x16_splat(size - 1));
    const m16 before = i32x16_negative(i);
    if (wrap == THATCH_WRAP_REPEAT) return i32x16_select(before, i32x16_splat(size - 1), i);
    *share = f32x16_select(before, f32x16_splat(0.0f), *share);
    return i32x16_max(i, i32x16_splat(0));
}

// Linear rgb of a level, bilinear.
static inline void map_sample(const Texture *texture, int32_t number, f32x16 u, f32x16 v, f32x16 rgb[3])
{
    const MapLevel *level = &texture->levels[number];
    f32x16 fu, fv;
    const i32x16 iu = map_axis(u, level->width, texture->wrap_u, &fu),
                 iv = map_axis(v, level->height, texture->wrap_v, &fv);
    const i32x16 at = i32x16_add(i32x16_mul(iv, i32x16_splat(level->stride)), iu);
    i32x16 t[4];
    lanes_pairs(level->texels, at, &t[0], &t[1]);
    lanes_pairs(level->texels + level->stride, at, &t[2], &t[3]);
    const f32x16 w11 = f32x16_mul(fu, fv), w10 = f32x16_sub(fv, w11), w01 = f32x16_sub(fu, w11);
    const f32x16 w00 = f32x16_sub(f32x16_sub(f32x16_splat(1.0f), fu), w10);
    const f32x16 weight[4] = {w00, w01, w10, w11};
    static const int32_t shift[3] = {0, 11, 22}, mask[3] = {2047, 2047, 1023};
    for (int c = 0; c < 3; c++) {
        f32x16 sum = f32x16_splat(0.0f);
        for (int k = 0; k < 4; k++) {
            const f32x16 root = f32x16_from_i32(i32x16_and(i32x16_shr(t[k], shift[c]), i32x16_splat(mask[c])));
            sum = f32x16_madd(sum, f32x16_mul(root, root), weight[k]);
        }
        rgb[c] = f32x16_scale(sum, 1.0f / (float)(mask[c] * mask[c]));
    }
}

// Alpha of a level, 0..1, bilinear; 1 where the map has none.
static inline f32x16 map_alpha(const Texture *texture, int32_t number, f32x16 u, f32x16 v)
{
    const MapLevel *level = &texture->levels[number];
    if (!level->alpha) return f32x16_splat(1.0f);
    f32x16 fu, fv;
    const i32x16 iu = map_axis(u, level->width, texture->wrap_u, &fu),
                 iv = map_axis(v, level->height, texture->wrap_v, &fv);
    int32_t at[16];
    float a[4][16];
    i32x16_store(at, i32x16_add(i32x16_mul(iv, i32x16_splat(level->stride)), iu));
    for (int k = 0; k < 16; k++) {
        const uint8_t *p = level->alpha + at[k];
        a[0][k] = p[0], a[1][k] = p[1], a[2][k] = p[level->stride], a[3][k] = p[level->stride + 1];
    }
    const f32x16 top = f32x16_madd(f32x16_load(a[0]), f32x16_sub(f32x16_load(a[1]), f32x16_load(a[0])), fu);
    const f32x16 low = f32x16_madd(f32x16_load(a[2]), f32x16_sub(f32x16_load(a[3]), f32x16_load(a[2])), fu);
    return f32x16_scale(f32x16_madd(top, f32x16_sub(low, top), fv), 1.0f / 255.0f);
}

static inline void triangle_corners(const Part *part, int32_t number, int32_t corner[3])
{
    const uint32_t *index = part->geometry->indices + 3 * ((int64_t)number - (int64_t)part->first_number);
    corner[0] = (int32_t)index[0];
    corner[1] = (int32_t)index[part->mirrored ? 2 : 1], corner[2] = (int32_t)index[part->mirrored ? 1 : 2];
}

static inline f32x16 plane_at(const float p[3], f32x16 x, f32x16 y)
{
    return f32x16_add(f32x16_mul(f32x16_splat(p[0]), x), f32x16_madd(f32x16_splat(p[2]), f32x16_splat(p[1]), y));
}

// w of 16 depths: 1 in a parallel view.
static inline f32x16 depth_w(const Pass *pass, f32x16 depth)
{
    if (pass->orthographic) return f32x16_splat(1.0f);
    return f32x16_div(f32x16_splat(1.0f), f32x16_max(depth, f32x16_splat(1e-6f)));
}
