/* Traeff, "Optimal broadcast schedules in logarithmic time with applications to broadcast,
   all-broadcast, reduction and all-reduction" (arXiv 2407.18004), and "Optimal, non-pipelined
   reduce-scatter and allreduce algorithms" (arXiv 2410.14234): the rounds that are needed where
   each node sends one block and receives one a round. */
#include <tourney/papers.h>

uint64_t tny_traeff_rounds(uint32_t nodes, uint32_t blocks)
{
  uint32_t doublings = 0;
  while ((uint64_t)1 << doublings < nodes)
    doublings++;
  return doublings ? (uint64_t)doublings + blocks - 1 : 0;
}
