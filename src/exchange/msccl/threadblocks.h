/* A schedule as MSCCL's threadblocks do it. A rank's steps are first put in queues: one for each
   rank that it sends to, one for each that it receives from, and one of copies, each in list order.
   A queue is then cut into threadblocks that are short enough for the executors; a message's two
   ends are cut alike, and each pair of threadblocks gets a channel. */
#ifndef TOURNEY_EXCHANGE_MSCCL_BLOCKS_H
#define TOURNEY_EXCHANGE_MSCCL_BLOCKS_H

#include "exchange/msccl/limits.h"
#include "schedule/match.h"

/* Some chunks of a buffer, as one XML step names them. */
struct tny_msccl_piece {
  const char *buffer;
  uint32_t offset, count;
};

/* An element of a list of steps that another waits for. */
struct tny_msccl_wait {
  uint32_t step;
  uint32_t next; /* TNY_NONE: the last */
};

/* One step of the schedule. It becomes XML steps: a nop for each but one of those it waits for, and
   one for each of its pieces. */
struct tny_msccl_placed {
  uint32_t queue;
  uint32_t next; /* step of the queue; TNY_NONE: the last */
  uint32_t wait; /* the first of what it waits for in other queues; TNY_NONE: nothing */
  uint32_t wait_count;
  bool is_waited;       /* some step waits for it */
  uint32_t block, last; /* threadblock and XML step of its last piece */
};

struct tny_msccl_queue {
  enum tny_step_kind kind;           /* send, recv or copy */
  uint32_t peer;                     /* copies: TNY_NONE */
  uint32_t first, last;              /* the chain of its steps; TNY_NONE: none */
  uint32_t cut_first;                /* of the cuts, the same for both ends of a connection */
  uint32_t block_first, block_count; /* its threadblocks among the rank's */
};

/* Where a threadblock of a queue begins. */
struct tny_msccl_cut {
  uint32_t piece; /* of the queue */
  uint32_t channel;
};

struct tny_msccl_rank {
  uint32_t step_count; /* the schedule's, and a root's copy to its own output */
  struct tny_msccl_placed *placed;
  struct tny_msccl_queue *queues;
  uint32_t queue_count, block_count;
  struct tny_msccl_wait *waits;
  uint32_t wait_count, wait_room;
  uint32_t *ids; /* of its threadblocks */
};

struct tny_msccl_blocks {
  const struct tny_schedule *schedule; /* borrowed */
  struct tny_match match;
  struct tny_msccl_rank *ranks;
  struct tny_msccl_cut *cuts;
  uint32_t cut_count, cut_room, channel_count;
  struct tny_arena *arena;
};

/* Owns: `blocks` is the caller's, tny_msccl_blocks_release, also after an error. Errors:
   TNY_REFUSED where the executors' limits leave no way. */
enum tny_status tny_msccl_blocks_make(const struct tny_schedule *schedule,
                                      struct tny_msccl_blocks *blocks,
                                      struct tny_error *error) TNY_MUST_CHECK;
void tny_msccl_blocks_release(struct tny_msccl_blocks *blocks);

/* Puts a rank's steps in queues and finds what each waits for in other queues. */
enum tny_status tny_msccl_queue_rank(struct tny_msccl_blocks *blocks, uint32_t rank,
                                     struct tny_error *error) TNY_MUST_CHECK;

/* Chunks of a rank's buffer. */
uint32_t tny_msccl_chunks(const struct tny_schedule *schedule, enum tny_buffer buffer);
/* A rank's step; behind its last, at the root of a broadcast, the copy to its own output, which
   MSCCL's root has and ours doesn't. */
struct tny_step tny_msccl_step(const struct tny_schedule *schedule, uint32_t rank, uint32_t index);
/* XML steps that move a span: no more chunks than one takes, and chunks of several blocks don't lie
   together. */
uint32_t tny_msccl_pieces(const struct tny_schedule *schedule, const struct tny_span *span);
struct tny_msccl_piece tny_msccl_piece(const struct tny_schedule *schedule,
                                       const struct tny_span *span, uint32_t k);

/* Walks a queue piece by piece. */
struct tny_msccl_walk {
  const struct tny_msccl_blocks *blocks;
  uint32_t rank;
  const struct tny_msccl_queue *queue;
  uint32_t step;               /* TNY_NONE: behind the last */
  uint32_t piece, piece_count; /* of the step */
  uint32_t piece_of_queue;
  uint32_t block; /* of the queue's */
  uint32_t place; /* XML step of the first nop, or of the piece */
  bool begins_block;
};
struct tny_msccl_walk tny_msccl_walk_begin(const struct tny_msccl_blocks *blocks, uint32_t rank,
                                           const struct tny_msccl_queue *queue);
void tny_msccl_walk_next(struct tny_msccl_walk *walk);
/* What the piece waits for besides the one before it in its threadblock: of a step's first piece
   what the step waits for, and of a later threadblock's first piece the threadblock before. */
uint32_t tny_msccl_walk_waits(const struct tny_msccl_walk *walk);
/* XML steps of the piece, nops included. */
uint32_t tny_msccl_walk_cost(const struct tny_msccl_walk *walk);

#endif
