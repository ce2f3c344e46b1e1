// Whole files, in and out. Every call is checked: a full disk must not look like success.
#include "io/file.h"

#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int32_t refuse(const char *thing, const char *path, const char *what, int error)
{
    return error_set(THATCH_ERROR_FILE, "%s: %.200s %s: %s", thing, path, what, strerror(error));
}

static int32_t read_open(const char *thing, const char *path, int file, uint8_t **bytes, int32_t *byte_count)
{
    struct stat info;
    if (fstat(file, &info) != 0) return refuse(thing, path, "can't be read", errno);
    if (!S_ISREG(info.st_mode)) {
        return error_set(THATCH_ERROR_FILE, "%s: %.200s is no regular file, need one", thing, path);
    }
    if (info.st_size > THATCH_MAX_FILE_BYTES) {
        return error_set(THATCH_ERROR_LIMIT, "%s: %.200s has %lld bytes, need at most %d", thing, path,
                         (long long)info.st_size, THATCH_MAX_FILE_BYTES);
    }
    const size_t size = (size_t)info.st_size;
    uint8_t *buffer = memory_alloc(size);
    if (!buffer) return error_set(THATCH_ERROR_MEMORY, "%s: memory is short for %.200s, %zu bytes", thing, path, size);
    size_t done = 0;
    while (done < size) {
        const ssize_t got = read(file, buffer + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            const int error = errno;
            memory_free(buffer);
            if (got < 0) return refuse(thing, path, "can't be read", error);
            return error_set(THATCH_ERROR_FILE, "%s: %.200s is truncated: %zu bytes, need %zu", thing, path, done,
                             size);
        }
        done += (size_t)got;
    }
    *bytes = buffer;
    *byte_count = (int32_t)size;
    return THATCH_OK;
}

int32_t file_read(const char *thing, const char *path, uint8_t **bytes, int32_t *byte_count)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); // a FIFO must not hang us
    if (file < 0) return refuse(thing, path, "can't be opened", errno);
    const int32_t status = read_open(thing, path, file, bytes, byte_count);
    close(file);
    return status;
}

static int write_all(int file, const uint8_t *bytes, int64_t byte_count)
{
    while (byte_count > 0) {
        const ssize_t put = write(file, bytes, (size_t)byte_count);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return put < 0 ? errno : ENOSPC;
        bytes += put, byte_count -= put;
    }
    return fsync(file) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno; // not everything can be synced
}

int32_t file_write(const char *thing, const char *path, const uint8_t *bytes, int64_t byte_count)
{
    char aside[PATH_MAX];
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) { // a device must not become a file
        return error_set(THATCH_ERROR_FILE, "%s: %.200s is no regular file, need one", thing, path);
    }
    const int length = snprintf(aside, sizeof aside, "%s.tmp.%ld", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof aside) return refuse(thing, path, "can't be written", ENAMETOOLONG);
    const int file = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0) return refuse(thing, path, "can't be written", errno);
    int error = write_all(file, bytes, byte_count);
    if (close(file) != 0 && error == 0) error = errno;
    if (error == 0 && rename(aside, path) != 0) error = errno;
    if (error == 0) return THATCH_OK;
    unlink(aside);
    return refuse(thing, path, "can't be written", error);
}
