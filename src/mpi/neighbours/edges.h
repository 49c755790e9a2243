/* A rank's edges in its communicator's topology: to whom it sends in a neighbourhood collective,
   and from whom it gets. Asks no other rank. */
#ifndef TOURNEY_MPI_NEIGHBOURS_EDGES_H
#define TOURNEY_MPI_NEIGHBOURS_EDGES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "mpi/call.h"

/* The program's block `slot` is for `rank`, or from it. */
struct tny_neighbour_edge {
  uint32_t rank, slot;
  uint32_t order; /* of those to the same rank, they are sent in this one: the sender's slot */
};

/* All edges of one side. What is for one rank, or from it, is one message, of a block for each
   edge. Owned. */
struct tny_edge_side {
  uint32_t slot_count; /* the program's blocks, those of MPI_PROC_NULL among them */
  uint32_t edge_count; /* without these */
  uint32_t message_count;
  uint32_t *first; /* message_count + 1: a message's first edge */
  /* By enum tny_neighbours: in order of ranks, and of those of a rank in the order in which their
     blocks are sent. Where no edges are parallel, one list is all of them. */
  struct tny_neighbour_edge *edges[TNY_NEIGHBOURS_COUNT];
};

/* What the ranks exchange to find the order of blocks (order.h): a number for each of either side's
   slots, and arguments for so many. Owned; NULL where no edges are parallel. */
struct tny_edge_numbers {
  int *sent, *came, *ones, *places;
  MPI_Aint *offsets;
  MPI_Datatype *types;
};

struct tny_edges {
  struct tny_edge_side send, receive;
  bool has_parallels; /* somewhere several edges lead from one rank to the same other */
  bool is_ordered[TNY_NEIGHBOURS_COUNT]; /* received edges are in the order of sent ones */
  struct tny_edge_numbers numbers;
};

/* Finds the edges of this rank, as if none were parallel. *edges is NULL where the communicator has
   no topology, and where there is no memory. Owns: tny_edges_free. Returns an MPI error code. */
int tny_edges_find(MPI_Comm comm, struct tny_edges **edges);
void tny_edges_free(struct tny_edges *edges);
/* Somewhere edges are parallel: makes room to find their order, which so far is that of slots in
   each form. False: no memory. */
bool tny_edges_make_parallel(struct tny_edges *edges);

/* The greatest number of messages on either side. */
static inline uint32_t tny_edges_messages_most(const struct tny_edges *edges)
{
  const uint32_t sends = edges->send.message_count, receives = edges->receive.message_count;
  return sends > receives ? sends : receives;
}

/* What came in each slot: the sender's slot. Has a form's edges of a side in that order. */
void tny_edges_sort(struct tny_edge_side *side, enum tny_neighbours form, const int *came);

/* A message: what is sent, in the input, or received, in the output. */
struct tny_neighbour_message {
  enum tny_buffer buffer;
  const struct tny_edge_side *side;
  uint32_t index;
};

/* The rank of a message, and its edges in a form. */
static inline uint32_t tny_message_rank(const struct tny_edge_side *side, uint32_t message)
{
  return side->edges[TNY_NEIGHBOURS_GATHER][side->first[message]].rank;
}
static inline uint32_t tny_message_edges(const struct tny_edge_side *side, uint32_t message)
{
  return side->first[message + 1] - side->first[message];
}
static inline uint32_t tny_message_slot(const struct tny_edge_side *side, enum tny_neighbours form,
                                        uint32_t message, uint32_t edge)
{
  return side->edges[form][side->first[message] + edge].slot;
}

#endif
