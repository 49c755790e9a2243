/* The messages of a schedule, and what goes between groups by Bine's butterfly (reproduce/). What
   is expected was counted by hand. */
#include "support/cluster.h"
#include "support/memory.h"

#include <math.h>
#include <tourney/verify.h>

#include "reproduce/desensi2025/desensi2025.h"
#include "reproduce/shared/experiment.h"
#include "reproduce/shared/sends.h"

static struct tny_site open_site(const char *cluster)
{
  struct tny_site site;
  assert_int_equal(tny_site_open(&site, &(struct tny_site_wanted){.cluster = cluster}, NULL),
                   TNY_OK);
  return site;
}

static struct tny_schedule *plan(const char *cluster, uint32_t chunk_count)
{
  struct tny_site site = open_site(cluster);
  const struct tny_plan_wanted wanted = {
      .collective = TNY_ALLGATHER, .algorithm = "ring", .chunk_count = chunk_count};
  struct tny_schedule *schedule;
  assert_int_equal(tny_site_plan(&site, &wanted, &schedule, NULL), TNY_OK);
  tny_site_close(&site);
  return schedule;
}

/* A ring of 5: in each of 4 phases each rank sends one block to the next. */
static void every_message_is_listed_once(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan("single:5", 1);
  struct tny_sends messages;
  bool seen[4][5] = {{false}};
  assert_int_equal(tny_sends_list(schedule, &messages, NULL), TNY_OK);
  assert_int_equal(messages.count, 20);
  assert_int_equal(messages.rank_count, 5);
  assert_int_equal(messages.phase_count, 4);
  for (size_t i = 0; i < messages.count; i++) {
    const struct tny_sent *message = &messages.list[i];
    assert_int_equal(message->to, (message->from + 1) % 5);
    assert_int_equal(message->blocks, 1);
    assert_false(seen[message->phase][message->from]);
    seen[message->phase][message->from] = true;
  }
  tny_sends_release(&messages);
  tny_schedule_free(schedule);
}

static void blocks_in_chunks_are_refused(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan("single:5", 2);
  struct tny_sends messages;
  assert_int_equal(tny_sends_list(schedule, &messages, NULL), TNY_REFUSED);
  tny_sends_release(&messages);
  tny_schedule_free(schedule);
}

/* Of 8 ranks; phase 0: three apart, once round the end; phase 1: three and two apart. */
static struct tny_sent by_hand[] = {
    {0, 3, 0, 2}, {6, 1, 0, 5}, {1, 4, 1, 1}, {7, 1, 1, 3}, {2, 3, 2, 7},
};
static const struct tny_sends hand_made = {
    .list = by_hand, .count = 5, .rank_count = 8, .phase_count = 3};

static void a_distance_is_the_shorter_way_round_and_common_to_a_phase(void **state)
{
  (void)state;
  assert_true(tny_sends_distance(&hand_made, 0) == 3);
  assert_true(isnan(tny_sends_distance(&hand_made, 1)));
  assert_true(tny_sends_distance(&hand_made, 2) == 1);
  assert_true(isnan(tny_sends_distance(&hand_made, 3)));
}

/* On a ring hops are distances. In 3 x 3, rank x + 3 y at x y, 0 and 3 are neighbours, and from 6
   to 1 it is one along x and one round the end along y; 1 and 4 are neighbours, and so are 7 and 1
   round the end; from 2 to 3 it is one each way. One switch has only the hosts' own cables. */
static void hops_are_cables_between_switches(void **state)
{
  (void)state;
  struct tny_site ring = open_site("ring:8"), torus = open_site("torus:3x3"),
                  single = open_site("single:8");
  assert_int_equal(tny_site_number(&ring, NULL), TNY_OK);
  assert_int_equal(tny_site_number(&torus, NULL), TNY_OK);
  for (uint32_t phase = 0; phase < 3; phase++) {
    const double distance = tny_sends_distance(&hand_made, phase);
    const double hops = tny_sends_hops(&hand_made, phase, &ring.network);
    assert_true(hops == distance || (isnan(hops) && isnan(distance)));
    assert_true(tny_sends_hops(&hand_made, phase, &single.network) == 0);
  }
  assert_true(isnan(tny_sends_hops(&hand_made, 0, &torus.network)));
  assert_true(tny_sends_hops(&hand_made, 1, &torus.network) == 1);
  assert_true(tny_sends_hops(&hand_made, 2, &torus.network) == 2);
  tny_site_close(&ring);
  tny_site_close(&torus);
  tny_site_close(&single);
}

/* On one switch, host 0 sends 2 blocks, and 5 and 3 come to host 1. Elsewhere as the verifier
   counts them. */
static void a_link_s_load_is_the_blocks_that_go_over_it(void **state)
{
  (void)state;
  struct tny_site single = open_site("single:8"), torus = open_site("torus:3x3");
  struct tny_schedule *schedule = plan("single:9", 1);
  struct tny_sends sends;
  uint64_t load[128], verified[128];
  tny_sends_load(&hand_made, &single.network, load);
  for (uint32_t i = 0; i < single.cluster->link_count; i++) {
    const struct tny_link *link = &single.cluster->links[i];
    if (link->from == single.host_of_rank[0])
      assert_int_equal(load[i], 2);
    if (link->to == single.host_of_rank[1])
      assert_int_equal(load[i], 8);
  }
  assert_in_range(torus.cluster->link_count, 1, 128);
  assert_int_equal(tny_sends_list(schedule, &sends, NULL), TNY_OK);
  tny_sends_load(&sends, &torus.network, load);
  assert_int_equal(tny_verify_load(schedule, &torus.network, 1, verified, NULL), TNY_OK);
  assert_memory_equal(load, verified, torus.cluster->link_count * sizeof *load);
  tny_sends_release(&sends);
  tny_schedule_free(schedule);
  tny_site_close(&single);
  tny_site_close(&torus);
}

static void only_what_changes_groups_is_between_them(void **state)
{
  (void)state;
  const uint32_t one[8] = {0}, halves[8] = {0, 0, 0, 0, 1, 1, 1, 1};
  const uint32_t alone[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  assert_int_equal(tny_sends_between(&hand_made, one), 0);
  assert_int_equal(tny_sends_between(&hand_made, halves), 5 + 1 + 3);
  assert_int_equal(tny_sends_between(&hand_made, alone), 2 + 5 + 1 + 3 + 7);
}

/* 8 ranks; pairs times the blocks that each sends. Cut behind 4: of the binomial butterfly only
   0 4, 1 5, 2 6, 3 7 cross, with one, 4; of Bine's 3 4, 7 0 with 2, and 2 5, 6 1 with one, 6.
   Cut behind 2: binomial 0 2, 1 3 with 2 and 0 4, 1 5 with 1, 6; Bine 1 2, 7 0 with 2,
   0 3, 6 1 with 1, 6. In three groups of 2, 4, 2: binomial 0 2, 1 3, 4 6, 5 7 with 2, and 0 4, 1 5,
   2 6, 3 7 with 1, 12; Bine 1 2, 5 6, 7 0 with 2 and 0 3, 4 7, 6 1 with 1, 9. */
static void bine_saves_what_is_counted_by_hand(void **state)
{
  (void)state;
  struct tny_bine_butterflies butterflies;
  assert_int_equal(tny_bine_open(&butterflies, 8, NULL), TNY_OK);
  assert_int_equal(butterflies.bine.count, 24);
  assert_int_equal(butterflies.binomial.count, 24);
  assert_true(tny_bine_reduction(&butterflies, (const uint32_t[]){4}, 1) == -50);
  assert_true(tny_bine_reduction(&butterflies, (const uint32_t[]){2}, 1) == 0);
  assert_true(tny_bine_reduction(&butterflies, (const uint32_t[]){2, 6}, 2) == 25);
  tny_bine_close(&butterflies);
}

/* Wherever the ranks are cut in two; and in halves it sends the most. */
static void in_two_groups_bine_saves_nothing(void **state)
{
  (void)state;
  for (uint32_t p = 8; p <= 128; p *= 2) {
    struct tny_bine_butterflies butterflies;
    assert_int_equal(tny_bine_open(&butterflies, p, NULL), TNY_OK);
    const double halves = tny_bine_reduction(&butterflies, &(const uint32_t){p / 2}, 1);
    assert_true(halves <= -50);
    for (uint32_t end = 1; end < p; end++) {
      const double reduction = tny_bine_reduction(&butterflies, &end, 1);
      assert_true(halves <= reduction && reduction <= 0);
    }
    tny_bine_close(&butterflies);
  }
}

/* Two ends of 5 ranks: the 6 pairs of 1 to 4, each about as often. */
static void ends_are_drawn_evenly(void **state)
{
  (void)state;
  enum { DRAWS = 6000 };
  uint32_t times[5][5] = {{0}};
  uint64_t random = 1;
  for (size_t draw = 0; draw < DRAWS; draw++) {
    uint32_t ends[2] = {0, 0};
    tny_bine_draw_ends(5, 2, &random, ends);
    assert_true(1 <= ends[0] && ends[0] < ends[1] && ends[1] <= 4);
    times[ends[0]][ends[1]]++;
  }
  for (uint32_t first = 1; first <= 4; first++)
    for (uint32_t second = first + 1; second <= 4; second++)
      assert_in_range(times[first][second], DRAWS / 6 - 150, DRAWS / 6 + 150);
}

static enum tny_status open_butterflies(const void *subject, struct tny_error *error)
{
  struct tny_bine_butterflies butterflies;
  (void)subject;
  const enum tny_status status = tny_bine_open(&butterflies, 8, error);
  tny_bine_close(&butterflies);
  return status;
}

static void lacking_memory_is_said(void **state)
{
  (void)state;
  assert_true(starve(open_butterflies, NULL) > 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_message_is_listed_once),
      cmocka_unit_test(blocks_in_chunks_are_refused),
      cmocka_unit_test(a_distance_is_the_shorter_way_round_and_common_to_a_phase),
      cmocka_unit_test(hops_are_cables_between_switches),
      cmocka_unit_test(a_link_s_load_is_the_blocks_that_go_over_it),
      cmocka_unit_test(only_what_changes_groups_is_between_them),
      cmocka_unit_test(bine_saves_what_is_counted_by_hand),
      cmocka_unit_test(in_two_groups_bine_saves_nothing),
      cmocka_unit_test(ends_are_drawn_evenly),
      cmocka_unit_test(lacking_memory_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
