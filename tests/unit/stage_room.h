// A small scene and the frame that shows it, through the public API, for tests of the raster core and the stages.
#pragma once
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM_MESHES = 64 };

typedef struct Room {
    ThatchScene scene;
    ThatchCamera camera;
    ThatchFrame frame;
    ThatchGeometry geometries[ROOM_MESHES];
    ThatchMaterial materials[ROOM_MESHES];
    ThatchNode nodes[ROOM_MESHES];
    ThatchMesh meshes[ROOM_MESHES];
    int32_t count, width, height;
    ThatchGatherOptions gather;
    ThatchResolveOptions resolve; // plain: bytes are 255 * light, rounded
    ThatchShadowOptions shadow;   // none
    bool blend, sky;
} Room;

static inline bool room_open(Room *room, int32_t width, int32_t height)
{
    memset(room, 0, sizeof *room);
    room->width = width, room->height = height;
    thatch_gather_options_defaults(&room->gather);
    thatch_resolve_options_defaults(&room->resolve);
    thatch_shadow_options_defaults(&room->shadow);
    room->gather.min_px = 0.0f;
    room->resolve.tone = THATCH_TONE_NONE, room->resolve.srgb = false;
    room->shadow.shadows = THATCH_SHADOWS_NONE;
    const float eye[3] = {0, 0, 0}, target[3] = {0, 0, -1}, up[3] = {0, 1, 0};
    return thatch_scene_create(&room->scene) == THATCH_OK && thatch_camera_create(&room->camera) == THATCH_OK &&
           thatch_frame_create(width, height, 1.0, &room->frame) == THATCH_OK &&
           thatch_camera_set_perspective(room->camera, 1.0f, 0.1f, 1000.0f) == THATCH_OK &&
           thatch_camera_look(room->camera, eye, target, up) == THATCH_OK;
}

static inline void room_close(Room *room)
{
    thatch_frame_destroy(room->frame);
    thatch_camera_destroy(room->camera);
    thatch_scene_destroy(room->scene);
    for (int32_t i = 0; i < room->count; i++) {
        thatch_geometry_destroy(room->geometries[i]);
        thatch_material_destroy(room->materials[i]);
    }
}

static inline bool room_look(Room *room, float ex, float ey, float ez, float tx, float ty, float tz)
{
    const float eye[3] = {ex, ey, ez}, target[3] = {tx, ty, tz}, up[3] = {0, 1, 0};
    return thatch_camera_look(room->camera, eye, target, up) == THATCH_OK;
}

// Adds a mesh; its number, or -1.
static inline int32_t room_add(Room *room, const ThatchGeometryDef *geometry, const ThatchMaterialDef *material)
{
    const int32_t i = room->count;
    if (i == ROOM_MESHES || thatch_geometry_create(geometry, &room->geometries[i]) != THATCH_OK) return -1;
    room->count++;
    if (thatch_material_create(material, &room->materials[i]) != THATCH_OK) return -1;
    if (thatch_node_create(room->scene, 0, "it", &room->nodes[i]) != THATCH_OK) return -1;
    ThatchMeshDef def;
    thatch_mesh_defaults(&def);
    def.geometry = room->geometries[i], def.material = room->materials[i], def.node = room->nodes[i];
    return thatch_mesh_create(room->scene, &def, &room->meshes[i]) == THATCH_OK ? i : -1;
}

static inline ThatchMaterialDef room_paint(float r, float g, float b)
{
    ThatchMaterialDef def;
    thatch_material_defaults(&def);
    def.kind = THATCH_MATERIAL_BASIC;
    def.color[0] = r, def.color[1] = g, def.color[2] = b;
    return def;
}

static inline int32_t room_add_triangles(Room *room, const float *positions, int32_t vertex_count, const uint32_t *indices,
                                         int32_t index_count, const ThatchMaterialDef *material)
{
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = positions, def.vertex_count = vertex_count, def.indices = indices, def.index_count = index_count;
    return room_add(room, &def, material);
}

// A square with corner a and sides u, v; its front is u x v. uv: 0, 0 at a .. 1, 1.
static inline int32_t room_add_square(Room *room, const float a[3], const float u[3], const float v[3], const ThatchMaterialDef *material)
{
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    static const float uvs[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    float p[12];
    for (int k = 0; k < 3; k++) p[k] = a[k], p[3 + k] = a[k] + u[k], p[6 + k] = a[k] + u[k] + v[k], p[9 + k] = a[k] + v[k];
    ThatchGeometryDef def;
    thatch_geometry_defaults(&def);
    def.positions = p, def.uvs = uvs, def.vertex_count = 4, def.indices = indices, def.index_count = 6;
    return room_add(room, &def, material);
}

// A box from low to high, its faces outwards.
static inline int32_t room_add_box(Room *room, const float low[3], const float high[3], const ThatchMaterialDef *material)
{
    static const uint8_t faces[6][4] = {{1, 3, 7, 5}, {2, 0, 4, 6}, {2, 6, 7, 3}, {0, 1, 5, 4}, {4, 5, 7, 6}, {1, 0, 2, 3}};
    float p[72];
    uint32_t index[36];
    for (int f = 0; f < 6; f++)
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 3; k++) p[12 * f + 3 * c + k] = faces[f][c] >> k & 1 ? high[k] : low[k];
    for (int f = 0; f < 6; f++)
        for (int k = 0; k < 6; k++) index[6 * f + k] = (uint32_t)(4 * f + (k < 3 ? k : k == 3 ? 0 : k - 2));
    return room_add_triangles(room, p, 24, index, 36, material);
}

static inline bool room_light(Room *room, int32_t kind, float r, float g, float b, const float *direction)
{
    ThatchLightDef def;
    ThatchLight light;
    thatch_light_defaults(&def);
    def.kind = kind, def.color[0] = r, def.color[1] = g, def.color[2] = b;
    if (direction) memcpy(def.direction, direction, sizeof def.direction);
    return thatch_light_create(room->scene, &def, &light) == THATCH_OK;
}

// Frame `number` up to raster.
static inline int32_t room_raster(Room *room, int32_t number, double time_s)
{
    const ThatchFrame f = room->frame;
    int32_t status = thatch_frame_begin(f, number, time_s);
    if (status == THATCH_OK && room->shadow.shadows != THATCH_SHADOWS_NONE)
        status = thatch_frame_shadow_maps(f, room->scene, room->camera, &room->shadow);
    if (status == THATCH_OK) status = thatch_frame_gather(f, room->scene, room->camera, &room->gather);
    if (status == THATCH_OK) status = thatch_frame_vertices(f);
    if (status == THATCH_OK) status = thatch_frame_setup(f);
    if (status == THATCH_OK) status = thatch_frame_bins(f);
    return status == THATCH_OK ? thatch_frame_raster(f) : status;
}

static inline int32_t room_draw_at(Room *room, int32_t number, double time_s)
{
    int32_t status = room_raster(room, number, time_s);
    if (status == THATCH_OK) status = thatch_frame_resolve(room->frame, &room->resolve);
    if (status == THATCH_OK && room->sky) status = thatch_frame_sky(room->frame, 1, &room->resolve);
    if (status == THATCH_OK && room->blend) status = thatch_frame_blend(room->frame);
    return status;
}

static inline int32_t room_draw(Room *room) { return room_draw_at(room, 0, 0.0); }

// The picture's pixels as 0xrrggbb, of many: the picture is copied out once.
static inline uint32_t room_color(const uint8_t *picture, int32_t width, int32_t x, int32_t y)
{
    const uint8_t *p = picture + 4 * ((int64_t)y * width + x);
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static inline uint32_t room_pixel(Room *room, int32_t x, int32_t y)
{
    int32_t w, h;
    const uint8_t *p = thatch_frame_pixels(room->frame, &w, &h);
    return p && x >= 0 && y >= 0 && x < w && y < h ? room_color(p, w, x, y) : 0xffffffffu;
}

// How many of the picture's pixels are not this colour.
static inline int32_t room_others(Room *room, uint32_t color)
{
    int32_t w, h, count = 0;
    const uint8_t *p = thatch_frame_pixels(room->frame, &w, &h);
    for (int32_t i = 0; p && i < w * h; i++, p += 4) count += ((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) != color;
    return count;
}

static inline float room_depth(Room *room, int32_t x, int32_t y)
{
    float depth = -1.0f;
    thatch_frame_depth(room->frame, x, y, &depth);
    return depth;
}

// Draws with every instruction set and 1, 2, 3 and 7 threads: true when all pictures are the same.
static inline bool room_same_everywhere(Room *room, int32_t (*draw)(Room *room))
{
    static const int32_t threads[4] = {1, 2, 3, 7};
    uint8_t first[16], hash[16];
    bool same = true, any = false;
    for (int32_t isa = 0; isa < THATCH_ISA_COUNT; isa++)
        for (int t = 0; t < 4 && thatch_isa_supported(isa); t++) {
            if (thatch_start(threads[t], isa) != THATCH_OK || draw(room) != THATCH_OK) return false;
            thatch_frame_hash(room->frame, any ? hash : first);
            if (any && memcmp(first, hash, 16) != 0) {
                fprintf(stderr, "    %s, %d threads: another picture\n", thatch_isa_name(isa), threads[t]);
                same = false;
            }
            any = true;
        }
    thatch_start(0, -1);
    return same;
}

// Random numbers that a failure can be found again by.
static inline float room_random(uint32_t seed, uint32_t *counter, float low, float high)
{
    return low + (high - low) * thatch_random(seed, (*counter)++, 0);
}
