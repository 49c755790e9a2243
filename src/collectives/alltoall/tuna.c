/* All-to-all, TuNA(l,g): among the ranks of a host by the digits of their way in some radix, then
   straight from host to host, all blocks for a rank in one message.

   Source: Fan, Domke, Ba, Kumar, "Configurable non-uniform all-to-all algorithms" (arXiv
           2411.02581), the hierarchical one with coalesced messages. Only the abstract and what
           reviews say were at hand: Bruck's way of a tunable radix within a node, then exchanges
           between nodes. TuNA itself, without hosts, is bruck; sizes are sent ahead there, and said
           by a pattern here. Ours goes among hosts that differ in size too (representatives.h)
   Needs:  any p, any radix from 2 on, the cluster; from radix 256 on straight among the ranks of a
           host. Where each host has one rank, nothing is left of it but straight exchanges
   Shape:  p=4, two hosts, 0 1 | 2 3:  0 <-> 1 and 2 <-> 3, the blocks for 1, 3 and for 0, 2;  then
           0 <-> 2 and 1 <-> 3, two blocks each way
   Cost:   with h hosts of q ranks, (r-1)*x + floor((q-1)/r^x) + h-1 rounds, r^x the highest power
           of the radix r below q. Messages of h blocks for each way within the host that has the
           digit, then of q blocks. Where hosts differ in size no promise of rounds
   Links:  one message a port and phase; q messages between two hosts, and no block crosses twice
   Prefer: for short blocks on hosts with many ranks and several switches: of 64 bytes on
           switches:4+4 with 8 ranks a host, where a message costs its hosts 5 us, it takes 610 us,
           multi-leader:2 640 and hierarchical-bruck:2.1.1.1 780, as simulated. On one switch it is
           hierarchical-bruck with radices r.1.1.1, which on several goes switch by switch: fewer
           messages, but blocks that move more often */
#include "collectives/list.h"

enum { RADIX = 2, RADIX_BITS = 8, RADIX_MAX = (1 << RADIX_BITS) - 1, STRAIGHT = 1 };

/* Hierarchical Bruck plans it and has its steps, on a cluster without switches and zones. */
static const struct tny_algorithm *const levels = &tny_alltoall_hierarchical_bruck;

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  const uint32_t asked = problem->parameter ? problem->parameter : RADIX;
  const uint32_t radix = asked <= RADIX_MAX ? asked : STRAIGHT;
  struct tny_problem flat = *problem;
  struct tny_placement hosts;
  if (problem->placement) {
    hosts = *problem->placement;
    hosts.switch_first = hosts.zone_first = NULL;
    flat.placement = &hosts;
  }
  flat.parameter = STRAIGHT << RADIX_BITS | radix;
  return levels->prepare(&flat, prepared, error);
}

static void release(void *prepared)
{
  levels->release(prepared);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  return levels->claim(problem);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  levels->emit(problem, rank, builder);
}

const struct tny_algorithm tny_alltoall_tuna = {
    .collective = TNY_ALLTOALL,
    .name = "tuna",
    .source = "fan2024",
    .summary = "bruck within hosts, then straight from host to host",
    .needs = "any p, the cluster; short blocks",
    .parameter = {.name = "radix", .standard = RADIX, .least = 2},
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .by_name_only = true,
    .prepare = prepare,
    .release = release,
    .claim = claim,
    .emit = emit,
};
