/* All-gather, link scheduling on two switches (LS2): one rank of a switch after the other sends
   across the trunk, while the others spread what they hold on their own switch; see
   link_scheduling.c.

   Source: Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters of
           workstations", 4.3, Figures 7 and 8. Figure 8 counts. Figure 7's indices slip: a sender's
           partner is the (N-1-step mod N)-th by the partner's own N, local_src and local_dest
           begin anew each stage, own blocks alone are sent out, and phase 2 goes to myrank-i.
           Figure 8's PE 4 receives from 1 in step 6 and from 2 in step 7, as its send columns say.
   Needs:  two switches, or two hosts
   Shape:  p=4, 0 1 | 2 3:   0=>3  1->0 | 2=>1  3->2,   then 0->1  1=>2 | 2->3  3=>0,
           then 0->1  1->0 | 2->3  3->2  with what came (=> crosses the trunk)
   Cost:   n and m ranks a side, n >= m: n + n-1 phases on the one side, m ceil(n/m) + m-1 on the
           other, as many rounds as the longer
   Links:  one message a link and phase, unless ranks share hosts below two switches: then a host's
           link carries one for each of its ranks
   Prefer: for long blocks on two switches with about as many ranks each: it is as fast as the
           ring in switch order, and faster where the trunk has a long latency (677 ms against
           1270 ms for 256 KiB on zones:8+8,delay=10ms, predicted). Where the two differ in size,
           the ring */
#include "collectives/list.h"
#include "collectives/shared/link_scheduling.h"

static struct tny_link_scheduling way_of(const struct tny_problem *problem)
{
  return (struct tny_link_scheduling){.groups = tny_groups_two(problem)};
}

static const char *refuse(const struct tny_problem *problem)
{
  return way_of(problem).groups.count == 2 ? NULL : "needs ranks on two switches, or on two hosts";
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_link_scheduling way = way_of(problem);
  struct tny_claim promised = tny_link_scheduling_claim(&way);
  promised.tree_link_messages = tny_groups_lowest(problem).count == 2 ? 1 : 0;
  return promised;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_link_scheduling way = way_of(problem);
  tny_link_scheduling_emit(problem, &way, rank, builder);
}

const struct tny_algorithm tny_allgather_ls2 = {
    .collective = TNY_ALLGATHER,
    .name = "ls2",
    .source = "jacunski1999",
    .summary = "two switches: one rank at a time sends across, the others spread blocks",
    .needs = "two switches, or two hosts",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .refuse = refuse,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
