// The background: a cube of light sampled on a coarse grid, mixed bilinearly between. Included once for each
// instruction set.

// Linear rgb of a cube in a direction (any length), bilinear within a face.
static inline void cube_sample(const Texture *cube, const f32x16 d[3], f32x16 rgb[3])
{
    const f32x16 ax = f32x16_abs(d[0]), ay = f32x16_abs(d[1]), az = f32x16_abs(d[2]), zero = f32x16_splat(0.0f);
    const m16 is_x = m16_and(f32x16_ge(ax, ay), f32x16_ge(ax, az)), is_y = m16_andnot(f32x16_ge(ay, az), is_x);
    const f32x16 major = f32x16_max(f32x16_select(is_x, ax, f32x16_select(is_y, ay, az)), f32x16_splat(1e-20f));
    const f32x16 along = f32x16_select(is_x, d[0], f32x16_select(is_y, d[1], d[2]));
    const m16 negative = f32x16_lt(along, zero);
    // +x: -z -y   -x: z -y   +y: x z   -y: x -z   +z: x -y   -z: -x -y
    const f32x16 sz = f32x16_select(negative, d[2], f32x16_neg(d[2]));
    const f32x16 s =
        f32x16_select(is_x, sz, f32x16_select(is_y, d[0], f32x16_select(negative, f32x16_neg(d[0]), d[0])));
    const f32x16 t = f32x16_select(is_y, f32x16_neg(sz), f32x16_neg(d[1]));
    i32x16 face = i32x16_select(is_x, i32x16_splat(0), i32x16_select(is_y, i32x16_splat(2), i32x16_splat(4)));
    face = i32x16_add(face, i32x16_select(negative, i32x16_splat(1), i32x16_splat(0)));
    const int32_t size = cube->width;
    const float half = 0.5f * (float)size;
    const f32x16 inverse = f32x16_div(f32x16_splat(half), major);
    const f32x16 u = f32x16_clamp(f32x16_madd(f32x16_splat(half - 0.5f), s, inverse), 0.0f, (float)(size - 1));
    const f32x16 v = f32x16_clamp(f32x16_madd(f32x16_splat(half - 0.5f), t, inverse), 0.0f, (float)(size - 1));
    const f32x16 wu = f32x16_floor(u), wv = f32x16_floor(v), fu = f32x16_sub(u, wu), fv = f32x16_sub(v, wv);
    int32_t iu[16], iv[16], fi[16];
    i32x16_store(iu, f32x16_to_i32(wu)), i32x16_store(iv, f32x16_to_i32(wv)), i32x16_store(fi, face);
    float texel[4][3][16];
    for (int k = 0; k < 16; k++) {
        const float *row = cube->cube + 4 * ((int64_t)(fi[k] * size + iv[k]) * size + iu[k]);
        const int32_t right = iu[k] + 1 < size ? 4 : 0, down = iv[k] + 1 < size ? 4 * size : 0;
        for (int c = 0; c < 3; c++) {
            texel[0][c][k] = row[c], texel[1][c][k] = row[right + c];
            texel[2][c][k] = row[down + c], texel[3][c][k] = row[down + right + c];
        }
    }
    for (int c = 0; c < 3; c++) {
        const f32x16 a = f32x16_load(texel[0][c]), b = f32x16_load(texel[2][c]);
        const f32x16 top = f32x16_madd(a, f32x16_sub(f32x16_load(texel[1][c]), a), fu);
        const f32x16 low = f32x16_madd(b, f32x16_sub(f32x16_load(texel[3][c]), b), fu);
        rgb[c] = f32x16_madd(top, f32x16_sub(low, top), fv);
    }
}

static void kernel_sky_samples(const SkyJob *job, int32_t first_row, int32_t end_row)
{
    const Frame *frame = job->frame;
    const f32x16 step = f32x16_splat((float)job->step);
    for (int32_t row = first_row; row < end_row; row++) {
        const f32x16 py = f32x16_splat((float)(row * job->step));
        for (int32_t column = 0; column < job->columns; column += LANES) {
            const f32x16 px = f32x16_mul(f32x16_offset(f32x16_ramp(), (float)column), step);
            f32x16 c[3];
            if (!job->cube) {
                for (int k = 0; k < 3; k++) c[k] = f32x16_splat(job->color[k]);
            } else if (frame->main.orthographic) {
                const f32x16 d[3] = {f32x16_splat(frame->axis[0]), f32x16_splat(frame->axis[1]),
                                     f32x16_splat(frame->axis[2])};
                cube_sample(job->cube, d, c);
            } else {
                const FogRay r = fog_ray(frame, px, py);
                cube_sample(job->cube, r.ray, c);
            }
            for (int k = 0; k < 3; k++) c[k] = f32x16_scale(c[k], job->cube ? job->intensity : 1.0f);
            i32x16_store(job->samples + (int64_t)row * job->stride + column, encode_pixels(&job->options, c));
        }
    }
}

// (a * (256 - f) + b * f) / 256 in each byte; f 0..256.
static inline i32x16 mix_words(i32x16 a, i32x16 b, i32x16 f)
{
    const i32x16 mask = i32x16_splat(0x00ff00ff), g = i32x16_sub(i32x16_splat(256), f), half = i32x16_splat(0x00800080);
    const i32x16 rb =
        i32x16_add(i32x16_add(i32x16_mul(i32x16_and(a, mask), g), i32x16_mul(i32x16_and(b, mask), f)), half);
    const i32x16 ga = i32x16_add(i32x16_add(i32x16_mul(i32x16_and(i32x16_shr(a, 8), mask), g),
                                            i32x16_mul(i32x16_and(i32x16_shr(b, 8), mask), f)),
                                 half);
    return i32x16_or(i32x16_and(i32x16_shr(rb, 8), mask), i32x16_and(ga, i32x16_splat((int32_t)0xff00ff00u)));
}

static void kernel_sky_fill(const SkyJob *job, int32_t tile)
{
    const Frame *frame = job->frame;
    const Pass *pass = &frame->main;
    const int32_t origin_x = tile % pass->tiles_x * TILE, origin_y = tile / pass->tiles_x * TILE;
    const float *depths = pass->depth + (int64_t)tile * TILE_PIXELS;
    const f32x16 inverse = f32x16_splat(1.0f / (float)job->step), zero = f32x16_splat(0.0f);
    for (int32_t by = 0; by < TILE_BLOCKS && origin_y + 4 * by < frame->height; by++)
        for (int32_t bx = 0; bx < TILE_BLOCKS && origin_x + 4 * bx < frame->width; bx++) {
            const m16 empty = f32x16_eq(f32x16_load(depths + 16 * (by * TILE_BLOCKS + bx)), zero);
            if (!m16_any(empty)) continue;
            const f32x16 x = f32x16_offset(block_columns(), (float)(origin_x + 4 * bx));
            const f32x16 y = f32x16_offset(block_rows(), (float)(origin_y + 4 * by));
            i32x16 words;
            if (job->step == 1) {
                words = load_block(job->samples + (int64_t)(origin_y + 4 * by) * job->stride + origin_x + 4 * bx,
                                   job->stride);
            } else {
                const f32x16 gx = f32x16_mul(f32x16_offset(x, 0.01f), inverse),
                             gy = f32x16_mul(f32x16_offset(y, 0.01f), inverse);
                const f32x16 wx = f32x16_floor(gx), wy = f32x16_floor(gy);
                const i32x16 fx = f32x16_to_i32(f32x16_scale(f32x16_sub(gx, wx), 256.0f)),
                             fy = f32x16_to_i32(f32x16_scale(f32x16_sub(gy, wy), 256.0f));
                const i32x16 at =
                    i32x16_add(i32x16_mul(f32x16_to_i32(wy), i32x16_splat(job->stride)), f32x16_to_i32(wx));
                i32x16 a, b, c, d;
                lanes_pairs(job->samples, at, &a, &b), lanes_pairs(job->samples + job->stride, at, &c, &d);
                words = mix_words(mix_words(a, b, fx), mix_words(c, d, fx), fy);
            }
            uint32_t *color = frame->color + (int64_t)(origin_y + 4 * by) * frame->stride + origin_x + 4 * bx;
            store_block(color, frame->stride, i32x16_select(empty, words, load_block(color, frame->stride)));
        }
}
