/* The largest antichain of a partial order: the largest set of elements of which none comes after
   another. */
#ifndef TOURNEY_VERIFY_ANTICHAIN_H
#define TOURNEY_VERIFY_ANTICHAIN_H

#include <tourney/status.h>

#include <stdint.h>

/* A partial order whose elements stand in groups; those of a group that come after an element are
   all from a certain one on. */
struct tny_partial_order {
  uint32_t count, group_count;
  const uint32_t *group_end; /* by group: behind its last element */
  const uint32_t *from; /* by element, then group: the group's first that comes after, or its end */
  const uint32_t *sequence; /* all elements, none in front of one that it comes after */
};

/* Exact, by Dilworth's theorem: elements less the largest matching of elements with ones that come
   after them. Cost: elements * groups, and as much again for the searches that fail; searches that
   succeed visit a few elements each where what comes after an element begins shortly behind it. */
enum tny_status tny_antichain_count(const struct tny_partial_order *order, uint32_t *largest,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
