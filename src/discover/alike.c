/* Measurements of things that are the same differ: they are put together in groups. */
#include "discover/alike.h"

#include <stdlib.h>

#include "core/alloc.h"

#define OFTEN 0.2 /* of the numbers */

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void tny_sort_numbers(double *numbers, size_t count)
{
  qsort(numbers, count, sizeof *numbers, compare);
}

/* What disturbs a processor makes it slower by more or less, so that its own time is one that comes
   again. One that is shorter, and rare, isn't its usual one either. */
double tny_find_usual(const double *sorted, size_t count)
{
  size_t end = 0;
  for (size_t i = 0; i < count; i++) {
    while (end < count && sorted[end] <= (1 + 2 * TNY_USUAL_OFF) * sorted[i])
      end++;
    if ((double)(end - i) >= OFTEN * (double)count)
      return sorted[(i + end) / 2];
  }
  return sorted[count / 2];
}

/* The last of a group that begins at `first` of the sorted numbers. */
static uint32_t end_of_group(const double *sorted, uint32_t count, uint32_t first, double share)
{
  uint32_t end = first + 1;
  while (end < count && sorted[end] * (1 - share) <= sorted[first])
    end++;
  return end;
}

void tny_make_alike(double *numbers, uint32_t count, double share)
{
  double *sorted = tny_new(count + 1, sizeof *sorted);
  if (!sorted)
    return; /* they stay as they were measured, which is right too */
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = numbers[i];
  tny_sort_numbers(sorted, count);
  for (uint32_t first = 0, end; first < count; first = end) {
    end = end_of_group(sorted, count, first, share);
    const double least = sorted[first], most = sorted[end - 1], middle = sorted[(first + end) / 2];
    for (uint32_t i = 0; i < count; i++)
      if (numbers[i] >= least && numbers[i] <= most)
        numbers[i] = middle;
  }
  tny_free(sorted);
}
