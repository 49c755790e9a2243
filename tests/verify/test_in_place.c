/* What the verifier says where a rank's input lies in its output (MPI_IN_PLACE). First of schedules
   written by hand. Then of every algorithm: as it is, with a copy of the input taken first, which
   is how the runtime runs it in place, and of mutants of that. The oracle carries each out in one
   memory: what is accepted never goes wrong there, and what is refused does, or why not is told.
   An argument says how many mutants. */
#include "mutation_support.h"
#include "support/setting.h"
#include "support/text.h"

#include <stdlib.h>

#include <tourney/verify.h>

/* --- by hand --- */

#define HEAD(collective, ranks, root, scratch)                                                     \
  "tourney schedule 1\ncollective " collective "\nranks " ranks "\nroot " root                     \
  "\nalgorithm hand\nchunks 1\nscratch " scratch "\n"

/* Right with an input of its own, and in place unless `says` says why not. */
static void assert_in_place(const char *text, const char *says)
{
  struct tny_schedule *schedule = read_text(text);
  struct tny_error error = {0};
  if (tny_verify_schedule(schedule, NULL, &error) != TNY_OK)
    fail_msg("%s", error.text);
  assert_int_equal(tny_verify_in_place(schedule, &error), says ? TNY_BROKEN : TNY_OK);
  assert_string_equal(error.text, says ? says : "");
  tny_schedule_free(schedule);
}

#define ALLREDUCE HEAD("allreduce", "2", "0", "1")
#define ALLREDUCE_RANK1                                                                            \
  "rank 1\n0 send 0 input[0]\n1 recv 0 scratch[0]\n2 copy input[0] to output[0]\n"                 \
  "3 reduce-left scratch[0] to output[0] after 0,1\n"

static void an_all_reduce_combines_into_its_input_when_nobody_reads_that_any_more(void **state)
{
  (void)state;
  assert_in_place(ALLREDUCE "rank 0\n0 send 1 input[0]\n1 recv 1 scratch[0]\n"
                            "2 copy input[0] to output[0]\n"
                            "3 reduce-right scratch[0] to output[0] after 0,1\n" ALLREDUCE_RANK1,
                  NULL);
  assert_in_place(ALLREDUCE "rank 0\n0 send 1 input[0]\n1 recv 1 scratch[0]\n"
                            "2 copy input[0] to output[0]\n"
                            "3 reduce-right scratch[0] to output[0] after 1\n" ALLREDUCE_RANK1,
                  "rank 0 step 3 (reduce-right) writes output[0], but doesn't wait for step 0 "
                  "(send to 1), which reads it");
  /* What comes overwrites the contribution that is to be combined with it. */
  assert_in_place(ALLREDUCE "rank 0\n0 send 1 input[0]\n1 recv 1 output[0] after 0\n"
                            "2 reduce-left input[0] to output[0] after 1\n" ALLREDUCE_RANK1,
                  "rank 0 step 2 (reduce-left) writes output[0], which it reads itself");
  /* All in order, but what is sent is no longer the input. */
  assert_in_place(ALLREDUCE "rank 0\n0 recv 1 scratch[0]\n1 copy input[0] to output[0]\n"
                            "2 reduce-right scratch[0] to output[0] after 0\n"
                            "3 send 1 input[0]\n" ALLREDUCE_RANK1,
                  "rank 1 step 3 (reduce-left) leaves in output[0] what combines block 0 of rank 1 "
                  "twice");
}

#define REDUCE                                                                                     \
  HEAD("reduce", "3", "1", "2") "rank 0\n0 send 1 input[0]\nrank 2\n0 send 1 input[0]\n"

static void a_reduce_is_in_place_at_its_root(void **state)
{
  (void)state;
  assert_in_place(REDUCE "rank 1\n0 recv 0 scratch[0]\n1 recv 2 scratch[1]\n"
                         "2 copy input[0] to output[0]\n"
                         "3 reduce-left scratch[0] to output[0] after 0\n"
                         "4 reduce-right scratch[1] to output[0] after 1\n",
                  NULL);
  assert_in_place(REDUCE "rank 1\n0 recv 0 output[0]\n1 recv 2 scratch[0]\n"
                         "2 reduce-right input[0] to output[0] after 0\n"
                         "3 reduce-right scratch[0] to output[0] after 1\n",
                  "rank 1 step 2 (reduce-right) writes output[0], which it reads itself");
}

#define REDUCE_SCATTER                                                                             \
  HEAD("reducescatter", "2", "0", "1")                                                             \
  "rank 0\n0 send 1 input[1]\n1 recv 1 scratch[0]\n2 copy input[0] to output[0]\n"                 \
  "3 reduce-right scratch[0] to output[0] after 1\n"

/* At rank 0 it lies where its own contribution does, at rank 1 where the other's does. */
static void the_result_of_a_reduce_scatter_lies_in_the_first_block_of_the_input(void **state)
{
  (void)state;
  assert_in_place(REDUCE_SCATTER "rank 1\n0 send 0 input[0]\n1 recv 0 scratch[0]\n"
                                 "2 copy input[1] to output[0] after 0\n"
                                 "3 reduce-left scratch[0] to output[0] after 1\n",
                  NULL);
  assert_in_place(REDUCE_SCATTER "rank 1\n0 send 0 input[0]\n1 recv 0 scratch[0]\n"
                                 "2 copy input[1] to output[0]\n"
                                 "3 reduce-left scratch[0] to output[0] after 1\n",
                  "rank 1 step 2 (copy) writes output[0], but doesn't wait for step 0 (send to 0), "
                  "which reads it");
}

#define ALLTOALL                                                                                   \
  HEAD("alltoall", "2", "0", "1")                                                                  \
  "rank 1\n0 send 0 input[0]\n1 recv 0 scratch[0]\n2 copy input[1] to output[1]\n"                 \
  "3 copy scratch[0] to output[0] after 0,1\n"

static void all_of_an_all_to_all_is_in_place(void **state)
{
  (void)state;
  assert_in_place(ALLTOALL "rank 0\n0 send 1 input[1]\n1 recv 1 scratch[0]\n"
                           "2 copy input[0] to output[0]\n"
                           "3 copy scratch[0] to output[1] after 0,1\n",
                  NULL);
  assert_in_place(ALLTOALL "rank 0\n0 send 1 input[1]\n1 recv 1 output[1]\n"
                           "2 copy input[0] to output[0]\n",
                  "rank 0 step 1 (recv from 1) writes output[1], but doesn't wait for step 0 (send "
                  "to 1), which reads it");
}

static void what_has_no_input_in_its_output_is_refused(void **state)
{
  (void)state;
  static const char *const texts[] = {
      HEAD("bcast", "2", "0", "0") "rank 0\n0 send 1 input[0]\nrank 1\n0 recv 0 output[0]\n",
      HEAD("scatter", "2", "0", "0") "rank 0\n0 send 1 input[1]\n1 copy input[0] to output[0]\n"
                                     "rank 1\n0 recv 0 output[0]\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct tny_schedule *schedule = read_text(texts[i]);
    struct tny_error error = {0};
    assert_int_equal(tny_verify_schedule(schedule, NULL, NULL), TNY_OK);
    assert_int_equal(tny_verify_in_place(schedule, &error), TNY_REFUSED);
    assert_non_null(strstr(error.text, "has no such input"));
    tny_schedule_free(schedule);
  }
}

/* --- every algorithm, and mutants --- */

enum { MUTANTS = 1500, MUTANTS_A_BASE = 10, TRIES = 200, RUNS = 12, MANY_RUNS = 4000 };

struct tally {
  uint32_t plans, plans_accepted; /* as they are */
  uint32_t accepted[TNY_COLLECTIVE_COUNT], refused[TNY_COLLECTIVE_COUNT];
  /* Why a run of what is refused may be right: a run went wrong; other ranks keep the steps in
     order; a copy writes what lies there already; an input is written to, or a copy or reduce reads
     what it writes, which is against the rules however it turns out. */
  uint32_t faults, ordered, rewritten, ruled_out;
};

/* A rank's steps behind a copy of its input, which they read instead. */
static struct tny_steps copy_first(const struct tny_schedule *in, uint32_t rank)
{
  struct tny_builder builder;
  struct tny_steps steps;
  const struct tny_steps *old = &in->ranks[rank];
  const uint32_t inputs = tny_buffer_blocks(in->collective, TNY_INPUT, in->rank_count);
  tny_builder_init(&builder);
  tny_builder_copy(&builder, tny_span_blocks(TNY_INPUT, 0, inputs),
                   tny_span_blocks(TNY_SCRATCH, in->scratch_blocks, inputs));
  for (uint32_t i = 0; i < old->count; i++) {
    struct tny_step step = old->steps[i];
    if (!tny_step_is_token(step.kind) && step.span.buffer == TNY_INPUT) {
      step.span.buffer = TNY_SCRATCH;
      step.span.first += in->scratch_blocks;
    }
    tny_builder_append(&builder, &step);
    for (uint32_t k = 0; k < step.after_count; k++)
      tny_builder_wait(&builder, 1 + old->after[step.after_first + k]);
    if (step.kind == TNY_RECV)
      tny_builder_wait(&builder, 0);
  }
  assert_int_equal(tny_builder_finish(&builder, &steps, NULL), TNY_OK);
  return steps;
}

static struct tny_schedule *from_a_copy(const struct tny_schedule *in)
{
  struct tny_schedule *schedule;
  assert_int_equal(tny_schedule_new_like(in, &schedule, NULL), TNY_OK);
  schedule->scratch_blocks += tny_buffer_blocks(in->collective, TNY_INPUT, in->rank_count);
  for (uint32_t rank = 0; rank < in->rank_count; rank++)
    schedule->ranks[rank] = copy_first(in, rank);
  return schedule;
}

/* Does a step write into an input, or a local one what it reads? */
static bool breaks_a_rule(const struct oracle *oracle)
{
  for (uint32_t id = 0; id < oracle->step_count; id++) {
    const struct tny_step *step = oracle_step(oracle, id);
    const struct tny_span from = placed(oracle, id, &step->span);
    const struct tny_span to = placed(oracle, id, &step->target);
    const bool is_local = oracle_is_local(step->kind);
    if ((step->kind == TNY_RECV && step->span.buffer == TNY_INPUT) ||
        (is_local && step->target.buffer == TNY_INPUT) ||
        (is_local && !step_stays(oracle, id) && spans_overlap(&from, &to)))
      return true;
  }
  return false;
}

/* Is the one step complete before the other starts, or of a send its message received? MPI has a
   buffer left alone until the send is complete, but a run has no use for it any more. */
static bool is_past(const struct closure *closure, uint32_t id, uint32_t later)
{
  return closure_orders(closure, id, later) ||
         (oracle_step(closure->oracle, id)->kind == TNY_SEND &&
          closure_orders(closure, closure->oracle->partner[id], later));
}

/* Are steps of a rank that use the same memory in the list's order, if only by what other ranks
   wait for? */
static bool is_ordered(const struct oracle *oracle)
{
  struct closure closure = closure_make(oracle);
  bool is_safe = true;
  for (uint32_t rank = 0; rank < oracle->schedule->rank_count; rank++)
    for (uint32_t a = oracle->first[rank]; a < oracle->first[rank + 1]; a++)
      for (uint32_t b = a + 1; is_safe && b < oracle->first[rank + 1]; b++)
        is_safe = !steps_collide(oracle, a, b) || is_past(&closure, a, b);
  closure_free(&closure);
  return is_safe;
}

/* What is proved in place is right in every run there; what isn't goes wrong in one, or is told. */
static bool judge(const struct setting *on, const struct tny_schedule *schedule,
                  struct tally *tally, uint64_t seed)
{
  struct tny_error error = {0};
  struct oracle oracle;
  enum oracle_fault fault = ORACLE_RIGHT;
  const bool accepted = tny_verify_in_place(schedule, &error) == TNY_OK;
  assert_int_equal(oracle_open(&oracle, schedule, &on->network, false), ORACLE_RIGHT);
  oracle.in_place = true;
  for (uint32_t run = 0; fault == ORACLE_RIGHT && run < (accepted ? RUNS : MANY_RUNS); run++)
    fault = oracle_run(&oracle, run == 0 ? 0 : seed + run);
  if (accepted && fault != ORACLE_RIGHT)
    fail_msg("%s %s of %u ranks is accepted in place, but the oracle finds fault %d",
             tny_collective_name(schedule->collective), schedule->algorithm, schedule->rank_count,
             (int)fault);
  (accepted ? tally->accepted : tally->refused)[schedule->collective]++;
  if (!accepted && fault != ORACLE_RIGHT)
    tally->faults++;
  else if (!accepted && breaks_a_rule(&oracle))
    tally->ruled_out++;
  else if (!accepted && is_ordered(&oracle))
    tally->ordered++;
  else if (!accepted && oracle.rewrites)
    tally->rewritten++;
  else if (!accepted)
    fail_msg("%s %s of %u ranks is refused in place (%s), but no run goes wrong",
             tny_collective_name(schedule->collective), schedule->algorithm, schedule->rank_count,
             error.text);
  oracle_close(&oracle);
  return accepted;
}

/* A schedule of a random problem; NULL: refused. */
static struct tny_schedule *plan(struct setting *on, const struct tny_algorithm *algorithm,
                                 uint64_t *seed)
{
  static const char *const clusters[] = {"single:7", "switches:3+4", "mesh:2x3", "ring:5"};
  static const struct tny_pace paces[] = {{1, 0, 0}, {2, 0, 0}, {3, 1, 0}, {3, 2, 0}};
  struct tny_schedule *schedule = NULL;
  struct tny_problem prepared;
  struct tny_cluster *cluster = open_cluster(clusters[draw(seed, 4)]);
  const uint32_t rank_count =
      draw(seed, 3) ? cluster->host_count : 2 + draw(seed, cluster->host_count - 1);
  const struct tny_pace pace = paces[draw(seed, 4)];
  set_up_on(on, cluster, draw(seed, 2) ? TNY_MAP_BLOCK : TNY_MAP_INTERLEAVED, rank_count);
  on->problem.collective = algorithm->collective;
  if (tny_collective_has_root(algorithm->collective))
    on->problem.root = draw(seed, rank_count);
  if (tny_algorithm_refusal(algorithm, &on->problem))
    return NULL;
  enum tny_status status = tny_problem_prepare(algorithm, &on->problem, &prepared, NULL);
  if (status == TNY_OK)
    status = tny_plan_all(algorithm, &prepared, pace, &schedule, NULL);
  tny_problem_release(algorithm, &prepared);
  return status == TNY_OK ? schedule : NULL;
}

static uint32_t judge_mutants(const struct setting *on, const struct tny_schedule *schedule,
                              struct tally *tally, uint64_t *seed)
{
  uint32_t made = 0;
  for (uint32_t tries = 0; made < MUTANTS_A_BASE && tries < TRIES; tries++) {
    struct mutant mutant;
    if (!mutant_make(&mutant, schedule, false, seed))
      continue;
    /* Of one that isn't a schedule, or gets stuck, nothing is asked in place. */
    if (tny_verify_progress(&mutant.schedule, NULL, NULL) == TNY_OK) {
      judge(on, &mutant.schedule, tally, *seed);
      made++;
    }
    mutant_release(&mutant);
  }
  return made;
}

static uint32_t judge_algorithm(const struct tny_algorithm *algorithm, struct tally *tally,
                                uint64_t *seed)
{
  struct setting on;
  uint32_t made = 0;
  struct tny_schedule *schedule = plan(&on, algorithm, seed);
  if (schedule) {
    struct tny_schedule *copied = from_a_copy(schedule);
    struct tny_error error = {0};
    tally->plans++;
    tally->plans_accepted += judge(&on, schedule, tally, *seed);
    if (tny_verify_schedule(copied, NULL, &error) != TNY_OK ||
        tny_verify_in_place(copied, &error) != TNY_OK)
      fail_msg("%s %s from a copy of the input: %s", tny_collective_name(algorithm->collective),
               algorithm->name, error.text);
    judge(&on, copied, tally, *seed);
    made = judge_mutants(&on, copied, tally, seed);
    tny_schedule_free(copied);
  }
  tny_schedule_free(schedule);
  tear_down(&on);
  return made;
}

static void report(const struct tally *tally)
{
  print_message("%u plans, of which %u are right in place as they are, and all from a copy of the "
                "input.\n%-16s%10s%10s\n",
                tally->plans, tally->plans_accepted, "with mutants", "accepted", "refused");
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    if (tny_collective_may_be_in_place((enum tny_collective)c))
      print_message("%-16s%10u%10u\n", tny_collective_name((enum tny_collective)c),
                    tally->accepted[c], tally->refused[c]);
  print_message(
      "Of those refused, in %u the oracle finds the fault; %u break a rule whatever comes "
      "of it, in %u\nother ranks keep the steps in order, and in %u what is written lay "
      "there already.\n",
      tally->faults, tally->ruled_out, tally->ordered, tally->rewritten);
}

static void what_is_accepted_in_place_is_right_there_in_every_run(void **state)
{
  (void)state;
  struct tally tally = {0};
  const uint32_t mutants_wanted = sample_of(MUTANTS);
  uint64_t seed = 20261126;
  for (uint32_t mutants = 0, before = 1; mutants < mutants_wanted && before != mutants;) {
    before = mutants;
    for (const struct tny_algorithm *const *at = tny_algorithms; *at; at++)
      if (tny_collective_may_be_in_place((*at)->collective))
        mutants += judge_algorithm(*at, &tally, &seed);
  }
  report(&tally);
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    if (tny_collective_may_be_in_place((enum tny_collective)c))
      assert_true(tally.accepted[c] >= sample_of(10) && tally.refused[c] >= sample_of(10));
  assert_true(tally.faults > 10 * tally.rewritten);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_all_reduce_combines_into_its_input_when_nobody_reads_that_any_more),
      cmocka_unit_test(a_reduce_is_in_place_at_its_root),
      cmocka_unit_test(the_result_of_a_reduce_scatter_lies_in_the_first_block_of_the_input),
      cmocka_unit_test(all_of_an_all_to_all_is_in_place),
      cmocka_unit_test(what_has_no_input_in_its_output_is_refused),
      cmocka_unit_test(what_is_accepted_in_place_is_right_there_in_every_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
