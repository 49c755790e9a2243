/* The conflict graph of a phased schedule: pairs of messages of different phases that have to be
   kept apart, and which of these pairs the schedule doesn't already keep apart. */
#ifndef TOURNEY_PASSES_CONFLICTS_H
#define TOURNEY_PASSES_CONFLICTS_H

#include <tourney/separate.h>

#include "passes/step_phases.h"

/* The send `later` may start only when the step `earlier` is complete: the receive of a message of
   an earlier phase, or its send where both messages leave by the same port one behind the other. */
struct tny_conflict {
  uint32_t later, earlier; /* ids */
  uint32_t phase; /* of a token between them: at least that of `earlier`, below that of `later` */
};

struct tny_conflicts {
  struct tny_conflict
      *list; /* by later, then earlier; from tny_windows_limit in any order; owned */
  size_t count, room;
};

/* Finds the conflicts on all links. On a link, it's enough to keep neighbouring phases apart (of
   those that use the link): that keeps all of them apart. Owns: the caller's,
   tny_conflicts_release, also after an error. */
enum tny_status tny_conflicts_find(const struct tny_step_phases *phases,
                                   const struct tny_network *network,
                                   struct tny_conflicts *conflicts,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Transitive reduction: takes out the conflicts that follow from the schedule and the others. */
enum tny_status tny_conflicts_reduce(const struct tny_step_phases *phases,
                                     struct tny_conflicts *conflicts,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* false: out of memory. */
bool tny_conflicts_add(struct tny_conflicts *conflicts, struct tny_conflict conflict);
void tny_conflicts_release(struct tny_conflicts *conflicts);

#endif
