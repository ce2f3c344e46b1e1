// A pass's buffers: taken for the size of the view, grown between frames, kept.
#include "raster/room.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { FIRST_VERTICES = 1 << 21, FIRST_RECORDS = 1 << 21 };

// Room for `count` items of `size` bytes in *array; what was in it is lost when it grows.
int32_t pass_room(void **array, int32_t *capacity, int64_t count, size_t size)
{
    if (count <= *capacity) return THATCH_OK;
    const int64_t want = count + count / 2 + 64;
    if (want > INT32_MAX)
        return error_set(THATCH_ERROR_LIMIT, "frame: %lld items are drawn at once, need %d at most", (long long)count,
                         INT32_MAX / 2);
    void *grown = memory_array((size_t)want, size);
    if (!grown)
        return error_set(THATCH_ERROR_MEMORY, "frame: no memory for %lld items of %zu bytes", (long long)want, size);
    memory_free(*array);
    *array = grown, *capacity = (int32_t)want;
    return THATCH_OK;
}

// As pass_room, for what is reserved as address space and touched only as far as a frame needs.
int32_t pass_reserve(void **array, int32_t *capacity, int64_t count, int64_t first, size_t size)
{
    if (count <= *capacity) return THATCH_OK;
    int64_t want = count + count / 2;
    if (want < first) want = first;
    if (want > INT32_MAX)
        return error_set(THATCH_ERROR_LIMIT, "frame: %lld items are drawn at once, need %d at most", (long long)count,
                         INT32_MAX / 2);
    void *grown = memory_reserve((size_t)want * size);
    if (!grown)
        return error_set(THATCH_ERROR_MEMORY, "frame: no address space for %lld items of %zu bytes", (long long)want,
                         size);
    memory_release(*array, (size_t)*capacity * size);
    *array = grown, *capacity = (int32_t)want;
    return THATCH_OK;
}

int32_t pass_room_screen(Pass *pass, int64_t vertices)
{
    return pass_reserve((void **)&pass->screen, &pass->screen_capacity, vertices + 64, FIRST_VERTICES,
                        sizeof *pass->screen);
}

int32_t pass_room_records(Pass *pass, int64_t records)
{
    return pass_reserve((void **)&pass->records, &pass->record_capacity, records, FIRST_RECORDS, sizeof *pass->records);
}

int32_t pass_prepare(Pass *pass, int32_t width, int32_t height)
{
    const int32_t tiles_x = (width + TILE - 1) / TILE, tiles_y = (height + TILE - 1) / TILE, tiles = tiles_x * tiles_y;
    if (!pass->workers || !pass->groups) {
        if (!pass->workers) pass->workers = MEMORY_NEW(PassWorker, THATCH_MAX_THREADS);
        if (!pass->groups) pass->groups = MEMORY_NEW(Group, MAX_GROUPS + CLASS_COUNT);
        if (!pass->workers || !pass->groups) return error_set(THATCH_ERROR_MEMORY, "frame: no memory for its workers");
    }
    if (tiles > pass->tile_capacity) {
        float *depth = MEMORY_NEW(float, (size_t)tiles *TILE_PIXELS);
        int32_t *numbers = pass->depth_only ? NULL : MEMORY_NEW(int32_t, (size_t)tiles * TILE_PIXELS);
        uint32_t *start = MEMORY_NEW(uint32_t, (size_t)tiles * CLASS_COUNT + 1);
        uint32_t *base = MEMORY_NEW(uint32_t, tiles), *total = MEMORY_NEW(uint32_t, tiles);
        uint32_t *histogram = MEMORY_NEW(uint32_t, (size_t)tiles * (MAX_GROUPS + CLASS_COUNT));
        if (!depth || (!numbers && !pass->depth_only) || !start || !base || !total || !histogram) {
            memory_free(depth), memory_free(numbers), memory_free(start), memory_free(histogram), memory_free(base),
                memory_free(total);
            return error_set(THATCH_ERROR_MEMORY, "frame: no memory for %d x %d pixels", width, height);
        }
        memory_free(pass->depth), memory_free(pass->numbers), memory_free(pass->tile_start),
            memory_free(pass->histogram);
        memory_free(pass->tile_base), memory_free(pass->tile_total);
        pass->tile_base = base, pass->tile_total = total;
        pass->depth = depth, pass->numbers = numbers, pass->tile_start = start, pass->histogram = histogram;
        pass->tile_capacity = tiles;
    }
    pass->width = width, pass->height = height, pass->tiles_x = tiles_x, pass->tiles_y = tiles_y;
    return THATCH_OK;
}

void pass_free(Pass *pass)
{
    memory_free(pass->workers), memory_free(pass->groups), memory_free(pass->depth), memory_free(pass->numbers);
    memory_free(pass->tile_start), memory_free(pass->histogram), memory_free(pass->parts), memory_free(pass->spans);
    memory_free(pass->tile_base), memory_free(pass->tile_total), memory_free(pass->sorted),
        memory_free(pass->vertex_jobs), memory_free(pass->part_of_block), memory_free(pass->candidates);
    memory_release(pass->screen, (size_t)pass->screen_capacity * sizeof *pass->screen);
    memory_release(pass->records, (size_t)pass->record_capacity * sizeof *pass->records);
    memory_release(pass->entries, (size_t)pass->entry_capacity * sizeof *pass->entries);
    memset(pass, 0, sizeof *pass);
}
