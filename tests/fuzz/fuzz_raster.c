// Any floats as triangles, maps' coordinates, matrices and camera: refused or drawn, never worse, and the same by each
// instruction set.
#include "thatch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

typedef struct Input {
    const uint8_t *at, *end;
} Input;

static uint32_t take(Input *in, size_t bytes)
{
    uint32_t v = 0;
    if ((size_t)(in->end - in->at) < bytes) return 0;
    memcpy(&v, in->at, bytes);
    in->at += bytes;
    return v;
}

// By a first byte: a small whole number, a place in view, or any bits.
static float take_float(Input *in)
{
    const uint32_t kind = take(in, 1);
    if (kind < 80) return (float)((int32_t)kind - 40) * 0.25f;
    if (kind < 200) return (float)(int16_t)take(in, 2) * (kind < 140 ? 1e-3f : 1.0f);
    const uint32_t bits = take(in, 4);
    float v;
    memcpy(&v, &bits, 4);
    return v;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    enum { MOST = 48 };
    static ThatchTexture texture;
    static ThatchFrame frame; // kept: its buffers are address space, slow to take
    static const uint8_t texels[4 * 4 * 4] = {255, 0, 0, 255, 0, 255, 0, 0};
    Input in = {bytes, bytes + count};
    if (!texture) {
        ThatchTextureDef map;
        thatch_texture_defaults(&map);
        map.texels = texels, map.width = map.height = 4;
        if (thatch_texture_create(&map, &texture) != THATCH_OK || thatch_frame_create(150, 90, 1.0, &frame) != THATCH_OK) abort();
    }
    const uint32_t flags = take(&in, 2);
    const int32_t width = (int32_t)(take(&in, 1) % 150) + 1, height = (int32_t)(take(&in, 1) % 90) + 1;
    float positions[3 * MOST], uvs[2 * MOST], matrix[16], view[16];
    uint32_t indices[3 * MOST];
    const int32_t vertices = (int32_t)(take(&in, 1) % MOST) + 1, triangles = (int32_t)(take(&in, 1) % MOST);
    for (int32_t i = 0; i < 16; i++) matrix[i] = i % 5 == 0 ? 1.0f : 0.0f;
    if (flags & 1)
        for (int32_t i = 0; i < 12; i++) matrix[i / 3 * 4 + i % 3] = take_float(&in);
    for (int32_t i = 0; i < 16; i++) view[i] = flags & 2 ? take_float(&in) : 0.0f;
    for (int32_t i = 0; i < 3 * vertices; i++) positions[i] = take_float(&in);
    for (int32_t i = 0; i < 2 * vertices; i++) uvs[i] = flags & 4 ? take_float(&in) : (float)(i % 3);
    for (int32_t i = 0; i < 3 * triangles; i++) indices[i] = take(&in, 1) % (uint32_t)vertices;

    ThatchScene scene;
    ThatchCamera camera;
    ThatchNode node = 0;
    ThatchGeometry geometry = 0;
    ThatchMaterial material = 0;
    ThatchMesh mesh;
    ThatchLight light;
    if (thatch_scene_create(&scene) || thatch_camera_create(&camera) || thatch_frame_resize(frame, width, height, 1.0)) abort();
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = positions, def.uvs = uvs, def.vertex_count = vertices, def.indices = indices, def.index_count = 3 * triangles;
    ThatchMaterialDef paint;
    thatch_material_defaults(&paint);
    paint.two_sided = flags & 8, paint.alpha_mode = (int32_t)(flags >> 4 & 3) % 3, paint.map = flags & 64 ? texture : 0;
    paint.kind = (int32_t)(flags >> 7 & 3), paint.opacity = 0.6f;
    ThatchMeshDef mesh_def;
    thatch_mesh_defaults(&mesh_def);
    ThatchLightDef sun;
    thatch_light_defaults(&sun);
    sun.kind = THATCH_LIGHT_DIRECTIONAL;
    ThatchShadowOptions shadow;
    ThatchGatherOptions gather;
    ThatchResolveOptions resolve;
    thatch_shadow_options_defaults(&shadow), thatch_gather_options_defaults(&gather), thatch_resolve_options_defaults(&resolve);
    shadow.size = 256, shadow.shadows = flags & 512 ? THATCH_SHADOWS_FULL : THATCH_SHADOWS_NONE;
    gather.trilinear = flags & 1024;
    const float eye[3] = {0, 0, 0};
    if (flags & 2) thatch_camera_set_matrix(camera, view, eye, 0.1f, 100.0f);
    else if (flags & 2048) thatch_camera_set_orthographic(camera, 8.0f, -5.0f, 5.0f);
    bool ready = thatch_geometry_create(&def, &geometry) == THATCH_OK && thatch_material_create(&paint, &material) == THATCH_OK &&
                 thatch_node_create(scene, 0, "it", &node) == THATCH_OK && thatch_node_set_matrix(node, matrix) == THATCH_OK;
    mesh_def.geometry = geometry, mesh_def.material = material, mesh_def.node = node;
    ready = ready && thatch_mesh_create(scene, &mesh_def, &mesh) == THATCH_OK && thatch_light_create(scene, &sun, &light) == THATCH_OK;
    uint8_t first[16], hash[16];
    bool drawn = false;
    for (int32_t isa = 0; isa < THATCH_ISA_COUNT && ready; isa++) {
        if (!thatch_isa_supported(isa)) continue;
        if (thatch_start(1, isa) != THATCH_OK) abort();
        thatch_frame_refresh_shadows(frame);
        const bool done = thatch_frame_begin(frame, 0, 0) == THATCH_OK && thatch_frame_shadow_maps(frame, scene, camera, &shadow) == THATCH_OK &&
                          thatch_frame_gather(frame, scene, camera, &gather) == THATCH_OK && thatch_frame_vertices(frame) == THATCH_OK &&
                          thatch_frame_setup(frame) == THATCH_OK && thatch_frame_bins(frame) == THATCH_OK &&
                          thatch_frame_raster(frame) == THATCH_OK && thatch_frame_resolve(frame, &resolve) == THATCH_OK &&
                          thatch_frame_blend(frame) == THATCH_OK && thatch_frame_smooth(frame) == THATCH_OK;
        if (!done) break;
        thatch_frame_hash(frame, drawn ? hash : first);
        if (drawn && memcmp(first, hash, 16) != 0) abort(); // another picture
        drawn = true;
    }
    thatch_camera_destroy(camera), thatch_scene_destroy(scene);
    thatch_geometry_destroy(geometry), thatch_material_destroy(material);
    return 0;
}
