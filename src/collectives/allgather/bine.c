/* All-gather, Bine butterfly (binomial negabinary): pairs exchange all that they hold, the farther
   apart the less they hold.

   Source: De Sensi and others, "Bine trees: enhancing collective operations by optimizing
           communication locality", by doubling what is held and halving distances. Their code takes
           even p; what it does where p is odd, and packing instead of single blocks, is ours
   Needs:  any p
   Shape:  p=4, blocks a b c d:  0 <-> 3, 1 <-> 2, then 0 ad <-> 1 bc, 2 bc <-> 3 ad
   Cost:   ceil(log2 p) rounds and p-1 blocks sent by each rank where p is even; where it's odd,
           ceil(log2 (p-1)) + 2 rounds, and up to 2(p-1) + ceil(log2 (p-1)) blocks. Each block is
           copied out of scratch, and once more on its way where p isn't 2^k: p blocks of scratch
           and those packed
   Links:  one message a port and round; half of the bytes go between neighbours, a quarter too
   Prefer: for short blocks where ranks in sequence fill switches or hosts: most bytes stay within
           them, while combining sends half of all to ranks p/2 away. On one switch combining, or
           recursive-doubling where p is 2^k, which copies nothing; where p is odd, combining */
#include "collectives/list.h"
#include "collectives/trees/swing.h"

const struct tny_algorithm tny_allgather_bine = {
    .collective = TNY_ALLGATHER,
    .name = "bine",
    .source = "desensi2025",
    .summary = "Bine butterfly: pairs exchange all so far, most bytes between neighbours",
    .needs = "any p, best even",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .by_name_only = true,
    .holds_blocks = true,
    .prepare = tny_swing_prepare_ring,
    .release = tny_swing_release,
    .claim = tny_swing_claim,
    .emit = tny_swing_emit,
};
