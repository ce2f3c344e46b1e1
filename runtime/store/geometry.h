// Geometry: flat arrays as the stages read them. Positions apart from the rest, one array an axis.
#pragma once
#include "base/pool.h"
#include "thatch.h"

enum { GEOMETRY_PAD = 16, CLUSTER_TRIANGLES = 256 };

typedef struct VertexAttributes { // 32 bytes: read for visible triangles only
    float normal[3];
    float uv[2];
    uint16_t color[4]; // linear rgba, 65535 is 1
    uint8_t baked_sun, baked_sky; // 255 is 1
    uint8_t spare[2];
} VertexAttributes;
_Static_assert(sizeof(VertexAttributes) == 32, "one load for two");

typedef struct Cluster { // CLUSTER_TRIANGLES triangles in a row, with what bounds them
    float center[3], radius;
    int32_t first_triangle, triangle_count;
    int32_t first_vertex, end_vertex; // the range of vertices that they use
} Cluster;

typedef struct Geometry {
    int32_t vertex_count, triangle_count, item_triangles, item_vertices, joint_count, cluster_count;
    uint32_t version;
    bool blades;
    // Each axis array is padded with GEOMETRY_PAD copies of the last value, so that 16-wide loads may run over.
    float *x, *y, *z;
    float *spread_x, *spread_y, *spread_z; // null: none
    float *sway;                           // null: none
    VertexAttributes *attributes;
    uint8_t (*joints)[4]; // null: not skinned
    float (*weights)[4];
    uint32_t *indices; // 3 a triangle, then 3 * GEOMETRY_PAD zeros
    Cluster *clusters;
    float min[3], max[3], center[3], radius;
    float (*joint_spheres)[4]; // object space center, radius of the vertices that each joint moves; radius < 0: none
    ThatchMesh first_mesh;     // list of the meshes that draw it: told when it is replaced
} Geometry;

extern Pool geometry_pool;
Geometry *geometry_find(ThatchGeometry handle); // null when stale
