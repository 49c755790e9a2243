/* What the verifier says of reductions: each contribution once, in rank order, and which results
   have the same bits. First of schedules written by hand, then of mutants of every algorithm that
   reduces, with the six faults that reductions have. The oracle carries out each mutant that is
   accepted, and finds nothing wrong. An argument says how many mutants: make check takes 10,000. */
#include "mutation_support.h"
#include "support/setting.h"

#include <stdlib.h>

#include <tourney/verify.h>

/* --- by hand --- */

#define REDUCE                                                                                     \
  "tourney schedule 1\ncollective reduce\nranks 3\nroot 1\nalgorithm hand\nchunks 1\nscratch 1\n"
#define SENDERS "rank 0\n0 send 1 input[0]\nrank 2\n0 send 1 input[0]\n"
#define RECEIVES "rank 1\n0 recv 0 output[0]\n1 recv 2 scratch[0]\n"

static struct tny_schedule *read_text(const char *text)
{
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  if (tny_schedule_read(text, "test", &schedule, &error) != TNY_OK)
    fail_msg("%s", error.text);
  return schedule;
}

static struct tny_bits_found assert_right(const char *text)
{
  struct tny_schedule *schedule = read_text(text);
  struct tny_error error = {0};
  struct tny_report report;
  if (tny_verify_schedule(schedule, &report, &error) != TNY_OK)
    fail_msg("%s", error.text);
  tny_schedule_free(schedule);
  return report.bits;
}

static void assert_broken(const char *text, const char *says)
{
  struct tny_schedule *schedule = read_text(text);
  struct tny_error error = {0};
  assert_int_equal(tny_verify_schedule(schedule, NULL, &error), TNY_BROKEN);
  assert_string_equal(error.text, says);
  tny_schedule_free(schedule);
}

static void contributions_in_rank_order_are_proved(void **state)
{
  (void)state;
  assert_true(assert_right(REDUCE SENDERS RECEIVES
                           "2 reduce-right input[0] to output[0] after 0\n"
                           "3 reduce-right scratch[0] to output[0] after 1\n")
                  .in_rank_order);
  assert_true(assert_right(REDUCE SENDERS RECEIVES
                           "2 reduce-left input[0] to scratch[0] after 1\n"
                           "3 reduce-right scratch[0] to output[0] after 0\n")
                  .in_rank_order);
}

static void operands_on_the_wrong_side_are_for_operations_that_commute(void **state)
{
  (void)state;
  assert_broken(REDUCE SENDERS RECEIVES "2 reduce-left input[0] to output[0] after 0\n"
                                        "3 reduce-right scratch[0] to output[0] after 1\n",
                "rank 1 step 3 (reduce-right) leaves in output[0] what combines block 0 of rank 0 "
                "behind that of rank 1, which is right only for operations that commute");
  assert_false(assert_right(REDUCE "operation commutative\n" SENDERS RECEIVES
                                   "2 reduce-left input[0] to output[0] after 0\n"
                                   "3 reduce-right scratch[0] to output[0] after 1\n")
                   .in_rank_order);
}

static void a_contribution_twice_or_left_out_is_caught(void **state)
{
  (void)state;
  assert_broken(REDUCE "operation commutative\n" SENDERS RECEIVES
                       "2 reduce-right input[0] to output[0] after 0\n"
                       "3 reduce-right scratch[0] to output[0] after 1\n"
                       "4 reduce-right input[0] to output[0]\n",
                "rank 1 step 4 (reduce-right) leaves in output[0] what combines block 0 of rank 1 "
                "twice");
  assert_broken(
      REDUCE SENDERS RECEIVES "2 reduce-right scratch[0] to output[0] after 0,1\n",
      "rank 1 step 2 (reduce-right) leaves in output[0] what leaves out block 0 of rank 1");
  assert_broken(REDUCE "rank 0\nrank 1\nrank 2\n",
                "rank 1 ends without a result: nothing writes output[0]");
}

static void a_reduce_waits_for_what_it_reads_and_for_all_that_use_its_target(void **state)
{
  (void)state;
  assert_broken(REDUCE SENDERS RECEIVES "2 reduce-right input[0] to output[0] after 0\n"
                                        "3 reduce-right scratch[0] to output[0]\n",
                "rank 1 step 3 (reduce-right) reads scratch[0], but doesn't wait for step 1 (recv "
                "from 2), which writes it");
  assert_broken(REDUCE SENDERS RECEIVES "2 reduce-right input[0] to output[0]\n"
                                        "3 reduce-right scratch[0] to output[0] after 1\n",
                "rank 1 step 2 (reduce-right) reads output[0], but doesn't wait for step 0 (recv "
                "from 0), which writes it");
  assert_broken(REDUCE SENDERS "rank 1\n0 reduce-right input[0] to output[0]\n"
                               "1 recv 0 scratch[0]\n2 recv 2 output[0]\n",
                "rank 1 step 0 (reduce-right) reads output[0], where nothing is written before");
  assert_broken(REDUCE SENDERS "rank 1\n0 recv 0 output[0]\n1 reduce-right input[0] to output[0] "
                               "after 0\n2 recv 2 output[0]\n",
                "rank 1 step 2 (recv from 2) writes output[0], but doesn't wait for step 1 "
                "(reduce-right), which writes it");
}

#define ALLREDUCE                                                                                  \
  "tourney schedule 1\ncollective allreduce\nranks 2\nroot 0\nalgorithm hand\nchunks 2\nscratch "  \
  "0\n"
#define EXCHANGE(peer, half)                                                                       \
  "0 send " peer " input[0]\n1 recv " peer " output[0]\n2 reduce-" half " input[0] to output[0] "  \
  "after 1\n"

static void the_same_tree_on_all_ranks_gives_the_same_bits(void **state)
{
  (void)state;
  const struct tny_bits_found same =
      assert_right(ALLREDUCE "rank 0\n" EXCHANGE("1", "left") "rank 1\n" EXCHANGE("0", "right"));
  assert_true(same.in_rank_order && same.on_all_ranks && same.in_all_chunks);
  /* Each has its own operand on the left. */
  const struct tny_bits_found own = assert_right(
      ALLREDUCE
      "operation commutative\nrank 0\n" EXCHANGE("1", "left") "rank 1\n" EXCHANGE("0", "left"));
  assert_true(!own.in_rank_order && !own.on_all_ranks && own.in_all_chunks);
}

#define REDUCE_SCATTER                                                                             \
  "tourney schedule 1\ncollective reducescatter\nranks 2\nroot 0\nalgorithm hand\nchunks 1\n"      \
  "scratch 1\noperation commutative\n"

/* A tree that is right for one block isn't for another: rank 1 gets what is rank 0's. */
static void what_is_right_for_one_rank_is_wrong_for_another(void **state)
{
  (void)state;
  assert_broken(REDUCE_SCATTER "rank 0\n0 recv 1 scratch[0]\n1 copy input[0] to output[0]\n"
                               "2 reduce-left scratch[0] to output[0] after 0\n"
                               "3 send 1 output[0]\n"
                               "rank 1\n0 send 0 input[0]\n1 recv 0 output[0]\n",
                "rank 1 step 1 (recv from 0) leaves in output[0] what combines block 0 of rank 1, "
                "whose block 1 belongs");
}

static void chunks_combined_in_different_orders_have_other_bits(void **state)
{
  (void)state;
  /* Each rank combines one half, with its own operand on the left, and gives it to the other. */
  const struct tny_bits_found bits = assert_right(
      ALLREDUCE "operation commutative\n"
                "rank 0\n0 send 1 input[0] 1/2\n1 recv 1 output[0] 0/2\n"
                "2 reduce-left input[0] 0/2 to output[0] 0/2 after 1\n3 send 1 output[0] 0/2\n"
                "4 recv 1 output[0] 1/2\n"
                "rank 1\n0 send 0 input[0] 0/2\n1 recv 0 output[0] 1/2\n"
                "2 reduce-left input[0] 1/2 to output[0] 1/2 after 1\n3 send 0 output[0] 1/2\n"
                "4 recv 0 output[0] 0/2\n");
  assert_true(!bits.in_rank_order && bits.on_all_ranks && !bits.in_all_chunks);
}

/* --- mutants --- */

enum { MUTANTS_QUICK = 600, TRIES = 200, RUNS = 12, MANY_RUNS = 200, MUTANTS_A_BASE = 20 };

enum fault {
  TWICE,
  LEFT_OUT,
  WRONG_ORDER,
  WRONG_SIDE,
  BEFORE_ITS_RECEIVE,
  TWO_AT_ONCE,
  FAULTS,
};

static const char *const fault_names[FAULTS] = {
    [TWICE] = "a contribution twice",
    [LEFT_OUT] = "a contribution left out",
    [WRONG_ORDER] = "two operands exchanged",
    [WRONG_SIDE] = "the operand on the other side",
    [BEFORE_ITS_RECEIVE] = "a reduce before its receive",
    [TWO_AT_ONCE] = "a receive into what is reduced into",
};

/* MUTATIONS: spans are changed, see change_spans. */
static const enum mutation mutation_of[FAULTS] = {
    [TWICE] = MUTATE_REPEAT_STEP,
    [LEFT_OUT] = MUTATE_DROP_STEP,
    [WRONG_ORDER] = MUTATIONS,
    [WRONG_SIDE] = MUTATE_SIDE,
    [BEFORE_ITS_RECEIVE] = MUTATE_DROP_WAIT,
    [TWO_AT_ONCE] = MUTATIONS,
};

struct tally {
  uint32_t made[FAULTS], refused[FAULTS], seen[FAULTS]; /* seen: refused, and a run goes wrong */
};

static bool has_reduce(const struct tny_steps *steps, uint32_t index)
{
  return oracle_reduces(steps->steps[index].kind);
}

/* A random step that reduces, or where `receives` one that receives; TNY_NONE: not found. */
static uint32_t draw_step(const struct tny_steps *steps, bool receives, uint64_t *seed)
{
  for (uint32_t tries = 0; steps->count > 0 && tries < TRIES; tries++) {
    const uint32_t index = draw(seed, steps->count);
    if (receives ? steps->steps[index].kind == TNY_RECV : has_reduce(steps, index))
      return index;
  }
  return TNY_NONE;
}

/* Changes spans in a mutant whose rank has a list of its own; false where that changes nothing. */
static bool change_spans(struct mutant *mutant, enum fault fault, uint64_t *seed)
{
  struct tny_steps *steps = &mutant->schedule.ranks[mutant->rank];
  struct tny_span *one = &steps->steps[mutant->index].span;
  const uint32_t other = draw_step(steps, fault == TWO_AT_ONCE, seed);
  if (other == TNY_NONE || other == mutant->index)
    return false;
  const struct tny_span before = *one;
  if (fault == TWO_AT_ONCE) {
    const struct tny_span slot = steps->steps[other].span;
    steps->steps[other].span = steps->steps[mutant->index].target;
    return memcmp(&slot, &steps->steps[other].span, sizeof slot) != 0;
  }
  *one = steps->steps[other].span;
  steps->steps[other].span = before;
  return memcmp(one, &before, sizeof before) != 0;
}

/* A mutant with the fault; false where the rank chosen can't have it. */
static bool make_mutant(struct mutant *mutant, const struct tny_schedule *original,
                        enum fault fault, uint64_t *seed)
{
  *mutant = (struct mutant){.schedule = *original, .original = original};
  mutant->mutation = mutation_of[fault];
  mutant->rank = draw(seed, original->rank_count);
  mutant->index = draw_step(&original->ranks[mutant->rank], false, seed);
  if (mutant->index == TNY_NONE)
    return false;
  const bool made = mutant_change(mutant, seed);
  if (!made || mutation_of[fault] != MUTATIONS || change_spans(mutant, fault, seed))
    return made;
  mutant_release(mutant);
  return false;
}

/* A proved schedule of a random problem; NULL: refused. */
static struct tny_schedule *plan(struct setting *on, const struct tny_algorithm *algorithm,
                                 uint64_t *seed)
{
  static const char *const clusters[] = {"single:9", "switches:3+4", "mesh:2x4", "ring:5"};
  const struct tny_pace pace = {1 + draw(seed, 3), draw(seed, 3), 0};
  struct tny_schedule *schedule = NULL;
  struct tny_cluster *cluster = open_cluster(clusters[draw(seed, 4)]);
  const uint32_t rank_count =
      draw(seed, 3) ? cluster->host_count : 2 + draw(seed, cluster->host_count - 1);
  set_up_on(on, cluster, draw(seed, 2) ? TNY_MAP_BLOCK : TNY_MAP_INTERLEAVED, rank_count);
  on->problem.collective = algorithm->collective;
  if (tny_collective_has_root(algorithm->collective))
    on->problem.root = draw(seed, rank_count);
  if (tny_algorithm_refusal(algorithm, &on->problem))
    return NULL;
  struct tny_problem prepared;
  enum tny_status status = tny_problem_prepare(algorithm, &on->problem, &prepared, NULL);
  if (status == TNY_OK)
    status = tny_plan_all(algorithm, &prepared, pace, &schedule, NULL);
  tny_problem_release(algorithm, &prepared);
  return status == TNY_OK ? schedule : NULL;
}

static enum oracle_fault consult(const struct setting *on, const struct tny_schedule *schedule,
                                 uint32_t runs, uint64_t seed)
{
  struct oracle oracle;
  enum oracle_fault fault = oracle_open(&oracle, schedule, &on->network, false);
  for (uint32_t run = 0; fault == ORACLE_RIGHT && run < runs; run++)
    fault = oracle_run(&oracle, run == 0 ? 0 : seed + run);
  oracle_close(&oracle);
  return fault;
}

static void judge(const struct setting *on, const struct mutant *mutant, enum fault fault,
                  struct tally *tally, uint64_t seed)
{
  const bool refused = tny_verify_schedule(&mutant->schedule, NULL, NULL) != TNY_OK;
  const enum oracle_fault found =
      consult(on, &mutant->schedule, refused ? MANY_RUNS : MANY_RUNS / 2, seed);
  if (!refused && found != ORACLE_RIGHT)
    fail_msg("%s %s with %s at rank %u step %u is accepted, but the oracle finds fault %d",
             tny_collective_name(mutant->schedule.collective), mutant->schedule.algorithm,
             fault_names[fault], mutant->rank, mutant->index, (int)found);
  tally->made[fault]++;
  tally->refused[fault] += refused;
  tally->seen[fault] += refused && found != ORACLE_RIGHT;
}

static uint32_t judge_some(const struct tny_algorithm *algorithm, struct tally *tally,
                           uint64_t *seed)
{
  struct setting on;
  struct tny_error error = {0};
  uint32_t made = 0;
  struct tny_schedule *schedule = plan(&on, algorithm, seed);
  if (schedule) {
    if (tny_verify_schedule(schedule, NULL, &error) != TNY_OK)
      fail_msg("%s: %s", algorithm->name, error.text);
    assert_int_equal(consult(&on, schedule, RUNS, *seed), ORACLE_RIGHT);
  }
  for (uint32_t tries = 0; schedule && made < MUTANTS_A_BASE && tries < TRIES; tries++) {
    struct mutant mutant;
    const enum fault fault = (enum fault)draw(seed, FAULTS);
    if (!make_mutant(&mutant, schedule, fault, seed))
      continue;
    judge(&on, &mutant, fault, tally, *seed);
    mutant_release(&mutant);
    made++;
  }
  tny_schedule_free(schedule);
  tear_down(&on);
  return made;
}

static uint32_t mutants_wanted = MUTANTS_QUICK;

static void a_mutant_that_changes_a_result_in_any_run_is_refused(void **state)
{
  (void)state;
  struct tally tally = {0};
  uint64_t seed = 20251125;
  for (uint32_t mutants = 0, before = 1; mutants < mutants_wanted && before != mutants;) {
    before = mutants;
    for (const struct tny_algorithm *const *at = tny_algorithms; *at; at++)
      if (tny_collective_reduces((*at)->collective))
        mutants += judge_some(*at, &tally, &seed);
  }
  print_message("%-38s%8s%8s%12s\n", "mutants of reductions", "made", "refused", "a run wrong");
  for (int fault = 0; fault < FAULTS; fault++) {
    print_message("%-38s%8u%8u%12u\n", fault_names[fault], tally.made[fault], tally.refused[fault],
                  tally.seen[fault]);
    assert_true(tally.made[fault] >= mutants_wanted / 30);
    /* These are never as good as the original. */
    if (fault != BEFORE_ITS_RECEIVE && fault != WRONG_ORDER && fault != WRONG_SIDE)
      assert_int_equal(tally.refused[fault], tally.made[fault]);
    assert_true(tally.seen[fault] > 0);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contributions_in_rank_order_are_proved),
      cmocka_unit_test(operands_on_the_wrong_side_are_for_operations_that_commute),
      cmocka_unit_test(a_contribution_twice_or_left_out_is_caught),
      cmocka_unit_test(a_reduce_waits_for_what_it_reads_and_for_all_that_use_its_target),
      cmocka_unit_test(the_same_tree_on_all_ranks_gives_the_same_bits),
      cmocka_unit_test(what_is_right_for_one_rank_is_wrong_for_another),
      cmocka_unit_test(chunks_combined_in_different_orders_have_other_bits),
      cmocka_unit_test(a_mutant_that_changes_a_result_in_any_run_is_refused),
  };
  if (argc > 1)
    mutants_wanted = (uint32_t)strtoul(argv[1], NULL, 10);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
