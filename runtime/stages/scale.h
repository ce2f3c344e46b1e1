// Where a frame's pixels lie between those of its window.
#pragma once
#include <stdint.h>

/// to_width + 16 columns (the last of zeros) and to_height rows: for each the pixel before it, then its share of the
/// next one in 256ths. tables: 2 * (to_width + 16 + to_height), columns first.
void scale_tables(int32_t from_width, int32_t from_height, int32_t to_width, int32_t to_height, int32_t *tables);
