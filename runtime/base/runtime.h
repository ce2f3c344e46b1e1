// The runtime's start: workers and instruction set.
#pragma once
#include <stdint.h>

// Starts with (0, -1) when nothing was started yet. Every public function that runs jobs or kernels calls it first.
int32_t runtime_ensure(void);
int32_t runtime_isa(void); // THATCH_ISA_*: the one whose kernels run; the best before the start
