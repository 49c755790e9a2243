/* Reduce-scatter, level by level: the all-gather's, turned round in time: on each host, then
   between hosts, switches and zones.

   Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang, "MagPIe: MPI's collective communication
           operations for clustered wide area systems": a block crosses a wide link once; the
           all-gather (allgather/hierarchical.c) turned round (passes/reverse.c)
   Needs:  any p, the cluster, an operation that commutes
   Shape:  p=8, zones 0-3 and 4-7 of switches 0 1 | 2 3 and 4 5 | 6 7:
           0 <-> 1, ... four blocks each;  0 <-> 2, 1 <-> 3, ... two;  0 <=> 4, 1 <=> 5, ... one
   Cost:   as the all-gather: with Z zones of S switches of H hosts of R ranks Z-1 + S-1 +
           ceil(log2 H) + ceil(log2 R) rounds, and p-1 blocks sent by each rank, where parts are of
           one size. Up to 3p blocks of scratch space
   Links:  one message a port and phase. What is combined for a rank crosses each wide link to it
           once
   Prefer: for short blocks on several switches, and over wide links, where it waits for the long
           way only once. Zones, switches and hosts should have the same sizes */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_hierarchical = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "hierarchical",
    .source = "kielmann1999",
    .summary = "combined on hosts, switches, in zones, then between them: wide links last, once",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_hierarchical,
};
