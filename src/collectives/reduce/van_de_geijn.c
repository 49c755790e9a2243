/* Reduce, van de Geijn: the broadcast's, turned round in time: recursive halving, then a gather.

   Source: Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm in homogeneous
           clusters of SMP", section 2 and Figure 2; the broadcast (bcast/van_de_geijn.c) turned
           round (passes/reverse.c). For 2^k ranks it is Rabenseifner's reduce, of Thakur,
           Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH"
   Needs:  any p, any root, an operation that commutes
   Shape:  p=4, root 0, pieces a b c d:  2 -> 0 ab, 3 -> 1 ab, 1 -> 3 cd;  1 -> 0 a, 3 -> 2 c;
           1 -> 0 b, 3 -> 2 d;  2 -> 0 cd
   Cost:   2 ceil(log2 p) rounds; a rank sends one block or less, the root gets 2(p-1)/p where p is
           2^k, up to ceil(log2 p)/p more for any other p
   Links:  one message a port and round; a trunk carries up to the ranks behind it
   Prefer: for blocks of middling length on one switch: every rank combines a share. Long ones go by
           circulant or, on several switches, switch-ordered-chain */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_van_de_geijn = {
    .collective = TNY_REDUCE,
    .name = "van-de-geijn",
    .source = "axida2009",
    .summary = "halves are combined as by recursive halving, then gathered at the root",
    .needs = "any p, any root",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_NONE,
    .commutes = true,
    .by_name_only = true,
    .mirrors = &tny_bcast_van_de_geijn,
};
