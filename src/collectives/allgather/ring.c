/* All-gather, logical ring (LR): each rank talks only to the next rank and the one before.

   Source: Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters of
           workstations", 3.1.1
   Needs:  any p
   Shape:  p=4:  0 -> 1 -> 2 -> 3 -> 0, three times, each rank passing on what came last
   Cost:   p-1 rounds, p-1 blocks sent by each rank
   Links:  one message a link and phase on one switch; a trunk carries as many as there are
           neighbours by number on its two sides
   Prefer: for long blocks on one switch, or where ranks are numbered along the switches; else
           switch-ordered-ring */
#include "collectives/shared/ring.h"
#include "collectives/list.h"
#include "planner/position.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_ring_emit(problem, NULL, NULL, rank, builder);
}

/* The same in all phases. */
static uint32_t peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  (void)phase;
  return tny_position_rank(NULL, problem->rank_count, rank, 1);
}

const struct tny_algorithm tny_allgather_ring = {
    .collective = TNY_ALLGATHER,
    .name = "ring",
    .source = "jacunski1999",
    .summary = "logical ring: blocks go round by rank number",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .is_ring = true,
    .claim = tny_ring_claim,
    .emit = emit,
    .peer = peer,
};
