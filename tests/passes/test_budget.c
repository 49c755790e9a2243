/* In-flight budgets: what can be outstanding over a link, by clocks and by windows, against the
   exact count; and links limited to their windows. */
#include "support/memory.h"
#include "support/setting.h"

#include <tourney/model.h>
#include <tourney/separate.h>
#include <tourney/verify.h>

static const char *const clusters[] = {
    "single:5",     "switches:2+3", "switches:3+2+4", "torus:3x3", "irregular:14,switches=2",
    "switches:1+7", "zones:4+3",    "mesh:2x3",
};
enum { CLUSTERS = sizeof clusters / sizeof *clusters };

/* With these bytes a port buffer (64 KiB) holds 16, 4, 2 and 4 messages. */
static const struct tny_pace paces[] = {
    {1, 0, 0},    {3, 1, 0},     {2, 2, 0},     {4, 3, 0},
    {3, 1, 4096}, {4, 2, 16384}, {2, 0, 32768}, {1, 0, 16384},
};

/* What a schedule may have in flight over each link of a setting. */
struct flight {
  struct tny_budget *budgets;
  uint32_t *exact, *windows;
  bool *is_kept;
};

static void take_off(struct flight *flight, const struct setting *setting,
                     const struct tny_schedule *schedule, uint32_t window)
{
  const uint32_t link_count = setting->cluster->link_count;
  flight->budgets = tny_new(link_count, sizeof *flight->budgets);
  flight->exact = tny_new(link_count, sizeof *flight->exact);
  flight->windows = tny_new(link_count, sizeof *flight->windows);
  flight->is_kept = tny_new(link_count, sizeof *flight->is_kept);
  assert_true(flight->budgets && flight->exact && flight->windows && flight->is_kept);
  assert_int_equal(tny_verify_in_flight(schedule, &setting->network, 100000, flight->exact, NULL),
                   TNY_OK);
  assert_int_equal(tny_model_budgets(schedule, &setting->network, window, flight->budgets, NULL),
                   TNY_OK);
}

static void land(struct flight *flight)
{
  tny_free(flight->budgets);
  tny_free(flight->exact);
  tny_free(flight->windows);
  tny_free(flight->is_kept);
}

/* NULL: the algorithm doesn't serve this, or its schedule's links can't be limited. */
static struct tny_schedule *plan(const struct setting *setting,
                                 const struct tny_algorithm *algorithm, struct tny_pace pace)
{
  struct tny_problem problem = setting->problem;
  problem.collective = algorithm->collective;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  if (tny_algorithm_refusal(algorithm, &problem))
    return NULL;
  const enum tny_status status = tny_plan_all(algorithm, &problem, pace, &schedule, &error);
  if (status == TNY_REFUSED && pace.limit_message_bytes > 0)
    return NULL;
  if (status != TNY_OK)
    fail_msg("%s on %s: %s", algorithm->name, setting->cluster->name, error.text);
  return schedule;
}

static struct tny_schedule *plan_named(const struct setting *setting,
                                       enum tny_collective collective, const char *name,
                                       struct tny_pace pace)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  assert_non_null(algorithm);
  struct tny_schedule *schedule = plan(setting, algorithm, pace);
  assert_non_null(schedule);
  return schedule;
}

static struct tny_report prove(const struct tny_schedule *schedule)
{
  struct tny_report report;
  struct tny_error error = {0};
  if (tny_verify_schedule(schedule, &report, &error) != TNY_OK)
    fail_msg("%s, %u ranks: %s", schedule->algorithm, schedule->rank_count, error.text);
  return report;
}

/* --- budgets --- */

/* How many links' budgets are exact. */
static uint32_t check_budgets(const struct setting *setting, const struct tny_schedule *schedule,
                              struct tny_pace pace)
{
  struct flight flight;
  uint32_t exact = 0;
  take_off(&flight, setting, schedule, pace.window);
  for (uint32_t link = 0; link < setting->cluster->link_count; link++) {
    const struct tny_budget *budget = &flight.budgets[link];
    if (budget->at_worst < flight.exact[link])
      fail_msg("%s %s chunks %u window %u limit %u, link %u: %u at worst, but %u are possible",
               setting->cluster->name, schedule->algorithm, pace.chunk_count, pace.window,
               pace.limit_message_bytes, link, budget->at_worst, flight.exact[link]);
    assert_true(budget->in_step <= budget->at_worst);
    assert_true(budget->at_worst <= budget->messages);
    exact += budget->at_worst == flight.exact[link];
  }
  land(&flight);
  return exact;
}

static void no_budget_is_below_what_can_be_in_flight(void **state)
{
  (void)state;
  uint32_t links = 0, exact = 0;
  for (size_t i = 0; i < CLUSTERS; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], i % 2 ? TNY_MAP_INTERLEAVED : TNY_MAP_BLOCK, 0);
    for (const struct tny_algorithm *const *a = tny_algorithms; *a; a++) {
      for (size_t k = 0; k < sizeof paces / sizeof *paces; k++) {
        struct tny_schedule *schedule = plan(&setting, *a, paces[k]);
        if (!schedule)
          continue;
        prove(schedule);
        exact += check_budgets(&setting, schedule, paces[k]);
        links += setting.cluster->link_count;
        tny_schedule_free(schedule);
      }
    }
    tear_down(&setting);
  }
  assert_true(links > 10000);
  assert_true(exact > links / 10 * 7); /* a bound that is worth having */
}

static void a_ring_may_have_a_window_of_each_rank_on_one_link(void **state)
{
  (void)state;
  struct setting setting;
  struct flight flight;
  set_up(&setting, "switches:3+3", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_named(&setting, TNY_ALLGATHER, "switch-ordered-ring",
                                             (struct tny_pace){.chunk_count = 4, .window = 2});
  take_off(&flight, &setting, schedule, 2);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++) {
    assert_int_equal(flight.budgets[link].in_step, 2);
    assert_int_equal(flight.budgets[link].at_worst, 6 * 2);
    assert_int_equal(flight.exact[link], 6 * 2);
  }
  land(&flight);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void credits_keep_a_chain_to_its_window(void **state)
{
  (void)state;
  struct setting setting;
  struct flight flight;
  set_up(&setting, "switches:3+3", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_named(&setting, TNY_BROADCAST, "switch-ordered-chain",
                                             (struct tny_pace){.chunk_count = 9, .window = 3});
  take_off(&flight, &setting, schedule, 0);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    assert_int_equal(flight.budgets[link].at_worst, flight.budgets[link].messages > 0 ? 3 : 0);
  land(&flight);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void only_the_wanted_links_are_counted(void **state)
{
  (void)state;
  struct setting setting;
  struct flight flight;
  uint32_t some[64];
  bool wanted[64];
  set_up(&setting, "switches:3+2+4", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_named(&setting, TNY_ALLTOALL, "shuffle", paces[1]);
  take_off(&flight, &setting, schedule, 1);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++) {
    wanted[link] = link % 3 == 0;
    some[link] = 12345;
  }
  assert_int_equal(tny_verify_in_flight_on(schedule, &setting.network, wanted, some, NULL), TNY_OK);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    assert_int_equal(some[link], wanted[link] ? flight.exact[link] : 12345);
  land(&flight);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

/* --- windows --- */

/* Holds all links to a window, each to one more than the one before, and proves it. Links with one
   message a phase are limited for sure. */
static void check_hold(const struct setting *setting, const struct tny_schedule *in,
                       uint32_t window, bool may_wait)
{
  struct flight flight;
  struct tny_schedule *limited;
  struct tny_separation_report report;
  take_off(&flight, setting, in, 1);
  for (uint32_t link = 0; link < setting->cluster->link_count; link++)
    flight.windows[link] = window + link % 3;
  const struct tny_windows windows = {&setting->network, flight.windows, may_wait};
  assert_int_equal(tny_pass_limit_links(in, &windows, &limited, &report, NULL), TNY_OK);
  assert_int_equal(prove(limited).tokens, report.tokens);
  assert_int_equal(report.conflicts, report.redundant + report.waits + report.tokens);
  assert_int_equal(tny_verify_in_flight(limited, &setting->network, 100000, flight.exact, NULL),
                   TNY_OK);
  assert_int_equal(tny_windows_check(limited, &windows, flight.is_kept, NULL), TNY_OK);
  for (uint32_t link = 0; link < setting->cluster->link_count; link++)
    if (flight.budgets[link].in_step <= 1 &&
        (flight.exact[link] > flight.windows[link] || !flight.is_kept[link]))
      fail_msg("%s on %s, %u chunks: %u on link %u, which is limited to %u", in->algorithm,
               setting->cluster->name, in->chunk_count, flight.exact[link], link,
               flight.windows[link]);
  land(&flight);
  tny_schedule_free(limited);
}

static void a_limited_link_never_has_more_than_its_window(void **state)
{
  (void)state;
  static const struct tny_pace clocks[] = {{1, 0, 0}, {4, 0, 0}, {3, 1, 0}, {4, 3, 0}};
  for (size_t i = 0; i < CLUSTERS; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], TNY_MAP_BLOCK, 0);
    for (const struct tny_algorithm *const *a = tny_algorithms; *a; a++) {
      for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++) {
        struct tny_schedule *schedule =
            (*a)->pacing == TNY_PACE_RECEIVES || (*a)->pacing == TNY_PACE_LINKS
                ? plan(&setting, *a, clocks[k])
                : NULL;
        for (uint32_t window = 1; schedule && window <= 16; window = 2 * window + 1) {
          check_hold(&setting, schedule, window, false);
          check_hold(&setting, schedule, window, true);
        }
        tny_schedule_free(schedule);
      }
    }
    tear_down(&setting);
  }
}

static void a_window_is_said_to_be_kept_only_where_it_is(void **state)
{
  (void)state;
  uint32_t kept = 0, not_shown = 0;
  for (size_t i = 0; i < CLUSTERS; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], TNY_MAP_BLOCK, 0);
    for (const struct tny_algorithm *const *a = tny_algorithms; *a; a++) {
      struct tny_schedule *schedule = plan(&setting, *a, paces[1]);
      struct flight flight;
      if (!schedule)
        continue;
      take_off(&flight, &setting, schedule, 1);
      const struct tny_windows windows = {.network = &setting.network, .messages = flight.windows};
      for (uint32_t window = 1; window <= 8; window++) {
        for (uint32_t link = 0; link < setting.cluster->link_count; link++)
          flight.windows[link] = window;
        if (tny_windows_check(schedule, &windows, flight.is_kept, NULL) != TNY_OK)
          break; /* no phases */
        for (uint32_t link = 0; link < setting.cluster->link_count; link++) {
          assert_true(!flight.is_kept[link] || flight.exact[link] <= window);
          kept += flight.is_kept[link];
          not_shown += !flight.is_kept[link] && flight.exact[link] <= window;
        }
      }
      land(&flight);
      tny_schedule_free(schedule);
    }
    tear_down(&setting);
  }
  assert_true(kept > 4 * not_shown); /* a check that is worth having */
}

static void what_follows_anyway_needs_no_token(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_schedule *limited;
  struct tny_separation_report report;
  uint32_t messages[64];
  set_up(&setting, "single:16", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_named(&setting, TNY_ALLTOALL, "shuffle",
                                             (struct tny_pace){.chunk_count = 4, .window = 1});
  const struct tny_windows windows = {.network = &setting.network, .messages = messages};
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    messages[link] = 12;
  assert_int_equal(tny_pass_limit_links(schedule, &windows, &limited, &report, NULL), TNY_OK);
  assert_true(report.conflicts > 1000);
  assert_int_equal(report.tokens + report.waits, 0);
  tny_schedule_free(limited);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    messages[link] = 0;
  assert_int_equal(tny_pass_limit_links(schedule, &windows, &limited, &report, NULL), TNY_OK);
  assert_int_equal(report.conflicts, 0);
  tny_schedule_free(limited);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

/* How many tokens it takes to limit each link to 12 messages. */
static uint64_t tokens_of(const struct setting *setting, const struct tny_schedule *schedule,
                          bool may_wait)
{
  struct tny_schedule *limited;
  struct tny_separation_report report;
  uint32_t messages[64];
  for (uint32_t link = 0; link < setting->cluster->link_count; link++)
    messages[link] = 12;
  const struct tny_windows windows = {&setting->network, messages, may_wait};
  assert_int_equal(tny_pass_limit_links(schedule, &windows, &limited, &report, NULL), TNY_OK);
  assert_int_equal(report.open, 0);
  tny_schedule_free(limited);
  return report.tokens;
}

static void sends_that_wait_for_their_ranks_receives_save_tokens(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:5+11", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule =
      plan_named(&setting, TNY_ALLTOALL, "tree-phases", (struct tny_pace){.chunk_count = 4});
  const uint64_t with = tokens_of(&setting, schedule, true);
  const uint64_t without = tokens_of(&setting, schedule, false);
  print_message("%llu messages, %llu tokens, %llu where sends do not wait\n",
                (unsigned long long)prove(schedule).messages, (unsigned long long)with,
                (unsigned long long)without);
  assert_true(with > 0 && 3 * with < 2 * without);
  assert_true(5 * with < 3 * prove(schedule).messages);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void one_token_serves_several_messages_in_a_row(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:8+8", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule =
      plan_named(&setting, TNY_ALLGATHER, "switch-ordered-ring",
                 (struct tny_pace){.chunk_count = 16, .limit_message_bytes = 4096});
  const struct tny_report report = prove(schedule);
  assert_true(report.tokens > 0);
  assert_true(report.tokens <= report.messages / 2);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static bool same_steps(const struct tny_steps *a, const struct tny_steps *b)
{
  return a->count == b->count && a->after_total == b->after_total &&
         memcmp(a->steps, b->steps, a->count * sizeof *a->steps) == 0 &&
         (a->after_total == 0 ||
          memcmp(a->after, b->after, a->after_total * sizeof *a->after) == 0);
}

static void a_rank_plans_its_part_of_a_limited_schedule(void **state)
{
  (void)state;
  const struct tny_pace pace = {.chunk_count = 4, .limit_message_bytes = 5376};
  struct setting setting;
  set_up(&setting, "switches:2+5", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_named(&setting, TNY_ALLTOALL, "tree-phases", pace);
  struct tny_problem problem = setting.problem;
  problem.collective = TNY_ALLTOALL;
  assert_true(prove(schedule).tokens > 0);
  for (uint32_t rank = 0; rank < problem.rank_count; rank++) {
    struct tny_steps steps;
    assert_int_equal(tny_plan_rank(tny_algorithm_find(TNY_ALLTOALL, "tree-phases"), &problem, pace,
                                   rank, &steps, NULL),
                     TNY_OK);
    assert_true(same_steps(&steps, &schedule->ranks[rank]));
    tny_steps_release(&steps);
  }
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void links_are_limited_only_where_there_is_a_cluster(void **state)
{
  (void)state;
  const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = 4};
  const struct tny_pace pace = {.chunk_count = 1, .limit_message_bytes = 4096};
  struct tny_schedule *schedule;
  assert_int_equal(
      tny_plan_all(tny_algorithm_find(TNY_ALLTOALL, "shuffle"), &problem, pace, &schedule, NULL),
      TNY_REFUSED);
}

/* A schedule and its flight: what is done to limit its links. */
struct limiting {
  const struct tny_schedule *schedule;
  const struct tny_network *network;
  struct flight *flight;
};

static enum tny_status limit_and_count(const void *subject, struct tny_error *error)
{
  const struct limiting *of = subject;
  const struct tny_windows windows = {of->network, of->flight->windows, true};
  struct tny_schedule *limited = NULL;
  enum tny_status status = tny_pass_limit_links(of->schedule, &windows, &limited, NULL, error);
  tny_schedule_free(limited);
  if (status == TNY_OK)
    status = tny_windows_check(of->schedule, &windows, of->flight->is_kept, error);
  if (status == TNY_OK)
    status = tny_model_budgets(of->schedule, of->network, 2, of->flight->budgets, error);
  if (status == TNY_OK)
    status = tny_verify_in_flight(of->schedule, of->network, 1000, of->flight->exact, error);
  return status;
}

static void no_memory_is_said_and_nothing_leaks(void **state)
{
  (void)state;
  struct setting setting;
  struct flight flight;
  set_up(&setting, "switches:2+3", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_named(&setting, TNY_ALLTOALL, "shuffle", paces[2]);
  take_off(&flight, &setting, schedule, 2);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    flight.windows[link] = 3;
  const struct limiting limiting = {schedule, &setting.network, &flight};
  assert_true(starve(limit_and_count, &limiting) > 0);
  land(&flight);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

/* --- pace --- */

/* How the model cuts and clocks blocks of so many bytes. */
static struct tny_pace pace_of(const struct setting *setting, enum tny_collective collective,
                               const char *name, uint64_t block_bytes)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  struct tny_problem problem = setting->problem, prepared;
  uint64_t chunk_budget_bytes;
  problem.collective = collective;
  assert_non_null(algorithm);
  assert_int_equal(tny_problem_prepare(algorithm, &problem, &prepared, NULL), TNY_OK);
  assert_int_equal(
      tny_model_chunk_budget(algorithm, &prepared, &setting->network, &chunk_budget_bytes, NULL),
      TNY_OK);
  const struct tny_model model = tny_model_make(&setting->network, problem.rank_count);
  const struct tny_pace pace =
      tny_model_pace(&model, algorithm, &prepared, chunk_budget_bytes, block_bytes);
  tny_problem_release(algorithm, &prepared);
  return pace;
}

struct measured {
  const char *cluster;
  enum tny_collective collective;
  const char *algorithm;
  struct tny_pace pace; /* of 64 KiB */
};

static void what_was_measured_is_clocked_as_it_was(void **state)
{
  (void)state;
  static const struct measured cases[] = {
      {"single:16,link=20Mbit/s", TNY_ALLTOALL, "shuffle", {16, 1, 0}},
      {"single:16,link=100Mbit/s", TNY_ALLTOALL, "shuffle", {16, 1, 0}},
      {"single:16,link=20Mbit/s", TNY_ALLGATHER, "switch-ordered-ring", {16, 1, 0}},
      {"switches:8+8,link=20Mbit/s", TNY_ALLTOALL, "shuffle", {16, 1, 0}},
      {"switches:8+8,link=20Mbit/s", TNY_ALLGATHER, "switch-ordered-ring", {16, 1, 0}},
      {"switches:8+8,link=20Mbit/s", TNY_BROADCAST, "switch-ordered-chain", {52, 13, 0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct setting setting;
    set_up(&setting, cases[i].cluster, TNY_MAP_BLOCK, 0);
    const struct tny_pace pace = pace_of(&setting, cases[i].collective, cases[i].algorithm, 65536);
    assert_int_equal(pace.chunk_count, cases[i].pace.chunk_count);
    assert_int_equal(pace.window, cases[i].pace.window);
    assert_int_equal(pace.limit_message_bytes, 0);
    tear_down(&setting);
  }
}

/* Plans as the model says; returns the messages of which no port buffer has more than it takes, but
   for hosts' ports where `only_trunks`. */
static void check_buffers(const struct setting *setting, enum tny_collective collective,
                          const char *name, uint64_t block_bytes, bool only_trunks)
{
  const struct tny_pace pace = pace_of(setting, collective, name, block_bytes);
  const uint64_t message_bytes = (block_bytes + pace.chunk_count - 1) / pace.chunk_count;
  struct tny_schedule *schedule = plan_named(setting, collective, name, pace);
  struct flight flight;
  prove(schedule);
  take_off(&flight, setting, schedule, pace.window);
  for (uint32_t link = 0; link < setting->cluster->link_count; link++) {
    const struct tny_link *at = &setting->cluster->links[link];
    const bool is_port =
        at->from < setting->cluster->host_count || at->to < setting->cluster->host_count;
    if (!(only_trunks && is_port) && flight.exact[link] * message_bytes > at->buffer_bytes)
      fail_msg("%s on %s: %u messages of %llu bytes on link %u", name, setting->cluster->name,
               flight.exact[link], (unsigned long long)message_bytes, link);
  }
  land(&flight);
  tny_schedule_free(schedule);
}

static void no_buffer_can_overflow_where_ranks_take_turns_on_a_trunk(void **state)
{
  (void)state;
  static const char *const trees[] = {"switches:5+11,link=20Mbit/s", "switches:3+4+5+6",
                                      "switches:2+14,link=20Mbit/s"};
  for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
    struct setting setting;
    set_up(&setting, trees[i], TNY_MAP_BLOCK, 0);
    const struct tny_pace pace = pace_of(&setting, TNY_ALLTOALL, "tree-phases", 16384);
    assert_int_equal(pace.window, 0);
    assert_true(pace.limit_message_bytes > 4096);
    check_buffers(&setting, TNY_ALLTOALL, "tree-phases", 16384, false);
    tear_down(&setting);
  }
}

static void no_trunk_can_overflow_where_many_ranks_share_it(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:5+27,link=20Mbit/s", TNY_MAP_BLOCK, 0);
  assert_true(pace_of(&setting, TNY_ALLTOALL, "shuffle", 16384).limit_message_bytes > 0);
  check_buffers(&setting, TNY_ALLTOALL, "shuffle", 16384, true);
  check_buffers(&setting, TNY_ALLGATHER, "switch-ordered-ring", 16384, false);
  tear_down(&setting);
  set_up(&setting, "switches:12+12,link=1Gbit/s", TNY_MAP_INTERLEAVED, 0);
  check_buffers(&setting, TNY_ALLTOALL, "shuffle", 65536, true);
  check_buffers(&setting, TNY_ALLGATHER, "switch-ordered-ring", 65536, false);
  tear_down(&setting);
}

/* Fast ports; a slow trunk with a buffer of a quarter. */
static struct tny_cluster *slow_trunk(uint32_t hosts)
{
  struct tny_text text = {0};
  tny_text_add(&text, "cluster 1 slow\n");
  for (uint32_t i = 0; i < hosts; i++)
    tny_text_add(&text, "host h%u\n", i);
  tny_text_add(&text, "switch s0\nswitch s1\ncable s0 s1 20000000 5000 16384\n");
  for (uint32_t i = 0; i < hosts; i++)
    tny_text_add(&text, "cable h%u s%u 1000000000 5000 65536\n", i, i % 2);
  struct tny_cluster *cluster;
  assert_false(text.failed);
  assert_int_equal(tny_cluster_read_flat(text.bytes, &cluster, NULL), TNY_OK);
  tny_text_release(&text);
  return cluster;
}

static void a_slow_trunk_among_fast_ports_has_a_window_of_its_own(void **state)
{
  (void)state;
  struct setting setting;
  struct flight flight;
  set_up_on(&setting, slow_trunk(8), TNY_MAP_BLOCK, 0);
  const struct tny_pace pace = pace_of(&setting, TNY_ALLGATHER, "switch-ordered-ring", 65536);
  assert_true(pace.limit_message_bytes > 0);
  check_buffers(&setting, TNY_ALLGATHER, "switch-ordered-ring", 65536, false);
  struct tny_schedule *schedule = plan_named(&setting, TNY_ALLGATHER, "switch-ordered-ring", pace);
  take_off(&flight, &setting, schedule, pace.window);
  uint32_t trunk = 0, port = 0;
  for (uint32_t link = 0; link < setting.cluster->link_count; link++) {
    uint32_t *most = setting.cluster->links[link].bandwidth_bps < 1000000000 ? &trunk : &port;
    if (flight.exact[link] > *most)
      *most = flight.exact[link];
  }
  assert_int_equal(trunk, 4);
  assert_true(port > trunk);
  land(&flight);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_budget_is_below_what_can_be_in_flight),
      cmocka_unit_test(a_ring_may_have_a_window_of_each_rank_on_one_link),
      cmocka_unit_test(credits_keep_a_chain_to_its_window),
      cmocka_unit_test(only_the_wanted_links_are_counted),
      cmocka_unit_test(a_limited_link_never_has_more_than_its_window),
      cmocka_unit_test(a_window_is_said_to_be_kept_only_where_it_is),
      cmocka_unit_test(what_follows_anyway_needs_no_token),
      cmocka_unit_test(sends_that_wait_for_their_ranks_receives_save_tokens),
      cmocka_unit_test(one_token_serves_several_messages_in_a_row),
      cmocka_unit_test(a_rank_plans_its_part_of_a_limited_schedule),
      cmocka_unit_test(links_are_limited_only_where_there_is_a_cluster),
      cmocka_unit_test(no_memory_is_said_and_nothing_leaks),
      cmocka_unit_test(what_was_measured_is_clocked_as_it_was),
      cmocka_unit_test(no_buffer_can_overflow_where_ranks_take_turns_on_a_trunk),
      cmocka_unit_test(no_trunk_can_overflow_where_many_ranks_share_it),
      cmocka_unit_test(a_slow_trunk_among_fast_ports_has_a_window_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
