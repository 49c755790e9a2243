/* The table of docs/allgather.md: how long contention-free rings keep the fullest link busy, beyond
   the bound, and how long it takes to find the rings. What links carry is counted from the plans,
   which test_rings.c proves. It prints Markdown; the times differ each time.
   usage: ring_gaps [NETWORKS] (1000, of each family of irregular ones) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tourney/verify.h>

#include "mapping.h"

enum { BLOCK_BYTES = 1 << 20, NETWORKS_MAX = 100000 };

struct row {
  const char *name, *cluster; /* Where cluster is NULL, networks are irregular. */
  const char *trunk;
  uint32_t ranks_a_host;
};

static const struct row rows[] = {
    {"irregular (those of `tourney verify --all`)", NULL, "", 1},
    {"the same, 3 ranks a host", NULL, "", 3},
    {"the same, trunks half as fast as ports", NULL, ",trunk=500Mbit/s", 1},
    {"the same, a quarter", NULL, ",trunk=250Mbit/s", 1},
    {"the same, a tenth", NULL, ",trunk=100Mbit/s", 1},
    {"irregular, 1024 hosts, 73 switches", "irregular:1024,switches=73,seed=1", "", 1},
    {"8+8", "switches:8+8", "", 1},
    {"8+8, the trunk a tenth", "switches:8+8,trunk=100Mbit/s", "", 1},
    {"torus 8x8", "torus:8x8", "", 1},
    {"torus 16x16", "torus:16x16", "", 1},
    {"torus 8x8, trunks half", "torus:8x8,trunk=500Mbit/s", "", 1},
    {"torus 8x8, trunks a quarter", "torus:8x8,trunk=250Mbit/s", "", 1},
    {"mesh 8x8, trunks a quarter", "mesh:8x8,trunk=250Mbit/s", "", 1},
    {"fat tree 8", "fattree:8", "", 1},
    {"fat tree 16", "fattree:16", "", 1},
    {"fat tree 8, trunks half", "fattree:8,trunk=500Mbit/s", "", 1},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct result {
  double gap_percent, ms;
  uint32_t rings;
};

static enum tny_status plan(const struct tny_problem *problem, struct tny_schedule **schedule,
                            struct result *result, struct tny_error *error)
{
  const struct tny_algorithm *algorithm =
      tny_algorithm_find(TNY_ALLGATHER, "contention-free-rings");
  const struct tny_pace whole = {.chunk_count = 1};
  struct tny_problem prepared;
  *schedule = NULL;
  const double start = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
  enum tny_status status = tny_problem_prepare(algorithm, problem, &prepared, error);
  result->ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
  if (status == TNY_OK) {
    const struct tny_problem settled = tny_plan_problem(algorithm, &prepared, 1);
    result->rings = tny_algorithm_claim(algorithm, &settled).port_messages;
    status = tny_plan_all(algorithm, &prepared, whole, schedule, error);
  }
  tny_problem_release(algorithm, &prepared);
  return status;
}

static enum tny_status measure(const struct tny_problem *problem, struct result *result,
                               struct tny_error *error)
{
  const struct tny_network *network = problem->network;
  const struct tny_cluster *cluster = network->routes->cluster;
  struct tny_schedule *schedule = NULL;
  struct tny_bound bound;
  double longest = 0;
  uint64_t *bytes = calloc(cluster->link_count, sizeof *bytes);
  enum tny_status status = bytes ? plan(problem, &schedule, result, error) : TNY_NO_MEMORY;
  if (status == TNY_OK)
    status = tny_verify_load(schedule, network, BLOCK_BYTES, bytes, error);
  if (status == TNY_OK)
    status = tny_bound_compute(network->routes, network->host_of_rank, problem->rank_count,
                               TNY_ALLGATHER, 0, BLOCK_BYTES, &bound, error);
  for (uint32_t link = 0; status == TNY_OK && link < cluster->link_count; link++) {
    const double seconds = (double)bytes[link] * 8 / (double)cluster->links[link].bandwidth_bps;
    longest = seconds > longest ? seconds : longest;
  }
  result->gap_percent = status == TNY_OK ? 100 * (longest / bound.seconds - 1) : 0;
  tny_schedule_free(schedule);
  free(bytes);
  return status;
}

static enum tny_status open_and_measure(const char *text, uint32_t ranks_a_host,
                                        struct result *result, struct tny_error *error)
{
  struct bench_mapping mapping;
  enum tny_status status = bench_mapping_open(&mapping, text, ranks_a_host, error);
  mapping.problem.collective = TNY_ALLGATHER;
  if (status == TNY_OK)
    status = measure(&mapping.problem, result, error);
  bench_mapping_close(&mapping);
  return status;
}

static int compare(const void *a, const void *b)
{
  const struct result *one = a, *other = b;
  return (one->gap_percent > other->gap_percent) - (one->gap_percent < other->gap_percent);
}

static void print(const struct row *row, struct result *results, uint32_t count)
{
  double ms = 0;
  uint32_t rings = 0, within = 0;
  qsort(results, count, sizeof *results, compare);
  for (uint32_t i = 0; i < count; i++) {
    ms = results[i].ms > ms ? results[i].ms : ms;
    rings = results[i].rings > rings ? results[i].rings : rings;
    within += results[i].gap_percent <= 10;
  }
  printf("| %s | %" PRIu32 " | %" PRIu32 " | %.1f %% | %.1f %% | %" PRIu32 " | %.2f ms |\n",
         row->name, count, rings, results[count / 2].gap_percent, results[count - 1].gap_percent,
         within, ms);
}

static enum tny_status run_row(const struct row *row, uint32_t networks, struct tny_error *error)
{
  const uint32_t count = row->cluster ? 1 : networks;
  struct result *results = calloc(count, sizeof *results);
  enum tny_status status = results ? TNY_OK : TNY_NO_MEMORY;
  for (uint32_t number = 1; status == TNY_OK && number <= count; number++) {
    char text[80];
    const uint32_t switches = 2 + number % 9;
    snprintf(text, sizeof text, "irregular:%" PRIu32 ",switches=%" PRIu32 ",seed=%" PRIu32 "%s",
             switches * (7 + number / 9 % 7), switches, number, row->trunk);
    status = open_and_measure(row->cluster ? row->cluster : text, row->ranks_a_host,
                              &results[number - 1], error);
  }
  if (status == TNY_OK)
    print(row, results, count);
  free(results);
  return status;
}

int main(int argc, char **argv)
{
  const unsigned long wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
  const uint32_t networks = wanted > 0 && wanted <= NETWORKS_MAX ? (uint32_t)wanted : 1;
  struct tny_error error = {0};
  enum tny_status status = TNY_OK;
  puts("| clusters | how many | rings, up to | median gap | worst gap | within 10 % | planned in, "
       "at "
       "most |\n|---|---|---|---|---|---|---|");
  for (uint32_t i = 0; status == TNY_OK && i < ROWS; i++)
    status = run_row(&rows[i], networks, &error);
  if (status != TNY_OK)
    fprintf(stderr, "%s\n", error.text);
  return status == TNY_OK ? 0 : 1;
}
