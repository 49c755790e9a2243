/* Being called by the MPI whenever it makes progress, in whatever call of the program. */
#ifndef TOURNEY_MPI_BACKGROUND_PROGRESS_H
#define TOURNEY_MPI_BACKGROUND_PROGRESS_H

#include <stdbool.h>

/* What the MPI calls: goes on with what it can without waiting, and returns how much was completed.
   It may call the MPI, which may call it again. */
typedef int tny_progress_function(void);

/* Can the MPI be told at all? */
bool tny_progress_is_possible(void);
/* Has the MPI call the function from now on, and no longer. Where threads are in the MPI, it may be
   called once more. False: it can't be told. */
bool tny_progress_begin(tny_progress_function *function);
void tny_progress_end(tny_progress_function *function);
/* Has the MPI make progress once. */
void tny_progress_make(void);

#endif
