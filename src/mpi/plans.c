/* The plans of a group: made on first use, kept most recently used first. */
#include "mpi/runtime.h"

#include "core/alloc.h"

enum { CACHED_STEPS_MAX = 1 << 19 }; /* of a group's plans together */

static void plan_free(struct tny_plan *plan)
{
  if (!plan)
    return;
  tny_steps_release(&plan->steps);
  tny_free(plan->posted);
  tny_free(plan->started);
  tny_free(plan->requests);
  tny_free(plan);
}

void tny_plans_free(struct tny_plan *plans)
{
  while (plans) {
    struct tny_plan *next = plans->next;
    plan_free(plans);
    plans = next;
  }
}

static uint32_t span_end(const struct tny_span *span, enum tny_buffer buffer)
{
  return span->buffer == buffer ? span->first + span->count : 0;
}

/* Sorts the steps in their queues and gives each its requests. */
static bool lay_out(struct tny_plan *plan)
{
  const uint32_t count = plan->steps.count;
  plan->posted = tny_new(count, sizeof *plan->posted);
  plan->started = tny_new(count, sizeof *plan->started);
  plan->requests = tny_new(count, sizeof *plan->requests);
  if (!plan->posted || !plan->started || !plan->requests)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const struct tny_step *step = &plan->steps.steps[i];
    plan->requests[i] = MPI_REQUEST_NULL;
    if (step->kind == TNY_RECV || step->kind == TNY_TOKEN_IN)
      plan->posted[plan->posted_count++] = i;
    else
      plan->started[plan->started_count++] = i;
    const uint32_t used = span_end(&step->span, TNY_SCRATCH) > span_end(&step->target, TNY_SCRATCH)
                              ? span_end(&step->span, TNY_SCRATCH)
                              : span_end(&step->target, TNY_SCRATCH);
    if (used > plan->scratch_blocks)
      plan->scratch_blocks = used;
  }
  return true;
}

struct tny_problem tny_group_problem(const struct tny_group *group,
                                     struct tny_algorithm_choice choice, uint32_t root)
{
  return (struct tny_problem){
      .collective = choice.algorithm->collective,
      .parameter = choice.parameter,
      .rank_count = group->rank_count,
      .root = root,
      .placement = group->placement,
      .network = &group->network,
  };
}

static struct tny_plan *make(const struct tny_group *group, const struct tny_problem *problem,
                             const struct tny_plan *key)
{
  struct tny_plan *plan = tny_new(1, sizeof *plan);
  if (!plan)
    return NULL;
  *plan = *key;
  const struct tny_pace pace = {
      .chunk_count = key->chunk_count, .window = key->window, .held_bytes = key->held_bytes};
  if (tny_plan_rank(plan->choice.algorithm, problem, pace, group->rank, &plan->steps, NULL) !=
          TNY_OK ||
      !lay_out(plan)) {
    plan_free(plan);
    return NULL;
  }
  plan->keeps_input =
      problem->collective == TNY_ALLGATHER && tny_steps_keep_input(&plan->steps, group->rank);
  return plan;
}

/* Keeps the list small: the least recently used plans go. The first stays, however large. */
static void forget_oldest(struct tny_plan *plans)
{
  uint64_t steps = plans->steps.count;
  for (struct tny_plan *plan = plans; plan->next; plan = plan->next) {
    steps += plan->next->steps.count;
    if (steps > CACHED_STEPS_MAX) {
      tny_plans_free(plan->next);
      plan->next = NULL;
      return;
    }
  }
}

void tny_slots_free(struct tny_slot *slots)
{
  while (slots) {
    struct tny_slot *next = slots->next;
    tny_problem_release(slots->choice.algorithm, &slots->problem);
    tny_free(slots);
    slots = next;
  }
}

static bool is_same(struct tny_algorithm_choice one, struct tny_algorithm_choice other)
{
  return one.algorithm == other.algorithm && one.parameter == other.parameter;
}

/* The slot of an algorithm and root, filled on their first use; NULL: no memory. */
static const struct tny_slot *find_slot(struct tny_group *group, struct tny_algorithm_choice choice,
                                        uint32_t root)
{
  for (const struct tny_slot *slot = group->slots; slot; slot = slot->next)
    if (is_same(slot->choice, choice) && slot->problem.root == root)
      return slot;
  const struct tny_problem problem = tny_group_problem(group, choice, root);
  struct tny_slot *slot = tny_new(1, sizeof *slot);
  if (!slot)
    return NULL;
  *slot = (struct tny_slot){.choice = choice};
  if (tny_problem_prepare(choice.algorithm, &problem, &slot->problem, NULL) != TNY_OK ||
      tny_model_slot_bytes(choice.algorithm, &slot->problem, &group->network, &slot->bytes, NULL) !=
          TNY_OK) {
    tny_slots_free(slot);
    return NULL;
  }
  slot->next = group->slots;
  group->slots = slot;
  return slot;
}

/* With the lock held. */
static bool find_key(struct tny_group *group, const struct tny_plan_request *request,
                     struct tny_plan_key *key)
{
  const struct tny_algorithm_choice choice = request->choice;
  const struct tny_slot *slot = find_slot(group, choice, request->root);
  if (!slot)
    return false;
  *key = (struct tny_plan_key){
      .problem = &slot->problem,
      .run = tny_model_segments(&group->model, choice.algorithm, &slot->problem, slot->bytes,
                                request->block_bytes),
  };
  return true;
}

bool tny_plan_key(struct tny_group *group, const struct tny_plan_request *request,
                  struct tny_plan_key *key)
{
  pthread_mutex_lock(&group->lock);
  const bool is_found = find_key(group, request, key);
  pthread_mutex_unlock(&group->lock);
  return is_found;
}

/* With the lock held. */
static struct tny_plan *get(struct tny_group *group, const struct tny_plan_request *request,
                            uint32_t *segments)
{
  struct tny_plan_key found;
  if (!find_key(group, request, &found))
    return NULL;
  const struct tny_pace pace = found.run.pace;
  *segments = found.run.count;
  const struct tny_plan key = {.choice = request->choice,
                               .root = request->root,
                               .chunk_count = pace.chunk_count,
                               .window = pace.window,
                               .held_bytes = pace.held_bytes};
  for (struct tny_plan **at = &group->plans; *at; at = &(*at)->next) {
    struct tny_plan *plan = *at;
    if (is_same(plan->choice, key.choice) && plan->root == key.root &&
        plan->chunk_count == key.chunk_count && plan->window == key.window &&
        plan->held_bytes == key.held_bytes) {
      *at = plan->next;
      return plan;
    }
  }
  return make(group, found.problem, &key);
}

struct tny_plan *tny_plan_get(struct tny_group *group, const struct tny_plan_request *request,
                              uint32_t *segments)
{
  pthread_mutex_lock(&group->lock);
  struct tny_plan *plan = get(group, request, segments);
  pthread_mutex_unlock(&group->lock);
  return plan;
}

void tny_plan_put(struct tny_group *group, struct tny_plan *plan)
{
  pthread_mutex_lock(&group->lock);
  plan->next = group->plans;
  group->plans = plan;
  forget_oldest(plan);
  pthread_mutex_unlock(&group->lock);
}
