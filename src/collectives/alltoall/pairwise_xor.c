/* All-to-all, pairwise exchange by exclusive or: in round i each rank exchanges with the rank whose
   position differs from its own in the bits of i, one round after another.

   Source: Tam, Wang, "Efficient scheduling of complete exchange on clusters", 3.2
   Needs:  any p, the cluster: ranks stand in switch order, which on one switch is by rank. Made for
           p = 2^k; for any other, who has no partner in a round is idle
   Shape:  p=4:  0-1 2-3, then 0-2 1-3, then 0-3 1-2
   Cost:   2^ceil(log2 p) - 1 rounds, p-1 blocks sent by each rank; each round pays a start-up
   Links:  one message a port and phase; a trunk carries up to min(ranks on either side)
   Prefer: for blocks of some KiB and more where p is a power of two and ranks are far from each
           other: neighbours exchange in rounds of their own, so that fewer rounds cross a wide
           link. Where a window covers the rounds, and on one switch, it takes as long as shift */
#include "collectives/list.h"
#include "collectives/shared/pairs.h"
#include "core/log2.h"

static uint32_t partner(uint32_t p, uint32_t round, uint32_t position)
{
  return (position ^ round) < p ? position ^ round : TNY_NONE;
}

static struct tny_pairs pairs_of(const struct tny_problem *problem)
{
  const uint64_t positions = (uint64_t)1 << tny_log2_ceil(problem->rank_count);
  return (struct tny_pairs){.rounds = (uint32_t)(positions - 1), .partner = partner};
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_pairs pairs = pairs_of(problem);
  return tny_pairs_claim(problem, &pairs);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_pairs pairs = pairs_of(problem);
  tny_pairs_emit(problem, &pairs, 1, rank, builder);
}

static uint32_t peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  const struct tny_pairs pairs = pairs_of(problem);
  return tny_pairs_peer(problem, &pairs, rank, phase);
}

const struct tny_algorithm tny_alltoall_pairwise_xor = {
    .collective = TNY_ALLTOALL,
    .name = "pairwise-xor",
    .source = "tam2000",
    .summary = "pairwise exchange with the position that differs in the round's bits",
    .needs = "any p, best 2^k, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
    .peer = peer,
};
