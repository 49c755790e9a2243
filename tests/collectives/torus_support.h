/* What the tests of rings and tori share: an algorithm on a cluster, proved, and the messages on
   each of its trunks. Included once by each test program. */
#ifndef TOURNEY_TESTS_TORUS_SUPPORT_H
#define TOURNEY_TESTS_TORUS_SUPPORT_H

#include "support/setting.h"

#include <tourney/verify.h>

#include "cluster/links.h"

/* An algorithm on a setting, and its schedule there. */
struct trial {
  struct setting on;
  const struct tny_algorithm *algorithm;
  struct tny_schedule *schedule;
};

static const struct tny_pace whole = {.chunk_count = 1};

static inline void begin(struct trial *trial, const char *cluster, const char *algorithm,
                         uint32_t ranks_a_host)
{
  struct tny_cluster *opened = open_cluster(cluster);
  set_up_on(&trial->on, opened, TNY_MAP_BLOCK, opened->host_count * ranks_a_host);
  trial->on.problem.collective = TNY_ALLTOALL;
  trial->algorithm = tny_algorithm_find(TNY_ALLTOALL, algorithm);
  assert_non_null(trial->algorithm);
  trial->schedule = NULL;
}

static inline void plan(struct trial *trial, struct tny_pace pace)
{
  struct tny_error error = {0};
  tny_schedule_free(trial->schedule);
  if (tny_plan_all(trial->algorithm, &trial->on.problem, pace, &trial->schedule, &error) != TNY_OK)
    fail_msg("%s on %s: %s", trial->algorithm->name, trial->on.cluster->name, error.text);
}

static inline void end(struct trial *trial)
{
  tny_schedule_free(trial->schedule);
  tear_down(&trial->on);
}

static inline struct tny_claim claim_of(const struct trial *trial)
{
  const struct tny_problem settled = tny_plan_problem(trial->algorithm, &trial->on.problem, 1);
  return tny_algorithm_claim(trial->algorithm, &settled);
}

/* Data, progress and links; the claim of a whole schedule too. */
static inline struct tny_report prove(struct trial *trial, struct tny_pace pace, uint32_t limit)
{
  struct tny_report report = {0};
  struct tny_error error = {0};
  plan(trial, pace);
  const struct tny_claim claim = claim_of(trial);
  enum tny_status status = tny_verify_data(trial->schedule, &error);
  if (status == TNY_OK)
    status = tny_verify_progress(trial->schedule, &report, &error);
  if (status == TNY_OK && pace.chunk_count == 1 && pace.window == 0)
    status = tny_verify_claim(&report, &claim, &error);
  if (status == TNY_OK)
    status = tny_verify_links(trial->schedule, &trial->on.network, limit, &report, &error);
  if (status != TNY_OK)
    fail_msg("%s on %s, %u chunks, window %u: %s", trial->algorithm->name, trial->on.cluster->name,
             pace.chunk_count, pace.window, error.text);
  return report;
}

static inline uint32_t trunk_count(const struct tny_cluster *cluster)
{
  uint32_t count = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    count += tny_link_is_trunk(cluster, link);
  return count;
}

/* The fewest hops between two nodes of a shape that wraps. */
static inline uint32_t distance(const struct tny_shape *shape, uint32_t from, uint32_t to)
{
  uint32_t hops = 0;
  for (uint32_t d = 0; d < shape->dimension_count; d++) {
    const uint32_t n = shape->size[d], offset = (to % n + n - from % n) % n;
    hops += offset < n - offset ? offset : n - offset;
    from /= n;
    to /= n;
  }
  return hops;
}

/* By phase and trunk link, or trunk cable: the messages on it. Checks that routes are shortest. */
static inline uint32_t *count_uses(const struct trial *trial, uint32_t phases, bool by_cable)
{
  const struct tny_cluster *cluster = trial->on.cluster;
  const uint32_t tracks = cluster->link_count / (by_cable ? 2 : 1);
  uint32_t *uses = tny_new((size_t)phases * tracks, sizeof *uses);
  assert_non_null(uses);
  for (uint32_t rank = 0; rank < trial->on.problem.rank_count; rank++) {
    const struct tny_steps *steps = &trial->schedule->ranks[rank];
    for (uint32_t i = 0; i < steps->count; i++) {
      if (steps->steps[i].kind != TNY_SEND)
        continue;
      const uint32_t to = trial->on.hosts[steps->steps[i].peer];
      uint32_t node = trial->on.hosts[rank], hops = 0, link;
      for (; (link = tny_routes_next(trial->on.routes, node, to)) != TNY_NONE;
           node = cluster->links[link].to) {
        if (!tny_link_is_trunk(cluster, link))
          continue;
        uses[steps->steps[i].phase * (size_t)tracks + (by_cable ? link / 2 : link)]++;
        hops++;
      }
      assert_int_equal(hops, distance(&cluster->shape, trial->on.hosts[rank], to));
    }
  }
  return uses;
}

/* In each phase, on each trunk link or cable. */
static inline void expect_one_message(const struct trial *trial, uint32_t phases, bool by_cable)
{
  const uint32_t tracks = trial->on.cluster->link_count / (by_cable ? 2 : 1);
  uint32_t *uses = count_uses(trial, phases, by_cable);
  for (uint32_t phase = 0; phase < phases; phase++)
    for (uint32_t track = 0; track < tracks; track++)
      if (tny_link_is_trunk(trial->on.cluster, by_cable ? 2 * track : track) &&
          uses[(size_t)phase * tracks + track] != 1)
        fail_msg("%s on %s, phase %u: %u messages on %s %u", trial->algorithm->name,
                 trial->on.cluster->name, phase, uses[(size_t)phase * tracks + track],
                 by_cable ? "cable" : "link", track);
  tny_free(uses);
}

static inline const char *refusal(const char *cluster, const char *algorithm, uint32_t ranks_a_host)
{
  struct trial trial;
  begin(&trial, cluster, algorithm, ranks_a_host);
  const char *reason = trial.algorithm->refuse(&trial.on.problem);
  end(&trial);
  return reason;
}

#endif
