/* The table of docs/allgather.md of blocks that differ in size: how long all-gathers of them take
   on one switch, simulated. Every schedule is proved first. Each algorithm cuts blocks in as many
   pieces as serve it best, of 1, 2, 4 .. 64, and is paced by a window of 4 messages or not at all.
   It prints Markdown, which is the same each time.
   usage: allgather_blocks */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tourney/simulate.h>
#include <tourney/verify.h>

#include "bench/mapping.h"

enum { MEAN_BYTES = 16384, FLIT_BYTES = 256, PIECES_MAX = 64, WINDOW = 4, RANKS_MAX = 64 };
#define MESSAGE_NS 2000.0 /* of software, at each end */
#define FLIT_NS 2048.0    /* 1 Gbit/s, as generated clusters have */

/* --- blocks --- */

enum blocks { ALIKE, ZIPF, ONE, BLOCKS };
static const char *const titles[] = {"all alike", "Zipf", "one rank has all"};

static enum tny_status make_blocks(enum blocks blocks, uint32_t p, struct tny_pattern **pattern,
                                   struct tny_error *error)
{
  const struct tny_unevenness spread = {.by_zipf = blocks == ZIPF,
                                        .least_part = 1,
                                        .most_part = 1,
                                        .seed = 1,
                                        .mean_bytes = MEAN_BYTES};
  const enum tny_status status = tny_pattern_uneven(p, TNY_ALLGATHER, &spread, pattern, error);
  for (uint32_t i = 0; status == TNY_OK && blocks == ONE && i < p * p; i++)
    (*pattern)->bytes[i] = i / p == p / 3 && i % p != p / 3 ? (uint64_t)MEAN_BYTES * p : 0;
  return status;
}

/* What a rank has for all others. */
static uint64_t block_of(const struct tny_pattern *pattern, uint32_t rank)
{
  const uint32_t other = rank == 0 ? 1 : 0;
  return pattern->bytes[(size_t)rank * pattern->rank_count + other];
}

/* --- schedules --- */

struct timed {
  double ms;
  struct tny_pace pace;
};

static enum tny_status simulate(const struct bench_mapping *mapping,
                                const struct tny_schedule *schedule, const uint64_t *sizes,
                                double *ms, struct tny_error *error)
{
  const struct tny_network_model network = {.routes = mapping->routes,
                                            .buffering = TNY_BUFFER_FIFO,
                                            .depth = 64,
                                            .switch_cycles = 1,
                                            .link_cycles = 1,
                                            .inject_cycles = 1,
                                            .eject_cycles = 1,
                                            .credit_cycles = 1,
                                            .ports = 1,
                                            .cycle_ns = FLIT_NS,
                                            .seed = 1};
  const struct tny_host_model hosts = {.host_of_rank = mapping->hosts,
                                       .send_ns = MESSAGE_NS,
                                       .recv_ns = MESSAGE_NS,
                                       .has_two_processors = true,
                                       .flit_bytes = FLIT_BYTES};
  struct tny_program *program = NULL;
  struct tny_simulation *simulation = NULL;
  enum tny_status status = tny_program_make(schedule, 1, sizes, &program, error);
  if (status == TNY_OK)
    status = tny_simulate(&network, &hosts, program, NULL, &simulation, NULL, error);
  if (status == TNY_OK) {
    *ms = (double)simulation->cycles * FLIT_NS / 1e6;
    tny_simulation_free(simulation);
  }
  tny_program_free(program);
  return status;
}

static enum tny_status time_paced(const struct bench_mapping *mapping,
                                  const struct tny_algorithm *algorithm, const uint64_t *sizes,
                                  struct timed *timed, struct tny_error *error)
{
  struct tny_schedule *schedule = NULL;
  enum tny_status status =
      tny_plan_all(algorithm, &mapping->problem, timed->pace, &schedule, error);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, NULL, error);
  if (status == TNY_OK)
    status = simulate(mapping, schedule, sizes, &timed->ms, error);
  tny_schedule_free(schedule);
  return status;
}

static enum tny_status time_best(const struct bench_mapping *mapping, const char *name,
                                 const uint64_t *sizes, struct timed *best, struct tny_error *error)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLGATHER, name);
  enum tny_status status = TNY_OK;
  *best = (struct timed){.ms = HUGE_VAL};
  for (uint32_t pieces = 1; status == TNY_OK && pieces <= PIECES_MAX; pieces *= 2)
    for (uint32_t window = 0; status == TNY_OK && window <= WINDOW; window += WINDOW) {
      struct timed timed = {.pace = {.chunk_count = pieces, .window = window}};
      status = time_paced(mapping, algorithm, sizes, &timed, error);
      if (status == TNY_OK && timed.ms < best->ms)
        *best = timed;
    }
  return status;
}

/* --- the table --- */

static const char *const names[] = {"combining", "ring", "circulant"};
enum { NAMES = sizeof names / sizeof *names };

static enum tny_status print_cells(const struct bench_mapping *mapping,
                                   const struct tny_pattern *pattern, struct tny_error *error)
{
  uint64_t sizes[RANKS_MAX];
  double bound = 0;
  for (uint32_t rank = 0; rank < pattern->rank_count; rank++)
    sizes[rank] = block_of(pattern, rank);
  enum tny_status status =
      tny_bound_uneven(&mapping->network, TNY_ALLGATHER, pattern, &bound, error);
  if (status == TNY_OK)
    printf(" %.2f |", 1e3 * bound);
  for (uint32_t i = 0; status == TNY_OK && i < NAMES; i++) {
    struct timed best;
    status = time_best(mapping, names[i], sizes, &best, error);
    if (status == TNY_OK)
      printf(" %.2f (%" PRIu32 "%s) |", best.ms, best.pace.chunk_count,
             best.pace.window ? ", paced" : "");
  }
  return status;
}

static enum tny_status print_row(uint32_t ranks, enum blocks blocks, struct tny_error *error)
{
  struct bench_mapping mapping;
  struct tny_pattern *pattern = NULL;
  char cluster[32];
  snprintf(cluster, sizeof cluster, "single:%" PRIu32, ranks);
  enum tny_status status = bench_mapping_open(&mapping, cluster, 1, error);
  mapping.problem.collective = TNY_ALLGATHER;
  if (status == TNY_OK)
    status = make_blocks(blocks, ranks, &pattern, error);
  if (status == TNY_OK) {
    printf("| %" PRIu32 " | %s |", ranks, titles[blocks]);
    status = print_cells(&mapping, pattern, error);
    puts("");
    fflush(stdout);
  }
  tny_pattern_free(pattern);
  bench_mapping_close(&mapping);
  return status;
}

int main(void)
{
  struct tny_error error = {0};
  enum tny_status status = TNY_OK;
  printf("| ranks | blocks | bound |");
  for (uint32_t i = 0; i < NAMES; i++)
    printf(" %s |", names[i]);
  puts("\n|---|---|---|---|---|---|");
  for (uint32_t ranks = 16; status == TNY_OK && ranks <= RANKS_MAX; ranks *= 4)
    for (enum blocks blocks = 0; status == TNY_OK && blocks < BLOCKS; blocks++)
      status = print_row(ranks, blocks, &error);
  if (status != TNY_OK)
    fprintf(stderr, "%s\n", error.text);
  return status == TNY_OK ? 0 : 1;
}
