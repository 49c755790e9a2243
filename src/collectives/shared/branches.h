/* A tree of switches seen from its middle: the branches that hang from the switch that leaves each
   of them at most half of the ranks, the largest first. */
#ifndef TOURNEY_COLLECTIVES_SHARED_BRANCHES_H
#define TOURNEY_COLLECTIVES_SHARED_BRANCHES_H

#include <tourney/algorithm.h>

/* The ranks listed branch by branch, and within each branch in switch order: an index is one in
   that list. A host counts as a switch for its ranks: where a host is the middle, each rank is a
   branch. Immutable once made. */
struct tny_branches {
  uint32_t rank_count, count;
  const uint32_t *first;     /* count + 1: branch b has the indices first[b] .. first[b + 1] - 1 */
  const uint32_t *rank_at;   /* by index */
  const uint32_t *index_of;  /* by rank */
  const uint32_t *branch_of; /* by index */
};

static inline uint32_t tny_branches_size(const struct tny_branches *branches, uint32_t branch)
{
  return branches->first[branch + 1] - branches->first[branch];
}

/* The problem's cluster is a tree; without one, each rank is a branch. Owns: *branches is the
   caller's (tny_branches_free). Cost: O(nodes + ranks log ranks). */
enum tny_status tny_branches_make(const struct tny_problem *problem, struct tny_branches **branches,
                                  struct tny_error *error) TNY_MUST_CHECK;
void tny_branches_free(struct tny_branches *branches);

#endif
