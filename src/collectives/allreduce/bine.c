/* All-reduce, Bine tree (binomial negabinary): the reduce to rank 0, then the broadcast.

   Source: De Sensi and others, "Bine trees: enhancing collective operations by optimizing
           communication locality": the tree of their broadcast (bcast/bine.c), turned round
           (passes/reverse.c) and then as it is. Their all-reduce for long blocks is their
           butterfly, there and back; ours packs blocks in scratch space, where parts of different
           length can't stand in for each other
   Needs:  any p, an operation that commutes
   Shape:  p=4:  1 -> 0 and 2 -> 3, then 3 -> 0, and back
   Cost:   2 ceil(log2 p) rounds; rank 0 sends and gets ceil(log2 p) blocks
   Links:  one message a port and round; a trunk carries one for every run that it divides between
           its leaders, each way
   Prefer: for short blocks where ranks in sequence fill switches or hosts that trunks connect, and
           these groups are not all of a size; else switch-ordered-binomial. On one switch
           recursive-doubling takes half as many rounds */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_bine = {
    .collective = TNY_ALLREDUCE,
    .name = "bine",
    .source = "desensi2025",
    .summary = "Bine tree to rank 0, and back",
    .needs = "any p",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .by_name_only = true,
    .mirrors = &tny_bcast_bine,
};
