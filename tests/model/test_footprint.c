/* The memory of a plan is known before it is chosen, and doesn't grow with the block. */
#include "support/sample.h"
#include "support/setting.h"

#include <tourney/model.h>

static const uint64_t mebibyte = 1 << 20;

/* What a plan was made for, and what it takes. */
struct estimate {
  struct tny_problem problem;
  struct tny_pace pace;
  struct tny_footprint footprint;
};

static struct estimate estimate_for(const struct setting *setting,
                                    const struct tny_algorithm *algorithm,
                                    const struct tny_problem *prepared, uint64_t block_bytes)
{
  struct estimate estimate = {.problem = *prepared};
  uint64_t chunk_budget_bytes;
  const struct tny_model model = tny_model_make(&setting->network, prepared->rank_count, NULL);
  assert_int_equal(
      tny_model_chunk_budget(algorithm, prepared, &setting->network, &chunk_budget_bytes, NULL),
      TNY_OK);
  estimate.pace = tny_model_pace(&model, algorithm, prepared, chunk_budget_bytes, block_bytes);
  estimate.footprint =
      tny_model_footprint(&model, algorithm, prepared, &estimate.pace, block_bytes);
  return estimate;
}

static struct tny_footprint footprint_on(const char *cluster, enum tny_collective collective,
                                         const char *name, uint64_t block_bytes)
{
  struct setting setting;
  set_up(&setting, cluster, TNY_MAP_BLOCK, 0);
  setting.problem.collective = collective;
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  const struct tny_footprint footprint =
      estimate_for(&setting, algorithm, &setting.problem, block_bytes).footprint;
  tear_down(&setting);
  return footprint;
}

/* By whole blocks it took 4400 MiB of each rank, beside 5500 of the program's own. */
static void an_allgather_of_1100_mebibytes_takes_a_segment_of_scratch(void **state)
{
  (void)state;
  const struct tny_footprint footprint =
      footprint_on("single:4", TNY_ALLGATHER, "combining", 1100 * mebibyte);
  assert_true(footprint.scratch_bytes > 0);
  assert_true(footprint.scratch_bytes <= 32 * mebibyte);
  assert_true(footprint.segment_count >= 4400 / 32);
  assert_true(footprint.packed_bytes == 5500 * mebibyte);
  assert_false(footprint.is_too_large);
}

/* What is never cut in chunks is bounded as well, and so is the copy that MPI_IN_PLACE needs. */
static void whole_messages_are_cut_where_they_would_take_too_much(void **state)
{
  (void)state;
  const struct tny_footprint footprint =
      footprint_on("single:16", TNY_ALLTOALL, "bruck", 64 * mebibyte);
  assert_true(footprint.scratch_bytes > 0);
  assert_true(footprint.scratch_bytes + footprint.in_place_bytes <= 32 * mebibyte);
  /* Of a reduction the copy is its input: a block for each rank, or one. */
  const struct tny_footprint scattered =
      footprint_on("single:16", TNY_REDUCE_SCATTER, "ring", 64 * mebibyte);
  const uint64_t part = (64 * mebibyte - 1) / scattered.segment_count + 1;
  assert_true(scattered.in_place_bytes == 16 * part);
  assert_true(scattered.scratch_bytes + scattered.in_place_bytes <= 32 * mebibyte);
  const struct tny_footprint reduced =
      footprint_on("single:16", TNY_ALLREDUCE, "ring", 64 * mebibyte);
  assert_true(reduced.in_place_bytes == (64 * mebibyte - 1) / reduced.segment_count + 1);
  assert_true(reduced.scratch_bytes + reduced.in_place_bytes <= 32 * mebibyte);
  const struct tny_footprint shorter = footprint_on("single:16", TNY_ALLTOALL, "bruck", 64 * 1024);
  assert_int_equal(shorter.segment_count, 1);
}

/* The blocks of scratch space that the steps of all ranks name. */
static uint64_t scratch_named(const struct tny_schedule *schedule)
{
  uint64_t end = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      const struct tny_span *spans[] = {&step->span, &step->target};
      for (int s = 0; s < 2; s++)
        if (spans[s]->count > 0 && spans[s]->buffer == TNY_SCRATCH &&
            (uint64_t)spans[s]->first + spans[s]->count > end)
          end = (uint64_t)spans[s]->first + spans[s]->count;
    }
  return end;
}

/* Against the steps themselves: the estimate is what a segment of them needs, or more. */
static void check_algorithm(const struct setting *setting, const struct tny_algorithm *algorithm)
{
  const uint64_t blocks[] = {4096, 3 * mebibyte + 1, 1000 * mebibyte};
  struct tny_problem problem = setting->problem, prepared;
  problem.collective = algorithm->collective;
  if (tny_problem_prepare(algorithm, &problem, &prepared, NULL) != TNY_OK)
    return;
  for (int i = 0; i < 3; i++) {
    const struct estimate estimate = estimate_for(setting, algorithm, &prepared, blocks[i]);
    const uint32_t segments = estimate.footprint.segment_count;
    struct tny_pace pace = estimate.pace;
    struct tny_schedule *schedule;
    pace.chunk_count = (pace.chunk_count - 1) / segments + 1;
    assert_int_equal(tny_plan_all(algorithm, &prepared, pace, &schedule, NULL), TNY_OK);
    const uint64_t part = (blocks[i] - 1) / segments + 1;
    const uint64_t needed = scratch_named(schedule) * part;
    tny_schedule_free(schedule);
    if (estimate.footprint.scratch_bytes < needed)
      fail_msg("%s: %llu bytes of scratch, %llu are used", algorithm->name,
               (unsigned long long)estimate.footprint.scratch_bytes, (unsigned long long)needed);
    if (estimate.footprint.scratch_bytes > 32 * mebibyte)
      fail_msg("%s: %llu bytes of scratch for blocks of %llu", algorithm->name,
               (unsigned long long)estimate.footprint.scratch_bytes, (unsigned long long)blocks[i]);
  }
  tny_problem_release(algorithm, &prepared);
}

static void every_estimate_covers_its_plan_and_is_bounded(void **state)
{
  (void)state;
  const char *const clusters[] = {"single:8", "switches:3+5", "torus:3x3", "zones:4+4,delay=10us"};
  for (int c = 0; c < 4; c++) {
    struct setting setting;
    set_up(&setting, clusters[c], TNY_MAP_INTERLEAVED, 0);
    for (uint32_t i = 0; tny_algorithms[i]; i++)
      if (is_sampled())
        check_algorithm(&setting, tny_algorithms[i]);
    tear_down(&setting);
  }
}

/* Where latency is long, segments are long enough to pay for it, or the plan isn't chosen. */
static void on_long_links_scratch_space_is_bounded_by_the_latency(void **state)
{
  (void)state;
  const char *cluster = "zones:8+8,delay=500ms";
  const struct tny_footprint short_way =
      footprint_on("single:16", TNY_ALLTOALL, "bruck", 64 * mebibyte);
  const struct tny_footprint footprint =
      footprint_on(cluster, TNY_ALLTOALL, "bruck", 64 * mebibyte);
  assert_true(footprint.segment_count < short_way.segment_count);
  assert_true(footprint.is_too_large);
  struct setting setting;
  struct tny_ranking ranking;
  set_up(&setting, cluster, TNY_MAP_BLOCK, 0);
  setting.problem.collective = TNY_ALLTOALL;
  const struct tny_model model = tny_model_make(&setting.network, 16, NULL);
  assert_int_equal(
      tny_model_rank(&model, &setting.problem, tny_model_limits, 64 * mebibyte, &ranking, NULL),
      TNY_OK);
  assert_null(ranking.list[0].why_not); /* the standard takes no scratch space */
  for (uint32_t i = 0; i < ranking.count; i++)
    if (strcmp(ranking.list[i].choice.algorithm->name, "bruck") == 0)
      assert_string_equal(ranking.list[i].why_not,
                          "it takes more memory than the call's own buffers");
  tny_ranking_free(&ranking);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_allgather_of_1100_mebibytes_takes_a_segment_of_scratch),
      cmocka_unit_test(whole_messages_are_cut_where_they_would_take_too_much),
      cmocka_unit_test(every_estimate_covers_its_plan_and_is_bounded),
      cmocka_unit_test(on_long_links_scratch_space_is_bounded_by_the_latency),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
