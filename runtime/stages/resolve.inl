// Lights a tile's pixels, each once. A seen triangle is lit when the tile meets it, and kept in a small cache. Included
// once for each instruction set.

static inline void store_block(uint32_t *color, int32_t stride, i32x16 pixels)
{
    int32_t v[16];
    i32x16_store(v, pixels);
    for (int y = 0; y < 4; y++) memcpy(color + (int64_t)y * stride, v + 4 * y, 16);
}
static inline i32x16 load_block(const uint32_t *color, int32_t stride)
{
    int32_t v[16];
    for (int y = 0; y < 4; y++) memcpy(v + 4 * y, color + (int64_t)y * stride, 16);
    return i32x16_load(v);
}

// The distance along the ray that a depth stands for: w, or metres in a parallel view.
static inline f32x16 depth_reach(const Pass *pass, f32x16 depth)
{
    if (pass->orthographic) return f32x16_scale(f32x16_sub(f32x16_splat(1.0f), depth), pass->near_w);
    return depth_w(pass, depth);
}

// Light of 16 pixels after shadow and fog, before the tone curve. x, y: pixels from the tile's first.
static inline __attribute__((always_inline)) void finish_light(const Frame *frame, const TileLight *t,
                                                               const f32x16 part[6], const f32x16 surface[6],
                                                               f32x16 bias, f32x16 x, f32x16 y, f32x16 w, f32x16 out[3])
{
    const f32x16 px = f32x16_offset(x, (float)t->origin_x), py = f32x16_offset(y, (float)t->origin_y);
    const f32x16 sum = f32x16_add(part[0], f32x16_add(part[1], part[2]));
    for (int k = 0; k < 3; k++) out[k] = part[3 + k];
    if (m16_any(f32x16_gt(sum, f32x16_splat(1e-6f)))) {
        f32x16 seen = f32x16_splat(1.0f);
        const bool flat = frame->main.orthographic;
        if (frame->use_still)
            seen = shadow_at(&t->still, flat, frame->shadow_options.filter, px, py, w,
                             f32x16_offset(f32x16_scale(bias, frame->still.texel_m), frame->shadow_options.bias_m));
        if (frame->use_moving)
            seen = f32x16_min(seen, shadow_at(&t->moving, flat, frame->shadow_options.filter, px, py, w,
                                              f32x16_offset(f32x16_scale(bias, frame->moving.texel_m),
                                                            frame->shadow_options.bias_m)));
        for (int k = 0; k < 3; k++) out[k] = f32x16_madd(out[k], part[k], seen);
    }
    if (surface) add_points(frame, t, surface, px, py, w, out);
    if (frame->light.fog_k < 0.0f) {
        const FogRay r = fog_ray(frame, px, py);
        fog_apply(frame, &r, w, out);
    }
}

static void tile_light(const Frame *frame, int32_t tile, TileLight *t)
{
    t->origin_x = tile % frame->main.tiles_x * TILE, t->origin_y = tile / frame->main.tiles_x * TILE;
    if (frame->use_still) shadow_lookup(frame, &frame->still, &t->still);
    if (frame->use_moving) shadow_lookup(frame, &frame->moving, &t->moving);
    tile_points(frame, t);
    f32x16 c[3];
    for (int k = 0; k < 3; k++) c[k] = f32x16_splat(frame->light.background[k]);
    t->background = encode_pixels(&frame->resolve, c);
}

static inline Lit *lit_slot(Lit *cache, int32_t number)
{
    return &cache[(uint32_t)number * 2654435769u >> LIT_SHIFT];
}

// Lights the tile's triangles ahead of its pixels, in three walks over their list, so that no walk waits for memory:
// which are seen, where their corners are, then their light. A triangle whose slot is taken is lit when its pixels ask.
static void light_ahead(const Frame *frame, const TileLight *t, const int32_t *numbers, Lit *cache)
{
    int32_t list[LIT_CACHE], count = 0;
    int32_t last = NO_TRIANGLE;
    for (int32_t i = 0; i < TILE_PIXELS; i += LANES) {
        const i32x16 number = i32x16_load(numbers + i);
        uint32_t todo = ~m16_bits(i32x16_eq(number, i32x16_splat(NO_TRIANGLE))) &
                        ~m16_bits(i32x16_eq(number, i32x16_splat(last))) & 0xffffu;
        while (todo) {
            const int32_t n = numbers[i + __builtin_ctz(todo)];
            todo &= ~m16_bits(i32x16_eq(number, i32x16_splat(n)));
            last = n;
            Lit *slot = lit_slot(cache, n);
            if (slot->number != -1) continue;
            slot->number = n, list[count++] = n;
            const Part *part = pass_part(&frame->main, n);
            __builtin_prefetch(part->geometry->indices + 3 * ((int64_t)n - (int64_t)part->first_number));
        }
    }
    for (int32_t i = 0; i < count; i++) {
        const Part *part = pass_part(&frame->main, list[i]);
        int32_t corner[3];
        triangle_corners(part, list[i], corner);
        for (int k = 0; k < 3; k++) {
            __builtin_prefetch(&part->geometry->attributes[corner[k]]);
            __builtin_prefetch(&frame->main.screen[part->first_vertex + corner[k]]);
        }
    }
    for (int32_t i = 0; i < count; i++)
        light_triangle(frame, list[i], t->origin_x, t->origin_y, lit_slot(cache, list[i]));
}

enum {
    LIGHT_CORNERS = 0,
    LIGHT_POINTS = 1,
    LIGHT_PIXELS = 2
}; // at the corners; and point lights at each pixel; all at each pixel

// Light of a block's drawn pixels.
static inline __attribute__((always_inline)) void light_block(const Frame *frame, const TileLight *t, Lit *cache,
                                                              const int32_t *numbers, uint32_t todo, f32x16 depth,
                                                              f32x16 x, f32x16 y, int mode, f32x16 out[3])
{
    const i32x16 number = i32x16_load(numbers);
    const f32x16 w = depth_w(&frame->main, depth), zero = f32x16_splat(0.0f);
    float ws[16];
    f32x16_store(ws, w);
    f32x16 light[6] = {zero, zero, zero, zero, zero, zero}, surface[6] = {zero, zero, zero, zero, zero, zero},
           bias = zero;
    while (todo) {
        const int l = __builtin_ctz(todo);
        const int32_t n = numbers[l];
        const m16 m = i32x16_eq(number, i32x16_splat(n));
        Lit *lit = lit_slot(cache, n);
        if (lit->number != n) light_triangle(frame, n, t->origin_x, t->origin_y, lit);
        f32x16 part[6], what[6];
        if (mode == LIGHT_PIXELS)
            shade_pixels(frame, t, lit, x, y, w, ws[l], depth_reach(&frame->main, depth), part, what);
        else
            shade_triangle(frame, lit, x, y, w, ws[l], part, mode == LIGHT_POINTS ? what : NULL);
        todo &= ~m16_bits(m);
        if (m16_all(m)) { // one triangle has it all
            for (int k = 0; k < 6; k++) light[k] = part[k];
            for (int k = 0; mode != LIGHT_CORNERS && k < 6; k++) surface[k] = what[k];
            bias = f32x16_splat(lit->bias);
            break;
        }
        for (int k = 0; k < 6; k++) light[k] = f32x16_select(m, part[k], light[k]);
        for (int k = 0; mode != LIGHT_CORNERS && k < 6; k++) surface[k] = f32x16_select(m, what[k], surface[k]);
        bias = f32x16_select(m, f32x16_splat(lit->bias), bias);
    }
    finish_light(frame, t, light, mode != LIGHT_CORNERS && t->point_count > 0 ? surface : NULL, bias, x, y,
                 depth_reach(&frame->main, depth), out);
}

static void kernel_resolve(Frame *frame, int32_t tile, PassWorker *worker)
{
    Lit cache[LIT_CACHE];
    for (int k = 0; k < LIT_CACHE; k++) cache[k].number = -1;
    TileLight t;
    tile_light(frame, tile, &t);
    const Pass *pass = &frame->main;
    const float *depths = pass->depth + (int64_t)tile * TILE_PIXELS;
    const int32_t *numbers = pass->numbers + (int64_t)tile * TILE_PIXELS;
    light_ahead(frame, &t, numbers, cache);
    const bool keep_sky = (frame->done & DID_SKY) != 0;
    const i32x16 none = i32x16_splat(NO_TRIANGLE);
    const f32x16 column = block_columns(), row = block_rows();
    const int32_t blocks_x = (frame->width - t.origin_x + 3) / 4, blocks_y = (frame->height - t.origin_y + 3) / 4;
    for (int32_t by = 0; by < TILE_BLOCKS && by < blocks_y; by++)
        for (int32_t bx = 0; bx < TILE_BLOCKS && bx < blocks_x; bx++) {
            const int32_t at = 16 * (by * TILE_BLOCKS + bx);
            uint32_t *color = frame->color + (int64_t)(t.origin_y + 4 * by) * frame->stride + t.origin_x + 4 * bx;
            const uint32_t drawn = ~m16_bits(i32x16_eq(i32x16_load(numbers + at), none)) & 0xffffu;
            if (!drawn) {
                if (!keep_sky) store_block(color, frame->stride, t.background);
                continue;
            }
            worker->pixels_shaded += __builtin_popcount(drawn);
            f32x16 c[3];
            const f32x16 depth = f32x16_load(depths + at), x = f32x16_offset(column, (float)(4 * bx)),
                         y = f32x16_offset(row, (float)(4 * by));
            if (frame->resolve.pixel_light)
                light_block(frame, &t, cache, numbers + at, drawn, depth, x, y, LIGHT_PIXELS, c);
            else if (t.point_count > 0)
                light_block(frame, &t, cache, numbers + at, drawn, depth, x, y, LIGHT_POINTS, c);
            else
                light_block(frame, &t, cache, numbers + at, drawn, depth, x, y, LIGHT_CORNERS, c);
            i32x16 pixels = encode_pixels(&frame->resolve, c);
            if (drawn != 0xffffu)
                pixels = i32x16_select(m16_from_bits(drawn), pixels,
                                       keep_sky ? load_block(color, frame->stride) : t.background);
            store_block(color, frame->stride, pixels);
        }
}
