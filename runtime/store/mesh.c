// Meshes: what draws a geometry with a material at a node.
#include "base/check.h"
#include "base/memory.h"
#include "store/affine.h"
#include "store/geometry.h"
#include "store/material.h"
#include "store/scene.h"

#include <float.h>

Pool mesh_pool = {.noun = "mesh", .kind = KIND_MESH, .item_size = sizeof(Mesh)};

Mesh *mesh_find(ThatchMesh handle)
{
    return pool_find(&mesh_pool, handle);
}

void mesh_mark(Scene *scene, Mesh *mesh)
{
    if (mesh->dirty_place) return;
    ASSERT(scene->dirty_mesh_count < scene->dirty_mesh_capacity);
    scene->dirty_meshes[scene->dirty_mesh_count++] = mesh;
    mesh->dirty_place = scene->dirty_mesh_count;
}

static void unmark(Scene *scene, Mesh *mesh)
{
    if (!mesh->dirty_place) return;
    Mesh *last = scene->dirty_meshes[--scene->dirty_mesh_count];
    scene->dirty_meshes[mesh->dirty_place - 1] = last;
    last->dirty_place = mesh->dirty_place;
    mesh->dirty_place = 0;
}

// The set of still casters, or one of them, has changed.
static void touch_still(const Mesh *mesh)
{
    const Node *node = node_find(mesh->def.node);
    if (mesh->def.casts_shadow && node && !node->moving) scene_find(mesh->scene)->still_version++;
}

// --- bounds ---

// How far a matrix of these columns stretches at most, or a little more.
static float largest_stretch(const float x[3], const float y[3], const float z[3])
{
    const float xx = vector_dot(x, x), yy = vector_dot(y, y), zz = vector_dot(z, z);
    const float largest = fmaxf(xx, fmaxf(yy, zz)), slack = 1e-4f * largest;
    const bool square =
        fabsf(vector_dot(x, y)) <= slack && fabsf(vector_dot(y, z)) <= slack && fabsf(vector_dot(z, x)) <= slack;
    // With shear no axis is the longest stretch; the root of all squares is never shorter than it.
    return square ? sqrtf(largest) * 1.0002f : sqrtf(xx + yy + zz);
}

// Round all the places that joints can bring their vertices to, in object space: a skinned vertex is a mean of them.
static void joints_sphere(const Mesh *mesh, const Geometry *geometry, float center[3], float *radius)
{
    float min[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, max[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t j = 0; j < mesh->joint_count; j++) {
            const float *sphere = geometry->joint_spheres[j], *m = mesh->joints + 12 * (size_t)j;
            if (sphere[3] < 0.0f) continue;
            float at[3];
            for (int r = 0; r < 3; r++) {
                at[r] = m[4 * r] * sphere[0] + m[4 * r + 1] * sphere[1] + m[4 * r + 2] * sphere[2] + m[4 * r + 3];
            }
            const float x[3] = {m[0], m[4], m[8]}, y[3] = {m[1], m[5], m[9]}, z[3] = {m[2], m[6], m[10]};
            const float reach = sphere[3] * largest_stretch(x, y, z);
            if (pass == 1) {
                const float away[3] = {at[0] - center[0], at[1] - center[1], at[2] - center[2]};
                const float far_side = sqrtf(vector_dot(away, away)) + reach;
                if (far_side > *radius) *radius = far_side;
                continue;
            }
            for (int k = 0; k < 3; k++) {
                if (at[k] - reach < min[k]) min[k] = at[k] - reach;
                if (at[k] + reach > max[k]) max[k] = at[k] + reach;
            }
        }
        if (pass == 0) {
            for (int k = 0; k < 3; k++) center[k] = min[k] <= max[k] ? min[k] * 0.5f + max[k] * 0.5f : 0.0f;
            *radius = 0.0f;
        }
    }
}

// The normals' matrix, its scale divided out where that leaves a rotation.
static void find_normal_matrix(Mesh *mesh, const float world[16])
{
    const float *x = world, *y = world + 4, *z = world + 8;
    float columns[3][3]; // cofactors: the inverse's transpose but for its scale
    vector_cross(y, z, columns[0]);
    vector_cross(z, x, columns[1]);
    vector_cross(x, y, columns[2]);
    const float determinant = vector_dot(x, columns[0]);
    const float xx = vector_dot(x, x), yy = vector_dot(y, y), zz = vector_dot(z, z);
    const float slack = 1e-5f * xx;
    const bool similar = xx > 0.0f && fabsf(xx - yy) <= slack && fabsf(xx - zz) <= slack &&
                         fabsf(vector_dot(x, y)) <= slack && fabsf(vector_dot(y, z)) <= slack &&
                         fabsf(vector_dot(z, x)) <= slack;
    mesh->mirrored = determinant < 0.0f;
    mesh->normals_need_unit = !similar;
    // Scaled to a length near 1, so that the stages' floats don't overflow.
    float largest = 0.0f;
    for (int i = 0; i < 9; i++) {
        const float size = fabsf(columns[i / 3][i % 3]);
        if (size > largest) largest = size;
    }
    float scale = similar ? 1.0f / xx : largest > 0.0f ? 1.0f / largest : 0.0f;
    if (mesh->mirrored) scale = -scale;
    if (!is_finite(scale) || scale == 0.0f || !is_finite(largest)) { // flat: any normal will do, but a number
        mesh->normals_need_unit = true;
        for (int i = 0; i < 9; i++) mesh->normal_matrix[i] = i % 4 == 0 ? 1.0f : 0.0f;
        return;
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) mesh->normal_matrix[3 * r + c] = columns[c][r] * scale;
    }
}

void mesh_update_bounds(Mesh *mesh, const Node *node)
{
    const Geometry *geometry = geometry_find(mesh->def.geometry);
    if (!geometry) return; // not drawn
    mesh->seen_world = node->world_version;
    mesh->seen_geometry = geometry->version;
    float center[3], radius = geometry->radius;
    memcpy(center, geometry->center, sizeof center);
    if (mesh->joints) joints_sphere(mesh, geometry, center, &radius);
    const float *w = node->world;
    mesh->scale_ws = sqrtf(fmaxf(vector_dot(w, w), fmaxf(vector_dot(w + 4, w + 4), vector_dot(w + 8, w + 8))));
    affine_point(w, center, mesh->center_ws);
    mesh->radius_ws = radius * largest_stretch(w, w + 4, w + 8);
    if (!(mesh->radius_ws <= FLT_MAX) || find_not_finite(mesh->center_ws, 3) >= 0) {
        // Too large for a float: let no one cull it.
        for (int k = 0; k < 3; k++) mesh->center_ws[k] = 0.0f;
        mesh->radius_ws = FLT_MAX;
    }
    find_normal_matrix(mesh, w);
}

// --- lists ---

static void link_geometry(Mesh *mesh)
{
    Geometry *geometry = geometry_find(mesh->def.geometry);
    Mesh *next = mesh_find(geometry->first_mesh);
    mesh->next_of_geometry = geometry->first_mesh;
    mesh->previous_of_geometry = 0;
    if (next) next->previous_of_geometry = mesh->handle;
    geometry->first_mesh = mesh->handle;
}

static void unlink_geometry(Mesh *mesh)
{
    Geometry *geometry = geometry_find(mesh->def.geometry);
    if (!geometry) return; // its list died with it
    Mesh *previous = mesh_find(mesh->previous_of_geometry), *next = mesh_find(mesh->next_of_geometry);
    if (previous)
        previous->next_of_geometry = mesh->next_of_geometry;
    else
        geometry->first_mesh = mesh->next_of_geometry;
    if (next) next->previous_of_geometry = mesh->previous_of_geometry;
}

void mesh_geometry_changed(const Geometry *geometry)
{
    for (Mesh *mesh = mesh_find(geometry->first_mesh); mesh; mesh = mesh_find(mesh->next_of_geometry)) {
        mesh_mark(scene_find(mesh->scene), mesh);
        touch_still(mesh);
    }
}

void mesh_geometry_gone(const Geometry *geometry)
{
    for (Mesh *mesh = mesh_find(geometry->first_mesh); mesh; mesh = mesh_find(mesh->next_of_geometry))
        touch_still(mesh);
}

static void link_node(Mesh *mesh, Node *node)
{
    Mesh *next = mesh_find(node->first_mesh);
    mesh->next_on_node = node->first_mesh;
    if (next) next->previous_on_node = mesh->handle;
    node->first_mesh = mesh->handle;
}

static void unlink_mesh(Mesh *mesh)
{
    Mesh *previous = mesh_find(mesh->previous_on_node), *next = mesh_find(mesh->next_on_node);
    if (previous)
        previous->next_on_node = mesh->next_on_node;
    else
        node_find(mesh->def.node)->first_mesh = mesh->next_on_node;
    if (next) next->previous_on_node = mesh->previous_on_node;
}

void mesh_remove(Scene *scene, Mesh *mesh)
{
    touch_still(mesh);
    unmark(scene, mesh);
    unlink_mesh(mesh);
    unlink_geometry(mesh);
    scene->meshes[mesh->scene_slot] = NULL;
    scene->mesh_holes++;
    memory_free(mesh->joints);
    pool_remove(&mesh_pool, mesh->handle);
}

// --- public ---

void thatch_mesh_defaults(ThatchMeshDef *def)
{
    if (!def) return;
    *def = (ThatchMeshDef){
        .layers = 1,
        .tint = {1.0f, 1.0f, 1.0f},
        .casts_shadow = true,
        .receives_shadow = true,
        .draw_distance_m = 1e9f,
        .item_share_min = 0.02f,
        .item_grow_max = 3.0f,
        .internal_value = DEF_MESH,
    };
}

static int32_t check_def(ThatchScene scene, const ThatchMeshDef *def)
{
    CHECK_DEF(def, DEF_MESH, "mesh");
    if (!pool_get(&geometry_pool, def->geometry, "mesh_create")) return THATCH_ERROR_STALE;
    if (!pool_get(&material_pool, def->material, "mesh_create")) return THATCH_ERROR_STALE;
    const Node *node = pool_get(&node_pool, def->node, "mesh_create");
    if (!node) return THATCH_ERROR_STALE;
    CHECK_ARG(node->scene == scene, "mesh: node is %s of another scene, need one of this", node->name);
    CHECK_ALL_RANGE(def->tint, 3, 0.0f, 4.0f, "mesh", "tint");
    CHECK_ARG(def->draw_distance_m > 0.0f && is_finite(def->draw_distance_m),
              "mesh: draw_distance_m is %g, need a finite number > 0", (double)def->draw_distance_m);
    CHECK_RANGE(def->near_distance_m, 0.0f, FLT_MAX, "mesh", "near_distance_m");
    CHECK_RANGE(def->item_size_m, 0.0f, FLT_MAX, "mesh", "item_size_m");
    CHECK_RANGE(def->item_share_min, 0.0f, 1.0f, "mesh", "item_share_min");
    CHECK_RANGE(def->item_grow_max, 1.0f, 8.0f, "mesh", "item_grow_max");
    return THATCH_OK;
}

// Null with the error set when memory is short; null too when there are none: count tells.
static float *new_joints(int32_t count)
{
    if (count == 0) return NULL;
    float *joints = MEMORY_NEW(float, 12 * (size_t)count);
    if (!joints) {
        error_set(THATCH_ERROR_MEMORY, "mesh: memory is short for %d joints", count);
        return NULL;
    }
    for (int32_t j = 0; j < count; j++) joints[12 * j] = joints[12 * j + 5] = joints[12 * j + 10] = 1.0f;
    return joints;
}

static bool make_room(Scene *scene)
{
    // Gaps first, so that a scene whose meshes come and go does not grow.
    if (scene->mesh_count == scene->mesh_capacity && scene->mesh_holes > 0) scene_close_gaps(scene);
    const int32_t count = scene->mesh_count + 1;
    Mesh **meshes = memory_room(scene->meshes, &scene->mesh_capacity, count, sizeof *meshes);
    if (!meshes) return false;
    scene->meshes = meshes;
    Mesh **dirty = memory_room(scene->dirty_meshes, &scene->dirty_mesh_capacity, count, sizeof *dirty);
    if (dirty) scene->dirty_meshes = dirty;
    return dirty;
}

int32_t thatch_mesh_create(ThatchScene scene_handle, const ThatchMeshDef *def, ThatchMesh *out)
{
    CHECK_NOT_NULL(out, "mesh", "out");
    *out = 0;
    Scene *scene = pool_get(&scene_pool, scene_handle, "mesh_create");
    if (!scene) return THATCH_ERROR_STALE;
    TRY(check_def(scene_handle, def));
    if (!make_room(scene)) return error_set(THATCH_ERROR_MEMORY, "mesh: memory is short for %d", scene->mesh_count + 1);
    const int32_t joint_count = geometry_find(def->geometry)->joint_count;
    float *joints = new_joints(joint_count);
    if (joint_count > 0 && !joints) return THATCH_ERROR_MEMORY;
    Mesh *mesh = pool_add(&mesh_pool, out);
    if (!mesh) {
        memory_free(joints);
        return error_last_code();
    }
    mesh->handle = *out;
    mesh->scene = scene_handle;
    mesh->def = *def;
    mesh->visible = true;
    mesh->joints = joints;
    mesh->joint_count = joint_count;
    mesh->scene_slot = scene->mesh_count;
    scene->meshes[scene->mesh_count++] = mesh;
    link_node(mesh, node_find(def->node));
    link_geometry(mesh);
    mesh_mark(scene, mesh);
    touch_still(mesh);
    return THATCH_OK;
}

void thatch_mesh_destroy(ThatchMesh handle)
{
    Mesh *mesh = mesh_find(handle);
    if (mesh) mesh_remove(scene_find(mesh->scene), mesh);
}

bool thatch_mesh_is_valid(ThatchMesh handle)
{
    return mesh_find(handle) != NULL;
}

int32_t thatch_mesh_set_geometry(ThatchMesh handle, ThatchGeometry geometry_handle)
{
    Mesh *mesh = pool_get(&mesh_pool, handle, "mesh_set_geometry");
    if (!mesh) return THATCH_ERROR_STALE;
    const Geometry *geometry = pool_get(&geometry_pool, geometry_handle, "mesh_set_geometry");
    if (!geometry) return THATCH_ERROR_STALE;
    if (mesh->def.geometry == geometry_handle) return THATCH_OK;
    if (geometry->joint_count != mesh->joint_count) {
        float *joints = new_joints(geometry->joint_count);
        if (geometry->joint_count > 0 && !joints) return THATCH_ERROR_MEMORY;
        memory_free(mesh->joints);
        mesh->joints = joints;
        pool_changes++;
        mesh->joint_count = geometry->joint_count;
    }
    unlink_geometry(mesh);
    mesh->def.geometry = geometry_handle;
    link_geometry(mesh);
    mesh_mark(scene_find(mesh->scene), mesh);
    touch_still(mesh);
    return THATCH_OK;
}

int32_t thatch_mesh_set_material(ThatchMesh handle, ThatchMaterial material)
{
    Mesh *mesh = pool_get(&mesh_pool, handle, "mesh_set_material");
    if (!mesh) return THATCH_ERROR_STALE;
    if (!pool_get(&material_pool, material, "mesh_set_material")) return THATCH_ERROR_STALE;
    if (mesh->def.material == material) return THATCH_OK;
    mesh->def.material = material;
    touch_still(mesh);
    return THATCH_OK;
}

int32_t thatch_mesh_set_visible(ThatchMesh handle, bool visible)
{
    Mesh *mesh = pool_get(&mesh_pool, handle, "mesh_set_visible");
    if (!mesh) return THATCH_ERROR_STALE;
    if (mesh->visible == visible) return THATCH_OK;
    mesh->visible = visible;
    touch_still(mesh);
    return THATCH_OK;
}

int32_t thatch_mesh_set_layers(ThatchMesh handle, uint32_t layers)
{
    Mesh *mesh = pool_get(&mesh_pool, handle, "mesh_set_layers");
    if (!mesh) return THATCH_ERROR_STALE;
    if (mesh->def.layers == layers) return THATCH_OK;
    mesh->def.layers = layers;
    touch_still(mesh);
    return THATCH_OK;
}

int32_t thatch_mesh_set_tint(ThatchMesh handle, const float *tint3)
{
    Mesh *mesh = pool_get(&mesh_pool, handle, "mesh_set_tint");
    if (!mesh) return THATCH_ERROR_STALE;
    CHECK_NOT_NULL(tint3, "mesh", "tint");
    CHECK_ALL_RANGE(tint3, 3, 0.0f, 4.0f, "mesh", "tint");
    memcpy(mesh->def.tint, tint3, sizeof mesh->def.tint);
    return THATCH_OK;
}

int32_t thatch_mesh_set_joints(ThatchMesh handle, const float *matrices16, int32_t joint_count)
{
    Mesh *mesh = pool_get(&mesh_pool, handle, "mesh_set_joints");
    if (!mesh) return THATCH_ERROR_STALE;
    CHECK_ARG(joint_count == mesh->joint_count, "mesh: joint_count is %d, need %d as the geometry has", joint_count,
              mesh->joint_count);
    CHECK_ARG(matrices16 || joint_count == 0, "mesh: joints is null, need %d", joint_count);
    CHECK_FINITE(matrices16, 16 * (int64_t)joint_count, "mesh", "joints");
    for (int32_t j = 0; j < joint_count; j++) {
        const float *m = matrices16 + 16 * (size_t)j;
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 4; c++) mesh->joints[12 * (size_t)j + 4 * (size_t)r + (size_t)c] = m[4 * c + r];
        }
    }
    if (joint_count > 0) mesh_mark(scene_find(mesh->scene), mesh);
    return THATCH_OK;
}
