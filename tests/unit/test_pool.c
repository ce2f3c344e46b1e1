#include "base/pool.h"
#include "base/memory.h"
#include "test.h"

typedef struct Item {
    int32_t value;
} Item;

static Pool new_pool(void)
{
    return (Pool){.noun = "geometry", .kind = KIND_GEOMETRY, .item_size = sizeof(Item)};
}

static void end_pool(Pool *pool)
{
    for (int32_t i = 0; i < pool->chunk_count; i++) memory_free(pool->chunks[i]);
    memory_free(pool->chunks), memory_free(pool->generations), memory_free(pool->live), memory_free(pool->free_slots);
}

static int test_finds_what_it_added(void)
{
    Pool pool = new_pool();
    uint32_t handles[600];
    for (int i = 0; i < 600; i++) {
        Item *item = pool_add(&pool, &handles[i]);
        EXPECT(item && item->value == 0);
        item->value = i;
    }
    for (int i = 0; i < 600; i++) EXPECT(((Item *)pool_find(&pool, handles[i]))->value == i);
    EXPECT((handles[0] & 0xffff) == 1 && handles[0] >> 28 == KIND_GEOMETRY);
    EXPECT(pool_find(&pool, 0) == NULL);
    EXPECT(pool_find(&pool, handles[599] + 1) == NULL);
    end_pool(&pool);
    return 0;
}

static int test_a_removed_handle_is_stale(void)
{
    Pool pool = new_pool();
    uint32_t first, second;
    pool_add(&pool, &first);
    pool_remove(&pool, first);
    pool_remove(&pool, first);
    EXPECT(pool_find(&pool, first) == NULL);
    pool_add(&pool, &second);
    EXPECT(second != first && (second & 0xffff) == (first & 0xffff));
    EXPECT(pool_find(&pool, first) == NULL && pool_find(&pool, second) != NULL);
    EXPECT(pool_get(&pool, first, "thing") == NULL);
    EXPECT(strcmp(thatch_last_error(), "thing: geometry is stale, need a live one") == 0);
    EXPECT(pool_get(&pool, 0, "thing") == NULL);
    EXPECT(strcmp(thatch_last_error(), "thing: geometry is 0, need a geometry") == 0);
    EXPECT(pool_get(&pool, (uint32_t)KIND_TEXTURE << 28 | 1, "thing") == NULL);
    EXPECT(strcmp(thatch_last_error(), "thing: geometry is a texture, need a geometry") == 0);
    end_pool(&pool);
    return 0;
}

static int test_a_slot_is_retired_before_its_generation_wraps(void)
{
    Pool pool = new_pool();
    uint32_t first, handle = 0;
    pool_add(&pool, &first);
    const uint32_t slot = first & 0xffff;
    pool_remove(&pool, first);
    for (int i = 1; i < 4096; i++) {
        pool_add(&pool, &handle);
        EXPECT((handle & 0xffff) == slot);
        pool_remove(&pool, handle);
    }
    pool_add(&pool, &handle);
    EXPECT((handle & 0xffff) != slot);
    EXPECT(pool_find(&pool, first) == NULL);
    end_pool(&pool);
    return 0;
}

static int test_refuses_more_than_the_limit(void)
{
    Pool pool = new_pool();
    uint32_t handle;
    for (int i = 0; i < THATCH_MAX_OBJECTS; i++) EXPECT(pool_add(&pool, &handle));
    EXPECT(pool_add(&pool, &handle) == NULL && handle == 0);
    EXPECT(strstr(thatch_last_error(), "geometry: count is 65535"));
    end_pool(&pool);
    return 0;
}

static int test_walks_live_items_in_slot_order(void)
{
    Pool pool = new_pool();
    uint32_t handles[5], seen;
    for (int i = 0; i < 5; i++) ((Item *)pool_add(&pool, &handles[i]))->value = i;
    pool_remove(&pool, handles[0]);
    pool_remove(&pool, handles[3]);
    const int expected[] = {1, 2, 4};
    int32_t cursor = 0, count = 0;
    Item *item;
    while ((item = pool_next(&pool, &cursor, &seen))) {
        EXPECT(count < 3 && item->value == expected[count] && seen == handles[expected[count]]);
        count++;
    }
    EXPECT(count == 3);
    end_pool(&pool);
    return 0;
}

static int test_a_failed_allocation_leaves_it_usable(void)
{
    for (int nth = 1; nth <= 5; nth++) {
        Pool pool = new_pool();
        uint32_t handle;
        thatch_fail_allocation(nth);
        EXPECT(pool_add(&pool, &handle) == NULL && handle == 0);
        thatch_fail_allocation(0);
        EXPECT(strstr(thatch_last_error(), "memory is short"));
        EXPECT(pool_add(&pool, &handle) && (handle & 0xffff) == 1);
        end_pool(&pool);
    }
    return 0;
}

const Test pool_tests[] = {
    TEST(finds_what_it_added),
    TEST(a_removed_handle_is_stale),
    TEST(a_slot_is_retired_before_its_generation_wraps),
    TEST(refuses_more_than_the_limit),
    TEST(walks_live_items_in_slot_order),
    TEST(a_failed_allocation_leaves_it_usable),
    TESTS_END,
};
