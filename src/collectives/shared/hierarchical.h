/* What algorithms that go level by level, with representatives, prepare. */
#ifndef TOURNEY_COLLECTIVES_SHARED_HIERARCHICAL_H
#define TOURNEY_COLLECTIVES_SHARED_HIERARCHICAL_H

#include "collectives/shared/representatives.h"

/* What `claim` and `emit` follow from. An algorithm's own plan begins with it. */
struct tny_hierarchical {
  struct tny_representatives representatives;
  uint32_t phase_first[TNY_TIER_COUNT + 1]; /* by level */
  struct tny_claim claim;
};

/* Fills a plan that has its representatives. */
typedef enum tny_status tny_hierarchical_fill(const struct tny_problem *problem, void *plan,
                                              struct tny_error *error);

/* As in struct tny_algorithm, for a plan of that many bytes. */
enum tny_status tny_hierarchical_prepare(const struct tny_problem *problem, size_t plan_bytes,
                                         tny_hierarchical_fill *fill, void **prepared,
                                         struct tny_error *error) TNY_MUST_CHECK;
void tny_hierarchical_release(void *prepared);
struct tny_claim tny_hierarchical_claim(const struct tny_problem *problem);

#endif
