/* Communicators of each kind and number of ranks out of MPI_COMM_WORLD, kept from combination to
   combination, and now and then made anew. */
#ifndef TOURNEY_TESTS_CONFORMANCE_COMMS_H
#define TOURNEY_TESTS_CONFORMANCE_COMMS_H

#include <mpi.h>
#include <stdbool.h>

#include "axes.h"

enum { NEIGHBOURS_MAX = 4 };

/* Ranks in the order of a neighbourhood collective's blocks. */
struct neighbours {
  int count, ranks[NEIGHBOURS_MAX]; /* MPI_PROC_NULL: nobody is there */
};

struct member {
  MPI_Comm comm; /* MPI_COMM_NULL: this rank isn't in it */
  bool is_inter;
  int side;        /* of an intercommunicator: 0 or 1 */
  int rank, count; /* in this rank's group */
  int peers;       /* ranks that one exchanges with: the group's, or the other group's */
  struct neighbours sources, destinations; /* by the topology's definition; else none */
};

/* The communicator for a combination; all ranks of MPI_COMM_WORLD have to ask alike. Its error
   handler is `handler`. A communicator of `other` purpose is another one. Owns: kept here. */
struct member comms_get(enum comm kind, int rank_count, bool other, MPI_Errhandler handler);
/* One that no combination has used. Owns: the caller's. */
struct member comms_copy(const struct member *member, MPI_Errhandler handler);
void comms_free_all(void);

#endif
