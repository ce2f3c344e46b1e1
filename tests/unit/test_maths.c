// The runtime's maths against libm in double, over its whole range.
#include "base/maths.h"
#include "test.h"

#include <float.h>
#include <math.h>

static int test_sine_and_cosine_hold_to_2e_7(void)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < 400000; i++) {
        float x = (thatch_random(1, i, 0) * 2.0f - 1.0f) * 1e5f;
        if (i % 2) x *= 1e-4f;
        worst = fmax(worst, fabs(sin((double)x) - (double)thatch_sin(x)));
        worst = fmax(worst, fabs(cos((double)x) - (double)thatch_cos(x)));
    }
    EXPECT(worst < 2e-7);
    EXPECT(thatch_sin(0.0f) == 0.0f && thatch_cos(0.0f) == 1.0f);
    EXPECT(fabsf(thatch_sin(1e30f)) <= 1.0f && fabsf(thatch_cos(INFINITY)) <= 1.0f && thatch_sin(NAN) == 0.0f);
    return 0;
}

static int test_exp_log_and_pow_hold_to_2e_7(void)
{
    double worst_exp = 0.0, worst_log = 0.0, worst_pow = 0.0;
    for (uint32_t i = 0; i < 200000; i++) {
        const float x = thatch_random(2, i, 0) * 174.0f - 87.0f;
        worst_exp = fmax(worst_exp, fabs((double)thatch_exp(x) / exp((double)x) - 1.0));
        worst_exp = fmax(worst_exp, fabs((double)maths_exp2(x) / exp2((double)x) - 1.0));
        const float p = (float)exp((double)x);
        worst_log = fmax(worst_log, fabs((double)thatch_log(p) - log((double)p)) / fmax(1.0, fabs(log((double)p))));
        worst_log = fmax(worst_log, fabs((double)maths_log2(p) - log2((double)p)) / fmax(1.0, fabs(log2((double)p))));
        const float y = thatch_random(3, i, 0) * 4.0f - 2.0f;
        if (fabs(log2((double)p) * (double)y) < 125.0) {
            worst_pow = fmax(worst_pow, fabs((double)thatch_pow(p, y) / pow((double)p, (double)y) - 1.0));
        }
    }
    EXPECT(worst_exp < 2e-7 && worst_log < 2e-7 && worst_pow < 2e-7);
    return 0;
}

static int test_ends_of_the_ranges(void)
{
    EXPECT(thatch_exp(0.0f) == 1.0f && isinf(thatch_exp(89.0f)) && thatch_exp(-200.0f) == 0.0f &&
           isnan(thatch_exp(NAN)));
    EXPECT(isinf(maths_exp2(128.0f)) && maths_exp2(-127.0f) == 0.0f && maths_exp2(3.0f) == 8.0f);
    EXPECT(thatch_log(1.0f) == 0.0f && thatch_log(0.0f) == -INFINITY && isnan(thatch_log(-1.0f)));
    EXPECT(fabsf(thatch_log(FLT_MIN / 1024.0f) - (float)log((double)(FLT_MIN / 1024.0f))) < 1e-5f);
    EXPECT(thatch_pow(0.0f, 2.0f) == 0.0f && thatch_pow(0.0f, 0.0f) == 1.0f && thatch_pow(2.0f, 10.0f) == 1024.0f);
    EXPECT(isinf(thatch_pow(10.0f, 60.0f)) && thatch_pow(10.0f, -60.0f) == 0.0f && isnan(thatch_pow(-1.0f, 2.0f)));
    return 0;
}

static int test_srgb_matches_its_definition_and_inverts(void)
{
    for (int i = 0; i <= 255; i++) {
        const double encoded = i / 255.0;
        const double linear = encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
        EXPECT(fabs((double)thatch_srgb_decode((float)encoded) - linear) < 3e-7);
        EXPECT(fabs((double)thatch_srgb_encode((float)linear) - encoded) < 5e-7);
    }
    return 0;
}

// three.js's ACESFilmicToneMapping in double.
static void aces(const double in[3], double out[3])
{
    static const double input[3][3] = {
        {0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566}, {0.02840, 0.13383, 0.83777}};
    static const double output[3][3] = {
        {1.60475, -0.53108, -0.07367}, {-0.10208, 1.10813, -0.00605}, {-0.00327, -0.07276, 1.07602}};
    double fitted[3];
    for (int r = 0; r < 3; r++) {
        double v = 0.0;
        for (int c = 0; c < 3; c++) v += input[r][c] * in[c] / 0.6;
        fitted[r] = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    }
    for (int r = 0; r < 3; r++) {
        double v = 0.0;
        for (int c = 0; c < 3; c++) v += output[r][c] * fitted[c];
        out[r] = fmin(fmax(v, 0.0), 1.0);
    }
}

static int test_the_tone_curve_is_three_js_s(void)
{
    for (uint32_t i = 0; i < 10000; i++) {
        float in[3], out[3];
        double wide[3], expected[3];
        for (uint32_t k = 0; k < 3; k++) {
            in[k] = thatch_random(4, i, k) * (i % 2 ? 1.0f : 20.0f);
            wide[k] = (double)in[k];
        }
        thatch_tone_aces(in, out);
        aces(wide, expected);
        for (int k = 0; k < 3; k++) EXPECT(fabs((double)out[k] - expected[k]) < 2e-6);
    }
    return 0;
}

static int test_random_numbers_are_even_and_keep_their_values(void)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < 100000; i++) {
        const float r = thatch_random(5, i, 1);
        EXPECT(r >= 0.0f && r < 1.0f);
        sum += (double)r;
    }
    EXPECT(fabs(sum / 100000.0 - 0.5) < 0.005);
    EXPECT(thatch_random_bits(1, 2, 3) == thatch_random_bits(1, 2, 3));
    EXPECT(thatch_random_bits(1, 2, 3) != thatch_random_bits(1, 3, 2));
    return 0;
}

const Test maths_tests[] = {
    TEST(sine_and_cosine_hold_to_2e_7),
    TEST(exp_log_and_pow_hold_to_2e_7),
    TEST(ends_of_the_ranges),
    TEST(srgb_matches_its_definition_and_inverts),
    TEST(the_tone_curve_is_three_js_s),
    TEST(random_numbers_are_even_and_keep_their_values),
    TESTS_END,
};
