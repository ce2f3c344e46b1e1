// The runtime's heap: every block is 64-byte aligned, counted, and can be made to fail for tests.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Zeroed; null when memory is short (the caller reports THATCH_ERROR_MEMORY). bytes 0 gives a valid block.
void *memory_alloc(size_t bytes);
// Grows to at least `bytes`, keeping the first old_bytes; the old block stays valid when it fails (null).
void *memory_grow(void *block, size_t old_bytes, size_t bytes);
void memory_free(void *block);         // null is ignored
size_t memory_size(const void *block); // as asked for
// count * size with overflow checked; null on overflow.
void *memory_array(size_t count, size_t size);
#define MEMORY_NEW(type, count) ((type *)memory_array((size_t)(count), sizeof(type)))
// Room for count items: the array itself, or a larger one that took its place (capacity doubles). Null when memory is
// short: the array stays valid.
void *memory_room(void *array, int32_t *capacity, int32_t count, size_t item_size);
// Address space with pages that appear when touched (zeroed), counted as one allocation. For arrays whose peak is known
// only as a limit.
void *memory_reserve(size_t bytes);
void memory_release(void *block, size_t bytes);
