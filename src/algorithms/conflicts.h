/* Which messages of different phases share a link, and which of them nothing else keeps apart. */
#ifndef TOURNEY_ALGORITHMS_CONFLICTS_H
#define TOURNEY_ALGORITHMS_CONFLICTS_H

#include <tourney/separate.h>

#include "schedule/match.h"

/* The send `later` may start only when the step `earlier` is complete: the receive of a message of
   an earlier phase, or its send where both messages leave by the same port one behind the other. */
struct tny_conflict {
  uint32_t later, earlier; /* ids */
  uint32_t phase; /* that a token between them has: of `earlier` or higher, and below `later`'s */
  uint32_t link;  /* where they would meet, or one such link */
};

struct tny_conflicts {
  struct tny_conflict *list; /* by later, then earlier; of windows by link too; owned */
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
/* Those that keep each link to its window: in order of phase, a message waits until the one that
   is a window before it is received. So a link's messages fall into as many chains as its window
   has places, and no two of a chain are under way at once. Consecutive messages between the same
   two ranks go together, so that one token may serve them all. is_open[link] says which links can't
   be kept to their windows, as they carry more in one phase. Owns: as above. */
enum tny_status tny_conflicts_of_windows(const struct tny_step_phases *phases,
                                         const struct tny_windows *windows,
                                         struct tny_conflicts *conflicts, bool *is_open,
                                         struct tny_error *error) TNY_MUST_CHECK;
/* Takes out those that follow from the schedule and the others: a transitive reduction. */
enum tny_status tny_conflicts_reduce(const struct tny_step_phases *phases,
                                     struct tny_conflicts *conflicts,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Takes out those whose senders know already that the receive is complete: from the schedule and,
   if the ones left `will_be_kept`, from those. Of receives only. Less thorough than a reduction,
   and for any size: about messages * ranks. */
enum tny_status tny_conflicts_drop_known(const struct tny_step_phases *phases, bool will_be_kept,
                                         struct tny_conflicts *conflicts,
                                         struct tny_error *error) TNY_MUST_CHECK;
void tny_conflicts_release(struct tny_conflicts *conflicts);

#endif
