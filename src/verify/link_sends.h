/* The messages of a schedule link by link. The passes and the model list what
   crosses a link by themselves (the prover shares no code with planners). */
#ifndef TOURNEY_VERIFY_LINK_SENDS_H
#define TOURNEY_VERIFY_LINK_SENDS_H

#include <tourney/cluster.h>

#include "schedule/match.h"

/* By link, the sends whose messages cross it. */
struct tny_link_sends {
  const struct tny_match *match; /* borrowed, as is the network */
  const struct tny_network *network;
  size_t *first;   /* by link: where its own begin in `sends`; link_count + 1 */
  uint32_t *sends; /* ids, by link, ascending */
};

/* Owns: in the match's arena. */
enum tny_status tny_link_sends_make(const struct tny_match *match,
                                    const struct tny_network *network,
                                    struct tny_link_sends *link_sends,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
