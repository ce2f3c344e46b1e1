// Which instruction sets this machine has.
#include "base/isa.h"

#include "thatch.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#define IS_X86 1
#include <cpuid.h>
#endif

static const char *const names[THATCH_ISA_COUNT] = {"plain", "sse2", "avx2", "avx512"};

#ifdef IS_X86
static bool has_lzcnt(void)
{
    unsigned eax, ebx, ecx, edx; // not a name that every compiler's __builtin_cpu_supports knows
    return __get_cpuid(0x80000001u, &eax, &ebx, &ecx, &edx) && (ecx & 1u << 5);
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && has_lzcnt();
}
#endif

bool isa_supported(int32_t isa)
{
    if (isa == THATCH_ISA_PLAIN) return true;
#ifdef IS_X86
    switch (isa) {
    case THATCH_ISA_SSE2:
        return __builtin_cpu_supports("sse2");
    case THATCH_ISA_AVX2:
        return has_avx2();
    case THATCH_ISA_AVX512:
        return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    }
#endif
    return false;
}

int32_t isa_best(void)
{
    int32_t best = THATCH_ISA_PLAIN;
    for (int32_t isa = 0; isa < THATCH_ISA_COUNT; isa++) {
        if (isa_supported(isa)) best = isa;
    }
    return best;
}

int32_t isa_from_name(const char *name)
{
    for (int32_t isa = 0; isa < THATCH_ISA_COUNT; isa++) {
        if (strcmp(name, names[isa]) == 0) return isa;
    }
    return -1;
}

const char *isa_name(int32_t isa)
{
    return isa >= 0 && isa < THATCH_ISA_COUNT ? names[isa] : "?";
}

const char *isa_cpu_name(void)
{
    static char name[49];
#ifdef IS_X86
    if (!name[0]) {
        unsigned words[12] = {0};
        for (unsigned i = 0; i < 3; i++) {
            unsigned *part = words + 4 * i;
            if (!__get_cpuid(0x80000002u + i, &part[0], &part[1], &part[2], &part[3])) break;
        }
        char text[49] = {0};
        memcpy(text, words, 48);
        const char *start = text;
        while (*start == ' ') start++;
        size_t length = strlen(start);
        while (length > 0 && start[length - 1] == ' ') length--;
        memcpy(name, start, length);
        name[length] = 0;
    }
#endif
    return name[0] ? name : "unknown";
}
