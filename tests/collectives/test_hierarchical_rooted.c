/* The hierarchical scatter and gather on zones of switches of hosts of ranks, of any size: that
   they are right for every root, that each wide link and each switch gets its blocks in one
   message, and that ports and trunks keep what is claimed. */
#include "levels_support.h"

#include <tourney/verify.h>

static const char *const shapes[] = {"1",           "1.1.1",         "2.1.3",
                                     "1+1",         "2+1.1",         "1.1.1+1.1",
                                     "1|1",         "3|1",           "1.1+1|1.1+1.1|1",
                                     "2.2+1|3",     "3.1+2|1+1.2|4", "1.1.1.1.1+1+1.1.1|2",
                                     "1.1+1.1+1.1", "2.2|2.2|2.2",   "1.2.3+3.2.1|2+2+2"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const enum tny_collective forms[] = {TNY_SCATTER, TNY_GATHER};

/* Data, progress and the claim are right; without zones, also of trunks. */
static struct tny_schedule *plan(const struct stage *stage, enum tny_collective collective,
                                 uint32_t root)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, "hierarchical");
  const struct tny_problem problem = {.collective = collective,
                                      .rank_count = stage->rank_count,
                                      .root = root,
                                      .placement = stage->placement,
                                      .network = &stage->network};
  const struct tny_claim claim = tny_algorithm_claim(algorithm, &problem);
  struct tny_schedule *schedule = NULL;
  struct tny_report report;
  struct tny_error error = {0};
  enum tny_status status =
      tny_plan_all(algorithm, &problem, (struct tny_pace){.chunk_count = 1}, &schedule, &error);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, &error);
  if (status == TNY_OK)
    status = tny_verify_claim(&report, &claim, &error);
  if (status == TNY_OK && stage->placement->zone_count == 1)
    status = tny_verify_links(schedule, &stage->network, 1, &report, &error);
  if (status != TNY_OK)
    fail_msg("%s on %s, root %u: %s", tny_collective_name(collective), stage->shape, root,
             error.text);
  return schedule;
}

/* The messages, and their blocks, from ranks of one group to those of another, by the groups of
   their hosts. */
struct crossing {
  uint32_t messages, blocks;
};

static struct crossing between(const struct stage *stage, const struct tny_schedule *schedule,
                               const uint32_t *group_of, uint32_t from, uint32_t to)
{
  struct crossing found = {0};
  for (uint32_t rank = 0; rank < stage->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND || group_of[stage->hosts[rank]] != from ||
          group_of[stage->hosts[step->peer]] != to)
        continue;
      found.messages++;
      found.blocks += step->span.count;
    }
  return found;
}

static uint32_t ranks_in(const struct stage *stage, const uint32_t *group_of, uint32_t group)
{
  uint32_t ranks = 0;
  for (uint32_t rank = 0; rank < stage->rank_count; rank++)
    ranks += group_of[stage->hosts[rank]] == group;
  return ranks;
}

/* Is it one message with a block for each rank of the away group where these are to exchange, and
   none else? */
static void expect_crossing(const struct stage *stage, const struct tny_schedule *schedule,
                            const uint32_t *group_of, uint32_t home, uint32_t away)
{
  const bool gathers = schedule->collective == TNY_GATHER;
  const struct crossing there =
      between(stage, schedule, group_of, gathers ? away : home, gathers ? home : away);
  const struct crossing back =
      between(stage, schedule, group_of, gathers ? home : away, gathers ? away : home);
  assert_int_equal(there.messages, 1);
  assert_int_equal(there.blocks, ranks_in(stage, group_of, away));
  assert_int_equal(back.messages, 0);
}

static void expect_zones(const struct stage *stage, const struct tny_schedule *schedule)
{
  const uint32_t home = stage->zone_of[stage->hosts[schedule->root]];
  const uint32_t zones = stage->placement->zone_count;
  for (uint32_t zone = 0; zone < zones; zone++) {
    if (zone != home)
      expect_crossing(stage, schedule, stage->zone_of, home, zone);
    for (uint32_t other = 0; other < zones; other++)
      if (zone != home && other != home && other != zone)
        assert_int_equal(between(stage, schedule, stage->zone_of, zone, other).messages, 0);
  }
}

/* Within the root's zone the root's switch exchanges with each other one. */
static void expect_switches(const struct stage *stage, const struct tny_schedule *schedule)
{
  const uint32_t root_host = stage->hosts[schedule->root];
  const uint32_t home = stage->switch_of[root_host];
  for (uint32_t host = 0; host < stage->cluster->host_count; host++)
    if (stage->zone_of[host] == stage->zone_of[root_host] && stage->switch_of[host] != home)
      expect_crossing(stage, schedule, stage->switch_of, home, stage->switch_of[host]);
}

static void each_zone_and_switch_gets_its_blocks_in_one_message(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < SHAPES; i++)
    for (uint64_t scatter = 0; scatter < 2; scatter++) {
      struct stage stage;
      set_up(&stage, shapes[i], scatter);
      for (uint32_t root = 0; root < 2 * stage.rank_count; root++) {
        struct tny_schedule *schedule = plan(&stage, forms[root % 2], root / 2);
        expect_zones(&stage, schedule);
        expect_switches(&stage, schedule);
        tny_schedule_free(schedule);
      }
      tear_down(&stage);
    }
}

/* Zones 0-3 of switches 0 1 and 2 3, 4 5 and 6 7. */
static void the_picture_at_its_head_is_what_it_does(void **state)
{
  (void)state;
  static const struct {
    uint32_t from, to, blocks, phase;
  } messages[] = {{0, 4, 2, 0}, {0, 6, 2, 1}, {0, 2, 2, 2}, {0, 1, 1, 3},
                  {4, 5, 1, 1}, {6, 7, 1, 2}, {2, 3, 1, 3}};
  enum { MESSAGES = sizeof messages / sizeof *messages };
  struct stage stage;
  set_up(&stage, "1.1+1.1|1.1|1.1", 0);
  struct tny_schedule *schedule = plan(&stage, TNY_SCATTER, 0);
  uint32_t found = 0, sends = 0;
  for (uint32_t rank = 0; rank < 8; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      sends += step->kind == TNY_SEND;
      for (uint32_t k = 0; k < MESSAGES; k++)
        found += step->kind == TNY_SEND && messages[k].from == rank &&
                 messages[k].to == step->peer && messages[k].blocks == step->span.count &&
                 messages[k].phase == step->phase;
    }
  assert_int_equal(found, MESSAGES);
  assert_int_equal(sends, MESSAGES);
  tny_schedule_free(schedule);
  tear_down(&stage);
}

/* What a scatter sends in a phase, a gather sends back in the same phase counted from the end. */
static void a_gather_is_the_scatter_backwards(void **state)
{
  (void)state;
  struct stage stage;
  set_up(&stage, "2.2+1|3", 1);
  for (uint32_t root = 0; root < stage.rank_count; root++) {
    struct tny_schedule *there = plan(&stage, TNY_SCATTER, root);
    struct tny_schedule *back = plan(&stage, TNY_GATHER, root);
    uint32_t last = 0, matched = 0;
    for (uint32_t rank = 0; rank < stage.rank_count; rank++)
      for (uint32_t i = 0; i < there->ranks[rank].count; i++)
        if (there->ranks[rank].steps[i].kind == TNY_SEND &&
            there->ranks[rank].steps[i].phase > last)
          last = there->ranks[rank].steps[i].phase;
    for (uint32_t rank = 0; rank < stage.rank_count; rank++)
      for (uint32_t i = 0; i < there->ranks[rank].count; i++) {
        const struct tny_step *sent = &there->ranks[rank].steps[i];
        const struct tny_steps *others = &back->ranks[sent->kind == TNY_SEND ? sent->peer : rank];
        for (uint32_t k = 0; sent->kind == TNY_SEND && k < others->count; k++)
          matched += others->steps[k].kind == TNY_SEND && others->steps[k].peer == rank &&
                     others->steps[k].phase == last - sent->phase &&
                     others->steps[k].span.count == sent->span.count;
      }
    assert_int_equal(matched, stage.rank_count - 1);
    tny_schedule_free(there);
    tny_schedule_free(back);
  }
  tear_down(&stage);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_zone_and_switch_gets_its_blocks_in_one_message),
      cmocka_unit_test(the_picture_at_its_head_is_what_it_does),
      cmocka_unit_test(a_gather_is_the_scatter_backwards),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
