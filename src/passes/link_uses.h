/* Which messages cross which links. */
#ifndef TOURNEY_PASSES_LINK_USES_H
#define TOURNEY_PASSES_LINK_USES_H

#include "passes/conflicts.h"

struct tny_crossing {
  uint32_t link, phase, send;
};

/* A place is one in the list. All owned. */
struct tny_crossings {
  struct tny_crossing *list; /* by link, then phase, then sender */
  uint32_t count;
  uint32_t *first_of_send; /* by id: its first in `of_send`; step_count + 1 */
  uint32_t *of_send;       /* places: each send's, by link */
};

/* Owns: the crossings are the caller's, tny_crossings_release, also after an error. */
enum tny_status tny_crossings_find(const struct tny_step_phases *phases,
                                   const struct tny_network *network,
                                   struct tny_crossings *crossings,
                                   struct tny_error *error) TNY_MUST_CHECK;
void tny_crossings_release(struct tny_crossings *crossings);

/* Behind the last place of the link that `first` is of. */
static inline uint32_t tny_crossings_end(const struct tny_crossings *crossings, uint32_t first)
{
  uint32_t end = first + 1;
  while (end < crossings->count && crossings->list[end].link == crossings->list[first].link)
    end++;
  return end;
}

#endif
