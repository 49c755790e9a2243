/* Reduce, pipelined chain over hosts, a tree on each: the broadcast's, turned round in time.

   Source: the chain in switch order of Jacunski, Sadayappan, Panda, "All-to-all broadcast on
           switch-based clusters of workstations"; one rank a host that talks to others is from
           Kielmann, Hofman, Bal, Plaat, Bhoedjang, "MagPIe"; turned round (passes/reverse.c), ours
   Needs:  any p, any root, the cluster, some host with two ranks or more, an operation that
           commutes
   Shape:  p=4, ranks 0 1 on one host, 2 3 on another, root 0:  3 .> 2 and 1 .> 0, then 2 -> 0
           (.> stays on the host)
   Cost:   with h hosts of up to k ranks n+h-2 phases for n pieces, and ceil(log2 k) more within. A
           leader sends the message once to another host, and gets it as often from its own as the
           tree has it
   Links:  one message a phase on any port and any link of a tree of switches, each piece once
   Prefer: where ranks share hosts, for long messages: a piece takes as many hops as there are
           hosts, not ranks. For short ones, switch-circulant or hierarchical */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_host_chain = {
    .collective = TNY_REDUCE,
    .name = "host-chain",
    .source = "jacunski1999",
    .summary = "combined on hosts by trees, and by a pipelined chain over hosts in switch order",
    .needs = "any p, any root, the cluster; ranks that share hosts",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDIT_BATCHES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .mirrors = &tny_bcast_host_chain,
};
