/* Sizes are planned in steps: few plans serve all, and what a plan promises holds for each size. */
#include "support/setting.h"

#include <tourney/model.h>

static void a_step_is_an_eighth_of_an_octave(void **state)
{
  (void)state;
  uint32_t steps = 0;
  for (uint64_t bytes = 1, last = 0; bytes <= 1 << 20; bytes++) {
    const uint64_t step = tny_model_size_step(bytes);
    assert_true(step >= bytes && step - bytes <= bytes / 8);
    assert_int_equal(tny_model_size_step(step), step);
    assert_true(step == last || bytes == last + 1);
    steps += bytes > 1 << 10 && step != last;
    last = step;
  }
  assert_int_equal(steps, 8 * 10);
  assert_int_equal(tny_model_size_step(0), 0);
  for (uint32_t bit = 0; bit < 63; bit++)
    assert_int_equal(tny_model_size_step(UINT64_C(1) << bit), UINT64_C(1) << bit);
}

/* An algorithm on a setting, prepared. */
struct subject {
  const struct tny_algorithm *algorithm;
  struct tny_problem problem;
  struct tny_model model;
  uint64_t chunk_bytes;
};

static struct tny_segments segments_of(const struct subject *subject, uint64_t block_bytes)
{
  return tny_model_segments(&subject->model, subject->algorithm, &subject->problem,
                            subject->chunk_bytes, block_bytes);
}

static bool has_same_pace(const struct tny_segments *one, const struct tny_segments *other)
{
  return one->pace.chunk_count == other->pace.chunk_count &&
         one->pace.window == other->pace.window &&
         one->pace.limit_message_bytes == other->pace.limit_message_bytes;
}

static bool is_same(const struct tny_segments *one, const struct tny_segments *other)
{
  return one->count == other->count && has_same_pace(one, other);
}

/* What the windows were made for: the bytes in flight for the greatest size of the step. */
static void check_promise(const struct subject *subject, uint64_t block_bytes)
{
  const uint64_t step = tny_model_size_step(block_bytes);
  const struct tny_segments run = segments_of(subject, block_bytes);
  const struct tny_segments at_step = segments_of(subject, step);
  assert_true(is_same(&run, &at_step));
  const struct tny_pace exact = tny_model_pace(&subject->model, subject->algorithm,
                                               &subject->problem, subject->chunk_bytes, step);
  const uint64_t segment = (block_bytes + run.count - 1) / run.count;
  const uint64_t chunk = (segment + run.pace.chunk_count - 1) / run.pace.chunk_count;
  const uint64_t promised = (step + exact.chunk_count - 1) / exact.chunk_count;
  assert_true(chunk <= promised);
  assert_int_equal(run.pace.window, exact.window);
  assert_int_equal(run.pace.limit_message_bytes, exact.limit_message_bytes);
  assert_true(run.pace.limit_message_bytes == 0 || run.pace.limit_message_bytes >= chunk);
}

/* Blocks of so many segments all have nearly the same plan. */
static void check_long_blocks(const struct subject *subject)
{
  enum { ROOM = 128 };
  struct tny_segments seen[ROOM];
  uint32_t plans = 0;
  for (uint64_t bytes = 1 << 24; bytes < UINT64_C(1) << 31; bytes += 1234567) {
    const struct tny_segments run = segments_of(subject, bytes);
    uint32_t i = 0;
    while (i < plans && !has_same_pace(&seen[i], &run))
      i++;
    if (i < plans)
      continue;
    assert_true(plans < ROOM);
    seen[plans++] = run;
  }
}

static void check_algorithm(const struct tny_algorithm *algorithm, const struct setting *setting)
{
  enum { LEAST = 1 << 15, MOST = 1 << 20, OCTAVES = 5 };
  struct subject subject = {.algorithm = algorithm};
  struct tny_problem problem = setting->problem;
  problem.collective = algorithm->collective;
  if (tny_algorithm_refusal(algorithm, &problem))
    return;
  assert_int_equal(tny_problem_prepare(algorithm, &problem, &subject.problem, NULL), TNY_OK);
  assert_int_equal(tny_model_chunk_budget(algorithm, &subject.problem, &setting->network,
                                          &subject.chunk_bytes, NULL),
                   TNY_OK);
  subject.model = tny_model_make(&setting->network, problem.rank_count, NULL);
  struct tny_segments last = {0};
  uint32_t plans = 0;
  for (uint64_t bytes = LEAST + 1; bytes <= MOST; bytes += 511) {
    const struct tny_segments run = segments_of(&subject, bytes);
    plans += !is_same(&run, &last);
    last = run;
    check_promise(&subject, bytes);
  }
  assert_true(plans <= 8 * OCTAVES);
  check_long_blocks(&subject);
  for (uint64_t bytes = 1; bytes < UINT64_C(1) << 33; bytes = 3 * bytes + 1)
    check_promise(&subject, bytes);
  tny_problem_release(algorithm, &subject.problem);
}

static void every_size_of_a_step_has_one_plan_and_keeps_its_promise(void **state)
{
  static const char *const clusters[] = {"single:8", "switches:4+4", "torus:4x4",
                                         "zones:4+4,delay=10ms"};
  (void)state;
  for (size_t c = 0; c < sizeof clusters / sizeof *clusters; c++) {
    struct setting setting;
    set_up(&setting, clusters[c], TNY_MAP_INTERLEAVED, 0);
    for (const struct tny_algorithm *const *a = tny_algorithms; *a; a++)
      check_algorithm(*a, &setting);
    tear_down(&setting);
  }
}

/* A frame's room for data, or a quarter of a mean block; but no more pieces than 512. */
static void check_unlike(const struct subject *subject, struct tny_sizes sizes)
{
  const uint64_t longest = sizes.longest_bytes, quarter = tny_model_size_step(sizes.mean_bytes) / 4;
  const struct tny_sizes greatest = {tny_model_size_step(longest),
                                     tny_model_size_step(sizes.mean_bytes)};
  const struct tny_pace alike = tny_model_pace(&subject->model, subject->algorithm,
                                               &subject->problem, subject->chunk_bytes, longest);
  const struct tny_segments run = tny_model_segments_for(
      &subject->model, subject->algorithm, &subject->problem, subject->chunk_bytes, sizes);
  const struct tny_segments at_step = tny_model_segments_for(
      &subject->model, subject->algorithm, &subject->problem, subject->chunk_bytes, greatest);
  const uint64_t pieces = (uint64_t)run.count * run.pace.chunk_count;
  const uint64_t piece = (longest + pieces - 1) / pieces;
  const uint64_t even = (greatest.longest_bytes + alike.chunk_count - 1) / alike.chunk_count;
  assert_true(is_same(&run, &at_step));
  assert_true(piece <= even);
  assert_true(piece <= (quarter > 1408 ? quarter : 1408) || 2 * pieces > 512);
  assert_true(run.pace.window * piece <= alike.window * even + run.pace.window);
  assert_true(run.pace.window == 0 || run.pace.limit_message_bytes == 0);
}

static void blocks_that_differ_are_in_short_pieces_with_as_much_in_flight(void **state)
{
  static const char *const clusters[] = {"single:16,link=20Mbit/s", "single:64,link=20Mbit/s",
                                         "switches:8+8", "torus:4x4"};
  static const char *const names[] = {"switch-ordered-ring", "contention-free-rings"};
  static const enum tny_collective collectives[] = {TNY_ALLGATHER, TNY_REDUCE_SCATTER};
  (void)state;
  for (size_t i = 0; i < 4 * 2 * 2; i++) {
    struct setting setting;
    struct subject subject = {.algorithm =
                                  tny_algorithm_find(collectives[i / 2 % 2], names[i % 2])};
    set_up(&setting, clusters[i / 4], TNY_MAP_BLOCK, 0);
    setting.problem.collective = subject.algorithm->collective;
    subject.model = tny_model_make(&setting.network, setting.problem.rank_count, NULL);
    assert_int_equal(
        tny_problem_prepare(subject.algorithm, &setting.problem, &subject.problem, NULL), TNY_OK);
    assert_int_equal(tny_model_chunk_budget(subject.algorithm, &subject.problem, &setting.network,
                                            &subject.chunk_bytes, NULL),
                     TNY_OK);
    for (uint64_t mean = 300; mean < 1 << 20; mean = 3 * mean + 1)
      for (uint64_t times = 1; times <= 64; times *= 4)
        check_unlike(&subject, (struct tny_sizes){times * mean, mean});
    tny_problem_release(subject.algorithm, &subject.problem);
    tear_down(&setting);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_is_an_eighth_of_an_octave),
      cmocka_unit_test(every_size_of_a_step_has_one_plan_and_keeps_its_promise),
      cmocka_unit_test(blocks_that_differ_are_in_short_pieces_with_as_much_in_flight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
