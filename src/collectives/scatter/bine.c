/* Scatter, Bine tree (binomial negabinary): whoever has the blocks of neighbouring ranks hands half
   of them on as along the binomial tree, but to a rank a third of their run away.

   Source: De Sensi and others, "Bine trees: enhancing collective operations by optimizing
           communication locality", the tree by halving distances. What it is for any p but 2^k is
           ours: halves that differ by a rank, and the root a third into the run of all
   Needs:  any p, any root
   Shape:  p=4, root 0, blocks a b c d:  0 -> 3 cd;  0 -> 1 b, 3 -> 2 c
   Cost:   ceil(log2 p) rounds, p-1 blocks sent by the root; scratch for the p/2 blocks of a half.
           The root copies the run that goes on from the last rank to rank 0, up to p/2 blocks
   Links:  one message a port and round; a trunk carries one for every run that it divides between
           its leaders
   Prefer: for short blocks where ranks in sequence fill switches or hosts that trunks connect: of
           messages between such groups there are fewer than along a binomial tree. On one switch
           binomial, which copies less at the root */
#include "collectives/list.h"
#include "collectives/trees/halving.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_halving_scatter(TNY_HALVING_BINE, problem, rank, builder);
}

const struct tny_algorithm tny_scatter_bine = {
    .collective = TNY_SCATTER,
    .name = "bine",
    .source = "desensi2025",
    .summary = "blocks spread along the Bine tree: shorter ways than the binomial's",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_LINKS,
    .by_name_only = true,
    .claim = tny_halving_scatter_claim,
    .emit = emit,
};
