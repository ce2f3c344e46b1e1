// Whole files, in and out.
#pragma once
#include <stdint.h>

// Reads a regular file of at most THATCH_MAX_FILE_BYTES. *bytes is the caller's: memory_free. thing begins the
// messages.
int32_t file_read(const char *thing, const char *path, uint8_t **bytes, int32_t *byte_count);
// Writes path.tmp.PID, syncs it, renames it to path: a reader sees the old file or the new one, never a part.
int32_t file_write(const char *thing, const char *path, const uint8_t *bytes, int64_t byte_count);
