// Files that can't be written whole, and fonts: each prefix, many corruptions, each allocation failing.
#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/font.h"
#include "io/font_check.h"
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const font_paths[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSansMono.ttf", "/usr/share/fonts/dejavu-sans-fonts/DejaVuSansMono.ttf",
};

// A font's bytes; null where none is installed: the project brings none.
static uint8_t *font_bytes(int32_t *count)
{
    uint8_t *bytes;
    for (size_t i = 0; i < sizeof font_paths / sizeof *font_paths; i++)
        if (file_read("test", font_paths[i], &bytes, count) == THATCH_OK) return bytes;
    return NULL;
}

static uint8_t *copy_of(const uint8_t *bytes, int32_t count)
{
    uint8_t *copy = memory_alloc((size_t)count);
    if (copy) memcpy(copy, bytes, (size_t)count);
    return copy;
}

static int32_t big32(const uint8_t *p)
{
    return (int32_t)((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
}

static int test_each_prefix_of_a_font_is_truncated(void)
{
    int32_t count;
    uint8_t *bytes = font_bytes(&count);
    if (!bytes) return 0;
    // Behind its last table a file may be padded to four bytes: without them nothing is missing.
    int32_t end = 0;
    for (int32_t i = 0; i < (bytes[4] << 8 | bytes[5]); i++) {
        const int32_t last = big32(bytes + 12 + 16 * i + 8) + big32(bytes + 12 + 16 * i + 12);
        if (last > end) end = last;
    }
    EXPECT(end > 1000 && count - end < 4);
    for (int32_t length = 0; length < end; length++) {
        const char *problem = font_check(bytes, length);
        EXPECT(problem && strcmp(problem, "truncated") == 0);
    }
    EXPECT(font_check(bytes, end) == NULL && font_check(bytes, count) == NULL);
    for (int32_t length = 0; length < end; length += end / 40) {
        uint8_t *copy = copy_of(bytes, length);
        ThatchFont font;
        EXPECT(copy);
        EXPECT_REFUSED(font_take(copy, length, "cut.ttf", 16, &font), THATCH_ERROR_FILE, "font: cut.ttf is truncated");
        EXPECT(font == 0);
    }
    memory_free(bytes);
    return 0;
}

static int test_other_kinds_of_fonts_are_refused(void)
{
    static const char *const files[] = {"%!PS-AdobeFont-1.0: x", "STARTFONT 2.1\n", "wOFF\0\1\0\0", "wOF2\0\1\0\0", "\1fcp....", "ttcf\0\1\0\0\0\0\0\1\0\0\0\x10nope"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        EXPECT(strstr(font_check((const uint8_t *)files[i], i == 5 ? 20 : 8), "of no known format"));
    }
    EXPECT(strcmp(font_check((const uint8_t *)"\0\1\0\0\0\0\0\0\0\0\0\0", 12), "broken: its number of tables") == 0);
    EXPECT(strcmp(font_check((const uint8_t *)"ttcf\0\1\0\0\0\0\0\1\377\377\377\377", 16), "truncated") == 0);
    return 0;
}

static int test_corrupt_fonts_do_no_harm(void)
{
    int32_t count;
    uint8_t *bytes = font_bytes(&count);
    if (!bytes) return 0;
    static uint8_t canvas[4 * 64 * 32];
    double held = 0;
    for (uint32_t round = 0; round < 120; round++) {
        if (round == 1) held = thatch_memory_bytes(); // FreeType has started
        uint8_t *copy = copy_of(bytes, count);
        EXPECT(copy);
        const uint32_t changes = 1 + thatch_random_bits(3, round, 0) % 200;
        for (uint32_t c = 0; c < changes; c++) {
            // Half of them in the tables' directory and heads.
            const uint32_t range = thatch_random_bits(4, round, c) & 1 ? 2000 : (uint32_t)count;
            copy[thatch_random_bits(5, round, c) % range] = (uint8_t)thatch_random_bits(6, round, c);
        }
        ThatchFont font;
        if (font_take(copy, count, "bent.ttf", 8 + (int32_t)round, &font) == THATCH_OK) {
            EXPECT(thatch_draw_text(canvas, 64, 32, font, 0, 0, 0xffffffffu, "Thatch \xe2\x82\xac\n%&") == THATCH_OK);
            thatch_font_destroy(font);
        }
        if (round > 1) EXPECT(thatch_memory_bytes() == held);
    }
    memory_free(bytes);
    return 0;
}

static int32_t font_life(void)
{
    int32_t count;
    uint8_t *bytes = font_bytes(&count);
    if (!bytes) return error_last_code();
    static uint8_t canvas[4 * 64 * 32];
    ThatchFont font;
    int32_t status = font_take(bytes, count, "font", 16, &font);
    if (status == THATCH_OK) {
        status = thatch_draw_text(canvas, 64, 32, font, 0, 0, 0xffffffffu, "Thatch \xe2\x82\xac");
        thatch_font_destroy(font);
    }
    return status;
}

static int test_each_allocation_of_a_font_may_fail(void)
{
    if (font_life() == THATCH_ERROR_FILE) return 0; // none is installed
    EXPECT(font_life() == THATCH_OK);
    const double held = thatch_memory_bytes(), before = thatch_allocation_count();
    EXPECT(font_life() == THATCH_OK);
    const int32_t allocations = (int32_t)(thatch_allocation_count() - before);
    int32_t failed = 0;
    for (int32_t nth = 1; nth <= allocations; nth++) {
        thatch_fail_allocation(nth);
        const int32_t status = font_life();
        thatch_fail_allocation(0);
        // FreeType does without some of what it asks for, and calls a font broken when it lacks other things.
        EXPECT(status == THATCH_OK || status == THATCH_ERROR_MEMORY || status == THATCH_ERROR_FILE);
        EXPECT(thatch_memory_bytes() <= held);
        failed += status != THATCH_OK;
    }
    EXPECT(allocations > 20 && failed > 5 && font_life() == THATCH_OK);
    return 0;
}

// --- files ---

static int files_in(const char *folder)
{
    DIR *list = opendir(folder);
    int n = 0;
    if (!list) return -1;
    for (struct dirent *e; (e = readdir(list)) != NULL;) n += e->d_name[0] != '.';
    closedir(list);
    return n;
}

// In a process of its own, whose files may have 1000 bytes: writes are short, then fail.
static int write_under_a_limit(const char *path, const uint8_t *texels)
{
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, 1000}) != 0) return 2;
    if (thatch_image_write(path, texels, 64, 64) != THATCH_ERROR_FILE) return 3;
    return strstr(thatch_last_error(), "can't be written: File too large") ? 0 : 4;
}

static int test_short_writes_leave_the_old_file(void)
{
    static uint8_t noise[4 * 64 * 64];
    for (uint32_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)thatch_random_bits(1, i, 0);
    char folder[] = "/tmp/thatch-test-XXXXXX", path[64];
    EXPECT(mkdtemp(folder));
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/a.%s", folder, k ? "jpg" : "png");
        EXPECT(file_write("test", path, (const uint8_t *)"old", 3) == THATCH_OK);
        const pid_t child = fork();
        EXPECT(child >= 0);
        if (child == 0) _exit(write_under_a_limit(path, noise));
        int status;
        EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        uint8_t *bytes;
        int32_t count;
        EXPECT(file_read("test", path, &bytes, &count) == THATCH_OK && count == 3 && memcmp(bytes, "old", 3) == 0);
        memory_free(bytes);
        EXPECT(files_in(folder) == 1 && unlink(path) == 0);
    }
    EXPECT(rmdir(folder) == 0);
    return 0;
}

static int test_what_is_no_file_is_not_replaced(void)
{
    char folder[] = "/tmp/thatch-test-XXXXXX", path[64];
    static const uint8_t texels[4];
    EXPECT(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe.png", folder);
    EXPECT(mkfifo(path, 0600) == 0);
    EXPECT_REFUSED(thatch_image_write(path, texels, 1, 1), THATCH_ERROR_FILE, "pipe.png is no regular file");
    uint8_t *read;
    int32_t width, height;
    EXPECT_REFUSED(thatch_image_load(path, &read, &width, &height), THATCH_ERROR_FILE, "is no regular file"); // and does not wait
    EXPECT(files_in(folder) == 1 && unlink(path) == 0);
    snprintf(path, sizeof path, "%s/folder.png", folder);
    EXPECT(mkdir(path, 0700) == 0);
    EXPECT_REFUSED(thatch_image_write(path, texels, 1, 1), THATCH_ERROR_FILE, "folder.png is no regular file");
    EXPECT(rmdir(path) == 0 && rmdir(folder) == 0);
    return 0;
}

static int test_what_can_not_be_read_says_why(void)
{
    static const char *const paths[] = {"/dev/zero", "/dev/full", "/proc", "/nowhere/a.png"};
    uint8_t *texels;
    int32_t width, height;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        EXPECT_REFUSED(thatch_image_load(paths[i], &texels, &width, &height), THATCH_ERROR_FILE, paths[i]);
        EXPECT(strstr(thatch_last_error(), i < 3 ? "is no regular file" : "can't be opened: No such file"));
    }
    char path[] = "/tmp/thatch-test-XXXXXX";
    const int file = mkstemp(path);
    EXPECT(file >= 0);
    EXPECT_REFUSED(thatch_image_load(path, &texels, &width, &height), THATCH_ERROR_FILE, "is truncated");
    EXPECT(ftruncate(file, (off_t)THATCH_MAX_FILE_BYTES + 1) == 0); // a hole: no byte is read of it
    EXPECT_REFUSED(thatch_image_load(path, &texels, &width, &height), THATCH_ERROR_LIMIT, "has 268435457 bytes, need at most 268435456");
    ThatchFont font;
    EXPECT_REFUSED(thatch_font_create(path, 16, &font), THATCH_ERROR_LIMIT, "need at most");
    close(file);
    EXPECT(unlink(path) == 0);
    return 0;
}

const Test io_tests[] = {
    TEST(each_prefix_of_a_font_is_truncated),
    TEST(other_kinds_of_fonts_are_refused),
    TEST(corrupt_fonts_do_no_harm),
    TEST(each_allocation_of_a_font_may_fail),
    TEST(short_writes_leave_the_old_file),
    TEST(what_is_no_file_is_not_replaced),
    TEST(what_can_not_be_read_says_why),
    TESTS_END,
};
