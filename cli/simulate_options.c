/* What `tourney simulate` was asked for. */
#include "simulate.h"

#include <getopt.h>
#include <inttypes.h>

#include "cli.h"
#include "core/error.h"
#include "pattern.h"
#include "routing.h"

const char simulate_help[] =
    "usage: tourney simulate CLUSTER COLLECTIVE|FILE [OPTION...]\n"
    "Runs a planned {or}, or the schedule in a file (ours, GOAL, MSCCL's\n"
    "XML), on the cluster's network, flit by flit. Exit code 1: a deadlock, with its circle.\n\n"
    "what is planned:\n"
    "  --algorithm NAME[:N]   instead of the one that is predicted to be the fastest\n"
    "  --ranks N          instead of one a host\n"
    "  --map block|interleaved   where the ranks sit (block)\n"
    "  --root R           of a {rooted} (0)\n"
    "  --bytes B          what one rank has for one receiver (4KiB; bcast: the whole message)\n"
    "  --flits F          the same in flits\n"
    "  --chunks C         pieces a block is cut in, instead of as many as the buffers call for\n"
    "  --window W         how far sends may run ahead of what arrives; 0: not paced\n"
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
    "  --one-lane         take the lanes away that keep a ring's messages from deadlock\n"
    "  --switch-cycles N  from a head's arrival in a switch until it may leave (1)\n"
    "  --seed N           of what is drawn at random (1)\n"
    "the hosts:\n"
    "  --flit-bytes B     (8)\n"
    "  --packet-flits F   messages are cut in packets of at most so many; 0: aren't cut\n"
    "  --header-flits F   that each packet has besides (0)\n"
    "  --ports N          flits that a host sends each cycle, and takes (1)\n"
    "  --overhead TIME    of the software for a message, sent and received each (0)\n"
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

enum letter {
  LETTER_ALGORITHM = 1,
  LETTER_RANKS,
  LETTER_MAP,
  LETTER_ROOT,
  LETTER_BYTES,
  LETTER_FLITS,
  LETTER_CHUNKS,
  LETTER_WINDOW,
  LETTER_PATTERN,
  LETTER_SEPARATE,
  LETTER_SWITCHING,
  LETTER_BUFFERS,
  LETTER_DEPTH,
  LETTER_ALLOCATOR,
  LETTER_ROUTING,
  LETTER_ADAPTIVE,
  LETTER_ONE_LANE,
  LETTER_SWITCH_CYCLES,
  LETTER_SEED,
  LETTER_FLIT_BYTES,
  LETTER_PACKET_FLITS,
  LETTER_HEADER_FLITS,
  LETTER_PORTS,
  LETTER_OVERHEAD,
  LETTER_BARRIER,
  LETTER_LINKS,
  LETTER_CSV,
  LETTER_JSON,
  LETTER_TIMELINE,
  LETTER_HEATMAP,
  LETTER_HELP, /* 31: behind it there is only room for what takes a value (cli_option_refuse) */
  LETTER_TOKENS,
};

static const struct option names[] = {
    {"algorithm", required_argument, NULL, LETTER_ALGORITHM},
    {"ranks", required_argument, NULL, LETTER_RANKS},
    {"map", required_argument, NULL, LETTER_MAP},
    {"root", required_argument, NULL, LETTER_ROOT},
    {"bytes", required_argument, NULL, LETTER_BYTES},
    {"flits", required_argument, NULL, LETTER_FLITS},
    {"chunks", required_argument, NULL, LETTER_CHUNKS},
    {"window", required_argument, NULL, LETTER_WINDOW},
    {"pattern", required_argument, NULL, LETTER_PATTERN},
    {"separate", required_argument, NULL, LETTER_SEPARATE},
    {"switching", required_argument, NULL, LETTER_SWITCHING},
    {"buffers", required_argument, NULL, LETTER_BUFFERS},
    {"depth", required_argument, NULL, LETTER_DEPTH},
    {"allocator", required_argument, NULL, LETTER_ALLOCATOR},
    {"routing", required_argument, NULL, LETTER_ROUTING},
    {"adaptive", no_argument, NULL, LETTER_ADAPTIVE},
    {"one-lane", no_argument, NULL, LETTER_ONE_LANE},
    {"switch-cycles", required_argument, NULL, LETTER_SWITCH_CYCLES},
    {"seed", required_argument, NULL, LETTER_SEED},
    {"flit-bytes", required_argument, NULL, LETTER_FLIT_BYTES},
    {"packet-flits", required_argument, NULL, LETTER_PACKET_FLITS},
    {"header-flits", required_argument, NULL, LETTER_HEADER_FLITS},
    {"ports", required_argument, NULL, LETTER_PORTS},
    {"overhead", required_argument, NULL, LETTER_OVERHEAD},
    {"barrier", required_argument, NULL, LETTER_BARRIER},
    {"links", no_argument, NULL, LETTER_LINKS},
    {"csv", no_argument, NULL, LETTER_CSV},
    {"json", no_argument, NULL, LETTER_JSON},
    {"timeline", required_argument, NULL, LETTER_TIMELINE},
    {"heatmap", required_argument, NULL, LETTER_HEATMAP},
    {"tokens", required_argument, NULL, LETTER_TOKENS},
    {"help", no_argument, NULL, LETTER_HELP},
    {NULL, 0, NULL, 0},
};

enum { COUNT_MAX = 1000000000 }; /* flits and cycles */
static const uint32_t from_zero[] = {0, 1000000}, from_one[] = {1, 1000000};
static const uint32_t counts_from_zero[] = {0, COUNT_MAX}, counts_from_one[] = {1, COUNT_MAX};

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

/* The word's place in the list, which ends with NULL. `known` is the list as an error has it. */
static enum tny_status read_word(const char *const *words, const char *known, uint32_t *place,
                                 struct tny_error *error)
{
  for (*place = 0; words[*place]; ++*place)
    if (strcmp(optarg, words[*place]) == 0)
      return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT, "%s, not '%s'", known, optarg);
}

static enum tny_status read_switching(struct tny_network_model *network, struct tny_error *error)
{
  uint32_t place;
  const enum tny_status status = read_word(
      switchings, "--switching is wormhole, cut-through or store-and-forward", &place, error);
  if (status == TNY_OK)
    network->switching = (enum tny_switching)place;
  return status;
}

static enum tny_status read_allocator(struct tny_network_model *network, struct tny_error *error)
{
  uint32_t place;
  const enum tny_status status =
      read_word(allocators, "--allocator is round-robin or islip", &place, error);
  if (status == TNY_OK)
    network->allocator = (enum tny_allocator)place;
  return status;
}

static enum tny_status read_separation(struct simulate_options *options, struct tny_error *error)
{
  uint32_t place;
  const enum tny_status status =
      read_word(separations, "--separate is none, barrier, tokens or switch", &place, error);
  if (status == TNY_OK)
    options->separation = (enum simulate_separation)place;
  return status;
}

static enum tny_status read_tokens(struct tny_host_model *hosts, struct tny_error *error)
{
  static const char *const words[] = {"among-data", "apart", NULL};
  uint32_t place;
  const enum tny_status status = read_word(words, "--tokens is apart or among-data", &place, error);
  if (status == TNY_OK)
    hosts->tokens_apart = place == 1;
  return status;
}

static enum tny_status read_buffers(struct tny_network_model *network, struct tny_error *error)
{
  static const char channels[] = "channels:";
  if (strncmp(optarg, channels, strlen(channels)) == 0) {
    network->buffering = TNY_BUFFER_CHANNELS;
    return scene_number_parse("the number behind channels:", optarg + strlen(channels),
                              (const uint32_t[]){1, 64}, &network->channels, error);
  }
  network->buffering = strcmp(optarg, "shared") == 0 ? TNY_BUFFER_SHARED : TNY_BUFFER_FIFO;
  if (network->buffering == TNY_BUFFER_SHARED || strcmp(optarg, "fifo") == 0)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT, "--buffers is fifo, channels:N or shared, not '%s'",
                       optarg);
}

static enum tny_status read_time(double *time_ns, struct tny_error *error)
{
  uint64_t parsed;
  const enum tny_status status = tny_time_parse(optarg, &parsed, error);
  *time_ns = (double)parsed;
  return status;
}

/* What is planned. */
static enum tny_status read_plan_option(struct simulate_options *options, enum letter letter,
                                        struct tny_error *error)
{
  struct plan_options *plan = &options->plan;
  switch (letter) {
  case LETTER_ALGORITHM:
    plan->algorithm = optarg;
    return TNY_OK;
  case LETTER_RANKS:
    return scene_number_parse("--ranks", optarg, from_one, &plan->ranks, error);
  case LETTER_MAP:
    return scene_map_parse("--map", optarg, &plan->map, error);
  case LETTER_ROOT:
    return scene_number_parse("--root", optarg, from_zero, &plan->root, error);
  case LETTER_BYTES:
    options->bytes_given = true;
    return scene_bytes_parse(optarg, SCENE_BYTES_MAX, &plan->bytes, error);
  case LETTER_FLITS:
    return scene_number_parse("--flits", optarg, counts_from_one, &options->flits, error);
  case LETTER_CHUNKS:
    plan->chunks_given = true;
    return scene_number_parse("--chunks", optarg, from_one, &plan->chunks, error);
  case LETTER_WINDOW:
    plan->window_given = true;
    return scene_number_parse("--window", optarg, from_zero, &plan->window, error);
  case LETTER_PATTERN:
    plan->pattern = optarg;
    return TNY_OK;
  case LETTER_ROUTING:
    plan->routing = optarg;
    return TNY_OK;
  default:
    return read_separation(options, error);
  }
}

/* The hosts, and what is shown. */
static enum tny_status read_host_option(struct simulate_options *options, enum letter letter,
                                        struct tny_error *error)
{
  struct tny_host_model *hosts = &options->hosts;
  switch (letter) {
  case LETTER_FLIT_BYTES:
    return scene_number_parse("--flit-bytes", optarg, from_one, &hosts->flit_bytes, error);
  case LETTER_PACKET_FLITS:
    options->packet_given = true;
    return scene_number_parse("--packet-flits", optarg, counts_from_zero, &hosts->packet_flits,
                              error);
  case LETTER_HEADER_FLITS:
    return scene_number_parse("--header-flits", optarg, from_zero, &hosts->header_flits, error);
  case LETTER_OVERHEAD:
    hosts->recv_ns = 0;
    if (read_time(&hosts->send_ns, error) != TNY_OK)
      return TNY_BAD_INPUT;
    hosts->recv_ns = hosts->send_ns;
    return TNY_OK;
  case LETTER_BARRIER:
    return read_time(&hosts->barrier_ns, error);
  case LETTER_TOKENS:
    return read_tokens(hosts, error);
  case LETTER_LINKS:
    options->all_links = true;
    return TNY_OK;
  case LETTER_CSV:
    options->csv = true;
    return TNY_OK;
  case LETTER_JSON:
    options->json = true;
    return TNY_OK;
  case LETTER_TIMELINE:
    options->timeline = optarg;
    return TNY_OK;
  case LETTER_HEATMAP:
    options->heatmap = optarg;
    return TNY_OK;
  default:
    options->help = true;
    return TNY_OK;
  }
}

static enum tny_status read_option(void *into, int letter, struct tny_error *error)
{
  struct simulate_options *options = into;
  struct tny_network_model *network = &options->network;
  uint32_t seed;
  enum tny_status status;
  switch (letter) {
  case LETTER_SWITCHING:
    return read_switching(network, error);
  case LETTER_BUFFERS:
    return read_buffers(network, error);
  case LETTER_ALLOCATOR:
    return read_allocator(network, error);
  case LETTER_DEPTH:
    return scene_number_parse("--depth", optarg, counts_from_one, &network->depth, error);
  case LETTER_ADAPTIVE:
    network->is_adaptive = true;
    return TNY_OK;
  case LETTER_ONE_LANE:
    network->ignores_lanes = true;
    return TNY_OK;
  case LETTER_SWITCH_CYCLES:
    return scene_number_parse("--switch-cycles", optarg, from_zero, &network->switch_cycles, error);
  case LETTER_PORTS:
    return scene_number_parse("--ports", optarg, (const uint32_t[]){1, 64}, &network->ports, error);
  case LETTER_SEED:
    status = scene_number_parse("--seed", optarg, (const uint32_t[]){0, UINT32_MAX}, &seed, error);
    network->seed = seed;
    return status;
  default:
    break;
  }
  const bool is_planned =
      letter <= LETTER_SEPARATE || letter == LETTER_ROUTING || letter == LETTER_PATTERN;
  return is_planned ? read_plan_option(options, (enum letter)letter, error)
                    : read_host_option(options, (enum letter)letter, error);
}

static bool ends_in_svg(const char *path)
{
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".svg") == 0;
}

/* What a file says itself. */
static enum tny_status check_file(const struct simulate_options *options, struct tny_error *error)
{
  const struct plan_options *plan = &options->plan;
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
  if (options->flits > SCENE_BYTES_MAX / options->hosts.flit_bytes)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--flits %" PRIu32 " of %" PRIu32 " bytes are more than %" PRIu64 " bytes",
                         options->flits, options->hosts.flit_bytes, SCENE_BYTES_MAX);
  if (options->hosts.barrier_ns > 0 && options->separation != SIMULATE_BARRIER)
    return tny_error_set(error, TNY_BAD_INPUT, "--barrier wants --separate barrier");
  if (options->file)
    return check_file(options, error);
  if (options->plan.pattern && !tny_collective_is_pairwise(options->plan.collective))
    return tny_error_set(error, TNY_BAD_INPUT, "only alltoall has a --pattern");
  return TNY_OK;
}

/* Packets, where switches take whole ones; and depth follows in simulate_make.c. */
static void settle(struct simulate_options *options)
{
  struct plan_options *plan = &options->plan;
  const bool whole_packets = options->network.switching != TNY_SWITCH_WORMHOLE ||
                             options->network.buffering == TNY_BUFFER_SHARED;
  if (!options->packet_given)
    options->hosts.packet_flits = whole_packets ? 64 : 0;
  if (options->flits)
    plan->bytes = (uint64_t)options->flits * options->hosts.flit_bytes;
  options->hosts.with_barrier = options->separation == SIMULATE_BARRIER;
  options->network.is_synchronizing = options->separation == SIMULATE_SWITCH;
  plan->separation =
      options->separation == SIMULATE_TOKENS ? TNY_SEPARATE_TOKENS : TNY_SEPARATE_NONE;
  /* Who keeps phases apart needs no other clock. */
  if (options->separation == SIMULATE_BARRIER || options->separation == SIMULATE_SWITCH) {
    plan->chunks = plan->chunks_given ? plan->chunks : 1;
    plan->chunks_given = plan->window_given = true;
  }
}

enum tny_status simulate_options_read(int argc, char **argv, struct simulate_options *options,
                                      struct tny_error *error)
{
  const struct cli_options reader = {.names = names, .read = read_option, .into = options};
  *options = (struct simulate_options){
      /* Whoever wants the picture has the bound proved, and not what is in flight. */
      .plan = {.bytes = 4096, .phase = TNY_NONE, .show = PLAN_PICTURE},
      .network = {.channels = 1,
                  .switch_cycles = 1,
                  .link_cycles = 1,
                  .inject_cycles = 1,
                  .eject_cycles = 1,
                  .credit_cycles = 1,
                  .ports = 1,
                  .seed = 1},
      .hosts = {.flit_bytes = 8, .tokens_apart = true}};
  const enum tny_status status = cli_options_read(argc, argv, &reader, error);
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
