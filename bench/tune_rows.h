/* A collective and size by several algorithms, measured. */
#ifndef TOURNEY_BENCH_TUNE_ROWS_H
#define TOURNEY_BENCH_TUNE_ROWS_H

#include "bench/tune_context.h"

/* Measures a row, which is as tune_ranks.c says, and prints its points, if there is time for it.
   False where it can't be understood. */
bool tune_row(struct tune_context *context, const char *text);

#endif
