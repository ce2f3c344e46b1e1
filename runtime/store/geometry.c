// Geometry: a def is checked whole, then copied into the flat arrays that the stages read.
#include "store/geometry.h"

#include "base/check.h"
#include "base/maths.h"
#include "base/memory.h"
#include "store/scene.h"

#include <float.h>
#include <math.h>

Pool geometry_pool = {.noun = "geometry", .kind = KIND_GEOMETRY, .item_size = sizeof(Geometry)};

Geometry *geometry_find(ThatchGeometry handle)
{
    return pool_find(&geometry_pool, handle);
}

// --- checks ---

static int32_t check_items(const ThatchGeometryDef *def)
{
    const int32_t triangles = def->index_count / 3;
    CHECK_ARG(def->item_triangles >= 0, "geometry: item_triangles is %d, need 0 or more", def->item_triangles);
    if (def->item_triangles == 0) {
        CHECK_ARG(def->item_vertices == 0, "geometry: item_vertices is %d, need 0 without item_triangles",
                  def->item_vertices);
        return THATCH_OK;
    }
    CHECK_ARG(triangles % def->item_triangles == 0, "geometry: item_triangles is %d, need a divisor of %d triangles",
              def->item_triangles, triangles);
    const int32_t items = triangles / def->item_triangles;
    CHECK_ARG(def->item_vertices > 0 && (int64_t)def->item_vertices * items == def->vertex_count,
              "geometry: item_vertices is %d, need %d items to have all %d vertices", def->item_vertices, items,
              def->vertex_count);
    const uint32_t item_indices = (uint32_t)def->item_triangles * 3;
    for (int32_t item = 0; item < items; item++) {
        const uint32_t first = (uint32_t)item * (uint32_t)def->item_vertices;
        const uint32_t *indices = def->indices + (size_t)item * item_indices;
        for (uint32_t i = 0; i < item_indices; i++) {
            CHECK_ARG(indices[i] - first < (uint32_t)def->item_vertices,
                      "geometry: indices[%d] is %u, need %u .. %u, a vertex of item %d",
                      (int)((uint32_t)item * item_indices + i), (unsigned)indices[i], (unsigned)first,
                      (unsigned)(first + (uint32_t)def->item_vertices - 1), item);
        }
    }
    return THATCH_OK;
}

static int32_t check_skin(const ThatchGeometryDef *def)
{
    CHECK_INT_RANGE(def->joint_count, 0, THATCH_MAX_JOINTS, "geometry", "joint_count");
    if (def->joint_count == 0) {
        CHECK_ARG(!def->joints && !def->weights, "geometry: joint_count is 0, need 1 .. %d with joints and weights",
                  THATCH_MAX_JOINTS);
        return THATCH_OK;
    }
    if (def->vertex_count == 0) return THATCH_OK;
    CHECK_ARG(def->joints && def->weights, "geometry: %s is null, need both joints and weights with joint_count %d",
              def->joints ? "weights" : "joints", def->joint_count);
    for (int64_t v = 0; v < def->vertex_count; v++) {
        float sum = 0.0f;
        for (int64_t i = 4 * v; i < 4 * v + 4; i++) {
            CHECK_ARG(def->joints[i] < def->joint_count, "geometry: joints[%d] is %d, need 0 .. %d", (int)i,
                      def->joints[i], def->joint_count - 1);
            CHECK_ARG(def->weights[i] >= 0.0f && def->weights[i] <= 1.01f, "geometry: weights[%d] is %g, need 0 .. 1",
                      (int)i, (double)def->weights[i]);
            sum += def->weights[i];
        }
        CHECK_ARG(fabsf(sum - 1.0f) <= 0.02f, "geometry: weights of vertex %d have the sum %g, need 1", (int)v,
                  (double)sum);
    }
    return THATCH_OK;
}

static int32_t check_def(const ThatchGeometryDef *def)
{
    CHECK_DEF(def, DEF_GEOMETRY, "geometry");
    CHECK_INT_RANGE(def->vertex_count, 0, THATCH_MAX_VERTICES, "geometry", "vertex_count");
    CHECK_INT_RANGE(def->index_count, 0, 3 * THATCH_MAX_TRIANGLES, "geometry", "index_count");
    CHECK_ARG(def->index_count % 3 == 0, "geometry: index_count is %d, need a multiple of 3", def->index_count);
    CHECK_ARG(def->positions || def->vertex_count == 0, "geometry: positions is null, need %d vertices",
              def->vertex_count);
    CHECK_ARG(def->indices || def->index_count == 0, "geometry: indices is null, need %d", def->index_count);
    const int64_t count = def->vertex_count;
    CHECK_FINITE(def->positions, 3 * count, "geometry", "positions");
    if (def->normals) CHECK_FINITE(def->normals, 3 * count, "geometry", "normals");
    if (def->uvs) CHECK_FINITE(def->uvs, 2 * count, "geometry", "uvs");
    if (def->spread) CHECK_FINITE(def->spread, 3 * count, "geometry", "spread");
    if (def->colors) CHECK_ALL_RANGE(def->colors, 4 * count, 0.0f, 1.0f, "geometry", "colors");
    if (def->baked_sun) CHECK_ALL_RANGE(def->baked_sun, count, 0.0f, 1.0f, "geometry", "baked_sun");
    if (def->baked_sky) CHECK_ALL_RANGE(def->baked_sky, count, 0.0f, 1.0f, "geometry", "baked_sky");
    if (def->sway) CHECK_ALL_RANGE(def->sway, count, 0.0f, 1.0f, "geometry", "sway");
    for (int32_t i = 0; i < def->index_count; i++) {
        CHECK_ARG(def->indices[i] < (uint32_t)def->vertex_count, "geometry: indices[%d] is %u, need less than %d", i,
                  (unsigned)def->indices[i], def->vertex_count);
    }
    TRY(check_items(def));
    return check_skin(def);
}

// --- building ---

static void free_arrays(Geometry *g)
{
    memory_free(g->x), memory_free(g->y), memory_free(g->z);
    memory_free(g->spread_x), memory_free(g->spread_y), memory_free(g->spread_z);
    memory_free(g->sway), memory_free(g->attributes), memory_free(g->joints), memory_free(g->weights);
    memory_free(g->indices), memory_free(g->clusters), memory_free(g->joint_spheres);
}

// Number `offset` of each `stride` from source, padded with copies of the last.
static void fill_axis(float *axis, const float *source, int32_t offset, int32_t stride, int32_t count)
{
    if (count == 0) return;
    for (int64_t i = 0; i < count; i++) axis[i] = source[i * stride + offset];
    for (int32_t i = 0; i < GEOMETRY_PAD; i++) axis[count + i] = axis[count - 1];
}

static float *copy_axis(const float *source, int32_t offset, int32_t stride, int32_t count)
{
    float *axis = MEMORY_NEW(float, count + GEOMETRY_PAD);
    if (axis) fill_axis(axis, source, offset, stride, count);
    return axis;
}

// Sums of the triangles' cross products at their vertices, so that a larger triangle counts for more.
static double *sum_normals(const ThatchGeometryDef *def)
{
    double *sums = MEMORY_NEW(double, 3 * (size_t)def->vertex_count);
    if (!sums) return NULL;
    for (int32_t i = 0; i < def->index_count; i += 3) {
        const uint32_t *corner = def->indices + i;
        const float *a = def->positions + 3 * (size_t)corner[0], *b = def->positions + 3 * (size_t)corner[1],
                    *c = def->positions + 3 * (size_t)corner[2];
        double e[3], f[3];
        for (int k = 0; k < 3; k++) e[k] = (double)b[k] - a[k], f[k] = (double)c[k] - a[k];
        const double n[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]};
        for (int v = 0; v < 3; v++) {
            for (int k = 0; k < 3; k++) sums[3 * (size_t)corner[v] + k] += n[k];
        }
    }
    return sums;
}

// A unit vector in any case: up, when there is no direction.
static void set_unit(float out[3], double x, double y, double z)
{
    const double square = x * x + y * y + z * z;
    if (!(square > 1e-200 && square < 1e200)) {
        out[0] = 0.0f, out[1] = 1.0f, out[2] = 0.0f;
        return;
    }
    const double scale = 1.0 / sqrt(square);
    out[0] = (float)(x * scale), out[1] = (float)(y * scale), out[2] = (float)(z * scale);
}

// A given normal, made unit where it is not.
static void set_normal(float out[3], const float n[3])
{
    const float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (fabsf(square - 1.0f) < 1e-3f)
        memcpy(out, n, 3 * sizeof *out);
    else
        set_unit(out, n[0], n[1], n[2]);
}

static uint8_t byte_of(const float *values, int64_t i)
{
    return values ? (uint8_t)(values[i] * 255.0f + 0.5f) : 255;
}

static bool build_attributes(Geometry *g, const ThatchGeometryDef *def)
{
    const int64_t count = def->vertex_count;
    double *sums = NULL;
    if (!def->normals && !(sums = sum_normals(def))) return false;
    g->attributes = MEMORY_NEW(VertexAttributes, count + GEOMETRY_PAD);
    if (!g->attributes) {
        memory_free(sums);
        return false;
    }
    for (int64_t v = 0; v < count; v++) {
        VertexAttributes *out = &g->attributes[v];
        if (sums)
            set_unit(out->normal, sums[3 * v], sums[3 * v + 1], sums[3 * v + 2]);
        else
            set_normal(out->normal, def->normals + 3 * v);
        if (def->uvs) out->uv[0] = def->uvs[2 * v], out->uv[1] = def->uvs[2 * v + 1];
        for (int k = 0; k < 4; k++) {
            out->color[k] = def->colors ? (uint16_t)(def->colors[4 * v + k] * 65535.0f + 0.5f) : 65535;
        }
        out->baked_sun = byte_of(def->baked_sun, v);
        out->baked_sky = byte_of(def->baked_sky, v);
    }
    for (int32_t i = 0; i < GEOMETRY_PAD && count > 0; i++) g->attributes[count + i] = g->attributes[count - 1];
    memory_free(sums);
    return true;
}

static float distance_up(double square)
{
    const double distance = sqrt(square) * (1.0 + 1e-6); // rounding must not leave a vertex outside
    return distance < FLT_MAX ? (float)distance : FLT_MAX;
}

typedef struct Box {
    float min[3], max[3];
} Box;

static Box empty_box(void)
{
    return (Box){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

static void grow_box(Box *box, const Geometry *g, uint32_t v)
{
    const float p[3] = {g->x[v], g->y[v], g->z[v]};
    for (int k = 0; k < 3; k++) {
        if (p[k] < box->min[k]) box->min[k] = p[k];
        if (p[k] > box->max[k]) box->max[k] = p[k];
    }
}

static void box_center(const Box *box, float center[3])
{
    for (int k = 0; k < 3; k++) center[k] = box->min[k] * 0.5f + box->max[k] * 0.5f;
}

static double square_distance(const Geometry *g, uint32_t v, const float center[3])
{
    const double x = (double)g->x[v] - center[0], y = (double)g->y[v] - center[1], z = (double)g->z[v] - center[2];
    return x * x + y * y + z * z;
}

static void build_bounds(Geometry *g)
{
    if (g->vertex_count == 0) return;
    Box box = empty_box();
    for (int32_t v = 0; v < g->vertex_count; v++) grow_box(&box, g, (uint32_t)v);
    memcpy(g->min, box.min, sizeof g->min);
    memcpy(g->max, box.max, sizeof g->max);
    box_center(&box, g->center);
    double square = 0.0;
    for (int32_t v = 0; v < g->vertex_count; v++) {
        const double d = square_distance(g, (uint32_t)v, g->center);
        if (d > square) square = d;
    }
    g->radius = distance_up(square);
}

static void bound_cluster(const Geometry *g, Cluster *cluster)
{
    const uint32_t *indices = g->indices + 3 * (size_t)cluster->first_triangle;
    const int32_t count = 3 * cluster->triangle_count;
    Box box = empty_box();
    uint32_t first = UINT32_MAX, last = 0;
    for (int32_t i = 0; i < count; i++) {
        grow_box(&box, g, indices[i]);
        if (indices[i] < first) first = indices[i];
        if (indices[i] > last) last = indices[i];
    }
    box_center(&box, cluster->center);
    double square = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const double d = square_distance(g, indices[i], cluster->center);
        if (d > square) square = d;
    }
    cluster->radius = distance_up(square);
    cluster->first_vertex = (int32_t)first;
    cluster->end_vertex = (int32_t)last + 1;
}

static bool build_clusters(Geometry *g)
{
    int32_t size = CLUSTER_TRIANGLES;
    if (g->item_triangles > 0) { // whole items
        size = g->item_triangles < size ? size / g->item_triangles * g->item_triangles : g->item_triangles;
    }
    g->cluster_count = (g->triangle_count + size - 1) / size;
    g->clusters = MEMORY_NEW(Cluster, g->cluster_count);
    if (!g->clusters) return false;
    for (int32_t i = 0; i < g->cluster_count; i++) {
        Cluster *cluster = &g->clusters[i];
        cluster->first_triangle = i * size;
        const int32_t left = g->triangle_count - cluster->first_triangle;
        cluster->triangle_count = left < size ? left : size;
        bound_cluster(g, cluster);
    }
    return true;
}

// What each joint moves, as a sphere.
static void bound_joints(Geometry *g)
{
    Box boxes[THATCH_MAX_JOINTS];
    for (int32_t j = 0; j < g->joint_count; j++) boxes[j] = empty_box(), g->joint_spheres[j][3] = -1.0f;
    for (int64_t v = 0; v < g->vertex_count; v++) {
        for (int k = 0; k < 4; k++) {
            if (g->weights[v][k] > 0.0f) grow_box(&boxes[g->joints[v][k]], g, (uint32_t)v);
        }
    }
    for (int32_t j = 0; j < g->joint_count; j++) {
        if (boxes[j].min[0] > boxes[j].max[0]) continue;
        box_center(&boxes[j], g->joint_spheres[j]);
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const double side = (double)boxes[j].max[k] - g->joint_spheres[j][k];
            square += side * side;
        }
        g->joint_spheres[j][3] = distance_up(square);
    }
}

static bool build_skin(Geometry *g, const ThatchGeometryDef *def)
{
    if (def->joint_count == 0) return true;
    const int64_t count = def->vertex_count;
    g->joints = memory_array((size_t)count + GEOMETRY_PAD, sizeof *g->joints);
    g->weights = memory_array((size_t)count + GEOMETRY_PAD, sizeof *g->weights);
    g->joint_spheres = memory_array((size_t)def->joint_count, sizeof *g->joint_spheres);
    if (!g->joints || !g->weights || !g->joint_spheres) return false;
    for (int64_t v = 0; v < count; v++) {
        const float *w = def->weights + 4 * v;
        const float sum = (w[0] + w[1]) + (w[2] + w[3]);
        for (int k = 0; k < 4; k++) {
            g->joints[v][k] = def->joints[4 * v + k];
            g->weights[v][k] = w[k] / sum;
        }
    }
    for (int64_t i = count; i < count + GEOMETRY_PAD && count > 0; i++) {
        memcpy(g->joints[i], g->joints[count - 1], sizeof g->joints[0]);
        memcpy(g->weights[i], g->weights[count - 1], sizeof g->weights[0]);
    }
    bound_joints(g);
    return true;
}

static bool build_arrays(Geometry *g, const ThatchGeometryDef *def)
{
    const int32_t count = def->vertex_count;
    g->x = copy_axis(def->positions, 0, 3, count);
    g->y = copy_axis(def->positions, 1, 3, count);
    g->z = copy_axis(def->positions, 2, 3, count);
    if (!g->x || !g->y || !g->z) return false;
    if (def->spread) {
        g->spread_x = copy_axis(def->spread, 0, 3, count);
        g->spread_y = copy_axis(def->spread, 1, 3, count);
        g->spread_z = copy_axis(def->spread, 2, 3, count);
        if (!g->spread_x || !g->spread_y || !g->spread_z) return false;
    }
    if (def->sway && !(g->sway = copy_axis(def->sway, 0, 1, count))) return false;
    g->indices = MEMORY_NEW(uint32_t, (size_t)def->index_count + 3 * GEOMETRY_PAD);
    if (!g->indices) return false;
    if (def->index_count) memcpy(g->indices, def->indices, (size_t)def->index_count * sizeof *g->indices);
    build_bounds(g);
    return build_attributes(g, def) && build_clusters(g) && build_skin(g, def);
}

static int32_t build(Geometry *g, const ThatchGeometryDef *def)
{
    *g = (Geometry){
        .vertex_count = def->vertex_count,
        .triangle_count = def->index_count / 3,
        .item_triangles = def->item_triangles,
        .item_vertices = def->item_vertices,
        .joint_count = def->joint_count,
        .version = 1,
        .blades = def->blades,
    };
    if (build_arrays(g, def)) return THATCH_OK;
    free_arrays(g);
    return error_set(THATCH_ERROR_MEMORY, "geometry: memory is short for %d vertices and %d triangles",
                     def->vertex_count, def->index_count / 3);
}

// --- public ---

void thatch_geometry_defaults(ThatchGeometryDef *def)
{
    if (def) *def = (ThatchGeometryDef){.internal_value = DEF_GEOMETRY};
}

int32_t thatch_geometry_create(const ThatchGeometryDef *def, ThatchGeometry *out)
{
    CHECK_NOT_NULL(out, "geometry", "out");
    *out = 0;
    TRY(check_def(def));
    Geometry built;
    TRY(build(&built, def));
    Geometry *g = pool_add(&geometry_pool, out);
    if (!g) {
        free_arrays(&built);
        return error_last_code();
    }
    *g = built;
    return THATCH_OK;
}

int32_t thatch_geometry_replace(ThatchGeometry geometry, const ThatchGeometryDef *def)
{
    Geometry *g = pool_get(&geometry_pool, geometry, "geometry_replace");
    if (!g) return THATCH_ERROR_STALE;
    TRY(check_def(def));
    // Meshes keep as many joints as they were made with.
    CHECK_ARG(def->joint_count == g->joint_count, "geometry: joint_count is %d, need %d as before", def->joint_count,
              g->joint_count);
    Geometry built;
    TRY(build(&built, def));
    built.version = g->version + 1;
    pool_changes++;
    built.first_mesh = g->first_mesh;
    free_arrays(g);
    *g = built;
    mesh_geometry_changed(g);
    return THATCH_OK;
}

int32_t thatch_geometry_move(ThatchGeometry geometry, const float *positions, const float *normals,
                             int32_t vertex_count)
{
    Geometry *g = pool_get(&geometry_pool, geometry, "geometry_move");
    if (!g) return THATCH_ERROR_STALE;
    CHECK_ARG(vertex_count == g->vertex_count, "geometry_move: vertex_count is %d, need %d as made", vertex_count,
              g->vertex_count);
    if (vertex_count == 0) return THATCH_OK;
    CHECK_NOT_NULL(positions, "geometry_move", "positions");
    CHECK_FINITE(positions, 3 * (int64_t)vertex_count, "geometry_move", "positions");
    if (normals) CHECK_FINITE(normals, 3 * (int64_t)vertex_count, "geometry_move", "normals");
    fill_axis(g->x, positions, 0, 3, vertex_count);
    fill_axis(g->y, positions, 1, 3, vertex_count);
    fill_axis(g->z, positions, 2, 3, vertex_count);
    if (normals) {
        for (int64_t v = 0; v < vertex_count; v++) set_normal(g->attributes[v].normal, normals + 3 * v);
        for (int32_t i = 0; i < GEOMETRY_PAD; i++) g->attributes[vertex_count + i] = g->attributes[vertex_count - 1];
    }
    build_bounds(g);
    for (int32_t i = 0; i < g->cluster_count; i++) bound_cluster(g, &g->clusters[i]);
    if (g->joint_count > 0) bound_joints(g);
    g->version++;
    pool_changes++;
    mesh_geometry_changed(g);
    return THATCH_OK;
}

void thatch_geometry_destroy(ThatchGeometry geometry)
{
    Geometry *g = geometry_find(geometry);
    if (!g) return;
    mesh_geometry_gone(g);
    free_arrays(g);
    pool_remove(&geometry_pool, geometry);
}

bool thatch_geometry_is_valid(ThatchGeometry geometry)
{
    return geometry_find(geometry) != NULL;
}

int32_t thatch_geometry_info(ThatchGeometry geometry, ThatchGeometryInfo *out)
{
    CHECK_NOT_NULL(out, "geometry_info", "out");
    const Geometry *g = pool_get(&geometry_pool, geometry, "geometry_info");
    if (!g) return THATCH_ERROR_STALE;
    *out = (ThatchGeometryInfo){
        .vertex_count = g->vertex_count,
        .triangle_count = g->triangle_count,
        .item_triangles = g->item_triangles,
        .joint_count = g->joint_count,
        .version = g->version,
        .radius = g->radius,
        .has_sway = g->sway != NULL,
        .has_spread = g->spread_x != NULL,
        .blades = g->blades,
    };
    memcpy(out->min, g->min, sizeof out->min);
    memcpy(out->max, g->max, sizeof out->max);
    memcpy(out->center, g->center, sizeof out->center);
    return THATCH_OK;
}
