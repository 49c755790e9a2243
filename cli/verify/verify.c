/* `tourney verify`: schedules from files, or every algorithm, proved right or shown wrong. */

#include <getopt.h>
#include <inttypes.h>

#include "algorithms.h"
#include "cli/shared/help.h"
#include "cli/shared/mapping.h"
#include "cli/shared/options.h"
#include "cli/shared/pattern.h"
#include "cli/shared/proof/proof.h"
#include "cli/shared/report.h"
#include "cli/shared/routing.h"
#include "cli/shared/schedule_file.h"
#include "cli/shared/subcommands.h"
#include "core/error.h"
#include "foreign.h"
#include "workers.h"

static const char help[] =
    "usage: tourney verify [FILE...] [OPTION...]\n"
    "Proves schedules right, or shows where they are wrong (exit code 1): the right blocks at\n"
    "every rank (of a barrier: none goes early), no deadlock, messages a link. Without a FILE,\n"
    "proves the algorithms: every root, whole blocks checked against what it claims, then cut and\n"
    "paced as for --bytes.\n\n"
    "  --quick            on some of the clusters that --all takes, for some roots: in less than "
    "a\n"
    "                     minute; this is what happens without options\n"
    "  --all              each number of ranks from 1 to 129, with every root, on one switch; "
    "what\n"
    "                     isn't for one switch: the same on shared hosts, two switches, rings, "
    "tori\n"
    "                     and meshes; and some of these numbers, with up to four roots, on "
    "several\n"
    "                     switches, chains, trees, fat trees, zones, rings, tori, meshes, 1,000\n"
    "                     irregular clusters, dragonflies and Hamming meshes, and with 2 and 3 "
    "ranks\n"
    "                     a host: in less than 20 minutes on two processors\n"
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
    "  --in-place         what is wrong where each rank's input lies in its output (MPI_IN_PLACE)\n"
    "                     is one\n"
    "  --collective NAME  with --bytes (a barrier has none): of a GOAL file that doesn't say\n"
    "                     itself\n"
    "  --root R           of its {rooted} (0)\n"
    "  --help             this text\n";

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

static enum tny_status prove_schedule(const struct options *options,
                                      const struct tny_schedule *schedule, struct tny_text *text,
                                      struct tny_error *error)
{
  struct mapping mapping = {0};
  struct proof proof = {0};
  struct tny_pattern *pattern = NULL;
  struct proof_subject subject = {.schedule = schedule,
                                  .block_bytes = options->bytes,
                                  .link_messages_max = options->link_messages_max,
                                  .all_links = options->all_links};
  enum tny_status status = TNY_OK;
  if (options->cluster) {
    const struct mapping_wanted wanted = {.cluster = options->cluster,
                                          .routing = options->routing,
                                          .map = options->map,
                                          .ranks = schedule->rank_count};
    status = mapping_open(&mapping, &wanted, error);
    subject.network = &mapping.network;
    subject.placement = mapping.placement;
  }
  if (status == TNY_OK)
    status = pattern_of_schedule(schedule, options->bytes, &pattern, error);
  subject.pattern = pattern;
  if (status == TNY_OK)
    status = proof_make(&subject, &proof, error);
  if (status == TNY_OK && options->separated)
    status = tny_verify_separated(schedule, &mapping.network, error);
  if (status == TNY_OK && options->in_place)
    status = tny_verify_in_place(schedule, error);
  if (status == TNY_OK) {
    tny_text_add(text, "%s %s, %" PRIu32 " rank%s, %" PRIu32 " chunk%s a block\n",
                 tny_collective_name(schedule->collective), schedule->algorithm,
                 schedule->rank_count, schedule->rank_count == 1 ? "" : "s", schedule->chunk_count,
                 schedule->chunk_count == 1 ? "" : "s");
    if (mapping.is_routing_asked)
      mapping_describe_routes(&mapping, text);
    if (options->separated)
      tny_text_add(text, "apart         every two phases, on every link\n");
    if (options->in_place)
      tny_text_add(text, "in place      right, the input and the output one memory\n");
    proof_describe(&subject, &proof, text);
  }
  proof_release(&proof);
  tny_pattern_free(pattern);
  mapping_close(&mapping);
  return status;
}

/* A schedule in another tool's form. */
static enum tny_status prove_foreign(const struct options *options, struct tny_foreign *foreign,
                                     struct tny_text *text, struct tny_error *error)
{
  struct tny_foreign_wanted wanted = {.root = options->root, .block_bytes = options->bytes};
  const struct mapping_wanted where = {.cluster = options->cluster,
                                       .routing = options->routing,
                                       .map = options->map,
                                       .ranks = tny_foreign_about(foreign).rank_count};
  const struct verify_foreign subject = {.foreign = foreign,
                                         .wanted = options->collective ? &wanted : NULL,
                                         .where = &where,
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
  if (options->collective &&
      tny_collective_parse(options->collective, &wanted.collective, error) != TNY_OK)
    return TNY_BAD_INPUT;
  if (options->collective && !tny_collective_synchronizes(wanted.collective) &&
      !options->bytes_given && !tny_foreign_about(foreign).head)
    return tny_error_set(error, TNY_BAD_INPUT, "for a GOAL file, --collective wants --bytes too");
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
  schedule_file_close(&file);
  return cli_finish(status, shown, &error);
}

static int verify_all(const struct options *options)
{
  const struct verify_wanted wanted = {.where = {.cluster = options->cluster,
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
  return cli_finish(status, shown, &error);
}

static enum tny_status read_options(int argc, char **argv, struct options *options,
                                    struct tny_error *error)
{
  const struct cli_option table[] = {
      {.name = "quick", .flag = &options->quick},
      {.name = "all", .flag = &options->all},
      {.name = "algorithm", .text = &options->algorithm},
      {.name = "collective", .text = &options->collective},
      {.name = "cluster", .text = &options->cluster},
      {.name = "routing", .text = &options->routing},
      {.name = "ranks", .number = &options->ranks, .least = 1, .most = CLI_COUNT_MAX},
      {.name = "map", .map = &options->map},
      {.name = "bytes", .bytes = &options->bytes, .given = &options->bytes_given},
      {.name = "jobs", .number = &options->jobs, .least = 1, .most = VERIFY_WORKERS_MAX},
      {.name = "links", .flag = &options->all_links},
      {.name = "link-messages",
       .number = &options->link_messages_max,
       .least = 1,
       .most = UINT32_MAX},
      {.name = "separated", .flag = &options->separated},
      {.name = "in-place", .flag = &options->in_place},
      {.name = "root", .number = &options->root, .most = CLI_COUNT_MAX},
      {.name = "help", .flag = &options->help},
      {0}};
  return cli_options_read(argc, argv, table, error);
}

int cli_verify(int argc, char **argv)
{
  struct options options = {.bytes = 65536};
  struct tny_error error = {0};
  if (read_options(argc, argv, &options, &error) != TNY_OK)
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
