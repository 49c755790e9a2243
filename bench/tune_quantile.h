/* Quantiles of samples. */
#ifndef TOURNEY_BENCH_TUNE_QUANTILE_H
#define TOURNEY_BENCH_TUNE_QUANTILE_H

#include <stdint.h>

void tune_sort(double *values, uint32_t count);
/* The quantile q of n sorted values lies at position q * (n - 1), between two by interpolation. */
double tune_quantile(const double *sorted, uint32_t count, double q);

#endif
