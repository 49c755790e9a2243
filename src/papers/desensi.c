/* De Sensi and others, "Swing: short-cutting rings for higher bandwidth allreduce" and "Bine trees:
   enhancing collective operations by optimizing communication locality": how far apart partners
   are.

   In step s of either, even ranks find their partner rho(s) = (1 - (-2)^(s+1)) / 3 up the ring,
   odd ones so far down; delta(s) is its size. */
#include <tourney/papers.h>

uint64_t tny_desensi_distance(uint32_t step)
{
  const uint64_t power = (uint64_t)2 << step;
  return (step % 2 == 0 ? power + 1 : power - 1) / 3;
}
