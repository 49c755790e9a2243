/* The uneven planner's tables of docs/planner.md: how much longer its plans take than the most
   loaded link or rank needs, how many pieces they have, and how long planning takes. Each plan is
   held to its definition here: each byte once, nothing shared in a phase. The bound is counted
   here, from the routes alone. It prints Markdown; the times are this machine's, of a thread's own
   processor time, the least of some runs. It exits with 1 where a plan is wrong or a target is
   missed.
   usage: uneven_table */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tourney/pattern.h>

#include "planner/uneven/planner.h"

#include "bench/mapping.h"

enum { MEAN = 16384, LONG = 8, RUNS = 15 };
#define TARGET_PERCENT 5.0
#define TARGET_MS 1.0 /* for 64 ranks */

/* --- blocks --- */

enum blocks { ONE_TO_EIGHT, ZIPF, LONG_ROW, LONG_COLUMN, SPARSE, BLOCKS };
static const char *const titles[] = {"1:8", "Zipf", "a row 8 times as long",
                                     "a column 8 times as long", "20 %, 1:8"};

static bool make_blocks(enum blocks blocks, uint32_t p, struct tny_pattern **pattern)
{
  const bool is_even = blocks == LONG_ROW || blocks == LONG_COLUMN;
  const struct tny_unevenness spread = {.by_zipf = blocks == ZIPF,
                                        .least_part = 1,
                                        .most_part = is_even ? 1 : 8,
                                        .seed = 1,
                                        .mean_bytes = MEAN};
  const struct tny_pattern_chance chance = {.density = 0.2, .seed = 3};
  struct tny_pattern *holes;
  if (tny_pattern_uneven(p, TNY_ALLTOALL, &spread, pattern, NULL) != TNY_OK ||
      tny_pattern_random(p, chance, 1, &holes, NULL) != TNY_OK)
    return false;
  for (uint32_t from = 0; from < p; from++)
    for (uint32_t to = 0; to < p; to++) {
      uint64_t *bytes = &(*pattern)->bytes[(size_t)from * p + to];
      const bool is_long = is_even && (blocks == LONG_ROW ? from : to) == p / 2;
      *bytes *= is_long ? LONG : 1;
      *bytes *= blocks == SPARSE ? holes->bytes[(size_t)from * p + to] : 1;
    }
  tny_pattern_free(holes);
  return true;
}

/* --- a plan --- */

/* Whom a phase or a count is about: links, ranks' sending, ranks' receiving. */
struct check {
  const struct bench_mapping *mapping;
  uint64_t *load;     /* by resource: bytes */
  uint32_t *last_use; /* by resource: 1 + the phase */
  uint64_t *sent;     /* by pair of ranks */
};

/* Adds bytes to all that a message needs; 1 + the phase where it is used. Returns false where one
   is in use in that phase. */
static bool use(const struct check *check, uint32_t from, uint32_t to, uint64_t bytes,
                uint32_t phase)
{
  const struct tny_cluster *cluster = check->mapping->cluster;
  const uint32_t p = check->mapping->problem.rank_count, ends[] = {from, p + to};
  bool good = true;
  uint32_t node = check->mapping->hosts[from];
  for (uint32_t i = 0, resource; i < 2 || node != check->mapping->hosts[to]; i++) {
    if (i < 2) {
      resource = cluster->link_count + ends[i];
    } else {
      resource = tny_routes_next(check->mapping->routes, node, check->mapping->hosts[to]);
      node = cluster->links[resource].to;
    }
    check->load[resource] += bytes;
    good = good && (phase == 0 || check->last_use[resource] < phase);
    check->last_use[resource] = phase;
  }
  return good;
}

static bool is_right(const struct check *check, const struct tny_uneven_plan *plan)
{
  const uint32_t p = plan->rank_count;
  const struct tny_pattern *pattern = check->mapping->problem.pattern;
  uint64_t sum = 0;
  bool good = true;
  for (uint32_t phase = 0; phase < plan->phase_count; phase++) {
    uint64_t longest = 0;
    for (uint32_t i = plan->first_piece[phase]; i < plan->first_piece[phase + 1]; i++) {
      const struct tny_uneven_piece *piece = &plan->pieces[i];
      uint64_t *sent = &check->sent[(size_t)piece->from * p + piece->to];
      good = good && piece->offset == *sent;
      *sent += piece->bytes;
      good = use(check, piece->from, piece->to, piece->bytes, phase + 1) && good;
      longest = piece->bytes > longest ? piece->bytes : longest;
    }
    sum += longest;
  }
  for (size_t i = 0; i < (size_t)p * p; i++)
    good = good && check->sent[i] == (i % (p + 1) ? pattern->bytes[i] : 0);
  return good && sum == plan->bytes;
}

struct result {
  uint32_t phases, pieces, messages;
  double gap_percent, ms;
  bool is_right;
};

/* The loads of the pieces are those of the messages, where all pieces make up all messages. */
static void hold(const struct bench_mapping *mapping, const struct tny_uneven_plan *plan,
                 struct result *result)
{
  const uint32_t p = plan->rank_count, resources = mapping->cluster->link_count + 2 * p;
  struct check check = {.mapping = mapping,
                        .load = calloc(resources, sizeof *check.load),
                        .last_use = calloc(resources, sizeof *check.last_use),
                        .sent = calloc((size_t)p * p, sizeof *check.sent)};
  uint64_t most = 0;
  if (check.load && check.last_use && check.sent)
    result->is_right = is_right(&check, plan);
  for (uint32_t i = 0; check.load && i < resources; i++)
    most = check.load[i] > most ? check.load[i] : most;
  for (size_t i = 0; check.sent && i < (size_t)p * p; i++)
    result->messages += check.sent[i] > 0;
  result->phases = plan->phase_count;
  result->pieces = plan->first_piece[plan->phase_count];
  result->gap_percent = most ? 100 * ((double)plan->bytes / (double)most - 1) : 0;
  free(check.load);
  free(check.last_use);
  free(check.sent);
}

/* Plans so many times, and proves the first plan. */
static bool measure(const char *cluster, uint32_t ranks_a_host, enum blocks blocks, int runs,
                    struct result *result)
{
  struct bench_mapping mapping;
  struct tny_error error = {0};
  struct tny_pattern *pattern = NULL;
  bool good = !bench_mapping_open(&mapping, cluster, ranks_a_host, &error) &&
              make_blocks(blocks, mapping.problem.rank_count, &pattern);
  mapping.problem.collective = TNY_ALLTOALL;
  mapping.problem.pattern = pattern;
  *result = (struct result){0};
  for (int run = 0; good && run < runs; run++) {
    struct tny_uneven_plan *plan;
    const double start = clock_ms(CLOCK_THREAD_CPUTIME_ID);
    good = !tny_uneven_plan_make(&mapping.problem, &plan, &error);
    const double ms = clock_ms(CLOCK_THREAD_CPUTIME_ID) - start;
    result->ms = run == 0 || ms < result->ms ? ms : result->ms;
    if (good && run == 0)
      hold(&mapping, plan, result);
    tny_uneven_plan_free(plan);
  }
  if (!good || !result->is_right)
    fprintf(stderr, "%s: %s\n", cluster, good ? "the plan is wrong" : error.text);
  tny_pattern_free(pattern);
  bench_mapping_close(&mapping);
  return good && result->is_right;
}

/* --- the tables --- */

/* Where nearly all links of a grid are full, plans are further from the bound: no target. */
struct row {
  const char *cluster;
  uint32_t ranks_a_host;
  int runs;
  bool has_target;
};

static const struct row rows[] = {{"single:16", 1, RUNS, true},
                                  {"single:64", 1, RUNS, true},
                                  {"single:16", 4, RUNS, true},
                                  {"switches:8+8", 1, RUNS, true},
                                  {"switches:32+32", 1, RUNS, true},
                                  {"irregular:64,switches=5,seed=1", 1, RUNS, true},
                                  {"irregular:64,switches=8,seed=2", 1, RUNS, true},
                                  {"fattree:6", 1, RUNS, true},
                                  {"mesh:8x8", 1, RUNS, false},
                                  {"torus:8x8", 1, RUNS, false},
                                  {"irregular:256,switches=20,seed=1", 1, 1, true},
                                  {"single:256", 1, 1, true}};

static bool print_row(const struct row *row, enum blocks blocks)
{
  struct result result;
  if (!measure(row->cluster, row->ranks_a_host, blocks, row->runs, &result))
    return false;
  char ranks[32] = "";
  if (row->ranks_a_host > 1)
    snprintf(ranks, sizeof ranks, ", %" PRIu32 " ranks a host", row->ranks_a_host);
  printf("| %s%s | %s | %" PRIu32 " | %" PRIu32 " | %" PRIu32 " | %.2f %% | %.2f |\n", row->cluster,
         ranks, titles[blocks], result.messages, result.pieces, result.phases, result.gap_percent,
         result.ms);
  fflush(stdout);
  const bool is_slow = row->has_target && result.messages <= 64 * 63 && result.ms >= TARGET_MS;
  return !is_slow && (!row->has_target || result.gap_percent < TARGET_PERCENT);
}

enum { CLUSTERS = 200 };

/* Clusters of the family of `tourney verify --all`. */
static bool print_family(enum blocks blocks)
{
  uint32_t near = 0;
  double worst = 0, sum = 0;
  for (uint32_t k = 1; k <= CLUSTERS; k++) {
    char name[64];
    struct result result;
    const uint32_t switches = 2 + k % 9, hosts = switches * (7 + k / 9 % 7);
    snprintf(name, sizeof name, "irregular:%" PRIu32 ",switches=%" PRIu32 ",seed=%" PRIu32, hosts,
             switches, k);
    if (!measure(name, 1, blocks, 1, &result))
      return false;
    near += result.gap_percent < 1;
    worst = result.gap_percent > worst ? result.gap_percent : worst;
    sum += result.gap_percent;
  }
  printf("| %d irregular, 7 to 13 hosts a switch | %s | %" PRIu32 " | %.2f %% | %.2f %% |\n",
         CLUSTERS, titles[blocks], near, sum / CLUSTERS, worst);
  fflush(stdout);
  return worst < TARGET_PERCENT;
}

int main(void)
{
  bool good = true;
  puts("| cluster | blocks | messages | pieces | phases | gap | ms "
       "|\n|---|---|---|---|---|---|---|");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (enum blocks blocks = 0; blocks < BLOCKS; blocks++)
      if (!print_row(&rows[i], blocks)) {
        fprintf(stderr, "%s, %s: a target is missed\n", rows[i].cluster, titles[blocks]);
        good = false;
      }
  puts("\n| clusters | blocks | within 1 % | mean gap | worst gap |\n|---|---|---|---|---|");
  for (enum blocks blocks = 0; blocks < BLOCKS; blocks++)
    good = print_family(blocks) && good;
  return good ? 0 : 1;
}
