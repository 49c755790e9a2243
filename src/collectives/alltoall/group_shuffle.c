/* All-to-all, group shuffle: the rounds of pairwise exchange in groups of `fan-out`; a synchronous
   shuffle within a group, one group after another, so that few messages meet at a port.

   Source: Tam, Wang, "Efficient scheduling of complete exchange on clusters", 3.4, Algorithm 3.
           It is printed for even p, and there runs on into rounds past the last where the fan-out
           doesn't divide p-1: here the last group is shorter, and odd p has p rounds
   Needs:  any p, the cluster: ranks stand in switch order, which on one switch is by rank
   Shape:  p=4, fan-out 2:  {0-1 2-3, 0-2 1-3}, then {0-3 1-2}; within a group a long block goes
           chunk by chunk to one partner after the other
   Cost:   as many rounds as pairwise, p-1 blocks sent by each rank, a start-up for each of the
           ceil((p-1)/fan-out) groups (odd p: ceil(p/fan-out); Eq. 5)
   Links:  one message a port and phase; a trunk carries up to min(ranks on either side)
   Prefer: for long blocks on many ranks, where a start-up for each round is too much (pairwise) and
           chunks of all ranks at once overflow the port buffers (shuffle); the fan-out is between
           the two

   A group's first send waits for all that this rank sent and received in the group before, and all
   sends behind it in the queue with it: the paper's "minimal waiting". Cut in chunks, a chunk waits
   for the same chunk of the group before, so the first chunks of a group may start while the last
   of the group before are on the way; pacing limits them to its window. */
#include "collectives/list.h"
#include "collectives/shared/pairs.h"

enum { FAN_OUT = 5 }; /* the paper's, for 16 ranks */

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_pairs pairs = tny_pairs_coloured(problem->rank_count);
  return tny_pairs_claim(problem, &pairs);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_pairs pairs = tny_pairs_coloured(problem->rank_count);
  const uint32_t fan_out = problem->parameter;
  tny_pairs_emit(problem, &pairs, fan_out, rank, builder);
}

static uint32_t peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  const struct tny_pairs pairs = tny_pairs_coloured(problem->rank_count);
  return tny_pairs_peer(problem, &pairs, rank, phase);
}

const struct tny_algorithm tny_alltoall_group_shuffle = {
    .collective = TNY_ALLTOALL,
    .name = "group-shuffle",
    .source = "tam2000",
    .summary = "pairwise rounds in groups, a synchronous shuffle within each",
    .needs = "any p, the cluster",
    .parameter = {.name = "fan-out", .standard = FAN_OUT, .least = 1},
    .cut = TNY_CUT_BY_GROUP,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
    .peer = peer,
};
