/* What messages cost the machine, measured. */
#ifndef TOURNEY_BENCH_TUNE_MACHINE_H
#define TOURNEY_BENCH_TUNE_MACHINE_H

#include "bench/tune_context.h"

/* Measures and prints it, a line for each number. */
void tune_machine(const struct tune_context *context);

#endif
