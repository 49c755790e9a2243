/* Clusters from a line of text: "single:16,link=20Mbit/s". Each generator is a row of the table
   below; what it makes is in generate_*.c. The options of all generators are read here. */
#include "cluster/generation.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/scan.h"
#include "core/units.h"

const char tny_generator_usage[] =
    "single:N (N hosts on one switch), switches:A+B+... (a line of switches with A, B, ... hosts), "
    "ring:N, torus:AxB[xC], mesh:A[xBxC], fattree:K, zones:A+B+...,delay=10ms,rate=1Gbit/s, "
    "irregular:HOSTS,switches=S,seed=K, dragonfly:GxAxP,global=H, hammingmesh:AxB,boards=CxD; all "
    "with ,link=20Mbit/s ,latency=5us ,buffer=64KiB and most with ,trunk=1Gbit/s";

enum unit { UNIT_BANDWIDTH, UNIT_TIME, UNIT_BYTES, UNIT_NUMBER, UNIT_BOARDS };

static const struct {
  const char *name; /* with its equals sign */
  enum unit unit;
} options[TNY_OPTION_COUNT] = {
    [TNY_OPTION_LINK] = {"link=", UNIT_BANDWIDTH},
    [TNY_OPTION_TRUNK] = {"trunk=", UNIT_BANDWIDTH},
    [TNY_OPTION_LATENCY] = {"latency=", UNIT_TIME},
    [TNY_OPTION_BUFFER] = {"buffer=", UNIT_BYTES},
    [TNY_OPTION_DELAY] = {"delay=", UNIT_TIME},
    [TNY_OPTION_RATE] = {"rate=", UNIT_BANDWIDTH},
    [TNY_OPTION_SWITCHES] = {"switches=", UNIT_NUMBER},
    [TNY_OPTION_SEED] = {"seed=", UNIT_NUMBER},
    [TNY_OPTION_GLOBAL] = {"global=", UNIT_NUMBER},
    [TNY_OPTION_BOARDS] = {"boards=", UNIT_BOARDS},
};

/* Sets of options. */
#define HOSTS (1U << TNY_OPTION_LINK | 1U << TNY_OPTION_LATENCY | 1U << TNY_OPTION_BUFFER)
#define TRUNKS (HOSTS | 1U << TNY_OPTION_TRUNK)
#define ZONES (HOSTS | 1U << TNY_OPTION_DELAY | 1U << TNY_OPTION_RATE)
#define IRREGULAR (TRUNKS | 1U << TNY_OPTION_SWITCHES | 1U << TNY_OPTION_SEED)
#define DRAGONFLY (TRUNKS | ZONES | 1U << TNY_OPTION_GLOBAL)
#define HAMMINGMESH (TRUNKS | 1U << TNY_OPTION_BOARDS)

static const struct {
  const char *name; /* with its colon */
  tny_generator *make;
  unsigned options; /* the set it takes */
} generators[] = {
    {"single:", tny_generate_single, HOSTS},
    {"switches:", tny_generate_switches, TRUNKS},
    {"ring:", tny_generate_grid, TRUNKS},
    {"torus:", tny_generate_grid, TRUNKS},
    {"mesh:", tny_generate_grid, TRUNKS},
    {"fattree:", tny_generate_fattree, TRUNKS},
    {"zones:", tny_generate_zones, ZONES},
    {"irregular:", tny_generate_irregular, IRREGULAR},
    {"dragonfly:", tny_generate_dragonfly, DRAGONFLY},
    {"hammingmesh:", tny_generate_hammingmesh, HAMMINGMESH},
};
#define GENERATOR_COUNT (sizeof generators / sizeof *generators)

static size_t find_generator(const char *text)
{
  size_t i = 0;
  while (i < GENERATOR_COUNT && strncmp(text, generators[i].name, strlen(generators[i].name)))
    i++;
  return i;
}

bool tny_cluster_is_generator(const char *text)
{
  return find_generator(text) < GENERATOR_COUNT;
}

/* --- options --- */

static enum tny_status read_number(const char *text, uint64_t *number, struct tny_error *error)
{
  if (tny_scan_whole(text, number))
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT, "\"%.40s\" is no whole number of 64 bits", text);
}

static enum tny_status read_boards(const char *text, uint64_t *value, struct tny_error *error)
{
  uint32_t sides[2] = {0};
  const enum tny_status status =
      tny_generation_sides(text, "boards of a row x rows of boards, as in 2x2", 2, sides, error);
  *value = (uint64_t)sides[0] << 32 | sides[1];
  return status;
}

static enum tny_status read_value(enum unit unit, const char *text, uint64_t *value,
                                  struct tny_error *error)
{
  switch (unit) {
  case UNIT_BANDWIDTH:
    return tny_bandwidth_parse(text, value, error);
  case UNIT_TIME:
    return tny_time_parse(text, value, error);
  case UNIT_BYTES:
    return tny_bytes_parse(text, value, error);
  case UNIT_BOARDS:
    return read_boards(text, value, error);
  default:
    return read_number(text, value, error);
  }
}

/* "link=, latency= and buffer=" */
static void list_options(unsigned set, char *list, size_t room)
{
  size_t used = 0;
  for (unsigned i = 0; i < TNY_OPTION_COUNT && used < room; i++) {
    if (!(set >> i & 1))
      continue;
    const char *comma = used == 0 ? "" : set >> (i + 1) ? ", " : " and ";
    used += (size_t)snprintf(list + used, room - used, "%s%s", comma, options[i].name);
  }
}

static enum tny_status read_option(struct tny_generation *generation, unsigned set,
                                   const char *text, struct tny_error *error)
{
  size_t i = 0;
  while (i < TNY_OPTION_COUNT && strncmp(text, options[i].name, strlen(options[i].name)))
    i++;
  if (i == TNY_OPTION_COUNT || !(set >> i & 1)) {
    char list[128];
    list_options(set, list, sizeof list);
    return tny_error_set(error, TNY_BAD_INPUT, "%s has no option \"%.40s\": there are %s",
                         generation->name, text, list);
  }
  if (generation->has[i])
    return tny_error_set(error, TNY_BAD_INPUT, "the option %s is given twice", options[i].name);
  generation->has[i] = true;
  return read_value(options[i].unit, text + strlen(options[i].name), &generation->values[i], error);
}

/* From the options to the three sorts of cables. A trunk is as fast as a host's cable, and a wide
   one is like a trunk, where the text doesn't say. */
static void derive_cables(struct tny_generation *generation)
{
  const bool *has = generation->has;
  const uint64_t *values = generation->values;
  struct tny_build_cable *link = &generation->link;
  *link = tny_build_default_cable;
  if (has[TNY_OPTION_LINK])
    link->bandwidth_bps = values[TNY_OPTION_LINK];
  if (has[TNY_OPTION_LATENCY])
    link->latency_ns = values[TNY_OPTION_LATENCY];
  if (has[TNY_OPTION_BUFFER])
    link->buffer_bytes = link->back_buffer_bytes = values[TNY_OPTION_BUFFER];
  generation->trunk = *link;
  if (has[TNY_OPTION_TRUNK])
    generation->trunk.bandwidth_bps = values[TNY_OPTION_TRUNK];
  generation->wide = generation->trunk;
  if (has[TNY_OPTION_RATE])
    generation->wide.bandwidth_bps = values[TNY_OPTION_RATE];
  if (has[TNY_OPTION_DELAY])
    generation->wide.latency_ns = values[TNY_OPTION_DELAY];
}

/* --- the whole --- */

/* `text` is a copy of the generator's, ours to cut at its colon and its commas. */
static enum tny_status generate(struct tny_build *build, size_t generator, char *text,
                                struct tny_error *error)
{
  struct tny_generation generation = {.build = build, .name = text};
  char *arguments = text + strlen(generators[generator].name);
  arguments[-1] = '\0';
  generation.arguments = arguments;
  for (char *comma = strchr(arguments, ','); comma;) {
    char *option = comma + 1;
    *comma = '\0';
    comma = strchr(option, ',');
    if (comma)
      *comma = '\0';
    const enum tny_status status =
        read_option(&generation, generators[generator].options, option, error);
    if (status)
      return status;
  }
  derive_cables(&generation);
  return generators[generator].make(&generation, error);
}

enum tny_status tny_cluster_generate(const char *text, struct tny_cluster **cluster,
                                     struct tny_error *error)
{
  *cluster = NULL;
  const size_t generator = find_generator(text);
  if (generator == GENERATOR_COUNT)
    return tny_error_set(error, TNY_BAD_INPUT, "\"%.100s\" names no generator: generators are %s",
                         text, tny_generator_usage);
  char *copy = tny_copy_text(text);
  if (!copy)
    return tny_error_memory(error);
  struct tny_build build;
  tny_build_init(&build, text, NULL);
  struct tny_error cause = {0};
  enum tny_status status = generate(&build, generator, copy, &cause);
  if (!status)
    status = tny_build_finish(&build, cluster, &cause);
  if (status)
    tny_error_set(error, status, "%.100s: %.390s", text, cause.text);
  tny_build_release(&build);
  tny_free(copy);
  return status;
}
