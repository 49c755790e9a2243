/* The MPI's own algorithms, on communicators that have them forced (forced_comm.h). */
#ifndef TOURNEY_MPI_FORCED_H
#define TOURNEY_MPI_FORCED_H

#include <mpi.h>

#include "mpi/call.h"
#include "mpi/guard/rules.h"

/* What a profile found to be the fastest of the MPI's own algorithms for classes of calls, spread
   over communicators: what each has forced. */
enum { TNY_FORCED_COMMS = 6 };
struct tny_forced_wanted {
  uint32_t count;
  uint32_t list[TNY_FORCED_COMMS][TNY_COLLECTIVE_COUNT];
};
/* What the results ask for, as far as there is room. */
struct tny_forced_wanted tny_forced_wanted(const struct tny_guard_result *results, uint32_t count);
/* The place in the list of what serves the collective by that algorithm; TNY_NONE: none does. */
uint32_t tny_forced_find(const struct tny_forced_wanted *wanted, enum tny_collective collective,
                         uint32_t parameter);

/* Those communicators beside one of the program's, each made on first use; they return their
   errors. All zero: none yet. */
struct tny_forced_comms {
  bool is_made[TNY_FORCED_COMMS];
  MPI_Comm list[TNY_FORCED_COMMS]; /* of one that is made, MPI_COMM_NULL: it can't be had */
};
/* Makes one beside `comm`. Collective; returns as tny_forced_comm_make(). */
int tny_forced_comms_make(struct tny_forced_comms *comms, const struct tny_forced_wanted *wanted,
                          uint32_t number, MPI_Comm comm);
void tny_forced_comms_free(struct tny_forced_comms *comms);

/* Makes the program's call on such a communicator. Of a broadcast, which such an algorithm may cut
   into elements, all ranks give bytes, whatever their types are. Returns an MPI error code. */
int tny_forced_call(const struct tny_call *call, uint64_t block_bytes, MPI_Comm comm);

#endif
