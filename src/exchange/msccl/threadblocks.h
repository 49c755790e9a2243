/* A schedule as MSCCL's threadblocks do it. A rank's steps are first put in queues: one for each
   rank that it sends to, one for each that it receives from, and one of copies, each in list order.
   A queue is then cut into threadblocks that are short enough for the executors; a message's two
   ends are cut alike, and each pair of threadblocks gets a channel. */
#ifndef TOURNEY_EXCHANGE_MSCCL_THREADBLOCKS_H
#define TOURNEY_EXCHANGE_MSCCL_THREADBLOCKS_H

#include "exchange/msccl/queues.h"
#include "schedule/match.h"

struct tny_msccl_threadblocks {
  const struct tny_schedule *schedule; /* borrowed */
  struct tny_match match;
  struct tny_msccl_rank *ranks;
  struct tny_msccl_cut *cuts;
  uint32_t cut_count, cut_room, channel_count;
  struct tny_arena *arena;
};

/* Owns: `blocks` is the caller's, tny_msccl_threadblocks_release, also after an error. Errors:
   TNY_REFUSED where the executors' limits leave no way. */
enum tny_status tny_msccl_threadblocks_make(const struct tny_schedule *schedule,
                                            struct tny_msccl_threadblocks *blocks,
                                            struct tny_error *error) TNY_MUST_CHECK;
void tny_msccl_threadblocks_release(struct tny_msccl_threadblocks *blocks);

#endif
