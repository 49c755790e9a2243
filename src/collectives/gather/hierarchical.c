/* Gather, level by level: the blocks of each host come together at a leader, those of each switch,
   and those of each zone, which go to the root: the scatter of this name, turned round in time.

   Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang, "MagPIe: MPI's collective communication
           operations for clustered wide area systems": each block crosses a wide link once, in one
           message with all others of its cluster, and all these messages go at the same time. What
           is done within a zone is ours. Turned round (passes/reverse.c)
   Needs:  any p, any root, the cluster
   Shape:  p=8, zones 0-3, 4 5 and 6 7, the first of switches 0 1 and 2 3, root 0, blocks a to h:
           2 <- 3 d, 6 <- 7 h, 4 <- 5 f;  0 <- 1 b, 0 <- 2 cd, 0 <= 6 gh, 0 <= 4 ef   (<= crosses a
           wide link)
   Cost:   with Z zones of S switches of H hosts of R ranks, up to Z-1 + S-1 + ceil(log2 H) +
           ceil(log2 R) rounds; who leads the largest zone, switch or half of one sends its blocks,
           from scratch. Up to 3p blocks of scratch
   Links:  one message a port and phase. Wide links: one message from each other zone. Without
           zones, one message a phase on any link of a tree of switches
   Prefer: for short blocks over several zones or switches: a wide link is waited for once, and
           takes one message for all ranks behind it. On one switch binomial; long ones by linear,
           which hands nothing on */
#include "collectives/list.h"

const struct tny_algorithm tny_gather_hierarchical = {
    .collective = TNY_GATHER,
    .name = "hierarchical",
    .source = "kielmann1999",
    .summary =
        "from ranks, hosts, switches to each zone's leader, then the root: a message a wide link",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_LINKS,
    .by_name_only = true,
    .mirrors = &tny_scatter_hierarchical,
};
