/* ReTri: its messages by balanced ternary, and how few they are. */
#include "support/sends.h"

static const struct tny_algorithm *retri(void)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLTOALL, "retri");
  assert_non_null(algorithm);
  return algorithm;
}

static void assert_sends_of_rank_1(uint32_t p, const struct sends *expected)
{
  const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = p};
  assert_sends(retri(), &problem, 1, expected);
}

static void retri_sends_by_the_digits_of_ways_on_and_back(void **state)
{
  (void)state;
  assert_sends_of_rank_1(3, &(struct sends){2, {1, 2}, {1, 1}});
  assert_sends_of_rank_1(4, &(struct sends){3, {1, 3, 3}, {1, 2, 1}});
  assert_sends_of_rank_1(9, &(struct sends){4, {1, 8, 3, 6}, {3, 3, 3, 3}});
}

/* In balanced ternary: -1, 0 or 1, and what is left. */
static uint32_t digits_other_than_0(int32_t way)
{
  uint32_t count = 0;
  while (way != 0) {
    const int32_t digit = (way % 3 + 4) % 3 - 1;
    count += digit != 0;
    way = (way - digit) / 3;
  }
  return count;
}

static void retri_takes_two_rounds_a_digit(void **state)
{
  (void)state;
  uint32_t digits = 0, power = 1;
  for (uint32_t p = 1; p <= 800; p++) {
    const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = p};
    const struct tny_claim claim = tny_algorithm_claim(retri(), &problem);
    uint64_t blocks = 0;
    if (p > power) {
      power *= 3;
      digits++;
    }
    for (int32_t way = -(int32_t)((p - 1) / 2); way <= (int32_t)(p / 2); way++)
      blocks += digits_other_than_0(way);
    assert_true(claim.rounds <= 2 * digits);
    if (p == power)
      assert_int_equal(claim.rounds, 2 * digits);
    assert_int_equal(claim.blocks_sent_max, blocks);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(retri_sends_by_the_digits_of_ways_on_and_back),
      cmocka_unit_test(retri_takes_two_rounds_a_digit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
