/* Which algorithms are worth a trial: rank 0 ranks them once for the communicators of the same
   ranks, for each collective and class of sizes, and hands the best out, so that ranking takes the
   time of one rank and not of all. */
#include "mpi/choose.h"

#include "core/alloc.h"
#include "mpi/guard/clock.h"
#include "mpi/guard/planning.h"
#include "mpi/guard/profiled.h"
#include "mpi/world.h"

/* Blocks that differ flow around a ring as a stream of bytes; in other orders each phase takes as
   long as its longest block, which no prediction knows. Of the latter only those are worth a trial
   that are predicted to be faster than a ring by more than this. */
#define RING_AHEAD 1.25

/* What the fastest ring that may serve the class is predicted to take, where its blocks differ and
   are passed on; 0: there is none, or they aren't. */
static double ring_ns(const struct tny_ranked *ranked, const struct tny_ranking *ranking)
{
  double least_ns = 0;
  for (uint32_t i = 0; tny_guard_is_uneven(ranked->number) && i < ranking->count; i++) {
    const struct tny_candidate *candidate = &ranking->list[i];
    const struct tny_algorithm *algorithm = candidate->choice.algorithm;
    const double ns = (double)candidate->prediction.ns;
    if (!candidate->why_not && tny_algorithm_origin(algorithm)->is_ring &&
        tny_guard_takes(ranked->number, algorithm) && (least_ns == 0 || ns < least_ns))
      least_ns = ns;
  }
  return least_ns;
}

/* Takes the best two of the ranking that may serve the class, or the default algorithm where none
   could be predicted and that one may; of a neighbourhood it doesn't, as it has all send to all. */
static void take_best(struct tny_ranked *ranked, const struct tny_group *group,
                      const struct tny_ranking *ranking)
{
  const struct tny_algorithm *standard = tny_model_default_algorithm(ranked->collective);
  const double least_ring_ns = ring_ns(ranked, ranking);
  ranked->is_ranked = true;
  ranked->count = 0;
  for (uint32_t i = 0; i < ranking->count && ranked->count < TNY_GUARD_CANDIDATES; i++) {
    const struct tny_candidate *candidate = &ranking->list[i];
    const double ns = (double)candidate->prediction.ns;
    const bool is_near =
        ranked->count == 0 || ns <= TNY_GUARD_WORTH * ranked->candidates[0].predicted_ns;
    const bool is_behind = !tny_algorithm_origin(candidate->choice.algorithm)->is_ring &&
                           RING_AHEAD * ns > least_ring_ns && least_ring_ns > 0;
    if (!candidate->why_not && is_near && !is_behind &&
        tny_guard_takes(ranked->number, candidate->choice.algorithm))
      ranked->candidates[ranked->count++] =
          (struct tny_guard_candidate){.choice = candidate->choice, .predicted_ns = ns};
  }
  if (ranked->count == 0 && group->pattern.id == 0 && tny_guard_takes(ranked->number, standard))
    ranked->candidates[ranked->count++] =
        (struct tny_guard_candidate){.choice = {.algorithm = standard}};
}

/* By what is predicted; nothing where there is no memory. */
static void rank_predicted(const struct tny_group *group, struct tny_problem *problem,
                           struct tny_ranked *ranked)
{
  struct tny_ranking ranking;
  struct tny_pattern *pattern;
  struct tny_ranking_limits limits = tny_model_limits;
  limits.takes_patterns = true;
  if (tny_group_pattern_spread(&group->pattern, group->rank_count, &pattern, NULL) != TNY_OK)
    return;
  problem->pattern = pattern;
  if (tny_model_rank(&group->model, problem, limits, tny_guard_bytes(ranked->number), &ranking,
                     NULL) == TNY_OK) {
    take_best(ranked, group, &ranking);
    tny_ranking_free(&ranking);
  }
  tny_pattern_free(pattern);
}

/* What was measured goes before what is predicted; of uneven calls, and of the program's own
   operations, nothing was measured. */
static void rank(struct tny_group *group, const struct tny_guard_class *class,
                 struct tny_ranked *ranked)
{
  const double start_ns = tny_processor_ns();
  struct tny_problem problem = tny_group_problem(
      group,
      (struct tny_algorithm_choice){.algorithm = tny_model_default_algorithm(class->collective)},
      0);
  const bool may_be_measured =
      !tny_guard_is_uneven(class->number) && !tny_guard_is_own(class->number);
  ranked->is_ranked = may_be_measured && group->profiled &&
                      tny_guard_measured(tny_world_get()->profile, &problem, class->number,
                                         ranked->candidates, &ranked->count);
  if (!ranked->is_ranked)
    rank_predicted(group, &problem, ranked);
  tny_planning_add(tny_processor_ns() - start_ns);
}

/* The class's entry in the group's list, where it is put on its first use; NULL: no memory. */
static struct tny_ranked *get_ranked(struct tny_group *group, const struct tny_guard_class *class)
{
  struct tny_ranked *ranked = group->ranked;
  while (ranked && (ranked->collective != class->collective || ranked->number != class->number))
    ranked = ranked->next;
  if (ranked)
    return ranked;
  ranked = tny_new(1, sizeof *ranked);
  if (!ranked)
    return NULL;
  *ranked = (struct tny_ranked){
      .next = group->ranked, .collective = class->collective, .number = class->number};
  group->ranked = ranked;
  return ranked;
}

/* With the lock held. */
static void offer_ranked(struct tny_group *group, const struct tny_guard_class *class,
                         double call_ns, struct tny_guard_offer *offer)
{
  struct tny_ranked *ranked = get_ranked(group, class);
  if (!ranked)
    return;
  if (!ranked->is_ranked) {
    const struct tny_world *world = tny_world_get();
    offer->wait_calls = world->guard ? tny_planning_wait(world->start_ns, call_ns) : 0;
    if (offer->wait_calls > 0)
      return;
    rank(group, class, ranked);
  }
  offer->is_made = ranked->is_ranked;
  offer->count = ranked->count;
  memcpy(offer->candidates, ranked->candidates, sizeof offer->candidates);
}

void tny_group_offer(struct tny_group *group, const struct tny_guard_class *class, double call_ns,
                     bool wants_known, struct tny_guard_offer *offer)
{
  *offer = (struct tny_guard_offer){0};
  pthread_mutex_lock(&group->lock);
  const struct tny_guard_result *known =
      wants_known ? tny_guard_results_find(&group->results, class->collective, class->number)
                  : NULL;
  if (known) {
    offer->is_known = true;
    offer->known = *known;
  } else {
    offer_ranked(group, class, call_ns, offer);
  }
  pthread_mutex_unlock(&group->lock);
}

void tny_group_keep(struct tny_group *group, const struct tny_guard_result *result)
{
  pthread_mutex_lock(&group->lock);
  tny_guard_results_put(&group->results, result);
  pthread_mutex_unlock(&group->lock);
}
