/* Numbers that were measured: sorted, and made alike where they are of the same thing. */
#ifndef TOURNEY_DISCOVER_ALIKE_H
#define TOURNEY_DISCOVER_ALIKE_H

#include <stddef.h>
#include <stdint.h>

void tny_sort_numbers(double *numbers, size_t count);
/* Makes numbers alike that differ by no more than a share of the greater: each is then the median
   of its group. Zeros stay. */
void tny_make_alike(double *numbers, uint32_t count, double share);

#endif
