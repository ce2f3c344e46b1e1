// Draws a tile's triangles into depths and numbers, sixteen pixels (a 4x4 block) at a time. Included once for each
// instruction set. The nearer depth stays; on a tie the smaller number: the picture does not depend on the order.

typedef struct MaskTest { // an alpha-tested triangle
    const Part *part;
    Planes planes;
    MapUv uv;
    float texels;
} MaskTest;

struct TileBuffers;
// What a covered block of a blended triangle does: inside and z as in block_update.
typedef void BlendBlock(struct TileBuffers *t, int32_t block, m16 inside, f32x16 z);

enum { SINK_DEPTH = 0, SINK_VISIBLE = 1, SINK_MASK = 2, SINK_MASK_DEPTH = 3, SINK_BLEND = 4 };

typedef struct TileBuffers {
    const Pass *pass;
    float *depth;
    int32_t *numbers;
    float far[TILE_BLOCKS * TILE_BLOCKS]; // no pixel of the block is farther than this (a bound, 0 at first)
    int32_t origin_x, origin_y;           // pixels
    int64_t tested;
    MaskTest mask;     // SINK_MASK*
    BlendBlock *blend; // SINK_BLEND
    void *blend_context;
} TileBuffers;

static inline f32x16 block_columns(void)
{
    static const float column[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    return f32x16_load(column);
}
static inline f32x16 block_rows(void)
{
    static const float row[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    return f32x16_load(row);
}
static inline int32_t saturate(int64_t v) // the sign holds while the value moves by up to 63 steps each way
{
    const int64_t limit = 1050000000;
    return v > limit ? (int32_t)limit : v < -limit ? (int32_t)-limit : (int32_t)v;
}

// Lanes of the block whose map is opaque enough.
static inline m16 mask_block(const TileBuffers *t, int32_t block, f32x16 z)
{
    const MaskTest *k = &t->mask;
    const f32x16 x = f32x16_offset(block_columns(), (float)(4 * (block % TILE_BLOCKS)));
    const f32x16 y = f32x16_offset(block_rows(), (float)(4 * (block / TILE_BLOCKS)));
    const f32x16 w = depth_w(t->pass, z);
    const f32x16 b1 = f32x16_mul(plane_at(k->planes.p1, x, y), w), b2 = f32x16_mul(plane_at(k->planes.p2, x, y), w);
    const f32x16 u = f32x16_madd(f32x16_madd(f32x16_splat(k->uv.base[0]), f32x16_splat(k->uv.d1[0]), b1),
                                 f32x16_splat(k->uv.d2[0]), b2);
    const f32x16 v = f32x16_madd(f32x16_madd(f32x16_splat(k->uv.base[1]), f32x16_splat(k->uv.d1[1]), b1),
                                 f32x16_splat(k->uv.d2[1]), b2);
    float ws[16];
    f32x16_store(ws, w);
    const f32x16 alpha =
        map_alpha(k->part->texture, map_level(k->part->texture, pixel_texels(&k->planes, k->texels, ws[5])), u, v);
    return f32x16_ge(f32x16_scale(alpha, k->part->material->def.opacity),
                     f32x16_splat(k->part->material->def.alpha_cutoff));
}

static inline void block_update(TileBuffers *t, int32_t block, m16 inside, f32x16 z, int32_t number, int sink,
                                float nearest_far)
{
    if (sink == SINK_BLEND) {
        t->blend(t, block, inside, z);
        return;
    }
    float *depth = t->depth + 16 * block;
    const f32x16 old = f32x16_load(depth);
    if (sink == SINK_DEPTH || sink == SINK_MASK_DEPTH) {
        m16 nearer = m16_and(inside, f32x16_gt(z, old));
        if (sink == SINK_MASK_DEPTH && m16_any(nearer)) nearer = m16_and(nearer, mask_block(t, block, z));
        f32x16_store(depth, f32x16_select(nearer, z, old));
        if (m16_all(nearer)) t->far[block] = nearest_far;
        return;
    }
    int32_t *numbers = t->numbers + 16 * block;
    const i32x16 was = i32x16_load(numbers), now = i32x16_splat(number);
    m16 pass = m16_and(inside, m16_or(f32x16_gt(z, old), m16_and(f32x16_eq(z, old), i32x16_lt(now, was))));
    const uint32_t covered = m16_bits(inside);
    t->tested += __builtin_popcount(covered);
    if (!m16_any(pass)) { // hidden, and the bound did not tell: find it anew
        if (covered) t->far[block] = f32x16_least(old);
        return;
    }
    if (sink == SINK_MASK) pass = m16_and(pass, mask_block(t, block, z));
    f32x16_store(depth, f32x16_select(pass, z, old));
    i32x16_store(numbers, i32x16_select(pass, now, was));
    if (m16_all(pass)) t->far[block] = nearest_far;
}

// The nearest and farthest that a plane can be over a block: rounding is monotone, so the block's corners bound its
// pixels.
typedef struct PlaneRange {
    float nearest, farthest;
} PlaneRange;
static inline PlaneRange plane_range(const Record *r, float x, float y)
{
    const float x0 = r->zx * x, x1 = r->zx * (x + 3.0f), y0 = r->zy * y, y1 = r->zy * (y + 3.0f);
    return (PlaneRange){r->z0 + ((x0 > x1 ? x0 : x1) + (y0 > y1 ? y0 : y1)),
                        r->z0 + ((x0 < x1 ? x0 : x1) + (y0 < y1 ? y0 : y1))};
}

// Blocks of a tile whose edges are given at the tile's first pixel, / 256 floored. x0, y0: the box's first pixel in the
// tile.
static inline void raster_blocks(TileBuffers *t, const Record *r, const int32_t a[3], const int32_t b[3],
                                 const int32_t e[3], int32_t x0, int32_t y0, int32_t x1, int32_t y1, int sink)
{
    const int32_t first_x = x0 < 0 ? 0 : x0 >> 2, first_y = y0 < 0 ? 0 : y0 >> 2;
    const int32_t last_x = x1 >= TILE ? TILE_BLOCKS - 1 : x1 >> 2, last_y = y1 >= TILE ? TILE_BLOCKS - 1 : y1 >> 2;
    const i32x16 ramp = i32x16_ramp(), column = i32x16_and(ramp, i32x16_splat(3)), row = i32x16_sra(ramp, 2);
    i32x16 edge[3], best[3], worst[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = i32x16_add(i32x16_mul(i32x16_splat(a[k]), column), i32x16_mul(i32x16_splat(b[k]), row));
        // Sixteen blocks of a row: the edge at each block's first pixel, and how much it can gain or lose within.
        const i32x16 start = i32x16_mul(i32x16_splat(4 * a[k]), ramp);
        best[k] = i32x16_add(start, i32x16_splat((a[k] > 0 ? 3 * a[k] : 0) + (b[k] > 0 ? 3 * b[k] : 0)));
        worst[k] = i32x16_add(start, i32x16_splat((a[k] < 0 ? 3 * a[k] : 0) + (b[k] < 0 ? 3 * b[k] : 0)));
    }
    const uint32_t columns = ((2u << last_x) - 1u) & ~((1u << first_x) - 1u);
    const f32x16 zx = f32x16_splat(r->zx), zy = f32x16_splat(r->zy), z0 = f32x16_splat(r->z0), lane_x = block_columns(),
                 lane_y = block_rows();
    for (int32_t by = first_y; by <= last_y; by++) {
        i32x16 reject = i32x16_splat(0), partial = i32x16_splat(0);
        for (int k = 0; k < 3; k++) {
            const i32x16 at = i32x16_splat(e[k] + 4 * by * b[k]);
            reject = i32x16_or(reject, i32x16_add(at, best[k])), partial = i32x16_or(partial, i32x16_add(at, worst[k]));
        }
        uint32_t blocks = columns & ~m16_bits(i32x16_negative(reject));
        const uint32_t cut = m16_bits(i32x16_negative(partial));
        const float y = (float)(4 * by - y0);
        const f32x16 zrow = f32x16_mul(zy, f32x16_offset(lane_y, y));
        while (blocks) {
            const int32_t bx = __builtin_ctz(blocks), block = by * TILE_BLOCKS + bx;
            blocks &= blocks - 1;
            const float x = (float)(4 * bx - x0);
            const PlaneRange range = plane_range(r, x, y);
            if (range.nearest < t->far[block]) continue; // hidden as a whole
            m16 inside = m16_first(16);
            if (cut >> bx & 1) {
                i32x16 outside = i32x16_splat(0);
                for (int k = 0; k < 3; k++)
                    outside =
                        i32x16_or(outside, i32x16_add(i32x16_splat(e[k] + 4 * bx * a[k] + 4 * by * b[k]), edge[k]));
                inside = m16_not(i32x16_negative(outside));
            }
            const f32x16 z = f32x16_add(z0, f32x16_add(f32x16_mul(zx, f32x16_offset(lane_x, x)), zrow));
            block_update(t, block, inside, z, r->number, sink, range.farthest);
        }
    }
}

static inline void raster_small(TileBuffers *t, const Record *r, int sink)
{
    const int32_t x0 = (r->origin & 8191) - t->origin_x,
                  y0 = (r->origin >> 13 & 8191) - t->origin_y; // may lie left of or above the tile
    const int32_t x1 = x0 + (r->extent & 255), y1 = y0 + (r->extent >> 8);
    const int32_t first_x = x0 < 0 ? 0 : x0 >> 2, first_y = y0 < 0 ? 0 : y0 >> 2;
    const int32_t last_x = x1 >= TILE ? TILE_BLOCKS - 1 : x1 >> 2, last_y = y1 >= TILE ? TILE_BLOCKS - 1 : y1 >> 2;
    if (last_x - first_x > 1 || last_y - first_y > 1) {
        int32_t a[3], b[3], e[3];
        for (int k = 0; k < 3; k++) {
            a[k] = (int16_t)(r->b[k] & 0xffff), b[k] = r->b[k] >> 16;
            e[k] = r->a[k] - a[k] * x0 - b[k] * y0;
        }
        raster_blocks(t, r, a, b, e, x0, y0, x1, y1, sink);
        return;
    }
    const f32x16 column = block_columns(), row = block_rows();
    for (int32_t by = first_y; by <= last_y; by++)
        for (int32_t bx = first_x; bx <= last_x; bx++) {
            const int32_t block = by * TILE_BLOCKS + bx;
            const float dx = (float)(4 * bx - x0), dy = (float)(4 * by - y0);
            const PlaneRange range = plane_range(r, dx, dy);
            if (range.nearest < t->far[block]) continue; // hidden as a whole
            // Edge values are whole numbers below 2^24: exact as floats.
            const f32x16 x = f32x16_offset(column, dx), y = f32x16_offset(row, dy);
            i32x16 outside = i32x16_splat(0);
            for (int k = 0; k < 3; k++) {
                const f32x16 across = f32x16_scale(x, (float)(int16_t)(r->b[k] & 0xffff)),
                             down = f32x16_scale(y, (float)(r->b[k] >> 16));
                outside =
                    i32x16_or(outside, f32x16_bits(f32x16_add(f32x16_splat((float)r->a[k]), f32x16_add(across, down))));
            }
            const f32x16 z =
                f32x16_add(f32x16_splat(r->z0), f32x16_add(f32x16_scale(x, r->zx), f32x16_scale(y, r->zy)));
            block_update(t, block, m16_not(i32x16_negative(outside)), z, r->number, sink, range.farthest);
        }
}

static inline void raster_point(TileBuffers *t, const Record *r, int sink)
{
    const int32_t x = (r->origin & 8191) - t->origin_x, y = (r->origin >> 13 & 8191) - t->origin_y;
    const int32_t block = (y >> 2) * TILE_BLOCKS + (x >> 2), lane = 4 * (y & 3) + (x & 3), at = 16 * block + lane;
    if (sink != SINK_DEPTH && sink != SINK_VISIBLE) {
        block_update(t, block, m16_from_bits(1u << lane), f32x16_splat(r->z0), r->number, sink, 0.0f);
        return;
    }
    t->tested++;
    if (r->z0 > t->depth[at] || (sink == SINK_VISIBLE && r->z0 == t->depth[at] && r->number < t->numbers[at])) {
        t->depth[at] = r->z0;
        if (sink == SINK_VISIBLE) t->numbers[at] = r->number;
    }
}

static inline void raster_big(TileBuffers *t, const Record *r, int sink)
{
    const int32_t x0 = (r->origin & 8191) - t->origin_x, y0 = (r->origin >> 13 & 8191) - t->origin_y;
    int32_t a[3], b[3], e[3];
    const int64_t sx = (int64_t)t->origin_x * 256 + 128, sy = (int64_t)t->origin_y * 256 + 128;
    for (int k = 0; k < 3; k++) {
        const int v = k == 2 ? 0 : k + 1;
        a[k] = r->b[v] - r->b[k], b[k] = r->a[k] - r->a[v];
        const int bias = (a[k] > 0 || (a[k] == 0 && b[k] > 0)) ? 0 : -1;
        e[k] = saturate(((int64_t)a[k] * (sx - r->a[k]) + (int64_t)b[k] * (sy - r->b[k]) + bias) >> 8);
    }
    raster_blocks(t, r, a, b, e, x0, y0, (r->extent & 8191) - t->origin_x, (r->extent >> 13) - t->origin_y, sink);
}

static inline void raster_record(TileBuffers *t, const Record *r, int sink)
{
    const int32_t kind = record_kind(r);
    if (kind == RECORD_SMALL)
        raster_small(t, r, sink);
    else if (kind == RECORD_POINT)
        raster_point(t, r, sink);
    else
        raster_big(t, r, sink);
}

static inline void raster_list(const Pass *pass, TileBuffers *t, const uint32_t *entry, const uint32_t *end, int sink)
{
    for (; entry < end; entry++) {
        if (entry + 8 < end) __builtin_prefetch(&pass->records[entry[8]]);
        raster_record(t, &pass->records[*entry], sink);
    }
}

static void raster_masked(const Pass *pass, TileBuffers *t, const uint32_t *entry, const uint32_t *end, bool depth_only)
{
    for (; entry < end; entry++) {
        const Record *r = &pass->records[*entry];
        const Part *part = pass_part(pass, r->number);
        int32_t corner[3];
        triangle_corners(part, r->number, corner);
        t->mask.part = part;
        triangle_planes(pass, part, corner, t->origin_x, t->origin_y, &t->mask.planes);
        triangle_uv(part, part->texture, corner, &t->mask.uv);
        t->mask.texels = triangle_texels(&t->mask.planes, &t->mask.uv, part->texture);
        if (depth_only)
            raster_record(t, r, SINK_MASK_DEPTH);
        else
            raster_record(t, r, SINK_MASK);
    }
}

static inline void tile_open(const Pass *pass, int32_t tile, TileBuffers *t)
{
    t->pass = pass;
    t->depth = pass->depth + (int64_t)tile * TILE_PIXELS;
    t->numbers = pass->depth_only ? NULL : pass->numbers + (int64_t)tile * TILE_PIXELS;
    t->origin_x = tile % pass->tiles_x * TILE, t->origin_y = tile / pass->tiles_x * TILE, t->tested = 0;
    memset(t->far, 0, sizeof t->far);
}

static void kernel_raster(Pass *pass, int32_t tile, PassWorker *worker)
{
    TileBuffers t;
    tile_open(pass, tile, &t);
    memset(t.depth, 0, sizeof(float) * TILE_PIXELS);
    static const uint32_t none_yet; // a pass that never had a triangle has no array
    const uint32_t *start = pass->tile_start + CLASS_COUNT * tile;
    const uint32_t *entries = pass->entries ? pass->entries : &none_yet;
    if (pass->depth_only) {
        raster_list(pass, &t, entries + start[CLASS_OPAQUE], entries + start[CLASS_MASK], SINK_DEPTH);
    } else {
        const i32x16 none = i32x16_splat(NO_TRIANGLE);
        for (int32_t i = 0; i < TILE_PIXELS; i += LANES) i32x16_store(t.numbers + i, none);
        raster_list(pass, &t, entries + start[CLASS_OPAQUE], entries + start[CLASS_MASK], SINK_VISIBLE);
    }
    raster_masked(pass, &t, entries + start[CLASS_MASK], entries + start[CLASS_BLEND], pass->depth_only);
    worker->pixels_tested += t.tested;
}
