/* Reduce, level by level: the broadcast's, turned round in time: on each host, on each switch, in
   each zone, and then between zones.

   Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang, "MagPIe: MPI's collective communication
           operations for clustered wide area systems"; the broadcast (bcast/hierarchical.c) turned
           round (passes/reverse.c)
   Needs:  any p, any root, the cluster, an operation that commutes
   Shape:  p=8, zones 0-3, 4 5 and 6 7, the first of switches 0 1 and 2 3, root 0:
           3 -> 2, 5 -> 4, 7 -> 6;  1 -> 0, 2 -> 0, 6 => 0, 4 => 0   (=> crosses a wide link)
   Cost:   with Z zones of S switches of H hosts of R ranks, up to Z-1 + S-1 + ceil(log2 H) +
           ceil(log2 R) rounds; a rank sends one block; the root gets as many as there are rounds,
           but one from switches
   Links:  one message a port and phase; each wide link and each trunk of a tree of switches has at
           most one block
   Prefer: for short blocks over several zones: each wide link is crossed once, all at the same
           time. Long ones go faster by switch-ordered-chain */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_hierarchical = {
    .collective = TNY_REDUCE,
    .name = "hierarchical",
    .source = "kielmann1999",
    .summary = "combined on each host, switch, in each zone, then at the root: wide links once",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .same_bits = {.on_all_ranks = true, .for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_bcast_hierarchical,
};
