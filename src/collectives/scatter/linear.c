/* Scatter, linear: the root sends every rank its block, one rank after the other.

   Source: Kielmann and others, "MagPIe: MPI's collective communication operations for clustered
           wide area systems", whose scatter within a cluster is such a flat tree
   Needs:  any p, any root
   Shape:  p=4, root 0:  0 -> 1, then 0 -> 2, then 0 -> 3
   Cost:   p-1 rounds, p-1 blocks sent by the root
   Links:  one message at a time in the whole cluster, as many as the root's port has room for
   Prefer: for long blocks, whose bytes fill the root's port whatever the order. Where all are sent
           at once, what a port's buffer has no room for is sent again. Short ones would gain by a
           tree, which has ceil(log2 p) rounds */
#include "collectives/list.h"
#include "collectives/shared/root.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_span own = tny_span_blocks(TNY_OUTPUT, 0, 1);
  if (rank != problem->root) {
    tny_builder_recv(builder, problem->root, own, tny_root_relative_rank(problem, rank) - 1);
    return;
  }
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1), own);
  for (uint32_t to = 1; to < problem->rank_count; to++) {
    const uint32_t receiver = tny_root_actual_rank(problem, to);
    tny_builder_send(builder, receiver, tny_span_blocks(TNY_INPUT, receiver, 1), to - 1);
  }
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  struct tny_claim promised = tny_root_claim_one_by_one(problem);
  promised.blocks_sent_max = promised.rounds;
  return promised;
}

static uint32_t peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  return rank == problem->root ? tny_root_actual_rank(problem, phase + 1) : TNY_NONE;
}

const struct tny_algorithm tny_scatter_linear = {
    .collective = TNY_SCATTER,
    .name = "linear",
    .source = "kielmann1999",
    .summary = "the root sends every rank its block",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_LINKS,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
    .peer = peer,
};
