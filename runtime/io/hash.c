// XXH3-128 in its canonical form, big-endian.
#include "base/check.h"
#include "base/memory.h"

#include <xxhash.h>

struct ThatchHashState {
    XXH3_state_t *xxh;
};

static void put_digest(XXH128_hash_t hash, uint8_t *hash16)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    memcpy(hash16, canonical.digest, 16);
}

// Nothing is hashed of a null pointer or a count that is none.
static size_t usable_count(const uint8_t *bytes, double byte_count)
{
    return bytes && byte_count > 0.0 && byte_count < 9e15 ? (size_t)byte_count : 0;
}

void thatch_hash_bytes(const uint8_t *bytes, double byte_count, uint8_t *hash16)
{
    if (hash16) put_digest(XXH3_128bits(bytes, usable_count(bytes, byte_count)), hash16);
}

ThatchHashState *thatch_hash_begin(void)
{
    ThatchHashState *state = MEMORY_NEW(ThatchHashState, 1);
    XXH3_state_t *xxh = state ? XXH3_createState() : NULL;
    if (!xxh) {
        memory_free(state);
        error_set(THATCH_ERROR_MEMORY, "hash: memory is short");
        return NULL;
    }
    XXH3_128bits_reset(xxh);
    state->xxh = xxh;
    return state;
}

void thatch_hash_add(ThatchHashState *state, const uint8_t *bytes, double byte_count)
{
    const size_t count = usable_count(bytes, byte_count);
    if (state && count > 0) XXH3_128bits_update(state->xxh, bytes, count);
}

void thatch_hash_end(ThatchHashState *state, uint8_t *hash16)
{
    if (!state) return;
    if (hash16) put_digest(XXH3_128bits_digest(state->xxh), hash16);
    XXH3_freeState(state->xxh);
    memory_free(state);
}
