/* Scatter, binomial tree: whoever has the blocks of neighbouring ranks hands those of the other
   half to one rank there, until each has its own.

   Source: Traeff, "On optimal trees for irregular gather and scatter collectives", whose trees for
           blocks of one size these are
   Needs:  any p, any root
   Shape:  p=4, root 0, blocks a b c d:  0 -> 2 cd;  0 -> 1 b, 2 -> 3 d
   Cost:   ceil(log2 p) rounds, p-1 blocks sent by the root; scratch for the p/2 blocks of a half
   Links:  one message a port and round; a trunk carries one for every half that it divides
   Prefer: for short blocks, which pay for messages: the root sends ceil(log2 p) of them, not p-1.
           Long ones would be sent again by every rank on the way: then linear */
#include "collectives/list.h"
#include "collectives/trees/halving.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_halving_scatter(TNY_HALVING_BINOMIAL, problem, rank, builder);
}

const struct tny_algorithm tny_scatter_binomial = {
    .collective = TNY_SCATTER,
    .name = "binomial",
    .source = "traeff2019",
    .summary = "halves of the blocks go to halves of the ranks: ceil(log2 p) rounds",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_LINKS,
    .by_name_only = true,
    .claim = tny_halving_scatter_claim,
    .emit = emit,
};
