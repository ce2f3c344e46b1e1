// Which instruction set's kernels run.
#pragma once
#include <stdbool.h>
#include <stdint.h>

int32_t isa_best(void); // the best that this machine has: THATCH_ISA_*
bool isa_supported(int32_t isa);
int32_t isa_from_name(const char *name); // -1 when unknown
const char *isa_name(int32_t isa);
const char *isa_cpu_name(void);
