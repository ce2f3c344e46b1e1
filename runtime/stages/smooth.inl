// Smooth edges: the simplest form of FXAA (Lottes, "FXAA", 2009), on the encoded bytes. Included once for each
// instruction set.

static inline f32x16 word_channel(i32x16 word, int channel)
{
    return f32x16_from_i32(i32x16_and(i32x16_shr(word, 8 * channel), i32x16_splat(255)));
}
static inline f32x16 word_luma(i32x16 word) // 0..1
{
    f32x16 l = f32x16_scale(word_channel(word, 0), 0.299f / 255.0f);
    l = f32x16_madd(l, word_channel(word, 1), f32x16_splat(0.587f / 255.0f));
    return f32x16_madd(l, word_channel(word, 2), f32x16_splat(0.114f / 255.0f));
}

// Adds share times the picture at x, y (between pixel centres, held within it) to rgb.
static inline void smooth_tap(const SmoothJob *job, f32x16 x, f32x16 y, float share, f32x16 rgb[3])
{
    x = f32x16_clamp(x, 0.0f, (float)(job->width - 1)), y = f32x16_clamp(y, 0.0f, (float)(job->height - 1));
    // The last column and row are reached with a whole share of the pixel before them.
    const f32x16 wx = f32x16_min(f32x16_floor(x), f32x16_splat((float)(job->width > 1 ? job->width - 2 : 0)));
    const f32x16 wy = f32x16_min(f32x16_floor(y), f32x16_splat((float)(job->height > 1 ? job->height - 2 : 0)));
    const f32x16 fx = f32x16_sub(x, wx), fy = f32x16_sub(y, wy);
    const i32x16 at = i32x16_add(i32x16_mul(f32x16_to_i32(wy), i32x16_splat(job->stride)), f32x16_to_i32(wx));
    i32x16 t[4];
    lanes_pairs(job->from, at, &t[0], &t[1]), lanes_pairs(job->from + job->stride, at, &t[2], &t[3]);
    for (int c = 0; c < 3; c++) {
        const f32x16 a = word_channel(t[0], c), b = word_channel(t[2], c);
        const f32x16 top = f32x16_madd(a, f32x16_sub(word_channel(t[1], c), a), fx);
        const f32x16 low = f32x16_madd(b, f32x16_sub(word_channel(t[3], c), b), fx);
        rgb[c] = f32x16_madd(rgb[c], f32x16_madd(top, f32x16_sub(low, top), fy), f32x16_splat(share));
    }
}

// 16 pixels of a row from x + dx, held within the row.
static inline i32x16 smooth_row(const SmoothJob *job, int32_t x, int32_t y)
{
    y = y < 0 ? 0 : y >= job->height ? job->height - 1 : y;
    const uint32_t *row = job->from + (int64_t)y * job->stride;
    if (x >= 0 && x + 16 <= job->width) return i32x16_load(row + x);
    int32_t v[16];
    for (int k = 0; k < 16; k++) v[k] = (int32_t)row[x + k < 0 ? 0 : x + k >= job->width ? job->width - 1 : x + k];
    return i32x16_load(v);
}

static void kernel_smooth(const SmoothJob *job, int32_t first_row, int32_t end_row)
{
    for (int32_t y = first_row; y < end_row; y++)
        for (int32_t x = 0; x < job->width; x += LANES) {
            const i32x16 middle = smooth_row(job, x, y);
            const f32x16 m = word_luma(middle), nw = word_luma(smooth_row(job, x - 1, y - 1)),
                         ne = word_luma(smooth_row(job, x + 1, y - 1));
            const f32x16 sw = word_luma(smooth_row(job, x - 1, y + 1)), se = word_luma(smooth_row(job, x + 1, y + 1));
            const f32x16 low = f32x16_min(m, f32x16_min(f32x16_min(nw, ne), f32x16_min(sw, se)));
            const f32x16 high = f32x16_max(m, f32x16_max(f32x16_max(nw, ne), f32x16_max(sw, se)));
            const f32x16 range = f32x16_sub(high, low);
            const m16 edge =
                m16_and(f32x16_ge(range, f32x16_splat(0.0833f)), f32x16_ge(range, f32x16_scale(high, 1.0f / 6.0f)));
            uint32_t *to = job->to + (int64_t)y * job->stride + x;
            i32x16 result = middle;
            if (m16_any(edge)) {
                const f32x16 north = f32x16_add(nw, ne), south = f32x16_add(sw, se);
                f32x16 dx = f32x16_sub(south, north), dy = f32x16_sub(f32x16_add(nw, sw), f32x16_add(ne, se));
                const f32x16 reduce =
                    f32x16_max(f32x16_scale(f32x16_add(north, south), 0.25f / 8.0f), f32x16_splat(1.0f / 128.0f));
                const f32x16 scale =
                    f32x16_div(f32x16_splat(1.0f), f32x16_add(f32x16_min(f32x16_abs(dx), f32x16_abs(dy)), reduce));
                dx = f32x16_clamp(f32x16_mul(dx, scale), -8.0f, 8.0f),
                dy = f32x16_clamp(f32x16_mul(dy, scale), -8.0f, 8.0f);
                const f32x16 px = f32x16_offset(f32x16_ramp(), (float)x), py = f32x16_splat((float)y);
                f32x16 a[3], b[3];
                for (int c = 0; c < 3; c++) a[c] = f32x16_splat(0.0f);
                for (int k = -1; k <= 1; k += 2)
                    smooth_tap(job, f32x16_madd(px, dx, f32x16_splat((float)k / 6.0f)),
                               f32x16_madd(py, dy, f32x16_splat((float)k / 6.0f)), 0.5f, a);
                for (int c = 0; c < 3; c++) b[c] = f32x16_scale(a[c], 0.5f);
                for (int k = -1; k <= 1; k += 2)
                    smooth_tap(job, f32x16_madd(px, dx, f32x16_splat((float)k * 0.5f)),
                               f32x16_madd(py, dy, f32x16_splat((float)k * 0.5f)), 0.25f, b);
                f32x16 luma = f32x16_scale(b[0], 0.299f / 255.0f);
                luma = f32x16_madd(luma, b[1], f32x16_splat(0.587f / 255.0f)),
                luma = f32x16_madd(luma, b[2], f32x16_splat(0.114f / 255.0f));
                const m16 wide = m16_and(f32x16_ge(luma, low), f32x16_le(luma, high));
                i32x16 mixed = i32x16_splat((int32_t)0xff000000u);
                for (int c = 0; c < 3; c++) {
                    const f32x16 v = f32x16_clamp(f32x16_select(wide, b[c], a[c]), 0.0f, 255.0f);
                    mixed = i32x16_or(mixed, i32x16_shl(f32x16_to_i32(f32x16_offset(v, 0.5f)), 8 * c));
                }
                result = i32x16_select(edge, mixed, middle);
            }
            i32x16_store(to, result); // rows are padded to whole tiles
        }
}
