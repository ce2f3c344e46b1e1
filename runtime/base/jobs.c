// The job pool. `epoch` is odd while a loop is open. A worker that finds it odd enters (`inside` + 1), looks again, and
// claims blocks until none is left. The caller works too, then closes the loop and waits for those inside only: a
// worker that wakes late finds the loop closed, so that a busy machine never makes a frame wait for a sleeping thread.
// Entering before looking, against closing before counting, in one total order, is what makes that safe.
#include "base/jobs.h"

#include "base/error.h"

#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPIN_NS = 40000 }; // about the gap between two stages; a futex hand-over costs as much

typedef _Atomic uint32_t Counter;

static struct {
    _Alignas(64) Counter epoch;
    Counter sleepers; // workers in the futex, or about to be
    _Atomic bool stopping;
    _Alignas(64) Counter next_block;
    _Alignas(64) Counter inside;
    Counter caller_sleeps;
    // Written only while no loop is open and nobody is inside.
    _Alignas(64) JobBlock *job;
    void *context;
    int32_t count, block;
    uint32_t block_count;
} pool;

static pthread_t threads[THATCH_MAX_THREADS]; // [0] is unused: the caller
static int32_t thread_count = 1;
static bool may_spin;

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void futex_wait(Counter *word, uint32_t seen)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void futex_wake(Counter *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

// Waits for *word to leave `seen` for a short while; false when it did not.
static bool spin_while(Counter *word, uint32_t seen)
{
    if (!may_spin) return atomic_load(word) != seen;
    const int64_t end = now_ns() + SPIN_NS;
    do {
        for (int i = 0; i < 32; i++) {
            if (atomic_load_explicit(word, memory_order_relaxed) != seen) return true;
            pause_briefly();
        }
    } while (now_ns() < end);
    return false;
}

static void claim_blocks(int32_t worker)
{
    for (;;) {
        const uint32_t claimed = atomic_fetch_add_explicit(&pool.next_block, 1, memory_order_relaxed);
        if (claimed >= pool.block_count) return;
        const int64_t begin = (int64_t)claimed * pool.block, end = begin + pool.block;
        pool.job(pool.context, (int32_t)begin, end < pool.count ? (int32_t)end : pool.count, worker);
    }
}

static void *worker_main(void *argument)
{
    const int32_t worker = (int32_t)(intptr_t)argument;
    uint32_t seen = 0;
    for (;;) {
        if (!spin_while(&pool.epoch, seen)) {
            atomic_fetch_add(&pool.sleepers, 1);
            futex_wait(&pool.epoch, seen);
            atomic_fetch_sub(&pool.sleepers, 1);
        }
        if (atomic_load(&pool.stopping)) return NULL;
        seen = atomic_load(&pool.epoch);
        if (seen % 2 == 0) continue;
        atomic_fetch_add(&pool.inside, 1);
        seen = atomic_load(&pool.epoch);
        if (seen % 2 == 1) claim_blocks(worker);
        if (atomic_fetch_sub(&pool.inside, 1) == 1 && atomic_load(&pool.caller_sleeps)) futex_wake(&pool.inside);
    }
}

static void wait_for_empty(void)
{
    uint32_t inside;
    while ((inside = atomic_load(&pool.inside)) != 0) {
        if (spin_while(&pool.inside, inside)) continue;
        atomic_store(&pool.caller_sleeps, 1);
        while ((inside = atomic_load(&pool.inside)) != 0) futex_wait(&pool.inside, inside);
        atomic_store(&pool.caller_sleeps, 0);
    }
}

void jobs_run(int32_t count, int32_t block, JobBlock *job, void *context)
{
    if (count <= 0) return;
    if (block < 1) block = 1;
    const uint32_t block_count = (uint32_t)(((int64_t)count + block - 1) / block);
    if (thread_count == 1 || block_count == 1) {
        for (int64_t begin = 0; begin < count; begin += block) {
            job(context, (int32_t)begin, begin + block < count ? (int32_t)(begin + block) : count, 0);
        }
        return;
    }
    ASSERT(atomic_load(&pool.epoch) % 2 == 0); // loops do not nest
    pool.job = job;
    pool.context = context;
    pool.count = count;
    pool.block = block;
    pool.block_count = block_count;
    atomic_store_explicit(&pool.next_block, 0, memory_order_relaxed);
    atomic_fetch_add(&pool.epoch, 1);
    if (atomic_load(&pool.sleepers) != 0) futex_wake(&pool.epoch);
    claim_blocks(0);
    atomic_fetch_add(&pool.epoch, 1);
    wait_for_empty();
}

void jobs_stop(void)
{
    if (thread_count == 1) return;
    atomic_store(&pool.stopping, true);
    atomic_fetch_add(&pool.epoch, 2); // stays even: nothing to enter
    futex_wake(&pool.epoch);
    for (int32_t i = 1; i < thread_count; i++) pthread_join(threads[i], NULL);
    atomic_store(&pool.stopping, false);
    thread_count = 1;
}

static int32_t core_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return CPU_COUNT(&set);
}

int32_t jobs_start(int32_t wanted)
{
    ASSERT(wanted >= 1 && wanted <= THATCH_MAX_THREADS);
    if (wanted == thread_count) return THATCH_OK;
    jobs_stop();
    may_spin = wanted <= core_count(); // else spinning only keeps the others from the cores
    atomic_store(&pool.epoch, 0);      // what a new worker takes as seen
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old); // signals are the main thread's
    int error = 0;
    while (thread_count < wanted && error == 0) {
        error = pthread_create(&threads[thread_count], NULL, worker_main, (void *)(intptr_t)thread_count);
        if (error == 0) thread_count++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error == 0) return THATCH_OK;
    const int32_t got = thread_count;
    jobs_stop();
    return error_set(THATCH_ERROR_SYSTEM, "jobs: thread %d can't be started: %s", got, strerror(error));
}

int32_t jobs_thread_count(void)
{
    return thread_count;
}
