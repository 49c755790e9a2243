/* All-gather, Swing: on a torus, pairs exchange all that they hold at distances that swing between
   both directions of a dimension, which take turns; the farther the less they hold.

   Source: De Sensi and others, "Swing: short-cutting rings for higher bandwidth allreduce", the
           all-gather half of it. It is one of 2 d that the paper runs at once over the 2 d ports of
           a node: hosts here have one. Only the paper's opening was at hand: what is done for sizes
           that aren't 2^k, and for several ranks a node, is ours
   Needs:  ring or torus, as many ranks on each host
   Shape:  p=4, a ring, blocks a b c d:  0 <-> 3, 1 <-> 2, then 0 ad <-> 1 bc, 2 bc <-> 3 ad
   Cost:   the sum of ceil(log2 side) rounds and p-1 blocks sent by each rank where all sides are
           even; an odd side counts as one less and two rounds more, and nodes at its ends send all
           p blocks once more. Each block is copied out of scratch, and once more on its way where a
           side isn't 2^k: p blocks of scratch and those packed
   Links:  one message a port and round; half of the bytes go to neighbours in the first dimension,
           a quarter to those in the second. On a ring with 2^k nodes no message goes farther than a
           third of it
   Prefer: on rings and tori for short blocks, which pay for rounds: a ring takes p-1. Long ones go
           by contention-free-rings or two-way-ring, each of whose messages crosses one cable */
#include "collectives/trees/swing.h"
#include "collectives/list.h"

static const char *refuse(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  if (!placement || placement->grid.dimension_count == 0 || !placement->grid.wraps)
    return "needs a ring or torus with as many ranks on each host";
  return NULL;
}

const struct tny_algorithm tny_allgather_swing = {
    .collective = TNY_ALLGATHER,
    .name = "swing",
    .source = "desensi2024",
    .summary = "Swing: pairs on a torus exchange all so far, most bytes between neighbours",
    .needs = "ring or torus, as many ranks on each host",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .by_name_only = true,
    .holds_blocks = true,
    .refuse = refuse,
    .prepare = tny_swing_prepare_torus,
    .release = tny_swing_release,
    .claim = tny_swing_claim,
    .emit = tny_swing_emit,
};
