/* One rank's steps, sorted in their queues, with a request each. */
#include "mpi/cache/plan.h"

#include <assert.h>

#include "core/alloc.h"
#include "schedule/held_blocks.h"

void tny_plan_free(struct tny_plan *plan)
{
  if (!plan)
    return;
  tny_steps_release(&plan->steps);
  tny_free(plan->posted);
  tny_free(plan->started);
  tny_free(plan->requests);
  tny_free(plan->type_hints);
  tny_free(plan->held_blocks);
  tny_strided_types_release(&plan->types);
  tny_free(plan);
}

void tny_plans_free(struct tny_plan *plans)
{
  while (plans) {
    struct tny_plan *next = plans->next;
    tny_plan_free(plans);
    plans = next;
  }
}

/* Makes room for the types of messages that don't lie in one piece. Blocks too long for a count of
   bytes would need one too, but a block is shorter. */
static bool make_type_table(struct tny_plan *plan)
{
  const struct tny_steps *steps = &plan->steps;
  uint32_t i = 0;
  while (i < steps->count &&
         (steps->steps[i].span.count < 2 || tny_step_is_local(steps->steps[i].kind)))
    i++;
  if (i == steps->count)
    return true;
  plan->type_hints = tny_new(steps->count, sizeof *plan->type_hints);
  return plan->type_hints && tny_strided_types_init(&plan->types);
}

/* Notes what a span needs of the plan: scratch space, and in how many pieces blocks are cut. */
static void note_span(struct tny_plan *plan, const struct tny_span *span)
{
  const uint32_t used = span->buffer == TNY_SCRATCH ? span->first + span->count : 0;
  if (used > plan->scratch_blocks)
    plan->scratch_blocks = used;
  assert(plan->piece_count == 1 || span->chunk_count <= 1 ||
         plan->piece_count == span->chunk_count);
  if (span->chunk_count > plan->piece_count)
    plan->piece_count = span->chunk_count;
}

/* Sorts the steps in their queues and gives each its request. */
static bool lay_out(struct tny_plan *plan)
{
  const uint32_t count = plan->steps.count;
  plan->posted = tny_new(count, sizeof *plan->posted);
  plan->started = tny_new(count, sizeof *plan->started);
  plan->requests = tny_new(count, sizeof *plan->requests);
  if (!plan->posted || !plan->started || !plan->requests)
    return false;
  plan->piece_count = 1;
  for (uint32_t i = 0; i < count; i++) {
    const struct tny_step *step = &plan->steps.steps[i];
    plan->requests[i] = MPI_REQUEST_NULL;
    if (tny_step_receives(step->kind))
      plan->posted[plan->posted_count++] = i;
    else
      plan->started[plan->started_count++] = i;
    note_span(plan, &step->span);
    note_span(plan, &step->target);
  }
  return true;
}

struct tny_plan *tny_plan_of_steps(struct tny_steps *steps)
{
  struct tny_plan *plan = tny_new(1, sizeof *plan);
  if (!plan) {
    tny_steps_release(steps);
    return NULL;
  }
  plan->steps = *steps;
  if (lay_out(plan) && make_type_table(plan))
    return plan;
  tny_plan_free(plan);
  return NULL;
}

/* Lays out one rank's steps, which are taken over. */
static struct tny_plan *make(struct tny_plan_key key, struct tny_pace pace, uint32_t rank,
                             struct tny_steps *steps)
{
  struct tny_plan *plan = tny_plan_of_steps(steps);
  if (!plan)
    return NULL;
  plan->choice = key.choice;
  plan->root = key.root;
  plan->pace = pace;
  plan->keeps_input = tny_collective_has_own_block(key.choice.algorithm->collective) &&
                      tny_steps_keep_input(&plan->steps, rank);
  return plan;
}

struct tny_plan *tny_plan_new(struct tny_algorithm_choice choice, const struct tny_problem *problem,
                              struct tny_pace pace, uint32_t rank)
{
  struct tny_steps steps;
  if (tny_plan_rank(choice.algorithm, problem, pace, rank, &steps, NULL) != TNY_OK)
    return NULL;
  return make((struct tny_plan_key){.choice = choice, .root = problem->root}, pace, rank, &steps);
}

struct tny_plan *tny_plan_of_part(const struct tny_handed *handed, struct tny_pace pace,
                                  uint32_t rank_count, uint32_t rank)
{
  struct tny_parts_head head = handed->head;
  head.pace = pace;
  const struct tny_part_view part = {.head = &head,
                                     .collective = handed->key.choice.algorithm->collective,
                                     .rank_count = rank_count,
                                     .root = handed->key.root,
                                     .rank = rank,
                                     .bytes = handed->bytes,
                                     .count = handed->byte_count};
  struct tny_steps steps;
  if (tny_part_steps(&part, &steps, NULL) != TNY_OK)
    return NULL;
  struct tny_plan *plan = make(handed->key, pace, rank, &steps);
  if (plan)
    plan->id = handed->head.id;
  return plan;
}

/* Algorithms whose input and output spans are of single blocks leave none unknown (test_algorithms
   holds all to it). */
bool tny_plan_find_held(struct tny_plan *plan, uint32_t rank)
{
  const struct tny_held held = {.steps = &plan->steps,
                                .rank = rank,
                                .scratch_blocks = plan->scratch_blocks,
                                .piece_count = plan->piece_count};
  if (plan->held_blocks)
    return true;
  uint32_t *blocks = tny_new(plan->steps.count, sizeof *blocks);
  const enum tny_status status = blocks ? tny_steps_find_held(&held, blocks, NULL) : TNY_NO_MEMORY;
  assert(status == TNY_OK || status == TNY_NO_MEMORY);
  if (status != TNY_OK) {
    tny_free(blocks);
    return false;
  }
  plan->held_blocks = blocks;
  return true;
}
