/* A program's call of one of the served collectives. */
#ifndef TOURNEY_MPI_CALL_H
#define TOURNEY_MPI_CALL_H

#include <mpi.h>

#include <tourney/collective.h>

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
  /* Asks the MPI's own function, for no elements of these types, over a communicator of this rank
     alone: that checks and does nothing else. */
  int (*ask_native)(const struct tny_call *call, MPI_Comm self);
  /* Calls the MPI's own function. */
  int (*call_native)(const struct tny_call *call);
};

#endif
