/* Phases for an all-to-all on a torus, or a small mesh, that use every link of the longest sides
   nearly all the time. */
#ifndef TOURNEY_PLANNER_PHASES_PREFERRED_PHASES_H
#define TOURNEY_PLANNER_PHASES_PREFERRED_PHASES_H

#include "planner/phases/traffic.h"

/* Whether there are wishes for this problem: it has a grid, of sides with known tuples. */
bool tny_wishes_exist(const struct tny_problem *problem);
/* `wish` gets the phase that each message should have, counted without gaps; TNY_NONE: any. They
   hold for dimension-order routes and are a wish elsewhere: whoever places messages has to check.
   */
enum tny_status tny_wishes_make(const struct tny_problem *problem,
                                const struct tny_traffic *traffic, uint32_t *wish,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
