/* A schedule together with the phase of each of its steps: what the passes that insert tokens
   share. */
#ifndef TOURNEY_PASSES_STEP_PHASES_H
#define TOURNEY_PASSES_STEP_PHASES_H

#include "schedule/match.h"

/* A phased schedule. `phase` is by id; a copy has the latest phase of the steps that it waits for
   or that stand before it in its queue. */
struct tny_step_phases {
  const struct tny_match *match;
  const uint32_t *phase;
};

#endif
