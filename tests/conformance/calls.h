/* The calls by which a collective is made: each form of each, by C's functions or by Fortran's. */
#ifndef TOURNEY_TESTS_CONFORMANCE_CALLS_H
#define TOURNEY_TESTS_CONFORMANCE_CALLS_H

#include <mpi.h>

#include "axes.h"
#include "exchange.h"

/* One side's arguments. What has one count and type has them in the first places. */
struct arguments {
  void *buffer;
  int counts[PEERS_MAX], displacements[PEERS_MAX];
  MPI_Aint places[PEERS_MAX]; /* of blocks, in bytes */
  MPI_Datatype types[PEERS_MAX];
};

struct call {
  enum collective collective;
  struct arguments send, receive; /* a broadcast has the second alone */
  int root;
  MPI_Op op;
  MPI_Comm comm;
};

/* A reduction's counts and types: those of the side that this rank has. */
const struct arguments *call_data(const struct call *call);

/* Makes the call and returns its code, or the first that isn't MPI_SUCCESS. A persistent request
   is started twice; before the second time, the exchange's memory is filled again. */
int call_make(const struct call *call, enum form form, const struct exchange *exchange);

/* A collective's forms. */
struct call_forms {
  int (*blocking)(const struct call *call);
  int (*nonblocking)(const struct call *call, MPI_Request *request);
  int (*persistent)(const struct call *call, MPI_Request *request);
  int (*large)(const struct call *call);
};

/* By C's functions, or Fortran's. */
extern const struct call_forms call_forms[COLLECTIVES];

#endif
