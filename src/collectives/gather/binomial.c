/* Gather, binomial tree: the blocks of neighbouring ranks come together, those of two halves each
   time, until the root has all.

   Source: Traeff, "On optimal trees for irregular gather and scatter collectives", whose trees for
           blocks of one size these are
   Needs:  any p, any root
   Shape:  p=4, root 0, blocks a b c d:  1 -> 0 b, 3 -> 2 d;  2 -> 0 cd
   Cost:   ceil(log2 p) rounds; who leads the half without the root sends its p/2 blocks, from
           scratch
   Links:  one message a port and round; a trunk carries one for every half that it divides
   Prefer: for short blocks, which pay for messages: the root receives ceil(log2 p) of them, not
           p-1. Long ones would be sent again by every rank on the way: then linear */
#include "collectives/list.h"
#include "collectives/shared/halving.h"
#include "core/log2.h"

/* The blocks of `count` ranks where the rank gathers them: the root by number in its output, anyone
   else those of its subtree in scratch, but for a leaf, which has only its own. */
static struct tny_span blocks(const struct tny_problem *problem, const struct tny_halving *halving,
                              uint32_t first, uint32_t count)
{
  if (halving->rank == problem->root)
    return tny_span_blocks(TNY_OUTPUT, first, count);
  if (halving->count == 1)
    return tny_span_blocks(TNY_INPUT, 0, 1);
  return tny_span_blocks(TNY_SCRATCH, first - halving->first, count);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_halving halving = tny_halving_make(problem->rank_count, problem->root, rank);
  const uint32_t first_child = tny_halving_first_child(&halving);
  const uint32_t last = tny_log2_ceil(problem->rank_count) - 1;
  uint32_t received[TNY_HALVINGS_MAX], received_count = 0;
  if (first_child == 0 || halving.count > 1)
    tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), blocks(problem, &halving, rank, 1));
  for (uint32_t i = halving.edge_count; i-- > first_child;) {
    const struct tny_halving_edge *edge = &halving.edges[i];
    received[received_count++] =
        tny_builder_recv(builder, edge->child, blocks(problem, &halving, edge->first, edge->count),
                         last - edge->level);
  }
  if (first_child == 0)
    return;
  tny_builder_send(builder, halving.edges[0].parent,
                   blocks(problem, &halving, halving.first, halving.count),
                   last - halving.edges[0].level);
  for (uint32_t i = 0; i < received_count; i++)
    tny_builder_after(builder, received[i]);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = tny_log2_ceil(problem->rank_count);
  const uint32_t largest = tny_halving_largest(problem->rank_count, problem->root);
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = largest,
                            .scratch_blocks = largest > 1 ? largest : 0,
                            .port_messages = 1};
}

const struct tny_algorithm tny_gather_binomial = {
    .collective = TNY_GATHER,
    .name = "binomial",
    .source = "traeff2019",
    .summary = "blocks of halves of the ranks come together: ceil(log2 p) rounds",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_LINKS,
    .by_name_only = true,
    .claim = claim,
    .emit = emit,
};
