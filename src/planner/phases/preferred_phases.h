/* Preferred phases: for an all-to-all on a torus or a small mesh, phases that use every link of the
   longest sides nearly all the time. */
#ifndef TOURNEY_PLANNER_PHASES_PREFERRED_PHASES_H
#define TOURNEY_PLANNER_PHASES_PREFERRED_PHASES_H

#include "planner/phases/traffic.h"

/* Are there preferred phases for this problem? It needs a grid, of sides with known tuples. */
bool tny_preferred_phases_exist(const struct tny_problem *problem);
/* `preferred` gets the preferred phase of each message, numbered without gaps; TNY_NONE: it has
   none. On dimension-order routes no two messages of a phase share a link. On other routes they
   may, so whoever places messages has to check. */
enum tny_status tny_preferred_phases_make(const struct tny_problem *problem,
                                          const struct tny_traffic *traffic, uint32_t *preferred,
                                          struct tny_error *error) TNY_MUST_CHECK;

#endif
