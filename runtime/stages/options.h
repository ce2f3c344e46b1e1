// What stages are told: checked before anything changes.
#pragma once
#include "thatch.h"

/// function: whose call it is, for the message.
int32_t options_check_resolve(const char *function, const ThatchResolveOptions *options);
int32_t options_check_shadow(const ThatchShadowOptions *options);
