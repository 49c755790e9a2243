/* Makes plans for all ranks of a group. */
#include "mpi/handout/planner.h"

#include "mpi/guard/clock.h"
#include "mpi/guard/planning.h"
#include "mpi/handout/prove.h"
#include "mpi/handout/store.h"
#include "mpi/world.h"

/* What is prepared for one call's counts serves no other. */
static struct tny_prepared *take_prepared(struct tny_group *group,
                                          const struct tny_plan_request *request,
                                          const struct tny_pattern *pattern)
{
  struct tny_problem problem = tny_group_problem(group, request->choice, request->root);
  problem.pattern = pattern;
  struct tny_prepared *prepared = NULL;
  if (request->counts.id)
    return tny_prepared_take(&prepared, request->choice, &problem);
  pthread_mutex_lock(&group->lock);
  prepared = tny_prepared_take(&group->prepared, request->choice, &problem);
  pthread_mutex_unlock(&group->lock);
  return prepared;
}

static void put_prepared(struct tny_group *group, const struct tny_plan_request *request,
                         struct tny_prepared *prepared)
{
  if (request->counts.id) {
    tny_prepared_free(prepared);
    return;
  }
  pthread_mutex_lock(&group->lock);
  tny_prepared_put(&group->prepared, prepared);
  pthread_mutex_unlock(&group->lock);
}

static enum tny_made_answer make_for(struct tny_group *group,
                                     const struct tny_plan_request *request,
                                     const struct tny_pattern *pattern, struct tny_parts *parts)
{
  struct tny_prepared *prepared = take_prepared(group, request, pattern);
  if (!prepared)
    return TNY_MADE_NO_MEMORY;
  const struct tny_segments run =
      tny_model_segments_for(&group->model, request->choice.algorithm, &prepared->problem,
                             prepared->chunk_bytes, tny_plan_request_sizes(request));
  const struct tny_parts_wanted wanted = {.choice = request->choice,
                                          .problem = &prepared->problem,
                                          .pace = run.pace,
                                          .segment_count = run.count};
  const enum tny_status status = tny_parts_make(&wanted, parts, NULL);
  put_prepared(group, request, prepared);
  return status == TNY_OK ? TNY_MADE : TNY_MADE_NO_MEMORY;
}

/* Makes the plan now. */
static enum tny_made_answer make(struct tny_group *group, const struct tny_plan_request *request,
                                 struct tny_parts *parts)
{
  struct tny_pattern *made;
  const struct tny_pattern *pattern;
  if (tny_plan_request_pattern(group, request, &made, &pattern, NULL) != TNY_OK)
    return TNY_MADE_NO_MEMORY;
  const enum tny_made_answer answer = make_for(group, request, pattern, parts);
  tny_pattern_free(made);
  return answer;
}

void tny_planner_make(struct tny_group *group, const struct tny_plan_request *request,
                      struct tny_made *made)
{
  const double start_ns = tny_processor_ns();
  *made = (struct tny_made){.answer = TNY_MADE};
  made->is_stored = tny_store_take(group, request, &made->parts);
  if (!made->is_stored) {
    tny_parts_release(&made->parts);
    made->answer = make(group, request, &made->parts);
  }
  if (made->answer == TNY_MADE && group->world->prove &&
      !tny_prove_or_warn(group, request, &made->parts))
    made->answer = TNY_MADE_NOT_PROVED;
  if (request->counts.id == 0) /* else its call's time has it */
    tny_planning_add(tny_processor_ns() - start_ns);
}

void tny_made_release(struct tny_made *made)
{
  tny_parts_release(&made->parts);
}
