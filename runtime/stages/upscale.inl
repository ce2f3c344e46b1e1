// Stretches the small frame to the window: bilinear; optionally sharpened first. Included once for each instruction
// set.

// Contrast-adaptive sharpening of the small frame, after AMD's FidelityFX CAS: a cross of five, weaker where the
// contrast is already high. Writes job->sharpened.
static void kernel_sharpen(const UpscaleJob *job, int32_t first_row, int32_t end_row)
{
    const SmoothJob rows = {job->from, NULL, job->from_width, job->from_height, job->from_stride};
    for (int32_t y = first_row; y < end_row; y++)
        for (int32_t x = 0; x < job->from_width; x += LANES) {
            const i32x16 word[5] = {smooth_row(&rows, x, y), smooth_row(&rows, x - 1, y), smooth_row(&rows, x + 1, y),
                                    smooth_row(&rows, x, y - 1), smooth_row(&rows, x, y + 1)};
            // Green stands for the brightness.
            f32x16 low = word_channel(word[0], 1), high = low;
            for (int k = 1; k < 5; k++)
                low = f32x16_min(low, word_channel(word[k], 1)), high = f32x16_max(high, word_channel(word[k], 1));
            const f32x16 room = f32x16_min(low, f32x16_sub(f32x16_splat(255.0f), high));
            const f32x16 amount = f32x16_sqrt(f32x16_clamp(f32x16_div(room, f32x16_offset(high, 1.0f)), 0.0f, 1.0f));
            const f32x16 weight = f32x16_scale(amount, -0.17f);
            const f32x16 inverse = f32x16_div(f32x16_splat(1.0f), f32x16_offset(f32x16_scale(weight, 4.0f), 1.0f));
            i32x16 result = i32x16_splat((int32_t)0xff000000u);
            for (int c = 0; c < 3; c++) {
                const f32x16 round = f32x16_add(f32x16_add(word_channel(word[1], c), word_channel(word[2], c)),
                                                f32x16_add(word_channel(word[3], c), word_channel(word[4], c)));
                const f32x16 v = f32x16_clamp(f32x16_mul(f32x16_madd(word_channel(word[0], c), round, weight), inverse),
                                              0.0f, 255.0f);
                result = i32x16_or(result, i32x16_shl(f32x16_to_i32(f32x16_offset(v, 0.5f)), 8 * c));
            }
            i32x16_store(job->sharpened + (int64_t)y * job->from_stride + x, result);
        }
}

static void kernel_upscale(const UpscaleJob *job, int32_t first_row, int32_t end_row)
{
    uint32_t mixed[THATCH_MAX_FRAME_SIDE + 80]; // a row of the small frame, mixed from two, with its edge repeated
    uint32_t tail[16];
    const uint32_t *from = job->sharp ? job->sharpened : job->from;
    for (int32_t y = first_row; y < end_row; y++) {
        const int32_t at = job->row_at[y], f = job->row_share[y];
        const uint32_t *a = from + (int64_t)at * job->from_stride;
        const uint32_t *b = at + 1 < job->from_height ? a + job->from_stride : a;
        for (int32_t x = 0; x < job->from_width; x += LANES) // reads and writes run into the padding
            i32x16_store(mixed + x, mix_words(i32x16_load(a + x), i32x16_load(b + x), i32x16_splat(f)));
        mixed[job->from_width] = mixed[job->from_width - 1];
        uint32_t *to = job->to + (int64_t)y * job->to_width;
        for (int32_t x = 0; x < job->to_width; x += LANES) {
            i32x16 left, right;
            lanes_pairs(mixed, i32x16_load(job->column_at + x), &left, &right);
            const i32x16 words = mix_words(left, right, i32x16_load(job->column_share + x));
            if (x + LANES <= job->to_width) {
                i32x16_store(to + x, words);
            } else {
                i32x16_store(tail, words);
                memcpy(to + x, tail, sizeof(uint32_t) * (size_t)(job->to_width - x));
            }
        }
    }
}
