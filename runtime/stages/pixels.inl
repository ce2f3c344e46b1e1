// Light found at each pixel, normals interpolated: the reference, and the pipelines' light = 'pixel'. Included once for
// each instruction set. PHONG as Blinn and Phong; STANDARD and PHYSICAL by GGX (Walter and others, "Microfacet Models
// for Refraction through Rough Surfaces", 2007; visibility by Heitz, 2014), normalised as three.js has them.

// A light's highlight at 16 pixels, a share of its colour / pi. to: towards it; n, to and view are unit. facing: n.to,
// above 0 where seen.
static inline void pixel_highlight(const ThatchMaterialDef *def, const f32x16 albedo[3], const f32x16 n[3],
                                   const f32x16 view[3], const f32x16 to[3], f32x16 facing, f32x16 out[3])
{
    const f32x16 one = f32x16_splat(1.0f), zero = f32x16_splat(0.0f);
    f32x16 h[3], length2 = zero, nh = zero, vh = zero, nv = zero;
    for (int k = 0; k < 3; k++) h[k] = f32x16_add(view[k], to[k]), length2 = f32x16_madd(length2, h[k], h[k]);
    const f32x16 inverse = f32x16_div(one, f32x16_sqrt(f32x16_max(length2, f32x16_splat(1e-12f))));
    for (int k = 0; k < 3; k++) {
        h[k] = f32x16_mul(h[k], inverse);
        nh = f32x16_madd(nh, n[k], h[k]), vh = f32x16_madd(vh, view[k], h[k]), nv = f32x16_madd(nv, n[k], view[k]);
    }
    nh = f32x16_clamp(nh, 0.0f, 1.0f), vh = f32x16_clamp(vh, 0.0f, 1.0f), nv = f32x16_clamp(nv, 0.0f, 1.0f);
    // Schlick's term as a power of two (Lagarde, 2012)
    const f32x16 fresnel = f32x16_exp2(f32x16_mul(f32x16_offset(f32x16_scale(vh, -5.55473f), -6.98316f), vh));
    f32x16 lobe;
    if (def->kind == THATCH_MATERIAL_PHONG) {
        const f32x16 power =
            f32x16_exp2(f32x16_scale(f32x16_log2(f32x16_max(nh, f32x16_splat(1e-6f))), def->shininess));
        lobe = f32x16_scale(power, 0.25f * (def->shininess * 0.5f + 1.0f));
    } else {
        const float rough = def->roughness < 0.0525f ? 0.0525f : def->roughness, a = rough * rough, a2 = a * a;
        const f32x16 d =
            f32x16_offset(f32x16_scale(f32x16_mul(nh, nh), a2 - 1.0f), 1.0f); // D = a2 / (pi d^2); the pi is the sun's
        const f32x16 gv =
            f32x16_mul(facing, f32x16_sqrt(f32x16_offset(f32x16_scale(f32x16_mul(nv, nv), 1.0f - a2), a2)));
        const f32x16 gl =
            f32x16_mul(nv, f32x16_sqrt(f32x16_offset(f32x16_scale(f32x16_mul(facing, facing), 1.0f - a2), a2)));
        const f32x16 visible = f32x16_div(f32x16_splat(0.5f), f32x16_max(f32x16_add(gv, gl), f32x16_splat(1e-6f)));
        lobe = f32x16_mul(f32x16_div(f32x16_splat(a2), f32x16_mul(d, d)), visible);
    }
    lobe = f32x16_mul(lobe, facing);
    for (int k = 0; k < 3; k++) {
        f32x16 f0 = f32x16_splat(def->specular[k]);
        if (def->kind != THATCH_MATERIAL_PHONG)
            f0 = f32x16_madd(f32x16_splat(0.04f), f32x16_offset(albedo[k], -0.04f), f32x16_splat(def->metalness));
        out[k] = f32x16_mul(lobe, f32x16_madd(f0, f32x16_sub(one, f0), fresnel));
    }
}

// The highlights of the tile's point lights. place: of the pixels.
static inline void point_highlights(const Frame *frame, const TileLight *t, const ThatchMaterialDef *def,
                                    const f32x16 albedo[3], const f32x16 n[3], const f32x16 view[3],
                                    const f32x16 place[3], f32x16 out[3])
{
    const f32x16 zero = f32x16_splat(0.0f);
    for (int32_t i = 0; i < t->point_count; i++) {
        const PointLight *p = &frame->light.points[t->points[i]];
        PointRays r;
        if (!point_rays(p, place, n, &r)) continue;
        const f32x16 inverse = f32x16_div(f32x16_splat(1.0f), f32x16_sqrt(f32x16_max(r.length2, f32x16_splat(1e-20f))));
        f32x16 to[3], shine[3];
        for (int k = 0; k < 3; k++) to[k] = f32x16_mul(r.to[k], inverse);
        pixel_highlight(def, albedo, n, view, to, f32x16_mul(r.facing, inverse), shine);
        const f32x16 share = f32x16_div(point_window(p, &r), point_square(&r));
        for (int k = 0; k < 3; k++)
            out[k] = f32x16_add(out[k],
                                f32x16_select(r.reached, f32x16_scale(f32x16_mul(share, shine[k]), p->color[k]), zero));
    }
}

// What a STANDARD or PHYSICAL surface mirrors of sky and ground, each as one colour: the light from where it looks,
// times the share that Karis ("Physically Based Shading on Mobile", 2014) fits to GGX over all directions.
static inline void pixel_mirror(const FrameLight *light, const ThatchMaterialDef *def, const f32x16 albedo[3],
                                const f32x16 n[3], const f32x16 view[3], f32x16 out[3])
{
    const float rough = def->roughness;
    f32x16 nv = f32x16_splat(0.0f);
    for (int k = 0; k < 3; k++) nv = f32x16_madd(nv, n[k], view[k]);
    const f32x16 reflected_y = f32x16_sub(f32x16_scale(f32x16_mul(nv, n[1]), 2.0f), view[1]);
    const f32x16 up = f32x16_offset(f32x16_scale(f32x16_clamp(reflected_y, -1.0f, 1.0f), 0.5f), 0.5f);
    const float rx = 1.0f - rough, ry = 0.0425f - 0.0275f * rough, rz = 1.04f - 0.572f * rough,
                rw = 0.022f * rough - 0.04f;
    const f32x16 edge =
        f32x16_min(f32x16_splat(rx * rx), f32x16_exp2(f32x16_scale(f32x16_clamp(nv, 0.0f, 1.0f), -9.28f)));
    const f32x16 fit = f32x16_offset(f32x16_scale(edge, rx), ry);
    const f32x16 scale = f32x16_offset(f32x16_scale(fit, -1.04f), rz),
                 bias = f32x16_offset(f32x16_scale(fit, 1.04f), rw);
    for (int k = 0; k < 3; k++) {
        const f32x16 f0 =
            f32x16_madd(f32x16_splat(0.04f), f32x16_offset(albedo[k], -0.04f), f32x16_splat(def->metalness));
        const f32x16 seen = f32x16_offset(
            f32x16_madd(f32x16_splat(light->ground[k]), f32x16_splat(light->sky[k] - light->ground[k]), up),
            light->ambient[k]);
        out[k] = f32x16_mul(seen, f32x16_max(f32x16_madd(bias, f0, scale), f32x16_splat(0.0f)));
    }
}

// What a pixel sends towards the eye by its gloss: the sun's highlight, as a share of its colour / pi, what is
// mirrored, and the lamps' highlights, added to `added`. facing: n.to_sun, not below 0.
static inline __attribute__((always_inline)) void pixel_gloss(const Frame *frame, const TileLight *t,
                                                              const ThatchMaterialDef *def, const f32x16 s[6],
                                                              const f32x16 to_sun[3], f32x16 facing, f32x16 x, f32x16 y,
                                                              f32x16 reach, f32x16 shine[3], f32x16 mirrored[3],
                                                              f32x16 added[3])
{
    for (int k = 0; k < 3; k++) shine[k] = mirrored[k] = f32x16_splat(0.0f);
    const bool physical = def->kind == THATCH_MATERIAL_STANDARD || def->kind == THATCH_MATERIAL_PHYSICAL;
    if (!physical && def->kind != THATCH_MATERIAL_PHONG) return;
    const bool sunny = frame->light.sun.present && m16_any(f32x16_gt(facing, f32x16_splat(0.0f)));
    if (!physical && !sunny && t->point_count == 0) return;
    const f32x16 px = f32x16_offset(x, (float)t->origin_x), py = f32x16_offset(y, (float)t->origin_y);
    const FogRay ray = fog_ray(frame, px, py);
    const f32x16 back = f32x16_div(f32x16_splat(-1.0f), f32x16_sqrt(ray.length2));
    const f32x16 view[3] = {f32x16_mul(ray.ray[0], back), f32x16_mul(ray.ray[1], back), f32x16_mul(ray.ray[2], back)};
    if (sunny) pixel_highlight(def, s, s + 3, view, to_sun, facing, shine);
    if (physical) pixel_mirror(&frame->light, def, s, s + 3, view, mirrored);
    if (t->point_count == 0) return;
    f32x16 place[3];
    picture_places(frame, &ray, px, py, reach, place);
    point_highlights(frame, t, def, s, s + 3, view, place, added);
}

// As shade_triangle: the sun's part and the rest at 16 pixels; surface: what point lights light, and the unit normal.
// reach: along the pixels' rays.
static inline __attribute__((always_inline)) void shade_pixels(const Frame *frame, const TileLight *t, const Lit *lit,
                                                               f32x16 x, f32x16 y, f32x16 w, float w1, f32x16 reach,
                                                               f32x16 out[6], f32x16 surface[6])
{
    const ThatchMaterialDef *def = &lit->part->material->def;
    const FrameLight *light = &frame->light;
    const f32x16 b1 = f32x16_mul(plane_at(lit->planes.p1, x, y), w), b2 = f32x16_mul(plane_at(lit->planes.p2, x, y), w);
    const f32x16 one = f32x16_splat(1.0f), zero = f32x16_splat(0.0f);
    f32x16 s[SURFACE_CHANNELS];
    for (int c = 0; c < SURFACE_CHANNELS; c++)
        s[c] = f32x16_madd(f32x16_madd(f32x16_splat(lit->surface[0][c]), f32x16_splat(lit->surface[1][c]), b1),
                           f32x16_splat(lit->surface[2][c]), b2);
    if (lit->map) {
        f32x16 texel[3];
        lit_texel(frame, &lit->planes, lit->texture, &lit->uv, lit->texels, b1, b2, w1, texel);
        for (int c = 0; c < 3; c++) s[c] = f32x16_mul(s[c], texel[c]);
    }
    f32x16 added[3]; // glow and lamps: neither shadow nor the share of the sky dims them
    float glow[3];
    for (int k = 0; k < 3; k++) out[k] = zero, glow[k] = def->emissive[k] * def->emissive_intensity;
    lit_glow(frame, lit, glow, b1, b2, w1, added);
    if (def->kind == THATCH_MATERIAL_BASIC) {
        for (int k = 0; k < 3; k++) out[3 + k] = f32x16_add(s[k], added[k]), surface[k] = surface[3 + k] = zero;
        return;
    }
    f32x16 *n = s + 3;
    f32x16 length2 = f32x16_add(f32x16_mul(n[0], n[0]), f32x16_add(f32x16_mul(n[1], n[1]), f32x16_mul(n[2], n[2])));
    const f32x16 unit = f32x16_div(one, f32x16_sqrt(f32x16_max(length2, f32x16_splat(1e-12f))));
    f32x16 facing = zero, to_sun[3];
    for (int k = 0; k < 3; k++)
        to_sun[k] = f32x16_splat(light->sun.direction[k]), n[k] = f32x16_mul(n[k], unit),
        facing = f32x16_madd(facing, n[k], to_sun[k]);
    facing = f32x16_max(facing, zero);
    const bool physical = def->kind == THATCH_MATERIAL_STANDARD || def->kind == THATCH_MATERIAL_PHYSICAL;
    const f32x16 up = f32x16_offset(f32x16_scale(n[1], 0.5f), 0.5f),
                 matte = f32x16_splat(physical ? 1.0f - def->metalness : 1.0f);
    f32x16 shine[3], mirrored[3];
    pixel_gloss(frame, t, def, s, to_sun, facing, x, y, reach, shine, mirrored, added);
    const bool shadowed = lit->part->mesh->def.receives_shadow;
    for (int k = 0; k < 3; k++) {
        const f32x16 diffuse = f32x16_mul(s[k], matte);
        const f32x16 sky = f32x16_offset(
            f32x16_madd(f32x16_splat(light->ground[k]), f32x16_splat(light->sky[k] - light->ground[k]), up),
            light->ambient[k]);
        const f32x16 sun = f32x16_mul(f32x16_scale(s[6], light->sun.present ? light->sun.color[k] : 0.0f),
                                      f32x16_madd(shine[k], diffuse, facing));
        out[3 + k] = f32x16_madd(added[k], s[7], f32x16_madd(mirrored[k], diffuse, sky));
        if (shadowed)
            out[k] = sun;
        else
            out[3 + k] = f32x16_add(out[3 + k], sun);
        surface[k] = diffuse, surface[3 + k] = n[k];
    }
}
