/* The broadcast from switch to switch: exact rounds, one message a link, every root. That it
   delivers, test_algorithms.c and `tourney verify` prove on many more clusters. */
#include "memory_support.h"
#include "support/setting.h"

#include <tourney/verify.h>

static const struct tny_algorithm *relays(void)
{
  const struct tny_algorithm *found = tny_algorithm_find(TNY_BROADCAST, "switch-circulant");
  assert_non_null(found);
  return found;
}

/* Switches around one without hosts. */
static struct tny_cluster *make_star(uint32_t leaves, uint32_t hosts)
{
  struct tny_text text = {0};
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  tny_text_add(&text, "cluster 1 star:%ux%u\nswitch core\n", leaves, hosts);
  for (uint32_t leaf = 0; leaf < leaves; leaf++)
    tny_text_add(&text, "switch s%u\ncable core s%u 1000 1 1\n", leaf, leaf);
  for (uint32_t host = 0; host < leaves * hosts; host++)
    tny_text_add(&text, "host h%u\ncable s%u h%u 1000 1 1\n", host, host / hosts, host);
  if (tny_cluster_read_flat(text.bytes, &cluster, &error))
    fail_msg("%u: %s", error.line, error.text);
  tny_text_release(&text);
  return cluster;
}

/* Plans and proves it: data, progress, claim, and no more than the claim's messages a round on any
   link. Returns the rounds. */
static uint32_t prove(const struct setting *setting, uint32_t root, struct tny_pace pace,
                      uint32_t *link_messages)
{
  struct tny_problem problem = setting->problem, prepared;
  struct tny_schedule *schedule = NULL;
  struct tny_report report = {0};
  struct tny_error error = {0};
  problem.collective = TNY_BROADCAST;
  problem.root = root;
  enum tny_status status = tny_problem_prepare(relays(), &problem, &prepared, &error);
  if (status == TNY_OK)
    status = tny_plan_all(relays(), &prepared, pace, &schedule, &error);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, &error);
  const struct tny_problem settled = tny_plan_problem(relays(), &prepared, pace.chunk_count);
  const struct tny_claim claim = relays()->claim(&settled);
  if (status == TNY_OK && pace.window == 0)
    status = tny_verify_claim(&report, &claim, &error);
  if (status == TNY_OK)
    status =
        tny_verify_links(schedule, &setting->network, claim.tree_link_messages, &report, &error);
  if (status != TNY_OK)
    fail_msg("%s, %u ranks, root %u, %u pieces, window %u: %s", setting->cluster->name,
             problem.rank_count, root, pace.chunk_count, pace.window, error.text);
  *link_messages = claim.tree_link_messages;
  tny_schedule_free(schedule);
  tny_problem_release(relays(), &prepared);
  return report.rounds;
}

/* Every root; one message a link. */
static void prove_all_roots(struct setting *setting)
{
  static const uint32_t pieces[] = {1, 2, 3, 4, 7, 8, 12, 25};
  for (uint32_t root = 0; root < setting->problem.rank_count; root++)
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
      uint32_t link_messages;
      prove(setting, root, (struct tny_pace){.chunk_count = pieces[i]}, &link_messages);
      assert_int_equal(link_messages, 1);
    }
  tear_down(setting);
}

static void from_every_root_a_link_carries_one_message_a_round(void **state)
{
  (void)state;
  const char *const clusters[] = {
      "single:1",         "single:2",     "single:3",
      "single:9",         "switches:1+1", "switches:1+2",
      "switches:2+2",     "switches:3+4", "switches:5+1+6+2+8",
      "switches:4+4+4+4", "torus:3x4",    "mesh:2x3x2",
      "fattree:4",        "zones:9+3",    "irregular:30,switches=4,seed=3"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], TNY_MAP_INTERLEAVED, 0);
    prove_all_roots(&setting);
  }
}

static void in_stars_of_every_shape_too(void **state)
{
  (void)state;
  for (uint32_t leaves = 1; leaves <= 9; leaves += 2)
    for (uint32_t hosts = 1; hosts <= 5; hosts++) {
      struct setting setting;
      set_up_on(&setting, make_star(leaves, hosts), TNY_MAP_INTERLEAVED, 0);
      prove_all_roots(&setting);
    }
}

static void hosts_with_several_ranks_are_like_switches(void **state)
{
  (void)state;
  const char *const clusters[] = {"single:1", "single:2", "single:7", "switches:2+3", "mesh:2x3"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++)
    for (uint32_t ranks = 11; ranks <= 24; ranks += 13) {
      struct setting setting;
      set_up(&setting, clusters[i], TNY_MAP_BLOCK, ranks);
      prove_all_roots(&setting);
    }
}

static void groups_of_every_size_spread_what_comes(void **state)
{
  (void)state;
  for (uint32_t size = 1; size <= 70; size++)
    for (uint32_t pieces = 1; pieces <= 40; pieces += 13) {
      struct setting setting;
      uint32_t link_messages;
      char text[40];
      snprintf(text, sizeof text, "switches:1+%u+%u", size, size);
      set_up(&setting, text, TNY_MAP_BLOCK, 0);
      prove(&setting, 0, (struct tny_pace){.chunk_count = pieces}, &link_messages);
      assert_int_equal(link_messages, 1);
      tear_down(&setting);
    }
}

static void ranks_on_any_hosts_of_any_tree_are_served(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct setting setting;
    uint64_t draws = seed;
    uint32_t link_messages;
    const uint32_t switches = 1 + draw(&draws, 12), hosts = 1 + draw(&draws, 40);
    const uint32_t ranks = 1 + draw(&draws, 40), pieces = 1 + draw(&draws, 30);
    set_up_on(&setting, random_cluster(seed, hosts, switches, 0), TNY_MAP_BLOCK, ranks);
    for (uint32_t rank = 0; rank < ranks; rank++)
      setting.hosts[rank] = draw(&draws, hosts);
    tny_placement_free(setting.placement);
    assert_int_equal(
        tny_placement_make(setting.cluster, setting.hosts, ranks, &setting.placement, NULL),
        TNY_OK);
    setting.problem.placement = setting.placement;
    const struct tny_pace pace = {.chunk_count = pieces};
    prove(&setting, draw(&draws, ranks), pace, &link_messages);
    assert_int_equal(link_messages, 1);
    tear_down(&setting);
  }
}

static void irregular_networks_are_no_worse_than_trees(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= 60; seed++) {
    struct setting setting;
    uint32_t link_messages;
    char text[60];
    snprintf(text, sizeof text, "irregular:128,switches=10,seed=%u", seed);
    set_up(&setting, text, TNY_MAP_BLOCK, 0);
    const uint32_t rounds =
        prove(&setting, 2 * seed, (struct tny_pace){.chunk_count = 30}, &link_messages);
    assert_int_equal(link_messages, 1);
    assert_in_range(rounds, 29 + 7, 29 + 10 + 8);
    tear_down(&setting);
  }
}

static void expect_rounds(struct tny_cluster *cluster, uint32_t pieces, uint32_t beyond)
{
  struct setting setting;
  uint32_t link_messages;
  set_up_on(&setting, cluster, TNY_MAP_BLOCK, 0);
  const uint32_t rounds =
      prove(&setting, 3, (struct tny_pace){.chunk_count = pieces}, &link_messages);
  assert_int_equal(rounds, pieces - 1 + beyond);
  assert_int_equal(link_messages, 1);
  tear_down(&setting);
}

/* As docs/broadcast.md has them, for any number of pieces. */
static void the_last_piece_needs_as_many_rounds_as_the_page_says(void **state)
{
  (void)state;
  for (uint32_t pieces = 20; pieces <= 200; pieces += 45) {
    expect_rounds(open_cluster("single:32"), pieces, 5);
    expect_rounds(open_cluster("switches:8+8+8+8"), pieces, 9);
    expect_rounds(make_star(16, 16), pieces, 15);
  }
}

static void a_star_beats_a_row_of_many_switches(void **state)
{
  (void)state;
  struct setting star, row;
  uint32_t link_messages;
  const struct tny_pace pace = {.chunk_count = 10};
  set_up_on(&star, make_star(20, 4), TNY_MAP_BLOCK, 0);
  set_up(&row, "switches:4+4+4+4+4+4+4+4+4+4+4+4+4+4+4+4+4+4+4+4", TNY_MAP_BLOCK, 0);
  assert_true(prove(&star, 0, pace, &link_messages) + 5 < prove(&row, 0, pace, &link_messages));
  tear_down(&star);
  tear_down(&row);
}

static void credits_keep_it_going_at_any_window(void **state)
{
  (void)state;
  struct setting setting;
  uint32_t link_messages;
  set_up_on(&setting, make_star(9, 3), TNY_MAP_BLOCK, 0);
  for (uint32_t window = 1; window <= 4; window++)
    for (uint32_t root = 0; root < 27; root += 5)
      prove(&setting, root, (struct tny_pace){.chunk_count = 9, .window = window}, &link_messages);
  tear_down(&setting);
}

static void it_needs_the_cluster(void **state)
{
  (void)state;
  const struct tny_problem problem = {.collective = TNY_BROADCAST, .rank_count = 4};
  assert_string_equal(tny_algorithm_refusal(relays(), &problem), "needs the cluster");
}

static void without_memory_it_says_so(void **state)
{
  (void)state;
  struct setting setting;
  set_up_on(&setting, make_star(9, 3), TNY_MAP_BLOCK, 0);
  struct planning planning = {relays(), setting.problem, {.chunk_count = 3}, 4};
  planning.problem.collective = TNY_BROADCAST;
  assert_true(starve_planning(&planning) >= 20);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(from_every_root_a_link_carries_one_message_a_round),
      cmocka_unit_test(in_stars_of_every_shape_too),
      cmocka_unit_test(hosts_with_several_ranks_are_like_switches),
      cmocka_unit_test(groups_of_every_size_spread_what_comes),
      cmocka_unit_test(ranks_on_any_hosts_of_any_tree_are_served),
      cmocka_unit_test(irregular_networks_are_no_worse_than_trees),
      cmocka_unit_test(the_last_piece_needs_as_many_rounds_as_the_page_says),
      cmocka_unit_test(a_star_beats_a_row_of_many_switches),
      cmocka_unit_test(credits_keep_it_going_at_any_window),
      cmocka_unit_test(it_needs_the_cluster),
      cmocka_unit_test(without_memory_it_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
