/* All-reduce, level by level: the reduce to rank 0, then the broadcast.

   Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang, "MagPIe: MPI's collective communication
           operations for clustered wide area systems", whose all-reduce is a reduce and a broadcast
           too; the broadcast (bcast/hierarchical.c) turned round (passes/reverse.c) and then as it
           is
   Needs:  any p, the cluster, an operation that commutes
   Shape:  p=4, zones 0 1 and 2 3:  1 -> 0, 3 -> 2;  2 => 0;  and back   (=> crosses a wide link)
   Cost:   with Z zones of S switches of H hosts of R ranks, up to 2(Z-1 + S-1 + ceil(log2 H) +
           ceil(log2 R)) phases; rank 0 sends and gets half as many blocks
   Links:  one message a port and phase; each wide link has one block each way
   Prefer: for short blocks over several zones: two long ways, whatever the zones' sizes */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_hierarchical = {
    .collective = TNY_ALLREDUCE,
    .name = "hierarchical",
    .source = "kielmann1999",
    .summary = "level by level to rank 0, and back: each wide link once each way",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .by_name_only = true,
    .mirrors = &tny_bcast_hierarchical,
};
