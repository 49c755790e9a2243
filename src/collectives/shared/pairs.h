/* Rounds in which the ranks stand in pairs and each pair exchanges its blocks: what the pairwise
   exchanges and the group shuffle share. Ranks stand in switch order. */
#ifndef TOURNEY_COLLECTIVES_SHARED_PAIRS_H
#define TOURNEY_COLLECTIVES_SHARED_PAIRS_H

#include <tourney/algorithm.h>

struct tny_pairs {
  uint32_t rounds;
  /* The position that `position` of p exchanges with in a round, from 1 on; TNY_NONE: it is
     idle. */
  uint32_t (*partner)(uint32_t p, uint32_t round, uint32_t position);
};

/* The rounds as colours of the edges between p positions: p-1 rounds for even p; p for odd p, where
   each position is idle once. */
struct tny_pairs tny_pairs_coloured(uint32_t p);

/* `fan_out` rounds form a group, in which nothing waits; a group waits for the one before. */
void tny_pairs_emit(const struct tny_problem *problem, const struct tny_pairs *pairs,
                    uint32_t fan_out, uint32_t rank, struct tny_builder *builder);
struct tny_claim tny_pairs_claim(const struct tny_problem *problem, const struct tny_pairs *pairs);
/* The rank that `rank` exchanges with in a phase, from 0 on; TNY_NONE: it is idle. */
uint32_t tny_pairs_peer(const struct tny_problem *problem, const struct tny_pairs *pairs,
                        uint32_t rank, uint32_t phase);

#endif
