/* A walk round a spanning tree of the switches: a circle of all ranks in which neighbours sit on
   one switch or on neighbouring ones, as far as there are hosts enough. */
#ifndef TOURNEY_ALGORITHMS_STROLL_H
#define TOURNEY_ALGORITHMS_STROLL_H

#include <tourney/algorithm.h>

/* Immutable once made. */
struct tny_stroll {
  uint32_t *order, *position; /* order[position] = rank, and its inverse */
};

/* For problems with a cluster. Each link of the tree is walked once each way, and each host is
   entered once. Owns: *stroll is the caller's (tny_stroll_free), also after a failure. Cost: hosts,
   links and ranks. */
enum tny_status tny_stroll_make(const struct tny_problem *problem, struct tny_stroll **stroll,
                                struct tny_error *error) TNY_MUST_CHECK;
void tny_stroll_free(struct tny_stroll *stroll);

#endif
