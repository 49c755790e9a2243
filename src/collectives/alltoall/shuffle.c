/* All-to-all, synchronous shuffle: the rounds of shift exchange, one chunk to each rank in turn, so
   that all p-1 messages flow as one and the start-up is paid once.

   Source: Tam, Wang, "Efficient scheduling of complete exchange on clusters", 3.3,
           Algorithm 2
   Needs:  any p, the cluster: ranks stand in switch order, which on one switch is by rank
   Shape:  p=4: chunk 0 to +1 +2 +3, then chunk 1 to +1 +2 +3, ...
   Cost:   p-1 rounds a chunk, p-1 blocks sent by each rank (Eq. 4)
   Links:  one message a port and phase; a trunk carries up to min(ranks on either side)
   Prefer: for blocks of some KiB and more on one switch, and on trees of few switches. It is the
           default all-to-all, measured at 92 to 94 % of the bound at 20 Mbit/s. Where many
           trunks are shared, planned-phases or tree-phases keep them free of collisions */
#include "collectives/list.h"
#include "collectives/shared/shift.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_shift_emit(problem, false, rank, builder);
}

const struct tny_algorithm tny_alltoall_shuffle = {
    .collective = TNY_ALLTOALL,
    .name = "shuffle",
    .source = "tam2000",
    .summary = "synchronous shuffle: the shift's rounds, chunk by chunk",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .claim = tny_shift_claim,
    .emit = emit,
    .peer = tny_shift_peer,
};
