/* Reduce, two trees: the broadcast's, turned round in time.

   Source: Sanders, Speck, Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and
           scan"; their reduce is their broadcast, turned round (passes/reverse.c)
   Needs:  any p, any root, the cluster, an operation that commutes
   Shape:  p=7: each half of the block goes up a tree of its own, whose inner vertices are the
           other's leaves, to the tree's root, and from there to the root
   Cost:   about 2 log2 p rounds, 2 for each two pieces more; a rank sends one block
   Links:  one message a port and phase
   Prefer: for blocks of middling length among many ranks: a chain takes p rounds to fill */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_two_tree = {
    .collective = TNY_REDUCE,
    .name = "two-tree",
    .source = "sanders2009",
    .summary = "two trees, turned round: one's inner vertices are the other's leaves",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .by_name_only = true,
    .mirrors = &tny_bcast_two_tree,
};
