/* Quantiles by sorting. */
#include "bench/tune_quantile.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

void tune_sort(double *values, uint32_t count)
{
  qsort(values, count, sizeof *values, compare);
}

double tune_quantile(const double *sorted, uint32_t count, double q)
{
  const double position = q * (double)(count - 1);
  const uint32_t below = (uint32_t)position;
  const double low = sorted[below];
  return below + 1 == count ? low : low + (position - (double)below) * (sorted[below + 1] - low);
}
