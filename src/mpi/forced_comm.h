/* One communicator on which the MPI uses other algorithms of its own than it would: Open MPI's
   component coll_tuned, by its numbers (`ompi_info --param coll tuned --level 9`). MPICH can't be
   told so for one communicator alone. */
#ifndef TOURNEY_MPI_FORCED_COMM_H
#define TOURNEY_MPI_FORCED_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include <tourney/collective.h>

/* Makes a communicator of the same ranks that serves each collective by that algorithm, a choice's
   parameter; 0: as the MPI chooses. MPI_COMM_NULL at all ranks where one's MPI can't be told so: it
   can where coll_tuned_use_dynamic_rules was set when it began. Collective; meanwhile no other
   thread may make a communicator. Returns an MPI error code of a call on `comm`, whose error
   handler has seen it. */
int tny_forced_comm_make(MPI_Comm comm, const uint32_t forced[TNY_COLLECTIVE_COUNT],
                         MPI_Comm *made);

/* Can this rank's MPI be told so? */
bool tny_forced_is_possible(void);

#endif
