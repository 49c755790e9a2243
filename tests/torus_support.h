/* What the tests of rings and tori share: an algorithm on a cluster, proved, and the messages on
   each of its trunks. Included once by each test program. */
#ifndef TOURNEY_TESTS_TORUS_SUPPORT_H
#define TOURNEY_TESTS_TORUS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tourney/verify.h>

#include "core/alloc.h"

enum { TORUS_RANKS_MAX = 512 };

/* A cluster with its ranks, and an algorithm's schedule on it. */
struct setting {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  uint32_t hosts[TORUS_RANKS_MAX];
  struct tny_placement *placement;
  struct tny_network network;
  const struct tny_algorithm *algorithm;
  struct tny_problem problem;
  struct tny_schedule *schedule;
};

static const struct tny_pace whole = {.chunk_count = 1};

static inline void set_up(struct setting *setting, const char *cluster, const char *algorithm,
                          uint32_t ranks_a_host)
{
  assert_int_equal(tny_cluster_generate(cluster, &setting->cluster, NULL), TNY_OK);
  assert_int_equal(tny_routes_make(setting->cluster, &setting->routes, NULL), TNY_OK);
  const uint32_t p = setting->cluster->host_count * ranks_a_host;
  assert_true(p <= TORUS_RANKS_MAX);
  assert_int_equal(tny_map_ranks(setting->cluster, TNY_MAP_BLOCK, p, setting->hosts, NULL), TNY_OK);
  assert_int_equal(
      tny_placement_make(setting->cluster, setting->hosts, p, &setting->placement, NULL), TNY_OK);
  setting->network = (struct tny_network){setting->routes, setting->hosts};
  setting->algorithm = tny_algorithm_find(TNY_ALLTOALL, algorithm);
  assert_non_null(setting->algorithm);
  setting->problem = (struct tny_problem){
      .collective = TNY_ALLTOALL, .rank_count = p, .placement = setting->placement};
  setting->schedule = NULL;
}

static inline void plan(struct setting *setting, struct tny_pace pace)
{
  struct tny_error error = {0};
  tny_schedule_free(setting->schedule);
  if (tny_plan_all(setting->algorithm, &setting->problem, pace, &setting->schedule, &error) !=
      TNY_OK)
    fail_msg("%s on %s: %s", setting->algorithm->name, setting->cluster->name, error.text);
}

static inline void tear_down(struct setting *setting)
{
  tny_schedule_free(setting->schedule);
  tny_placement_free(setting->placement);
  tny_routes_free(setting->routes);
  tny_cluster_free(setting->cluster);
}

static inline struct tny_claim claim_of(const struct setting *setting)
{
  const struct tny_problem settled = tny_plan_problem(setting->algorithm, &setting->problem, 1);
  return setting->algorithm->claim(&settled);
}

/* Data, progress and links; the claim of a whole schedule too. */
static inline struct tny_report prove(struct setting *setting, struct tny_pace pace, uint32_t limit)
{
  struct tny_report report = {0};
  struct tny_error error = {0};
  plan(setting, pace);
  const struct tny_claim claim = claim_of(setting);
  enum tny_status status = tny_verify_data(setting->schedule, &error);
  if (status == TNY_OK)
    status = tny_verify_progress(setting->schedule, &report, &error);
  if (status == TNY_OK && pace.chunk_count == 1 && pace.window == 0)
    status = tny_verify_claim(&report, &claim, &error);
  if (status == TNY_OK)
    status = tny_verify_links(setting->schedule, &setting->network, limit, &report, &error);
  if (status != TNY_OK)
    fail_msg("%s on %s, %u chunks, window %u: %s", setting->algorithm->name, setting->cluster->name,
             pace.chunk_count, pace.window, error.text);
  return report;
}

static inline bool is_trunk(const struct tny_cluster *cluster, uint32_t link)
{
  return cluster->links[link].from >= cluster->host_count &&
         cluster->links[link].to >= cluster->host_count;
}

static inline uint32_t trunk_count(const struct tny_cluster *cluster)
{
  uint32_t count = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    count += is_trunk(cluster, link);
  return count;
}

/* The fewest hops between two nodes of a shape that wraps. */
static inline uint32_t distance(const struct tny_shape *shape, uint32_t from, uint32_t to)
{
  uint32_t hops = 0;
  for (uint32_t d = 0; d < shape->dimension_count; d++) {
    const uint32_t n = shape->size[d], ahead = (to % n + n - from % n) % n;
    hops += ahead < n - ahead ? ahead : n - ahead;
    from /= n;
    to /= n;
  }
  return hops;
}

/* By phase and trunk link, or trunk cable: the messages on it. Checks that routes are shortest. */
static inline uint32_t *count_uses(const struct setting *setting, uint32_t phases, bool by_cable)
{
  const struct tny_cluster *cluster = setting->cluster;
  const uint32_t columns = cluster->link_count / (by_cable ? 2 : 1);
  uint32_t *uses = tny_new((size_t)phases * columns, sizeof *uses);
  assert_non_null(uses);
  for (uint32_t rank = 0; rank < setting->problem.rank_count; rank++) {
    const struct tny_steps *steps = &setting->schedule->ranks[rank];
    for (uint32_t i = 0; i < steps->count; i++) {
      if (steps->steps[i].kind != TNY_SEND)
        continue;
      const uint32_t to = setting->hosts[steps->steps[i].peer];
      uint32_t node = setting->hosts[rank], hops = 0, link;
      for (; (link = tny_routes_next(setting->routes, node, to)) != TNY_NONE;
           node = cluster->links[link].to) {
        if (!is_trunk(cluster, link))
          continue;
        uses[steps->steps[i].phase * (size_t)columns + (by_cable ? link / 2 : link)]++;
        hops++;
      }
      assert_int_equal(hops, distance(&cluster->shape, setting->hosts[rank], to));
    }
  }
  return uses;
}

/* In each phase, on each trunk link or cable. */
static inline void expect_one_message(const struct setting *setting, uint32_t phases, bool by_cable)
{
  const uint32_t columns = setting->cluster->link_count / (by_cable ? 2 : 1);
  uint32_t *uses = count_uses(setting, phases, by_cable);
  for (uint32_t phase = 0; phase < phases; phase++)
    for (uint32_t column = 0; column < columns; column++)
      if (is_trunk(setting->cluster, by_cable ? 2 * column : column) &&
          uses[(size_t)phase * columns + column] != 1)
        fail_msg("%s on %s, phase %u: %u messages on %s %u", setting->algorithm->name,
                 setting->cluster->name, phase, uses[(size_t)phase * columns + column],
                 by_cable ? "cable" : "link", column);
  tny_free(uses);
}

static inline const char *refusal(const char *cluster, const char *algorithm, uint32_t ranks_a_host)
{
  struct setting setting;
  set_up(&setting, cluster, algorithm, ranks_a_host);
  const char *reason = setting.algorithm->refuse(&setting.problem);
  tear_down(&setting);
  return reason;
}

#endif
