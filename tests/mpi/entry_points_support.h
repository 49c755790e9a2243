/* What entry_points.c and its exchanges, in C and in Fortran (entry_points_exchange.F90), share. */
#ifndef TOURNEY_TESTS_ENTRY_POINTS_SUPPORT_H
#define TOURNEY_TESTS_ENTRY_POINTS_SUPPORT_H

#include <mpi.h>

enum { EXCHANGED_BLOCK = 9001 }; /* integers */

/* The index-th number, from 1, of what rank `from` gives for `to`. */
static inline int exchanged_number(int from, int to, int index)
{
  return from * 1000003 + to * 10007 + index;
}

/* Each calls two broadcasts, two all-gathers and two all-to-alls on MPI_COMM_WORLD, and adds to
   `wrong` the numbers that didn't arrive. */
void exchange_c(const int *by_pmpi, int *wrong);
void exchange_fortran(int *wrong);

#endif
