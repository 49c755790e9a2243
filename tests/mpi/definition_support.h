/* The three collectives as MPI defines them: what each would do as sends and receives of the
   program's own buffers, datatypes and counts. No collective is called. */
#ifndef TOURNEY_TESTS_DEFINITION_SUPPORT_H
#define TOURNEY_TESTS_DEFINITION_SUPPORT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEFINITION_TAG = 4711 };

/* Blocks in memory: `count` elements each, one block after another. */
struct definition_blocks {
  const void *memory;
  int count;
  MPI_Datatype type;
};

static inline char *definition_block(const struct definition_blocks *blocks, int index)
{
  MPI_Aint lower_bound, extent;
  MPI_Type_get_extent(blocks->type, &lower_bound, &extent);
  return (char *)(uintptr_t)blocks->memory + (MPI_Aint)index * blocks->count * extent;
}

/* A block as it is before the collective changes any, in memory of its own; or room for one. */
struct definition_packed {
  char *bytes;
  int room, length;
};

static inline struct definition_packed definition_room(const struct definition_blocks *blocks,
                                                       MPI_Comm comm)
{
  struct definition_packed packed = {0};
  MPI_Pack_size(blocks->count, blocks->type, comm, &packed.room);
  packed.bytes = malloc((size_t)packed.room + 1);
  if (!packed.bytes)
    MPI_Abort(MPI_COMM_WORLD, 9);
  return packed;
}

static inline struct definition_packed definition_pack(const struct definition_blocks *blocks,
                                                       int index, MPI_Comm comm)
{
  struct definition_packed packed = definition_room(blocks, comm);
  MPI_Pack(definition_block(blocks, index), blocks->count, blocks->type, packed.bytes, packed.room,
           &packed.length, comm);
  return packed;
}

static inline void definition_unpack(struct definition_packed *packed,
                                     const struct definition_blocks *blocks, int index,
                                     MPI_Comm comm)
{
  int position = 0;
  MPI_Unpack(packed->bytes, packed->room, &position, definition_block(blocks, index), blocks->count,
             blocks->type, comm);
  free(packed->bytes);
}

/* Every rank sends a block to every rank, itself too, and receives one: each its own (`personal`:
   an all-to-all), or all the same (an all-gather). In place, it sends from where it receives. Both
   ends of a message are packed: MPICH 4.0.2 takes a long packed message for too long where it is
   received as MPI_DOUBLE_INT. */
static inline void definition_exchange(const struct definition_blocks *given,
                                       const struct definition_blocks *got, MPI_Comm comm,
                                       bool personal)
{
  int rank, p;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  const bool in_place = given->memory == MPI_IN_PLACE;
  MPI_Request *requests = malloc(sizeof *requests * 2 * (size_t)p);
  struct definition_packed *sent = malloc(sizeof *sent * 2 * (size_t)p), *received = sent + p;
  if (!requests || !sent)
    MPI_Abort(MPI_COMM_WORLD, 9);
  for (int peer = 0; peer < p; peer++) {
    sent[peer] = definition_pack(in_place ? got : given,
                                 personal   ? peer
                                 : in_place ? rank
                                            : 0,
                                 comm);
    received[peer] = definition_room(got, comm);
  }
  for (int peer = 0; peer < p; peer++)
    MPI_Irecv(received[peer].bytes, received[peer].room, MPI_PACKED, peer, DEFINITION_TAG, comm,
              &requests[peer]);
  for (int peer = 0; peer < p; peer++)
    MPI_Isend(sent[peer].bytes, sent[peer].length, MPI_PACKED, peer, DEFINITION_TAG, comm,
              &requests[p + peer]);
  MPI_Waitall(2 * p, requests, MPI_STATUSES_IGNORE);
  for (int peer = 0; peer < p; peer++) {
    definition_unpack(&received[peer], got, peer, comm);
    free(sent[peer].bytes);
  }
  free(sent);
  free(requests);
}

static inline void definition_alltoall(const struct definition_blocks *given,
                                       const struct definition_blocks *got, MPI_Comm comm)
{
  definition_exchange(given, got, comm, true);
}

static inline void definition_allgather(const struct definition_blocks *given,
                                        const struct definition_blocks *got, MPI_Comm comm)
{
  definition_exchange(given, got, comm, false);
}

static inline void definition_bcast(void *buffer, int count, MPI_Datatype type, int root,
                                    MPI_Comm comm)
{
  int rank, p;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  if (rank != root)
    MPI_Recv(buffer, count, type, root, DEFINITION_TAG, comm, MPI_STATUS_IGNORE);
  for (int peer = 0; rank == root && peer < p; peer++)
    if (peer != root)
      MPI_Send(buffer, count, type, peer, DEFINITION_TAG, comm);
}

#endif
