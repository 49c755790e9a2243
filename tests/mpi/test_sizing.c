/* In which uneven calls ranks agree on sizes: what that costs where no plan serves, and whether
   plans are found where sizes change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "mpi/guard/sizing.h"

#define ASKING_NS 1e4

/* The agreements in so many calls, in which no plan ever serves. */
static uint64_t count_wasted(uint64_t calls)
{
  struct tny_sizing sizing = {0};
  uint64_t agreements = 0;
  for (uint64_t i = 0; i < calls; i++) {
    if (!tny_sizing_is_due(&sizing))
      continue;
    tny_sizing_agreed(&sizing, agreements++ > 0 ? ASKING_NS : 0);
    tny_sizing_wasted(&sizing);
  }
  return agreements;
}

static void calls_that_plans_never_serve_are_rarely_agreed_on(void **state)
{
  (void)state;
  assert_in_range(count_wasted(20), 2, 9);
  assert_in_range(count_wasted(1000), 2, 20);
  assert_in_range(count_wasted(100000), 90, 220);
}

static void calls_that_a_plan_serves_are_all_agreed_on(void **state)
{
  (void)state;
  struct tny_sizing sizing = {0};
  for (int i = 0; i < 1000; i++) {
    assert_true(tny_sizing_is_due(&sizing));
    tny_sizing_agreed(&sizing, i > 0 ? ASKING_NS : 0);
    if (i < 20)
      tny_sizing_tried(&sizing);
    else
      tny_sizing_gained(&sizing, 5e4);
  }
}

/* Calls alternate between long ones, which a plan serves after some trials, and short ones. Counts
   the long ones among the last thousand that were agreed on. */
static int count_alternating(uint64_t period, double gain_ns)
{
  struct tny_sizing sizing = {0};
  int trials = 0, served = 0;
  for (uint64_t i = 0; i < 10000; i++) {
    if (!tny_sizing_is_due(&sizing))
      continue;
    tny_sizing_agreed(&sizing, ASKING_NS);
    if (i % period != 0) {
      tny_sizing_wasted(&sizing);
    } else if (trials < 10) {
      trials++;
      tny_sizing_tried(&sizing);
    } else {
      served += i >= 9000;
      tny_sizing_gained(&sizing, gain_ns);
    }
  }
  return served;
}

static void long_calls_among_short_ones_are_found_where_their_gain_pays(void **state)
{
  (void)state;
  assert_int_equal(count_alternating(2, 1e6), 500);
  assert_int_equal(count_alternating(5, 1e6), 200);
  assert_in_range(count_alternating(5, 1e4), 0, 150);
}

/* A program that turns to short blocks for good. */
static void what_was_gained_pays_for_few_agreements(void **state)
{
  (void)state;
  struct tny_sizing sizing = {0};
  int wasted = 0;
  for (int i = 0; i < 1000; i++) {
    assert_true(tny_sizing_is_due(&sizing));
    tny_sizing_agreed(&sizing, ASKING_NS);
    tny_sizing_gained(&sizing, 1e9);
  }
  for (int i = 0; i < 10000; i++) {
    if (!tny_sizing_is_due(&sizing))
      continue;
    wasted++;
    tny_sizing_agreed(&sizing, ASKING_NS);
    tny_sizing_wasted(&sizing);
  }
  assert_in_range(wasted, 256, 320);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_that_plans_never_serve_are_rarely_agreed_on),
      cmocka_unit_test(calls_that_a_plan_serves_are_all_agreed_on),
      cmocka_unit_test(long_calls_among_short_ones_are_found_where_their_gain_pays),
      cmocka_unit_test(what_was_gained_pays_for_few_agreements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
