/* What MPI programs that the tool starts need first: the runtime's functions, and who the ranks
   are. */
#ifndef TOURNEY_BENCH_WORLD_H
#define TOURNEY_BENCH_WORLD_H

#include <stdbool.h>

#include <mpi.h>

/* Looks one of the runtime's functions up, into a pointer to it: so it is whatever this program is
   linked as. False: the runtime isn't loaded here. */
bool bench_find_function(const char *name, void *function);
/* Whether what holds here holds at every rank. Collective. */
bool bench_is_everywhere(bool here, MPI_Comm comm);
/* Prints "ranks P", then "rank R host NAME" for each, at rank 0. Collective. */
void bench_report_hosts(void);

#endif
