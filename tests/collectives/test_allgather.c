/* The all-gathers of the papers: link scheduling against its figures and on many clusters, the
   tournament against its figure, and what each one's rounds look like. That they are right on one
   switch, test_algorithms.c proves. */
#include "support/setting.h"

#include <tourney/verify.h>

#include "planner/phases/tournament.h"

enum { STEPS_MAX = 64, CELL = 5 };

/* Takes the cluster over. */
static void open_setting(struct setting *setting, struct tny_cluster *cluster, enum tny_map map,
                         uint32_t rank_count)
{
  set_up_on(setting, cluster, map, rank_count);
  setting->problem.collective = TNY_ALLGATHER;
}

static const struct tny_algorithm *find(const char *name)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLGATHER, name);
  assert_non_null(algorithm);
  return algorithm;
}

static struct tny_steps plan(const struct tny_problem *problem, const char *name, uint32_t rank)
{
  struct tny_steps steps;
  const struct tny_pace whole = {.chunk_count = 1};
  assert_int_equal(tny_plan_rank(find(name), problem, whole, rank, &steps, NULL), TNY_OK);
  return steps;
}

/* The figures' tables. */

/* A switch's ranks, as runs of positions. */
struct side {
  uint32_t first, size;
};

static struct side side_of(const struct setting *setting, uint32_t index)
{
  const uint32_t *first =
      &setting->placement->switch_first[index % setting->placement->switch_count];
  return (struct side){first[0], first[1] - first[0]};
}

static bool holds(struct side side, uint32_t position)
{
  return position >= side.first && position < side.first + side.size;
}

/* What a step of each local rank receives and sends, as a figure's row names it. */
struct row {
  char received[8][CELL], sent[8][CELL];
};

static void fill_cell(char *cell, const char *letter, struct side side, uint32_t position)
{
  assert_string_equal(cell, ""); /* one send and one receive a step */
  snprintf(cell, CELL, "%s%u", letter, position - side.first + 1);
}

/* The steps of the switch of that index; what comes from the switch before it is S, what goes to
   the next one D. */
static void fill_rows(const struct setting *setting, const char *name, uint32_t index,
                      struct row *rows)
{
  const struct side local = side_of(setting, index), next = side_of(setting, index + 1);
  const struct side before = side_of(setting, index + setting->placement->switch_count - 1);
  for (uint32_t i = 0; i < local.size; i++) {
    const uint32_t rank = setting->placement->order[local.first + i];
    struct tny_steps steps = plan(&setting->problem, name, rank);
    for (uint32_t k = 0; k < steps.count; k++) {
      const struct tny_step *step = &steps.steps[k];
      if (step->kind == TNY_COPY)
        continue;
      const bool sends = step->kind == TNY_SEND;
      char *cell = sends ? rows[step->phase].sent[i] : rows[step->phase].received[i];
      const uint32_t position = setting->placement->position[step->peer];
      if (holds(local, position))
        fill_cell(cell, "", local, position);
      else
        fill_cell(cell, sends ? "D" : "S", sends ? next : before, position);
      assert_true(holds(local, position) || holds(sends ? next : before, position));
    }
    tny_steps_release(&steps);
  }
}

static void add_cells(struct tny_text *text, char (*cells)[CELL], uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    tny_text_add(text, " %s", cells[i][0] ? cells[i] : "-");
}

/* Compares a switch's whole timetable with a figure: per step, each rank's receive and send. */
static void assert_table(const char *cluster, const char *name, uint32_t index,
                         const char *const *figure, uint32_t figure_steps)
{
  struct setting setting;
  struct row rows[STEPS_MAX] = {0};
  open_setting(&setting, open_cluster(cluster), TNY_MAP_INTERLEAVED, 0);
  fill_rows(&setting, name, index, rows);
  const uint32_t size = side_of(&setting, index).size;
  for (uint32_t step = 0; step < STEPS_MAX; step++) {
    struct tny_text text = {0};
    tny_text_add(&text, "%2u ", step + 1);
    add_cells(&text, rows[step].received, size);
    tny_text_add(&text, "  ");
    add_cells(&text, rows[step].sent, size);
    if (step < figure_steps)
      assert_string_equal(text.bytes, figure[step]);
    else
      assert_null(strpbrk(text.bytes + 3, "123456789"));
    tny_text_release(&text);
  }
  tear_down(&setting);
}

/* Figure 8. Its R is S where it comes and D where it goes. PE 4's receives of steps 6 and 7 stand
   as 2 and 1 there, though PE 1 sends to it in step 6 and PE 2 in step 7. */
static void ls2_does_figure_8_step_by_step(void **state)
{
  (void)state;
  const char *const figure[] = {
      " 1  2 3 4 S1   D7 1 2 3", /* phase 1, stage 1 */
      " 2  3 4 S2 1   4 D6 1 2", /* */
      " 3  4 S3 1 2   3 4 D5 1", /* */
      " 4  S4 1 2 3   2 3 4 D4", /* */
      " 5  2 3 4 S5   - 1 2 3",  /* stage 2 */
      " 6  3 4 S6 1   4 - 1 2",  /* */
      " 7  4 S7 1 2   3 4 - 1",  /* */
      " 8  - 1 2 3   2 3 4 -",   /* */
      " 9  2 3 4 -   - 1 2 3",   /* phase 2 */
      "10  3 4 - 2   - 4 1 2",   /* */
      "11  4 - 2 3   - 3 4 1",
  };
  assert_table("switches:4+7", "ls2", 0, figure, sizeof figure / sizeof *figure);
  assert_table("switches:7+4", "ls2", 1, figure, sizeof figure / sizeof *figure);
}

/* What 4.3.2 says of the larger switch in Figure 8, which the figure doesn't show: in N steps each
   rank sends out once, to N*, N*-1, ... and around; in the first N* steps one receives; then the N*
   who received spread it in N-1 steps. */
static void ls2_does_the_other_side_of_figure_8(void **state)
{
  (void)state;
  const char *const figure[] = {
      " 1  2 3 4 5 6 7 S1   D4 1 2 3 4 5 6", /* phase 1 */
      " 2  3 4 5 6 7 S2 1   7 D3 1 2 3 4 5", /* */
      " 3  4 5 6 7 S3 1 2   6 7 D2 1 2 3 4", /* */
      " 4  5 6 7 S4 1 2 3   5 6 7 D1 1 2 3", /* */
      " 5  6 7 - 1 2 3 4   4 5 6 7 D4 1 2",  /* */
      " 6  7 - 1 2 3 4 5   3 4 5 6 7 D3 1",  /* */
      " 7  - 1 2 3 4 5 6   2 3 4 5 6 7 D2",  /* */
      " 8  - - 4 5 6 7 -   - - - 3 4 5 6",   /* phase 2 */
      " 9  - 4 5 6 7 - -   - - - 2 3 4 5",   /* */
      "10  4 5 6 7 - - -   - - - 1 2 3 4",   /* */
      "11  5 6 7 - - - 4   - - - 7 1 2 3",   /* */
      "12  6 7 - - - 4 5   - - - 6 7 1 2",   /* */
      "13  7 - - - 4 5 6   - - - 5 6 7 1",
  };
  assert_table("switches:4+7", "ls2", 1, figure, sizeof figure / sizeof *figure);
}

static void ls_does_figure_9_step_by_step(void **state)
{
  (void)state;
  const char *const figure[] = {
      " 1  2 3 4 S1   D3 1 2 3", /* phase 1, stage 1 */
      " 2  3 4 S2 1   4 D2 1 2", /* */
      " 3  4 S3 1 2   3 4 D1 1", /* */
      " 4  S4 1 2 3   2 3 4 D1", /* */
      " 5  S5 1 2 3   2 3 4 D2", /* stage 2 */
      " 6  4 S5 1 2   3 4 D3 1", /* */
      " 7  3 4 S4 1   4 D3 1 2", /* */
      " 8  2 3 4 S3   D2 1 2 3", /* */
      " 9  2 3 4 S2   D1 1 2 3", /* stage 3 */
      "10  3 4 S1 1   4 D1 1 2", /* */
      "11  4 S1 1 2   3 4 D2 1", /* */
      "12  - 1 2 3   2 3 4 D3",  /* */
      "13  4 - 2 3   - 3 4 1",   /* phase 2 */
      "14  3 4 - 2   - 4 1 2",   /* */
      "15  2 3 4 -   - 1 2 3",
  };
  assert_table("switches:5+4+3+3", "ls", 1, figure, sizeof figure / sizeof *figure);
}

/* On many clusters. */

static void assert_ok(enum tny_status status, const struct setting *setting, const char *name,
                      const struct tny_error *error)
{
  if (status != TNY_OK)
    fail_msg("%s, %u ranks on %s: %s", name, setting->problem.rank_count, setting->cluster->name,
             error->text);
}

/* Data, progress and links; the claim where it is neither cut nor paced. */
static void prove(const struct setting *setting, const char *name, struct tny_pace pace)
{
  const struct tny_algorithm *algorithm = find(name);
  const struct tny_claim claim = tny_algorithm_claim(algorithm, &setting->problem);
  const bool is_tree = tny_cluster_is_tree(setting->cluster);
  struct tny_schedule *schedule;
  struct tny_report report;
  struct tny_error error = {0};
  assert_ok(tny_plan_all(algorithm, &setting->problem, pace, &schedule, &error), setting, name,
            &error);
  assert_ok(tny_verify_data(schedule, &error), setting, name, &error);
  assert_ok(tny_verify_progress(schedule, &report, &error), setting, name, &error);
  assert_ok(tny_verify_links(schedule, &setting->network, is_tree ? claim.tree_link_messages : 0,
                             &report, &error),
            setting, name, &error);
  if (pace.chunk_count == 1 && pace.window == 0) {
    assert_ok(tny_verify_claim(&report, &claim, &error), setting, name, &error);
    assert_int_equal(report.phases, claim.phases);
  }
  tny_schedule_free(schedule);
}

static void prove_link_scheduling(const struct setting *setting, struct tny_pace pace)
{
  assert_int_equal(find("ls")->claim(&setting->problem).tree_link_messages, 1);
  prove(setting, "ls", pace);
  if (!find("ls2")->refuse(&setting->problem))
    prove(setting, "ls2", pace);
}

static void prove_on(struct tny_cluster *cluster, enum tny_map map, uint32_t ranks_a_host)
{
  static const struct tny_pace paces[] = {{1, 0, 0}, {1, 1, 0}, {3, 0, 0}, {3, 1, 0}, {2, 3, 0}};
  struct setting setting;
  open_setting(&setting, cluster, map, cluster->host_count * ranks_a_host);
  for (size_t i = 0; i < sizeof paces / sizeof *paces; i++)
    prove_link_scheduling(&setting, paces[i]);
  tear_down(&setting);
}

static const char star[] = "cluster 1 star\nhost a0\nhost b0\nhost b1\nhost c0\nhost c1\nhost c2\n"
                           "host d0\nhost d1\nswitch a\nswitch b\nswitch c\nswitch d\n"
                           "cable a b 1 1 1\ncable a c 1 1 1\ncable a d 1 1 1\ncable a0 a 1 1 1\n"
                           "cable b0 b 1 1 1\ncable b1 b 1 1 1\ncable c0 c 1 1 1\n"
                           "cable c1 c 1 1 1\ncable c2 c 1 1 1\ncable d0 d 1 1 1\n"
                           "cable d1 d 1 1 1\n";

static struct tny_cluster *open_star(void)
{
  struct tny_cluster *cluster;
  assert_int_equal(tny_cluster_read_flat(star, &cluster, NULL), TNY_OK);
  return cluster;
}

/* 5+2+2+6+7 takes a round less than it has phases. */
static void link_scheduling_puts_one_message_a_phase_on_each_link_of_lines_and_stars(void **state)
{
  (void)state;
  const char *const lines[] = {"single:1",       "single:6",       "switches:1+1",
                               "switches:4+7",   "switches:1+9",   "switches:8+8",
                               "switches:2+2+2", "switches:1+7+1", "switches:5+4+3+3",
                               "switches:2+8+1", "switches:6+1+6", "switches:5+2+2+6+7",
                               "switches:1+1+1", "switches:9+2+5", "switches:4+4+4+4+4"};
  const enum tny_map maps[] = {TNY_MAP_BLOCK, TNY_MAP_INTERLEAVED};
  for (int m = 0; m < 2; m++) {
    for (uint32_t ranks_a_host = 1; ranks_a_host <= 3; ranks_a_host++) {
      for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        prove_on(open_cluster(lines[i]), maps[m], ranks_a_host);
      prove_on(open_star(), maps[m], ranks_a_host);
    }
  }
}

static void link_scheduling_is_right_on_random_trees_and_irregular_networks(void **state)
{
  (void)state;
  uint64_t seed = 2024;
  for (uint32_t i = 0; i < 60; i++) {
    const uint32_t hosts = 1 + draw(&seed, 24), switches = 1 + draw(&seed, 7);
    const enum tny_map map = draw(&seed, 2) ? TNY_MAP_BLOCK : TNY_MAP_INTERLEAVED;
    struct tny_cluster *cluster =
        random_cluster(seed, hosts, switches, i % 3 == 0 ? draw(&seed, 4) : 0);
    prove_on(cluster, map, i % 4 == 0 ? 2 : 1);
  }
}

static void ls2_serves_all_sizes_of_two_switches(void **state)
{
  (void)state;
  for (uint32_t here = 1; here <= 12; here++) {
    for (uint32_t there = 1; there <= 12; there++) {
      struct setting setting;
      char text[32];
      snprintf(text, sizeof text, "switches:%u+%u", here, there);
      open_setting(&setting, open_cluster(text), TNY_MAP_BLOCK, here + there);
      assert_null(find("ls2")->refuse(&setting.problem));
      assert_int_equal(find("ls2")->claim(&setting.problem).tree_link_messages, 1);
      prove_link_scheduling(&setting, (struct tny_pace){.chunk_count = 1});
      tear_down(&setting);
    }
  }
}

static const char *refusal_of_ls2(const char *cluster, uint32_t rank_count)
{
  struct setting setting;
  open_setting(&setting, open_cluster(cluster), TNY_MAP_BLOCK, rank_count);
  const char *refused = find("ls2")->refuse(&setting.problem);
  tear_down(&setting);
  return refused;
}

static void ls2_refuses_all_but_two_switches_or_two_hosts_with_ranks(void **state)
{
  (void)state;
  assert_non_null(refusal_of_ls2("single:4", 4));
  assert_non_null(refusal_of_ls2("single:4", 8));
  assert_non_null(refusal_of_ls2("switches:2+2+2", 6));
  assert_null(refusal_of_ls2("switches:2+2", 8));
  assert_null(refusal_of_ls2("switches:2+2+2", 4)); /* the third switch has no ranks */
  assert_null(refusal_of_ls2("single:2", 7));
  assert_non_null(
      find("ls2")->refuse(&(struct tny_problem){.collective = TNY_ALLGATHER, .rank_count = 6}));
}

/* The others. */

/* Figure 3: the players of four rounds, in columns. */
static void the_tournament_is_that_of_figure_3(void **state)
{
  (void)state;
  const struct {
    uint32_t round, top[7], bottom[7];
  } figure[] = {
      {1, {1, 2, 3, 4, 5, 6, 7}, {14, 13, 12, 11, 10, 9, 8}},
      {2, {1, 14, 2, 3, 4, 5, 6}, {13, 12, 11, 10, 9, 8, 7}},
      {3, {1, 13, 14, 2, 3, 4, 5}, {12, 11, 10, 9, 8, 7, 6}},
      {13, {1, 3, 4, 5, 6, 7, 8}, {2, 14, 13, 12, 11, 10, 9}},
  };
  for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) {
    for (int column = 0; column < 7; column++) {
      const uint32_t top = figure[i].top[column] - 1, bottom = figure[i].bottom[column] - 1;
      assert_int_equal(tny_tournament_partner(14, figure[i].round - 1, top), bottom);
      assert_int_equal(tny_tournament_partner(14, figure[i].round - 1, bottom), top);
    }
  }
}

static void in_a_tournament_everyone_meets_everyone_once(void **state)
{
  (void)state;
  for (uint32_t members = 2; members <= 64; members += 2) {
    uint64_t met[64] = {0};
    for (uint32_t round = 0; round + 1 < members; round++) {
      for (uint32_t player = 0; player < members; player++) {
        const uint32_t partner = tny_tournament_partner(members, round, player);
        assert_true(partner < members && partner != player);
        assert_int_equal(tny_tournament_partner(members, round, partner), player);
        assert_false(met[player] >> partner & 1);
        met[player] |= (uint64_t)1 << partner;
      }
    }
  }
}

static void in_a_round_robin_of_odd_many_each_rank_rests_once(void **state)
{
  (void)state;
  const struct tny_problem problem = {.collective = TNY_ALLGATHER, .rank_count = 9};
  assert_int_equal(find("round-robin")->claim(&problem).rounds, 9);
  uint32_t resting = 0;
  for (uint32_t rank = 0; rank < 9; rank++) {
    struct tny_steps steps = plan(&problem, "round-robin", rank);
    uint32_t busy = 0;
    for (uint32_t i = 0; i < steps.count; i++)
      if (steps.steps[i].kind == TNY_SEND)
        busy |= 1u << steps.steps[i].phase;
    assert_int_equal(steps.count, 17);
    resting ^= busy ^ 0x1ff;
    tny_steps_release(&steps);
  }
  assert_int_equal(resting, 0x1ff); /* each in another round */
}

/* One message a round, of all blocks held, and at most three copies. */
static void assert_doubles(const char *name, uint32_t p, const uint32_t *counts,
                           const uint32_t *peers)
{
  const struct tny_problem problem = {.collective = TNY_ALLGATHER, .rank_count = p};
  struct tny_steps steps = plan(&problem, name, 5);
  uint32_t sends = 0, copies = 0;
  for (uint32_t i = 0; i < steps.count; i++) {
    copies += steps.steps[i].kind == TNY_COPY;
    if (steps.steps[i].kind != TNY_SEND)
      continue;
    assert_int_equal(steps.steps[i].span.count, counts[sends]);
    assert_int_equal(steps.steps[i].peer, peers[sends]);
    sends++;
  }
  assert_int_equal(sends, find(name)->claim(&problem).rounds);
  assert_true(copies <= 3);
  tny_steps_release(&steps);
}

/* 13 is 7, 4, 2, 1 when halved: a rank holds 1, 2, 4, 7, 13 blocks. */
static void circulant_halving_sends_half_of_what_it_will_hold_in_one_message(void **state)
{
  (void)state;
  assert_doubles("circulant-halving", 13, (const uint32_t[]){1, 2, 3, 6},
                 (const uint32_t[]){4, 3, 1, 11});
  assert_doubles("circulant-halving", 16, (const uint32_t[]){1, 2, 4, 8},
                 (const uint32_t[]){4, 3, 1, 13});
}

/* The fewest rounds and blocks there are, by its steps and by the claims of its mirrors. */
static void circulant_halving_is_optimal_for_any_number_of_ranks(void **state)
{
  (void)state;
  const struct tny_algorithm *turned = tny_algorithm_find(TNY_REDUCE_SCATTER, "circulant-halving");
  const struct tny_algorithm *joined = tny_algorithm_find(TNY_ALLREDUCE, "circulant-halving");
  uint32_t rounds = 0;
  for (uint32_t p = 1; p <= 1025; p++) {
    const struct tny_problem problem = {.collective = TNY_ALLGATHER, .rank_count = p};
    const struct tny_claim claim = tny_algorithm_claim(turned, &problem);
    struct tny_problem part = problem;
    part.piece_count = p;
    uint32_t sends = 0, blocks = 0;
    struct tny_steps steps = plan(&problem, "circulant-halving", p / 3);
    for (uint32_t i = 0; i < steps.count; i++) {
      if (steps.steps[i].kind != TNY_SEND)
        continue;
      sends++;
      blocks += steps.steps[i].span.count;
    }
    tny_steps_release(&steps);
    rounds += p > (uint32_t)1 << rounds;
    assert_int_equal(sends, rounds);
    assert_int_equal(blocks, p - 1);
    assert_int_equal(claim.rounds, rounds);
    assert_int_equal(claim.blocks_sent_max, p - 1);
    assert_int_equal(claim.blocks_received_max, p - 1);
    assert_int_equal(tny_algorithm_claim(joined, &part).phases, 2 * rounds);
  }
}

static void combining_and_recursive_doubling_send_all_they_hold_in_one_message(void **state)
{
  (void)state;
  assert_doubles("combining", 13, (const uint32_t[]){1, 2, 4, 5}, (const uint32_t[]){6, 7, 9, 0});
  assert_doubles("combining", 16, (const uint32_t[]){1, 2, 4, 8}, (const uint32_t[]){6, 7, 9, 13});
  assert_doubles("recursive-doubling", 16, (const uint32_t[]){1, 2, 4, 8},
                 (const uint32_t[]){4, 7, 1, 13});
}

/* Of the first ranks, each even one beyond a power of two has one message each way: its own block,
   and all of them. The others exchange, and odd ones do what the even ones leave to them. By itself
   it is chosen for powers of two alone. */
static void recursive_doubling_folds_what_is_beyond_a_power_of_two(void **state)
{
  (void)state;
  uint32_t power = 1, exchanges = 0;
  for (uint32_t p = 1; p <= 70; p++) {
    const struct tny_problem problem = {.collective = TNY_ALLGATHER, .rank_count = p};
    if (p == 2 * power) {
      power *= 2;
      exchanges++;
    }
    assert_int_equal(find("recursive-doubling")->is_by_name_only(&problem), p > power);
    for (uint32_t rank = 0; rank < p; rank++) {
      const bool is_of_pair = rank < 2 * (p - power), is_folded = is_of_pair && rank % 2 == 0;
      struct tny_steps steps = plan(&problem, "recursive-doubling", rank);
      uint32_t sends = 0, blocks = 0;
      for (uint32_t i = 0; i < steps.count; i++) {
        sends += steps.steps[i].kind == TNY_SEND;
        blocks += steps.steps[i].kind == TNY_RECV ? steps.steps[i].span.count : 0;
      }
      assert_int_equal(sends, is_folded ? 1 : exchanges + is_of_pair);
      assert_int_equal(blocks, is_folded ? p : p - 1);
      tny_steps_release(&steps);
    }
  }
}

static void simultaneous_broadcast_sends_only_its_own_block(void **state)
{
  (void)state;
  const struct tny_problem problem = {.collective = TNY_ALLGATHER, .rank_count = 6};
  struct tny_steps steps = plan(&problem, "simultaneous-broadcast", 4);
  uint32_t sends = 0;
  for (uint32_t i = 0; i < steps.count; i++) {
    if (steps.steps[i].kind != TNY_SEND)
      continue;
    assert_int_equal(steps.steps[i].span.buffer, TNY_INPUT);
    assert_int_equal(steps.steps[i].after_count, 0);
    assert_int_equal(steps.steps[i].phase, sends);
    assert_int_equal(steps.steps[i].peer, (4 + ++sends) % 6);
  }
  assert_int_equal(sends, 5);
  tny_steps_release(&steps);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ls2_does_figure_8_step_by_step),
      cmocka_unit_test(ls2_does_the_other_side_of_figure_8),
      cmocka_unit_test(ls_does_figure_9_step_by_step),
      cmocka_unit_test(link_scheduling_puts_one_message_a_phase_on_each_link_of_lines_and_stars),
      cmocka_unit_test(link_scheduling_is_right_on_random_trees_and_irregular_networks),
      cmocka_unit_test(ls2_serves_all_sizes_of_two_switches),
      cmocka_unit_test(ls2_refuses_all_but_two_switches_or_two_hosts_with_ranks),
      cmocka_unit_test(the_tournament_is_that_of_figure_3),
      cmocka_unit_test(in_a_tournament_everyone_meets_everyone_once),
      cmocka_unit_test(in_a_round_robin_of_odd_many_each_rank_rests_once),
      cmocka_unit_test(circulant_halving_sends_half_of_what_it_will_hold_in_one_message),
      cmocka_unit_test(circulant_halving_is_optimal_for_any_number_of_ranks),
      cmocka_unit_test(combining_and_recursive_doubling_send_all_they_hold_in_one_message),
      cmocka_unit_test(recursive_doubling_folds_what_is_beyond_a_power_of_two),
      cmocka_unit_test(simultaneous_broadcast_sends_only_its_own_block),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
