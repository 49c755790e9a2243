/* Reduce, Bine tree (binomial negabinary): the broadcast's, turned round in time.

   Source: De Sensi and others, "Bine trees: enhancing collective operations by optimizing
           communication locality"; the broadcast (bcast/bine.c) turned round (passes/reverse.c)
   Needs:  any p, any root, an operation that commutes
   Shape:  p=4, root 0:  1 -> 0 and 2 -> 3, then 3 -> 0
   Cost:   ceil(log2 p) rounds; a rank sends at most one block; the root gets ceil(log2 p)
   Links:  one message a port and round; a trunk carries one for every run that it divides between
           its leaders
   Prefer: for short blocks where ranks in sequence fill switches or hosts that trunks connect, and
           these groups are not all of a size; else switch-ordered-binomial. On one switch binomial
           is as good, and takes operations that don't commute */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_bine = {
    .collective = TNY_REDUCE,
    .name = "bine",
    .source = "desensi2025",
    .summary = "Bine tree, turned round: partners are a third of their run apart",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .same_bits = {.on_all_ranks = true, .for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_bcast_bine,
};
