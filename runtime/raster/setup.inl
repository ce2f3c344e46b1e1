// Sets up triangles: culls, clips, finds edges and depth planes. Included once for each instruction set.
// Fixed-point edges after Pineda, "A Parallel Algorithm for Polygon Rasterization", 1988, with the top-left rule;
// clipping after Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974.

static inline int32_t pack_pair(int32_t low, int32_t high)
{
    return (low & 0xffff) | (int32_t)((uint32_t)high << 16);
}

// Counts the tiles that a box of pixels touches.
static inline void count_tiles(const Pass *pass, uint32_t *histogram, PassWorker *worker, int32_t x0, int32_t y0,
                               int32_t x1, int32_t y1)
{
    for (int32_t y = y0 / TILE; y <= y1 / TILE; y++)
        for (int32_t x = x0 / TILE; x <= x1 / TILE; x++) histogram[y * pass->tiles_x + x]++, worker->references++;
}

// One triangle of any size whose corners are on the screen. Returns 1 when it was written.
static int32_t setup_big(const Pass *pass, const int32_t px[3], const int32_t py[3], const float pd[3], int32_t number,
                         bool two_sided, Record *out, uint32_t *histogram, PassWorker *worker)
{
    int32_t x[3] = {px[0], px[1], px[2]}, y[3] = {py[0], py[1], py[2]};
    float d[3] = {pd[0], pd[1], pd[2]};
    const int64_t area = (int64_t)(x[1] - x[0]) * (y[2] - y[0]) - (int64_t)(x[2] - x[0]) * (y[1] - y[0]);
    if (area == 0 || (!two_sided && area > 0)) return 0; // y points down: a front is negative
    if (area > 0) {
        const int32_t sx = x[1], sy = y[1];
        const float sd = d[1];
        x[1] = x[2], y[1] = y[2], d[1] = d[2], x[2] = sx, y[2] = sy, d[2] = sd;
    }
    int32_t x0 = x[0], x1 = x[0], y0 = y[0], y1 = y[0];
    for (int k = 1; k < 3; k++) {
        x0 = x[k] < x0 ? x[k] : x0, x1 = x[k] > x1 ? x[k] : x1;
        y0 = y[k] < y0 ? y[k] : y0, y1 = y[k] > y1 ? y[k] : y1;
    }
    x0 = (x0 + 127) >> 8, y0 = (y0 + 127) >> 8, x1 = (x1 - 128) >> 8, y1 = (y1 - 128) >> 8;
    x0 = x0 < 0 ? 0 : x0, y0 = y0 < 0 ? 0 : y0;
    x1 = x1 >= pass->width ? pass->width - 1 : x1, y1 = y1 >= pass->height ? pass->height - 1 : y1;
    if (x0 > x1 || y0 > y1) return 0;
    // The plane from the first pixel of the box, by the corners' differences: the huge edge terms of a long thin
    // triangle cancel before they meet a depth.
    const double ax = x[1] - x[0], ay = y[1] - y[0], bx = x[2] - x[0], by = y[2] - y[0], det = ax * by - bx * ay;
    const double ea = (double)d[1] - (double)d[0], eb = (double)d[2] - (double)d[0];
    const double gx = (ea * by - eb * ay) / det, gy = (eb * ax - ea * bx) / det;
    for (int k = 0; k < 3; k++) out->a[k] = x[k], out->b[k] = y[k];
    out->number = number;
    out->z0 = (float)((double)d[0] + gx * (x0 * 256 + 128 - x[0]) + gy * (y0 * 256 + 128 - y[0]));
    out->zx = (float)(gx * 256.0), out->zy = (float)(gy * 256.0);
    out->extent = x1 | y1 << 13, out->origin = x0 | y0 << 13 | RECORD_BIG << 26;
    count_tiles(pass, histogram, worker, x0, y0, x1, y1);
    return 1;
}

typedef struct ClipPolygon {
    double corner[16][4]; // x, y, w, depth of a parallel view
    int32_t count;
} ClipPolygon;

// Cuts by the guard band and the near plane (a parallel view's near and far ones). False: nothing is left.
static bool clip_polygon(const Pass *pass, double guard_x, double guard_y, ClipPolygon *polygon)
{
    const bool flat = pass->orthographic;
    // Positive inside: c . (x, y, w, depth) + constant.
    const double planes[6][5] = {
        {1, 0, guard_x + 1, 0, 0},
        {-1, 0, guard_x - 1, 0, 0},
        {0, -1, guard_y + 1, 0, 0},
        {0, 1, guard_y - 1, 0, 0},
        {0, 0, flat ? 0 : 1, flat ? 1 : 0, flat ? (double)-FAR_DEPTH : (double)-pass->near_w},
        {0, 0, 0, -1, 1},
    };
    double cut[16][4];
    for (int plane = flat && !pass->depth_only ? 5 : 4; plane >= 0; plane--) { // w before what divides by it
        const double *c = planes[plane];
        int kept = 0;
        for (int i = 0; i < polygon->count; i++) {
            const double *u = polygon->corner[i], *v = polygon->corner[(i + 1) % polygon->count];
            const double du = c[0] * u[0] + c[1] * u[1] + (c[2] * u[2] + c[3] * u[3]) + c[4];
            const double dv = c[0] * v[0] + c[1] * v[1] + (c[2] * v[2] + c[3] * v[3]) + c[4];
            if (du >= 0.0) memcpy(cut[kept++], u, sizeof cut[0]);
            if ((du >= 0.0) != (dv >= 0.0)) {
                // From the inner end, so that both triangles on an edge cut it at the same place.
                const double *in = du >= 0.0 ? u : v, *far = du >= 0.0 ? v : u;
                const double di = du >= 0.0 ? du : dv, df = du >= 0.0 ? dv : du, s = di / (di - df);
                for (int q = 0; q < 4; q++) cut[kept][q] = in[q] + s * (far[q] - in[q]);
                kept++;
            }
        }
        polygon->count = kept;
        memcpy(polygon->corner, cut, sizeof cut);
        if (kept < 3) return false;
    }
    return true;
}

// A clipped corner on the screen, where kernel_vertices puts one that was not cut, to the bit. False: none.
static bool land_corner(const Pass *pass, const double corner[4], float half_x, float half_y, int32_t *px, int32_t *py,
                        float *pd)
{
    float x = (float)corner[0], y = (float)corner[1];
    if (pass->orthographic) {
        *pd = (float)corner[3];
    } else {
        if (!(corner[2] >= (double)pass->near_w * 0.5)) return false; // a NaN came in
        *pd = 1.0f / (float)corner[2];
        x = x * *pd, y = y * *pd;
    }
    const float fx = x * half_x + half_x + 0.5f, fy = y * -half_y + half_y + 0.5f, limit = (float)SCREEN_LIMIT;
    if (!(fx > -limit && fx < limit && fy > -limit && fy < limit)) return false;
    *px = (int32_t)__builtin_floorf(fx), *py = (int32_t)__builtin_floorf(fy);
    return true;
}

// A triangle that crosses the near plane (a parallel view's far one) or the guard band: clipped, then fanned. Returns
// the records written.
static int32_t setup_clipped(const Pass *pass, const Part *part, const int32_t corner[3], int32_t number, Record *out,
                             int32_t capacity, uint32_t *histogram, PassWorker *worker)
{
    int32_t index[16];
    for (int k = 0; k < 16; k++) index[k] = corner[k < 3 ? k : 0];
    f32x16 place[3];
    corner_places(part, 0, index, place);
    float row[4][16];
    f32x16_store(row[0], clip_row(part->clip, 0, place)), f32x16_store(row[1], clip_row(part->clip, 1, place));
    f32x16_store(row[2], pass->orthographic ? f32x16_splat(1.0f) : clip_row(part->clip, 3, place));
    f32x16_store(row[3], f32x16_madd(f32x16_splat(pass->depth_offset), clip_row(part->clip, 2, place),
                                     f32x16_splat(pass->depth_scale)));
    ClipPolygon polygon = {.count = 3};
    for (int k = 0; k < 3; k++)
        for (int q = 0; q < 4; q++) polygon.corner[k][q] = (double)row[q][k];
    const float half_x = 128.0f * (float)pass->width, half_y = 128.0f * (float)pass->height;
    if (!clip_polygon(pass, (double)GUARD / (double)half_x, (double)GUARD / (double)half_y, &polygon)) return 0;
    worker->clipped++;
    int32_t px[16], py[16], written = 0;
    float pd[16];
    for (int k = 0; k < polygon.count; k++)
        if (!land_corner(pass, polygon.corner[k], half_x, half_y, &px[k], &py[k], &pd[k])) return 0;
    for (int k = 1; k + 1 < polygon.count && written < capacity; k++) {
        const int32_t fx[3] = {px[0], px[k], px[k + 1]}, fy[3] = {py[0], py[k], py[k + 1]};
        const float fd[3] = {pd[0], pd[k], pd[k + 1]};
        written +=
            setup_big(pass, fx, fy, fd, number, part->two_sided || pass->depth_only, out + written, histogram, worker);
    }
    return written;
}

// Where records go.
typedef struct SetupOut {
    const Pass *pass;
    const Part *part;
    Record *records;
    int32_t written, capacity;
    uint32_t *histogram;
    PassWorker *worker;
    bool two_sided;
} SetupOut;

// Triangles of a run that are too large for small edges or not all on the screen, in number order; few.
static void setup_rare(SetupOut *out, uint32_t rare, int32_t (*corner)[16], int32_t first_number)
{
    const ScreenVertex *screen = out->pass->screen + out->part->first_vertex;
    for (; rare; rare &= rare - 1) {
        const int l = __builtin_ctz(rare);
        const int32_t number = first_number + l, corners[3] = {corner[0][l], corner[1][l], corner[2][l]};
        const ScreenVertex *s[3] = {&screen[corners[0]], &screen[corners[1]], &screen[corners[2]]};
        if (out->written + 1 > out->capacity) {
            out->worker->dropped++;
        } else if (s[0]->d < 0.0f || s[1]->d < 0.0f || s[2]->d < 0.0f) {
            out->written += setup_clipped(out->pass, out->part, corners, number, out->records + out->written,
                                          out->capacity - out->written, out->histogram, out->worker);
        } else {
            const int32_t px[3] = {s[0]->x, s[1]->x, s[2]->x}, py[3] = {s[0]->y, s[1]->y, s[2]->y};
            const float pd[3] = {s[0]->d, s[1]->d, s[2]->d};
            out->written += setup_big(out->pass, px, py, pd, number, out->two_sided, out->records + out->written,
                                      out->histogram, out->worker);
        }
    }
}

typedef struct SmallEdges { // of sixteen triangles with small boxes, at their first pixels; / 256, floored
    i32x16 a0, b0, a1, b1, a2, b2, f0, f1, f2;
} SmallEdges;

// v: the corners' x, y; area: twice the signed area; sx, sy: the first pixel's centre.
static inline __attribute__((always_inline)) SmallEdges small_edges(const i32x16 *v0, const i32x16 *v1,
                                                                    const i32x16 *v2, i32x16 area, i32x16 sx, i32x16 sy)
{
    const i32x16 zero = i32x16_splat(0), one = i32x16_splat(1);
    const m16 flip = i32x16_gt(area, zero);
    const i32x16 cx1 = i32x16_select(flip, v2[0], v1[0]), cy1 = i32x16_select(flip, v2[1], v1[1]);
    const i32x16 cx2 = i32x16_select(flip, v1[0], v2[0]), cy2 = i32x16_select(flip, v1[1], v2[1]);
    SmallEdges s;
    s.a0 = i32x16_sub(cy1, v0[1]), s.b0 = i32x16_sub(v0[0], cx1);
    s.a1 = i32x16_sub(cy2, cy1), s.b1 = i32x16_sub(cx1, cx2);
    s.a2 = i32x16_sub(v0[1], cy2), s.b2 = i32x16_sub(cx2, v0[0]);
    const i32x16 e0 = i32x16_add(i32x16_mul(s.a0, i32x16_sub(sx, v0[0])), i32x16_mul(s.b0, i32x16_sub(sy, v0[1])));
    const i32x16 e1 = i32x16_add(i32x16_mul(s.a1, i32x16_sub(sx, cx1)), i32x16_mul(s.b1, i32x16_sub(sy, cy1)));
    const i32x16 whole = i32x16_select(flip, area, i32x16_sub(zero, area)); // e0 + e1 + e2
    const i32x16 e2 = i32x16_sub(i32x16_sub(whole, e0), e1);
    // Top-left rule: 0 for the edges that own their pixels, else -1. Then / 256, floored: steps are whole numbers.
#define OWNED(a, b)                                                                                                    \
    i32x16_select(m16_or(i32x16_gt(a, zero), m16_and(i32x16_eq(a, zero), i32x16_gt(b, zero))), zero, one)
    s.f0 = i32x16_sra(i32x16_sub(e0, OWNED(s.a0, s.b0)), 8);
    s.f1 = i32x16_sra(i32x16_sub(e1, OWNED(s.a1, s.b1)), 8);
    s.f2 = i32x16_sra(i32x16_sub(e2, OWNED(s.a2, s.b2)), 8);
#undef OWNED
    return s;
}

// Which triangles cover each pixel of boxes up to 2x2: cover[0] the first, [1] right of it, [2] below, [3] both.
static inline __attribute__((always_inline)) void small_cover(const SmallEdges *s, uint32_t wide, uint32_t tall,
                                                              uint32_t cover[4])
{
    const i32x16 g0 = i32x16_add(s->f0, s->a0), g1 = i32x16_add(s->f1, s->a1), g2 = i32x16_add(s->f2, s->a2);
#define OUTSIDE(p, q, r) m16_bits(i32x16_negative(i32x16_or(i32x16_or(p, q), r)))
    cover[0] = ~OUTSIDE(s->f0, s->f1, s->f2);
    cover[1] = ~OUTSIDE(g0, g1, g2) & wide;
    cover[2] = ~OUTSIDE(i32x16_add(s->f0, s->b0), i32x16_add(s->f1, s->b1), i32x16_add(s->f2, s->b2)) & tall;
    cover[3] = ~OUTSIDE(i32x16_add(g0, s->b0), i32x16_add(g1, s->b1), i32x16_add(g2, s->b2)) & wide & tall;
#undef OUTSIDE
}

typedef struct SmallDepth { // of sixteen triangles: at their first pixels, and a pixel right and down
    f32x16 z0, zx, zy;
} SmallDepth;

// v0: corner 0; d1, d2: the other corners' depths; a, b: from corner 0 to them; area: twice the signed area; sx, sy:
// the first pixel's centre.
static inline __attribute__((always_inline)) SmallDepth small_depth(const i32x16 *v0, i32x16 d1, i32x16 d2, i32x16 ax,
                                                                    i32x16 ay, i32x16 bx, i32x16 by, i32x16 area,
                                                                    i32x16 sx, i32x16 sy)
{
    const f32x16 d0 = i32x16_floats(v0[2]);
    const f32x16 fax = f32x16_from_i32(ax), fay = f32x16_from_i32(ay), fbx = f32x16_from_i32(bx),
                 fby = f32x16_from_i32(by);
    const i32x16 whole = i32x16_select(i32x16_eq(area, i32x16_splat(0)), i32x16_splat(1), area);
    const f32x16 inverse = f32x16_div(f32x16_splat(1.0f), f32x16_from_i32(whole));
    const f32x16 ea = f32x16_sub(i32x16_floats(d1), d0), eb = f32x16_sub(i32x16_floats(d2), d0);
    const f32x16 zx = f32x16_mul(f32x16_sub(f32x16_mul(ea, fby), f32x16_mul(eb, fay)), inverse);
    const f32x16 zy = f32x16_mul(f32x16_sub(f32x16_mul(eb, fax), f32x16_mul(ea, fbx)), inverse);
    const f32x16 z0 = f32x16_add(f32x16_madd(d0, zx, f32x16_from_i32(i32x16_sub(sx, v0[0]))),
                                 f32x16_mul(zy, f32x16_from_i32(i32x16_sub(sy, v0[1]))));
    return (SmallDepth){z0, f32x16_scale(zx, 256.0f), f32x16_scale(zy, 256.0f)};
}

// Writes the records of the triangles in keep. point: those with one covered pixel.
static inline __attribute__((always_inline)) void write_small(SetupOut *out, uint32_t keep, uint32_t point,
                                                              const uint32_t cover[4], int32_t (*row0)[4],
                                                              int32_t (*row1)[4], int32_t (*row2)[4])
{
    for (; keep; keep &= keep - 1) {
        const int l = __builtin_ctz(keep);
        if (out->written >= out->capacity) {
            out->worker->dropped++;
            continue;
        }
        Record *r = &out->records[out->written++];
        memcpy(r->a, row0[l], 16), memcpy(&r->z0, row1[l], 16), memcpy(r->b, row2[l], 16);
        int32_t px = r->origin & 8191, py = r->origin >> 13;
        if (point >> l & 1) { // its place and depth are all that is left of it
            const int32_t right = (int32_t)((cover[1] | cover[3]) >> l & 1),
                          down = (int32_t)((cover[2] | cover[3]) >> l & 1);
            r->z0 = r->z0 + (r->zx * (float)right + r->zy * (float)down);
            px += right, py += down;
            r->origin = px | py << 13 | RECORD_POINT << 26, r->extent = 0;
            out->histogram[py / TILE * out->pass->tiles_x + px / TILE]++, out->worker->references++;
        } else {
            count_tiles(out->pass, out->histogram, out->worker, px, py, px + (r->extent & 255), py + (r->extent >> 8));
        }
    }
}

// Sixteen triangles from the span's `base` on.
static inline __attribute__((always_inline)) void setup_run(SetupOut *out, const Span *span, int32_t base)
{
    const Pass *pass = out->pass;
    const Part *part = out->part;
    const i32x16 zero = i32x16_splat(0), one = i32x16_splat(1);
    const int32_t left = span->triangle_count - base, first = span->first_triangle + base;
    const uint32_t *indices = part->geometry->indices + 3 * (int64_t)first;
    int32_t corner[3][16];
    const int second = part->mirrored ? 2 : 1, third = part->mirrored ? 1 : 2;
    for (int k = 0; k < 16; k++) {
        const int32_t at = k < left ? 3 * k : 0;
        corner[0][k] = (int32_t)indices[at], corner[1][k] = (int32_t)indices[at + second],
        corner[2][k] = (int32_t)indices[at + third];
    }
    i32x16 v0[4], v1[4], v2[4];
    const ScreenVertex *screen = pass->screen + part->first_vertex;
    lanes_gather4(screen, corner[0], v0), lanes_gather4(screen, corner[1], v1), lanes_gather4(screen, corner[2], v2);
    const m16 live = m16_first(left);
    const m16 off =
        m16_and(live, m16_or(m16_or(i32x16_negative(v0[2]), i32x16_negative(v1[2])), i32x16_negative(v2[2])));
    // Boxes of pixels.
    const i32x16 min_x = i32x16_min(i32x16_min(v0[0], v1[0]), v2[0]),
                 max_x = i32x16_max(i32x16_max(v0[0], v1[0]), v2[0]);
    const i32x16 min_y = i32x16_min(i32x16_min(v0[1], v1[1]), v2[1]),
                 max_y = i32x16_max(i32x16_max(v0[1], v1[1]), v2[1]);
    const i32x16 x0 = i32x16_max(i32x16_sra(i32x16_add(min_x, i32x16_splat(127)), 8), zero);
    const i32x16 y0 = i32x16_max(i32x16_sra(i32x16_add(min_y, i32x16_splat(127)), 8), zero);
    const i32x16 x1 = i32x16_min(i32x16_sra(i32x16_sub(max_x, i32x16_splat(128)), 8), i32x16_splat(pass->width - 1));
    const i32x16 y1 = i32x16_min(i32x16_sra(i32x16_sub(max_y, i32x16_splat(128)), 8), i32x16_splat(pass->height - 1));
    m16 seen = m16_andnot(m16_andnot(m16_andnot(live, off), i32x16_gt(x0, x1)), i32x16_gt(y0, y1));
    const m16 large = m16_or(i32x16_gt(i32x16_sub(max_x, min_x), i32x16_splat(SMALL_EXTENT)),
                             i32x16_gt(i32x16_sub(max_y, min_y), i32x16_splat(SMALL_EXTENT)));
    const uint32_t rare = m16_bits(m16_or(off, m16_and(seen, large)));
    if (rare) setup_rare(out, rare, corner, (int32_t)part->first_number + first);
    seen = m16_andnot(seen, large);
    if (!m16_any(seen)) return;

    const i32x16 ax = i32x16_sub(v1[0], v0[0]), ay = i32x16_sub(v1[1], v0[1]);
    const i32x16 bx = i32x16_sub(v2[0], v0[0]), by = i32x16_sub(v2[1], v0[1]);
    const i32x16 area = i32x16_sub(i32x16_mul(ax, by), i32x16_mul(bx, ay)); // below 2^30: the box is small
    seen = m16_andnot(seen, out->two_sided ? i32x16_eq(area, zero) : m16_not(i32x16_lt(area, zero)));
    if (!m16_any(seen)) return;
    const i32x16 sx = i32x16_add(i32x16_shl(x0, 8), i32x16_splat(128)),
                 sy = i32x16_add(i32x16_shl(y0, 8), i32x16_splat(128));
    const SmallEdges s = small_edges(v0, v1, v2, area, sx, sy);

    // Boxes up to 2x2 are decided here.
    const i32x16 dx = i32x16_sub(x1, x0), dy = i32x16_sub(y1, y0);
    const uint32_t tiny = ~m16_bits(m16_or(i32x16_gt(dx, one), i32x16_gt(dy, one)));
    uint32_t cover[4];
    small_cover(&s, m16_bits(i32x16_gt(dx, zero)), m16_bits(i32x16_gt(dy, zero)), cover);
    const uint32_t keep = m16_bits(seen) & (~tiny | cover[0] | cover[1] | cover[2] | cover[3]);
    if (!keep) return;
    const uint32_t two =
        (cover[0] & (cover[1] | cover[2] | cover[3])) | (cover[1] & (cover[2] | cover[3])) | (cover[2] & cover[3]);

    const SmallDepth depth = small_depth(v0, v1[2], v2[2], ax, ay, bx, by, area, sx, sy);
    int32_t row0[16][4], row1[16][4], row2[16][4];
    const i32x16 number = i32x16_add(i32x16_splat((int32_t)part->first_number + first), i32x16_ramp());
    const i32x16 low = i32x16_splat(0xffff);
#define PAIR(a, b) i32x16_or(i32x16_and(a, low), i32x16_shl(b, 16))
    lanes_scatter4(row0, s.f0, s.f1, s.f2, number);
    lanes_scatter4(row1, f32x16_bits(depth.z0), f32x16_bits(depth.zx), f32x16_bits(depth.zy),
                   i32x16_or(dx, i32x16_shl(dy, 8)));
    lanes_scatter4(row2, PAIR(s.a0, s.b0), PAIR(s.a1, s.b1), PAIR(s.a2, s.b2), i32x16_or(x0, i32x16_shl(y0, 13)));
#undef PAIR
    write_small(out, keep, tiny & ~two, cover, row0, row1, row2);
}

static int32_t kernel_setup(const Pass *pass, const Span *span, Record *records, int32_t capacity, uint32_t *histogram,
                            PassWorker *worker)
{
    const Part *part = &pass->parts[span->part];
    SetupOut out = {.pass = pass,
                    .part = part,
                    .records = records,
                    .capacity = capacity,
                    .histogram = histogram,
                    .worker = worker,
                    .two_sided = part->two_sided || pass->depth_only};
    for (int32_t base = 0; base < span->triangle_count; base += LANES) setup_run(&out, span, base);
    worker->binned += out.written;
    return out.written;
}
