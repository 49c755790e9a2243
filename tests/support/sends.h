/* What a rank sends, message by message. Included once by each test program. */
#ifndef TOURNEY_TESTS_SUPPORT_SENDS_H
#define TOURNEY_TESTS_SUPPORT_SENDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <tourney/algorithm.h>

enum { SENDS_MAX = 8 };

/* One message a phase: to the rank so far on, with so many blocks. */
struct sends {
  uint32_t count, ways[SENDS_MAX], blocks[SENDS_MAX];
};

/* These are the rank's messages of the whole, unpaced plan, in this order. */
static inline void assert_sends(const struct tny_algorithm *algorithm,
                                const struct tny_problem *problem, uint32_t rank,
                                const struct sends *expected)
{
  const struct tny_pace whole = {.chunk_count = 1};
  struct tny_steps steps;
  uint32_t sends = 0;
  assert_int_equal(tny_plan_rank(algorithm, problem, whole, rank, &steps, NULL), TNY_OK);
  for (uint32_t i = 0; i < steps.count; i++) {
    const struct tny_step *step = &steps.steps[i];
    if (step->kind != TNY_SEND)
      continue;
    assert_true(sends < expected->count);
    assert_int_equal(step->phase, sends);
    assert_int_equal(step->peer, (rank + expected->ways[sends]) % problem->rank_count);
    assert_int_equal(step->span.count, expected->blocks[sends]);
    sends++;
  }
  assert_int_equal(sends, expected->count);
  tny_steps_release(&steps);
}

#endif
