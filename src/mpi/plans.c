/* The plans of a group: made on first use, kept most recently used first. */
#include "mpi/plans.h"

#include "mpi/cache/same.h"
#include "mpi/guard/clock.h"
#include "mpi/guard/planning.h"

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

enum tny_status tny_plan_request_pattern(const struct tny_group *group,
                                         const struct tny_plan_request *request,
                                         struct tny_pattern **made,
                                         const struct tny_pattern **pattern,
                                         struct tny_error *error)
{
  *made = NULL;
  *pattern = request->counts.pattern;
  if (request->counts.id != 0)
    return TNY_OK;
  const enum tny_status status =
      tny_group_pattern_spread(&group->pattern, group->rank_count, made, error);
  *pattern = *made;
  return status;
}

/* With the lock held. */
static bool find_run(struct tny_group *group, const struct tny_plan_request *request,
                     struct tny_segments *run)
{
  struct tny_planned_size size = {.choice = request->choice,
                                  .root = request->root,
                                  .step_bytes = tny_model_size_step(request->block_bytes),
                                  .mean_step_bytes = tny_model_size_step(request->mean_bytes)};
  const struct tny_planned_size *known = tny_planned_sizes_find(&group->sizes, &size);
  if (known) {
    *run = known->run;
    return true;
  }
  const struct tny_problem problem = tny_group_problem(group, request->choice, request->root);
  if (!tny_model_segments_alone(&group->model, request->choice.algorithm, &problem,
                                tny_plan_request_sizes(request), run))
    return false;
  size.run = *run;
  tny_planned_sizes_add(&group->sizes, &size);
  return true;
}

bool tny_plan_run_alone(struct tny_group *group, const struct tny_plan_request *request,
                        struct tny_segments *run)
{
  pthread_mutex_lock(&group->lock);
  const bool is_found = find_run(group, request, run);
  pthread_mutex_unlock(&group->lock);
  return is_found;
}

static int64_t id_of(const struct tny_handed *handed)
{
  return handed ? handed->head.id : 0;
}

static bool is_plan_for(const struct tny_plan *plan, const struct tny_plan_request *request,
                        const struct tny_plan_basis *basis)
{
  return tny_is_same_choice(plan->choice, request->choice) && plan->root == request->root &&
         tny_is_same_pace(plan->pace, basis->run.pace) && plan->id == id_of(basis->handed);
}

/* With the lock held. */
static struct tny_plan *get(struct tny_group *group, const struct tny_plan_request *request,
                            const struct tny_plan_basis *basis)
{
  for (struct tny_plan **at = &group->plans; *at; at = &(*at)->next) {
    struct tny_plan *plan = *at;
    if (is_plan_for(plan, request, basis)) {
      *at = plan->next;
      return plan;
    }
  }
  const double start_ns = tny_processor_ns();
  const struct tny_problem problem = tny_group_problem(group, request->choice, request->root);
  struct tny_plan *plan =
      basis->handed
          ? tny_plan_of_part(basis->handed, basis->run.pace, problem.rank_count, group->rank)
          : tny_plan_new(request->choice, &problem, basis->run.pace, group->rank);
  if (request->counts.id == 0) /* else its call's time has it */
    tny_planning_add(tny_processor_ns() - start_ns);
  return plan;
}

struct tny_plan *tny_plan_get(struct tny_group *group, const struct tny_plan_request *request,
                              const struct tny_plan_basis *basis)
{
  pthread_mutex_lock(&group->lock);
  struct tny_plan *plan = get(group, request, basis);
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
