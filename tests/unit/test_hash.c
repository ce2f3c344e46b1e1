#include "test.h"

static void hex(const uint8_t *hash16, char *text33)
{
    for (int i = 0; i < 16; i++) sprintf(text33 + 2 * i, "%02x", hash16[i]);
}

static int test_known_answers(void)
{
    uint8_t hash[16];
    char text[33];
    thatch_hash_bytes(NULL, 0, hash);
    hex(hash, text);
    EXPECT(strcmp(text, "99aa06d3014798d86001c324468d497f") == 0); // published for no input
    thatch_hash_bytes((const uint8_t *)"a", 1, hash);
    hex(hash, text);
    EXPECT(strcmp(text, "a96faf705af16834e6c632b61e964e1f") == 0);
    thatch_hash_bytes((const uint8_t *)"abc", 3, hash);
    hex(hash, text);
    EXPECT(strcmp(text, "06b05ab6733a618578af5f94892f3950") == 0);
    return 0;
}

static int test_pieces_hash_as_the_whole(void)
{
    uint8_t bytes[5000], whole[16], pieces[16];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 37);
    thatch_hash_bytes(bytes, sizeof bytes, whole);
    ThatchHashState *state = thatch_hash_begin();
    EXPECT(state);
    for (size_t at = 0; at < sizeof bytes; at += 7)
        thatch_hash_add(state, bytes + at, at + 7 < sizeof bytes ? 7 : sizeof bytes - at);
    thatch_hash_add(state, NULL, 3);
    thatch_hash_end(state, pieces);
    EXPECT(memcmp(whole, pieces, 16) == 0);
    thatch_hash_end(NULL, pieces);
    return 0;
}

const Test hash_tests[] = {
    TEST(known_answers),
    TEST(pieces_hash_as_the_whole),
    TESTS_END,
};
