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

/* A block of the buffer that begins at `base`: blocks lie count extents apart. */
static inline char *definition_block(const void *base, int block, int count, MPI_Datatype type)
{
  MPI_Aint lower_bound, extent;
  MPI_Type_get_extent(type, &lower_bound, &extent);
  return (char *)(uintptr_t)base + (MPI_Aint)block * count * extent;
}

/* A block as it is while the collective hasn't changed it, in memory of its own: what a rank sends
   itself or, in place, sends from where it receives. */
struct definition_packed {
  char *bytes;
  int length;
};

static inline struct definition_packed definition_pack(const void *block, int count,
                                                       MPI_Datatype type, MPI_Comm comm)
{
  struct definition_packed packed = {0};
  int room;
  MPI_Pack_size(count, type, comm, &room);
  packed.bytes = malloc((size_t)room + 1);
  if (!packed.bytes)
    MPI_Abort(MPI_COMM_WORLD, 9);
  MPI_Pack(block, count, type, packed.bytes, room, &packed.length, comm);
  return packed;
}

/* Every rank sends block `mine(peer)` to every peer, itself too, and receives its block. In place,
   a rank sends from where it receives. `personal`: all-to-all; otherwise all-gather. */
static inline void definition_exchange(const void *send, int send_count, MPI_Datatype send_type,
                                       void *receive, int count, MPI_Datatype type, MPI_Comm comm,
                                       bool personal)
{
  int rank, p;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  const bool in_place = send == MPI_IN_PLACE;
  MPI_Request *requests = malloc(sizeof *requests * 2 * (size_t)p);
  struct definition_packed *sent = malloc(sizeof *sent * (size_t)p);
  if (!requests || !sent)
    MPI_Abort(MPI_COMM_WORLD, 9);
  for (int peer = 0; peer < p; peer++)
    sent[peer] =
        in_place
            ? definition_pack(definition_block(receive, personal ? peer : rank, count, type), count,
                              type, comm)
            : definition_pack(definition_block(send, personal ? peer : 0, send_count, send_type),
                              send_count, send_type, comm);
  for (int peer = 0; peer < p; peer++)
    MPI_Irecv(definition_block(receive, peer, count, type), count, type, peer, DEFINITION_TAG, comm,
              &requests[peer]);
  for (int peer = 0; peer < p; peer++)
    MPI_Isend(sent[peer].bytes, sent[peer].length, MPI_PACKED, peer, DEFINITION_TAG, comm,
              &requests[p + peer]);
  MPI_Waitall(2 * p, requests, MPI_STATUSES_IGNORE);
  for (int peer = 0; peer < p; peer++)
    free(sent[peer].bytes);
  free(sent);
  free(requests);
}

static inline void definition_alltoall(const void *send, int send_count, MPI_Datatype send_type,
                                       void *receive, int count, MPI_Datatype type, MPI_Comm comm)
{
  definition_exchange(send, send_count, send_type, receive, count, type, comm, true);
}

static inline void definition_allgather(const void *send, int send_count, MPI_Datatype send_type,
                                        void *receive, int count, MPI_Datatype type, MPI_Comm comm)
{
  definition_exchange(send, send_count, send_type, receive, count, type, comm, false);
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
