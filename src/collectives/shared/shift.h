/* The rounds of shift exchange and synchronous shuffle, which differ in how long blocks are cut. */
#ifndef TOURNEY_COLLECTIVES_SHARED_SHIFT_H
#define TOURNEY_COLLECTIVES_SHARED_SHIFT_H

#include <tourney/algorithm.h>

/* In round i a rank sends to the rank i positions after it and receives from the rank i positions
   before it. With `in_turn` each round waits for the one before. */
void tny_shift_emit(const struct tny_problem *problem, bool in_turn, uint32_t rank,
                    struct tny_builder *builder);
struct tny_claim tny_shift_claim(const struct tny_problem *problem);
uint32_t tny_shift_peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase);

#endif
