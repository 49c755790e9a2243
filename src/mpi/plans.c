/* The plans of a group: made on first use, kept most recently used first. */
#include "mpi/plans.h"

#include "mpi/cache/same.h"

enum { CACHED_STEPS_MAX = 1 << 19 }; /* of a group's plans together */

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

/* The prepared algorithm, with the lock held; to be put back. NULL: no memory. */
static struct tny_prepared *take_prepared(struct tny_group *group,
                                          const struct tny_plan_request *request)
{
  const struct tny_problem problem = tny_group_problem(group, request->choice, request->root);
  return tny_prepared_take(&group->prepared, request->choice, &problem);
}

/* With the lock held. */
static bool find_segments(struct tny_group *group, const struct tny_plan_request *request,
                          struct tny_segments *run)
{
  struct tny_planned_size size = {.choice = request->choice,
                                  .root = request->root,
                                  .step_bytes = tny_model_size_step(request->block_bytes)};
  const struct tny_planned_size *known = tny_planned_sizes_find(&group->sizes, &size);
  if (known) {
    *run = known->run;
    return true;
  }
  struct tny_prepared *prepared = take_prepared(group, request);
  if (!prepared)
    return false;
  *run = size.run = tny_model_segments(&group->model, request->choice.algorithm, &prepared->problem,
                                       prepared->chunk_bytes, request->block_bytes);
  tny_prepared_put(&group->prepared, prepared);
  tny_planned_sizes_add(&group->sizes, &size);
  return true;
}

bool tny_plan_segments(struct tny_group *group, const struct tny_plan_request *request,
                       struct tny_segments *run)
{
  pthread_mutex_lock(&group->lock);
  const bool is_found = find_segments(group, request, run);
  pthread_mutex_unlock(&group->lock);
  return is_found;
}

static bool is_plan_for(const struct tny_plan *plan, const struct tny_plan_request *request,
                        struct tny_pace pace)
{
  return tny_is_same_choice(plan->choice, request->choice) && plan->root == request->root &&
         tny_is_same_pace(plan->pace, pace);
}

/* With the lock held. */
static struct tny_plan *get(struct tny_group *group, const struct tny_plan_request *request,
                            uint32_t *segments)
{
  struct tny_segments run;
  if (!find_segments(group, request, &run))
    return NULL;
  *segments = run.count;
  for (struct tny_plan **at = &group->plans; *at; at = &(*at)->next) {
    struct tny_plan *plan = *at;
    if (is_plan_for(plan, request, run.pace)) {
      *at = plan->next;
      return plan;
    }
  }
  struct tny_prepared *prepared = take_prepared(group, request);
  if (!prepared)
    return NULL;
  struct tny_plan *plan = tny_plan_new(request->choice, &prepared->problem, run.pace, group->rank);
  tny_prepared_put(&group->prepared, prepared);
  return plan;
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

struct tny_prepared *tny_plan_take_prepared(struct tny_group *group,
                                            const struct tny_plan_request *request)
{
  pthread_mutex_lock(&group->lock);
  struct tny_prepared *prepared = take_prepared(group, request);
  pthread_mutex_unlock(&group->lock);
  return prepared;
}

void tny_plan_put_prepared(struct tny_group *group, struct tny_prepared *prepared)
{
  pthread_mutex_lock(&group->lock);
  tny_prepared_put(&group->prepared, prepared);
  pthread_mutex_unlock(&group->lock);
}
