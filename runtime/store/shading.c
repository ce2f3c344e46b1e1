// The registry of shadings, sorted by name. Each entry keeps its place in memory, so that a name handed out stays good
// until that shading is removed.
#include "store/material.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/pool.h"

static Shading **entries;
static int32_t entry_count, entry_capacity;

// The entry's index; else where it belongs, as -1 - index.
static int32_t find_entry(const char *name)
{
    int32_t low = 0, high = entry_count;
    while (low < high) {
        const int32_t middle = (low + high) / 2, order = strcmp(entries[middle]->name, name);
        if (order == 0) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1 - low;
}

const Shading *shading_find(const char *name)
{
    const int32_t index = find_entry(name);
    return index >= 0 ? entries[index] : NULL;
}

int32_t shading_check_name(const char *name, const char *thing)
{
    CHECK_ARG(name, "%s: name is null, need 1 .. %d of a-z 0-9 _ .", thing, THATCH_MAX_NAME - 1);
    const size_t length = strnlen(name, THATCH_MAX_NAME);
    const bool fits =
        length >= 1 && length < THATCH_MAX_NAME && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.") == length;
    CHECK_ARG(fits, "%s: name is \"%.60s\", need 1 .. %d of a-z 0-9 _ .", thing, name, THATCH_MAX_NAME - 1);
    return THATCH_OK;
}

void thatch_shading_defaults(ThatchShadingDef *def)
{
    if (def) *def = (ThatchShadingDef){.sway_every = 1, .internal_value = DEF_SHADING};
}

static int32_t check_def(const ThatchShadingDef *def)
{
    CHECK_DEF(def, DEF_SHADING, "shading");
    CHECK_ARG(def->sway_amplitude_m >= 0.0f && is_finite(def->sway_amplitude_m),
              "shading: sway_amplitude_m is %g, need a finite number >= 0", (double)def->sway_amplitude_m);
    CHECK_RANGE(def->sway_frequency_hz, 0.0f, 20.0f, "shading", "sway_frequency_hz");
    CHECK_INT_RANGE(def->sway_every, 0, 60, "shading", "sway_every");
    return THATCH_OK;
}

int32_t thatch_shading_register(const char *name, const ThatchShadingDef *def)
{
    TRY(shading_check_name(name, "shading"));
    TRY(check_def(def));
    int32_t index = find_entry(name);
    if (index >= 0) {
        entries[index]->def = *def;
        return THATCH_OK;
    }
    index = -1 - index;
    if (entry_count == entry_capacity) {
        const int32_t capacity = entry_capacity ? 2 * entry_capacity : 16;
        Shading **grown =
            memory_grow(entries, (size_t)entry_count * sizeof *entries, (size_t)capacity * sizeof *entries);
        if (!grown) return error_set(THATCH_ERROR_MEMORY, "shading: memory is short");
        entries = grown, entry_capacity = capacity;
    }
    Shading *shading = MEMORY_NEW(Shading, 1);
    if (!shading) return error_set(THATCH_ERROR_MEMORY, "shading: memory is short");
    memcpy(shading->name, name, strlen(name) + 1);
    shading->def = *def;
    memmove(entries + index + 1, entries + index, (size_t)(entry_count - index) * sizeof *entries);
    entries[index] = shading;
    entry_count++;
    return THATCH_OK;
}

int32_t thatch_shading_remove(const char *name)
{
    TRY(shading_check_name(name, "shading"));
    const int32_t index = find_entry(name);
    CHECK_ARG(index >= 0, "shading: name is %s, need a registered one", name);
    memory_free(entries[index]);
    pool_changes++;
    entry_count--;
    memmove(entries + index, entries + index + 1, (size_t)(entry_count - index) * sizeof *entries);
    return THATCH_OK;
}

int32_t thatch_shading_count(void)
{
    return entry_count;
}

const char *thatch_shading_name(int32_t index)
{
    return index >= 0 && index < entry_count ? entries[index]->name : NULL;
}

int32_t thatch_shading_describe(const char *name, ThatchShadingDef *out)
{
    CHECK_NOT_NULL(out, "shading_describe", "out");
    TRY(shading_check_name(name, "shading"));
    const Shading *shading = shading_find(name);
    CHECK_ARG(shading, "shading: name is %s, need a registered one", name);
    *out = shading->def;
    return THATCH_OK;
}
