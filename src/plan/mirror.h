/* Algorithms that are another one turned round in time, and all-reduces, which are one turned round
   and then the same as it is. */
#ifndef TOURNEY_PLAN_MIRROR_H
#define TOURNEY_PLAN_MIRROR_H

#include <tourney/algorithm.h>

/* As tny_algorithm_parts. */
uint32_t tny_mirror_parts(const struct tny_algorithm *algorithm, uint32_t rank_count);
/* Of a settled problem, as tny_algorithm_claim. */
struct tny_claim tny_mirror_claim(const struct tny_algorithm *algorithm,
                                  const struct tny_problem *problem);
/* As tny_plan_emit. */
enum tny_status tny_mirror_emit(const struct tny_algorithm *algorithm,
                                const struct tny_problem *problem, uint32_t rank,
                                struct tny_steps *steps, struct tny_error *error) TNY_MUST_CHECK;

#endif
