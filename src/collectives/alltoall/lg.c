/* All-to-all, local group: on two clusters, what has to cross is first gathered within each, so
   that each pair (i, i + n1*s) exchanges one message over the wide link, and nothing else does.

   Source: Jeannot, Steffenel, "Fast and efficient total exchange on two clusters", 4, Algorithm 1.
           Read: floor(i/n1) for [i/n1]; i from 0 on; s for e. Where n1 doesn't divide n2, the node
           that is to keep some blocks of the last, partial group isn't there: here the same node of
           the last full group keeps them, and sends them along with its own, so that it stays at
           2*max(n1,n2) messages (abstract and 4.2)
   Needs:  ranks in two zones of a cluster, on two switches of one zone, or on two hosts of one
           switch. C1 is the one with fewer (of equals the first), n1 <= n2
   Shape:  n1=2 (0 1), n2=2 (2 3):  0-1 and 2-3 exchange their own and, in a second message, what
           the other is to carry across; then 0-2 and 1-3 exchange 2 blocks each way
   Cost:   with q = ceil(n2/n1), r = n2 mod n1: q wide rounds behind n2+n1-2+r local ones in C2 and
           (n1-1)(q+1) in C1; together max(n2+n1-2, (n1-1)(q+1)) + q rounds, or n2+n1-1+r where that
           is more and r > 0. n1+n2-1 + (n1-1)*q blocks sent by a rank at most
   Links:  one message a port and phase; n1 messages a phase on the wide link, each block once
   Prefer: for long blocks between two zones over a wide link, whose latency the ranks then pay
           once: 304 ms against 1290 ms of pairwise-xor for 64 KiB on zones:8+8,delay=10ms,
           predicted. Where the trunk is as quick as the ports, shuffle

   Local phases are shifts within a cluster: first everyone's own blocks, then what is kept for the
   other side. Sends of a rank follow each other; its wide messages wait until its local ones are
   complete. */
#include "collectives/shared/lg.h"
#include "collectives/list.h"

static const char *refuse(const struct tny_problem *problem)
{
  return tny_lg_zone_count(problem) == 2 ? NULL : "needs ranks on two switches, or on two hosts";
}

const struct tny_algorithm tny_alltoall_lg = {
    .collective = TNY_ALLTOALL,
    .name = "lg",
    .source = "jeannot2007",
    .summary = "two clusters: gather within each, then one message a pair across",
    .needs = "two zones, two switches, or two hosts",
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .refuse = refuse,
    .prepare = tny_lg_prepare,
    .release = tny_lg_release,
    .claim = tny_lg_claim,
    .emit = tny_lg_emit,
};
