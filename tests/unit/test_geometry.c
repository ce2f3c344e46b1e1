#include "store/geometry.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 40, GRID_VERTICES = (SIDE + 1) * (SIDE + 1), GRID_TRIANGLES = SIDE * SIDE * 2 };

static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const uint32_t triangle_indices[3] = {0, 1, 2};

static ThatchGeometryDef triangle_def(void)
{
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = triangle, def.vertex_count = 3;
    def.indices = triangle_indices, def.index_count = 3;
    return def;
}

// A hilly grid.
static ThatchGeometryDef grid_def(void)
{
    static float positions[3 * GRID_VERTICES];
    static uint32_t indices[3 * GRID_TRIANGLES];
    uint32_t at = 0;
    for (uint32_t z = 0; z <= SIDE; z++) {
        for (uint32_t x = 0; x <= SIDE; x++) {
            float *p = positions + 3 * (z * (SIDE + 1) + x);
            p[0] = (float)x, p[1] = thatch_random(1, x, z), p[2] = (float)z;
            if (x == SIDE || z == SIDE) continue;
            const uint32_t i = z * (SIDE + 1) + x;
            const uint32_t corners[6] = {i, i + SIDE + 1, i + 1, i + 1, i + SIDE + 1, i + SIDE + 2};
            memcpy(indices + at, corners, sizeof corners);
            at += 6;
        }
    }
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = positions, def.vertex_count = GRID_VERTICES;
    def.indices = indices, def.index_count = 3 * GRID_TRIANGLES;
    return def;
}

static int test_copies_and_pads(void)
{
    ThatchGeometryDef def = triangle_def();
    ThatchGeometry handle;
    EXPECT(thatch_geometry_create(&def, &handle) == THATCH_OK);
    const Geometry *g = geometry_find(handle);
    EXPECT(g->x[1] == 1.0f && g->y[2] == 1.0f);
    for (int i = 3; i < 3 + GEOMETRY_PAD; i++) EXPECT(g->x[i] == g->x[2] && g->y[i] == g->y[2] && g->z[i] == g->z[2]);
    for (int i = 3; i < 3 + 3 * GEOMETRY_PAD; i++) EXPECT(g->indices[i] == 0);
    EXPECT(g->attributes[0].normal[2] == 1.0f && g->attributes[0].color[3] == 65535 &&
           g->attributes[0].baked_sun == 255);
    ThatchGeometryInfo info;
    EXPECT(thatch_geometry_info(handle, &info) == THATCH_OK);
    EXPECT(info.version == 1 && info.vertex_count == 3 && info.triangle_count == 1 && info.max[0] == 1.0f);
    EXPECT(info.radius > 0.7f && info.radius < 0.708f && !info.has_sway && !info.has_spread);
    thatch_geometry_destroy(handle);
    thatch_geometry_destroy(handle);
    EXPECT(!thatch_geometry_is_valid(handle));
    EXPECT_REFUSED(thatch_geometry_info(handle, &info), THATCH_ERROR_STALE, "geometry is stale");
    return 0;
}

static int test_empty_geometry_is_good(void)
{
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    ThatchGeometry handle;
    EXPECT(thatch_geometry_create(&def, &handle) == THATCH_OK);
    EXPECT(geometry_find(handle)->cluster_count == 0 && geometry_find(handle)->radius == 0.0f);
    thatch_geometry_destroy(handle);
    return 0;
}

static int test_clusters_cover_all_triangles_and_bound_them(void)
{
    ThatchGeometryDef def = grid_def();
    ThatchGeometry handle;
    EXPECT(thatch_geometry_create(&def, &handle) == THATCH_OK);
    const Geometry *g = geometry_find(handle);
    int32_t next = 0;
    for (int32_t i = 0; i < g->cluster_count; i++) {
        const Cluster *cluster = &g->clusters[i];
        EXPECT(cluster->first_triangle == next && cluster->triangle_count > 0);
        EXPECT(cluster->triangle_count <= CLUSTER_TRIANGLES);
        next += cluster->triangle_count;
        for (int32_t k = 3 * cluster->first_triangle; k < 3 * next; k++) {
            const uint32_t v = g->indices[k];
            EXPECT((int32_t)v >= cluster->first_vertex && (int32_t)v < cluster->end_vertex);
            const float x = g->x[v] - cluster->center[0], y = g->y[v] - cluster->center[1],
                        z = g->z[v] - cluster->center[2];
            EXPECT(sqrtf(x * x + y * y + z * z) <= cluster->radius);
        }
    }
    EXPECT(next == GRID_TRIANGLES);
    for (int32_t v = 0; v < g->vertex_count; v++) {
        const float *n = g->attributes[v].normal;
        EXPECT(fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0f) < 1e-5f && n[1] > 0.0f);
    }
    thatch_geometry_destroy(handle);
    return 0;
}

static int test_clusters_of_items_hold_whole_items(void)
{
    enum { ITEMS = 300, ITEM_TRIANGLES = 3, ITEM_VERTICES = 5 };
    static float positions[3 * ITEMS * ITEM_VERTICES];
    static uint32_t indices[3 * ITEMS * ITEM_TRIANGLES];
    for (uint32_t i = 0; i < 3 * ITEMS * ITEM_VERTICES; i++) positions[i] = thatch_random(2, i, 0);
    for (uint32_t i = 0; i < ITEMS * ITEM_TRIANGLES; i++) {
        const uint32_t first = i / ITEM_TRIANGLES * ITEM_VERTICES + i % ITEM_TRIANGLES;
        for (uint32_t k = 0; k < 3; k++) indices[3 * i + k] = first + k;
    }
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = positions, def.vertex_count = ITEMS * ITEM_VERTICES;
    def.indices = indices, def.index_count = 3 * ITEMS * ITEM_TRIANGLES;
    def.item_triangles = ITEM_TRIANGLES, def.item_vertices = ITEM_VERTICES;
    ThatchGeometry handle;
    EXPECT(thatch_geometry_create(&def, &handle) == THATCH_OK);
    const Geometry *g = geometry_find(handle);
    EXPECT(g->cluster_count == 4 && g->clusters[0].triangle_count == 255 && g->clusters[3].triangle_count == 135);
    thatch_geometry_destroy(handle);

    def.item_vertices = 4;
    EXPECT_REFUSED(thatch_geometry_create(&def, &handle), THATCH_ERROR_ARGUMENT, "item_vertices is 4, need 300 items");
    def.item_vertices = ITEM_VERTICES, def.item_triangles = 7;
    EXPECT_REFUSED(thatch_geometry_create(&def, &handle), THATCH_ERROR_ARGUMENT, "item_triangles is 7");
    def.item_triangles = ITEM_TRIANGLES, indices[9] = 4;
    EXPECT_REFUSED(thatch_geometry_create(&def, &handle), THATCH_ERROR_ARGUMENT,
                   "indices[9] is 4, need 5 .. 9, a vertex of item 1");
    return 0;
}

static int test_refusals_name_the_field(void)
{
    ThatchGeometry handle = 1;
#define REFUSES(change, text)                                                                                          \
    do {                                                                                                               \
        ThatchGeometryDef def = triangle_def();                                                                        \
        change;                                                                                                        \
        EXPECT_REFUSED(thatch_geometry_create(&def, &handle), THATCH_ERROR_ARGUMENT, "geometry: " text);               \
        EXPECT(handle == 0);                                                                                           \
    } while (0)
    const float bad[12] = {0, 0, 0, 1, 0, 0, 0, NAN, 0, 0, 0, 0}, wide[12] = {0, 0.5f, 2.0f, -1.0f};
    const uint32_t far_index[3] = {0, 1, 3};
    const uint8_t joints[12] = {0, 1};
    const float weights[12] = {1, 0, 0, 0, 0.5f, 0, 0, 0, 1, 0, 0, 0};
    const uint8_t good_joints[12] = {0};
    REFUSES(def.internal_value = 7, "internal_value is 7");
    REFUSES(def.vertex_count = -1, "vertex_count is -1, need 0 .. 16777216");
    REFUSES(def.index_count = 2, "index_count is 2, need a multiple of 3");
    REFUSES(def.index_count = -3, "index_count is -3");
    REFUSES(def.positions = NULL, "positions is null");
    REFUSES(def.indices = NULL, "indices is null");
    REFUSES(def.positions = bad, "positions[7] is");
    REFUSES(def.normals = bad, "normals[7] is");
    REFUSES(def.spread = bad, "spread[7] is");
    REFUSES(def.colors = wide, "colors[2] is 2, need 0 .. 1");
    REFUSES(def.baked_sun = wide, "baked_sun[2] is 2");
    REFUSES(def.baked_sky = wide, "baked_sky[2] is 2");
    REFUSES(def.sway = wide, "sway[2] is 2");
    REFUSES(def.indices = far_index, "indices[2] is 3, need less than 3");
    REFUSES(def.item_vertices = 3, "item_vertices is 3, need 0");
    REFUSES(def.item_triangles = -1, "item_triangles is -1");
    REFUSES(def.joint_count = 256, "joint_count is 256, need 0 .. 255");
    REFUSES(def.joints = joints, "joint_count is 0");
    REFUSES((def.joint_count = 2, def.joints = joints), "weights is null");
    REFUSES((def.joint_count = 2, def.joints = joints, def.weights = weights), "weights of vertex 1 have the sum 0.5");
    REFUSES((def.joint_count = 1, def.joints = joints, def.weights = weights), "joints[1] is 1, need 0 .. 0");
    REFUSES((def.joint_count = 2, def.joints = good_joints, def.weights = bad), "weights[7] is");
    EXPECT_REFUSED(thatch_geometry_create(NULL, &handle), THATCH_ERROR_ARGUMENT, "def is null");
    ThatchGeometryDef good = triangle_def();
    EXPECT_REFUSED(thatch_geometry_create(&good, NULL), THATCH_ERROR_ARGUMENT, "out is null");
#undef REFUSES
    return 0;
}

static int test_replacing_keeps_the_handle_and_failing_keeps_the_arrays(void)
{
    ThatchGeometryDef def = triangle_def();
    ThatchGeometry handle;
    ThatchGeometryInfo info;
    EXPECT(thatch_geometry_create(&def, &handle) == THATCH_OK);
    ThatchGeometryDef grid = grid_def();
    for (int nth = 1; nth < 9; nth++) { // of its allocations
        thatch_fail_allocation(nth);
        const int32_t status = thatch_geometry_replace(handle, &grid);
        thatch_fail_allocation(0);
        EXPECT(thatch_geometry_info(handle, &info) == THATCH_OK);
        if (status == THATCH_OK) break;
        EXPECT(status == THATCH_ERROR_MEMORY && info.version == 1 && info.vertex_count == 3);
    }
    EXPECT(info.version == 2 && info.vertex_count == GRID_VERTICES);
    EXPECT_REFUSED(thatch_geometry_replace(0, &grid), THATCH_ERROR_STALE, "geometry is 0");
    thatch_geometry_destroy(handle);
    return 0;
}

static int test_huge_places_have_finite_bounds(void)
{
    const float positions[9] = {-3e38f, 0, 0, 3e38f, 0, 0, 0, 3e38f, 0};
    ThatchGeometryDef def = triangle_def();
    def.positions = positions;
    ThatchGeometry handle;
    ThatchGeometryInfo info;
    EXPECT(thatch_geometry_create(&def, &handle) == THATCH_OK && thatch_geometry_info(handle, &info) == THATCH_OK);
    EXPECT(isfinite(info.radius) && isfinite(info.center[0]));
    EXPECT(geometry_find(handle)->attributes[0].normal[1] == 1.0f ||
           geometry_find(handle)->attributes[0].normal[2] == 1.0f);
    thatch_geometry_destroy(handle);
    return 0;
}

static int test_skins_keep_spheres_round_their_joints(void)
{
    const uint8_t joints[12] = {0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const float weights[12] = {0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    ThatchGeometryDef def = triangle_def();
    def.joints = joints, def.weights = weights, def.joint_count = 3;
    ThatchGeometry handle;
    EXPECT(thatch_geometry_create(&def, &handle) == THATCH_OK);
    const Geometry *g = geometry_find(handle);
    EXPECT(g->joint_spheres[0][3] >= 0.0f && g->joint_spheres[0][3] < 1e-6f);
    EXPECT(g->joint_spheres[1][3] > 0.5f && g->joint_spheres[2][3] < 0.0f);
    def.joint_count = 2;
    EXPECT_REFUSED(thatch_geometry_replace(handle, &def), THATCH_ERROR_ARGUMENT, "joint_count is 2, need 3 as before");
    thatch_geometry_destroy(handle);
    return 0;
}

const Test geometry_tests[] = {
    TEST(copies_and_pads),
    TEST(empty_geometry_is_good),
    TEST(clusters_cover_all_triangles_and_bound_them),
    TEST(clusters_of_items_hold_whole_items),
    TEST(refusals_name_the_field),
    TEST(replacing_keeps_the_handle_and_failing_keeps_the_arrays),
    TEST(huge_places_have_finite_bounds),
    TEST(skins_keep_spheres_round_their_joints),
    TESTS_END,
};
