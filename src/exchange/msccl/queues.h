/* A rank's steps in queues: one for each rank that it sends to, one for each that it receives from,
   and one of copies, each in list order. */
#ifndef TOURNEY_EXCHANGE_MSCCL_QUEUES_H
#define TOURNEY_EXCHANGE_MSCCL_QUEUES_H

#include <tourney/schedule.h>

#include "core/arena.h"

/* An element of a list of steps that another waits for. */
struct tny_msccl_wait {
  uint32_t step;
  uint32_t next; /* TNY_NONE: the last */
};

/* One step of the schedule. It becomes XML steps: a nop for each but one of those it waits for, and
   one for each of its pieces. */
struct tny_msccl_entry {
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
  struct tny_msccl_entry *entries;
  struct tny_msccl_queue *queues;
  uint32_t queue_count, block_count;
  struct tny_msccl_wait *waits;
  uint32_t wait_count, wait_room;
  uint32_t *ids; /* of its threadblocks */
};

/* Puts a rank's steps in queues and finds what each waits for in other queues. Owns: `queued` lies
   in the arena but for its waits, which the caller frees (tny_free), also after an error. */
enum tny_status tny_msccl_queue_rank(const struct tny_schedule *schedule, uint32_t rank,
                                     struct tny_arena *arena, struct tny_msccl_rank *queued,
                                     struct tny_error *error) TNY_MUST_CHECK;

#endif
