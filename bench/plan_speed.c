/* How long one rank takes to plan its own steps, and how much memory they take, for every
   registered algorithm on a cluster that suits it, and for more and more ranks. Blocks are whole; a
   broadcast's message has p-1 pieces where the algorithm cuts it itself. The time doesn't include
   what planners do once for the whole cluster. It prints CSV, with the least time of some runs,
   since planning is the same work every time.
   usage: plan_speed [MOST_RANKS [LIMIT_MS AT_RANKS]]
   (65536 ranks; with a limit, exit 1 where an algorithm takes longer at so many ranks) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tourney/algorithm.h>

#include "mapping.h"

enum { RUNS = 7, RANKS_FIRST = 256, RANKS_GROWTH = 4 };

/* Clusters of p ranks, p a power of four. An algorithm is measured on the first that it doesn't
   refuse. */
static void name_cluster(int kind, uint32_t p, char *text, size_t size)
{
  uint32_t side = 1;
  while (side * side < p)
    side *= 2;
  if (kind == 0)
    snprintf(text, size, "irregular:%" PRIu32 ",switches=%" PRIu32 ",seed=1", p, p / 16);
  else if (kind == 1)
    snprintf(text, size, "switches:%" PRIu32 "+%" PRIu32, p / 2 - p / 8, p / 2 + p / 8);
  else if (kind == 2)
    snprintf(text, size, "torus:%" PRIu32 "x%" PRIu32, side, side);
  else
    snprintf(text, size, "switches:%" PRIu32 "+%" PRIu32, p / 8, p / 8);
}
enum { KINDS = 4 };

/* A cluster with a rank on each host, the last with four. */
struct measured_cluster {
  char text[64];
  struct bench_mapping mapping;
};

static bool open_cluster(struct measured_cluster *on, int kind, uint32_t p)
{
  struct tny_error error = {0};
  name_cluster(kind, p, on->text, sizeof on->text);
  const bool good =
      bench_mapping_open(&on->mapping, on->text, kind == KINDS - 1 ? 4 : 1, &error) == TNY_OK;
  if (!good)
    fprintf(stderr, "%s: %s\n", on->text, error.text);
  return good;
}

struct cost {
  double ms;
  uint64_t steps, bytes;
};

/* Returns the least time over the runs in which a rank in the middle plans a prepared problem. */
static bool measure_prepared(const struct tny_algorithm *algorithm,
                             const struct tny_problem *problem, struct cost *cost)
{
  const bool is_cut = algorithm->cut == TNY_CUT_OWN && algorithm->collective == TNY_BROADCAST;
  const struct tny_pace pace = {.chunk_count = is_cut ? problem->rank_count - 1 : 1};
  cost->ms = 1e300;
  for (int run = 0; run < RUNS; run++) {
    struct tny_steps steps;
    struct tny_error error = {0};
    const double start = clock_ms(CLOCK_MONOTONIC);
    if (tny_plan_rank(algorithm, problem, pace, problem->rank_count / 2 + 1, &steps, &error)) {
      fprintf(stderr, "%s\n", error.text);
      return false;
    }
    const double ms = clock_ms(CLOCK_MONOTONIC) - start;
    cost->ms = ms < cost->ms ? ms : cost->ms;
    cost->steps = steps.count;
    cost->bytes = steps.count * sizeof *steps.steps + steps.after_total * sizeof *steps.after;
    tny_steps_release(&steps);
  }
  return true;
}

static bool measure(const struct tny_algorithm *algorithm, const struct tny_problem *problem,
                    struct cost *cost)
{
  struct tny_problem prepared;
  struct tny_error error = {0};
  const bool is_prepared = tny_problem_prepare(algorithm, problem, &prepared, &error) == TNY_OK;
  if (!is_prepared)
    fprintf(stderr, "%s\n", error.text);
  const bool good = is_prepared && measure_prepared(algorithm, &prepared, cost);
  tny_problem_release(algorithm, &prepared);
  return good;
}

/* Measures all algorithms at p ranks. Returns false where one is over the limit; 0 is no limit. */
static bool measure_all(const struct measured_cluster *clusters, uint32_t p, double limit_ms)
{
  bool good = true;
  for (const struct tny_algorithm *const *a = tny_algorithms; *a; a++) {
    struct tny_problem problem = {.collective = (*a)->collective, .rank_count = p};
    int kind = 0;
    for (; kind < KINDS; kind++) {
      problem.placement = clusters[kind].mapping.placement;
      problem.network = &clusters[kind].mapping.network;
      if (!tny_algorithm_refusal(*a, &problem))
        break;
    }
    struct cost cost;
    if (kind == KINDS && (*a)->prepare) {
      continue; /* Preparing looks at all ranks, which takes too long for so many. */
    } else if (kind == KINDS) {
      fprintf(stderr, "%s: no cluster of %" PRIu32 " ranks here suits it\n", (*a)->name, p);
      good = false;
    } else if (measure(*a, &problem, &cost)) {
      printf("%s,%s,\"%s\",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%.3f\n",
             tny_collective_name((*a)->collective), (*a)->name, clusters[kind].text, p, cost.steps,
             cost.bytes, cost.ms);
      good = good && (limit_ms <= 0 || cost.ms <= limit_ms);
    } else {
      good = false;
    }
  }
  return good;
}

int main(int argc, char **argv)
{
  const uint32_t most = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 65536;
  const double limit_ms = argc > 3 ? strtod(argv[2], NULL) : 0;
  const uint32_t limit_at = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
  bool good = true;
  puts("collective,algorithm,cluster,ranks,steps,bytes,ms");
  for (uint32_t p = RANKS_FIRST; p <= most; p *= RANKS_GROWTH) {
    struct measured_cluster clusters[KINDS] = {0};
    bool open = true;
    for (int kind = 0; open && kind < KINDS; kind++)
      open = open_cluster(&clusters[kind], kind, p);
    good = open && measure_all(clusters, p, p == limit_at ? limit_ms : 0) && good;
    for (int kind = 0; kind < KINDS; kind++)
      bench_mapping_close(&clusters[kind].mapping);
  }
  return good ? 0 : 1;
}
