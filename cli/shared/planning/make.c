/* Makes a plan and proves it: of one algorithm after the other, until the plan of one is proved.
   Here it is settled in how many chunks and with which window the schedule is made, and how large a
   plan may be. */
#include "plan.h"

#include <inttypes.h>

#include "cli/shared/clock.h"
#include "cli/shared/mapping.h"
#include "cli/shared/options.h"
#include "cli/shared/pattern.h"
#include "cli/shared/progress.h"
#include "core/alloc.h"
#include "core/error.h"

#define STEPS_MAX (UINT64_C(1) << 26)     /* some gigabytes, where chunks are asked for */
#define STEPS_QUICK (UINT64_C(1) << 24)   /* some seconds, where they aren't */
#define STEPS_COUNTED (UINT64_C(1) << 22) /* of more, what is in flight isn't counted */
#define STEPS_PER_BLOCK 4                 /* sent: a send, a receive, and a token at both ends */
#define STEPS_PER_MESSAGE 2               /* that carries no block */

/* The steps that a plan has at most, by what the algorithm claims to send. Where there is one
   message, each rank receives it once, and part of it once more where it is dealt out first. */
static double steps_at_most(const struct plan *plan, uint32_t chunk_count)
{
  const struct tny_problem *problem = &plan->problem;
  const struct tny_problem whole = tny_plan_problem(plan->algorithm, problem, 1);
  const struct tny_claim claim = tny_algorithm_claim(plan->algorithm, &whole);
  const uint64_t sent = tny_claim_sent_max(&claim);
  const uint64_t blocks = tny_collective_is_one_message(problem->collective) && sent > 2 ? 2 : sent;
  if (tny_collective_synchronizes(problem->collective)) /* messages that aren't cut, nor paced */
    return (double)STEPS_PER_MESSAGE * (double)sent * problem->rank_count;
  return (double)STEPS_PER_BLOCK * (double)blocks * problem->rank_count * chunk_count;
}

/* A barrier's messages aren't cut in chunks. */
static enum tny_status refuse_barrier(const struct plan *plan, double steps,
                                      struct tny_error *error)
{
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  const struct tny_algorithm_choice choice = {plan->algorithm, plan->problem.parameter};
  tny_algorithm_choice_write(&choice, name);
  return tny_error_set(error, TNY_REFUSED,
                       "%s %s for %" PRIu32 " ranks takes up to %.0f steps, and its plan has at "
                       "most %" PRIu64 ": take fewer ranks, or an algorithm with fewer messages",
                       tny_collective_name(plan->problem.collective), name,
                       plan->problem.rank_count, steps, STEPS_QUICK);
}

/* Refuses a plan that takes too long, or where chunks are asked for one that wouldn't fit into
   memory. */
static enum tny_status check_size(const struct plan *plan, uint32_t chunk_count,
                                  struct tny_error *error)
{
  const struct tny_problem *problem = &plan->problem;
  const double steps = steps_at_most(plan, chunk_count);
  const bool is_barrier = tny_collective_synchronizes(problem->collective);
  const uint64_t steps_max = plan->request->chunks_given && !is_barrier ? STEPS_MAX : STEPS_QUICK;
  if (steps <= (double)steps_max)
    return TNY_OK;
  if (is_barrier)
    return refuse_barrier(plan, steps, error);
  return tny_error_set(error, TNY_REFUSED,
                       "%s %s for %" PRIu32 " ranks in %" PRIu32 " chunk%s takes up to %.0f steps, "
                       "and a plan has at most %" PRIu64 ": take fewer ranks or --chunks",
                       tny_collective_name(problem->collective), plan->algorithm->name,
                       problem->rank_count, chunk_count, chunk_count == 1 ? "" : "s", steps,
                       steps_max);
}

/* Drops the limit on what is in flight over links; the ranks' windows pace the sends instead. */
static void drop_link_limit(struct tny_pace *pace)
{
  if (pace->limit_message_bytes > 0 && pace->window == 0)
    pace->window = 1;
  pace->limit_message_bytes = 0;
}

/* The runtime does long blocks segment by segment with one plan, which is the plan made here;
   chunks that are asked for cut whole blocks instead. */
static void find_segments(struct plan *plan)
{
  struct tny_footprint *footprint = &plan->footprint;
  *footprint = tny_model_footprint(&plan->mapping.model, plan->algorithm, &plan->problem,
                                   &plan->pace, plan->block_bytes);
  if (plan->request->chunks_given) {
    footprint->scratch_bytes *= footprint->segment_count;
    footprint->in_place_bytes *= footprint->segment_count;
    footprint->segment_count = 1;
  }
  plan->pace = tny_segment_pace(plan->algorithm, plan->pace, footprint->segment_count);
}

/* Takes fewer chunks where planning in as many as wanted would take more than some seconds; at
   least one. */
static void fit_chunks(struct plan *plan)
{
  const uint32_t wanted = plan->pace.chunk_count;
  const double part = (double)STEPS_QUICK / steps_at_most(plan, wanted);
  if (part >= 1)
    return;
  plan->chunks_wanted = wanted;
  plan->pace.chunk_count = part * wanted < 1 ? 1 : (uint32_t)(part * wanted);
  drop_link_limit(&plan->pace);
}

/* Chunks and window, as the model chooses them or as asked for. Credits and limits on links are
   made of tokens. Where phases are kept apart, that paces the sends too, and both are left out. */
static enum tny_status find_pace(struct plan *plan, struct tny_error *error)
{
  const struct plan_request *request = plan->request;
  uint64_t chunk_budget_bytes;
  enum tny_status status = tny_model_chunk_budget(
      plan->algorithm, &plan->problem, &plan->mapping.network, &chunk_budget_bytes, error);
  if (status != TNY_OK)
    return status;
  plan->pace = tny_model_pace(&plan->mapping.model, plan->algorithm, &plan->problem,
                              chunk_budget_bytes, plan->block_bytes);
  if (request->separation != TNY_SEPARATE_NONE && tny_pacing_is_by_credits(plan->algorithm->pacing))
    plan->pace.window = 0;
  if (request->separation != TNY_SEPARATE_NONE || request->chunks_given || request->window_given)
    drop_link_limit(&plan->pace);
  if (request->window_given)
    plan->pace.window = request->window;
  if (request->chunks_given)
    plan->pace.chunk_count = request->chunks;
  find_segments(plan);
  if (!request->chunks_given && !plan->is_outline)
    fit_chunks(plan);
  return TNY_OK;
}

/* Is a plan so large, even in whole blocks, that only an outline is shown? A barrier has none: what
   one says is of blocks. */
static bool must_outline(const struct plan *plan)
{
  return plan->request->may_outline && !plan->request->chunks_given &&
         !tny_collective_synchronizes(plan->problem.collective) &&
         steps_at_most(plan, 1) > (double)STEPS_QUICK;
}

enum tny_status plan_check_bytes(const struct plan_request *request, struct tny_error *error)
{
  if (!tny_collective_synchronizes(request->collective))
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT, "%s %s has no --bytes: its messages carry nothing",
                       tny_collective_article(request->collective),
                       tny_collective_name(request->collective));
}

/* Reads the pattern, if there is one, and with it how long blocks are. */
static enum tny_status find_pattern(struct plan *plan, struct tny_error *error)
{
  const struct plan_request *request = plan->request;
  plan->block_bytes = tny_collective_synchronizes(request->collective) ? 0 : request->bytes;
  if (!request->pattern)
    return TNY_OK;
  const enum tny_status status =
      pattern_open(request->pattern, &plan->mapping, request->bytes, &plan->pattern, error);
  if (status != TNY_OK)
    return status;
  const uint64_t p = plan->pattern->rank_count;
  plan->wanted.pattern = plan->pattern;
  plan->block_bytes = 1;
  for (uint64_t i = 0; i < p * p; i++)
    if (plan->pattern->bytes[i] > plan->block_bytes)
      plan->block_bytes = plan->pattern->bytes[i];
  if (plan->block_bytes > CLI_BYTES_MAX)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "%.200s: %" PRIu64 " bytes in a message, %" PRIu64 " are the limit",
                         request->pattern, plan->block_bytes, CLI_BYTES_MAX);
  return TNY_OK;
}

/* Keeps the phases apart, where that is wanted. */
static enum tny_status separate_phases(struct plan *plan, struct tny_error *error)
{
  const enum tny_separation separation = plan->request->separation;
  struct tny_schedule *made;
  if (separation == TNY_SEPARATE_NONE)
    return TNY_OK;
  const enum tny_status status = tny_pass_separate(plan->schedule, &plan->mapping.network,
                                                   separation, &made, &plan->separated, error);
  if (status == TNY_OK) {
    tny_schedule_free(plan->schedule);
    plan->schedule = made;
  }
  return status;
}

static enum tny_status make_schedule(struct plan *plan, struct progress *progress,
                                     struct tny_error *error)
{
  progress_show(progress, "planning: %s", plan->algorithm->name);
  enum tny_status status =
      tny_problem_prepare(plan->algorithm, &plan->wanted, &plan->problem, error);
  plan->is_outline = status == TNY_OK && must_outline(plan);
  if (status == TNY_OK && !plan->is_outline)
    status = check_size(plan, 1, error);
  if (status == TNY_OK)
    status = find_pace(plan, error);
  if (status != TNY_OK || plan->is_outline)
    return status;
  plan->is_large = steps_at_most(plan, plan->pace.chunk_count) > (double)STEPS_COUNTED;
  status = check_size(plan, plan->pace.chunk_count, error);
  if (status == TNY_OK)
    status = tny_plan_all(plan->algorithm, &plan->problem, plan->pace, &plan->schedule, error);
  progress_show(progress, "planning: separation");
  if (status == TNY_OK)
    status = separate_phases(plan, error);
  return status;
}

struct proof_subject plan_subject(const struct plan *plan)
{
  const enum plan_proof proof = plan->request->proof;
  return (struct proof_subject){
      .schedule = plan->schedule,
      .network = proof >= PLAN_PROOF_LINKS ? &plan->mapping.network : NULL,
      .placement = plan->mapping.placement,
      .pattern = plan->pattern,
      .block_bytes = plan->block_bytes,
      .segment_count = plan->footprint.segment_count,
      .without_in_flight = proof < PLAN_PROOF_IN_FLIGHT || plan->is_large};
}

static enum tny_status prove(struct plan *plan, struct progress *progress, struct tny_error *error)
{
  struct proof_subject subject = plan_subject(plan);
  subject.progress = progress;
  enum tny_status status = proof_make(&subject, &plan->proof, error);
  progress_show(progress, "proving: phases are kept apart");
  if (status == TNY_OK && plan->request->separation != TNY_SEPARATE_NONE)
    status = tny_verify_separated(plan->schedule, &plan->mapping.network, error);
  return status;
}

/* Gives back what belongs to one algorithm, so that another one can be tried. */
static void clear(struct plan *plan)
{
  proof_release(&plan->proof);
  tny_schedule_free(plan->schedule);
  plan->schedule = NULL;
  if (plan->algorithm)
    tny_problem_release(plan->algorithm, &plan->problem);
  plan->problem = (struct tny_problem){0};
  plan->chunks_wanted = 0;
}

static enum tny_status make_and_prove(struct plan *plan, struct tny_algorithm_choice choice,
                                      struct progress *progress, struct tny_error *error)
{
  clear(plan);
  plan->algorithm = choice.algorithm;
  plan->wanted.parameter = choice.parameter;
  const double begun = clock_seconds();
  enum tny_status status = make_schedule(plan, progress, error);
  const double planned = clock_seconds();
  plan->plan_seconds += planned - begun;
  if (status == TNY_OK && !plan->is_outline)
    status = prove(plan, progress, error);
  plan->verify_seconds += clock_seconds() - planned;
  return status;
}

static enum tny_status make_as_asked(struct plan *plan, struct progress *progress,
                                     struct tny_error *error)
{
  struct tny_algorithm_choice choice;
  enum tny_status status =
      tny_algorithm_parse(plan->wanted.collective, plan->request->algorithm, &choice, error);
  if (status == TNY_OK)
    status = make_and_prove(plan, choice, progress, error);
  return status;
}

/* Tries one algorithm after the other, the best first, until a plan is proved. Where none was
   compared, the default one. */
static enum tny_status make_the_best(struct plan *plan, struct progress *progress,
                                     struct tny_error *error)
{
  struct plan_choice *choice = &plan->choice;
  const double begun = clock_seconds();
  progress_show(progress, "planning: comparing algorithms");
  enum tny_status status = plan_choice_make(plan, error);
  plan->plan_seconds += clock_seconds() - begun;
  if (status != TNY_OK)
    return status;
  const enum tny_collective collective = plan->wanted.collective;
  plan->left_native =
      plan->block_bytes < tny_model_bytes_min(&plan->mapping.model, collective, true);
  status = plan_choice_by_profile(plan, error);
  if (status != TNY_OK)
    return status;
  for (; choice->chosen < choice->compared; choice->chosen++) {
    struct tny_error *failure = &choice->failures[choice->chosen];
    status = make_and_prove(plan, choice->ranking.list[choice->chosen].choice, progress, failure);
    if (status != TNY_BROKEN && status != TNY_REFUSED)
      return status == TNY_OK ? TNY_OK : tny_error_set(error, status, "%s", failure->text);
  }
  if (choice->compared > 0)
    return tny_error_set(error, status, "no algorithm's plan could be proved; the first: %s",
                         choice->failures[0].text);
  const struct tny_algorithm_choice standard = {.algorithm =
                                                    tny_model_default_algorithm(collective)};
  return make_and_prove(plan, standard, progress, error);
}

enum tny_status plan_make(struct plan *plan, struct progress *progress, struct tny_error *error)
{
  const struct plan_request *request = plan->request;
  const struct mapping_wanted where = {.cluster = request->cluster,
                                       .routing = request->routing,
                                       .map = request->map,
                                       .ranks = request->ranks};
  progress_show(progress, "planning");
  enum tny_status status = mapping_open(&plan->mapping, &where, error);
  if (status != TNY_OK)
    return status;
  if (request->profile)
    plan->mapping.model = tny_model_make(&plan->mapping.network, plan->mapping.rank_count,
                                         &request->profile->machine);
  plan->wanted = mapping_problem(&plan->mapping, request->collective, request->root);
  if (request->root >= plan->wanted.rank_count)
    return tny_error_set(error, TNY_BAD_INPUT, "--root %" PRIu32 " isn't one of %" PRIu32 " ranks",
                         request->root, plan->wanted.rank_count);
  status = find_pattern(plan, error);
  if (status != TNY_OK)
    return status;
  return request->algorithm ? make_as_asked(plan, progress, error)
                            : make_the_best(plan, progress, error);
}

void plan_release(struct plan *plan)
{
  clear(plan);
  plan_choice_release(&plan->choice);
  tny_pattern_free(plan->pattern);
  mapping_close(&plan->mapping);
}

uint64_t plan_pattern_blocks(const struct plan *plan)
{
  const uint64_t p = plan->pattern->rank_count;
  uint64_t blocks = 0;
  for (uint64_t i = 0; i < p * p; i++)
    blocks += plan->pattern->bytes[i] > 0;
  return blocks;
}

const char *plan_pacing(const struct plan *plan)
{
  if (plan->pace.window == 0 || plan->algorithm->pacing == TNY_PACE_NONE)
    return NULL;
  return tny_pacing_is_by_credits(plan->algorithm->pacing) ? "credits" : "receives";
}
