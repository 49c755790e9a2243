/* A program's call of one of the served collectives. */
#ifndef TOURNEY_MPI_CALL_H
#define TOURNEY_MPI_CALL_H

#include <mpi.h>

#include <tourney/collective.h>

/* Where the blocks of one side of an uneven call are. */
struct tny_uneven_side {
  const int *counts; /* by block; NULL: one block, as in any call */
  const int *displacements;
  const MPI_Datatype *types; /* by block, and displacements are in bytes; NULL: one type, in whose
                                extents they are */
};

/* How the blocks of a call differ. */
struct tny_uneven {
  const char *name; /* of the MPI function: "alltoallv" */
  struct tny_uneven_side send, receive;
};

/* The arguments. A broadcast uses the receive side only. */
struct tny_call {
  enum tny_collective collective;
  const void *send;
  int send_count;
  MPI_Datatype send_type;
  void *receive;
  int receive_count;
  MPI_Datatype receive_type;
  int root; /* 0 where there is none */
  MPI_Comm comm;
  const struct tny_uneven *uneven; /* NULL: its blocks are alike */
  /* Asks the MPI's own function, for none or one element of these types, over a communicator of
     this rank alone: that checks and does nothing else. Of an uneven call's types by block, the
     first. */
  int (*ask_native)(const struct tny_call *call, MPI_Comm self);
  /* Calls the MPI's own function. */
  int (*call_native)(const struct tny_call *call);
};

/* What MPI calls it, without "MPI_". */
static inline const char *tny_call_name(const struct tny_call *call)
{
  return call->uneven ? call->uneven->name : tny_collective_name(call->collective);
}

#endif
