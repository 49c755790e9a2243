/* What the tests of all-to-alls of uneven blocks in pieces share: patterns, the bound of one, a
   message's bytes. Times are counted from the schedule's messages, the pattern and the routes
   alone. */
#ifndef TOURNEY_TESTS_COLLECTIVES_UNEVEN_SUPPORT_H
#define TOURNEY_TESTS_COLLECTIVES_UNEVEN_SUPPORT_H

#include "support/memory.h"
#include "support/setting.h"

#include <math.h>

#include <tourney/verify.h>

enum { MEAN = 16384, PIECES = 16 };

static inline struct tny_pattern *drawn(uint32_t p, struct tny_unevenness spread)
{
  struct tny_pattern *pattern;
  spread.mean_bytes = MEAN;
  assert_int_equal(tny_pattern_uneven(p, TNY_ALLTOALL, &spread, &pattern, NULL), TNY_OK);
  return pattern;
}

/* Some ranks have nothing for others, and some have blocks for themselves. */
static inline struct tny_pattern *sparse(uint32_t p)
{
  struct tny_pattern *pattern = drawn(p, (struct tny_unevenness){.least_part = 1, .most_part = 8});
  for (size_t block = 0; block < (size_t)p * p; block++)
    if (block % 3 == 1)
      pattern->bytes[block] = 0;
  return pattern;
}

static inline struct tny_pattern *by_zipf(uint32_t p)
{
  return drawn(p, (struct tny_unevenness){.by_zipf = true, .seed = 1});
}

/* Every block of one byte, as edges of a graph are: proportions are all that counts. */
static inline struct tny_pattern *ones(uint32_t p)
{
  struct tny_pattern *pattern;
  assert_int_equal(tny_pattern_new(p, &pattern, NULL), TNY_OK);
  for (size_t block = 0; block < (size_t)p * p; block++)
    pattern->bytes[block] = block % (p + 1) != 0;
  return pattern;
}

/* A row and a column are ten times as long as all other blocks. */
static inline struct tny_pattern *crossed(uint32_t p)
{
  struct tny_pattern *pattern;
  assert_int_equal(tny_pattern_new(p, &pattern, NULL), TNY_OK);
  for (uint32_t from = 0; from < p; from++)
    for (uint32_t to = 0; to < p; to++)
      pattern->bytes[(size_t)from * p + to] = from == p / 2 || to == p - 1 ? 10 * MEAN : MEAN;
  return pattern;
}

/* The greatest of some numbers of bytes. */
static inline double most_of(const uint64_t *bytes, uint32_t count)
{
  uint64_t most = 0;
  for (uint32_t i = 0; i < count; i++)
    most = bytes[i] > most ? bytes[i] : most;
  return (double)most;
}

/* The bytes of the most loaded link, and of the busiest rank. */
struct bounds {
  double link, rank;
};

static inline struct bounds bounds_of(const struct setting *setting)
{
  const struct tny_cluster *cluster = setting->cluster;
  const struct tny_pattern *pattern = setting->problem.pattern;
  const uint32_t p = setting->problem.rank_count;
  uint64_t *link_load = tny_new(cluster->link_count, sizeof *link_load);
  uint64_t *rank_load = tny_new(2 * (size_t)p, sizeof *rank_load);
  assert_true(link_load && rank_load);
  for (uint32_t from = 0; from < p; from++)
    for (uint32_t to = 0; to < p; to++) {
      const uint64_t bytes = from == to ? 0 : pattern->bytes[(size_t)from * p + to];
      uint32_t link;
      rank_load[from] += bytes;
      rank_load[p + to] += bytes;
      for (uint32_t node = setting->hosts[from];
           (link = tny_routes_next(setting->routes, node, setting->hosts[to])) != TNY_NONE;
           node = cluster->links[link].to)
        link_load[link] += bytes;
    }
  const struct bounds bounds = {most_of(link_load, cluster->link_count), most_of(rank_load, 2 * p)};
  tny_free(link_load);
  tny_free(rank_load);
  return bounds;
}

static inline double longest_block(const struct tny_pattern *pattern)
{
  const size_t p = pattern->rank_count;
  uint64_t longest = 0;
  for (size_t block = 0; block < p * p; block++)
    if (block % (p + 1) != 0 && pattern->bytes[block] > longest)
      longest = pattern->bytes[block];
  return (double)longest;
}

/* A message's part of its block, in bytes. */
static inline double bytes_of(const struct setting *setting, uint32_t rank,
                              const struct tny_step *step)
{
  const struct tny_span *span = &step->span;
  const size_t block = (size_t)rank * setting->problem.rank_count + step->peer;
  assert_int_equal(span->first, step->peer);
  assert_int_equal(span->count, 1);
  return (double)setting->problem.pattern->bytes[block] * span->chunks / span->chunk_count;
}

/* A plan to be made with little memory. */
struct thirsty {
  const struct tny_algorithm *algorithm;
  const struct tny_problem *problem;
};

static inline enum tny_status plan_thirsty(const void *context, struct tny_error *error)
{
  const struct thirsty *thirsty = context;
  const struct tny_pace pace = {.chunk_count = 16, .limit_message_bytes = 4096};
  struct tny_schedule *schedule;
  const enum tny_status status =
      tny_plan_all(thirsty->algorithm, thirsty->problem, pace, &schedule, error);
  assert_true(status == TNY_OK ? schedule != NULL : schedule == NULL);
  tny_schedule_free(schedule);
  return status;
}

/* Plans for blocks by Zipf's law with too little memory (starve); returns how many allocations
   there are. rank_count 0: a rank a host. */
static inline uint64_t starve_plan(const struct tny_algorithm *algorithm, const char *cluster,
                                   uint32_t rank_count)
{
  struct setting setting;
  set_up(&setting, cluster, TNY_MAP_BLOCK, rank_count);
  setting.problem.collective = TNY_ALLTOALL;
  struct tny_pattern *pattern = by_zipf(setting.problem.rank_count);
  setting.problem.pattern = pattern;
  const uint64_t allocations = starve(plan_thirsty, &(struct thirsty){algorithm, &setting.problem});
  tny_pattern_free(pattern);
  tear_down(&setting);
  return allocations;
}

#endif
