/* The spread of a few times. */
#include "mpi/guard/samples.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

struct tny_guard_spread tny_guard_spread_of(const double *samples_ns, uint32_t count,
                                            bool is_native)
{
  double sorted[TNY_GUARD_SAMPLES];
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = samples_ns[i];
  qsort(sorted, count, sizeof *sorted, compare);
  const double middle = sorted[(count - 1) / 2];
  return (struct tny_guard_spread){.lower_ns = sorted[count / 4],
                                   .median_ns =
                                       is_native ? middle : (middle + sorted[count / 2]) / 2,
                                   .upper_ns = sorted[count - 1 - count / 4]};
}
