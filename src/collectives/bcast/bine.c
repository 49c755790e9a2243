/* Broadcast, Bine tree (binomial negabinary): in each round whoever has the message gives it to one
   more, as along the binomial tree, but a third of its run of ranks away, not half of it.

   Source: De Sensi and others, "Bine trees: enhancing collective operations by optimizing
           communication locality", the tree by halving distances. What it is for any p but 2^k is
           ours: halves that differ by a rank, and the root a third into the run of all
   Needs:  any p, any root
   Shape:  p=4, root 0:  0 -> 3, then 0 -> 1 and 3 -> 2
   Cost:   ceil(log2 p) rounds; the root sends the message ceil(log2 p) times
   Links:  one message a port and round; a trunk carries one for every run that it divides between
           its leaders
   Prefer: for short messages where ranks in sequence fill switches or hosts that trunks connect,
           and these groups are not all of a size; else switch-ordered-binomial, which crosses each
           trunk once. On one switch binomial is as good */
#include "collectives/list.h"
#include "collectives/trees/halving.h"
#include "collectives/trees/tree.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_halving halving = tny_halving_make(TNY_HALVING_BINE, problem, rank);
  const struct tny_span message =
      tny_span_blocks(rank == problem->root ? TNY_INPUT : TNY_OUTPUT, 0, 1);
  const uint32_t first_child = tny_halving_first_child(&halving);
  uint32_t received = TNY_NONE;
  if (first_child > 0)
    received = tny_builder_recv(builder, halving.edges[0].parent, message, halving.edges[0].level);
  for (uint32_t i = first_child; i < halving.edge_count; i++) {
    tny_builder_send(builder, halving.edges[i].child, message, halving.edges[i].level);
    if (received != TNY_NONE)
      tny_builder_after(builder, received);
  }
}

const struct tny_algorithm tny_bcast_bine = {
    .collective = TNY_BROADCAST,
    .name = "bine",
    .source = "desensi2025",
    .summary = "Bine tree by rank number: partners are a third of their run apart",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_CREDITS,
    .by_name_only = true,
    .claim = tny_binomial_claim,
    .emit = emit,
};
