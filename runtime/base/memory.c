// The runtime's heap. A header of one cache line before each block holds its size, so that bytes can be counted.
#include "base/memory.h"

#include "thatch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HEADER_BYTES = 64, HUGE_PAGE = 2 << 20, HUGE_FROM = 4 << 20 };

static atomic_llong allocation_count;
static atomic_llong held_bytes;
static atomic_int fail_countdown; // 0: none is to fail

static bool must_fail(void)
{
    // The common case must not write a line that all workers share.
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) <= 0) return false;
    return atomic_fetch_sub_explicit(&fail_countdown, 1, memory_order_relaxed) == 1;
}

void *memory_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX / 2 || must_fail()) return NULL;
    const size_t total = bytes + HEADER_BYTES;
    void *raw = NULL;
    if (posix_memalign(&raw, total >= HUGE_FROM ? HUGE_PAGE : HEADER_BYTES, total) != 0) return NULL;
    if (total >= HUGE_FROM) madvise(raw, total, MADV_HUGEPAGE); // a wish: refused without harm
    memset(raw, 0, total);
    *(size_t *)raw = bytes;
    atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&held_bytes, (long long)bytes, memory_order_relaxed);
    return (uint8_t *)raw + HEADER_BYTES;
}

void memory_free(void *block)
{
    if (!block) return;
    void *raw = (uint8_t *)block - HEADER_BYTES;
    atomic_fetch_sub_explicit(&held_bytes, (long long)*(size_t *)raw, memory_order_relaxed);
    free(raw);
}

size_t memory_size(const void *block)
{
    return *(const size_t *)((const uint8_t *)block - HEADER_BYTES);
}

void *memory_grow(void *block, size_t old_bytes, size_t bytes)
{
    void *grown = memory_alloc(bytes);
    if (!grown) return NULL;
    if (block) memcpy(grown, block, old_bytes < bytes ? old_bytes : bytes);
    memory_free(block);
    return grown;
}

void *memory_array(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    return memory_alloc(bytes);
}

void *memory_room(void *array, int32_t *capacity, int32_t count, size_t item_size)
{
    if (array && count <= *capacity) return array;
    int32_t wanted = *capacity > 0 ? *capacity : 32;
    do {
        if (__builtin_mul_overflow(wanted, 2, &wanted)) return NULL;
    } while (wanted < count);
    void *grown = memory_grow(array, (size_t)*capacity * item_size, (size_t)wanted * item_size);
    if (grown) *capacity = wanted;
    return grown;
}

void *memory_reserve(size_t bytes)
{
    if (bytes == 0 || must_fail()) return NULL;
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) return NULL;
    madvise(block, bytes, MADV_HUGEPAGE);
    atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
    return block;
}

void memory_release(void *block, size_t bytes)
{
    if (block) munmap(block, bytes);
}

double thatch_allocation_count(void)
{
    return (double)atomic_load_explicit(&allocation_count, memory_order_relaxed);
}

double thatch_memory_bytes(void)
{
    return (double)atomic_load_explicit(&held_bytes, memory_order_relaxed);
}

void thatch_fail_allocation(int32_t nth)
{
    atomic_store_explicit(&fail_countdown, nth > 0 ? nth : 0, memory_order_relaxed);
}
