/* The all-to-alls for switches: who meets whom, what waits, and the exact numbers that they claim.
   That every one is right is also proved by test_algorithms.c; here over more parameters, and two
   clusters of every size. */
#include "support/setting.h"

#include <tourney/verify.h>

#include "collectives/shared/groups.h"

enum { RANKS_MAX = 128, PHASES_MAX = 512 };

static const struct tny_pace whole = {.chunk_count = 1, .window = 0};

/* A problem on one or two switches with the storage it points to. */
struct arrangement {
  struct tny_problem problem;
  uint32_t order[RANKS_MAX], position[RANKS_MAX], switch_first[3], host_first[RANKS_MAX + 1];
  struct tny_placement placement;
};

/* `first` ranks on one switch and `second` on another, 0: there is none. Ranks stand by number, or
   `stride`, prime to their count, apart. */
static void set(struct arrangement *arrangement, uint32_t first, uint32_t second, uint32_t stride)
{
  const uint32_t p = first + second;
  assert_true(p <= RANKS_MAX);
  for (uint32_t i = 0; i < p; i++) {
    arrangement->order[i] = i * stride % p;
    arrangement->host_first[i] = i;
    arrangement->position[arrangement->order[i]] = i;
  }
  arrangement->host_first[p] = p;
  arrangement->switch_first[0] = 0;
  arrangement->switch_first[1] = first;
  arrangement->switch_first[2] = p;
  arrangement->placement = (struct tny_placement){.rank_count = p,
                                                  .order = arrangement->order,
                                                  .position = arrangement->position,
                                                  .switch_count = second ? 2 : 1,
                                                  .host_count = p,
                                                  .switch_first = arrangement->switch_first,
                                                  .host_first = arrangement->host_first};
  arrangement->problem = (struct tny_problem){
      .collective = TNY_ALLTOALL, .rank_count = p, .placement = &arrangement->placement};
}

static uint32_t stride_for(uint32_t p)
{
  uint32_t stride = p / 2 + 1;
  for (uint32_t a = stride, b = p; b > 0;) {
    const uint32_t rest = a % b;
    a = b;
    b = rest;
    if (b == 0 && a > 1) {
      a = ++stride;
      b = p;
    }
  }
  return stride;
}

static const struct tny_algorithm *algorithm(const char *name)
{
  const struct tny_algorithm *found = tny_algorithm_find(TNY_ALLTOALL, name);
  assert_non_null(found);
  return found;
}

static struct tny_schedule *plan(const char *name, const struct tny_problem *problem,
                                 struct tny_pace pace)
{
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  if (tny_plan_all(algorithm(name), problem, pace, &schedule, &error) != TNY_OK)
    fail_msg("%s, %u ranks: %s", name, problem->rank_count, error.text);
  return schedule;
}

static struct tny_claim claim_of(const char *name, const struct tny_problem *problem)
{
  struct tny_problem prepared;
  assert_int_equal(tny_problem_prepare(algorithm(name), problem, &prepared, NULL), TNY_OK);
  const struct tny_claim claim = algorithm(name)->claim(&prepared);
  tny_problem_release(algorithm(name), &prepared);
  return claim;
}

/* In each phase a rank sends and receives at most one message, and `phases` are in use. */
static void check_phases(const struct tny_schedule *schedule, uint32_t phases)
{
  uint32_t last = 0;
  assert_true(phases <= PHASES_MAX);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    bool is_taken[2][PHASES_MAX] = {{false}};
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND && step->kind != TNY_RECV)
        continue;
      assert_true(step->phase < phases);
      assert_false(is_taken[step->kind == TNY_RECV][step->phase]);
      is_taken[step->kind == TNY_RECV][step->phase] = true;
      last = step->phase + 1 > last ? step->phase + 1 : last;
    }
  }
  assert_int_equal(last, phases);
}

static uint32_t scratch_end(const struct tny_span *span)
{
  return span->buffer == TNY_SCRATCH ? span->first + span->count : 0;
}

static void check_scratch(const struct tny_schedule *schedule, uint32_t blocks)
{
  uint32_t most = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      const uint32_t read = scratch_end(&step->span), written = scratch_end(&step->target);
      most = read > most ? read : most;
      most = written > most ? written : most;
    }
  }
  assert_int_equal(most, blocks);
}

/* Data, progress, and each number of the claim. */
static void prove_exactly(const char *name, const struct tny_problem *problem)
{
  struct tny_error error = {0};
  struct tny_report report;
  struct tny_schedule *schedule = plan(name, problem, whole);
  const struct tny_claim claim = claim_of(name, problem);
  if (tny_verify_data(schedule, &error) != TNY_OK ||
      tny_verify_progress(schedule, &report, &error) != TNY_OK ||
      tny_verify_claim(&report, &claim, &error) != TNY_OK)
    fail_msg("%s:%u, %u ranks, first switch %u: %s", name, problem->parameter, problem->rank_count,
             problem->placement ? problem->placement->switch_first[1] : 0, error.text);
  check_phases(schedule, claim.phases);
  check_scratch(schedule, claim.scratch_blocks);
  assert_int_equal(claim.port_messages, 1);
  tny_schedule_free(schedule);
}

/* Figure 1 of the paper, as printed; -1: idle. */
static int edge_colour(int round, int myid, int p)
{
  const int colours = p % 2 ? p : p - 1;
  int v;
  if (myid < colours)
    v = (round + colours - myid) % colours;
  else
    v = round % 2 ? (round + colours) / 2 % colours : round / 2;
  if (p % 2 && v == myid)
    return -1;
  return v == myid ? colours : v;
}

static void the_pairs_of_pairwise_are_those_of_figure_1(void **state)
{
  (void)state;
  for (int p = 2; p <= 65; p++) {
    const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = (uint32_t)p};
    struct tny_schedule *schedule = plan("pairwise", &problem, whole);
    for (int rank = 0; rank < p; rank++) {
      const struct tny_step *step = schedule->ranks[rank].steps;
      for (int round = 1; round <= (p % 2 ? p : p - 1); round++) {
        const int partner = edge_colour(round, rank, p);
        if (partner < 0)
          continue;
        assert_int_equal(step[0].kind, TNY_SEND);
        assert_int_equal(step[1].kind, TNY_RECV);
        assert_int_equal(step[0].peer, partner);
        assert_int_equal(step[1].peer, partner);
        assert_int_equal(step[0].phase, round - 1);
        assert_int_equal(step[1].phase, round - 1);
        step += 2;
      }
    }
    tny_schedule_free(schedule);
  }
}

/* Each round is a matching: who sends to a rank receives from it in the same round, and nobody
   twice; and every pair meets. */
static void check_matchings(const struct tny_schedule *schedule)
{
  static uint32_t met_in[RANKS_MAX][RANKS_MAX];
  const uint32_t p = schedule->rank_count;
  memset(met_in, 0, sizeof met_in);
  for (uint32_t rank = 0; rank < p; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND)
        continue;
      assert_int_equal(met_in[rank][step->peer], 0);
      met_in[rank][step->peer] = 1 + step->phase;
    }
  }
  for (uint32_t a = 0; a < p; a++)
    for (uint32_t b = 0; b < a; b++) {
      assert_int_equal(met_in[a][b], met_in[b][a]);
      assert_int_not_equal(met_in[a][b], 0);
    }
}

static void each_round_is_a_matching_and_all_rounds_meet_each_pair_once(void **state)
{
  (void)state;
  const char *const names[] = {"pairwise", "pairwise-xor", "group-shuffle"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    for (uint32_t p = 1; p <= 65; p++) {
      struct arrangement arrangement;
      set(&arrangement, p, 0, stride_for(p));
      struct tny_schedule *schedule = plan(names[n], &arrangement.problem, whole);
      const uint32_t phases = algorithm(names[n])->claim(&arrangement.problem).phases;
      check_matchings(schedule);
      check_phases(schedule, phases);
      tny_schedule_free(schedule);
    }
  }
}

static void pairs_take_the_rounds_that_the_paper_says(void **state)
{
  (void)state;
  const struct {
    uint32_t ranks, coloured, by_xor;
  } cases[] = {{1, 0, 0},    {2, 1, 1},    {3, 3, 3},    {4, 3, 3},    {5, 5, 7},
               {6, 5, 7},    {8, 7, 7},    {9, 9, 15},   {15, 15, 15}, {16, 15, 15},
               {17, 17, 31}, {24, 23, 31}, {33, 33, 63}, {64, 63, 63}, {65, 65, 127}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = cases[i].ranks};
    assert_int_equal(algorithm("pairwise")->claim(&problem).rounds, cases[i].coloured);
    assert_int_equal(algorithm("pairwise-xor")->claim(&problem).rounds, cases[i].by_xor);
    prove_exactly("pairwise", &problem);
    prove_exactly("pairwise-xor", &problem);
  }
}

static bool waits_for(const struct tny_steps *steps, uint32_t step, uint32_t earlier)
{
  for (uint32_t i = 0; i < steps->steps[step].after_count; i++)
    if (steps->after[steps->steps[step].after_first + i] == earlier)
      return true;
  return false;
}

/* The group of a rank's message, of which there is a send and a receive a round. */
static uint32_t group_of(const struct tny_steps *steps, uint32_t step, uint32_t fan_out)
{
  return steps->steps[step].phase / fan_out;
}

static void
within_a_group_nothing_waits_and_its_first_send_waits_for_the_whole_group_before(void **state)
{
  (void)state;
  for (uint32_t fan_out = 1; fan_out <= 9; fan_out++) {
    const struct tny_problem problem = {
        .collective = TNY_ALLTOALL, .rank_count = 9, .parameter = fan_out};
    for (uint32_t rank = 0; rank < 9; rank++) {
      struct tny_steps steps;
      assert_int_equal(
          tny_plan_rank(algorithm("group-shuffle"), &problem, whole, rank, &steps, NULL), TNY_OK);
      uint32_t before = 0, first = 0; /* steps that begin the group before and this one */
      for (uint32_t i = 0; i + 1 < steps.count; i++) {
        if (group_of(&steps, i, fan_out) != group_of(&steps, first, fan_out)) {
          before = first;
          first = i;
        }
        assert_int_equal(steps.steps[i].after_count, i == first ? first - before : 0);
        for (uint32_t k = before; i == first && k < first; k++)
          assert_true(waits_for(&steps, i, k));
      }
      tny_steps_release(&steps);
    }
  }
}

static void a_group_is_sent_chunk_by_chunk_and_then_comes_the_next(void **state)
{
  (void)state;
  const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = 6, .parameter = 2};
  const struct tny_pace pace = {.chunk_count = 2, .window = 0};
  /* Rank 0 meets 1, 2, 3, 4 and then 5; groups {1 2} {3 4} {5}. */
  const uint32_t peers[] = {1, 2, 1, 2, 3, 4, 3, 4, 5, 5};
  const uint32_t chunks[] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 1};
  struct tny_steps steps;
  uint32_t sends = 0;
  assert_int_equal(tny_plan_rank(algorithm("group-shuffle"), &problem, pace, 0, &steps, NULL),
                   TNY_OK);
  for (uint32_t i = 0; i < steps.count; i++) {
    if (steps.steps[i].kind != TNY_SEND)
      continue;
    assert_true(sends < 10);
    assert_int_equal(steps.steps[i].peer, peers[sends]);
    assert_int_equal(steps.steps[i].span.chunk, chunks[sends]);
    sends++;
  }
  assert_int_equal(sends, 10);
  tny_steps_release(&steps);
}

static void group_shuffle_is_right_with_any_fan_out_cut_and_paced(void **state)
{
  (void)state;
  const struct tny_pace paces[] = {{1, 0, 0}, {3, 0, 0}, {3, 1, 0}, {2, 3, 0}};
  for (uint32_t p = 1; p <= 18; p++) {
    for (uint32_t fan_out = 1; fan_out <= p + 1; fan_out++) {
      struct arrangement arrangement;
      set(&arrangement, p, 0, stride_for(p));
      arrangement.problem.parameter = fan_out;
      prove_exactly("group-shuffle", &arrangement.problem);
      for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
        struct tny_error error = {0};
        struct tny_schedule *schedule = plan("group-shuffle", &arrangement.problem, paces[i]);
        if (tny_verify_data(schedule, &error) || tny_verify_progress(schedule, NULL, &error))
          fail_msg("%u ranks, fan-out %u: %s", p, fan_out, error.text);
        tny_schedule_free(schedule);
      }
    }
  }
}

static void bruck_is_right_with_any_radix_and_keeps_its_claim(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= 36; p++) {
    for (uint32_t radix = 2; radix <= p + 2; radix++) {
      struct arrangement arrangement;
      set(&arrangement, p, 0, 1);
      arrangement.problem.parameter = radix;
      prove_exactly("bruck", &arrangement.problem);
      set(&arrangement, p, 0, stride_for(p));
      arrangement.problem.parameter = radix;
      prove_exactly("bruck", &arrangement.problem);
    }
  }
}

static void bruck_is_right_for_many_ranks(void **state)
{
  (void)state;
  const uint32_t ranks[] = {63, 64, 65, 81, 100, 125, 127, 128};
  const uint32_t radixes[] = {2, 3, 4, 5, 8, 10, 64, 100, 4000000000};
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
    for (size_t k = 0; k < sizeof radixes / sizeof *radixes; k++) {
      const struct tny_problem problem = {
          .collective = TNY_ALLTOALL, .rank_count = ranks[i], .parameter = radixes[k]};
      prove_exactly("bruck", &problem);
    }
  }
}

static void bruck_takes_the_rounds_and_blocks_of_its_formula(void **state)
{
  (void)state;
  const struct {
    uint32_t ranks, radix, rounds, blocks;
  } cases[] = {
      {64, 2, 6, 192}, {64, 4, 9, 144}, {64, 8, 14, 112},     {64, 64, 63, 63},
      {65, 2, 7, 193}, {81, 3, 8, 216}, {64, 100, 63, 63},    {5, 2, 3, 5},
      {10, 3, 5, 13},  {1, 2, 0, 0},    {4096, 2, 12, 24576}, {4096, 16, 45, 11520},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct tny_problem problem = {
        .collective = TNY_ALLTOALL, .rank_count = cases[i].ranks, .parameter = cases[i].radix};
    const struct tny_claim claim = algorithm("bruck")->claim(&problem);
    assert_int_equal(claim.rounds, cases[i].rounds);
    assert_int_equal(claim.blocks_sent_max, cases[i].blocks);
  }
}

static void a_rank_of_bruck_has_steps_and_waits_in_proportion_to_the_ranks(void **state)
{
  (void)state;
  const uint32_t radixes[] = {2, 3, 8, 64, 4096};
  for (size_t i = 0; i < sizeof radixes / sizeof *radixes; i++) {
    const struct tny_problem problem = {
        .collective = TNY_ALLTOALL, .rank_count = 4096, .parameter = radixes[i]};
    struct tny_steps steps;
    assert_int_equal(tny_plan_rank(algorithm("bruck"), &problem, whole, 1234, &steps, NULL),
                     TNY_OK);
    assert_true(steps.count <= 3 * 4096);
    assert_true(steps.after_total <= 4096);
    tny_steps_release(&steps);
  }
}

static void a_radix_of_all_ranks_sends_each_block_straight_from_input_to_output(void **state)
{
  (void)state;
  const struct tny_problem problem = {
      .collective = TNY_ALLTOALL, .rank_count = 12, .parameter = 12};
  struct tny_schedule *schedule = plan("bruck", &problem, whole);
  assert_int_equal(schedule->scratch_blocks, 0);
  assert_int_equal(schedule->ranks[3].count, 1 + 2 * 11);
  tny_schedule_free(schedule);
}

/* Messages and blocks between the switches or hosts. */
struct crossing {
  uint32_t messages, blocks;
};

static struct crossing cross(const struct tny_schedule *schedule,
                             const struct arrangement *arrangement)
{
  const struct tny_groups groups = tny_groups_two(&arrangement->problem);
  const uint32_t middle = tny_groups_first(&groups, 1);
  struct crossing crossing = {0, 0};
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND ||
          (arrangement->position[rank] < middle) == (arrangement->position[step->peer] < middle))
        continue;
      crossing.messages++;
      crossing.blocks += step->span.count;
    }
  }
  return crossing;
}

/* All on one switch; the ranks of each switch on a host of their own. */
static void move_to_two_hosts(struct arrangement *arrangement)
{
  arrangement->host_first[1] = arrangement->switch_first[1];
  arrangement->host_first[2] = arrangement->switch_first[1] = arrangement->problem.rank_count;
  arrangement->placement.switch_count = 1;
  arrangement->placement.host_count = 2;
}

/* As each rank ends with all its blocks, n1*n2 have to cross each way: no more do. A rank a host,
   two in all, are no clusters. */
static void
lg_is_right_and_sends_two_wide_messages_for_each_node_of_the_larger_cluster(void **state)
{
  (void)state;
  for (uint32_t first = 1; first <= 16; first++) {
    for (uint32_t second = 1; second <= 16; second++) {
      for (uint32_t way = 0; way < (first + second > 2 ? 4 : 2); way++) {
        struct arrangement arrangement;
        set(&arrangement, first, second, way % 2 ? stride_for(first + second) : 1);
        if (way / 2)
          move_to_two_hosts(&arrangement);
        prove_exactly("lg", &arrangement.problem);
        struct tny_schedule *schedule = plan("lg", &arrangement.problem, whole);
        const struct crossing crossing = cross(schedule, &arrangement);
        assert_int_equal(crossing.messages, 2 * (first > second ? first : second));
        assert_int_equal(crossing.blocks, 2 * first * second);
        tny_schedule_free(schedule);
      }
    }
  }
}

static void lg_takes_the_rounds_of_its_formula(void **state)
{
  (void)state;
  const struct {
    uint32_t first, second, rounds;
  } cases[] = {{1, 1, 1},  {1, 5, 9},   {5, 1, 9},    {8, 8, 15},  {3, 7, 11},
               {7, 9, 20}, {8, 15, 29}, {16, 10, 31}, {20, 40, 60}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct arrangement arrangement;
    set(&arrangement, cases[i].first, cases[i].second, 1);
    assert_int_equal(claim_of("lg", &arrangement.problem).rounds, cases[i].rounds);
    prove_exactly("lg", &arrangement.problem);
  }
}

/* Phases of LG on two switches or two hosts, `ranks_a_host` on each host. */
static void prove_links(const char *text, uint32_t ranks_a_host, enum tny_map map)
{
  struct setting setting;
  struct tny_report report;
  struct tny_error error = {0};
  struct tny_cluster *cluster = open_cluster(text);
  const uint32_t p = ranks_a_host * cluster->host_count;
  set_up_on(&setting, cluster, map, p);
  setting.problem.collective = TNY_ALLTOALL;
  const uint32_t promised = claim_of("lg", &setting.problem).tree_link_messages;
  struct tny_schedule *schedule = plan("lg", &setting.problem, whole);
  if (tny_verify_links(schedule, &setting.network, promised, &report, &error) != TNY_OK)
    fail_msg("%s, %u ranks a host: %s", text, ranks_a_host, error.text);
  const struct tny_groups groups = tny_groups_two(&setting.problem);
  const uint32_t first = tny_groups_size(&groups, 0);
  assert_true(report.phase_link_messages >= (first < p - first ? first : p - first));
  if (ranks_a_host == 1)
    assert_true(report.phase_link_messages == (first < p - first ? first : p - first));
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void
lg_puts_a_message_for_each_node_of_the_smaller_cluster_on_the_wide_link_and_no_more(void **state)
{
  (void)state;
  const char *const clusters[] = {"switches:1+1", "switches:8+8",  "switches:3+5",
                                  "switches:7+2", "switches:1+20", "switches:9+13"};
  for (uint32_t ranks_a_host = 1; ranks_a_host <= 5; ranks_a_host++) {
    for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
      prove_links(clusters[i], ranks_a_host, TNY_MAP_BLOCK);
      prove_links(clusters[i], ranks_a_host, TNY_MAP_INTERLEAVED);
    }
    prove_links("single:2", ranks_a_host + 1, TNY_MAP_BLOCK);
    prove_links("single:2", ranks_a_host + 1, TNY_MAP_INTERLEAVED);
  }
}

/* The k-th message from one rank to another. */
static const struct tny_step *message(const struct tny_schedule *schedule, uint32_t from,
                                      uint32_t to, uint32_t k)
{
  for (uint32_t i = 0; i < schedule->ranks[from].count; i++) {
    const struct tny_step *step = &schedule->ranks[from].steps[i];
    if (step->kind == TNY_SEND && step->peer == to && k-- == 0)
      return step;
  }
  return NULL;
}

static void in_the_example_of_figure_3_the_block_from_7_to_2_goes_by_node_8(void **state)
{
  (void)state;
  struct arrangement arrangement;
  set(&arrangement, 3, 7, 1);
  struct tny_schedule *schedule = plan("lg", &arrangement.problem, whole);
  const struct tny_step *kept = message(schedule, 7, 8, 1);
  assert_non_null(kept);
  assert_int_equal(kept->span.buffer, TNY_INPUT);
  assert_int_equal(kept->span.first, 2);
  const uint32_t wide_phase = message(schedule, 0, 3, 0)->phase;
  /* By crossing: the pairs (node of C1, node of C2) that exchange. */
  const uint32_t pairs[3][3][2] = {
      {{0, 3}, {1, 4}, {2, 5}}, {{0, 6}, {1, 7}, {2, 8}}, {{0, 9}, {0, 9}, {0, 9}}};
  for (uint32_t crossing = 0; crossing < 3; crossing++) {
    for (uint32_t i = 0; i < 3; i++) {
      const uint32_t *pair = pairs[crossing][i];
      const struct tny_step *there = message(schedule, pair[0], pair[1], 0);
      const struct tny_step *back = message(schedule, pair[1], pair[0], 0);
      assert_int_equal(there->phase, wide_phase + crossing);
      assert_int_equal(back->phase, wide_phase + crossing);
      assert_int_equal(there->span.count, 3);
      /* Nodes 7 and 8 carry for 9, whose group has nobody for 1 and 2. */
      assert_int_equal(back->span.count, pair[1] == 9 ? 1 : pair[1] == 7 || pair[1] == 8 ? 4 : 3);
    }
  }
  tny_schedule_free(schedule);
}

static void lg_refuses_other_than_two_switches_or_hosts(void **state)
{
  (void)state;
  struct arrangement arrangement;
  set(&arrangement, 5, 0, 1);
  assert_non_null(algorithm("lg")->refuse(&arrangement.problem));
  arrangement.problem.placement = NULL;
  assert_non_null(algorithm("lg")->refuse(&arrangement.problem));
  set(&arrangement, 5, 3, 1);
  assert_null(algorithm("lg")->refuse(&arrangement.problem));
  arrangement.placement.switch_count = 3;
  assert_non_null(algorithm("lg")->refuse(&arrangement.problem));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_pairs_of_pairwise_are_those_of_figure_1),
      cmocka_unit_test(each_round_is_a_matching_and_all_rounds_meet_each_pair_once),
      cmocka_unit_test(pairs_take_the_rounds_that_the_paper_says),
      cmocka_unit_test(
          within_a_group_nothing_waits_and_its_first_send_waits_for_the_whole_group_before),
      cmocka_unit_test(a_group_is_sent_chunk_by_chunk_and_then_comes_the_next),
      cmocka_unit_test(group_shuffle_is_right_with_any_fan_out_cut_and_paced),
      cmocka_unit_test(bruck_is_right_with_any_radix_and_keeps_its_claim),
      cmocka_unit_test(bruck_is_right_for_many_ranks),
      cmocka_unit_test(bruck_takes_the_rounds_and_blocks_of_its_formula),
      cmocka_unit_test(a_rank_of_bruck_has_steps_and_waits_in_proportion_to_the_ranks),
      cmocka_unit_test(a_radix_of_all_ranks_sends_each_block_straight_from_input_to_output),
      cmocka_unit_test(lg_is_right_and_sends_two_wide_messages_for_each_node_of_the_larger_cluster),
      cmocka_unit_test(lg_takes_the_rounds_of_its_formula),
      cmocka_unit_test(
          lg_puts_a_message_for_each_node_of_the_smaller_cluster_on_the_wide_link_and_no_more),
      cmocka_unit_test(in_the_example_of_figure_3_the_block_from_7_to_2_goes_by_node_8),
      cmocka_unit_test(lg_refuses_other_than_two_switches_or_hosts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
