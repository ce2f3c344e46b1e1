// Runs the unit tests. Arguments: parts of names; a test whose `suite.name` holds one of them is run. None: all.
#include "test.h"

extern const Test pool_tests[], memory_tests[], jobs_tests[], maths_tests[], geometry_tests[], texture_tests[],
    material_tests[], scene_tests[], camera_tests[], quality_tests[], image_tests[], hash_tests[], draw_tests[],
    raster_tests[], stages_tests[], shading_tests[], shadow_tests[], lamps_tests[], io_tests[],
    abuse_tests[];

static const struct {
    const char *name;
    const Test *tests;
} suites[] = {
    {"pool", pool_tests},         {"memory", memory_tests},   {"jobs", jobs_tests},         {"maths", maths_tests},
    {"geometry", geometry_tests}, {"texture", texture_tests}, {"material", material_tests}, {"scene", scene_tests},
    {"camera", camera_tests},     {"quality", quality_tests}, {"image", image_tests},       {"hash", hash_tests},
    {"draw", draw_tests},         {"raster", raster_tests},   {"stages", stages_tests},   {"shading", shading_tests},
    {"shadow", shadow_tests},     {"lamps", lamps_tests},     {"io", io_tests},           {"abuse", abuse_tests},
};

static int is_wanted(const char *name, int filter_count, char **filters)
{
    for (int i = 0; i < filter_count; i++) {
        if (strstr(name, filters[i])) return 1;
    }
    return filter_count == 0;
}

int main(int argc, char **argv)
{
    int run = 0, failed = 0;
    for (size_t s = 0; s < sizeof suites / sizeof suites[0]; s++) {
        for (const Test *test = suites[s].tests; test->name; test++) {
            char name[128];
            snprintf(name, sizeof name, "%s.%s", suites[s].name, test->name);
            if (!is_wanted(name, argc - 1, argv + 1)) continue;
            run++;
            if (test->run() == 0) continue;
            failed++;
            fprintf(stderr, "FAILED %s\n", name);
        }
    }
    printf("%d tests, %d failed\n", run, failed);
    return failed > 0 || run == 0;
}
