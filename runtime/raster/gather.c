// Gathers what a view draws: culls meshes and clusters, chooses levels, numbers the parts, orders the spans front to
// back.
#include "raster/room.h"
#include "base/error.h"
#include "base/jobs.h"
#include "base/maths.h"

#include <math.h>
#include <string.h>

typedef struct Gather {
    Pass *pass;
    const PassView *view;
    float planes[5][4]; // left, right, bottom, top, near: unit normals, positive inside
    float w_row[4];     // the distance along the view of a place
    float w_length;
    float d_row[4]; // a parallel view's depth of a place, 1 near .. 0 far
    float d_length;
} Gather;

static void find_planes(Gather *g)
{
    const float *m = g->pass->clip;
    for (int i = 0; i < 5; i++) {
        const float sign = (i & 1) ? -1.0f : 1.0f;
        float *p = g->planes[i];
        for (int k = 0; k < 4; k++) p[k] = m[4 * k + 3] + sign * m[4 * k + i / 2];
        if (i == 4 && !g->pass->orthographic) { // w >= near
            for (int k = 0; k < 4; k++) p[k] = m[4 * k + 3];
            p[3] -= g->pass->near_w;
        }
        const float length = sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]),
                    inverse = length > 0.0f ? 1.0f / length : 0.0f;
        for (int k = 0; k < 4; k++) p[k] *= inverse;
    }
    for (int k = 0; k < 4; k++) g->w_row[k] = m[4 * k + 3];
    g->w_length = sqrtf(m[3] * m[3] + m[7] * m[7] + m[11] * m[11]);
    for (int k = 0; k < 4; k++)
        g->d_row[k] = m[4 * k + 2] * g->pass->depth_scale + (k == 3 ? g->pass->depth_offset : 0.0f);
    g->d_length = sqrtf(g->d_row[0] * g->d_row[0] + g->d_row[1] * g->d_row[1] + g->d_row[2] * g->d_row[2]);
}

// -1 outside, 1 inside all planes, 0 across one.
static int sphere_side(const Gather *g, const float c[3], float radius)
{
    int side = 1;
    for (int i = 0; i < 5; i++) {
        const float d = g->planes[i][0] * c[0] + g->planes[i][1] * c[1] + g->planes[i][2] * c[2] + g->planes[i][3];
        if (d < -radius) return -1;
        if (d < radius) side = 0;
    }
    return side;
}

static float distance_to(const PassView *view, const float c[3])
{
    const float d[3] = {c[0] - view->eye[0], c[1] - view->eye[1], c[2] - view->eye[2]};
    return sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// The share of a prefix geometry's items that is drawn at a distance, and how much larger they stand for it.
static float item_share(const PassView *view, const Mesh *mesh, float distance, float *grow)
{
    const ThatchMeshDef *def = &mesh->def;
    *grow = 0.0f;
    float share = view->item_share_max;
    if (def->item_size_m > 0.0f && view->detail_px > 0.0f) {
        const float near = distance > 0.1f ? distance : 0.1f;
        const float side =
            def->item_size_m * mesh->scale_ws * (view->parallel ? view->focal_px : view->focal_px / near);
        const float fit = side * side / view->detail_px;
        if (fit < share) share = fit < def->item_share_min ? def->item_share_min : fit;
        if (share > view->item_share_max) share = view->item_share_max;
        if (share < 1.0f && share > 0.0f) {
            *grow = sqrtf(1.0f / share) - 1.0f;
            if (*grow > def->item_grow_max - 1.0f) *grow = def->item_grow_max - 1.0f;
        }
    }
    const float fade = def->draw_distance_m * 0.8f; // thins out over the last fifth
    if (distance > fade)
        share *= maths_clamp((def->draw_distance_m - distance) / (def->draw_distance_m * 0.2f), 0.0f, 1.0f);
    return share;
}

static void cull_block(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Gather *g = context;
    const PassView *view = g->view;
    for (int32_t i = begin; i < end; i++) {
        const Mesh *mesh = view->scene->meshes[i];
        Candidate *c = &g->pass->candidates[i];
        c->keep = false, c->tested = false;
        const Node *node = node_find(mesh->def.node);
        if (!node || !node->shown || !mesh->visible || !(mesh->def.layers & view->layers)) continue;
        if (view->casters_only && !mesh->def.casts_shadow) continue;
        if ((view->still_only && node->moving) || (view->moving_only && !node->moving)) continue;
        c->tested = true;
        const int side = sphere_side(g, mesh->center_ws, mesh->radius_ws);
        if (side < 0) continue;
        c->distance = distance_to(view, mesh->center_ws);
        if (!view->parallel) {
            const float nearest = c->distance - mesh->radius_ws;
            if (nearest > view->far_m || c->distance > mesh->def.draw_distance_m ||
                c->distance < mesh->def.near_distance_m)
                continue;
            if (nearest > 0.0f && 2.0f * mesh->radius_ws * view->focal_px < view->min_px * nearest) continue;
            const float w = g->w_row[0] * mesh->center_ws[0] + g->w_row[1] * mesh->center_ws[1] +
                            g->w_row[2] * mesh->center_ws[2] + g->w_row[3];
            const float reach = mesh->radius_ws * g->w_length, first = w - reach;
            // In view, its pixels reach at most half the width and twice these beyond the middle.
            c->crosses = first < g->pass->near_w ||
                         !(mesh->radius_ws * (view->focal_px + 0.5f * (float)g->pass->width) <= 3000.0f * first);
        } else {
            if (mesh->def.near_distance_m > 0.0f) continue; // the far one of two levels
            const float d = g->d_row[0] * mesh->center_ws[0] + g->d_row[1] * mesh->center_ws[1] +
                            g->d_row[2] * mesh->center_ws[2] + g->d_row[3];
            const float reach = mesh->radius_ws * g->d_length + 1e-4f;
            c->crosses = !(mesh->radius_ws * view->focal_px <= 3000.0f) || d - reach < 0.0f ||
                         (d + reach > 1.0f && !g->pass->depth_only);
        }
        c->inside = side > 0;
        c->keep = true;
    }
}

static void multiply_affine(const float a[16], const float b[16], float out[16]) // b affine
{
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            out[4 * c + r] =
                a[r] * b[4 * c] + a[4 + r] * b[4 * c + 1] + a[8 + r] * b[4 * c + 2] + (c == 3 ? a[12 + r] : 0.0f);
}

// The wind at a part: its push in object space and its wave over object space.
static void find_sway(const PassView *view, Part *part)
{
    const ThatchShadingDef *s = part->shading;
    if (!s || !s->sways || !view->wind || s->sway_every == 0 || s->sway_amplitude_m == 0.0f ||
        view->scene->wind_strength == 0.0f)
        return;
    // Frames of wind are 24 a second: a wind's clock that steps is a function of the time alone.
    double time = view->time_s;
    if (s->sway_every > 1) time = floor(time * 24.0 / s->sway_every + 1e-6) * s->sway_every / 24.0;
    const double turns = time * (double)s->sway_frequency_hz;
    const float *m = part->world, wx = view->scene->wind_x, wz = view->scene->wind_z;
    const float kx = 0.9f * wx - 0.35f * wz, kz = 0.9f * wz + 0.35f * wx; // radians a metre, a little across the wind
    for (int k = 0; k < 3; k++) part->phase[k] = -(kx * m[4 * k] + kz * m[4 * k + 2]);
    part->phase[3] = (float)((turns - floor(turns)) * 6.283185307179586) - (kx * m[12] + kz * m[14]);
    // push = inverse(world 3x3) * wind
    const float a = m[0], b = m[4], c = m[8], d = m[1], e = m[5], f = m[9], p = m[2], q = m[6], r = m[10];
    const float det = a * (e * r - f * q) - b * (d * r - f * p) + c * (d * q - e * p);
    if (det == 0.0f) return;
    const float power = s->sway_amplitude_m * view->scene->wind_strength / det, x = wx * power, z = wz * power;
    part->sway[0] = (e * r - f * q) * x + (b * f - c * e) * z;
    part->sway[1] = (f * p - d * r) * x + (c * d - a * f) * z;
    part->sway[2] = (d * q - e * p) * x + (a * e - b * d) * z;
}

static void place_block(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Gather *g = context;
    for (int32_t i = begin; i < end; i++) {
        Part *part = &g->pass->parts[i];
        memcpy(part->world, part->node->world, sizeof part->world);
        multiply_affine(g->pass->clip, part->world, part->clip);
        find_sway(g->view, part);
    }
}

static const char *mesh_name(const Mesh *mesh)
{
    const Node *node = node_find(mesh->def.node);
    return node && node->name[0] ? node->name : "(unnamed)";
}

static int32_t fill_map(const Part *part, const Mesh *mesh, ThatchTexture handle, const char *key, Texture **texture,
                        const void **texels)
{
    *texture = texture_find(handle);
    if (!*texture)
        return error_set(THATCH_ERROR_STALE, "gather: material '%s' on node '%s': its %s is gone, need a live one",
                         part->material->name, mesh_name(mesh), key);
    if ((*texture)->faces != 1)
        return error_set(THATCH_ERROR_ARGUMENT, "gather: material '%s': %s has %d faces, need 1", part->material->name,
                         key, (*texture)->faces);
    TRY(texture_make_map(*texture));
    *texels = (*texture)->levels[0].texels;
    return THATCH_OK;
}

// Looks up what the mesh is made of, or refuses it by name.
static int32_t fill_part(const PassView *view, const Mesh *mesh, Part *part)
{
    part->mesh = mesh;
    part->node = node_find(mesh->def.node);
    part->mirrored = mesh->mirrored;
    part->geometry = geometry_find(mesh->def.geometry);
    part->material = material_find(mesh->def.material);
    if (!part->geometry)
        return error_set(THATCH_ERROR_STALE, "gather: mesh on node '%s': its geometry is gone, need a live one",
                         mesh_name(mesh));
    if (!part->material)
        return error_set(THATCH_ERROR_STALE, "gather: mesh on node '%s': its material is gone, need a live one",
                         mesh_name(mesh));
    const ThatchMaterialDef *def = &part->material->def;
    if (part->material->shading[0]) {
        const Shading *shading = shading_find(part->material->shading);
        if (!shading)
            return error_set(THATCH_ERROR_ARGUMENT,
                             "gather: material '%s' on node '%s': shading is '%s', need a registered one",
                             part->material->name, mesh_name(mesh), part->material->shading);
        part->shading = &shading->def;
        if (shading->def.sways && !part->geometry->sway)
            return error_set(
                THATCH_ERROR_ARGUMENT,
                "gather: mesh on node '%s': shading '%s' reads the attribute 'sway', need it in the geometry",
                mesh_name(mesh), shading->name);
    }
    const bool glows = def->emissive_intensity > 0.0f && def->emissive[0] + def->emissive[1] + def->emissive[2] > 0.0f;
    if (def->map) TRY(fill_map(part, mesh, def->map, "map", &part->texture, &part->map));
    if (def->emissive_map && glows)
        TRY(fill_map(part, mesh, def->emissive_map, "emissive_map", &part->glow, &part->glow_map));
    part->geometry_handle = mesh->def.geometry, part->geometry_version = part->geometry->version;
    part->material_handle = mesh->def.material, part->node_handle = mesh->def.node, part->mesh_handle = mesh->handle;
    part->joints = mesh->joints;
    part->two_sided = def->two_sided;
    part->pixel_map = view->pixel_maps && (part->texture || part->glow);
    part->over_map = def->kind == THATCH_MATERIAL_PHONG || glows;
    part->class = CLASS_OPAQUE;
    if (def->alpha_mode == THATCH_ALPHA_MASK && part->texture) part->class = CLASS_MASK;
    if (def->alpha_mode == THATCH_ALPHA_BLEND) part->class = CLASS_BLEND;
    return THATCH_OK;
}

static int32_t add_span(Pass *pass, int32_t part, int32_t first, int32_t count, float distance)
{
    enum { SPAN = 1024 };
    for (; count > 0; first += SPAN, count -= SPAN) {
        if (pass->span_count == pass->span_capacity)
            return error_set(THATCH_ERROR_LIMIT, "gather: too many spans"); // room was made for all
        pass->spans[pass->span_count++] = (Span){
            .part = part, .first_triangle = first, .triangle_count = count < SPAN ? count : SPAN, .distance = distance};
    }
    return THATCH_OK;
}

// The visible clusters of a part that is partly in view, as runs of triangles; the vertices they use.
static int32_t add_clusters(const Gather *g, Pass *pass, int32_t index, const Candidate *candidate)
{
    Part *part = &pass->parts[index];
    const Geometry *geometry = part->geometry;
    const float *m = part->node->world;
    int32_t first_vertex = geometry->vertex_count, end_vertex = 0;
    for (int32_t i = 0; i < geometry->cluster_count; i++) {
        const Cluster *c = &geometry->clusters[i];
        const float *p = c->center;
        const float center[3] = {m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12],
                                 m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13],
                                 m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14]};
        if (!candidate->inside && sphere_side(g, center, c->radius * part->mesh->scale_ws) < 0) continue;
        TRY(add_span(pass, index, c->first_triangle, c->triangle_count, distance_to(g->view, center)));
        first_vertex = c->first_vertex < first_vertex ? c->first_vertex : first_vertex;
        end_vertex = c->end_vertex > end_vertex ? c->end_vertex : end_vertex;
    }
    part->used_first = first_vertex, part->used_end = end_vertex;
    return THATCH_OK;
}

static int32_t add_vertex_jobs(Pass *pass, int32_t index)
{
    enum { JOB = 1024 };
    const Part *part = &pass->parts[index];
    const int32_t first = part->used_first & ~15;
    for (int32_t v = first; v < part->used_end; v += JOB) {
        if (pass->vertex_job_count == pass->vertex_job_capacity)
            return error_set(THATCH_ERROR_LIMIT, "gather: too many vertices");
        const int32_t left = part->used_end - v;
        pass->vertex_jobs[pass->vertex_job_count++] = (VertexJob){index, v, left < JOB ? left : JOB};
    }
    return THATCH_OK;
}

// Stable: by class, then front to back (blended: back to front), to 1 in 256 of the distance.
static void sort_spans(Pass *pass)
{
    uint32_t count[2][256] = {{0}};
    Span *from = pass->spans, *to = pass->sorted;
    for (int32_t i = 0; i < pass->span_count; i++) {
        uint32_t bits;
        memcpy(&bits, &from[i].distance, 4);
        const uint32_t key = bits >> 15;
        const int32_t class = pass->parts[from[i].part].class;
        from[i].key = (uint16_t)(class == CLASS_BLEND ? ~key : key);
        count[0][from[i].key & 255]++, count[1][from[i].key >> 8]++;
    }
    for (int digit = 0; digit < 2; digit++) {
        uint32_t at = 0;
        for (int k = 0; k < 256; k++) {
            const uint32_t n = count[digit][k];
            count[digit][k] = at, at += n;
        }
        for (int32_t i = 0; i < pass->span_count; i++)
            to[count[digit][digit ? from[i].key >> 8 : from[i].key & 255]++] = from[i];
        Span *swap = from;
        from = to, to = swap;
    }
    // Classes in order, each keeping its own.
    int32_t at = 0;
    for (int class = 0; class < CLASS_COUNT; class ++)
        for (int32_t i = 0; i < pass->span_count; i++)
            if (pass->parts[from[i].part].class == class) to[at++] = from[i];
    pass->spans = to, pass->sorted = from;
}

// Runs of spans that one worker sets up at a time; a group has one class.
static int32_t make_groups(Pass *pass, int32_t triangles)
{
    int32_t target = triangles / (MAX_GROUPS - 32) + 1;
    if (target < MIN_GROUP_TRIANGLES) target = MIN_GROUP_TRIANGLES;
    int64_t records = 0;
    int32_t held = 0;
    pass->group_count = 0;
    for (int32_t i = 0; i < pass->span_count; i++) {
        const Part *part = &pass->parts[pass->spans[i].part];
        Group *group = pass->group_count ? &pass->groups[pass->group_count - 1] : NULL;
        if (!group || group->class != part->class || (held >= target && pass->group_count < MAX_GROUPS)) {
            group = &pass->groups[pass->group_count++];
            *group = (Group){.first_span = i, .class = part->class, .first_record = (int32_t)records};
            held = 0;
        }
        const int64_t room = (int64_t)pass->spans[i].triangle_count * (part->crosses ? CLIPPED_TRIANGLES : 1);
        group->span_count++, group->record_capacity += (int32_t)room;
        held += pass->spans[i].triangle_count, records += room;
        if (records > INT32_MAX / 2)
            return error_set(THATCH_ERROR_LIMIT, "gather: more triangles than %d near the eye at once",
                             INT32_MAX / (2 * CLIPPED_TRIANGLES));
    }
    pass->record_count = (int32_t)records;
    return pass_room_records(pass, records);
}

bool pass_is_live(Pass *pass)
{
    if (pass->seen_changes == pool_changes) return true;
    for (int32_t i = 0; i < pass->part_count; i++) {
        const Part *part = &pass->parts[i];
        if (geometry_find(part->geometry_handle) != part->geometry || part->geometry->version != part->geometry_version)
            return false;
        if (material_find(part->material_handle) != part->material || node_find(part->node_handle) != part->node)
            return false;
        if (mesh_find(part->mesh_handle) != part->mesh || part->mesh->joints != part->joints) return false;
        if (part->texture && part->texture->levels[0].texels != part->map) return false;
        if (part->glow && part->glow->levels[0].texels != part->glow_map) return false;
        if (part->shading && !shading_find(part->material->shading)) return false;
    }
    if (pass->background && !texture_find(pass->background)) return false;
    pass->seen_changes = pool_changes;
    return true;
}

// Keeps a prefix of a part's items by its distance; false: none.
static bool thin_part(const PassView *view, Part *part, float distance)
{
    const Geometry *geometry = part->geometry;
    const float share = item_share(view, part->mesh, distance, &part->grow);
    if (!geometry->spread_x) part->grow = 0.0f;
    const int32_t items = geometry->triangle_count / geometry->item_triangles;
    const int32_t drawn = maths_clampi((int32_t)((float)items * share + 0.5f), 0, items);
    part->triangle_count = drawn * geometry->item_triangles;
    if (geometry->item_vertices > 0)
        part->vertex_count = maths_clampi(drawn * geometry->item_vertices, 0, geometry->vertex_count);
    return drawn > 0;
}

typedef struct Totals { // of a pass's parts, with what rounds them up
    int64_t numbers, vertices, spans, jobs, triangles;
} Totals;

// Parts of the candidates that are drawn, in scene order, up to the most triangles of a frame: whole parts, so that it
// is the same on every machine.
static int32_t add_parts(Pass *pass, const PassView *view, Totals *totals)
{
    const Scene *scene = view->scene;
    for (int32_t i = 0; i < scene->mesh_count; i++) {
        const Candidate *c = &pass->candidates[i];
        if (c->tested && !c->keep) pass->stats.parts_culled++;
        if (!c->keep) continue;
        Part *part = &pass->parts[pass->part_count];
        memset(part, 0, sizeof *part);
        TRY(fill_part(view, scene->meshes[i], part));
        const Geometry *geometry = part->geometry;
        if (!part->material->def.visible || geometry->triangle_count == 0) continue;
        part->triangle_count = geometry->triangle_count, part->vertex_count = geometry->vertex_count;
        if (geometry->item_triangles > 0) {
            if (!thin_part(view, part, c->distance)) continue;
            if (geometry->blades) pass->stats.blades += part->triangle_count / geometry->item_triangles;
        }
        if (totals->triangles + part->triangle_count > THATCH_MAX_FRAME_TRIANGLES) {
            pass->stats.triangles_dropped += part->triangle_count;
            continue;
        }
        part->crosses = c->crosses, part->distance = c->distance;
        part->first_number = (uint32_t)totals->numbers, part->first_vertex = (int32_t)totals->vertices;
        part->used_first = 0, part->used_end = part->vertex_count;
        part->candidate = i;
        totals->triangles += part->triangle_count;
        totals->numbers += (part->triangle_count + NUMBER_BLOCK - 1) / NUMBER_BLOCK * NUMBER_BLOCK;
        totals->vertices += (part->vertex_count + 63) / 64 * 64 + 16;
        totals->spans += geometry->item_triangles > 0 ? part->triangle_count / 1024 + 1 : geometry->cluster_count + 1;
        totals->jobs += part->vertex_count / 1024 + 2;
        pass->stats.triangles_in += geometry->triangle_count;
        pass->part_count++;
    }
    pass->number_end = (int32_t)totals->numbers, pass->vertex_count = (int32_t)totals->vertices;
    pass->stats.parts = pass->part_count;
    return THATCH_OK;
}

static int32_t make_rooms(Pass *pass, const Totals *totals)
{
    if (totals->vertices > INT32_MAX / 2)
        return error_set(THATCH_ERROR_LIMIT, "gather: %lld vertices are drawn at once, need %d at most",
                         (long long)totals->vertices, INT32_MAX / 2);
    if (totals->spans > pass->span_capacity) { // two arrays of one capacity
        int32_t sorted = pass->span_capacity;
        TRY(pass_room((void **)&pass->sorted, &sorted, totals->spans, sizeof *pass->sorted));
        TRY(pass_room((void **)&pass->spans, &pass->span_capacity, totals->spans, sizeof *pass->spans));
    }
    TRY(pass_room((void **)&pass->vertex_jobs, &pass->vertex_job_capacity, totals->jobs, sizeof *pass->vertex_jobs));
    TRY(pass_room((void **)&pass->part_of_block, &pass->block_capacity, totals->numbers / NUMBER_BLOCK + 1,
                  sizeof *pass->part_of_block));
    return pass_room_screen(pass, totals->vertices);
}

// What setup and the vertices stage do for each part.
static int32_t add_work(const Gather *g, Pass *pass)
{
    for (int32_t i = 0; i < pass->part_count; i++) {
        const Part *part = &pass->parts[i];
        const int32_t first = (int32_t)part->first_number / NUMBER_BLOCK,
                      blocks = (part->triangle_count + NUMBER_BLOCK - 1) / NUMBER_BLOCK;
        for (int32_t b = 0; b < blocks; b++) pass->part_of_block[first + b] = (uint16_t)i;
        if (part->geometry->item_triangles > 0 || part->geometry->cluster_count <= 1 || part->geometry->joints)
            TRY(add_span(pass, i, 0, part->triangle_count, part->distance));
        else
            TRY(add_clusters(g, pass, i, &pass->candidates[part->candidate]));
        TRY(add_vertex_jobs(pass, i));
    }
    for (int32_t i = 0; i < pass->span_count; i++) pass->stats.triangles_setup += pass->spans[i].triangle_count;
    return THATCH_OK;
}

int32_t pass_gather(Pass *pass, const PassView *view)
{
    Gather g = {.pass = pass, .view = view};
    const Scene *scene = view->scene;
    memset(&pass->stats, 0, sizeof pass->stats);
    memset(pass->workers, 0, sizeof(PassWorker) * THATCH_MAX_THREADS);
    pass->part_count = pass->span_count = pass->vertex_job_count = pass->group_count = pass->number_end =
        pass->vertex_count = 0;
    pass->focal_px = view->focal_px;
    find_planes(&g);
    TRY(pass_room((void **)&pass->candidates, &pass->candidate_capacity, scene->mesh_count, sizeof *pass->candidates));
    jobs_run(scene->mesh_count, 1024, cull_block, &g);

    int32_t kept = 0;
    for (int32_t i = 0; i < scene->mesh_count; i++) kept += pass->candidates[i].keep;
    TRY(pass_room((void **)&pass->parts, &pass->part_capacity, kept, sizeof *pass->parts));
    Totals totals = {0};
    TRY(add_parts(pass, view, &totals));
    TRY(make_rooms(pass, &totals));
    jobs_run(pass->part_count, 64, place_block, &g);
    TRY(add_work(&g, pass));
    pass->background = scene->background_cube, pass->seen_changes = pool_changes;
    sort_spans(pass);
    return make_groups(pass, pass->stats.triangles_setup);
}
