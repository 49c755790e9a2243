/* A program's call of one of the served collectives. */
#ifndef TOURNEY_MPI_CALL_H
#define TOURNEY_MPI_CALL_H

#include <mpi.h>

#include <tourney/cluster.h>

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
};

#endif
