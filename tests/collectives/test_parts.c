/* Plans handed out in parts (src/plan/parts.c): each is what its rank would plan, and what isn't a
   part is refused. */
#include "support/setting.h"

#include <tourney/model.h>
#include <tourney/verify.h>

#include "core/bytes.h"
#include "core/random.h"
#include "plan/parts.h"

enum { CHECK_BYTES = 8 };

/* A plan of a setting, as its first rank makes it. */
struct made {
  struct tny_problem problem; /* prepared */
  struct tny_algorithm_choice choice;
  struct tny_parts parts;
};

static void make(const struct setting *setting, const struct tny_algorithm *algorithm,
                 uint64_t block_bytes, struct made *made)
{
  struct tny_problem problem = setting->problem;
  const struct tny_model model = tny_model_make(&setting->network, problem.rank_count, NULL);
  uint64_t budget;
  problem.collective = algorithm->collective;
  problem.root = tny_collective_has_root(algorithm->collective) ? problem.rank_count / 2 : 0;
  *made = (struct made){.choice = {.algorithm = algorithm}};
  assert_int_equal(tny_problem_prepare(algorithm, &problem, &made->problem, NULL), TNY_OK);
  assert_int_equal(
      tny_model_chunk_budget(algorithm, &made->problem, &setting->network, &budget, NULL), TNY_OK);
  const struct tny_segments run =
      tny_model_segments(&model, algorithm, &made->problem, budget, block_bytes);
  const struct tny_parts_wanted wanted = {.choice = made->choice,
                                          .problem = &made->problem,
                                          .pace = run.pace,
                                          .segment_count = run.count,
                                          .with_parts = true};
  assert_int_equal(tny_parts_make(&wanted, &made->parts, NULL), TNY_OK);
}

static void release(struct made *made)
{
  tny_parts_release(&made->parts);
  tny_problem_release(made->choice.algorithm, &made->problem);
}

static struct tny_part_view view(const struct made *made, uint32_t rank)
{
  const struct tny_parts *parts = &made->parts;
  return (struct tny_part_view){.head = &parts->head,
                                .collective = made->problem.collective,
                                .rank_count = parts->rank_count,
                                .root = made->problem.root,
                                .rank = rank,
                                .bytes = parts->bytes.bytes + parts->first[rank],
                                .count = parts->first[rank + 1] - parts->first[rank]};
}

static bool is_same_step(const struct tny_step *one, const struct tny_step *other)
{
  return one->kind == other->kind && one->peer == other->peer && one->phase == other->phase &&
         one->after_count == other->after_count &&
         memcmp(&one->span, &other->span, sizeof one->span) == 0 &&
         memcmp(&one->target, &other->target, sizeof one->target) == 0;
}

static void expect_same_steps(const struct tny_steps *one, const struct tny_steps *other)
{
  assert_int_equal(one->count, other->count);
  for (uint32_t i = 0; i < one->count; i++) {
    const struct tny_step *step = &one->steps[i], *planned = &other->steps[i];
    assert_true(is_same_step(step, planned));
    for (uint32_t k = 0; k < step->after_count; k++)
      assert_int_equal(one->after[step->after_first + k], other->after[planned->after_first + k]);
  }
}

/* Returns the plan's steps, of all ranks. */
static uint64_t expect_parts_to_be_plans(const struct made *made)
{
  uint64_t steps = 0;
  for (uint32_t rank = 0; rank < made->problem.rank_count; rank++) {
    struct tny_steps planned, handed;
    const struct tny_part_view part = view(made, rank);
    assert_int_equal(tny_plan_rank(made->choice.algorithm, &made->problem, made->parts.head.pace,
                                   rank, &planned, NULL),
                     TNY_OK);
    assert_int_equal(tny_part_steps(&part, &handed, NULL), TNY_OK);
    expect_same_steps(&handed, &planned);
    steps += planned.count;
    tny_steps_release(&handed);
    tny_steps_release(&planned);
  }
  return steps;
}

static const char *const clusters[] = {"switches:3+4,link=20Mbit/s", "torus:3x3",
                                       "irregular:14,switches=2,seed=1", "zones:4+4,delay=1ms",
                                       "single:6"};
static const uint64_t sizes[] = {1000, 70000};

static void every_rank_gets_what_it_would_plan(void **state)
{
  uint64_t plans = 0, steps = 0, bytes = 0;
  (void)state;
  for (size_t c = 0; c < sizeof clusters / sizeof *clusters; c++) {
    struct setting setting;
    set_up(&setting, clusters[c], TNY_MAP_INTERLEAVED, 0);
    for (size_t i = 0; tny_algorithms[i]; i++) {
      struct tny_problem problem = setting.problem;
      problem.collective = tny_algorithms[i]->collective;
      if (tny_algorithm_refusal(tny_algorithms[i], &problem))
        continue;
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct made made;
        make(&setting, tny_algorithms[i], sizes[s], &made);
        steps += expect_parts_to_be_plans(&made);
        bytes += made.parts.bytes.length;
        plans++;
        release(&made);
      }
    }
    tear_down(&setting);
  }
  print_message("%llu plans, %llu steps in %llu bytes\n", (unsigned long long)plans,
                (unsigned long long)steps, (unsigned long long)bytes);
  assert_true(plans > 100);
}

static void what_is_handed_out_can_be_proved(void **state)
{
  struct setting setting;
  struct made made;
  struct tny_schedule *schedule;
  (void)state;
  set_up(&setting, "switches:5+11,link=20Mbit/s", TNY_MAP_BLOCK, 0);
  make(&setting, tny_algorithm_find(TNY_ALLTOALL, "tree-phases"), 16384, &made);
  assert_int_equal(made.parts.head.form, TNY_PARTS_FINISHED);
  assert_int_equal(tny_parts_schedule(&made.parts, tny_algorithm_find(TNY_ALLTOALL, "tree-phases"),
                                      0, &schedule, NULL),
                   TNY_OK);
  assert_int_equal(tny_verify_as_run(schedule, NULL), TNY_OK);
  tny_schedule_free(schedule);
  release(&made);
  tear_down(&setting);
}

/* Plans of the same cluster that differ have other ids; the same one, made twice, has the same. */
static void an_id_tells_plans_apart(void **state)
{
  struct setting setting;
  struct made made[4];
  static const struct {
    const char *algorithm;
    uint64_t bytes;
  } plans[] = {{"tree-phases", 16384}, {"tree-phases", 30000}, {"shift", 16384}, {"shift", 16384}};
  (void)state;
  set_up(&setting, "switches:3+4,link=20Mbit/s", TNY_MAP_BLOCK, 0);
  for (int i = 0; i < 4; i++)
    make(&setting, tny_algorithm_find(TNY_ALLTOALL, plans[i].algorithm), plans[i].bytes, &made[i]);
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < i; k++)
      assert_true((made[i].parts.head.id == made[k].parts.head.id) == (i == 3 && k == 2));
  for (int i = 0; i < 4; i++)
    release(&made[i]);
  tear_down(&setting);
}

static void expect_refused(const struct tny_part_view *part)
{
  struct tny_steps steps;
  struct tny_error error = {0};
  assert_int_not_equal(tny_part_steps(part, &steps, &error), TNY_OK);
  assert_true(error.text[0] != '\0');
  assert_null(steps.steps);
}

static void what_is_cut_off_or_changed_is_refused(void **state)
{
  struct setting setting;
  struct made made;
  (void)state;
  set_up(&setting, "switches:3+4,link=20Mbit/s", TNY_MAP_BLOCK, 0);
  make(&setting, tny_algorithm_find(TNY_ALLTOALL, "tree-phases"), 16384, &made);
  struct tny_part_view part = view(&made, 3);
  uint8_t *bytes = made.parts.bytes.bytes + made.parts.first[3];
  const size_t count = part.count;
  for (part.count = 0; part.count < count; part.count++)
    expect_refused(&part);
  for (size_t bit = 0; bit < 8 * count; bit++) {
    bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    expect_refused(&part);
    bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
  struct tny_steps steps;
  assert_int_equal(tny_part_steps(&part, &steps, NULL), TNY_OK);
  tny_steps_release(&steps);
  release(&made);
  tear_down(&setting);
}

/* Gives bytes the check that they would have. */
static void seal(uint8_t *bytes, size_t count)
{
  const uint64_t check = tny_hash_bytes(TNY_HASH_START, bytes, count - CHECK_BYTES);
  for (unsigned i = 0; i < CHECK_BYTES; i++)
    bytes[count - CHECK_BYTES + i] = (uint8_t)(check >> 8 * i);
}

/* Whatever is accepted can be run: it stays within the rank's buffers and names other ranks. */
static void expect_harmless(const struct tny_part_view *part)
{
  struct tny_steps steps;
  if (tny_part_steps(part, &steps, NULL) != TNY_OK)
    return;
  for (uint32_t i = 0; i < steps.count; i++) {
    const struct tny_step *step = &steps.steps[i];
    assert_true(tny_step_is_known(step->kind));
    if (!tny_step_is_local(step->kind))
      assert_true(step->peer < part->rank_count && step->peer != part->rank);
    if (!tny_step_is_token(step->kind) && step->span.buffer != TNY_SCRATCH)
      assert_true(step->span.first + (uint64_t)step->span.count <= part->rank_count);
    for (uint32_t k = 0; k < step->after_count; k++)
      assert_true(steps.after[step->after_first + k] < i);
  }
  tny_steps_release(&steps);
}

/* Damage that the check doesn't show, as a broken program might make it. */
static void sealed_damage_does_no_harm(void **state)
{
  struct setting setting;
  struct made made;
  uint64_t random = 7;
  (void)state;
  set_up(&setting, "switches:3+4,link=20Mbit/s", TNY_MAP_BLOCK, 0);
  for (int form = 0; form < 2; form++) {
    make(&setting, tny_algorithm_find(TNY_ALLTOALL, form ? "shift" : "tree-phases"), 16384, &made);
    const struct tny_part_view part = view(&made, 3);
    uint8_t *bytes = made.parts.bytes.bytes + made.parts.first[3];
    for (int round = 0; round < 20000; round++) {
      uint8_t before[4];
      size_t at[4];
      for (int i = 0; i < 4; i++) {
        at[i] = tny_random_next(&random) % (part.count - CHECK_BYTES);
        before[i] = bytes[at[i]];
        bytes[at[i]] = (uint8_t)tny_random_next(&random);
      }
      seal(bytes, part.count);
      expect_harmless(&part);
      for (int i = 4; i-- > 0;)
        bytes[at[i]] = before[i];
    }
    release(&made);
  }
  tear_down(&setting);
}

/* Whichever allocation fails, nothing is left behind. */
static void parts_are_made_whole_or_not_at_all(void **state)
{
  struct setting setting;
  struct made made;
  (void)state;
  set_up(&setting, "switches:2+3,link=20Mbit/s", TNY_MAP_BLOCK, 0);
  make(&setting, tny_algorithm_find(TNY_ALLTOALL, "tree-phases"), 16384, &made);
  const struct tny_parts_wanted wanted = {.choice = made.choice,
                                          .problem = &made.problem,
                                          .pace = made.parts.head.pace,
                                          .segment_count = made.parts.head.segment_count};
  enum tny_status status = TNY_NO_MEMORY;
  uint32_t failures = 0;
  while (status == TNY_NO_MEMORY) {
    struct tny_parts parts;
    tny_alloc_fail_from(++failures);
    status = tny_parts_make(&wanted, &parts, NULL);
    tny_alloc_fail_from(0);
    tny_parts_release(&parts);
  }
  assert_int_equal(status, TNY_OK);
  assert_true(failures > 10);
  release(&made);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_rank_gets_what_it_would_plan),
      cmocka_unit_test(what_is_handed_out_can_be_proved),
      cmocka_unit_test(an_id_tells_plans_apart),
      cmocka_unit_test(what_is_cut_off_or_changed_is_refused),
      cmocka_unit_test(sealed_damage_does_no_harm),
      cmocka_unit_test(parts_are_made_whole_or_not_at_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
