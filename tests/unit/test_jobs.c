#include "base/jobs.h"
#include "test.h"

enum { ITEMS = 10007 };

typedef struct Sums {
    int64_t of_worker[THATCH_MAX_THREADS][8]; // 64 bytes apart
    uint8_t times[ITEMS];
    int32_t worker_limit, wrong_workers;
} Sums;

static Sums sums;

static void add_block(void *context, int32_t begin, int32_t end, int32_t worker)
{
    Sums *into = context;
    if (worker < 0 || worker >= into->worker_limit || end <= begin || end > ITEMS) into->wrong_workers++;
    for (int32_t i = begin; i < end; i++) {
        into->of_worker[worker][0] += i;
        into->times[i]++;
    }
}

static int test_each_item_runs_once_at_any_thread_count(void)
{
    static const int32_t counts[] = {1, 2, 3, 7, 16, 64, 2};
    for (size_t t = 0; t < sizeof counts / sizeof counts[0]; t++) {
        EXPECT(thatch_start(counts[t], -1) == THATCH_OK);
        EXPECT(jobs_thread_count() == counts[t] && thatch_thread_count() == counts[t]);
        for (int32_t block = 1; block < 3 * ITEMS; block = block * 5 + 3) {
            memset(&sums, 0, sizeof sums);
            sums.worker_limit = counts[t];
            jobs_run(ITEMS, block, add_block, &sums);
            int64_t sum = 0;
            for (int i = 0; i < THATCH_MAX_THREADS; i++) sum += sums.of_worker[i][0];
            EXPECT(sum == (int64_t)ITEMS * (ITEMS - 1) / 2 && sums.wrong_workers == 0);
            for (int i = 0; i < ITEMS; i++) EXPECT(sums.times[i] == 1);
        }
    }
    thatch_stop();
    return 0;
}

static int test_many_short_loops_hand_over(void)
{
    EXPECT(thatch_start(3, -1) == THATCH_OK);
    memset(&sums, 0, sizeof sums);
    sums.worker_limit = 3;
    for (int i = 0; i < 3000; i++) jobs_run(64, 8, add_block, &sums);
    int64_t sum = 0;
    for (int i = 0; i < 3; i++) sum += sums.of_worker[i][0];
    EXPECT(sum == (int64_t)3000 * 64 * 63 / 2);
    jobs_run(0, 1, add_block, &sums);
    jobs_run(-1, 1, add_block, &sums);
    thatch_stop();
    EXPECT(jobs_thread_count() == 1);
    return 0;
}

static int test_starting_refuses_what_is_out_of_range(void)
{
    EXPECT_REFUSED(thatch_start(65, -1), THATCH_ERROR_ARGUMENT, "threads is 65, need 0 .. 64");
    EXPECT_REFUSED(thatch_start(-1, -1), THATCH_ERROR_ARGUMENT, "threads is -1");
    EXPECT_REFUSED(thatch_start(1, 4), THATCH_ERROR_ARGUMENT, "isa is 4, need -1 .. 3");
    EXPECT(thatch_isa_supported(THATCH_ISA_PLAIN) && !thatch_isa_supported(-1) && !thatch_isa_supported(9));
    EXPECT(strcmp(thatch_isa_name(2), "avx2") == 0 && strcmp(thatch_isa_name(7), "?") == 0);
    EXPECT(thatch_cpu_name()[0] != 0);
    EXPECT(thatch_start(2, THATCH_ISA_PLAIN) == THATCH_OK && thatch_isa() == THATCH_ISA_PLAIN);
    thatch_stop();
    return 0;
}

const Test jobs_tests[] = {
    TEST(each_item_runs_once_at_any_thread_count),
    TEST(many_short_loops_hand_over),
    TEST(starting_refuses_what_is_out_of_range),
    TESTS_END,
};
