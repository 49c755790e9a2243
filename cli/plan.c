/* `tourney plan`: the schedule of one collective on one cluster, proved. */
#include "plan.h"

#include <inttypes.h>

#include "cli.h"
#include "core/alloc.h"
#include "core/error.h"
#include "pattern.h"
#include "signals.h"
#include "whole_file.h"

#define STEPS_MAX (UINT64_C(1) << 26) /* some gigabytes */
#define STEPS_PER_BLOCK 4             /* sent: a send, a receive, and a token at both ends */

/* By name, or the one that the model chooses; where it would leave the call to native, the one for
   long messages, and `why` says so. */
static enum tny_status choose(struct plan *plan, struct tny_error *error)
{
  const enum tny_collective collective = plan->problem.collective;
  if (plan->options->algorithm) {
    struct tny_named named;
    const enum tny_status status =
        tny_algorithm_parse(collective, plan->options->algorithm, &named, error);
    plan->why = "asked for";
    plan->algorithm = named.algorithm;
    plan->problem.parameter = named.parameter;
    return status == TNY_OK ? tny_algorithm_check(plan->algorithm, &plan->problem, error) : status;
  }
  const struct tny_choice choice =
      tny_model_choose(&plan->scene.model, collective, plan->block_bytes);
  plan->why = choice.why;
  plan->left_native = !choice.algorithm;
  plan->algorithm = tny_model_best(collective);
  return TNY_OK;
}

static enum tny_status prepare(struct plan *plan, struct tny_error *error)
{
  const struct tny_problem raw = plan->problem;
  return tny_problem_prepare(plan->algorithm, &raw, &plan->problem, error);
}

/* Refuses a plan that wouldn't fit into memory, by what the algorithm claims to send. */
static enum tny_status check_size(const struct plan *plan, uint32_t chunk_count,
                                  struct tny_error *error)
{
  const struct tny_problem *problem = &plan->problem;
  const double blocks = (double)plan->algorithm->claim(problem).blocks_sent_max;
  const double steps = STEPS_PER_BLOCK * blocks * problem->rank_count * chunk_count;
  if (steps <= (double)STEPS_MAX)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED,
                       "%s %s for %" PRIu32 " ranks in %" PRIu32 " chunk%s takes up to %.0f steps, "
                       "and a plan has at most %" PRIu64 ": take fewer ranks or --chunks",
                       tny_collective_name(problem->collective), plan->algorithm->name,
                       problem->rank_count, chunk_count, chunk_count == 1 ? "" : "s", steps,
                       STEPS_MAX);
}

/* Chunks and window: as the model would have them, or as asked for. Credits are tokens, and tokens
   that separate phases do their work: where they do, the model's credits are left out. */
static enum tny_status find_pace(struct plan *plan, struct tny_error *error)
{
  const struct plan_options *options = plan->options;
  uint64_t slot_bytes;
  enum tny_status status = check_size(plan, 1, error);
  if (status == TNY_OK)
    status = tny_model_slot_bytes(plan->algorithm, &plan->problem, &plan->scene.network,
                                  &slot_bytes, error);
  if (status != TNY_OK)
    return status;
  plan->pace = tny_model_pace(&plan->scene.model, plan->algorithm, &plan->problem, slot_bytes,
                              plan->block_bytes);
  if (options->separation != TNY_SEPARATE_NONE && plan->algorithm->pacing == TNY_PACE_CREDITS)
    plan->pace.window = 0;
  if (options->chunks_given)
    plan->pace.chunk_count = options->chunks;
  if (options->window_given)
    plan->pace.window = options->window;
  return check_size(plan, plan->pace.chunk_count, error);
}

/* Reads the pattern, if there is one, and with it how long blocks are. */
static enum tny_status find_pattern(struct plan *plan, struct tny_error *error)
{
  const struct plan_options *options = plan->options;
  plan->block_bytes = options->bytes;
  if (!options->pattern)
    return TNY_OK;
  const enum tny_status status =
      pattern_open(options->pattern, &plan->scene, options->bytes, &plan->pattern, error);
  if (status != TNY_OK)
    return status;
  const uint64_t p = plan->pattern->rank_count;
  plan->problem.pattern = plan->pattern;
  plan->block_bytes = 1;
  for (uint64_t i = 0; i < p * p; i++)
    if (plan->pattern->bytes[i] > plan->block_bytes)
      plan->block_bytes = plan->pattern->bytes[i];
  if (plan->block_bytes > SCENE_BYTES_MAX)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "%.200s: %" PRIu64 " bytes in a message, %" PRIu64 " are the limit",
                         options->pattern, plan->block_bytes, SCENE_BYTES_MAX);
  return TNY_OK;
}

/* Keeps the phases apart, where that is wanted. */
static enum tny_status separate_phases(struct plan *plan, struct tny_error *error)
{
  const enum tny_separation separation = plan->options->separation;
  struct tny_schedule *made;
  if (separation == TNY_SEPARATE_NONE)
    return TNY_OK;
  const enum tny_status status = tny_pass_separate(plan->schedule, &plan->scene.network, separation,
                                                   &made, &plan->separated, error);
  if (status == TNY_OK) {
    tny_schedule_free(plan->schedule);
    plan->schedule = made;
  }
  return status;
}

static enum tny_status make_plan(struct plan *plan, struct progress *progress,
                                 struct tny_error *error)
{
  const struct plan_options *options = plan->options;
  plan->problem = scene_problem(&plan->scene, options->collective, options->root);
  if (options->root >= plan->problem.rank_count)
    return tny_error_set(error, TNY_BAD_INPUT, "--root %" PRIu32 " isn't one of %" PRIu32 " ranks",
                         options->root, plan->problem.rank_count);
  enum tny_status status = find_pattern(plan, error);
  if (status == TNY_OK)
    status = choose(plan, error);
  if (status == TNY_OK)
    status = prepare(plan, error);
  if (status == TNY_OK)
    status = find_pace(plan, error);
  if (status == TNY_OK)
    status = tny_plan_all(plan->algorithm, &plan->problem, plan->pace, &plan->schedule, error);
  progress_show(progress, "planning: separation");
  if (status == TNY_OK)
    status = separate_phases(plan, error);
  return status;
}

/* Messages by phase, then by sender, then by receiver. */
static int compare_messages(const void *a, const void *b)
{
  const struct plan_message *x = a, *y = b;
  if (x->phase != y->phase)
    return x->phase < y->phase ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

enum tny_status plan_messages(const struct tny_schedule *schedule, struct plan_message **messages,
                              uint64_t *count, struct tny_error *error)
{
  uint64_t total = 0, filled = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      total += schedule->ranks[rank].steps[i].kind == TNY_SEND;
  *count = total;
  *messages = tny_new(total, sizeof **messages);
  if (!*messages)
    return tny_error_memory(error);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind == TNY_SEND)
        (*messages)[filled++] = (struct plan_message){step->phase, rank, step->peer};
    }
  }
  qsort(*messages, total, sizeof **messages, compare_messages);
  return TNY_OK;
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
  return plan->algorithm->pacing == TNY_PACE_CREDITS ? "credits" : "receives";
}

struct proof_subject plan_subject(const struct plan *plan)
{
  const bool with_links = plan->options->show == PLAN_SUMMARY; /* else nothing of them is shown */
  return (struct proof_subject){.schedule = plan->schedule,
                                .network = with_links ? &plan->scene.network : NULL,
                                .pattern = plan->pattern,
                                .block_bytes = plan->block_bytes,
                                .all_links = plan->options->all_links};
}

static enum tny_status write_file(const char *path, const char *text, struct tny_error *error)
{
  struct whole_file file;
  struct signals_held held;
  signals_hold(&held);
  enum tny_status status = whole_file_open(&file, path, error);
  if (status == TNY_OK)
    status = whole_file_finish(&file, text, error);
  signals_release(&held);
  return status;
}

/* Proves the plan, then writes the file, if one is wanted. Owns: *shown by tny_text_free. */
static enum tny_status prove_and_write(const struct plan *plan, struct progress *progress,
                                       char **shown, struct tny_error *error)
{
  struct proof_subject subject = plan_subject(plan);
  struct proof proof;
  char *steps = NULL;
  subject.progress = progress;
  enum tny_status status = proof_make(&subject, &proof, error);
  progress_show(progress, "proving: phases are kept apart");
  if (status == TNY_OK && plan->options->separation != TNY_SEPARATE_NONE)
    status = tny_verify_separated(plan->schedule, &plan->scene.network, error);
  progress_show(progress, "writing the plan");
  if (status == TNY_OK)
    status = plan->options->format == SCENE_JSON ? plan_write_json(plan, &proof, shown, error)
                                                 : plan_write_text(plan, &proof, shown, error);
  proof_release(&proof);
  if (status != TNY_OK || !plan->options->output)
    return status;
  status = tny_schedule_write(plan->schedule, &steps, error);
  if (status == TNY_OK)
    status = write_file(plan->options->output, steps, error);
  tny_text_free(steps);
  return status;
}

static int plan_and_show(struct plan *plan)
{
  const struct plan_options *options = plan->options;
  struct progress progress = progress_begin();
  struct tny_error error = {0};
  char *shown = NULL;
  progress_show(&progress, "planning");
  const struct scene_wanted wanted = {.cluster = options->cluster,
                                      .routing = options->routing,
                                      .map = options->map,
                                      .ranks = options->ranks};
  enum tny_status status = scene_open(&plan->scene, &wanted, &error);
  if (status == TNY_OK)
    status = make_plan(plan, &progress, &error);
  if (status == TNY_OK)
    status = prove_and_write(plan, &progress, &shown, &error);
  progress_clear(&progress);
  const int code = status == TNY_OK ? cli_print(shown) : cli_fail(&error);
  tny_text_free(shown);
  tny_schedule_free(plan->schedule);
  if (plan->algorithm)
    tny_problem_release(plan->algorithm, &plan->problem);
  tny_pattern_free(plan->pattern);
  scene_close(&plan->scene);
  return code;
}

int cli_plan(int argc, char **argv)
{
  struct plan_options options;
  struct tny_error error = {0};
  if (plan_options_read(argc, argv, &options, &error) != TNY_OK)
    return cli_usage_error("plan", "%s", error.text);
  if (options.help)
    return cli_print(plan_help);
  struct plan plan = {.options = &options};
  return plan_and_show(&plan);
}
