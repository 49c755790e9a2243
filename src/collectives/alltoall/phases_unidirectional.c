/* All-to-all, phases for cables that carry one way at a time: each phase uses every cable of the
   ring or torus exactly once, on shortest routes, so their number is the bound by the bisection.

   Source: Hinrichs, Kosak, O'Hallaron, Stricker, Take, "An architecture for optimal all-to-all
           personalized communication", 2.1
   Needs:  ring of n or torus of n x n, n a multiple of 4, as many ranks on each host; routes go
           along X first, and half around + from odd nodes, - from even ones
   Shape:  p=4, a ring, its phases: 1 => 3 => 1 (0 and 2 keep their own); 0 <= 2 <= 0 (1 and 3 keep
           theirs); 0 -> 1 -> 2 -> 3 -> 0; 0 <- 1 <- 2 <- 3 <- 0
   Cost:   n*n/4 phases on a ring, n*n*n/4 on a torus, times k*k for k ranks a node; p-1 rounds,
           p-1 blocks sent by each rank
   Links:  one message a cable and phase, in one of its two directions
   Prefer: as phases, on rings and tori whose sides are multiples of 4, where cables carry messages
           one way at a time, or where the side is 4. Elsewhere phases is twice as fast

   Waits and cuts as in phases.c. */
#include "collectives/list.h"
#include "collectives/shared/phased.h"

static const char *refuse(const struct tny_problem *problem)
{
  return tny_phased_refuse(problem, TNY_ONE_WAY);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  return tny_phased_claim(problem, TNY_ONE_WAY);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_phased_emit(problem, TNY_ONE_WAY, rank, builder);
}

const struct tny_algorithm tny_alltoall_phases_unidirectional = {
    .collective = TNY_ALLTOALL,
    .name = "phases-unidirectional",
    .source = "hinrichs1994",
    .summary = "ring and torus phases: every cable once a phase, one way",
    .needs = "ring n or torus n x n, n a multiple of 4",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .refuse = refuse,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
