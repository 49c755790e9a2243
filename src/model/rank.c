/* Ranks the algorithms of a collective by their predicted times, the best first. */
#include <tourney/model.h>

#include "cluster/links.h"
#include "core/alloc.h"
#include "core/error.h"
#include "model/bandwidth_delay.h"
#include "model/predict.h"

const struct tny_ranking_limits tny_model_limits = {.planner_ranks = TNY_PLANNER_RANKS,
                                                    .steps = 1 << 17};

uint64_t tny_model_size_class(uint64_t block_bytes)
{
  uint64_t class_bytes = 1;
  while (class_bytes <= block_bytes / 2)
    class_bytes *= 2;
  return class_bytes;
}

/* The margin of the default algorithm, which is measured: it stays in front of what is predicted to
   be less than this much faster. The margin is larger in broadcasts, where pieces wait for each
   other along many ways. There 16 ranks on five switches took 2 to 5 % longer by a circulant than
   by the chain, at 10 to 20 % fewer rounds. Where ranks share hosts, the default broadcast has
   none: its chain goes through every rank. A reduce is a broadcast turned round. */
static uint64_t margin_percent(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  const struct tny_algorithm *origin =
      tny_algorithm_origin(tny_model_default_algorithm(problem->collective));
  if (!tny_collective_is_one_message(origin->collective))
    return 3;
  return placement && placement->host_count < placement->rank_count ? 0 : 20;
}

/* An algorithm that takes at most so much longer than the fastest may come first for its fewer
   messages between zones: of long links the model knows least, and each message there may be lost.
   Not so of a barrier, which takes little but the latencies that are known. */
enum { INTER_ZONE_PERCENT = 100 };

static uint64_t inter_zone_percent(const struct tny_problem *problem)
{
  return tny_collective_synchronizes(problem->collective) ? 0 : INTER_ZONE_PERCENT;
}

static const char overlong[] = "its messages are longer than a port's buffer";
static const char too_large[] = "it takes more memory than the call's own buffers";
static const char too_many[] = "too many steps to compare";
static const char too_long[] = "planning it takes long";
static const char unmeasured[] = "its prediction hasn't been measured: by name only";

static const char whole[] = "it plans blocks for all ranks";

/* Are there more messages than so many ranks have? */
static bool has_more_messages(const struct tny_problem *problem, uint32_t ranks)
{
  const uint64_t most = (uint64_t)ranks * ranks, p = problem->rank_count;
  uint64_t messages = 0;
  if (!problem->pattern)
    return p > ranks;
  for (uint64_t i = 0; i < p * p; i++)
    messages += problem->pattern->bytes[i] > 0;
  return messages > most;
}

/* Why the algorithm isn't worth a prediction; NULL: it is. */
static const char *why_not(const struct tny_algorithm *algorithm, const struct tny_problem *problem,
                           struct tny_ranking_limits limits)
{
  const char *refused = tny_algorithm_refusal(algorithm, problem);
  if (refused)
    return refused;
  const struct tny_algorithm *origin = tny_algorithm_origin(algorithm);
  if (algorithm->by_name_only || (origin->is_by_name_only && origin->is_by_name_only(problem)))
    return unmeasured;
  if (limits.takes_patterns && problem->pattern && !algorithm->takes_patterns)
    return whole;
  return algorithm->plans_messages && has_more_messages(problem, limits.planner_ranks) ? too_long
                                                                                       : NULL;
}

/* What is asked of the ranking. All borrowed. */
struct question {
  const struct tny_model *model;
  const struct tny_problem *problem;
  struct tny_ranking_limits limits;
  uint64_t block_bytes;
  uint64_t buffer_bytes; /* of the port that has the least */
};

/* Would its messages be longer than this however short the chunks? */
static bool is_ever_longer(const struct tny_subject *subject, const struct tny_work *work,
                           uint64_t bytes)
{
  const uint64_t shortest =
      subject->block_bytes < TNY_CHUNK_BYTES_LEAST ? subject->block_bytes : TNY_CHUNK_BYTES_LEAST;
  return subject->algorithm->pacing != TNY_PACE_NONE && tny_is_cut_by_pass(subject->algorithm) &&
         work->blocks_max * shortest > bytes;
}

/* Counts the steps again, now that a block is cut in pieces of the algorithm's own; where the
   fewest pieces have too many already, as if each had as many. */
static enum tny_status count_own_pieces(const struct tny_subject *subject,
                                        struct tny_steps_room room, struct tny_work *work,
                                        struct tny_error *error)
{
  if (room.needed <= room.most)
    return tny_messages_work(subject, work, error);
  work->steps = work->steps / subject->whole.piece_count * subject->paced.piece_count;
  return TNY_OK;
}

/* From all steps where they are few enough; else from some of them, or from what the algorithm
   promises; else not. Steps are counted first as they are for whole blocks, because to pace a plan
   of too many steps may need them all. */
static enum tny_status predict(const struct question *question, const struct tny_problem *prepared,
                               struct tny_candidate *candidate, struct tny_error *error)
{
  const struct tny_model *model = question->model;
  struct tny_subject subject =
      tny_subject_make(candidate->choice.algorithm, prepared, question->block_bytes);
  struct tny_work work;
  enum tny_status status = tny_messages_work(&subject, &work, error);
  if (status != TNY_OK)
    return status;
  struct tny_steps_room room = {work.steps, question->limits.steps};
  if (is_ever_longer(&subject, &work, question->buffer_bytes))
    candidate->why_not = overlong;
  else if (room.needed > room.most && !tny_can_estimate(&subject, room))
    candidate->why_not = too_many;
  if (candidate->why_not)
    return TNY_OK;
  status = tny_subject_pace(model, &subject, error);
  if (status == TNY_OK && subject.algorithm->cut == TNY_CUT_OWN)
    status = count_own_pieces(&subject, room, &work, error);
  if (status != TNY_OK)
    return status;
  if (tny_model_footprint(model, subject.algorithm, prepared, &subject.pace, question->block_bytes)
          .is_too_large) {
    candidate->why_not = too_large;
    return TNY_OK;
  }
  room.needed = work.steps;
  if (room.needed <= room.most)
    return tny_predict_exactly(model, &subject, &candidate->prediction, error);
  if (tny_can_estimate(&subject, room))
    return tny_predict_roughly(model, &subject, room, &candidate->prediction, error);
  candidate->why_not = too_many;
  return TNY_OK;
}

static enum tny_status consider(const struct question *question, struct tny_candidate *candidate,
                                struct tny_error *error)
{
  const struct tny_algorithm *algorithm = candidate->choice.algorithm;
  const struct tny_problem *problem = question->problem;
  struct tny_problem prepared;
  candidate->why_not = why_not(algorithm, problem, question->limits);
  if (candidate->why_not)
    return TNY_OK;
  enum tny_status status = tny_problem_prepare(algorithm, problem, &prepared, error);
  if (status == TNY_OK)
    status = predict(question, &prepared, candidate, error);
  tny_problem_release(algorithm, &prepared);
  if (status == TNY_OK && !candidate->why_not && algorithm->pacing != TNY_PACE_NONE &&
      candidate->prediction.message_bytes_max > question->buffer_bytes)
    candidate->why_not = overlong;
  return status;
}

/* The times by which algorithms are ranked: that of the default is taken for less, by its margin.
   Algorithms that are as fast as the fastest, for all that a prediction can tell, are compared by
   their messages between zones first; without zones all have 0. */
static void apply_margins(const struct tny_problem *problem, struct tny_ranking *ranking)
{
  const struct tny_algorithm *standard = tny_model_default_algorithm(problem->collective);
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < ranking->count; i++) {
    struct tny_candidate *candidate = &ranking->list[i];
    const uint64_t ns = candidate->prediction.ns;
    const bool has_margin = candidate->choice.algorithm == standard;
    candidate->ranked_ns = has_margin ? ns - ns / 100 * margin_percent(problem) : ns;
    if (!candidate->why_not && candidate->ranked_ns < least)
      least = candidate->ranked_ns;
  }
  for (uint32_t i = 0; i < ranking->count; i++) {
    struct tny_candidate *candidate = &ranking->list[i];
    const bool is_as_fast =
        candidate->ranked_ns - least <= least / 100 * inter_zone_percent(problem);
    candidate->inter_zone_key = is_as_fast ? candidate->prediction.inter_zone_messages : UINT64_MAX;
  }
}

/* Compares by messages between zones, then by time. Algorithms that weren't predicted come last; of
   those that tie, what has to be planned comes later, and else they stay in the order of the
   list. */
static int compare(const void *a, const void *b)
{
  const struct tny_candidate *x = a, *y = b;
  if (!x->why_not != !y->why_not)
    return x->why_not ? 1 : -1;
  if (!x->why_not && x->inter_zone_key != y->inter_zone_key)
    return x->inter_zone_key < y->inter_zone_key ? -1 : 1;
  if (!x->why_not && x->ranked_ns != y->ranked_ns)
    return x->ranked_ns < y->ranked_ns ? -1 : 1;
  const bool x_planned = x->choice.algorithm->plans_messages;
  if (x_planned != y->choice.algorithm->plans_messages)
    return x_planned ? 1 : -1;
  return (x->position > y->position) - (x->position < y->position);
}

enum tny_status tny_model_rank(const struct tny_model *model, const struct tny_problem *problem,
                               struct tny_ranking_limits limits, uint64_t block_bytes,
                               struct tny_ranking *ranking, struct tny_error *error)
{
  const struct question question = {model, problem, limits, block_bytes,
                                    tny_cluster_least_buffer(problem->network->routes->cluster)};
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
        .choice = {tny_algorithms[i], tny_algorithms[i]->parameter.standard}, .position = i};
    status = consider(&question, candidate, error);
  }
  if (status == TNY_OK) {
    apply_margins(problem, ranking);
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
