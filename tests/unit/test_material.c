// Materials, the registry of shadings, and water.
#include "store/material.h"
#include "test.h"

#include <math.h>

static int test_keeps_its_own_names(void)
{
    ThatchMaterialDef def, got;
    thatch_material_defaults(&def);
    char name[] = "bark", shading[] = "leaf.old";
    def.name = name, def.shading = shading;
    ThatchMaterial handle;
    EXPECT(thatch_material_create(&def, &handle) == THATCH_OK);
    name[0] = shading[0] = 'x';
    EXPECT(thatch_material_get(handle, &got) == THATCH_OK);
    EXPECT(strcmp(got.name, "bark") == 0 && strcmp(got.shading, "leaf.old") == 0);
    got.opacity = 0.5f;
    EXPECT(thatch_material_set(handle, &got) == THATCH_OK); // from its own strings
    EXPECT(thatch_material_get(handle, &got) == THATCH_OK);
    EXPECT(strcmp(got.name, "bark") == 0 && strcmp(got.shading, "leaf.old") == 0 && got.opacity == 0.5f);
    thatch_material_destroy(handle);
    EXPECT(!thatch_material_is_valid(handle));
    EXPECT_REFUSED(thatch_material_get(handle, &got), THATCH_ERROR_STALE, "material is stale");
    return 0;
}

static int test_material_refusals_name_the_field(void)
{
    ThatchMaterial handle;
#define REFUSES(change, text)                                                                                          \
    do {                                                                                                               \
        ThatchMaterialDef def;                                                                                         \
        thatch_material_defaults(&def);                                                                                \
        change;                                                                                                        \
        EXPECT(thatch_material_create(&def, &handle) < 0 && handle == 0);                                              \
        EXPECT(strstr(thatch_last_error(), text));                                                                     \
    } while (0)
    REFUSES(def.internal_value++, "internal_value is");
    REFUSES(def.kind = 5, "kind is 5, need 0 .. 4");
    REFUSES(def.color[1] = 2.0f, "color[1] is 2, need 0 .. 1");
    REFUSES(def.opacity = -1.0f, "opacity is -1");
    REFUSES(def.emissive[2] = NAN, "emissive[2] is");
    REFUSES(def.emissive_intensity = -1.0f, "emissive_intensity is -1");
    REFUSES(def.shininess = 0.0f, "shininess is 0");
    REFUSES(def.roughness = 2.0f, "roughness is 2");
    REFUSES(def.metalness = 2.0f, "metalness is 2");
    REFUSES(def.alpha_mode = 3, "alpha_mode is 3");
    REFUSES(def.alpha_cutoff = 2.0f, "alpha_cutoff is 2");
    REFUSES(def.shading = "Leaf", "shading: name is \"Leaf\"");
    REFUSES(def.map = 5, "need a texture");
#undef REFUSES
    return 0;
}

static int test_the_registry_is_sorted_and_replaces(void)
{
    ThatchShadingDef def, got;
    thatch_shading_defaults(&def);
    EXPECT(def.sway_every == 1);
    EXPECT(thatch_shading_register("grass", &def) == THATCH_OK && thatch_shading_register("bark", &def) == THATCH_OK);
    const char *kept = thatch_shading_name(1);
    def.sway_amplitude_m = 0.5f;
    EXPECT(thatch_shading_register("leaf_2", &def) == THATCH_OK && thatch_shading_register("grass", &def) == THATCH_OK);
    EXPECT(thatch_shading_count() == 3 && thatch_shading_name(3) == NULL && thatch_shading_name(-1) == NULL);
    EXPECT(strcmp(thatch_shading_name(0), "bark") == 0 && strcmp(thatch_shading_name(1), "grass") == 0 &&
           kept == thatch_shading_name(1));
    EXPECT(thatch_shading_describe("grass", &got) == THATCH_OK && got.sway_amplitude_m == 0.5f);
    EXPECT(shading_find("leaf_2") && !shading_find("leaf"));
    EXPECT_REFUSED(thatch_shading_register("", &def), THATCH_ERROR_ARGUMENT, "name is \"\"");
    EXPECT_REFUSED(thatch_shading_register(NULL, &def), THATCH_ERROR_ARGUMENT, "name is null");
    EXPECT_REFUSED(thatch_shading_register("a234567890123456789012345678901234567890abcdefgh", &def),
                   THATCH_ERROR_ARGUMENT, "need 1 .. 47");
    def.sway_every = 61;
    EXPECT_REFUSED(thatch_shading_register("grass", &def), THATCH_ERROR_ARGUMENT, "sway_every is 61, need 0 .. 60");
    EXPECT_REFUSED(thatch_shading_remove("leaf"), THATCH_ERROR_ARGUMENT, "name is leaf, need a registered one");
    EXPECT(thatch_shading_remove("bark") == THATCH_OK && thatch_shading_remove("grass") == THATCH_OK);
    EXPECT(thatch_shading_remove("leaf_2") == THATCH_OK && thatch_shading_count() == 0);
    return 0;
}

static int test_water_checks_its_fields_and_rings(void)
{
    ThatchWaterDef def;
    ThatchWater handle;
    thatch_water_defaults(&def);
    EXPECT(thatch_water_create(&def, &handle) == THATCH_OK);
    const float rings[8] = {1, 2, 3, 0.5f, 1, 2, 3, 2.0f};
    EXPECT(thatch_water_set_rings(handle, rings, 1) == THATCH_OK);
    EXPECT_REFUSED(thatch_water_set_rings(handle, rings, 2), THATCH_ERROR_ARGUMENT, "ring strength is 2");
    EXPECT_REFUSED(thatch_water_set_rings(handle, rings, 65), THATCH_ERROR_ARGUMENT, "ring count is 65");
    def.max[1] = def.min[1];
    EXPECT_REFUSED(thatch_water_set(handle, &def), THATCH_ERROR_ARGUMENT, "water: max[1] is -5, need more than min");
    thatch_water_destroy(handle);
    EXPECT(!thatch_water_is_valid(handle));
    return 0;
}

const Test material_tests[] = {
    TEST(keeps_its_own_names),
    TEST(material_refusals_name_the_field),
    TEST(the_registry_is_sorted_and_replaces),
    TEST(water_checks_its_fields_and_rings),
    TESTS_END,
};
