/* Which ranks of a group send to each other, where not all do: a neighbourhood's pattern, as rank 0
   keeps it, by its messages and not by all pairs. */
#ifndef TOURNEY_MPI_PATTERN_H
#define TOURNEY_MPI_PATTERN_H

#include <stdbool.h>

#include <tourney/pattern.h>

/* All zero: all ranks send to all. */
struct tny_group_pattern {
  uint64_t id;            /* tells it from others; 0: all send to all */
  uint32_t messages_most; /* that a rank sends, or gets */
  /* At rank 0, which plans, and else NULL: rank r sends to to[first[r]] up to before
     to[first[r + 1]], in ascending order. Owned. */
  uint32_t *first, *to;
};

/* The edges of all ranks, as each rank knows its own. Of rank r: from ends[places[r]] on those that
   it sends to, counts[2r] of them, and behind them those that it gets from, counts[2r + 1]. Both in
   ascending order, a rank as often as there are edges. Borrowed. */
struct tny_edge_ends {
  uint32_t rank_count;
  const int *counts, *places, *ends;
};

/* Fills the pattern with a message for each two ranks with an edge. *has_parallels: some have
   several. Owns: the pattern is the caller's (tny_group_pattern_release), also after a failure.
   Errors: TNY_REFUSED where an edge isn't known at both its ends. Cost: O(ranks + edges). */
enum tny_status tny_group_pattern_make(const struct tny_edge_ends *ends,
                                       struct tny_group_pattern *pattern,
                                       bool *has_parallels) TNY_MUST_CHECK;
void tny_group_pattern_release(struct tny_group_pattern *pattern);

/* Where both have their messages, these are compared. Elsewhere one that only looks the same does
   no harm: what plans are made of tells itself from others. */
bool tny_group_pattern_is_same(const struct tny_group_pattern *one,
                               const struct tny_group_pattern *other, uint32_t rank_count);

/* The pattern as planners take it, a block for each message; NULL where all send to all, and where
   the messages aren't known. It takes 8 bytes a pair of ranks, so it is made to plan, and let go
   again. Owns: tny_pattern_free. */
enum tny_status tny_group_pattern_spread(const struct tny_group_pattern *pattern,
                                         uint32_t rank_count, struct tny_pattern **spread,
                                         struct tny_error *error) TNY_MUST_CHECK;

#endif
