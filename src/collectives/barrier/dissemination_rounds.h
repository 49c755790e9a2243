/* Dissemination: in each round every member tells n others that those whose begin it knows of have
   begun, n + 1 times as many then. What the barriers by this principle share. */
#ifndef TOURNEY_COLLECTIVES_BARRIER_DISSEMINATION_ROUNDS_H
#define TOURNEY_COLLECTIVES_BARRIER_DISSEMINATION_ROUNDS_H

#include <tourney/algorithm.h>

struct tny_dissemination {
  const uint32_t *members; /* ranks, borrowed; NULL: all, by number */
  uint32_t count;
  uint32_t ways; /* n, at least 1; the last round has as many as are needed */
};

/* A message of each member in each phase, so that a round takes up to n of them. */
uint32_t tny_dissemination_phases(const struct tny_dissemination *dissemination);
/* Appends one member's steps, in phases from `phase` on. Each round waits for all that the rank
   receives in its steps before, these and earlier ones. */
void tny_dissemination_emit(const struct tny_dissemination *dissemination, uint32_t member,
                            uint32_t phase, struct tny_builder *builder);
/* Of all ranks. */
struct tny_claim tny_dissemination_claim(const struct tny_dissemination *dissemination);

#endif
