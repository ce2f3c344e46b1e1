// Counter-based random numbers: a hash of what they are for, so that no order of calls matters.
#pragma once
#include <stdint.h>

static inline uint32_t random_mix(uint32_t h)
{
    h ^= h >> 16, h *= 0x7feb352du;
    h ^= h >> 15, h *= 0x846ca68bu;
    return h ^ (h >> 16);
}
static inline uint32_t random_bits(uint32_t seed, uint32_t a, uint32_t b)
{
    return random_mix(random_mix(random_mix(seed + 0x9e3779b9u) ^ a) ^ (b * 0x85ebca6bu + 0xc2b2ae35u));
}
// 0 <= r < 1, 24 bits.
static inline float random_unit(uint32_t seed, uint32_t a, uint32_t b)
{
    return (float)(random_bits(seed, a, b) >> 8) * (1.0f / 16777216.0f);
}
