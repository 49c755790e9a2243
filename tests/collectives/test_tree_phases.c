/* The all-to-all for trees: on many random ones, as many phases as the most loaded link carries
   messages, and never two of a phase on a link. */
#include "memory_support.h"
#include "support/cluster.h"

#include <tourney/verify.h>

enum { RANKS_MAX = 512, SWITCHES_MAX = 64, TREES = 10000, TAKEN_MAX = 1 << 20 };

static const struct tny_pace whole = {.chunk_count = 1, .window = 0};

/* A cluster with ranks on any of its hosts. */
struct stage {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  uint32_t hosts[RANKS_MAX]; /* by rank */
  struct tny_placement *placement;
  struct tny_network network;
  struct tny_problem problem;
};

/* Takes the cluster over; the hosts are given. */
static void open_stage(struct stage *stage, struct tny_cluster *cluster, uint32_t rank_count)
{
  stage->cluster = cluster;
  stage->routes = make_routes(cluster);
  assert_int_equal(tny_placement_make(cluster, stage->hosts, rank_count, &stage->placement, NULL),
                   TNY_OK);
  stage->network = (struct tny_network){stage->routes, stage->hosts, rank_count};
  stage->problem = (struct tny_problem){.collective = TNY_ALLTOALL,
                                        .rank_count = rank_count,
                                        .placement = stage->placement,
                                        .network = &stage->network};
}

static void close_stage(struct stage *stage)
{
  tny_placement_free(stage->placement);
  tny_routes_free(stage->routes);
  tny_cluster_free(stage->cluster);
}

static const struct tny_algorithm *algorithm(void)
{
  const struct tny_algorithm *found = tny_algorithm_find(TNY_ALLTOALL, "tree-phases");
  assert_non_null(found);
  return found;
}

static struct tny_schedule *plan(const struct stage *stage)
{
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  if (tny_plan_all(algorithm(), &stage->problem, whole, &schedule, &error) != TNY_OK)
    fail_msg("%s", error.text);
  return schedule;
}

/* Calls nobody: counts each pair of ranks on each link between them. Returns the most on a link;
   where all ranks share a host, what a port of each for itself would carry. */
static uint32_t most_loaded_link(const struct stage *stage)
{
  const uint32_t p = stage->problem.rank_count;
  uint32_t most = 0;
  uint32_t *load = tny_new(stage->cluster->link_count, sizeof *load);
  assert_non_null(load);
  for (uint32_t from = 0; from < p; from++) {
    for (uint32_t to = 0; to < p; to++) {
      uint32_t node = stage->hosts[from], link;
      while ((link = tny_routes_next(stage->routes, node, stage->hosts[to])) != TNY_NONE) {
        if (++load[link] > most)
          most = load[link];
        node = stage->cluster->links[link].to;
      }
    }
  }
  tny_free(load);
  return most ? most : p - 1;
}

/* Marks the links of a message in its phase; false where one of them is taken. */
static bool take_links(const struct stage *stage, uint32_t from, const struct tny_step *send,
                       uint8_t *taken)
{
  uint32_t node = stage->hosts[from], link;
  while ((link = tny_routes_next(stage->routes, node, stage->hosts[send->peer])) != TNY_NONE) {
    const size_t index = (size_t)send->phase * stage->cluster->link_count + link;
    assert_true(index < TAKEN_MAX);
    if (taken[index]++)
      return false;
    node = stage->cluster->links[link].to;
  }
  return true;
}

/* Each rank sends a message to each other, all in the phases promised, and no link has two of a
   phase. */
static void check_phases(const struct stage *stage, const struct tny_schedule *schedule,
                         uint32_t phases)
{
  static uint8_t taken[TAKEN_MAX];
  uint32_t messages = 0;
  memset(taken, 0, (size_t)phases * stage->cluster->link_count);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND)
        continue;
      messages++;
      assert_true(step->phase < phases);
      if (!take_links(stage, rank, step, taken))
        fail_msg("%u ranks: two messages of phase %u share a link", schedule->rank_count,
                 step->phase);
    }
  }
  assert_int_equal(messages, schedule->rank_count * (schedule->rank_count - 1));
}

/* By the verifier: data, progress, links and the claim. */
static void prove(const struct stage *stage, const struct tny_schedule *schedule, uint32_t phases)
{
  struct tny_report report = {0};
  struct tny_error error = {0};
  const struct tny_claim claim = {.phases = phases, .blocks_sent_max = schedule->rank_count - 1};
  if (tny_verify_schedule(schedule, &report, &error) != TNY_OK ||
      tny_verify_links(schedule, &stage->network, 1, &report, &error) != TNY_OK ||
      tny_verify_claim(&report, &claim, &error) != TNY_OK)
    fail_msg("%u ranks: %s", schedule->rank_count, error.text);
}

/* A tree, each switch hung below any before it, or below the last few (deep), or the first (flat).
 */
static struct tny_cluster *random_tree(uint64_t *seed, uint32_t host_count)
{
  struct tny_text text = {0};
  struct tny_cluster *cluster;
  const uint32_t switch_count = 1 + draw(seed, draw(seed, 4) ? 12 : SWITCHES_MAX);
  const uint32_t reach = 1 + draw(seed, SWITCHES_MAX), homes = 1 + draw(seed, switch_count);
  tny_text_add(&text, "cluster 1 random\n");
  for (uint32_t i = 0; i < host_count; i++)
    tny_text_add(&text, "host h%u\n", i);
  for (uint32_t i = 0; i < switch_count; i++)
    tny_text_add(&text, "switch s%u\n", i);
  for (uint32_t i = 1; i < switch_count; i++)
    tny_text_add(&text, "cable s%u s%u 1000 1 1\n", i,
                 reach == 1 ? 0 : i - 1 - draw(seed, i < reach ? i : reach));
  for (uint32_t i = 0; i < host_count; i++)
    tny_text_add(&text, "cable h%u s%u 1000 1 1\n", i,
                 switch_count - 1 - draw(seed, draw(seed, 3) ? homes : switch_count));
  assert_false(text.failed);
  assert_int_equal(tny_cluster_read_flat(text.bytes, &cluster, NULL), TNY_OK);
  tny_text_release(&text);
  return cluster;
}

/* One rank a host; or any number on any of them; or half of them or more on one. */
static uint32_t draw_ranks(uint64_t *seed, uint32_t host_count, uint32_t *hosts)
{
  const uint32_t kind = draw(seed, 4);
  const uint32_t p = kind < 2 ? host_count : 1 + draw(seed, 40);
  for (uint32_t rank = 0; rank < p; rank++)
    hosts[rank] = kind < 2 ? rank : kind == 3 && draw(seed, 3) ? 0 : draw(seed, host_count);
  for (uint32_t rank = p; rank-- > 1;) {
    const uint32_t other = draw(seed, rank + 1), host = hosts[rank];
    hosts[rank] = hosts[other];
    hosts[other] = host;
  }
  return p;
}

static void
on_every_tree_there_are_as_many_phases_as_the_most_loaded_link_has_messages(void **state)
{
  (void)state;
  uint64_t seed = 2007;
  for (uint32_t tree = 0; tree < TREES; tree++) {
    struct stage stage;
    const uint32_t host_count = 1 + draw(&seed, 40);
    struct tny_cluster *cluster = random_tree(&seed, host_count);
    open_stage(&stage, cluster, draw_ranks(&seed, host_count, stage.hosts));
    struct tny_schedule *schedule = plan(&stage);
    const uint32_t phases = most_loaded_link(&stage);
    check_phases(&stage, schedule, phases);
    if (tree % 50 == 0)
      prove(&stage, schedule, phases);
    tny_schedule_free(schedule);
    close_stage(&stage);
  }
}

/* A cluster in the flat form, the ranks' hosts and the phases they should take. */
struct example {
  const char *cluster;
  uint32_t rank_count, phases;
  uint32_t hosts[8];
};

static void the_middle_may_be_a_switch_a_host_or_anything_between(void **state)
{
  (void)state;
  const struct example examples[] = {
      /* two hosts and no switch: each is the other's branch */
      {"cable h0 h1 1 1 1\n", 2, 1, {0, 1}},
      {"cable h0 h1 1 1 1\n", 5, 6, {0, 1, 0, 1, 0}},
      {"cable h0 h1 1 1 1\n", 1, 0, {1}},
      /* most ranks on one host: its port is the most loaded link */
      {"switch s0\ncable h0 s0 1 1 1\ncable h1 s0 1 1 1\n", 6, 8, {1, 0, 1, 1, 0, 1}},
      {"switch s0\ncable h0 s0 1 1 1\ncable h1 s0 1 1 1\n", 6, 5, {1, 1, 0, 1, 1, 1}},
      /* all on one: no link at all, as if each had a port */
      {"switch s0\ncable h0 s0 1 1 1\ncable h1 s0 1 1 1\n", 6, 5, {1, 1, 1, 1, 1, 1}},
      /* half of them behind one trunk */
      {"switch s0\nswitch s1\ncable s0 s1 1 1 1\ncable h0 s0 1 1 1\ncable h1 s1 1 1 1\n",
       8,
       16,
       {0, 0, 1, 1, 0, 0, 1, 1}},
      /* a switch without hosts in the middle, hosts hanging from it beside a branch */
      {"switch s0\nswitch s1\ncable s0 s1 1 1 1\ncable h0 s0 1 1 1\ncable h1 s1 1 1 1\n",
       7,
       12,
       {0, 1, 1, 0, 1, 0, 1}},
  };
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    struct stage stage;
    struct tny_cluster *cluster;
    struct tny_text text = {0};
    tny_text_add(&text, "cluster 1 example\nhost h0\nhost h1\n%s", examples[i].cluster);
    assert_int_equal(tny_cluster_read_flat(text.bytes, &cluster, NULL), TNY_OK);
    tny_text_release(&text);
    memcpy(stage.hosts, examples[i].hosts, sizeof examples[i].hosts);
    open_stage(&stage, cluster, examples[i].rank_count);
    struct tny_schedule *schedule = plan(&stage);
    check_phases(&stage, schedule, examples[i].phases);
    prove(&stage, schedule, examples[i].phases);
    tny_schedule_free(schedule);
    close_stage(&stage);
  }
}

static void without_a_network_there_is_one_switch_and_what_is_no_tree_is_refused(void **state)
{
  (void)state;
  const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = 9};
  struct tny_schedule *schedule;
  struct tny_report report;
  struct stage stage;
  assert_int_equal(tny_plan_all(algorithm(), &problem, whole, &schedule, NULL), TNY_OK);
  assert_int_equal(tny_verify_schedule(schedule, &report, NULL), TNY_OK);
  assert_int_equal(report.phases, 8);
  tny_schedule_free(schedule);
  for (uint32_t rank = 0; rank < 6; rank++)
    stage.hosts[rank] = rank;
  open_stage(&stage, open_cluster("zones:2+2+2"), 6);
  assert_string_equal(tny_algorithm_refusal(algorithm(), &stage.problem),
                      "needs a tree of switches");
  stage.problem.network = NULL;
  assert_string_equal(tny_algorithm_refusal(algorithm(), &stage.problem), "needs the cluster");
  close_stage(&stage);
}

static void out_of_memory_is_an_error_wherever_it_comes(void **state)
{
  (void)state;
  struct stage stage;
  for (uint32_t rank = 0; rank < 9; rank++)
    stage.hosts[rank] = rank;
  open_stage(&stage, open_cluster("switches:2+3+4"), 9);
  const struct planning planning = {algorithm(), stage.problem, whole, 4};
  assert_true(starve_planning(&planning) >= 6);
  close_stage(&stage);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_every_tree_there_are_as_many_phases_as_the_most_loaded_link_has_messages),
      cmocka_unit_test(the_middle_may_be_a_switch_a_host_or_anything_between),
      cmocka_unit_test(without_a_network_there_is_one_switch_and_what_is_no_tree_is_refused),
      cmocka_unit_test(out_of_memory_is_an_error_wherever_it_comes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
