/* The zones, and the rounds in which their nodes exchange what crosses between zones: found once
   for all ranks. */
#ifndef TOURNEY_COLLECTIVES_SHARED_LG_PLAN_H
#define TOURNEY_COLLECTIVES_SHARED_LG_PLAN_H

#include "collectives/shared/groups.h"
#include "collectives/shared/lg_pair.h"

/* What a zone's nodes need to know of another zone. */
struct tny_lg_other {
  uint32_t rotation; /* of the pair */
  uint32_t phase;    /* the first of gathering for the other zone */
  uint32_t gathered; /* where in scratch what will cross to it is gathered */
  uint32_t arrived;  /* where in scratch what came from it lies; TNY_NONE: at once in the output */
};

/* A message between two zones, as one of its ends sees it. */
struct tny_lg_crossing {
  uint32_t peer, round; /* a position; from 0 on */
};

struct tny_lg_plan {
  struct tny_groups zones;     /* of positions; borrowed from the problem's placement */
  const uint32_t *order;       /* likewise */
  struct tny_lg_other *others; /* zone * zones.count + other */
  uint32_t *first; /* by position: its messages across, sent and received as many, each by round */
  struct tny_lg_crossing *sends, *receives;
  uint32_t wide_phase;  /* the first after all local ones */
  uint32_t wide_rounds; /* phases from there on */
  uint32_t scratch_blocks;
  uint64_t blocks_sent_max;
};

/* Owns: *plan is the caller's (tny_lg_plan_free). Cost: O(messages across), and zones * ranks. */
enum tny_status tny_lg_plan_make(const struct tny_groups *zones, const uint32_t *order,
                                 struct tny_lg_plan **plan, struct tny_error *error) TNY_MUST_CHECK;
void tny_lg_plan_free(struct tny_lg_plan *plan);

static inline const struct tny_lg_other *tny_lg_plan_other(const struct tny_lg_plan *plan,
                                                           uint32_t zone, uint32_t other)
{
  return &plan->others[(size_t)zone * plan->zones.count + other];
}

/* The pair of two zones, in either order. */
struct tny_lg_pair tny_lg_plan_pair(const struct tny_lg_plan *plan, uint32_t zone, uint32_t other);

#endif
