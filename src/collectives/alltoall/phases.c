/* All-to-all, phases for links that carry both ways at once: each phase uses every link of the ring
   or torus exactly once, on shortest routes, so their number is the bound by the bisection.

   Source: Hinrichs, Kosak, O'Hallaron, Stricker, Take, "An architecture for optimal all-to-all
           personalized communication", 2.1
   Needs:  ring of n or torus of n x n, n a multiple of 4 from 8 on, as many ranks on each host;
           routes go along X first, and half around + from odd nodes, - from even ones. The paper
           says n a multiple of 8, but its construction only needs two chains in a tuple, n/4 >= 2:
           12, 20, ... are proved as well
   Shape:  n=8, phase 0, chain (0,0) clockwise over chain (3,3) counterclockwise:
             1 => 5 => 1 (0 and 4 keep their own)   2 <= 6 <= 2 (3 and 7 keep their own)
   Cost:   n*n/8 phases on a ring, n*n*n/8 on a torus, times k*k for k ranks a node; p-1 rounds,
           p-1 blocks sent by each rank
   Links:  one message a link and phase, on every link of the ring or torus
   Prefer: for long blocks on a ring or square torus with sides of 8, 12, 16, ..., where it meets
           the bound of the bisection (41 ms against 134 ms of shuffle for 64 KiB on torus:8x8,
           predicted). Short blocks: bruck or two-stage

   A phase keeps apart from the next as shift's rounds do: a send waits for the rank's previous send
   and receive. Blocks are cut within a phase, so the chunks keep its links to themselves. */
#include "collectives/list.h"
#include "collectives/shared/phased.h"

static const char *refuse(const struct tny_problem *problem)
{
  return tny_phased_refuse(problem, TNY_BOTH_WAYS);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  return tny_phased_claim(problem, TNY_BOTH_WAYS);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_phased_emit(problem, TNY_BOTH_WAYS, rank, builder);
}

const struct tny_algorithm tny_alltoall_phases = {
    .collective = TNY_ALLTOALL,
    .name = "phases",
    .source = "hinrichs1994",
    .summary = "ring and torus phases: every link once a phase, both ways",
    .needs = "ring n or torus n x n, n a multiple of 4 from 8 on",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .refuse = refuse,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
