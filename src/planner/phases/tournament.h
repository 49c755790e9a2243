/* The rotation tournament: who plays whom, so that everyone meets everyone once. */
#ifndef TOURNEY_PLANNER_PHASES_TOURNAMENT_H
#define TOURNEY_PLANNER_PHASES_TOURNAMENT_H

#include <stdint.h>

/* The players that a tournament of p ranks needs: p; and where p is odd, a virtual one, which has
   number p. */
static inline uint32_t tny_tournament_members(uint32_t p)
{
  return p + p % 2;
}

/* Whom `player` meets in `round` (0 .. members-2); members is even, players count from 0. Who meets
   the virtual player is idle. Cost: O(1). */
uint32_t tny_tournament_partner(uint32_t members, uint32_t round, uint32_t player);

#endif
