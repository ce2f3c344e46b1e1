// Water's two loops: coarse samples of the waves, the sky in them and the light below, then each pixel of the surface.
// Included once for each instruction set.
#include "stages/water.h"

static inline f32x16 water_cell(f32x16 place, float inverse) // a coordinate in the repeating grid, in cells
{
    const f32x16 t = f32x16_scale(place, inverse);
    return f32x16_scale(f32x16_sub(t, f32x16_floor(t)), (float)WATER_SIDE - 0.001f);
}

static inline void water_slopes(const WaterSurface *s, f32x16 x, f32x16 z, float scale, f32x16 *sx, f32x16 *sz)
{
    const f32x16 u = water_cell(x, scale / s->def.patch_m), v = water_cell(z, scale / s->def.patch_m);
    const f32x16 wu = f32x16_floor(u), wv = f32x16_floor(v), fu = f32x16_sub(u, wu), fv = f32x16_sub(v, wv);
    int32_t at[16];
    i32x16_store(at, i32x16_add(i32x16_mul(f32x16_to_i32(wv), i32x16_splat(WATER_SIDE + 1)), f32x16_to_i32(wu)));
    float t[8][16];
    for (int k = 0; k < 16; k++) {
        const float *a = s->slopes + 2 * at[k], *b = a + 2 * (WATER_SIDE + 1);
        for (int c = 0; c < 4; c++) t[c][k] = a[c], t[4 + c][k] = b[c];
    }
    for (int c = 0; c < 2; c++) {
        const f32x16 a = f32x16_load(t[c]), b = f32x16_load(t[4 + c]);
        const f32x16 top = f32x16_madd(a, f32x16_sub(f32x16_load(t[2 + c]), a), fu),
                     low = f32x16_madd(b, f32x16_sub(f32x16_load(t[6 + c]), b), fu);
        *(c ? sz : sx) = f32x16_madd(top, f32x16_sub(low, top), fv);
    }
}

static inline f32x16 water_caustic(const WaterSurface *s, int channel, f32x16 x, f32x16 z)
{
    const float *map = s->caustics + (int64_t)channel * (WATER_SIDE + 1) * (WATER_SIDE + 1);
    const f32x16 u = water_cell(x, 1.0f / s->def.patch_m), v = water_cell(z, 1.0f / s->def.patch_m);
    const f32x16 wu = f32x16_floor(u), wv = f32x16_floor(v), fu = f32x16_sub(u, wu), fv = f32x16_sub(v, wv);
    const i32x16 at = i32x16_add(i32x16_mul(f32x16_to_i32(wv), i32x16_splat(WATER_SIDE + 1)), f32x16_to_i32(wu));
    i32x16 t[4];
    lanes_pairs(map, at, &t[0], &t[1]), lanes_pairs(map + WATER_SIDE + 1, at, &t[2], &t[3]);
    const f32x16 a = i32x16_floats(t[0]), b = i32x16_floats(t[2]);
    const f32x16 top = f32x16_madd(a, f32x16_sub(i32x16_floats(t[1]), a), fu),
                 low = f32x16_madd(b, f32x16_sub(i32x16_floats(t[3]), b), fu);
    return f32x16_madd(top, f32x16_sub(low, top), fv);
}

// Rings that run out from where something touched the water.
static inline void water_rings(const WaterJob *job, f32x16 x, f32x16 z, f32x16 *sx, f32x16 *sz)
{
    for (int32_t i = 0; i < job->water->ring_count; i++) {
        const float *ring = job->water->rings[i];
        const float age = (float)(job->frame->time_s - (double)ring[2]);
        if (age < 0.0f || age > 4.0f) continue;
        const f32x16 dx = f32x16_offset(x, -ring[0]), dz = f32x16_offset(z, -ring[1]);
        const f32x16 r = f32x16_sqrt(f32x16_offset(f32x16_madd(f32x16_mul(dx, dx), dz, dz), 1e-6f));
        const f32x16 front = f32x16_offset(r, -0.55f * age); // the packet's middle
        const f32x16 packet = f32x16_exp2(f32x16_scale(f32x16_mul(front, front), -60.0f));
        if (!m16_any(f32x16_gt(packet, f32x16_splat(1e-3f)))) continue;
        const float fade = ring[3] * 0.35f * (1.0f - age * 0.25f);
        const f32x16 slope =
            f32x16_div(f32x16_mul(f32x16_scale(packet, fade), f32x16_sin(f32x16_scale(front, 48.0f))), r);
        *sx = f32x16_madd(*sx, slope, dx), *sz = f32x16_madd(*sz, slope, dz);
    }
}

// A ray mirrored in the surface, unit, never under it. Returns how squarely it meets it, 0.02 .. 1.
static inline f32x16 mirror_ray(const FogRay *ray, f32x16 sx, f32x16 sz, f32x16 mirror[3])
{
    const f32x16 one = f32x16_splat(1.0f);
    const f32x16 up = f32x16_div(one, f32x16_sqrt(f32x16_offset(f32x16_madd(f32x16_mul(sx, sx), sz, sz), 1.0f)));
    const f32x16 n[3] = {f32x16_neg(f32x16_mul(sx, up)), up, f32x16_neg(f32x16_mul(sz, up))};
    const f32x16 inverse = f32x16_div(one, f32x16_sqrt(ray->length2));
    f32x16 d[3], facing = f32x16_splat(0.0f);
    for (int k = 0; k < 3; k++)
        d[k] = f32x16_mul(ray->ray[k], inverse), facing = f32x16_sub(facing, f32x16_mul(d[k], n[k]));
    facing = f32x16_clamp(facing, 0.02f, 1.0f);
    for (int k = 0; k < 3; k++) mirror[k] = f32x16_madd(d[k], f32x16_scale(n[k], 2.0f), facing);
    mirror[1] = f32x16_max(mirror[1], f32x16_splat(0.03f));
    return facing;
}

// The frame's depth (1 / w) at whole pixels inside it.
static inline f32x16 frame_depths(const Frame *frame, i32x16 px, i32x16 py)
{
    int32_t x[16], y[16];
    float v[16];
    i32x16_store(x, px), i32x16_store(y, py);
    for (int k = 0; k < 16; k++) {
        const int32_t tile = y[k] / TILE * frame->main.tiles_x + x[k] / TILE, tx = x[k] % TILE, ty = y[k] % TILE;
        v[k] = frame->main.depth[(int64_t)tile * TILE_PIXELS + 16 * ((ty >> 2) * TILE_BLOCKS + (tx >> 2)) +
                                 4 * (ty & 3) + (tx & 3)];
    }
    return f32x16_load(v);
}

// What stands mirrored in the water, where the screen shows it: marches along the reflected ray through the depths.
static inline m16 mirror_screen(const WaterJob *job, const f32x16 from[3], const f32x16 d[3], m16 wanted, f32x16 rgb[3])
{
    const Frame *frame = job->frame;
    const float *m = frame->main.clip;
    m16 open = wanted, hit = m16_first(0);
    i32x16 at = i32x16_splat(0);
    float reach = 0.12f;
    for (int step = 0; step < 16 && m16_any(open); step++, reach *= 1.5f) {
        f32x16 p[3];
        for (int k = 0; k < 3; k++) p[k] = f32x16_madd(from[k], d[k], f32x16_splat(reach));
        const f32x16 w = clip_row(m, 3, p);
        const m16 front = f32x16_gt(w, f32x16_splat(frame->main.near_w));
        const f32x16 inverse = f32x16_div(f32x16_splat(1.0f), f32x16_select(front, w, f32x16_splat(1.0f)));
        const f32x16 half_x = f32x16_splat(0.5f * (float)frame->width),
                     half_y = f32x16_splat(0.5f * (float)frame->height);
        const f32x16 px = f32x16_madd(half_x, f32x16_mul(clip_row(m, 0, p), inverse), half_x);
        const f32x16 py = f32x16_sub(half_y, f32x16_mul(f32x16_mul(clip_row(m, 1, p), inverse), half_y));
        const m16 inside =
            m16_and(m16_and(f32x16_ge(px, f32x16_splat(0.0f)), f32x16_lt(px, f32x16_splat((float)frame->width))),
                    m16_and(f32x16_ge(py, f32x16_splat(0.0f)), f32x16_lt(py, f32x16_splat((float)frame->height))));
        open = m16_and(open, m16_and(front, inside));
        if (!m16_any(open)) break;
        const i32x16 ix = f32x16_to_i32(f32x16_clamp(px, 0.0f, (float)(frame->width - 1))),
                     iy = f32x16_to_i32(f32x16_clamp(py, 0.0f, (float)(frame->height - 1)));
        const f32x16 depth = frame_depths(frame, ix, iy);
        const f32x16 behind = f32x16_sub(w, f32x16_div(f32x16_splat(1.0f), f32x16_max(depth, f32x16_splat(1e-6f))));
        const m16 found = m16_and(
            open, m16_and(f32x16_gt(behind, f32x16_splat(0.0f)), f32x16_lt(behind, f32x16_splat(0.4f * reach + 0.4f))));
        at = i32x16_select(found, i32x16_add(i32x16_mul(iy, i32x16_splat(frame->stride)), ix), at);
        hit = m16_or(hit, found);
        open = m16_andnot(open, found);
    }
    if (m16_any(hit)) {
        const i32x16 word = i32x16_gather((const int32_t *)job->picture, at);
        for (int k = 0; k < 3; k++) rgb[k] = f32x16_select(hit, unpack_channel(frame->decode, word, k), rgb[k]);
    }
    return hit;
}

// The sky in the direction of a mirrored ray, with the glint of the sun.
static inline void mirrored_sky(const Frame *frame, const ThatchWaterDef *def, const f32x16 mirror[3], f32x16 c[3])
{
    if (frame->light.cube) {
        cube_sample(frame->light.cube, mirror, c);
        for (int k = 0; k < 3; k++) c[k] = f32x16_scale(c[k], frame->light.cube_intensity);
    } else {
        for (int k = 0; k < 3; k++) c[k] = f32x16_splat(frame->light.background[k]);
    }
    if (!frame->light.sun.present) return;
    // The sun's disc, blurred by what is finer than the samples.
    f32x16 toward = f32x16_splat(0.0f);
    for (int k = 0; k < 3; k++) toward = f32x16_madd(toward, mirror[k], f32x16_splat(frame->light.sun.direction[k]));
    const f32x16 off = f32x16_max(f32x16_sub(f32x16_splat(1.0f), toward), f32x16_splat(0.0f));
    const float sharp = 1.0f / (0.0004f + 0.02f * def->roughness_glint * def->roughness_glint);
    const f32x16 lobe = f32x16_scale(f32x16_exp2(f32x16_scale(off, -sharp)), 6.0f);
    for (int k = 0; k < 3; k++) c[k] = f32x16_madd(c[k], lobe, f32x16_splat(frame->light.sun.color[k]));
}

// The waves' slopes at places at a distance from the eye.
static inline void water_waves(const WaterJob *job, f32x16 x, f32x16 z, f32x16 distance, f32x16 *sx, f32x16 *sz)
{
    f32x16 bx, bz;
    water_slopes(job->surface, x, z, 1.0f, sx, sz);
    water_slopes(job->surface, f32x16_sub(f32x16_scale(x, 0.8f), f32x16_scale(z, 0.6f)),
                 f32x16_add(f32x16_scale(x, 0.6f), f32x16_scale(z, 0.8f)), 0.43f, &bx, &bz);
    *sx = f32x16_madd(*sx, bx, f32x16_splat(0.6f)), *sz = f32x16_madd(*sz, bz, f32x16_splat(0.6f));
    water_rings(job, x, z, sx, sz);
    // Far slopes are finer than a sample: calm them.
    const f32x16 calm = f32x16_div(f32x16_splat(1.0f), f32x16_offset(f32x16_scale(distance, 0.03f), 1.0f));
    *sx = f32x16_mul(*sx, calm), *sz = f32x16_mul(*sz, calm);
}

static void kernel_water_samples(const WaterJob *job, int32_t first_row, int32_t end_row)
{
    const Frame *frame = job->frame;
    const ThatchWaterDef *def = &job->water->def;
    const float drop = def->level_m - frame->eye[1]; // below zero
    const int64_t plane = (int64_t)job->stride * job->rows;
    for (int32_t row = first_row; row < end_row; row++) {
        job->row_used[row] = 0;
        const f32x16 py = f32x16_splat((float)(row * job->step));
        for (int32_t column = 0; column < job->columns; column += LANES) {
            const f32x16 px = f32x16_scale(f32x16_offset(f32x16_ramp(), (float)column), (float)job->step);
            FogRay ray = fog_ray(frame, px, py);
            // Samples just beyond the water count too: pixels at its edge are mixed from them.
            ray.ray[1] = f32x16_min(ray.ray[1], f32x16_splat(-0.002f));
            const f32x16 t = f32x16_div(f32x16_splat(drop), ray.ray[1]),
                         margin = f32x16_offset(f32x16_scale(t, 0.15f), 3.0f);
            const f32x16 x = f32x16_madd(f32x16_splat(frame->eye[0]), ray.ray[0], t),
                         z = f32x16_madd(f32x16_splat(frame->eye[2]), ray.ray[2], t);
            const m16 wet = m16_and(m16_and(f32x16_gt(f32x16_add(x, margin), f32x16_splat(def->min[0])),
                                            f32x16_lt(f32x16_sub(x, margin), f32x16_splat(def->max[0]))),
                                    m16_and(f32x16_gt(f32x16_add(z, margin), f32x16_splat(def->min[1])),
                                            f32x16_lt(f32x16_sub(z, margin), f32x16_splat(def->max[1]))));
            float *out = job->samples + (int64_t)row * job->stride + column;
            if (!m16_any(wet)) {
                for (int k = 0; k < SAMPLE_PLANES; k++)
                    f32x16_store(out + k * plane, f32x16_splat(k >= SAMPLE_CAUSTIC_R ? 1.0f : 0.0f));
                continue;
            }
            job->row_used[row] = 1;
            f32x16 sx, sz, mirror[3], c[3];
            water_waves(job, x, z, f32x16_mul(t, f32x16_sqrt(ray.length2)), &sx, &sz);
            const f32x16 facing = mirror_ray(&ray, sx, sz, mirror);
            mirrored_sky(frame, def, mirror, c);
            tone_pixels(&frame->resolve, c);
            for (int k = 0; k < 3; k++) f32x16_store(out + (SAMPLE_RED + k) * plane, c[k]);
            const f32x16 miss = f32x16_sub(f32x16_splat(1.0f), facing), miss2 = f32x16_mul(miss, miss);
            f32x16_store(out + SAMPLE_FRESNEL * plane,
                         f32x16_offset(f32x16_scale(f32x16_mul(f32x16_mul(miss2, miss2), miss), 0.98f), 0.02f));
            f32x16_store(out + SAMPLE_SLOPE_X * plane, sx), f32x16_store(out + SAMPLE_SLOPE_Z * plane, sz);
            // The bed below: its own depth where it is seen, else a metre down.
            const i32x16 ix = f32x16_to_i32(f32x16_clamp(px, 0.0f, (float)(frame->width - 1))),
                         iy = f32x16_to_i32(f32x16_clamp(py, 0.0f, (float)(frame->height - 1)));
            const f32x16 depth = frame_depths(frame, ix, iy);
            const f32x16 w = f32x16_div(f32x16_splat(1.0f), f32x16_max(depth, f32x16_splat(1e-6f)));
            const m16 below = m16_and(f32x16_gt(w, t), f32x16_gt(depth, f32x16_splat(0.0f)));
            const f32x16 wb = f32x16_select(below, w, t);
            const f32x16 cx = f32x16_madd(f32x16_splat(frame->eye[0]), ray.ray[0], wb),
                         cz = f32x16_madd(f32x16_splat(frame->eye[2]), ray.ray[2], wb);
            for (int k = 0; k < 3; k++)
                f32x16_store(out + (SAMPLE_CAUSTIC_R + k) * plane, water_caustic(job->surface, k, cx, cz));
        }
    }
}

typedef struct WaterView { // what a block of pixels shows of the water
    f32x16 px, py, x, z;   // pixels; the places that they show, on the surface or nearer
    FogRay ray;
    f32x16 w, t;   // how far along the ray the bed is, and the surface
    f32x16 above;  // of the bed or bank over the level
    m16 wet, damp; // under water; just above it
} WaterView;

// false: none of it is wet or damp.
static inline bool water_view(const WaterJob *job, f32x16 depth, f32x16 px, f32x16 py, WaterView *v)
{
    const Frame *frame = job->frame;
    const ThatchWaterDef *def = &job->water->def;
    v->px = px, v->py = py, v->ray = fog_ray(frame, px, py);
    v->w = f32x16_div(f32x16_splat(1.0f), f32x16_max(depth, f32x16_splat(1e-6f)));
    const m16 down = f32x16_lt(v->ray.ray[1], f32x16_splat(-1e-5f));
    v->t =
        f32x16_div(f32x16_splat(def->level_m - frame->eye[1]), f32x16_select(down, v->ray.ray[1], f32x16_splat(-1.0f)));
    const f32x16 seen_w = f32x16_min(v->w, v->t); // of what is nearer: the place that the pixel shows
    v->x = f32x16_madd(f32x16_splat(frame->eye[0]), v->ray.ray[0], seen_w);
    v->z = f32x16_madd(f32x16_splat(frame->eye[2]), v->ray.ray[2], seen_w);
    const m16 box = m16_and(
        down, m16_and(m16_and(f32x16_gt(v->x, f32x16_splat(def->min[0])), f32x16_lt(v->x, f32x16_splat(def->max[0]))),
                      m16_and(f32x16_gt(v->z, f32x16_splat(def->min[1])), f32x16_lt(v->z, f32x16_splat(def->max[1])))));
    if (!m16_any(box)) return false;
    v->above = f32x16_sub(f32x16_splat(frame->eye[1] - def->level_m), f32x16_mul(f32x16_neg(v->ray.ray[1]), v->w));
    v->wet = m16_and(box, f32x16_lt(v->t, v->w));
    v->damp = m16_and(m16_andnot(box, v->wet), f32x16_lt(v->above, f32x16_splat(0.07f)));
    return m16_any(m16_or(v->wet, v->damp));
}

typedef struct WaterMix { // where pixels lie among the samples
    const WaterJob *job;
    i32x16 at;
    f32x16 fx, fy;
} WaterMix;

static inline WaterMix water_mix(const WaterJob *job, f32x16 px, f32x16 py)
{
    const f32x16 inverse_step = f32x16_splat(1.0f / (float)job->step);
    const f32x16 gx = f32x16_mul(px, inverse_step), gy = f32x16_mul(py, inverse_step), wx = f32x16_floor(gx),
                 wy = f32x16_floor(gy);
    return (WaterMix){
        .job = job,
        .at = i32x16_add(i32x16_mul(f32x16_to_i32(wy), i32x16_splat(job->stride)), f32x16_to_i32(wx)),
        .fx = f32x16_sub(gx, wx),
        .fy = f32x16_sub(gy, wy),
    };
}

static inline f32x16 water_sample(const WaterMix *m, int which)
{
    const int32_t stride = m->job->stride;
    const float *plane = m->job->samples + which * ((int64_t)stride * m->job->rows);
    i32x16 t[4];
    lanes_pairs(plane, m->at, &t[0], &t[1]), lanes_pairs(plane + stride, m->at, &t[2], &t[3]);
    const f32x16 a = i32x16_floats(t[0]), b = i32x16_floats(t[2]);
    const f32x16 top = f32x16_madd(a, f32x16_sub(i32x16_floats(t[1]), a), m->fx),
                 low = f32x16_madd(b, f32x16_sub(i32x16_floats(t[3]), b), m->fx);
    return f32x16_madd(top, f32x16_sub(low, top), m->fy);
}

// The bed through the surface: a moved pixel, more where it is near, if that one is under water too; else `before`.
// through: metres of water that it is seen through.
static inline i32x16 water_bed(const WaterJob *job, const WaterView *v, f32x16 sx, f32x16 sz, i32x16 before,
                               f32x16 *through)
{
    const Frame *frame = job->frame;
    const f32x16 length = f32x16_sqrt(v->ray.length2);
    const f32x16 shift =
        f32x16_div(f32x16_splat(0.35f * (float)frame->height), f32x16_offset(f32x16_mul(v->t, length), 0.5f));
    const f32x16 qx = f32x16_clamp(f32x16_add(v->px, f32x16_clamp(f32x16_mul(sx, shift), -24.0f, 24.0f)), 0.0f,
                                   (float)(frame->width - 1));
    const f32x16 qy = f32x16_clamp(f32x16_add(v->py, f32x16_clamp(f32x16_mul(sz, shift), -24.0f, 24.0f)), 0.0f,
                                   (float)(frame->height - 1));
    const i32x16 ix = f32x16_to_i32(qx), iy = f32x16_to_i32(qy);
    const f32x16 moved_w = f32x16_div(f32x16_splat(1.0f), f32x16_max(frame_depths(frame, ix, iy), f32x16_splat(1e-6f)));
    const m16 under = f32x16_gt(moved_w, v->t);
    *through =
        f32x16_min(f32x16_mul(f32x16_sub(f32x16_select(under, moved_w, v->w), v->t), length), f32x16_splat(60.0f));
    const i32x16 at = i32x16_add(i32x16_mul(iy, i32x16_splat(frame->stride)), ix);
    return i32x16_select(under, i32x16_gather((const int32_t *)job->picture, at), before);
}

// A line of foam where the water is thinnest, broken by the waves. deep: metres of water.
static inline void water_foam(const ThatchWaterDef *def, f32x16 caustic, f32x16 deep, f32x16 c[3])
{
    const f32x16 one = f32x16_splat(1.0f);
    const f32x16 broken = f32x16_clamp(f32x16_offset(f32x16_scale(caustic, 0.9f), -0.35f), 0.0f, 1.0f);
    const f32x16 edge = f32x16_clamp(
        f32x16_sub(one, f32x16_abs(f32x16_offset(f32x16_scale(deep, 2.0f / def->foam_m), -1.0f))), 0.0f, 1.0f);
    const f32x16 foam = f32x16_scale(f32x16_mul(edge, broken), 0.45f);
    for (int k = 0; k < 3; k++) c[k] = f32x16_madd(c[k], f32x16_sub(f32x16_splat(0.8f), c[k]), foam);
}

// The water's colours at wet pixels over what was there. scatter: of the deep.
static inline void water_colors(const WaterJob *job, const WaterView *v, const f32x16 scatter[3], i32x16 before,
                                const f32x16 old[3], f32x16 c[3])
{
    const Frame *frame = job->frame;
    const ThatchWaterDef *def = &job->water->def;
    const f32x16 one = f32x16_splat(1.0f);
    const WaterMix mix = water_mix(job, v->px, v->py);
    const f32x16 sx = water_sample(&mix, SAMPLE_SLOPE_X), sz = water_sample(&mix, SAMPLE_SLOPE_Z),
                 fresnel = water_sample(&mix, SAMPLE_FRESNEL);
    f32x16 through, mirror[3];
    const i32x16 word = water_bed(job, v, sx, sz, before, &through);
    for (int k = 0; k < 3; k++) mirror[k] = water_sample(&mix, SAMPLE_RED + k);
    const m16 shows = m16_and(v->wet, f32x16_gt(fresnel, f32x16_splat(0.04f)));
    if (m16_any(shows)) { // what stands at the shore, at each pixel: its edges are sharp
        const f32x16 place[3] = {v->x, f32x16_splat(def->level_m), v->z};
        f32x16 d[3];
        mirror_ray(&v->ray, sx, sz, d);
        mirror_screen(job, place, d, shows, mirror);
    }
    const f32x16 deep = f32x16_max(f32x16_neg(v->above), f32x16_splat(0.0f)); // metres of water over the bed
    // Caustics need some depth to focus, and fade in the dark below.
    const f32x16 focus = f32x16_scale(f32x16_min(f32x16_scale(deep, 2.2f), one), def->caustics);
    const f32x16 shore = f32x16_clamp(f32x16_scale(deep, 12.0f), 0.0f, 1.0f);
    for (int k = 0; k < 3; k++) {
        const f32x16 clear = f32x16_exp2(f32x16_scale(through, -1.44269504f * def->absorption[k]));
        const f32x16 caustic = f32x16_offset(water_sample(&mix, SAMPLE_CAUSTIC_R + k), -1.0f);
        const f32x16 light = f32x16_max(f32x16_madd(one, caustic, focus), f32x16_splat(0.25f));
        const f32x16 bed = f32x16_mul(unpack_channel(frame->decode, word, k), f32x16_scale(light, 0.88f));
        const f32x16 body = f32x16_madd(scatter[k], f32x16_sub(bed, scatter[k]), clear);
        const f32x16 full = f32x16_madd(body, f32x16_sub(mirror[k], body), fresnel);
        c[k] = f32x16_madd(old[k], f32x16_sub(full, old[k]), shore);
    }
    if (def->foam_m > 0.0f) water_foam(def, water_sample(&mix, SAMPLE_CAUSTIC_G), deep, c);
}

static void kernel_water_fill(const WaterJob *job, int32_t tile)
{
    const Frame *frame = job->frame;
    const ThatchWaterDef *def = &job->water->def;
    const Pass *pass = &frame->main;
    const int32_t origin_x = tile % pass->tiles_x * TILE, origin_y = tile / pass->tiles_x * TILE;
    const float *depths = pass->depth + (int64_t)tile * TILE_PIXELS;
    f32x16 scatter[3];
    for (int k = 0; k < 3; k++)
        scatter[k] = f32x16_splat(def->deep_color[k] * (frame->light.sun.present ? frame->light.sun.color[1] : 1.0f));
    tone_pixels(&frame->resolve, scatter);
    for (int32_t by = 0; by < TILE_BLOCKS && origin_y + 4 * by < frame->height; by++) {
        const int32_t first = (origin_y + 4 * by) / job->step, last = (origin_y + 4 * by + 3) / job->step + 1;
        bool used = false;
        for (int32_t r = first; r <= last && r < job->rows; r++) used |= job->row_used[r];
        if (!used) continue;
        for (int32_t bx = 0; bx < TILE_BLOCKS && origin_x + 4 * bx < frame->width; bx++) {
            WaterView v;
            if (!water_view(job, f32x16_load(depths + 16 * (by * TILE_BLOCKS + bx)),
                            f32x16_offset(block_columns(), (float)(origin_x + 4 * bx)),
                            f32x16_offset(block_rows(), (float)(origin_y + 4 * by)), &v))
                continue;
            uint32_t *color = frame->color + (int64_t)(origin_y + 4 * by) * frame->stride + origin_x + 4 * bx;
            const i32x16 before = load_block(color, frame->stride);
            f32x16 old[3], c[3];
            for (int k = 0; k < 3; k++) old[k] = unpack_channel(frame->decode, before, k), c[k] = old[k];
            if (m16_any(v.wet)) water_colors(job, &v, scatter, before, old, c);
            for (int k = 0; k < 3; k++) { // the wet line on the bank is dark
                const f32x16 dark = f32x16_scale(old[k], 0.62f);
                c[k] = f32x16_clamp(f32x16_select(v.wet, c[k], f32x16_select(v.damp, dark, old[k])), 0.0f, 1.0f);
            }
            store_block(color, frame->stride,
                        i32x16_select(m16_or(v.wet, v.damp), pack_pixels(&frame->resolve, c), before));
        }
    }
}
