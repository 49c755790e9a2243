/* What this process has spent on planning, in processor time, and how long planning waits where
   that is more than its share. */
#ifndef TOURNEY_MPI_GUARD_PLANNING_H
#define TOURNEY_MPI_GUARD_PLANNING_H

#include <stdint.h>

void tny_planning_add(double ns);
/* After how many calls of that length planning may go on; 0: now. `start_ns`: when the process
   began, by tny_clock_ns. */
uint64_t tny_planning_wait(double start_ns, double call_ns);

#endif
