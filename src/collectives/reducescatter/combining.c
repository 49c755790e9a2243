/* Reduce-scatter, combining: the all-gather's, turned round in time.

   Source: Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters of
           workstations", 3.1.3, Figure 5; turned round (passes/reverse.c)
   Needs:  any p, an operation that commutes
   Shape:  p=4, rank 3:  to 1 what it has of 0 and 1, then to 2 what is combined of 2
   Cost:   ceil(log2 p) rounds, p-1 blocks sent and combined by each rank; up to 3p blocks of
           scratch space
   Links:  one message a link and phase on one switch, of up to p/2 blocks; a trunk carries one for
           every pair across it
   Prefer: as circulant-halving, which takes as many rounds and blocks */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_combining = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "combining",
    .source = "jacunski1999",
    .summary = "what is combined halves each round: ceil(log2 p) rounds",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_combining,
};
