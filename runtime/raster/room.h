// What the raster core's steps share: room for their arrays.
#pragma once
#include "raster/pass.h"

#include <stddef.h>

int32_t pass_room(void **array, int32_t *capacity, int64_t count, size_t size);
int32_t pass_reserve(void **array, int32_t *capacity, int64_t count, int64_t first, size_t size);
int32_t pass_room_screen(Pass *pass, int64_t vertices);
int32_t pass_room_records(Pass *pass, int64_t records);
