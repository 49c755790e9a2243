/* The MPI's own algorithms, on communicators that have them forced: of Open MPI's component
   coll_tuned, by its numbers (`ompi_info --param coll tuned --level 9`). Other MPIs don't let
   themselves be told so. */
#ifndef TOURNEY_MPI_FORCED_H
#define TOURNEY_MPI_FORCED_H

#include <mpi.h>

#include "mpi/call.h"
#include "mpi/guard/rules.h"

/* Makes a communicator of the same ranks that serves each collective by that algorithm, a choice's
   parameter; 0: as the MPI chooses. MPI_COMM_NULL at all ranks where one's MPI can't be told so: it
   can where coll_tuned_use_dynamic_rules was set when it began. Collective; meanwhile no other
   thread may make a communicator. Returns an MPI error code of a call on `comm`, whose error
   handler has seen it. */
int tny_forced_comm_make(MPI_Comm comm, const uint32_t forced[TNY_COLLECTIVE_COUNT],
                         MPI_Comm *made);

/* Can this rank's MPI be told so? */
bool tny_forced_is_possible(void);

/* Communicators beside one of the program's: for each of the MPI's own algorithms that a profile
   found to be the fastest for a class of calls. Made on first use; they return their errors. */
enum { TNY_FORCED_COMMS = 6 };
struct tny_forced_comms {
  uint32_t count;
  struct tny_forced_comm {
    bool is_made;
    MPI_Comm comm; /* MPI_COMM_NULL: it can't be had */
    uint32_t forced[TNY_COLLECTIVE_COUNT];
  } list[TNY_FORCED_COMMS];
};

/* Those that the results ask for, as far as there is room; none is made yet. */
struct tny_forced_comms tny_forced_comms_wanted(const struct tny_guard_result *results,
                                                uint32_t count);
/* The one that serves the collective by that algorithm; NULL: none. */
struct tny_forced_comm *tny_forced_comms_find(struct tny_forced_comms *comms,
                                              enum tny_collective collective, uint32_t parameter);
/* Makes it beside `comm`. Collective; returns as above. */
int tny_forced_comms_make(MPI_Comm comm, struct tny_forced_comm *forced);
void tny_forced_comms_free(struct tny_forced_comms *comms);

/* Makes the program's call on such a communicator. Of a broadcast, which such an algorithm may cut
   into elements, all ranks give bytes, whatever their types are. Returns an MPI error code. */
int tny_forced_call(const struct tny_call *call, uint64_t block_bytes, MPI_Comm comm);

#endif
