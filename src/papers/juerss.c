/* Juerss, Addanki, Schmid, "Trivance: latency-optimal allreduce by shortcutting multiport networks"
   (arXiv 2602.17254): windows of ranks on a ring, or what is left to combine, are three times as
   long, or a third, after each step. */
#include <tourney/papers.h>

uint32_t tny_juerss_steps(uint32_t side)
{
  uint32_t steps = 0;
  for (uint64_t window = 1; window < side; window *= 3)
    steps++;
  return steps;
}
