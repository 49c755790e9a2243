/* The pieces of a queue, one after the other, and the threadblocks that they are in. */
#include "exchange/msccl/walk.h"

#include "exchange/msccl/pieces.h"

static uint32_t pieces_at(const struct tny_msccl_walk *walk)
{
  if (walk->step == TNY_NONE)
    return 0;
  const struct tny_step step = tny_msccl_step(walk->schedule, walk->rank, walk->step);
  return tny_msccl_pieces(walk->schedule, &step.span);
}

struct tny_msccl_walk tny_msccl_walk_begin(const struct tny_schedule *schedule, uint32_t rank,
                                           const struct tny_msccl_rank *queued,
                                           const struct tny_msccl_queue *queue,
                                           const struct tny_msccl_cut *cuts)
{
  struct tny_msccl_walk walk = {.schedule = schedule,
                                .queued = queued,
                                .queue = queue,
                                .cuts = cuts,
                                .rank = rank,
                                .step = queue->first,
                                .begins_block = true};
  walk.piece_count = pieces_at(&walk);
  return walk;
}

uint32_t tny_msccl_walk_waits(const struct tny_msccl_walk *walk)
{
  const struct tny_msccl_entry *entries = walk->queued->entries;
  return (walk->piece == 0 ? entries[walk->step].wait_count : 0) +
         (walk->begins_block && walk->block > 0);
}

uint32_t tny_msccl_walk_cost(const struct tny_msccl_walk *walk)
{
  const uint32_t waits = tny_msccl_walk_waits(walk);
  return waits > 0 ? waits : 1;
}

void tny_msccl_walk_enter_block(struct tny_msccl_walk *walk)
{
  walk->block++;
  walk->xml_step = 0;
  walk->begins_block = true;
}

void tny_msccl_walk_step(struct tny_msccl_walk *walk)
{
  walk->xml_step += tny_msccl_walk_cost(walk);
  walk->begins_block = false;
  walk->piece_of_queue++;
  if (++walk->piece < walk->piece_count)
    return;
  walk->step = walk->queued->entries[walk->step].next;
  walk->piece = 0;
  walk->piece_count = pieces_at(walk);
}

void tny_msccl_walk_next(struct tny_msccl_walk *walk)
{
  const struct tny_msccl_queue *queue = walk->queue;
  tny_msccl_walk_step(walk);
  if (walk->block + 1 < queue->block_count &&
      walk->cuts[queue->cut_first + walk->block + 1].piece == walk->piece_of_queue)
    tny_msccl_walk_enter_block(walk);
}
