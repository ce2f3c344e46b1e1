// Lights a tile's pixels, each once. A seen triangle is lit at its corners when the tile meets it, and kept in a small cache.
// Included once for each instruction set.

enum { LIT_CACHE = 256, LIT_SHIFT = 24 }; // a slot is the top 8 bits of the number's product

typedef struct Lit {
    int32_t number;
    bool map, sun;     // reads a map; some of it faces the sun (and may be shadowed)
    Planes planes;
    float base[6], d1[6], d2[6]; // the sun's rgb, all other rgb: at corner 0, and the other corners' differences
    MapUv uv;
    float texels;
    Texture *texture;
    float bias;        // texels towards the sun
    // Where point lights reach: albedo and normal at corner 0, and the other corners' differences.
    float surface[3][6];
} Lit;

typedef struct ShadowLookup { // a sun map as planes over the frame's pixels
    const float *texels;
    int32_t size, stride;
    float eye[3], ray0[3], ray_x[3], ray_y[3]; // map coordinates u, v, depth: eye + (ray0 + px ray_x + py ray_y) * w
    float bias_scale;
} ShadowLookup;

static inline void shadow_lookup(const Frame *frame, const SunMap *map, ShadowLookup *out)
{
    const float *m = map->matrix, half = 0.5f * (float)map->size;
    out->texels = map->texels, out->size = map->size, out->stride = map->stride;
    // clip x -> u, y -> v (down), z -> depth (1 at the sun's side)
    const float scale[3] = {half, -half, map->pass.depth_scale}, offset[3] = {half - 0.5f, half - 0.5f, map->pass.depth_offset};
    const float *origin = frame->main.orthographic ? frame->ray0 : frame->eye;
    for (int k = 0; k < 3; k++) {
#define ROTATE(v) ((m[k] * (v)[0] + m[4 + k] * (v)[1] + m[8 + k] * (v)[2]) * scale[k])
        out->eye[k] = ROTATE(origin) + m[12 + k] * scale[k] + offset[k];
        out->ray0[k] = frame->main.orthographic ? ROTATE(frame->axis) : ROTATE(frame->ray0);
        out->ray_x[k] = ROTATE(frame->ray_x), out->ray_y[k] = ROTATE(frame->ray_y);
#undef ROTATE
    }
    const float dz = map->pass.depth_scale;
    const float length = sqrtf(m[2] * m[2] + m[6] * m[6] + m[10] * m[10]);
    out->bias_scale = (dz < 0.0f ? -dz : dz) * length; // depth a metre
}

// 1 where the sun is seen, by 2x2 or 4x4 comparisons mixed bilinearly.
static inline f32x16 shadow_at(const ShadowLookup *s, bool orthographic, int32_t filter, f32x16 px, f32x16 py, f32x16 w, f32x16 bias)
{
    f32x16 c[3];
    for (int k = 0; k < 3; k++) {
        if (orthographic) {
            c[k] = f32x16_madd(f32x16_madd(f32x16_madd(f32x16_splat(s->eye[k]), f32x16_splat(s->ray_x[k]), px), f32x16_splat(s->ray_y[k]), py),
                               f32x16_splat(s->ray0[k]), w);
        } else {
            const f32x16 ray = f32x16_madd(f32x16_madd(f32x16_splat(s->ray0[k]), f32x16_splat(s->ray_x[k]), px), f32x16_splat(s->ray_y[k]), py);
            c[k] = f32x16_madd(f32x16_splat(s->eye[k]), ray, w);
        }
    }
    const float last = (float)(s->size - 3);
    const f32x16 low = f32x16_splat(2.0f), high = f32x16_splat(last);
    const m16 inside = m16_and(m16_and(f32x16_gt(c[0], low), f32x16_lt(c[0], high)), m16_and(f32x16_gt(c[1], low), f32x16_lt(c[1], high)));
    if (!m16_any(inside)) return f32x16_splat(1.0f);
    const f32x16 u = f32x16_clamp(c[0], 2.0f, last), v = f32x16_clamp(c[1], 2.0f, last);
    const f32x16 wu = f32x16_floor(u), wv = f32x16_floor(v), fu = f32x16_sub(u, wu), fv = f32x16_sub(v, wv);
    const f32x16 depth = f32x16_madd(c[2], bias, f32x16_splat(s->bias_scale)), one = f32x16_splat(1.0f), zero = f32x16_splat(0.0f);
    i32x16 at = i32x16_add(i32x16_mul(f32x16_to_i32(wv), i32x16_splat(s->stride)), f32x16_to_i32(wu));
    f32x16 light;
    if (filter == 2) {
        i32x16 t[4];
        lanes_pairs(s->texels, at, &t[0], &t[1]), lanes_pairs(s->texels + s->stride, at, &t[2], &t[3]);
        f32x16 l[4];
        for (int k = 0; k < 4; k++) l[k] = f32x16_select(f32x16_gt(i32x16_floats(t[k]), depth), zero, one);
        const f32x16 top = f32x16_madd(l[0], f32x16_sub(l[1], l[0]), fu), bottom = f32x16_madd(l[2], f32x16_sub(l[3], l[2]), fu);
        light = f32x16_madd(top, f32x16_sub(bottom, top), fv);
    } else { // a tent over 4x4: rows -1 .. 2, the outer ones by the share they keep
        at = i32x16_sub(at, i32x16_splat(s->stride + 1));
        const f32x16 row_weight[4] = {f32x16_sub(one, fv), one, one, fv}, column_weight[4] = {f32x16_sub(one, fu), one, one, fu};
        light = zero;
        for (int y = 0; y < 4; y++) {
            i32x16 t[4];
            lanes_pairs(s->texels + y * s->stride, at, &t[0], &t[1]), lanes_pairs(s->texels + y * s->stride + 2, at, &t[2], &t[3]);
            f32x16 sum = zero;
            for (int x = 0; x < 4; x++) sum = f32x16_add(sum, f32x16_select(f32x16_gt(i32x16_floats(t[x]), depth), zero, column_weight[x]));
            light = f32x16_madd(light, sum, row_weight[y]);
        }
        light = f32x16_scale(light, 1.0f / 9.0f);
    }
    return f32x16_select(inside, light, one);
}

// A vertex's normal in world space, unit.
static inline void corner_normal(const Part *part, int32_t vertex, float n[3])
{
    const float *at = part->geometry->attributes[vertex].normal, *m = part->mesh->normal_matrix;
    float v[3] = {at[0], at[1], at[2]};
    const bool skinned = part->geometry->joints && part->mesh->joints;
    if (skinned) {
        float s[12];
        skin_matrix(part, vertex, s);
        for (int r = 0; r < 3; r++) v[r] = s[4 * r] * at[0] + s[4 * r + 1] * at[1] + s[4 * r + 2] * at[2];
    }
    for (int r = 0; r < 3; r++) n[r] = m[3 * r] * v[0] + m[3 * r + 1] * v[1] + m[3 * r + 2] * v[2];
    if (skinned || part->mesh->normals_need_unit) {
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), inverse = length > 0.0f ? 1.0f / length : 0.0f;
        for (int r = 0; r < 3; r++) n[r] *= inverse;
    }
}

// PHONG's highlight (Blinn and Phong, as three.js normalises it) at a corner, a share of the sun's colour.
static inline void corner_highlight(const Frame *frame, const Part *part, int32_t vertex, const float n[3], float nl, float out[3])
{
    const Geometry *g = part->geometry;
    const float *m = part->world, p[3] = {g->x[vertex], g->y[vertex], g->z[vertex]};
    float h[3], length = 0.0f;
    for (int k = 0; k < 3; k++) {
        h[k] = frame->eye[k] - (m[k] * p[0] + m[4 + k] * p[1] + (m[8 + k] * p[2] + m[12 + k]));
        length += h[k] * h[k];
    }
    const float view = length > 0.0f ? 1.0f / sqrtf(length) : 0.0f;
    length = 0.0f;
    for (int k = 0; k < 3; k++) h[k] = h[k] * view + frame->light.sun.direction[k], length += h[k] * h[k];
    const float half = length > 0.0f ? 1.0f / sqrtf(length) : 0.0f;
    float nh = 0.0f, lh = 0.0f;
    for (int k = 0; k < 3; k++) nh += n[k] * h[k] * half, lh += frame->light.sun.direction[k] * h[k] * half;
    const ThatchMaterialDef *def = &part->material->def;
    const float fresnel = maths_exp2((-5.55473f * lh - 6.98316f) * lh);
    const float lobe = nl * 0.25f * (def->shininess * 0.5f + 1.0f) * (nh > 0.0f ? maths_pow(nh, def->shininess) : 0.0f);
    for (int k = 0; k < 3; k++) out[k] = lobe * (def->specular[k] + (1.0f - def->specular[k]) * fresnel);
}

// The light at a corner: the sun's part (0..2) and the rest (3..5); its albedo (0..2) and normal (3..5). Returns n.l.
static inline float light_corner(const Frame *frame, const Part *part, int32_t vertex, bool flip, float out[6], float surface[6])
{
    const VertexAttributes *at = &part->geometry->attributes[vertex];
    const ThatchMaterialDef *def = &part->material->def;
    const FrameLight *light = &frame->light;
    float *albedo = surface, *n = surface + 3;
    for (int k = 0; k < 3; k++) {
        albedo[k] = def->color[k] * part->mesh->def.tint[k];
        if (def->vertex_colors) albedo[k] *= (float)at->color[k] * (1.0f / 65535.0f);
    }
    if (part->texture && !part->pixel_map) {
        const float *t = part->texture->transform;
        float texel[4];
        texture_sample_level(part->texture, t[0] * at->uv[0] + t[1] * at->uv[1] + t[2], t[3] * at->uv[0] + t[4] * at->uv[1] + t[5], 0, texel);
        for (int k = 0; k < 3; k++) albedo[k] *= texel[k];
    }
    for (int k = 0; k < 3; k++) out[k] = 0.0f, out[3 + k] = def->emissive[k] * def->emissive_intensity;
    if (def->kind == THATCH_MATERIAL_BASIC) {
        for (int k = 0; k < 3; k++) out[3 + k] += albedo[k], albedo[k] = n[k] = 0.0f; // nothing lights it
        return 0.0f;
    }
    corner_normal(part, vertex, n);
    if (flip) n[0] = -n[0], n[1] = -n[1], n[2] = -n[2];
    const ThatchShadingDef *shading = part->shading;
    const float sun_share = shading && shading->reads_baked_sun ? (float)at->baked_sun * (1.0f / 255.0f) : 1.0f;
    const float sky_share = shading && shading->reads_baked_sky ? (float)at->baked_sky * (1.0f / 255.0f) : 1.0f;
    const float up = n[1] * 0.5f + 0.5f;
    for (int k = 0; k < 3; k++)
        out[3 + k] += albedo[k] * sky_share * (light->ambient[k] + (light->ground[k] + (light->sky[k] - light->ground[k]) * up));
    float nl = n[0] * light->sun.direction[0] + n[1] * light->sun.direction[1] + n[2] * light->sun.direction[2];
    if (!light->sun.present || !(nl > 0.0f)) return nl;
    float shine[3] = {0.0f, 0.0f, 0.0f};
    if (def->kind == THATCH_MATERIAL_PHONG) corner_highlight(frame, part, vertex, n, nl, shine);
    for (int k = 0; k < 3; k++) out[k] = light->sun.color[k] * sun_share * (albedo[k] * nl + shine[k]);
    return nl;
}

static void light_triangle(const Frame *frame, int32_t number, int32_t origin_x, int32_t origin_y, Lit *lit)
{
    const Part *part = pass_part(&frame->main, number);
    int32_t corner[3];
    triangle_corners(part, number, corner);
    lit->number = number;
    triangle_planes(&frame->main, part, corner, origin_x, origin_y, &lit->planes);
    const bool flip = lit->planes.back && part->two_sided && !(part->shading && part->shading->back_as_front);
    float light[3][6], surface[3][6], nl = 0.0f;
    for (int k = 0; k < 3; k++) nl += light_corner(frame, part, corner[k], flip, light[k], surface[k]);
    if (frame->light.point_count > 0)
        for (int c = 0; c < 6; c++)
            lit->surface[0][c] = surface[0][c], lit->surface[1][c] = surface[1][c] - surface[0][c], lit->surface[2][c] = surface[2][c] - surface[0][c];
    const bool shadowed = part->mesh->def.receives_shadow;
    lit->sun = false;
    for (int c = 0; c < 6; c++) {
        lit->base[c] = light[0][c], lit->d1[c] = light[1][c] - light[0][c], lit->d2[c] = light[2][c] - light[0][c];
        if (c < 3 && (light[0][c] > 0.0f || light[1][c] > 0.0f || light[2][c] > 0.0f)) lit->sun = true;
    }
    if (lit->sun && !shadowed) {
        for (int c = 0; c < 3; c++) {
            lit->base[3 + c] += lit->base[c], lit->d1[3 + c] += lit->d1[c], lit->d2[3 + c] += lit->d2[c];
            lit->base[c] = lit->d1[c] = lit->d2[c] = 0.0f;
        }
        lit->sun = false;
    }
    // The sun map's depth is right at texels' centres only: lean towards the sun by the slope.
    nl = maths_clamp(nl * (1.0f / 3.0f), 0.05f, 1.0f);
    const float slope = maths_clamp(sqrtf(1.0f - nl * nl) / nl, 0.0f, 5.0f);
    // The filter's outer taps lie up to one texel away, two with four taps a side.
    lit->bias = frame->shadow_options.bias * (0.4f + 1.3f * slope) * (frame->shadow_options.filter == 4 ? 2.0f : 1.0f);
    lit->map = part->texture && part->pixel_map;
    lit->texture = part->texture;
    if (lit->map) {
        triangle_uv(part, corner, &lit->uv);
        lit->texels = triangle_texels(&lit->planes, &lit->uv, lit->texture);
    }
}

// All of the triangle's light at 16 pixels: sun rgb, other rgb. w1: w of the pixel that chooses the map's level.
// surface: its albedo and normal there; null when no point light needs them.
static inline __attribute__((always_inline)) void shade_triangle(const Frame *frame, const Lit *lit, f32x16 x, f32x16 y, f32x16 w, float w1, f32x16 out[6], f32x16 surface[6])
{
    const f32x16 b1 = f32x16_mul(plane_at(lit->planes.p1, x, y), w), b2 = f32x16_mul(plane_at(lit->planes.p2, x, y), w);
    for (int c = lit->sun ? 0 : 3; c < 6; c++)
        out[c] = f32x16_madd(f32x16_madd(f32x16_splat(lit->base[c]), f32x16_splat(lit->d1[c]), b1), f32x16_splat(lit->d2[c]), b2);
    if (!lit->sun) out[0] = out[1] = out[2] = f32x16_splat(0.0f);
    for (int c = 0; surface && c < 6; c++)
        surface[c] = f32x16_madd(f32x16_madd(f32x16_splat(lit->surface[0][c]), f32x16_splat(lit->surface[1][c]), b1), f32x16_splat(lit->surface[2][c]), b2);
    if (!lit->map) return;
    const f32x16 u = f32x16_madd(f32x16_madd(f32x16_splat(lit->uv.base[0]), f32x16_splat(lit->uv.d1[0]), b1), f32x16_splat(lit->uv.d2[0]), b2);
    const f32x16 v = f32x16_madd(f32x16_madd(f32x16_splat(lit->uv.base[1]), f32x16_splat(lit->uv.d1[1]), b1), f32x16_splat(lit->uv.d2[1]), b2);
    const float texels = pixel_texels(&lit->planes, lit->texels, w1);
    f32x16 texel[3];
    const int32_t level = map_level(lit->texture, texels);
    map_sample(lit->texture, level, u, v, texel);
    if (frame->trilinear && level + 1 < lit->texture->level_count && texels > 1.0f) {
        // Level n stands for 4^n texels: mix towards the next by the logarithm.
        const float exact = 0.5f * maths_log2(texels);
        const float whole = (float)(int32_t)exact;
        const int32_t first = maths_clampi((int32_t)whole, 0, lit->texture->level_count - 2);
        f32x16 next[3];
        if (first != level) map_sample(lit->texture, first, u, v, texel);
        map_sample(lit->texture, first + 1, u, v, next);
        const f32x16 share = f32x16_splat(maths_clamp(exact - (float)first, 0.0f, 1.0f));
        for (int c = 0; c < 3; c++) texel[c] = f32x16_madd(texel[c], f32x16_sub(next[c], texel[c]), share);
    }
    for (int c = 0; c < 6; c++) out[c] = f32x16_mul(out[c], texel[c % 3]);
    for (int c = 0; surface && c < 3; c++) surface[c] = f32x16_mul(surface[c], texel[c]);
}

typedef struct FogRay { // towards a pixel: for a distance of w
    f32x16 ray[3], length2;
} FogRay;

static inline FogRay fog_ray(const Frame *frame, f32x16 px, f32x16 py)
{
    FogRay r;
    for (int k = 0; k < 3; k++) {
        if (frame->main.orthographic) r.ray[k] = f32x16_splat(frame->axis[k]);
        else r.ray[k] = f32x16_madd(f32x16_madd(f32x16_splat(frame->ray0[k]), f32x16_splat(frame->ray_x[k]), px), f32x16_splat(frame->ray_y[k]), py);
    }
    r.length2 = f32x16_add(f32x16_mul(r.ray[0], r.ray[0]), f32x16_add(f32x16_mul(r.ray[1], r.ray[1]), f32x16_mul(r.ray[2], r.ray[2])));
    return r;
}

// Veils light that comes from distance w along the ray.
static inline void fog_apply(const Frame *frame, const FogRay *r, f32x16 w, f32x16 c[3])
{
    const FrameLight *light = &frame->light;
    const f32x16 clear = f32x16_exp2(f32x16_scale(f32x16_mul(r->length2, f32x16_mul(w, w)), light->fog_k));
    f32x16 veil[3];
    for (int k = 0; k < 3; k++) veil[k] = f32x16_splat(light->fog_color[k]);
    if (light->fog_sun_share > 0.0f) { // warmer towards the sun
        const f32x16 toward = f32x16_add(f32x16_scale(r->ray[0], light->sun.direction[0]),
                                         f32x16_add(f32x16_scale(r->ray[1], light->sun.direction[1]), f32x16_scale(r->ray[2], light->sun.direction[2])));
        const f32x16 facing = f32x16_max(toward, f32x16_splat(0.0f));
        const f32x16 share = f32x16_scale(f32x16_div(f32x16_mul(facing, facing), r->length2), light->fog_sun_share);
        for (int k = 0; k < 3; k++) veil[k] = f32x16_madd(veil[k], f32x16_splat(light->fog_sun_color[k] - light->fog_color[k]), share);
    }
    for (int k = 0; k < 3; k++) c[k] = f32x16_madd(veil[k], f32x16_sub(c[k], veil[k]), clear);
}

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

typedef struct TileLight { // what lighting a tile needs, found once
    ShadowLookup still, moving;
    i32x16 background;
    int32_t origin_x, origin_y;
    int32_t points[MAX_POINTS], point_count; // those whose sphere meets the tile's rays
} TileLight;

// Point lights on 16 places: lambert, falling off with the square and to nothing at the reach, as three.js has it.
static inline void add_points(const Frame *frame, const TileLight *t, const f32x16 surface[6], f32x16 px, f32x16 py, f32x16 reach, f32x16 out[3])
{
    const FogRay ray = fog_ray(frame, px, py);
    f32x16 place[3], n[3];
    for (int k = 0; k < 3; k++) {
        f32x16 origin = f32x16_splat(frame->eye[k]);
        if (frame->main.orthographic)
            origin = f32x16_madd(f32x16_madd(f32x16_splat(frame->ray0[k]), f32x16_splat(frame->ray_x[k]), px), f32x16_splat(frame->ray_y[k]), py);
        place[k] = f32x16_madd(origin, ray.ray[k], reach), n[k] = surface[3 + k];
    }
    const f32x16 one = f32x16_splat(1.0f), zero = f32x16_splat(0.0f);
    const f32x16 n2 = f32x16_add(f32x16_mul(n[0], n[0]), f32x16_add(f32x16_mul(n[1], n[1]), f32x16_mul(n[2], n[2])));
    for (int32_t i = 0; i < t->point_count; i++) {
        const PointLight *p = &frame->light.points[t->points[i]];
        f32x16 d[3], d2 = zero, facing = zero;
        for (int k = 0; k < 3; k++) {
            d[k] = f32x16_sub(f32x16_splat(p->position[k]), place[k]);
            d2 = f32x16_madd(d2, d[k], d[k]), facing = f32x16_madd(facing, d[k], n[k]);
        }
        const float inverse2 = 1.0f / (p->distance_m * p->distance_m);
        const m16 reached = m16_and(f32x16_lt(f32x16_scale(d2, inverse2), one), f32x16_gt(facing, zero));
        if (!m16_any(reached)) continue;
        const f32x16 s = f32x16_scale(d2, inverse2), window = f32x16_sub(one, f32x16_mul(s, s));
        // cos / d^2, with the lengths of n and d in one root
        const f32x16 length = f32x16_sqrt(f32x16_max(f32x16_mul(n2, d2), f32x16_splat(1e-20f)));
        f32x16 share = f32x16_div(facing, f32x16_mul(length, f32x16_max(d2, f32x16_splat(0.04f))));
        share = f32x16_select(reached, f32x16_mul(share, f32x16_mul(window, window)), zero);
        for (int k = 0; k < 3; k++) out[k] = f32x16_madd(out[k], f32x16_scale(share, p->color[k]), surface[k]);
    }
}

// Light of 16 pixels after shadow and fog, before the tone curve. x, y: pixels from the tile's first.
static inline __attribute__((always_inline)) void finish_light(const Frame *frame, const TileLight *t, const f32x16 part[6], const f32x16 surface[6], f32x16 bias, f32x16 x, f32x16 y,
                                f32x16 w, f32x16 out[3])
{
    const f32x16 px = f32x16_offset(x, (float)t->origin_x), py = f32x16_offset(y, (float)t->origin_y);
    const f32x16 sum = f32x16_add(part[0], f32x16_add(part[1], part[2]));
    for (int k = 0; k < 3; k++) out[k] = part[3 + k];
    if (m16_any(f32x16_gt(sum, f32x16_splat(1e-6f)))) {
        f32x16 seen = f32x16_splat(1.0f);
        const bool flat = frame->main.orthographic;
        if (frame->use_still)
            seen = shadow_at(&t->still, flat, frame->shadow_options.filter, px, py, w, f32x16_offset(f32x16_scale(bias, frame->still.texel_m), frame->shadow_options.bias_m));
        if (frame->use_moving)
            seen = f32x16_min(seen, shadow_at(&t->moving, flat, frame->shadow_options.filter, px, py, w, f32x16_offset(f32x16_scale(bias, frame->moving.texel_m), frame->shadow_options.bias_m)));
        for (int k = 0; k < 3; k++) out[k] = f32x16_madd(out[k], part[k], seen);
    }
    if (surface) add_points(frame, t, surface, px, py, w, out);
    if (frame->light.fog_k < 0.0f) {
        const FogRay r = fog_ray(frame, px, py);
        fog_apply(frame, &r, w, out);
    }
}

// The distance along the ray that a depth stands for: w, or metres in a parallel view.
static inline f32x16 depth_reach(const Pass *pass, f32x16 depth)
{
    if (pass->orthographic) return f32x16_scale(f32x16_sub(f32x16_splat(1.0f), depth), pass->near_w);
    return depth_w(pass, depth);
}

// Which point lights the tile's pixels may see: their spheres against the four planes through the eye and the tile's sides.
static void tile_points(const Frame *frame, TileLight *t)
{
    t->point_count = 0;
    float corner[4][3], normal[4][3];
    for (int c = 0; c < 4; c++) {
        const float px = (float)t->origin_x + (c == 1 || c == 2 ? (float)TILE : -1.0f), py = (float)t->origin_y + (c >= 2 ? (float)TILE : -1.0f);
        for (int k = 0; k < 3; k++) corner[c][k] = frame->ray0[k] + frame->ray_x[k] * px + frame->ray_y[k] * py;
    }
    const float middle[3] = {corner[0][0] + corner[2][0], corner[0][1] + corner[2][1], corner[0][2] + corner[2][2]};
    for (int c = 0; c < 4; c++) { // pointing inwards
        const float *a = corner[c], *b = corner[(c + 1) & 3];
        float *n = normal[c];
        n[0] = a[1] * b[2] - a[2] * b[1], n[1] = a[2] * b[0] - a[0] * b[2], n[2] = a[0] * b[1] - a[1] * b[0];
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const float inward = n[0] * middle[0] + n[1] * middle[1] + n[2] * middle[2];
        const float scale = length > 0.0f ? (inward < 0.0f ? -1.0f : 1.0f) / length : 0.0f;
        for (int k = 0; k < 3; k++) n[k] *= scale;
    }
    for (int32_t i = 0; i < frame->light.point_count; i++) {
        const PointLight *p = &frame->light.points[i];
        bool meets = true;
        for (int c = 0; c < 4 && meets && !frame->main.orthographic; c++) {
            float d = 0.0f;
            for (int k = 0; k < 3; k++) d += normal[c][k] * (p->position[k] - frame->eye[k]);
            meets = d > -p->distance_m;
        }
        if (meets) t->points[t->point_count++] = i;
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

static inline Lit *lit_slot(Lit *cache, int32_t number) { return &cache[(uint32_t)number * 2654435769u >> LIT_SHIFT]; }

// Lights the tile's triangles ahead of its pixels, in three walks over their list, so that no walk waits for memory: which are
// seen, where their corners are, then their light. A triangle whose slot is taken is lit when its pixels ask.
static void light_ahead(const Frame *frame, const TileLight *t, const int32_t *numbers, Lit *cache)
{
    int32_t list[LIT_CACHE], count = 0;
    int32_t last = NO_TRIANGLE;
    for (int32_t i = 0; i < TILE_PIXELS; i += LANES) {
        const i32x16 number = i32x16_load(numbers + i);
        uint32_t todo = ~m16_bits(i32x16_eq(number, i32x16_splat(NO_TRIANGLE))) & ~m16_bits(i32x16_eq(number, i32x16_splat(last))) & 0xffffu;
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
    for (int32_t i = 0; i < count; i++) light_triangle(frame, list[i], t->origin_x, t->origin_y, lit_slot(cache, list[i]));
}

// Light of a block's drawn pixels.
static inline __attribute__((always_inline)) void light_block(const Frame *frame, const TileLight *t, Lit *cache, const int32_t *numbers, uint32_t todo,
                                                              f32x16 depth, f32x16 x, f32x16 y, bool points, f32x16 out[3])
{
    const i32x16 number = i32x16_load(numbers);
    const f32x16 w = depth_w(&frame->main, depth), zero = f32x16_splat(0.0f);
    float ws[16];
    f32x16_store(ws, w);
    f32x16 light[6] = {zero, zero, zero, zero, zero, zero}, surface[6] = {zero, zero, zero, zero, zero, zero}, bias = zero;
    while (todo) {
        const int l = __builtin_ctz(todo);
        const int32_t n = numbers[l];
        const m16 m = i32x16_eq(number, i32x16_splat(n));
        Lit *lit = lit_slot(cache, n);
        if (lit->number != n) light_triangle(frame, n, t->origin_x, t->origin_y, lit);
        f32x16 part[6], what[6];
        shade_triangle(frame, lit, x, y, w, ws[l], part, points ? what : NULL);
        todo &= ~m16_bits(m);
        if (m16_all(m)) { // one triangle has it all
            for (int k = 0; k < 6; k++) light[k] = part[k];
            for (int k = 0; points && k < 6; k++) surface[k] = what[k];
            bias = f32x16_splat(lit->bias);
            break;
        }
        for (int k = 0; k < 6; k++) light[k] = f32x16_select(m, part[k], light[k]);
        for (int k = 0; points && k < 6; k++) surface[k] = f32x16_select(m, what[k], surface[k]);
        bias = f32x16_select(m, f32x16_splat(lit->bias), bias);
    }
    finish_light(frame, t, light, points ? surface : NULL, bias, x, y, depth_reach(&frame->main, depth), out);
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
            const f32x16 depth = f32x16_load(depths + at), x = f32x16_offset(column, (float)(4 * bx)), y = f32x16_offset(row, (float)(4 * by));
            if (t.point_count > 0) light_block(frame, &t, cache, numbers + at, drawn, depth, x, y, true, c);
            else light_block(frame, &t, cache, numbers + at, drawn, depth, x, y, false, c);
            i32x16 pixels = encode_pixels(&frame->resolve, c);
            if (drawn != 0xffffu)
                pixels = i32x16_select(m16_from_bits(drawn), pixels, keep_sky ? load_block(color, frame->stride) : t.background);
            store_block(color, frame->stride, pixels);
        }
}
