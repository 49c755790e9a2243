/* The runtime's beginning and end, within MPI_Init and MPI_Finalize. */
#ifndef TOURNEY_MPI_START_H
#define TOURNEY_MPI_START_H

/* Makes the world. Collective over MPI_COMM_WORLD, right after MPI_Init; never fails: at worst all
   goes native. */
void tny_start(void);
/* Says what was counted where that was asked for, and releases everything. */
void tny_stop(void);

#endif
