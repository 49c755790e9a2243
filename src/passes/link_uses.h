/* Which messages use which links: an entry for each message and each link of its route. */
#ifndef TOURNEY_PASSES_LINK_USES_H
#define TOURNEY_PASSES_LINK_USES_H

#include "passes/step_phases.h"

struct tny_link_use {
  uint32_t link, phase, send;
};

/* All arrays are owned. */
struct tny_link_uses {
  struct tny_link_use *list; /* sorted by link, then phase, then send */
  uint32_t count;
  /* The uses of a send, by id, as indices in the list: of_send[first_of_send[id]] to before
     of_send[first_of_send[id + 1]], by link. */
  uint32_t *first_of_send; /* step_count + 1 */
  uint32_t *of_send;
};

/* Owns: the uses are the caller's, tny_link_uses_release, also after an error. */
enum tny_status tny_link_uses_find(const struct tny_step_phases *phases,
                                   const struct tny_network *network, struct tny_link_uses *uses,
                                   struct tny_error *error) TNY_MUST_CHECK;
void tny_link_uses_release(struct tny_link_uses *uses);

/* The index behind the last use of the link whose first use has the index `first`. */
static inline uint32_t tny_link_uses_end(const struct tny_link_uses *uses, uint32_t first)
{
  uint32_t end = first + 1;
  while (end < uses->count && uses->list[end].link == uses->list[first].link)
    end++;
  return end;
}

#endif
