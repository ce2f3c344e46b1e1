// Boxes, text, and the UTF-8 that text is made of.
#include "io/font.h"
#include "test.h"

static int test_boxes_are_clipped_and_blended(void)
{
    enum { W = 8, H = 4 };
    uint8_t canvas[4 * W * H] = {0};
    EXPECT(thatch_draw_box(canvas, W, H, 6, 2, 100, 100, 0xff8000ffu) == THATCH_OK);
    for (int i = 0; i < W * H; i++) {
        const int inside = i % W >= 6 && i / W >= 2;
        EXPECT(canvas[4 * i] == (inside ? 255 : 0) && canvas[4 * i + 1] == (inside ? 128 : 0) &&
               canvas[4 * i + 3] == (inside ? 255 : 0));
    }
    EXPECT(thatch_draw_box(canvas, W, H, -5, -5, 6, 6, 0xffffff80u) == THATCH_OK);
    EXPECT(canvas[0] == 128 && canvas[3] == 128 && canvas[4] == 0);
    EXPECT(thatch_draw_box(canvas, W, H, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX, 0xffffffffu) == THATCH_OK);
    EXPECT(thatch_draw_box(canvas, W, H, -2000000000, -2000000000, INT32_MAX, INT32_MAX, 0xff) == THATCH_OK);
    EXPECT(canvas[4 * (W * H - 1)] == 0 && canvas[4 * (W * H - 1) + 3] == 255);
    EXPECT_REFUSED(thatch_draw_box(canvas, W, H, 0, 0, -1, 1, 0), THATCH_ERROR_ARGUMENT, "size is -1 x 1");
    EXPECT_REFUSED(thatch_draw_box(NULL, W, H, 0, 0, 1, 1, 0), THATCH_ERROR_ARGUMENT, "rgba is null");
    return 0;
}

static int test_broken_utf8_becomes_replacement_characters(void)
{
    static const uint32_t expected[] = {'a',    0xe9,   0x20ac, 0x1f33f, 0xfffd, 'b',
                                        0xfffd, 0xfffd, 0xfffd, 0xfffd,  0xfffd, 0};
    const char *text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xbf\xff"
                       "b\xc0\xaf\xed\xa0\x80"; // overlong; a surrogate
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) EXPECT(font_next_codepoint(&text) == expected[i]);
    text = "\xe2\x82"; // cut
    EXPECT(font_next_codepoint(&text) == 0xfffd && font_next_codepoint(&text) == 0xfffd &&
           font_next_codepoint(&text) == 0);
    return 0;
}

static int test_fonts_refuse_what_they_cannot_read(void)
{
    ThatchFont font = 5;
    int32_t width, height;
    EXPECT_REFUSED(thatch_font_create("/nowhere.ttf", 16, &font), THATCH_ERROR_FILE, "/nowhere.ttf can't be opened");
    EXPECT(font == 0);
    EXPECT_REFUSED(thatch_font_create("/proc/self/exe", 16, &font), THATCH_ERROR_FILE, "is of no known format");
    EXPECT_REFUSED(thatch_font_create("/nowhere.ttf", 3, &font), THATCH_ERROR_ARGUMENT, "size_px is 3, need 4 .. 256");
    EXPECT_REFUSED(thatch_font_measure(0, "x", &width, &height), THATCH_ERROR_STALE, "font is 0, need a font");
    return 0;
}

static int test_text_is_measured_and_clipped(void)
{
    ThatchFont font;
    // Skipped without that font: the project brings none.
    if (thatch_font_create("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 20, &font) != THATCH_OK) return 0;
    int32_t width, height, two_width, two_height;
    EXPECT(thatch_font_measure(font, "Thatch \xe2\x82\xac", &width, &height) == THATCH_OK && width > 60 &&
           height >= 20);
    EXPECT(thatch_font_measure(font, "Thatch \xe2\x82\xac\nx", &two_width, &two_height) == THATCH_OK);
    EXPECT(two_width == width && two_height == 2 * height);
    static uint8_t canvas[4 * 32 * 16];
    int painted = 0;
    EXPECT(thatch_draw_text(canvas, 32, 16, font, -4, -4, 0xffffffffu, "MMMMMMMM\nMMMM") == THATCH_OK);
    for (int i = 0; i < 32 * 16; i++) painted += canvas[4 * i] > 0;
    EXPECT(painted > 50);
    EXPECT(thatch_draw_text(canvas, 32, 16, font, INT32_MAX, INT32_MIN, 0xffffffffu, "M") == THATCH_OK);
    thatch_font_destroy(font);
    EXPECT_REFUSED(thatch_draw_text(canvas, 32, 16, font, 0, 0, 0, "M"), THATCH_ERROR_STALE, "font is stale");
    return 0;
}

const Test draw_tests[] = {
    TEST(boxes_are_clipped_and_blended),
    TEST(broken_utf8_becomes_replacement_characters),
    TEST(fonts_refuse_what_they_cannot_read),
    TEST(text_is_measured_and_clipped),
    TESTS_END,
};
