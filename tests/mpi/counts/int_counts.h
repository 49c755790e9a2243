/* Included before all else, this has a program as passed.c call the functions of int
   counts. */
#ifndef TOURNEY_TESTS_MPI_INT_COUNTS_H
#define TOURNEY_TESTS_MPI_INT_COUNTS_H

#include "mpi/mpi4.h"

typedef int call_count;
typedef int call_displacement;

#endif
