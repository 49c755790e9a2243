/* All-to-all, shift exchange: in round i each rank sends to the rank i positions after it, one
   round after another.

   Source: Tam, Wang, "Efficient scheduling of complete exchange on clusters", 3.1,
           Algorithm 1
   Needs:  any p, the cluster: ranks stand in switch order, which on one switch is by rank
   Shape:  p=4: block to +1, then +2, then +3; a long block is finished before the next begins
   Cost:   p-1 rounds, p-1 blocks sent by each rank; each round pays a start-up (Eq. 3)
   Links:  one message a port and phase; a trunk carries up to min(ranks on either side)
   Prefer: for long blocks on one switch or on few, as shuffle; it finishes one message before it
           begins the next, so that a receiver has one sender at a time */
#include "collectives/shared/shift.h"
#include "collectives/list.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_shift_emit(problem, true, rank, builder);
}

const struct tny_algorithm tny_alltoall_shift = {
    .collective = TNY_ALLTOALL,
    .name = "shift",
    .source = "tam2000",
    .summary = "shift exchange: round i sends to the rank i positions on",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .claim = tny_shift_claim,
    .emit = emit,
    .peer = tny_shift_peer,
};
