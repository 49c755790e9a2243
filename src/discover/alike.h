/* Numbers that were measured: sorted, the usual one of them, and made alike where they are of the
   same thing. */
#ifndef TOURNEY_DISCOVER_ALIKE_H
#define TOURNEY_DISCOVER_ALIKE_H

#include <stddef.h>
#include <stdint.h>

#define TNY_USUAL_OFF 0.02 /* by so much does a usual number differ from another one */

void tny_sort_numbers(double *numbers, size_t count);
/* Of sorted times, at least one, that it took to do the same again and again: the least that comes
   often. */
double tny_find_usual(const double *sorted, size_t count);
/* Makes numbers alike that differ by no more than a share of the greater: each is then the median
   of its group. Zeros stay. */
void tny_make_alike(double *numbers, uint32_t count, double share);

#endif
