/* `tourney plan`: the schedule of one collective on one cluster, proved. */
#include "cli.h"

#include <getopt.h>
#include <inttypes.h>

#include <tourney/model.h>

#include "core/error.h"
#include "core/units.h"
#include "proof.h"
#include "scene.h"
#include "signals.h"
#include "whole_file.h"

#define STEPS_MAX (UINT64_C(1) << 26) /* some gigabytes */
#define STEPS_PER_BLOCK 4             /* sent: a send, a receive, and a token at both ends */

static const char help[] =
    "usage: tourney plan CLUSTER COLLECTIVE [OPTION...]\n"
    "Plans bcast, allgather or alltoall on a cluster (a file or a generator such as\n"
    "switches:8+8), proves the schedule, and shows it.\n\n"
    "  --algorithm NAME   instead of the one that the runtime would choose\n"
    "  --ranks N          instead of one a host\n"
    "  --map block|interleaved   where the ranks sit (block)\n"
    "  --root R           of a broadcast (0)\n"
    "  --bytes B          what one rank has for one receiver (64KiB; bcast: the whole message)\n"
    "  --chunks C         pieces a block is cut in, instead of as many as the port buffers call "
    "for\n"
    "  --window W         how far sends may run ahead of what arrives; 0: not paced\n"
    "  --show summary|phases|steps   what to print (summary); steps is the text form\n"
    "  --links            in the summary, every link instead of the fullest ports\n"
    "  --output FILE      also write the text form there, for 'tourney verify FILE'\n"
    "  --help             this text\n";

enum letter {
  LETTER_ALGORITHM = 1,
  LETTER_RANKS,
  LETTER_MAP,
  LETTER_ROOT,
  LETTER_BYTES,
  LETTER_CHUNKS,
  LETTER_WINDOW,
  LETTER_SHOW,
  LETTER_LINKS,
  LETTER_OUTPUT,
  LETTER_HELP,
};

static const struct option names[] = {
    {"algorithm", required_argument, NULL, LETTER_ALGORITHM},
    {"ranks", required_argument, NULL, LETTER_RANKS},
    {"map", required_argument, NULL, LETTER_MAP},
    {"root", required_argument, NULL, LETTER_ROOT},
    {"bytes", required_argument, NULL, LETTER_BYTES},
    {"chunks", required_argument, NULL, LETTER_CHUNKS},
    {"window", required_argument, NULL, LETTER_WINDOW},
    {"show", required_argument, NULL, LETTER_SHOW},
    {"links", no_argument, NULL, LETTER_LINKS},
    {"output", required_argument, NULL, LETTER_OUTPUT},
    {"help", no_argument, NULL, LETTER_HELP},
    {NULL, 0, NULL, 0},
};

enum show { SHOW_SUMMARY, SHOW_PHASES, SHOW_STEPS };

struct options {
  const char *algorithm, *output;
  uint32_t ranks, root, chunks, window;
  bool chunks_given, window_given, all_links, help;
  enum tny_map map;
  enum show show;
  uint64_t bytes;
};

/* What is planned, and with what. */
struct plan {
  const struct options *options;
  const char *cluster;
  struct scene scene;
  struct tny_problem problem;
  const struct tny_algorithm *algorithm;
  const char *why;
  struct tny_pace pace;
  struct tny_schedule *schedule;
};

static enum tny_status read_show(const char *text, enum show *show, struct tny_error *error)
{
  static const char *const words[] = {
      [SHOW_SUMMARY] = "summary", [SHOW_PHASES] = "phases", [SHOW_STEPS] = "steps"};
  for (*show = SHOW_SUMMARY; *show <= SHOW_STEPS; ++*show)
    if (strcmp(text, words[*show]) == 0)
      return TNY_OK;
  *show = SHOW_SUMMARY;
  return tny_error_set(error, TNY_BAD_INPUT, "--show is summary, phases or steps, not '%s'", text);
}

static enum tny_status read_option(void *into, int letter, struct tny_error *error)
{
  struct options *options = into;
  static const uint32_t from_zero[] = {0, 1000000}, from_one[] = {1, 1000000};
  switch (letter) {
  case LETTER_ALGORITHM:
    options->algorithm = optarg;
    return TNY_OK;
  case LETTER_RANKS:
    return scene_number_parse("--ranks", optarg, from_one, &options->ranks, error);
  case LETTER_MAP:
    return scene_map_parse("--map", optarg, &options->map, error);
  case LETTER_ROOT:
    return scene_number_parse("--root", optarg, from_zero, &options->root, error);
  case LETTER_BYTES:
    return scene_bytes_parse(optarg, SCENE_BYTES_MAX, &options->bytes, error);
  case LETTER_CHUNKS:
    options->chunks_given = true;
    return scene_number_parse("--chunks", optarg, from_one, &options->chunks, error);
  case LETTER_WINDOW:
    options->window_given = true;
    return scene_number_parse("--window", optarg, from_zero, &options->window, error);
  case LETTER_SHOW:
    return read_show(optarg, &options->show, error);
  case LETTER_LINKS:
    options->all_links = true;
    return TNY_OK;
  case LETTER_OUTPUT:
    options->output = optarg;
    return TNY_OK;
  default:
    options->help = true;
    return TNY_OK;
  }
}

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
    return status;
  }
  plan->why = tny_model_choose(&plan->scene.model, collective, plan->options->bytes).why;
  plan->algorithm = tny_model_best(collective);
  return TNY_OK;
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

static enum tny_status make_plan(struct plan *plan, struct tny_error *error)
{
  const struct options *options = plan->options;
  uint64_t slot_bytes;
  if (options->root >= plan->problem.rank_count)
    return tny_error_set(error, TNY_BAD_INPUT, "--root %" PRIu32 " isn't one of %" PRIu32 " ranks",
                         options->root, plan->problem.rank_count);
  enum tny_status status = choose(plan, error);
  if (status == TNY_OK)
    status = check_size(plan, 1, error);
  if (status == TNY_OK)
    status = tny_model_slot_bytes(plan->algorithm, &plan->problem, &plan->scene.network,
                                  &slot_bytes, error);
  if (status != TNY_OK)
    return status;
  plan->pace = tny_model_pace(&plan->scene.model, plan->algorithm, &plan->problem, slot_bytes,
                              options->bytes);
  if (options->chunks_given)
    plan->pace.chunk_count = options->chunks;
  if (options->window_given)
    plan->pace.window = options->window;
  status = check_size(plan, plan->pace.chunk_count, error);
  if (status != TNY_OK)
    return status;
  return tny_plan_all(plan->algorithm, &plan->problem, plan->pace, &plan->schedule, error);
}

static struct proof_subject subject_of(const struct plan *plan)
{
  return (struct proof_subject){.schedule = plan->schedule,
                                .network = &plan->scene.network,
                                .block_bytes = plan->options->bytes,
                                .all_links = plan->options->all_links};
}

static enum tny_status show_summary(const struct plan *plan, const struct proof *proof,
                                    struct tny_text *text, struct tny_error *error)
{
  const struct proof_subject subject = subject_of(plan);
  const struct tny_choice choice =
      tny_model_choose(&plan->scene.model, plan->problem.collective, plan->options->bytes);
  tny_text_add(text, "%s on %s, %" PRIu32 " rank%s, %s\n",
               tny_collective_name(plan->problem.collective), plan->cluster,
               plan->problem.rank_count, plan->problem.rank_count == 1 ? "" : "s",
               scene_map_name(plan->options->map));
  if (plan->problem.collective == TNY_BROADCAST)
    tny_text_add(text, "root          rank %" PRIu32 "\n", plan->problem.root);
  tny_text_add(text, "algorithm     %s (%s)\n", plan->algorithm->name, plan->why);
  if (!choice.algorithm && !plan->options->algorithm)
    tny_text_add(text,
                 "              the runtime would leave this call to the native collective\n");
  tny_text_add(text, "blocks        %s in %" PRIu32 " chunk%s",
               tny_bytes_format(plan->options->bytes).text, plan->pace.chunk_count,
               plan->pace.chunk_count == 1 ? "" : "s");
  if (plan->pace.window > 0 && plan->algorithm->pacing != TNY_PACE_NONE)
    tny_text_add(text, ", window %" PRIu32 " (%s)\n", plan->pace.window,
                 plan->algorithm->pacing == TNY_PACE_CREDITS ? "credits" : "receives");
  else
    tny_text_add(text, ", not paced\n");
  return proof_describe(&subject, proof, text, error);
}

/* The messages of one phase, by sender. */
static uint32_t show_phase(const struct tny_schedule *schedule, uint32_t phase,
                           struct tny_text *text)
{
  uint32_t shown = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND || step->phase != phase)
        continue;
      if (shown++ == 0)
        tny_text_add(text, "phase %" PRIu32 ":", phase);
      tny_text_add(text, " %" PRIu32 ">%" PRIu32, rank, step->peer);
    }
  }
  if (shown > 0)
    tny_text_add(text, "\n");
  return shown;
}

static void show_phases(const struct tny_schedule *schedule, struct tny_text *text)
{
  uint64_t messages = 0, shown = 0;
  uint32_t phase_count = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      messages += step->kind == TNY_SEND;
      if (step->kind == TNY_SEND && step->phase != TNY_NONE && step->phase >= phase_count)
        phase_count = step->phase + 1;
    }
  }
  for (uint32_t phase = 0; phase < phase_count; phase++)
    shown += show_phase(schedule, phase, text);
  if (shown < messages)
    tny_text_add(text, "%" PRIu64 " messages belong to no phase\n", messages - shown);
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

/* What is to be printed, of a plan that is proved. Owns: *shown by tny_text_free. */
static enum tny_status compose(const struct plan *plan, const struct proof *proof, char **shown,
                               struct tny_error *error)
{
  struct tny_text text = {0};
  enum tny_status status = TNY_OK;
  if (plan->options->show == SHOW_STEPS)
    return tny_schedule_write(plan->schedule, shown, error);
  if (plan->options->show == SHOW_SUMMARY)
    status = show_summary(plan, proof, &text, error);
  else
    show_phases(plan->schedule, &text);
  if (status == TNY_OK)
    return tny_text_take(&text, shown, error);
  tny_text_release(&text);
  return status;
}

/* Proves the plan, then writes the file, if one is wanted. Owns: *shown by tny_text_free. */
static enum tny_status prove_and_write(const struct plan *plan, char **shown,
                                       struct tny_error *error)
{
  struct proof_subject subject = subject_of(plan);
  struct proof proof;
  char *steps = NULL;
  if (plan->options->show != SHOW_SUMMARY)
    subject.network = NULL; /* nothing about links is shown */
  enum tny_status status = proof_make(&subject, &proof, error);
  if (status == TNY_OK)
    status = compose(plan, &proof, shown, error);
  proof_release(&proof);
  if (status != TNY_OK || !plan->options->output)
    return status;
  status = tny_schedule_write(plan->schedule, &steps, error);
  if (status == TNY_OK)
    status = write_file(plan->options->output, steps, error);
  tny_text_free(steps);
  return status;
}

static int plan_and_show(struct plan *plan, enum tny_collective collective)
{
  struct tny_error error = {0};
  char *shown = NULL;
  enum tny_status status =
      scene_open(&plan->scene, plan->cluster, plan->options->map, plan->options->ranks, &error);
  if (status == TNY_OK) {
    plan->problem = scene_problem(&plan->scene, collective, plan->options->root);
    status = make_plan(plan, &error);
  }
  if (status == TNY_OK)
    status = prove_and_write(plan, &shown, &error);
  const int code = status == TNY_OK ? cli_print(shown) : cli_fail(&error);
  tny_text_free(shown);
  tny_schedule_free(plan->schedule);
  scene_close(&plan->scene);
  return code;
}

int cli_plan(int argc, char **argv)
{
  struct options options = {.bytes = 65536};
  const struct cli_options reader = {.names = names, .read = read_option, .into = &options};
  struct tny_error error = {0};
  enum tny_collective collective;
  if (cli_options_read(argc, argv, &reader, &error) != TNY_OK)
    return cli_usage_error("plan", "%s", error.text);
  if (options.help)
    return cli_print(help);
  if (argc - optind != 2)
    return cli_usage_error("plan", "a cluster and a collective are wanted");
  if (tny_collective_parse(argv[optind + 1], &collective, &error) != TNY_OK)
    return cli_usage_error("plan", "%s", error.text);
  struct plan plan = {.options = &options, .cluster = argv[optind]};
  return plan_and_show(&plan, collective);
}
