/* The barriers: who tells whom in which round; what crosses trunks and wide links, and how long
   that takes; and that no barrier has fewer rounds than the bound, by a search of all. That each
   lets no rank go early, test_algorithms.c and test_synchronization.c show. */
#include "memory_support.h"
#include "support/setting.h"

#include <tourney/verify.h>

static struct tny_schedule *plan(const char *name, const struct tny_problem *problem)
{
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  struct tny_problem of = *problem;
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_BARRIER, name);
  assert_non_null(algorithm);
  of.collective = TNY_BARRIER;
  if (tny_plan_all(algorithm, &of, (struct tny_pace){.chunk_count = 1}, &schedule, &error) !=
          TNY_OK ||
      tny_verify_schedule(schedule, NULL, &error) != TNY_OK)
    fail_msg("%s, %u ranks: %s", name, problem->rank_count, error.text);
  return schedule;
}

static struct tny_schedule *plan_for(const char *name, uint32_t rank_count, uint32_t parameter)
{
  return plan(name, &(struct tny_problem){.rank_count = rank_count, .parameter = parameter});
}

static uint32_t messages_of(const struct tny_schedule *schedule)
{
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      count += schedule->ranks[rank].steps[i].kind == TNY_SEND;
  return count;
}

/* How often a multiple of n + 1 has to be taken until there are p. */
static uint32_t rounds_for(uint32_t p, uint32_t ways)
{
  uint32_t rounds = 0;
  for (uint64_t known = 1; known < p; known *= ways + 1)
    rounds++;
  return rounds;
}

/* --- times --- */

/* When each step is complete, where a message takes as long as `way` says and nothing else does, by
   relaxation: all steps again and again until no time changes. */
struct times {
  const struct tny_schedule *schedule;
  const struct tny_network *network; /* NULL: a message takes 1 */
  uint64_t *end[SETTING_RANKS_MAX];
};

static uint64_t way_ns(const struct times *times, uint32_t from, uint32_t to)
{
  uint64_t ns = 0;
  if (!times->network)
    return 1;
  const struct tny_routes *routes = times->network->routes;
  const uint32_t target = times->network->host_of_rank[to];
  for (uint32_t node = times->network->host_of_rank[from], link;
       (link = tny_routes_next(routes, node, target)) != TNY_NONE;
       node = routes->cluster->links[link].to)
    ns += routes->cluster->links[link].latency_ns;
  return ns;
}

/* The number-th send of one rank to another. */
static uint32_t find_send(const struct tny_steps *steps, uint32_t to, uint32_t number)
{
  uint32_t i = 0;
  while (steps->steps[i].kind != TNY_SEND || steps->steps[i].peer != to || number-- > 0)
    i++;
  return i;
}

static uint64_t end_of(const struct times *times, uint32_t rank, uint32_t index)
{
  const struct tny_steps *steps = &times->schedule->ranks[rank];
  const struct tny_step *step = &steps->steps[index];
  uint64_t end = 0;
  for (uint32_t k = 0; k < step->after_count; k++)
    if (times->end[rank][steps->after[step->after_first + k]] > end)
      end = times->end[rank][steps->after[step->after_first + k]];
  if (step->kind != TNY_RECV)
    return end;
  uint32_t number = 0;
  for (uint32_t i = 0; i < index; i++)
    number += steps->steps[i].kind == TNY_RECV && steps->steps[i].peer == step->peer;
  const uint32_t sent = find_send(&times->schedule->ranks[step->peer], rank, number);
  const uint64_t come = times->end[step->peer][sent] + way_ns(times, step->peer, rank);
  return come > end ? come : end;
}

/* When the last rank ends. */
static uint64_t time_of(const struct tny_schedule *schedule, const struct tny_network *network)
{
  struct times times = {.schedule = schedule, .network = network};
  uint64_t last = 0;
  bool has_changed = true;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    times.end[rank] = tny_new(schedule->ranks[rank].count, sizeof *times.end[rank]);
    assert_non_null(times.end[rank]);
  }
  while (has_changed) {
    has_changed = false;
    for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
      for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
        const uint64_t end = end_of(&times, rank, i);
        has_changed |= end != times.end[rank][i];
        times.end[rank][i] = end;
        last = end > last ? end : last;
      }
  }
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    tny_free(times.end[rank]);
  return last;
}

/* --- dissemination and the tournament --- */

static void in_round_k_of_dissemination_each_rank_tells_the_one_2k_after_it(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= 70; p++) {
    struct tny_schedule *schedule = plan_for("dissemination", p, 0);
    assert_int_equal(messages_of(schedule), p * rounds_for(p, 1));
    assert_int_equal(time_of(schedule, NULL), rounds_for(p, 1));
    for (uint32_t rank = 0; rank < p; rank++)
      for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
        const struct tny_step *step = &schedule->ranks[rank].steps[i];
        const uint32_t from = step->kind == TNY_SEND ? rank : step->peer;
        const uint32_t to = step->kind == TNY_SEND ? step->peer : rank;
        assert_int_equal((to + p - from) % p, UINT32_C(1) << step->phase);
      }
    tny_schedule_free(schedule);
  }
}

/* As a multiple of n + 1 each time; in the last round no rank sends more than is needed. */
static void n_ways_take_as_many_latencies_as_p_has_digits_to_the_base_n_plus_1(void **state)
{
  (void)state;
  for (uint32_t ways = 1; ways <= 6; ways++)
    for (uint32_t p = 1; p <= 70; p++) {
      struct tny_schedule *schedule = plan_for("n-way-dissemination", p, ways);
      const uint32_t rounds = rounds_for(p, ways);
      assert_int_equal(time_of(schedule, NULL), rounds);
      assert_true(messages_of(schedule) <= p * rounds * ways);
      if (ways == 1)
        assert_int_equal(messages_of(schedule), p * rounds);
      if (rounds == 1)
        assert_int_equal(messages_of(schedule), p * (p - 1));
      tny_schedule_free(schedule);
    }
}

static void a_tournament_has_a_message_each_way_for_each_rank_but_the_champion(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= 70; p++) {
    struct tny_schedule *schedule = plan_for("tournament", p, 0);
    assert_int_equal(messages_of(schedule), 2 * (p - 1));
    if ((p & (p - 1)) == 0) /* else some have no opponent in a round, and nothing to wait for */
      assert_int_equal(time_of(schedule, NULL), 2 * rounds_for(p, 1));
    for (uint32_t rank = 1; rank < p; rank++) {
      const struct tny_steps *steps = &schedule->ranks[rank];
      uint32_t to_winner = 0;
      for (uint32_t i = 0; i < steps->count; i++)
        to_winner +=
            steps->steps[i].kind == TNY_SEND && steps->steps[i].peer == (rank & (rank - 1));
      assert_int_equal(to_winner, 1);
    }
    tny_schedule_free(schedule);
  }
}

/* --- hierarchical --- */

/* Messages over each link. */
static void count_on_links(const struct tny_schedule *schedule, const struct setting *setting,
                           uint32_t *messages)
{
  const struct tny_cluster *cluster = setting->cluster;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND)
        continue;
      for (uint32_t node = setting->hosts[rank], link;
           (link = tny_routes_next(setting->routes, node, setting->hosts[step->peer])) != TNY_NONE;
           node = cluster->links[link].to)
        messages[link]++;
    }
}

/* On trees, every switch of which has ranks, and which are one zone or two. */
static void hierarchical_crosses_each_trunk_once_each_way(void **state)
{
  (void)state;
  static const char *const clusters[] = {"single:9", "switches:8+8", "switches:3+1+4+1+5",
                                         "zones:8+5,delay=10ms", "switches:2+2+2+2+2+2+2+2"};
  for (size_t c = 0; c < sizeof clusters / sizeof *clusters; c++)
    for (uint32_t ranks_a_host = 1; ranks_a_host <= 3; ranks_a_host++)
      for (enum tny_map map = TNY_MAP_BLOCK; map <= TNY_MAP_INTERLEAVED; map++) {
        struct tny_cluster *cluster = open_cluster(clusters[c]);
        struct setting setting;
        set_up_on(&setting, cluster, map, ranks_a_host * cluster->host_count);
        assert_true(tny_cluster_is_tree(cluster));
        struct tny_schedule *schedule = plan("hierarchical", &setting.problem);
        uint32_t *messages = tny_new(cluster->link_count, sizeof *messages);
        count_on_links(schedule, &setting, messages);
        for (uint32_t link = 0; link < cluster->link_count; link++)
          if (cluster->links[link].from >= cluster->host_count &&
              cluster->links[link].to >= cluster->host_count)
            assert_int_equal(messages[link], 1);
        tny_free(messages);
        tny_schedule_free(schedule);
        tear_down(&setting);
      }
}

/* Of 10 ms between zones, dissemination and the tournament wait for several, and hierarchical for
   one: the bound, but for what is within the zones. */
static void hierarchical_waits_for_one_wide_way(void **state)
{
  (void)state;
  static const char *const clusters[] = {"zones:8+8,delay=10ms", "zones:4+4+4,delay=10ms",
                                         "zones:5+3+7+2+1,delay=10ms"};
  for (size_t c = 0; c < sizeof clusters / sizeof *clusters; c++) {
    struct setting setting;
    struct tny_bound bound;
    set_up(&setting, clusters[c], TNY_MAP_BLOCK, 0);
    struct tny_schedule *hierarchical = plan("hierarchical", &setting.problem);
    struct tny_schedule *dissemination = plan("dissemination", &setting.problem);
    struct tny_schedule *tournament = plan("tournament", &setting.problem);
    assert_int_equal(tny_bound_compute(setting.routes, setting.hosts, setting.problem.rank_count,
                                       TNY_BARRIER, 0, 0, &bound, NULL),
                     TNY_OK);
    const double ns = (double)time_of(hierarchical, &setting.network);
    assert_true(ns >= 1e9 * bound.seconds && ns < 1.1 * 1e9 * bound.seconds);
    assert_true(time_of(dissemination, &setting.network) > 20000000);
    assert_true(time_of(tournament, &setting.network) > 20000000);
    tny_schedule_free(hierarchical);
    tny_schedule_free(dissemination);
    tny_schedule_free(tournament);
    tear_down(&setting);
  }
}

/* Ranks on some hosts only, switches without ranks, networks with cycles, and no network at all. */
static void every_barrier_is_right_wherever_ranks_sit(void **state)
{
  (void)state;
  static const char *const clusters[] = {"single:2",
                                         "fattree:4",
                                         "torus:3x3",
                                         "ring:7",
                                         "mesh:2x2x3",
                                         "irregular:24,switches=2,seed=3",
                                         "dragonfly:3x2x2",
                                         "hammingmesh:2x2,boards=2x2",
                                         "zones:3+3+2,delay=1ms"};
  for (uint32_t a = 0; tny_algorithms[a]; a++) {
    if (tny_algorithms[a]->collective != TNY_BARRIER)
      continue;
    for (uint32_t p = 1; p <= 20; p++)
      tny_schedule_free(plan_for(tny_algorithms[a]->name, p, 0));
    for (size_t c = 0; c < sizeof clusters / sizeof *clusters; c++) {
      struct tny_cluster *cluster = open_cluster(clusters[c]);
      const uint32_t hosts = cluster->host_count;
      tny_cluster_free(cluster);
      for (uint32_t p = 1; p <= hosts + 3; p++) {
        struct setting setting;
        set_up(&setting, clusters[c], p % 2 ? TNY_MAP_BLOCK : TNY_MAP_INTERLEAVED, p);
        for (uint32_t rank = 0; p <= hosts && rank < p; rank++)
          setting.hosts[rank] = (5 * rank + p) % hosts; /* some hosts twice, in no order */
        tny_placement_free(setting.placement);
        assert_int_equal(
            tny_placement_make(setting.cluster, setting.hosts, p, &setting.placement, NULL),
            TNY_OK);
        setting.problem.placement = setting.placement;
        tny_schedule_free(plan(tny_algorithms[a]->name, &setting.problem));
        tear_down(&setting);
      }
    }
  }
}

static void without_memory_nothing_is_planned(void **state)
{
  (void)state;
  static const char *const names[] = {"dissemination", "tournament", "hierarchical"};
  for (int i = 0; i < 3; i++) {
    struct setting setting;
    set_up(&setting, "zones:3+2+2", TNY_MAP_BLOCK, 14);
    struct planning planning = {.algorithm = tny_algorithm_find(TNY_BARRIER, names[i]),
                                .problem = setting.problem,
                                .pace = {.chunk_count = 1},
                                .rank = 3};
    planning.problem.collective = TNY_BARRIER;
    assert_true(starve_planning(&planning) > 5);
    tear_down(&setting);
  }
}

/* --- the least rounds: dissemination has them --- */

enum { SEARCHED_RANKS_MAX = 5 };

/* Who knows of whom: bit p * a + b where b's begin comes before what a does now. */
struct search {
  uint32_t p;
  bool is_found;
};

/* A round under way: what was known before it, what is known behind the messages of the ranks that
   were looked at so far, and who has heard from one; and how many rounds are left behind it. */
struct round {
  uint32_t known, next, told, left;
};

static void go_on(struct search *search, uint32_t known, uint32_t rounds);

/* Each rank tells at most one other, and hears from at most one. */
static void tell(struct search *search, struct round round, uint32_t rank)
{
  const uint32_t p = search->p, row = (UINT32_C(1) << p) - 1;
  if (search->is_found)
    return;
  if (rank == p) {
    go_on(search, round.next, round.left);
    return;
  }
  tell(search, round, rank + 1);
  for (uint32_t to = 0; to < p; to++) {
    if (to == rank || (round.told >> to & 1))
      continue;
    struct round with = round;
    with.next |= (round.known >> p * rank & row) << p * to;
    with.told |= UINT32_C(1) << to;
    tell(search, with, rank + 1);
  }
}

static void go_on(struct search *search, uint32_t known, uint32_t rounds)
{
  const uint32_t all = (UINT32_C(1) << search->p * search->p) - 1;
  search->is_found |= known == all;
  if (rounds > 0 && !search->is_found)
    tell(search, (struct round){known, known, 0, rounds - 1}, 0);
}

static bool is_there_one_of(uint32_t p, uint32_t rounds)
{
  struct search search = {.p = p};
  uint32_t known = 0;
  for (uint32_t rank = 0; rank < p; rank++)
    known |= UINT32_C(1) << (p * rank + rank);
  go_on(&search, known, rounds);
  return search.is_found;
}

static void no_barrier_has_fewer_rounds_than_the_bound(void **state)
{
  (void)state;
  for (uint32_t p = 2; p <= SEARCHED_RANKS_MAX; p++) {
    struct tny_schedule *schedule = plan_for("dissemination", p, 0);
    const uint32_t least = rounds_for(p, 1);
    assert_false(is_there_one_of(p, least - 1));
    assert_int_equal(time_of(schedule, NULL), least);
    tny_schedule_free(schedule);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_round_k_of_dissemination_each_rank_tells_the_one_2k_after_it),
      cmocka_unit_test(n_ways_take_as_many_latencies_as_p_has_digits_to_the_base_n_plus_1),
      cmocka_unit_test(a_tournament_has_a_message_each_way_for_each_rank_but_the_champion),
      cmocka_unit_test(hierarchical_crosses_each_trunk_once_each_way),
      cmocka_unit_test(hierarchical_waits_for_one_wide_way),
      cmocka_unit_test(every_barrier_is_right_wherever_ranks_sit),
      cmocka_unit_test(without_memory_nothing_is_planned),
      cmocka_unit_test(no_barrier_has_fewer_rounds_than_the_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
