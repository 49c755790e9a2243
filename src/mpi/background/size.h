/* The size of a broadcast's block, as its root has it (mpi/agree.h), learnt without waiting. */
#ifndef TOURNEY_MPI_BACKGROUND_SIZE_H
#define TOURNEY_MPI_BACKGROUND_SIZE_H

#include "mpi/comm_state.h"

enum { TNY_SIZE_REQUESTS = 32 }; /* a rank tells no more others than that */

/* Stays where it is in memory until all are told. */
struct tny_size_agreement {
  uint64_t block_bytes; /* this rank's, then the root's */
  bool is_known;        /* the root's */
  int count;            /* of requests: for the size; when it is known, of those that tell others */
  MPI_Request requests[TNY_SIZE_REQUESTS];
};

/* Begins, with this rank's own size. Returns an MPI error code, as do those below. */
int tny_size_begin(struct tny_size_agreement *agreement, const struct tny_comm_state *state,
                   uint32_t root, uint64_t block_bytes);
/* Goes on: learns the size, and has others told. */
int tny_size_advance(struct tny_size_agreement *agreement, const struct tny_comm_state *state,
                     uint32_t root);
/* Are all told that are to be? */
int tny_size_is_told(struct tny_size_agreement *agreement, bool *is_told);

#endif
