/* The tables of docs/planner.md: how near the general phase planner comes to the bound, and how
   long it takes. Each plan is proved: data, progress, and one message on a link in a phase. The
   bound is counted here, from the routes alone. It prints Markdown; the times are this machine's.
   It exits with 1 where a plan is wrong or a target is missed.
   usage: planner_table [EVERY]
   (1: all clusters; 10: each tenth of a family, for a quick look) */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tourney/verify.h>

#include "core/random.h"
#include "planner/phases/planner.h"

#include "bench/mapping.h"

/* --- families of clusters --- */

enum { NAME_SIZE = 64 };

/* Writes the name of the cluster with that number; false where there is none. */
typedef bool naming(uint32_t number, char *name);

/* The family of `tourney verify --all`: 2 to 10 switches with 7 to 7 + span - 1 hosts each. */
static bool name_irregular(uint32_t number, uint32_t span, char *name)
{
  const uint32_t k = number + 1, switches = 2 + k % 9, hosts = switches * (7 + k / 9 % span);
  snprintf(name, NAME_SIZE, "irregular:%" PRIu32 ",switches=%" PRIu32 ",seed=%" PRIu32, hosts,
           switches, k);
  return number < 1000;
}

static bool name_thin(uint32_t number, char *name)
{
  return name_irregular(number, 7, name);
}

static bool name_thick(uint32_t number, char *name)
{
  return name_irregular(number, 15, name);
}

/* These squares have an exact construction of their own, the algorithm `phases`. */
static bool is_square_of_fours(uint32_t a, uint32_t b)
{
  return a == b && a >= 8 && a % 4 == 0;
}

/* All pairs of sides from `least` to 16, both ways around. */
static bool name_pair(const char *kind, uint32_t least, uint32_t number, char *name)
{
  const uint32_t sides = 16 - least + 1, a = least + number / sides, b = least + number % sides;
  if (number >= sides * sides)
    return false;
  name[0] = '\0';
  if (kind[0] == 'm' || !is_square_of_fours(a, b))
    snprintf(name, NAME_SIZE, "%s:%" PRIu32 "x%" PRIu32, kind, a, b);
  return true;
}

static bool name_torus(uint32_t number, char *name)
{
  return name_pair("torus", 3, number, name);
}

static bool name_mesh(uint32_t number, char *name)
{
  return name_pair("mesh", 2, number, name);
}

/* All triples of sides from `least` to 8, ascending. */
static bool name_triple(const char *kind, uint32_t least, uint32_t number, char *name)
{
  const uint32_t sides = 8 - least + 1, a = number / sides / sides, b = number / sides % sides;
  const uint32_t c = number % sides;
  name[0] = '\0';
  if (a <= b && b <= c)
    snprintf(name, NAME_SIZE, "%s:%" PRIu32 "x%" PRIu32 "x%" PRIu32, kind, least + a, least + b,
             least + c);
  return number < sides * sides * sides;
}

static bool name_torus_3d(uint32_t number, char *name)
{
  return name_triple("torus", 3, number, name);
}

static bool name_mesh_3d(uint32_t number, char *name)
{
  return name_triple("mesh", 2, number, name);
}

static bool name_ring(uint32_t number, char *name)
{
  snprintf(name, NAME_SIZE, "ring:%" PRIu32, number + 4);
  return number <= 60;
}

static bool name_line(uint32_t number, char *name)
{
  snprintf(name, NAME_SIZE, "mesh:%" PRIu32, number + 2);
  return number <= 62;
}

static bool name_fat_tree(uint32_t number, char *name)
{
  snprintf(name, NAME_SIZE, "fattree:%" PRIu32, 4 + 2 * number);
  return number <= 3;
}

struct family {
  const char *title;
  naming *name;
  double median_percent, worst_percent; /* the targets */
};

static const struct family families[] = {
    {"irregular, 7 to 13 hosts a switch", name_thin, 5, 12},
    {"irregular, 7 to 21 hosts a switch", name_thick, 5, 12},
    {"tori, sides 3 to 16", name_torus, 8, 8},
    {"meshes, sides 2 to 16", name_mesh, 8, 8},
    {"3-D tori, sides 3 to 8", name_torus_3d, 8, 8},
    {"3-D meshes, sides 2 to 8", name_mesh_3d, 8, 8},
    {"rings of 4 to 64", name_ring, 8, 8},
    {"lines of 2 to 64", name_line, 8, 8},
    {"fat trees 4 to 10", name_fat_tree, 8, 8},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* --- a plan --- */

static bool open_alltoall(struct bench_mapping *mapping, const char *generator,
                          struct tny_error *error)
{
  const bool good = bench_mapping_open(mapping, generator, 1, error) == TNY_OK;
  mapping->problem.collective = TNY_ALLTOALL;
  return good;
}

struct result {
  uint32_t phases, bound;
  uint64_t messages;
  double ms, gap_percent;
  double over_shape,
      over_link; /* of uneven patterns: percent beyond what phases, or a link, take at least */
};

/* Returns the most messages on a link. */
static uint32_t count_bound(const struct bench_mapping *mapping)
{
  const struct tny_cluster *cluster = mapping->cluster;
  const struct tny_pattern *pattern = mapping->problem.pattern;
  const uint32_t p = mapping->problem.rank_count;
  uint32_t most = 0, *load = calloc(cluster->link_count, sizeof *load);
  for (uint32_t from = 0; load && from < p; from++)
    for (uint32_t to = 0; to < p; to++) {
      if (from == to || (pattern && pattern->bytes[(size_t)from * p + to] == 0))
        continue;
      uint32_t link;
      for (uint32_t node = mapping->hosts[from];
           (link = tny_routes_next(mapping->routes, node, mapping->hosts[to])) != TNY_NONE;
           node = cluster->links[link].to)
        if (++load[link] > most)
          most = load[link];
    }
  free(load);
  return most;
}

static bool prove(const struct bench_mapping *mapping, const struct tny_algorithm *algorithm,
                  const struct tny_problem *prepared, struct result *result,
                  struct tny_error *error)
{
  struct tny_schedule *schedule = NULL;
  struct tny_report report = {0};
  const struct tny_pace whole = {.chunk_count = 1};
  const bool good = !tny_plan_all(algorithm, prepared, whole, &schedule, error) &&
                    !tny_verify_schedule(schedule, &report, error) &&
                    !tny_verify_links(schedule, &mapping->network, 1, &report, error);
  result->messages = report.messages;
  result->phases = report.phases;
  tny_schedule_free(schedule);
  return good;
}

static bool measure(const struct bench_mapping *mapping, struct result *result,
                    struct tny_error *error)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLTOALL, "planned-phases");
  struct tny_problem prepared;
  const double start = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
  bool good = !tny_problem_prepare(algorithm, &mapping->problem, &prepared, error);
  result->ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
  if (good) {
    const struct tny_phase_plan *plan = prepared.prepared;
    result->over_shape = 100 * ((double)plan->bytes / (double)plan->bytes_least - 1);
    result->over_link = 100 * ((double)plan->bytes / (double)plan->bytes_on_link - 1);
    good = prove(mapping, algorithm, &prepared, result, error);
  }
  tny_problem_release(algorithm, &prepared);
  result->bound = count_bound(mapping);
  result->gap_percent = 100 * ((double)result->phases / result->bound - 1);
  return good;
}

static bool measure_on(const char *name, struct result *result)
{
  struct bench_mapping mapping;
  struct tny_error error = {0};
  const bool good = open_alltoall(&mapping, name, &error) && measure(&mapping, result, &error);
  if (!good)
    fprintf(stderr, "%s: %s\n", name, error.text);
  bench_mapping_close(&mapping);
  return good;
}

/* --- tables --- */

static int compare(const void *a, const void *b)
{
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static double middle(double *values, uint32_t count)
{
  qsort(values, count, sizeof *values, compare);
  return count ? values[count / 2] : 0;
}

/* Where there are few phases, a single one more may be beyond the target. */
static bool is_within(const struct result *result, double percent)
{
  return result->gap_percent < percent || result->phases <= result->bound + 1;
}

/* Prints a row of the first table; false where a plan is wrong or a target missed. */
static bool print_family(const struct family *family, uint32_t every)
{
  enum { MOST = 1024 };
  static double gaps[MOST], times[MOST];
  char name[NAME_SIZE], worst_name[NAME_SIZE] = "";
  uint32_t count = 0, exact = 0, most_phases = 0;
  double worst = -1;
  bool good = true;
  for (uint32_t number = 0; count < MOST && family->name(number, name); number += every) {
    struct result result = {0};
    if (!name[0])
      continue;
    if (!measure_on(name, &result))
      return false;
    good = good && is_within(&result, family->worst_percent);
    exact += result.phases == result.bound;
    most_phases = result.phases > most_phases ? result.phases : most_phases;
    if (result.gap_percent > worst) {
      worst = result.gap_percent;
      snprintf(worst_name, sizeof worst_name, "%s", name);
    }
    gaps[count] = result.gap_percent;
    times[count++] = result.ms;
  }
  const double median = middle(gaps, count), ms = middle(times, count);
  printf("| %s | %" PRIu32 " | %" PRIu32 " | %.2f %% | %.2f %% (%s) | %" PRIu32
         " | %.1f | %.0f |\n",
         family->title, count, exact, median, worst, worst_name, most_phases, ms,
         count ? times[count - 1] : 0);
  fflush(stdout);
  return good && median < family->median_percent;
}

static bool print_growth(void)
{
  static const char *const names[] = {"irregular:64,switches=5,seed=1",
                                      "irregular:256,switches=20,seed=1",
                                      "irregular:512,switches=40,seed=1",
                                      "irregular:1024,switches=78,seed=1",
                                      "irregular:1024,switches=60,seed=2",
                                      "torus:8x8",
                                      "torus:16x16",
                                      "torus:8x8x8",
                                      "torus:32x32",
                                      "mesh:8x8",
                                      "mesh:16x16",
                                      "mesh:8x8x8"};
  puts("\n| cluster | messages | phases | bound | gap | ms |\n|---|---|---|---|---|---|");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct result result = {0};
    if (!measure_on(names[i], &result))
      return false;
    printf("| %s | %" PRIu64 " | %" PRIu32 " | %" PRIu32 " | %.2f %% | %.1f |\n", names[i],
           result.messages, result.phases, result.bound, result.gap_percent, result.ms);
    fflush(stdout);
    if (result.ms > 30000)
      return false;
  }
  return true;
}

/* --- uneven patterns --- */

struct mix {
  const char *title;
  double density;
  bool is_even, is_exponential; /* where neither: uniform from 1 to 1000 */
};

static const struct mix mixes[] = {
    {"all, 1 to 1000 bytes", 1, false, false}, {"all, exponential", 1, false, true},
    {"30 %, even", 0.3, true, false},          {"30 %, 1 to 1000 bytes", 0.3, false, false},
    {"10 %, exponential", 0.1, false, true},
};
enum { MIXES = sizeof mixes / sizeof *mixes };

static void fill(struct tny_pattern *pattern, const struct mix *mix)
{
  uint64_t seed = 7;
  const size_t p = pattern->rank_count;
  for (size_t i = 0; i < p * p; i++) {
    const double chance = tny_random_share(&seed), length = tny_random_share(&seed);
    const double bytes = mix->is_even          ? 1000
                         : mix->is_exponential ? 1 - 500 * log(1 - length)
                                               : 1 + 1000 * length;
    pattern->bytes[i] = chance < mix->density ? (uint64_t)bytes : 0;
  }
}

static bool print_mix(const char *name, const struct mix *mix)
{
  struct bench_mapping mapping;
  struct tny_error error = {0};
  struct tny_pattern *pattern = NULL;
  struct result result = {0};
  bool good = open_alltoall(&mapping, name, &error) &&
              !tny_pattern_new(mapping.problem.rank_count, &pattern, &error);
  if (good) {
    fill(pattern, mix);
    mapping.problem.pattern = pattern;
    good = measure(&mapping, &result, &error);
  }
  if (good)
    printf("| %s | %s | %" PRIu32 " | %.1f %% | %.1f %% | %.1f %% | %.1f |\n", name, mix->title,
           result.phases, result.gap_percent, result.over_shape, result.over_link, result.ms);
  else
    fprintf(stderr, "%s: %s\n", name, error.text);
  tny_pattern_free(pattern);
  bench_mapping_close(&mapping);
  return good;
}

static bool print_patterns(void)
{
  static const char *const names[] = {"single:32",
                                      "irregular:64,switches=5,seed=1",
                                      "irregular:100,switches=10,seed=4",
                                      "switches:16+16",
                                      "mesh:8x8",
                                      "torus:8x8"};
  puts("\n| cluster | messages | phases | over the most on a link | time over the least of phases "
       "| over the bytes on a link | ms |\n|---|---|---|---|---|---|---|");
  bool good = true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int mix = 0; mix < MIXES; mix++)
      good = print_mix(names[i], &mixes[mix]) && good;
  return good;
}

int main(int argc, char **argv)
{
  const uint32_t every = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
  bool good = every > 0;
  puts("| family | clusters | at the bound | median gap | worst gap | phases, most | ms, median | "
       "ms, most |\n|---|---|---|---|---|---|---|---|");
  for (int i = 0; every > 0 && i < FAMILIES; i++)
    if (!print_family(&families[i], every)) {
      fprintf(stderr, "%s: a target is missed\n", families[i].title);
      good = false;
    }
  good = print_growth() && good;
  good = print_patterns() && good;
  return good ? 0 : 1;
}
