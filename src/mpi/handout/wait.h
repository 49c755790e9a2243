/* Waiting for what takes another rank's processor a while. */
#ifndef TOURNEY_MPI_HANDOUT_WAIT_H
#define TOURNEY_MPI_HANDOUT_WAIT_H

#include <mpi.h>

/* Waits until the request is complete, and sleeps meanwhile, each time for an eighth of the time
   waited so far, 10 ms at most. Where there are more ranks than cores, a rank that waits in
   MPI_Wait takes its share of a core from the one that it waits for, also where it yields: 127 of
   128 shares. Returns an MPI error code. */
int tny_wait_asleep(MPI_Request *request);

#endif
