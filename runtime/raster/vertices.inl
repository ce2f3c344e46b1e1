// Moves vertices: skin, thinning, wind, then the screen. Included once for each instruction set.

// What thinning and the wind do to places in object space.
static inline void deform(const Part *part, f32x16 p[3], const f32x16 spread[3], f32x16 sway)
{
    if (part->grow > 0.0f)
        for (int k = 0; k < 3; k++) p[k] = f32x16_madd(p[k], spread[k], f32x16_splat(part->grow));
    if (part->sway[0] != 0.0f || part->sway[1] != 0.0f || part->sway[2] != 0.0f) {
        f32x16 phase = f32x16_splat(part->phase[3]);
        for (int k = 0; k < 3; k++) phase = f32x16_madd(phase, p[k], f32x16_splat(part->phase[k]));
        // A slow swell with a quicker flutter on it, leaning the way the wind blows.
        f32x16 wave = f32x16_offset(f32x16_scale(f32x16_sin(phase), 0.5f), 0.35f);
        wave = f32x16_madd(wave, f32x16_sin(f32x16_scale(phase, 2.7f)), f32x16_splat(0.15f));
        wave = f32x16_mul(wave, sway);
        for (int k = 0; k < 3; k++) p[k] = f32x16_madd(p[k], wave, f32x16_splat(part->sway[k]));
    }
}

// Blends one vertex's joints: rows of a 3x4 matrix.
static inline void skin_matrix(const Part *part, int32_t vertex, float m[12])
{
    const uint8_t *joints = part->geometry->joints[vertex];
    const float *weights = part->geometry->weights[vertex];
    for (int i = 0; i < 12; i++) m[i] = 0.0f;
    for (int k = 0; k < 4; k++) {
        if (weights[k] == 0.0f) continue;
        const float *joint = part->mesh->joints + 12 * joints[k];
        for (int i = 0; i < 12; i++) m[i] = m[i] + weights[k] * joint[i];
    }
}

// Object-space places of 16 vertices, in a row from `first` (index null) or by index.
static inline void corner_places(const Part *part, int32_t first, const int32_t *index, f32x16 p[3])
{
    const Geometry *g = part->geometry;
    const i32x16 at = index ? i32x16_load(index) : i32x16_splat(0);
#define READ(array) (index ? f32x16_gather(array, at) : f32x16_load((array) + first))
    if (g->joints && part->mesh->joints) {
        float v[3][16];
        for (int k = 0; k < 16; k++) {
            const int32_t i = index ? index[k] : first + k < g->vertex_count ? first + k : g->vertex_count - 1;
            float m[12];
            skin_matrix(part, i, m);
            for (int r = 0; r < 3; r++)
                v[r][k] = m[4 * r] * g->x[i] + m[4 * r + 1] * g->y[i] + (m[4 * r + 2] * g->z[i] + m[4 * r + 3]);
        }
        for (int r = 0; r < 3; r++) p[r] = f32x16_load(v[r]);
    } else {
        p[0] = READ(g->x), p[1] = READ(g->y), p[2] = READ(g->z);
    }
    f32x16 spread[3] = {p[0], p[0], p[0]}, sway = p[0];
    if (part->grow > 0.0f) spread[0] = READ(g->spread_x), spread[1] = READ(g->spread_y), spread[2] = READ(g->spread_z);
    if (g->sway) sway = READ(g->sway);
#undef READ
    deform(part, p, spread, sway);
}

#define FAR_DEPTH 1e-7f // of a parallel view: 0 is where nothing was drawn

static inline f32x16 clip_row(const float *m, int row, const f32x16 p[3])
{
    return f32x16_add(f32x16_add(f32x16_mul(f32x16_splat(m[row]), p[0]), f32x16_mul(f32x16_splat(m[4 + row]), p[1])),
                      f32x16_add(f32x16_mul(f32x16_splat(m[8 + row]), p[2]), f32x16_splat(m[12 + row])));
}

static void kernel_vertices(const Pass *pass, const Part *part, int32_t first, int32_t count)
{
    ScreenVertex *out = pass->screen + part->first_vertex + first;
    const float half_x = 128.0f * (float)pass->width, half_y = 128.0f * (float)pass->height;
    const f32x16 limit = f32x16_splat((float)SEEN_LIMIT), zero = f32x16_splat(0.0f), behind = f32x16_splat(BEHIND);
    for (int32_t i = 0; i < count; i += LANES) {
        f32x16 p[3];
        corner_places(part, first + i, NULL, p);
        f32x16 x = clip_row(part->clip, 0, p), y = clip_row(part->clip, 1, p), d;
        m16 seen;
        if (pass->orthographic) {
            d = f32x16_madd(f32x16_splat(pass->depth_offset), clip_row(part->clip, 2, p),
                            f32x16_splat(pass->depth_scale));
            seen = f32x16_ge(d, f32x16_splat(FAR_DEPTH));
            if (!pass->depth_only) seen = m16_and(seen, f32x16_le(d, f32x16_splat(1.0f)));
        } else {
            const f32x16 w = clip_row(part->clip, 3, p);
            seen = f32x16_ge(w, f32x16_splat(pass->near_w));
            d = f32x16_div(f32x16_splat(1.0f), f32x16_select(seen, w, f32x16_splat(1.0f)));
            x = f32x16_mul(x, d), y = f32x16_mul(y, d);
        }
        x = f32x16_offset(f32x16_scale(x, half_x), half_x), y = f32x16_offset(f32x16_scale(y, -half_y), half_y);
        seen = m16_and(seen, m16_and(f32x16_lt(f32x16_abs(x), limit), f32x16_lt(f32x16_abs(y), limit)));
        x = f32x16_select(seen, x, zero), y = f32x16_select(seen, y, zero), d = f32x16_select(seen, d, behind);
        lanes_scatter4(out + i, f32x16_to_i32(f32x16_floor(f32x16_offset(x, 0.5f))),
                       f32x16_to_i32(f32x16_floor(f32x16_offset(y, 0.5f))), f32x16_bits(d), i32x16_splat(0));
    }
}
