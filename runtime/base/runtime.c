// Starts and stops the runtime, and the small public functions that stand on base alone.
#include "base/runtime.h"

#include "base/error.h"
#include "base/isa.h"
#include "base/jobs.h"
#include "base/maths.h"
#include "base/random.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

static bool started;
static int32_t isa_in_use = -1;

static int32_t core_count(void)
{
    cpu_set_t set;
    const int32_t count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return maths_clampi(count, 1, THATCH_MAX_THREADS);
}

static int32_t threads_wanted(int32_t *threads)
{
    const char *text = getenv("THATCH_THREADS");
    if (!text || !text[0]) {
        *threads = core_count();
        return THATCH_OK;
    }
    char *end;
    const long value = strtol(text, &end, 10);
    CHECK_ARG(*end == 0 && value >= 1 && value <= THATCH_MAX_THREADS, "runtime: THATCH_THREADS is %s, need 1 .. %d",
              text, THATCH_MAX_THREADS);
    *threads = (int32_t)value;
    return THATCH_OK;
}

static int32_t isa_wanted(int32_t *isa)
{
    const char *text = getenv("THATCH_ISA");
    *isa = text && text[0] ? isa_from_name(text) : isa_best();
    CHECK_ARG(*isa >= 0, "runtime: THATCH_ISA is %s, need plain, sse2, avx2 or avx512", text);
    return THATCH_OK;
}

int32_t thatch_start(int32_t threads, int32_t isa)
{
    CHECK_ARG(threads >= 0 && threads <= THATCH_MAX_THREADS, "runtime: threads is %d, need 0 .. %d", threads,
              THATCH_MAX_THREADS);
    CHECK_ARG(isa >= -1 && isa < THATCH_ISA_COUNT, "runtime: isa is %d, need -1 .. %d", isa, THATCH_ISA_COUNT - 1);
    if (threads == 0) TRY(threads_wanted(&threads));
    if (isa == -1) TRY(isa_wanted(&isa));
    CHECK_ARG(isa_supported(isa), "runtime: isa is %s, need one that this machine has", isa_name(isa));
    TRY(jobs_start(threads));
    isa_in_use = isa;
    started = true;
    return THATCH_OK;
}

void thatch_stop(void)
{
    jobs_stop();
    started = false;
}

int32_t runtime_ensure(void)
{
    return started ? THATCH_OK : thatch_start(0, -1);
}

int32_t runtime_isa(void)
{
    return isa_in_use >= 0 ? isa_in_use : isa_best();
}

int32_t thatch_abi_version(void)
{
    return THATCH_ABI_VERSION;
}

int32_t thatch_thread_count(void)
{
    runtime_ensure();
    return jobs_thread_count();
}

int32_t thatch_isa(void)
{
    runtime_ensure();
    return runtime_isa();
}

bool thatch_isa_supported(int32_t isa)
{
    return isa_supported(isa);
}
const char *thatch_isa_name(int32_t isa)
{
    return isa_name(isa);
}
const char *thatch_cpu_name(void)
{
    return isa_cpu_name();
}

double thatch_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// The exported twins of the inline and internal functions.
float thatch_sin(float radians)
{
    return maths_sin(radians);
}
float thatch_cos(float radians)
{
    return maths_cos(radians);
}
float thatch_exp(float x)
{
    return maths_exp(x);
}
float thatch_log(float x)
{
    return maths_log(x);
}
float thatch_pow(float x, float y)
{
    return maths_pow(x, y);
}
uint32_t thatch_random_bits(uint32_t seed, uint32_t a, uint32_t b)
{
    return random_bits(seed, a, b);
}
float thatch_random(uint32_t seed, uint32_t a, uint32_t b)
{
    return random_unit(seed, a, b);
}
void thatch_tone_aces(const float *rgb3, float *out3)
{
    maths_tone_aces(rgb3, out3);
}
float thatch_srgb_encode(float linear)
{
    return maths_srgb_encode(linear);
}
float thatch_srgb_decode(float encoded)
{
    return maths_srgb_decode(encoded);
}
