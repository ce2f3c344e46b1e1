#include "base/memory.h"
#include "test.h"

static int test_blocks_are_aligned_zeroed_and_counted(void)
{
    const double bytes = thatch_memory_bytes(), count = thatch_allocation_count();
    for (size_t size = 0; size < 300; size += 7) {
        uint8_t *block = memory_alloc(size);
        EXPECT(block && (uintptr_t)block % 64 == 0);
        for (size_t i = 0; i < size; i++) EXPECT(block[i] == 0);
        if (size) memset(block, 255, size);
        EXPECT(memory_size(block) == size && thatch_memory_bytes() == bytes + (double)size);
        memory_free(block);
    }
    memory_free(NULL);
    EXPECT(thatch_memory_bytes() == bytes && thatch_allocation_count() == count + 43);
    return 0;
}

static int test_growing_keeps_what_was_there(void)
{
    uint8_t *block = memory_alloc(100);
    memset(block, 7, 100);
    thatch_fail_allocation(1);
    EXPECT(memory_grow(block, 100, 200) == NULL);
    EXPECT(block[99] == 7);
    block = memory_grow(block, 100, 200);
    EXPECT(block && block[0] == 7 && block[99] == 7 && block[100] == 0 && block[199] == 0);
    memory_free(block);
    return 0;
}

static int test_products_that_overflow_are_refused(void)
{
    EXPECT(memory_array(SIZE_MAX / 2, 3) == NULL);
    EXPECT(memory_alloc(SIZE_MAX) == NULL);
    return 0;
}

static int test_the_nth_allocation_fails(void)
{
    thatch_fail_allocation(3);
    void *first = memory_alloc(1), *second = memory_alloc(1), *third = memory_alloc(1), *fourth = memory_alloc(1);
    EXPECT(first && second && !third && fourth);
    memory_free(first), memory_free(second), memory_free(fourth);
    return 0;
}

static int test_room_doubles(void)
{
    int32_t capacity = 0, *array = NULL;
    for (int32_t i = 0; i < 1000; i++) {
        array = memory_room(array, &capacity, i + 1, sizeof *array);
        EXPECT(array && capacity > i);
        array[i] = i;
    }
    EXPECT(array[0] == 0 && array[999] == 999 && capacity == 1024);
    memory_free(array);
    return 0;
}

static int test_reserved_pages_appear_when_touched(void)
{
    const size_t bytes = (size_t)1 << 34;
    uint8_t *block = memory_reserve(bytes);
    EXPECT(block && block[0] == 0 && block[bytes - 1] == 0);
    block[bytes - 1] = 1;
    memory_release(block, bytes);
    return 0;
}

const Test memory_tests[] = {
    TEST(blocks_are_aligned_zeroed_and_counted),
    TEST(growing_keeps_what_was_there),
    TEST(products_that_overflow_are_refused),
    TEST(the_nth_allocation_fails),
    TEST(room_doubles),
    TEST(reserved_pages_appear_when_touched),
    TESTS_END,
};
