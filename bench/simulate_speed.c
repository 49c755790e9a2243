/* How fast the simulator is: flits over links between switches ("hops") in a second of one core's
   time. The routers are BookSim's. First comes the row that docs/simulator.md compares with (8x8
   torus, packets of 16, load 0.3), then an exact all-to-all of 256 nodes, then a Markdown table
   over the network's size: under load, every link as busy as in the first row, and with two hosts
   of all that send to each other.
   usage: simulate_speed [LEAST]
   (with a number, exit 1 where the first row has fewer million hops a second) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tourney/algorithm.h>
#include <tourney/simulate.h>

#include "reproduce/known/booksim.h"

enum { RUNS = 5, ALLTOALL_SIDE = 16, ALLTOALL_FLITS = 64, LONE_FLITS = 1000000 };

static double now_s(void)
{
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct torus {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  struct tny_network_model model;
};

static bool complain(const struct tny_error *error)
{
  fprintf(stderr, "%s\n", error->text);
  return false;
}

static bool torus_open(struct torus *torus, uint32_t side)
{
  char name[32];
  struct tny_error error = {0};
  snprintf(name, sizeof name, "torus:%" PRIu32 "x%" PRIu32, side, side);
  torus->routes = NULL;
  if (tny_cluster_generate(name, &torus->cluster, &error) ||
      tny_routes_make(torus->cluster, &torus->routes, &error))
    return complain(&error);
  torus->model = tny_booksim_routers;
  torus->model.routes = torus->routes;
  return true;
}

static void torus_close(struct torus *torus)
{
  tny_routes_free(torus->routes);
  tny_cluster_free(torus->cluster);
}

/* Returns hops a second; 0 after an error was printed. */
static double measure_load(const struct torus *torus, double load, uint64_t cycles)
{
  const struct tny_load traffic = {
      .load = load, .packet_flits = 16, .warm_up_cycles = cycles / 10, .measured_cycles = cycles};
  struct tny_load_report report;
  struct tny_error error = {0};
  const double start = now_s();
  if (tny_simulate_load(&torus->model, &traffic, &report, NULL, &error)) {
    complain(&error);
    return 0;
  }
  return (double)report.flit_hops / (now_s() - start);
}

/* What a run took, and how much it did. */
struct cost {
  double seconds;
  uint64_t cycles, hops;
};

static bool simulate(const struct torus *torus, const struct tny_program *program,
                     const uint32_t *host_of_rank, struct cost *cost)
{
  const struct tny_host_model hosts = {.host_of_rank = host_of_rank, .flit_bytes = 1};
  const struct tny_cluster *cluster = torus->cluster;
  struct tny_simulation *simulation;
  struct tny_error error = {0};
  const double start = now_s();
  if (tny_simulate(&torus->model, &hosts, program, NULL, &simulation, NULL, &error))
    return complain(&error);
  *cost = (struct cost){.seconds = now_s() - start, .cycles = simulation->cycles};
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].from >= cluster->host_count &&
        cluster->links[link].to >= cluster->host_count)
      cost->hops += simulation->link_flits[link];
  tny_simulation_free(simulation);
  return true;
}

/* Measures an all-to-all of the first `rank_count` hosts, by the algorithm `shift`. */
static bool measure_alltoall(const struct torus *torus, uint32_t rank_count, uint32_t flits,
                             struct cost *cost)
{
  const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = rank_count};
  const struct tny_pace pace = {.chunk_count = 1};
  struct tny_error error = {0};
  struct tny_schedule *schedule = NULL;
  struct tny_program *program = NULL;
  uint32_t *hosts = calloc(rank_count, sizeof *hosts);
  for (uint32_t rank = 0; hosts && rank < rank_count; rank++)
    hosts[rank] = rank;
  bool good =
      hosts &&
      !tny_plan_all(tny_algorithm_find(TNY_ALLTOALL, "shift"), &problem, pace, &schedule, &error) &&
      !tny_program_make(schedule, flits, NULL, &program, &error);
  good = good ? simulate(torus, program, hosts, cost) : complain(&error);
  tny_program_free(program);
  tny_schedule_free(schedule);
  free(hosts);
  return good;
}

static bool print_alltoall(void)
{
  struct torus torus;
  struct cost cost;
  if (!torus_open(&torus, ALLTOALL_SIDE))
    return false;
  const uint32_t hosts = torus.cluster->host_count;
  const bool good = measure_alltoall(&torus, hosts, ALLTOALL_FLITS, &cost);
  torus_close(&torus);
  if (good)
    printf("all-to-all of %" PRIu32 " nodes, messages of %d flits: %" PRIu64
           " cycles, %.1f million hops in %.2f s\n",
           hosts, ALLTOALL_FLITS, cost.cycles, (double)cost.hops / 1e6, cost.seconds);
  return good;
}

static bool print_sizes(void)
{
  puts("\n| nodes | load | million hops/s | ns a hop | two hosts alone: ns a cycle |\n"
       "|---|---|---|---|---|");
  for (uint32_t side = 4; side <= 64; side *= 2) {
    struct torus torus;
    if (!torus_open(&torus, side))
      return false;
    /* At each size links are equally busy, and there are about as many hops in all. */
    const double load = 0.3 * 8 / side;
    const double rate = measure_load(&torus, load, 4000000 / ((uint64_t)side * side));
    struct cost lone;
    const bool good = measure_alltoall(&torus, 2, LONE_FLITS, &lone);
    torus_close(&torus);
    if (rate <= 0 || !good)
      return false;
    printf("| %" PRIu32 " | %.4g | %.1f | %.0f | %.0f |\n", side * side, load, rate / 1e6,
           1e9 / rate, lone.seconds * 1e9 / (double)lone.cycles);
  }
  return true;
}

static int compare(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Prints the first row. Returns its median of million hops a second; 0 after an error was
   printed. */
static double print_row(void)
{
  struct torus torus;
  double rates[RUNS] = {0};
  if (!torus_open(&torus, 8))
    return 0;
  for (int run = 0; run < RUNS; run++)
    rates[run] = measure_load(&torus, 0.3, 30000) / 1e6;
  torus_close(&torus);
  qsort(rates, RUNS, sizeof *rates, compare);
  printf("8x8 torus, 4 virtual channels, packets of 16, load 0.3: %.2f million hops a second "
         "(median of %d, %.2f to %.2f)\n",
         rates[RUNS / 2], RUNS, rates[0], rates[RUNS - 1]);
  return rates[RUNS / 2];
}

int main(int argc, char **argv)
{
  const double least = argc > 1 ? strtod(argv[1], NULL) : 0;
  const double rate = print_row();
  if (rate <= 0 || !print_alltoall() || !print_sizes())
    return 1;
  return rate < least ? 1 : 0;
}
