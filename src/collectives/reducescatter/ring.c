/* Reduce-scatter, logical ring: the all-gather's, turned round in time.

   Source: the ring of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters
           of workstations", 3.1.1; turned round (passes/reverse.c), as is common
   Needs:  any p, an operation that commutes
   Shape:  p=4:  3 -> 2 -> 1 -> 0 -> 3, three times, each rank combining what came with its own
   Cost:   p-1 rounds, p-1 blocks sent by each rank
   Links:  one message a link and phase on one switch; a trunk carries as many as there are
           neighbours by number on its two sides
   Prefer: for long blocks on one switch, or where ranks are numbered along the switches; else
           switch-ordered-ring. Where the ranks' order matters, pairwise */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_ring = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "ring",
    .source = "jacunski1999",
    .summary = "logical ring, turned round: sums go round by rank number",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_ring,
};
