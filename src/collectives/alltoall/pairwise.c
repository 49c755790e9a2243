/* All-to-all, pairwise exchange: in each round the ranks stand in pairs, as the edges of the
   complete graph that have the round's colour, one round after another.

   Source: Tam, Wang, "Efficient scheduling of complete exchange on clusters", 3.2, Figure 1.
           The procedure is right as printed where rounds count from 1, as Algorithm 3 calls it, and
           for p = 2 too, which the paper leaves out
   Needs:  any p, the cluster: ranks stand in switch order, which on one switch is by rank
   Shape:  p=4:  0-1 2-3, then 0-2 1-3, then 1-2 0-3
   Cost:   p-1 rounds for even p, p for odd p, where each rank is idle in one; p-1 blocks sent by
           each rank; each round pays a start-up (Eq. 3)
   Links:  one message a port and phase; a trunk carries up to min(ranks on either side)
   Prefer: for long blocks and any p, where each round should be an exchange of two ranks; it
           takes about as long as shift */
#include "collectives/list.h"
#include "collectives/shared/pairs.h"

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_pairs pairs = tny_pairs_coloured(problem->rank_count);
  return tny_pairs_claim(problem, &pairs);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_pairs pairs = tny_pairs_coloured(problem->rank_count);
  tny_pairs_emit(problem, &pairs, 1, rank, builder);
}

static uint32_t peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  const struct tny_pairs pairs = tny_pairs_coloured(problem->rank_count);
  return tny_pairs_peer(problem, &pairs, rank, phase);
}

const struct tny_algorithm tny_alltoall_pairwise = {
    .collective = TNY_ALLTOALL,
    .name = "pairwise",
    .source = "tam2000",
    .summary = "pairwise exchange by edge colouring",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
    .peer = peer,
};
