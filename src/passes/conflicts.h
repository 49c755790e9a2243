/* Messages of different phases that have to be kept apart, and which of them nothing else does. */
#ifndef TOURNEY_PASSES_CONFLICTS_H
#define TOURNEY_PASSES_CONFLICTS_H

#include <tourney/separate.h>

#include "schedule/match.h"

/* The send `later` may start only when the step `earlier` is complete: the receive of a message of
   an earlier phase, or its send where both messages leave by the same port one behind the other. */
struct tny_conflict {
  uint32_t later, earlier; /* ids */
  uint32_t phase; /* that a token between them has: of `earlier` or higher, and below `later`'s */
};

struct tny_conflicts {
  struct tny_conflict *list; /* by later, then earlier; of windows in any order; owned */
  size_t count, room;
};

/* A phased schedule; each step's phase by id, for a copy the latest that it comes behind. */
struct tny_step_phases {
  const struct tny_match *match;
  const uint32_t *phase;
};

/* All conflicts on all links. On a link, those with the messages of the phase before (of those that
   use the link) are enough: the chain keeps the rest apart. Owns: the caller's,
   tny_conflicts_release, also after an error. */
enum tny_status tny_conflicts_find(const struct tny_step_phases *phases,
                                   const struct tny_network *network,
                                   struct tny_conflicts *conflicts,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Takes out those that follow from the schedule and the others: a transitive reduction. */
enum tny_status tny_conflicts_reduce(const struct tny_step_phases *phases,
                                     struct tny_conflicts *conflicts,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* false: out of memory. */
bool tny_conflicts_add(struct tny_conflicts *conflicts, struct tny_conflict conflict);
void tny_conflicts_release(struct tny_conflicts *conflicts);

#endif
