// Pools of objects behind handles. Items live in chunks of POOL_CHUNK, so that they never move.
#include "base/pool.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

uint32_t pool_changes;

enum { GENERATION_LAST = 4095, SLOT_LIMIT = 65536 };

static const char *const kind_nouns[16] = {
    [KIND_GEOMETRY] = "a geometry", [KIND_TEXTURE] = "a texture", [KIND_MATERIAL] = "a material",
    [KIND_SCENE] = "a scene",       [KIND_NODE] = "a node",       [KIND_MESH] = "a mesh",
    [KIND_LIGHT] = "a light",       [KIND_CAMERA] = "a camera",   [KIND_WATER] = "a water",
    [KIND_FRAME] = "a frame",       [KIND_FONT] = "a font",       [KIND_WINDOW] = "a window",
};

static void *item_at(const Pool *pool, int32_t slot)
{
    return pool->chunks[slot / POOL_CHUNK] + (size_t)(slot % POOL_CHUNK) * (size_t)pool->item_size;
}

static uint32_t handle_of(const Pool *pool, int32_t slot)
{
    return (uint32_t)pool->kind << 28 | (uint32_t)pool->generations[slot] << 16 | (uint32_t)slot;
}

// One more chunk of items and the slots' books with it. Whatever fails, the pool stays as it was.
static bool add_chunk(Pool *pool)
{
    const size_t old_slots = (size_t)pool->chunk_count * POOL_CHUNK, slots = old_slots + POOL_CHUNK;
    if (!pool->chunks && !(pool->chunks = MEMORY_NEW(uint8_t *, SLOT_LIMIT / POOL_CHUNK))) return false;
    uint8_t *chunk = memory_array(POOL_CHUNK, (size_t)pool->item_size);
    if (!chunk) return false;
    // The books double, so that a scene of thousands of nodes copies them a few times only.
    if ((pool->chunk_count & (pool->chunk_count - 1)) == 0) {
        const size_t capacity = pool->chunk_count ? old_slots * 2 : slots;
        uint16_t *generations = MEMORY_NEW(uint16_t, capacity);
        uint8_t *live = MEMORY_NEW(uint8_t, capacity);
        uint32_t *free_slots = MEMORY_NEW(uint32_t, capacity);
        if (!generations || !live || !free_slots) {
            memory_free(generations), memory_free(live), memory_free(free_slots), memory_free(chunk);
            return false;
        }
        if (pool->chunk_count) {
            memcpy(generations, pool->generations, old_slots * sizeof *generations);
            memcpy(live, pool->live, old_slots);
            memcpy(free_slots, pool->free_slots, old_slots * sizeof *free_slots);
        }
        memory_free(pool->generations), memory_free(pool->live), memory_free(pool->free_slots);
        pool->generations = generations, pool->live = live, pool->free_slots = free_slots;
    }
    pool->chunks[pool->chunk_count++] = chunk;
    return true;
}

void *pool_add(Pool *pool, uint32_t *handle)
{
    *handle = 0;
    int32_t slot;
    if (pool->free_count > 0) {
        slot = (int32_t)pool->free_slots[--pool->free_count];
    } else {
        if (pool->slot_count == 0) pool->slot_count = 1; // slot 0 is never given out
        if (pool->slot_count >= SLOT_LIMIT) {
            error_set(THATCH_ERROR_LIMIT, "%s: count is %d, need less than %d", pool->noun, pool->live_count,
                      THATCH_MAX_OBJECTS);
            return NULL;
        }
        if (pool->slot_count >= pool->chunk_count * POOL_CHUNK && !add_chunk(pool)) {
            error_set(THATCH_ERROR_MEMORY, "%s: memory is short", pool->noun);
            return NULL;
        }
        slot = pool->slot_count++;
    }
    void *item = item_at(pool, slot);
    memset(item, 0, (size_t)pool->item_size);
    pool->live[slot] = 1;
    pool->live_count++;
    *handle = handle_of(pool, slot);
    return item;
}

void *pool_find(const Pool *pool, uint32_t handle)
{
    const int32_t slot = (int32_t)(handle & 0xffff);
    if (slot == 0 || slot >= pool->slot_count || !pool->live[slot] || handle_of(pool, slot) != handle) return NULL;
    return item_at(pool, slot);
}

void pool_remove(Pool *pool, uint32_t handle)
{
    if (!pool_find(pool, handle)) return;
    const int32_t slot = (int32_t)(handle & 0xffff);
    pool->live[slot] = 0;
    pool_changes++;
    pool->live_count--;
    if (pool->generations[slot] == GENERATION_LAST) return; // retired: no handle may name two objects
    pool->generations[slot]++;
    pool->free_slots[pool->free_count++] = (uint32_t)slot;
}

void *pool_get(const Pool *pool, uint32_t handle, const char *function)
{
    void *item = pool_find(pool, handle);
    if (item) return item;
    const char *need = kind_nouns[pool->kind], *kind = kind_nouns[handle >> 28];
    if (handle == 0) {
        error_set(THATCH_ERROR_STALE, "%s: %s is 0, need %s", function, pool->noun, need);
    } else if ((int32_t)(handle >> 28) != pool->kind) {
        error_set(THATCH_ERROR_STALE, "%s: %s is %s, need %s", function, pool->noun, kind ? kind : "no handle", need);
    } else {
        error_set(THATCH_ERROR_STALE, "%s: %s is stale, need a live one", function, pool->noun);
    }
    return NULL;
}

void *pool_next(const Pool *pool, int32_t *cursor, uint32_t *handle)
{
    for (int32_t slot = *cursor < 1 ? 1 : *cursor; slot < pool->slot_count; slot++) {
        if (!pool->live[slot]) continue;
        *cursor = slot + 1;
        if (handle) *handle = handle_of(pool, slot);
        return item_at(pool, slot);
    }
    *cursor = pool->slot_count;
    return NULL;
}
