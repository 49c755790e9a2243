/* All-gathers in which pairs of nodes exchange all that they hold, at distances that swing between
   both directions: 1, -1, 3, -5, 11 .., the sums of the powers of -2, so that there are short ways
   for most bytes. Nodes are those of a torus, of one dimension where they are just ranks by number.

   Even nodes find their partner so far up a dimension, odd ones so far down; that makes pairs on
   rings of even size. The longest distance comes first, when least is held; dimensions take turns.
   After ceil(log2 n) exchanges along a ring of n everybody has all. Where n isn't 2^k, some would
   arrive twice: they aren't sent. What then isn't in one piece at its sender is packed in scratch.

   A ring of odd size is folded: its last node hands what it has to the first one, which stands in
   for it, and gets everything in the end. */
#ifndef TOURNEY_COLLECTIVES_TREES_SWING_H
#define TOURNEY_COLLECTIVES_TREES_SWING_H

#include <tourney/algorithm.h>

/* By rank, along a single ring of all. Both: as struct tny_algorithm's. Owns: tny_swing_release. */
enum tny_status tny_swing_prepare_ring(const struct tny_problem *problem, void **prepared,
                                       struct tny_error *error);
/* Along the problem's grid, and last among the ranks of each node, in the same way. */
enum tny_status tny_swing_prepare_torus(const struct tny_problem *problem, void **prepared,
                                        struct tny_error *error);
void tny_swing_release(void *prepared);
void tny_swing_emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder);
struct tny_claim tny_swing_claim(const struct tny_problem *problem);

#endif
