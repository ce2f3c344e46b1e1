// Status codes and the last error's message, one per thread.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local char last_message[512];
static _Thread_local int32_t last_code;

int32_t error_set(int32_t code, const char *format, ...)
{
    // Built aside: an argument may point into the old message.
    char message[sizeof last_message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    snprintf(last_message, sizeof last_message, "%s", message);
    last_code = code;
    return code;
}

int32_t error_last_code(void)
{
    return last_code;
}

const char *thatch_last_error(void)
{
    return last_message;
}

#ifdef THATCH_DEBUG
void assert_failed(const char *text, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, text);
    abort();
}
#endif
