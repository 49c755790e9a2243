/* Reduce-scatter, PAT (parallel aggregated trees): the all-gather's, turned round in time. What is
   for a rank is combined along a binomial tree to it, the nearest way first; a message has the
   partial results of several trees.

   Source: Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter operations at scale"
           (arXiv 2506.20252), of which only the abstract was at hand; the all-gather
           (allgather/pat.c) turned round (passes/reverse.c)
   Needs:  any p, any aggregation, the cluster; an operation that commutes
   Shape:  p=4, all in a message:  1 -> 0 what is for 0 and 2, then 2 -> 0. p=4, aggregation 1:
           1 -> 0 for 0, then 1 -> 0 for 2, then 2 -> 0 for 0
   Cost:   with A, the aggregation, rounded down to a power of two, and m = ceil(log2 p) - log2 A:
           ceil(log2 p) - m + min(2^m, p) - 1 rounds, p-1 blocks sent by each rank, up to A in a
           message. Up to (9 + 6m) A blocks of scratch space, however many ranks there are
   Links:  one message a port and round. Over the longest way comes a single block, twice as many
           each time the way halves, up to A; where A is small, half of the messages come from
           neighbours, a quarter from two positions on, and so on
   Prefer: where there are many ranks: a rank keeps O(A log p) partial results, where
           recursive-halving and circulant-halving keep O(p); and where trunks between distant ranks
           are few. Short blocks with a large aggregation */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_pat = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "pat",
    .source = "jeaugey2025",
    .summary = "parallel trees, turned round: several in a message, O(log p) partial results",
    .needs = "any p, the cluster",
    .parameter = {.name = "aggregation", .standard = 8, .least = 1},
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_pat,
};
