/* For which size an uneven call is planned: what all its ranks find, or agree on. */
#ifndef TOURNEY_MPI_UNEVEN_SIZE_H
#define TOURNEY_MPI_UNEVEN_SIZE_H

#include "mpi/run_call.h"

/* Why the first uneven calls on a communicator are native. */
extern const char tny_uneven_first_calls[];

/* Must the ranks of such a call agree on its size? Else each finds it alone. */
bool tny_uneven_needs_agreement(const struct tny_call *call);
/* What a rank can tell without any other, before it looks at the arguments: fills job->state, if
   there is one, or job->is_early, and job->block_bytes where no agreement is needed. Returns why
   the call is native, or NULL; an MPI error goes to *code, and the error handler has seen it. */
const char *tny_uneven_find_size(struct tny_job *job, int *code);
/* Fills job->block_bytes and job->messages_most by agreement, with or without a state; collective
   over the communicator. Returns as above. Arguments that some rank's MPI would refuse make the
   call native at all. */
const char *tny_uneven_agree_on_size(struct tny_job *job, int *code);
/* Gets the state by which the agreed call is served, if job->state isn't that yet, which is
   collective. Returns as above. */
const char *tny_uneven_get_state(struct tny_job *job, int *code);
/* Before the guard looks at a call whose size isn't ruled out: its class counts what it cost to
   agree. */
void tny_uneven_classed(struct tny_job *job);
/* After the guard: what came of the agreement. `why`: why the call is native, NULL where the guard
   had it served. */
void tny_uneven_note(const struct tny_job *job, const char *why);
/* Has the MPI serve a call that the guard hasn't; timed, where it was agreed on and is of no class.
 */
int tny_uneven_call_native(const struct tny_job *job);
/* The MPI has refused the call's arguments at this rank alone, which may make it again: that it was
   counted is taken back; or, where the others know that a rank was refused and are in the MPI's own
   call, the next one here joins them. */
void tny_uneven_refused(const struct tny_job *job);

#endif
