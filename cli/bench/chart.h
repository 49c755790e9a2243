/* The chart of a bench. */
#ifndef TOURNEY_BENCH_CHART_H
#define TOURNEY_BENCH_CHART_H

#include "stats.h"

/* Draws native, planned and the best peer of each complete row as bars of their share of the bound,
   with their quartiles, as SVG. */
enum tny_status bench_chart_draw(struct bench_result *result, const char *path,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
