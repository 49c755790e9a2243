/* A rank's steps in queues, for MSCCL's threadblocks. A queue does its steps one after the other,
   each complete before the next. That is more order than the schedule's, and no more than with a
   window of one, for which schedules are proved. A step also waits for steps of other queues:
   those of its `after`, and those that it depends on (dependences.h), which the schedule's queue
   keeps apart. */
#include "exchange/msccl/queues.h"
#include "core/arena.h"
#include "core/error.h"
#include "exchange/dependences.h"
#include "exchange/list.h"
#include "exchange/msccl/pieces.h"

/* Finds what a rank's steps wait for. Its arena dies with it. */
struct finder {
  const struct tny_schedule *schedule;
  uint32_t rank;
  struct tny_msccl_rank *queued;
  struct tny_arena *kept; /* the caller's: what stays */
  struct tny_arena *arena;
  uint32_t *queue_of[2]; /* sends and receives, by peer; the rank itself: copies */
  uint32_t *waited;      /* by queue and queue: 1 + step that it has waited for */
  uint32_t *wanted;      /* by queue: 1 + step that the next step has to wait for, 0: none */
  uint32_t *touched, touched_count; /* queues with something in `wanted` */
  struct tny_dependences dependences;
};

/* The queue of a step; a new one where it's the first. */
static uint32_t queue_for(struct finder *finder, const struct tny_step *step)
{
  const bool copies = step->kind == TNY_COPY;
  uint32_t *queue = &finder->queue_of[step->kind == TNY_RECV][copies ? finder->rank : step->peer];
  if (*queue == TNY_NONE) {
    *queue = finder->queued->queue_count++;
    finder->queued->queues[*queue] =
        (struct tny_msccl_queue){.kind = step->kind,
                                 .peer = copies ? TNY_NONE : step->peer,
                                 .first = TNY_NONE,
                                 .last = TNY_NONE};
  }
  return *queue;
}

/* Has an entry wait for an earlier step. */
static enum tny_status add_wait(struct tny_msccl_rank *queued, struct tny_msccl_entry *entry,
                                uint32_t earlier, struct tny_error *error)
{
  struct tny_msccl_wait *waits =
      tny_list_reserve(queued->waits, queued->wait_count, &queued->wait_room, sizeof *waits);
  if (!waits)
    return tny_error_memory(error);
  queued->waits = waits;
  waits[queued->wait_count] = (struct tny_msccl_wait){earlier, entry->wait};
  entry->wait = queued->wait_count++;
  entry->wait_count++;
  return TNY_OK;
}

/* Notes that the step at hand has to wait for an earlier one. */
static void want(struct finder *finder, uint32_t index, uint32_t earlier)
{
  const struct tny_msccl_entry *entries = finder->queued->entries;
  const uint32_t own = entries[index].queue, other = entries[earlier].queue;
  const size_t row = (size_t)own * 2 * finder->schedule->rank_count;
  if (own == other || earlier + 1 <= finder->waited[row + other])
    return;
  if (finder->wanted[other] == 0)
    finder->touched[finder->touched_count++] = other;
  if (earlier + 1 > finder->wanted[other])
    finder->wanted[other] = earlier + 1;
}

/* Has the step wait for what was noted. */
static enum tny_status settle(struct finder *finder, uint32_t index, struct tny_error *error)
{
  struct tny_msccl_rank *queued = finder->queued;
  struct tny_msccl_entry *entry = &queued->entries[index];
  uint32_t *waited = finder->waited + (size_t)entry->queue * 2 * finder->schedule->rank_count;
  enum tny_status status = TNY_OK;
  while (status == TNY_OK && finder->touched_count > 0) {
    const uint32_t other = finder->touched[--finder->touched_count];
    const uint32_t step = finder->wanted[other] - 1;
    waited[other] = step + 1;
    finder->wanted[other] = 0;
    queued->entries[step].is_waited = true;
    status = add_wait(queued, entry, step, error);
  }
  return status;
}

static enum tny_status find_waits(struct finder *finder, uint32_t index,
                                  const struct tny_step *step, struct tny_error *error)
{
  const struct tny_steps *steps = &finder->schedule->ranks[finder->rank];
  for (uint32_t i = 0; i < step->after_count; i++)
    want(finder, index, steps->after[step->after_first + i]);
  const enum tny_status status =
      tny_dependences_find(&finder->dependences, finder->schedule, index, step, error);
  for (uint32_t i = 0; status == TNY_OK && i < finder->dependences.found_count; i++)
    want(finder, index, finder->dependences.found[i]);
  return status == TNY_OK ? settle(finder, index, error) : status;
}

static enum tny_status queue_steps(struct finder *finder, struct tny_error *error)
{
  struct tny_msccl_rank *queued = finder->queued;
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < queued->step_count; i++) {
    const struct tny_step step = tny_msccl_step(finder->schedule, finder->rank, i);
    const uint32_t number = queue_for(finder, &step);
    struct tny_msccl_queue *queue = &queued->queues[number];
    queued->entries[i] =
        (struct tny_msccl_entry){.queue = number, .next = TNY_NONE, .wait = TNY_NONE};
    *(queue->last == TNY_NONE ? &queue->first : &queued->entries[queue->last].next) = i;
    queue->last = i;
    status = find_waits(finder, i, &step, error);
  }
  return status;
}

static enum tny_status take_memory(struct finder *finder, struct tny_error *error)
{
  const struct tny_schedule *schedule = finder->schedule;
  const uint32_t count = schedule->rank_count;
  const size_t queues = 2 * (size_t)count;
  struct tny_msccl_rank *queued = finder->queued;
  queued->entries = tny_arena_take(finder->kept, queued->step_count, sizeof *queued->entries);
  queued->queues = tny_arena_take(finder->arena, queues, sizeof *queued->queues);
  finder->waited = tny_arena_take(finder->arena, queues * queues, sizeof *finder->waited);
  finder->wanted = tny_arena_take(finder->arena, queues, sizeof *finder->wanted);
  finder->touched = tny_arena_take(finder->arena, queues, sizeof *finder->touched);
  for (int way = 0; way < 2; way++) {
    finder->queue_of[way] = tny_arena_take(finder->arena, count, sizeof(uint32_t));
    for (uint32_t peer = 0; finder->queue_of[way] && peer < count; peer++)
      finder->queue_of[way][peer] = TNY_NONE;
  }
  return queued->entries && queued->queues && finder->waited && finder->wanted && finder->touched &&
                 finder->queue_of[0] && finder->queue_of[1]
             ? TNY_OK
             : tny_error_memory(error);
}

/* The queues that there are, in the memory that stays. */
static enum tny_status keep_queues(struct finder *finder, struct tny_error *error)
{
  struct tny_msccl_rank *queued = finder->queued;
  struct tny_msccl_queue *queues =
      tny_arena_take(finder->kept, queued->queue_count, sizeof *queues);
  if (!queues)
    return tny_error_memory(error);
  memcpy(queues, queued->queues, queued->queue_count * sizeof *queues);
  queued->queues = queues;
  return TNY_OK;
}

enum tny_status tny_msccl_queue_rank(const struct tny_schedule *schedule, uint32_t rank,
                                     struct tny_arena *arena, struct tny_msccl_rank *queued,
                                     struct tny_error *error)
{
  struct finder finder = {.schedule = schedule,
                          .rank = rank,
                          .queued = queued,
                          .kept = arena,
                          .arena = tny_arena_new()};
  *queued = (struct tny_msccl_rank){.step_count = tny_msccl_step_count(schedule, rank)};
  enum tny_status status = finder.arena ? take_memory(&finder, error) : tny_error_memory(error);
  if (status == TNY_OK)
    status = tny_dependences_init(&finder.dependences, tny_dependences_locations(schedule), error);
  if (status == TNY_OK)
    status = queue_steps(&finder, error);
  if (status == TNY_OK)
    status = keep_queues(&finder, error);
  tny_dependences_release(&finder.dependences);
  tny_arena_free(finder.arena);
  return status;
}
