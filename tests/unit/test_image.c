// Images: each format read back, and each prefix and many corruptions of a good file of each.
#include "io/stb_unit.h"
#include "base/memory.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

enum { WIDTH = 13, HEIGHT = 9, FILE_MAX = 8192 };

typedef struct Sample {
    const char *name;
    uint8_t bytes[FILE_MAX];
    int32_t count;
} Sample;

static uint8_t picture[4 * WIDTH * HEIGHT];

static void draw_picture(void)
{
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        for (uint32_t k = 0; k < 3; k++) picture[4 * i + k] = (uint8_t)(thatch_random_bits(1, i / 5, k) & 255);
        picture[4 * i + 3] = 255;
    }
}

static void put(Sample *sample, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) sample->bytes[sample->count++] = (uint8_t)(value >> (8 * i));
}

static void put_bgr(Sample *sample, int texel)
{
    for (int k = 2; k >= 0; k--) put(sample, picture[4 * texel + k], 1);
}

static Sample encoded(const char *name, uint8_t *bytes, int64_t count)
{
    Sample sample = {.name = name, .count = (int32_t)count};
    memcpy(sample.bytes, bytes, (size_t)count);
    memory_free(bytes);
    return sample;
}

static Sample new_bmp(void)
{
    enum { ROW = (WIDTH * 3 + 3) / 4 * 4 };
    Sample sample = {.name = "bmp"};
    put(&sample, 'B', 1), put(&sample, 'M', 1), put(&sample, 54 + ROW * HEIGHT, 4), put(&sample, 0, 4),
        put(&sample, 54, 4);
    put(&sample, 40, 4), put(&sample, WIDTH, 4), put(&sample, HEIGHT, 4), put(&sample, 1, 2), put(&sample, 24, 2);
    for (int i = 0; i < 6; i++) put(&sample, 0, 4);
    for (int y = HEIGHT - 1; y >= 0; y--) {
        for (int x = 0; x < WIDTH; x++) put_bgr(&sample, y * WIDTH + x);
        for (int x = WIDTH * 3; x < ROW; x++) put(&sample, 0, 1);
    }
    return sample;
}

static Sample new_tga(int packed)
{
    Sample sample = {.name = packed ? "packed tga" : "tga"};
    put(&sample, 0, 2), put(&sample, packed ? 10 : 2, 1);
    for (int i = 0; i < 9; i++) put(&sample, 0, 1);
    put(&sample, WIDTH, 2), put(&sample, HEIGHT, 2), put(&sample, 24, 1), put(&sample, 0x20, 1);
    for (int i = 0; i < WIDTH * HEIGHT;) {
        int run = 1;
        while (packed && run < 128 && i + run < WIDTH * HEIGHT &&
               memcmp(picture + 4 * i, picture + 4 * (i + run), 4) == 0)
            run++;
        if (packed) put(&sample, (uint32_t)(run > 1 ? 127 + run : 0), 1);
        put_bgr(&sample, i);
        i += run;
    }
    return sample;
}

static int make_samples(Sample samples[5])
{
    draw_picture();
    int64_t count;
    uint8_t *bytes = stb_unit_encode_png(picture, WIDTH, HEIGHT, &count);
    EXPECT(bytes && count < FILE_MAX);
    samples[0] = encoded("png", bytes, count);
    bytes = stb_unit_encode_jpeg(picture, WIDTH, HEIGHT, &count);
    EXPECT(bytes && count < FILE_MAX);
    samples[1] = encoded("jpeg", bytes, count);
    samples[2] = new_bmp();
    samples[3] = new_tga(0);
    samples[4] = new_tga(1);
    return 0;
}

static Sample samples[5];

static int test_each_format_is_read(void)
{
    EXPECT(make_samples(samples) == 0);
    for (int i = 0; i < 5; i++) {
        uint8_t *texels;
        int32_t width, height;
        EXPECT(thatch_image_load_memory(samples[i].bytes, samples[i].count, samples[i].name, &texels, &width,
                                        &height) == THATCH_OK);
        EXPECT(width == WIDTH && height == HEIGHT);
        for (int k = 0; k < 4 * WIDTH * HEIGHT; k++) {
            EXPECT(i == 1 ? abs(texels[k] - picture[k]) < 120 : texels[k] == picture[k]);
        }
        thatch_image_free(texels);
    }
    return 0;
}

static int test_each_prefix_is_refused_as_truncated(void)
{
    EXPECT(make_samples(samples) == 0);
    const double held = thatch_memory_bytes();
    for (int i = 0; i < 5; i++) {
        for (int32_t count = 0; count < samples[i].count; count++) {
            uint8_t *copy = malloc((size_t)count + 1), *texels; // its own block, so that a sanitizer sees its end
            memcpy(copy, samples[i].bytes, (size_t)count);
            int32_t width, height;
            copy = realloc(copy, count ? (size_t)count : 1);
            const int32_t status = thatch_image_load_memory(copy, count, samples[i].name, &texels, &width, &height);
            free(copy);
            if (status != THATCH_ERROR_FILE) fprintf(stderr, "%s of %d bytes\n", samples[i].name, count);
            EXPECT_REFUSED(status, THATCH_ERROR_FILE, "truncated");
            EXPECT(texels == NULL);
        }
    }
    EXPECT(thatch_memory_bytes() == held);
    return 0;
}

static int test_corrupt_files_do_no_harm(void)
{
    EXPECT(make_samples(samples) == 0);
    const double held = thatch_memory_bytes();
    for (int i = 0; i < 5; i++) {
        for (uint32_t round = 0; round < 2000; round++) {
            Sample sample = samples[i];
            const uint32_t changes = 1 + thatch_random_bits(9, round, 0) % 6;
            for (uint32_t c = 0; c < changes; c++) {
                const uint32_t at = thatch_random_bits(10, round, c) % (uint32_t)sample.count;
                // The sizes stay small, or a thousand rounds would take minutes.
                if (sample.bytes[0] == 137 && at < 24) continue;
                sample.bytes[at] = (uint8_t)thatch_random_bits(11, round, c);
            }
            uint8_t *texels;
            int32_t width, height;
            if (thatch_image_load_memory(sample.bytes, sample.count, sample.name, &texels, &width, &height) ==
                THATCH_OK) {
                thatch_image_free(texels);
            } else {
                EXPECT(texels == NULL && thatch_last_error()[0]);
            }
        }
    }
    EXPECT(thatch_memory_bytes() == held);
    return 0;
}

static int test_huffman_tables_with_too_many_codes_are_refused(void)
{
    EXPECT(make_samples(samples) == 0);
    Sample jpeg = samples[1];
    int found = 0;
    for (int32_t i = 0; i + 21 < jpeg.count && !found; i++) {
        if (jpeg.bytes[i] != 0xff || jpeg.bytes[i + 1] != 0xc4) continue;
        memset(jpeg.bytes + i + 5, 255, 16);
        found = 1;
    }
    uint8_t *texels;
    int32_t width, height;
    EXPECT(found);
    EXPECT_REFUSED(thatch_image_load_memory(jpeg.bytes, jpeg.count, "jpeg", &texels, &width, &height),
                   THATCH_ERROR_FILE, "more than 256 codes");
    return 0;
}

static int test_a_jpeg_of_many_scans_is_refused(void)
{
    EXPECT(make_samples(samples) == 0);
    const Sample jpeg = samples[1];
    static uint8_t many[10 * FILE_MAX];
    int32_t scan = 0, width, height;
    while (scan + 1 < jpeg.count && !(jpeg.bytes[scan] == 0xff && jpeg.bytes[scan + 1] == 0xda)) scan++;
    const int32_t end = (int32_t)jpeg.count - 2, one = end - scan; // its end marker stays last
    EXPECT(one > 0);
    int32_t count = end;
    memcpy(many, jpeg.bytes, (size_t)end);
    for (int k = 0; k < 8; k++, count += one) memcpy(many + count, jpeg.bytes + scan, (size_t)one);
    memcpy(many + count, jpeg.bytes + end, 2);
    uint8_t *texels;
    EXPECT_REFUSED(thatch_image_load_memory(many, count + 2, "many", &texels, &width, &height), THATCH_ERROR_FILE,
                   "more scans than a picture has");
    return 0;
}

static int test_small_files_of_huge_pictures_are_refused(void)
{
    EXPECT(make_samples(samples) == 0);
    Sample png = samples[0];
    memcpy(png.bytes + 16, (uint8_t[8]){0, 0, 0x20, 0, 0, 0, 0x20, 0}, 8); // 8192 x 8192
    uint8_t *texels;
    int32_t width, height;
    EXPECT_REFUSED(thatch_image_load_memory(png.bytes, png.count, "png", &texels, &width, &height), THATCH_ERROR_FILE,
                   "truncated");
    memcpy(png.bytes + 16, (uint8_t[8]){0, 0, 0x20, 1, 0, 0, 0, 1}, 8);
    EXPECT(thatch_image_load_memory(png.bytes, png.count, "png", &texels, &width, &height) < 0);
    EXPECT_REFUSED(thatch_image_load_memory((const uint8_t *)"GIF89a, and so on", 17, "gif", &texels, &width, &height),
                   THATCH_ERROR_FILE, "gif is of no known format");
    return 0;
}

static int test_files_are_written_whole_or_not_at_all(void)
{
    draw_picture();
    char folder[] = "/tmp/thatch-test-XXXXXX", path[64], aside[96];
    EXPECT(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.png", folder);
    snprintf(aside, sizeof aside, "%s.tmp.%ld", path, (long)getpid());
    EXPECT(thatch_image_write(path, picture, WIDTH, HEIGHT) == THATCH_OK && access(aside, F_OK) != 0);
    uint8_t *texels;
    int32_t width, height;
    EXPECT(thatch_image_load(path, &texels, &width, &height) == THATCH_OK && width == WIDTH && height == HEIGHT);
    EXPECT(memcmp(texels, picture, sizeof picture) == 0);
    thatch_image_free(texels);
    EXPECT(unlink(path) == 0);
    EXPECT_REFUSED(thatch_image_load(path, &texels, &width, &height), THATCH_ERROR_FILE,
                   "can't be opened: No such file");
    EXPECT_REFUSED(thatch_image_load(folder, &texels, &width, &height), THATCH_ERROR_FILE, "is no regular file");
    EXPECT_REFUSED(thatch_image_write("/nowhere/a.png", picture, WIDTH, HEIGHT), THATCH_ERROR_FILE, "can't be written");
    EXPECT_REFUSED(thatch_image_write("a.gif", picture, WIDTH, HEIGHT), THATCH_ERROR_ARGUMENT,
                   "path is a.gif, need one that ends in");
    EXPECT_REFUSED(thatch_image_write(path, picture, 0, HEIGHT), THATCH_ERROR_ARGUMENT, "width is 0");
    EXPECT(rmdir(folder) == 0);
    return 0;
}

static int test_short_memory_is_reported(void)
{
    EXPECT(make_samples(samples) == 0);
    const double held = thatch_memory_bytes();
    for (int i = 0; i < 5; i++) {
        for (int nth = 1;; nth++) {
            uint8_t *texels;
            int32_t width, height;
            thatch_fail_allocation(nth);
            const int32_t status =
                thatch_image_load_memory(samples[i].bytes, samples[i].count, "x", &texels, &width, &height);
            thatch_fail_allocation(0);
            if (status == THATCH_OK) thatch_image_free(texels);
            EXPECT(thatch_memory_bytes() == held);
            if (status == THATCH_OK) break;
        }
    }
    for (int format = 0; format < 2; format++) {
        for (int nth = 1, failed = 1; failed; nth++) {
            int64_t count;
            thatch_fail_allocation(nth);
            uint8_t *bytes = format ? stb_unit_encode_jpeg(picture, WIDTH, HEIGHT, &count)
                                    : stb_unit_encode_png(picture, WIDTH, HEIGHT, &count);
            thatch_fail_allocation(0);
            failed = !bytes;
            memory_free(bytes);
            EXPECT(thatch_memory_bytes() == held);
        }
    }
    return 0;
}

const Test image_tests[] = {
    TEST(each_format_is_read),
    TEST(each_prefix_is_refused_as_truncated),
    TEST(corrupt_files_do_no_harm),
    TEST(huffman_tables_with_too_many_codes_are_refused),
    TEST(a_jpeg_of_many_scans_is_refused),
    TEST(small_files_of_huge_pictures_are_refused),
    TEST(files_are_written_whole_or_not_at_all),
    TEST(short_memory_is_reported),
    TESTS_END,
};
