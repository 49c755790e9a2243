/* Every registered algorithm through the verifier: over rank counts, roots, orders, clusters,
   chunks and windows. */
#include "support/sample.h"
#include "support/setting.h"

#include <tourney/verify.h>

#include "schedule/held_blocks.h"

enum { RANKS_MAX = 128 };

static const uint32_t rank_counts[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                       13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
                                       25, 26, 27, 28, 29, 30, 31, 32, 33, 47, 64};
enum { RANK_COUNTS = sizeof rank_counts / sizeof *rank_counts };

/* 8 pieces keep the circulant broadcast of up to 64 ranks going for two whole periods; with fewer,
   a wrong order of pieces may go unseen. */
static const struct tny_pace paces[] = {{1, 0, 0}, {2, 0, 0}, {5, 0, 0}, {8, 0, 0},
                                        {1, 1, 0}, {2, 1, 0}, {5, 1, 0}, {2, 2, 0},
                                        {5, 2, 0}, {2, 4, 0}, {5, 4, 0}};

/* A problem with the storage it points to. */
struct arrangement {
  struct tny_problem problem;
  uint32_t order[RANKS_MAX], position[RANKS_MAX];
  struct tny_placement placement;
};

/* The block of the `number`-th message that a rank sends to a peer, or gets from it; TNY_NONE:
   there are no more. */
static uint32_t block_of_message(const struct tny_steps *steps, const uint32_t *held,
                                 enum tny_step_kind kind, uint32_t peer, uint32_t number)
{
  for (uint32_t i = 0; i < steps->count; i++)
    if (steps->steps[i].kind == kind && steps->steps[i].peer == peer && number-- == 0)
      return held[i];
  return TNY_NONE;
}

/* Do both ends of each message have it of the same block? held: by rank and step. */
static bool ends_agree(const struct tny_schedule *schedule, uint32_t **held)
{
  const uint32_t p = schedule->rank_count;
  for (uint32_t from = 0; from < p; from++)
    for (uint32_t to = 0; to < p; to++)
      for (uint32_t number = 0, block = 0; block != TNY_NONE; number++) {
        block = block_of_message(&schedule->ranks[from], held[from], TNY_SEND, to, number);
        if (block != block_of_message(&schedule->ranks[to], held[to], TNY_RECV, from, number))
          return false;
      }
  return true;
}

/* The same of a reduce-scatter, whose messages are each of one result, wherever it lies. */
static bool has_single_results(const struct tny_schedule *schedule)
{
  uint32_t *held[RANKS_MAX] = {NULL};
  bool is_single = true;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const struct tny_steps *steps = &schedule->ranks[rank];
    struct tny_held problem = {
        .steps = steps, .rank = rank, .scratch_blocks = schedule->scratch_blocks, .piece_count = 1};
    for (uint32_t i = 0; i < steps->count; i++) {
      is_single = is_single && steps->steps[i].span.count <= 1 && steps->steps[i].target.count <= 1;
      if (steps->steps[i].span.chunk_count > problem.piece_count)
        problem.piece_count = steps->steps[i].span.chunk_count;
    }
    held[rank] = calloc(steps->count + 1, sizeof *held[rank]);
    is_single = is_single && tny_steps_find_held(&problem, held[rank], NULL) == TNY_OK;
  }
  is_single = is_single && ends_agree(schedule, held);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    free(held[rank]);
  return is_single;
}

/* Is every span of a single block of the program's own buffers? */
static bool has_single_blocks(const struct tny_schedule *schedule)
{
  if (tny_collective_reduces(schedule->collective))
    return has_single_results(schedule);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const struct tny_steps *steps = &schedule->ranks[rank];
    for (uint32_t i = 0; i < steps->count; i++) {
      const struct tny_step *step = &steps->steps[i];
      if (step->span.count > 1 || step->target.count > 1 || step->span.buffer == TNY_SCRATCH ||
          step->target.buffer == TNY_SCRATCH)
        return false;
    }
  }
  return true;
}

/* Does each rank send to one other at the most, and get from one other? */
static bool is_ring(const struct tny_schedule *schedule)
{
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const struct tny_steps *steps = &schedule->ranks[rank];
    uint32_t peers[2] = {TNY_NONE, TNY_NONE};
    for (uint32_t i = 0; i < steps->count; i++) {
      const struct tny_step *step = &steps->steps[i];
      if (step->kind != TNY_SEND && step->kind != TNY_RECV)
        continue;
      uint32_t *peer = &peers[step->kind == TNY_RECV];
      if (*peer != TNY_NONE && *peer != step->peer)
        return false;
      *peer = step->peer;
    }
  }
  return true;
}

/* What the algorithm claims of bits: of this schedule by itself; and it's compared with the whole
   one, by rank number where placements make no difference. */
static enum tny_status prove_bits(const struct tny_algorithm *algorithm,
                                  const struct tny_problem *problem,
                                  const struct tny_schedule *schedule,
                                  const struct tny_report *report, struct tny_error *error)
{
  const struct tny_same_bits *claimed = &algorithm->same_bits;
  struct tny_problem other = *problem;
  struct tny_schedule *whole = NULL;
  if (!tny_collective_reduces(algorithm->collective))
    return TNY_OK;
  enum tny_status status = tny_verify_bits_claim(&report->bits, claimed, error);
  if (status != TNY_OK || !claimed->for_every_size)
    return status;
  other.placement = claimed->for_every_placement ? NULL : problem->placement;
  status = tny_plan_all(algorithm, &other, (struct tny_pace){.chunk_count = 1}, &whole, error);
  if (status == TNY_OK)
    status = tny_verify_same_bits(schedule, whole, error);
  tny_schedule_free(whole);
  return status;
}

/* Data and progress; the claim where it is neither cut nor paced. `where` is for people. False
   where the algorithm refuses. */
static bool prove(const struct tny_algorithm *algorithm, const struct tny_problem *problem,
                  struct tny_pace pace, const char *where)
{
  struct tny_schedule *schedule = NULL;
  struct tny_report report;
  struct tny_error error = {0};
  if (tny_algorithm_refusal(algorithm, problem))
    return false;
  struct tny_problem prepared;
  enum tny_status status = tny_problem_prepare(algorithm, problem, &prepared, &error);
  if (status == TNY_OK)
    status = tny_plan_all(algorithm, &prepared, pace, &schedule, &error);
  if (status == TNY_OK && tny_algorithm_takes_uneven(algorithm) && !has_single_blocks(schedule))
    fail_msg("%s %s:%u, %u ranks %s: blocks that aren't single",
             tny_collective_name(algorithm->collective), algorithm->name, problem->parameter,
             problem->rank_count, where);
  if (status == TNY_OK && algorithm->collective != TNY_ALLREDUCE &&
      tny_algorithm_origin(algorithm)->is_ring && !is_ring(schedule))
    fail_msg("%s %s, %u ranks %s: no ring", tny_collective_name(algorithm->collective),
             algorithm->name, problem->rank_count, where);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, &error);
  if (status == TNY_OK)
    status = prove_bits(algorithm, problem, schedule, &report, &error);
  const bool as_claimed = pace.chunk_count == 1 || algorithm->cut == TNY_CUT_OWN;
  if (status == TNY_OK && as_claimed && pace.window == 0) {
    const struct tny_problem settled = tny_plan_problem(algorithm, &prepared, pace.chunk_count);
    const struct tny_claim claim = tny_algorithm_claim(algorithm, &settled);
    status = tny_verify_claim(&report, &claim, &error);
  }
  if (status != TNY_OK)
    fail_msg("%s %s:%u, %u ranks %s, root %u, %u chunks, window %u: %s",
             tny_collective_name(algorithm->collective), algorithm->name, problem->parameter,
             problem->rank_count, where, problem->root, pace.chunk_count, pace.window, error.text);
  tny_schedule_free(schedule);
  tny_problem_release(algorithm, &prepared);
  return true;
}

/* An order that is neither sorted nor its own inverse. */
static void scramble(struct arrangement *arrangement)
{
  const uint32_t p = arrangement->problem.rank_count;
  uint32_t seed = 12345 + p;
  for (uint32_t i = 0; i < p; i++)
    arrangement->order[i] = i;
  for (uint32_t i = p; i-- > 1;) {
    seed = seed * 1664525u + 1013904223u;
    const uint32_t j = (seed >> 8) % (i + 1), kept = arrangement->order[i];
    arrangement->order[i] = arrangement->order[j];
    arrangement->order[j] = kept;
  }
  for (uint32_t i = 0; i < p; i++)
    arrangement->position[arrangement->order[i]] = i;
  arrangement->placement = (struct tny_placement){
      .rank_count = p, .order = arrangement->order, .position = arrangement->position};
  arrangement->problem.placement = &arrangement->placement;
}

/* All roots where there are few, else the first, the last and some between. */
static uint32_t root_step(const struct tny_problem *problem)
{
  if (!tny_collective_has_root(problem->collective))
    return problem->rank_count;
  return problem->rank_count <= 17 ? 1 : problem->rank_count / 4;
}

static void prove_all_roots(const struct tny_algorithm *algorithm, struct tny_problem problem,
                            struct tny_pace pace, const char *where)
{
  const uint32_t step = root_step(&problem);
  for (uint32_t root = 0; root < problem.rank_count; root += step) {
    problem.root = root;
    if (is_sampled())
      prove(algorithm, &problem, pace, where);
  }
}

static void whole_schedules_are_right_and_keep_their_claim(void **state)
{
  (void)state;
  const struct tny_pace whole = {.chunk_count = 1, .window = 0};
  for (uint32_t a = 0; tny_algorithms[a]; a++) {
    for (uint32_t i = 0; i < RANK_COUNTS; i++) {
      struct arrangement arrangement = {
          .problem = {.collective = tny_algorithms[a]->collective, .rank_count = rank_counts[i]}};
      prove_all_roots(tny_algorithms[a], arrangement.problem, whole, "by rank");
      scramble(&arrangement);
      prove_all_roots(tny_algorithms[a], arrangement.problem, whole, "in another order");
    }
  }
}

static void chunked_and_paced_schedules_are_right(void **state)
{
  (void)state;
  for (uint32_t a = 0; tny_algorithms[a]; a++) {
    for (uint32_t i = 0; i < RANK_COUNTS; i += rank_counts[i] < 12 ? 1 : 3) {
      for (size_t k = 0; k < sizeof paces / sizeof *paces; k++) {
        struct arrangement arrangement = {.problem = {.collective = tny_algorithms[a]->collective,
                                                      .rank_count = rank_counts[i],
                                                      .root = rank_counts[i] / 2}};
        if (!is_sampled())
          continue;
        prove(tny_algorithms[a], &arrangement.problem, paces[k], "by rank");
        scramble(&arrangement);
        prove(tny_algorithms[a], &arrangement.problem, paces[k], "in another order");
      }
    }
  }
}

static void open_setting(struct setting *setting, const char *cluster, enum tny_map map,
                         uint32_t ranks_a_host)
{
  struct tny_cluster *opened = open_cluster(cluster);
  set_up_on(setting, opened, map, opened->host_count * ranks_a_host);
}

/* Whole, and in chunks where the algorithm cuts blocks itself. */
static bool prove_on(const struct setting *setting, const struct tny_algorithm *algorithm,
                     uint32_t parameter)
{
  struct tny_problem problem = setting->problem;
  struct tny_pattern *pattern = sizes_for(setting, algorithm);
  problem.collective = algorithm->collective;
  problem.parameter = parameter;
  problem.pattern = pattern;
  bool proved = false;
  for (uint32_t chunks = 1; chunks <= (algorithm->cut == TNY_CUT_OWN ? 5 : 1); chunks += 4) {
    const struct tny_pace pace = {.chunk_count = chunks};
    proved |= prove(algorithm, &problem, pace, setting->cluster->name);
  }
  tny_pattern_free(pattern);
  return proved;
}

/* Its standard parameter, the least one, and the one after. */
static uint32_t prove_parameters(const struct setting *setting,
                                 const struct tny_algorithm *algorithm)
{
  uint32_t proved = prove_on(setting, algorithm, 0);
  if (!algorithm->parameter.name)
    return proved;
  proved += prove_on(setting, algorithm, algorithm->parameter.least);
  return proved + prove_on(setting, algorithm, algorithm->parameter.least + 1);
}

static void every_algorithm_keeps_its_claim_on_clusters_that_it_is_made_for(void **state)
{
  (void)state;
  const char *const clusters[] = {"single:7",
                                  "single:16",
                                  "switches:3+5",
                                  "switches:2+3+4",
                                  "ring:4",
                                  "ring:8",
                                  "ring:12",
                                  "torus:4x4",
                                  "torus:3x5",
                                  "mesh:2x3",
                                  "mesh:2x3x4",
                                  "fattree:4",
                                  "zones:5+2",
                                  "zones:3+3",
                                  "torus:8x8",
                                  "dragonfly:3x2x2",
                                  "hammingmesh:2x1,boards=2x2"};
  enum { CLUSTERS = sizeof clusters / sizeof *clusters };
  for (uint32_t a = 0; tny_algorithms[a]; a++) {
    uint32_t proved = 0;
    for (uint32_t i = 0; i < CLUSTERS; i++) {
      for (uint32_t ranks_a_host = 1; ranks_a_host <= 2; ranks_a_host++) {
        struct setting setting;
        if (proved > 0 && !is_sampled())
          continue;
        open_setting(&setting, clusters[i], ranks_a_host == 1 ? TNY_MAP_BLOCK : TNY_MAP_INTERLEAVED,
                     ranks_a_host);
        proved += prove_parameters(&setting, tny_algorithms[a]);
        tear_down(&setting);
      }
    }
    if (proved == 0)
      fail_msg("%s refuses all of them", tny_algorithms[a]->name);
  }
}

/* Phases of an algorithm on a cluster with one rank a host, as a whole and in chunks. */
static void prove_links(const struct tny_algorithm *algorithm, const char *cluster,
                        enum tny_map map, bool on_one_switch)
{
  struct setting setting;
  struct tny_error error = {0};
  set_up(&setting, cluster, map, 0);
  setting.problem.collective = algorithm->collective;
  const bool is_refused = tny_algorithm_refusal(algorithm, &setting.problem) != NULL;
  struct tny_problem problem = {0};
  if (!is_refused)
    assert_int_equal(tny_problem_prepare(algorithm, &setting.problem, &problem, NULL), TNY_OK);
  for (uint32_t chunks = 1; chunks <= 3 && !is_refused; chunks += 2) {
    const struct tny_pace pace = {.chunk_count = chunks, .window = chunks == 1 ? 0 : 2};
    const struct tny_problem settled = tny_plan_problem(algorithm, &problem, chunks);
    const struct tny_claim claim = tny_algorithm_claim(algorithm, &settled);
    const uint32_t promised = on_one_switch ? claim.port_messages : claim.tree_link_messages;
    struct tny_schedule *schedule;
    struct tny_report report;
    assert_int_equal(tny_plan_all(algorithm, &problem, pace, &schedule, NULL), TNY_OK);
    if (tny_verify_links(schedule, &setting.network, promised, &report, &error) != TNY_OK)
      fail_msg("%s on %s: %s", algorithm->name, cluster, error.text);
    assert_int_equal(report.phases > 0, claim.phases > 0);
    tny_schedule_free(schedule);
  }
  tny_problem_release(algorithm, &problem);
  tear_down(&setting);
}

static void on_one_switch_a_phase_puts_as_many_messages_on_a_port_as_promised(void **state)
{
  (void)state;
  const char *const clusters[] = {"single:1", "single:2",  "single:3",  "single:5",
                                  "single:8", "single:16", "single:33", "single:64"};
  for (uint32_t a = 0; tny_algorithms[a]; a++)
    for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++)
      prove_links(tny_algorithms[a], clusters[i], TNY_MAP_BLOCK, true);
}

static void on_a_tree_in_switch_order_a_phase_keeps_the_promise(void **state)
{
  (void)state;
  const char *const clusters[] = {"switches:1+1",   "switches:8+8",      "switches:3+5",
                                  "switches:2+3+4", "switches:1+7+1+6",  "switches:16+16",
                                  "switches:5+1+5", "switches:4+4+4+4+4"};
  for (uint32_t a = 0; tny_algorithms[a]; a++) {
    for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
      prove_links(tny_algorithms[a], clusters[i], TNY_MAP_BLOCK, false);
      prove_links(tny_algorithms[a], clusters[i], TNY_MAP_INTERLEAVED, false);
    }
  }
}

static void rings_talk_only_to_their_neighbours_and_chains_too(void **state)
{
  (void)state;
  const char *const names[] = {"ring", "switch-ordered-ring", "pipelined-linear",
                               "switch-ordered-chain"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const enum tny_collective collective = i < 2 ? TNY_ALLGATHER : TNY_BROADCAST;
    const struct tny_algorithm *algorithm = tny_algorithm_find(collective, names[i]);
    const struct tny_problem problem = {.collective = collective, .rank_count = 9};
    const struct tny_pace whole = {.chunk_count = 1, .window = 0};
    assert_non_null(algorithm);
    for (uint32_t rank = 0; rank < 9; rank++) {
      struct tny_steps steps;
      assert_int_equal(tny_plan_rank(algorithm, &problem, whole, rank, &steps, NULL), TNY_OK);
      for (uint32_t k = 0; k < steps.count; k++) {
        if (steps.steps[k].kind == TNY_SEND)
          assert_int_equal(steps.steps[k].peer, (rank + 1) % 9);
        if (steps.steps[k].kind == TNY_RECV)
          assert_int_equal(steps.steps[k].peer, (rank + 8) % 9);
      }
      tny_steps_release(&steps);
    }
  }
}

static void every_algorithm_is_found_by_its_name_and_only_once(void **state)
{
  (void)state;
  for (uint32_t a = 0; tny_algorithms[a]; a++) {
    const struct tny_algorithm *algorithm = tny_algorithms[a];
    assert_ptr_equal(tny_algorithm_find(algorithm->collective, algorithm->name), algorithm);
    assert_true(algorithm->name[0] && algorithm->source[0] && algorithm->summary[0]);
    assert_true(algorithm->needs[0]);
  }
  assert_null(tny_algorithm_find(TNY_BROADCAST, "shuffle"));
  assert_null(tny_algorithm_find(TNY_ALLTOALL, ""));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_schedules_are_right_and_keep_their_claim),
      cmocka_unit_test(chunked_and_paced_schedules_are_right),
      cmocka_unit_test(every_algorithm_keeps_its_claim_on_clusters_that_it_is_made_for),
      cmocka_unit_test(on_one_switch_a_phase_puts_as_many_messages_on_a_port_as_promised),
      cmocka_unit_test(on_a_tree_in_switch_order_a_phase_keeps_the_promise),
      cmocka_unit_test(rings_talk_only_to_their_neighbours_and_chains_too),
      cmocka_unit_test(every_algorithm_is_found_by_its_name_and_only_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
