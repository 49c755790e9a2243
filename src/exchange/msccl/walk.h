/* Walks a queue piece by piece. */
#ifndef TOURNEY_EXCHANGE_MSCCL_WALK_H
#define TOURNEY_EXCHANGE_MSCCL_WALK_H

#include "exchange/msccl/queues.h"

struct tny_msccl_walk {
  const struct tny_schedule *schedule; /* borrowed, as are the next three */
  const struct tny_msccl_rank *queued;
  const struct tny_msccl_queue *queue;
  const struct tny_msccl_cut *cuts;
  uint32_t rank;
  uint32_t step;               /* TNY_NONE: behind the last */
  uint32_t piece, piece_count; /* of the step */
  uint32_t piece_of_queue;
  uint32_t block;    /* of the queue's */
  uint32_t xml_step; /* of the first nop, or of the piece */
  bool begins_block;
};
/* Begins with the first piece of a rank's queue. `cuts` are those of all queues; NULL: the queue
   isn't cut yet, and the caller says where its threadblocks begin. */
struct tny_msccl_walk tny_msccl_walk_begin(const struct tny_schedule *schedule, uint32_t rank,
                                           const struct tny_msccl_rank *queued,
                                           const struct tny_msccl_queue *queue,
                                           const struct tny_msccl_cut *cuts);
/* Goes to the next piece, and into the next threadblock where the cuts say so. */
void tny_msccl_walk_next(struct tny_msccl_walk *walk);
/* What the piece waits for besides the one before it in its threadblock: of a step's first piece
   what the step waits for, and of a later threadblock's first piece the threadblock before. */
uint32_t tny_msccl_walk_waits(const struct tny_msccl_walk *walk);
/* XML steps of the piece, nops included. */
uint32_t tny_msccl_walk_cost(const struct tny_msccl_walk *walk);
/* Goes to the next piece of the queue, in the same threadblock. */
void tny_msccl_walk_step(struct tny_msccl_walk *walk);
/* The piece at hand becomes the first of the queue's next threadblock. */
void tny_msccl_walk_enter_block(struct tny_msccl_walk *walk);

#endif
