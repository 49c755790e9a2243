/* The options of `tourney simulate`. */
#include "simulated.h"

#include <getopt.h>
#include <inttypes.h>

#include "cli/shared/options.h"
#include "cli/shared/pattern.h"
#include "cli/shared/routing.h"
#include "core/error.h"

const char simulate_help[] =
    "usage: tourney simulate CLUSTER COLLECTIVE|FILE [OPTION...]\n"
    "Runs a planned collective, of\n"
    "{or},\n"
    "or the schedule in a file (ours, GOAL, MSCCL's XML), on the cluster's network, flit by flit.\n"
    "Exit code 1: a deadlock, with its cycle.\n\n"
    "what is planned:\n"
    "  --algorithm NAME[:N]   instead of the one that is predicted to be the fastest\n"
    "  --ranks N          instead of one a host\n"
    "  --map block|interleaved   where the ranks sit (block)\n"
    "  --root R           of a {rooted} (0)\n"
    "  --bytes B          what one rank has for one receiver (4KiB; bcast: the whole message)\n"
    "  --flits F          the same in flits\n"
    "  --chunks C         pieces a block is cut in, instead of as many as the buffers call for\n"
    "  --window W         how many sends may start before the receives that pace them; 0: any\n"
    "  --pattern " PATTERN_VALUES "\n"
    "                     of alltoall: only these messages\n"
    "  --separate none|barrier|tokens|switch   what keeps the phases apart (none)\n"
    "the network:\n"
    "  --switching wormhole|cut-through|store-and-forward   (wormhole)\n"
    "  --buffers fifo|channels:N|shared   a queue an input and lane, N of them, or one store a\n"
    "                     switch (fifo)\n"
    "  --depth FLITS      of a queue; of a store, for each port\n"
    "  --allocator round-robin|islip   (round-robin)\n"
    "  --routing " ROUTING_VALUES "\n"
    "                     which way messages take (auto)\n"
    "  --adaptive         any of the routing's ways that is free, at random\n"
    "  --one-lane         take the lanes away that keep messages from deadlock\n"
    "  --switch-cycles N  from a head's arrival in a switch until it may leave (1)\n"
    "  --seed N           of what is drawn at random (1)\n"
    "the hosts:\n"
    "  --flit-bytes B     (8)\n"
    "  --packet-flits F   messages are cut in packets of at most so many; 0: aren't cut\n"
    "  --header-flits F   that each packet has besides (0)\n"
    "  --ports N          flits that a host sends each cycle, and takes (1)\n"
    "  --overhead TIME    of the software for a message, sent and received each (0)\n"
    "  --combine RATE     at which a rank combines what a reduction brings, as 32Gbit/s (at once)\n"
    "  --tokens apart|among-data   on lanes of their own, which nothing fills, or behind data\n"
    "                     wherever that waits (apart)\n"
    "  --barrier TIME     of a barrier, from when the last rank comes (0)\n"
    "what is shown:\n"
    "  --links            every link instead of the fullest\n"
    "  --csv              a header and a line\n"
    "  --json             one object, with every link and phase\n"
    "  --timeline FILE.svg   also draw what the ranks did\n"
    "  --heatmap FILE.svg    also draw what the links carried\n"
    "  --help             this text\n";

enum { CYCLES_MAX = 1000000000 }; /* of flits and cycles */

static const char *const switchings[] = {[TNY_SWITCH_WORMHOLE] = "wormhole",
                                         [TNY_SWITCH_CUT_THROUGH] = "cut-through",
                                         [TNY_SWITCH_STORE_AND_FORWARD] = "store-and-forward",
                                         NULL};
static const char *const allocators[] = {
    [TNY_ALLOCATE_ROUND_ROBIN] = "round-robin", [TNY_ALLOCATE_ISLIP] = "islip", NULL};
static const char *const separations[] = {[SIMULATE_NONE] = "none",
                                          [SIMULATE_BARRIER] = "barrier",
                                          [SIMULATE_TOKENS] = "tokens",
                                          [SIMULATE_SWITCH] = "switch",
                                          NULL};

const char *simulate_switching_name(enum tny_switching switching)
{
  return switchings[switching];
}

const char *simulate_allocator_name(enum tny_allocator allocator)
{
  return allocators[allocator];
}

const char *simulate_separation_name(enum simulate_separation separation)
{
  return separations[separation];
}

/* The word's index in the list, which ends with NULL. `known` is the list as an error has it. */
static enum tny_status read_word(const char *const *words, const char *known, const char *text,
                                 uint32_t *index, struct tny_error *error)
{
  for (*index = 0; words[*index]; ++*index)
    if (strcmp(text, words[*index]) == 0)
      return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT, "%s, not '%s'", known, text);
}

static enum tny_status read_switching(void *into, const char *text, struct tny_error *error)
{
  struct tny_network_model *network = into;
  uint32_t index;
  const enum tny_status status = read_word(
      switchings, "--switching is wormhole, cut-through or store-and-forward", text, &index, error);
  if (status == TNY_OK)
    network->switching = (enum tny_switching)index;
  return status;
}

static enum tny_status read_allocator(void *into, const char *text, struct tny_error *error)
{
  struct tny_network_model *network = into;
  uint32_t index;
  const enum tny_status status =
      read_word(allocators, "--allocator is round-robin or islip", text, &index, error);
  if (status == TNY_OK)
    network->allocator = (enum tny_allocator)index;
  return status;
}

static enum tny_status read_separation(void *into, const char *text, struct tny_error *error)
{
  struct simulate_options *options = into;
  uint32_t index;
  const enum tny_status status =
      read_word(separations, "--separate is none, barrier, tokens or switch", text, &index, error);
  if (status == TNY_OK)
    options->separation = (enum simulate_separation)index;
  return status;
}

static enum tny_status read_tokens(void *into, const char *text, struct tny_error *error)
{
  struct tny_host_model *hosts = into;
  static const char *const words[] = {"among-data", "apart", NULL};
  uint32_t index;
  const enum tny_status status =
      read_word(words, "--tokens is apart or among-data", text, &index, error);
  if (status == TNY_OK)
    hosts->tokens_apart = index == 1;
  return status;
}

static enum tny_status read_buffers(void *into, const char *text, struct tny_error *error)
{
  struct tny_network_model *network = into;
  static const char channels[] = "channels:";
  if (strncmp(text, channels, strlen(channels)) == 0) {
    network->buffering = TNY_BUFFER_CHANNELS;
    return cli_number_parse("the number behind channels:", text + strlen(channels),
                            (const uint32_t[]){1, 64}, &network->channels, error);
  }
  network->buffering = strcmp(text, "shared") == 0 ? TNY_BUFFER_SHARED : TNY_BUFFER_FIFO;
  if (network->buffering == TNY_BUFFER_SHARED || strcmp(text, "fifo") == 0)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT, "--buffers is fifo, channels:N or shared, not '%s'",
                       text);
}

static enum tny_status read_time(void *into, const char *text, struct tny_error *error)
{
  double *time_ns = into;
  uint64_t parsed;
  const enum tny_status status = tny_time_parse(text, &parsed, error);
  *time_ns = (double)parsed;
  return status;
}

/* Into the time of a byte. */
static enum tny_status read_rate(void *into, const char *text, struct tny_error *error)
{
  double *byte_ns = into;
  uint64_t bps = 1;
  const enum tny_status status = tny_bandwidth_parse(text, &bps, error);
  *byte_ns = 8e9 / (double)bps;
  return status;
}

static bool ends_in_svg(const char *path)
{
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".svg") == 0;
}

/* What a file says itself. */
static enum tny_status check_file(const struct simulate_options *options, struct tny_error *error)
{
  const struct plan_request *plan = &options->plan;
  const char *option = plan->algorithm                          ? "--algorithm"
                       : plan->ranks                            ? "--ranks"
                       : plan->root                             ? "--root"
                       : plan->chunks_given                     ? "--chunks"
                       : plan->window_given                     ? "--window"
                       : plan->pattern                          ? "--pattern"
                       : options->separation == SIMULATE_TOKENS ? "--separate tokens"
                                                                : NULL;
  if (!option)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "%s is for what is planned here: %s isn't a collective, so it's taken for a "
                       "file with a schedule",
                       option, options->file);
}

/* Options that don't go together. */
static enum tny_status check(const struct simulate_options *options, struct tny_error *error)
{
  const char *drawn[] = {options->timeline, options->heatmap};
  for (int i = 0; i < 2; i++)
    if (drawn[i] && !ends_in_svg(drawn[i]))
      return tny_error_set(error, TNY_BAD_INPUT, "%s is drawn as SVG: call it FILE.svg, not '%s'",
                           i == 0 ? "--timeline" : "--heatmap", drawn[i]);
  if (options->timeline && options->heatmap && strcmp(options->timeline, options->heatmap) == 0)
    return tny_error_set(error, TNY_BAD_INPUT, "--timeline and --heatmap can't be the same file");
  if (options->csv && options->json)
    return tny_error_set(error, TNY_BAD_INPUT, "--csv or --json, not both");
  if (options->flits && options->bytes_given)
    return tny_error_set(error, TNY_BAD_INPUT, "--bytes or --flits, not both");
  if (options->flits > CLI_BYTES_MAX / options->hosts.flit_bytes)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--flits %" PRIu32 " of %" PRIu32 " bytes are more than %" PRIu64 " bytes",
                         options->flits, options->hosts.flit_bytes, CLI_BYTES_MAX);
  if (options->hosts.barrier_ns > 0 && options->separation != SIMULATE_BARRIER)
    return tny_error_set(error, TNY_BAD_INPUT, "--barrier wants --separate barrier");
  if (options->file)
    return check_file(options, error);
  if ((options->bytes_given || options->flits) && plan_check_bytes(&options->plan, error) != TNY_OK)
    return TNY_BAD_INPUT;
  if (options->plan.pattern && !tny_collective_is_pairwise(options->plan.collective))
    return tny_error_set(error, TNY_BAD_INPUT, "only alltoall has a --pattern");
  return TNY_OK;
}

/* What follows from other options: packets, where switches take whole ones; the plan's separation.
   The depth of buffers follows in run.c. */
static void settle(struct simulate_options *options)
{
  struct plan_request *plan = &options->plan;
  const bool whole_packets = options->network.switching != TNY_SWITCH_WORMHOLE ||
                             options->network.buffering == TNY_BUFFER_SHARED;
  if (!options->packet_given)
    options->hosts.packet_flits = whole_packets ? 64 : 0;
  options->network.seed = options->seed;
  options->hosts.recv_ns = options->hosts.send_ns;
  if (options->flits)
    plan->bytes = (uint64_t)options->flits * options->hosts.flit_bytes;
  options->hosts.with_barrier = options->separation == SIMULATE_BARRIER;
  options->network.is_synchronizing = options->separation == SIMULATE_SWITCH;
  plan->separation =
      options->separation == SIMULATE_TOKENS ? TNY_SEPARATE_TOKENS : TNY_SEPARATE_NONE;
  /* Who keeps phases apart needs no other pacing. */
  if (options->separation == SIMULATE_BARRIER || options->separation == SIMULATE_SWITCH) {
    plan->chunks = plan->chunks_given ? plan->chunks : 1;
    plan->chunks_given = plan->window_given = true;
  }
}

/* Reads what is planned, how it is simulated, and what is shown, in the order of the help. */
static enum tny_status read_table(int argc, char **argv, struct simulate_options *options,
                                  struct tny_error *error)
{
  struct plan_request *plan = &options->plan;
  struct tny_network_model *network = &options->network;
  struct tny_host_model *hosts = &options->hosts;
  const struct cli_option table[] = {
      {.name = "algorithm", .text = &plan->algorithm},
      {.name = "ranks", .number = &plan->ranks, .least = 1, .most = CLI_COUNT_MAX},
      {.name = "map", .map = &plan->map},
      {.name = "root", .number = &plan->root, .most = CLI_COUNT_MAX},
      {.name = "bytes", .bytes = &plan->bytes, .given = &options->bytes_given},
      {.name = "flits", .number = &options->flits, .least = 1, .most = CYCLES_MAX},
      {.name = "chunks",
       .number = &plan->chunks,
       .least = 1,
       .most = CLI_COUNT_MAX,
       .given = &plan->chunks_given},
      {.name = "window",
       .number = &plan->window,
       .most = CLI_COUNT_MAX,
       .given = &plan->window_given},
      {.name = "pattern", .text = &plan->pattern},
      {.name = "separate", .take = read_separation, .into = options},
      {.name = "switching", .take = read_switching, .into = network},
      {.name = "buffers", .take = read_buffers, .into = network},
      {.name = "depth", .number = &network->depth, .least = 1, .most = CYCLES_MAX},
      {.name = "allocator", .take = read_allocator, .into = network},
      {.name = "routing", .text = &plan->routing},
      {.name = "adaptive", .flag = &network->is_adaptive},
      {.name = "one-lane", .flag = &network->ignores_lanes},
      {.name = "switch-cycles", .number = &network->switch_cycles, .most = CLI_COUNT_MAX},
      {.name = "seed", .number = &options->seed, .most = UINT32_MAX},
      {.name = "flit-bytes", .number = &hosts->flit_bytes, .least = 1, .most = CLI_COUNT_MAX},
      {.name = "packet-flits",
       .number = &hosts->packet_flits,
       .most = CYCLES_MAX,
       .given = &options->packet_given},
      {.name = "header-flits", .number = &hosts->header_flits, .most = CLI_COUNT_MAX},
      {.name = "ports", .number = &network->ports, .least = 1, .most = 64},
      {.name = "overhead", .take = read_time, .into = &hosts->send_ns},
      {.name = "combine", .take = read_rate, .into = &hosts->combine_byte_ns},
      {.name = "tokens", .take = read_tokens, .into = hosts},
      {.name = "barrier", .take = read_time, .into = &hosts->barrier_ns},
      {.name = "links", .flag = &options->all_links},
      {.name = "csv", .flag = &options->csv},
      {.name = "json", .flag = &options->json},
      {.name = "timeline", .text = &options->timeline},
      {.name = "heatmap", .text = &options->heatmap},
      {.name = "help", .flag = &options->help},
      {0}};
  return cli_options_read(argc, argv, table, error);
}

enum tny_status simulate_options_read(int argc, char **argv, struct simulate_options *options,
                                      struct tny_error *error)
{
  *options = (struct simulate_options){.plan = {.bytes = 4096, .proof = PLAN_PROOF_LINKS},
                                       .network = {.channels = 1,
                                                   .switch_cycles = 1,
                                                   .link_cycles = 1,
                                                   .inject_cycles = 1,
                                                   .eject_cycles = 1,
                                                   .credit_cycles = 1,
                                                   .ports = 1},
                                       .seed = 1,
                                       .hosts = {.flit_bytes = 8, .tokens_apart = true}};
  const enum tny_status status = read_table(argc, argv, options, error);
  if (status != TNY_OK || options->help)
    return status;
  if (argc - optind != 2)
    return tny_error_set(error, TNY_BAD_INPUT, "a cluster and a collective or a file are wanted");
  options->plan.cluster = argv[optind];
  if (tny_collective_parse(argv[optind + 1], &options->plan.collective, NULL) != TNY_OK)
    options->file = argv[optind + 1];
  if (check(options, error) != TNY_OK)
    return TNY_BAD_INPUT;
  settle(options);
  return TNY_OK;
}
