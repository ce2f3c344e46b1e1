// One view drawn into a visibility buffer: what the raster core's steps hand to each other. The main view is a pass,
// each shadow map is another. Parts stand in scene order (their numbers do not depend on the camera); spans in
// drawing order, front to back.
#pragma once
#include "store/camera.h"
#include "store/geometry.h"
#include "store/material.h"
#include "store/scene.h"
#include "store/texture.h"
#include "thatch.h"

enum {
    TILE = THATCH_TILE_SIZE,
    TILE_BLOCKS = TILE / 4,    // 4x4 pixel blocks along a tile's side
    TILE_PIXELS = TILE * TILE, // stored block by block: [block_y][block_x][y][x]
    MAX_GROUPS = 256,          // of spans: what one worker sets up at a time
    MIN_GROUP_TRIANGLES = 1024,
    NUMBER_BLOCK = 64,        // parts start at multiples of it, so that a number finds its part by one look-up
    NO_TRIANGLE = 0x7fffffff, // the number where nothing was drawn
    SCREEN_LIMIT = 4000000,   // 24.8 pixels: no corner of a record is farther out, 15,625 pixels
    GUARD = 3993600,          // 15,600 pixels: where the clipper cuts
    SEEN_LIMIT = 3900000,     // 15,234 pixels: a vertex within it is never cut, so neighbours keep one edge
    CLIPPED_TRIANGLES = 7,    // that one may leave, cut by six planes
    SMALL_EXTENT = 62 * 256,  // a triangle up to this wide and high takes the small path: 32-bit edges
};

// A moved vertex. d is 1 / w (orthographic: 1 - depth, 0..1; in a shadow map above 1 before its near plane), larger is
// nearer; BEHIND when it can't be put on the screen.
typedef struct ScreenVertex {
    int32_t x, y; // 24.8 pixels
    float d;
    float spare;
} ScreenVertex;
#define BEHIND (-1.0f)

enum { RECORD_SMALL = 0, RECORD_POINT = 1, RECORD_BIG = 2 };
// A set-up triangle. Depth is a plane from the box's first pixel: z0 + zx * (x - x0) + zy * (y - y0).
typedef struct Record {
    int32_t a[3];   // SMALL: edge values at the box's first pixel, / 256 floored. BIG: x of the corners, 24.8
    int32_t number; // the triangle
    float z0, zx, zy;
    int32_t extent; // SMALL, POINT: (width - 1) | (height - 1) << 8. BIG: last pixel x | y << 13
    int32_t b[3];   // SMALL: steps of the edges, x in the low and y in the high 16 bits. BIG: y of the corners
    int32_t origin; // first pixel x | y << 13 | kind << 26
} Record;
_Static_assert(sizeof(Record) == 48, "three rows of four");

enum { CLASS_OPAQUE = 0, CLASS_MASK = 1, CLASS_BLEND = 2, CLASS_COUNT = 3 };

typedef struct Part {
    const Geometry *geometry;
    const Mesh *mesh;
    const Node *node;
    const Material *material;
    const ThatchShadingDef *shading; // null: none
    Texture *texture, *glow;         // its map and its emissive map; null: none
    float clip[16], world[16];       // column-major
    ThatchGeometry geometry_handle;  // with these it is told whether the pointers are still good
    ThatchMaterial material_handle;
    uint32_t geometry_version, node_handle, mesh_handle;
    const float *joints;
    const void *map, *glow_map;           // their texels
    uint32_t first_number;                // of its triangles
    int32_t triangle_count, vertex_count; // drawn: a prefix of the geometry
    int32_t first_vertex;                 // in pass->screen
    int32_t class;
    bool two_sided, mirrored, crosses; // crosses: some of it may need the clipper
    bool pixel_map, over_map;          // maps are read at the pixels; light lies over them that the map must not tint
    float grow;                        // thinned items stand this much larger, less 1
    float sway[3];  // object space: how far a vertex of sway 1 goes at the top of the wave; all 0: still
    float phase[4]; // the wave at an object-space place: phase[0..2] * xyz + phase[3]
    float distance;
    int32_t used_first, used_end; // vertices that its spans use
    int32_t candidate;
} Part;

typedef struct Span { // triangles of a part, in a row, that are set up together
    int32_t part, first_triangle, triangle_count;
    float distance;
    uint16_t key; // to sort by
} Span;

typedef struct Candidate {              // a mesh of the scene, looked at
    bool tested, keep, inside, crosses; // would be drawn but for the view; in view; wholly; may need the clipper
    float distance;
} Candidate;

typedef struct Group {
    int32_t first_span, span_count, class;
    int32_t first_record, record_capacity, record_count;
} Group;

typedef struct VertexJob {
    int32_t part, first_vertex, vertex_count;
} VertexJob;

typedef struct PassWorker { // counted by one worker, 64 bytes apart
    int64_t pixels_tested, pixels_shaded, references;
    int32_t clipped, binned, dropped;
    int32_t pad[7];
} PassWorker;

typedef struct Pass {
    float clip[16]; // world to clip space
    float focal_px; // pixels of a metre at a metre's distance (orthographic: at any)
    float near_w;   // what has w below it is clipped (perspective)
    bool orthographic, depth_only, failed;
    int32_t width, height, tiles_x, tiles_y;
    float depth_scale, depth_offset; // orthographic: d = depth_offset + depth_scale * clip z

    Part *parts;
    Span *spans, *sorted; // sorted: scratch
    Candidate *candidates;
    Group *groups;
    VertexJob *vertex_jobs;
    uint16_t *part_of_block; // [number / NUMBER_BLOCK]
    ScreenVertex *screen;
    Record *records;
    uint32_t *histogram;              // [group][tile]: references, then where each group's begin
    uint32_t *tile_start;             // [tile * CLASS_COUNT + class], one more at the end
    uint32_t *tile_base, *tile_total; // entries before and in each tile
    uint32_t *entries;                // record numbers, tile by tile, class by class, in drawing order
    float *depth;                     // [tile][TILE_PIXELS]
    int32_t *numbers;                 // same
    PassWorker *workers;
    int32_t part_count, span_count, group_count, vertex_job_count, vertex_count, record_count, entry_count;
    int32_t candidate_capacity, part_capacity, span_capacity, vertex_job_capacity, block_capacity;
    int32_t screen_capacity, record_capacity, histogram_capacity, tile_capacity, entry_capacity, number_end;
    ThatchTexture background; // cube, 0: none
    uint32_t seen_changes;    // pool_changes when its pointers were last known to be good
    ThatchStats stats;
} Pass;

static inline int32_t record_x(const Record *r)
{
    return r->origin & 8191;
}
static inline int32_t record_y(const Record *r)
{
    return r->origin >> 13 & 8191;
}
static inline int32_t record_kind(const Record *r)
{
    return r->origin >> 26;
}

typedef struct PassView { // what gather draws
    const Scene *scene;
    uint32_t layers;
    float eye[3], far_m;
    bool casters_only, still_only, moving_only;
    float detail_px, item_share_max, min_px;
    bool parallel;  // an orthographic view
    float focal_px; // pixels of a metre at a metre's distance (orthographic: at any)
    bool pixel_maps;
    bool wind; // let what sways move
    double time_s;
    int32_t frame_number;
} PassView;

int32_t pass_prepare(Pass *pass, int32_t width, int32_t height); // buffers for the size
void pass_free(Pass *pass);
// Each step reads what the one before left. They allocate only when a peak is passed.
int32_t pass_gather(Pass *pass, const PassView *view);
// Is all that gather found still there? Scripts may destroy things between stages.
bool pass_is_live(Pass *pass);
int32_t pass_vertices(Pass *pass);
int32_t pass_setup(Pass *pass);
int32_t pass_bins(Pass *pass);
int32_t pass_raster(Pass *pass);
static inline const Part *pass_part(const Pass *pass, int32_t number)
{
    return &pass->parts[pass->part_of_block[number / NUMBER_BLOCK]];
}
