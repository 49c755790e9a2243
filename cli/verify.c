/* `tourney verify`: schedules from files, or every algorithm, proved right or shown wrong. */
#include "cli.h"

#include <getopt.h>
#include <inttypes.h>

#include "core/error.h"
#include "pattern.h"
#include "proof.h"
#include "routing.h"
#include "scene.h"
#include "schedule_file.h"
#include "verify_algorithms.h"
#include "verify_foreign.h"
#include "verify_workers.h"

static const char help[] =
    "usage: tourney verify [FILE...] [OPTION...]\n"
    "Proves schedules right, or shows where they are wrong (exit code 1): the right blocks at\n"
    "every rank, no deadlock, messages a link. Without a FILE, proves the algorithms: every root,\n"
    "whole blocks held to what the algorithm claims, then cut and clocked as for --bytes.\n\n"
    "  --quick            on some of the clusters that --all takes, for some roots: in less than "
    "a\n"
    "                     minute; this is what happens without options\n"
    "  --all              on all of them: one switch, several, trees, rings, tori, 1,000 "
    "irregular\n"
    "                     ones, 1 to 129 ranks, up to 3 a host: in less than ten minutes\n"
    "  --algorithm NAME[:N]  only this algorithm\n"
    "  --collective {|}   only those of this collective\n"
    "  --cluster CLUSTER  only on this cluster, for every root; with a FILE: look at this "
    "cluster's\n"
    "                     links too\n"
    "  --routing " ROUTING_VALUES "\n"
    "                     the cluster's routes (auto)\n"
    "  --ranks N          on the cluster, instead of one a host\n"
    "  --map block|interleaved   where the ranks sit on it (block)\n"
    "  --bytes B          what one rank has for one receiver (64KiB)\n"
    "  --jobs N           worker processes (as many as processors, at most 8)\n"
    "with a FILE, which may also be one in GOAL or MSCCL's XML:\n"
    "  --links            every link instead of the fullest ports\n"
    "  --link-messages N  with a cluster: more than N messages of one phase on a link are a\n"
    "                     counterexample\n"
    "  --separated        with a cluster: messages of two phases that may meet on a link are one\n"
    "  --in-place         an all-gather that is wrong where each rank's input is its own block of "
    "the\n"
    "                     output (MPI_IN_PLACE) is a counterexample\n"
    "  --collective NAME  with --bytes: of a GOAL file that doesn't say itself\n"
    "  --root R           of its {rooted} (0)\n"
    "  --help             this text\n";

enum letter {
  LETTER_QUICK = 1,
  LETTER_ALL,
  LETTER_ALGORITHM,
  LETTER_COLLECTIVE,
  LETTER_CLUSTER,
  LETTER_ROUTING,
  LETTER_RANKS,
  LETTER_MAP,
  LETTER_BYTES,
  LETTER_JOBS,
  LETTER_LINKS,
  LETTER_LINK_MESSAGES,
  LETTER_SEPARATED,
  LETTER_IN_PLACE,
  LETTER_ROOT,
  LETTER_HELP,
};

static const struct option names[] = {
    {"quick", no_argument, NULL, LETTER_QUICK},
    {"all", no_argument, NULL, LETTER_ALL},
    {"algorithm", required_argument, NULL, LETTER_ALGORITHM},
    {"collective", required_argument, NULL, LETTER_COLLECTIVE},
    {"cluster", required_argument, NULL, LETTER_CLUSTER},
    {"routing", required_argument, NULL, LETTER_ROUTING},
    {"ranks", required_argument, NULL, LETTER_RANKS},
    {"map", required_argument, NULL, LETTER_MAP},
    {"bytes", required_argument, NULL, LETTER_BYTES},
    {"jobs", required_argument, NULL, LETTER_JOBS},
    {"links", no_argument, NULL, LETTER_LINKS},
    {"link-messages", required_argument, NULL, LETTER_LINK_MESSAGES},
    {"separated", no_argument, NULL, LETTER_SEPARATED},
    {"in-place", no_argument, NULL, LETTER_IN_PLACE},
    {"root", required_argument, NULL, LETTER_ROOT},
    {"help", no_argument, NULL, LETTER_HELP},
    {NULL, 0, NULL, 0},
};

struct options {
  const char *algorithm, *collective, *cluster, *routing; /* NULL: not given */
  enum tny_map map;
  uint64_t bytes;
  bool bytes_given;
  uint32_t root;
  uint32_t ranks, jobs; /* 0: not given */
  uint32_t link_messages_max;
  bool all_links, separated, in_place, all, quick, help;
};

static enum tny_status read_option(void *into, int letter, struct tny_error *error)
{
  struct options *options = into;
  switch (letter) {
  case LETTER_QUICK:
    options->quick = true;
    return TNY_OK;
  case LETTER_ALL:
    options->all = true;
    return TNY_OK;
  case LETTER_ALGORITHM:
    options->algorithm = optarg;
    return TNY_OK;
  case LETTER_COLLECTIVE:
    options->collective = optarg;
    return TNY_OK;
  case LETTER_CLUSTER:
    options->cluster = optarg;
    return TNY_OK;
  case LETTER_ROUTING:
    options->routing = optarg;
    return TNY_OK;
  case LETTER_RANKS:
    return scene_number_parse("--ranks", optarg, (const uint32_t[]){1, 1000000}, &options->ranks,
                              error);
  case LETTER_MAP:
    return scene_map_parse("--map", optarg, &options->map, error);
  case LETTER_BYTES:
    options->bytes_given = true;
    return scene_bytes_parse(optarg, SCENE_BYTES_MAX, &options->bytes, error);
  case LETTER_JOBS:
    return scene_number_parse("--jobs", optarg, (const uint32_t[]){1, VERIFY_WORKERS_MAX},
                              &options->jobs, error);
  case LETTER_LINKS:
    options->all_links = true;
    return TNY_OK;
  case LETTER_LINK_MESSAGES:
    return scene_number_parse("--link-messages", optarg, (const uint32_t[]){1, UINT32_MAX},
                              &options->link_messages_max, error);
  case LETTER_SEPARATED:
    options->separated = true;
    return TNY_OK;
  case LETTER_IN_PLACE:
    options->in_place = true;
    return TNY_OK;
  case LETTER_ROOT:
    return scene_number_parse("--root", optarg, (const uint32_t[]){0, 1000000}, &options->root,
                              error);
  default:
    options->help = true;
    return TNY_OK;
  }
}

static enum tny_status prove_schedule(const struct options *options,
                                      const struct tny_schedule *schedule, struct tny_text *text,
                                      struct tny_error *error)
{
  struct scene scene = {0};
  struct proof proof = {0};
  struct tny_pattern *pattern = NULL;
  struct proof_subject subject = {.schedule = schedule,
                                  .block_bytes = options->bytes,
                                  .link_messages_max = options->link_messages_max,
                                  .all_links = options->all_links};
  enum tny_status status = TNY_OK;
  if (options->cluster) {
    const struct scene_wanted wanted = {.cluster = options->cluster,
                                        .routing = options->routing,
                                        .map = options->map,
                                        .ranks = schedule->rank_count};
    status = scene_open(&scene, &wanted, error);
    subject.network = &scene.network;
    subject.placement = scene.placement;
  }
  if (status == TNY_OK)
    status = pattern_of_schedule(schedule, options->bytes, &pattern, error);
  subject.pattern = pattern;
  if (status == TNY_OK)
    status = proof_make(&subject, &proof, error);
  if (status == TNY_OK && options->separated)
    status = tny_verify_separated(schedule, &scene.network, error);
  if (status == TNY_OK && options->in_place)
    status = tny_verify_in_place(schedule, error);
  if (status == TNY_OK) {
    tny_text_add(text, "%s %s, %" PRIu32 " rank%s, %" PRIu32 " chunk%s a block\n",
                 tny_collective_name(schedule->collective), schedule->algorithm,
                 schedule->rank_count, schedule->rank_count == 1 ? "" : "s", schedule->chunk_count,
                 schedule->chunk_count == 1 ? "" : "s");
    if (options->routing)
      scene_describe_routes(&scene, text);
    if (options->separated)
      tny_text_add(text, "apart         every two phases, on every link\n");
    proof_describe(&subject, &proof, text);
  }
  proof_release(&proof);
  tny_pattern_free(pattern);
  scene_close(&scene);
  return status;
}

/* A schedule in another tool's form. */
static enum tny_status prove_foreign(const struct options *options, struct tny_foreign *foreign,
                                     struct tny_text *text, struct tny_error *error)
{
  struct tny_foreign_wanted wanted = {.root = options->root, .block_bytes = options->bytes};
  const struct scene_wanted site = {.cluster = options->cluster,
                                    .routing = options->routing,
                                    .map = options->map,
                                    .ranks = tny_foreign_about(foreign).rank_count};
  const struct verify_foreign subject = {.foreign = foreign,
                                         .wanted = options->collective ? &wanted : NULL,
                                         .site = &site,
                                         .block_bytes = options->bytes,
                                         .all_links = options->all_links};
  if (options->link_messages_max || options->separated)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--link-messages and --separated want a schedule of ours, with phases");
  if (options->in_place)
    return tny_error_set(
        error, TNY_BAD_INPUT,
        "--in-place wants a schedule of ours; MSCCL's XML says itself whether it is "
        "in place");
  if (options->collective && !options->bytes_given && !tny_foreign_about(foreign).head)
    return tny_error_set(error, TNY_BAD_INPUT, "for a GOAL file, --collective wants --bytes too");
  if (options->collective &&
      tny_collective_parse(options->collective, &wanted.collective, error) != TNY_OK)
    return TNY_BAD_INPUT;
  return verify_foreign(&subject, text, error);
}

static int verify_file(const struct options *options, const char *path)
{
  char *shown = NULL;
  struct schedule_file file;
  struct tny_text text = {0};
  struct tny_error error = {0};
  enum tny_status status = schedule_file_open(&file, path, &error);
  tny_text_add(&text, "%s: proved\n", path);
  if (status == TNY_OK)
    status = file.foreign ? prove_foreign(options, file.foreign, &text, &error)
                          : prove_schedule(options, file.schedule, &text, &error);
  if (status == TNY_BROKEN)
    snprintf(error.file, sizeof error.file, "%s", path);
  if (status == TNY_OK)
    status = tny_text_take(&text, &shown, &error);
  tny_text_release(&text);
  const int code = status == TNY_OK ? cli_print(shown) : cli_fail(&error);
  tny_text_free(shown);
  schedule_file_close(&file);
  return code;
}

static int verify_all(const struct options *options)
{
  const struct verify_wanted wanted = {.site = {.cluster = options->cluster,
                                                .routing = options->routing,
                                                .map = options->map,
                                                .ranks = options->ranks},
                                       .collective = options->collective,
                                       .algorithm = options->algorithm,
                                       .block_bytes = options->bytes,
                                       .jobs = options->jobs ? options->jobs
                                                             : verify_workers_standard(),
                                       .all = options->all};
  struct tny_error error = {0};
  char *shown = NULL;
  const enum tny_status status = verify_algorithms(&wanted, &shown, &error);
  const int code = status == TNY_OK ? cli_print(shown) : cli_fail(&error);
  tny_text_free(shown);
  return code;
}

int cli_verify(int argc, char **argv)
{
  struct options options = {.bytes = 65536};
  const struct cli_options reader = {.names = names, .read = read_option, .into = &options};
  struct tny_error error = {0};
  if (cli_options_read(argc, argv, &reader, &error) != TNY_OK)
    return cli_usage_error("verify", "%s", error.text);
  if (options.help)
    return cli_print_help(help);
  const bool has_file = optind < argc;
  if ((options.link_messages_max || options.separated) && (!options.cluster || !has_file))
    return cli_usage_error("verify", "--%s wants a FILE and --cluster",
                           options.separated ? "separated" : "link-messages");
  if (options.in_place && !has_file)
    return cli_usage_error("verify", "--in-place wants a FILE; --all proves both ways");
  if ((options.ranks || options.routing) && !options.cluster)
    return cli_usage_error("verify", "--ranks and --routing want --cluster");
  if (options.root && !(has_file && options.collective))
    return cli_usage_error("verify", "--root wants a GOAL FILE and --collective");
  if (options.all && options.quick)
    return cli_usage_error("verify", "--all or --quick, not both");
  const bool algorithms = options.all || options.quick || options.algorithm || !has_file;
  int code = CLI_OK;
  while (code == CLI_OK && optind < argc)
    code = verify_file(&options, argv[optind++]);
  if (code == CLI_OK && algorithms)
    code = verify_all(&options);
  return code;
}
