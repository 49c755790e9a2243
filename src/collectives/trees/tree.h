/* Broadcast trees over ranks in any order, the root first: what the orders share. */
#ifndef TOURNEY_COLLECTIVES_TREES_TREE_H
#define TOURNEY_COLLECTIVES_TREES_TREE_H

#include <tourney/algorithm.h>

/* order and position NULL: by rank. */
void tny_binomial_emit(const struct tny_problem *problem, const uint32_t *order,
                       const uint32_t *position, uint32_t rank, struct tny_builder *builder);
struct tny_claim tny_binomial_claim(const struct tny_problem *problem);
void tny_chain_emit(const struct tny_problem *problem, const uint32_t *order,
                    const uint32_t *position, uint32_t rank, struct tny_builder *builder);
struct tny_claim tny_chain_claim(const struct tny_problem *problem);

#endif
