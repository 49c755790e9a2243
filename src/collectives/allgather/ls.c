/* All-gather, link scheduling (LS): the switches form a ring, and one rank of each after the other
   sends a block on to the next switch, while the others spread what they hold on their own switch;
   see link_scheduling.c. Where ranks share hosts, the hosts are the switches.

   Source: Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters of
           workstations", 5.2, Figures 9 and 10; the switches stand in the ring as in 5.1, see
           switch_ordered_ring.c
   Needs:  any p, the cluster
   Shape:  p=6, switches 0 1 | 2 3 | 4 5; what 2 and 3 do (=> crosses a trunk):
           2=>5 0=>3 3->2,  3=>4 1=>2 2->3,   each with its own block;
           3=>4 1=>2 2->3,  2=>5 0=>3 3->2,   with what came;   then 2->3 3->2 with what came last
   Cost:   a switch of N ranks, M on the next: N ceil(max(p-N, p-M) / N) phases, and N-1 more if
           blocks came in the last N; as many rounds as the longest of the switches, or one fewer
           (round_count in link_scheduling.c says when). One switch: p-1
   Links:  on a tree of switches each link carries one message a phase each way; on 154 of 200
           irregular networks (irregular:128,switches=10, seeds 0 to 199) too, on the others two
   Prefer: for long blocks on several switches or zones whose trunks have a long latency, as each
           block's way has one hop a switch (677 ms against 931 ms of the ring for 256 KiB on
           zones:4+4+4,delay=10ms, predicted). Where trunks are as quick as ports, the ring is as
           fast or faster */
#include "collectives/list.h"
#include "collectives/shared/link_scheduling.h"

static struct tny_link_scheduling way_of(const struct tny_problem *problem)
{
  return (struct tny_link_scheduling){.groups = tny_groups_lowest(problem), .alternates = true};
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_link_scheduling way = way_of(problem);
  struct tny_claim promised = tny_link_scheduling_claim(&way);
  promised.tree_link_messages = 1;
  return promised;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_link_scheduling way = way_of(problem);
  tny_link_scheduling_emit(problem, &way, rank, builder);
}

const struct tny_algorithm tny_allgather_ls = {
    .collective = TNY_ALLGATHER,
    .name = "ls",
    .source = "jacunski1999",
    .summary = "ring of switches: one rank at a time sends on, the others spread blocks",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
