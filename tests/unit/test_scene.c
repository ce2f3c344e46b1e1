// Scenes, nodes, meshes and lights: the tree, and how little an update touches.
#include "store/scene.h"
#include "store/geometry.h"
#include "test.h"

#include <math.h>

typedef struct Stage {
    ThatchScene scene;
    ThatchGeometry geometry;
    ThatchMaterial material;
} Stage;

static Stage new_stage(void)
{
    static const float positions[9] = {-1, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t indices[3] = {0, 1, 2};
    Stage stage;
    ThatchGeometryDef geometry;
    thatch_geometry_defaults(&geometry);
    geometry.positions = positions, geometry.vertex_count = 3, geometry.indices = indices, geometry.index_count = 3;
    ThatchMaterialDef material;
    thatch_material_defaults(&material);
    thatch_scene_create(&stage.scene);
    thatch_geometry_create(&geometry, &stage.geometry);
    thatch_material_create(&material, &stage.material);
    return stage;
}

static void end_stage(const Stage *stage)
{
    thatch_scene_destroy(stage->scene);
    thatch_geometry_destroy(stage->geometry);
    thatch_material_destroy(stage->material);
}

static ThatchNode new_node(const Stage *stage, ThatchNode parent)
{
    ThatchNode node;
    return thatch_node_create(stage->scene, parent, "node", &node) == THATCH_OK ? node : 0;
}

static ThatchMesh new_mesh(const Stage *stage, ThatchNode node)
{
    ThatchMeshDef def;
    thatch_mesh_defaults(&def);
    def.geometry = stage->geometry, def.material = stage->material, def.node = node;
    ThatchMesh mesh;
    return thatch_mesh_create(stage->scene, &def, &mesh) == THATCH_OK ? mesh : 0;
}

static int test_worlds_are_products_of_the_path(void)
{
    const Stage stage = new_stage();
    const ThatchNode top = new_node(&stage, 0), low = new_node(&stage, top);
    const float half = sqrtf(0.5f), turn[4] = {0, half, 0, half}, at[3] = {1, 2, 3}, ahead[3] = {0, 0, -1},
                twice[3] = {2, 2, 2};
    EXPECT(thatch_node_set_transform(top, at, turn, twice) == THATCH_OK);
    EXPECT(thatch_node_set_transform(low, ahead, NULL, NULL) == THATCH_OK);
    float world[16];
    EXPECT(thatch_node_world(low, world) == THATCH_OK);
    // A quarter turn about y takes -z to -x.
    EXPECT(fabsf(world[12] + 1.0f) < 1e-6f && fabsf(world[13] - 2.0f) < 1e-6f && fabsf(world[14] - 3.0f) < 1e-6f);
    // As a matrix, and then part by part: the rest is kept.
    float local[16];
    memcpy(local, node_find(top)->local, sizeof local);
    EXPECT(thatch_node_set_matrix(top, local) == THATCH_OK);
    const float elsewhere[3] = {5, 5, 5};
    EXPECT(thatch_node_set_transform(top, elsewhere, NULL, NULL) == THATCH_OK);
    for (int i = 0; i < 12; i++) EXPECT(fabsf(node_find(top)->local[i] - local[i]) < 1e-5f);
    EXPECT(node_find(top)->local[12] == 5.0f);
    end_stage(&stage);
    return 0;
}

static int test_decomposing_a_mirrored_turn_composes_again(void)
{
    const Stage stage = new_stage();
    const ThatchNode node = new_node(&stage, 0);
    for (uint32_t i = 0; i < 500; i++) {
        float q[4], length = 0.0f;
        for (uint32_t k = 0; k < 4; k++) q[k] = thatch_random(7, i, k) - 0.5f, length += q[k] * q[k];
        for (int k = 0; k < 4; k++) q[k] /= sqrtf(length);
        const float at[3] = {1, 2, 3}, scale[3] = {i % 2 ? -0.5f : 2.0f, 1.5f, 3.0f};
        EXPECT(thatch_node_set_transform(node, at, q, scale) == THATCH_OK);
        float local[16];
        memcpy(local, node_find(node)->local, sizeof local);
        EXPECT(thatch_node_set_matrix(node, local) == THATCH_OK);
        EXPECT(thatch_node_set_transform(node, at, NULL, NULL) == THATCH_OK);
        for (int k = 0; k < 16; k++) EXPECT(fabsf(node_find(node)->local[k] - local[k]) < 1e-5f);
    }
    end_stage(&stage);
    return 0;
}

static int test_an_update_touches_only_what_changed(void)
{
    enum { TREES = 100, BRANCHES = 20 };
    const Stage stage = new_stage();
    Scene *scene = scene_find(stage.scene);
    static ThatchNode trees[TREES], branches[TREES][BRANCHES];
    static ThatchMesh meshes[TREES][BRANCHES];
    for (int t = 0; t < TREES; t++) {
        trees[t] = new_node(&stage, 0);
        for (int b = 0; b < BRANCHES; b++) {
            branches[t][b] = new_node(&stage, trees[t]);
            meshes[t][b] = new_mesh(&stage, branches[t][b]);
            EXPECT(meshes[t][b]);
        }
    }
    scene_update(scene);
    EXPECT(!scene->any_dirty && scene->dirty_node_count == 0 && scene->dirty_mesh_count == 0);
    for (int t = 0; t < TREES; t++) EXPECT(node_find(trees[t])->world_version == 1);
    const float up[3] = {0, 10, 0};
    EXPECT(thatch_node_set_transform(trees[7], up, NULL, NULL) == THATCH_OK);
    EXPECT(thatch_node_set_transform(branches[9][3], up, NULL, NULL) == THATCH_OK);
    EXPECT(thatch_node_set_transform(trees[8], (float[3]){0, 0, 0}, NULL, NULL) == THATCH_OK); // as it was
    scene_update(scene);
    for (int t = 0; t < TREES; t++) {
        EXPECT(node_find(trees[t])->world_version == (t == 7 ? 2u : 1u));
        for (int b = 0; b < BRANCHES; b++) {
            const int moved = t == 7 || (t == 9 && b == 3);
            EXPECT(node_find(branches[t][b])->world_version == (moved ? 2u : 1u));
            const Mesh *mesh = mesh_find(meshes[t][b]);
            EXPECT(mesh->seen_world == (moved ? 2u : 1u) && fabsf(mesh->center_ws[1] - (moved ? 10.5f : 0.5f)) < 1e-6f);
        }
    }
    // A child marked before its parent, both in the list.
    EXPECT(thatch_node_set_transform(branches[1][0], up, NULL, NULL) == THATCH_OK);
    EXPECT(thatch_node_set_transform(trees[1], up, NULL, NULL) == THATCH_OK);
    scene_update(scene);
    EXPECT(node_find(branches[1][0])->world[13] == 20.0f && node_find(branches[1][0])->world_version == 2);
    end_stage(&stage);
    return 0;
}

static int test_a_tree_may_be_deep(void)
{
    const Stage stage = new_stage();
    ThatchNode node = 0, top = 0;
    for (int i = 0; i < 60000; i++) {
        node = new_node(&stage, node);
        EXPECT(node);
        if (i == 0) top = node;
    }
    const float right[3] = {1, 0, 0};
    float world[16];
    EXPECT(thatch_node_set_transform(top, right, NULL, NULL) == THATCH_OK);
    EXPECT(thatch_node_world(node, world) == THATCH_OK && world[12] == 1.0f);
    EXPECT_REFUSED(thatch_node_set_parent(top, node), THATCH_ERROR_ARGUMENT, "need one that is not below");
    thatch_node_destroy(top);
    EXPECT(!thatch_node_is_valid(node) && scene_find(stage.scene)->node_count == 0);
    end_stage(&stage);
    return 0;
}

static int test_hiding_and_moving_reach_children(void)
{
    const Stage stage = new_stage();
    Scene *scene = scene_find(stage.scene);
    const ThatchNode top = new_node(&stage, 0), low = new_node(&stage, top), other = new_node(&stage, 0);
    EXPECT(new_mesh(&stage, low));
    scene_update(scene);
    EXPECT(thatch_node_set_visible(top, false) == THATCH_OK);
    scene_update(scene);
    EXPECT(!node_find(low)->shown && node_find(other)->shown);
    EXPECT(thatch_scene_set_moving(stage.scene, &top, 1) == THATCH_OK);
    scene_update(scene);
    EXPECT(node_find(low)->moving && !node_find(other)->moving);
    EXPECT(thatch_scene_set_moving(stage.scene, &other, 1) == THATCH_OK);
    EXPECT(thatch_node_set_parent(low, other) == THATCH_OK);
    scene_update(scene);
    EXPECT(!node_find(top)->moving && node_find(low)->moving && node_find(low)->shown);
    thatch_node_destroy(other);
    EXPECT(!thatch_node_is_valid(low) && scene->mesh_holes == 1);
    EXPECT(thatch_scene_set_moving(stage.scene, NULL, 0) == THATCH_OK);
    scene_update(scene);
    EXPECT(scene->mesh_count == 0);
    EXPECT_REFUSED(thatch_scene_set_moving(stage.scene, &low, 1), THATCH_ERROR_STALE, "node is stale");
    end_stage(&stage);
    return 0;
}

static int test_still_version_follows_still_casters_only(void)
{
    const Stage stage = new_stage();
    Scene *scene = scene_find(stage.scene);
    const ThatchNode still = new_node(&stage, 0), moving = new_node(&stage, 0);
    EXPECT(thatch_scene_set_moving(stage.scene, &moving, 1) == THATCH_OK);
    scene_update(scene);
    const ThatchMesh house = new_mesh(&stage, still);
    uint32_t version = scene->still_version;
    EXPECT(version > 0);
    scene_update(scene);
    const ThatchMesh cow = new_mesh(&stage, moving);
    const float at[3] = {1, 0, 0};
    EXPECT(thatch_node_set_transform(moving, at, NULL, NULL) == THATCH_OK);
    scene_update(scene);
    EXPECT(thatch_mesh_set_visible(cow, false) == THATCH_OK && scene->still_version == version);
#define GOES_UP(call)                                                                                                  \
    do {                                                                                                               \
        EXPECT((call) == THATCH_OK);                                                                                   \
        scene_update(scene);                                                                                           \
        EXPECT(scene->still_version > version);                                                                        \
        version = scene->still_version;                                                                                \
    } while (0)
    GOES_UP(thatch_node_set_transform(still, at, NULL, NULL));
    GOES_UP(thatch_mesh_set_visible(house, false));
    GOES_UP(thatch_mesh_set_layers(house, 2));
    GOES_UP(thatch_node_set_visible(still, false));
    GOES_UP(thatch_scene_set_moving(stage.scene, &still, 1));
    GOES_UP(thatch_scene_set_moving(stage.scene, NULL, 0));
#undef GOES_UP
    thatch_mesh_destroy(house);
    EXPECT(scene->still_version > version);
    end_stage(&stage);
    return 0;
}

static int test_a_replaced_geometry_moves_its_meshes_bounds(void)
{
    const Stage stage = new_stage();
    Scene *scene = scene_find(stage.scene);
    const ThatchMesh mesh = new_mesh(&stage, new_node(&stage, 0)), other = new_mesh(&stage, new_node(&stage, 0));
    scene_update(scene);
    const float positions[9] = {-1, 4, 0, 1, 4, 0, 0, 5, 0};
    const uint32_t indices[3] = {0, 1, 2};
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = positions, def.vertex_count = 3, def.indices = indices, def.index_count = 3;
    thatch_mesh_destroy(other);
    EXPECT(thatch_geometry_replace(stage.geometry, &def) == THATCH_OK && scene->dirty_mesh_count == 1);
    scene_update(scene);
    EXPECT(mesh_find(mesh)->center_ws[1] == 4.5f && mesh_find(mesh)->seen_geometry == 2);
    thatch_geometry_destroy(stage.geometry);
    scene_update(scene);
    EXPECT(thatch_mesh_is_valid(mesh));
    ThatchGeometry fresh;
    EXPECT(thatch_geometry_create(&def, &fresh) == THATCH_OK && thatch_mesh_set_geometry(mesh, fresh) == THATCH_OK);
    EXPECT_REFUSED(thatch_mesh_set_geometry(mesh, stage.geometry), THATCH_ERROR_STALE, "geometry is stale");
    thatch_mesh_destroy(mesh);
    EXPECT(geometry_find(fresh)->first_mesh == 0);
    thatch_geometry_destroy(fresh);
    end_stage(&stage);
    return 0;
}

static int test_meshes_keep_their_order_through_removal(void)
{
    const Stage stage = new_stage();
    Scene *scene = scene_find(stage.scene);
    const ThatchNode node = new_node(&stage, 0);
    ThatchMesh meshes[200];
    for (int i = 0; i < 200; i++) meshes[i] = new_mesh(&stage, node);
    for (int i = 0; i < 200; i += 3) thatch_mesh_destroy(meshes[i]);
    for (int round = 0; round < 1000; round++) thatch_mesh_destroy(new_mesh(&stage, node));
    EXPECT(scene->mesh_capacity <= 256);
    scene_update(scene);
    int kept = 0;
    for (int i = 0; i < 200; i++) {
        if (i % 3 == 0) continue;
        EXPECT(scene->meshes[kept]->handle == meshes[i] && scene->meshes[kept]->scene_slot == kept);
        kept++;
    }
    EXPECT(scene->mesh_count == kept);
    end_stage(&stage);
    return 0;
}

static int test_normals_matrix_and_bounds(void)
{
    const Stage stage = new_stage();
    Scene *scene = scene_find(stage.scene);
    const ThatchNode node = new_node(&stage, 0);
    const ThatchMesh mesh = new_mesh(&stage, node);
    const float three[3] = {3, 3, 3}, mirrored[3] = {-1, 1, 1}, uneven[3] = {1, 2, 4}, flat[3] = {1, 0, 1};
    EXPECT(thatch_node_set_transform(node, NULL, NULL, three) == THATCH_OK);
    scene_update(scene);
    const Mesh *m = mesh_find(mesh);
    EXPECT(!m->normals_need_unit && !m->mirrored && fabsf(m->normal_matrix[4] - 1.0f) < 1e-6f && m->scale_ws == 3.0f);
    EXPECT(m->radius_ws >= 3.0f * geometry_find(stage.geometry)->radius);
    EXPECT(thatch_node_set_transform(node, NULL, NULL, mirrored) == THATCH_OK);
    scene_update(scene);
    EXPECT(m->mirrored && !m->normals_need_unit && m->normal_matrix[0] == -1.0f && m->normal_matrix[8] == 1.0f);
    EXPECT(thatch_node_set_transform(node, NULL, NULL, uneven) == THATCH_OK);
    scene_update(scene);
    EXPECT(m->normals_need_unit && m->normal_matrix[0] == 1.0f && m->normal_matrix[4] == 0.5f &&
           m->normal_matrix[8] == 0.25f);
    EXPECT(thatch_node_set_transform(node, NULL, NULL, flat) == THATCH_OK);
    scene_update(scene);
    EXPECT(isfinite(m->normal_matrix[4]) && m->normals_need_unit);
    const float huge[3] = {1e30f, 1e30f, 1e30f};
    const ThatchNode low = new_node(&stage, node);
    EXPECT(thatch_node_set_transform(node, NULL, NULL, huge) == THATCH_OK &&
           thatch_node_set_transform(low, NULL, NULL, huge) == THATCH_OK);
    scene_update(scene);
    EXPECT(!node_find(low)->shown && isfinite(m->radius_ws) && isfinite(m->center_ws[1]));
    end_stage(&stage);
    return 0;
}

static int test_skinned_bounds_follow_the_joints(void)
{
    const Stage stage = new_stage();
    Scene *scene = scene_find(stage.scene);
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const uint32_t indices[3] = {0, 1, 2};
    const uint8_t joints[12] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = positions, def.vertex_count = 3, def.indices = indices, def.index_count = 3;
    def.joints = joints, def.weights = weights, def.joint_count = 2;
    ThatchGeometry skin;
    EXPECT(thatch_geometry_create(&def, &skin) == THATCH_OK);
    const ThatchMesh mesh = new_mesh(&stage, new_node(&stage, 0));
    EXPECT(thatch_mesh_set_geometry(mesh, skin) == THATCH_OK);
    scene_update(scene);
    const Mesh *m = mesh_find(mesh);
    EXPECT(m->joint_count == 2 && m->joints[0] == 1.0f && m->joints[12 + 5] == 1.0f && m->radius_ws < 1.5f);
    float matrices[32] = {0};
    for (int j = 0; j < 2; j++)
        matrices[16 * j] = matrices[16 * j + 5] = matrices[16 * j + 10] = matrices[16 * j + 15] = 1.0f;
    matrices[16 + 12] = 10.0f; // the second joint goes right
    EXPECT(thatch_mesh_set_joints(mesh, matrices, 2) == THATCH_OK);
    scene_update(scene);
    EXPECT(m->joints[12 + 3] == 10.0f);
    const float to_far = m->center_ws[0] + m->radius_ws, to_near = m->center_ws[0] - m->radius_ws;
    EXPECT(to_far >= 11.0f && to_near <= 0.0f && m->radius_ws < 7.0f);
    EXPECT_REFUSED(thatch_mesh_set_joints(mesh, matrices, 1), THATCH_ERROR_ARGUMENT, "joint_count is 1, need 2");
    matrices[3] = NAN;
    EXPECT_REFUSED(thatch_mesh_set_joints(mesh, matrices, 2), THATCH_ERROR_ARGUMENT, "joints[3] is");
    thatch_geometry_destroy(skin);
    end_stage(&stage);
    return 0;
}

static int test_scene_refusals_name_the_field(void)
{
    const Stage stage = new_stage();
    ThatchScene other;
    EXPECT(thatch_scene_create(&other) == THATCH_OK);
    const ThatchNode node = new_node(&stage, 0);
    ThatchNode stranger, out;
    EXPECT(thatch_node_create(other, 0, NULL, &stranger) == THATCH_OK);
    const float bad[16] = {NAN}, twice[4] = {0, 0, 0, 2}, color[3] = {-1, 0, 0}, white[3] = {1, 1, 1};
    float projective[16] = {1, 0, 0, 0.5f, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    EXPECT_REFUSED(thatch_node_create(0, 0, "x", &out), THATCH_ERROR_STALE, "scene is 0, need a scene");
    EXPECT_REFUSED(thatch_node_create(stage.scene, stage.scene, "x", &out), THATCH_ERROR_STALE,
                   "node is a scene, need a node");
    EXPECT_REFUSED(thatch_node_create(stage.scene, stranger, "x", &out), THATCH_ERROR_ARGUMENT, "of another scene");
    EXPECT_REFUSED(thatch_node_set_parent(node, stranger), THATCH_ERROR_ARGUMENT, "of another scene");
    EXPECT_REFUSED(thatch_node_set_parent(node, node), THATCH_ERROR_ARGUMENT, "itself, need another");
    EXPECT_REFUSED(thatch_node_set_transform(node, bad, NULL, NULL), THATCH_ERROR_ARGUMENT, "position[0] is");
    EXPECT_REFUSED(thatch_node_set_transform(node, NULL, twice, NULL), THATCH_ERROR_ARGUMENT,
                   "rotation has the length 2, need 1");
    EXPECT_REFUSED(thatch_node_set_matrix(node, projective), THATCH_ERROR_ARGUMENT, "matrix[3] is 0.5, need 0");
    const ThatchNode pair[2] = {node, 0};
    float two[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 9, 0, 0, 1};
    EXPECT_REFUSED(thatch_nodes_set_matrices(pair, two, 2), THATCH_ERROR_STALE, "node is 0");
    EXPECT(node_find(node)->local[12] == 0.0f);
    EXPECT_REFUSED(thatch_scene_set_moving(stage.scene, &stranger, 1), THATCH_ERROR_ARGUMENT, "of another scene");
    EXPECT_REFUSED(thatch_scene_set_fog(stage.scene, color, 0.1f, NULL, 0), THATCH_ERROR_ARGUMENT,
                   "fog color[0] is -1");
    EXPECT_REFUSED(thatch_scene_set_fog(stage.scene, white, 0.1f, NULL, 2), THATCH_ERROR_ARGUMENT, "sun_share is 2");
    EXPECT_REFUSED(thatch_scene_set_wind(stage.scene, 0, 0, 1), THATCH_ERROR_ARGUMENT, "wind direction is 0, 0");
    EXPECT_REFUSED(thatch_scene_set_wind(stage.scene, 1, 0, 5), THATCH_ERROR_ARGUMENT,
                   "wind strength is 5, need 0 .. 4");
    EXPECT_REFUSED(thatch_scene_set_background_cube(stage.scene, 0, 1), THATCH_ERROR_STALE, "texture is 0");
    ThatchMeshDef mesh;
    ThatchMesh made;
    thatch_mesh_defaults(&mesh);
    mesh.geometry = stage.geometry, mesh.material = stage.material, mesh.node = stranger;
    EXPECT_REFUSED(thatch_mesh_create(stage.scene, &mesh, &made), THATCH_ERROR_ARGUMENT, "of another scene");
    mesh.node = node, mesh.tint[2] = 5.0f;
    EXPECT_REFUSED(thatch_mesh_create(stage.scene, &mesh, &made), THATCH_ERROR_ARGUMENT, "tint[2] is 5, need 0 .. 4");
    mesh.tint[2] = 1.0f, mesh.draw_distance_m = 0.0f;
    EXPECT_REFUSED(thatch_mesh_create(stage.scene, &mesh, &made), THATCH_ERROR_ARGUMENT, "draw_distance_m is 0");
    mesh.draw_distance_m = 1.0f, mesh.item_grow_max = 0.5f;
    EXPECT_REFUSED(thatch_mesh_create(stage.scene, &mesh, &made), THATCH_ERROR_ARGUMENT,
                   "item_grow_max is 0.5, need 1 .. 8");
    mesh.item_grow_max = 1.0f, mesh.material = 0;
    EXPECT_REFUSED(thatch_mesh_create(stage.scene, &mesh, &made), THATCH_ERROR_STALE, "material is 0");
    thatch_scene_destroy(other);
    EXPECT(!thatch_node_is_valid(stranger));
    end_stage(&stage);
    return 0;
}

static int test_lights_are_checked_and_kept_in_order(void)
{
    const Stage stage = new_stage();
    ThatchLightDef def;
    thatch_light_defaults(&def);
    ThatchLight lights[3];
    char name[] = "sun";
    def.name = name, def.kind = THATCH_LIGHT_DIRECTIONAL, def.direction[0] = 0.0f, def.direction[1] = 5.0f;
    for (int i = 0; i < 3; i++) EXPECT(thatch_light_create(stage.scene, &def, &lights[i]) == THATCH_OK);
    thatch_light_destroy(lights[1]);
    const Scene *scene = scene_find(stage.scene);
    EXPECT(scene->light_count == 2 && scene->lights[1]->handle == lights[2] &&
           scene->lights[1]->def.direction[1] == 1.0f);
    EXPECT(strcmp(scene->lights[0]->def.name, "sun") == 0);
    def.direction[1] = 0.0f;
    EXPECT_REFUSED(thatch_light_set(lights[0], &def), THATCH_ERROR_ARGUMENT, "direction is 0, 0, 0, need a length");
    def.kind = 5;
    EXPECT_REFUSED(thatch_light_set(lights[0], &def), THATCH_ERROR_ARGUMENT, "kind is 5, need 0 .. 4");
    def.kind = THATCH_LIGHT_POINT, def.distance_m = 0.0f;
    EXPECT_REFUSED(thatch_light_set(lights[0], &def), THATCH_ERROR_ARGUMENT, "distance_m is 0");
    def.distance_m = 1.0f, def.intensity = -1.0f;
    EXPECT_REFUSED(thatch_light_set(lights[0], &def), THATCH_ERROR_ARGUMENT, "intensity is -1");
    EXPECT_REFUSED(thatch_light_set(lights[1], &def), THATCH_ERROR_STALE, "light is stale");
    end_stage(&stage);
    EXPECT(!thatch_light_is_valid(lights[0]));
    return 0;
}

static int build_small_scene(ThatchScene *scene, const Stage *stage)
{
    *scene = 0;
    if (thatch_scene_create(scene) != THATCH_OK) return 1;
    for (int i = 0; i < 70; i++) { // past the lists' first capacity
        ThatchNode node;
        ThatchMesh mesh;
        ThatchLight light;
        if (thatch_node_create(*scene, 0, "n", &node) != THATCH_OK) return 1;
        ThatchMeshDef def;
        thatch_mesh_defaults(&def);
        def.geometry = stage->geometry, def.material = stage->material, def.node = node;
        if (thatch_mesh_create(*scene, &def, &mesh) != THATCH_OK) return 1;
        ThatchLightDef light_def;
        thatch_light_defaults(&light_def);
        if (thatch_light_create(*scene, &light_def, &light) != THATCH_OK) return 1;
        if (thatch_scene_set_moving(*scene, &node, 1) != THATCH_OK) return 1;
        scene_update(scene_find(*scene));
    }
    return 0;
}

static int test_short_memory_leaves_no_leak(void)
{
    const Stage stage = new_stage();
    ThatchScene scene;
    EXPECT(build_small_scene(&scene, &stage) == 0); // the pools' chunks are had from here on
    thatch_scene_destroy(scene);
    const double held = thatch_memory_bytes();
    int nth = 1, failed = 1;
    for (; failed; nth++) {
        thatch_fail_allocation(nth);
        failed = build_small_scene(&scene, &stage);
        thatch_fail_allocation(0);
        if (failed) EXPECT(strstr(thatch_last_error(), "memory is short"));
        thatch_scene_destroy(scene);
        EXPECT(thatch_memory_bytes() == held);
    }
    EXPECT(nth > 50);
    end_stage(&stage);
    return 0;
}

const Test scene_tests[] = {
    TEST(worlds_are_products_of_the_path),
    TEST(decomposing_a_mirrored_turn_composes_again),
    TEST(an_update_touches_only_what_changed),
    TEST(a_tree_may_be_deep),
    TEST(hiding_and_moving_reach_children),
    TEST(still_version_follows_still_casters_only),
    TEST(a_replaced_geometry_moves_its_meshes_bounds),
    TEST(meshes_keep_their_order_through_removal),
    TEST(normals_matrix_and_bounds),
    TEST(skinned_bounds_follow_the_joints),
    TEST(scene_refusals_name_the_field),
    TEST(lights_are_checked_and_kept_in_order),
    TEST(short_memory_leaves_no_leak),
    TESTS_END,
};
