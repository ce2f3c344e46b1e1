// Lights a triangle at its corners, and mixes that light over pixels. Included once for each instruction set.

enum { SURFACE_CHANNELS = 8 };
enum { LIT_CACHE = 256, LIT_SHIFT = 24 }; // a slot is the top 8 bits of the number's product

typedef struct Lit { // what every triangle reads stands first
    int32_t number;
    bool map, over, sun; // reads a map; has light that the map must not tint; faces the sun (and may be shadowed)
    float bias;          // texels towards the sun
    const Part *part;
    Planes planes;
    float base[6], d1[6], d2[6]; // the sun's rgb, all other rgb: at corner 0, and the other corners' differences
    // For lamps, and where light is found at the pixels: albedo, normal, shares of the sun and the sky, at corner 0 and
    // the others' differences.
    float surface[3][SURFACE_CHANNELS];
    Texture *texture, *glow_map; // null: none
    MapUv uv, glow_uv;
    float texels, glow_texels;
    float glow[3], shine[3][3]; // what the map must not tint: the glow, and PHONG's highlight as base is kept
} Lit;

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
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]),
                    inverse = length > 0.0f ? 1.0f / length : 0.0f;
        for (int r = 0; r < 3; r++) n[r] *= inverse;
    }
}

// PHONG's highlight (Blinn and Phong, as three.js normalises it) at a corner, a share of the sun's colour.
static inline void corner_highlight(const Frame *frame, const Part *part, int32_t vertex, const float n[3], float nl,
                                    float out[3])
{
    const Geometry *g = part->geometry;
    const float *m = part->world, p[3] = {g->x[vertex], g->y[vertex], g->z[vertex]};
    float h[3], length = 0.0f;
    for (int k = 0; k < 3; k++) {
        h[k] = frame->main.orthographic
                   ? -frame->axis[k]
                   : frame->eye[k] - (m[k] * p[0] + m[4 + k] * p[1] + (m[8 + k] * p[2] + m[12 + k]));
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

// Times the map's colour at a corner.
static inline void tint_corner(const Texture *texture, const float uv[2], float color[3])
{
    const float *t = texture->transform;
    float texel[4];
    texture_sample_level(texture, t[0] * uv[0] + t[1] * uv[1] + t[2], t[3] * uv[0] + t[4] * uv[1] + t[5], 0, texel);
    for (int k = 0; k < 3; k++) color[k] *= texel[k];
}

// The light at a corner: the sun's part (0..2) and the rest (3..5); its surface. Returns n.l. shine: null, or takes the
// highlight, which is then not in out, and neither is the glow.
static inline float light_corner(const Frame *frame, const Part *part, int32_t vertex, bool flip, float out[6],
                                 float surface[SURFACE_CHANNELS], float *shine)
{
    const VertexAttributes *at = &part->geometry->attributes[vertex];
    const ThatchMaterialDef *def = &part->material->def;
    const FrameLight *light = &frame->light;
    float *albedo = surface, *n = surface + 3;
    for (int k = 0; k < 3; k++) {
        albedo[k] = def->color[k] * part->mesh->def.tint[k];
        if (def->vertex_colors) albedo[k] *= (float)at->color[k] * (1.0f / 65535.0f);
    }
    for (int k = 0; k < 3; k++) out[k] = 0.0f, out[3 + k] = shine ? 0.0f : def->emissive[k] * def->emissive_intensity;
    if (!part->pixel_map && !frame->resolve.pixel_light) {
        if (part->texture) tint_corner(part->texture, at->uv, albedo);
        if (part->glow) tint_corner(part->glow, at->uv, out + 3);
    }
    if (def->kind == THATCH_MATERIAL_BASIC) {
        for (int k = 0; k < 3; k++) out[3 + k] += albedo[k], n[k] = 0.0f;
        if (!frame->resolve.pixel_light) albedo[0] = albedo[1] = albedo[2] = 0.0f; // no point light reaches it
        surface[6] = surface[7] = 1.0f;
        return 0.0f;
    }
    corner_normal(part, vertex, n);
    if (flip) n[0] = -n[0], n[1] = -n[1], n[2] = -n[2];
    const ThatchShadingDef *shading = part->shading;
    const float sun_share = shading && shading->reads_baked_sun ? (float)at->baked_sun * (1.0f / 255.0f) : 1.0f;
    const float sky_share = shading && shading->reads_baked_sky ? (float)at->baked_sky * (1.0f / 255.0f) : 1.0f;
    surface[6] = sun_share, surface[7] = sky_share;
    const float up = n[1] * 0.5f + 0.5f;
    for (int k = 0; k < 3; k++)
        out[3 + k] +=
            albedo[k] * sky_share * (light->ambient[k] + (light->ground[k] + (light->sky[k] - light->ground[k]) * up));
    float nl = n[0] * light->sun.direction[0] + n[1] * light->sun.direction[1] + n[2] * light->sun.direction[2];
    if (!light->sun.present || !(nl > 0.0f)) return nl;
    float highlight[3] = {0.0f, 0.0f, 0.0f};
    if (def->kind == THATCH_MATERIAL_PHONG) corner_highlight(frame, part, vertex, n, nl, highlight);
    for (int k = 0; k < 3; k++) {
        const float sun = light->sun.color[k] * sun_share;
        out[k] = sun * (albedo[k] * nl + (shine ? 0.0f : highlight[k]));
        if (shine) shine[k] = sun * highlight[k];
    }
    return nl;
}

static inline void light_over(const ThatchMaterialDef *def, Lit *lit)
{
    for (int c = 0; c < 3; c++) {
        lit->glow[c] = def->emissive[c] * def->emissive_intensity;
        lit->shine[1][c] -= lit->shine[0][c], lit->shine[2][c] -= lit->shine[0][c];
    }
}

static void light_triangle(const Frame *frame, int32_t number, int32_t origin_x, int32_t origin_y, Lit *lit)
{
    const Part *part = pass_part(&frame->main, number);
    int32_t corner[3];
    triangle_corners(part, number, corner);
    lit->number = number;
    triangle_planes(&frame->main, part, corner, origin_x, origin_y, &lit->planes);
    const bool flip = lit->planes.back && part->two_sided && !(part->shading && part->shading->back_as_front);
    lit->part = part;
    const bool at_pixels = part->pixel_map || frame->resolve.pixel_light;
    lit->map = part->texture && at_pixels;
    lit->glow_map = at_pixels ? part->glow : NULL;
    lit->over = (lit->map || lit->glow_map) && part->over_map && !frame->resolve.pixel_light;
    float light[3][6], surface[3][SURFACE_CHANNELS], nl = 0.0f;
    if (lit->over) memset(lit->shine, 0, sizeof lit->shine);
    for (int k = 0; k < 3; k++)
        nl += light_corner(frame, part, corner[k], flip, light[k], surface[k], lit->over ? lit->shine[k] : NULL);
    lit->sun = false;
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            if (light[k][c] > 0.0f || (lit->over && lit->shine[k][c] > 0.0f)) lit->sun = true;
    if (lit->over) light_over(&part->material->def, lit);
    if (frame->light.point_count > 0 || frame->resolve.pixel_light)
        for (int c = 0; c < SURFACE_CHANNELS; c++)
            lit->surface[0][c] = surface[0][c], lit->surface[1][c] = surface[1][c] - surface[0][c],
            lit->surface[2][c] = surface[2][c] - surface[0][c];
    const bool shadowed = part->mesh->def.receives_shadow;
    for (int c = 0; c < 6; c++)
        lit->base[c] = light[0][c], lit->d1[c] = light[1][c] - light[0][c], lit->d2[c] = light[2][c] - light[0][c];
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
    lit->texture = part->texture;
    if (lit->map) {
        triangle_uv(part, lit->texture, corner, &lit->uv);
        lit->texels = triangle_texels(&lit->planes, &lit->uv, lit->texture);
    }
    if (lit->glow_map) {
        triangle_uv(part, lit->glow_map, corner, &lit->glow_uv);
        lit->glow_texels = triangle_texels(&lit->planes, &lit->glow_uv, lit->glow_map);
    }
}

// A map's colour where the barycentrics are b1, b2. texels: of the triangle; w1: w of the pixel that chooses the level.
static inline __attribute__((always_inline)) void lit_texel(const Frame *frame, const Planes *planes,
                                                            const Texture *texture, const MapUv *uv, float texels,
                                                            f32x16 b1, f32x16 b2, float w1, f32x16 texel[3])
{
    const f32x16 u =
        f32x16_madd(f32x16_madd(f32x16_splat(uv->base[0]), f32x16_splat(uv->d1[0]), b1), f32x16_splat(uv->d2[0]), b2);
    const f32x16 v =
        f32x16_madd(f32x16_madd(f32x16_splat(uv->base[1]), f32x16_splat(uv->d1[1]), b1), f32x16_splat(uv->d2[1]), b2);
    texels = pixel_texels(planes, texels, w1);
    const int32_t level = map_level(texture, texels);
    map_sample(texture, level, u, v, texel);
    if (frame->trilinear && level + 1 < texture->level_count && texels > 1.0f) {
        // Level n stands for 4^n texels: mix towards the next by the logarithm.
        const float exact = 0.5f * maths_log2(texels);
        const float whole = (float)(int32_t)exact;
        const int32_t first = maths_clampi((int32_t)whole, 0, texture->level_count - 2);
        f32x16 next[3];
        if (first != level) map_sample(texture, first, u, v, texel);
        map_sample(texture, first + 1, u, v, next);
        const f32x16 share = f32x16_splat(maths_clamp(exact - (float)first, 0.0f, 1.0f));
        for (int c = 0; c < 3; c++) texel[c] = f32x16_madd(texel[c], f32x16_sub(next[c], texel[c]), share);
    }
}

// What glows by itself: color, times the emissive map.
static inline __attribute__((always_inline)) void lit_glow(const Frame *frame, const Lit *lit, const float color[3],
                                                           f32x16 b1, f32x16 b2, float w1, f32x16 glow[3])
{
    for (int k = 0; k < 3; k++) glow[k] = f32x16_splat(color[k]);
    if (!lit->glow_map) return;
    f32x16 texel[3];
    lit_texel(frame, &lit->planes, lit->glow_map, &lit->glow_uv, lit->glow_texels, b1, b2, w1, texel);
    for (int k = 0; k < 3; k++) glow[k] = f32x16_mul(glow[k], texel[k]);
}

// All of the triangle's light at 16 pixels: sun rgb, other rgb. w1: w of the pixel that chooses the map's level.
// surface: its albedo and normal there; null when no point light needs them.
static inline __attribute__((always_inline)) void shade_triangle(const Frame *frame, const Lit *lit, f32x16 x, f32x16 y,
                                                                 f32x16 w, float w1, f32x16 out[6], f32x16 surface[6])
{
    const f32x16 b1 = f32x16_mul(plane_at(lit->planes.p1, x, y), w), b2 = f32x16_mul(plane_at(lit->planes.p2, x, y), w);
    for (int c = lit->sun ? 0 : 3; c < 6; c++)
        out[c] = f32x16_madd(f32x16_madd(f32x16_splat(lit->base[c]), f32x16_splat(lit->d1[c]), b1),
                             f32x16_splat(lit->d2[c]), b2);
    if (!lit->sun) out[0] = out[1] = out[2] = f32x16_splat(0.0f);
    for (int c = 0; surface && c < 6; c++)
        surface[c] = f32x16_madd(f32x16_madd(f32x16_splat(lit->surface[0][c]), f32x16_splat(lit->surface[1][c]), b1),
                                 f32x16_splat(lit->surface[2][c]), b2);
    if (lit->map) {
        f32x16 texel[3];
        lit_texel(frame, &lit->planes, lit->texture, &lit->uv, lit->texels, b1, b2, w1, texel);
        for (int c = 0; c < 6; c++) out[c] = f32x16_mul(out[c], texel[c % 3]);
        for (int c = 0; surface && c < 3; c++) surface[c] = f32x16_mul(surface[c], texel[c]);
    }
    if (!lit->over) return;
    f32x16 *lights = out + (lit->sun ? 0 : 3), glow[3]; // where the sun's part went
    lit_glow(frame, lit, lit->glow, b1, b2, w1, glow);
    for (int c = 0; c < 3; c++) {
        out[3 + c] = f32x16_add(out[3 + c], glow[c]);
        lights[c] = f32x16_add(
            lights[c], f32x16_madd(f32x16_madd(f32x16_splat(lit->shine[0][c]), f32x16_splat(lit->shine[1][c]), b1),
                                   f32x16_splat(lit->shine[2][c]), b2));
    }
}
