/* `tourney verify`: schedules from files, or every algorithm, proved right or shown wrong. */
#include "cli.h"

#include <getopt.h>
#include <inttypes.h>
#include <time.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"
#include "core/units.h"
#include "proof.h"
#include "scene.h"
#include "verify_all.h"

static const char help[] =
    "usage: tourney verify [FILE...] [OPTION...]\n"
    "Proves schedules right, or shows where they are wrong (exit code 1): the right blocks at "
    "every\n"
    "rank, no deadlock, messages a link. Without a FILE, proves every algorithm for 1 to 64 "
    "ranks,\n"
    "on one switch and on several.\n\n"
    "  --cluster CLUSTER  look at this cluster's links too; without a FILE: prove the algorithms\n"
    "                     there only\n"
    "  --map block|interleaved   where the ranks sit on it (block)\n"
    "  --bytes B          what one rank has for one receiver (64KiB)\n"
    "  --links            every link instead of the fullest ports\n"
    "  --link-messages N  with a FILE and a cluster: more than N messages of one phase on a link\n"
    "                     are a counterexample\n"
    "  --all              every algorithm, also where a FILE is given\n"
    "  --quick            with the algorithms: fewer rank counts and roots\n"
    "  --help             this text\n";

enum letter {
  LETTER_CLUSTER = 1,
  LETTER_MAP,
  LETTER_BYTES,
  LETTER_LINKS,
  LETTER_LINK_MESSAGES,
  LETTER_ALL,
  LETTER_QUICK,
  LETTER_HELP,
};

static const struct option names[] = {
    {"cluster", required_argument, NULL, LETTER_CLUSTER},
    {"map", required_argument, NULL, LETTER_MAP},
    {"bytes", required_argument, NULL, LETTER_BYTES},
    {"links", no_argument, NULL, LETTER_LINKS},
    {"link-messages", required_argument, NULL, LETTER_LINK_MESSAGES},
    {"all", no_argument, NULL, LETTER_ALL},
    {"quick", no_argument, NULL, LETTER_QUICK},
    {"help", no_argument, NULL, LETTER_HELP},
    {NULL, 0, NULL, 0},
};

struct options {
  const char *cluster;
  enum tny_map map;
  uint64_t bytes;
  uint32_t link_messages_max;
  bool all_links, all, quick, help;
};

static enum tny_status read_option(void *into, int letter, struct tny_error *error)
{
  struct options *options = into;
  switch (letter) {
  case LETTER_CLUSTER:
    options->cluster = optarg;
    return TNY_OK;
  case LETTER_MAP:
    return scene_map_parse("--map", optarg, &options->map, error);
  case LETTER_BYTES:
    return scene_bytes_parse(optarg, SCENE_BYTES_MAX, &options->bytes, error);
  case LETTER_LINKS:
    options->all_links = true;
    return TNY_OK;
  case LETTER_LINK_MESSAGES:
    return scene_number_parse("--link-messages", optarg, (const uint32_t[]){1, UINT32_MAX},
                              &options->link_messages_max, error);
  case LETTER_ALL:
    options->all = true;
    return TNY_OK;
  case LETTER_QUICK:
    options->quick = true;
    return TNY_OK;
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
  struct proof_subject subject = {.schedule = schedule,
                                  .block_bytes = options->bytes,
                                  .link_messages_max = options->link_messages_max,
                                  .all_links = options->all_links};
  enum tny_status status = TNY_OK;
  if (options->cluster) {
    status = scene_open(&scene, options->cluster, options->map, schedule->rank_count, error);
    subject.network = &scene.network;
  }
  if (status == TNY_OK)
    status = proof_make(&subject, &proof, error);
  if (status == TNY_OK) {
    tny_text_add(text, "%s %s, %" PRIu32 " rank%s, %" PRIu32 " chunk%s a block\n",
                 tny_collective_name(schedule->collective), schedule->algorithm,
                 schedule->rank_count, schedule->rank_count == 1 ? "" : "s", schedule->chunk_count,
                 schedule->chunk_count == 1 ? "" : "s");
    status = proof_describe(&subject, &proof, text, error);
  }
  proof_release(&proof);
  scene_close(&scene);
  return status;
}

static int verify_file(const struct options *options, const char *path)
{
  char *contents = NULL, *shown = NULL;
  struct tny_schedule *schedule = NULL;
  struct tny_text text = {0};
  struct tny_error error = {0};
  enum tny_status status = tny_file_read(path, &contents, &error);
  if (status == TNY_OK)
    status = tny_schedule_read(contents, path, &schedule, &error);
  tny_text_free(contents);
  tny_text_add(&text, "%s: proved\n", path);
  if (status == TNY_OK)
    status = prove_schedule(options, schedule, &text, &error);
  if (status == TNY_BROKEN)
    snprintf(error.file, sizeof error.file, "%s", path);
  if (status == TNY_OK)
    status = tny_text_take(&text, &shown, &error);
  tny_text_release(&text);
  const int code = status == TNY_OK ? cli_print(shown) : cli_fail(&error);
  tny_text_free(shown);
  tny_schedule_free(schedule);
  return code;
}

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void add_total(struct verify_line *total, const struct verify_line *line)
{
  total->schedules += line->schedules;
  total->steps += line->steps;
  total->messages += line->messages;
}

static void describe_lines(const struct verify_line *lines, double seconds, struct tny_text *text)
{
  struct verify_line total = {0};
  tny_text_add(text, "%-10s %-23s %9s %10s %10s  %10s  %9s %9s\n", "collective", "algorithm",
               "schedules", "steps", "messages", "link/phase", "in flight", "of buffer");
  for (uint32_t i = 0; tny_algorithms[i]; i++) {
    const struct verify_line *line = &lines[i];
    tny_text_add(text,
                 "%-10s %-23s %9" PRIu64 " %10" PRIu64 " %10" PRIu64 "  %10" PRIu32 "  %9" PRIu32
                 " %7.0f %%\n",
                 tny_collective_name(tny_algorithms[i]->collective), tny_algorithms[i]->name,
                 line->schedules, line->steps, line->messages, line->phase_link_messages,
                 line->in_flight, 100 * line->buffer_share);
    add_total(&total, line);
  }
  tny_text_add(text, "%-34s %9" PRIu64 " %10" PRIu64 " %10" PRIu64 "  all proved in %.1f s\n",
               "total", total.schedules, total.steps, total.messages, seconds);
}

static int verify_algorithms(const struct options *options)
{
  const struct verify_all wanted = {.cluster = options->cluster,
                                    .map = options->map,
                                    .block_bytes = options->bytes,
                                    .quick = options->quick};
  uint32_t count = 0;
  while (tny_algorithms[count])
    count++;
  struct tny_text text = {0};
  struct tny_error error = {0};
  char *shown = NULL;
  const double start = seconds_now();
  struct verify_line *lines = tny_new(count, sizeof *lines);
  enum tny_status status = lines ? TNY_OK : tny_error_memory(&error);
  if (status == TNY_OK)
    status = verify_all(&wanted, lines, &error);
  if (status == TNY_OK) {
    describe_lines(lines, seconds_now() - start, &text);
    status = tny_text_take(&text, &shown, &error);
  }
  const int code = status == TNY_OK ? cli_print(shown) : cli_fail(&error);
  tny_text_free(shown);
  tny_free(lines);
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
    return cli_print(help);
  if (options.link_messages_max && (!options.cluster || optind == argc))
    return cli_usage_error("verify", "--link-messages wants a FILE and --cluster");
  const bool algorithms = options.all || optind == argc;
  int code = CLI_OK;
  while (code == CLI_OK && optind < argc)
    code = verify_file(&options, argv[optind++]);
  if (code == CLI_OK && algorithms)
    code = verify_algorithms(&options);
  return code;
}
