/* The papers' formulas, against the numbers that the papers print and against what our own
   algorithms promise and send. */
#include "support/setting.h"

#include <math.h>

#include <tourney/papers.h>

static void assert_close(double value, double wanted, double share)
{
  if (!(fabs(value - wanted) <= share * fabs(wanted)))
    fail_msg("%.6f isn't %.6f", value, wanted);
}

/* What an algorithm promises on one switch. */
static struct tny_claim claim_of(enum tny_collective collective, const char *name, uint32_t ranks,
                                 uint32_t pieces)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  const struct tny_problem problem = {
      .collective = collective, .rank_count = ranks, .piece_count = pieces};
  assert_non_null(algorithm);
  const struct tny_problem settled = tny_plan_problem(algorithm, &problem, pieces);
  return tny_algorithm_claim(algorithm, &settled);
}

/* --- jacunski1999 --- */

/* Table 2's nodes, and messages of 256 flits of 16 ns; o such that the ring takes 205.78 us. */
static struct tny_jacunski table_2(void)
{
  return (struct tny_jacunski){
      .nodes = 32, .latency_ns = 256 * 16, .overhead_ns = (205780.0 / 31 - 256 * 16) / 2};
}

static void one_overhead_explains_the_ring_and_combining_of_table_2(void **state)
{
  (void)state;
  const struct tny_jacunski jacunski = table_2();
  assert_close(jacunski.overhead_ns, 1271, 0.001);
  assert_close(tny_jacunski_ring_ns(&jacunski), 205780, 1e-9);
  assert_close(tny_jacunski_combining_ns(&jacunski), 139690, 0.0001);
}

/* The authors' own simulation has 137.79: their formula isn't exact. */
static void simultaneous_broadcasts_take_a_little_more_than_their_formula(void **state)
{
  (void)state;
  const struct tny_jacunski jacunski = table_2();
  assert_int_equal(tny_jacunski_case(&jacunski), TNY_JACUNSKI_CASE_1);
  assert_close(tny_jacunski_broadcasts_ns(&jacunski), 129518, 0.001);
  assert_close(tny_jacunski_broadcasts_ns(&jacunski), 137790, 0.07);
}

static void table_1_says_which_formula_gives_less(void **state)
{
  (void)state;
  for (uint32_t p = 2; p <= 300; p++)
    for (int tenths = 1; tenths <= 50; tenths++) {
      const struct tny_jacunski jacunski = {
          .nodes = p, .latency_ns = 100.0 * tenths + 0.5, .overhead_ns = 1000};
      const double broadcasts = tny_jacunski_broadcasts_ns(&jacunski);
      assert_int_equal(tny_jacunski_broadcasts_win(&jacunski),
                       broadcasts < tny_jacunski_combining_ns(&jacunski));
      assert_true(p == 2 || broadcasts < tny_jacunski_ring_ns(&jacunski));
      assert_true(broadcasts >= tny_jacunski_link_ns(&jacunski));
    }
}

static void table_1_has_its_printed_conditions(void **state)
{
  (void)state;
  struct tny_jacunski jacunski = {.nodes = 32, .latency_ns = 1500, .overhead_ns = 1000};
  assert_int_equal(tny_jacunski_case(&jacunski), TNY_JACUNSKI_CASE_2);
  assert_close(tny_jacunski_threshold(&jacunski), (64 - 4 - 10) / 29.0, 1e-12);
  assert_close(tny_jacunski_steady_gap_ns(&jacunski), 2000, 1e-12);
  assert_close(tny_jacunski_gap_ns(&jacunski), 1500, 1e-12);
  jacunski.latency_ns = 500;
  assert_int_equal(tny_jacunski_case(&jacunski), TNY_JACUNSKI_CASE_3);
  assert_close(tny_jacunski_gap_ns(&jacunski), 1000, 1e-12);
}

/* 128 flits: combining but for few nodes; 1024: simultaneous broadcasts. */
static void figure_6_has_the_winners_that_table_1_tells(void **state)
{
  (void)state;
  struct tny_jacunski jacunski = table_2();
  jacunski.latency_ns = 128 * 16;
  assert_false(tny_jacunski_broadcasts_win(&jacunski));
  jacunski.nodes = 4;
  assert_true(tny_jacunski_broadcasts_win(&jacunski));
  jacunski.latency_ns = 1024 * 16;
  for (jacunski.nodes = 3; jacunski.nodes <= 32; jacunski.nodes++)
    assert_true(tny_jacunski_broadcasts_win(&jacunski));
}

static void start_ups_are_the_rounds_of_our_algorithms(void **state)
{
  (void)state;
  for (uint32_t p = 2; p <= 130; p++) {
    const struct tny_jacunski free_links = {.nodes = p, .latency_ns = 0, .overhead_ns = 0.5};
    const struct tny_jacunski links = {.nodes = p, .latency_ns = 1, .overhead_ns = 0};
    const struct tny_claim combining = claim_of(TNY_ALLGATHER, "combining", p, 1);
    assert_int_equal(tny_jacunski_startups_min(&links), combining.rounds);
    assert_close(tny_jacunski_combining_ns(&free_links), combining.rounds, 1e-12);
    assert_close(tny_jacunski_combining_ns(&links), (double)combining.blocks_sent_max, 1e-12);
    assert_close(tny_jacunski_ring_ns(&free_links), claim_of(TNY_ALLGATHER, "ring", p, 1).rounds,
                 1e-12);
  }
}

/* --- hinrichs1994 --- */

/* iWarp: 8 x 8, 20 MHz, 2 cycles a word of 4 bytes; the start-up that 4.4's 92,200 cycles for
   messages of 128 words tell. */
static struct tny_hinrichs iwarp(double block_bytes)
{
  struct tny_hinrichs hinrichs = {
      .side = 8, .dimensions = 2, .byte_ns = 2 * 50 / 4.0, .block_bytes = 512};
  hinrichs.startup_ns = tny_hinrichs_startup_ns(&hinrichs, 92200 * 50);
  hinrichs.block_bytes = block_bytes;
  return hinrichs;
}

static void iwarp_has_the_printed_peak_and_phases(void **state)
{
  (void)state;
  const struct tny_hinrichs hinrichs = iwarp(16384);
  assert_close(tny_hinrichs_peak_rate(&hinrichs), 2.56, 1e-9);
  assert_close(tny_hinrichs_phases(&hinrichs), 64, 1e-9);
  assert_close(hinrichs.startup_ns / 50, 1184, 0.001);
  assert_true(tny_hinrichs_phased_rate(&hinrichs) > 2);
  assert_true(tny_hinrichs_phased_rate(&hinrichs) > 0.8 * 2.56);
}

/* "For messages greater than 1500 bytes" the phases are the fastest; the next best come to 800
   MB/s. */
static void phases_are_fastest_from_1500_bytes_on(void **state)
{
  (void)state;
  const struct tny_hinrichs longer = iwarp(1500), shorter = iwarp(1000);
  assert_true(tny_hinrichs_phased_rate(&longer) > 0.8);
  assert_true(tny_hinrichs_phased_rate(&shorter) < 0.8);
}

static void equation_3_is_half_the_peak_where_start_up_and_bytes_take_as_long(void **state)
{
  (void)state;
  struct tny_hinrichs hinrichs = iwarp(0);
  hinrichs.block_bytes = hinrichs.startup_ns / hinrichs.byte_ns;
  assert_close(tny_hinrichs_phased_rate(&hinrichs), tny_hinrichs_peak_rate(&hinrichs) / 2, 1e-9);
  const double words = hinrichs.block_bytes / 4, startup_cycles = hinrichs.startup_ns / 50;
  const double printed = 32 * 8 * words * 20e6 / (startup_cycles + 2 * words) / 1e9;
  assert_close(tny_hinrichs_phased_rate(&hinrichs), printed, 1e-9);
}

static void the_fft_goes_from_13_to_21_frames_a_second(void **state)
{
  (void)state;
  const struct tny_hinrichs_frame frame = {0.52, 801000 * 50.0, 184400 * 50.0};
  assert_int_equal(lround(1e9 / tny_hinrichs_frame_ns(&frame)), 13);
  assert_int_equal((int)(1e9 / tny_hinrichs_other_frame_ns(&frame)), 21);
  assert_close(1 - tny_hinrichs_other_frame_ns(&frame) / tny_hinrichs_frame_ns(&frame), 0.40, 0.01);
}

static uint32_t phases_of(const char *cluster, const char *name)
{
  struct setting setting;
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLTOALL, name);
  set_up(&setting, cluster, TNY_MAP_BLOCK, 0);
  setting.problem.collective = TNY_ALLTOALL;
  assert_null(tny_algorithm_refusal(algorithm, &setting.problem));
  const uint32_t phases = tny_algorithm_claim(algorithm, &setting.problem).phases;
  tear_down(&setting);
  return phases;
}

static void our_phases_are_as_many_as_equation_2_says(void **state)
{
  (void)state;
  static const struct {
    const char *cluster;
    struct tny_hinrichs hinrichs;
  } cases[] = {
      {"ring:8", {.side = 8, .dimensions = 1}},       {"ring:16", {.side = 16, .dimensions = 1}},
      {"ring:24", {.side = 24, .dimensions = 1}},     {"torus:8x8", {.side = 8, .dimensions = 2}},
      {"torus:16x16", {.side = 16, .dimensions = 2}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tny_hinrichs hinrichs = cases[i].hinrichs;
    assert_close(tny_hinrichs_phases(&hinrichs), phases_of(cases[i].cluster, "phases"), 1e-12);
    hinrichs.is_unidirectional = true;
    assert_close(tny_hinrichs_phases(&hinrichs),
                 phases_of(cases[i].cluster, "phases-unidirectional"), 1e-12);
  }
}

/* --- axida2009 --- */

static void odd_numbers_of_nodes_take_as_much_longer_as_table_2_says(void **state)
{
  (void)state;
  assert_close(tny_axida_idle_factor(3), 1.5, 1e-12);
  assert_close(tny_axida_idle_factor(5), 1.25, 1e-12);
  assert_close(tny_axida_idle_factor(7), 1.167, 0.001);
  assert_close(tny_axida_idle_factor(16), 1, 1e-12);
}

/* 30 million doubles on gigabit links, start-ups left out. */
static void long_messages_take_the_multiples_of_t_that_the_text_states(void **state)
{
  (void)state;
  const struct tny_axida axida = {.nodes = 16, .byte_ns = 8, .bytes = 30e6 * 8};
  const double t = 1.92e9;
  assert_close(tny_axida_linear_ns(&axida), 15 * t, 1e-12);
  assert_close(tny_axida_pipelined_linear_ns(&axida), t, 1e-12);
  assert_close(tny_axida_binomial_ns(&axida), 4 * t, 1e-12);
  assert_close(tny_axida_van_de_geijn_ns(&axida), 1.875 * t, 1e-12);
  assert_close(tny_axida_round_robin_ns(&axida), t, 1e-12);
  assert_close(tny_axida_exchange_ns(&axida), 15 / 16.0 * t, 1e-12);
}

/* Section 2: (s + D/2b) + (s + D/4b) + ..., twice. */
static void van_de_geijn_is_a_scatter_and_a_gathering_of_halves(void **state)
{
  (void)state;
  const struct tny_axida axida = {.nodes = 64, .startup_ns = 700, .byte_ns = 3, .bytes = 1e6};
  double scatter = 0;
  for (uint32_t part = 2; part <= axida.nodes; part *= 2)
    scatter += axida.startup_ns + axida.bytes * axida.byte_ns / part;
  assert_close(tny_axida_van_de_geijn_ns(&axida), 2 * scatter, 1e-12);
}

static void broadcasts_cost_a_start_up_for_each_round_that_ours_have(void **state)
{
  (void)state;
  for (uint32_t p = 2; p <= 130; p++) {
    const struct tny_axida empty = {.nodes = p, .startup_ns = 1};
    assert_close(tny_axida_linear_ns(&empty), claim_of(TNY_BROADCAST, "linear", p, 1).rounds,
                 1e-12);
    assert_close(tny_axida_pipelined_linear_ns(&empty),
                 claim_of(TNY_BROADCAST, "pipelined-linear", p, 1).rounds, 1e-12);
    assert_close(tny_axida_binomial_ns(&empty), claim_of(TNY_BROADCAST, "binomial", p, 1).rounds,
                 1e-12);
    assert_close(tny_axida_van_de_geijn_ns(&empty),
                 claim_of(TNY_BROADCAST, "van-de-geijn", p, 1).rounds, 1e-12);
    assert_close(tny_axida_exchange_ns(&empty), claim_of(TNY_ALLGATHER, "round-robin", p, 1).rounds,
                 1e-12);
  }
}

static void round_robin_needs_as_many_rounds_as_its_factor_says(void **state)
{
  (void)state;
  enum { PIECES = 100000 };
  for (uint32_t p = 2; p <= 33; p++) {
    const uint32_t rounds = claim_of(TNY_BROADCAST, "round-robin", p, PIECES).rounds;
    const double wanted = PIECES * tny_axida_idle_factor(p);
    assert_true(rounds >= wanted && rounds <= wanted + 2 * p);
  }
}

/* --- tam2000 --- */

static void the_cluster_keeps_the_paper_s_own_condition(void **state)
{
  (void)state;
  const struct tny_tam *tam = &tny_tam_cluster;
  assert_true(tam->send_ns + tam->receive_ns + tam->user_ns < tam->gap_ns);
  assert_true(tam->gap_ns < tam->latency_ns);
  assert_close(tny_tam_latency_ns(tam->nodes, false), tam->latency_ns, 1e-9);
  assert_true(tny_tam_latency_ns(16, true) > tny_tam_latency_ns(16, false));
  assert_close(tny_tam_round_ns(tam), 70919.2, 1e-9);
  assert_close(tny_tam_point_to_point_ns(tam), 12500 + 154419.2 + 20000 + 7000, 1e-9);
}

/* Packets every 123 us leave as much of 100 Mbit/s; the text: "97 % of the available bandwidth". */
static void long_shuffles_reach_97_percent_of_the_link(void **state)
{
  (void)state;
  struct tny_tam tam = tny_tam_cluster;
  tam.block_bytes = (uint64_t)768 * tam.packet_bytes;
  assert_int_equal(tny_tam_packets(&tam), 768);
  const double share = tny_tam_bandwidth(&tam, tny_tam_shuffle_ns(&tam)) * 1e9 / 12.5e6;
  assert_close(share, 0.97, 0.001);
}

static void messages_are_as_long_as_section_4_3_says(void **state)
{
  (void)state;
  struct tny_tam tam = tny_tam_cluster;
  tam.block_bytes = 746 * 1024;
  assert_int_equal(tny_tam_packets(&tam), 512);
  tam.block_bytes = 3357 * 1024;
  assert_int_equal(tny_tam_packets(&tam), 2304);
}

static void group_shuffle_lies_between_pairwise_and_shuffle(void **state)
{
  (void)state;
  struct tny_tam tam = tny_tam_cluster;
  tam.block_bytes = (uint64_t)9 * tam.packet_bytes;
  assert_close(tny_tam_shuffle_ns(&tam), tny_tam_least_ns(&tam), 1e-12);
  assert_close(tny_tam_shift_ns(&tam) - tny_tam_least_ns(&tam), 14 * tny_tam_round_ns(&tam), 1e-9);
  assert_close(tny_tam_group_shuffle_ns(&tam) - tny_tam_least_ns(&tam), 2 * tny_tam_round_ns(&tam),
               1e-9);
  tam.fan_out = 1;
  assert_close(tny_tam_group_shuffle_ns(&tam), tny_tam_pairwise_ns(&tam), 1e-12);
  tam.fan_out = 15;
  assert_close(tny_tam_group_shuffle_ns(&tam), tny_tam_shuffle_ns(&tam), 1e-12);
  tam.fan_out = 4; /* doesn't divide 15 */
  assert_close(tny_tam_group_shuffle_ns(&tam) - tny_tam_least_ns(&tam), 3 * tny_tam_round_ns(&tam),
               1e-9);
}

static void rounds_with_idle_nodes_are_as_long_as_others(void **state)
{
  (void)state;
  struct tny_tam tam = tny_tam_cluster;
  tam.nodes = 9;
  const double round = tny_tam_point_to_point_ns(&tam);
  assert_close(tny_tam_shift_ns(&tam), 8 * round, 1e-12);
  assert_close(tny_tam_pairwise_ns(&tam), 9 * round, 1e-12);
  assert_close(tny_tam_pairwise_xor_ns(&tam), 15 * round, 1e-12);
}

static void exchanges_cost_a_round_for_each_that_ours_have(void **state)
{
  (void)state;
  struct tny_tam tam = {.fan_out = 5, .packet_bytes = 1, .send_ns = 1}; /* no packets */
  for (tam.nodes = 2; tam.nodes <= 130; tam.nodes++) {
    const uint32_t p = tam.nodes;
    assert_close(tny_tam_shift_ns(&tam), claim_of(TNY_ALLTOALL, "shift", p, 1).phases, 1e-12);
    assert_close(tny_tam_pairwise_ns(&tam), claim_of(TNY_ALLTOALL, "pairwise", p, 1).phases, 1e-12);
    assert_close(tny_tam_pairwise_xor_ns(&tam), claim_of(TNY_ALLTOALL, "pairwise-xor", p, 1).phases,
                 1e-12);
  }
}

/* --- jeannot2007 --- */

/* Messages of an all-to-all between two zones, and the phases that have some. */
struct crossings {
  uint64_t messages, phases;
};

static struct crossings crossings_of(const char *cluster, const char *name, uint32_t first_ranks)
{
  struct setting setting;
  struct tny_problem prepared;
  struct tny_schedule *schedule;
  bool crossed[1024] = {false};
  struct crossings crossings = {0};
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLTOALL, name);
  set_up(&setting, cluster, TNY_MAP_BLOCK, 0);
  setting.problem.collective = TNY_ALLTOALL;
  assert_int_equal(tny_problem_prepare(algorithm, &setting.problem, &prepared, NULL), TNY_OK);
  assert_int_equal(
      tny_plan_all(algorithm, &prepared, (struct tny_pace){.chunk_count = 1}, &schedule, NULL),
      TNY_OK);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND || (rank < first_ranks) == (step->peer < first_ranks))
        continue;
      crossings.messages++;
      assert_true(step->phase < sizeof crossed);
      crossings.phases += !crossed[step->phase];
      crossed[step->phase] = true;
    }
  tny_schedule_free(schedule);
  tny_problem_release(algorithm, &prepared);
  tear_down(&setting);
  return crossings;
}

static void lg_and_shift_send_as_many_messages_across_as_the_paper_counts(void **state)
{
  (void)state;
  for (uint32_t a = 1; a <= 9; a++)
    for (uint32_t b = 1; b <= 9; b++) {
      const struct tny_jeannot jeannot = {.nodes = {a, b}};
      char cluster[64];
      snprintf(cluster, sizeof cluster, "zones:%u+%u,delay=10ms", a, b);
      const struct crossings lg = crossings_of(cluster, "lg", a);
      assert_int_equal(lg.messages, tny_jeannot_wide_messages(&jeannot));
      assert_int_equal(lg.phases, tny_jeannot_wide_steps(&jeannot));
      assert_int_equal(crossings_of(cluster, "shift", a).messages,
                       tny_jeannot_direct_messages(&jeannot));
    }
}

/* Figure 3's clusters. */
static void three_and_seven_nodes_need_three_steps_and_14_messages(void **state)
{
  (void)state;
  const struct tny_jeannot jeannot = {.nodes = {3, 7}}, mirrored = {.nodes = {7, 3}};
  assert_int_equal(tny_jeannot_wide_messages(&jeannot), 14);
  assert_int_equal(tny_jeannot_direct_messages(&jeannot), 42);
  assert_int_equal(tny_jeannot_wide_steps(&jeannot), 3);
  assert_int_equal(tny_jeannot_wide_steps(&mirrored), 3);
}

/* --- desensi2024, desensi2025 --- */

/* The authors' own code lists these (HLC-Lab/bine_trees_fugaku). They are the sums of the powers of
   -2, but for the sign. */
static void partners_are_as_far_apart_as_the_authors_code_lists(void **state)
{
  (void)state;
  static const uint64_t listed[] = {1,     1,     3,     5,     11,     21,    43,
                                    85,    171,   341,   683,   1365,   2731,  5461,
                                    10923, 21845, 43691, 87381, 174763, 349525};
  int64_t sum = 0, power = 1;
  for (uint32_t step = 0; step < sizeof listed / sizeof *listed; step++)
    assert_int_equal(tny_desensi_distance(step), listed[step]);
  for (uint32_t step = 0; step < 62; step++, power *= -2) {
    sum += power;
    assert_int_equal(tny_desensi_distance(step), sum < 0 ? -sum : sum);
  }
}

/* --- traeff2024, traeff2024b --- */

static void circulant_graphs_need_the_rounds_that_ours_have(void **state)
{
  (void)state;
  assert_int_equal(tny_traeff_rounds(1, 5), 0);
  assert_int_equal(tny_traeff_rounds(2, 1), 1);
  assert_int_equal(tny_traeff_rounds(17, 8), 7 + 5);
  assert_int_equal(tny_traeff_rounds(UINT32_MAX, 1), 32);
  for (uint32_t p = 2; p <= 70; p++)
    for (uint32_t pieces = 1; pieces <= 9; pieces += 4) {
      assert_int_equal(tny_traeff_rounds(p, pieces),
                       claim_of(TNY_BROADCAST, "circulant", p, pieces).rounds);
      assert_int_equal(tny_traeff_rounds(p, 1),
                       claim_of(TNY_REDUCE_SCATTER, "circulant-halving", p, 1).rounds);
    }
}

/* --- juerss2026b --- */

static void trivance_needs_the_steps_that_ours_has(void **state)
{
  (void)state;
  assert_int_equal(tny_juerss_steps(1), 0);
  assert_int_equal(tny_juerss_steps(243), 5);
  assert_int_equal(tny_juerss_steps(244), 6);
  assert_int_equal(tny_juerss_steps(UINT32_MAX), 21);
  for (uint32_t p = 1; p <= 100; p++)
    assert_int_equal(tny_juerss_steps(p), claim_of(TNY_ALLREDUCE, "trivance", p, 1).phases);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_overhead_explains_the_ring_and_combining_of_table_2),
      cmocka_unit_test(simultaneous_broadcasts_take_a_little_more_than_their_formula),
      cmocka_unit_test(table_1_says_which_formula_gives_less),
      cmocka_unit_test(table_1_has_its_printed_conditions),
      cmocka_unit_test(figure_6_has_the_winners_that_table_1_tells),
      cmocka_unit_test(start_ups_are_the_rounds_of_our_algorithms),
      cmocka_unit_test(iwarp_has_the_printed_peak_and_phases),
      cmocka_unit_test(phases_are_fastest_from_1500_bytes_on),
      cmocka_unit_test(equation_3_is_half_the_peak_where_start_up_and_bytes_take_as_long),
      cmocka_unit_test(the_fft_goes_from_13_to_21_frames_a_second),
      cmocka_unit_test(our_phases_are_as_many_as_equation_2_says),
      cmocka_unit_test(odd_numbers_of_nodes_take_as_much_longer_as_table_2_says),
      cmocka_unit_test(long_messages_take_the_multiples_of_t_that_the_text_states),
      cmocka_unit_test(van_de_geijn_is_a_scatter_and_a_gathering_of_halves),
      cmocka_unit_test(broadcasts_cost_a_start_up_for_each_round_that_ours_have),
      cmocka_unit_test(round_robin_needs_as_many_rounds_as_its_factor_says),
      cmocka_unit_test(the_cluster_keeps_the_paper_s_own_condition),
      cmocka_unit_test(long_shuffles_reach_97_percent_of_the_link),
      cmocka_unit_test(messages_are_as_long_as_section_4_3_says),
      cmocka_unit_test(group_shuffle_lies_between_pairwise_and_shuffle),
      cmocka_unit_test(rounds_with_idle_nodes_are_as_long_as_others),
      cmocka_unit_test(exchanges_cost_a_round_for_each_that_ours_have),
      cmocka_unit_test(lg_and_shift_send_as_many_messages_across_as_the_paper_counts),
      cmocka_unit_test(three_and_seven_nodes_need_three_steps_and_14_messages),
      cmocka_unit_test(partners_are_as_far_apart_as_the_authors_code_lists),
      cmocka_unit_test(circulant_graphs_need_the_rounds_that_ours_have),
      cmocka_unit_test(trivance_needs_the_steps_that_ours_has),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
