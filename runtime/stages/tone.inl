// The tone curve and the encoding, sixteen at a time: the same steps as base/maths.c. Included once for each
// instruction set. ACES as three.js has it: Stephen Hill's fit of the RRT and ODT.

static inline void tone_aces(f32x16 c[3])
{
    static const float in[9] = {0.59719f, 0.35458f, 0.04823f, 0.07600f, 0.90834f,
                                0.01566f, 0.02840f, 0.13383f, 0.83777f};
    static const float out[9] = {1.60475f,  -0.53108f, -0.07367f, -0.10208f, 1.10813f,
                                 -0.00605f, -0.00327f, -0.07276f, 1.07602f};
    f32x16 v[3];
    for (int k = 0; k < 3; k++) {
        v[k] = f32x16_add(f32x16_scale(c[0], in[3 * k] / 0.6f), f32x16_add(f32x16_scale(c[1], in[3 * k + 1] / 0.6f),
                                                                           f32x16_scale(c[2], in[3 * k + 2] / 0.6f)));
        const f32x16 a = f32x16_offset(f32x16_mul(v[k], f32x16_offset(v[k], 0.0245786f)), -0.000090537f);
        const f32x16 b =
            f32x16_offset(f32x16_mul(v[k], f32x16_offset(f32x16_scale(v[k], 0.983729f), 0.4329510f)), 0.238081f);
        v[k] = f32x16_div(a, b);
    }
    for (int k = 0; k < 3; k++)
        c[k] = f32x16_clamp(f32x16_add(f32x16_scale(v[0], out[3 * k]), f32x16_add(f32x16_scale(v[1], out[3 * k + 1]),
                                                                                  f32x16_scale(v[2], out[3 * k + 2]))),
                            0.0f, 1.0f);
}

// 0..1 to 0..1; within 1/2000 of the definition.
static inline f32x16 srgb_encode(f32x16 x)
{
    const f32x16 curve = f32x16_exp2(f32x16_scale(f32x16_log2(f32x16_max(x, f32x16_splat(1e-6f))), 1.0f / 2.4f));
    return f32x16_select(f32x16_lt(x, f32x16_splat(0.0031308f)), f32x16_scale(x, 12.92f),
                         f32x16_offset(f32x16_scale(curve, 1.055f), -0.055f));
}

// Light to what the display shows, 0..1, not yet encoded.
static inline void tone_pixels(const ThatchResolveOptions *options, f32x16 c[3])
{
    if (options->exposure != 1.0f)
        for (int k = 0; k < 3; k++) c[k] = f32x16_scale(c[k], options->exposure);
    for (int k = 0; k < 3; k++) c[k] = f32x16_clamp(c[k], 0.0f, 65504.0f);
    if (options->tone == THATCH_TONE_ACES) tone_aces(c);
    for (int k = 0; k < 3; k++) c[k] = f32x16_min(c[k], f32x16_splat(1.0f));
}

// 0..1 to RGBA8 words, alpha 255.
static inline i32x16 pack_pixels(const ThatchResolveOptions *options, const f32x16 c[3])
{
    i32x16 word = i32x16_splat((int32_t)0xff000000u);
    for (int k = 0; k < 3; k++) {
        const f32x16 v = options->srgb ? srgb_encode(c[k]) : c[k];
        word = i32x16_or(word, i32x16_shl(f32x16_to_i32(f32x16_offset(f32x16_scale(v, 255.0f), 0.5f)), 8 * k));
    }
    return word;
}

static inline i32x16 encode_pixels(const ThatchResolveOptions *options, f32x16 c[3])
{
    tone_pixels(options, c);
    return pack_pixels(options, c);
}

// Bytes of a channel back to 0..1, linear; decode: 256 values.
static inline f32x16 unpack_channel(const float *decode, i32x16 word, int channel)
{
    return f32x16_gather(decode, i32x16_and(i32x16_shr(word, 8 * channel), i32x16_splat(255)));
}
