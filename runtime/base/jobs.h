// The job pool: one parallel loop at a time, spread over all workers, the caller among them.
#pragma once
#include <stdint.h>

// Runs on any worker, once per claimed block [begin, end). worker < jobs_thread_count(): the index of its own state.
typedef void JobBlock(void *context, int32_t begin, int32_t end, int32_t worker);

int32_t jobs_start(int32_t threads); // joins and starts again when the count differs
void jobs_stop(void);
int32_t jobs_thread_count(void); // 1 before jobs_start
// Splits 0..count into blocks of `block` items, claimed in ascending order; returns when all have run.
void jobs_run(int32_t count, int32_t block, JobBlock *job, void *context);
