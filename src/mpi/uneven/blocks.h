/* The blocks of an uneven call: where each is, and how long all of them are. */
#ifndef TOURNEY_MPI_UNEVEN_BLOCKS_H
#define TOURNEY_MPI_UNEVEN_BLOCKS_H

#include <stdbool.h>

#include "mpi/call.h"
#include "mpi/neighbours/edges.h"

/* What a block's datatype is. */
struct tny_type_facts {
  bool is_known;
  MPI_Datatype type;
  uint64_t bytes;  /* of an element */
  MPI_Aint extent; /* from element to element */
  bool is_bytes;   /* elements lie in memory just as they are sent */
};

/* Goes from block to block of one side of a call, mostly in their order. All zero: at none yet. */
struct tny_block_cursor {
  struct tny_type_facts facts; /* of the block looked at last; neighbours mostly have the same */
  /* Where blocks lie one behind another: that block, and the elements before it. */
  uint32_t packed_index;
  MPI_Aint packed_elements;
};

/* A block: `count` elements from `memory` on. */
struct tny_call_block {
  void *memory;
  MPI_Count count;             /* where it has bytes, at most INT_MAX in a planned call */
  struct tny_type_facts facts; /* of its type */
};

/* Describes one of the blocks that a call sends, or gets; its arguments were checked. An MPI error
   code. */
int tny_uneven_sent(const struct tny_call *call, uint32_t rank, uint32_t index,
                    struct tny_block_cursor *cursor, struct tny_call_block *block);
int tny_uneven_received(const struct tny_call *call, uint32_t index,
                        struct tny_block_cursor *cursor, struct tny_call_block *block);

/* How long the blocks are that a rank knows of. */
struct tny_uneven_sizes {
  uint64_t longest; /* block */
  uint64_t fullest; /* side: the bytes of all its blocks */
};
/* Those of the side that is the same at all ranks, the one that receives, or a reduction's that
   sends; its arguments may be anything. False: they aren't valid. Costs next to nothing. */
bool tny_uneven_common_sizes(const struct tny_call *call, uint32_t rank_count,
                             struct tny_uneven_sizes *sizes);
/* Would the MPI's own function accept a rank's arguments? Where they are valid, the sizes of both
   sides, too. Among neighbours the edges are the rank's, and sizes those of messages; else `edges`
   is NULL. */
bool tny_uneven_check(const struct tny_call *call, uint32_t rank, uint32_t rank_count,
                      const struct tny_edges *edges, struct tny_uneven_sizes *sizes);
/* The bytes of a message among neighbours: of all its blocks. An MPI error code. */
int tny_uneven_message_bytes(const struct tny_call *call,
                             const struct tny_neighbour_message *message,
                             struct tny_block_cursor *cursor, uint64_t *bytes);

/* The size of even blocks for which the call's plan is made: as long as theirs on the mean, on the
   fullest side of any rank, where one has so many blocks, and at least half as long as the longest.
   So no message is more than twice as long as the plan has it. Of a gather or scatter as long as
   the longest: its plan limits what is in flight over links to what their buffers take, for
   messages that are no longer than it has them. */
uint64_t tny_uneven_plan_bytes(enum tny_collective collective, struct tny_uneven_sizes sizes,
                               uint32_t block_count);

#endif
