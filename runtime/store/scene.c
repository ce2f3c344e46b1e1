// Scenes, and how they are brought up to date: only dirty nodes, what is below them, and dirty meshes are touched.
#include "store/scene.h"

#include "base/check.h"
#include "base/memory.h"
#include "store/affine.h"
#include "store/texture.h"

#include <float.h>

Pool scene_pool = {.noun = "scene", .kind = KIND_SCENE, .item_size = sizeof(Scene)};

Scene *scene_find(ThatchScene handle)
{
    return pool_find(&scene_pool, handle);
}

// --- bringing up to date ---

void scene_close_gaps(Scene *scene)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < scene->mesh_count; i++) {
        Mesh *mesh = scene->meshes[i];
        if (!mesh) continue;
        mesh->scene_slot = kept;
        scene->meshes[kept++] = mesh;
    }
    scene->mesh_count = kept;
    scene->mesh_holes = 0;
}

static bool has_dirty_ancestor(const Node *node)
{
    for (const Node *up = node_find(node->parent); up; up = node_find(up->parent)) {
        if (up->dirty) return true;
    }
    return false;
}

static void update_node(Scene *scene, Node *node, const Node *parent)
{
    float world[16];
    if (parent)
        affine_multiply(parent->world, node->local, world);
    else
        memcpy(world, node->local, sizeof world);
    // A product that overflowed has no place to be drawn at.
    const bool finite = find_not_finite(world, 16) < 0;
    if (!finite) affine_identity(world);
    const bool shown = finite && node->visible && (!parent || parent->shown);
    const bool moving = node->moving_root || (parent && parent->moving);
    node->dirty = false;
    if (node->world_version != 0 && node->shown == shown && node->moving == moving &&
        memcmp(node->world, world, sizeof world) == 0) {
        return;
    }
    const bool was_still = node->world_version != 0 && !node->moving;
    memcpy(node->world, world, sizeof world);
    node->shown = shown;
    node->moving = moving;
    node->world_version++;
    for (Mesh *mesh = mesh_find(node->first_mesh); mesh; mesh = mesh_find(mesh->next_on_node)) {
        if (mesh->def.casts_shadow && (was_still || !moving)) scene->still_version++;
        mesh_update_bounds(mesh, node);
    }
}

// Parents before children; by links, since a tree may be as deep as it has nodes.
static void update_subtree(Scene *scene, Node *top)
{
    Node *node = top;
    const Node *parent = node_find(top->parent);
    for (;;) {
        update_node(scene, node, parent);
        if (node->first_child) {
            parent = node;
            node = node_find(node->first_child);
            continue;
        }
        while (node != top && !node->next_sibling) node = node_find(node->parent);
        if (node == top) return;
        parent = node_find(node->parent);
        node = node_find(node->next_sibling);
    }
}

void scene_update(Scene *scene)
{
    if (scene->mesh_holes > 0) scene_close_gaps(scene);
    if (scene->any_dirty) {
        for (int32_t i = 0; i < scene->dirty_node_count; i++) {
            Node *node = scene->dirty_nodes[i];
            if (node->dirty && !has_dirty_ancestor(node)) update_subtree(scene, node);
        }
        for (int32_t i = 0; i < scene->dirty_node_count; i++) scene->dirty_nodes[i]->dirty_place = 0;
        scene->dirty_node_count = 0;
        scene->any_dirty = false;
    }
    for (int32_t i = 0; i < scene->dirty_mesh_count; i++) {
        Mesh *mesh = scene->dirty_meshes[i];
        mesh->dirty_place = 0;
        const Node *node = node_find(mesh->def.node);
        ASSERT(node);
        mesh_update_bounds(mesh, node);
    }
    scene->dirty_mesh_count = 0;
}

// --- public ---

int32_t thatch_scene_create(ThatchScene *out)
{
    CHECK_NOT_NULL(out, "scene", "out");
    Scene *scene = pool_add(&scene_pool, out);
    if (!scene) return error_last_code();
    scene->handle = *out;
    scene->background_intensity = 1.0f;
    scene->wind_x = 1.0f;
    scene->wind_strength = 1.0f;
    return THATCH_OK;
}

void thatch_scene_destroy(ThatchScene handle)
{
    Scene *scene = scene_find(handle);
    if (!scene) return;
    node_remove_all(scene);
    light_remove_all(scene);
    memory_free(scene->meshes), memory_free(scene->lights), memory_free(scene->roots);
    memory_free(scene->dirty_nodes), memory_free(scene->dirty_meshes), memory_free(scene->moving_nodes);
    pool_remove(&scene_pool, handle);
}

bool thatch_scene_is_valid(ThatchScene handle)
{
    return scene_find(handle) != NULL;
}

int32_t thatch_scene_set_fog(ThatchScene handle, const float *color3, float density, const float *sun_color3,
                             float sun_share)
{
    Scene *scene = pool_get(&scene_pool, handle, "scene_set_fog");
    if (!scene) return THATCH_ERROR_STALE;
    static const float black[3];
    if (!color3) color3 = black;
    if (!sun_color3) sun_color3 = black;
    CHECK_ALL_RANGE(color3, 3, 0.0f, FLT_MAX, "scene", "fog color");
    CHECK_RANGE(density, 0.0f, 1e6f, "scene", "fog density");
    CHECK_ALL_RANGE(sun_color3, 3, 0.0f, FLT_MAX, "scene", "fog sun_color");
    CHECK_RANGE(sun_share, 0.0f, 1.0f, "scene", "fog sun_share");
    memcpy(scene->fog_color, color3, sizeof scene->fog_color);
    memcpy(scene->fog_sun_color, sun_color3, sizeof scene->fog_sun_color);
    scene->fog_density = density;
    scene->fog_sun_share = sun_share;
    return THATCH_OK;
}

int32_t thatch_scene_set_background_color(ThatchScene handle, const float *color3)
{
    Scene *scene = pool_get(&scene_pool, handle, "scene_set_background_color");
    if (!scene) return THATCH_ERROR_STALE;
    CHECK_NOT_NULL(color3, "scene", "background color");
    CHECK_ALL_RANGE(color3, 3, 0.0f, FLT_MAX, "scene", "background color");
    memcpy(scene->background_color, color3, sizeof scene->background_color);
    scene->background_cube = 0;
    return THATCH_OK;
}

int32_t thatch_scene_set_background_cube(ThatchScene handle, ThatchTexture cube, float intensity)
{
    Scene *scene = pool_get(&scene_pool, handle, "scene_set_background_cube");
    if (!scene) return THATCH_ERROR_STALE;
    const Texture *texture = pool_get(&texture_pool, cube, "scene_set_background_cube");
    if (!texture) return THATCH_ERROR_STALE;
    CHECK_ARG(texture->faces == 6, "scene: background cube has %d face, need 6", texture->faces);
    CHECK_RANGE(intensity, 0.0f, FLT_MAX, "scene", "background intensity");
    scene->background_cube = cube;
    scene->background_intensity = intensity;
    return THATCH_OK;
}

int32_t thatch_scene_set_wind(ThatchScene handle, float dir_x, float dir_z, float strength)
{
    Scene *scene = pool_get(&scene_pool, handle, "scene_set_wind");
    if (!scene) return THATCH_ERROR_STALE;
    CHECK_RANGE(strength, 0.0f, 4.0f, "scene", "wind strength");
    float direction[3] = {dir_x, 0.0f, dir_z};
    CHECK_ARG(vector_normalize(direction) || (strength == 0.0f && dir_x == 0.0f && dir_z == 0.0f),
              "scene: wind direction is %g, %g, need a direction", (double)dir_x, (double)dir_z);
    if (dir_x != 0.0f || dir_z != 0.0f) scene->wind_x = direction[0], scene->wind_z = direction[2];
    scene->wind_strength = strength;
    return THATCH_OK;
}

int32_t thatch_scene_set_moving(ThatchScene handle, const ThatchNode *nodes, int32_t count)
{
    Scene *scene = pool_get(&scene_pool, handle, "scene_set_moving");
    if (!scene) return THATCH_ERROR_STALE;
    CHECK_INT_RANGE(count, 0, THATCH_MAX_OBJECTS, "scene", "moving count");
    CHECK_ARG(nodes || count == 0, "scene: moving nodes is null, need %d", count);
    for (int32_t i = 0; i < count; i++) {
        const Node *node = pool_get(&node_pool, nodes[i], "scene_set_moving");
        if (!node) return THATCH_ERROR_STALE;
        CHECK_ARG(node->scene == handle, "scene: moving node %d is %s of another scene, need one of this", i,
                  node->name);
    }
    // The same set again is the common case of a script that calls this each frame.
    if (count == scene->moving_count &&
        (count == 0 || memcmp(nodes, scene->moving_nodes, (size_t)count * sizeof *nodes) == 0)) {
        return THATCH_OK;
    }
    ThatchNode *copy = MEMORY_NEW(ThatchNode, count);
    if (!copy) return error_set(THATCH_ERROR_MEMORY, "scene: memory is short for %d moving nodes", count);
    if (count) memcpy(copy, nodes, (size_t)count * sizeof *copy);
    for (int32_t i = 0; i < scene->moving_count; i++) {
        Node *node = node_find(scene->moving_nodes[i]);
        if (node) node->moving_root = false, node_mark(scene, node);
    }
    for (int32_t i = 0; i < count; i++) {
        Node *node = node_find(copy[i]);
        node->moving_root = true;
        node_mark(scene, node);
    }
    memory_free(scene->moving_nodes);
    scene->moving_nodes = copy;
    scene->moving_count = count;
    return THATCH_OK;
}
