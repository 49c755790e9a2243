/* Gather, Bine tree (binomial negabinary): the blocks of neighbouring ranks come together as along
   the binomial tree, but between ranks that are a third of their run apart, not up to half of it.

   Source: De Sensi and others, "Bine trees: enhancing collective operations by optimizing
           communication locality", the tree by halving distances. What it is for any p but 2^k is
           ours: halves that differ by a rank, and the root a third into the run of all
   Needs:  any p, any root
   Shape:  p=4, root 0, blocks a b c d:  1 -> 0 b, 2 -> 3 c;  3 -> 0 cd
   Cost:   ceil(log2 p) rounds; who leads the half without the root sends its p/2 blocks, from
           scratch. The root copies the run that goes on from the last rank to rank 0, up to p/2
           blocks
   Links:  one message a port and round; a trunk carries one for every run that it divides between
           its leaders
   Prefer: for short blocks where ranks in sequence fill switches or hosts that trunks connect: of
           messages between such groups there are fewer than along a binomial tree. On one switch
           binomial, which copies less at the root */
#include "collectives/list.h"
#include "collectives/trees/halving.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_halving_gather(TNY_HALVING_BINE, problem, rank, builder);
}

const struct tny_algorithm tny_gather_bine = {
    .collective = TNY_GATHER,
    .name = "bine",
    .source = "desensi2025",
    .summary = "blocks come together along the Bine tree: shorter ways than the binomial's",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_LINKS,
    .by_name_only = true,
    .claim = tny_halving_gather_claim,
    .emit = emit,
};
