/* Blocks that differ in size and are forwarded, several in a message: the schedule is right, each
   message has the bytes of the blocks in it, and a prediction goes by them. */
#include "uneven_support.h"

#include <tourney/model.h>
#include <tourney/simulate.h>

/* The proved plan of an all-to-all of the setting's pattern; the caller's. */
static struct tny_schedule *plan(const struct setting *setting, const char *name)
{
  struct tny_algorithm_choice choice;
  struct tny_schedule *schedule = NULL;
  struct tny_report report;
  struct tny_error error = {0};
  struct tny_problem problem = setting->problem;
  assert_int_equal(tny_algorithm_parse(TNY_ALLTOALL, name, &choice, NULL), TNY_OK);
  problem.collective = TNY_ALLTOALL;
  problem.parameter = choice.parameter;
  const struct tny_pace whole = {.chunk_count = 1};
  enum tny_status status = tny_plan_all(choice.algorithm, &problem, whole, &schedule, &error);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, &error);
  if (status != TNY_OK)
    fail_msg("%s, %u ranks: %s", name, problem.rank_count, error.text);
  return schedule;
}

/* The bytes of all messages, by step of all ranks; the caller's (tny_program_free). */
static struct tny_program *bytes_in(const struct setting *setting,
                                    const struct tny_schedule *schedule)
{
  struct tny_program *program;
  assert_int_equal(tny_program_make(schedule, 0, setting->problem.pattern->bytes, &program, NULL),
                   TNY_OK);
  return program;
}

/* Which message of Bruck's a phase is: the blocks that have the digit at the weight. */
struct message {
  uint32_t weight, digit;
};

static struct message message_of(uint32_t phase, uint32_t p, uint32_t radix)
{
  struct message message = {.weight = 1, .digit = 1};
  while (phase-- > 0) {
    message.digit++;
    if (message.digit < radix && message.digit * message.weight < p)
      continue;
    message.weight *= radix;
    message.digit = 1;
  }
  return message;
}

/* A block that has to go `way` ranks on has gone the lower digits of its way before a weight. */
static uint64_t bytes_wanted(const struct tny_pattern *pattern, uint32_t here,
                             struct message message, uint32_t radix)
{
  const uint32_t p = pattern->rank_count;
  uint64_t bytes = 0;
  for (uint32_t way = 1; way < p; way++) {
    if (way / message.weight % radix != message.digit)
      continue;
    const uint32_t from = (here + p - way % message.weight) % p;
    bytes += pattern->bytes[(size_t)from * p + (from + way) % p];
  }
  return bytes;
}

static void expect_bruck(uint32_t p, uint32_t radix, struct tny_pattern *pattern)
{
  struct setting setting;
  char cluster[24], name[24];
  snprintf(cluster, sizeof cluster, "single:%u", p);
  snprintf(name, sizeof name, "bruck:%u", radix);
  set_up(&setting, cluster, TNY_MAP_BLOCK, 0);
  setting.problem.pattern = pattern;
  struct tny_schedule *schedule = plan(&setting, name);
  struct tny_program *program = bytes_in(&setting, schedule);
  for (uint32_t rank = 0; rank < p; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND)
        continue;
      const struct message message = message_of(step->phase, p, radix);
      const uint64_t wanted = bytes_wanted(pattern, rank, message, radix);
      const uint64_t found = program->ops[program->first[rank] + i].bytes;
      assert_int_equal(step->peer, (rank + message.digit * message.weight) % p);
      assert_int_equal(found, wanted > 0 ? wanted : 1); /* an empty message is one of a byte */
    }
  tny_program_free(program);
  tny_schedule_free(schedule);
  tear_down(&setting);
  tny_pattern_free(pattern);
}

static void bruck_sends_the_bytes_of_the_blocks_with_a_digit(void **state)
{
  (void)state;
  static const uint32_t ranks[] = {2, 5, 8, 13}, radices[] = {2, 3, 4};
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
    for (size_t k = 0; k < sizeof radices / sizeof *radices; k++) {
      expect_bruck(ranks[i], radices[k], sparse(ranks[i]));
      expect_bruck(ranks[i], radices[k], by_zipf(ranks[i]));
    }
}

/* All that crosses from host to host has as many bytes as the blocks that have to, where no block
   crosses twice. */
static uint64_t bytes_between_hosts(const struct setting *setting,
                                    const struct tny_schedule *schedule)
{
  struct tny_program *program = bytes_in(setting, schedule);
  uint64_t bytes = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind == TNY_SEND && setting->hosts[rank] != setting->hosts[step->peer])
        bytes += program->ops[program->first[rank] + i].bytes;
    }
  tny_program_free(program);
  return bytes;
}

static void tuna_sends_each_byte_once_from_host_to_host(void **state)
{
  (void)state;
  static const char *const names[] = {"tuna", "tuna:3", "hierarchical-bruck:2.1.1.1"};
  struct setting setting;
  set_up(&setting, "single:4", TNY_MAP_BLOCK, 16);
  struct tny_pattern *pattern = by_zipf(16);
  uint64_t wanted = 0;
  for (uint32_t from = 0; from < 16; from++)
    for (uint32_t to = 0; to < 16; to++)
      wanted += setting.hosts[from] == setting.hosts[to] ? 0 : pattern->bytes[from * 16 + to];
  setting.problem.pattern = pattern;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct tny_schedule *schedule = plan(&setting, names[i]);
    assert_int_equal(bytes_between_hosts(&setting, schedule), wanted);
    tny_schedule_free(schedule);
  }
  tny_pattern_free(pattern);
  tear_down(&setting);
}

/* Blocks of no bytes travel with the others, and what arrives is right. */
static void all_that_forwards_takes_patterns(void **state)
{
  (void)state;
  static const char *const names[] = {
      "bruck",     "retri",          "hierarchical-bruck", "multi-leader",
      "two-stage", "dimension-wise", "store-and-forward"};
  struct setting setting;
  set_up(&setting, "torus:3x3", TNY_MAP_BLOCK, 0);
  struct tny_pattern *pattern = sparse(9);
  setting.problem.pattern = pattern;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    tny_schedule_free(plan(&setting, names[i]));
  tny_pattern_free(pattern);
  tear_down(&setting);
}

/* What is predicted of an algorithm where the longest block has so many bytes. */
static uint64_t predicted_ns(const struct setting *setting, const char *name, uint64_t bytes)
{
  const struct tny_model model =
      tny_model_make(&setting->network, setting->problem.rank_count, NULL);
  struct tny_ranking ranking;
  uint64_t ns = 0;
  assert_int_equal(
      tny_model_rank(&model, &setting->problem, tny_model_limits, bytes, &ranking, NULL), TNY_OK);
  for (uint32_t i = 0; i < ranking.count; i++)
    if (strcmp(ranking.list[i].choice.algorithm->name, name) == 0) {
      assert_null(ranking.list[i].why_not);
      ns = ranking.list[i].prediction.ns;
    }
  tny_ranking_free(&ranking);
  return ns;
}

static void predictions_go_by_the_bytes_of_each_message(void **state)
{
  (void)state;
  static const char *const names[] = {"bruck", "hierarchical-bruck"};
  struct setting setting;
  set_up(&setting, "single:4", TNY_MAP_BLOCK, 16);
  setting.problem.collective = TNY_ALLTOALL;
  struct tny_pattern *alike = ones(16), *one_long = ones(16);
  one_long->bytes[15] = 1000; /* from the first host to the last */
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    setting.problem.pattern = NULL;
    const uint64_t all = predicted_ns(&setting, names[i], 1000);
    const uint64_t one_byte = predicted_ns(&setting, names[i], 1);
    setting.problem.pattern = alike;
    assert_int_equal(predicted_ns(&setting, names[i], 1000), all);
    setting.problem.pattern = one_long;
    const uint64_t one = predicted_ns(&setting, names[i], 1000);
    assert_true(one > one_byte && one - one_byte < (all - one_byte) / 4);
  }
  tny_pattern_free(alike);
  tny_pattern_free(one_long);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bruck_sends_the_bytes_of_the_blocks_with_a_digit),
      cmocka_unit_test(tuna_sends_each_byte_once_from_host_to_host),
      cmocka_unit_test(all_that_forwards_takes_patterns),
      cmocka_unit_test(predictions_go_by_the_bytes_of_each_message),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
