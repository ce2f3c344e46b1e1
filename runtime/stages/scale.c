#include "stages/scale.h"

#include <math.h>
#include <string.h>

// One axis: pixel i of the window stands at (i + 1/2) * from / to - 1/2 of the frame, held within it.
static void scale_axis(int32_t from, int32_t to, int32_t *at, int32_t *share)
{
    for (int32_t i = 0; i < to; i++) {
        double place = (i + 0.5) * from / to - 0.5;
        if (place < 0.0) place = 0.0;
        int32_t first = (int32_t)place;
        if (first > from - 1) first = from - 1;
        at[i] = first;
        share[i] = first == from - 1 ? 0 : (int32_t)floor((place - first) * 256.0 + 0.5);
    }
}

void scale_tables(int32_t from_width, int32_t from_height, int32_t to_width, int32_t to_height, int32_t *tables)
{
    const int32_t columns = to_width + 16;
    memset(tables, 0, sizeof(int32_t) * 2 * (size_t)(columns + to_height));
    scale_axis(from_width, to_width, tables, tables + columns);
    scale_axis(from_height, to_height, tables + 2 * columns, tables + 2 * columns + to_height);
}
