/* Scatter, binomial tree: whoever has the blocks of neighbouring ranks hands those of the other
   half to one rank there, until each has its own.

   Source: Traeff, "On optimal trees for irregular gather and scatter collectives", whose trees for
           blocks of one size these are
   Needs:  any p, any root
   Shape:  p=4, root 0, blocks a b c d:  0 -> 2 cd;  0 -> 1 b, 2 -> 3 d
   Cost:   ceil(log2 p) rounds, p-1 blocks sent by the root; scratch for the p/2 blocks of a half
   Links:  one message a port and round; a trunk carries one for every half that it divides
   Prefer: for short blocks, which pay for messages: the root sends ceil(log2 p) of them, not p-1.
           Long ones would be sent again by every rank on the way: then linear */
#include "collectives/list.h"
#include "collectives/shared/halving.h"
#include "core/log2.h"

/* The blocks of `count` ranks where the rank has them: the root by number in its input, anyone else
   those of its subtree in scratch, or its own in the output where it is a leaf. */
static struct tny_span blocks(const struct tny_problem *problem, const struct tny_halving *halving,
                              uint32_t first, uint32_t count)
{
  if (halving->rank == problem->root)
    return tny_span_blocks(TNY_INPUT, first, count);
  if (halving->count == 1)
    return tny_span_blocks(TNY_OUTPUT, 0, 1);
  return tny_span_blocks(TNY_SCRATCH, first - halving->first, count);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_halving halving = tny_halving_make(problem->rank_count, problem->root, rank);
  const uint32_t first_child = tny_halving_first_child(&halving);
  uint32_t received = TNY_NONE;
  if (first_child > 0)
    received = tny_builder_recv(builder, halving.edges[0].parent,
                                blocks(problem, &halving, halving.first, halving.count),
                                halving.edges[0].level);
  for (uint32_t i = first_child; i < halving.edge_count; i++) {
    const struct tny_halving_edge *edge = &halving.edges[i];
    tny_builder_send(builder, edge->child, blocks(problem, &halving, edge->first, edge->count),
                     edge->level);
    if (received != TNY_NONE)
      tny_builder_after(builder, received);
  }
  if (received != TNY_NONE && halving.count == 1)
    return;
  tny_builder_copy(builder, blocks(problem, &halving, rank, 1), tny_span_blocks(TNY_OUTPUT, 0, 1));
  if (received != TNY_NONE)
    tny_builder_after(builder, received);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = tny_log2_ceil(problem->rank_count);
  const uint32_t largest = tny_halving_largest(problem->rank_count, problem->root);
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = problem->rank_count - 1,
                            .scratch_blocks = largest > 1 ? largest : 0,
                            .port_messages = 1};
}

const struct tny_algorithm tny_scatter_binomial = {
    .collective = TNY_SCATTER,
    .name = "binomial",
    .source = "traeff2019",
    .summary = "halves of the blocks go to halves of the ranks: ceil(log2 p) rounds",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_LINKS,
    .by_name_only = true,
    .claim = claim,
    .emit = emit,
};
