/* Nested rings: each ring through all ranks also gives rings of the ranks of each host and of each
   switch, in its order. A block between ranks of one host needs only the host's ring. */
#ifndef TOURNEY_PLANNER_RINGS_NESTED_RINGS_H
#define TOURNEY_PLANNER_RINGS_NESTED_RINGS_H

#include "planner/rings/rings.h"

/* The rings that a rank is in, the smallest first. */
enum tny_ring_level { TNY_RING_HOST, TNY_RING_SWITCH, TNY_RING_ALL };
enum { TNY_RING_LEVEL_COUNT = 3 };

/* For each ring through all ranks: each host's ranks are a ring in its order, and so are each
   switch's, where that takes load off the fullest links; else the host's ring stands for the
   switch's. Immutable once made. */
struct tny_nested_rings {
  struct tny_rings *rings;  /* through all ranks; owned */
  uint32_t *group;          /* by level, then by rank: the first rank of its ring */
  uint32_t *size;           /* by level, then by rank: how many ranks its ring has */
  uint32_t *next, *before;  /* by ring, level and rank: its neighbours */
  uint64_t blocks_sent_max; /* by a rank, of one block for each ring through all ranks */
  uint32_t link_messages;   /* on a link when each rank sends to its successors in all its rings */
  bool has_switches;        /* switches have rings of their own */
};

/* Owns: *nested is the caller's (tny_nested_rings_free), also after a failure. ring_count 0: as
   many rings as pay off. */
enum tny_status tny_nested_rings_make(const struct tny_problem *problem, uint32_t ring_count,
                                      struct tny_nested_rings **nested,
                                      struct tny_error *error) TNY_MUST_CHECK;
void tny_nested_rings_free(struct tny_nested_rings *nested);

/* The level of the smallest ring that has both ranks. */
static inline enum tny_ring_level tny_nested_rings_common(const struct tny_nested_rings *nested,
                                                          uint32_t a, uint32_t b)
{
  const uint32_t p = nested->rings->rank_count;
  if (nested->group[a] == nested->group[b])
    return TNY_RING_HOST;
  return nested->group[p + a] == nested->group[p + b] ? TNY_RING_SWITCH : TNY_RING_ALL;
}

static inline size_t tny_nested_rings_index(const struct tny_nested_rings *nested, uint32_t ring,
                                            enum tny_ring_level level, uint32_t rank)
{
  return ((size_t)ring * TNY_RING_LEVEL_COUNT + level) * nested->rings->rank_count + rank;
}

static inline uint32_t tny_nested_rings_size(const struct tny_nested_rings *nested,
                                             enum tny_ring_level level, uint32_t rank)
{
  return nested->size[(size_t)level * nested->rings->rank_count + rank];
}

#endif
