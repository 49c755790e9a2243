/* All algorithms of a collective side by side: what each would take, the best first. */
#include <tourney/model.h>

#include "core/alloc.h"
#include "core/error.h"

const struct tny_ranking_limits tny_model_limits = {.planner_ranks = 128, .blocks = 1 << 20};

uint64_t tny_model_size_class(uint64_t block_bytes)
{
  uint64_t class_bytes = 1;
  while (class_bytes <= block_bytes / 2)
    class_bytes *= 2;
  return class_bytes;
}

/* The measured standard stays in front of what is predicted to be less than this much faster: more
   in broadcasts, where pieces wait for each other along many ways. There 16 ranks on five switches
   took 2 to 5 % longer by a circulant than by the chain, at 10 to 20 % fewer rounds. */
static const uint64_t margin_percent[TNY_COLLECTIVE_COUNT] = {
    [TNY_BROADCAST] = 20, [TNY_ALLGATHER] = 3, [TNY_ALLTOALL] = 3};

/* What takes at most so many times the least time may come first for its fewer wide messages. */
enum { WIDE_TIMES = 2 };

static const char overlong[] = "its messages are longer than a port's buffer";
static const char too_large[] = "it takes more memory than the call's own buffers";
static const char too_many[] = "too many messages to compare";
static const char too_long[] = "planning it takes long";

/* Is it worth its prediction? Otherwise why not. */
static const char *why_not(const struct tny_algorithm *algorithm, const struct tny_problem *problem,
                           struct tny_ranking_limits limits)
{
  const char *refused = tny_algorithm_refusal(algorithm, problem);
  if (refused)
    return refused;
  return algorithm->prepare && problem->rank_count > limits.planner_ranks ? too_long : NULL;
}

static uint64_t least_buffer(const struct tny_cluster *cluster)
{
  uint64_t least = UINT64_MAX;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].buffer_bytes < least)
      least = cluster->links[link].buffer_bytes;
  return least;
}

/* What is to be ranked. All borrowed. */
struct question {
  const struct tny_model *model;
  const struct tny_problem *problem;
  struct tny_ranking_limits limits;
  uint64_t block_bytes;
};

static enum tny_status predict(const struct question *question, const struct tny_problem *prepared,
                               struct tny_candidate *candidate, struct tny_error *error)
{
  const struct tny_algorithm *algorithm = candidate->named.algorithm;
  const enum tny_status status = tny_model_predict(
      question->model, algorithm, prepared, question->block_bytes, &candidate->prediction, error);
  const uint64_t buffer = least_buffer(prepared->network->routes->cluster);
  if (status == TNY_OK && algorithm->pacing != TNY_PACE_NONE &&
      candidate->prediction.message_bytes_max > buffer)
    candidate->why_not = overlong;
  if (status == TNY_OK && candidate->prediction.footprint.is_too_large)
    candidate->why_not = too_large;
  return status;
}

static enum tny_status consider(const struct question *question, struct tny_candidate *candidate,
                                struct tny_error *error)
{
  const struct tny_algorithm *algorithm = candidate->named.algorithm;
  const struct tny_problem *problem = question->problem;
  struct tny_problem prepared;
  candidate->why_not = why_not(algorithm, problem, question->limits);
  if (candidate->why_not)
    return TNY_OK;
  enum tny_status status = tny_problem_prepare(algorithm, problem, &prepared, error);
  if (status == TNY_OK) {
    const struct tny_problem whole = tny_plan_problem(algorithm, &prepared, 1);
    if (algorithm->claim(&whole).blocks_sent_max * problem->rank_count > question->limits.blocks)
      candidate->why_not = too_many;
    else
      status = predict(question, &prepared, candidate, error);
  }
  tny_problem_release(algorithm, &prepared);
  return status;
}

/* The time that counts: the standard's is taken for a little less than it is. */
static uint64_t weighed_ns(const struct tny_candidate *candidate)
{
  const struct tny_algorithm *algorithm = candidate->named.algorithm;
  const uint64_t ns = candidate->prediction.ns;
  return algorithm == tny_model_best(algorithm->collective)
             ? ns - ns / 100 * margin_percent[algorithm->collective]
             : ns;
}

/* The least time of all that are predicted. */
static uint64_t least_ns(const struct tny_ranking *ranking)
{
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < ranking->count; i++)
    if (!ranking->list[i].why_not && ranking->list[i].prediction.ns < least)
      least = ranking->list[i].prediction.ns;
  return least;
}

/* Those that are quick enough for it are held against each other by their wide messages first;
   without zones all have 0. */
static void weigh(struct tny_ranking *ranking)
{
  const uint64_t least = least_ns(ranking);
  for (uint32_t i = 0; i < ranking->count; i++) {
    struct tny_candidate *candidate = &ranking->list[i];
    candidate->weighed_wide = candidate->prediction.ns / WIDE_TIMES <= least
                                  ? candidate->prediction.wide_messages
                                  : UINT64_MAX;
  }
}

/* By wide messages, then by time; those that weren't predicted come last; else as they are listed.
 */
static int compare(const void *a, const void *b)
{
  const struct tny_candidate *x = a, *y = b;
  if (!x->why_not != !y->why_not)
    return x->why_not ? 1 : -1;
  if (!x->why_not && x->weighed_wide != y->weighed_wide)
    return x->weighed_wide < y->weighed_wide ? -1 : 1;
  if (!x->why_not && weighed_ns(x) != weighed_ns(y))
    return weighed_ns(x) < weighed_ns(y) ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

enum tny_status tny_model_rank(const struct tny_model *model, const struct tny_problem *problem,
                               struct tny_ranking_limits limits, uint64_t block_bytes,
                               struct tny_ranking *ranking, struct tny_error *error)
{
  const struct question question = {model, problem, limits, block_bytes};
  uint32_t total = 0;
  while (tny_algorithms[total])
    total++;
  *ranking = (struct tny_ranking){.list = tny_new(total, sizeof *ranking->list)};
  if (!ranking->list)
    return tny_error_memory(error);
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < total; i++) {
    if (tny_algorithms[i]->collective != problem->collective)
      continue;
    struct tny_candidate *candidate = &ranking->list[ranking->count++];
    *candidate = (struct tny_candidate){
        .named = {tny_algorithms[i], tny_algorithms[i]->parameter.standard}, .place = i};
    status = consider(&question, candidate, error);
  }
  if (status == TNY_OK) {
    weigh(ranking);
    qsort(ranking->list, ranking->count, sizeof *ranking->list, compare);
  } else {
    tny_ranking_free(ranking);
  }
  return status;
}

void tny_ranking_free(struct tny_ranking *ranking)
{
  tny_free(ranking->list);
  *ranking = (struct tny_ranking){0};
}
