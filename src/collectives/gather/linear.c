/* Gather, linear: every rank sends its block to the root, one rank after the other.

   Source: Kielmann and others, "MagPIe: MPI's collective communication operations for clustered
           wide area systems", whose gather within a cluster is such a flat tree
   Needs:  any p, any root
   Shape:  p=4, root 0:  1 -> 0, then 2 -> 0, then 3 -> 0
   Cost:   p-1 rounds, one block sent by each rank but the root
   Links:  one message at a time in the whole cluster, as many as the root's port has room for
   Prefer: for long blocks, whose bytes fill the root's port whatever the order. Where all are sent
           at once, what the port's buffer has no room for is sent again. Short ones would gain by
           a tree, which has ceil(log2 p) rounds */
#include "collectives/list.h"
#include "collectives/shared/root.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_span own = tny_span_blocks(TNY_INPUT, 0, 1);
  if (rank != problem->root) {
    tny_builder_send(builder, problem->root, own, tny_root_relative_rank(problem, rank) - 1);
    return;
  }
  tny_builder_copy(builder, own, tny_span_blocks(TNY_OUTPUT, rank, 1));
  for (uint32_t from = 1; from < problem->rank_count; from++) {
    const uint32_t sender = tny_root_actual_rank(problem, from);
    tny_builder_recv(builder, sender, tny_span_blocks(TNY_OUTPUT, sender, 1), from - 1);
  }
}

static uint32_t peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  return tny_root_relative_rank(problem, rank) == phase + 1 ? problem->root : TNY_NONE;
}

const struct tny_algorithm tny_gather_linear = {
    .collective = TNY_GATHER,
    .name = "linear",
    .source = "kielmann1999",
    .summary = "every rank sends its block to the root",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_LINKS,
    .single_blocks = true,
    .claim = tny_root_claim_one_by_one,
    .emit = emit,
    .peer = peer,
};
