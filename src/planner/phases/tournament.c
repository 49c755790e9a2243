/* Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm", 4.1 and Figure 3, whose
   players are one more than ours. Player 0 keeps its seat and all others move clockwise, one seat
   a round, around the table:

       0   1   2   3   ->   0   7   1   2     in round 0, seat s has player s; the players of
       7   6   5   4        6   5   4   3     the seats s and members-1-s meet

   So in round r, of the m = members-1 that move, the x-th and the y-th from 0 on meet where
   x + y = -2 (r+1) mod m; who would meet itself meets player 0. */
#include "planner/phases/tournament.h"

#include <assert.h>

uint32_t tny_tournament_partner(uint32_t members, uint32_t round, uint32_t player)
{
  const uint32_t moving = members - 1;
  assert(members % 2 == 0 && round < moving && player < members);
  /* The opponent of player 0 has the last seat: x + x = -2 (r+1). */
  const uint32_t against_first = moving - 1 - round;
  if (player == 0)
    return 1 + against_first;
  const uint32_t x = player - 1;
  if (x == against_first)
    return 0;
  const uint64_t sum = 2 * (uint64_t)against_first + moving;
  return 1 + (uint32_t)((sum - x) % moving);
}
