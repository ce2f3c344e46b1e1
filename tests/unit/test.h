// The unit tests' few words. A test returns 0 when it holds.
#pragma once
#include "thatch.h"

#include <stdio.h>
#include <string.h>

typedef struct Test {
    const char *name; // null: the end
    int (*run)(void);
} Test;

#define TEST(name)                                                                                                     \
    {                                                                                                                  \
#name, test_##name                                                                                             \
    }
#define TESTS_END                                                                                                      \
    {                                                                                                                  \
        NULL, NULL                                                                                                     \
    }

static inline int test_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n    last error: %s\n", file, line, what, thatch_last_error());
    return 1;
}

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) return test_failed(__FILE__, __LINE__, #condition);                                          \
    } while (0)
// The call is refused with this code, and the message holds this text.
#define EXPECT_REFUSED(call, code, text)                                                                               \
    do {                                                                                                               \
        EXPECT((call) == (code));                                                                                      \
        EXPECT(strstr(thatch_last_error(), text) != NULL);                                                             \
    } while (0)
