/* Barrier, dissemination: in round k each rank tells the rank 2^k after it that those it has heard
   of have begun, itself among them: twice as many each time.

   Source: Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", its dissemination
           algorithm
   Needs:  any p
   Shape:  p=4:  0 -> 1 -> 2 -> 3 -> 0,  then 0 <-> 2  1 <-> 3
   Cost:   ceil(log2 p) rounds, which is the bound; p messages in each
   Links:  one message a port and round; a trunk carries one for every rank that is less than the
           distance before it
   Prefer: where all ways are about as long: no barrier has fewer rounds. Where some are much
           longer, as between sites, every round crosses one, and hierarchical crosses them once */
#include "collectives/barrier/dissemination_rounds.h"
#include "collectives/list.h"

static struct tny_dissemination of(const struct tny_problem *problem)
{
  return (struct tny_dissemination){.count = problem->rank_count, .ways = 1};
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_dissemination dissemination = of(problem);
  tny_dissemination_emit(&dissemination, rank, 0, builder);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_dissemination dissemination = of(problem);
  return tny_dissemination_claim(&dissemination);
}

const struct tny_algorithm tny_barrier_dissemination = {
    .collective = TNY_BARRIER,
    .name = "dissemination",
    .source = "hensgen1988",
    .summary = "each rank tells the one 2^k after it: ceil(log2 p) rounds",
    .needs = "any p",
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .claim = claim,
    .emit = emit,
};
