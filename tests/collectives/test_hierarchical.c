/* The hierarchical algorithms on zones of switches of hosts of ranks, of one size and of any: that
   they are right, what crosses wide links and trunks, and how many rounds that takes. That they are
   right without a cluster is proved by test_algorithms.c. */
#include "levels_support.h"
#include "memory_support.h"

#include <tourney/verify.h>

#include "collectives/shared/representatives.h"

static const struct tny_pace whole = {.chunk_count = 1};

/* --- planning and proving --- */

struct planned {
  struct tny_schedule *schedule;
  struct tny_claim claim;
  struct tny_report report;
};

/* By the name with its parameter: data, progress and the claim are right. */
static struct planned plan(const struct stage *stage, enum tny_collective collective,
                           const char *name, uint32_t root)
{
  struct planned planned = {0};
  struct tny_algorithm_choice choice;
  struct tny_error error = {0};
  struct tny_problem prepared;
  assert_int_equal(tny_algorithm_parse(collective, name, &choice, NULL), TNY_OK);
  const struct tny_problem problem = {.collective = collective,
                                      .rank_count = stage->rank_count,
                                      .root = root,
                                      .placement = stage->placement,
                                      .parameter = choice.parameter,
                                      .network = &stage->network};
  enum tny_status status = tny_problem_prepare(choice.algorithm, &problem, &prepared, &error);
  if (status == TNY_OK) {
    const struct tny_problem settled = tny_plan_problem(choice.algorithm, &prepared, 1);
    planned.claim = tny_algorithm_claim(choice.algorithm, &settled);
    status = tny_plan_all(choice.algorithm, &prepared, whole, &planned.schedule, &error);
  }
  if (status == TNY_OK)
    status = tny_verify_data(planned.schedule, &error);
  if (status == TNY_OK)
    status = tny_verify_progress(planned.schedule, &planned.report, &error);
  if (status == TNY_OK)
    status = tny_verify_claim(&planned.report, &planned.claim, &error);
  if (status != TNY_OK)
    fail_msg("%s on %s, root %u: %s", name, stage->shape, root, error.text);
  tny_problem_release(choice.algorithm, &prepared);
  return planned;
}

/* A rank has at most one message to send and one to receive in a phase. */
static void check_ports(const struct stage *stage, const struct planned *planned)
{
  const uint32_t phases = planned->claim.phases;
  bool *is_taken = tny_new((size_t)2 * phases + 1, sizeof *is_taken);
  for (uint32_t rank = 0; rank < stage->rank_count; rank++) {
    memset(is_taken, 0, (size_t)2 * phases);
    for (uint32_t i = 0; i < planned->schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &planned->schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND && step->kind != TNY_RECV)
        continue;
      bool *taken = &is_taken[2 * step->phase + (step->kind == TNY_RECV)];
      if (*taken)
        fail_msg("%s: rank %u has two messages in phase %u", stage->shape, rank, step->phase);
      *taken = true;
    }
  }
  tny_free(is_taken);
}

/* --- what crosses --- */

struct crossing {
  uint32_t messages, blocks;
};

/* All messages from switch to switch or zone to zone (`of` is by node), from one to another. */
static struct crossing between(const struct stage *stage, const struct planned *planned,
                               const uint32_t *of, uint32_t from, uint32_t to)
{
  struct crossing crossing = {0};
  for (uint32_t rank = 0; rank < stage->rank_count; rank++) {
    for (uint32_t i = 0; i < planned->schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &planned->schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND || of[stage->hosts[rank]] != from ||
          of[stage->hosts[step->peer]] != to)
        continue;
      crossing.messages++;
      crossing.blocks += step->span.count;
    }
  }
  return crossing;
}

/* The blocks on the most loaded link between switches, and how often they cross any in all. */
static uint64_t trunk_blocks(const struct stage *stage, const struct planned *planned,
                             uint64_t *total)
{
  uint64_t most = 0, *load = tny_new(stage->cluster->link_count, sizeof *load);
  assert_int_equal(tny_verify_load(planned->schedule, &stage->network, 1, load, NULL), TNY_OK);
  *total = 0;
  for (uint32_t i = 0; i < stage->cluster->link_count; i++) {
    const struct tny_link *link = &stage->cluster->links[i];
    if (link->from < stage->cluster->host_count || link->to < stage->cluster->host_count)
      continue;
    most = load[i] > most ? load[i] : most;
    *total += load[i];
  }
  tny_free(load);
  return most;
}

static uint32_t ranks_in(const struct stage *stage, const uint32_t *of, uint32_t group)
{
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < stage->rank_count; rank++)
    count += of[stage->hosts[rank]] == group;
  return count;
}

/* --- the tests --- */

/* Uneven in every way. */
static const char *const uneven[] = {
    "1",           "2",           "1.1",       "3+1",         "1|1",           "1|2",
    "1.1|1",       "1.1.1|1.1",   "2.1|1",     "1.2.3",       "1+2+3",         "1|2|3",
    "1.1+1|1",     "2.2+1|3",     "4|1|1",     "1|1|1|1.1.1", "3.1+2|1+1|2.2", "1.1.1+1+1.1|2",
    "1+1+1.1.1.1", "5.1|1.1+1.1", "1|9",       "9|1.1.1|2+2", "1.1+2.2|3.3",   "2+2.2|2.2+2",
    "1.2|2.1",     "1+2|2+1|3",   "2+3|1.1.1", "7|1+1+1|2.5", "1|2|3|4|5",     "5+4+3+2+1",
};
enum { UNEVEN = sizeof uneven / sizeof *uneven };

static const char *const radices[] = {
    "hierarchical-bruck",         "hierarchical-bruck:1.1.1.1", "hierarchical-bruck:2.2.2.2",
    "hierarchical-bruck:3.2.3.2", "hierarchical-bruck:4.3.2.3",
};
enum { RADICES = sizeof radices / sizeof *radices };

static void prove_everything(const struct stage *stage)
{
  for (uint32_t root = 0; root < stage->rank_count; root++) {
    struct planned planned = plan(stage, TNY_BROADCAST, "hierarchical", root);
    check_ports(stage, &planned);
    tny_schedule_free(planned.schedule);
  }
  struct planned gathered = plan(stage, TNY_ALLGATHER, "hierarchical", 0);
  check_ports(stage, &gathered);
  tny_schedule_free(gathered.schedule);
  for (uint32_t i = 0; i < RADICES; i++) {
    struct planned planned = plan(stage, TNY_ALLTOALL, radices[i], 0);
    check_ports(stage, &planned);
    tny_schedule_free(planned.schedule);
  }
}

static void they_are_right_whatever_the_sizes_of_zones_switches_and_hosts(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < UNEVEN; i++) {
    for (uint64_t scatter = 0; scatter < 2; scatter++) {
      struct stage stage;
      set_up(&stage, uneven[i], scatter);
      prove_everything(&stage);
      tear_down(&stage);
    }
  }
}

/* Up to 4 zones of up to 4 switches of up to 4 hosts of up to 3 ranks. */
static void make_shape(uint64_t *seed, struct tny_text *shape)
{
  for (uint32_t zones = 1 + draw(seed, 4); zones > 0; zones--) {
    for (uint32_t switches = 1 + draw(seed, 4); switches > 0; switches--) {
      for (uint32_t hosts = 1 + draw(seed, 4); hosts > 0; hosts--)
        tny_text_add(shape, "%u%s", 1 + draw(seed, 3), hosts > 1 ? "." : "");
      tny_text_add(shape, "%s", switches > 1 ? "+" : "");
    }
    tny_text_add(shape, "%s", zones > 1 ? "|" : "");
  }
}

static void they_are_right_on_random_levels(void **state)
{
  (void)state;
  uint64_t seed = 4;
  for (uint32_t i = 0; i < 40; i++) {
    struct tny_text shape = {0};
    struct stage stage;
    make_shape(&seed, &shape);
    set_up(&stage, shape.bytes, i % 2 ? seed : 0);
    const uint32_t root = draw(&seed, stage.rank_count);
    struct planned sent = plan(&stage, TNY_BROADCAST, "hierarchical", root);
    struct planned gathered = plan(&stage, TNY_ALLGATHER, "hierarchical", 0);
    struct planned exchanged = plan(&stage, TNY_ALLTOALL, radices[i % RADICES], 0);
    check_ports(&stage, &sent);
    check_ports(&stage, &gathered);
    check_ports(&stage, &exchanged);
    tny_schedule_free(sent.schedule);
    tny_schedule_free(gathered.schedule);
    tny_schedule_free(exchanged.schedule);
    tear_down(&stage);
    tny_text_release(&shape);
  }
}

static void a_broadcast_crosses_to_each_other_zone_once_and_from_the_root(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < UNEVEN; i++) {
    struct stage stage;
    set_up(&stage, uneven[i], 1);
    const uint32_t zones = stage.placement->zone_count;
    for (uint32_t root = 0; root < stage.rank_count; root++) {
      struct planned planned = plan(&stage, TNY_BROADCAST, "hierarchical", root);
      const uint32_t home = stage.zone_of[stage.hosts[root]];
      for (uint32_t from = 0; from < zones; from++)
        for (uint32_t to = 0; to < zones; to++)
          if (from != to)
            assert_int_equal(between(&stage, &planned, stage.zone_of, from, to).messages,
                             from == home);
      tny_schedule_free(planned.schedule);
    }
    tear_down(&stage);
  }
}

static void within_a_zone_no_trunk_has_more_than_the_broadcast_each_way(void **state)
{
  (void)state;
  const char *const shapes[] = {"1.1+1.1+1.1+1.1", "2+2+2", "1+3.2+1.1.1+2", "5+4+3+2+1"};
  for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct stage stage;
    set_up(&stage, shapes[i], i);
    for (uint32_t root = 0; root < stage.rank_count; root++) {
      struct planned planned = plan(&stage, TNY_BROADCAST, "hierarchical", root);
      uint64_t total;
      assert_int_equal(trunk_blocks(&stage, &planned, &total), 1);
      assert_int_equal(tny_verify_links(planned.schedule, &stage.network, 1, &planned.report, NULL),
                       TNY_OK);
      tny_schedule_free(planned.schedule);
    }
    tear_down(&stage);
  }
}

/* Messages of the schedule between hosts. */
static uint32_t count_between_hosts(const struct stage *stage, const struct tny_schedule *schedule)
{
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      count += step->kind == TNY_SEND && stage->hosts[rank] != stage->hosts[step->peer];
    }
  return count;
}

static void a_chain_over_hosts_hands_each_piece_to_each_other_host_once(void **state)
{
  (void)state;
  static const char *const shapes[] = {"4.4.4.4+4.4.4.4", "1.5+2.3.1+7", "2", "9.1", "3.1|2+4"};
  enum { PIECES = 7, WINDOWS = 4 };
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_BROADCAST, "host-chain");
  for (uint32_t i = 0; i < 2 * sizeof shapes / sizeof *shapes; i++) {
    struct stage stage;
    set_up(&stage, shapes[i / 2], i % 2); /* also with the ranks of a host anywhere */
    for (uint32_t root = 0; root < stage.rank_count; root++) {
      const struct tny_problem problem = {.collective = TNY_BROADCAST,
                                          .rank_count = stage.rank_count,
                                          .root = root,
                                          .placement = stage.placement,
                                          .network = &stage.network};
      const struct tny_pace pace = {.chunk_count = PIECES, .window = root % WINDOWS};
      struct tny_schedule *schedule;
      struct tny_report report;
      struct tny_error error = {0};
      if (tny_plan_all(algorithm, &problem, pace, &schedule, &error) != TNY_OK ||
          tny_verify_data(schedule, &error) != TNY_OK ||
          tny_verify_progress(schedule, &report, &error) != TNY_OK ||
          tny_verify_links(schedule, &stage.network, 1, &report, &error) != TNY_OK)
        fail_msg("%s, root %u: %s", stage.shape, root, error.text);
      assert_int_equal(count_between_hosts(&stage, schedule),
                       PIECES * (stage.placement->host_count - 1));
      tny_schedule_free(schedule);
    }
    tear_down(&stage);
  }
}

static void an_all_gather_has_each_block_cross_to_each_other_zone_once(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < UNEVEN; i++) {
    struct stage stage;
    set_up(&stage, uneven[i], i);
    struct planned planned = plan(&stage, TNY_ALLGATHER, "hierarchical", 0);
    const uint32_t zones = stage.placement->zone_count;
    for (uint32_t from = 0; from < zones; from++)
      for (uint32_t to = 0; to < zones; to++)
        if (from != to)
          assert_int_equal(between(&stage, &planned, stage.zone_of, from, to).blocks,
                           ranks_in(&stage, stage.zone_of, from));
    tny_schedule_free(planned.schedule);
    tear_down(&stage);
  }
}

static void
within_a_zone_an_all_gather_loads_trunks_as_little_as_a_switch_ordered_ring(void **state)
{
  (void)state;
  const char *const shapes[] = {"1.1+1.1+1.1+1.1", "2+2+2", "1+3.2+1.1.1+2", "5+4+3+2+1", "1+9"};
  for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct stage stage;
    set_up(&stage, shapes[i], i);
    struct planned planned = plan(&stage, TNY_ALLGATHER, "hierarchical", 0);
    struct planned ring = plan(&stage, TNY_ALLGATHER, "switch-ordered-ring", 0);
    uint64_t total, least;
    const uint64_t most = trunk_blocks(&stage, &planned, &total);
    assert_true(most <= trunk_blocks(&stage, &ring, &least));
    assert_true(total <= least);
    tny_schedule_free(planned.schedule);
    tny_schedule_free(ring.schedule);
    tear_down(&stage);
  }
}

/* A block for each pair: there are no fewer. */
static void check_pairs(const struct stage *stage, const struct planned *planned,
                        const uint32_t *of, uint32_t from, uint32_t to)
{
  const struct crossing crossing = between(stage, planned, of, from, to);
  const uint32_t senders = ranks_in(stage, of, from), receivers = ranks_in(stage, of, to);
  assert_int_equal(crossing.blocks, senders * receivers);
  assert_int_equal(crossing.messages, receivers);
}

static void check_all_pairs(const struct stage *stage, const struct planned *planned,
                            const uint32_t *of, uint32_t first, uint32_t end)
{
  for (uint32_t from = first; from < end; from++)
    for (uint32_t to = first; to < end; to++)
      if (from != to)
        check_pairs(stage, planned, of, from, to);
}

static void
an_all_to_all_has_each_block_cross_between_zones_once_in_a_message_a_receiver(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < UNEVEN; i++) {
    struct stage stage;
    set_up(&stage, uneven[i], i);
    struct planned planned = plan(&stage, TNY_ALLTOALL, "hierarchical-bruck", 0);
    check_all_pairs(&stage, &planned, stage.zone_of, 0, stage.placement->zone_count);
    tny_schedule_free(planned.schedule);
    tear_down(&stage);
  }
}

static void within_a_zone_the_same_holds_between_switches(void **state)
{
  (void)state;
  const char *const shapes[] = {"1.1+1.1+1.1+1.1", "2+2+2", "1+3.2+1.1.1+2", "5+4+3+2+1", "1+9"};
  for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct stage stage;
    set_up(&stage, shapes[i], i);
    struct planned planned = plan(&stage, TNY_ALLTOALL, "hierarchical-bruck", 0);
    check_all_pairs(&stage, &planned, stage.switch_of, stage.cluster->host_count,
                    count_nodes(stage.cluster));
    tny_schedule_free(planned.schedule);
    tear_down(&stage);
  }
}

/* What there is of zones, switches, hosts and ranks, as letters. */
static void a_level_that_parts_nothing_more_is_left_out(void **state)
{
  (void)state;
  static const char *const shapes[][2] = {{"1", ""},          {"1.1", "h"},       {"3", "r"},
                                          {"1+1", "s"},       {"1|1", "z"},       {"2|2", "zr"},
                                          {"1.1+1", "sh"},    {"2+2|2", "zsr"},   {"2.1", "hr"},
                                          {"1.1|1+1", "zsh"}, {"2.1+1|1", "zshr"}};
  for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct stage stage;
    set_up(&stage, shapes[i][0], 0);
    const struct tny_problem problem = {.rank_count = stage.rank_count,
                                        .placement = stage.placement};
    const struct tny_levels levels = tny_levels_find(&problem);
    char found[TNY_TIER_COUNT + 1] = "";
    for (uint32_t level = 1; level <= levels.count; level++)
      found[level - 1] = "zshr"[levels.tier[level]];
    assert_string_equal(found, shapes[i][1]);
    tear_down(&stage);
  }
}

/* The example of representatives.h: by peer set and part, the peer, and whether the set is its
   own. */
static void small_parts_are_dealt_out_over_the_peer_sets(void **state)
{
  (void)state;
  static const uint32_t positions[3][4] = {{0, 3, 4, 6}, {1, 3, 4, 7}, {2, 3, 5, 6}};
  static const bool is_own[3][4] = {
      {true, true, false, true}, {true, false, true, true}, {true, false, true, false}};
  struct stage stage;
  struct tny_representatives representatives;
  set_up(&stage, "1.1.1+1+1.1+1.1", 0);
  const struct tny_problem problem = {.rank_count = stage.rank_count, .placement = stage.placement};
  assert_int_equal(tny_representatives_init(&problem, &representatives, NULL), TNY_OK);
  const struct tny_member member = tny_representatives_member(&representatives, 1, 0);
  assert_int_equal(member.group.widest, 3);
  for (uint32_t number = 0; number < 3; number++) {
    const struct tny_peers peers = {&member, number};
    for (uint32_t part = 0; part < 4; part++) {
      assert_int_equal(tny_peers_position(&peers, part), positions[number][part]);
      assert_int_equal(tny_peers_represented(&peers, part), is_own[number][part]);
    }
  }
  tny_representatives_release(&representatives);
  tear_down(&stage);
}

/* Rounds of the three. */
struct expected {
  const char *shape;
  uint32_t bcast, allgather, alltoall;
};

static void where_sizes_are_equal_rounds_are_the_sum_over_the_levels(void **state)
{
  (void)state;
  static const struct expected expected[] = {
      {"1", 0, 0, 0},
      {"1.1.1.1.1.1.1", 3, 3, 3},
      {"4", 2, 2, 2},
      {"1+1+1+1", 3, 3, 3},
      {"1|1|1|1", 3, 3, 3},
      {"1.1.1.1+1.1.1.1+1.1.1.1", 2 + 2, 2 + 2, 2 + 2},
      {"2.2.2.2.2.2.2.2|2.2.2.2.2.2.2.2|2.2.2.2.2.2.2.2", 2 + 3 + 1, 2 + 3 + 1, 2 + 3 + 1},
      {"4.4.4.4.4.4.4.4.4.4.4.4.4.4.4.4", 4 + 2, 4 + 2, 4 + 2},
      {"3.3+3.3|3.3+3.3|3.3+3.3", 2 + 1 + 1 + 2, 2 + 1 + 1 + 2, 2 + 1 + 1 + 2},
  };
  for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    struct stage stage;
    set_up(&stage, expected[i].shape, i);
    struct planned sent = plan(&stage, TNY_BROADCAST, "hierarchical", stage.rank_count / 2);
    struct planned gathered = plan(&stage, TNY_ALLGATHER, "hierarchical", 0);
    struct planned exchanged = plan(&stage, TNY_ALLTOALL, "hierarchical-bruck", 0);
    assert_int_equal(sent.report.rounds, expected[i].bcast);
    assert_int_equal(gathered.report.rounds, expected[i].allgather);
    assert_int_equal(gathered.claim.rounds, expected[i].allgather);
    assert_int_equal(gathered.claim.blocks_sent_max, stage.rank_count - 1);
    assert_int_equal(exchanged.report.rounds, expected[i].alltoall);
    assert_int_equal(exchanged.claim.rounds, expected[i].alltoall);
    tny_schedule_free(sent.schedule);
    tny_schedule_free(gathered.schedule);
    tny_schedule_free(exchanged.schedule);
    tear_down(&stage);
  }
}

/* On one level it is Bruck: the same messages, for any radix. */
static void on_one_switch_it_is_bruck(void **state)
{
  (void)state;
  struct tny_text shape = {0};
  for (uint32_t hosts = 1; hosts <= 33; hosts++) {
    tny_text_add(&shape, "%s1", hosts > 1 ? "." : "");
    for (uint32_t radix = 2; radix <= 5; radix++) {
      char flat[16], levels[40];
      struct stage stage;
      set_up(&stage, shape.bytes, 0);
      snprintf(flat, sizeof flat, "bruck:%u", radix);
      snprintf(levels, sizeof levels, "hierarchical-bruck:7.%u.7.7", radix);
      struct planned one = plan(&stage, TNY_ALLTOALL, levels, 0);
      struct planned other = plan(&stage, TNY_ALLTOALL, flat, 0);
      assert_int_equal(one.claim.rounds, other.claim.rounds);
      assert_int_equal(one.claim.blocks_sent_max, other.claim.blocks_sent_max);
      assert_int_equal(one.report.messages, other.report.messages);
      tny_schedule_free(one.schedule);
      tny_schedule_free(other.schedule);
      tear_down(&stage);
    }
  }
  tny_text_release(&shape);
}

static void radices_are_read_and_written_with_dots(void **state)
{
  (void)state;
  static const char *const texts[][2] = {
      {"hierarchical-bruck", "hierarchical-bruck:2.2.1.1"},
      {"hierarchical-bruck:3", "hierarchical-bruck:3.2.1.1"},
      {"hierarchical-bruck:1.5", "hierarchical-bruck:1.5.1.1"},
      {"hierarchical-bruck:255.1.4.2", "hierarchical-bruck:255.1.4.2"},
      {"bruck", "bruck:2"},
      {"bruck:300", "bruck:300"},
      {"shift", "shift"},
  };
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct tny_algorithm_choice choice;
    char text[TNY_ALGORITHM_CHOICE_CHARS];
    assert_int_equal(tny_algorithm_parse(TNY_ALLTOALL, texts[i][0], &choice, NULL), TNY_OK);
    tny_algorithm_choice_write(&choice, text);
    assert_string_equal(text, texts[i][1]);
  }
}

static void a_wrong_list_of_radices_is_refused_with_an_example(void **state)
{
  (void)state;
  static const char *const wrong[] = {"",    "0",       "2.",        "2..2",  ".2",
                                      "2.x", "2.2.2.0", "2.2.2.2.2", "256.2", "2,2"};
  for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct tny_algorithm_choice choice;
    struct tny_error error = {0};
    char text[40];
    snprintf(text, sizeof text, "hierarchical-bruck:%s", wrong[i]);
    assert_int_equal(tny_algorithm_parse(TNY_ALLTOALL, text, &choice, &error), TNY_BAD_INPUT);
    assert_non_null(strstr(error.text, "up to 4 whole numbers from 1 to 255 with dots between, as "
                                       "in hierarchical-bruck:2.2.1.1"));
  }
}

static void running_out_of_memory_is_reported(void **state)
{
  (void)state;
  struct stage stage;
  set_up(&stage, "2.1+1|2", 1);
  const char *const names[] = {"hierarchical", "hierarchical-bruck"};
  for (uint32_t i = 0; i < 2; i++) {
    const enum tny_collective collective = i == 0 ? TNY_ALLGATHER : TNY_ALLTOALL;
    const struct tny_algorithm *algorithm = tny_algorithm_find(collective, names[i]);
    const struct planning planning = {.algorithm = algorithm,
                                      .problem = {.collective = collective,
                                                  .rank_count = stage.rank_count,
                                                  .placement = stage.placement},
                                      .pace = whole,
                                      .rank = 1};
    assert_in_range(starve_planning(&planning), 1, 200);
  }
  tear_down(&stage);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_are_right_whatever_the_sizes_of_zones_switches_and_hosts),
      cmocka_unit_test(they_are_right_on_random_levels),
      cmocka_unit_test(a_broadcast_crosses_to_each_other_zone_once_and_from_the_root),
      cmocka_unit_test(within_a_zone_no_trunk_has_more_than_the_broadcast_each_way),
      cmocka_unit_test(a_chain_over_hosts_hands_each_piece_to_each_other_host_once),
      cmocka_unit_test(an_all_gather_has_each_block_cross_to_each_other_zone_once),
      cmocka_unit_test(within_a_zone_an_all_gather_loads_trunks_as_little_as_a_switch_ordered_ring),
      cmocka_unit_test(
          an_all_to_all_has_each_block_cross_between_zones_once_in_a_message_a_receiver),
      cmocka_unit_test(within_a_zone_the_same_holds_between_switches),
      cmocka_unit_test(a_level_that_parts_nothing_more_is_left_out),
      cmocka_unit_test(small_parts_are_dealt_out_over_the_peer_sets),
      cmocka_unit_test(where_sizes_are_equal_rounds_are_the_sum_over_the_levels),
      cmocka_unit_test(on_one_switch_it_is_bruck),
      cmocka_unit_test(radices_are_read_and_written_with_dots),
      cmocka_unit_test(a_wrong_list_of_radices_is_refused_with_an_example),
      cmocka_unit_test(running_out_of_memory_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
