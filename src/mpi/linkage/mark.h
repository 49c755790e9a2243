/* The mark by which `tourney run` knows, when all is over, that a rank had the runtime. */
#ifndef TOURNEY_MPI_MARK_H
#define TOURNEY_MPI_MARK_H

/* Adds a byte to the file that TOURNEY_MARK names, where it is there: `tourney run` has made it. */
void tny_mark_leave(void);

#endif
