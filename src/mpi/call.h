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

/* What a collective makes of these arguments. */
struct tny_call_shape {
  bool has_one_buffer; /* each rank sends or receives; then the root's size counts for all */
  bool may_send_less;  /* the MPI takes a send side that is shorter than a block to receive */
};
/* By collective. */
extern const struct tny_call_shape tny_call_shapes[TNY_COLLECTIVE_COUNT];

#endif
