/* Gather, binomial tree: the blocks of neighbouring ranks come together, those of two halves each
   time, until the root has all.

   Source: Traeff, "On optimal trees for irregular gather and scatter collectives", whose trees for
           blocks of one size these are
   Needs:  any p, any root
   Shape:  p=4, root 0, blocks a b c d:  1 -> 0 b, 3 -> 2 d;  2 -> 0 cd
   Cost:   ceil(log2 p) rounds; who leads the half without the root sends its p/2 blocks, from
           scratch
   Links:  one message a port and round; a trunk carries one for every half that it divides
   Prefer: for short blocks, which pay for messages: the root receives ceil(log2 p) of them, not
           p-1. Long ones would be sent again by every rank on the way: then linear */
#include "collectives/list.h"
#include "collectives/trees/halving.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_halving_gather(TNY_HALVING_BINOMIAL, problem, rank, builder);
}

const struct tny_algorithm tny_gather_binomial = {
    .collective = TNY_GATHER,
    .name = "binomial",
    .source = "traeff2019",
    .summary = "blocks of halves of the ranks come together: ceil(log2 p) rounds",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_LINKS,
    .by_name_only = true,
    .claim = tny_halving_gather_claim,
    .emit = emit,
};
