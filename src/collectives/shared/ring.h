/* The all-gather ring, in any order: what the logical ring and the switch-ordered ring share. */
#ifndef TOURNEY_COLLECTIVES_SHARED_RING_H
#define TOURNEY_COLLECTIVES_SHARED_RING_H

#include <tourney/algorithm.h>

/* order and position NULL: by rank. */
void tny_ring_emit(const struct tny_problem *problem, const uint32_t *order,
                   const uint32_t *position, uint32_t rank, struct tny_builder *builder);
struct tny_claim tny_ring_claim(const struct tny_problem *problem);

#endif
