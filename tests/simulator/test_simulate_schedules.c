/* Schedules and GOAL files as programs of the simulator: what must hold for any of them. */
#include "simulate_support.h"

#include <tourney/exchange.h>
#include <tourney/verify.h>

/* --- schedules --- */

static struct tny_schedule *plan(const struct bench *bench, enum tny_collective collective,
                                 const char *name)
{
  struct tny_algorithm_choice choice;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  struct tny_problem problem = bench->setting.problem;
  problem.collective = collective;
  if (tny_algorithm_parse(collective, name, &choice, &error))
    fail_msg("%s", error.text);
  problem.parameter = choice.parameter;
  if (tny_plan_all(choice.algorithm, &problem, (struct tny_pace){.chunk_count = 1}, &schedule,
                   &error))
    fail_msg("%s: %s", name, error.text);
  return schedule;
}

static void check_simulation(const struct bench *bench, const struct tny_program *program,
                             const struct tny_simulation *simulation)
{
  const struct tny_cluster *cluster = bench->setting.cluster;
  for (uint32_t op = 0; op < program->first[program->rank_count]; op++) {
    const struct tny_op_times *times = &simulation->ops[op];
    assert_true(times->start <= times->end && times->sent <= times->end);
    assert_true(times->end <= simulation->cycles);
    for (uint32_t i = 0; i < program->ops[op].after_count; i++)
      assert_true(simulation->ops[program->after[program->ops[op].after_first + i]].end <=
                  times->start);
    if (program->ops[op].behind != TNY_NONE)
      assert_true(simulation->ops[program->ops[op].behind].start <= times->start);
  }
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    uint64_t flits = 0;
    for (uint32_t bin = 0; bin < simulation->bin_count; bin++)
      flits += simulation->bin_flits[(size_t)link * simulation->bin_count + bin];
    assert_int_equal(flits, simulation->link_flits[link]);
  }
  assert_true(simulation->bin_count * simulation->bin_cycles >= simulation->cycles);
}

/* Adds the messages that each link carries. */
static void count_messages(const struct bench *bench, const struct tny_schedule *schedule,
                           uint64_t *messages)
{
  const struct setting *setting = &bench->setting;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND)
        continue;
      for (uint32_t node = setting->hosts[rank], link;
           (link = tny_routes_next(setting->routes, node, setting->hosts[step->peer])) != TNY_NONE;
           node = setting->cluster->links[link].to)
        messages[link]++;
    }
}

/* A byte a flit, no tokens: the flits of a link are the bytes that the verifier counts. A message
   that carries nothing is a flit. */
static void check_loads(const struct bench *bench, const struct tny_schedule *schedule,
                        uint64_t block_bytes)
{
  const uint32_t link_count = bench->setting.cluster->link_count;
  uint64_t *loads = tny_new(link_count, sizeof *loads);
  struct tny_program *program;
  assert_int_equal(tny_verify_load(schedule, &bench->setting.network, block_bytes, loads, NULL),
                   TNY_OK);
  if (tny_collective_synchronizes(schedule->collective))
    count_messages(bench, schedule, loads);
  assert_int_equal(tny_program_make(schedule, block_bytes, NULL, &program, NULL), TNY_OK);
  struct tny_simulation *simulation = run_program(bench, program);
  for (uint32_t link = 0; link < link_count; link++)
    assert_int_equal(simulation->link_flits[link], loads[link]);
  check_simulation(bench, program, simulation);
  tny_simulation_free(simulation);
  tny_program_free(program);
  tny_free(loads);
}

/* In a binomial tree of 4 ranks the root combines twice, and the rank that sends it the later one
   once before: 2 of the 3 are on the longest way. */
static void combining_takes_the_time_of_its_bytes(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:4", 0);
  struct tny_schedule *schedule = plan(&bench, TNY_REDUCE, "binomial");
  struct tny_program *program;
  assert_int_equal(tny_program_make(schedule, 1000, NULL, &program, NULL), TNY_OK);
  struct tny_simulation *at_once = run_program(&bench, program);
  bench.hosts.combine_byte_ns = 0.5;
  struct tny_simulation *combining = run_program(&bench, program);
  assert_int_equal(combining->cycles, at_once->cycles + 2 * 500);
  tny_simulation_free(combining);
  tny_simulation_free(at_once);
  tny_program_free(program);
  tny_schedule_free(schedule);
  bench_close(&bench);
}

static void links_carry_what_the_verifier_says_for_every_algorithm(void **state)
{
  (void)state;
  static const char *const clusters[] = {"single:8", "switches:3+4", "torus:4x4", "ring:8"};
  for (size_t c = 0; c < sizeof clusters / sizeof *clusters; c++) {
    struct bench bench;
    bench_open(&bench, clusters[c], 0);
    for (size_t a = 0; tny_algorithms[a]; a++) {
      const struct tny_algorithm *algorithm = tny_algorithms[a];
      struct tny_problem problem = bench.setting.problem;
      problem.collective = algorithm->collective;
      if (tny_algorithm_refusal(algorithm, &problem))
        continue;
      struct tny_schedule *schedule = plan(&bench, algorithm->collective, algorithm->name);
      check_loads(&bench, schedule, 40);
      tny_schedule_free(schedule);
    }
    bench_close(&bench);
  }
}

static void every_separation_of_phases_comes_to_its_end(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "torus:8x8", 0);
  struct tny_schedule *schedule = plan(&bench, TNY_ALLTOALL, "phases");
  struct tny_program *program;
  assert_int_equal(tny_program_make(schedule, 16, NULL, &program, NULL), TNY_OK);
  struct tny_simulation *free_running = run_program(&bench, program);
  bench.hosts.with_barrier = true;
  struct tny_simulation *barriers = run_program(&bench, program);
  bench.hosts.with_barrier = false;
  bench.network.is_synchronizing = true;
  struct tny_simulation *switches = run_program(&bench, program);
  check_simulation(&bench, program, barriers);
  check_simulation(&bench, program, switches);
  for (uint32_t phase = 1; phase < barriers->phase_count; phase++)
    assert_true(barriers->phase_begin[phase] >= barriers->phase_end[phase - 1]);
  assert_true(switches->cycles < barriers->cycles); /* they do the same, and need no barriers */
  tny_simulation_free(free_running);
  tny_simulation_free(barriers);
  tny_simulation_free(switches);
  tny_program_free(program);
  tny_schedule_free(schedule);
  bench_close(&bench);
}

static void the_same_seed_gives_the_same_cycles(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "irregular:32,switches=4,seed=3", 0);
  struct tny_schedule *schedule = plan(&bench, TNY_ALLTOALL, "shift");
  struct tny_program *program;
  assert_int_equal(tny_program_make(schedule, 100, NULL, &program, NULL), TNY_OK);
  bench.network.is_adaptive = true;
  struct tny_simulation *first = run_program(&bench, program);
  struct tny_simulation *second = run_program(&bench, program);
  assert_int_equal(first->cycles, second->cycles);
  assert_memory_equal(first->ops, second->ops,
                      program->first[program->rank_count] * sizeof *first->ops);
  tny_simulation_free(first);
  tny_simulation_free(second);
  tny_program_free(program);
  tny_schedule_free(schedule);
  bench_close(&bench);
}

static void copies_take_no_time(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:4", 0);
  struct tny_schedule *schedule = plan(&bench, TNY_ALLTOALL, "bruck");
  struct tny_program *program;
  assert_int_equal(tny_program_make(schedule, 8, NULL, &program, NULL), TNY_OK);
  uint32_t copies = 0;
  struct tny_simulation *simulation = run_program(&bench, program);
  for (uint32_t op = 0; op < program->first[4]; op++)
    if (program->ops[op].kind == TNY_OP_WORK) {
      copies++;
      assert_int_equal(simulation->ops[op].start, simulation->ops[op].end);
    }
  assert_true(copies > 0);
  tny_simulation_free(simulation);
  tny_program_free(program);
  tny_schedule_free(schedule);
  bench_close(&bench);
}

/* --- blocks of different sizes --- */

enum { P = 6 };

static void blocks_of_one_size_are_the_plain_case(void **state)
{
  (void)state;
  static const char *const names[] = {"shift", "bruck", "store-and-forward", "two-stage"};
  struct bench bench;
  bench_open(&bench, "mesh:3x2", 0);
  uint64_t sizes[P * P];
  for (uint32_t i = 0; i < P * P; i++)
    sizes[i] = 37;
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    struct tny_problem problem = bench.setting.problem;
    problem.collective = TNY_ALLTOALL;
    if (tny_algorithm_refusal(tny_algorithm_find(TNY_ALLTOALL, names[n]), &problem))
      continue;
    struct tny_schedule *schedule = plan(&bench, TNY_ALLTOALL, names[n]);
    struct tny_program *plain, *sized;
    assert_int_equal(tny_program_make(schedule, 37, NULL, &plain, NULL), TNY_OK);
    assert_int_equal(tny_program_make(schedule, 1, sizes, &sized, NULL), TNY_OK);
    for (uint32_t op = 0; op < plain->first[P]; op++)
      assert_int_equal(plain->ops[op].bytes, sized->ops[op].bytes);
    tny_program_free(plain);
    tny_program_free(sized);
    tny_schedule_free(schedule);
  }
  bench_close(&bench);
}

static void a_message_has_the_bytes_of_its_blocks(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:6", 0);
  uint64_t sizes[P * P], total = 0;
  for (uint32_t i = 0; i < P * P; i++) {
    sizes[i] = (i * 29) % 101;
    total += i / P == i % P ? 0 : sizes[i];
  }
  struct tny_schedule *schedule = plan(&bench, TNY_ALLTOALL, "shift");
  struct tny_program *program;
  assert_int_equal(tny_program_make(schedule, 1, sizes, &program, NULL), TNY_OK);
  uint64_t sent = 0;
  for (uint32_t rank = 0; rank < P; rank++)
    for (uint32_t op = program->first[rank]; op < program->first[rank + 1]; op++)
      if (program->ops[op].kind == TNY_OP_SEND) {
        const struct tny_step *step = &schedule->ranks[rank].steps[op - program->first[rank]];
        assert_int_equal(program->ops[op].bytes, sizes[rank * P + step->peer]);
        sent += program->ops[op].bytes;
      }
  assert_int_equal(sent, total);
  tny_program_free(program);
  tny_schedule_free(schedule);
  schedule = plan(&bench, TNY_BROADCAST, "binomial");
  assert_int_equal(tny_program_make(schedule, 1, sizes, &program, NULL), TNY_REFUSED);
  tny_schedule_free(schedule);
  bench_close(&bench);
}

enum { CUTS = 5, PLANNED = 99, PIECE = 20 }; /* the longest piece of a block as the plan has it */

static const uint64_t known_sizes[P] = {0, 7, 20, 21, 99, 250};

/* Messages of a block where it goes, if it is cut by its own length. */
static uint32_t messages_of(uint64_t bytes)
{
  const uint64_t pieces = (bytes + PIECE - 1) / PIECE;
  return pieces < CUTS ? (uint32_t)pieces : CUTS;
}

/* On a ring each block goes over all of its links but one: in an all-gather that into the rank
   whose block it is, in a reduce-scatter, the other way round, that out of it. There it is combined
   as often as it comes. */
static void check_ring(const struct bench *bench, enum tny_collective collective)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, "ring");
  struct tny_problem problem = bench->setting.problem;
  struct tny_schedule *schedule;
  struct tny_program *program;
  problem.collective = collective;
  assert_int_equal(
      tny_plan_all(algorithm, &problem, (struct tny_pace){.chunk_count = CUTS}, &schedule, NULL),
      TNY_OK);
  assert_int_equal(tny_program_make(schedule, PLANNED, known_sizes, &program, NULL), TNY_OK);
  for (uint32_t rank = 0; rank < P; rank++) {
    uint64_t bytes = 0, combined = 0, bytes_wanted = 0, combined_wanted = 0;
    uint32_t messages = 0, messages_wanted = 0;
    for (uint32_t op = program->first[rank]; op < program->first[rank + 1]; op++) {
      const bool is_send = program->ops[op].kind == TNY_OP_SEND;
      assert_true(!is_send || program->ops[op].bytes > 0);
      messages += is_send;
      bytes += is_send ? program->ops[op].bytes : 0;
      combined += program->ops[op].kind == TNY_OP_COMBINE ? program->ops[op].bytes : 0;
    }
    const uint32_t not_sent = collective == TNY_ALLGATHER ? (rank + 1) % P : rank;
    const uint32_t begins_with = (rank + 1) % P; /* nothing was combined there before */
    for (uint32_t block = 0; block < P; block++) {
      bytes_wanted += block == not_sent ? 0 : known_sizes[block];
      messages_wanted += block == not_sent ? 0 : messages_of(known_sizes[block]);
      combined_wanted += block == begins_with ? 0 : known_sizes[block];
    }
    assert_int_equal(bytes, bytes_wanted);
    assert_int_equal(messages, messages_wanted);
    assert_int_equal(combined, collective == TNY_ALLGATHER ? 0 : combined_wanted);
  }
  tny_simulation_free(run_program(bench, program));
  tny_program_free(program);
  tny_schedule_free(schedule);
}

static void what_all_ranks_know_to_be_short_is_in_fewer_messages(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:6", 0);
  check_ring(&bench, TNY_ALLGATHER);
  check_ring(&bench, TNY_REDUCE_SCATTER);
  bench_close(&bench);
}

/* --- GOAL --- */

static uint64_t goal_cycles(const struct bench *bench, const char *text)
{
  struct tny_foreign *foreign;
  struct tny_program *program = NULL;
  struct tny_error error = {0};
  if (tny_goal_read(text, "test.goal", &foreign, &error) ||
      tny_foreign_program(foreign, &program, &error))
    fail_msg("line %u: %s", error.line, error.text);
  struct tny_simulation *simulation = run_program(bench, program);
  const uint64_t cycles = simulation->cycles;
  tny_simulation_free(simulation);
  tny_program_free(program);
  tny_foreign_free(foreign);
  return cycles;
}

static void goal_calcs_take_their_time_on_their_cpu(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  assert_int_equal(goal_cycles(&bench,
                               "num_ranks 2\n"
                               "rank 0 {\na: calc 100\nb: send 10b to 1\nb requires a\n}\n"
                               "rank 1 {\na: recv 10b from 0\nb: calc 7\nb requires a\n}\n"),
                   100 + ONE_SWITCH + 10 + 7);
  assert_int_equal(
      goal_cycles(&bench, "num_ranks 2\nrank 0 {\ncalc 100\ncalc 50\n}\nrank 1 {\n}\n"), 150);
  assert_int_equal(goal_cycles(&bench,
                               "num_ranks 2\nrank 0 {\ncalc 100\ncalc 50 cpu 1\ncalc 60 cpu 1\n}\n"
                               "rank 1 {\n}\n"),
                   110);
  bench_close(&bench);
}

/* c starts once a and b have started, b at 30 after `first`; not when b ends, at 130. */
static void goal_irequires_waits_for_starts(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  assert_int_equal(goal_cycles(&bench, "num_ranks 2\nrank 0 {\n"
                                       "first: calc 30 cpu 3\n"
                                       "a: calc 90 cpu 1\n"
                                       "b: calc 100 cpu 2\nb requires first\n"
                                       "c: calc 500 cpu 4\nc irequires a\nc irequires b\n"
                                       "}\nrank 1 {\n}\n"),
                   530);
  bench_close(&bench);
}

static void goal_tags_say_which_meets_which(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  struct tny_foreign *foreign;
  struct tny_program *program;
  assert_int_equal(
      tny_goal_read("num_ranks 2\nrank 0 {\nsend 10b to 1 tag 1\nsend 20b to 1 tag 2\n}\n"
                    "rank 1 {\nrecv 20b from 0 tag 2\nrecv 10b from 0 tag 1\n}\n",
                    "test.goal", &foreign, NULL),
      TNY_OK);
  assert_int_equal(tny_foreign_program(foreign, &program, NULL), TNY_OK);
  assert_int_equal(program->ops[0].partner, 3);
  assert_int_equal(program->ops[1].partner, 2);
  assert_int_equal(program->ops[2].bytes, 20);
  tny_program_free(program);
  tny_foreign_free(foreign);
  bench_close(&bench);
}

static void our_goal_takes_the_time_of_our_schedule(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "switches:3+3", 0);
  struct tny_schedule *schedule = plan(&bench, TNY_ALLTOALL, "shift");
  struct tny_program *program;
  char *text;
  assert_int_equal(tny_program_make(schedule, 64, NULL, &program, NULL), TNY_OK);
  assert_int_equal(tny_schedule_write_goal(schedule, 64, &text, NULL), TNY_OK);
  struct tny_simulation *simulation = run_program(&bench, program);
  assert_int_equal(goal_cycles(&bench, text), simulation->cycles);
  tny_simulation_free(simulation);
  tny_text_free(text);
  tny_program_free(program);
  tny_schedule_free(schedule);
  bench_close(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(combining_takes_the_time_of_its_bytes),
      cmocka_unit_test(links_carry_what_the_verifier_says_for_every_algorithm),
      cmocka_unit_test(every_separation_of_phases_comes_to_its_end),
      cmocka_unit_test(the_same_seed_gives_the_same_cycles),
      cmocka_unit_test(copies_take_no_time),
      cmocka_unit_test(blocks_of_one_size_are_the_plain_case),
      cmocka_unit_test(a_message_has_the_bytes_of_its_blocks),
      cmocka_unit_test(what_all_ranks_know_to_be_short_is_in_fewer_messages),
      cmocka_unit_test(goal_calcs_take_their_time_on_their_cpu),
      cmocka_unit_test(goal_irequires_waits_for_starts),
      cmocka_unit_test(goal_tags_say_which_meets_which),
      cmocka_unit_test(our_goal_takes_the_time_of_our_schedule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
