/* The collectives that `tourney bench` measures, as its ranks call them. */
#ifndef TOURNEY_BENCH_OPERATIONS_H
#define TOURNEY_BENCH_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include <tourney/collective.h>

/* Blocks one after another, each of its own size. */
struct bench_side {
  uint8_t *memory;
  uint32_t count;
  int *bytes, *places; /* of each block; the places of more than 2 GiB are for even blocks only */
  uint64_t total;
};

struct bench_buffers {
  struct bench_side input, output;
};

/* One collective: how many blocks it reads and writes, and how to call it. */
struct bench_operation {
  const char *name;
  enum tny_collective collective;
  bool input_per_rank, output_per_rank; /* a block for each rank, else one in all */
  bool input_at_root, output_at_root;   /* at rank 0 alone */
  bool personal;                        /* a block is meant for one rank only */
  bool rooted;                          /* rank 0's output is the input of all */
  bool uneven;                          /* blocks differ in size */
  bool neighbours;                      /* for "each rank": each neighbour on a grid */
  bool reduces;                         /* an output is all ranks' blocks for it, combined */
  bool synchronizes;                    /* no rank has a block: it takes a size of 0 alone */
  int (*call)(const struct bench_buffers *buffers, MPI_Comm comm);
};

/* Has all ranks of MPI_COMM_WORLD begin a call together. Returns when this one does, by
   MPI_Wtime(). */
double bench_operation_begin(const struct bench_operation *operation);

/* By its name, which has so many characters; NULL: there is none. */
const struct bench_operation *bench_operation_find(const char *name, size_t length);

#endif
