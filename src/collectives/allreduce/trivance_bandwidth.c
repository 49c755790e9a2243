/* All-reduce, Trivance for the most bandwidth: a reduce-scatter by thirds along rings, then the
   all-gather back.

   Source: Juerss, Addanki, Schmid, "Trivance: latency-optimal allreduce by shortcutting multiport
           networks" (arXiv 2602.17254), the variant for the most bandwidth, of which the abstract
           and the authors' simulator (github.com/ajuerss/sst-trivance, TrivanceB) were at hand.
           The all-gather (allgather/trivance.c) turned round (passes/reverse.c) and then as it is.
           Which part of the block a rank combines, so that messages are in a row, is ours; that all
           parts go by the same steps, too: there each port has some of its own
   Needs:  any p, best where sides are 3^k or twice that, or one is four times that; an operation
           that commutes. On a ring or torus with as many ranks on each host, the dimensions are
           those of the network, and before them that of the ranks of a host. Elsewhere the ranks
           in switch order are one ring
   Shape:  p=3, a third of the block each, rank 0:  one to 1 and one to 2, and then its own to both
   Cost:   twice the sum of ceil(log3 side) phases of two messages; a rank sends 2(p-1)/p blocks,
           the fewest there are. On other sides a message goes in several, one for each row of
           parts. Up to 3 blocks of scratch space
   Links:  two messages a port and phase. On a ring of 3^k nodes each link carries a third of the
           block in each phase
   Prefer: on rings and tori for blocks of middling length: of 16 KiB on ring:27 it takes 0.83 ms,
           contention-free-rings 1.06, ring 1.32, as simulated. trivance takes half as many phases
           for short ones, and for long ones contention-free-rings puts each message on one cable
           (16 ms against 39 for 1 MiB). All ranks get the same bits, by trivance they may not */
#include "collectives/list.h"
#include "collectives/trees/trivance_in_place.h"

const struct tny_algorithm tny_allreduce_trivance_bandwidth = {
    .collective = TNY_ALLREDUCE,
    .name = "trivance-bandwidth",
    .source = "juerss2026b",
    .summary = "a third of what is left each way a step, along rings, and back: fewest bytes",
    .needs = "any p, best 3^k",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .by_name_only = true,
    .mirrors = &tny_trivance_in_place,
};
