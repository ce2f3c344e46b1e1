// A scene: nodes in a tree, meshes and lights on it, fog and background.
#pragma once
#include "base/pool.h"
#include "thatch.h"

typedef struct Node {
    uint32_t handle;
    ThatchScene scene;
    ThatchNode parent, first_child, next_sibling, previous_sibling; // 0: none
    ThatchMesh first_mesh; // list of the meshes on it
    float local[16], world[16]; // affine, column-major
    float position[3], rotation[4], scale[3];
    bool from_matrix; // local was set as a matrix
    bool dirty;       // local changed since world was found (its subtree too)
    bool visible, shown; // own switch; own and all ancestors' (found with world)
    bool moving;      // it or an ancestor is in the scene's moving set (found with world)
    bool moving_root; // it is named in the set itself
    uint32_t world_version; // goes up when world, shown or moving changes; 0: not found yet
    int32_t dirty_place;    // in the scene's list of dirty nodes, from 1; 0: not in it
    char name[THATCH_MAX_NAME];
} Node;

typedef struct Mesh {
    uint32_t handle;
    ThatchScene scene;
    ThatchMeshDef def;
    ThatchMesh next_on_node, previous_on_node;
    ThatchMesh next_of_geometry, previous_of_geometry;
    bool visible;
    float *joints; // 12 floats each (3 rows of 4: row-major affine), joint_count of them; null: not set or not skinned
    int32_t joint_count;
    // Found by scene_update: bounds in world space; skinned meshes: round the joints' reach.
    float center_ws[3], radius_ws;
    float normal_matrix[9]; // row-major 3x3: world normal = normal_matrix * normal, to be normalised
    float scale_ws;         // the largest axis scale of world
    bool normals_need_unit; // world is not rigid, even after its scale was divided out
    bool mirrored;          // world turns triangles over: clockwise is front
    uint32_t seen_world, seen_geometry; // versions that the bounds were found for
    int32_t scene_slot; // its place in the scene's list
    int32_t dirty_place; // in the scene's list of dirty meshes, from 1; 0: not in it
} Mesh;

typedef struct Light {
    uint32_t handle;
    ThatchScene scene;
    ThatchLightDef def; // direction is unit
    char name[THATCH_MAX_NAME];
    int32_t scene_slot;
} Light;

typedef struct Scene {
    uint32_t handle;
    // In creation order, removed by closing the gap: the order of drawing, so that nothing depends on slots.
    Mesh **meshes; // null where one was destroyed, until scene_update closes the gaps
    Light **lights;
    int32_t mesh_count, mesh_capacity, light_count, light_capacity;
    ThatchNode *roots; // nodes without a parent, in creation order
    int32_t root_count, root_capacity;
    bool any_dirty;    // some node is dirty
    int32_t node_count, mesh_holes;
    // What scene_update has to look at. Room for all is taken when they are made, so that marking can't fail.
    Node **dirty_nodes;
    Mesh **dirty_meshes;
    int32_t dirty_node_count, dirty_node_capacity, dirty_mesh_count, dirty_mesh_capacity;
    ThatchNode *moving_nodes; // the set that set_moving named; may hold stale ones
    int32_t moving_count;
    uint32_t still_version; // goes up when a still caster or the set of them changes (not by itself a reason to redraw)
    float fog_color[3], fog_density, fog_sun_color[3], fog_sun_share;
    float background_color[3], background_intensity;
    ThatchTexture background_cube; // 0: the colour
    float wind_x, wind_z, wind_strength; // unit direction
} Scene;

extern Pool scene_pool, node_pool, mesh_pool, light_pool;
Scene *scene_find(ThatchScene handle);
// Brings world matrices, visibility, moving flags and mesh bounds up to date. Called by gather and shadow_maps.
void scene_update(Scene *scene);

void scene_close_gaps(Scene *scene); // in meshes
Node *node_find(ThatchNode handle);
void node_mark(Scene *scene, Node *node); // its world is to be found again
void node_remove_all(Scene *scene);
Mesh *mesh_find(ThatchMesh handle);
void mesh_mark(Scene *scene, Mesh *mesh); // its bounds are to be found again
void mesh_update_bounds(Mesh *mesh, const Node *node);
void mesh_remove(Scene *scene, Mesh *mesh);
struct Geometry;
void mesh_geometry_changed(const struct Geometry *geometry); // tells the meshes that draw it
void mesh_geometry_gone(const struct Geometry *geometry);
void light_remove_all(Scene *scene);
