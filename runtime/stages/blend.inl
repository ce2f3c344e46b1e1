// Blended surfaces, mixed over the picture in display-linear light, in drawing order. Included once for each
// instruction set.

typedef struct BlendContext {
    Frame *frame;
    TileLight light;
    Lit lit;
    const Part *part;
    MapUv uv;
    float texels;
} BlendContext;

static void blend_block(TileBuffers *t, int32_t block, m16 inside, f32x16 z)
{
    const BlendContext *k = (const BlendContext *)t->blend_context;
    Frame *frame = k->frame;
    const m16 seen = m16_and(inside, f32x16_gt(z, f32x16_load(t->depth + 16 * block)));
    if (!m16_any(seen)) return;
    const int32_t bx = block % TILE_BLOCKS, by = block / TILE_BLOCKS;
    const f32x16 x = f32x16_offset(block_columns(), (float)(4 * bx)), y = f32x16_offset(block_rows(), (float)(4 * by));
    const f32x16 w = depth_w(t->pass, z);
    float ws[16];
    f32x16_store(ws, w);
    const float w1 = ws[__builtin_ctz(m16_bits(seen))];
    f32x16 part[6], surface[6], c[3];
    if (frame->resolve.pixel_light)
        shade_pixels(frame, &k->light, &k->lit, x, y, w, w1, depth_reach(t->pass, z), part, surface);
    else
        shade_triangle(frame, &k->lit, x, y, w, w1, part, k->light.point_count > 0 ? surface : NULL);
    finish_light(frame, &k->light, part, k->light.point_count > 0 ? surface : NULL, f32x16_splat(k->lit.bias), x, y,
                 depth_reach(t->pass, z), c);
    tone_pixels(&frame->resolve, c);
    f32x16 alpha = f32x16_splat(k->part->material->def.opacity);
    if (k->part->texture) {
        const f32x16 b1 = f32x16_mul(plane_at(k->lit.planes.p1, x, y), w),
                     b2 = f32x16_mul(plane_at(k->lit.planes.p2, x, y), w);
        const f32x16 u = f32x16_madd(f32x16_madd(f32x16_splat(k->uv.base[0]), f32x16_splat(k->uv.d1[0]), b1),
                                     f32x16_splat(k->uv.d2[0]), b2);
        const f32x16 v = f32x16_madd(f32x16_madd(f32x16_splat(k->uv.base[1]), f32x16_splat(k->uv.d1[1]), b1),
                                     f32x16_splat(k->uv.d2[1]), b2);
        alpha = f32x16_mul(alpha,
                           map_alpha(k->part->texture,
                                     map_level(k->part->texture, pixel_texels(&k->lit.planes, k->texels, w1)), u, v));
    }
    uint32_t *color = frame->color + (int64_t)(t->origin_y + 4 * by) * frame->stride + t->origin_x + 4 * bx;
    const i32x16 below = load_block(color, frame->stride);
    for (int ch = 0; ch < 3; ch++) {
        const f32x16 old = unpack_channel(frame->decode, below, ch);
        c[ch] = f32x16_madd(old, f32x16_sub(c[ch], old), alpha);
    }
    store_block(color, frame->stride, i32x16_select(seen, pack_pixels(&frame->resolve, c), below));
}

static void kernel_blend(Frame *frame, int32_t tile)
{
    const Pass *pass = &frame->main;
    const uint32_t *start = pass->tile_start + CLASS_COUNT * tile;
    if (start[CLASS_BLEND] == start[CLASS_COUNT]) return;
    TileBuffers t;
    BlendContext context = {.frame = frame};
    tile_open(pass, tile, &t);
    tile_light(frame, tile, &context.light);
    t.blend = blend_block, t.blend_context = &context;
    for (uint32_t i = start[CLASS_BLEND]; i < start[CLASS_COUNT]; i++) {
        const Record *r = &pass->records[pass->entries[i]];
        context.part = pass_part(pass, r->number);
        light_triangle(frame, r->number, t.origin_x, t.origin_y, &context.lit);
        if (context.part->texture) {
            int32_t corner[3];
            triangle_corners(context.part, r->number, corner);
            triangle_uv(context.part, context.part->texture, corner, &context.uv);
            context.texels = triangle_texels(&context.lit.planes, &context.uv, context.part->texture);
        }
        raster_record(&t, r, SINK_BLEND);
    }
}
