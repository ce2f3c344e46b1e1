// Status codes and the last error's message, one per thread.
#pragma once
#include "thatch.h"

// Stores the message and returns `code`, so that a function can `return error_set(...)`.
int32_t error_set(int32_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The code of the last error on this thread: for callers of functions that return null with the error set.
int32_t error_last_code(void);

// Refuses an argument: message reads `thing: field is value, need condition`.
#define CHECK_ARG(condition, ...)                                                                                      \
    do {                                                                                                               \
        if (!(condition)) return error_set(THATCH_ERROR_ARGUMENT, __VA_ARGS__);                                        \
    } while (0)
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const int32_t status_ = (call);                                                                                \
        if (status_ != THATCH_OK) return status_;                                                                      \
    } while (0)

#ifdef THATCH_DEBUG
void assert_failed(const char *text, const char *file, int line) __attribute__((noreturn));
#define ASSERT(condition) ((condition) ? (void)0 : assert_failed(#condition, __FILE__, __LINE__))
#else
#define ASSERT(condition) ((void)0)
#endif
// Costly whole-structure checks: their own build option.
#ifdef THATCH_VALIDATE
#define VALIDATE(call) ASSERT(call)
#else
#define VALIDATE(call) ((void)0)
#endif
