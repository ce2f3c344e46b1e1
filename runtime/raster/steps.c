// Vertices, setup, bins and raster of a pass, spread over the workers.
#include "base/error.h"
#include "base/jobs.h"
#include "raster/kernels.h"
#include "raster/room.h"

#include <string.h>

static void vertices_block(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Pass *pass = context;
    const RasterKernels *kernels = raster_kernels();
    for (int32_t i = begin; i < end; i++) {
        const VertexJob *job = &pass->vertex_jobs[i];
        kernels->vertices(pass, &pass->parts[job->part], job->first_vertex, job->vertex_count);
    }
}

int32_t pass_vertices(Pass *pass)
{
    jobs_run(pass->vertex_job_count, 4, vertices_block, pass);
    return THATCH_OK;
}

static void setup_block(void *context, int32_t begin, int32_t end, int32_t worker)
{
    Pass *pass = context;
    const RasterKernels *kernels = raster_kernels();
    const int32_t tiles = pass->tiles_x * pass->tiles_y;
    for (int32_t i = begin; i < end; i++) {
        Group *group = &pass->groups[i];
        uint32_t *histogram = pass->histogram + (int64_t)i * tiles;
        memset(histogram, 0, sizeof *histogram * (size_t)tiles);
        group->record_count = 0;
        for (int32_t s = group->first_span; s < group->first_span + group->span_count; s++)
            group->record_count +=
                kernels->setup(pass, &pass->spans[s], pass->records + group->first_record + group->record_count,
                               group->record_capacity - group->record_count, histogram, &pass->workers[worker]);
    }
}

int32_t pass_setup(Pass *pass)
{
    jobs_run(pass->group_count, 1, setup_block, pass);
    int64_t references = 0;
    for (int32_t w = 0; w < THATCH_MAX_THREADS; w++) {
        references += pass->workers[w].references;
        pass->stats.triangles_clipped += pass->workers[w].clipped,
            pass->stats.triangles_binned += pass->workers[w].binned;
        pass->stats.triangles_dropped += pass->workers[w].dropped;
    }
    pass->stats.tile_references = (int32_t)(references < INT32_MAX ? references : INT32_MAX);
    return pass_reserve((void **)&pass->entries, &pass->entry_capacity, references, 1 << 21, sizeof *pass->entries);
}

// Turns counts into places: where each group's entries begin in each tile, from the tile's own start.
static void place_tiles(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    Pass *pass = context;
    const int32_t tiles = pass->tiles_x * pass->tiles_y;
    for (int32_t tile = begin; tile < end; tile++) {
        uint32_t at = 0;
        int32_t group = 0;
        for (int32_t class = 0; class < CLASS_COUNT; class ++) {
            pass->tile_start[CLASS_COUNT * tile + class] = at;
            for (; group < pass->group_count && pass->groups[group].class == class; group++) {
                uint32_t *count = &pass->histogram[(int64_t)group * tiles + tile];
                const uint32_t n = *count;
                *count = at, at += n;
            }
        }
        pass->tile_total[tile] = at;
    }
}

static void scatter_block(void *context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    Pass *pass = context;
    const int32_t tiles = pass->tiles_x * pass->tiles_y;
    for (int32_t i = begin; i < end; i++) {
        const Group *group = &pass->groups[i];
        uint32_t *at = pass->histogram + (int64_t)i * tiles;
        for (int32_t k = group->first_record; k < group->first_record + group->record_count; k++) {
            const Record *r = &pass->records[k];
            const int32_t x0 = record_x(r), y0 = record_y(r);
            const bool big = record_kind(r) == RECORD_BIG;
            const int32_t x1 = big ? r->extent & 8191 : x0 + (r->extent & 255),
                          y1 = big ? r->extent >> 13 : y0 + (r->extent >> 8);
            for (int32_t y = y0 / TILE; y <= y1 / TILE; y++)
                for (int32_t x = x0 / TILE; x <= x1 / TILE; x++) {
                    const int32_t tile = y * pass->tiles_x + x;
                    pass->entries[pass->tile_base[tile] + at[tile]++] = (uint32_t)k;
                }
        }
    }
}

int32_t pass_bins(Pass *pass)
{
    const int32_t tiles = pass->tiles_x * pass->tiles_y;
    jobs_run(tiles, 16, place_tiles, pass);
    uint32_t base = 0;
    for (int32_t tile = 0; tile < tiles; tile++) {
        pass->tile_base[tile] = base;
        for (int32_t class = 0; class < CLASS_COUNT; class ++) pass->tile_start[CLASS_COUNT * tile + class] += base;
        base += pass->tile_total[tile];
    }
    pass->tile_start[CLASS_COUNT * tiles] = base;
    pass->entry_count = (int32_t)base;
    jobs_run(pass->group_count, 2, scatter_block, pass);
    return THATCH_OK;
}

static void raster_block(void *context, int32_t begin, int32_t end, int32_t worker)
{
    Pass *pass = context;
    for (int32_t i = begin; i < end; i++) raster_kernels()->raster(pass, i, &pass->workers[worker]);
}

int32_t pass_raster(Pass *pass)
{
    jobs_run(pass->tiles_x * pass->tiles_y, 1, raster_block, pass);
    int64_t tested = 0;
    for (int32_t w = 0; w < THATCH_MAX_THREADS; w++) tested += pass->workers[w].pixels_tested;
    pass->stats.pixels_tested = (double)tested;
    return THATCH_OK;
}
