/* The verifier, tested on mutants of proved schedules: each is caught, or shown to be as good as
   the original. The oracle (oracle_support.h) carries out every mutant with real data; where it
   finds a fault in one that the verifier accepts, the verifier is wrong. */
#include "mutation_support.h"
#include "oracle_barrier_support.h"
#include "oracle_counts_support.h"
#include "support/setting.h"

#include <tourney/pattern.h>
#include <tourney/separate.h>
#include <tourney/verify.h>

#include "schedule/match.h"
#include "schedule/well_formed.h"
#include "verify/phases.h"

enum { MUTANTS = 10000, MUTANTS_A_BASE = 10, TRIES = 400, RUNS = 12, MANY_RUNS = 4000 };

/* The verifier's checks, in the order they are asked. */
enum check {
  CHECK_FORM,
  CHECK_ENDS,
  CHECK_PROGRESS,
  CHECK_DATA,
  CHECK_LINKS,
  CHECK_SEPARATED,
  CHECK_CLAIM,
  CHECKS,
  ACCEPTED = CHECKS,
};

static const char *const check_names[CHECKS] = {"form",  "ends",      "progress", "data",
                                                "links", "separated", "claim"};

/* Why an accepted mutant is as good as the original. */
enum reason {
  WAIT_IMPLIED,
  WAIT_NOT_NEEDED,
  WAIT_THERE_ALREADY,
  WAIT_MORE,
  TWO_QUEUES,
  INDEPENDENT_STEPS,
  PHASE_FREE,
  PHASE_UNREAD,
  COPY_TWICE,
  SAME_DATA,
  UNEXPLAINED,
  REASONS
};

static const char *const reason_names[REASONS] = {
    [WAIT_IMPLIED] = "take away a wait that others imply",
    [WAIT_NOT_NEEDED] = "take away a wait between steps that share no memory",
    [WAIT_THERE_ALREADY] = "add a wait that others imply already",
    [WAIT_MORE] = "add a wait that closes no cycle: the same data, at most later",
    [TWO_QUEUES] = "swap a receive and a neighbouring send, which keep their order in two queues",
    [INDEPENDENT_STEPS] = "swap two neighbours of a queue that share no memory",
    [PHASE_FREE] = "move a message to a phase in which its links are free, or out of all phases",
    [PHASE_UNREAD] = "move a token or copy to another phase; only messages are on links",
    [COPY_TWICE] = "make a copy twice",
    [SAME_DATA] = "take the same data from another location",
    [UNEXPLAINED] = "are unexplained",
};

/* Where schedules come from. */
struct site {
  const char *cluster;
  uint32_t ranks_a_host;
};

static const struct site sites[] = {{"single:12", 1},    {"switches:3+4", 1}, {"ring:8", 1},
                                    {"torus:4x4", 1},    {"mesh:2x3", 1},     {"single:5", 2},
                                    {"switches:2+3", 2}, {"ring:4", 2}};
enum { SITES = sizeof sites / sizeof *sites };

/* A proved schedule and what was proved of it. */
struct base {
  const struct tny_algorithm *algorithm;
  const struct site *site;
  struct setting on;
  struct tny_pattern *sizes; /* of an algorithm that plans by them; else NULL */
  struct tny_pace pace;
  struct tny_schedule *schedule;
  uint32_t link_messages; /* in a phase, at most; 0: no phases */
  bool is_separated, has_claim;
  struct tny_claim claim;
  char text[200];
};

/* What was mutated: schedules, and how many of them are of some kind. */
enum kind {
  KIND_ANY,
  KIND_GRID,
  KIND_CROWDED,
  KIND_PARAMETER,
  KIND_CUT,
  KIND_PACED,
  KIND_SPARSE,
  KIND_SEPARATED,
  KIND_CLAIMED,
  KINDS
};

static const char *const kind_names[KINDS] = {
    [KIND_ANY] = "in all",
    [KIND_GRID] = "on a torus or mesh of two dimensions",
    [KIND_CROWDED] = "with several ranks on a host",
    [KIND_PARAMETER] = "with a parameter of their own",
    [KIND_CUT] = "cut in chunks",
    [KIND_PACED] = "paced",
    [KIND_SPARSE] = "sparse",
    [KIND_SEPARATED] = "with their phases kept apart",
    [KIND_CLAIMED] = "held to their algorithm's claim",
};

struct tally {
  uint32_t kinds[KINDS];
  uint32_t caught[MUTATIONS][CHECKS], accepted[MUTATIONS], reasons[REASONS];
  uint32_t oracle[CHECKS];              /* of those caught: the oracle finds a fault, too */
  uint32_t cautious[MUTATIONS][CHECKS]; /* of those caught: it finds none */
  uint32_t in_place[2], in_place_kept;  /* all-gathers refused, accepted; of these ... */
  uint32_t in_place_faults, in_place_ordered, in_place_rewritten; /* of those refused */
  uint32_t mutants, tokens;
  char examples[MUTATIONS][CHECKS][600];
};

/* --- bases --- */

static enum check verify(const struct base *base, const struct tny_schedule *schedule,
                         struct tny_error *error)
{
  struct tny_match match;
  struct tny_report report;
  if (tny_well_formed_check(schedule, error) != TNY_OK)
    return CHECK_FORM;
  if (tny_match_make(schedule, &match, error) != TNY_OK)
    return CHECK_ENDS;
  const bool do_agree = tny_phases_agree(&match, error) == TNY_OK;
  tny_match_release(&match);
  if (!do_agree)
    return CHECK_ENDS;
  if (tny_verify_progress(schedule, &report, error) != TNY_OK)
    return CHECK_PROGRESS;
  if (tny_verify_data(schedule, error) != TNY_OK)
    return CHECK_DATA;
  if (tny_verify_links(schedule, &base->on.network, base->link_messages, &report, error) != TNY_OK)
    return CHECK_LINKS;
  if (base->is_separated && tny_verify_separated(schedule, &base->on.network, error) != TNY_OK)
    return CHECK_SEPARATED;
  if (base->has_claim && tny_verify_claim(&report, &base->claim, error) != TNY_OK)
    return CHECK_CLAIM;
  return ACCEPTED;
}

/* What the oracle finds wrong, in up to that many runs. */
static enum oracle_fault consult(const struct base *base, struct oracle *oracle, uint32_t runs,
                                 uint64_t seed)
{
  if (base->link_messages > 0 && oracle_phase_messages(oracle) > base->link_messages)
    return ORACLE_LINKS;
  if (base->algorithm->collective == TNY_BARRIER && oracle_ends_early(oracle))
    return ORACLE_DATA;
  enum oracle_fault fault = oracle_run(oracle, 0);
  for (uint32_t run = 1; fault == ORACLE_RIGHT && run < runs; run++)
    fault = oracle_run(oracle, seed + run);
  const uint64_t sent = oracle_blocks_sent(oracle), claimed = base->claim.blocks_sent_max;
  if (fault == ORACLE_RIGHT && base->has_claim &&
      ((base->claim.rounds > 0 && oracle_rounds(oracle) != base->claim.rounds) || sent > claimed ||
       (sent < claimed && !base->claim.blocks_are_at_most) ||
       !oracle_has_phases(oracle, base->claim.phases)))
    return ORACLE_CLAIM;
  return fault;
}

static void release_base(struct base *base)
{
  tny_schedule_free(base->schedule);
  tny_pattern_free(base->sizes);
  tear_down(&base->on);
}

/* Separates the phases where that can be done. */
static void separate(struct base *base, uint64_t *seed)
{
  const enum tny_separation how = draw(seed, 2) ? TNY_SEPARATE_BARRIER : TNY_SEPARATE_TOKENS;
  struct tny_schedule *apart;
  if (tny_pass_separate(base->schedule, &base->on.network, how, &apart, NULL, NULL) != TNY_OK)
    return;
  tny_schedule_free(base->schedule);
  base->schedule = apart;
  base->is_separated = true;
  base->has_claim = false;
}

/* Leaves out some blocks where that can be done. */
static void thin(struct base *base, uint64_t *seed)
{
  struct tny_pattern *pattern;
  struct tny_schedule *sparse;
  const struct tny_pattern_chance chance = {.density = 0.5, .seed = *seed};
  assert_int_equal(tny_pattern_random(base->schedule->rank_count, chance, 1, &pattern, NULL),
                   TNY_OK);
  if (tny_pass_subset(base->schedule, pattern, &sparse, NULL) == TNY_OK) {
    tny_schedule_free(base->schedule);
    base->schedule = sparse;
    base->has_claim = false;
  }
  tny_pattern_free(pattern);
}

/* Ranks on a random site: as many as it takes, or fewer. */
static void take_site(struct base *base, uint64_t *seed)
{
  base->site = &sites[draw(seed, SITES)];
  struct tny_cluster *cluster = open_cluster(base->site->cluster);
  const uint32_t ranks_max = cluster->host_count * base->site->ranks_a_host;
  const uint32_t rank_count = draw(seed, 3) ? 2 + draw(seed, ranks_max - 1) : ranks_max;
  const enum tny_map map = draw(seed, 2) ? TNY_MAP_BLOCK : TNY_MAP_INTERLEAVED;
  set_up_on(&base->on, cluster, map, rank_count);
  base->on.problem.collective = base->algorithm->collective;
}

/* A random problem for the algorithm, planned; false where it doesn't serve it. */
static bool plan(struct base *base, uint64_t *seed)
{
  static const struct tny_pace paces[] = {{1, 0, 0}, {1, 0, 0}, {2, 0, 0},
                                          {1, 1, 0}, {3, 1, 0}, {3, 2, 0}};
  const struct tny_algorithm *algorithm = base->algorithm;
  take_site(base, seed);
  struct tny_problem *problem = &base->on.problem;
  const struct tny_pace pace = base->pace = paces[draw(seed, 6)];
  if (tny_collective_has_root(problem->collective))
    problem->root = draw(seed, problem->rank_count);
  if (algorithm->parameter.name && draw(seed, 2))
    problem->parameter = algorithm->parameter.least + draw(seed, 3);
  problem->pattern = base->sizes = sizes_for(&base->on, algorithm);
  if (tny_algorithm_refusal(algorithm, problem))
    return false;
  struct tny_problem prepared;
  enum tny_status status = tny_problem_prepare(algorithm, problem, &prepared, NULL);
  if (status == TNY_OK)
    status = tny_plan_all(algorithm, &prepared, pace, &base->schedule, NULL);
  const struct tny_problem settled = tny_plan_problem(algorithm, &prepared, 1);
  base->has_claim = pace.chunk_count == 1 && pace.window == 0;
  if (status == TNY_OK && base->has_claim)
    base->claim = tny_algorithm_claim(algorithm, &settled);
  tny_problem_release(algorithm, &prepared);
  if (status != TNY_OK)
    return false;
  if (draw(seed, 5) == 0)
    thin(base, seed);
  if (draw(seed, 5) < 2)
    separate(base, seed);
  snprintf(base->text, sizeof base->text, "%s %s, %u ranks on %s, %u chunks, window %u%s%s",
           tny_collective_name(problem->collective), base->schedule->algorithm, problem->rank_count,
           base->site->cluster, pace.chunk_count, pace.window,
           base->schedule->wanted ? ", sparse" : "", base->is_separated ? ", separated" : "");
  return true;
}

/* A schedule that is proved, and in which the oracle finds no fault. */
static void make_base(struct base *base, const struct tny_algorithm *algorithm, uint64_t *seed)
{
  struct tny_report report;
  struct tny_error error = {0};
  struct oracle oracle;
  bool planned = false;
  for (uint32_t tries = 0; !planned && tries < TRIES; tries++) {
    *base = (struct base){.algorithm = algorithm};
    planned = plan(base, seed);
    if (!planned)
      release_base(base);
  }
  if (!planned)
    fail_msg("%s refuses every site", algorithm->summary);
  if (tny_verify_links(base->schedule, &base->on.network, 0, &report, &error) == TNY_OK)
    base->link_messages = report.phase_link_messages;
  if (verify(base, base->schedule, &error) != ACCEPTED)
    fail_msg("%s: %s", base->text, error.text);
  enum oracle_fault fault =
      oracle_open(&oracle, base->schedule, &base->on.network, base->is_separated);
  if (fault == ORACLE_RIGHT)
    fault = consult(base, &oracle, RUNS, *seed);
  if (fault != ORACLE_RIGHT)
    fail_msg("%s: the oracle finds fault %d in a proved schedule", base->text, (int)fault);
  oracle_close(&oracle);
}

static void count_kinds(const struct base *base, uint32_t *kinds)
{
  const bool is_of[KINDS] = {
      [KIND_ANY] = true,
      [KIND_GRID] = base->on.cluster->shape.dimension_count > 1,
      [KIND_CROWDED] = (base->on.placement->host_count < base->on.problem.rank_count),
      [KIND_PARAMETER] = (base->on.problem.parameter > 0),
      [KIND_CUT] = base->schedule->chunk_count > 1,
      [KIND_PACED] = base->pace.window > 0,
      [KIND_SPARSE] = base->schedule->wanted,
      [KIND_SEPARATED] = base->is_separated,
      [KIND_CLAIMED] = base->has_claim,
  };
  for (int kind = 0; kind < KINDS; kind++)
    kinds[kind] += is_of[kind];
}

/* --- why an accepted mutant is as good as the original --- */

static bool was_ordered(const struct base *base, const struct mutant *mutant)
{
  struct oracle oracle;
  assert_int_equal(oracle_open(&oracle, base->schedule, &base->on.network, false), ORACLE_RIGHT);
  assert_int_equal(oracle_run(&oracle, 1), ORACLE_RIGHT);
  struct closure closure = closure_make(&oracle);
  const uint32_t first = oracle.first[mutant->rank];
  const bool ordered = closure_orders(&closure, first + mutant->waited_for, first + mutant->index);
  closure_free(&closure);
  oracle_close(&oracle);
  return ordered;
}

static enum reason explain_with(const struct base *base, const struct mutant *mutant,
                                const struct closure *closure)
{
  const struct tny_step *step = &mutant->original->ranks[mutant->rank].steps[mutant->index];
  const bool is_message = step->kind == TNY_SEND || step->kind == TNY_RECV;
  const uint32_t first = closure->oracle->first[mutant->rank];
  const bool is_safe = closure_is_safe(closure);
  switch (mutant->mutation) {
  case MUTATE_DROP_WAIT:
    if (closure_orders(closure, first + mutant->waited_for, first + mutant->index))
      return WAIT_IMPLIED;
    return is_safe ? WAIT_NOT_NEEDED : UNEXPLAINED;
  case MUTATE_ADD_WAIT:
    return was_ordered(base, mutant) ? WAIT_THERE_ALREADY : WAIT_MORE;
  case MUTATE_SWAP:
    if (oracle_receives(step[0].kind) != oracle_receives(step[1].kind))
      return TWO_QUEUES;
    return is_safe ? INDEPENDENT_STEPS : UNEXPLAINED;
  case MUTATE_PHASE:
    return is_message ? UNEXPLAINED : PHASE_UNREAD;
  case MUTATE_BOTH_PHASES:
    return PHASE_FREE; /* the oracle has counted */
  case MUTATE_REPEAT_STEP:
    return step->kind == TNY_COPY && is_safe ? COPY_TWICE : UNEXPLAINED;
  default:
    return is_safe ? SAME_DATA : UNEXPLAINED;
  }
}

static enum reason explain(const struct base *base, const struct mutant *mutant,
                           const struct oracle *oracle)
{
  struct closure closure = closure_make(oracle);
  const enum reason reason = explain_with(base, mutant, &closure);
  closure_free(&closure);
  return reason;
}

/* --- one mutant --- */

/* The verifier's word about all interleavings is worth a longer search for the one that is wrong.
   */
static uint32_t runs_for(enum check check)
{
  return check == CHECK_DATA || check == CHECK_SEPARATED ? MANY_RUNS : RUNS;
}

static void note_accepted(const struct base *base, const struct mutant *mutant,
                          const struct oracle *oracle, struct tally *tally)
{
  const enum reason reason = explain(base, mutant, oracle);
  if (reason == UNEXPLAINED)
    fail_msg("%s: %s of rank %u step %u is accepted, and nothing explains it", base->text,
             mutation_names[mutant->mutation], mutant->rank, mutant->index);
  tally->accepted[mutant->mutation]++;
  tally->reasons[reason]++;
}

/* Caught, and the oracle finds no fault. */
static void note_cautious(const struct base *base, const struct mutant *mutant, enum check check,
                          const struct tny_error *error, struct tally *tally)
{
  char *example = tally->examples[mutant->mutation][check];
  if (tally->cautious[mutant->mutation][check]++ == 0)
    snprintf(example, sizeof tally->examples[0][0], "%s: %.300s", base->text, error->text);
}

static void judge(const struct base *base, const struct mutant *mutant, struct tally *tally,
                  uint64_t seed)
{
  struct tny_error error = {0};
  struct oracle oracle;
  const enum check check = verify(base, &mutant->schedule, &error);
  enum oracle_fault fault =
      oracle_open(&oracle, &mutant->schedule, &base->on.network, base->is_separated);
  if (fault == ORACLE_RIGHT)
    fault = consult(base, &oracle, runs_for(check), seed);
  if (check <= CHECK_DATA && tny_verify_renamed(base->schedule, &mutant->schedule, NULL) == TNY_OK)
    fail_msg("%s: %s of rank %u step %u is taken for a renaming", base->text,
             mutation_names[mutant->mutation], mutant->rank, mutant->index);
  if (check == ACCEPTED && fault != ORACLE_RIGHT)
    fail_msg("%s: %s of rank %u step %u is accepted, but the oracle finds fault %d", base->text,
             mutation_names[mutant->mutation], mutant->rank, mutant->index, (int)fault);
  if (check == ACCEPTED) {
    note_accepted(base, mutant, &oracle, tally);
  } else {
    tally->caught[mutant->mutation][check]++;
    tally->oracle[check] += fault != ORACLE_RIGHT;
    if (fault == ORACLE_RIGHT)
      note_cautious(base, mutant, check, &error, tally);
  }
  oracle_close(&oracle);
}

/* Does each step wait, if only by what other ranks wait for, for those whose memory it uses? */
static bool is_ordered(const struct oracle *oracle)
{
  struct closure closure = closure_make(oracle);
  const bool is_safe = closure_is_safe(&closure);
  closure_free(&closure);
  return is_safe;
}

/* An all-gather that is right with an input of its own: what is accepted in place runs right in
   place, and what the runtime takes to be so is accepted. */
static void judge_in_place(const struct base *base, const struct tny_schedule *schedule,
                           struct tally *tally, uint64_t seed)
{
  struct tny_error error = {0};
  struct oracle oracle;
  const bool accepted = tny_verify_in_place(schedule, &error) == TNY_OK;
  bool keeps_input = true;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    keeps_input &= tny_steps_keep_input(&schedule->ranks[rank], rank);
  assert_int_equal(oracle_open(&oracle, schedule, &base->on.network, false), ORACLE_RIGHT);
  oracle.in_place = true;
  enum oracle_fault fault = ORACLE_RIGHT;
  for (uint32_t run = 0; fault == ORACLE_RIGHT && run < (accepted ? RUNS : MANY_RUNS); run++)
    fault = oracle_run(&oracle, run == 0 ? 0 : seed + run);
  if (accepted && fault != ORACLE_RIGHT)
    fail_msg("%s: accepted in place, but the oracle finds fault %d", base->text, (int)fault);
  if (keeps_input && !accepted)
    fail_msg("%s: keeps its input, but is refused in place: %s", base->text, error.text);
  tally->in_place[accepted]++;
  tally->in_place_faults += fault != ORACLE_RIGHT;
  const bool is_unexplained = !accepted && fault == ORACLE_RIGHT && !is_ordered(&oracle);
  tally->in_place_ordered += !accepted && fault == ORACLE_RIGHT && !is_unexplained;
  tally->in_place_rewritten += is_unexplained && oracle.rewrites;
  tally->in_place_kept += keeps_input;
  oracle_close(&oracle);
}

/* Returns how many were made; a sparse schedule may have hardly a step to change. */
static uint32_t judge_some(const struct base *base, struct tally *tally, uint64_t *seed)
{
  uint32_t made = 0;
  for (uint32_t tries = 0; made < MUTANTS_A_BASE && tries < TRIES; tries++) {
    struct mutant mutant;
    const bool of_token = base->is_separated && draw(seed, 2);
    if (!mutant_make(&mutant, base->schedule, of_token, seed))
      continue;
    judge(base, &mutant, tally, *seed);
    /* What --prove refuses at run time is what is wrong. */
    assert_int_equal(tny_verify_as_run(&mutant.schedule, NULL),
                     tny_verify_schedule(&mutant.schedule, NULL, NULL));
    if (base->on.problem.collective == TNY_ALLGATHER &&
        tny_verify_schedule(&mutant.schedule, NULL, NULL) == TNY_OK)
      judge_in_place(base, &mutant.schedule, tally, *seed);
    tally->tokens += of_token;
    mutant_release(&mutant);
    made++;
  }
  return made;
}

/* --- the report --- */

static uint32_t sum_of(const uint32_t (*table)[CHECKS], enum check check)
{
  uint32_t sum = 0;
  for (int mutation = 0; mutation < MUTATIONS; mutation++)
    sum += table[mutation][check];
  return sum;
}

static uint32_t accepted_of(const struct tally *tally)
{
  uint32_t sum = 0;
  for (int mutation = 0; mutation < MUTATIONS; mutation++)
    sum += tally->accepted[mutation];
  return sum;
}

static void report_kinds(const struct tally *tally)
{
  uint32_t algorithm_count = 0;
  while (tny_algorithms[algorithm_count])
    algorithm_count++;
  print_message("Proved schedules of %u algorithms:\n", algorithm_count);
  for (int kind = 0; kind < KINDS; kind++)
    print_message("%6u %s\n", tally->kinds[kind], kind_names[kind]);
}

/* A row for each way to change a step, and in it a number for each check that refuses. */
static void report_table(const struct tally *tally)
{
  print_message("%-18s", "changed");
  for (int check = 0; check < CHECKS; check++)
    print_message("%10s", check_names[check]);
  print_message("%10s\n", "accepted");
  for (int mutation = 0; mutation < MUTATIONS; mutation++) {
    print_message("%-18s", mutation_names[mutation]);
    for (int check = 0; check < CHECKS; check++)
      print_message("%10u", tally->caught[mutation][check]);
    print_message("%10u\n", tally->accepted[mutation]);
  }
  print_message("%-18s", "all");
  for (enum check check = 0; check < CHECKS; check++)
    print_message("%10u", sum_of(tally->caught, check));
  print_message("%10u\n%-18s", accepted_of(tally), "oracle agrees");
  for (int check = 0; check < CHECKS; check++)
    print_message("%10u", tally->oracle[check]);
}

static void report(const struct tally *tally)
{
  report_kinds(tally);
  print_message("\n%u mutants, a step of a proved schedule changed in each (%u times a token), and "
                "the check that\nrefuses them:\n",
                tally->mutants, tally->tokens);
  report_table(tally);
  print_message("\n\n%u are accepted, each as good as the original. Of these\n",
                accepted_of(tally));
  for (int reason = 0; reason < REASONS; reason++)
    print_message("%6u %s\n", tally->reasons[reason], reason_names[reason]);
  print_message(
      "\nThe oracle carries every mutant out with real data, %d times in random order, and "
      "%d times where data\nor separated refuse it. These are refused though no run went "
      "wrong: the verifier goes by the rules,\nand a run may be lucky. The first of "
      "each:\n",
      RUNS, MANY_RUNS);
  for (int check = 0; check < CHECKS; check++)
    for (int mutation = 0; mutation < MUTATIONS; mutation++)
      if (tally->cautious[mutation][check] > 0)
        print_message("%6u %s, %s: %s\n", tally->cautious[mutation][check], check_names[check],
                      mutation_names[mutation], tally->examples[mutation][check]);
  print_message(
      "%u all-gathers, right with an input of their own, are accepted in place, %u of them "
      "as they keep\ntheir input; %u are refused, and in %u of these the oracle finds the "
      "fault; in %u other ranks\nkeep the steps in order, and in %u a rank's block is written "
      "while it is "
      "sent, as it was\n",
      tally->in_place[true], tally->in_place_kept, tally->in_place[false], tally->in_place_faults,
      tally->in_place_ordered, tally->in_place_rewritten);
}

/* Where a check is about what happens, and not about form, the oracle finds the fault as well. */
static void compare_with_oracle(const struct tally *tally)
{
  assert_int_equal(tally->oracle[CHECK_PROGRESS], sum_of(tally->caught, CHECK_PROGRESS));
  assert_int_equal(tally->oracle[CHECK_CLAIM], sum_of(tally->caught, CHECK_CLAIM));
  assert_int_equal(tally->oracle[CHECK_DATA], sum_of(tally->caught, CHECK_DATA));
  for (enum check check = 0; check < CHECKS; check++)
    assert_true(tally->oracle[check] > 0);
}

static void every_mutant_is_caught_or_as_good_as_the_original(void **state)
{
  (void)state;
  static struct tally tally;
  uint64_t seed = 20240229;
  while (tally.mutants < sample_of(MUTANTS)) {
    const uint32_t before = tally.mutants;
    for (uint32_t a = 0; tny_algorithms[a] && tally.mutants < sample_of(MUTANTS); a++) {
      struct base base;
      make_base(&base, tny_algorithms[a], &seed);
      count_kinds(&base, tally.kinds);
      tally.mutants += judge_some(&base, &tally, &seed);
      release_base(&base);
    }
    assert_true(tally.mutants > before);
  }
  report(&tally);
  compare_with_oracle(&tally);
  for (int kind = 0; kind < KINDS; kind++)
    assert_true(tally.kinds[kind] > 0);
  assert_true(tally.in_place[true] > sample_of(100) && tally.in_place[false] > sample_of(20));
  assert_int_equal(tally.in_place_faults + tally.in_place_ordered + tally.in_place_rewritten,
                   tally.in_place[false]);
  assert_true(tally.in_place_rewritten <= tally.in_place[false] / 50);
  assert_true(tally.tokens >= sample_of(MUTANTS) / 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_mutant_is_caught_or_as_good_as_the_original),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
