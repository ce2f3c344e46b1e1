// Nodes: the tree, and each node's place in its parent.
#include "base/check.h"
#include "base/memory.h"
#include "store/affine.h"
#include "store/scene.h"

#include <stdio.h>

Pool node_pool = {.noun = "node", .kind = KIND_NODE, .item_size = sizeof(Node)};

Node *node_find(ThatchNode handle)
{
    return pool_find(&node_pool, handle);
}

void node_mark(Scene *scene, Node *node)
{
    node->dirty = true;
    scene->any_dirty = true;
    if (node->dirty_place) return;
    ASSERT(scene->dirty_node_count < scene->dirty_node_capacity);
    scene->dirty_nodes[scene->dirty_node_count++] = node;
    node->dirty_place = scene->dirty_node_count;
}

static void unmark(Scene *scene, Node *node)
{
    if (!node->dirty_place) return;
    Node *last = scene->dirty_nodes[--scene->dirty_node_count];
    scene->dirty_nodes[node->dirty_place - 1] = last;
    last->dirty_place = node->dirty_place;
    node->dirty_place = 0;
}

// --- the tree ---

static bool room_for_root(Scene *scene)
{
    ThatchNode *roots = memory_room(scene->roots, &scene->root_capacity, scene->root_count + 1, sizeof *roots);
    if (roots) scene->roots = roots;
    return roots;
}

static bool room_to_mark(Scene *scene)
{
    Node **nodes = memory_room(scene->dirty_nodes, &scene->dirty_node_capacity, scene->node_count + 1, sizeof *nodes);
    if (nodes) scene->dirty_nodes = nodes;
    return nodes;
}

static void link_to(Scene *scene, Node *node, Node *parent)
{
    if (!parent) {
        scene->roots[scene->root_count++] = node->handle;
        return;
    }
    node->parent = parent->handle;
    node->next_sibling = parent->first_child;
    Node *next = node_find(node->next_sibling);
    if (next) next->previous_sibling = node->handle;
    parent->first_child = node->handle;
}

static void unlink_node(Scene *scene, Node *node)
{
    if (!node->parent) {
        int32_t i = 0;
        while (scene->roots[i] != node->handle) i++;
        scene->root_count--;
        memmove(scene->roots + i, scene->roots + i + 1, (size_t)(scene->root_count - i) * sizeof *scene->roots);
        return;
    }
    Node *previous = node_find(node->previous_sibling), *next = node_find(node->next_sibling);
    if (previous)
        previous->next_sibling = node->next_sibling;
    else
        node_find(node->parent)->first_child = node->next_sibling;
    if (next) next->previous_sibling = node->previous_sibling;
    node->parent = node->next_sibling = node->previous_sibling = 0;
}

static void remove_one(Scene *scene, Node *node)
{
    Mesh *mesh;
    while ((mesh = mesh_find(node->first_mesh))) mesh_remove(scene, mesh);
    unmark(scene, node);
    scene->node_count--;
    pool_remove(&node_pool, node->handle);
}

// Leaves first, by links. The top is unlinked already.
static void remove_subtree(Scene *scene, Node *top)
{
    Node *node = top;
    for (;;) {
        while (node->first_child) node = node_find(node->first_child);
        if (node == top) break;
        Node *parent = node_find(node->parent); // of whom it is the first child
        parent->first_child = node->next_sibling;
        remove_one(scene, node);
        node = parent;
    }
    remove_one(scene, top);
}

void node_remove_all(Scene *scene)
{
    for (int32_t i = 0; i < scene->root_count; i++) remove_subtree(scene, node_find(scene->roots[i]));
    scene->root_count = 0;
}

// --- public ---

int32_t thatch_node_create(ThatchScene scene_handle, ThatchNode parent_handle, const char *name, ThatchNode *out)
{
    CHECK_NOT_NULL(out, "node", "out");
    *out = 0;
    Scene *scene = pool_get(&scene_pool, scene_handle, "node_create");
    if (!scene) return THATCH_ERROR_STALE;
    Node *parent = NULL;
    if (parent_handle) {
        parent = pool_get(&node_pool, parent_handle, "node_create: parent");
        if (!parent) return THATCH_ERROR_STALE;
        CHECK_ARG(parent->scene == scene_handle, "node: parent is %s of another scene, need one of this", parent->name);
    }
    if (!room_for_root(scene) || !room_to_mark(scene)) {
        return error_set(THATCH_ERROR_MEMORY, "node: memory is short for %d nodes", scene->node_count + 1);
    }
    Node *node = pool_add(&node_pool, out);
    if (!node) return error_last_code();
    node->handle = *out;
    node->scene = scene_handle;
    affine_identity(node->local);
    affine_identity(node->world);
    node->rotation[3] = 1.0f;
    for (int k = 0; k < 3; k++) node->scale[k] = 1.0f;
    node->visible = node->shown = true;
    snprintf(node->name, sizeof node->name, "%s", name ? name : "");
    scene->node_count++;
    link_to(scene, node, parent);
    node_mark(scene, node);
    return THATCH_OK;
}

void thatch_node_destroy(ThatchNode handle)
{
    Node *node = node_find(handle);
    if (!node) return;
    Scene *scene = scene_find(node->scene);
    unlink_node(scene, node);
    remove_subtree(scene, node);
}

bool thatch_node_is_valid(ThatchNode handle)
{
    return node_find(handle) != NULL;
}

int32_t thatch_node_set_transform(ThatchNode handle, const float *position3, const float *rotation4,
                                  const float *scale3)
{
    Node *node = pool_get(&node_pool, handle, "node_set_transform");
    if (!node) return THATCH_ERROR_STALE;
    if (position3) CHECK_FINITE(position3, 3, "node", "position");
    if (scale3) CHECK_FINITE(scale3, 3, "node", "scale");
    double length = 1.0;
    if (rotation4) {
        double square = 0.0;
        for (int i = 0; i < 4; i++) square += (double)rotation4[i] * rotation4[i];
        length = sqrt(square);
        CHECK_ARG(length > 0.999 && length < 1.001, "node: rotation has the length %g, need 1", length);
    }
    if (node->from_matrix) affine_decompose(node->local, node->position, node->rotation, node->scale);
    node->from_matrix = false;
    if (position3) memcpy(node->position, position3, sizeof node->position);
    if (scale3) memcpy(node->scale, scale3, sizeof node->scale);
    for (int i = 0; i < 4 && rotation4; i++) node->rotation[i] = (float)(rotation4[i] / length);
    affine_compose(node->position, node->rotation, node->scale, node->local);
    node_mark(scene_find(node->scene), node);
    return THATCH_OK;
}

static int32_t check_matrix(const float *m)
{
    CHECK_FINITE(m, 16, "node", "matrix");
    for (int i = 3; i < 16; i += 4) {
        const float need = i == 15 ? 1.0f : 0.0f;
        CHECK_ARG(fabsf(m[i] - need) <= 1e-5f, "node: matrix[%d] is %g, need %g: affine", i, (double)m[i],
                  (double)need);
    }
    return THATCH_OK;
}

static void set_matrix(Node *node, const float *local16)
{
    memcpy(node->local, local16, sizeof node->local);
    node->local[3] = node->local[7] = node->local[11] = 0.0f;
    node->local[15] = 1.0f;
    node->from_matrix = true;
    node_mark(scene_find(node->scene), node);
}

int32_t thatch_node_set_matrix(ThatchNode handle, const float *local16)
{
    return thatch_nodes_set_matrices(&handle, local16, 1);
}

int32_t thatch_nodes_set_matrices(const ThatchNode *nodes, const float *local16, int32_t count)
{
    CHECK_ARG(count >= 0, "nodes_set_matrices: count is %d, need 0 or more", count);
    CHECK_ARG((nodes && local16) || count == 0, "nodes_set_matrices: %s is null, need %d", nodes ? "local16" : "nodes",
              count);
    for (int32_t i = 0; i < count; i++) {
        if (!pool_get(&node_pool, nodes[i], "node_set_matrix")) return THATCH_ERROR_STALE;
        TRY(check_matrix(local16 + 16 * (int64_t)i));
    }
    for (int32_t i = 0; i < count; i++) set_matrix(node_find(nodes[i]), local16 + 16 * (int64_t)i);
    return THATCH_OK;
}

int32_t thatch_node_set_visible(ThatchNode handle, bool visible)
{
    Node *node = pool_get(&node_pool, handle, "node_set_visible");
    if (!node) return THATCH_ERROR_STALE;
    if (node->visible == visible) return THATCH_OK;
    node->visible = visible;
    node_mark(scene_find(node->scene), node);
    return THATCH_OK;
}

static const char *name_of(const Node *node)
{
    return node->name;
}

int32_t thatch_node_set_parent(ThatchNode handle, ThatchNode parent_handle)
{
    Node *node = pool_get(&node_pool, handle, "node_set_parent");
    if (!node) return THATCH_ERROR_STALE;
    Node *parent = NULL;
    if (parent_handle) {
        parent = pool_get(&node_pool, parent_handle, "node_set_parent: parent");
        if (!parent) return THATCH_ERROR_STALE;
        CHECK_ARG(parent->scene == node->scene, "node: parent of '%s' is '%s' of another scene, need one of its own",
                  name_of(node), name_of(parent));
        CHECK_ARG(parent != node, "node: parent of '%s' is '%s' itself, need another", name_of(node), name_of(node));
        for (const Node *up = parent; up; up = node_find(up->parent)) {
            CHECK_ARG(up != node, "node: parent of '%s' is '%s', need one that is not below it", name_of(node),
                      name_of(parent));
        }
    }
    if (node->parent == parent_handle) return THATCH_OK;
    Scene *scene = scene_find(node->scene);
    if (!room_for_root(scene)) return error_set(THATCH_ERROR_MEMORY, "node: memory is short");
    unlink_node(scene, node);
    link_to(scene, node, parent);
    node_mark(scene, node);
    return THATCH_OK;
}

int32_t thatch_node_world(ThatchNode handle, float *world16)
{
    CHECK_NOT_NULL(world16, "node_world", "world16");
    Node *node = pool_get(&node_pool, handle, "node_world");
    if (!node) return THATCH_ERROR_STALE;
    scene_update(scene_find(node->scene));
    memcpy(world16, node->world, sizeof node->world);
    return THATCH_OK;
}
