// Pools of objects behind handles: kind:4 | generation:12 | index:16. Slot 0 is never given out; a slot whose
// generation would wrap is retired. Items never move.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { KIND_GEOMETRY = 1, KIND_TEXTURE, KIND_MATERIAL, KIND_SCENE, KIND_NODE, KIND_MESH, KIND_LIGHT, KIND_CAMERA, KIND_WATER,
       KIND_FRAME, KIND_FONT, KIND_WINDOW };
enum { POOL_CHUNK = 256 }; // items a chunk

typedef struct Pool {
    const char *noun; // "geometry": for messages
    int32_t kind, item_size;
    uint8_t **chunks; // [index / POOL_CHUNK] -> POOL_CHUNK items
    uint16_t *generations; // current generation of each slot
    uint8_t *live;
    uint32_t *free_slots;
    int32_t chunk_count, slot_count, free_count, live_count;
} Pool;

// Goes up when an object of any pool goes away, or memory of one that a frame may still read.
extern uint32_t pool_changes;
// The zeroed item and its handle, or null with the error set (limit or memory).
void *pool_add(Pool *pool, uint32_t *handle);
void pool_remove(Pool *pool, uint32_t handle); // stale and 0 are ignored
void *pool_find(const Pool *pool, uint32_t handle); // null when stale, 0 or of another kind; no message
// As pool_find, but sets the error: `function: handle is stale` / `is a texture, need a geometry` / `is 0, need a geometry`.
void *pool_get(const Pool *pool, uint32_t handle, const char *function);
// Walks live items in slot order: start at *cursor 0; null at the end.
void *pool_next(const Pool *pool, int32_t *cursor, uint32_t *handle);
